"""Any long table: a row for each item, model, judge and epoch. CSV, JSON Lines or Parquet; columns named or guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from voirdire.data.plain import as_plain
from voirdire.data.rows import is_parquet, is_table, name_of, parquet_rows, table_rows
from voirdire.errors import InputError, shown
from voirdire.evaluation.formats.reader import Format, FormatError, as_text, json_lines, source_of
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import Rows
from voirdire.reasons import reason
from voirdire.text.shortening import beginning

if TYPE_CHECKING:
    import pandas as pd

NAME = "long-table"
LONGEST = 10_000_000
"""Characters of a line or a cell."""

Mapped = Mapping[str, str]
"""By column of ours, the name of theirs."""

USUAL: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "sample_id", "question_id", "doc_id", "instance_id", "example_id", "prompt_id", "id"),
    "model": ("model", "model_name", "model_id", "system", "generator"),
    "score": ("score", "correct", "is_correct", "accuracy", "acc", "exact_match", "passed", "value", "preference"),
    "judge": ("judge", "annotator", "grader", "rater", "scorer"),
    "cluster": ("cluster", "dataset", "subject", "category", "passage", "group", "topic", "document"),
    "epoch": ("epoch", "trial", "repeat", "run"),
    "prompt": ("prompt", "instruction", "question", "input"),
    "output": ("output", "response", "completion", "generation", "prediction"),
    "reference": ("reference", "target", "gold", "expected", "ground_truth"),
}
"""What columns are usually called, the most telling name first."""
NEEDED = ("item", "score")
_TRUE, _FALSE = ("true", "yes", "correct", "pass", "passed"), ("false", "no", "incorrect", "fail", "failed")
_EMPTY = ("", "na", "n/a", "nan", "null", "none")
_SHOWN = 40
"""Characters of a score that is no number."""
_CONTEXT = "context"
_FLAGS = frozenset(("id", "turn", "sentence", "start", "end", "flagged"))
"""What every row of `voirdire detect -o` has, whose scores are high where a sentence is bad."""
_ENDINGS = (".jsonl", ".ndjson")


def parse_map(text: str) -> dict[str, str]:
    """The mapping that `--map item=doc,score=acc` gives.

    Raises:
        FormatError: a part is no WHAT=COLUMN, or WHAT stands twice.
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        ours, equals, theirs = (each.strip() for each in part.partition("="))
        if not equals or not theirs or ours not in USUAL:
            raise FormatError(
                f"--map: {shown(part)} is not WHAT=COLUMN, where WHAT is one of {', '.join(USUAL)}, and COLUMN yours."
            )
        if ours in found:
            raise FormatError(f"--map names {ours} twice.")
        found[ours] = theirs
    return found


def guess(names: Sequence[str], mapped: Mapped = MappingProxyType({})) -> dict[str, str] | None:
    """Which columns hold what: as they are named, else by their usual names; `None` without an item or a score."""
    known = {name.lower(): name for name in reversed(names) if name not in mapped.values()}
    usual = {ours: known[name] for ours, some in USUAL.items() if (name := next((u for u in some if u in known), ""))}
    found = {**usual, **mapped}
    return found if all(name in found for name in NEEDED) else None


def format_for(mapped: Mapped) -> Format:
    """The reader of tables whose columns are named."""
    return Format(
        NAME,
        lambda path: _is_long(path) and set(mapped.values()) & set(_names(path)) != set(),
        lambda path: _read(path, _completed(path, mapped)),
    )


def refuse_unknown(paths: Sequence[Path], mapped: Mapped) -> None:
    """Make sure that each named column is in one of the tables, if there are any.

    Raises:
        FormatError: no table has it.
    """
    tables = [path for path in paths if _is_long(path)]
    for theirs in mapped.values():
        if tables and not any(_has(path, theirs) for path in tables):
            there = ", ".join(sorted({name for path in tables for name in _names(path)})[:12])
            where = f"{tables[0]} has no column {shown(theirs)}; it has"
            if len(tables) > 1:
                where = f"The {len(tables)} tables have no column {shown(theirs)}; they have"
            raise FormatError(f"{where} {there}.")


def _has(path: Path, column: str) -> bool:
    try:
        return any(column in row for _, row in _rows(path))
    except InputError:
        return False


def _completed(path: Path, mapped: Mapped) -> Mapped:
    found = guess(_names(path), mapped)
    if found is None:
        raise FormatError(f"{path}: name its columns of items and scores: --map item=COLUMN,score=COLUMN")
    return found


def sniff(path: Path) -> bool:
    """A table whose columns have usual names, or one of flagged sentences, which `read` refuses."""
    return _is_long(path) and (guess(_names(path)) is not None or _has_flags(path))


def has_contexts(path: Path) -> bool:
    """Whether a table has a column of contexts, as files of answers that are to be checked have."""
    return _CONTEXT in {name.lower() for name in _names(path)}


def read(path: Path) -> Sequence[Evaluation]:
    """One evaluation, by guessed columns; a note says which.

    Raises:
        FormatError: the table can't be read, or holds the sentences that `voirdire detect -o` has written.
    """
    return _read(path, guess(_names(path)) or {})


