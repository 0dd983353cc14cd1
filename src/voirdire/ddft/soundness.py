"""Whether a test was sound enough for its figures to be evidence: one rule and one sentence for every output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from voirdire.ddft import aliases
from voirdire.documents.run_description import run_names
from voirdire.jury import REFERENCE
from voirdire.models import simulated_role
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import counted, listed

if TYPE_CHECKING:
    from voirdire.ddft.results import Result
    from voirdire.ddft.validity import Check

FAILING = {
    "concept_named": "the questions do not say which concept is meant",
    "context_delivered": "the model was not given the text that the test promises",
    "clarification_rate": "many first answers only ask what is meant",
    "trap_signalled": "the questions give the fabrication away",
    "question_length": "the questions are too long",
    "compression_effect": "taking the reference away made no difference that can be told",
    "judge_agreement": "the judges hardly agree",
    "stance_agreement": "the judges hardly agree on which answers accept the fabrication",
    "hoc_monotone": "accuracy fails and comes back at random",
    "self_judging": "models were judged by themselves or their own kin",
    "missing_verdicts": "too many verdicts are missing",
    "truncated_responses": "answers were cut off before their end",
    "duplicate_dialogues": "dialogues repeat one another",
    "constant_answers": "answers about different concepts are the same",
    "answers_in_prose": "answers are not prose",
    "simulated_judge": "a simulated judge scored real models",
    "hostile_answers": "verdicts repeat what answers say to their judges",
}
"""What a failed check means."""
_NO_ANSWERS = "answers are missing ({models} gave none to {hits:,} of {asked}{causes})"
"""What missing verdicts mean where most turns that lack one have no answer to judge."""
_OF_MODELS = {
    "judge_agreement": "the judges hardly agree on the answers of {models}",
    "stance_agreement": "the judges hardly agree on which answers of {models} accept the fabrication",
}
"""What a failed check means where it concerns some models only, and a name in brackets would read as another thing."""
_STUCK = {"one_stance": "nearly all", "stance_never_varies": "all"}
"""Of how many answers a judge says the same."""
_DENIED_STANCES = {
    "rejected_though_false": (
        "the judges call every fabrication rejected, and score {hits:,} of {of:,} answers as mostly false"
    ),
    "accepted_though_right": (
        "the judges call every fabrication accepted, and score {hits:,} of {of:,} answers as all right"
    ),
}
"""What a stance that all answers have means where the judges' own scores deny it."""
_OF_ALL = frozenset(_OF_MODELS)
"""Checks that concern the whole test, whichever models they name: judges who hardly agree judge all of them."""
_FIRST_NAMED = frozenset({"simulated_judge"})
"""Checks that are named before others that fail: what they find makes every score another thing."""
NAMED = 2
"""Failures that the sentence names; the report lists the others below it."""

_SIMULATED = "simulated models were examined: this shows how the test works, and says nothing about a real model"

OF_JUDGES = ("constant_judge", "constant_score", "nearly_constant_judge", "nearly_constant_score")
"""Reservations about judges whose scores hardly vary or don't."""
RESERVATIONS = ("run_incomplete", "rules_judged", *OF_JUDGES, "no_intervals")
"""What no check sees, and what forbids to rely on figures all the same: codes, in the order in which they are told."""

