"""Read whatever holds grounded dialogues: the layout is chosen by what is there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from pkgutil import resolve_name

from voirdire.cognibench.formats.jsonl import iter_jsonl
from voirdire.cognibench.formats.lines import Entry, read_entries
from voirdire.cognibench.formats.problems import DataWarning, Problem, Reading, Tell, ignore
from voirdire.cognibench.formats.ragtruth import RESPONSES, iter_ragtruth
from voirdire.cognibench.formats.released import DIALOGUES, read_released
from voirdire.cognibench.records import CognibenchError
from voirdire.data.manifests import check_unchanged
from voirdire.data.paths import AnyPath, as_path
from voirdire.data.rows import is_parquet
from voirdire.detectors.records import Answer

LAYOUTS = (
    *("auto", "jsonl", "parquet", "huggingface", "released"),
    *("ragtruth", "ragtruth-train", "ragtruth-test", "run", "project"),
)
"""What `layout` may be; "auto" chooses by what is there."""

_RUN = "run.json"
_ROWS = ("jsonl", "parquet")
"""Layouts of which an entry is read without the others."""
_PARTS = "data/*.parquet"
"""Of a data set as the hub has it."""
_SQLITE = b"SQLite format 3\0"
_PROJECT_READER = "voirdire.raters.tasks.labelled:labelled_answers"
"""What reads raters' projects, whose package is a layer above this one."""


def read_answers(path: AnyPath, *, layout: str = "auto") -> list[Answer]:
    """The answers of a data set.

    What could not be read as it stands, or was labelled by a model, is told by a `DataWarning`; `read_data` gives
    it instead.

    Raises:
        CognibenchError: there is nothing that can be read.
    """
    reading = read_data(path, layout=layout)
    for sentence in reading.cautions:
        warnings.warn(sentence, DataWarning, stacklevel=2)
    return reading.answers


def read_data(
    path: AnyPath, *, layout: str = "auto", plain: bool = False, columns: Mapping[str, str] | None = None
) -> Reading:
    """The answers of a data set, and the problems met.

    Args:
        path: a JSONL or Parquet file, a folder with `dialogues.json` (CogniBench's release) or `response.jsonl`
            (RAGTruth), with `data/*.parquet` (exported for the hub), the folder of a run that labelled or generated
            dialogues, or a raters' project.
        layout: one of `LAYOUTS`.
        plain: Markdown is read as plain text: its lists, tables and code blocks separate nothing.
        columns: by our name, the name in a JSONL, CSV or Parquet file.

    Raises:
        CognibenchError: there is nothing that can be read, or no answer in it, or its fields can't be named.
    """
    problems: list[Problem] = []
    answers = list(iter_answers(path, layout=layout, tell=problems.append, plain=plain, columns=columns))
    if not answers:
        raise CognibenchError(f"{path} holds no answers.")
    return Reading(answers, tuple(problems))


def iter_answers(
    path: AnyPath,
    *,
    layout: str = "auto",
    tell: Tell = ignore,
    plain: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Iterator[Answer]:
    """The answers of a data set one at a time: a JSONL or Parquet file is never held in memory.

    An answer is cut by `cut_answer`, whether it has labels or not; statements given with offsets are kept as they are,
    and CogniBench's release is cut as its authors cut it.

    Raises:
        CognibenchError: there is nothing that can be read.
        ManifestError: it was exported, and is not as it was.
    """
    path = as_path(path)
    check_unchanged(path)
    chosen = layout_of(path) if layout == "auto" else layout
    if chosen in _ROWS:
        return iter_jsonl(path, tell, plain=plain, columns=columns)
    if columns:
        raise CognibenchError(f"--map names the fields of a file of answers; those of {path} are known: leave it out.")
    if chosen == "released":
        return iter(read_released(path, tell))
    if chosen == "huggingface":
        return (answer for part in sorted(path.glob(_PARTS)) for answer in iter_jsonl(part, tell, plain=plain))
    if chosen == "run":
        return _read_run(path, tell, plain)
    if chosen == "project":
        return _read_project(path, tell)
    if chosen.startswith("ragtruth") and chosen in LAYOUTS:
        return iter_ragtruth(path, tell, chosen.partition("-")[2] or None, plain=plain)
    raise CognibenchError(f"There is no layout {layout!r}; there are {', '.join(LAYOUTS)}.")


def iter_entries(path: Path, *, tell: Tell = ignore, plain: bool = False) -> Iterator[Entry] | Iterator[Answer]:
    """What `iter_answers` reads, for whoever reads it in several processes: entries where each stands alone.

    Raises:
        CognibenchError: there is nothing that can be read.
        ManifestError: it was exported, and is not as it was.
    """
    if layout_of(path) not in _ROWS:
        return iter_answers(path, tell=tell, plain=plain)
    check_unchanged(path)
    return read_entries(path)


def layout_of(path: Path) -> str:
    """Which layout a path is in.

    Raises:
        CognibenchError: there is nothing, or none that is known.
    """
    if not path.exists():
        raise CognibenchError(f"{path} does not exist; a JSONL file or a folder with a data set is expected.")
    if not path.is_dir():
        return "parquet" if is_parquet(path) else "project" if _is_sqlite(path) else "jsonl"
    for name, layout in ((_RUN, "run"), (DIALOGUES, "released"), (RESPONSES, "ragtruth")):
        if (path / name).exists():
            return layout
    if any(path.glob(_PARTS)):
        return "huggingface"
    raise CognibenchError(
        f"{path} holds no data set that is known: a folder is expected to hold {DIALOGUES} (CogniBench's release), "
        f"{RESPONSES} (RAGTruth), {_PARTS} (exported for the hub) or {_RUN} (a labelled run); JSONL, Parquet and "
        "raters' projects are named by their file."
    )


def _is_sqlite(path: Path) -> bool:
    if not path.is_file():
        return False  # what is read of a pipe is gone
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False  # whoever reads it says why it can't be


def _read_project(path: Path, tell: Tell) -> Iterator[Answer]:
    read: Callable[[Path, Tell], Iterable[Answer]] = resolve_name(_PROJECT_READER)
    return iter(read(path, tell))


def _read_run(path: Path, tell: Tell, plain: bool) -> Iterator[Answer]:
    from voirdire.runs import RunFolder

    with RunFolder.open(path, read_only=True) as folder:
        instrument = folder.manifest.get("instrument")
    if instrument == "cognibench-dialogues":
        from voirdire.cognibench.generation.session import read_generated

        return iter(read_generated(path, plain=plain))
    from voirdire.cognibench.labelling.records import read_labelled

    return (_report_gaps(each.answer, tell) for each in read_labelled(path))


def _report_gaps(answer: Answer, tell: Tell) -> Answer:
    lacking = [
        str(number)
        for number, each in enumerate(answer.statements, 1)
        if each.label is None and not answer.is_header(each)
    ]
    if answer.labelled and lacking:
        tell(Problem("no label", answer.id, f"sentence {', '.join(lacking)}"))
    return answer
