"""Whatever holds answers, read as units to be rated: runs, answers with contexts, flagged sentences, results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from voirdire.cognibench.detection_reader import (
    AnswerFile,
    Sentence,
    is_detected,
    marked_within,
    origin_of,
    put_together,
    sentences_of,
)
from voirdire.cognibench.formats import BadEntriesError, read_entries
from voirdire.cognibench.formats.entries import ANSWERS, CONTEXTS, QUESTIONS
from voirdire.cognibench.formats.other_tools import is_of_turns
from voirdire.data.nested_fields import field_at, has_field
from voirdire.data.usual_column_names import USUAL, usual_columns
from voirdire.errors import InputError, a_type, shown
from voirdire.evaluation.formats import FORMATS, inspect_log, long_table, pairs, read_paths
from voirdire.evaluation.unanswered import because_it_failed
from voirdire.jury.worth.tables import CLUSTERS, SHOWN, TEXTS, Columns
from voirdire.raters.records import Document, RatersError
from voirdire.raters.tasks.base import DrawOptions, left_out
from voirdire.reason_codes import Reason

_RUN = "run.json"
_COLUMNS: Mapping[str, Sequence[str]] = {
    **{name: USUAL[name] for name in ("item", "model", "prompt", "reference")},
    "epoch": (),
    "group": CLUSTERS,
    "output": TEXTS,
    "context": SHOWN["context"],
    "whole_answer": ("whole_answer",),
    "output_1": ("output_1", "output_a", "response_1", "response_a", "answer_1", "answer_a", "chosen"),
    "output_2": ("output_2", "output_b", "response_2", "response_b", "answer_2", "answer_b", "rejected"),
    "model_1": ("model_1", "model_a", "generator_1"),
    "model_2": ("model_2", "model_b", "generator_2"),
}
"""What columns of a plain table are usually called, by our name for them."""
_OF_ANSWERS = {
    **{"item": "id", "model": "model", "group": "group"},
    **{"prompt": "question", "output": "answer", "context": "context"},
}
"""What `detect` calls the same; of other columns it knows nothing."""
_FIELDS_OF_ANSWERS = frozenset((*CONTEXTS, *QUESTIONS, *ANSWERS, *"id model group turns messages history".split()))
_ALSO = {
    **{"id": "item", "question": "prompt", "answer": "output"},
    **{"cluster": "group", "model_a": "model_1", "model_b": "model_2", "output_a": "output_1", "output_b": "output_2"},
}
"""Its names and those of `audit`, where they are given to `--map`."""
_OF_RESULTS = ({"model", "output"}, {"output_1", "output_2"}, {"whole_answer", "output"})
"""What columns of results have, or those of sheets of sentences, and files of answers have not."""
_NOT_SHOWN = frozenset(("score", "judge", "winner", "better"))
"""What `audit` takes besides: what was said of the outputs, of which raters must know nothing."""
_METADATA = "metadata."
_OF_METADATA = ("context", "prompt", "reference", "group")
"""What the metadata of a sample of Inspect may hold."""
_VERDICTS = frozenset(("score", "judge"))
"""Of these, what columns of verdicts are called."""


class Flag(NamedTuple):
    """What a detector says of a stretch of the answer."""

    start: int
    end: int
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One output of one model."""

    item: str
    output: str | None
    """`None` where there is none: an error, a limit."""
    prompt: str = ""
    whole: str = ""
    """The answer that the output is a sentence of, which stands in [[ ]] there; empty for a whole one."""
    passages: tuple[str, ...] = ()
    """The context, a text for each passage."""
    history: tuple[tuple[str, str], ...] = ()
    reference: str = ""
    choices: tuple[str, ...] = ()
    model: str | None = None
    epoch: int | None = None
    group: str | None = None
    flags: tuple[Flag, ...] = ()
    other: str | None = None
    """The output that this one was compared with."""
    other_model: str | None = None

    @property
    def name(self) -> str:
        """For the organiser."""
        return f"{self.item} of {self.model}" if self.model else self.item


class Units(NamedTuple):
    """What a path holds."""

    units: list[Unit]
    left_out: tuple[Reason, ...] = ()
    """What can't be a unit."""
    columns: tuple[str, ...] = ()
    """Of a table, those that were read."""
    unread: tuple[str, ...] = ()
    """Of a table, the others."""
    are_numbered: bool = False
    """Whether they have the numbers of their lines for names, since no column names them."""


