"""From a data set to a run folder with labels in it, and back: what the command line calls."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.cognibench.formats.jsonl import as_entry, iter_jsonl, write_jsonl
from voirdire.cognibench.formats.problems import Tell, ignore
from voirdire.cognibench.labelling.records import (
    ANSWERS,
    INSTRUMENT,
    NOTE,
    LabelledAnswer,
    LabelTask,
    labelled_answers,
    labelled_ids,
    plan_as_dict,
    unfinished,
)
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_plain
from voirdire.detectors.labelling.labeller import Labeller
from voirdire.detectors.labelling.prompting import prompt_hashes
from voirdire.detectors.labelling.records import AnswerLabels
from voirdire.detectors.records import Answer, Require, hallucinated, with_labels_of_people
from voirdire.runs import (
    DEFAULTS,
    Journal,
    Progress,
    RunFolder,
    RunOptions,
    at_once,
    open_run,
    options_for,
    provenance,
    run_workers,
    unit_span,
)

if TYPE_CHECKING:
    import pandas as pd


_COLUMNS = {
    "id": "string",
    "dialogue": "string",
    "group": "string",
    "turn": "int64",
    "position": "int64",
    "start": "int64",
    "end": "int64",
    "words": "int64",
    "text": "string",
    "type": "string",
    "cognitive": "Float64",
    "label": "string",
    "hallucinated": "boolean",
    "voted_hallucinated": "boolean",
    "human_label": "string",
    "votes": "object",
    "tiers": "object",
    "missing_votes": "int64",
    "why": "string",
    "used_in_prompt": "bool",
    "addresses": "bool",
    "echoes": "int64",
}


def statement_rows(labelled: Sequence[LabelledAnswer], require: Require) -> pd.DataFrame:
    """One row a statement, in the order of the data.

    `hallucinated` is what the final label means under `require`, `voted_hallucinated` what the first stage alone
    decided; both are missing where nothing is decided. `votes` and `tiers` hold one entry a sample.
    `addresses`: the statement speaks to whoever labels it. `echoes`: samples of its answer whose reply takes that over.
    """
    import pandas as pd

    rows = [row for each in labelled for row in _rows(each, require)]
    return pd.DataFrame(rows, columns=list(_COLUMNS)).astype(_COLUMNS)


def _rows(each: LabelledAnswer, require: Require) -> list[dict[str, Any]]:
    answer = each.answer
    return [
        {
            "id": answer.id,
            "dialogue": answer.dialogue,
            "group": answer.group,
            "turn": answer.turn,
            "position": position,
            "start": statement.start,
            "end": statement.end,
            "words": statement.words,
            "text": statement.text,
            "type": judged.type,
            "cognitive": judged.cognitive,
            "label": judged.label,
            "hallucinated": None if judged.label is None else hallucinated(judged.label, require),
            "voted_hallucinated": judged.hallucinated,
            "human_label": human,
            "votes": list(judged.votes),
            "tiers": list(judged.tiers),
            "missing_votes": sum(vote is None for vote in judged.votes),
            "why": judged.why,
            "used_in_prompt": each.used_in_prompt,
            "addresses": position in each.addresses,
            "echoes": len(each.echoes),
        }
        for position, (statement, judged, human) in enumerate(
            zip(answer.statements, each.judged, each.human, strict=True)
        )
    ]


def answers_of(task: LabelTask, tell: Tell = ignore) -> list[Answer]:
    """The answers that a task is about, with the labels that people gave them.

    Args:
        task: what is asked.
        tell: is told of what in the data could not be read as it stands.

    Raises:
        CognibenchError: the data can't be used, or none of its answers is left.
    """
    return list(iter_chosen(task, tell))[: task.limit]


def iter_chosen(task: LabelTask, tell: Tell = ignore) -> Iterator[Answer]:
    """The same one at a time, whatever the task's limit.

    Raises:
        CognibenchError: as `answers_of`; that none is left, when all have been read.
    """
    some = False
    for answer in map(with_labels_of_people, _read(task.data, tell)):
        if answer.statements and (answer.labelled or not task.labelled_only):
            some = True
            yield answer
    if not some:
        which = "labelled answers" if task.labelled_only else "answers with sentences in them"
        raise CognibenchError(f"{task.data} has no {which}; there is nothing to label.")


def _read(path: Path, tell: Tell) -> Iterator[Answer]:
    """A data set; of a labelling run, what was labelled, without the labels that its model gave."""
    from voirdire.cognibench.formats.opening import iter_answers, layout_of  # reads such runs too, with this module

    snapshot = path / ANSWERS
    is_run = layout_of(path) == "run" and snapshot.is_file()
    return iter_jsonl(snapshot) if is_run else iter_answers(path, tell=tell)


async def label_answers(
    task: LabelTask,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    answers: Sequence[Answer] | None = None,
) -> str | None:
    """Label answers in a run folder, or go on with the one that is there. What is labelled is not asked again.

    Args:
        task: what and how.
        path: of the run folder.
        options: what may be spent, how fast, who is told of every answer.
        answers: what `answers_of` gave, if it has been called.

    Returns:
        `None` when everything was asked, else why it stopped; the same call goes on.

    Raises:
        CognibenchError, DetectorError, SpecError, RunFolderError, BudgetError: before anything is asked.
    """
    answers = answers_of(task) if answers is None else answers
    models = {task.model: options_for(task.model, task.base_url, exact=task.exact)}
    async with open_run(
        path,
        _manifest(task, answers),
        models,
        seed=task.seed,
        options=options,
    ) as (folder, runner):
        _save_answers(folder, answers)
        queue = _todo(answers, folder.journal, options.progress)
        labeller = Labeller(runner, task.model, task.plan)
        workers = [
            _work(queue, labeller, folder.journal, options.progress)
            for _ in range(min(len(answers), at_once(task.model, options.connections)))
        ]
        stopped = await run_workers(workers, runner)
        labelled = labelled_answers(answers, folder.journal, task.model, task.in_prompt)
        folder.write_table("statements", statement_rows(labelled, task.plan.require))
        return stopped or unfinished(folder.journal, len(answers))


def new_run_path(task: LabelTask) -> Path:
    """A folder for a run whose user named none: `runs/`, the data's name and the time."""
    return Path("runs") / f"labels-{task.data.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def _save_answers(folder: RunFolder, answers: Sequence[Answer]) -> None:
    """Keep what is labelled with the run, so that it can be read when the user's files have changed."""
    target = folder.path / ANSWERS
    if not target.exists():
        temporary = target.with_name(f".{ANSWERS}.new")
        write_jsonl(answers, temporary)
        temporary.replace(target)