T = TypeVar("T")
State = Literal["sound", "sound in part", "not sound"]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the checks leave of a run's figures."""

    state: State
    checks: tuple[str, ...]
    """Those that fail."""
    causes: Mapping[str, str]
    """What each of these means in this run; of a test that was not sound also whom it concerns, if not all models."""
    no_compression: bool
    """Whether it shows nothing of compression, though the rest stands."""
    models: tuple[str, ...]
    """Those whose figures are no evidence, where the others' are."""
    of_models: tuple[str, ...]
    """The checks that these models fail."""
    reservations: tuple[Reason, ...]
    """What no check sees, and what forbids to rely on figures all the same (`RESERVATIONS`)."""
    simulated: tuple[str, ...] = ()
    """The models that are simulated: their figures show how the test works."""
    demonstration: bool = False
    """Whether no other model was examined."""
    lone_judge: bool = False
    """Whether the verdicts are those of one judge, so that no check shows how far another would agree."""
    one_stance: Reason | None = None
    """That the judges call every answer to a fabrication the same; `None` where they do not."""
    of_runs: Mapping[str, Conclusion] = field(default_factory=dict)
    """Of several runs, by the names that tell them from each other: what is left of each."""

    @property
    def but_for(self) -> tuple[str, ...]:
        """Of what a test that was sound in part shows nothing: "compression", and models."""
        return (*(["compression"] if self.no_compression else []), *self.models)

    @property
    def reliable(self) -> bool:
        """Whether to rely on the figures, but for the part that it names."""
        return self.state != "not sound" and not self.reservations and not self.demonstration

    @property
    def warns_first(self) -> bool:
        """Whether not to rely on the figures must be said before them."""
        return self.state == "not sound" or bool(self.reservations)

    @property
    def sentence(self) -> str:
        """Whether the test was sound, whether to rely on its figures, and which models are simulated."""
        parts = [*self._parts()]
        part = f" but for {listed(parts)}" if parts else ""
        why = listed([self._reserved_for(each) for each in self.reservations])
        sound = "Each run by itself was sound" if self.of_runs else "The test was sound"
        alike = [*self._alike()]
        if self.state == "not sound":
            of_judges = [self._reserved_for(each) for each in self.reservations if each.code in OF_JUDGES]
            others = [self._reserved_for(each) for each in self.reservations if each.code not in OF_JUDGES]
            many = len(self.checks) > NAMED
            causes = "; ".join([*of_judges, self._reasons(self.checks, unnamed=len(others) if many else 0)])
            besides = f"; besides, {listed(others)}" if others and not many else ""
            where = self._where(lambda run: run.state == "not sound", even_in_all=True)
            text = f"Do not rely on the figures, because the test was not sound{where}: {causes}{besides}."
        elif why and part:
            text = f"Do not rely on the figures, because {why}; otherwise the test was sound{part}."
        elif why:
            text = f"No check fails, but {reason('do_not_rely', why=why)}."
        elif self.demonstration:
            return " ".join([f"{sound}{part}, and only {_SIMULATED}.", *alike])
        else:
            rest = "rest of the " if part else ""
            opening = f"{sound}{part or ', as no check fails'}"
            text = (
                f"{opening}. One judge scored alone{self._where(lambda run: run.lone_judge)}, so rely on the {rest}"
                "figures only as far as you trust it."
                if self.lone_judge
                else f"{opening}: you can rely on the {rest}figures as far as their intervals reach."
            )
        return " ".join([text, *alike, *self._of_the_simulated()])

    def _parts(self) -> Iterator[str]:
        """Of what a test that was sound in part shows nothing, with the cause."""
        if self.no_compression:
            yield f"compression ({FAILING['compression_effect']}){self._where(lambda run: run.no_compression)}"
        if self.models:
            where = self._where(lambda run: bool(run.models))
            yield f"{listed(self.models)} ({self._reasons(self.of_models)}){where}"

    def _reserved_for(self, why: Reason) -> str:
        """A reservation, with the runs that it concerns."""
        several = self.of_runs and why.code == "run_incomplete"
        return f"{reason('runs_incomplete') if several else why}{self._where(lambda run: why in run.reservations)}"

    def _alike(self) -> Iterator[str]:
        """That judges call every answer to a fabrication the same, of each run that says so."""
        if self.one_stance and not self.of_runs:
            yield str(self.one_stance)
        for run, own in self.of_runs.items():
            if own.one_stance:
                yield f"{run}: {own.one_stance}"

    def _where(self, holds: Callable[[Conclusion], bool], *, even_in_all: bool = False) -> str:
        """In which of several runs something is so, as in " in 1 of 3 runs (s2)"; "" where it is so in all."""
        names = [name for name, own in self.of_runs.items() if holds(own)]
        if len(names) == len(self.of_runs):
            return f" in {len(names)} of {len(names)} runs" if names and even_in_all else ""
        return f" in {len(names)} of {len(self.of_runs)} runs ({listed(names, NAMED)})"

    def _reasons(self, checks: Sequence[str], unnamed: int = 0) -> str:
        """What these failed checks mean, the first of them in words; how many more there are, with those unnamed."""
        more = [f"and {len(checks) - NAMED + unnamed} more"] if len(checks) > NAMED else []
        first = sorted(checks, key=lambda check: check not in _FIRST_NAMED)[:NAMED]
        return "; ".join([*(self.causes[check] for check in first), *more])

    def _of_the_simulated(self) -> Iterator[str]:
        if self.demonstration:
            yield f"Only {_SIMULATED}."
        elif self.simulated:
            are = "is simulated, and says" if len(self.simulated) == 1 else "are simulated, and say"
            yield f"{listed(self.simulated, NAMED)} {are} nothing about a real model."

    def as_dict(self) -> dict[str, Any]:
        """The conclusion for JSON: whether to rely on the figures, what the checks alone say (`state`), and why."""
        return {
            "reliable": self.reliable,
            "state": self.state,
            "checks": list(self.checks),
            "but_for": list(self.but_for),
            "reservations": [each.code for each in self.reservations],
            "simulated": list(self.simulated),
            "demonstration": self.demonstration,
            "lone_judge": self.lone_judge,
            "sentence": self.sentence,
        }


