"""AlpacaEval: pairs of outputs, the baseline's and the model's, with the preference of a judge.

`annotations.json` is a list of `instruction, dataset, generator_1, output_1, generator_2, output_2, annotator,
preference` (https://github.com/tatsu-lab/alpaca_eval). 1 is the baseline and 2 the model; preference - 1 is the share
that the model won; 0 is a draw in results of the first version. A folder may instead hold `items.jsonl.gz`, the
instructions and the baselines' outputs, and a `MODEL.JUDGE.jsonl.gz` for each model and judge. A `*leaderboard.csv`
beside either has what was printed.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.data.files import MAX_WHOLE, FileError
from voirdire.data.json_text import JsonError, parse_items
from voirdire.data.rows import RowError, table_rows
from voirdire.evaluation.formats import pairs
from voirdire.evaluation.formats.reader import (
    Format,
    FormatError,
    begins_with_keys,
    decimals_of,
    head_of,
    objects_of,
    read_source,
    source_of,
)
from voirdire.evaluation.records import Evaluation, Printed, SourceFile
from voirdire.evaluation.table import Rows
from voirdire.reason_codes import reason

NAME = "alpacaeval"
METRIC = "win_rate"
_KEYS = ("instruction", "output_1", "output_2", "generator_2", "preference")
_ITEMS = "items.jsonl.gz"
_TEXTS = {
    "cluster": "dataset",
    "prompt": "instruction",
    "output": "output_2",
    "baseline": "generator_1",
    "baseline_output": "output_1",
    "verdict": "raw_completion",
}
"""By column of ours, the field of an annotation."""
_DRAW = 0.0
_PERCENT = 100.0
_ID = 10
"""Characters of an item's id that is made of its instruction."""
_LONGEST = 10_000
"""Characters of a leaderboard's cell."""


def sniff(path: Path) -> bool:
    """A file of annotations, or a folder with instructions apart."""
    if path.is_dir():
        return (path / _ITEMS).is_file()
    return (
        path.suffix == ".json"
        and head_of(path).lstrip().startswith(b"[")
        and begins_with_keys(path, _KEYS[:1])
        and _is_list(path)
    )


def read(path: Path) -> Sequence[Evaluation]:
    """An evaluation for each judge and baseline; for each two models, where a baseline is also compared with others."""
    groups = _of_folder(path) if path.is_dir() else _of_file(path)
    baselines = {baseline for _, baseline in groups}
    # A baseline's own rows, beside itself, are a draw: no other model was compared with it there.
    compared = {model for (_, baseline), group in groups.items() for model in group.models if model != baseline}
    if not path.is_dir() and baselines & compared:
        return pairs.read(path)
    return _by_judge(groups, _leaderboards(path))


def beside(path: Path) -> Iterator[Path]:
    """What was printed of it: the leaderboards of its folder."""
    yield from sorted((path if path.is_dir() else path.parent).glob("*leaderboard.csv"))


FORMAT = Format(NAME, sniff, read, beside)


def _is_list(path: Path) -> bool:
    """Long texts may push the other keys out of the head: the whole file is looked at."""
    try:
        with path.open("rb") as file:
            start = file.read(2**20)
    except OSError:
        return False
    return all(f'"{key}"'.encode() in start for key in _KEYS)


class _Group:
    """Rows of one judge and baseline."""

    def __init__(self) -> None:
        self.rows = Rows()
        self.models: dict[str, None] = {}
        self.files: dict[SourceFile, None] = {}


_Groups = dict[tuple[str, str], _Group]


def _of_file(path: Path) -> _Groups:
    text, source = read_source(path)
    groups: _Groups = defaultdict(_Group)
    seen: dict[tuple[str, str, str], int] = defaultdict(int)
    ids: dict[int, str] = {}
    try:
        for number, entry in enumerate(parse_items(text, halves="replace"), start=1):
            if not isinstance(entry, dict) or any(key not in entry for key in _KEYS):
                raise FormatError(f"{path}, entry {number}: an object with {', '.join(_KEYS)} is expected.")
            model, judge = str(entry["generator_2"]), str(entry.get("annotator") or "")
            item = _item_id(entry)
            baseline = str(entry.get("generator_1") or "")
            identity = hash((model, judge, baseline, item, entry["output_2"], str(entry["preference"])))
            if identity not in ids:  # a copy of an entry is the same item again; another answer is another item
                times = seen[model, judge, item] = seen[model, judge, item] + 1
                ids[identity] = item if times == 1 else f"{item}#{times}"
            _add(groups[judge, baseline], source, entry, model, judge, ids[identity])
    except JsonError as error:
        raise FormatError(f"{path} is not valid JSON ({error}).") from None
    return groups


