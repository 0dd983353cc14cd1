"""Which models of a study differ in a metric, as far as these dialogues can tell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.comparability import (
    differences_in_brief,
    different_levels,
    different_traps,
    incomparability_reasons,
)
from voirdire.ddft.analysis.comparing.pairs import (
    FEWEST_FOR_EFFECT,
    UNITS,
    ModelPair,
    PairSettings,
    Unit,
    compare_pair,
    superiority_of,
)
from voirdire.ddft.analysis.comparing.ranking import RankedModel, ranked_models
from voirdire.ddft.analysis.comparing.shared import ScoresByModel, read_study
from voirdire.ddft.analysis.comparing.verdicts import beside_values, doubts, findings, sorted_models, with_verdicts
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.concepts.packs import packaged_paths
from voirdire.ddft.metric_labels import LABELS, in_full, in_words
from voirdire.ddft.metrics import BY_NAME
from voirdire.ddft.results import Result
from voirdire.ddft.soundness import qualification, qualified
from voirdire.ddft.stopping import InterimAnalyses
from voirdire.ddft.won_by_silence import OF_ANSWERS
from voirdire.documents.cells import metric as metric_text
from voirdire.errors import InputError
from voirdire.reason_codes import Reason, reason
from voirdire.stats.power import clusters_for_swaps
from voirdire.text.counting import counted, listed
from voirdire.text.suggestion import suggestion

__all__ = ["CompareError", "ModelComparison", "ModelPair", "RankedModel", "compare"]

_ON_STANCES = ("ER", "E", "V_E", "V_E_strict")
_FALLBACK = "K"
"""The part of ER that the most data have, and a mean of many turns; the paper's index often divides by a few."""
_LARGE = 0.8
"""A d_z that readers take for a large effect (Cohen, Statistical Power Analysis, 1988, section 2.2)."""


class CompareError(InputError):
    """A comparison that can't be made: one sentence says why."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """What a study's models say when they are compared in pairs."""

    asked: str
    """The metric that was asked for."""
    metric: str
    """The one that is compared: another where too few models have the one asked for, which the summary says first."""
    unit: Unit
    alpha: float
    superiority_of: str
    """Which score of a turn `ModelPair.superiority` is about: "FAR, turns 1 to 3"."""
    models: tuple[RankedModel, ...]
    """Best value first."""
    pairs: tuple[ModelPair, ...]
    """Every two models; A comes first in `models`."""
    cautions: tuple[str, ...]
    """What must be said beside anything that is made of these runs."""
    caution_in_brief: str
    """The same, and which runs fail validity checks, in one line."""
    one_model: bool
    """Whether all of them are one model, in several runs."""
    unsound: tuple[str, ...]
    """Which runs fail validity checks, to be said before anything else."""
    notes: tuple[str, ...]
    sentences: tuple[str, ...]
    """What is found; the first is the verdict."""
    finding: str
    """The verdict without what the checks leave of it."""
    qualification: str
    """What the checks leave of it; "" where nothing speaks against it."""
    brief: str
    """The verdict in few words."""

    @property
    def numbered(self) -> tuple[RankedModel, ...]:
        """The models that take a rank."""
        return tuple(model for model in self.models if model.unranked is None)

    @property
    def counted_pairs(self) -> tuple[ModelPair, ...]:
        """Every two of these; all pairs where fewer than two models take a rank."""
        return _counted(self.pairs, self.models)

    @property
    def headline(self) -> str:
        """The verdict in a sentence."""
        return self.sentences[0]

    @property
    def beside_values(self) -> tuple[str, ...]:
        """What must be said beside single models' values, each once."""
        return tuple(beside_values(self.models))

    @property
    def summary(self) -> str:
        """All that is found, in words."""
        return " ".join(self.sentences)

    @property
    def column(self) -> str:
        """What heads the values: the metric, or what it is compared in."""
        return OF_ANSWERS[self.metric].header if self.metric in OF_ANSWERS else LABELS[self.metric]

    @property
    def among(self) -> str | None:
        """Which answers the values are shares of; `None` for a metric that is compared as it is."""
        return OF_ANSWERS[self.metric].among if self.metric in OF_ANSWERS else None

    def as_dict(self) -> dict[str, Any]:
        """The comparison as plain values that JSON can hold: `None` for what is undefined, never NaN."""
        return {
            "asked": self.asked,
            "metric": self.metric,
            "among": self.among,
            "unit": self.unit,
            "alpha": self.alpha,
            "superiority_of": self.superiority_of,
            "models": as_plain(self.models),
            "pairs": as_plain(self.pairs),
            "cautions": list(self.cautions),
            "notes": [*self.unsound, *self.notes],
            "summary": self.summary,
        }


