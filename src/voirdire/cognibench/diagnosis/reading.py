"""Where the two labellings of a diagnosis come from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, cast

from voirdire.cognibench.formats import layout_of, read_answers
from voirdire.cognibench.labelling import LabelledAnswer, manifest_of, read_labelled
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.contrastive import read_contrasts, used_groups
from voirdire.detectors.records import REQUIREMENTS, Answer, Require


class Labellings(NamedTuple):
    """A labeller's labels, human ones, and how they are to be compared."""

    machine: list[Answer]
    human: list[Answer]
    require: Require
    without: frozenset[str]
    """Groups of examples that stood in the labeller's prompt."""


def read_labellings(
    run: Path, data: Path | None = None, *, examples: Path | None = None, require: str | None = None
) -> Labellings:
    """Read what is to be compared.

    Args:
        run: a labelling run, or any data with the labels of a labeller.
        data: with human labels for the same answers; `None`: those that a labelling run has kept.
        examples: a file of contrastive examples that stood in the prompt, where the run does not say so itself.
        require: what makes a cognitive statement a hallucination; `None`: as in the run, else "grounded".

    Raises:
        CognibenchError, DetectorError, RunFolderError: something can't be read, or there are no human labels.
    """
    if require is not None and require not in REQUIREMENTS:
        raise CognibenchError(f"require is {require!r}; it must be one of {', '.join(REQUIREMENTS)}.")
    without = frozenset() if examples is None else used_groups(read_contrasts(examples))
    if layout_of(run) == "run":
        asked = manifest_of(run)
        labelled = read_labelled(run)
        machine = [each.answer for each in labelled]
        human = [_human(each) for each in labelled] if data is None else read_answers(data)
        without |= {each.answer.group for each in labelled if each.used_in_prompt}
        require = require or asked["plan"]["require"]
    elif data is None:
        raise CognibenchError(f"{run} is no labelling run; name the data that has human labels with --with.")
    else:
        machine, human = read_answers(run), read_answers(data)
    return Labellings(machine, human, cast(Require, require or "grounded"), without)


def _human(labelled: LabelledAnswer) -> Answer:
    """The answer with the labels that people gave it."""
    given = zip(labelled.answer.statements, labelled.human, strict=True)
    return replace(labelled.answer, statements=tuple(replace(statement, label=label) for statement, label in given))