def read_units(path: Path, options: DrawOptions) -> Units:
    """The units of a path, lines ended by line feeds alone, as a page has them.

    Args:
        path: a run, what `detect` reads or writes, whatever `audit` reads, or a table.
        options: the columns of a table, and the answers that flagged sentences are of.

    Raises:
        RatersError: nothing there can be read, a column is missing, or columns are named of what is no table.
    """
    try:
        read = _read(path, options)
    except RatersError:
        raise
    except BadEntriesError as error:
        raise RatersError(error.with_names) from error
    except InputError as error:
        raise RatersError(str(error)) from error
    return read._replace(units=[_with_line_feeds(unit) for unit in read.units])


def _read(path: Path, options: DrawOptions) -> Units:
    if (path / _RUN).is_file():
        _refuse_columns(path, options, "a run")
        return _of_run(path)
    if path.is_dir():
        _refuse_columns(path, options, "a folder")
        return Units(list(_of_evaluations(path)))
    known = _format_of(path)
    if known == inspect_log.NAME and options.columns:
        return Units(list(_with_metadata(path, options.columns)), columns=tuple(options.columns.values()))
    if known and not (options.columns and known == pairs.NAME):  # with columns named, it is a table like any other
        _refuse_columns(path, options, f"in the format {known}")
        return Units(list(_of_evaluations(path)))
    if is_detected(path):
        _refuse_columns(path, options, "what voirdire detect -o wrote")
        return _of_detected(path, options.answers, only_flagged=options.only_flagged)
    fields = next((entry.fields for entry in read_entries(path)), {})
    if _is_of_answers(fields, options.columns):
        answers = AnswerFile(path, {_OF_ANSWERS[own]: name for own, name in options.columns.items()})
        empty: list[str] = []
        units = list(_of_answers(answers, empty.append))
        columns = _columns_of_answers(fields, options.columns)
        return Units(units, left_out("no_answer", empty), columns, _unread(fields, columns))
    return _of_table(path, options.columns)


def _format_of(path: Path) -> str:
    """The format of results of an evaluation; "" for a table of scores, and for what is none."""
    return next((each.name for each in FORMATS if each is not long_table.FORMAT and each.sniff(path)), "")


def _refuse_columns(path: Path, options: DrawOptions, what: str) -> None:
    if options.columns:
        raise RatersError(
            f"--map names the columns of one table, and {path} is {what}: leave out --map, or give --from a table."
        )


# --- a run ---


def _of_run(path: Path) -> Units:
    """The documents that the run's own task would have rated."""
    from voirdire.raters.tasks import task_of_run

    made = task_of_run(path).make(path, DrawOptions())
    return Units([_of_document(each) for each in made.documents], made.left_out)


def _of_document(document: Document) -> Unit:
    body = document.body
    facts = "\n".join(f"{fact['id']}: {fact['text']}" for fact in body.get("facts", ()))
    output = body.get("answer") or body.get("response") or None
    context = "" if "response" in body else body.get("context", "")
    return Unit(
        item=document.id,
        output=output,
        prompt=body.get("question") or (body.get("context", "") if "response" in body else ""),
        passages=(context,) if context else (),
        history=tuple((user, answer) for user, answer in body.get("history", ())),
        reference=body.get("reference") or facts,
        model=document.source.get("model"),
        group=document.group,
    )


# --- answers with their contexts ---


