"""The responses of an integrity run, as its auditors scored them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from voirdire.integrity.results import Audited, open_audits
from voirdire.integrity.scoring import IntegrityScore
from voirdire.integrity.summary import case_groups
from voirdire.raters.machine._matching import items_of_responses, matched
from voirdire.raters.machine.records import Machine, Unit
from voirdire.raters.records import Project, RatersError

PROVISIONAL = "Only rules have judged this run: they suggest, they never convict."


def read_responses(project: Project, run: Path) -> Machine:
    """Every response that all auditors of a run have audited. Its group is its case: the facts it had to respect.

    Raises:
        RatersError: nothing is audited yet.
        RunFolderError, IntegrityError: there is no run, or it holds no audits of responses.
    """
    taxonomy, audits = open_audits(run)
    audited = list(audits)
    if not audited:
        raise RatersError(f"No response of {run} has been audited yet; go on with the run first.")
    units = [_unit(each, f"case {case}") for each, case in zip(audited, case_groups(audited), strict=True)]
    found, unmatched = matched(project, units, items_of_responses(project))
    auditors = tuple(audit.auditor for audit in audited[0].decision.audits)
    return Machine(
        task="integrity",
        run=run,
        by=", ".join(auditors),
        judges=auditors,
        units=found,
        unmatched=unmatched,
        taxonomy=taxonomy,
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


def _unit(audited: Audited, group: str) -> Unit:
    decision = audited.decision
    return Unit(
        id=audited.item.id,
        document=audited.item.id,
        group=group,
        dialogue=audited.item.id,
        consensus=None if decision.consensus is None else scored_value(decision.consensus),
        judges={name: scored_value(score) for name, score in decision.scores.items()},
    )
