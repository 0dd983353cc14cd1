"""What a labelling run was asked to do, what it holds, and how far it has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.jsonl import iter_jsonl
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_object
from voirdire.data.paths import set_paths
from voirdire.detectors.contrastive import Contrast, used_groups
from voirdire.detectors.labelling.records import JudgedStatement, LabelPlan
from voirdire.detectors.labelling.replies import LADDER, border_rung
from voirdire.detectors.records import Answer, Label, Require
from voirdire.instruments import RunProgress
from voirdire.reason_codes import Reason, declare, reason
from voirdire.runs import Journal, RunFolder, RunStatus
from voirdire.text.counting import counted

declare(
    {
        # Why what only a grading tells is undefined in a run without one.
        "cognibench_ungraded": "no second stage graded the conclusions",
        "cognibench_gradings_failed": "every grading of a conclusion failed",
        # Why other shares of labels are, or have no interval.
        "cognibench_unlabelled": "no statement has a label",
        "cognibench_kind_unlabelled": "{statements:count statement} of the kind, none with a label",
        "cognibench_none_of_kind": "there is no statement of the kind",
        "cognibench_no_claims": "every statement with a label is small talk, a heading or the header row of a table",
        # What is missing, where a share could be another.
        "cognibench_one_undecided": "1 of {statements:count statement} has no label ({whys})",
        "cognibench_undecided": "{undecided:,} of {statements:count statement} have no label ({whys})",
        "cognibench_few_contexts": "the answers share fewer than three contexts",
    }
)
CONCLUSIONS: frozenset[Label] = frozenset(LADDER)
"""The labels that a grading gives."""
INSTRUMENT = "cognibench"
NOTE = "labelled"
"""Kind of the note that holds what was found on an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask:
    """Which answers are labelled, by which model, and how."""

    data: Path
    model: str
    plan: LabelPlan = field(default_factory=LabelPlan)
    limit: int | None = None
    """Only the first so many answers."""
    labelled_only: bool = False
    """Only answers that people have labelled."""
    base_url: str | None = field(default=None, repr=False)
    seed: int = 0
    exact: bool = False
    """A local model repeats its replies exactly."""

    def __post_init__(self) -> None:
        set_paths(self, "data")

    @property
    def in_prompt(self) -> frozenset[str]:
        """Groups of answers that the prompt's examples were taken from: they can't be scored."""
        return used_groups(self.plan.contrasts)


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer of a labelling run."""

    answer: Answer
    """With the labels that the model gave (`None` where it is undecided), and those of people, which it never saw."""
    judged: tuple[JudgedStatement, ...]
    """Votes, type, tiers and reasons, a statement each."""
    used_in_prompt: bool
    """Whether an example of the prompt was taken from its group: it must be left out of scoring."""
    repairs: int = 0
    reasons: tuple[str, ...] = ()
    """Why votes or tiers are missing."""
    addresses: tuple[int, ...] = ()
    """Positions of the statements that speak to whoever labels them."""
    echoes: tuple[str, ...] = ()
    """Samples whose reply takes that over."""

    @property
    def human(self) -> tuple[Label | None, ...]:
        """What people had labelled, a statement each."""
        return tuple(each.human_label for each in self.answer.statements)

    @property
    def missing(self) -> tuple[int, ...]:
        """Positions of the statements with a vote or a grading that is missing."""
        return tuple(
            place for place, each in enumerate(self.judged) if None in each.votes or None in each.tiers or each.why
        )

    @property
    def undecided(self) -> tuple[int, ...]:
        """Positions of the statements without a label."""
        return tuple(place for place, each in enumerate(self.judged) if each.label is None)


def ungraded(tiers: bool) -> Reason:
    """Why nothing is known of some labels: no second stage was to grade conclusions, or every grading failed."""
    return reason("cognibench_gradings_failed" if tiers else "cognibench_ungraded")


def undefined_labels(labelled: Sequence[LabelledAnswer], require: Require, tiers: bool) -> frozenset[Label]:
    """Labels of which nothing is known since no second stage graded conclusions; empty where one did.

    Without such a stage the votes give the two labels on either side of the requirement. Where every grading failed, no
    conclusion has a label.
    """
    if not tiers:
        return CONCLUSIONS - {border_rung(True, require), border_rung(False, require)}
    conclusions = [statement.label for each in labelled for statement in each.judged if statement.type == "cognitive"]
    return CONCLUSIONS if conclusions and not any(conclusions) else frozenset()


def plan_as_dict(plan: LabelPlan) -> dict[str, Any]:
    """For a run's manifest."""
    return as_object(plan)


def plan_of_dict(fields: Mapping[str, Any]) -> LabelPlan:
    """The reverse of `plan_as_dict`."""
    return LabelPlan(**(dict(fields) | {"contrasts": tuple(Contrast(**each) for each in fields["contrasts"])}))


ANSWERS = "answers.jsonl"
"""What was labelled, with the labels of people, as the run keeps it."""


