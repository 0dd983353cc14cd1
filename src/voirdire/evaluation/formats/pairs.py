"""Tables of pairs: two models, their outputs, and which of them was preferred, as arenas have it.

Each two models that met are an evaluation of their own, in which a score is 1 for an output that was preferred, 0 for
the other one, and 0.5 for a tie. Where one model is the baseline of all others, `alpacaeval` reads it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.evaluation.formats import long_table
from voirdire.evaluation.formats.columns import columns_named, known_of
from voirdire.evaluation.formats.reader import Format, FormatError, as_text, source_of
from voirdire.evaluation.records import Evaluation, RowStatus
from voirdire.evaluation.table import Rows
from voirdire.reasons import reason
from voirdire.text.shortening import beginning

NAME = "pairs"
METRIC = "win_rate"
_SIDES = (("1", "2"), ("a", "b"), ("left", "right"), ("first", "second"))
_MODELS = ("model", "generator", "system", "assistant", "candidate")
_OUTPUTS = ("output", "response", "answer", "completion", "conversation", "text")
_VERDICTS = ("winner", "preference", "preferred", "verdict", "choice", "label")
_OF_BOTH = frozenset(("item", "prompt", "judge", "cluster"))
_TIE = re.compile(r"(?:tie|tied|draw|both|equal|equally|same|neither|none)\b.*", re.I)
_ID = 10
"""Characters of an item's id that is made of its prompt."""
_SHOWN = 40
"""Characters of a verdict that can't be read."""


class _Columns(NamedTuple):
    models: tuple[str, str]
    outputs: tuple[str, str] | None
    verdict: str
    sides: tuple[str, str]
    """How verdicts call the two: ("a", "b")."""
    others: Mapping[str, str]
    """By column of ours that is about both, the name of theirs: item, prompt, judge, cluster."""


def sniff(path: Path) -> bool:
    """A table with a column for each of two models and one for who was preferred; unless its columns are named."""
    return not columns_named().columns and long_table.is_long(path) and _columns(long_table.names_of(path)) is not None


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each two models that met.

    Raises:
        FormatError: a row names no two models, or it can't be told which numbers mean the first.
    """
    columns = _columns(long_table.names_of(path))
    if columns is None:
        raise FormatError(f"{path} has no columns of two models and of the one that was preferred.")
    entries = list(long_table.rows_of(path))
    numbers = [each for _, entry in entries if (each := _number(str(entry.get(columns.verdict)).strip())) is not None]
    if 0.0 in numbers and max(numbers) <= 1.0:
        raise FormatError(
            f"{path}: nothing tells which of 0 and 1 in the column {columns.verdict} means the first model; write 1 "
            "and 2, or the models' names."
        )
    met: dict[tuple[str, str], _Met] = {}
    for number, entry in entries:
        first, second = (as_text(entry.get(name)) or "" for name in columns.models)
        if not first or not second:
            raise FormatError(f"{path}, row {number}: two models are expected in {' and '.join(columns.models)}.")
        pair = (min(first, second), max(first, second))
        met.setdefault(pair, _Met()).add(entry, (first, second), columns, number)
    return [_evaluation(path, pair, found, columns, len(met)) for pair, found in sorted(met.items())]


FORMAT = Format(NAME, sniff, read)


class _Met:
    """Comparisons of two models."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.unread: dict[str, None] = {}

    def add(self, entry: Mapping[str, Any], models: tuple[str, str], columns: _Columns, number: int) -> None:
        """A row for each of the two outputs of a comparison."""
        verdict = entry.get(columns.verdict)
        won, status = _won(verdict, models, columns.sides)
        if status == "unparsed":
            self.unread[f"“{beginning(str(verdict), _SHOWN)}”"] = None
        about = {ours: as_text(entry.get(theirs)) for ours, theirs in columns.others.items()}
        about["item"] = about.get("item") or _id_of(about.get("prompt"), number)
        outputs = [as_text(entry.get(each)) for each in columns.outputs or ()] or [None, None]
        for place in (0, 1):
            self.rows.add(
                {
                    **about,
                    "model": models[place],
                    "output": outputs[place],
                    "score": won if won is None or place == 0 else 1 - won,
                    "status": status,
                    "position": place + 1.0,
                }
            )


def _evaluation(path: Path, pair: tuple[str, str], met: _Met, columns: _Columns, pairings: int) -> Evaluation:
    used = [*columns.models, *(columns.outputs or ()), columns.verdict, *columns.others.values()]
    notes = [reason("evaluation_of_pairs", columns=tuple(used), pairings=pairings)]
    if met.unread:
        notes.append(reason("evaluation_unread_verdicts", texts=tuple(met.unread)))
    return Evaluation(
        name=f"{path.stem} ({pair[0]} against {pair[1]})",
        format=NAME,
        metric=METRIC,
        rows=met.rows.frame(),
        by_reference=False,
        mirrored=True,
        pairings=pairings,
        files=(source_of(path),),
        notes=tuple(notes),
    )


def _columns(names: Sequence[str]) -> _Columns | None:
    """Which columns hold what; `None` where there are no two models, or no verdict."""
    by_name = {re.sub(r"[\W_]+", "", name).casefold(): name for name in reversed(names)}
    verdict = next((by_name[each] for each in _VERDICTS if each in by_name), None)
    found = ((models, sides) for sides in _SIDES if (models := _two(by_name, _MODELS, sides)) is not None)
    models, sides = next(found, (None, ("", "")))
    if verdict is None or models is None:
        return None
    outputs = _two(by_name, _OUTPUTS, sides)
    taken = {verdict, *models, *(outputs or ())}
    known = known_of([name for name in names if name not in taken])
    others = {ours: theirs for ours, theirs in known.items() if ours in _OF_BOTH}
    return _Columns(models, outputs, verdict, sides, others)


def _two(by_name: Mapping[str, str], stems: Sequence[str], sides: tuple[str, str]) -> tuple[str, str] | None:
    """The two columns of a kind: "model_a" and "model_b"."""
    for stem in stems:
        for one, two in ((stem + sides[0], stem + sides[1]), (sides[0] + stem, sides[1] + stem)):
            if one in by_name and two in by_name:
                return by_name[one], by_name[two]
    return None


def _won(verdict: Any, models: tuple[str, str], sides: tuple[str, str]) -> tuple[float | None, RowStatus]:
    """The share that the first one won, and what became of the row."""
    text = "" if verdict is None else str(verdict).strip()
    if not text:
        return None, "missing"
    if text in models:
        return float(text == models[0]), "scored"
    number = _number(text)
    if number is not None:
        return (0.5 if number == 0 else 2 - number), "scored"
    plain = re.sub(r"[\W_]+", "", text).casefold()
    for won, side in ((1.0, 0), (0.0, 1)):
        if any(plain in _called(names[side]) for names in (sides, *_SIDES)):
            return won, "scored"
    return (0.5, "scored") if _TIE.fullmatch(text.replace("_", " ")) else (None, "unparsed")


def _number(text: str) -> float | None:
    """A preference from 1, the first, to 2, the second; 0 is a tie."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == 0 or 1 <= number <= 2 else None  # NaN is none of them


def _called(side: str) -> Iterator[str]:
    yield side
    for stem in (*_MODELS, *_OUTPUTS):
        yield from (stem + side, side + stem)


def _id_of(prompt: str | None, number: int) -> str:
    """An id made of the prompt, so that the same prompt is the same item for all pairs; else the row's number."""
    return hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:_ID] if prompt else f"row {number}"
