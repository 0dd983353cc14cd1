"""Checks of the answers as texts: are they about what was asked, and are they answers in words at all?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from voirdire.ddft.questions import TRAP_TURN
from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import (
    highest,
    most_of_model,
    quote,
    quotes_of,
    sample_across_models,
    share,
    share_of,
    shares_by_model,
    tally,
)
from voirdire.jury.clarification import holds_back
from voirdire.reason_codes import Reason, reason
from voirdire.text.overlap import words
from voirdire.text.prose import oddity

MAX_COMPARED = 300
"""Answers of a model that are compared with one another: every pair of them."""
ALIKE = 0.8
"""Of the words of two answers, those of the questions left out, that both have: one text with a word or two changed."""
SOME_CONSTANT, MANY_CONSTANT = 0.05, 0.20
"""Of a model's answers. Nobody explains two concepts in the same words; a stuck endpoint answers everything so."""

SOME_ODD, MANY_ODD = 0.01, 0.20
"""Of a model's answers. On 1,800 published answers the rule finds none, on general chat up to one in a hundred."""


def constant_answers(record: RunRecord) -> Check:
    """Does a model say the same whatever it is asked about?

    Compared are answers to turns 1 to 3, which explain a concept: those of a model on one concept with its own on every
    other. Refusals and questions back are left out, since they may well be the same: `answered` tells of them.
    """
    name = "constant_answers"
    rows = _explaining(record)
    if rows.groupby("model")["concept"].nunique().max() in (0, 1) or rows.empty:
        return Check(name, "not measured", None, None, (reason("no_model_with_two_concepts"),))
    declined = rows["answer"].map(holds_back).astype(bool)
    spoken = rows[~declined]
    if spoken.empty:
        return Check(name, "not measured", None, None, (reason("all_hold_back"),))
    constant = pd.concat([_constant(own) for _, own in spoken.groupby("model", sort=False)])
    value, interval = share(constant, spoken.loc[constant.index, "concept"])
    rates = constant.groupby(spoken.loc[constant.index, "model"].to_numpy(), sort=False).mean()
    evidence = [share_of("answers_repeating", constant), *most_of_model(constant, spoken.loc[constant.index, "model"])]
    evidence += _by_model(rates)
    if declined.any():
        evidence += _left_out_note(record, rows, declined)
    repeated = spoken.loc[constant.index[constant]]
    evidence += _most_frequent(repeated)
    status, failing = _status(rates, SOME_CONSTANT, MANY_CONSTANT)
    if status == "fail" and _mostly_without_claims(record, repeated):
        status, failing = "warn", ()
        evidence.append(reason("mostly_without_claims"))
    return Check(name, status, value, interval, tuple(evidence), tally(constant), failing)


def answers_in_prose(record: RunRecord) -> Check:
    """Are answers words at all, and not JSON, markup, control tokens, loops or noise?"""
    name = "answers_in_prose"
    there = record.answered()
    oddities = pd.concat([piece[piece.notna()].map(lambda text: oddity(str(text))) for piece in record.answers()])
    if not there.any():
        return Check(name, "warn", None, None, (reason("no_answer"),))
    odd = oddities.notna()
    rows = record.turns.loc[odd.index, ["dialogue", "turn", "model", "concept"]]
    value, interval = share(odd, rows["concept"])
    rates = odd.groupby(rows["model"].to_numpy(), sort=False).mean()
    evidence = [share_of("answers_not_prose", odd), *most_of_model(odd, rows["model"])]
    if odd.any():
        kinds = Counter(oddities[odd]).most_common()
        evidence.append(reason("instead", kinds=tuple(reason(f"odd_{kind}", answers=n) for kind, n in kinds)))
    evidence += _by_model(rates)
    evidence += quotes_of(record.with_answers(sample_across_models(rows[odd])), "answer")
    status, failing = _status(rates, SOME_ODD, MANY_ODD)
    return Check(name, status, value, interval, tuple(evidence), tally(odd), failing)


