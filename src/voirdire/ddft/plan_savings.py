"""What each way of paying less would save of a plan, and what is given up for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.ddft.expected_calls import expected_calls
from voirdire.ddft.plan import StudyEstimate, Ways, batchable, estimate
from voirdire.ddft.presets import load_preset
from voirdire.ddft.stopping import StopRule, StopRuleError, check_rule
from voirdire.ddft.study import StudyPlan

if TYPE_CHECKING:
    from voirdire.ddft.analysis.planning.sources import Source

CACHES = "prefix caches"
DIALOGUE = "--granularity dialogue"
BATCH = "--batch"

RULE = StopRule("K", 0.05)
"""The stopping rule that is compared where none is asked for: the published scores tell how K varies."""
ASSUMED = "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5&judge_noise=0.1"
"""What subjects are taken to be like in a metric that the published scores do not know, such as ER."""

_GIVEN_UP = {
    CACHES: "nothing, where they hit",
    DIALOGUE: "judges see the turns' order",
    BATCH: "hours of waiting",
    "lite": "fewer levels",
    "stop": "a narrower interval",
}
_EACH = "as for each"


@dataclass(frozen=True, slots=True)
class Saving:
    """A plan done another way."""

    option: str
    """What to add to the command; "as asked" for the plan itself."""
    gives_up: str
    estimate: StudyEstimate

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        estimate = self.estimate
        return {
            "option": self.option,
            "calls": estimate.calls,
            "input_tokens": estimate.input_tokens,
            "cached_tokens": estimate.cached_tokens,
            "output_tokens": estimate.output_tokens,
            "usd": estimate.usd,
            "minutes": estimate.minutes,
            "slow_minutes": estimate.slow_minutes,
            "wait_hours": estimate.wait_hours,
            "gives_up": self.gives_up,
        }


class _Other(NamedTuple):
    option: str
    gives_up: str
    plan: StudyPlan
    ways: Ways
    parts: tuple[str, ...] = ()
    """The options that it joins: it must save more than each of them."""


def savings(plan: StudyPlan, connections: int, ways: Ways, source: Source | None = None) -> tuple[Saving, ...]:
    """The plan as asked, and done in every other way that saves something.

    Args:
        plan: what is to be held; a rule that ends it early counts in every row.
        connections: calls at once per hosted model.
        ways: those already asked for; they hold in every row.
        source: how models vary, which says when a rule ends a run; `None` for `usual_source`.

    Raises:
        StudyError, SpecError: the plan can't be run as it is.
        PowerError: the source knows nothing of the rule's metric.
    """
    share = _share(plan, plan.stop_when or RULE, source)
    asked_for = replace(ways, share=share) if plan.stop_when else ways
    stop = (f"--stop-when {RULE}", share) if plan.stop_when is None and share < 1.0 else None
    calls = {id(plan): expected_calls(plan)}

    def priced(changed: StudyPlan, more: Ways) -> StudyEstimate:
        if id(changed) not in calls:
            calls[id(changed)] = expected_calls(changed)
        return estimate(changed, connections, more, calls[id(changed)])

    as_asked = Saving("as asked", "", priced(plan, asked_for))
    others = list(_others(plan, asked_for, stop))
    rows = {other.option: Saving(other.option, other.gives_up, priced(other.plan, other.ways)) for other in others}

    def saves(other: _Other) -> bool:
        less = (as_asked, *(rows[part] for part in other.parts))
        return all(_saves_anything(rows[other.option].estimate, than.estimate) for than in less)

    return (as_asked, *(rows[other.option] for other in others if saves(other)))


def usual_source(rule: StopRule, plan: StudyPlan) -> Source:
    """How models vary in this metric: as in the published scores, or as assumed where these do not know it."""
    from voirdire.ddft.analysis.planning.material import PowerError, effects_of
    from voirdire.ddft.analysis.planning.sources import assumed_source, published_source

    published = published_source()
    try:
        effects_of(published.material, rule.metric)
    except PowerError:
        return assumed_source(ASSUMED, plan.preset.levels)
    return published


def _share(plan: StudyPlan, rule: StopRule, source: Source | None) -> float:
    """Of the dialogues, what is expected to run; all of them, where the rule can't stop this study."""
    from voirdire.ddft.stopping.expected import expected_share

    try:
        check_rule(rule, len(plan.concepts), plan.preset.trap)
    except StopRuleError:
        return 1.0
    return expected_share(plan, rule, source or usual_source(rule, plan)).share


def _others(plan: StudyPlan, ways: Ways, stop: tuple[str, float] | None) -> Iterator[_Other]:
    """One change at a time, then those that go well together."""
    whole, lite, batch = _by_dialogue(plan), _lite(plan), batchable(plan)
    yield _Other(CACHES, _GIVEN_UP[CACHES], plan, replace(ways, cached=True))
    yield _Other(DIALOGUE, _GIVEN_UP[DIALOGUE], whole, ways)
    if batch:
        yield _Other(BATCH, _GIVEN_UP[BATCH], plan, replace(ways, batch=True))
    if lite is not None:
        yield _Other(_lite_option(plan), _GIVEN_UP["lite"], lite, ways)
    if stop is not None:
        yield _Other(stop[0], _GIVEN_UP["stop"], plan, replace(ways, share=stop[1]))
    if plan.preset.jury.granularity == "dialogue":
        return
    yield _Other(f"{DIALOGUE}, {CACHES}", _EACH, whole, replace(ways, cached=True), (DIALOGUE, CACHES))
    if batch:
        yield _Other(f"{DIALOGUE} {BATCH}", _EACH, whole, replace(ways, batch=True), (DIALOGUE, BATCH))
    if stop is not None:
        yield _Other(f"{DIALOGUE} {stop[0]}", _EACH, whole, replace(ways, share=stop[1]), (DIALOGUE, stop[0]))


def _saves_anything(one: StudyEstimate, than: StudyEstimate) -> bool:
    """Whether a way takes fewer calls or tokens, or less money; of an unknown price, caches and batches take off."""
    if one.calls < than.calls or one.input_tokens < than.input_tokens:
        return True
    if one.usd is None or than.usd is None:
        return one.cached_tokens > than.cached_tokens or one.wait_hours > than.wait_hours
    return one.usd < than.usd


def _by_dialogue(plan: StudyPlan) -> StudyPlan:
    return replace(plan, preset=replace(plan.preset, jury=replace(plan.preset.jury, granularity="dialogue")))


def _lite(plan: StudyPlan) -> StudyPlan | None:
    """The plan at the levels of `lite`; `None` where it has no more than those."""
    levels = load_preset("lite").levels
    if set(plan.preset.levels) <= set(levels):
        return None
    return replace(plan, preset=replace(plan.preset, levels=levels))


def _lite_option(plan: StudyPlan) -> str:
    return "--preset lite" if plan.preset.name == "sound" else "--levels 0,0.5,1"
