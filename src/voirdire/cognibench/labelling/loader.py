"""Reading a labelling run; nothing is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.jsonl import iter_jsonl
from voirdire.cognibench.labelling.records import INSTRUMENT, NOTE, LabelledAnswer, plan_of_dict
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.contrastive import used_groups
from voirdire.detectors.labelling.records import Judged
from voirdire.detectors.records import Answer
from voirdire.run import Journal, RunFolder

KEPT = "answers.jsonl"
"""What was labelled, with the labels of people, as the run keeps it."""


def read_labelled(path: Path) -> list[LabelledAnswer]:
    """The answers of a run that have been labelled, in the order of the data; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: the run is another instrument's.
    """
    with RunFolder.open(path, read_only=True) as folder:
        in_prompt = _in_prompt(folder)
        return labelled_in(list(iter_jsonl(folder.path / KEPT)), folder.journal, in_prompt)


def prompt_groups(path: Path) -> frozenset[str]:
    """Groups of answers that the examples in a run's prompt were taken from: leave them out of scoring.

    Raises:
        RunFolderError, CognibenchError: as for `read_labelled`.
    """
    with RunFolder.open(path, read_only=True) as folder:
        return _in_prompt(folder)


def manifest_of(path: Path) -> dict[str, Any]:
    """What a labelling run was asked to do.

    Raises:
        RunFolderError, CognibenchError: as for `read_labelled`.
    """
    with RunFolder.open(path, read_only=True) as folder:
        _in_prompt(folder)
        return folder.manifest


def _in_prompt(folder: RunFolder) -> frozenset[str]:
    asked = folder.manifest
    if asked.get("instrument") != INSTRUMENT or "plan" not in asked:
        raise CognibenchError(f"The run in {folder.path} is no labelling run: voirdire cognibench label makes one.")
    return used_groups(plan_of_dict(asked["plan"]).contrasts)


def labelled_in(answers: Sequence[Answer], journal: Journal, in_prompt: frozenset[str]) -> list[LabelledAnswer]:
    """Those of the answers that a journal holds labels of.

    Args:
        answers: what was to be labelled.
        journal: of the run.
        in_prompt: groups that the prompt's examples were taken from.
    """
    bodies = {note.dialogue: note.body for note in journal.notes((NOTE,))}
    return [_joined(answer, bodies[answer.id], answer.group in in_prompt) for answer in answers if answer.id in bodies]


def _joined(answer: Answer, body: Mapping[str, Any], used_in_prompt: bool) -> LabelledAnswer:
    judged = tuple(Judged.of_dict(each) for each in body["judged"])
    statements = tuple(
        replace(statement, label=found.label) for statement, found in zip(answer.statements, judged, strict=True)
    )
    return LabelledAnswer(
        replace(answer, statements=statements),
        tuple(statement.label for statement in answer.statements),
        judged,
        used_in_prompt,
        body["repairs"],
        tuple(body["reasons"]),
        tuple(body["addresses"]),
        tuple(body["echoes"]),
    )
