"""What a run keeps of what it was asked: the files that were audited, and their hashes in run.json."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from voirdire.integrity.items import ItemsFile
from voirdire.integrity.llm_auditor import audit_hashes
from voirdire.integrity.panel import Scoring
from voirdire.integrity.plan import INSTRUMENT, AuditPlan
from voirdire.integrity.records import IntegrityError
from voirdire.runs import RunFolder
from voirdire.runs.untrusted import snapshot_path

ENTAILMENT = "entailment"
"""The field of run.json that names the entailment model; runs of before it was there lack it."""


def manifest_of(plan: AuditPlan, checked: ItemsFile, scoring: Scoring, entailment: str | None = None) -> dict[str, Any]:
    """What run.json says of an audit.

    Args:
        plan: what and how.
        checked: the responses.
        scoring: the taxonomy and the options.
        entailment: SHA-256 of the weights of the entailment model that the rules ask; `None` for none.
    """
    return {
        "instrument": INSTRUMENT,
        "auditors": list(plan.auditors),
        "responses": _snapshot_name(plan.responses, "responses"),
        "responses_sha256": checked.sha256,
        "items": checked.items,
        "facts": _snapshot_name(plan.facts, "facts"),
        "facts_sha256": None if plan.facts is None else hashlib.sha256(plan.facts.read_bytes()).hexdigest(),
        "taxonomy": _snapshot_name(plan.taxonomy, "taxonomy"),
        "taxonomy_sha256": scoring.taxonomy.sha256,
        "critical": plan.critical,
        "editorializing": plan.editorializing,
        "omissions": plan.omissions,
        "base_url": plan.base_url,
        "prompts": audit_hashes(),
        "exact": plan.exact,
        ENTAILMENT: entailment,
    }


def save_snapshot(folder: RunFolder, plan: AuditPlan) -> None:
    """Keep what was audited with the run, so that it can be read when the user's files have changed."""
    for source, name in (
        (plan.responses, _snapshot_name(plan.responses, "responses")),
        (plan.facts, _snapshot_name(plan.facts, "facts")),
        (plan.taxonomy, _snapshot_name(plan.taxonomy, "taxonomy")),
    ):
        if source is not None and name is not None and not (folder.path / name).exists():
            shutil.copyfile(source, folder.path / name)


def _snapshot_name(source: Path | None, name: str) -> str | None:
    return None if source is None else f"{name}{source.suffix}"


def saved_plan(folder: RunFolder) -> AuditPlan:
    """What a run was asked, with the files that it keeps.

    Raises:
        IntegrityError: the run is of another instrument, or its run.json lacks something.
    """
    manifest = folder.manifest
    if manifest.get("instrument") != INSTRUMENT:
        raise IntegrityError(f"The run in {folder.path} is one of {manifest.get('instrument')}, not of {INSTRUMENT}.")
    try:
        return AuditPlan(
            responses=snapshot_path(folder.path, manifest["responses"]),
            auditors=tuple(manifest["auditors"]),
            facts=None if manifest["facts"] is None else snapshot_path(folder.path, manifest["facts"]),
            taxonomy=None if manifest["taxonomy"] is None else snapshot_path(folder.path, manifest["taxonomy"]),
            critical=manifest["critical"],
            editorializing=manifest["editorializing"],
            omissions=manifest.get("omissions", True),
            base_url=manifest["base_url"],
        )
    except KeyError as error:
        raise IntegrityError(
            f"The run in {folder.path} holds no audits of responses: its run.json does not say {error}."
        ) from None
