"""Checks of what the subject was asked and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

import pandas as pd

from voirdire.ddft.questions import MAX_WORDS, TRAP_TURN
from voirdire.ddft.traps import giveaway_in
from voirdire.ddft.validity.naming import names_concept
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import (
    fewest_of_model,
    highest,
    models_above,
    most_of_model,
    quote,
    quotes_of,
    sample_across_models,
    share,
    share_of,
    shares_by_model,
    tally,
)
from voirdire.jury.clarification import clarification, clarifying_words
from voirdire.reason_codes import Reason, reason
from voirdire.text.overlap import words

MIN_NAMED = 0.95
"""Of one model's dialogues: below it, more than single slips left the subject to guess what is meant."""

MIN_DELIVERED = 0.95
"""Of one model's dialogues: as for the name."""
DELIVERY_SLACK = 0.15
"""How far the share of the reference's words that was sent may lie from 1 - c: whole sentences can't be cut exactly,
and the words around a reference overlap with it a little."""
LEAST_DELIVERED = 0.5
"""Of the promised share: what a level promises little of must be there all the same."""

SOME_ASK, MANY_ASK = 0.05, 0.20
"""Of one model's first answers. The rule is wrong in about 3 % of answers that do not ask; one in five is no chance."""

MANY_SIGNALLED = 0.05
"""Of trap questions to one model. A trap that is announced is none; single slips are left to be seen."""

_OF_A_TURN = ["dialogue", "model", "concept", "level", "turn", "question"]
"""All that most checks look at: answers are long."""

SOME_LONG, MOST_LONG = 0.05, 0.5
"""Of questions to one model; and of those of any one turn: when most break the rule, it was not followed (DDFT B.1)."""


def concept_named(record: RunRecord) -> Check:
    """Does the subject learn which concept is meant, from the context or the first question?"""
    first = _first_turns(record)
    is_named = _named(record, first)
    value, interval = share(is_named, first["concept"])
    if value is None:
        return Check("concept_named", "warn", None, None, (reason("no_dialogue"),))
    evidence = [share_of("dialogues_naming", is_named), *fewest_of_model(is_named, first["model"])]
    evidence += [
        reason(
            "sent_quoted",
            dialogue=row["dialogue"],
            concept=record.concepts[row["concept"]].name,
            quote=quote(_sent(record, row)),
        )
        for row in first[~is_named].drop_duplicates("concept").head(3).to_dict("records")
    ]
    guessing = models_above(1 - MIN_NAMED, ~is_named, first["model"])
    status: Status = "fail" if guessing else "pass"
    return Check("concept_named", status, value, interval, tuple(evidence), tally(is_named), guessing)


def context_delivered(record: RunRecord) -> Check:
    """Does the subject get the share of the reference that its level promises? Looked at is what got an answer."""
    first = _first_turns(record)
    first = first[record.answered().reindex(first.index, fill_value=False)]
    if first.empty:
        return Check("context_delivered", "not measured", None, None, (reason("no_answer"),))
    known = first["concept"].map(lambda concept: bool(record.concepts[concept].reference)).astype(bool)
    if not known.any():
        return Check("context_delivered", "warn", None, None, (reason("no_texts"),))
    first = first[known]
    there = _delivered(record, first)
    promised = 1 - first["level"]
    is_delivered = ((there - promised).abs() <= DELIVERY_SLACK) & (there >= LEAST_DELIVERED * promised)
    is_shortened = first["level"] < 1
    leaks = ~is_delivered & ~is_shortened
    value, interval = share(is_delivered[is_shortened], first.loc[is_shortened, "concept"])
    faults = (~is_delivered[is_shortened], leaks[~is_shortened])
    failing = [name for each in faults for name in models_above(1 - MIN_DELIVERED, each, first["model"][each.index])]
    undelivered = first[~is_delivered].head(2)
    evidence = [_by_level(first["level"], there)]
    if value is not None:
        evidence[:0] = [
            share_of("dialogues_delivered", is_delivered[is_shortened]),
            *fewest_of_model(is_delivered[is_shortened], first.loc[is_shortened, "model"]),
        ]
    if leaks.any():
        evidence.append(share_of("dialogues_leaking", leaks[~is_shortened]))
        evidence += most_of_model(leaks[~is_shortened], first.loc[~is_shortened, "model"])
    evidence += [
        reason(
            "sent_share_quoted",
            dialogue=row["dialogue"],
            share=float(there[place]),
            quote=quote(_sent(record, row)),
        )
        for place, row in zip(undelivered.index, undelivered.to_dict("records"), strict=True)
    ]
    status: Status = "fail" if failing else "not measured" if value is None else "pass"
    counts = tally(is_delivered[is_shortened])
    return Check("context_delivered", status, value, interval, tuple(evidence), counts, tuple(dict.fromkeys(failing)))


