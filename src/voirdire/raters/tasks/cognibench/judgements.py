"""A labelling run's or a detector's labels: read, compared with people's, and anchored in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

from voirdire.cognibench.formats import iter_answers
from voirdire.cognibench.labelling.records import LabelledAnswer, manifest_of, read_labelled
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.manifests import check_unchanged
from voirdire.data.rows import RowError, is_parquet, parquet_rows, text_lines
from voirdire.detectors.labelling.records import JudgedStatement
from voirdire.detectors.records import LABELS, REQUIREMENTS, Answer, Require, hallucinated, type_of
from voirdire.raters.anchoring.records import Classes, Counted, Estimand
from voirdire.raters.comparison.comparison import ComparisonParts, text_differs_error
from voirdire.raters.comparison.measures import Flagging, flagging
from voirdire.raters.comparison.rated_items import ComparisonData, JudgeKey, Placed
from voirdire.raters.machine_ratings import Machine, Unit, live_items, match_units
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks.base import Judgements, Value
from voirdire.raters.tasks.cognibench.task import TASK, YES_NO, flag_scale
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words
from voirdire.text.smalltalk import SMALL_TALK

Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementMachine(Machine):
    """What a labelling run says, laid beside a project."""

    require: Require
    """What a cognitive statement must be not to be a hallucination."""


def read_statements(project: Project, run: Path, jury: str | None = None) -> StatementMachine:
    """Every statement of the answers that a run has labelled; such a run has no juries.

    Answers whose group stands in the prompt's examples are left out, as in every scoring of the labeller.

    Raises:
        RatersError: nothing is labelled yet.
        RunFolderError, CognibenchError: there is no run, or it is no labelling run.
    """
    manifest, labelled = manifest_of(run), read_labelled(run)
    if not labelled:
        raise RatersError(f"No answer of {run} has been labelled yet; continue the run first.")
    require, model = manifest["plan"]["require"], manifest["model"]
    scored = [each for each in labelled if not each.used_in_prompt]
    units, spans = [], {}
    for unit, span in (pair for each in scored for pair in _units(each, model, require)):
        units.append(unit)
        spans[span] = unit.id
    by_id, unmatched = match_units(project, units, items_at(project, spans))
    left_out = len(labelled) - len(scored)
    return StatementMachine(
        task="cognibench",
        run=run,
        by=model,
        judges=tuple(f"{model}#{sample + 1}" for sample in range(manifest["plan"]["votes"])),
        units=by_id,
        unmatched=unmatched,
        require=require,
        notes=(f"Left out: {counted(left_out, 'answer')} of groups in the prompt's examples.",) if left_out else (),
    )


def items_at(project: Project, units: dict[Span, str]) -> dict[str, str]:
    """Ids of the project's items by the ids of the units that are the same stretch of the same answer.

    Args:
        project: its documents' bodies say where each statement begins and ends.
        units: ids by (answer, start, end).
    """
    result = {}
    for name, item in live_items(project).items():
        document = project.documents[item.document]
        statement = document.body["statements"][item.place]
        answer = str(document.source.get("answer", document.id))
        unit = units.get((answer, statement["start"], statement["end"]))
        if unit is not None:
            result[unit] = name
    return result


def _units(labelled: LabelledAnswer, model: str, require: Any) -> Iterator[tuple[Unit, Span]]:
    answer = labelled.answer
    for place, (statement, judged) in enumerate(zip(answer.statements, labelled.judged, strict=True)):
        label = judged.label
        unit = Unit(
            id=f"{answer.id}#{place}",
            document=answer.id,
            group=answer.group,
            dialogue=answer.dialogue,
            model=answer.model,
            text=statement.text,
            words=statement.words,
            consensus=None if label is None else {"label": label, "hallucinated": hallucinated(label, require)},
            judges=_votes(judged, model),
        )
        yield unit, (answer.id, statement.start, statement.end)


def _votes(judged: JudgedStatement, model: str) -> dict[str, dict[str, Any]]:
    return {
        f"{model}#{sample + 1}": {"vote": vote, "hallucinated": vote == "hallu"}
        for sample, vote in enumerate(judged.votes)
        if vote is not None
    }


_NEEDED: Mapping[str, tuple[type, ...]] = {
    "id": (str, int),
    "sentence": (str,),
    "start": (int,),
    "end": (int,),
    "score": (int, float, NoneType),
    "flagged": (bool,),
}
_EXPECTED = f"a finding with {', '.join(_NEEDED)} is expected, as voirdire detect --out writes"
_MAX_LINE = 20_000_000


def read_detections(project: Project, path: Path) -> Machine:
    """Every statement that a detector has scored.

    The file does not say which context an answer has; the data that the project was made of does.

    Raises:
        RatersError: the file can't be read, or a line is no finding of a detector.
    """
    answers = _answers(project)
    known = {str(each.source.get("answer", each.id)): each.group for each in project.documents.values()}
    units, spans, places = [], {}, dict[str, int]()
    small_talk = 0
    for line in _lines(path):
        name = str(line["id"])
        small_talk += line["score"] is None and line.get("small_talk") is True
        place = places[name] = places.get(name, -1) + 1
        answer = answers.get(name)
        unit = Unit(
            id=f"{name}#{place}",
            document=name,
            group=known.get(name, name) if answer is None else answer.group,
            dialogue=name if answer is None else answer.dialogue,
            model=None if answer is None else answer.model,
            text=line["sentence"],
            words=count_words(line["sentence"]),
            consensus=_value(line),
            judges={},
        )
        units.append(unit)
        spans[name, line["start"], line["end"]] = unit.id
    if not units:
        raise RatersError(f"{path} holds no findings; voirdire detect --out writes such a file.")
    by_id, unmatched = match_units(project, units, items_at(project, spans))
    return Machine(
        task="cognibench",
        run=path,
        by=path.name,
        judges=(),
        units=by_id,
        unmatched=unmatched,
        notes=_unscored(units, small_talk),
        ungrouped=not answers,
    )


def _unscored(units: Sequence[Unit], small_talk: int) -> tuple[str, ...]:
    """What the detector did not score, small talk by itself."""
    others = sum(each.consensus is None for each in units) - small_talk
    parts = []
    if small_talk:
        parts.append(f"{counted(small_talk, 'statement')} of small talk ({SMALL_TALK})")
    if others:
        parts.append(f"{counted(others, 'other statement' if small_talk else 'statement')}")
    if not parts:
        return ()
    return (f"Not scored by the detector, and left out of its shares and of people's: {' and '.join(parts)}.",)


def _value(line: Mapping[str, Any]) -> dict[str, Any] | None:
    if line["score"] is None:
        return None
    return {"label": None, "hallucinated": line["flagged"], "score": float(line["score"])}


def _answers(project: Project) -> dict[str, Answer]:
    """The answers of the project's data, where it still stands where it was."""
    source = Path(project.settings.source) if project.settings.source else None
    return {} if source is None or not source.exists() else {answer.id: answer for answer in iter_answers(source)}


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    check_unchanged(path)
    try:
        if is_parquet(path):
            for number, row in parquet_rows(path):
                yield _check_line({"score": None} | row, f"{path}, row {number}")  # a cell without a value is left out
            return
        for number, text in text_lines(path, _MAX_LINE):
            yield _check_line(_parse_json(text, f"{path}, line {number}"), f"{path}, line {number}")
    except RowError as error:
        raise RatersError(str(error)) from error


