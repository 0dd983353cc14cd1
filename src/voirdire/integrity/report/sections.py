"""The report of audits, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.documents.document import Chart, Document, Section, folded, more
from voirdire.documents.document import document as make_document
from voirdire.documents.run_description import cost_section, provenance
from voirdire.integrity.items import Item
from voirdire.integrity.report.annotated_responses import audited_responses as responses_of
from voirdire.integrity.report.annotated_responses import readings_section, score_sum, scored_response
from voirdire.integrity.report.loader import ReportedRun, load_runs
from voirdire.integrity.report.panel import auditors_section, holistic_section
from voirdire.integrity.report.scores import deductions_section, guide_section, scores_section
from voirdire.integrity.report.verdict import conclusion, spread, verdict_section
from voirdire.integrity.scoring import IntegrityScore
from voirdire.text.counting import counted

_PROVENANCE = (
    ("instrument", "instrument"),
    ("auditors", "auditors"),
    ("responses", "items"),
    ("hash of the responses (SHA-256)", "responses_sha256"),
    ("hash of the facts (SHA-256)", "facts_sha256"),
    ("hash of the taxonomy (SHA-256)", "taxonomy_sha256"),
    ("two or more severe violations", "critical"),
    ("points for editorializing", "editorializing"),
    ("what is left out counts", "omissions"),
    ("prompts (SHA-256)", "prompts"),
    ("entailment model (SHA-256)", "entailment"),
    ("server", "base_url"),
)


def document(runs: Sequence[Path], jury: str | None = None) -> Document:
    """The report of an audit, or of several side by side; nothing is asked.

    Args:
        runs: folders.
        jury: not looked at; an audit has auditors, and no jury.

    Raises:
        RunFolderError: there is no run.
        IntegrityError: one is no audit.
    """
    loaded = load_runs(runs)
    sections = (
        verdict_section(loaded),
        scores_section(loaded),
        deductions_section(loaded),
        auditors_section(loaded),
        holistic_section(loaded),
        cost_section({run.name: run.path for run in loaded}),
        guide_section(loaded),
        readings_section(loaded),
    )
    return Document(
        f"Integrity: {loaded[0].name}" if len(loaded) == 1 else f"Integrity: {len(loaded)} audits",
        _subtitle(loaded),
        tuple(section for section in sections if section is not None),
        provenance({run.name: run.manifest for run in loaded}, _PROVENANCE),
        {"instrument": "integrity", "runs": [_as_dict(run) for run in loaded]},
    )


def responses_document(run: ReportedRun) -> Document:
    """Every response of an audit, with its deductions in place."""
    return make_document(responses_of(run.audits))


def summary_document(run: ReportedRun) -> Document:
    """What an audit says, in short."""
    runs = [run]
    sections = (
        Section("spread", "Scores in short", tuple(spread(run))) if run.scored else None,
        scores_section(runs),
        deductions_section(runs),
        auditors_section(runs),
        holistic_section(runs),
    )
    return make_document(
        *conclusion(run),
        more("By violation, by fact and by auditor"),
        *folded(_without_charts(section) for section in sections if section is not None),
    )


def where_shown(run: Path) -> str:
    """Where an audit is, and what shows all of it."""
    return f"The run is in {run}: voirdire show {run} --texts"


def scored_document(item: Item, score: IntegrityScore) -> Document:
    """A response whose violations were given, with its score."""
    return make_document(scored_response(item, score))


def _without_charts(section: Section) -> Section:
    return replace(section, blocks=tuple(block for block in section.blocks if not isinstance(block, Chart)))


def _subtitle(runs: Sequence[ReportedRun]) -> str:
    who = ", ".join(dict.fromkeys(name for run in runs for name in run.auditors))
    responses = sum(len(run.audits) for run in runs)
    return f"How are established facts treated? {counted(responses, 'response')}, audited by {who}"


def _as_dict(run: ReportedRun) -> dict[str, Any]:
    low, high = (None, None) if run.mean.interval is None else run.mean.interval[:2]
    return {
        "name": run.name,
        "path": str(run.path),
        "auditors": list(run.auditors),
        **run.summary.as_dict(),
        "mean_interval": [low, high],
        "cases": run.cases,
        "intervals_clustered_by_case": run.clustered,
        "scored": [
            {
                "id": each.item.id,
                "score": each.decision.consensus.score,
                "band": each.decision.consensus.band.name,
                "worked_out": score_sum(each.decision.consensus),
            }
            for each in run.scored
            if each.decision.consensus is not None
        ],
    }