def clarification_rate(record: RunRecord) -> Check:
    """How often does the first answer ask what is meant?"""
    first = _first_turns(record)
    first = first[record.answered()[first.index]]
    if first.empty:
        return Check("clarification_rate", "warn", None, None, (reason("no_first_answer"),))
    signs = _signs(record, first.index)
    asks = signs > 0
    value, interval = share(asks, first["concept"])
    rates = asks.groupby(first["model"].to_numpy()).mean()
    evidence = [share_of("answers_asking", asks)]
    if asks.any() and len(rates) > 1:
        evidence.append(reason("asking_by_model", models=shares_by_model(rates)))
    all_named = bool(_named(record, first[asks]).all())
    status, why = _asking(rates, all_named)
    evidence += why
    asking = first[asks].assign(_signs=-signs[asks]).sort_values("_signs", kind="stable")
    shown = record.with_answers(sample_across_models(asking))
    evidence += quotes_of(shown, "answer", [" ".join(clarifying_words(str(each)).split()) for each in shown["answer"]])
    often = highest(rates, MANY_ASK) if status == "fail" else ()
    return Check("clarification_rate", status, value, interval, tuple(evidence), tally(asks), often)


def _signs(record: RunRecord, places: pd.Index[Any]) -> pd.Series[float]:
    """How far the answers at these places ask what is meant."""
    pieces = (piece[piece.index.intersection(places)] for piece in record.answers())
    return pd.concat([piece.map(lambda answer: clarification(answer).score).astype(float) for piece in pieces])


def _asking(rates: pd.Series[Any], all_named: bool) -> tuple[Status, list[Reason]]:
    """A verdict on the test. A model that asks while others do not, or though it was told, tells of that model.

    Args:
        rates: share of first answers that ask, by model.
        all_named: whether the concept was named in every dialogue in which it was asked for.
    """
    often = highest(rates, MANY_ASK)
    if rates.max() <= SOME_ASK:
        return "pass", []
    if len(often) <= len(rates) / 2:
        if not often:
            return "warn", [reason("none_asks_often")]
        code = "one_asks_often" if len(often) == 1 else "some_ask_often"
        return "warn", [reason(code, models=often)]
    if len(rates) == 1 and all_named:
        return "warn", [reason("asks_though_told")]
    return "fail", []


def trap_signalled(record: RunRecord) -> Check:
    """Do questions tell the subject that the fabrication is one?"""
    if record.trap == "none":
        return Check("trap_signalled", "not measured", None, None, (reason("run_without_trap"),))
    turns = record.turns.loc[record.turns["turn"] >= TRAP_TURN, _OF_A_TURN]
    words_found = turns["question"].map(giveaway_in)
    at_4 = turns["turn"] == TRAP_TURN
    signalled, later = words_found[at_4].notna(), words_found[~at_4].notna()
    value, interval = share(signalled, turns.loc[at_4, "concept"])
    if value is None:
        return Check("trap_signalled", "not measured", None, None, (reason("no_trap_question"),))
    evidence = [_giveaway_evidence(signalled, words_found[at_4]), *most_of_model(signalled, turns.loc[at_4, "model"])]
    if later.any():
        evidence.append(share_of("later_questions_giving_away", later))
    signals = turns[at_4 & words_found.notna()]
    evidence += quotes_of(signals, "question", list(words_found[signals.index]))
    many = models_above(MANY_SIGNALLED, signalled, turns.loc[at_4, "model"])
    status: Status = "fail" if many else "warn" if signalled.any() or later.any() else "pass"
    return Check("trap_signalled", status, value, interval, tuple(evidence), tally(signalled), many)


