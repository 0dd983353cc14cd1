"""From run folders to a report in a file: which instrument, which form, where."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from voirdire.data.manifests import write_manifest
from voirdire.data.paths import AnyPath, as_path, as_paths, why_unwritable
from voirdire.documents.document import Document
from voirdire.documents.messages import files_written
from voirdire.errors import InputError
from voirdire.instruments import (
    AnswerCheck,
    Data,
    Instrument,
    answer_checker,
    data_at,
    instrument_of_run,
    instruments,
    is_run,
)
from voirdire.models.secrets import without_known_secrets
from voirdire.reports.destination import (
    MARK_OF_MARKDOWN,
    PlaceError,
    check_file,
    check_folder,
    check_json,
    write_whole,
)
from voirdire.reports.origins import origin_of, with_file_origin, with_origins
from voirdire.text.counting import named_twice

FORMATS = ("html", "md", "json", "csv", "png", "svg")
_PRINTED = ("md", "json")
"""Forms that go to the terminal, or into a pipe, where no file is named."""
_FILES = ("html", "md", "json")
"""Forms of one file."""
_FOLDERS = ("csv", "png", "svg")
"""Forms of several files."""


class ReportError(InputError):
    """A report that can't be made: one sentence says what was given and what to do."""


@dataclass(frozen=True, slots=True)
class MadeReport:
    """A report."""

    format: str
    paths: tuple[Path, ...]
    """What was written; empty where the text goes to the terminal."""
    text: str | None = None
    """What is to be printed, where nothing was written."""

    @property
    def size(self) -> int:
        """Bytes written."""
        return sum(path.stat().st_size for path in self.paths)

    def summary(self) -> str:
        """Where it was written, and how much."""
        return files_written(self.paths, self.size)


def make_report(
    runs: AnyPath | Sequence[AnyPath],
    *,
    out: AnyPath | None = None,
    format: str | None = None,
    jury: str | None = None,
    of_answers: AnswerCheck | None = None,
) -> MadeReport:
    """Make a report of a run, or of several of one instrument together.

    Args:
        runs: a run's folder, or several.
        out: the file to write, or the folder for csv, png and svg. Without it a page is written into the run's folder
            (or, of several runs, into the current one), Markdown and JSON are given back as a text.
        format: one of `FORMATS`; without it, what the file's name ends in, or html where no file is named.
        jury: of runs that several juries have judged, the judges' names, or the id, of the one whose
            verdicts count.
        of_answers: how a file of answers is checked, where in another way than usual.

    Raises:
        ReportError: no run, runs of several instruments, a form that does not exist, nothing to draw, or a place that
            can't be written, or must not be: a file of the run, a device, a link, what is no earlier report.
        RunFolderError: there is no run in a folder.
        ValueError: what the instrument itself says of runs that it can't report on.
    """
    runs, out = as_paths(runs), None if out is None else as_path(out)
    form = _format(format, out)
    if form in _PRINTED and out is None:
        return MadeReport(form, (), text_of(runs, form, jury, of_answers))
    place = default_place(runs, form) if out is None else out
    if out is not None or place.parent.is_dir():  # else there is no run, as its reader says
        _check_place(place, form, runs)
    document = document_of(runs, jury, of_answers)
    provenance = {"target": f"report {form}", **document.data.get("provenance", {})} if form in _FOLDERS else None
    return MadeReport(form, _write(_files(document, form), place, provenance))


def text_of(
    runs: AnyPath | Sequence[AnyPath],
    format: str,
    jury: str | None = None,
    of_answers: AnswerCheck | None = None,
) -> str:
    """A report of one file as a text, written nowhere: html, md or json.

    Raises:
        ReportError, RunFolderError, ValueError: as for `make_report`.
    """
    ((_, content),) = _files(document_of(runs, jury, of_answers), format).items()
    return content.decode()


