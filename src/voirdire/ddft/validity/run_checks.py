"""Checks of how the run was conducted: who judged whom, what is missing, cut or there twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd

from voirdire.ddft.validity.records import Check, RunRecord, Status
from voirdire.ddft.validity.shares_and_quotes import (
    QUOTES,
    models_above,
    most_of_model,
    quote,
    quotes_of,
    sample_across_models,
    share,
    share_of,
    tally,
)
from voirdire.jury import REFERENCE
from voirdire.jury.clarification import holds_back
from voirdire.jury.families import family_of
from voirdire.models.secrets import without_known_secrets
from voirdire.reason_codes import Reason, reason

MANY_MISSING = 0.05
"""Of one model's turns. What is missing is seldom so at random: a judge that fails, fails on a kind of answer."""

MOST_CUT = 0.5
"""Of one model's answers. A cut answer can be scored for what it says; when most are, the limit is what is measured."""
LONG_ANSWER = 2000
"""Characters: about half of what 1,000 tokens can hold."""

MANY_REPEATED = 0.05
"""Of one model's dialogues: each repeats evidence that metrics and intervals count as new."""
FEWEST_DIALOGUES = 2
"""Dialogues held to their end: one alone repeats no other."""
REAL_ANSWER = 30
"""Words: shorter answers ("I don't know.") can be equal by chance."""


def self_judging(record: RunRecord) -> Check:
    """Does anyone judge its own family, or the dialogues that it led?"""
    models = [str(model) for model in record.turns["model"].unique()]
    specs = {model: record.specs.get(model, model) for model in models}
    judge_models = {judge: _model_of(judge) for judge in record.judges}
    related = {
        model: [
            judge
            for judge, spec in judge_models.items()
            if spec == specs[model] or _same(family_of(specs[model]), family_of(spec))
        ]
        for model in models
    }
    kin = {model: judges for model, judges in related.items() if judges}
    own = [model for model in models if specs[model] in judge_models.values()]
    captive = [model for model, judges in kin.items() if len(judges) == len(judge_models)]
    leading = [judge for judge, spec in judge_models.items() if spec == record.interviewer]
    value = len(kin) / len(models) if models else None
    evidence = [reason("models_judged_by_family", hits=len(kin), of=len(models))]
    evidence += [reason("judged_by_family", model=model, judges=tuple(judges)) for model, judges in kin.items()]
    evidence += [reason("judges_itself", model=model) for model in own]
    if captive:
        evidence.append(reason("judged_by_family_alone", models=tuple(captive)))
    evidence += [reason("interviewer_judges", judge=judge) for judge in leading]
    if record.imported:
        evidence.append(reason("interviewer_unknown"))
    named = [*specs.values(), *judge_models.values()]
    people = [name for name in named if name != REFERENCE and not _is_simulated(name)]
    strangers = [name for name in people if family_of(name) is None]
    if strangers:
        evidence.append(reason("family_unknown", models=tuple(dict.fromkeys(strangers))))
    status: Status = "fail" if own or captive else "warn" if kin or leading else "pass"
    failing = tuple(dict.fromkeys([*own, *captive]))
    return Check("self_judging", status, value, None, tuple(evidence), (len(kin), len(models)), failing)


def simulated_judge(record: RunRecord) -> Check:
    """Does a simulated judge, which recognises what simulated subjects say and nothing else, score a real model?"""
    name = "simulated_judge"
    made_up = [judge for judge in record.judges if _is_simulated(_model_of(judge))]
    models = [str(model) for model in record.turns["model"].unique()]
    real = [model for model in models if not _is_simulated(record.specs.get(model, model))]
    if not models:
        return Check(name, "warn", None, None, (reason("no_question"),))
    if not made_up:
        return Check(name, "pass", 0.0, None, (reason("no_judge_simulated"),), (0, len(models)))
    answered = set(record.turns.loc[record.answered(), "model"]) if real else set()
    real = [model for model in real if model in answered]
    if not real:
        return Check(name, "pass", 0.0, None, (reason("all_simulated"),), (0, len(models)))
    evidence = reason("simulated_judges_real", judges=tuple(made_up), models=tuple(real))
    return Check(name, "fail", len(real) / len(models), None, (evidence,), (len(real), len(models)), tuple(real))


