"""From responses to a run folder with audits in it: what the command line calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from voirdire.integrity.auditing import RULES, Audit
from voirdire.integrity.auditors import (
    Auditor,
    check_auditors,
    installed_entailment,
    open_auditors,
    worker_processes,
)
from voirdire.integrity.facts import read_facts
from voirdire.integrity.items import Item, ItemsFile, check_items, read_items
from voirdire.integrity.plan import AuditPlan
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.results import audit_body, audit_kind
from voirdire.integrity.snapshot import ENTAILMENT, manifest_of, save_snapshot
from voirdire.integrity.status import audited_by, unfinished
from voirdire.integrity.unanswered import unanswered_reason
from voirdire.runs import (
    DEFAULTS,
    Journal,
    Progress,
    RunOptions,
    open_run,
    options_for,
    run_workers,
    unit_span,
)
from voirdire.runs.untrusted import read_manifest

_MANIFEST = "run.json"
_RULES_AT_ONCE = 32
"""Responses on their way through the worker processes; bounds memory."""


def check_plan(plan: AuditPlan) -> ItemsFile:
    """Read all responses once, before anything is spent on them.

    Raises:
        IntegrityError: they, or the facts, can't be used.
    """
    return check_items(plan.responses, read_facts(plan.facts) if plan.facts is not None else [])


async def audit_responses(
    plan: AuditPlan,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    checked: ItemsFile | None = None,
    processes: bool = True,
) -> str | None:
    """Audit responses in a run folder, or go on with the one that is there. What was audited is not audited again.

    Args:
        plan: what and how.
        path: of the run folder.
        options: what may be spent, how fast, who is told of every response.
        checked: what `check_plan` found, if it has been called.
        processes: whether the rules may start processes of their own, one a core.

    Returns:
        `None` when everything is audited, else why it stopped; the same call goes on.

    Raises:
        IntegrityError, SpecError, RunFolderError, BudgetError: before anything is asked.
    """
    facts = read_facts(plan.facts) if plan.facts is not None else []
    checked = checked or check_plan(plan)
    scoring = plan.scoring
    entailment = _entailment(plan, path)
    models = {spec: options_for(spec, plan.base_url, exact=plan.exact) for spec in check_auditors(plan.auditors)}
    async with open_run(
        path,
        manifest_of(plan, checked, scoring, entailment),
        models,
        options=options,
    ) as (folder, runner):
        save_snapshot(folder, plan)
        with worker_processes(checked.items if processes else 0) as workers:
            panel = open_auditors(plan.auditors, runner, workers, scoring.taxonomy, entailment=entailment is not None)
            queue = _todo(plan, facts, folder.journal, options.progress)
            work = [
                _work(queue, panel, folder.journal, options.progress)
                for _ in range(options.connections if models else _RULES_AT_ONCE)
            ]
            stopped = await run_workers(work, runner)
        return stopped or unfinished(folder.journal, plan.auditors, checked.items)


def _entailment(plan: AuditPlan, path: Path) -> str | None:
    """The entailment model that the rules ask: the one that is installed, unless the run was begun without one."""
    manifest = path / _MANIFEST
    begun_without = manifest.exists() and read_manifest(manifest).get(ENTAILMENT) is None
    return None if begun_without or RULES not in plan.auditors else installed_entailment()


def new_run_path(plan: AuditPlan) -> Path:
    """A folder for an audit whose user named none: `runs/`, the responses' file and the time."""
    return Path("runs") / f"{plan.responses.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def _todo(plan: AuditPlan, facts: Sequence[EstablishedFact], journal: Journal, progress: Progress) -> Iterator[Item]:
    """The responses that lack an audit; a call that failed is made again, a reply stands."""
    done = {name: audited_by(journal, name) for name in plan.auditors}
    for item in read_items(plan.responses, facts):
        if all(item.id in ids for ids in done.values()):
            progress.dialogue_done()
        else:
            yield item


async def _work(queue: Iterator[Item], panel: Sequence[Auditor], journal: Journal, progress: Progress) -> None:
    for item in queue:
        with unit_span("response", item.id):
            for audit in await _audits(item, panel):
                await journal.note(item.id, 0, audit_kind(audit.auditor), audit_body(audit))
        progress.dialogue_done()


async def _audits(item: Item, panel: Sequence[Auditor]) -> list[Audit]:
    """Of each auditor; nobody is asked about a response that says nothing to judge."""
    if unanswered_reason(item.response, item.facts) is not None:
        return [Audit(auditor.name) for auditor in panel]
    return await asyncio.gather(*(auditor.audit(item) for auditor in panel))