def answers_sha256(answers: Sequence[Answer]) -> str:
    """The hash of what is labelled, as run.json has it."""
    digest = hashlib.sha256()
    for answer in answers:
        digest.update(json.dumps(as_entry(answer), sort_keys=True).encode())
    return digest.hexdigest()


def _manifest(task: LabelTask, answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "instrument": INSTRUMENT,
        "model": task.model,
        "plan": plan_as_dict(task.plan),
        "answers": len(answers),
        "answers_sha256": answers_sha256(answers),
        "base_url": task.base_url,
        "seed": task.seed,
        "prompts": prompt_hashes(),
        "exact": task.exact,
        "info": provenance() | {"data": str(task.data)},
    }


def _todo(answers: Sequence[Answer], journal: Journal, progress: Progress) -> Iterator[Answer]:
    """The answers that are not labelled yet; one with calls that failed is asked again."""
    done = labelled_ids(journal)
    for answer in answers:
        if answer.id in done:
            progress.dialogue_done()
        else:
            yield answer


async def _work(queue: Iterator[Answer], labeller: Labeller, journal: Journal, progress: Progress) -> None:
    for answer in queue:
        with unit_span("answer", answer.id):
            await journal.note(answer.id, 0, NOTE, _body(await labeller.label(answer)))
        progress.dialogue_done()


def _body(labelled: AnswerLabels) -> dict[str, Any]:
    return {
        "judged": as_plain(labelled.judged),
        "repairs": labelled.repairs,
        "reasons": list(labelled.reasons),
        "failed_calls": labelled.failed_calls,
        "addresses": list(labelled.addresses),
        "echoes": list(labelled.echoes),
    }