def conclude(
    checks: Sequence[Check],
    models: Sequence[str],
    *,
    finished: bool = True,
    rules_judged: bool = False,
    unvarying_judges: Sequence[Reason] = (),
    intervals: bool = True,
    simulated: Sequence[str] = (),
    demonstration: bool = False,
) -> Conclusion:
    """Whether a test was sound, and of what it was not.

    A check that fails makes the whole test unsound, but for two cases. Levels without effect, where the model was
    sent what they promise, leave the rest: a model that knows the concepts by heart does this to a sound test. A fault
    of some models, fewer than half, leaves the others.

    Args:
        checks: all of the run.
        models: those that are judged.
        finished: whether all was asked.
        rules_judged: whether the reference panel judged, and no model.
        unvarying_judges: those whose scores tell of them instead of the answers (`OF_JUDGES`).
        intervals: whether any figure has one; of a run without any score that says nothing.
        simulated: the models that are.
        demonstration: whether no other model was examined.
    """
    failed = [check for check in checks if check.status == "fail"]
    delivered = any(check.id == "context_delivered" and check.status == "pass" for check in checks)
    no_effect = delivered and any(check.id == "compression_effect" for check in failed)
    others = [check for check in failed if not (no_effect and check.id == "compression_effect")]
    faulty = tuple(dict.fromkeys(model for check in others for model in check.models))
    of_models = all(check.models and check.id not in _OF_ALL for check in others)
    some_only = of_models and (not faulty or 2 * len(faulty) < len(models))
    state: State = "sound" if not failed else "sound in part" if some_only else "not sound"
    in_part = state == "sound in part"
    reservations = (
        *([] if finished else [reason("run_incomplete")]),
        *([reason("rules_judged")] if rules_judged else []),
        *unvarying_judges,
        *([] if intervals else [reason("no_intervals")]),
    )
    return Conclusion(
        state,
        checks=tuple(check.id for check in failed),
        causes={check.id: _cause(check, models, name_models=state == "not sound") for check in failed},
        no_compression=no_effect and in_part,
        models=faulty if in_part else (),
        of_models=tuple(check.id for check in others) if in_part else (),
        reservations=reservations,
        simulated=tuple(simulated),
        demonstration=demonstration,
        lone_judge=_seen("too_few_judges", checks) is not None,
        one_stance=_seen("one_stance_of_all", checks),
    )


def conclusion(result: Result) -> Conclusion:
    """What a run's checks leave of its figures."""
    profiles = result.profiles
    judged = [profile.model for profile in profiles]
    specs = result.manifest.get(aliases.FIELD, {})
    examined = [*judged, *result.unjudged]
    simulated = [model for model in examined if simulated_role(specs.get(model, model))]
    return conclude(
        result.checks,
        judged,
        finished=result.finished,
        rules_judged=result.jury == REFERENCE,
        unvarying_judges=result.unvarying_judges,
        intervals=not result.any_score or not profiles or any(profile.any_interval for profile in profiles),
        simulated=simulated,
        demonstration=bool(simulated) and simulated == examined,
    )


def conclusion_of(results: Sequence[Result]) -> Conclusion:
    """What the checks of one or several runs leave of the figures that are made of all of them."""
    if len(results) == 1:
        return conclusion(results[0])
    all_of_them = [conclusion(each) for each in results]
    unsound = [each for each in all_of_them if each.state == "not sound"]
    grave = unsound or [each for each in all_of_them if each.checks]
    return Conclusion(
        grave[0].state if grave else "sound",
        checks=_each_once(each.checks for each in grave),
        causes={check: cause for each in reversed(grave) for check, cause in each.causes.items()},
        no_compression=any(each.no_compression for each in grave),
        models=_each_once(each.models for each in grave),
        of_models=_each_once(each.of_models for each in grave),
        reservations=_each_once(each.reservations for each in all_of_them),
        simulated=_each_once(each.simulated for each in all_of_them),
        demonstration=all(each.demonstration for each in all_of_them),
        lone_judge=any(each.lone_judge for each in all_of_them),
        one_stance=next((each.one_stance for each in all_of_them if each.one_stance), None),
        of_runs=dict(zip(run_names([each.path for each in results]), all_of_them, strict=True)),
    )


