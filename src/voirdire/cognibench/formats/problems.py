"""What could not be read as it stands: told as it is met, counted, and said in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from voirdire.detectors.records import Answer
from voirdire.text.counting import counted, listed

ProblemKind = Literal[
    "passage text",
    "system context",
    "system passages",
    "question as context",
    "short context",
    "unplaced",
    "two labels",
    "no label",
    "unknown label",
    "lists disagree",
    "renamed",
    "outside",
    "not held",
    "left out",
    "in dispute",
    "unrated",
    "hasty",
]

_SAYS: dict[ProblemKind, str] = {
    "passage text": "Answers whose passages are objects with a text under a name of their own. That text alone is the "
    "evidence, not the other fields; where every entry has that field, you can name it as given here",
    "system context": "Answers whose system message is taken for the context, since no field and no tool's message "
    "holds one: instructions in it count as evidence, too, and move scores. Mark its passages by a line “Context:” "
    "above them or tags such as <context>, or give them in a field of their own, named by --map context=FIELD",
    "system passages": "Answers whose context is what their system message marks as such, by a line such as "
    "“Context:” above or by tags, since no field and no tool's message holds one; if the passages are elsewhere, say "
    "where with --map context=FIELD",
    "question as context": "Answers whose context is their whole question; if the passages are elsewhere, say where "
    "with --map context=FIELD",
    "short context": "Answers that are longer than what is taken for their context; if the passages are in another "
    "field, say so with --map context=FIELD; earlier turns count only with --history user or all",
    "unplaced": "Labels that stand on no sentence of their answer",
    "two labels": "Sentences with two labels, of which the graver one was taken",
    "no label": "Labelled answers in which a sentence has no label",
    "unknown label": "Answers whose label is none that is known, and which count as unlabelled",
    "lists disagree": "Answers whose lists disagree with their sentence_label_dict, which was taken",
    "renamed": "Ids that were there already and were given a number",
    "outside": "Answers with words that stand in none of the statements given",
    "not held": "Answers that could not be written as they are",
    "left out": "Entries that could not be used and were left out",
    "in dispute": "Statements in dispute, which have no label until an adjudicator settles them, so that figures by "
    "the other labels may be off in an unknown direction",
    "unrated": "Statements without a label, since some of their ratings are not there yet",
    "hasty": "Raters who took too little time to read",
}
_SHOWN = 3
SHOWN_BAD = 10
"""Entries that can't be used and are named."""


class DataWarning(UserWarning):
    """Something in a data set was not read as it stands."""


class Problem(NamedTuple):
    """Something that was not read as it stands."""

    kind: ProblemKind
    answer: str
    """Id of the answer."""
    says: str
    """What it was, for the user."""


Tell = Callable[[Problem], None]
"""Who is told of problems as they are met."""


class Reading(NamedTuple):
    """A data set that was read."""

    answers: list[Answer]
    problems: tuple[Problem, ...]

    @property
    def cautions(self) -> list[str]:
        """Whose the labels are, if a model's, and one sentence per kind of problem.

        A label that is not known is one where others are: else it may be of something else.
        """
        labelled = any(answer.labelled for answer in self.answers)
        counting = (each for each in self.problems if labelled or each.kind != "unknown label")
        return [*labeller_caution(self.answers), *summarise_problems(counting)]


def labeller_caution(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Where a model labelled: that figures by these labels say how far anything agrees with that model."""
    by_model = [each for each in answers if each.labelled and each.labelled_by_model is not None]
    if not by_model:
        return ()
    labelled = sum(each.labelled for each in answers)
    some = "" if len(by_model) == labelled else f" of {len(by_model):,} of {counted(labelled, 'labelled answer')}"
    people = sum(statement.human_label is not None for each in by_model for statement in each.statements)
    also = (
        f" People labelled {people:,} of these sentences too; their labels (human_label) are not used."
        if people
        else ""
    )
    return (
        f"The labels{some} come from a model ({listed(model_names(by_model))}), not from people: figures say how far "
        f"anything agrees with that model.{also}",
    )


def model_names(answers: Sequence[Answer]) -> list[str]:
    """The models that labelled."""
    return sorted({each.labelled_by_model for each in answers if each.labelled_by_model is not None})


class Problems:
    """Told of problems, it counts them all and keeps the first few of each kind."""

    def __init__(self, *, labels: bool = True) -> None:
        """With `labels=False`, of labels that are not known nothing is said, as nobody reads labels."""
        self._labels = labels
        self._met: dict[ProblemKind, list[Problem]] = {}
        self._counts: Counter[ProblemKind] = Counter()

    def __call__(self, problem: Problem) -> None:
        """Be told of a problem."""
        self.add(problem)

    def add(self, problem: Problem, times: int = 1) -> None:
        """Be told of a problem that was met so often."""
        self._counts[problem.kind] += times
        first = self._met.setdefault(problem.kind, [])
        if len(first) < (SHOWN_BAD if problem.kind == "left out" else _SHOWN):
            first.append(problem)

    def sentences(self) -> list[str]:
        """One sentence per kind of problem, with the first few of them."""
        return [self._sentence(kind, met) for kind, met in self._met.items() if self._labels or kind != "unknown label"]

    def as_list(self) -> list[tuple[ProblemKind, str, str, int]]:
        """Kind, answer, words and how often: what `add` must be told to know the same."""
        return [
            (*problem, self._counts[kind] - len(met) + 1 if place == 0 else 1)
            for kind, met in self._met.items()
            for place, problem in enumerate(met)
        ]

    def _sentence(self, kind: ProblemKind, met: list[Problem]) -> str:
        if kind == "left out":
            head = f"{_SAYS[kind]}: {self._counts[kind]:,}."
            return list_first(head, [f"{each.answer}: {each.says}." for each in met], self._counts[kind])
        if kind == "hasty":
            return list_first(f"{_SAYS[kind]}:", [f"{each.says}." for each in met], self._counts[kind])
        first = "; ".join(f"{each.answer}: {each.says}" for each in met)
        more = self._counts[kind] - len(met)
        return f"{_SAYS[kind]}: {self._counts[kind]:,} ({first}{f'; and {more:,} more' if more else ''})."


def list_first(head: str, lines: Sequence[str], count: int) -> str:
    """A sentence, and below it a line for each of the first few of so many."""
    more = count - len(lines)
    return "\n".join([head, *lines, *([f"And {more:,} more."] * (more > 0))])


def ignore(problem: Problem) -> None:
    """Tell nobody."""


def summarise_problems(problems: Iterable[Problem]) -> list[str]:
    """One sentence per kind of problem, with the first few of them."""
    met = Problems()
    for each in problems:
        met(each)
    return met.sentences()
