"""Two labellings of the same answers: where they come from, laid side by side by answer and place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple, cast

from voirdire.cognibench.formats import Reading, layout_of, read_data
from voirdire.cognibench.labelling.records import manifest_of, read_labelled
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.contrastive import read_contrasts, used_groups
from voirdire.detectors.novelty import Novelty, NoveltyIndex
from voirdire.detectors.records import (
    REQUIREMENTS,
    Answer,
    Label,
    Require,
    Statement,
    hallucinated,
    with_labels_of_people,
)
from voirdire.evidence import ContextIndex, Contradiction, find_contradictions
from voirdire.text.entities import Name, find_names, knows, name_key
from voirdire.text.numbers import find_numbers
from voirdire.text.phrases import any_phrase
from voirdire.text.sentences import split_sentences

_SHARED = 0.5
"""Statements that were cut differently are one when they share this part of what they cover together."""


class LabelPair(NamedTuple):
    """A statement with the machine's label and the human one."""

    answer: Answer
    statement: Statement
    """As the human data has it."""
    machine: Label
    human: Label

    def sides(self, require: Require) -> tuple[bool, bool]:
        """Whether the machine, and whether the human, calls it a hallucination."""
        return hallucinated(self.machine, require), hallucinated(self.human, require)


@dataclass(frozen=True, slots=True)
class MatchedLabels:
    """The statements that two labellings share, and counts of what only one of them has."""

    pairs: tuple[LabelPair, ...]
    answers: int
    """Answers with a pair."""
    only_machine: int
    """Statements that only the machine labelled, in answers that both have."""
    only_human: tuple[tuple[Answer, Statement], ...]
    """Statements that only people labelled, in answers that both have; what the machine left undecided is one."""
    unmatched_answers: int
    """Answers labelled on one side that the other side does not have."""
    other_text: tuple[str, ...]
    """Ids of answers whose text differs between the two."""


def match(machine: Sequence[Answer], human: Sequence[Answer]) -> MatchedLabels:
    """Lay two labellings side by side.

    Answers are the same when their ids are; their texts must be equal but for white space at the ends and case.
    Statements are the same when they cover the same span, or, where the text was cut differently, at least half of what
    they cover together; each is used once. An answer none of whose statements the machine could label is compared, too.
    """
    machine_answers = {answer.id: answer for answer in machine}
    labelled = [answer for answer in human if answer.labelled]
    shared_answers = [(machine_answers[answer.id], answer) for answer in labelled if answer.id in machine_answers]
    same = [
        (machine_answer, answer)
        for machine_answer, answer in shared_answers
        if _plain(machine_answer.text) == _plain(answer.text)
    ]
    labelled_names = {answer.id for answer in labelled}
    pairs: list[LabelPair] = []
    only_human: list[tuple[Answer, Statement]] = []
    only_machine = 0
    for machine_answer, answer in same:
        matches = _pair_statements(machine_answer, answer)
        pairs += matches
        only_machine += _labelled(machine_answer) - len(matches)
        shared = {pair.statement for pair in matches}
        only_human += [(answer, each) for each in answer.statements if each.label is not None and each not in shared]
    return MatchedLabels(
        tuple(pairs),
        answers=len({pair.answer.id for pair in pairs}),
        only_machine=only_machine,
        only_human=tuple(only_human),
        unmatched_answers=sum(answer.labelled for answer in machine_answers.values() if answer.id not in labelled_names)
        + sum(answer.id not in machine_answers for answer in labelled),
        other_text=tuple(
            answer.id for machine_answer, answer in shared_answers if _plain(machine_answer.text) != _plain(answer.text)
        ),
    )


def _pair_statements(machine: Answer, human: Answer) -> list[LabelPair]:
    shift = _indent(human.text) - _indent(machine.text)
    open_to: list[tuple[int, int, Label]] = [
        (each.start + shift, each.end + shift, each.label) for each in machine.statements if each.label is not None
    ]
    labelled = [statement for statement in human.statements if statement.label is not None]
    ranked = sorted(
        (
            (-share, place, number)
            for place, statement in enumerate(labelled)
            for number, (start, end, _) in enumerate(open_to)
            if (share := _share(statement, start, end)) >= _SHARED
        )
    )
    matches: dict[int, int] = {}
    for _, place, number in ranked:
        if place not in matches and number not in matches.values():
            matches[place] = number
    return [
        LabelPair(human, statement, open_to[matches[place]][2], statement.label)
        for place, statement in enumerate(labelled)
        if place in matches and statement.label is not None
    ]


def _share(statement: Statement, start: int, end: int) -> float:
    """What two spans have in common, as a share of what they cover together."""
    common = min(statement.end, end) - max(statement.start, start)
    together = max(statement.end, end) - min(statement.start, start)
    return common / together if together > 0 else 0.0


