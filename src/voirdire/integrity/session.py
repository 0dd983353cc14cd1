"""From responses to a run folder with audits in it: what the command line calls."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from voirdire.integrity.auditing import Audit, Void
from voirdire.integrity.auditors import RULES, Auditor, check_auditors, seat_auditors, worker_processes
from voirdire.integrity.facts import read_facts
from voirdire.integrity.hearing import Hearing, hear
from voirdire.integrity.items import Checked, Item, check_items, read_items
from voirdire.integrity.llm_auditor import audit_hashes
from voirdire.integrity.panel import Decision, Scoring, decide
from voirdire.integrity.records import EstablishedFact, IntegrityError, Violation
from voirdire.integrity.taxonomy import Taxonomy, load_taxonomy
from voirdire.run import (
    HOSTED_CONNECTIONS,
    HOSTED_TIMEOUT,
    Budget,
    Journal,
    NullProgress,
    Progress,
    RunFolder,
    held_run,
    options_for,
    run_workers,
    unit_span,
)
from voirdire.run.foreign import kept_path


def audit_kind(auditor: str) -> str:
    """The kind of the note that holds an auditor's findings on a response."""
    return f"audit/{auditor}"


INSTRUMENT = "integrity"
_SILENT = NullProgress()
_RULES_AT_ONCE = 32
"""Responses on their way through the worker processes; bounds memory."""


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What is to be audited, by whom, and how it is scored."""

    responses: Path
    auditors: tuple[str, ...] = (RULES,)
    facts: Path | None = None
    """For responses that bring no facts of their own."""
    taxonomy: Path | None = None
    critical: str = "sum"
    editorializing: int = 0
    base_url: str | None = field(default=None, repr=False)
    exact: bool = False
    """Local auditors repeat their replies exactly."""

    @property
    def scoring(self) -> Scoring:
        """The taxonomy and the options.

        Raises:
            IntegrityError: the taxonomy can't be read, or an option is not one.
        """
        if self.critical not in ("sum", "cap29"):
            raise IntegrityError(f"critical is 'sum' or 'cap29'; {self.critical!r} was given.")
        taxonomy = load_taxonomy(self.taxonomy).with_editorializing(self.editorializing)
        return Scoring(taxonomy, self.critical, self.editorializing)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Audited:
    """One response and what was decided on it."""

    item: Item
    decision: Decision

    @property
    def provisional(self) -> bool:
        """Whether only rules have judged: they suggest, they never convict."""
        return all(audit.auditor == RULES for audit in self.decision.audits)

    @cached_property
    def hearing(self) -> Hearing:
        """What the response says to its auditors, and who took it over; of rules alone, nothing is looked for."""
        models = [audit for audit in self.decision.audits if audit.auditor != RULES]
        return hear(self.item.response or "", models) if models else Hearing()

    def as_dict(self) -> dict[str, Any]:
        """One line of output."""
        decision, consensus = self.decision, self.decision.consensus
        scored = {} if consensus is None else consensus.as_dict()
        coverage = decision.audits[0].coverage if len(decision.audits) == 1 else ()
        return {
            "id": self.item.id,
            "score": None if consensus is None else consensus.score,
            "band": None if consensus is None else consensus.band.name,
            "provisional": self.provisional,
            "unscored": decision.unscored,
            "violations": scored.pop("violations", []),
            "coverage": [dict(each) for each in coverage],
            "holistic": self.item.holistic,
            "detail": {name: value for name, value in scored.items() if name not in ("score", "band")},
            "median_score": decision.median,
            "auditors": decision.as_dict()["auditors"],
            "hearing": self.hearing.as_dict(),
        }


def check_plan(plan: AuditPlan) -> Checked:
    """Read all responses once, before anything is spent on them.

    Raises:
        IntegrityError: they, or the facts, can't be used.
    """
    return check_items(plan.responses, read_facts(plan.facts) if plan.facts is not None else [])


async def audit_responses(
    plan: AuditPlan,
    path: Path,
    *,
    budget: Budget | None = None,
    progress: Progress = _SILENT,
    connections: int = HOSTED_CONNECTIONS,
    timeout: float = HOSTED_TIMEOUT,
    checked: Checked | None = None,
    processes: bool = True,
) -> str | None:
    """Audit responses in a run folder, or go on with the one that is there. What was audited is not audited again.

    Args:
        plan: what and how.
        path: of the run folder.
        budget: what may be spent.
        progress: told of every response done.
        connections: calls at once per hosted model.
        timeout: seconds an attempt may take.
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
    taken = {spec: options_for(spec, plan.base_url, exact=plan.exact) for spec in check_auditors(plan.auditors)}
    async with held_run(
        path,
        _manifest(plan, checked, scoring),
        taken,
        budget=budget,
        progress=progress,
        connections=connections,
        timeout=timeout,
    ) as (folder, runner):
        _keep(folder, plan)
        with worker_processes(checked.items if processes else 0) as workers:
            panel = seat_auditors(plan.auditors, runner, workers, scoring.taxonomy)
            queue = _todo(plan, facts, folder.journal, progress)
            at_once = connections if taken else _RULES_AT_ONCE
            stopped = await run_workers([_work(queue, panel, folder.journal, progress) for _ in range(at_once)], runner)
        return stopped or unfinished(folder.journal, plan.auditors, checked.items)