def compare(
    runs: Runs,
    metric: str = "ER",
    unit: str = "concept",
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
) -> ModelComparison:
    """Compare every two models of one or several runs in a metric.

    A pair is compared on the (concept, level, sample, turn) that both were asked and have scored; models of runs that
    are different tests, or were judged differently, are not compared. The null hypothesis
    is that it makes no difference which of the two models gave which answers: the swap test exchanges all that they
    said about a concept (or in a dialogue) and computes the metric of both again.

    Args:
        runs: with two models or more, all together.
        metric: of `voirdire.ddft.metrics.METRICS`. Where no stance towards traps is known, ER and its part E cannot
            be compared; K is, and the summary says so first.
        unit: what is swapped: "concept", which speaks of concepts like these, or "dialogue", of these concepts only.
        alpha: level of the tests after Holm's correction over all pairs; intervals have level 1 - alpha.
        draws: bootstrap draws behind the ranks, and random swaps of more than 14 concepts.
        seed: of both.

    Raises:
        CompareError: fewer than two models, an unknown metric or unit, or alpha outside (0, 1).
        ValueError: the scores are malformed.
    """
    study = read_study(runs.scores, runs.without_traps, runs.thresholds)
    _check(study, runs, metric, unit, alpha)
    used = _FALLBACK if metric in _ON_STANCES and _with_stances(study) < 2 else metric
    number_of_pairs = math.comb(len(study.turns_by_model), 2)
    own_concepts = not set(runs.scores["concept"]) <= packaged_paths().keys()
    settings = PairSettings(used, _unit(unit), alpha, draws, seed, number_of_pairs, own_concepts)
    interim_analyses = runs.interim_analyses
    _check_whole(interim_analyses, used)
    run_of = runs.result_by_model
    unlike = {frozenset(pair): _unlike(run_of, *pair) for pair in combinations(study.turns_by_model, 2)}
    uneven = reason("different_levels") if different_levels(runs.result_by_path) else None
    apart = any(unlike.values()) or uneven is not None
    alone, rank_notes = ranked_models(study, settings, interim_analyses, runs.uneven, runs.no_evidence, apart=apart)
    dialogues = runs.dialogues_completed
    models = [replace(each, dialogues_completed=dialogues.get(each.model)) for each in sorted_models(alone, used)]
    examined = (
        compare_pair(
            study,
            a.model,
            b.model,
            settings,
            tuple(doubts((a, b), used)),
            unlike[frozenset((a.model, b.model))],
        )
        for a, b in combinations(models, 2)
    )
    pairs = with_verdicts(list(examined), settings)
    ranked = any(each.rank_probabilities is not None for each in models)
    if ranked and all(pair.verdict == "cannot be decided" for pair in _counted(pairs, models)):
        models = [replace(each, rank_probabilities=None, expected_rank=None) for each in models]
        rank_notes = ["No ranks: no pair can be decided, so that nothing supports an order."]
    fallback = [] if used == metric else [_fell_back(metric, study, runs.failures)]
    sentences = partial(
        findings,
        models,
        pairs,
        used,
        unlike=uneven,
        repeated=runs.repeated,
        other_traps=different_traps(runs.result_by_path) is not None,
    )
    first, *others = sentences()
    alike = not differences_in_brief(runs.result_by_path)
    sound = partial(qualified, results=runs.results, alike=alike)
    return ModelComparison(
        asked=metric,
        metric=used,
        unit=settings.unit,
        alpha=alpha,
        superiority_of=superiority_of(used),
        models=tuple(models),
        pairs=tuple(pairs),
        cautions=runs.cautions,
        caution_in_brief=runs.caution_in_brief,
        one_model=len({model for result in runs.results for model in result.scores["model"].unique()}) == 1,
        unsound=runs.unsound,
        notes=(*_by_the_paper(runs, used), *_notes(_counted(pairs, models), settings), *rank_notes),
        sentences=(sound(first), *fallback, *others),
        finding=first,
        qualification=qualification(runs.results, alike=alike),
        brief=sentences(brief=True)[0] if apart else sound(sentences(brief=True)[0]),
    )