def question_length(record: RunRecord) -> Check:
    """Do questions stay under 50 words?"""
    turns = record.turns[_OF_A_TURN]
    length = turns["question"].map(lambda question: len(question.split()))
    long = length > MAX_WORDS
    value, interval = share(long, turns["concept"])
    if value is None:
        return Check("question_length", "warn", None, None, (reason("no_question"),))
    by_turn = long.groupby(turns["turn"].to_numpy()).mean()
    evidence = [share_of("questions_long", long, words=MAX_WORDS + 1), *most_of_model(long, turns["model"])]
    if value > 0:
        shares = (reason("turn_share", turn=cast(int, turn), share=float(part)) for turn, part in by_turn.items())
        evidence.append(reason("by_turn", turns=tuple(shares)))
        longest = turns.iloc[int(length.to_numpy().argmax())]
        evidence.append(
            reason(
                "longest_quoted",
                words=int(length.max()),
                dialogue=longest["dialogue"],
                turn=int(longest["turn"]),
                quote=quote(longest["question"]),
            )
        )
    of_some_turn = long.groupby([turns["model"], turns["turn"]]).mean().groupby("model").max()
    most = highest(of_some_turn, MOST_LONG)
    some = models_above(SOME_LONG, long, turns["model"])
    status: Status = "fail" if most else "warn" if some else "pass"
    return Check("question_length", status, value, interval, tuple(evidence), tally(long), most)


def _first_turns(record: RunRecord) -> pd.DataFrame:
    return record.turns.loc[record.turns["turn"] == 1, _OF_A_TURN]


def _sent(record: RunRecord, row: Mapping[Any, Any]) -> str:
    """What a dialogue's subject was sent with its first question; the question alone, if no call is on record."""
    return record.openings.get(row["dialogue"], row["question"])


def _named(record: RunRecord, first: pd.DataFrame) -> pd.Series[bool]:
    @cache  # many dialogues begin alike
    def named(concept: str, sent: str) -> bool:
        return names_concept(sent, record.concepts[concept])

    values = [named(row["concept"], _sent(record, row)) for row in first[_OF_A_TURN].to_dict("records")]
    return pd.Series(values, index=first.index, dtype=bool)


def _delivered(record: RunRecord, first: pd.DataFrame) -> pd.Series[float]:
    """Share of the words of the concept's reference that are among those sent, each as often as it stands there."""
    references = {name: Counter(words(record.concepts[name].reference)) for name in first["concept"].unique()}

    @cache
    def delivered(concept: str, sent: str) -> float:
        return (references[concept] & Counter(words(sent))).total() / references[concept].total()

    shares = [delivered(row["concept"], _sent(record, row)) for row in first.to_dict("records")]
    return pd.Series(shares, index=first.index, dtype=float)


def _by_level(levels: pd.Series[float], there: pd.Series[float]) -> Reason:
    means = there.groupby(levels.to_numpy()).mean()
    shares = (reason("level_share", level=cast(float, level), share=float(part)) for level, part in means.items())
    return reason("words_sent_by_level", levels=tuple(shares))


def _giveaway_evidence(signalled: pd.Series[bool], signals: pd.Series[str]) -> Reason:
    """How many trap questions give the trap away, and the words that do most often."""
    often = signals.dropna().str.lower().value_counts().head(4)
    if often.empty:
        return share_of("no_question_giving_away", signalled)
    counts = (reason("word_count", word=str(word), times=int(n)) for word, n in often.items())
    return share_of("questions_giving_away", signalled, words=tuple(counts))
