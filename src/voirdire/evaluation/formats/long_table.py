"""Any long table: a row for each item, model, judge and epoch. CSV, JSON or Parquet; columns named or guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from voirdire.data.json_text import JsonError, parse_items
from voirdire.data.json_values import as_plain
from voirdire.data.rows import is_parquet, is_table, name_of, parquet_rows, separator_of, table_rows
from voirdire.errors import InputError, shown
from voirdire.evaluation.formats.columns import (
    AMBIGUOUS,
    EACH,
    EMPTY,
    SETTINGS,
    Mapped,
    columns_named,
    guess,
    known_of,
    lower_by_name,
)
from voirdire.evaluation.formats.judge_columns import by_judge, pattern_of
from voirdire.evaluation.formats.reader import Format, FormatError, as_text, head_of, json_lines, read_json, source_of
from voirdire.evaluation.formats.table_items import item_rows
from voirdire.evaluation.records import Evaluation, Floats, RowStatus
from voirdire.evaluation.table import Rows, status_column
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import listed
from voirdire.text.shortening import beginning

if TYPE_CHECKING:
    import pandas as pd

NAME = "long-table"
LONGEST = 10_000_000
"""Characters of a line or a cell."""
_TRUE, _FALSE = ("true", "yes", "correct", "pass", "passed"), ("false", "no", "incorrect", "fail", "failed")
_MANY_MODELS = 10
"""So many times as many models as items hardly anybody evaluates."""
_SHOWN = 40
"""Characters of a score that is no number."""
_CONTEXT = "context"
_CONTEXTS = frozenset(("documents", "source_documents", "source_nodes", "passages"))
_FLAGS = frozenset(("id", "turn", "sentence", "start", "end", "flagged"))
"""What every row of `voirdire detect -o` has, whose scores are high where a sentence is bad."""
_LINES = (".jsonl", ".ndjson")
_LIST = ".json"
_FIRST = 2**20
"""Bytes of a JSON list in which its first record must stand to be seen."""
_MOST_COLUMNS = 12
_ASKED = {"item": "items", "model": "models", "score": "scores"}
"""What is asked for where it is not known."""


def refuse_unknown(paths: Sequence[Path], columns: Iterable[str]) -> None:
    """Make sure that each of these columns is in one of the tables, if there are any.

    Raises:
        FormatError: no table has it.
    """
    tables = [path for path in paths if is_long(path)]
    for theirs in columns:
        if tables and not any(_has(path, theirs) for path in tables):
            there = sorted({name for path in tables for name in names_of(path)})
            if not there:
                raise FormatError(fault_of(tables[0]))
            where = f"{tables[0]} has no column {shown(theirs)}; it has"
            if len(tables) > 1:
                where = f"The {len(tables)} tables have no column {shown(theirs)}; they have"
            raise FormatError(f"{where} {', '.join(there[:_MOST_COLUMNS])}.")


def _has(path: Path, column: str) -> bool:
    try:
        return any(column in row for _, row in rows_of(path))
    except InputError:
        return False


def is_named(path: Path) -> bool:
    """Whether it is a table with a column that the user has named."""
    named = set(columns_named().columns.values())
    return bool(named) and is_long(path) and bool(named & set(names_of(path)))


def sniff(path: Path) -> bool:
    """A table whose columns are named or have usual names, or one of flagged sentences, which `read` refuses."""
    return is_named(path) or (is_long(path) and (guess(names_of(path)) is not None or _has_flags(path)))


def fault_of(path: Path) -> str:
    """Why nothing can be read of a table that `sniff` does not know, and what to do."""
    advice = (
        " It needs a row for each item and model; where each model has a column of its own, make them rows first "
        "(pandas: melt); where two models were compared, --map model_a=COLUMN,model_b=COLUMN,winner=COLUMN."
    )
    names = names_of(path)
    return unreadable(path) or fault_of_columns(path) + (advice if names and "model" not in known_of(names) else "")


def fault_of_columns(path: Path) -> str:
    """What a table that can be read lacks: one sentence."""
    names = names_of(path)
    if not names and _is_list(path):
        return f"{path} is a JSON list without records; one record for each item and model is expected."
    if not names:
        header = _header(path)
        there = f"has a header ({_few(header)}) and no rows" if header else "is empty"
        return f"{path} {there}; a row for each item and model is expected."
    known = known_of(names, columns_named().columns)
    wanted = [each for each in _ASKED if each not in known]
    taken = ", ".join(f"{ours}={known[ours]}" for ours in _ASKED if ours in known)
    beside = f" (known: {taken})" if taken else ""
    of_judges = pattern_of(names) if "score" in wanted else None
    return (
        f"{path} has the columns {_few(names)}; say which of them {'holds' if len(wanted) == 1 else 'hold'} "
        f"{listed([_ASKED[each] for each in wanted])}{beside}: --map {','.join(f'{each}=COLUMN' for each in wanted)}."
        + (f" If each judge has a column of scores: --map 'score={of_judges}'." if of_judges else "")
    )


def unreadable(path: Path) -> str:
    """Why a table can't be read at all: its text, or its first row; nothing where it can, or is empty."""
    if not _start(head_of(path)):
        return ""
    try:
        next(iter(rows_of(path)), None)
    except InputError as error:
        return str(error)
    return ""


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_COLUMNS} more" if len(names) > _MOST_COLUMNS else ""
    return f"{', '.join(names[:_MOST_COLUMNS])}{more}"


