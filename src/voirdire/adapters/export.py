"""`export_run`: a run given to other tools, as tables, a data set for the hub, training data or Inspect logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.export_files import (
    ARMS,
    CARD,
    TRAINING,
    Exported,
    ExportError,
    ExportPlan,
    Frames,
    card,
    check_free,
    new_folder,
    said_of,
    write_csv,
    write_data,
    write_jsonl,
    write_parquet,
)
from voirdire.adapters.loading import LoadedRun, load
from voirdire.data.manifests import hashes, made_by, write_manifest
from voirdire.ddft.folders import check_manifest
from voirdire.instruments import instrument_of
from voirdire.text.counting import counted

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


def export_tables(plan: ExportPlan, run: LoadedRun) -> Exported:
    """Write all tables of a run, a file each.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    frames = {name: _shown(name, run.table(name)) for name in run.tables}
    with new_folder(plan.out) as folder:
        notes = (*_other_juries(run), *_WRITERS[plan.target](frames, folder))
        manifest = {
            "made_by": made_by(),
            **said_of(plan.target, run.instrument, [run]),
            "rows": {name: len(frame) for name, frame in frames.items()},
            "notes": list(notes),
        }
        if plan.target == "huggingface":
            (folder / CARD).write_text(card(frames, run.instrument, manifest), encoding="utf-8")
        _, whole = write_manifest(folder, manifest)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    counts = ", ".join(f"{name} {counted(len(frame), 'row')}" for name, frame in frames.items())
    return Exported(plan.out, files, whole, (f"{counts}.", *_lacking(whole["runs"][0]["missing"])), notes)