def _counted(pairs: Sequence[ModelPair], models: Sequence[RankedModel]) -> tuple[ModelPair, ...]:
    ranked = {model.model for model in models if model.unranked is None}
    return tuple(pair for pair in pairs if {pair.a, pair.b} <= ranked) if len(ranked) > 1 else tuple(pairs)


def _unlike(run_of: Mapping[str, Result], a: str, b: str) -> tuple[Reason, ...]:
    """Why two models can't be compared whatever they answered."""
    one, other = run_of.get(a), run_of.get(b)
    return () if one is None or other is None or one is other else incomparability_reasons(one, other)


def _check(study: ScoresByModel, runs: Runs, metric: str, unit: str, alpha: float) -> None:
    if len(study.turns_by_model) < 2:
        missing = [str(result.models_missing) for result in runs.results if result.models_missing]
        only = next(iter(study.turns_by_model), "none")
        if missing:
            raise CompareError(f"A comparison needs two models, and only {only} has judged turns. {' '.join(missing)}")
        raise CompareError(f"A comparison needs two models, and only {only} was given: name another run.")
    if metric not in BY_NAME:
        if metric == "CI_norm":
            raise CompareError("CI_norm depends on who else is compared; take CI_raw.")
        raise CompareError(f"{metric!r} is not a metric that models can be compared in: {suggestion(metric, BY_NAME)}")
    if unit not in UNITS:
        raise CompareError(f"{unit!r} is not a unit; swap by concept or by dialogue.")
    if not 0 < alpha < 1:
        raise CompareError(f"alpha must lie between 0 and 1; {alpha:g} was given.")


def _check_whole(interim_analyses: Mapping[str, InterimAnalyses], metric: str) -> None:
    for model, interim in interim_analyses.items():
        if metric in interim.withheld:
            raise CompareError(
                f"{in_words(metric)} can't be compared: {model} was stopped by {interim.rule} before every concept had "
                "been asked about at every level; compare ER, K or S."
            )


def _unit(unit: str) -> Unit:
    return "dialogue" if unit == "dialogue" else "concept"


def _with_stances(study: ScoresByModel) -> int:
    """How many models have a known stance towards a trap at turn 4."""
    return len(study.turns_by_model) - len(_without_stances(study))


def _without_stances(study: ScoresByModel) -> list[str]:
    at_trap = {model: frame.loc[frame["turn"] == 4, "stance"] for model, frame in study.turns_by_model.items()}
    return [model for model, stances in at_trap.items() if not stances.notna().any()]


def _fell_back(metric: str, study: ScoresByModel, failures: Mapping[str, Reason]) -> str:
    without = _without_stances(study)
    late = [model for model, frame in study.turns_by_model.items() if not (frame["turn"] == 4).any()]
    if study.turns_by_model.keys() <= set(study.without_traps):
        why = str(reason("no_trap"))
    elif late and failures.keys() >= set(late):
        why = listed([str(reason("turn_4_unanswered", model=model, why=failures[model])) for model in late])
    elif late:
        whose = "" if len(late) == len(study.turns_by_model) else f" of {listed(late)}"
        why = str(reason("not_asked", what=f"turn 4{whose}"))
    elif all(frame.loc[frame["turn"] == 4, "unscored"].notna().all() for frame in study.turns_by_model.values()):
        why = str(reason("none_scored", what="turn 4"))
    elif len(without) == len(study.turns_by_model):
        why = "these runs hold no stances"
    else:
        why = f"{reason('no_stance')} of {listed(without)}"
    return (
        f"{in_words(metric)} needs to know who rejected a fabrication, and {why}: {in_full(_FALLBACK)} is "
        "compared instead."
    )


def _by_the_paper(runs: Runs, metric: str) -> Iterator[str]:
    """What the models' own values would be by the paper's thresholds, where the metric rests on others."""
    if metric not in runs.thresholds.metrics:
        return
    profiles = {(str(each.path), profile.model): profile for each in runs.results for profile in each.by_the_paper}
    values = [
        f"{metric_text(metric, profiles[str(result.path), model].metrics[metric].value)} for {name}"
        for name, (model, result) in runs.models_by_name.items()
    ]
    yield f"By the paper's thresholds {in_words(metric)} is {listed(values)}."