FORMAT = Format(NAME, sniff, read)


def _has_flags(path: Path) -> bool:
    return set(_names(path)) >= _FLAGS


def _is_long(path: Path) -> bool:
    return path.is_file() and (is_parquet(path) or is_table(path) or path.suffix.lower() in _ENDINGS)


def _names(path: Path) -> list[str]:
    """Names of the first row's columns; none where it can't be read."""
    try:
        first = next(iter(_rows(path)), None)
    except InputError:
        return []
    return [] if first is None else [str(name) for name in first[1]]


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if is_parquet(path):
        yield from parquet_rows(path)
    elif is_table(path):
        for number, cells in table_rows(path, LONGEST):
            if isinstance(cells, str):
                raise FormatError(f"{path}, row {number}: {cells}.")
            yield number, cells
    else:
        yield from json_lines(path)


def _read(path: Path, mapped: Mapped) -> list[Evaluation]:
    if _has_flags(path):
        raise FormatError(
            f"{path} holds the sentences that voirdire detect has flagged, whose scores are high where they are bad: "
            "use voirdire detect FILE --max-flagged 5% in CI, or voirdire report ANSWERS for a page."
        )
    found = _evaluation(_rows(path), mapped, path.stem, str(path))
    return [replace(found, files=(source_of(path),))]


def read_frame(frame: pd.DataFrame, mapped: Mapped = MappingProxyType({})) -> Evaluation:
    """The evaluation that a table in memory holds; its columns are named, or guessed.

    Raises:
        FormatError: it has no rows, or no column of items or of scores.
    """
    names = [str(name) for name in frame.columns]
    found = guess(names, mapped)
    if found is None:
        raise FormatError(
            f"The table's columns are {', '.join(names[:12])}: name those of items and scores, "
            'map={"item": COLUMN, "score": COLUMN}.'
        )
    if frame.empty:
        raise FormatError("The table has no rows.")
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    rows = ((number, dict(zip(names, map(_cell, row), strict=True))) for number, row in enumerate(cells, start=1))
    return _evaluation(rows, found, "table", "The table")


def _cell(value: Any) -> Any:
    """A cell of a table in memory as JSON would have it: a date is a text."""
    known = as_plain(value)
    return known if known is None or isinstance(known, str | int | float | list | dict) else str(known)


def _evaluation(rows: Iterable[tuple[int, Mapping[str, Any]]], mapped: Mapped, name: str, where: str) -> Evaluation:
    """What rows with their numbers hold; `where` begins the sentences that say what is wrong."""
    table, seen, unread = Rows(), set[str](), list[str]()
    for number, entry in rows:
        seen |= entry.keys()
        cells = {ours: entry.get(theirs) for ours, theirs in mapped.items()}
        item = _name(cells.pop("item"), where, number)
        if item is None:
            raise FormatError(f"{where}, row {number}: the column {mapped['item']} has no item.")
        scored = cells.pop("score")
        score, status = _score(scored)
        if status == "unparsed":
            unread.append(f"“{beginning(str(scored), _SHOWN)}”")
        epoch = cells.pop("epoch", None)
        names = {ours: _name(cells.pop(ours, None), where, number) for ours in ("model", "judge", "cluster")}
        texts = {ours: as_text(value) for ours, value in cells.items()}
        known = {**texts, **names, "model": names["model"] or name, "epoch": _number(epoch)}
        table.add({**known, "item": item, "score": score, "status": status})
    lacking = [theirs for theirs in mapped.values() if theirs not in seen]
    if lacking:
        raise FormatError(f"{where} has no column {shown(lacking[0])}; it has {', '.join(sorted(seen)[:12])}.")
    frame = table.frame()
    low, high = float(frame["score"].min()), float(frame["score"].max())
    notes = [reason("evaluation_columns", columns=tuple(f"{ours}={theirs}" for ours, theirs in mapped.items()))]
    if unread:
        notes.append(reason("evaluation_unread_scores", rows=len(unread), texts=tuple(dict.fromkeys(unread))))
    return Evaluation(
        name=name,
        format=NAME,
        metric=mapped["score"],
        rows=frame,
        bounds=(0.0, 1.0) if low >= 0 and high <= 1 else None,
        notes=tuple(notes),
    )


def _name(value: Any, where: str, number: int) -> str | None:
    try:
        return name_of(value, "a name") or None
    except TypeError as error:
        raise FormatError(f"{where}, row {number}: {error}.") from None


def _score(value: Any) -> tuple[float | None, str | None]:
    """A score, and the row's status where that does not follow from it."""
    if isinstance(value, str) and value.strip().lower() in _TRUE + _FALSE:
        return float(value.strip().lower() in _TRUE), None
    if value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY):
        return None, None
    number = _number(value)
    return number, "unparsed" if number is None else None


def _number(value: Any) -> float | None:
    """A finite number, true as 1; `None` for what is none."""
    if not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None
