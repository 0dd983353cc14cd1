"""`voirdire detectors calibrate`."""

from __future__ import annotations

import json as json_module
from pathlib import Path

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import BATCH_SIZE, COLUMNS, DEVICE, HISTORY, NOT_ENTAILED, REQUIRE
from voirdire.cli._output import answer
from voirdire.cli._values import ALL, BASE_URL
from voirdire.cli.detectors import _options as options
from voirdire.cli.detectors._app import app
from voirdire.detectors.records import History, Require

_FIELDS = ("detector", "objective", "chosen", "cross_validated")
"""Of the JSON of a calibration: what an earlier one is known by."""


@app.command(epilog="Example: voirdire detectors calibrate lexical --data labelled.jsonl --objective precision=0.9")
@common_options("data", "columns", "objective", "probabilities", "out", "json")
def calibrate(
    detector: str = typer.Argument(..., help="KIND or KIND:MODEL; see voirdire detectors list.", metavar="DETECTOR"),
    data: Path = options.DATA,
    columns: str | None = COLUMNS,
    objective: str = typer.Option("f1", help="f1, precision=0.9 or recall=0.9.", metavar="WHAT"),
    probabilities: str = typer.Option(
        "none", help="Also map scores to probabilities: none, isotonic or platt.", metavar="HOW"
    ),
    require: Require = REQUIRE,
    history: History = HISTORY,
    not_entailed: bool = NOT_ENTAILED,
    device: str = DEVICE,
    batch_size: int = BATCH_SIZE,
    base_url: str | None = BASE_URL,
    seed: int = options.SEED,
    out: Path | None = typer.Option(None, "-o", "--out", help="Where to write: a file for the JSON.", metavar="FILE"),
    all: bool = ALL,
    json: bool = options.JSON,
) -> None:
    """Choose a detector's threshold on your own labelled answers, and say how well it does on further ones.

    Give the threshold to `--threshold` where the detector is used.
    """
    from voirdire.cognibench.formats import BadEntriesError, read_data
    from voirdire.cognibench.formats.other_tools import named_columns
    from voirdire.cognibench.records import CognibenchError
    from voirdire.data.paths import check_folder_of
    from voirdire.detectors import DetectorOptions, open_detector
    from voirdire.detectors.calibration import parse_objective
    from voirdire.detectors.report import calibration_document
    from voirdire.detectors.training.calibrating import calibrate_detector
    from voirdire.reports.destination import PlaceError, check_json, check_unread

    if out is not None:
        check_unread(out, [data])
        check_folder_of(out, PlaceError)
        check_json(out, _FIELDS)
    aim = parse_objective(objective)
    asked = DetectorOptions(
        device=device,
        batch_size=batch_size,
        not_entailed=not_entailed,
        require=require,
        base_url=base_url,
        seed=seed,
    )
    try:
        labelled = read_data(data, columns=None if columns is None else dict(named_columns(columns)))
    except BadEntriesError as error:
        raise CognibenchError(error.with_names) from None
    result = calibrate_detector(
        open_detector(detector, asked),
        labelled.answers,
        aim,
        probabilities=probabilities,
        require=require,
        history=history,
        seed=seed,
    )
    result["remarks"] = [*labelled.cautions, *result["remarks"]]
    if out is not None:
        out.write_text(json_module.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    answer(result, lambda: calibration_document(result), as_json=json, details=all)
