"""How far people agree: all of a project's independent ratings, phase by phase."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.data.json_values import as_object
from voirdire.raters.agreement.findings import FindingAgreement, HolisticGap, finding_agreement, holistic_gaps
from voirdire.raters.agreement.measures import (
    MIN_GROUPS,
    PHASES,
    AgreementFigure,
    Table,
    clustered_figure,
    group_of,
    independent,
    tabulate,
)
from voirdire.raters.agreement.scales import CategoryAgreement, ScoreAgreement, category_agreement, score_agreement
from voirdire.raters.agreement.spans import SpanAgreement, span_agreement
from voirdire.raters.records import Mode, Project, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Scale, Task
from voirdire.raters.timing import hasty
from voirdire.stats.clustered import mean_count, mean_score
from voirdire.stats.nominal import item_agreement
from voirdire.text.counting import counted, formatted, percent

PER = 500
_NONE = "No statement has been rated by two people."


class Workload(NamedTuple):
    """Of a project's live statements that two people or more have rated; adjudicators' questions left out."""

    mode: Mode
    statements: int
    raters_per_statement: float
    """On average."""
    agreement: AgreementFigure
    """Mean over statements of the share of pairs of raters who agree on the class; in [0, 1]."""
    in_the_moment: AgreementFigure
    """Questions per 500 statements that were asked while the statement was being rated."""
    afterwards: AgreementFigure
    """Likewise, once its rating was complete."""
    questions: AgreementFigure
    """Both."""
    asked: tuple[int, int]
    """In the moment and afterwards, in plain numbers."""
    elsewhere: int
    """Questions on something else: no statement, practice, or statements that lack a second rating."""


class Counts(NamedTuple):
    """Statement by statement, shape (statements,) each."""

    groups: NDArray[np.object_]
    agreement: NDArray[np.float64]
    in_the_moment: NDArray[np.float64]
    afterwards: NDArray[np.float64]


def count_statements(project: Project, table: Table) -> Counts:
    """Agreement and questions of every statement that two people have rated."""
    items = [item for item, paired in zip(table.items, table.paired, strict=True) if paired]
    questions = {late: _question_counts(project, items, afterwards=late) for late in (False, True)}
    return Counts(
        table.groups[table.paired], item_agreement(table.values)[table.paired], questions[False], questions[True]
    )


def workload(project: Project, ratings: Sequence[Rating], scale: Scale) -> Workload:
    """A project's figures, from independent, live ratings."""
    table = tabulate(project, ratings, scale.number)
    counts = count_statements(project, table)
    questions = int(counts.in_the_moment.sum()), int(counts.afterwards.sum())
    paired = table.values[table.paired]
    return Workload(
        mode=project.settings.mode,
        statements=len(counts.groups),
        raters_per_statement=float((~np.isnan(paired)).sum(axis=1).mean()) if len(paired) else math.nan,
        agreement=clustered_figure(mean_score(counts.agreement, counts.groups, top=1.0), _NONE),
        in_the_moment=_per_500(counts.in_the_moment, counts),
        afterwards=_per_500(counts.afterwards, counts),
        questions=_per_500(counts.in_the_moment + counts.afterwards, counts),
        asked=questions,
        elsewhere=len(project.questions) - sum(questions),
    )


def _question_counts(project: Project, items: Sequence[str], *, afterwards: bool) -> NDArray[np.float64]:
    place = {item: number for number, item in enumerate(items)}
    counts = np.zeros(len(items))
    for question in project.questions:
        rater = project.raters.get(question.rater)
        if question.item in place and question.afterwards == afterwards and rater and rater.role == "rater":
            counts[place[question.item]] += 1
    return counts


def _per_500(numbers: NDArray[np.float64], counts: Counts) -> AgreementFigure:
    return clustered_figure(mean_count(numbers, counts.groups), _NONE, PER)


SKEWED = 0.9
"""Share of one category from which on kappa and alpha fall far below AC1, however many agree."""
FIRM, TENTATIVE = 0.8, 0.667
"""Krippendorff's rule for alpha (Content Analysis, ch. 11): for firm conclusions, and for tentative ones."""
POOR, MODERATE, GOOD = 0.5, 0.75, 0.9
"""Where ICCs stop being poor, moderate and good (Koo and Li, doi:10.1016/j.jcm.2016.02.012)."""