def _header(path: Path) -> list[str]:
    """The first line of CSV, as columns."""
    first = head_of(path).decode("utf-8-sig", "replace").partition("\n")[0].strip()
    return [each.strip() for each in first.split(separator_of(first))] if first and is_table(path) else []


def has_contexts(path: Path) -> bool:
    """Whether a table has a column of contexts, as files of answers that are to be checked have."""
    return _CONTEXT in {name.lower() for name in names_of(path)}


def may_have_contexts(path: Path) -> bool:
    """The same, whatever that column is called."""
    names = {name.lower() for name in names_of(path)}
    return bool(names & _CONTEXTS) or any(_CONTEXT in name for name in names)


def read(path: Path) -> Sequence[Evaluation]:
    """One evaluation, by named or guessed columns; a note says which.

    Raises:
        FormatError: the table can't be read, or holds the sentences that `voirdire detect -o` has written.
    """
    if _has_flags(path):
        raise FormatError(
            f"{path} holds the sentences that voirdire detect has flagged, whose scores are high where they are bad: "
            "use voirdire detect FILE --max-flagged 5% in CI, or voirdire report ANSWERS for a page."
        )
    mapped = columns_named()
    named = mapped.columns if is_named(path) else {}  # of several tables, one may have other columns
    columns = guess(names_of(path), named)
    if columns is None:
        raise FormatError(f"{path}: name its columns of items and scores: --map item=COLUMN,score=COLUMN")
    comma = is_table(path) and separator_of(_first_line(path)) != ","
    result = _evaluation(rows_of(path), mapped._replace(columns=columns), _Table(path.stem, str(path), comma))
    return [replace(result, files=(source_of(path),))]


FORMAT = Format(NAME, sniff, read)


def _has_flags(path: Path) -> bool:
    return set(names_of(path)) >= _FLAGS


def is_long(path: Path) -> bool:
    """Whether a file may be a long table, by the end of its name and its first sign."""
    return path.is_file() and (is_parquet(path) or is_table(path) or path.suffix.lower() in _LINES or _is_list(path))


def _is_list(path: Path) -> bool:
    return path.suffix.lower() in (_LIST, *_LINES) and _start(head_of(path)).startswith("[")


def _start(head: bytes) -> str:
    return head.decode("utf-8-sig", "replace").lstrip()


def _first_line(path: Path) -> str:
    return head_of(path).decode("utf-8-sig", "replace").partition("\n")[0]


def names_of(path: Path) -> list[str]:
    """Names of the first row's columns; none where it can't be read."""
    try:
        first = _first_of_list(path) if _is_list(path) else next((row for _, row in _rows_of(path)), None)
    except InputError:
        return []
    return _names(first) if isinstance(first, Mapping) else []


def _names(row: Mapping[str, Any]) -> list[str]:
    return [str(name) for _, each in islice(by_judge([(1, row)]), 1) for name in each]


