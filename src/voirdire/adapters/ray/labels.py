"""`label` over shards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.runs import RunWorker, SpreadRun, hold_shards
from voirdire.adapters.ray.workers import Executor, fingerprint
from voirdire.cognibench.formats import Tell, as_entry, ignore
from voirdire.cognibench.labelling.records import INSTRUMENT, LabelTask, plan_as_dict, plan_of_dict
from voirdire.cognibench.labelling.session import iter_chosen, label_answers
from voirdire.runs import RunOptions, run_blocking


class LabelWorker(RunWorker):
    """Labels the answers of a shard."""

    instrument = INSTRUMENT

    def hold(self, source: Path, folder: Path, settings: Mapping[str, Any], options: RunOptions) -> str | None:
        """See `RunWorker.hold`."""
        task = LabelTask(
            data=source,
            model=settings["model"],
            plan=plan_of_dict(settings["plan"]),
            base_url=settings["base_url"],
            seed=settings["seed"],
            exact=settings["exact"],
        )
        return run_blocking(label_answers(task, folder, options))


def label_shards(
    task: LabelTask,
    out: Path,
    executor: Callable[[], Executor],
    *,
    shard_rows: int,
    options: RunOptions,
    tell: Tell = ignore,
    progress: Callable[[int, int], None] = lambda done, shards: None,
) -> SpreadRun:
    """Label a data set in shards, or go on with it. See `runs.hold_shards`.

    Args:
        task: what and how.
        out: the folder.
        executor: who works.
        shard_rows: answers in a shard.
        options: what all shards together may spend, and how fast.
        tell: is told of what in the data could not be read as it stands.
        progress: told how many shards are done.

    Raises:
        ScaleError: the folder holds something else, or something can't be used.
        CognibenchError: the data can't be used.
    """
    settings = {
        "command": "label",
        "model": task.model,
        "plan": plan_as_dict(task.plan),
        "base_url": task.base_url,
        "seed": task.seed,
        "limit": task.limit,
        "labelled_only": task.labelled_only,
        "shard_rows": shard_rows,
        "data_sha256": fingerprint(task.data),
        "exact": task.exact,
    }

    def entries() -> Iterator[dict[str, Any]]:
        return (as_entry(answer) for answer in islice(iter_chosen(task, tell), task.limit))

    return hold_shards(
        out, LabelWorker, settings, entries, executor, shard_rows=shard_rows, options=options, tell=progress
    )
