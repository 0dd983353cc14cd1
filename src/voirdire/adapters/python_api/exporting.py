"""`voirdire.export`: a run's results, or labelled answers, for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import Arm, ExportError, ExportPlan, RunExport, exported_document
from voirdire.adapters.python_api.questions import columns_of
from voirdire.adapters.python_api.results import Shown, runs_of
from voirdire.data.bounds import MAX_COUNT, check_bounds
from voirdire.data.paths import AnyPath, as_path
from voirdire.detectors.records import HISTORIES, REQUIREMENTS, History, Require
from voirdire.documents.document import Document
from voirdire.text.suggestion import suggestion


@dataclass(frozen=True, repr=False)
class ExportResult(Shown):
    """What was written. See `export`."""

    export: RunExport
    """Place, files, manifest and notes, as records."""

    @property
    def out(self) -> Path:
        """Where it is: the file, or the folder."""
        return self.export.out

    @property
    def files(self) -> list[Path]:
        """Every file that was written, the manifest among them."""
        return list(self.export.files)

    @property
    def headline(self) -> str:
        """How much was written, where, and what to know of it."""
        return " ".join([*self.export.summary, f"Written: {self.out}.", *self.export.notes])

    def document(self) -> Document:
        """How much of what was written, and every file, as `voirdire export` prints it."""
        return exported_document(self.export)

    def values(self) -> dict[str, Any]:
        """As `voirdire export --json`."""
        return self.export.as_dict()


def export(
    runs: AnyPath | Sequence[AnyPath],
    to: str,
    out: AnyPath,
    *,
    jury: str | Sequence[str] | None = None,
    arm: Arm | None = None,
    theta: float | None = None,
    split: float | None = None,
    seed: int = 0,
    require: Require | None = None,
    history: History | None = None,
    map: Mapping[str, str] | str | None = None,
) -> ExportResult:
    """Export a run, or labelled answers, as tables, a data set for the hub, training data or an Inspect log.

    A manifest beside it has the SHA-256 of every file. Nothing that is there is written over.

    Args:
        runs: a run's folder, a loaded run or a labelled data set; "dpo" and "sft" take several runs.
        to: the format: "parquet", "csv", "jsonl", "huggingface", "dpo", "sft" or "inspect"; of labelled answers also
            "released", of results of an evaluation "every-eval-ever".
        out: where to write: nothing may be there yet, or only the same export, which then stays as it is.
        jury: under which to read a run, by its judges' names or its id; the one it was loaded or run with by default.
        arm: of "dpo" and "sft" of dialogues: "verification", "knowledge" or "both", the default.
        theta: of the knowledge arm: FAR in [0, 1] from which an answer is accurate; 0.7 by default.
        split: share in (0, 1) of the concepts (of labelled answers: of the groups) that goes to train; the rest is
            test.
        seed: of the split, and of what is drawn.
        require: of labelled answers: "rational", "grounded" or "irrefutable"; for "sft" "grounded" by default.
        history: of labelled answers: "none", "user" or "all"; for "sft" "none" by default.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        ExportError: the format or an option does not fit, something else is at `out`, or there is nothing to export.
        RunFolderError, JuryError: there is no run in the folder, or no such jury has judged it.
        UsageError: the runs were loaded with different juries, and none is named.

    Example:
        >>> import voirdire as vd
        >>> vd.export("runs/first", to="parquet", out="tables").files  # doctest: +SKIP
    """
    check_bounds("theta", theta, 0, 1, ExportError)
    check_bounds("seed", seed, 0, MAX_COUNT, ExportError, whole=True)
    for name, value, known in (("require", require, REQUIREMENTS), ("history", history, HISTORIES)):
        if value is not None and value not in known:
            raise ExportError(f"{name}: {value!r} is not known; {suggestion(str(value), known)}")
    folders, chosen = runs_of(runs, jury)
    if not folders:
        raise ExportError("No run was given; name one.")
    plan = ExportPlan(
        runs=tuple(folders),
        target=to,
        out=as_path(out),
        jury=chosen,
        split=split,
        seed=seed,
        require=require,
        history=history,
        arm=arm,
        theta=theta,
    )
    with columns_of(map, folders):
        return ExportResult(export_run(plan))