def _parse_json(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except JsonError as error:
        raise RatersError(f"{where}: it is no JSON ({error}); {_EXPECTED}.") from None


def _check_line(line: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(line, dict) or not all(
        name in line and _has_type(line[name], kinds) for name, kinds in _NEEDED.items()
    ):
        raise RatersError(f"{where}: {_EXPECTED}.")
    return line


def _has_type(value: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _check_texts(project: Project, machine: Machine, rated: Sequence[str]) -> None:
    answers = {unit.document for unit in machine.units.values()}
    units = machine.by_item
    for name in rated:
        item = project.items[name]
        document = project.documents[item.document]
        answer = str(document.source.get("answer", document.id))
        unit = units.get(name)
        text = str(document.body["statements"][item.place]["text"])
        if unit is None and answer in answers:
            raise RatersError(
                f"Statement {item.place + 1} of the answer {answer!r} stands nowhere in {machine.run} as it was rated: "
                "the text has changed, or was cut into other sentences; compare with a run on the project's own data."
            )
        if unit is not None and unit.text != text:
            raise text_differs_error(f"Statement {item.place + 1} of the answer {answer!r}", machine.run)


def _compare(project: Project, machine: Machine, data: ComparisonData) -> ComparisonParts:
    who = machine.by, True
    scales: list[Placed] = [(flag_scale(require), partial(_flag_number, require)) for require in REQUIREMENTS]
    if any(value["label"] is not None for value in data.by_machine[who].values()):
        flags = {scale.name: number for scale, number in scales}
        scales = [(scale, flags.get(scale.name, scale.number)) for scale in TASK.scales()]
    return {
        "confusions": data.confusions(scales),
        "flags": tuple(row for require in REQUIREMENTS for row in _flags(project, data, who, require)),
        "closeness": tuple(data.category_closeness(scales)),
    }


def _flags(project: Project, data: ComparisonData, who: JudgeKey, require: Require) -> tuple[Flagging, ...]:
    """Flags beside what people hold for hallucinated; statements on which people are at odds are left out."""
    values, scale = data.by_machine[who], flag_scale(require)
    with_category = [(each, category) for each in data.rated if (category := each.category(scale)) is not None]
    if not with_category:
        return ()
    flagged = [_flag(require, values[each.item]) if each.item in values else None for each, _ in with_category]
    return flagging(
        require,
        [category == YES_NO[1] for _, category in with_category],
        flagged,
        [_words(project, each.item) for each, _ in with_category],
        [each.group for each, _ in with_category],
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
    labels = any(_has_label(unit) for unit in machine.units.values())
    estimands = _labels_of(require, labels)
    # A detector never scores small talk; people do label it. Both shares are over what the detector scored.
    return estimands if labels else tuple(replace(each, applies=_has_score) for each in estimands)


def _distributions(machine: Machine) -> tuple[Classes, ...]:
    if any(_has_label(unit) for unit in machine.units.values()):
        return (Classes("label", LABELS, lambda v: v["label"]),)
    return ()


def _has_score(unit: Unit) -> bool:
    return unit.consensus is not None


def _has_label(unit: Unit) -> bool:
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
    faults=True,
    unsettled="the label that more than half of their raters give stands",
    leading=(("label", flag_scale("grounded").name),),
    estimands=estimands_of,
    distributions=_distributions,
    not_anchored={
        "recall, precision, F1": "they hold a detector against people's labels; voirdire rate agreement has them"
    },
)
