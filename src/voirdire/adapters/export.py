"""`export_run`: a run given to other tools, as tables, a data set for the hub, training data or Inspect logs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from voirdire.adapters.export_files import (
    ARMS,
    CARD,
    ExportError,
    ExportPlan,
    Frames,
    RunExport,
    card,
    check_free,
    manifest_content,
    new_folder,
    write_csv,
    write_data,
    write_jsonl,
    write_parquet,
)
from voirdire.adapters.loading import LoadedRun, load
from voirdire.data.json_values import as_plain
from voirdire.data.manifests import hashes, made_by, manifest_of, manifest_place, write_manifest
from voirdire.data.paths import why_unwritable
from voirdire.errors import not_installed
from voirdire.instruments import Instrument, NoDataError, instrument_of, instrument_of_data, instruments
from voirdire.text.counting import counted, listed, named_twice

if TYPE_CHECKING:
    import pandas as pd


_WRITERS: dict[str, Callable[[Frames, Path], list[str]]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "jsonl": write_jsonl,
    "huggingface": write_data,
}
_WITHIN = ("endpoint", "error_text")
"""Columns of `calls` that name servers: they stay at home, as addresses do in manifests."""


def export_tables(plan: ExportPlan, run: LoadedRun) -> RunExport:
    """Write all tables of a run, a file each.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    frames = {name: _table_to_export(name, run.table(name)) for name in run.tables}
    with new_folder(plan.out) as folder:
        notes = (*_other_juries(run), *_WRITERS[plan.target](frames, folder))
        manifest = {
            "made_by": made_by(),
            **manifest_content(plan.target, run.instrument, [run]),
            "rows": {name: len(frame) for name, frame in frames.items()},
            "notes": list(notes),
        }
        if plan.target == "huggingface":
            (folder / CARD).write_text(card(frames, run.instrument, manifest), encoding="utf-8")
        _, whole = write_manifest(folder, manifest)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    counts = ", ".join(f"{name} {counted(len(frame), 'row')}" for name, frame in frames.items())
    return RunExport(plan.out, files, whole, (f"{counts}.", *_missing_note(whole["runs"][0]["missing"])), notes)


