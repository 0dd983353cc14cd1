"""How far people agree: all of a project's independent ratings, phase by phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.data.plain import as_object
from voirdire.detectors.records import LABELS
from voirdire.integrity.taxonomy import Taxonomy, load_taxonomy
from voirdire.raters.agreement.categories import CategoryAgreement, category_agreement
from voirdire.raters.agreement.figures import MIN_GROUPS
from voirdire.raters.agreement.messages import reading
from voirdire.raters.agreement.scales import RESPONSE_SCORES, TURN_SCORES, band_scale, label_scales, turn_scales
from voirdire.raters.agreement.scores import ScoreAgreement, score_agreement
from voirdire.raters.agreement.tables import PHASES, group_of, independent
from voirdire.raters.agreement.violations import FindingAgreement, HolisticGap, finding_agreement, holistic_gaps
from voirdire.raters.agreement.workload import Workload, workload
from voirdire.raters.clustering import hasty
from voirdire.raters.records import Mode, Project, Rating, TaskName
from voirdire.text.counting import counted

SKEWED = 0.9
"""Share of one category from which on kappa and alpha fall far below AC1, however many agree."""


@dataclass(frozen=True, slots=True)
class PhaseAgreement:
    """Agreement in one phase: "live", "calibration" or "practice"."""

    phase: str
    raters: tuple[str, ...]
    items: int
    """With a rating."""
    paired: int
    """With two or more."""
    groups: int
    """That these are of."""
    ratings: int
    categories: tuple[CategoryAgreement, ...] = ()
    scores: tuple[ScoreAgreement, ...] = ()
    findings: FindingAgreement | None = None
    """Of integrity projects."""
    holistic: tuple[HolisticGap, ...] = ()
    """Likewise, by rater."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the people of a project agree."""

    title: str
    task: TaskName
    mode: Mode
    names: dict[str, str]
    """Raters' names by id."""
    phases: tuple[PhaseAgreement, ...]
    """Those with ratings; live ones first."""
    workload: Workload | None
    """Of CogniBench projects."""
    left_out: int
    """Ratings of a third person, which are not independent of the others' disagreement."""
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    """Of raters whose ratings were given in less time than reading takes."""

    @property
    def live(self) -> PhaseAgreement | None:
        """The live phase; `None` without a rating there."""
        return next((each for each in self.phases if each.phase == "live"), None)

    @property
    def reading(self) -> tuple[str, ...]:
        """What can be said of the live phase, in sentences."""
        live = self.live
        return () if live is None else reading(live.categories, live.scores, live.findings)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; `None` for what is undefined, with the reason beside."""
        return {"reading": list(self.reading)} | as_object(self)


def agree(project: Project, taxonomy: Taxonomy | None = None) -> Agreement:
    """Measure how far people agree on the items that two of them rated without sight of each other.

    Args:
        project: of any task.
        taxonomy: of an integrity project; `None` for the packaged one.
    """
    taxonomy = taxonomy or load_taxonomy()
    by_phase = {phase: independent(project, phase) for phase in PHASES}
    phases = tuple(_phase(project, phase, ratings, taxonomy) for phase, ratings in by_phase.items() if ratings)
    live = by_phase["live"]
    return Agreement(
        title=project.settings.title,
        task=project.settings.task,
        mode=project.settings.mode,
        names={rater.id: rater.name for rater in project.raters.values()},
        phases=phases,
        workload=workload(project, live, LABELS) if project.settings.task == "cognibench" else None,
        left_out=len(project.ratings) - sum(map(len, by_phase.values())),
        notes=_notes(phases),
        warnings=tuple(hasty(project)),
    )


def _phase(project: Project, phase: str, ratings: Sequence[Rating], taxonomy: Taxonomy) -> PhaseAgreement:
    counted = Counter(rating.item for rating in ratings)
    twice = [item for item, count in counted.items() if count >= 2]
    task = project.settings.task
    scales = {"cognibench": label_scales(), "integrity": (band_scale(taxonomy),), "ddft": turn_scales()}[task]
    scores = {"cognibench": (), "integrity": RESPONSE_SCORES, "ddft": TURN_SCORES}[task]
    of_responses = task == "integrity"
    return PhaseAgreement(
        phase=phase,
        raters=tuple(rater for rater in project.raters if any(each.rater == rater for each in ratings)),
        items=len(counted),
        paired=len(twice),
        groups=len({group_of(project, item) for item in twice}),
        ratings=len(ratings),
        categories=tuple(category_agreement(project, ratings, scale) for scale in scales),
        scores=tuple(score_agreement(project, ratings, *scale) for scale in scores),
        findings=finding_agreement(project, ratings, taxonomy) if of_responses else None,
        holistic=holistic_gaps(project, ratings) if of_responses else (),
    )


def _notes(phases: Sequence[PhaseAgreement]) -> tuple[str, ...]:
    live = next((each for each in phases if each.phase == "live"), None)
    if live is None:
        return ("There are no live ratings yet.",)
    if not live.paired:
        return (f"None of {counted(live.items, 'live item')} has been rated by two people yet.",)
    notes = []
    if live.groups < MIN_GROUPS:
        notes.append(f"No intervals: they need {MIN_GROUPS} groups, and the items rated twice are of {live.groups}.")
    if live.paired < live.items:
        lone = live.items - live.paired
        tell = "has one rating so far and tells" if lone == 1 else "have one rating so far and tell"
        notes.append(f"{lone:,} of {counted(live.items, 'item')} {tell} nothing.")
    for each in live.categories:
        name, share = max(each.shares.items(), key=lambda pair: pair[1], default=("", 0.0))
        if SKEWED <= share < 1:
            notes.append(
                f"{share:.0%} of ratings say {name!r} ({each.name}): kappa and alpha fall where one category is so "
                "common, however many agree; read AC1 beside them."
            )
    notes.append("Agreement is not accuracy: what all raters get wrong alike looks like truth here.")
    return tuple(notes)
