"""What is compared in each task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypedDict

from voirdire.detectors.records import REQUIREMENTS, Require, hallucinated
from voirdire.integrity.records import Violation
from voirdire.integrity.results import open_audits
from voirdire.raters.agreement.scales import (
    RESPONSE_SCORES,
    TURN_SCORES,
    YES_NO,
    band_scale,
    flag_scale,
    label_scales,
    turn_scales,
)
from voirdire.raters.agreement.tables import Value
from voirdire.raters.comparing._bench import Bench, Placed, Who
from voirdire.raters.comparing.categories import Confusion, Flagging, flagging
from voirdire.raters.comparing.closeness import Closeness
from voirdire.raters.comparing.findings import FindingComparison, compare_findings, finding_closeness
from voirdire.raters.comparing.scores import ScoreComparison
from voirdire.raters.machine import Machine
from voirdire.raters.records import Project, TaskName
from voirdire.text.scripts import count_words


class Compared(TypedDict, total=False):
    """The parts of a comparison that differ from task to task."""

    closeness: tuple[Closeness, ...]
    scores: tuple[ScoreComparison, ...]
    confusions: tuple[Confusion, ...]
    flags: tuple[Flagging, ...]
    findings: tuple[FindingComparison, ...]


def _turns(project: Project, machine: Machine, bench: Bench) -> Compared:
    scales: list[Placed] = [(scale, scale.number) for scale in turn_scales()]
    return {
        "scores": bench.scores(TURN_SCORES),
        "confusions": bench.confusions(scales),
        "closeness": (*bench.score_closeness(TURN_SCORES), *bench.category_closeness(scales)),
    }


def _responses(project: Project, machine: Machine, bench: Bench) -> Compared:
    score = RESPONSE_SCORES[:1]
    if machine.taxonomy is None:
        return {"scores": bench.scores(score), "closeness": tuple(bench.score_closeness(score))}
    taxonomy, audits = open_audits(machine.run)
    found: dict[Who, dict[str, Sequence[Violation]]] = {who: {} for who in bench.said}
    names = {unit.id: item for item, unit in machine.by_item.items()}
    for audited in (each for each in audits if each.item.id in names):
        item, decision = names[audited.item.id], audited.decision
        if (machine.by, True) in found and decision.unscored in (None, "rules_alone"):
            found[machine.by, True][item] = [charge.violation for charge in decision.findings]
        for audit in decision.asked:
            if audit.missing is None and (audit.auditor, False) in found:
                found[audit.auditor, False][item] = audit.violations
    band = band_scale(taxonomy)
    scales: list[Placed] = [(band, band.number)]
    compared = [compare_findings(*who, bench.rated, each, taxonomy) for who, each in found.items()]
    return {
        "scores": bench.scores(score),
        "confusions": bench.confusions(scales),
        "findings": tuple(each for each in compared if each is not None),
        "closeness": (
            *bench.score_closeness(score),
            *bench.category_closeness(scales),
            *(finding_closeness(*who, bench.rated, each, taxonomy) for who, each in found.items()),
        ),
    }


def _statements(project: Project, machine: Machine, bench: Bench) -> Compared:
    who = machine.by, True
    scales: list[Placed] = [(flag_scale(require), partial(_flag_number, require)) for require in REQUIREMENTS]
    if any(value["label"] is not None for value in bench.said[who].values()):
        flags = {scale.name: number for scale, number in scales}
        scales = [(scale, flags.get(scale.name, scale.number)) for scale in label_scales()]
    return {
        "confusions": bench.confusions(scales),
        "flags": tuple(row for require in REQUIREMENTS for row in _flags(project, bench, who, require)),
        "closeness": tuple(bench.category_closeness(scales)),
    }


def _flags(project: Project, bench: Bench, who: Who, require: Require) -> tuple[Flagging, ...]:
    """Flags beside what people hold for hallucinated; statements on which people are at odds are left out."""
    said, scale = bench.said[who], flag_scale(require)
    held = [(each, category) for each in bench.rated if (category := each.category(scale)) is not None]
    if not held:
        return ()
    flagged = [_flag(require, said[each.item]) if each.item in said else None for each, _ in held]
    return flagging(
        require,
        [category == YES_NO[1] for _, category in held],
        flagged,
        [_words(project, each.item) for each, _ in held],
        [each.group for each, _ in held],
    )


def _flag(require: Require, value: Value) -> bool:
    """By the machine's label; a detector that only flags says the same under every requirement."""
    return bool(value["hallucinated"]) if value["label"] is None else hallucinated(value["label"], require)


def _flag_number(require: Require, value: Value) -> float:
    return float(_flag(require, value))


def _words(project: Project, item: str) -> int:
    document = project.documents[project.items[item].document]
    return count_words(str(document.body["statements"][project.items[item].place]["text"]))


BY_TASK: Mapping[TaskName, Callable[[Project, Machine, Bench], Compared]] = {
    "ddft": _turns,
    "cognibench": _statements,
    "integrity": _responses,
}
