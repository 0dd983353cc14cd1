"""How the study was made: its grid, its questions, and the checks that the paper reports (DDFT 3, 4.1 to 4.5, B.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import pandas as pd

from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.published import CELL, JUDGES
from voirdire.papers.claims import Result, reproduced_if
from voirdire.papers.ddft.study import Study, jackknifed, mean, share

_DIALOGUE = CELL[:3]


def grid(study: Study) -> Result:
    """The factors of the grid, and that it is full."""
    sizes = [study.turns[name].nunique() for name in CELL]
    full = len(study.turns.drop_duplicates(CELL)) == np.prod(sizes) == len(study.turns)
    text = " × ".join(map(str, sizes))
    return Result(text, verdict=reproduced_if(bool(full) and text == study.paper.claims["grid"].printed))


def levels(study: Study) -> Result:
    """The levels of the release."""
    text = ", ".join(f"{level:g}" for level in sorted(study.turns["level"].unique()))
    return Result(text, verdict=reproduced_if(text == study.paper.claims["levels"].printed))


def api_calls(study: Study) -> Result:
    """How many calls the described protocol makes: a question, an answer, and three judges who give each score."""
    turns, judges = len(study.turns), len(JUDGES)
    return Result(turns * (2 + 2 * judges), params={"turns": turns, "judges": judges, "least": turns * (2 + judges)})


def reference_given(study: Study) -> Result:
    """Who has the text does not ask which concept is meant."""
    first = _at(study, 1)
    at_0, at_1 = (100 * float(first.loc[first["level"] == level, "asks"].mean()) for level in (0.0, 1.0))
    text = f"{at_0:.0f} % ask what is meant at c = 0, {at_1:.0f} % at c = 1"
    return Result(text, verdict=reproduced_if(at_0 < at_1))


def concept_named(study: Study) -> Result:
    """Whether questions name what they ask about."""
    by_dialogue = study.turns.groupby(_DIALOGUE)["names_concept"].max().reset_index()
    asking_percent = 100 * float(_at(study, 1)["asks"].mean())
    return share(by_dialogue, by_dialogue["names_concept"] > 0).with_params(asks=asking_percent)


def not_asking(study: Study, turn: int) -> Result:
    """How many answers at a turn do not ask what is meant."""
    at = _at(study, turn)
    return share(at, at["asks"] == 0).with_params(turn=turn)


def dialogues_with(study: Study, turn: int) -> Result:
    """How many dialogues have a turn."""
    dialogues = study.turns.assign(asked=study.turns["turn"] == turn).groupby(_DIALOGUE)["asked"].any().reset_index()
    return share(dialogues, dialogues["asked"]).with_params(turn=turn)


def trap_unsignalled(study: Study) -> Result:
    """Whether trap questions give themselves away."""
    trap = _at(study, 4)
    unsignalled = trap["giveaway"].isna() | (trap["giveaway"] == "")
    return share(trap, unsignalled).with_params(outright=100 * float(trap["says_fictional"].mean()))


def trap_length(study: Study) -> Result:
    """How long trap questions are."""
    words = _at(study, 4)["question_words"]
    over = 100 * float((words > 50).mean())
    return share(_at(study, 4), words < 50).with_params(over=over, longest=int(words.max()))


def turn_4_below_half(study: Study) -> Result:
    """How often the condition of turn 5 held."""
    trap = study.scores[study.scores["turn"] == 4]
    return share(trap, trap["far"] < 0.5).with_params(below=100 * float((trap["far"] < 0.6).mean()))


def no_missing(study: Study) -> Result:
    """Whether all evaluations are there."""
    far, sas, unscored = np.isnan(study.judged("far")), np.isnan(study.judged("sas")), study.turns["far"].isna()
    incomplete = np.hstack([far, sas]).any(axis=1) | unscored.to_numpy()
    params = {"unscored": int(unscored.sum()), "far": int(far.sum()), "sas": int(sas.sum())}
    return Result(int(incomplete.sum()), params=params)


def no_truncation(study: Study) -> Result:
    """How long responses are."""
    chars = study.turns["answer_chars"]
    over = 100 * float((chars > 2000).mean())
    return share(study.turns, chars < 2000).with_params(over=over, longest=int(chars.max()))


def sd_sas(study: Study) -> Result:
    """The standard deviation (n - 1) of SAS."""
    sas = study.scores["sas"].to_numpy()
    centred = sas - np.nanmean(sas)  # what is subtracted changes nothing, and keeps the squares' sum exact
    return jackknifed(study.scores, np.column_stack([centred, centred**2, ~np.isnan(sas)]), _standard_deviation)


def _standard_deviation(sums: Floats) -> float:
    """Of n values, from their sum, their squares' sum, and n."""
    total, squares, n = sums
    return float(np.sqrt((squares - total**2 / n) / (n - 1)))


def _at(study: Study, turn: int) -> pd.DataFrame:
    return study.turns[study.turns["turn"] == turn]


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "evaluations": lambda study: Result(len(study.turns)),
    "grid": grid,
    "levels": levels,
    "api-calls": api_calls,
    "annotation-cost": lambda study: Result(len(study.turns) * 10),
    "reference-given": reference_given,
    "concept-named": concept_named,
    "response-rate": lambda study: share(study.turns, study.turns["answer_chars"] > 0),
    "turn-1-answered": partial(not_asking, turn=1),
    "turn-3-answered": partial(not_asking, turn=3),
    "trap-administered": partial(dialogues_with, turn=4),
    "trap-unsignalled": trap_unsignalled,
    "trap-length": trap_length,
    "turn-5-asked": partial(dialogues_with, turn=5),
    "turn-4-below-half": turn_4_below_half,
    "no-missing": no_missing,
    "no-truncation": no_truncation,
    "mean-sas": lambda study: mean(study.scores, "sas"),
    "sd-sas": sd_sas,
}
