"""`audit` over shards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.runs import RunWorker, SpreadRun, hold_shards
from voirdire.adapters.ray.workers import Executor, fingerprint
from voirdire.data.bounds import MAX_CONNECTIONS
from voirdire.integrity.auditing import RULES
from voirdire.integrity.auditors import check_auditors
from voirdire.integrity.facts import read_facts
from voirdire.integrity.items import checked_items
from voirdire.integrity.plan import INSTRUMENT, AuditPlan
from voirdire.integrity.session import audit_responses
from voirdire.runs import RunOptions, run_blocking


class AuditWorker(RunWorker):
    """Audits the responses of a shard."""

    instrument = INSTRUMENT

    def hold(self, source: Path, folder: Path, settings: Mapping[str, Any], options: RunOptions) -> str | None:
        """See `RunWorker.hold`."""
        data_folder = source.parent
        plan = AuditPlan(
            responses=source,
            auditors=tuple(settings["auditors"]),
            facts=None if settings["facts"] is None else data_folder / settings["facts"],
            taxonomy=None if settings["taxonomy"] is None else data_folder / settings["taxonomy"],
            critical=settings["critical"],
            editorializing=settings["editorializing"],
            omissions=settings["omissions"],
            base_url=settings["base_url"],
            exact=settings["exact"],
        )
        return run_blocking(audit_responses(plan, folder, options, processes=False))


def audit_shards(
    plan: AuditPlan,
    out: Path,
    executor: Callable[[], Executor],
    *,
    shard_rows: int,
    options: RunOptions,
    progress: Callable[[int, int], None] = lambda done, shards: None,
) -> SpreadRun:
    """Audit responses in shards, or go on with it. See `runs.hold_shards`.

    Raises:
        ScaleError: the folder holds something else, or something can't be used.
        IntegrityError: the responses or the facts can't be used.
    """
    check_auditors(plan.auditors)
    settings = {
        "command": "audit",
        "auditors": list(plan.auditors),
        "critical": plan.critical,
        "editorializing": plan.editorializing,
        "omissions": plan.omissions,
        "taxonomy_sha256": plan.scoring.taxonomy.sha256,
        "base_url": plan.base_url,
        "shard_rows": shard_rows,
        "responses_sha256": fingerprint(plan.responses),
        "exact": plan.exact,
        "facts_sha256": None if plan.facts is None else fingerprint(plan.facts),
        "facts": None if plan.facts is None else f"facts{plan.facts.suffix}",
        "taxonomy": None if plan.taxonomy is None else f"taxonomy{plan.taxonomy.suffix}",
    }

    def entries() -> Iterator[dict[str, Any]]:
        known = [] if plan.facts is None else read_facts(plan.facts)
        for source, name in ((plan.facts, settings["facts"]), (plan.taxonomy, settings["taxonomy"])):
            if source is not None:
                shutil.copyfile(source, out / "shards" / str(name))
        for item, entry in checked_items(plan.responses, known):
            yield {**entry, "id": item.id}

    if set(plan.auditors) == {RULES}:
        options = replace(options, connections=MAX_CONNECTIONS)  # nobody is asked: there is nothing to divide
    return hold_shards(
        out, AuditWorker, settings, entries, executor, shard_rows=shard_rows, options=options, tell=progress
    )