def new_run_path(plan: AuditPlan) -> Path:
    """A folder for an audit whose user named none: `runs/`, the responses' file and the time."""
    return Path("runs") / f"{plan.responses.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def open_audits(path: Path) -> tuple[Taxonomy, Iterator[Audited]]:
    """The taxonomy of a run, and its responses as `read_audits` gives them."""
    with RunFolder.open(path, read_only=True) as folder:
        taxonomy = _kept_plan(folder).scoring.taxonomy
    return taxonomy, read_audits(path)


def read_audits(path: Path) -> Iterator[Audited]:
    """Every response of a run that all its auditors have audited, in the order of the file; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        IntegrityError: the run is of another instrument.
    """
    with RunFolder.open(path, read_only=True) as folder:
        plan = _kept_plan(folder)
        scoring = plan.scoring
        for item in read_items(plan.responses, read_facts(plan.facts) if plan.facts is not None else []):
            bodies = [folder.journal.note_of(item.id, 0, audit_kind(name)) for name in plan.auditors]
            if all(body is not None for body in bodies):
                yield Audited(item, decide([_audit(body) for body in bodies], item.facts, item.response, scoring))


def _todo(plan: AuditPlan, facts: Sequence[EstablishedFact], journal: Journal, progress: Progress) -> Iterator[Item]:
    """The responses that lack an audit; one that failed is asked for again."""
    done = {name: _done(journal, name) for name in plan.auditors}
    for item in read_items(plan.responses, facts):
        if all(item.id in ids for ids in done.values()):
            progress.dialogue_done()
        else:
            yield item


def _done(journal: Journal, auditor: str) -> set[str]:
    kind = audit_kind(auditor)
    return {note.dialogue for note in journal.notes((kind,)) if note.body["missing"] is None}


def unfinished(journal: Journal, auditors: Sequence[str], items: int) -> str | None:
    """Of which responses audits are missing, if any, in a sentence.

    Args:
        journal: of the run.
        auditors: all of them.
        items: how many responses there are.
    """
    lacking = {name: items - len(_done(journal, name)) for name in auditors}
    parts = [f"{name} gave no audit of {count:,} responses" for name, count in lacking.items() if count]
    return f"{'; '.join(parts)}; the same command asks again." if parts else None


async def _work(queue: Iterator[Item], panel: Sequence[Auditor], journal: Journal, progress: Progress) -> None:
    for item in queue:
        with unit_span("response", item.id):
            for audit in await asyncio.gather(*(auditor.audit(item) for auditor in panel)):
                await journal.note(item.id, 0, audit_kind(audit.auditor), _body(audit))
        progress.dialogue_done()


def _body(audit: Audit) -> dict[str, Any]:
    return {
        "auditor": audit.auditor,
        "violations": [asdict(violation) for violation in audit.violations],
        "voided": [{"finding": dict(void.finding), "why": void.why} for void in audit.voided],
        "coverage": [dict(each) for each in audit.coverage],
        "missing": audit.missing,
        "repairs": audit.repairs,
    }


def _audit(body: Mapping[str, Any]) -> Audit:
    return Audit(
        body["auditor"],
        tuple(Violation(**each) for each in body["violations"]),
        tuple(Void(each["finding"], each["why"]) for each in body["voided"]),
        tuple(body["coverage"]),
        body["missing"],
        body["repairs"],
    )


def _manifest(plan: AuditPlan, checked: Checked, scoring: Scoring) -> dict[str, Any]:
    return {
        "instrument": INSTRUMENT,
        "auditors": list(plan.auditors),
        "responses": _kept_name(plan.responses, "responses"),
        "responses_sha256": checked.sha256,
        "items": checked.items,
        "facts": _kept_name(plan.facts, "facts"),
        "facts_sha256": None if plan.facts is None else hashlib.sha256(plan.facts.read_bytes()).hexdigest(),
        "taxonomy": _kept_name(plan.taxonomy, "taxonomy"),
        "taxonomy_sha256": scoring.taxonomy.sha256,
        "critical": plan.critical,
        "editorializing": plan.editorializing,
        "base_url": plan.base_url,
        "prompts": audit_hashes(),
        **({"exact": True} if plan.exact else {}),
    }


def _keep(folder: RunFolder, plan: AuditPlan) -> None:
    """Keep what was audited with the run, so that it can be read when the user's files have changed."""
    for source, name in (
        (plan.responses, _kept_name(plan.responses, "responses")),
        (plan.facts, _kept_name(plan.facts, "facts")),
        (plan.taxonomy, _kept_name(plan.taxonomy, "taxonomy")),
    ):
        if source is not None and name is not None and not (folder.path / name).exists():
            shutil.copyfile(source, folder.path / name)


def _kept_name(source: Path | None, name: str) -> str | None:
    return None if source is None else f"{name}{source.suffix}"


def _kept_plan(folder: RunFolder) -> AuditPlan:
    asked = folder.manifest
    if asked.get("instrument") != INSTRUMENT:
        raise IntegrityError(f"The run in {folder.path} is one of {asked.get('instrument')}, not of {INSTRUMENT}.")
    try:
        return AuditPlan(
            responses=kept_path(folder.path, asked["responses"]),
            auditors=tuple(asked["auditors"]),
            facts=None if asked["facts"] is None else kept_path(folder.path, asked["facts"]),
            taxonomy=None if asked["taxonomy"] is None else kept_path(folder.path, asked["taxonomy"]),
            critical=asked["critical"],
            editorializing=asked["editorializing"],
            base_url=asked["base_url"],
        )
    except KeyError as error:
        raise IntegrityError(
            f"The run in {folder.path} holds no audits of responses: its run.json does not say {error}."
        ) from None
