"""A wrong label, and what can be seen of its statement beside the context."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from voirdire.cognibench.diagnosis.matching import Pair
from voirdire.detectors.novelty import Novelty, NoveltyIndex
from voirdire.detectors.records import Require
from voirdire.evidence import ContextIndex, Contradiction, find_contradictions
from voirdire.text import any_phrase, find_names, find_numbers, knows, name_key
from voirdire.text.entities import Name

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
class Grounds:
    """A context, read once for all statements that are compared with it."""

    contradictions: ContextIndex
    words: NoveltyIndex
    names: tuple[tuple[str, ...], ...]
    numbers: frozenset[tuple[float, float]]

    @classmethod
    def of(cls, context: str) -> Grounds:
        """Read a context."""
        return cls(
            ContextIndex.of(context),
            NoveltyIndex.of(context),
            tuple(name.key for name in find_names(context)),
            frozenset((number.low, number.high) for number in find_numbers(context)),
        )


@dataclass(frozen=True)
class Case:
    """A wrong label, with what the rules look at."""

    pair: Pair
    grounds: Grounds
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

    @cached_property
    def new(self) -> tuple[str, ...]:
        """Names and numbers of the statement that the context has not, as they stand."""
        text = self.pair.statement.text
        names = [(name.start, name.text) for name in find_names(text) if not self._known(name)]
        known = self.grounds.numbers
        numbers = [(each.start, each.text) for each in find_numbers(text) if (each.low, each.high) not in known]
        return tuple(said for _, said in sorted(names + numbers))

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
        found = _JUDGES.search(self.pair.statement.text)
        return None if found is None else found[0]
