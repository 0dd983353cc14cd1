"""Responses as the auditors of a run, or the judges of scored trials, scored them: read, compared, anchored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.integrity import IntegrityError
from voirdire.integrity.panel import majority
from voirdire.integrity.records import Violation
from voirdire.integrity.results import AuditedResponse, open_audits
from voirdire.integrity.scoring import IntegrityScore
from voirdire.integrity.summary import case_groups
from voirdire.integrity.taxonomy import Taxonomy
from voirdire.integrity.trial_items import DIMENSION, RUBRIC
from voirdire.integrity.trials import Trial, read_trials
from voirdire.raters.anchoring.records import Estimand
from voirdire.raters.comparison.comparison import ComparisonParts, text_differs_error
from voirdire.raters.comparison.findings import FindingComparer
from voirdire.raters.comparison.rated_items import ComparisonData, JudgeKey, Placed, RatedItem
from voirdire.raters.machine_ratings import Machine, Unit, items_of_responses, match_units
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks.base import Judgements, Value
from voirdire.raters.tasks.integrity.task import TASK, band_scale, marks_of, violations_of

COUNTED = (
    "Violations per response are those that cost points: whatever a response leaves out is charged once, and so "
    "is what a sentence gets twice. voirdire rate agreement counts every finding, each omitted fact by itself."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditMachine(Machine):
    """What a run of audits says, laid beside a project."""

    taxonomy: Taxonomy
    audited: Mapping[str, AuditedResponse]
    """By id of the response."""


PROVISIONAL = "Only rules have judged this run: they suggest, they never convict."


def read_responses(project: Project, run: Path, jury: str | None = None) -> Machine:
    """Every response that all auditors of a run have audited. Its group is its case: the facts it had to respect.

    Such a run has auditors and no juries.

    Raises:
        RatersError: nothing is audited yet.
        RunFolderError, IntegrityError: there is no run, or it holds no audits of responses.
    """
    taxonomy, audits = open_audits(run)
    audited = list(audits)
    if not audited:
        raise RatersError(f"No response of {run} has been audited yet; continue the run first.")
    units = [_unit(each, f"case {case}") for each, case in zip(audited, case_groups(audited), strict=True)]
    by_id, unmatched = match_units(project, units, items_of_responses(project))
    auditors = tuple(audit.auditor for audit in audited[0].decision.audits)
    return AuditMachine(
        task="integrity",
        run=run,
        by=", ".join(auditors),
        judges=auditors,
        units=by_id,
        unmatched=unmatched,
        taxonomy=taxonomy,
        audited={each.item.id: each for each in audited},
        anchoring_notes=(COUNTED,),
        notes=(PROVISIONAL,) if audited[0].provisional else (),
    )


def scored_value(score: IntegrityScore) -> dict[str, Any]:
    """A score in the form of the task's ratings, with the number of severe violations beside."""
    return {
        "score": score.score,
        "band": score.band.name,
        "severe": score.counts["severe"],
        "violations": [
            {
                "type": charge.type.name,
                "sentence": charge.violation.sentence,
                "span": charge.violation.span,
                "fact": charge.violation.fact,
                "severity": charge.type.severity,
                "penalty": charge.penalty,
            }
            for charge in score.charges
            if charge.penalty
        ],
    }


def _unit(audited: AuditedResponse, group: str) -> Unit:
    decision = audited.decision
    return Unit(
        id=audited.item.id,
        document=audited.item.id,
        group=group,
        dialogue=audited.item.id,
        text=audited.item.response,
        consensus=None if decision.consensus is None else scored_value(decision.consensus),
        judges={name: scored_value(score) for name, score in decision.scores.items()},
    )


SCORES_ONLY = "These judges gave scores and listed no violations: only scores are compared."


def read_scored_trials(project: Project, path: Path) -> Machine:
    """Every trial of a file, with each judge's score of epistemic integrity under the Likert rubric.

    The consensus is the mean of the judges whose reply could be parsed, as `integrity.trial_items` has it. Values hold
    a `score` and nothing else.

    Raises:
        RatersError: the file holds no scored trials, or none under that rubric.
    """
    try:
        trials = read_trials(path)
        scores = trials.scores(RUBRIC)[:, :, trials.dimension(DIMENSION)]
    except IntegrityError as error:
        raise RatersError(f"{error} Name a run folder of integrity, or a file of scored trials.") from error
    units = [
        _trial_unit(trial, trials.evaluators, trial_scores)
        for trial, trial_scores in zip(trials.trials, scores, strict=True)
    ]
    by_id, unmatched = match_units(project, units, items_of_responses(project))
    return Machine(
        task="integrity",
        run=path,
        by=", ".join(trials.evaluators),
        judges=trials.evaluators,
        units=by_id,
        unmatched=unmatched,
        notes=(SCORES_ONLY, *_missing(scores)),
    )