def _on_copies(pairs: Sequence[ModelPair]) -> Iterator[str]:
    """Which pairs are copies, and what they do to the tests."""
    copies = [pair for pair in pairs if pair.copies]
    if not copies:
        return
    tests = sum(pair.is_test for pair in pairs)
    named = "; ".join(f"{pair.b} holds the same scores as {pair.a}" for pair in copies)
    yield f"{named}, on every turn that they share. Copies are not tested."
    if tests:
        yield f"Holm's correction counts each test of copies once: {tests} in all."


def _smallest_p(pairs: Sequence[ModelPair], unit: Unit) -> Iterator[str]:
    """That no p could have been smaller; of pairs that can't be decided their own reasons say so."""
    tested = [pair for pair in pairs if pair.p is not None]
    if any(not pair.exact or pair.p != pair.smallest_p or pair.verdict == "cannot be decided" for pair in tested):
        return
    least = {(pair.n_units, pair.p) for pair in tested}
    if len(least) == 1:
        ((units, p),) = least
        every = "p" if len(tested) == 1 else "Every p"
        shared = counted(units, f"shared {unit}")
        yield f"{every} is the smallest that {shared} can give, {p:.2g}: only more {unit}s could give a smaller one."


def _large_but_unsure(pair: ModelPair) -> bool:
    effect, interval = pair.shown_effect, pair.interval
    return effect is not None and abs(effect) >= _LARGE and interval is not None and interval.low <= 0 <= interval.high


def _notes(pairs: Sequence[ModelPair], settings: PairSettings) -> Iterator[str]:
    dropped = [pair for pair in pairs if pair.left_out]
    if dropped:
        most = max(dropped, key=lambda pair: pair.left_out)
        answers = counted(most.left_out, "answer")
        left_out = (
            f"That leaves out {answers}."
            if len(pairs) == 1
            else f"That leaves out answers in {len(dropped)} of {len(pairs)} pairs: at most {answers}, in the pair "
            f"{most.a} and {most.b}."
        )
        yield f"Pairs are compared on the turns that both models were asked and that are scored for both. {left_out}"
    if settings.unit == "dialogue":
        yield (
            "Whole dialogues were swapped: p and verdicts speak of these concepts only, not of any that could "
            "have been asked about. Intervals, effect sizes and ranks still take the concept as the unit."
        )
    untold = any(pair.verdict == "cannot be decided" and pair.p is not None for pair in pairs)
    if untold and settings.unit == "concept":
        tests = sum(pair.is_test for pair in pairs)
        enough = clusters_for_swaps(settings.alpha / tests)
        yield (
            f"To decide anything about {counted(tests, 'pair')} at alpha {settings.alpha:g} takes {enough} shared "
            "concepts. Swapping dialogues (unit dialogue) takes fewer, but speaks of these concepts only."
        )
    yield from _smallest_p(pairs, settings.unit)
    if any(pair.verdict == "indistinguishable" for pair in pairs):
        yield ("Indistinguishable does not mean equal: the interval says how large a difference may have gone unseen.")
    yield from _on_copies(pairs)
    known = [pair for pair in pairs if pair.difference is not None and not pair.copies]
    without = sum(pair.shown_effect is None for pair in known)
    if without:
        yield (
            f"No d_z in {without} of {counted(len(pairs), 'pair')}: it needs {FEWEST_FOR_EFFECT} shared concepts, and "
            "a difference that varies from one to another and is defined without any one of them."
        )
    if any(_large_but_unsure(pair) for pair in known):
        yield (
            "A large d_z beside an interval that holds 0 is no contradiction: d_z sets the difference against how much "
            "it varies between these concepts; the interval also allows for their small number and for what few turns "
            "hide."
        )
    without = sum(pair.superiority is None for pair in known)
    if without:
        yield (
            f"Not said in {without} of {counted(len(pairs), 'pair')} how often A's score is the higher one: no shared "
            f"turn has a score of both ({superiority_of(settings.metric)})."
        )
    if any(not pair.exact for pair in pairs):
        yield f"p rests on {max(pair.swaps for pair in pairs):,} random swaps where there are more than can be tried."
    undefined = sum(pair.undefined_swaps > 0 for pair in pairs)
    if undefined:
        yield (
            f"In {undefined} of {counted(len(pairs), 'pair')} some swaps leave {in_words(settings.metric)} undefined; "
            "they count as far from 0, which can only raise p."
        )
