"""Formats of results: which there are, how paths are walked, and how files of one evaluation are joined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from voirdire.data.manifests import is_manifest, manifest_of
from voirdire.errors import InputError
from voirdire.evaluation.formats import (
    alpacaeval,
    deepeval,
    every_eval_ever,
    helm,
    inspect_log,
    lm_eval,
    long_table,
    messages,  # noqa: F401  # declares the words that readers use
    pairs,
    promptfoo,
)
from voirdire.evaluation.formats.columns import Mapped, columns_named, named_columns, parse_map
from voirdire.evaluation.formats.joining import combine, join_judges, join_models
from voirdire.evaluation.formats.reader import Format, FormatError, head_of, read_json
from voirdire.evaluation.records import Evaluation
from voirdire.instruments import NearlyDataError
from voirdire.reason_codes import Reason, reason
from voirdire.text.counting import counted

__all__ = [
    "FORMATS",
    "Format",
    "FormatError",
    "PathContents",
    "Unread",
    "combine",
    "files_of",
    "parse_map",
    "read_paths",
    "walk",
    "with_columns",
]

FORMATS: tuple[Format, ...] = (
    helm.FORMAT,
    inspect_log.FORMAT,
    lm_eval.FORMAT,
    every_eval_ever.FORMAT,
    promptfoo.FORMAT,
    deepeval.FORMAT,
    alpacaeval.FORMAT,
    pairs.FORMAT,
    long_table.FORMAT,
)
"""In the order in which they are tried: what is particular first, tables of any kind last."""
MAX_FILES = 20_000
"""Files of a folder that are looked at."""


class Unread(NamedTuple):
    """A file that is no results, or can't be read."""

    path: Path
    why: Reason

    @property
    def damaged(self) -> bool:
        """Whether it looks like results that can't be read, and not like something else."""
        return self.why.code == "evaluation_unreadable"

    @property
    def why_not(self) -> str:
        """A sentence that names the file and says what is wrong; empty of a file that is something else."""
        return str(dict(self.why.params).get("why_not", ""))


class PathContents(NamedTuple):
    """What paths hold."""

    evaluations: tuple[Evaluation, ...]
    unread: tuple[Unread, ...]


Progress = Callable[[Path, int, int], None]
"""Is told of a file or folder before it is read: its path, which it is, of how many."""


@contextmanager
def with_columns(mapped: Mapped, paths: Sequence[Path]) -> Iterator[None]:
    """Have tables be read by the columns that the user has named while the block runs.

    Raises:
        FormatError: no table in the paths has one of them.
    """
    with named_columns(mapped):
        long_table.refuse_unknown([each for path in paths for each in walk(path)], mapped.columns.values())
        yield


def check_results(path: Path) -> None:
    """Make sure that a path looks like results, of which little is read.

    Raises:
        NearlyDataError: it is a file that may be meant as results, and can't be read as such.
        FormatError: it does not, or is not there.
    """
    if not path.exists():
        raise FormatError(f"{path} does not exist. Name a file of results, or a folder that holds some.")
    if any(_looks_like_results(each) for each in walk(path)):
        return
    if path.is_file() and not long_table.may_have_contexts(path) and (why := fault_of(path)):
        raise NearlyDataError(why)
    raise FormatError(_nothing([path], []))


def fault_of(path: Path) -> str:
    """Why a table or JSON that no reader knows can't be read, and what to do; nothing of other files and sound JSON."""
    if long_table.is_long(path):
        return long_table.fault_of(path)
    if path.suffix.lower() != ".json":
        return ""
    if not head_of(path).strip():
        return f"{path} is empty; results of an evaluation are expected."
    try:
        read_json(path)
    except InputError as error:
        return str(error)
    return ""


def files_of(path: Path) -> tuple[Path, ...]:
    """The files that are read where this file or folder is named, itself first; none where it looks like no results."""
    format = _format_of(path)
    if format is None:
        return ()
    return tuple(_plain_files(path)) if path.is_dir() else (path, *sorted(format.beside(path)))


def _looks_like_results(path: Path) -> bool:
    return _format_of(path) is not None


def _format_of(path: Path) -> Format | None:
    """A table with a context in each row is one of answers, unless its columns are named; `audit` reads it anyway."""
    format = _sniffed(path)
    of_answers = format is long_table.FORMAT and not long_table.is_named(path) and long_table.has_contexts(path)
    return None if of_answers else format


def _sniffed(path: Path) -> Format | None:
    """The format of a file or folder: that of tables, where the user has named its columns."""
    if long_table.is_named(path):
        return pairs.FORMAT if pairs.sniff(path) else long_table.FORMAT
    return next((each for each in FORMATS if each.sniff(path)), None)