def _status(rates: pd.Series[Any], some: float, many: float) -> tuple[Status, tuple[str, ...]]:
    """By the worst model, and which ones fail: one stuck endpoint among nine is a ninth of all answers."""
    failing = highest(rates, many)
    return "fail" if failing else "warn" if highest(rates, some) else "pass", failing


def _by_model(rates: pd.Series[Any]) -> Iterator[Reason]:
    if len(rates) > 1 and rates.max() > 0:
        yield reason("by_model", models=shares_by_model(rates))


def _explaining(record: RunRecord) -> pd.DataFrame:
    """Some answers to turns 1 to 3 of each model, evenly spread over its dialogues, with their questions."""
    turns = record.turns.loc[record.answered(), ["dialogue", "turn", "model", "concept", "question"]]
    turns = turns[turns["turn"] < TRAP_TURN]
    chosen = [
        own.iloc[np.unique(np.linspace(0, len(own) - 1, MAX_COMPARED).astype(int))] if len(own) > MAX_COMPARED else own
        for _, own in turns.groupby("model", sort=False)
    ]
    return record.with_answers(pd.concat(chosen)) if chosen else turns.assign(answer="")


def _constant(own: pd.DataFrame) -> pd.Series[bool]:
    """Of one model's answers: whether the same words stand in its answer on another concept.

    An answer that adds no word to its question says the same of everything, too.
    """
    pairs = zip(own["answer"], own["question"], strict=True)
    said_words = [set(words(answer)) - set(words(question)) for answer, question in pairs]
    places = {word: place for place, word in enumerate(sorted(set().union(*said_words)))}
    table = np.zeros((len(own), max(1, len(places))), dtype=np.float32)
    for row, those in zip(table, said_words, strict=True):
        row[[places[word] for word in those]] = 1
    both = table @ table.T
    sizes = table.sum(axis=1)
    either = sizes[:, np.newaxis] + sizes - both
    elsewhere = own["concept"].to_numpy()[:, np.newaxis] != own["concept"].to_numpy()
    alike = (both >= ALIKE * np.maximum(either, 1)) & elsewhere
    return pd.Series(alike.any(axis=1) | ((sizes == 0) & elsewhere.any(axis=1)), index=own.index)


def _left_out_note(record: RunRecord, rows: pd.DataFrame, declined: pd.Series[bool]) -> Iterator[Reason]:
    """How many answers were left out, whose, and in how many of them the jury, who may see it otherwise, has it so."""
    by_model = declined.groupby(rows["model"].to_numpy(), sort=False).agg(["sum", "count"])
    whose = (reason("model_hits", model=model, hits=int(n), of=int(of)) for model, n, of in by_model.itertuples() if n)
    if len(by_model) == 1:
        yield share_of("held_back", declined)
    else:
        yield share_of("held_back_by_model", declined, models=tuple(whose))
    held_back = rows[declined]
    judged = held_back.merge(record.scores[["dialogue", "turn"]], on=["dialogue", "turn"])
    silent = _without_claims(record, judged)
    if len(judged) < len(held_back):
        yield reason("held_back_not_judged", hits=len(held_back) - len(judged), of=len(held_back))
    if silent < len(judged):
        yield reason("held_back_without_claims", hits=silent, of=len(judged))


def _mostly_without_claims(record: RunRecord, rows: pd.DataFrame) -> bool:
    """Whether the jury says so of most answers: the rule for refusals knows English alone."""
    return _without_claims(record, rows) > len(rows) / 2


def _without_claims(record: RunRecord, rows: pd.DataFrame) -> int:
    """In how many of these answers the jury finds no claim."""
    silent = record.scores.loc[record.scores["no_claims"].eq(True), ["dialogue", "turn"]]
    return len(rows.merge(silent, on=["dialogue", "turn"]))


def _most_frequent(rows: pd.DataFrame) -> Iterator[Reason]:
    for text, number in rows["answer"].value_counts().head(2).items():
        code = "answer_repeated" if number > 1 else "answer_for_instance"
        yield reason(code, times=int(number), quote=quote(str(text)))