def _shown(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop(columns=list(_WITHIN)) if name == "calls" else frame


def _other_juries(run: LoadedRun) -> tuple[str, ...]:
    others = [jury for jury in run.juries if jury != run.jury]
    if not others:
        return ()
    return (f"Verdicts and scores are those of the jury {run.jury}; --jury exports those of {', '.join(others)}.",)


def _lacking(counts: dict[str, Any]) -> tuple[str, ...]:
    there = [f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count]
    return (f"Missing: {', '.join(there)}.",) if there else ()


_LABELLED = ("sft", "released", "huggingface", "jsonl")
"""What labelled answers are exported to by the instrument itself, from runs and from data sets."""


def export_run(plan: ExportPlan) -> Exported:
    """Export one run, several runs (training data), or a labelled data set.

    Raises:
        ExportError: the target or an option does not fit, something stands at `out`, or there is nothing to export.
        RunFolderError, LoadError: there is no such run, or no such jury has judged it.
        CognibenchError: a labelled data set can't be read.
    """
    first = plan.runs[0]
    instrument = _instrument(first)
    if instrument is None:
        _check_data(first)
    targets = _LABELLED if instrument is None else instrument_of(instrument).forms
    what = "a labelled data set" if instrument is None else f"a run of {instrument}"
    if plan.target not in targets:
        raise ExportError(f"{first} is {what}: it can be exported to {', '.join(targets)}, not to {plan.target!r}.")
    _check_options(plan, instrument)
    if instrument == "ddft" and plan.target in TRAINING:
        return _training(plan)
    if len(plan.runs) > 1:
        raise ExportError(f"--to {plan.target} takes one run; {len(plan.runs)} were given.")
    if instrument is None or (instrument.startswith("cognibench") and plan.target in _LABELLED):
        return _labelled(plan, None if instrument is None else load(first))
    if plan.target == "inspect":
        return _inspect(plan, load(first, plan.jury))

    return export_tables(plan, load(first, plan.jury))


def _instrument(path: Path) -> str | None:
    """Of the run in a folder; `None` for what is no run: a data set, or nothing.

    Raises:
        RunFolderError, LoadError: its manifest is damaged.
    """
    if not (path / "run.json").is_file():
        return None
    run = load(path)
    if run.instrument == "ddft":
        check_manifest(path, run.manifest)  # tables alone would not show what it lacks
    return run.instrument


def _check_data(path: Path) -> None:
    """Make sure that what is no run is a data set, as far as its beginning tells.

    Raises:
        ExportError: it is neither.
    """
    if path.name == "run.json" and path.is_file():
        raise ExportError(f"{path} is a file of a run, neither a run nor a data set that is read; name {path.parent}.")
    from voirdire.cognibench.formats import iter_answers, layout_of
    from voirdire.cognibench.records import CognibenchError

    try:
        if layout_of(path) != "jsonl" or next(iter_answers(path), None) is not None:
            return
    except CognibenchError as error:
        raise ExportError(f"{path} is neither the folder of a run nor a data set that is read: {error}") from None
    raise ExportError(f"{path} is neither the folder of a run nor a data set that is read; it holds no answers.")


def _check_options(plan: ExportPlan, instrument: str | None) -> None:
    """An option that would change nothing is a mistake: say which, and what it is for."""
    training = instrument == "ddft" and plan.target in TRAINING
    labelled = instrument is None or (instrument.startswith("cognibench") and plan.target in _LABELLED)
    for name, given, fits, of in (
        ("--arm", plan.arm, training, "dpo and sft of ddft runs"),
        ("--theta", plan.theta, training, "dpo and sft of ddft runs"),
        ("--jury", plan.jury, instrument == "ddft", "ddft runs"),
        ("--split", plan.split, training or labelled, "training data and labelled answers"),
        ("--require", plan.require, labelled and plan.target == "sft", "sft of labelled answers"),
        ("--history", plan.history, labelled and plan.target == "sft", "sft of labelled answers"),
    ):
        if given is not None and not fits:
            raise ExportError(f"{name} is for {of}; it changes nothing here, so leave it out.")
    if plan.arm is not None and plan.arm not in ARMS:
        raise ExportError(f"There is no arm {plan.arm!r}; there are {', '.join(ARMS)}.")


def _training(plan: ExportPlan) -> Exported:
    from voirdire.adapters.training_export import export_training

    if len({path.resolve() for path in plan.runs}) < len(plan.runs):
        raise ExportError("A run is named more than once; name each run once.")
    runs = [load(path, plan.jury) for path in plan.runs]
    for run in runs:
        if run.instrument != "ddft":
            raise ExportError(f"Training data is made of ddft runs; {run.path} is one of {run.instrument}.")
    return export_training(plan, runs)


def _labelled(plan: ExportPlan, run: LoadedRun | None) -> Exported:
    """Labelled answers are written by the instrument; their manifest says of which run they are."""
    from voirdire.cognibench import exporting

    done = exporting.export_answers(
        exporting.ExportPlan(
            source=plan.runs[0],
            target=plan.target,
            out=plan.out,
            split=plan.split,
            seed=plan.seed,
            require=plan.require or "grounded",
            history=plan.history or "none",
        ),
        {} if run is None else said_of(plan.target, run.instrument, [run]),
    )
    return Exported(done.out, done.files, done.manifest, tuple(_counts(done.manifest)), done.notes)


def _counts(made: Mapping[str, Any]) -> list[str]:
    """How much of what, of labelled answers."""
    sizes = [
        (name, f"{counted(count, 'answer')} in {counted(made['groups'][name], 'group')}")
        for name, count in made["answers"].items()
    ]
    parts = sizes[0][1] if made["split"] is None else ", ".join(f"{name} {size}" for name, size in sizes)
    labels = ", ".join(f"{label} {count:,}" for label, count in made["labels"].items()) or "none"
    without = made["unlabelled"]
    unlabelled = f"; {counted(without, 'statement has', 'statements have')} no label" if without else ""
    return [f"{parts}.", f"Labels: {labels}{unlabelled}."]


def _inspect(plan: ExportPlan, run: LoadedRun) -> Exported:
    """An Inspect log, and a manifest beside it."""
    check_free(plan.out)
    try:
        from voirdire.adapters.inspect.export import write_eval
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "inspect_ai":
            raise
        raise ExportError("--to inspect needs Inspect: pip install 'voirdire[inspect]'.") from None
    write_eval(run.path, plan.out, run.jury)
    files = [plan.out] if plan.out.is_file() else [plan.out / name for name in hashes(plan.out)]
    place, manifest = write_manifest(plan.out, said_of(plan.target, run.instrument, [run]))
    return Exported(plan.out, (*files, place), manifest, (f"Logs for Inspect: inspect view --log-dir {plan.out}",))
