"""What the paper reads from the scores: danger zone, compression, domains, examples, and turns (Table 4).

DDFT 4.2, 6.2, 6.3, 8.2.3, 8.2.4, 8.3, appendices A.1 and D.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.thresholds import PAPER
from voirdire.papers.claims import Result, reproduced_if
from voirdire.papers.ddft.study import DRAWS, TURNS, Score, Study, jackknifed, mean, share
from voirdire.records import SCORE_DECIMALS
from voirdire.stats.association import Anova, exact_correlation, one_way_anova
from voirdire.stats.correlation import spearman
from voirdire.stats.intervals import Interval


def danger(study: Study, models: Sequence[str]) -> Result:
    """The danger zone, of all turns asked, as the paper counts: a turn without a consensus is not in it."""
    turns = study.scores[study.scores["model"].isin(models)]
    scores = turns[["far", "sas"]].round(SCORE_DECIMALS)
    return share(turns, (scores["sas"] > PAPER.fluent_sas) & (scores["far"] < PAPER.wrong_far))


def danger_of_group(study: Study, label: str) -> Result:
    """The mean of the rates of the models with a label, with the interval of their turns."""
    models = study.labelled(label)
    return replace(danger(study, models), value=_group_rate(study, label)).with_params(label=label)


def everybody_has_some(study: Study) -> Result:
    """How many models have fluent and wrong answers."""
    return Result(sum(bool(profile.danger_zone_pct) for profile in study.profiles.values()))


def robust_lower(study: Study) -> Result:
    """Which group has the higher rate."""
    robust, brittle = (_group_rate(study, label) for label in ("Robust", "Brittle"))
    relation = "lower" if robust < brittle else "higher"
    text = f"{robust:.2f} % {relation} than {brittle:.2f} %"
    return Result(text, verdict=reproduced_if(robust < brittle))


def coupled_collapse(study: Study) -> Result:
    """Whether incoherent answers of Brittle models are mostly inaccurate."""
    turns = study.scores[study.scores["model"].isin(study.labelled("Brittle"))]
    incoherent = turns[turns["sas"] < PAPER.incoherent_sas]
    inaccurate = incoherent["far"] < PAPER.wrong_far
    result = share(incoherent, inaccurate)
    return replace(result, verdict=reproduced_if(float(inaccurate.mean()) > 0.5)).with_params(
        inaccurate=int(inaccurate.sum()), turns=len(incoherent), far=float(incoherent["far"].mean())
    )


def mean_at(study: Study, score: Score, level: float, model: str | None = None) -> Result:
    """The mean of a score at a level, of one model or of all."""
    turns = study.scores[study.scores["level"] == level]
    if model is not None:
        turns = turns[turns["model"] == model]
    return mean(turns, score).with_params(score=score.upper(), turns=len(turns))


def far_falls(study: Study) -> Result:
    """Whether FAR falls with compression."""
    levels = study.scores.groupby("level")["far"].mean()
    text = ", ".join(f"{far:.2f} at {level:g}" for level, far in levels.items())
    return jackknifed(study.scores, _at_the_ends(study, "far"), _change).with_params(by_level=text)


def verifier_first(study: Study) -> Result:
    """Whether FAR falls, and more than SAS."""
    far, sas = _at_the_ends(study, "far"), _at_the_ends(study, "sas")
    result = jackknifed(study.scores, np.hstack([far, sas]), lambda sums: _change(sums[:4]) - _change(sums[4:]))
    of_far, of_sas = (_change(np.nansum(at_ends, axis=0)) for at_ends in (far, sas))
    falls = reproduced_if(of_far < 0 and of_far < of_sas)
    return replace(result, verdict=falls).with_params(far=of_far, sas=of_sas)


def by_concept(study: Study, statistic: Literal["F", "p", "eta_squared"]) -> Result:
    """ANOVA by concept of the CI index per model and concept, as the text has it, or of FAR, as printed."""
    scores, concepts = study.scores, study.weights.shape[1]
    ci = study.metrics(np.eye(concepts))["CI_raw"]
    dialogues = scores.groupby(["model", "concept", "level"], as_index=False)["far"].mean()
    of_index = one_way_anova(ci.ravel(), np.tile(np.arange(concepts), len(ci)), draws=1)
    of_turns = one_way_anova(scores["far"], scores["concept"], draws=1)
    of_dialogues = one_way_anova(dialogues["far"], dialogues["concept"], draws=1)
    other = Result(float(getattr(of_turns, statistic)), definition="of_turns").with_params(
        turns=of_turns.n, anova=_summary(of_turns)
    )
    return Result(float(getattr(of_index, statistic)), others=(other,)).with_params(
        undefined=int(np.isnan(ci).sum()), values=ci.size, anova=_summary(of_index), dialogues=_summary(of_dialogues)
    )


def turn_rho(study: Study, turn: int) -> Result:
    """A correlation of Table 4: mean FAR at a turn with the CI index."""
    rho = study.turn_correlations[turn]
    return Result(rho.value, _interval(rho.low, rho.high), "bonett_wright", params={"turn": turn})


def turn_p(study: Study, turn: int) -> Result:
    """A p-value of Table 4, by t; and over all orders of the models, also corrected for the five turns."""
    rho = study.turn_correlations[turn]
    params = {"df": rho.n - 2, "exact": rho.p, "corrected": min(1.0, len(TURNS) * rho.p)}
    return Result(rho.p_asymptotic).with_params("corrected" if turn == 4 else "note", **params)


def turn_4_interval(study: Study) -> Result:
    """The interval of turn 4's correlation, by the abstract's method: a bootstrap of the models."""
    far = study.far_at_turn(4)
    drawn, fisher = spearman(far, study.ci, groups=np.arange(len(study.ci)), draws=DRAWS), spearman(far, study.ci)
    return Result((drawn.low, drawn.high), params={"draws": DRAWS, "low": fisher.low, "high": fisher.high})


def turn_3_against_4(study: Study) -> Result:
    """Turn 3 against turn 4."""
    rho = exact_correlation(study.far_at_turn(3), study.far_at_turn(4), kind="spearman")
    params = {"asymptotic": rho.p_asymptotic, "exact": rho.p}
    return Result(rho.value, _interval(rho.low, rho.high), "bonett_wright", params=params)


def turn_4_strongest(study: Study) -> Result:
    """Which turn has the strongest relation with the CI index."""
    rho = {turn: study.turn_correlations[turn].value for turn in TURNS}
    strongest = max(rho, key=lambda turn: abs(rho[turn]))
    return Result(strongest, params={"all": ", ".join(f"turn {turn} {value:+.2f}" for turn, value in rho.items())})


def rejecting_helps(study: Study) -> Result:
    """What the sign of turn 4's correlation means: a FAR of 1 is a correct answer to the trap."""
    result = turn_rho(study, 4)
    return replace(result, verdict=reproduced_if(isinstance(result.value, float) and result.value > 0))