def _is_of_answers(fields: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    """Whether an entry is one that `detect` reads; with columns named, one whose context is more than a text."""
    if columns:
        context = _value(fields, columns.get("context", ""))
        return isinstance(context, list | Mapping) and columns.keys() <= _OF_ANSWERS.keys()
    if _is_of_results(fields):
        return False
    return any(fields.get(name) for name in CONTEXTS) or "turns" in fields or "messages" in fields


def _columns_of_answers(fields: Mapping[str, Any], columns: Mapping[str, str]) -> tuple[str, ...]:
    """The fields that are read of an entry, as it calls them; raters see nothing of others, such as a verdict."""
    named = set(columns.values())
    return tuple(name for name in fields if name in named or name.lower() in _FIELDS_OF_ANSWERS)


def _is_of_results(fields: Mapping[str, Any]) -> bool:
    """Whether a row whose context is a text names an item, and whose output it has, or two, or which sentence of what.

    So do results, and sheets of sentences.
    """
    names = usual_columns(list(fields), _COLUMNS)
    context, item = fields.get(names.get("context", "")), fields.get(names.get("item", ""))
    whose = any(each <= names.keys() for each in _OF_RESULTS)
    return whose and isinstance(context, str) and isinstance(item, str | int)


def _of_answers(file: AnswerFile, unanswered: Callable[[str], None] | None = None) -> Iterator[Unit]:
    """The answers; rows with an empty one are refused, unless somebody wants to be told of each."""
    for answer, passages in file.answers(unanswered):
        yield Unit(
            item=answer.id,
            output=answer.text,
            prompt=answer.question,
            passages=tuple(each for each in passages if each.strip()),
            history=tuple(answer.history),
            model=answer.model,
            group=answer.group,
        )


# --- flagged sentences ---


def _of_detected(path: Path, answers: Path | None, *, only_flagged: bool) -> Units:
    """The answers that sentences were flagged in, from the file that they come from; else put together again.

    Or only the flagged sentences, each within its answer.
    """
    source = origin_of(path, answers)
    known = {} if source is None else {unit.item: unit for unit in _of_answers(source)}
    sentences_by_answer = sentences_of(path)
    units: list[Unit] = []
    not_flagged: list[str] = []
    for name, sentences in sentences_by_answer.items():
        unit = known.get(name) or Unit(item=name, output=put_together(sentences))
        if any((unit.output or "")[each["start"] : each["end"]] != each["sentence"] for each in sentences):
            where = path if source is None else source.path
            raise RatersError(f"The answer {shown(name)} has another text in {where} than in {path}: run detect again.")
        if only_flagged:
            units.extend(_flagged_sentences(unit, sentences))
            not_flagged.extend(f"{name}#{place}" for place, each in enumerate(sentences) if not each["flagged"])
        else:
            flags = (Flag(each["start"], each["end"], _why(each)) for each in sentences if each["flagged"])
            units.append(replace(unit, flags=tuple(flags)))
    silent = [unit.name for name, unit in known.items() if name not in sentences_by_answer]
    return Units(units, (*left_out("no_sentence", silent), *left_out("not_flagged", not_flagged)))


def _flagged_sentences(answer: Unit, sentences: Sequence[Sentence]) -> Iterator[Unit]:
    """The flagged sentences of an answer, named by it and their place, as `jury worth` names them: "a#0"."""
    for place, each in enumerate(sentences):
        if each["flagged"]:
            yield replace(
                answer,
                item=f"{answer.item}#{place}",
                output=each["sentence"],
                whole=marked_within(answer.output or "", each) if len(sentences) > 1 else "",
                group=answer.group or answer.item,
                flags=(Flag(0, len(each["sentence"]), _why(each)),),
            )


def _why(sentence: Sentence) -> str:
    return "; ".join(sentence["reasons"] or ()) or "flagged"


# --- results of evaluations ---


def _of_evaluations(path: Path) -> Iterator[Unit]:
    """Each output once, whatever scored it.

    Raises:
        RatersError: several evaluations have other outputs under the same names of items, or none has any output.
    """
    seen: set[tuple[Any, ...]] = set()
    evaluation_of: dict[tuple[Any, ...], str] = {}
    wanted = ("item", "model", "epoch", "prompt", "output", "reference", "choices", "cluster", "baseline")
    evaluations = read_paths([path]).evaluations
    if not any(evaluation.has("output") for evaluation in evaluations):
        raise RatersError(f"{path} has no sample with an answer{because_it_failed(evaluations[0])}")
    for evaluation in evaluations:
        for row in evaluation.rows[[*wanted, "baseline_output"]].astype(object).to_dict("records"):
            cells = {str(name): None if _is_missing(value) else value for name, value in row.items()}
            epoch = None if cells["epoch"] is None else int(cells["epoch"])
            key = (cells["item"], cells["model"], epoch, cells["output"], cells["baseline"])
            if key in seen:
                continue
            seen.add(key)
            other = evaluation_of.setdefault((cells["item"], cells["model"], epoch, cells["baseline"]), evaluation.name)
            if other != evaluation.name:
                raise RatersError(
                    f"{path} holds evaluations that call different items alike, such as {shown(str(cells['item']))} of "
                    f"{other} and of {evaluation.name}: name the file of one."
                )
            yield Unit(
                item=str(cells["item"]),
                output=cells["output"] or None,
                prompt=cells["prompt"] or "",
                reference=cells["reference"] or "",
                choices=cells["choices"] or (),
                model=cells["model"],
                epoch=epoch,
                group=cells["cluster"],
                other=cells["baseline_output"],
                other_model=cells["baseline"],
            )


def _with_metadata(path: Path, columns: Mapping[str, str]) -> Iterator[Unit]:
    """The outputs of a log of Inspect, with fields of their samples' metadata in the place of what the log has.

    Raises:
        RatersError: something else is to be read from there, or no sample has such a field.
    """
    if any(own not in _OF_METADATA or not name.startswith(_METADATA) for own, name in columns.items()):
        raise RatersError(
            f"{path} is a log of Inspect: --map takes {', '.join(_OF_METADATA)} from its samples' metadata, such as "
            "--map context=metadata.FIELD."
        )
    metadata = inspect_log.metadata_of(path)
    for name in (name.removeprefix(_METADATA) for name in columns.values()):
        if not any(has_field(each, name) for each in metadata.values()):
            known = dict.fromkeys(str(each) for fields in metadata.values() for each in fields)
            raise RatersError(f"No sample of {path} has {_METADATA}{name}; their metadata has {', '.join(known)}.")
    for unit in _of_evaluations(path):
        fields = metadata.get((unit.item, unit.epoch), {})
        given = {own: _value(fields, name.removeprefix(_METADATA)) for own, name in columns.items()}
        where = f"{path}, sample {unit.item}, metadata"
        passages = given.pop("context", None)
        several = passages if isinstance(passages, list) else [passages]
        texts = {own: _text(value, where) for own, value in given.items()}
        yield replace(
            unit,
            passages=tuple(filter(None, (_text(each, where) for each in several))),
            prompt=texts.get("prompt") or unit.prompt,
            reference=texts.get("reference") or unit.reference,
            group=texts.get("group") or unit.group,
        )


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and bool(np.isnan(value)))