def _labelled(answer: Answer) -> int:
    return sum(statement.label is not None for statement in answer.statements)


def _plain(text: str) -> str:
    return text.strip().casefold()


def _bare(sentence: str) -> str:
    """Its words, whatever the white space between them, the case and the full stop."""
    return " ".join(sentence.casefold().split()).rstrip(".")


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


class Labellings(NamedTuple):
    """A labeller's labels, human ones, and how they are to be compared."""

    machine: list[Answer]
    human: list[Answer]
    require: Require
    without: frozenset[str]
    """Groups of examples that stood in the labeller's prompt."""
    cautions: tuple[str, ...]
    """What the human labels lack, and whose they are if a model's."""


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
        manifest = manifest_of(run)
        labelled = read_labelled(run)
        machine = [each.answer for each in labelled]
        without |= {each.answer.group for each in labelled if each.used_in_prompt}
        require = require or manifest["plan"]["require"]
    elif data is None:
        raise CognibenchError(f"{run} is no labelling run; name the data that has human labels with --human-labels.")
    else:
        machine = [answer for answer in read_data(run).answers if answer.labelled]
    if data is None:
        given = Reading(machine, ())
    else:
        given = read_data(data)
    people = Reading([with_labels_of_people(each) for each in given.answers], given.problems)
    human = people if data is None or any(each.labelled for each in people.answers) else given
    return Labellings(machine, human.answers, cast(Require, require or "grounded"), without, tuple(human.cautions))


Side = Literal["missed", "false alarm", "same side"]

_JUDGES = any_phrase(
    "(very |highly |truly |particularly )?(important|significant|crucial|essential|vital|valuable|remarkable|notable|"
    "noteworthy|impressive|fascinating|interesting|unique|rich|renowned|prestigious|prominent|exceptional|outstanding|"
    "great|major|key|memorable|iconic|comprehensive|diverse|captivating|compelling)",
    "(importantly|significantly|seriously|remarkably|notably|deeply|greatly|strongly|truly)",
    "plays? a (key|vital|crucial|major|significant|important) (role|part)",
    "it is worth ~noting",
)


@dataclass(frozen=True)
class CaseEvidence:
    """A context, read once for all statements that are compared with it."""

    contradictions: ContextIndex
    words: NoveltyIndex
    names: tuple[tuple[str, ...], ...]
    numbers: frozenset[tuple[float, float]]
    sentences: frozenset[str]

    @classmethod
    def of(cls, context: str) -> CaseEvidence:
        """Read a context."""
        return cls(
            ContextIndex.from_context(context),
            NoveltyIndex.of(context),
            tuple(name.key for name in find_names(context)),
            frozenset((number.low, number.high) for number in find_numbers(context)),
            frozenset(_bare(sentence.text) for sentence in split_sentences(context, layout=True)),
        )


@dataclass(frozen=True)
class Case:
    """A wrong label, with what the rules look at."""

    pair: LabelPair
    grounds: CaseEvidence
    require: Require

    @cached_property
    def side(self) -> Side:
        """Whether a hallucination was missed, a sound statement called one, or neither."""
        machine, human = self.pair.sides(self.require)
        if machine == human:
            return "same side"
        return "missed" if human else "false alarm"

    @cached_property
    def novelty(self) -> Novelty:
        """What the context lacks of the statement's words."""
        return self.grounds.words.novelty(self.pair.statement.text)

    @property
    def word_for_word(self) -> bool:
        """Whether the statement is a sentence of the context."""
        return _bare(self.pair.statement.text) in self.grounds.sentences

    @cached_property
    def new(self) -> tuple[str, ...]:
        """Names and numbers of the statement that the context has not, as they stand."""
        text = self.pair.statement.text
        names = [(name.start, name.text) for name in find_names(text) if not self._known(name)]
        known = self.grounds.numbers
        numbers = [(each.start, each.text) for each in find_numbers(text) if (each.low, each.high) not in known]
        return tuple(each for _, each in sorted(names + numbers))

    def _known(self, name: Name) -> bool:
        """Known by name, or word by word: what opens a sentence is capitalised whether or not it is a name."""
        parts = (name_key(word) for word in name.text.split())
        return knows(self.grounds.names, name.key) or not any(
            self.grounds.words.new_words(" ".join(part)) for part in parts
        )

    @cached_property
    def contradictions(self) -> tuple[Contradiction, ...]:
        """Where the statement says something else than the context."""
        return find_contradictions(self.pair.statement.text, self.grounds.contradictions)

    @cached_property
    def judgement(self) -> str | None:
        """The first evaluative word."""
        match = _JUDGES.search(self.pair.statement.text)
        return None if match is None else match[0]