def missing_verdicts(record: RunRecord) -> Check:
    """How many of the turns that went to the jury lack a judge's verdict, or a score? The worst model decides.

    A judge who gave no verdict at all chose no kind of answer: where the others give a score, that is a warning.
    """
    missing = record.verdicts[record.verdicts["missing"].notna()]
    unscored = record.scores["unscored"].notna()
    lacks = unscored | _among(missing, record.scores)
    silent = set(record.judges) - set(record.verdicts.loc[record.verdicts["missing"].isna(), "judge"])
    grave = unscored | _among(missing[~missing["judge"].isin(silent)], record.scores)
    value, interval = share(lacks, record.scores["concept"])
    if value is None:
        return Check("missing_verdicts", "not measured", None, None, (reason("no_turn_judged"),))
    evidence = [
        share_of("turns_lacking_verdicts", lacks),
        *most_of_model(lacks, record.scores["model"]),
        reason("verdicts_missing", hits=len(missing), of=len(record.verdicts), unscored=int(unscored.sum())),
    ]
    evidence += _answers_missing(record, int(lacks.sum()))
    waiting = len(record.turns) - len(record.scores)
    if waiting:
        evidence.append(reason("turns_waiting", turns=waiting))
    asked = Counter(record.verdicts["judge"])
    evidence += [
        reason("missing_of_judge", judge=str(judge), verdicts=n, of=asked[judge])
        for judge, n in Counter(missing["judge"]).most_common()
    ]
    evidence += [
        reason(
            "verdict_quoted",
            dialogue=row["dialogue"],
            turn=row["turn"],
            judge=row["judge"],
            quote=quote(row["missing"]),
        )
        for row in missing.drop_duplicates("missing")[:QUOTES].to_dict("records")
    ]
    so_far: Status = "undecided" if waiting else "pass"
    many = models_above(MANY_MISSING, grave, record.scores["model"])
    status: Status = "fail" if many else "warn" if value else so_far
    return Check("missing_verdicts", status, value, interval, tuple(evidence), tally(lacks), many)


def _among(verdicts: pd.DataFrame, scores: pd.DataFrame) -> pd.Series[bool]:
    """Which turns of the scores have one of these verdicts."""
    of = set(zip(verdicts["dialogue"], verdicts["turn"], strict=True))
    places = zip(scores["dialogue"], scores["turn"], strict=True)
    return pd.Series([place in of for place in places], index=scores.index, dtype=bool)


def _answers_missing(record: RunRecord, lacking: int) -> Iterator[Reason]:
    """Which models left questions without an answer, and how many; `lacking`: turns without a verdict or score."""
    answers = record.answered().groupby(record.turns["model"], sort=False).agg(["size", "sum"])
    silent = answers[answers["sum"] < answers["size"]]
    of = int(silent["size"].sum())
    if of:
        hits = of - int(silent["sum"].sum())
        models = tuple(map(str, silent.index))
        causes = {model: record.call_failures[model] for model in models if model in record.call_failures}
        behind = tuple(reason("answers_missing_of", model=model, why=why) for model, why in causes.items())
        yield reason("answers_missing", models=models, hits=hits, of=of, lacking=lacking, causes=behind)
        yield from behind


def truncated_responses(record: RunRecord) -> Check:
    """How many answers were cut at the limit of tokens? The worst model decides."""
    there = record.answered()
    answered = record.turns.loc[there, ["dialogue", "model", "turn", "concept", "finish_reason"]]
    if answered.empty:
        return Check("truncated_responses", "warn", None, None, (reason("no_answer"),))
    long = pd.concat([piece.str.len() for piece in record.answers()])[there] > LONG_ANSWER
    lengthy = share_of("answers_long", long, characters=LONG_ANSWER)
    if record.imported:
        return Check("truncated_responses", "warn", None, None, (reason("ends_unknown"), lengthy))
    cut = answered["finish_reason"] == "length"
    value, interval = share(cut, answered["concept"])
    evidence = [share_of("answers_cut", cut), *most_of_model(cut, answered["model"]), lengthy]
    evidence += [
        reason(
            "end_quoted",
            dialogue=row["dialogue"],
            turn=row["turn"],
            quote=quote(without_known_secrets(row["answer"])[-100:]),
        )
        for row in record.with_answers(answered[cut][:QUOTES]).to_dict("records")
    ]
    most = models_above(MOST_CUT, cut, answered["model"])
    status: Status = "fail" if most else "warn" if value else "pass"
    return Check("truncated_responses", status, value, interval, tuple(evidence), tally(cut), most)