def _first_of_list(path: Path) -> Any:
    """The first record of a JSON list, of which no more is read, unless it is longer or has NaN (as Python does)."""
    with path.open("rb") as file:
        start = file.read(_FIRST).decode("utf-8-sig", "replace")
    try:
        return next(parse_items(start), None)
    except JsonError:
        return next((row for _, row in _rows_of(path)), None)


def rows_of(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a table with their numbers; one for each judge where each has a column.

    Raises:
        InputError: it can't be read.
    """
    yield from by_judge(_rows_of(path))


def _rows_of(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if is_parquet(path):
        yield from parquet_rows(path)
    elif is_table(path):
        for number, cells in table_rows(path, LONGEST):
            if isinstance(cells, str):
                raise FormatError(f"{path}, row {number}: {cells}.")
            yield number, cells
    elif _is_list(path):
        for number, record in enumerate(read_json(path)[0], start=1):
            if not isinstance(record, dict):
                raise FormatError(f"{path}, record {number}: an object is expected.")
            yield number, record
    else:
        yield from json_lines(path)


def read_frame(frame: pd.DataFrame) -> Evaluation:
    """The evaluation that a table in memory holds; its columns are named, or guessed.

    Raises:
        FormatError: it has no rows, or no column of items or of scores.
    """
    names = [str(name) for name in frame.columns]
    mapped = columns_named()
    columns = guess(_names(dict.fromkeys(names)), mapped.columns)
    if not names:
        raise FormatError("The table has no columns; one of items and one of scores are expected.")
    if columns is None:
        raise FormatError(
            f"The table's columns are {_few(names)}: name those of items and scores, "
            'map={"item": COLUMN, "score": COLUMN}.'
        )
    for what, are_files in (("judge", mapped.judges_are_files), ("model", mapped.models_are_files)):
        if are_files:
            raise FormatError(f"The table is no file: name its column of {what}s, or leave out {what}.")
    if frame.empty:
        raise FormatError("The table has no rows.")
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    rows = ((number, dict(zip(names, map(_cell, row), strict=True))) for number, row in enumerate(cells, start=1))
    return _evaluation(by_judge(rows), mapped._replace(columns=columns), _Table("table", "The table"))


def _cell(value: Any) -> Any:
    """A cell of a table in memory as JSON would have it: a date is a text."""
    known = as_plain(value)
    return known if known is None or isinstance(known, str | int | float | list | dict) else str(known)


class _Table(NamedTuple):
    """What is known of a table but its rows."""

    name: str
    where: str
    """Begins the sentences that say what is wrong."""
    comma: bool = False
    """Whether a comma surely stands for a decimal point: nothing is parted by commas."""


def _evaluation(rows: Iterable[tuple[int, Mapping[str, Any]]], mapped: Mapped, of: _Table) -> Evaluation:
    """What rows with their numbers hold."""
    table, beside, scored, numbers = Rows(), _ExtraColumns(mapped.columns), list[Any](), set[int]()
    for number, entry in rows:
        numbers.add(number)
        cells = {ours: entry.get(theirs) for ours, theirs in mapped.columns.items()}
        item = _name(cells.pop("item"), of.where, number)
        if item is None:
            raise FormatError(f"{of.where}, row {number}: the column {mapped.columns['item']} has no item.")
        scored.append(cells.pop("score"))
        numbered = {ours: _number(cells.pop(ours, None)) for ours in ("epoch", "attempts")}
        names = {ours: _name(cells.pop(ours, None), of.where, number) for ours in ("model", "judge", "cluster")}
        texts = {ours: as_text(value) for ours, value in cells.items()}
        known = {**texts, **names, "model": names["model"] or of.name, **numbered}
        table.add({**known, "item": item})
        beside.add(entry, str(known["model"]))
    lacking = [theirs for theirs in mapped.columns.values() if theirs not in beside.seen]
    if lacking:
        raise FormatError(f"{of.where} has no column {shown(lacking[0])}; it has {_few(sorted(beside.seen))}.")
    values, statuses, notes = _scores(scored, comma=of.comma)
    metric = mapped.columns["score"]
    lower, direction = _direction(metric, mapped)
    frame = table.frame().assign(score=values, status=status_column(statuses))
    columns = dict(mapped.columns)
    if (answers := beside.answers(frame, columns)) is not None:
        columns[answers.ours] = answers.theirs
        frame = frame.assign(**{answers.ours: answers.texts})
    items = item_rows(frame, columns)
    there = items.frame["score"].dropna()
    return Evaluation(
        name=of.name,
        format=NAME,
        metric=metric,
        rows=items.frame,
        printed=items.printed,
        bounds=(0.0, 1.0) if there.size and there.min() >= 0 and there.max() <= 1 else None,
        higher_is_better=not lower,
        settings=beside.settings(),
        notes=(
            reason("evaluation_columns", columns=tuple(f"{ours}={theirs}" for ours, theirs in columns.items())),
            *beside.unused(columns),
            *direction,
            *notes,
            *_unrated(frame, mapped, len(numbers)),
            *items.notes,
            *_exchanged(frame, mapped),
        ),
    )


class _Answers(NamedTuple):
    """What the ambiguous column holds."""

    ours: str
    """"output" or "reference"."""
    theirs: str
    texts: np.ndarray
    """Shape (rows,): a text, or `None`."""


class _ExtraColumns:
    """What rows hold beside the columns that are known: settings of models, answers, columns that are not used."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.seen: set[str] = set()
        """Names of all columns."""
        self._columns = frozenset(columns.values())
        self._settings: dict[str, dict[str, dict[str, Any]]] = {}
        """By model and column, the different values as text and as they are."""
        self._answers: list[Any] = []
        self._column_of_answers = ""
        self._of_text: set[str] = set()

    def add(self, entry: Mapping[str, Any], model: str) -> None:
        """Take in a row."""
        self.seen |= entry.keys()
        answer = None
        for name in entry.keys() - self._columns:
            value, plain = entry[name], name.casefold()
            if plain in SETTINGS and value is not None:
                self._settings.setdefault(model, {}).setdefault(name, {})[str(value)] = value
            elif plain == AMBIGUOUS:
                self._column_of_answers, answer = name, as_text(value)
            elif isinstance(value, str) and value and _number(value) is None:
                self._of_text.add(name)
        self._answers.append(answer)

    def settings(self) -> dict[str, dict[str, Any]]:
        """By model, the settings that are the same in all its rows."""
        return {
            model: {name: next(iter(values.values())) for name, values in own.items() if len(values) == 1}
            for model, own in self._settings.items()
        }

    def answers(self, frame: pd.DataFrame, columns: Mapping[str, str]) -> _Answers | None:
        """Outputs where models have other answers to one item, references where all have the same; else `None`."""
        name = self._column_of_answers
        if not name or frame["model"].nunique() < 2:
            return None
        answered = frame[["item", "model"]].assign(answer=self._answers).dropna(subset=["answer"])
        by_item = answered.groupby("item", observed=True)
        shared = (by_item["model"].nunique() > 1).to_numpy()
        if not shared.any():
            return None
        ours = "output" if bool((by_item["answer"].nunique().to_numpy() > 1)[shared].any()) else "reference"
        return None if ours in columns else _Answers(ours, name, np.array(self._answers, dtype=object))

    def unused(self, columns: Mapping[str, str]) -> tuple[Reason, ...]:
        """That columns are not used; of text it matters most where none is known to hold outputs."""
        rest = {name for name in self.seen - set(columns.values()) - {_CONTEXT} if name.casefold() not in SETTINGS}
        texts = rest & (self._of_text | {self._column_of_answers})
        if "output" in columns or not texts:
            return (reason("evaluation_unused", names=tuple(sorted(rest))),) if rest else ()
        others = rest - texts
        return (
            reason("evaluation_no_output_column", names=tuple(sorted(texts))),
            *((reason("evaluation_unused", names=tuple(sorted(others))),) if others else ()),
        )


def _exchanged(frame: pd.DataFrame, mapped: Mapped) -> tuple[Reason, ...]:
    """That the columns of items and models may have been exchanged, where there are so many more models."""
    items, models = frame["item"].nunique(), frame["model"].nunique()
    if "model" not in mapped.columns or models < _MANY_MODELS * items:
        return ()
    names = {"item": mapped.columns["model"], "model": mapped.columns["item"]}
    return (reason("evaluation_exchanged", models=models, items=items, **names),)


def _unrated(frame: pd.DataFrame, mapped: Mapped, rows: int) -> tuple[Reason, ...]:
    """That judges who have a column each have not scored all rows of the table."""
    if mapped.columns.get("judge") != EACH:
        return ()
    rated = frame["judge"].value_counts()
    judges = tuple(f"{judge} {rows - n}" for judge, n in sorted(rated.items()) if n < rows)
    return (reason("evaluation_unrated", judges=judges, rows=rows),) if judges else ()


def _direction(metric: str, mapped: Mapped) -> tuple[bool, tuple[Reason, ...]]:
    """Whether lower scores are better, and what is said of it."""
    if mapped.better is None:
        lower = lower_by_name(metric)
        return lower, (reason("evaluation_lower_by_name", name=metric),) if lower else ()
    lower = mapped.better == "lower"
    return lower, (reason("evaluation_lower_as_told"),) if lower else ()


def _scores(cells: Sequence[Any], *, comma: bool) -> tuple[Floats, list[RowStatus], list[Reason]]:
    """Scores of shape (rows,), NaN where there is none; what became of each row, and what must be said."""
    form = _form(cells, comma=comma)
    read = [_score(cell) if form is None else _in_form(cell, form) for cell in cells]
    unread = [str(cell) for cell, (_, status) in zip(cells, read, strict=True) if status == "unparsed"]
    notes = [] if form is None else [reason(form)]
    if unread:
        texts = tuple(dict.fromkeys(f"“{beginning(text, _SHOWN)}”" for text in unread))
        notes.append(reason("evaluation_unread_scores", rows=len(unread), texts=texts))
    doubtful = next((text for text in map(_text, cells if form else unread) if _THOUSANDS.fullmatch(text)), None)
    if doubtful is not None:
        decimal, whole = doubtful.replace(",", "."), doubtful.replace(",", "")
        code = "evaluation_taken_for_decimals" if form else "evaluation_decimals_or_thousands"
        notes.append(reason(code, text=doubtful, decimal=decimal, whole=whole))
    values = np.array([np.nan if value is None else value for value, _ in read], dtype=np.float64)
    return values, [status for _, status in read], notes


_FORMS: Mapping[str, re.Pattern[str]] = {
    "evaluation_percent_scores": re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*%"),
    "evaluation_comma_scores": re.compile(r"([+-]?\d+(?:,\d+)?)"),
}
"""How a whole column of scores may be written but as numbers, by the note that says so."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}(?:\s*%)?")
"""A number whose comma may stand for a decimal point or between thousands."""


def _form(cells: Sequence[Any], *, comma: bool) -> str | None:
    """The form that all scores of a column have; `None` where they are numbers, or of no form, or of an unsure one."""
    there = [cell for cell in cells if cell is not None]
    texts = [_text(cell) for cell in there if isinstance(cell, str)]
    if len(texts) < len(there):
        return None
    texts = [text for text in texts if text.lower() not in EMPTY]
    if not texts:
        return None
    percent = all(text.endswith("%") for text in texts)
    written = [text for text in texts if "," in text]
    if not (written or percent) or (written and not comma and all(map(_THOUSANDS.fullmatch, written))):
        return None
    form = "evaluation_percent_scores" if percent else "evaluation_comma_scores"
    return form if all(_FORMS[form].fullmatch(text) for text in texts) else None


def _text(cell: Any) -> str:
    return str(cell).strip()


def _in_form(cell: Any, form: str) -> tuple[float | None, RowStatus]:
    match = _FORMS[form].fullmatch(_text(cell))
    if match is None:
        return None, "missing"
    return float(match[1].replace(",", ".")) / (100 if form == "evaluation_percent_scores" else 1), "scored"


def _name(value: Any, where: str, number: int) -> str | None:
    try:
        return name_of(value, "a name") or None
    except TypeError as error:
        raise FormatError(f"{where}, row {number}: {error}.") from None


def _score(value: Any) -> tuple[float | None, RowStatus]:
    """A score, and what became of its row."""
    if isinstance(value, str) and value.strip().lower() in _TRUE + _FALSE:
        return float(value.strip().lower() in _TRUE), "scored"
    if value is None or (isinstance(value, str) and value.strip().lower() in EMPTY):
        return None, "missing"
    number = _number(value)
    return number, "unparsed" if number is None else "scored"


def _number(value: Any) -> float | None:
    """A finite number, true as 1; `None` for what is none."""
    if not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None