def _of_folder(folder: Path) -> _Groups:
    groups: _Groups = defaultdict(_Group)
    instructions = {str(entry.get("item")): entry for _, entry in _lines(folder / _ITEMS)}
    about_items = source_of(folder / _ITEMS)
    for path in sorted(folder.glob("*.jsonl.gz")):
        if path.name == _ITEMS or path.is_symlink():
            continue
        source = source_of(path)
        for number, entry in _lines(path):
            item, baseline = str(entry.get("item")), str(entry.get("baseline") or "")
            if item not in instructions or "model" not in entry:
                raise FormatError(f"{path}, line {number}: it names no model, or an item that {_ITEMS} does not have.")
            asked = instructions[item]
            whole = {
                **asked,
                "preference": entry.get("preference"),
                "output_2": entry.get("output"),
                "output_1": (asked.get("baselines") or {}).get(baseline),
                "generator_1": baseline,
            }
            group = groups[str(entry.get("judge") or ""), baseline]
            group.files[about_items] = None
            _add(group, source, whole, str(entry["model"]), str(entry.get("judge") or ""), item)
    return groups


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    text, _ = read_source(path)
    yield from objects_of(enumerate(text.split("\n"), start=1), path)


def _add(group: _Group, source: SourceFile, entry: Mapping[str, Any], model: str, judge: str, item: str) -> None:
    score = _share_won(entry["preference"])
    readable = score is not None or entry["preference"] is None
    group.models[model] = None
    group.files[source] = None
    texts = {ours: _text(entry.get(theirs)) for ours, theirs in _TEXTS.items()}
    status = None if readable else "unparsed"
    group.rows.add({**texts, "item": item, "model": model, "judge": judge or None, "score": score, "status": status})


def _share_won(preference: Any) -> float | None:
    """`None` for what is no preference."""
    if isinstance(preference, bool) or not isinstance(preference, int | float):
        return None
    if preference == _DRAW:
        return 0.5
    return float(preference) - 1.0 if 1.0 <= preference <= 2.0 else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _item_id(entry: Mapping[str, Any]) -> str:
    """An id made of the instruction: files of different models need not have one order."""
    whole = f"{entry.get('dataset')}\n{entry['instruction']}"
    return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:_ID]


def _by_judge(groups: _Groups, leaderboards: Sequence[tuple[SourceFile, list[Printed]]]) -> list[Evaluation]:
    printed = _printed_by_group(groups, leaderboards)
    return [
        Evaluation(
            name=f"alpacaeval ({judge or 'no judge named'}, against {baseline or 'an unnamed baseline'})",
            format=NAME,
            metric=METRIC,
            rows=group.rows.frame(),
            printed=tuple(each for _, lines in printed.get((judge, baseline), ()) for each in lines),
            files=(*group.files, *(source for source, _ in printed.get((judge, baseline), ()))),
            notes=(reason("evaluation_pairwise", baseline=baseline or "an unnamed baseline"),),
        )
        for (judge, baseline), group in sorted(groups.items())
    ]


def _printed_by_group(
    groups: _Groups, leaderboards: Sequence[tuple[SourceFile, list[Printed]]]
) -> dict[tuple[str, str], list[tuple[SourceFile, list[Printed]]]]:
    """A leaderboard belongs to the judge that its file names, else to the judge with most models."""
    results: dict[tuple[str, str], list[tuple[SourceFile, list[Printed]]]] = defaultdict(list)
    for source, lines in leaderboards:
        named = [key for key in groups if key[0] and key[0] in source.path.name]
        key = max(named or sorted(groups), key=lambda each: len(groups[each].models), default=None)
        mine = [] if key is None else [each for each in lines if each.model in groups[key].models]
        if key is not None and mine:
            results[key].append((source, mine))
    return results


def _leaderboards(path: Path) -> list[tuple[SourceFile, list[Printed]]]:
    matches = []
    for file in beside(path):
        try:
            lines = [each for each in map(_printed_line, _table(file)) if each is not None]
        except (FileError, RowError):
            continue  # the walk names what it can't read
        if lines and file.stat().st_size <= MAX_WHOLE:
            matches.append((source_of(file), [each._replace(source=file.name) for each in lines]))
    return matches


def _table(file: Path) -> Iterator[Mapping[str, str]]:
    for _, cells in table_rows(file, _LONGEST):
        if not isinstance(cells, str):
            yield cells


def _printed_line(cells: Mapping[str, str]) -> Printed | None:
    """What a line of a leaderboard says of a model; the first column has no name in AlpacaEval's own files."""
    model, rate = cells.get("model") or cells.get("") or cells.get("name"), cells.get("win_rate", "")
    try:
        value, error, n = float(rate), cells.get("standard_error", ""), cells.get("n_total", "")
        se = float(error) / _PERCENT if error else None
        return (
            model and Printed(model, value / _PERCENT, se, int(float(n)) if n else None, decimals_of(rate) + 2, "")
        ) or None
    except ValueError:
        return None
