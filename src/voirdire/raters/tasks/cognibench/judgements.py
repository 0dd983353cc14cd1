"""A labelling run's or a detector's labels, compared with people's and anchored in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from voirdire.cognibench.labelling import read_labelled
from voirdire.detectors.records import LABELS, REQUIREMENTS, Require, hallucinated, type_of
from voirdire.raters.anchoring.records import Classes, Counted, Estimand
from voirdire.raters.comparing.bench import Bench, Placed, Who
from voirdire.raters.comparing.categories import Flagging, flagging
from voirdire.raters.comparing.comparison import Compared, other_words
from voirdire.raters.machine import Machine, Unit
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks.base import Judgements, Value
from voirdire.raters.tasks.cognibench.machine import StatementMachine, read_detections, read_statements
from voirdire.raters.tasks.cognibench.task import TASK, YES_NO, flag_scale
from voirdire.text.scripts import count_words


def _check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    texts = _sentences(machine.run)
    answers = {unit.document for unit in machine.units.values()}
    units = machine.by_item
    for name in rated:
        item = project.items[name]
        document = project.documents[item.document]
        answer = str(document.source.get("answer", document.id))
        unit = units.get(name)
        shown = str(document.body["statements"][item.place]["text"])
        if unit is None and answer in answers:
            raise RatersError(
                f"Statement {item.place + 1} of the answer {answer!r} stands nowhere in {machine.run} as it was rated: "
                "the text has changed, or was cut into other sentences; compare with a run on the project's own data."
            )
        if unit is not None and texts.get(unit.id) != shown:
            raise other_words(f"Statement {item.place + 1} of the answer {answer!r}", machine.run)


def _sentences(run: Path) -> Mapping[str, str]:
    """Texts by `answer#place`, of a labelling run or of a detector's findings."""
    if run.is_dir():
        answers = [each.answer for each in read_labelled(run)]
        return {
            f"{answer.id}#{place}": statement.text
            for answer in answers
            for place, statement in enumerate(answer.statements)
        }
    found: dict[str, str] = {}
    places: dict[str, int] = {}
    with run.open(encoding="utf-8") as file:
        for line in map(json.loads, filter(str.strip, file)):
            answer = str(line["id"])
            places[answer] = places.get(answer, -1) + 1
            found[f"{answer}#{places[answer]}"] = line["sentence"]
    return found


def _compare(project: Project, machine: Machine, bench: Bench) -> Compared:
    who = machine.by, True
    scales: list[Placed] = [(flag_scale(require), partial(_flag_number, require)) for require in REQUIREMENTS]
    if any(value["label"] is not None for value in bench.said[who].values()):
        flags = {scale.name: number for scale, number in scales}
        scales = [(scale, flags.get(scale.name, scale.number)) for scale in TASK.scales()]
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


def estimands_of(machine: Machine) -> tuple[Estimand, ...]:
    """Shares of statements and words hallucinated; of a labelling run also by type and by label."""
    require = machine.require if isinstance(machine, StatementMachine) else "grounded"
    labels = any(_labelled(unit) for unit in machine.units.values())
    found = _labels_of(require, labels)
    # A detector never scores small talk; people do label it. Both shares are over what the detector scored.
    return found if labels else tuple(replace(each, applies=_scored) for each in found)


def _distributions(machine: Machine) -> tuple[Classes, ...]:
    if any(_labelled(unit) for unit in machine.units.values()):
        return (Classes("label", LABELS, lambda v: v["label"]),)
    return ()


def _scored(unit: Unit) -> bool:
    return unit.consensus is not None


def _labelled(unit: Unit) -> bool:
    return unit.consensus is not None and unit.consensus["label"] is not None


def _labels_of(require: Require, labels: bool) -> tuple[Estimand, ...]:
    def wrong(value: Value) -> bool:
        # A detector flags and gives no label; people give a label and flag nothing.
        label = value["label"]
        return bool(value["hallucinated"]) if label is None else hallucinated(label, require)

    def within(kind: str) -> Callable[[Value, Unit], Counted | None]:
        return lambda v, _: (float(wrong(v)), 1.0) if type_of(v["label"]) == kind else (0.0, 0.0)

    always = (
        Estimand(
            "hallucinated", "the share of statements hallucinated", lambda v, _: (float(wrong(v)), 1.0), binary=True
        ),
        Estimand(
            "hallucinated_words",
            "the share of words in hallucinated statements",
            lambda v, unit: (unit.words * float(wrong(v)), float(unit.words)),
        ),
    )
    if not labels:
        return always
    return (
        *always,
        Estimand("hallucinated_factual", "the share of factual statements hallucinated", within("factual")),
        Estimand("hallucinated_cognitive", "the share of cognitive statements hallucinated", within("cognitive")),
        *(_share_of(label) for label in LABELS),
    )


def _share_of(label: str) -> Estimand:
    return Estimand(
        f"label_{label}",
        f"the share of statements {label}",
        lambda v, _: (float(v["label"] == label), 1.0),
        binary=True,
    )


JUDGEMENTS = Judgements(
    read_run=read_statements,
    read_file=read_detections,
    check_texts=_check_texts,
    compare=_compare,
    each_judge=False,
    unsettled="the label that more than half of their raters give stands",
    leading=(("label", flag_scale("grounded").name),),
    estimands=estimands_of,
    distributions=_distributions,
    not_anchored={
        "recall, precision, F1": "they hold a detector against people's labels; voirdire raters agreement has them"
    },
)