def duplicate_dialogues(record: RunRecord) -> Check:
    """Does a dialogue, or a long answer, stand in the run more than once? The worst model decides.

    Of dialogues held to their end: the beginnings of two are easily alike. One that only declines or asks back is no
    repetition: two models may well refuse in the same words.
    """
    begun = record.turns["dialogue"].nunique()
    turns = _with_marks(record).sort_values(["dialogue", "turn"])
    turns = turns[turns["dialogue"].isin(record.completed_dialogues)]
    n_dialogues = turns["dialogue"].nunique()
    if n_dialogues < FEWEST_DIALOGUES:
        why = reason("few_whole_dialogues", held=n_dialogues, begun=begun)
        return Check("duplicate_dialogues", "not measured", None, None, (why,))
    by_dialogue = turns.groupby("dialogue", sort=False)
    whole = by_dialogue.agg({"question": tuple, "answer": tuple, "model": "first", "concept": "first", "spoken": "any"})
    repeated = whole.duplicated(["question", "answer"]) & whole["spoken"]
    repeated &= ~repeated.index.isin(
        _declined_dialogues(record, turns[turns["dialogue"].isin(repeated.index[repeated])])
    )
    value, interval = share(repeated, whole["concept"])
    evidence = [share_of("dialogues_repeating", repeated), *most_of_model(repeated, whole["model"])]
    if n_dialogues < begun:
        evidence.append(reason("dialogues_left_out", dialogues=begun - n_dialogues))
    original = whole.index.to_series().groupby([whole["question"], whole["answer"]]).transform("first")
    shared = _shared(whole["model"][repeated], whole["model"].loc[original[repeated]])
    evidence += [
        reason("dialogues_shared", model=model, original=other, hits=n) for (model, other), n in shared.items()
    ]
    evidence += [
        reason("dialogue_again", dialogue=name, original=original[name]) for name in whole.index[repeated][:QUOTES]
    ]
    more = turns.groupby(["model", "concept", "level"])["sample"].nunique()
    twice = more[more > record.samples]
    if len(twice):
        cell = tuple(map(str, twice.index[0]))
        evidence.append(reason("cells_with_more_dialogues", samples=record.samples, cells=len(twice), cell=cell))
    same = _same_answers(turns)
    if same.any():
        evidence.append(share_of("answers_elsewhere", same, words=REAL_ANSWER))
        evidence += most_of_model(same, turns.loc[same.index, "model"])
        evidence += quotes_of(record.with_answers(sample_across_models(turns.loc[same.index[same]])), "answer")
    often = models_above(MANY_REPEATED, same, turns.loc[same.index, "model"])
    many = models_above(MANY_REPEATED, repeated, whole["model"])
    concerned = tuple(dict.fromkeys([*many, *(other for model, other in shared if model in many)]))
    status: Status = "fail" if many else "warn" if value or len(twice) or often else "pass"
    return Check("duplicate_dialogues", status, value, interval, tuple(evidence), tally(repeated), concerned)


def _is_simulated(model: str) -> bool:
    return model.startswith("simulated/")


def _model_of(judge: str) -> str:
    """The model behind a judge's name: "logprob:local/x#2" is local/x."""
    return judge.partition("#")[0].removeprefix("json:").removeprefix("logprob:")


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


def _shared(models: pd.Series[str], originals: pd.Series[str]) -> Counter[tuple[str, str]]:
    """By model and the other model that had it first, how many dialogues are alike."""
    pairs = zip(models, originals, strict=True)
    return Counter((model, other) for model, other in pairs if model != other)


def _same_answers(turns: pd.DataFrame) -> pd.Series[bool]:
    """Of all long answers: whether the same model gave it in another dialogue already."""
    return turns[turns["long"]].drop_duplicates(["dialogue", "answer"]).duplicated(["model", "answer"])


def _declined_dialogues(record: RunRecord, turns: pd.DataFrame) -> pd.Index[Any]:
    """Of dialogues, those of which every answer declines or asks back."""
    answers = record.with_answers(turns)["answer"]
    silent = answers.isna() | answers.astype(str).map(holds_back).astype(bool)
    every = silent.groupby(turns["dialogue"]).all()
    return every.index[every]


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