def _seen(code: str, checks: Sequence[Check]) -> Reason | None:
    """What a check saw of this kind; `None` where none did."""
    return next((why for check in checks for why in check.evidence if why.code == code), None)


def _each_once(groups: Iterable[Sequence[T]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(each for group in groups for each in group))


def _cause(check: Check, models: Sequence[str], *, name_models: bool) -> str:
    """What a failed check means, and where asked for whom it concerns, if that is not every model."""
    for why in check.evidence:
        if why.code == "answers_missing":
            hits, of, lacking = (cast(int, why[name]) for name in ("hits", "of", "lacking"))
            if 2 * hits > lacking:
                silent = listed(cast(tuple[str, ...], why["models"]), NAMED)
                return _NO_ANSWERS.format(models=silent, hits=hits, asked=counted(of, "question"), causes=_behind(why))
    text = FAILING.get(check.id, check.id)
    silent_judges = [why for why in check.evidence if why.code == "missing_of_judge"]
    if silent_judges and not name_models:
        return text
    if silent_judges:
        return f"{text} ({listed([_of_judge(why) for why in silent_judges], NAMED)})"
    stuck = [f"{why['judge']} calls {_STUCK[why.code]} {why['stance']}" for why in check.evidence if why.code in _STUCK]
    if stuck:
        return f"{text} ({listed(stuck)})"
    for why in check.evidence:
        if why.code in _DENIED_STANCES:
            return _DENIED_STANCES[why.code].format(hits=why["hits"], of=why["of"])
    if not name_models or not check.models or set(models) <= set(check.models):
        return text
    names = listed(check.models, NAMED)
    return _OF_MODELS[check.id].format(models=names) if check.id in _OF_MODELS else f"{text} ({names})"


def _of_judge(missing: Reason) -> str:
    """How many verdicts of a judge are missing."""
    verdicts, of = (cast(int, missing[name]) for name in ("verdicts", "of"))
    return (
        f"{missing['judge']} gave none of {of:,}" if verdicts == of else f"{verdicts:,} of {of:,} of {missing['judge']}"
    )


def _behind(answers_missing: Reason) -> str:
    """Why they are missing, as far as failed calls say; whose where several models lack answers."""
    causes = cast(tuple[Reason, ...], answers_missing["causes"])
    several = len(cast(tuple[str, ...], answers_missing["models"])) > 1
    texts = [f"{each['model']}: {each['why']}" if several else str(each["why"]) for each in causes]
    more = [f"and {len(texts) - NAMED} more"] if len(texts) > NAMED else []
    return f": {'; '.join([*texts[:NAMED], *more])}" if texts else ""


def unsound_runs(results: Sequence[Result]) -> list[Result]:
    """The runs whose figures are no evidence of any model."""
    return [each for each in results if conclusion(each).state == "not sound"]


def failed_check_ids(results: Sequence[Result]) -> list[str]:
    """The checks that fail in them, each once."""
    return list(dict.fromkeys(check for result in unsound_runs(results) for check in result.failed_checks))


def qualified(finding: str, results: Sequence[Result], *, alike: bool = True, figures: bool = True) -> str:
    """What was found, and whether to rely on it where something speaks against that: first, where the answer is no.

    Args:
        finding: a sentence.
        results: the runs that it rests on.
        alike: whether their models can be compared; of others no figure is said to be relied on.
        figures: whether it tells figures, and not only how far a run has come.
    """
    caution = qualification(results, alike=alike)
    if figures and conclusion_of(results).warns_first:
        return f"{caution} By these figures: {finding}"
    return " ".join(filter(None, (finding, caution)))


def qualification(results: Sequence[Result], *, alike: bool = True) -> str:
    """What `qualified` adds to a finding; "" where nothing speaks against it."""
    result = conclusion_of(results)
    return " ".join(_reserved(result)) if alike or not result.reliable else ""


def reservation(result: Result) -> str:
    """What keeps a run's figures from being evidence, in a sentence; "" of a sound test of which all was asked."""
    return " ".join(_reserved(conclusion(result)))


def _reserved(result: Conclusion) -> Iterator[str]:
    if result.checks or result.reservations or result.simulated or result.one_stance:
        yield result.sentence
