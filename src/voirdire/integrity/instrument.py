"""Integrity audits, described for the rest of the package."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import get_args

from voirdire.data.manifests import sha256
from voirdire.instruments import TABULAR, Instrument, SnapshotFile, Tables
from voirdire.instruments.instrument import RunSummary
from voirdire.integrity.exported_tables import TABLES, audit_frames
from voirdire.integrity.gate_figures import run_figures, scale
from voirdire.integrity.plan import INSTRUMENT as NAME
from voirdire.integrity.report import document
from voirdire.integrity.status import progress_of, status_of
from voirdire.runs import RunFolder, write_frames


def _make(folder: RunFolder, into: Path, tables: Collection[str]) -> None:
    if tables:
        write_frames(audit_frames(folder.path), into)


def _snapshot_files(folder: RunFolder) -> Iterator[SnapshotFile]:
    manifest = folder.manifest
    for name, digest in (("responses", sha256), ("facts", sha256), ("taxonomy", _text_sha256)):
        if manifest.get(name) is not None:
            path = folder.path / str(manifest[name])
            yield SnapshotFile(path.name, manifest.get(f"{name}_sha256"), digest(path) if path.is_file() else None)


def _text_sha256(path: Path) -> str:
    """A taxonomy's hash is that of its text, whatever its lines end in."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


def _categories() -> Mapping[str, Collection[str]]:
    from voirdire.integrity.auditing import RULES
    from voirdire.integrity.records import Severity, Side
    from voirdire.integrity.rules.coverage import Status
    from voirdire.integrity.scoring import Critical
    from voirdire.integrity.taxonomy import load_taxonomy

    return {
        "type": load_taxonomy().types,
        "severity": get_args(Severity),
        "side": get_args(Side),
        "status": get_args(Status),
        "critical": get_args(Critical),
        "audit": (RULES,),  # the kind of a note
        "source": (RULES,),
        "auditor": (RULES,),
        "auditors": (RULES,),
    }


def _summary(path: Path, _: str | None) -> RunSummary:
    from voirdire.integrity.report.loader import load_runs
    from voirdire.integrity.report.sections import responses_document, summary_document
    from voirdire.integrity.summary import summarise

    (audit,) = load_runs([path])
    data = summarise(audit.audits, audit.taxonomy).as_dict()
    return RunSummary(data, lambda: summary_document(audit), lambda: responses_document(audit))


INSTRUMENT = Instrument(
    name=NAME,
    contents="an audit of responses",
    rating_task="integrity",
    tables=Tables(TABLES, lambda folder: audit_frames(folder.path)),
    optional=tuple(f"{name}.parquet" for name in TABLES),  # of runs that were held in shards
    make=_make,
    snapshot=_snapshot_files,
    text_fields=("responses", "facts", "taxonomy"),
    categories=_categories,
    status=lambda folder, _: status_of(folder),
    progress=progress_of,
    summary=_summary,
    document=document,
    figures=run_figures,
    headline=(
        "mean_score",
        "mean_score is the mean score of the n responses: 100, less what each violation costs.",
    ),
    scale=scale,
    forms=(*TABULAR, "inspect"),
    inspect_log="voirdire.adapters.inspect.export_integrity",
    rows={
        "responses": "a response and its score: 100, less what each violation costs",
        "violations": "a violation in a response: type, sentence, quoted span, the fact concerned, what it costs",
        "audits": "what one auditor made of one response",
    },
    about="# Responses, scored by deductions\n\n"
    "How responses treat established facts: stated, blurred, doubted, denied, invented. Where `provisional` "
    "is true only rules have looked, and there is no score.",
)
