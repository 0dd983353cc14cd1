"""From a document to a drafted concept, in a run folder: every call is kept, and the same call again goes on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from voirdire.ddft.drafting.asking import prompt_hashes
from voirdire.ddft.drafting.assembling import draft_concept
from voirdire.ddft.drafting.document import Document
from voirdire.ddft.drafting.records import Brief, Draft
from voirdire.run import HOSTED_TIMEOUT, Budget, NullProgress, Progress, held_run, options_for, run_workers

CONNECTIONS = 8
_SILENT = NullProgress()


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a session of drafting came to."""

    draft: Draft | None
    """`None` when it was stopped."""
    stopped: str | None
    """Why it is not complete; the same call goes on."""


async def hold_draft(
    document: Document,
    brief: Brief,
    spec: str,
    path: Path,
    *,
    base_url: str | None = None,
    budget: Budget | None = None,
    progress: Progress = _SILENT,
    timeout: float = HOSTED_TIMEOUT,
) -> Drafted:
    """Draft a concept in a run folder, or go on with the draft that is there.

    Raises:
        DraftError: nothing usable was drafted.
        SpecError, RunFolderError, BudgetError: before anything is asked.
    """
    taken = {spec: options_for(spec, base_url)}
    asked = {
        "instrument": "ddft-draft",
        "drafter": spec,
        "base_url": base_url,
        "document": {"name": document.name, "sha256": document.sha256},
        "brief": asdict(brief),
        "prompts": prompt_hashes(),
    }
    drafts: list[Draft] = []
    async with held_run(
        path, asked, taken, budget=budget, progress=progress, connections=CONNECTIONS, timeout=timeout
    ) as (_, runner):

        async def work() -> None:
            drafts.append(await draft_concept(document, brief, spec, runner, progress))

        stopped = await run_workers([work()], runner)
    return Drafted(drafts[0] if drafts else None, stopped)