FEWEST = 3
"""Items rated twice below which no figure of agreement is shown: one item more could turn it round."""


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
    """Of tasks in which raters mark things."""
    holistic: tuple[HolisticGap, ...] = ()
    """Likewise, by rater."""
    spans: SpanAgreement | None = None
    """Of tasks in which raters mark words."""

    @property
    def too_few(self) -> str:
        """That there are too few items for figures; empty where there are enough."""
        if self.paired >= FEWEST:
            return ""
        two = f"{counted(self.paired, 'item has', 'items have')} two ratings" if self.paired else "no item has two"
        return f"Too few to say how far people agree: {two} so far, and figures begin with {FEWEST}."


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the people of a project agree."""

    title: str
    task: str
    mode: Mode
    names: dict[str, str]
    """Raters' names by id."""
    phases: tuple[PhaseAgreement, ...]
    """Those with ratings; live ones first."""
    workload: Workload | None
    """Of tasks that count questions."""
    left_out: int
    """Ratings of a third person, which are not independent of the others' disagreement."""
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    """Of raters whose ratings were given in less time than reading takes."""
    only_flagged: bool = False
    """Whether the items are nothing but sentences that a detector flagged."""

    @property
    def live(self) -> PhaseAgreement | None:
        """The live phase; `None` without a rating there."""
        return next((each for each in self.phases if each.phase == "live"), None)

    @property
    def interpretation(self) -> tuple[str, ...]:
        """What can be said of the live phase, in sentences."""
        live = self.live
        if live is None:
            return ()
        if live.paired and live.too_few:
            return (live.too_few,)
        return (
            *(() if live.spans is None else (_of_spans(live.spans),)),
            *interpretation(live.categories, live.scores, live.findings),
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; `None` for what is undefined, with the reason beside."""
        return {"interpretation": list(self.interpretation)} | as_object(self)


def agree(project: Project) -> Agreement:
    """Measure how far people agree on the items that two of them rated without sight of each other."""
    task = task_of(project.settings)
    by_phase = {phase: independent(project, phase) for phase in PHASES}
    phases = tuple(_phase(project, task, phase, ratings) for phase, ratings in by_phase.items() if ratings)
    live = by_phase["live"]
    return Agreement(
        title=project.settings.title,
        task=project.settings.task,
        mode=project.settings.mode,
        names={rater.id: rater.name for rater in project.raters.values()},
        phases=phases,
        workload=None if task.workload is None else workload(project, live, task.scales()[0]),
        left_out=len(project.ratings) - sum(map(len, by_phase.values())),
        notes=(*_unanswered(task, live), *_notes(phases)),
        warnings=tuple(each.sentence for each in hasty(project)),
        only_flagged=project.settings.only_flagged,
    )


def _phase(project: Project, task: Task, phase: str, ratings: Sequence[Rating]) -> PhaseAgreement:
    counted = Counter(rating.item for rating in ratings)
    twice = [item for item, count in counted.items() if count >= 2]
    scheme, spans = task.findings(), task.spans()
    return PhaseAgreement(
        phase=phase,
        raters=tuple(rater for rater in project.raters if any(each.rater == rater for each in ratings)),
        items=len(counted),
        paired=len(twice),
        groups=len({group_of(project, item) for item in twice}),
        ratings=len(ratings),
        categories=tuple(category_agreement(project, ratings, scale) for scale in task.scales()),
        scores=tuple(score_agreement(project, ratings, scale) for scale in task.scores()),
        findings=None if scheme is None else finding_agreement(project, ratings, scheme),
        holistic=() if scheme is None else holistic_gaps(project, ratings, scheme),
        spans=None if spans is None else span_agreement(project, ratings, spans),
    )


def _unanswered(task: Task, ratings: Sequence[Rating]) -> Iterator[str]:
    """Which items that are rated twice have no two answers, because somebody gave none."""
    rated = Counter(each.item for each in ratings)
    answered = Counter(each.item for each in ratings if not task.no_answer(each.value))
    twice = [item for item, count in rated.items() if count >= 2]
    missing = {item for item in twice if answered[item] < 2}
    why = Counter(word for each in ratings if each.item in missing and (word := task.no_answer(each.value)))
    if missing:
        counts_text = " and ".join(f"{counted(times, 'rating')} {word}" for word, times in sorted(why.items()))
        have = "has" if len(missing) == 1 else "have"
        yield (
            f"{len(missing):,} of the {counted(len(twice), 'item')} rated twice {have} no two answers to compare: "
            f"{counts_text}."
        )


def _notes(phases: Sequence[PhaseAgreement]) -> tuple[str, ...]:
    live = next((each for each in phases if each.phase == "live"), None)
    if live is None:
        return ("There are no live ratings yet.",)
    if not live.paired:
        return (f"None of {counted(live.items, 'live item')} has been rated by two people yet.",)
    notes = []
    if live.paired < live.items:
        lone = live.items - live.paired
        tell = "has one rating so far and tells" if lone == 1 else "have one rating so far and tell"
        notes.append(f"{lone:,} of {counted(live.items, 'item')} {tell} nothing.")
    if live.too_few:
        return tuple(notes)
    if live.groups < MIN_GROUPS:
        notes.insert(0, f"No intervals: they need {MIN_GROUPS} groups, and the items rated twice are of {live.groups}.")
    for each in live.categories:
        name, share = max(each.shares.items(), key=lambda pair: pair[1], default=("", 0.0))
        if SKEWED <= share < 1:
            notes.append(
                f"{percent(share)} of ratings say {name!r} ({each.name}): kappa and alpha fall where one category is "
                "so common, however many agree; read AC1 beside them."
            )
    notes.append("Agreement is not accuracy: what all raters get wrong alike looks like truth here.")
    return tuple(notes)


def interpretation(
    categories: Sequence[CategoryAgreement], scores: Sequence[ScoreAgreement], findings: FindingAgreement | None
) -> tuple[str, ...]:
    """A sentence for the first scale, each score, and the findings.

    Args:
        categories: of one phase; where there are scores, these lead.
        scores: likewise.
        findings: likewise; `None` where the task has none.
    """
    sentences = [_of_score(each) for each in scores] or [_of_category(each) for each in categories[:1]]
    return tuple(sentences if findings is None else [*sentences, _of_findings(findings)])


def with_ends(figure: AgreementFigure, form: str = ".2f") -> str:
    """A figure with its interval: 0.83 (0.76 to 0.89), 83 % (76 to 89 %)."""
    if figure.value is None:
        return "–"
    value = formatted(figure.value, form)
    if figure.low is None or figure.high is None:
        return value
    return f"{value} ({formatted(figure.low, form).removesuffix(' %')} to {formatted(figure.high, form)})"


_NO_CONCLUSION = "without an interval nothing can be concluded"


def _of_category(agreement: CategoryAgreement) -> str:
    if agreement.percent.value is None:
        return f"Of agreement on the {agreement.name} nothing can be said: {_reason_text(agreement.percent)}"
    same = agreement.percent.value * agreement.paired
    whole = math.isclose(same, round(same), abs_tol=1e-9)
    share, items = with_ends(agreement.percent, ".1%"), counted(agreement.paired, "item")
    where = f"{round(same):,} of {items}, {share}" if whole else f"{share} of {items} on average"
    start = f"Two people give the same {agreement.name} to {where}; "
    if agreement.alpha.value is None:
        return f"{start}how much of that is more than chance can't be told: {_reason_text(agreement.alpha)}"
    alpha = agreement.alpha
    if alpha.low is None:
        return f"{start}beyond chance, alpha is {with_ends(alpha)}; {_NO_CONCLUSION}."
    verdict = (
        "enough for firm conclusions"
        if alpha.low >= FIRM
        else "enough for tentative conclusions only"
        if alpha.low >= TENTATIVE
        else "not shown to be enough even for tentative conclusions"
    )
    return (
        f"{start}beyond chance, alpha is {with_ends(alpha)}, {verdict} "
        f"(Krippendorff's rule: {FIRM} and {TENTATIVE}; judged by the lower end)."
    )


def _of_score(agreement: ScoreAgreement) -> str:
    if agreement.icc_2_1.value is None:
        return f"Of agreement on {agreement.name} nothing can be said: {_reason_text(agreement.icc_2_1)}"
    low = agreement.icc_2_1.low
    verdict = _NO_CONCLUSION if low is None else f"{_grade(low)} (Koo and Li; judged by the lower end)"
    gap = agreement.mean_absolute_difference.value
    distance = "an unknown distance" if gap is None else f"{gap:.3g}"
    several = with_ends(agreement.icc_2_k) if agreement.icc_2_k.value is not None else "none that can be told"
    return (
        f"One person's {agreement.name} agrees with another's, over {counted(agreement.paired, 'item')}, at "
        f"{with_ends(agreement.icc_2_1)} where 1 is perfect (ICC(2,1)), {verdict}; two people are {distance} apart on "
        f"average, and the mean of {agreement.k:.3g} agrees at {several}."
    )


def _of_findings(agreement: FindingAgreement) -> str:
    if agreement.positive_agreement.value is None:
        return f"Of agreement on violations nothing can be said: {_reason_text(agreement.positive_agreement)}"
    return (
        f"Of what one person marks, another marks {with_ends(agreement.positive_agreement, '.0%')} too "
        "(the same sentence, fact and family)."
    )


def _of_spans(agreement: SpanAgreement) -> str:
    if agreement.f1.value is None:
        return f"Of agreement on marked words nothing can be said: {_reason_text(agreement.f1)}"
    beyond = "" if agreement.alpha.value is None else f"; character by character, alpha is {with_ends(agreement.alpha)}"
    return (
        f"Of the characters that one person marks, another marks {with_ends(agreement.f1, '.0%')} alike (F1, over "
        f"{counted(agreement.items, 'item')}){beyond}."
    )


def _grade(icc: float) -> str:
    return "poor" if icc < POOR else "moderate" if icc < MODERATE else "good" if icc < GOOD else "excellent"


def _reason_text(figure: AgreementFigure) -> str:
    reason = figure.reason or "it is undefined."
    return reason[0].lower() + reason[1:]