def read_paths(paths: Sequence[Path], progress: Progress = lambda _, __, ___: None) -> PathContents:
    """Read files and folders; a folder is walked, and hidden files and links in it are left alone.

    Within `with_columns`, tables are read by these columns.

    Raises:
        FormatError: no path holds results; a single file that can't be read says why.
    """
    evaluations: list[Evaluation] = []
    unread: list[Unread] = []
    done: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise FormatError(f"{path} does not exist. Name a file of results, or a folder that holds some.")
    places = {each: number for number, each in enumerate((each for path in paths for each in walk(path)), 1)}
    for path in paths:
        for each in walk(path, done):
            format = _sniffed(each)
            if format is None:
                if not each.is_dir() and not is_manifest(each):
                    unread.append(_unknown(each))
                continue
            if format is long_table.FORMAT and each != path and _is_of_logs(each):
                why_not = f"{each} says what the logs say that it was exported with; name it alone to have it read."
                unread.append(Unread(each, reason("evaluation_of_logs", why_not=why_not)))
                continue
            progress(each, places[each], len(places))
            try:
                read = format.read(each)
            except InputError as error:
                unread.append(Unread(each, reason("evaluation_unreadable", format=format.name, why_not=str(error))))
                continue
            evaluations += [_judged(evaluation, each) for evaluation in read]
            done |= {source.path for evaluation in read for source in evaluation.files}
    unread = [each for each in unread if each.path not in done]
    if not evaluations:
        raise FormatError(_nothing(paths, unread))
    return PathContents(tuple(map(_directed, join_judges(join_models(combine(evaluations))))), tuple(unread))


def _judged(evaluation: Evaluation, path: Path) -> Evaluation:
    """The evaluation judged by who the file is named after, where the user says so and the file names no judge."""
    if not columns_named().judges_are_files or evaluation.judges:
        return evaluation
    judge = pd.Series(pd.Categorical([path.name.partition(".")[0]] * len(evaluation.rows)))
    return replace(evaluation, rows=evaluation.rows.assign(judge=judge))


_DIRECTIONS = frozenset({"evaluation_lower_by_name", "evaluation_lower_in_file", "evaluation_higher_though_named"})


def _directed(evaluation: Evaluation) -> Evaluation:
    """The evaluation with the direction that the user has named, whatever its file or its name says."""
    better = columns_named().better
    if better is None or evaluation.higher_is_better == (better == "higher"):
        return evaluation
    directions = (reason("evaluation_lower_as_told"),) if better == "lower" else ()
    others = (note for note in evaluation.notes if note.code not in _DIRECTIONS)
    return replace(evaluation, higher_is_better=better == "higher", notes=(*directions, *others))


def _is_of_logs(path: Path) -> bool:
    """Whether it was exported together with logs: what it says stands in these too, and would count twice."""
    manifest = manifest_of(path)
    return manifest is not None and any(inspect_log.sniff(manifest.folder / name) for name in manifest.written)


def _unknown(path: Path) -> Unread:
    """A file of no format that is known. A table is looked at again: it may be damaged, or have other columns."""
    if not long_table.is_long(path):
        return Unread(path, reason("evaluation_no_format"))
    why_not = long_table.unreadable(path)
    if why_not:
        return Unread(path, reason("evaluation_unreadable", format=long_table.NAME, why_not=why_not))
    return Unread(path, reason("evaluation_no_columns", why_not=long_table.fault_of_columns(path)))


def walk(path: Path, done: Collection[Path] = ()) -> Iterator[Path]:
    """A path, and what is in it as far as nobody has read it yet: folders before their files, by name.

    Hidden files and links in a folder are left alone.

    Raises:
        FormatError: a folder holds more files than are looked at.
    """
    if path in done:
        return
    yield path
    if not path.is_dir():
        return
    entries = sorted(each for each in path.iterdir() if not each.name.startswith(".") and not each.is_symlink())
    if len(entries) > MAX_FILES:
        raise FormatError(f"{path} holds more than {MAX_FILES:,} files: name the folders that hold results.")
    for each in entries:
        yield from walk(each, done)


def _plain_files(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_file() and not each.is_symlink())


def _nothing(paths: Sequence[Path], unread: Sequence[Unread]) -> str:
    """That nothing can be read: why not of a file that is damaged, else of one that may be meant."""
    damaged = next((each.why_not for each in unread if each.damaged), "")
    meant = [each.path for each in unread if each.why_not] or [path for path in paths[:1] if path.is_file()]
    why = damaged or (fault_of(meant[0]) if meant else "")
    if why:
        return why
    if len(paths) == 1 and paths[0].is_file() and paths[0].suffix.lower() == ".json":
        return f"{paths[0]} is JSON of no format that is read ({_known()}), nor a list of records by item and model."
    return (
        f"{', '.join(map(str, paths[:3]))}: no results that can be read "
        f"({counted(len(unread), 'file')} looked at; formats: {_known()}). "
        "Of a table, name the columns: --map item=COLUMN,model=COLUMN,score=COLUMN"
    )


def _known() -> str:
    return ", ".join(each.name for each in FORMATS)