def document_of(
    runs: AnyPath | Sequence[AnyPath], jury: str | None = None, of_answers: AnswerCheck | None = None
) -> Document:
    """What the instrument of these runs has to say of them.

    Raises:
        ReportError, RunFolderError, ValueError: as for `make_report`.
    """
    runs = as_paths(runs)
    if not runs:
        raise ReportError("No run was given; name the folder of one, such as runs/first.")
    if (twice := named_twice(runs, Path.resolve)) is not None:
        raise ReportError(f"The run {twice} is named more than once; name each run once.")
    if of_answers is not None:
        return _document_of_answers(runs, of_answers, jury)
    data = data_at(runs)
    if data is not None:
        return _document_of_data(runs, data, jury)
    instrument = _instrument(runs)
    if jury is not None and not instrument.by_jury:
        raise ReportError(f"--jury chooses among the juries of a run; {runs[0]}, a run of {instrument.name}, has none.")
    document = cast(Callable[[Sequence[Path], str | None], Document], instrument.document)(runs, jury)
    return with_own_origins(document, runs, jury)


def with_own_origins(document: Document, runs: Sequence[Path], jury: str | None = None) -> Document:
    """The report of runs with where its numbers come from, and without known secrets."""
    return without_known_secrets(with_origins(document, [origin_of(run, jury) for run in runs]))


def write_document(document: Document, out: AnyPath, reading: Sequence[Path] = ()) -> MadeReport:
    """Write a document that is made already into one file: .html, .md or .json, by what its name ends in.

    Args:
        document: what to write.
        out: the file.
        reading: what the document was made of, which is never written over.

    Raises:
        ReportError: another ending, or a place that can't be written, or must not be.
    """
    place = as_path(out)
    form = _format(None, place)
    _check_place(place, form, reading)
    return MadeReport(form, _write(_files(without_known_secrets(document), form), place, None))


def _document_of_answers(paths: Sequence[Path], how: AnswerCheck, jury: str | None) -> Document:
    """The report on a file of answers that is checked in another way than usual."""
    if jury is not None:
        raise ReportError(f"--jury chooses among the juries of a run; {paths[0]} is a file of answers, and has none.")
    if len(paths) > 1 or is_run(paths[0]):
        raise ReportError(
            "--detector, --threshold, --history, --map and --skip-bad say how one file of answers is checked; "
            f"{paths[0]} is {'one of several' if len(paths) > 1 else 'a run'}."
        )
    document = answer_checker()(paths[0], how)
    return without_known_secrets(with_file_origin(document, paths[0]) if paths[0].is_file() else document)


def _document_of_data(paths: Sequence[Path], data: Data, jury: str | None) -> Document:
    """The report on what is no run."""
    if jury is not None:
        raise ReportError(f"--jury chooses among the juries of a run; {paths[0]} is {data.what}, and has none.")
    if data.document is None:
        raise ReportError(f"There is no report on {paths[0]}, which is {data.what}.")
    document = data.document(paths)
    files = [path for path in paths if path.is_file()]
    return without_known_secrets(with_file_origin(document, files[0]) if len(files) == len(paths) == 1 else document)


def _instrument(runs: Sequence[Path]) -> Instrument:
    """The one instrument that all runs are of; it has a report."""
    named = {run: instrument_of_run(run) for run in runs}
    other = next(((run, each) for run, each in named.items() if each.document is None), None)
    if other is not None:
        run, instrument = other
        having = ", ".join(each.name for each in instruments() if each.document is not None)
        advice = (instrument.no_report or f"reports are made of runs of {having}").format(run=run)
        what = f"a run of {instrument.name!r}" if instrument.name else "whose run.json names no instrument"
        raise ReportError(f"There is no report on {run}, {what}: {advice}.")
    if len({each.name for each in named.values()}) > 1:
        listed = ", ".join(f"{run} of {each.name}" for run, each in named.items())
        raise ReportError(f"The runs are of several instruments ({listed}): make a report for each.")
    return named[runs[0]]