# --- a table ---


def _of_table(path: Path, columns: Mapping[str, str]) -> Units:
    """Each output once, however many judges scored it."""
    names: dict[str, str] | None = None
    unread: tuple[str, ...] = ()
    units: dict[Unit, None] = {}
    for number, entry in enumerate(read_entries(path), start=1):
        if entry.fault is not None:
            raise RatersError(f"{entry.where}: {entry.fault}.")
        if names is None:
            names = _names(path, entry.fields, columns)
            unread = _unread(entry.fields, names.values())
        outputs = [name for own, name in names.items() if own.startswith("output")]
        if (turns := next((each for each in outputs if is_of_turns(_value(entry.fields, each))), None)) is not None:
            raise RatersError(
                f"{entry.where}, {turns}: one answer is expected, not the turns of a chat; to have each turn rated, "
                "call the field turns and leave out --map."
            )
        cells = {own: _text(_value(entry.fields, name), f"{entry.where}, {name}") for own, name in names.items()}
        units[_of_cells(cells, number, entry.where)] = None
    read = {} if names is None else names
    return Units(list(units), columns=tuple(read.values()), unread=unread, are_numbered="item" not in read)


def _unread(fields: Mapping[str, Any], read: Collection[str]) -> tuple[str, ...]:
    """The fields that hold something and are not read."""
    return tuple(str(name) for name, value in fields.items() if name not in read and value not in (None, ""))


def _of_cells(cells: Mapping[str, str], number: int, where: str) -> Unit:
    pair = "output_2" in cells
    return Unit(
        item=cells.get("item") or str(number),
        output=cells.get("output_1" if pair else "output") or None,
        prompt=cells.get("prompt", ""),
        whole=cells.get("whole_answer", ""),
        passages=(cells["context"],) if cells.get("context") else (),
        reference=cells.get("reference", ""),
        model=cells.get("model_1" if pair else "model") or None,
        epoch=_epoch(cells.get("epoch"), where),
        group=cells.get("group") or None,
        other=cells["output_2"] if pair else None,
        other_model=cells.get("model_2") or None,
    )


def column_of_pairs(path: Path, columns: Mapping[str, str]) -> str | None:
    """The column of a table in which most values come with answers of two models; `None` where there is none."""
    if path.is_dir() or is_detected(path) or _format_of(path):
        return None
    models: dict[str, dict[Any, set[Any]]] = {}
    for entry in read_entries(path):
        names = usual_columns(list(entry.fields), _COLUMNS, columns)
        model, output = names.get("model", ""), names.get("output", "")
        for name, value in entry.fields.items():
            if isinstance(value, str | int) and value != "" and name not in (model, output):
                models.setdefault(name, {}).setdefault(value, set()).add(_value(entry.fields, model))
    pairs = {name: sum(len(each) > 1 for each in values.values()) for name, values in models.items()}
    best = max(pairs, key=lambda name: pairs[name], default=None)
    return best if best is not None and pairs[best] else None


