"""DDFT, described for the rest of the package."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from voirdire.data.manifests import sha256
from voirdire.data.parquet import write_parquet
from voirdire.data.table_values import typed
from voirdire.ddft.exported_tables import Tables as DialogueTables
from voirdire.ddft.exported_tables import build_tables, make_tables
from voirdire.ddft.folders import check_manifest
from voirdire.ddft.gate_figures import checked, scale
from voirdire.ddft.judging import juries_in
from voirdire.ddft.metric_labels import FIRST_FIGURES, FROM_0_TO_1, in_full
from voirdire.ddft.metric_table import metric_table
from voirdire.ddft.report.sections import document
from voirdire.ddft.results import load_run, progress_of
from voirdire.ddft.status import status_of
from voirdire.instruments import (
    TABULAR,
    CompareQuestion,
    Derived,
    Finding,
    Instrument,
    QuestionResult,
    SnapshotFile,
    Tables,
)
from voirdire.instruments.instrument import Frames, Overview, RunSummary, Writer
from voirdire.records import STANCES, FinishReason
from voirdire.runs import RunFolder
from voirdire.text.counting import capitalised

if TYPE_CHECKING:
    import pandas as pd

_CONCEPTS = "concepts"


def _build(folder: RunFolder) -> Frames:
    return {name: typed(frame) for name, frame in build_tables(folder.journal)._asdict().items()}


def _make(folder: RunFolder, into: Path, names: Collection[str]) -> None:
    make_tables(folder.journal, lambda name, pieces: write_parquet(into / f"{name}.parquet", pieces))


def _concept_snapshots(folder: RunFolder) -> Iterator[SnapshotFile]:
    for name, known in folder.manifest["concepts"].items():
        path = folder.path / _CONCEPTS / f"{known}.yaml"
        if known:
            yield SnapshotFile(f"concept {name}", known, sha256(path) if path.is_file() else None)


def _findings(folder: RunFolder) -> Iterator[Finding]:
    known = set(folder.manifest["concepts"].values())
    for path in sorted((folder.path / _CONCEPTS).glob("*.yaml")):
        if path.stem not in known:
            yield Finding(f"{_CONCEPTS}/{path.name}", "note", "the run was asked on no such concept")


def _metrics(path: Path, jury: str | None) -> Frames:
    with RunFolder.open(path, read_only=True) as folder:
        scores = build_tables(folder.journal).scores
    judged = bool((scores["jury"] == jury).any())
    return {"metrics": metric_table(load_run(path, jury) if judged else None)}


def _categories() -> Mapping[str, Collection[str]]:
    from voirdire.ddft.compression import METHODS
    from voirdire.ddft.interviewer import QuestionSource
    from voirdire.ddft.presets import TRAPS, JudgeReference, Turn5
    from voirdire.jury.settings import Granularity, NoClaimsRule, Simple

    return {
        "stance": STANCES,
        "trap": TRAPS,
        "finish_reason": get_args(FinishReason),
        "question_source": (*get_args(QuestionSource), "imported"),
        "compression": METHODS,
        "granularity": get_args(Granularity),
        "consensus": get_args(Simple),
        "no_claims": get_args(NoClaimsRule),
        "judge_reference": get_args(JudgeReference),
        "turn5": get_args(Turn5),
    }


def _results(path: Path, jury: str | None) -> Mapping[str, Any]:
    return load_run(path, jury).as_dict()


def _summary(path: Path, jury: str | None) -> RunSummary:
    from voirdire.ddft.report.show import result_document, turns_document

    result = load_run(path, jury, unjudged=True)
    return RunSummary(result.as_dict(), lambda: result_document(result), lambda: turns_document(result))


def _validate(path: Path, jury: str | None) -> QuestionResult:
    from voirdire.ddft.run_analyses import validate

    return validate(path, jury)


def _compare(paths: Sequence[Path], jury: str | None, question: CompareQuestion) -> QuestionResult:
    from voirdire.ddft.run_analyses import compare

    return compare(paths, jury, question)


def _reliability(path: Path, jury: str | None) -> QuestionResult:
    from voirdire.ddft.run_analyses import reliability

    return reliability(path, jury)


def _overview(path: Path, jury: str | None) -> Overview:
    from voirdire.ddft.report.overview import overview

    return overview(path, jury)


def _curves(path: Path, jury: str | None) -> pd.DataFrame:
    from voirdire.ddft.report.curves import curve_table

    return curve_table(load_run(path, jury, unjudged=True))


_TRAINING = Writer("voirdire.adapters.writers.training:export_runs", ("jury", "arm", "theta", "split"), several=True)

INSTRUMENT = Instrument(
    name="ddft",
    contents="a cross-examination",
    rating_task="ddft",
    tables=Tables(DialogueTables._fields, _build),
    files=tuple(f"{name}.parquet" for name in DialogueTables._fields),
    make=_make,
    snapshot=_concept_snapshots,
    hash_fields=(_CONCEPTS,),
    categories=_categories,
    check=check_manifest,
    findings=_findings,
    status=status_of,
    progress=progress_of,
    juries=lambda folder: juries_in(folder.journal),
    by_jury=("verdicts", "scores"),
    derived=Derived(("metrics",), _metrics),
    results=_results,
    load=load_run,
    summary=_summary,
    overview=_overview,
    curves=_curves,
    document=document,
    figures=checked,
    headline=(
        "ER",
        f"{capitalised(in_full('ER', FROM_0_TO_1))} is the geometric mean of four parts. n counts the turns it rests "
        "on.",
    ),
    validate=_validate,
    compare=_compare,
    reliability=_reliability,
    scale=scale,
    first_figures=FIRST_FIGURES,
    forms=(*TABULAR, "dpo", "sft", "inspect"),
    writers={"dpo": _TRAINING, "sft": _TRAINING},
    inspect_log="voirdire.adapters.inspect.export_ddft",
    rows={
        "turns": "a question to the model under test and its answer",
        "verdicts": "what one judge said of one turn: `far` (accuracy) and `sas` (form and relevance) in [0, 1], "
        "`stance`",
        "scores": "what the jury said together of one turn",
        "metrics": "a metric of a model under one jury: value, 95 % interval (`low`, `high`), what it rests on (`n`), "
        "why there is no value or no interval (`reason`), what must be said beside it (`cautions`)",
    },
    about="# A cross-examination\n\n"
    "Five-turn dialogues in which a language model is asked about a concept while the reference text is taken "
    "away (`level`, the share that is gone), and in which turn 4 names something fabricated (`trap_item`). It is a "
    "diagnosis of these models on these concepts, not a leaderboard.",
)
