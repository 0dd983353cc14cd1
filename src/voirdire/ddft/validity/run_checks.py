"""Checks of how the run was conducted: who judged whom, what is missing, cut or there twice."""

from __future__ import annotations

from typing import Any

import pandas as pd

from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import QUOTES, listed, quote, said, share, share_of, spread, tally
from voirdire.jury import REFERENCE
from voirdire.jury.families import family_of
from voirdire.models.secrets import without_known_secrets
from voirdire.text.counting import counted

MANY_MISSING = 0.05
"""Of turns. What is missing is seldom so at random: a judge that fails on some answers fails on a kind of answer."""

MOST_CUT = 0.5
"""Of answers. A cut answer can still be scored for what it says; when most are, the limit is what is measured."""
LONG_ANSWER = 2000
"""Characters: about half of what 1,000 tokens can hold."""

MANY_REPEATED = 0.05
"""Of dialogues: each repeats evidence that metrics and intervals count as new."""
FEWEST_HELD = 2
"""Dialogues held to their end: one alone repeats no other."""
REAL_ANSWER = 30
"""Words: shorter answers ("I don't know.") can be equal by chance."""


def self_judging(record: RunRecord) -> Check:
    """Does anyone judge its own family, or the dialogues that it led?"""
    models = list(record.turns["model"].unique())
    seated = {judge: _model_of(judge) for judge in record.judges}
    related = {
        model: [judge for judge, spec in seated.items() if spec == model or _same(family_of(model), family_of(spec))]
        for model in models
    }
    kin = {model: judges for model, judges in related.items() if judges}
    own = [model for model in models if model in seated.values()]
    captive = [model for model, judges in kin.items() if len(judges) == len(seated)]
    leading = [judge for judge, spec in seated.items() if spec == record.interviewer]
    value = len(kin) / len(models) if models else None
    evidence = [f"Models judged by one of their own family: {len(kin)} of {len(models)}."]
    evidence += [f"{model} is judged by {listed(judges)}." for model, judges in kin.items()]
    evidence += [f"{model} sits on the jury that judges it." for model in own]
    if captive:
        evidence.append(f"Nobody outside the family judges {listed(captive)}.")
    evidence += [f"{judge} asked the questions and judges the answers." for judge in leading]
    if record.imported:
        evidence.append("Who asked the questions is not on record, so whether the interviewer judges, too, is unknown.")
    people = [name for name in [*models, *seated.values()] if name != REFERENCE and not _is_simulated(name)]
    strangers = [name for name in people if family_of(name) is None]
    if strangers:
        evidence.append(f"No family is known of {listed(strangers)}.")
    status: Status = "fail" if own or captive else "warn" if kin or leading else "pass"
    return Check("self_judging", status, value, None, tuple(evidence), (len(kin), len(models)))


def simulated_judge(record: RunRecord) -> Check:
    """Does a simulated judge, which knows again what simulated subjects say and nothing else, score a real model?"""
    name = "simulated_judge"
    made_up = [judge for judge in record.judges if _is_simulated(_model_of(judge))]
    models = [str(model) for model in record.turns["model"].unique()]
    real = [model for model in models if not _is_simulated(model)]
    if not models:
        return Check(name, "warn", None, None, ("No question has been asked.",))
    if not made_up:
        return Check(name, "pass", 0.0, None, ("No judge is simulated.",), (0, len(models)))
    if not real:
        return Check(name, "pass", 0.0, None, ("Every model is simulated, as are the judges.",), (0, len(models)))
    evidence = (
        f"{listed(made_up)} judges by the sentences of simulated models, and {listed(real)} does not speak in them: "
        "these scores say nothing. Have a model judge, or the reference panel (voirdire ddft score --jury).",
    )
    return Check(name, "fail", len(real) / len(models), None, evidence, (len(real), len(models)))


def missing_verdicts(record: RunRecord) -> Check:
    """How many of the turns that went to the jury lack a judge's verdict, or a score?"""
    missing = record.verdicts[record.verdicts["missing"].notna()]
    unscored = record.scores["unscored"].notna()
    incomplete = set(zip(missing["dialogue"], missing["turn"], strict=True))
    places = zip(record.scores["dialogue"], record.scores["turn"], strict=True)
    lacks = unscored | pd.Series([place in incomplete for place in places], index=unscored.index, dtype=bool)
    value, interval = share(lacks, record.scores["concept"])
    if value is None:
        return Check("missing_verdicts", "warn", None, None, ("No turn has been judged.",))
    evidence = [
        share_of("Judged turns that lack a judge's verdict or a score", lacks),
        f"Verdicts missing: {len(missing):,} of {len(record.verdicts):,}; turns unscored: {int(unscored.sum()):,}.",
    ]
    waiting = len(record.turns) - len(record.scores)
    if waiting:
        evidence.append(f"{counted(waiting, 'turn has', 'turns have')} not gone to this jury yet.")
    evidence += [f"{judge}: {n} missing." for judge, n in missing["judge"].value_counts().items()]
    evidence += [
        f"{row['dialogue']}, turn {row['turn']}: {row['judge']}: {quote(row['missing'])}"
        for row in missing.drop_duplicates("missing")[:QUOTES].to_dict("records")
    ]
    status: Status = "fail" if value > MANY_MISSING else "warn" if value or waiting else "pass"
    return Check("missing_verdicts", status, value, interval, tuple(evidence), tally(lacks))