def _trial_unit(trial: Trial, judges: tuple[str, ...], scores: NDArray[np.float64]) -> Unit:
    values: dict[str, dict[str, Any]] = {
        judge: {"score": score} for judge, score in zip(judges, scores.tolist(), strict=True) if not math.isnan(score)
    }
    known = [value["score"] for value in values.values()]
    return Unit(
        id=trial.id,
        document=trial.id,
        group=trial.scenario,
        dialogue=trial.id,
        text=trial.response,
        model=trial.model,
        consensus={"score": math.fsum(known) / len(known)} if known else None,
        judges=values,
    )


def _missing(scores: NDArray[np.float64]) -> tuple[str, ...]:
    lacking = int(np.isnan(scores).sum())
    if not lacking:
        return ()
    return (f"Scores missing, as the judges' replies could not be parsed: {lacking:,} of {scores.size:,}.",)


def _check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    units = machine.by_item
    for name in rated:
        unit = units.get(name)
        text = project.documents[project.items[name].document].body["response"]
        if unit is not None and unit.text != text:
            raise text_differs_error(f"The response {unit.id!r}", machine.run)


def _compare(project: Project, machine: Machine, data: ComparisonData) -> ComparisonParts:
    score = TASK.scores()[:1]
    if not isinstance(machine, AuditMachine):
        return {"scores": data.scores(score), "closeness": tuple(data.score_closeness(score))}
    taxonomy = machine.taxonomy
    violations_by: dict[JudgeKey, dict[str, Sequence[Violation]]] = {who: {} for who in data.by_machine}
    for item, unit in machine.by_item.items():
        decision = machine.audited[unit.id].decision
        if (machine.by, True) in violations_by and decision.unscored in (None, "rules_alone"):
            violations_by[machine.by, True][item] = [charge.violation for charge in decision.findings]
        for audit in decision.requested_audits:
            if audit.missing is None and (audit.auditor, False) in violations_by:
                violations_by[audit.auditor, False][item] = audit.violations
    band = band_scale(taxonomy)
    scales: list[Placed] = [(band, band.number)]
    comparers = [
        FindingComparer(
            *(*who, data.rated),
            {item: marks_of(violations, taxonomy) for item, violations in each.items()},
            lambda value: marks_of(violations_of(value, taxonomy), taxonomy),
            lambda rated: marks_of(_agreed(rated, taxonomy), taxonomy),
        )
        for who, each in violations_by.items()
    ]
    return {
        "scores": data.scores(score),
        "confusions": data.confusions(scales),
        "findings": tuple(own for each in comparers if (own := each.comparison()) is not None),
        "closeness": (
            *data.score_closeness(score),
            *data.category_closeness(scales),
            *(each.closeness() for each in comparers),
        ),
    }


def _agreed(rated: RatedItem, taxonomy: Taxonomy) -> list[Violation]:
    """People's violations: the decided ones, else those that more than half of them found."""
    if rated.gold is not None and rated.gold.how != "agreed":
        return violations_of(rated.gold.value, taxonomy)
    return majority([violations_of(value, taxonomy) for value in rated.values.values()], taxonomy)


def estimands_of(machine: Machine) -> tuple[Estimand, ...]:
    """The score; of audits also their violations."""
    score = Estimand("score", "the integrity score", lambda v, _: (float(v["score"]), 1.0), top=100.0)
    return (score, *_violations(machine.taxonomy)) if isinstance(machine, AuditMachine) else (score,)


def _violations(taxonomy: Taxonomy) -> tuple[Estimand, ...]:
    def charged(value: Value) -> list[Value]:
        return [each for each in value["violations"] if each.get("penalty", 1)]

    def severe(value: Value) -> bool:
        return any(taxonomy.type_of(each["type"]).severity == "severe" for each in charged(value))

    return (
        Estimand(
            "severe",
            "the share of responses with a severe violation",
            lambda v, _: (float(severe(v)), 1.0),
            binary=True,
        ),
        Estimand("violations", "violations per response", lambda v, _: (float(len(charged(v))), 1.0), top=None),
    )


JUDGEMENTS = Judgements(
    read_run=read_responses,
    read_file=read_scored_trials,
    check_texts=_check_texts,
    compare=_compare,
    leading=(("score",), ("findings",)),
    estimands=estimands_of,
    distributions=lambda _: (),
    not_anchored={"agreement between auditors": "it is about judges, not about responses"},
)