def read_labelled(path: Path) -> list[LabelledAnswer]:
    """The answers of a run that have been labelled, in the order of the data; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: the run is another instrument's.
    """
    with RunFolder.open(path, read_only=True) as folder:
        in_prompt = _in_prompt(folder)
        answers = list(iter_jsonl(folder.path / ANSWERS))
        return labelled_answers(answers, folder.journal, folder.manifest["model"], in_prompt)


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
    manifest = folder.manifest
    if manifest.get("instrument") != INSTRUMENT or "plan" not in manifest:
        raise CognibenchError(f"The run in {folder.path} is no labelling run: voirdire label makes one.")
    return used_groups(plan_of_dict(manifest["plan"]).contrasts)


def labelled_answers(
    answers: Sequence[Answer], journal: Journal, model: str, in_prompt: frozenset[str]
) -> list[LabelledAnswer]:
    """Those of the answers that a journal holds labels of."""
    bodies = {note.dialogue: note.body for note in journal.notes((NOTE,))}
    return [
        _labelled_answer(answer, bodies[answer.id], model, answer.group in in_prompt)
        for answer in answers
        if answer.id in bodies
    ]


def _labelled_answer(answer: Answer, body: Mapping[str, Any], model: str, used_in_prompt: bool) -> LabelledAnswer:
    judged = tuple(JudgedStatement.of_dict(each) for each in body["judged"])
    statements = tuple(
        replace(statement, label=match.label, judged_type=match.type, human_label=statement.label)
        for statement, match in zip(answer.statements, judged, strict=True)
    )
    return LabelledAnswer(
        replace(answer, statements=statements, labelled_by_model=model),
        judged,
        used_in_prompt,
        body["repairs"],
        tuple(body["reasons"]),
        tuple(body["addresses"]),
        tuple(body["echoes"]),
    )


_LONGEST = 200


def labelled_ids(journal: Journal) -> set[str]:
    """Ids of the answers that are labelled, as far as they can be: no call of theirs failed, and replies stand."""
    return {answer for answer, failed in _failed_calls(journal).items() if not failed}


def unfinished(journal: Journal, answers: int) -> str | None:
    """What is missing, if anything is, and whether asking again would bring it, in a sentence.

    Args:
        journal: of the run.
        answers: how many there are to be labelled.
    """
    noted = _failed_calls(journal)
    failed, unasked = sum(map(bool, noted.values())), answers - len(noted)
    judged = [JudgedStatement.of_dict(each) for note in journal.notes((NOTE,)) for each in note.body["judged"]]
    on_record = sum(
        each["label"] is None
        for note in journal.notes((NOTE,))
        if not note.body["failed_calls"]
        for each in note.body["judged"]
    )
    lacking = unlabelled_reason(judged)
    parts = [str(lacking)] if lacking else []
    if failed:
        parts.append(f"calls failed for {failed:,} of {counted(answers, 'answer')}")
    if unasked:
        parts.append(f"not labelled yet: {unasked:,} of {counted(answers, 'answer')}")
    if failed or unasked:
        parts.append("the same command goes on")
        if on_record:
            parts.append(
                f"it brings no label for {counted(on_record, 'statement')} whose replies stand on record: "
                "a new -o asks afresh"
            )
    elif lacking:
        parts.append("no further call brings one, since the replies stand on record")
    return f"{'; '.join(parts)}." if parts else None


def unlabelled_reason(judged: Sequence[JudgedStatement]) -> Reason | None:
    """How many statements have no label, of how many, and why; `None` where each has one."""
    whys = [statement.why or "undecided" for statement in judged if statement.label is None]
    if not whys:
        return None
    code = "cognibench_one_undecided" if len(whys) == 1 else "cognibench_undecided"
    return reason(code, undecided=len(whys), statements=len(judged), whys="; ".join(sorted(set(whys))))


def _failed_calls(journal: Journal) -> dict[str, int]:
    """By answer that was asked about: how many of its calls failed."""
    return {note.dialogue: note.body["failed_calls"] for note in journal.notes((NOTE,))}


def progress_of(folder: RunFolder) -> RunProgress:
    """How many answers are labelled, of those whose calls all came back."""
    return RunProgress(list(_failed_calls(folder.journal).values()).count(0), folder.manifest["answers"], "answers")


def status_of(folder: RunFolder) -> RunStatus:
    """How far a run has come: labels and votes that are missing, and why; nothing is asked."""
    labels: Counter[str] = Counter()
    votes: Counter[str] = Counter()
    for note in folder.journal.notes((NOTE,)):
        why = "; ".join(dict.fromkeys(note.body["reasons"]))[:_LONGEST] or "no vote"
        for judged in note.body["judged"]:
            votes[why] += _missing_votes(judged)
            if judged["label"] is None:
                labels[judged["why"] or "undecided"] += 1
    missing = {"labels": labels, "votes": +votes}
    return RunStatus(unfinished(folder.journal, folder.manifest["answers"]), missing=missing)


def _missing_votes(judged: Mapping[str, Any]) -> int:
    return sum(vote is None for vote in judged["votes"])