def _names(path: Path, fields: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, str]:
    """Which column holds what: as it is named, else by its usual names."""
    lacking = [name for name in columns.values() if not has_field(fields, name)]
    if lacking:
        raise RatersError(f"{path} has no column {shown(lacking[0])}; it has {', '.join(map(str, fields))}.")
    names = usual_columns(list(fields), _COLUMNS, columns)
    if "output_1" in names and "output_2" in names:
        return names
    if "output" not in names:
        raise RatersError(
            f"{path} has no column of answers ({', '.join(_COLUMNS['output'])}); name it: --map output=COLUMN. "
            f"It has {', '.join(map(str, fields))}."
        )
    return {own: name for own, name in names.items() if own not in ("output_1", "output_2")}


def columns_with_map(text: str | None, columns: Columns) -> Columns:
    """The columns of verdicts, those too that `--map` names in the words of `parse_columns`.

    Raises:
        RatersError: as for `parse_columns`; or a column is named twice.
    """
    if text is None:
        return columns
    named = parse_columns(text, verdicts=True)
    score = named.get("score")
    for option, ours, given in (
        ("--item-column", "item", columns.item),
        ("--model-column", "model", columns.model),
        ("--cluster-column", "group", columns.cluster),
        ("--score-column", "score", columns.scores),
    ):
        if given and ours in named:
            raise RatersError(f"{option} and --map both name the column of {ours}: give one of them.")
    return replace(
        columns,
        item=columns.item or named.get("item"),
        model=columns.model or named.get("model"),
        cluster=columns.cluster or named.get("group"),
        judge=named.get("judge"),
        epoch=named.get("epoch"),
        text=named.get("output"),
        scores=columns.scores if score is None else (score,),
    )


def parse_columns(text: str, *, verdicts: bool = False) -> dict[str, str]:
    """The columns that `--map output=reply,prompt=question` gives, or `answer=bot.reply` as for `detect`.

    What `audit` takes may be given too: of that, columns which raters must not see are left out.

    Args:
        text: of the option.
        verdicts: whether the columns of verdicts and judges are wanted too.

    Raises:
        RatersError: a part is no WHAT=COLUMN.
    """
    columns: dict[str, str] = {}
    for part in text.split(","):
        given, equals, name = (each.strip() for each in part.partition("="))
        own = _ALSO.get(given, given)
        if not equals or not name or own not in (*_COLUMNS, *_NOT_SHOWN):
            raise RatersError(
                f"--map: {shown(part)} is not WHAT=COLUMN: first one of {', '.join(_COLUMNS)}, then your column."
            )
        if own not in _NOT_SHOWN or (verdicts and own in _VERDICTS):
            columns[own] = name
    return columns


def _epoch(text: str | None, where: str) -> int | None:
    try:
        return int(float(text)) if text else None
    except (ValueError, OverflowError):
        raise RatersError(f"{where}: {shown(text)} is no whole number, as a number of repetitions is.") from None


def _value(fields: Mapping[str, Any], name: str) -> Any:
    return field_at(fields, name) if has_field(fields, name) else None


def _text(value: Any, where: str) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool | int | float):
        return str(value)
    raise RatersError(f"{where}: a text is expected, not {a_type(value)}.")


def _with_line_feeds(unit: Unit) -> Unit:
    """A unit as a page shows it: there, a carriage return would change where words stand."""
    text = unit.output or ""
    if "\r" not in "".join((text, unit.prompt, unit.whole, unit.reference, unit.other or "", *unit.passages)):
        return unit

    def place(number: int) -> int:
        return len(_plain(text[:number]))

    return replace(
        unit,
        output=None if unit.output is None else _plain(text),
        prompt=_plain(unit.prompt),
        whole=_plain(unit.whole),
        reference=_plain(unit.reference),
        passages=tuple(map(_plain, unit.passages)),
        other=None if unit.other is None else _plain(unit.other),
        flags=tuple(Flag(place(flag.start), place(flag.end), flag.says) for flag in unit.flags),
    )


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