def truncated_responses(record: RunRecord) -> Check:
    """How many answers were cut at the limit of tokens?"""
    there = record.answered()
    answered = record.turns.loc[there, ["dialogue", "turn", "concept", "finish_reason"]]
    if answered.empty:
        return Check("truncated_responses", "warn", None, None, ("No question has an answer.",))
    long = pd.concat([piece.str.len() for piece in record.answers()])[there] > LONG_ANSWER
    lengthy = share_of(f"Answers longer than {LONG_ANSWER:,} characters", long)
    if record.imported:
        unknown = "Why the answers ended is not on record: whether any was cut is unknown."
        return Check("truncated_responses", "warn", None, None, (unknown, lengthy))
    cut = answered["finish_reason"] == "length"
    value, interval = share(cut, answered["concept"])
    evidence = [share_of("Answers cut at the limit of tokens", cut), lengthy]
    evidence += [
        f"{row['dialogue']}, turn {row['turn']} ends: {quote(without_known_secrets(row['answer'])[-100:])}"
        for row in record.with_answers(answered[cut][:QUOTES]).to_dict("records")
    ]
    status: Status = "fail" if (value or 0) > MOST_CUT else "warn" if value else "pass"
    return Check("truncated_responses", status, value, interval, tuple(evidence), tally(cut))


def duplicate_dialogues(record: RunRecord) -> Check:
    """Does a dialogue, or a long answer, stand in the run more than once?

    Of dialogues held to their end: the beginnings of two are easily alike.
    """
    begun = record.turns["dialogue"].nunique()
    turns = _with_marks(record).sort_values(["dialogue", "turn"])
    turns = turns[turns["dialogue"].isin(record.held)]
    held = turns["dialogue"].nunique()
    if held < FEWEST_HELD:
        why = f"Dialogues held to their end: {held:,} of {begun:,} begun. One alone repeats no other."
        return Check("duplicate_dialogues", "not measured", None, None, (why,))
    by_dialogue = turns.groupby("dialogue", sort=False)
    whole = by_dialogue.agg({"question": tuple, "answer": tuple, "concept": "first", "spoken": "any"})
    repeated = whole.duplicated(["question", "answer"]) & whole["spoken"]
    value, interval = share(repeated, whole["concept"])
    evidence = [share_of("Dialogues that repeat another, word for word", repeated)]
    if held < begun:
        evidence.append(f"Left out, since not held to their end: {counted(begun - held, 'dialogue')}.")
    original = whole.index.to_series().groupby([whole["question"], whole["answer"]]).transform("first")
    evidence += [f"{name} is {original[name]} again." for name in whole.index[repeated][:QUOTES]]
    more = turns.groupby(["model", "concept", "level"])["sample"].nunique()
    twice = more[more > record.samples]
    if len(twice):
        evidence.append(
            f"Cells (model, concept, level) with more dialogues than the {record.samples} asked for: {len(twice)}, "
            f"among them {', '.join(map(str, twice.index[0]))}."
        )
    same = _same_answers(turns)
    if same.any():
        evidence.append(share_of(f"Answers of {REAL_ANSWER} words or more that stand in another dialogue, too", same))
        evidence += said(record.with_answers(spread(turns.loc[same.index[same]])), "answer")
    often = same.mean() > MANY_REPEATED if len(same) else False
    status: Status = "fail" if (value or 0) > MANY_REPEATED else "warn" if value or len(twice) or often else "pass"
    return Check("duplicate_dialogues", status, value, interval, tuple(evidence), tally(repeated))


def _is_simulated(model: str) -> bool:
    return model.startswith("simulated/")


def _model_of(judge: str) -> str:
    """The model behind a judge's name: "logprob:local/x#2" is local/x."""
    return judge.partition("#")[0].removeprefix("json:").removeprefix("logprob:")


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


def _same_answers(turns: pd.DataFrame) -> pd.Series[bool]:
    """Of all long answers: whether the same model gave it in another dialogue already."""
    return turns[turns["long"]].drop_duplicates(["dialogue", "answer"]).duplicated(["model", "answer"])


def _with_marks(record: RunRecord) -> pd.DataFrame:
    """The turns with marks in place of texts, equal where the texts are: those of a large run are not held twice."""
    marked = record.turns[["dialogue", "turn", "model", "concept", "level", "sample"]].copy()
    marked["question"] = [hash(text) for text in record.turns["question"]]
    return marked.join(pd.concat([_marks(piece) for piece in record.answers()]))


def _marks(answers: pd.Series[Any]) -> pd.DataFrame:
    texts = ["" if pd.isna(answer) else str(answer) for answer in answers]
    return pd.DataFrame(
        {
            "answer": [hash(text) for text in texts],
            "spoken": [bool(text) for text in texts],
            "long": [len(text.split(None, REAL_ANSWER)) >= REAL_ANSWER for text in texts],
        },
        index=answers.index,
    )
