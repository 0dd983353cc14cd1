"""Tables of pairs: two models, their outputs, and which of them was preferred, as arenas have it.

A score is 1 for an output that was preferred, 0 for the other one, and 0.5 for a tie. Where more than two models met,
an item is a question and the two whom it was put to, and items of one question are a cluster. Where one model is the
baseline of all others, `alpacaeval` reads it.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.evaluation.formats import long_table
from voirdire.evaluation.formats.columns import OF_PAIRS, columns_named, known_of
from voirdire.evaluation.formats.reader import Format, FormatError, as_text, source_of
from voirdire.evaluation.records import Evaluation, RowStatus
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason
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
    verdict: str | Mapping[str, str]
    """The column that says who won; or by column that says so of one side, or of a tie, that verdict."""
    sides: tuple[str, str]
    """How verdicts call the two: ("a", "b")."""
    others: Mapping[str, str]
    """By column of ours that is about both, the name of theirs: item, prompt, judge, cluster."""


def sniff(path: Path) -> bool:
    """A table with a column for each of two models and for who was preferred; unless one for scores is named."""
    if {"model", "score"} & columns_named().columns.keys() or not long_table.is_long(path):
        return False
    return _columns(long_table.names_of(path)) is not None


def read(path: Path) -> Sequence[Evaluation]:
    """One evaluation of all models.

    Raises:
        FormatError: a row names no two models, or it can't be told which numbers mean the first.
    """
    columns = _columns(long_table.names_of(path))
    if columns is None:
        raise FormatError(f"{path} has no columns of two models and of the one that was preferred.")
    entries = list(long_table.rows_of(path))
    verdicts = (_verdict(entry, columns) for _, entry in entries)
    numbers = [each for verdict in verdicts if (each := _number(str(verdict).strip())) is not None]
    if 0.0 in numbers and max(numbers) <= 1.0:
        raise FormatError(
            f"{path}: nothing tells which of 0 and 1 in the column {columns.verdict} means the first model; write 1 "
            "and 2, or the models' names."
        )
    comparisons = [_comparison(path, number, entry, columns) for number, entry in entries]
    return [_evaluation(path, comparisons, columns)]


FORMAT = Format(NAME, sniff, read)


class _Comparison(NamedTuple):
    """One verdict on two outputs."""

    models: tuple[str, str]
    outputs: tuple[str | None, str | None]
    won: float | None
    """By the first one."""
    status: RowStatus
    verdict: str
    about: Mapping[str, str | None]
    """What is known of both: item, prompt, judge, cluster."""


def _comparison(path: Path, number: int, entry: Mapping[str, Any], columns: _Columns) -> _Comparison:
    first, second = (as_text(entry.get(name)) or "" for name in columns.models)
    if not first or not second:
        raise FormatError(f"{path}, row {number}: two models are expected in {' and '.join(columns.models)}.")
    about = {ours: as_text(entry.get(theirs)) for ours, theirs in columns.others.items()}
    about["item"] = about.get("item") or _id_of(about.get("prompt"), number)
    a, b = [as_text(entry.get(each)) for each in columns.outputs or ()] or [None, None]
    verdict = _verdict(entry, columns)
    won, status = _won(verdict, (first, second), columns.sides)
    return _Comparison((first, second), (a, b), won, status, str(verdict), about)


def _evaluation(path: Path, comparisons: Sequence[_Comparison], columns: _Columns) -> Evaluation:
    models = {model for each in comparisons for model in each.models}
    rows = Rows()
    for each in comparisons:
        about = each.about if len(models) == 2 else _of_its_pair(each)
        for place in (0, 1):
            won = each.won if each.won is None or place == 0 else 1 - each.won
            own = {"model": each.models[place], "output": each.outputs[place], "position": place + 1.0}
            rows.add({**about, **own, "score": won, "status": each.status})
    verdicts = [columns.verdict] if isinstance(columns.verdict, str) else columns.verdict
    used = [*columns.models, *(columns.outputs or ()), *verdicts, *columns.others.values()]
    notes = [reason("evaluation_of_pairs", columns=tuple(used))]
    if len(models) > 2:
        met = len({frozenset(each.models) for each in comparisons})
        notes.append(reason("evaluation_of_many_pairs", met=met, of=math.comb(len(models), 2)))
    unread = dict.fromkeys(f"“{beginning(each.verdict, _SHOWN)}”" for each in comparisons if each.status == "unparsed")
    if unread:
        notes.append(reason("evaluation_unread_verdicts", texts=tuple(unread)))
    return Evaluation(
        name=path.stem,
        format=NAME,
        metric=METRIC,
        rows=rows.frame(),
        by_reference=False,
        mirrored=True,
        files=(source_of(path),),
        notes=tuple(notes),
    )


def _verdict(entry: Mapping[str, Any], columns: _Columns) -> Any:
    if isinstance(columns.verdict, str):
        return entry.get(columns.verdict)
    verdicts = [verdict for name, verdict in columns.verdict.items() if _is_marked(entry.get(name))]
    return verdicts[0] if len(verdicts) == 1 else None


def _is_marked(value: Any) -> bool:
    return str(value).strip().casefold() in ("1", "1.0", "true", "yes")


def _of_its_pair(comparison: _Comparison) -> Mapping[str, str | None]:
    """What is known of both, where a question is another item for each two models; questions are then clusters."""
    about, (a, b) = comparison.about, sorted(comparison.models)
    return {**about, "item": f"{about['item']} ({a}, {b})", "cluster": about.get("cluster") or about["item"]}


def _columns(names: Sequence[str]) -> _Columns | None:
    """Which columns hold what, as they are named or usual; `None` where there are no two models, or no verdict."""
    named = columns_named().columns
    by_name = {re.sub(r"[\W_]+", "", name).casefold(): name for name in reversed(names)}
    by_name |= {
        re.sub(r"_", "", ours): theirs for ours, theirs in named.items() if ours in OF_PAIRS and theirs in names
    }
    matches = ((models, sides) for sides in _SIDES if (models := _two(by_name, _MODELS, sides)) is not None)
    models, sides = next(matches, (None, ("", "")))
    verdict = next((by_name[each] for each in _VERDICTS if each in by_name), None) or _marks(by_name, sides)
    if not verdict or models is None:
        return None
    outputs = _two(by_name, _OUTPUTS, sides)
    taken = {*([verdict] if isinstance(verdict, str) else verdict), *models, *(outputs or ())}
    others = {ours: theirs for ours, theirs in named.items() if ours in _OF_BOTH}
    known = known_of([name for name in names if name not in taken], others)
    return _Columns(models, outputs, verdict, sides, {ours: name for ours, name in known.items() if ours in _OF_BOTH})


def _marks(by_name: Mapping[str, str], sides: tuple[str, str]) -> Mapping[str, str]:
    """By column that marks a verdict that verdict: "winner_model_a", "winner_model_b", and "winner_tie" if there."""
    models = _two(by_name, [f"winner{stem}" for stem in ("", *_MODELS)], sides)
    ties = {by_name[each]: "tie" for each in ("winnertie", "tie") if each in by_name}
    return {**dict(zip(models, sides, strict=True)), **ties} if models else {}


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
