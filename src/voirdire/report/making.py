"""From run folders to a report in a file: which instrument, which form, where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from voirdire.report.document import Document
from voirdire.run import RunFolder

FORMATS = ("html", "md", "json", "csv", "png", "svg")
_PRINTED = ("md", "json")
"""Forms that go to the terminal, or into a pipe, where no file is named."""
_FOLDERS = ("csv", "png", "svg")
"""Forms of several files."""
_INSTRUMENTS = ("ddft", "cognibench", "integrity")
_ADVICE = {
    "cognibench-dialogues": "it holds dialogues without labels: voirdire cognibench label {run} --model SPEC labels "
    "them, and that run can be reported",
    "cognibench-reasons": "it holds the reasons that a diagnosis asked for: report the labelled run itself",
    "integrity-facts": "it holds how facts were split: report the audit that used them",
    "detector": "it holds a detector's calls: voirdire cognibench bench says how good the detector is",
    "jury-bench": "voirdire jury bench shows what it found",
}


class ReportError(ValueError):
    """A report that can't be made: one sentence says what was given and what to do."""


@dataclass(frozen=True, slots=True)
class Made:
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


def make_report(
    runs: Sequence[Path], *, out: Path | None = None, format: str | None = None, jury: str | None = None
) -> Made:
    """Make a report of a run, or of several of one instrument together.

    Args:
        runs: run folders.
        out: the file to write, or the folder for csv, png and svg. Without it a page is written into the run's folder
            (or, of several runs, into the current one), Markdown and JSON are given back as a text.
        format: one of `FORMATS`; without it, what the file's name ends in, else html.
        jury: of DDFT runs that several juries have judged, the id of the one whose verdicts count.

    Raises:
        ReportError: no run, runs of several instruments, a form that does not exist, nothing to draw, or a place that
            can't be written.
        RunFolderError: there is no run in a folder.
        ValueError: what the instrument itself says of runs that it can't report on.
    """
    wanted = _format(format, out)
    document = document_of(runs, jury)
    files = _files(document, wanted)
    if wanted in _PRINTED and out is None:
        ((_, content),) = files.items()
        return Made(wanted, (), content.decode())
    return Made(wanted, _write(files, _place(wanted, out, runs), in_folder=wanted in _FOLDERS))


def document_of(runs: Sequence[Path], jury: str | None = None) -> Document:
    """What the instrument of these runs has to say of them.

    Raises:
        ReportError, RunFolderError, ValueError: as for `make_report`.
    """
    if not runs:
        raise ReportError("No run was given; name the folder of one, such as runs/first.")
    whole = [run.resolve() for run in runs]
    twice = next((run for place, run in enumerate(runs) if whole[place] in whole[:place]), None)
    if twice is not None:
        raise ReportError(f"The run {twice} is given twice; name each once.")
    instrument = _instrument(runs)
    if jury is not None and instrument != "ddft":
        raise ReportError(f"--jury chooses among the juries of DDFT runs; {runs[0]} is one of {instrument}.")
    part: Any = import_module(f"voirdire.report.{instrument}")
    found: Document = part.document(runs, jury) if instrument == "ddft" else part.document(runs)
    return found


def _instrument(runs: Sequence[Path]) -> str:
    """The one instrument that all runs are of."""
    named = {run: _named(run) for run in runs}
    other = next(((run, name) for run, name in named.items() if name not in _INSTRUMENTS), None)
    if other is not None:
        run, name = other
        advice = _ADVICE.get(name, f"reports are made of runs of {', '.join(_INSTRUMENTS)}").format(run=run)
        raise ReportError(f"There is no report on {run}, a run of {name!r}: {advice}.")
    if len(set(named.values())) > 1:
        listed = ", ".join(f"{run} of {name}" for run, name in named.items())
        raise ReportError(f"The runs are of several instruments ({listed}): make a report for each.")
    return named[runs[0]]


def _named(run: Path) -> str:
    with RunFolder.open(run, read_only=True) as folder:
        return str(folder.manifest.get("instrument"))


def _format(given: str | None, out: Path | None) -> str:
    if given is None:
        ending = "" if out is None else out.suffix[1:].lower()
        return ending if ending in FORMATS else "html"
    if given not in FORMATS:
        raise ReportError(f"A report's format is one of {', '.join(FORMATS)}; {given!r} was given.")
    return given


def _files(document: Document, wanted: str) -> dict[str, bytes]:
    """What is to be written: content by name."""
    if wanted == "html":
        from voirdire.report.page import render

        return {"report.html": _encoded(render(document))}
    if wanted == "md":
        from voirdire.report.formats.markdown import to_markdown

        return {"report.md": _encoded(to_markdown(document))}
    if wanted == "json":
        from voirdire.report.formats.json_text import to_json

        return {"report.json": _encoded(to_json(document) + "\n")}
    if wanted == "csv":
        from voirdire.report.formats.csv_files import to_csv

        return {name: _encoded(content) for name, content in to_csv(document).items()}
    from voirdire.report.formats.pictures import to_pictures

    pictures = to_pictures(document, "svg" if wanted == "svg" else "png")
    if not pictures:
        raise ReportError("The report has no charts to save as pictures; --format csv gives its tables.")
    return pictures


def _encoded(text: str) -> bytes:
    """UTF-8; half a surrogate pair, which a model's JSON can smuggle in, becomes a question mark."""
    return text.encode("utf-8", "replace")


def _place(wanted: str, out: Path | None, runs: Sequence[Path]) -> Path:
    if out is not None:
        return out
    folder = runs[0] if len(runs) == 1 else Path()
    return folder / (f"report-{wanted}" if wanted in _FOLDERS else f"report.{wanted}")


def _write(files: dict[str, bytes], place: Path, *, in_folder: bool) -> tuple[Path, ...]:
    """Write one file, or several into a folder; a reader finds the old one or the new one, never a part."""
    if in_folder and place.is_file():
        raise ReportError(f"{place} is a file; a folder is expected for {len(files)} files.")
    if not in_folder and place.is_dir():
        raise ReportError(f"{place} is a folder; give the name of a file to write the report to.")
    targets = [place / name if in_folder else place for name in files]
    try:
        for target, content in zip(targets, files.values(), strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f".{target.name}.new")
            beside.write_bytes(content)
            beside.replace(target)
    except OSError as error:
        raise ReportError(
            f"The report can't be written to {place} ({error.strerror}); name another place with -o."
        ) from error
    return tuple(targets)