def _table_to_export(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(columns=list(_WITHIN)) if name == "calls" else frame


def _other_juries(run: LoadedRun) -> tuple[str, ...]:
    others = [jury for jury in run.juries if jury != run.jury]
    if not others:
        return ()
    return (f"Verdicts and scores are those of the jury {run.jury}; --jury chooses: {', '.join(others)}.",)


def _missing_note(counts: dict[str, Any]) -> tuple[str, ...]:
    there = [f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count]
    return (f"Missing: {', '.join(there)}.",) if there else ()


def export_run(plan: ExportPlan) -> RunExport:
    """Export one run, several runs (training data), or a labelled data set.

    The same export made again, as by a notebook's cell that is run twice, leaves what is there as it is.

    Raises:
        ExportError: the target or an option does not fit, something else stands at `out`, or there is nothing to
            export.
        RunFolderError, LoadError, JuryError: there is no such run, or no such jury has judged it.
        InputError: a labelled data set can't be read.
    """
    earlier = manifest_of(plan.out) if plan.out.exists() else None
    if earlier is None or earlier.place != manifest_place(plan.out.resolve()):
        return _export(plan)
    try:
        with TemporaryDirectory(prefix=f".{plan.out.name}.", dir=plan.out.resolve().parent) as beside:
            again = _export(replace(plan, out=Path(beside) / plan.out.resolve().name))
    except OSError as error:
        raise ExportError(f"{plan.out} can't be written: {why_unwritable(error, plan.out)}.") from error
    same = _compared(again.manifest, plan.target) == _compared(earlier.content, plan.target)
    if not same or hashes(plan.out) != earlier.written:
        raise ExportError(
            f"{plan.out} holds another export, or this one with changes: remove it, or choose another place to "
            "export to."
        )
    files = (*(earlier.folder / name for name in earlier.written), earlier.place)
    return replace(
        again, out=plan.out, files=tuple(sorted(files)), summary=("This export already exists, and stays as it is.",)
    )


def _compared(manifest: Mapping[str, Any], target: str) -> Any:
    """What two exports of the same have in common: in Inspect's logs every message has a random id."""
    plain = as_plain(manifest)
    return plain | {"written": sorted(plain["written"])} if target == "inspect" else plain


def _export(plan: ExportPlan) -> RunExport:
    first = plan.runs[0]
    described = _instrument_at(first)
    if described is None:
        reader = _reader(first)
        name, what, writers = reader.name, reader.data.what if reader.data else "", reader.writers
        targets = tuple(writers)
    else:
        name, what, writers = described.name, f"a run of {described.name}", described.writers
        targets = described.forms
    if plan.target not in targets:
        raise ExportError(f"{first} is {what}: it can be exported to {', '.join(targets)}, not to {plan.target!r}.")
    writer = writers.get(plan.target)
    tables = ("jury",) if described is not None and described.by_jury else ()
    _check_options(plan, tables if writer is None else writer.options)
    if len(plan.runs) > 1:
        _check_runs(plan, name, several=writer is not None and writer.several)
    if writer is not None:
        write: Callable[[ExportPlan], RunExport] = resolve_name(writer.function)
        return write(plan)
    if plan.target == "inspect":
        return _inspect(plan, load(first, plan.jury))
    return export_tables(plan, load(first, plan.jury))


def _instrument_at(path: Path) -> Instrument | None:
    """The instrument of the run in a folder; `None` for what is no run: a data set, or nothing.

    Raises:
        RunFolderError, LoadError: its manifest is damaged.
    """
    if not (path / "run.json").is_file():
        return None
    run = load(path)
    described = instrument_of(run.instrument)
    described.check(path, run.manifest)  # tables alone would not show what it lacks
    return described


def _reader(path: Path) -> Instrument:
    """The instrument whose data are at a path that is no run.

    Raises:
        ExportError: they are of none.
    """
    if path.name == "run.json" and path.is_file():
        raise ExportError(f"{path} is a file of a run, neither a run nor a data set that is read; name {path.parent}.")
    try:
        return instrument_of_data(path)
    except NoDataError as error:
        raise ExportError(str(error)) from None


_OPTIONS = ("jury", "arm", "theta", "split", "require", "history")


def _check_options(plan: ExportPlan, fitting: Collection[str]) -> None:
    """An option that would change nothing is a mistake: say which, and what it is for."""
    for option in _OPTIONS:
        if getattr(plan, option) is not None and option not in fitting:
            raise ExportError(f"--{option} is for {_purpose(option)}; it changes nothing here, so leave it out.")
    if plan.arm is not None and plan.arm not in ARMS:
        raise ExportError(f"There is no arm {plan.arm!r}; there are {', '.join(ARMS)}.")


def _purpose(option: str) -> str:
    """What an option is for: forms of export, and the runs that have them."""
    uses = []
    for described in instruments():
        forms = [form for form, writer in described.writers.items() if option in writer.options]
        if option == "jury" and described.by_jury:
            uses.append(f"{described.name} runs")
        elif forms:
            data = " and labelled data sets" if described.data else ""
            uses.append(f"{listed(forms)} of {described.name} runs{data}")
    return "; ".join(uses)


def _check_runs(plan: ExportPlan, instrument: str, *, several: bool) -> None:
    """Make sure that these runs can be written as one."""
    if not several:
        raise ExportError(f"--to {plan.target} takes one run; {len(plan.runs)} were given.")
    if (twice := named_twice(plan.runs, Path.resolve)) is not None:
        raise ExportError(f"The run {twice} is named more than once; name each run once.")
    for path in plan.runs[1:]:
        other = load(path).instrument
        if other != instrument:
            raise ExportError(f"--to {plan.target} is made of {instrument} runs; {path} is one of {other}.")


def _inspect(plan: ExportPlan, run: LoadedRun) -> RunExport:
    """An Inspect log, and a manifest beside it."""
    check_free(plan.out)
    try:
        from voirdire.adapters.inspect.export import write_eval
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "inspect_ai":
            raise
        raise ExportError(not_installed("--to inspect", "inspect-ai", "inspect")) from None
    write_eval(run.path, plan.out, run.jury)
    files = [plan.out] if plan.out.is_file() else [plan.out / name for name in hashes(plan.out)]
    place, manifest = write_manifest(plan.out, manifest_content(plan.target, run.instrument, [run]))
    return RunExport(plan.out, (*files, place), manifest, (f"Logs for Inspect: inspect view --log-dir {plan.out}",))