def _format(given: str | None, out: Path | None) -> str:
    """The form that is wanted; what the file's name ends in must agree with it."""
    if given is not None and given not in FORMATS:
        raise ReportError(f"A report's format is one of {', '.join(FORMATS)}; {given!r} was given.")
    if out is None:
        return given or "html"
    ending = out.suffix[1:].lower()
    if given in _FOLDERS:
        if ending and not ending.isdigit():  # runs-1.5 is a good name of a folder
            raise ReportError(f"{given} makes several files: -o names their folder, which {out} does not look like.")
        return str(given)
    if ending not in _FILES or given not in (None, ending):
        raise ReportError(
            f"A report's file ends in {'.html, .md or .json' if given is None else f'.{given}'}; {out} was given "
            f"({', '.join(_FOLDERS)} make a folder: --to csv -o FOLDER)."
        )
    return ending


def _files(document: Document, wanted: str) -> dict[str, bytes]:
    """What is to be written: content by name."""
    if wanted == "html":
        from voirdire.reports.page import render

        return {"report.html": _encoded(render(document))}
    if wanted == "md":
        from voirdire.reports.formats.markdown import to_markdown

        return {"report.md": _encoded(f"{to_markdown(document)}\n{MARK_OF_MARKDOWN}")}
    if wanted == "json":
        from voirdire.reports.formats.json_text import to_json

        return {"report.json": _encoded(to_json(document) + "\n")}
    if wanted == "csv":
        from voirdire.reports.formats.csv_files import to_csv

        return {name: _encoded(content) for name, content in to_csv(document).items()}
    from voirdire.reports.formats.pictures import to_pictures

    pictures = to_pictures(document, "svg" if wanted == "svg" else "png")
    if not pictures:
        raise ReportError("The report has no charts to save as pictures; --to csv gives its tables.")
    return pictures


def _encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which a model's JSON can smuggle in, becomes a question mark."""
    return text.encode("utf-8", "replace")


def default_place(runs: Sequence[AnyPath], format: str | None = None) -> Path:
    """Where a report goes that nobody named a place for: into the run's folder, or of several runs the current one."""
    only = as_path(runs[0]) if len(runs) == 1 else Path()
    if only.is_file():  # data that are no run: beside them, under their name
        return only.with_name(f"{only.stem}-{_own_name(format or 'html')}")
    return only / _own_name(format or "html")


def _own_name(wanted: str) -> str:
    return f"report-{wanted}" if wanted in _FOLDERS else f"report.{wanted}"


def _check_place(place: Path, wanted: str, reading: Sequence[Path]) -> None:
    try:
        if wanted in _FOLDERS:
            check_folder(place, f".{wanted}", in_run=_own_name(wanted))
        else:
            check_file(place, f".{wanted}", in_run=_own_name(wanted), reading=reading)
    except PlaceError as error:
        raise ReportError(str(error)) from error
    except OSError as error:
        raise _unwritable(place, error) from error


def _write(files: dict[str, bytes], place: Path, provenance: Mapping[str, Any] | None) -> tuple[Path, ...]:
    """Write one file; or several into a folder, with a manifest that says this and has their hashes."""
    targets = [place if provenance is None else place / name for name in files]
    try:
        if provenance is not None:
            place.mkdir(parents=True, exist_ok=True)
        for target, content in zip(targets, files.values(), strict=True):
            if target.suffix == ".json":
                check_json(target, json.loads(content).keys())
            write_whole(target, content)
        return tuple(targets) if provenance is None else (*targets, write_manifest(place, provenance, targets)[0])
    except PlaceError as error:
        raise ReportError(str(error)) from error
    except OSError as error:
        raise _unwritable(place, error) from error


def _unwritable(place: Path, error: OSError) -> ReportError:
    why = why_unwritable(error, place)
    return ReportError(f"The report can't be written to {place} ({why}); name another place with -o.")