def _interval(low: float, high: float) -> Interval:
    return Interval(low, high, 0.95, "bonett-wright")


def _group_rate(study: Study, label: str) -> float:
    return float(np.mean([danger(study, [model]).value for model in study.labelled(label)]))


def _at_the_ends(study: Study, score: str) -> Floats:
    """Each turn's score at compression 0 and at 1, and whether it has one there; shape (turns, 4)."""
    ends = [study.scores[score].where(study.scores["level"] == level).to_numpy() for level in (0.0, 1.0)]
    return np.column_stack([*ends, *(~np.isnan(end) for end in ends)])


def _change(sums: Floats) -> float:
    """The mean at compression 1 less that at 0, from the sums of `_at_the_ends`."""
    return float(sums[1] / sums[3] - sums[0] / sums[2])


def _summary(anova: Anova) -> str:
    return (
        f"F({anova.df_between}, {anova.df_within}) = {anova.F:.2f}, p = {anova.p:.2f}, eta² = {anova.eta_squared:.3f}"
    )


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "p1-universal": everybody_has_some,
    "p1-robust-lower": robust_lower,
    "danger-robust": partial(danger_of_group, label="Robust"),
    "danger-competent": partial(danger_of_group, label="Competent"),
    "danger-brittle": partial(danger_of_group, label="Brittle"),
    "coupled-collapse": coupled_collapse,
    "p2-sas-at-0": partial(mean_at, score="sas", level=0.0),
    "p2-sas-at-1": partial(mean_at, score="sas", level=1.0),
    "p2-far-falls": far_falls,
    "p2-verifier-first": verifier_first,
    "p4-anova-f": partial(by_concept, statistic="F"),
    "p4-anova-p": partial(by_concept, statistic="p"),
    "p4-anova-eta": partial(by_concept, statistic="eta_squared"),
    "haiku-sas": partial(mean_at, score="sas", level=0.75, model="claude-haiku-4-5"),
    "haiku-far": partial(mean_at, score="far", level=0.75, model="claude-haiku-4-5"),
    "o4-mini-sas": partial(mean_at, score="sas", level=1.0, model="o4-mini"),
    "o4-mini-far": partial(mean_at, score="far", level=1.0, model="o4-mini"),
    "turn-3-against-4": turn_3_against_4,
    "turn-3-positive": partial(turn_rho, turn=3),
    **{f"turn-{turn}-rho": partial(turn_rho, turn=turn) for turn in TURNS},
    **{f"turn-{turn}-p": partial(turn_p, turn=turn) for turn in TURNS},
    "turn-4-interval": turn_4_interval,
    "turn-4-strongest": turn_4_strongest,
    "rejecting-helps": rejecting_helps,
}
