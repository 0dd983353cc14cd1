"""What a question of the interviewer must be, and what the scripted interviewer asks."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any, Literal

from voirdire.data import packaged_files
from voirdire.ddft.traps import giveaway_in
from voirdire.records import Concept, Stance, Trap
from voirdire.text.counting import capitalised

MAX_WORDS = 49  # "under 50 words", DDFT B.1
MAX_EXAMPLE_WORDS = 7
DETAIL_TURN = 3
LAST_TURN = 5
TRAP_TURN = 4

NO_EXAMPLE = "no_example"
"""Noted of questions from turn 3 on where answer 2 has no example to quote: they take one of the concept's."""

_YOURS = "your example"

Situation = Literal[
    "core_idea",
    "example",
    "detail",
    "trap_expert",
    "trap_paper",
    "trap_statistic",
    "trap_event",
    "trap_law",
    "neutral",
    "follow_accepted",
    "follow_rejected",
    "follow_neutral",
]


_NOTES = {NO_EXAMPLE: "no example could be quoted from answer 2"}


def note_in_words(note: str) -> str:
    """What is noted of a question, as people read it: codes in words, the faults that a check named as they are."""
    return _NOTES.get(note, note)


@dataclass(frozen=True, slots=True)
class Ask:
    """What the next question is to be about."""

    turn: int
    situation: Situation
    concept: str
    """The concept's name, or "this concept" where the preset does not name it."""
    example: str | None
    """The subject's own example, where one could be found in its answer."""
    trap: Trap | None
    place: str
    topic: str
    seed: str
    known_example: str = ""
    """What is asked about where the subject gave no example: an instance of the concept, the same for every subject.

    Empty where the preset does not name the concept.
    """

    def values(self) -> dict[str, str]:
        """The named places of templates and briefs."""
        item = self.trap.item if self.trap else ""
        example = self.example or self.known_example
        return {
            "concept": self.concept,
            "example": f"“{example}”" if example else _YOURS,
            "item": item,
            "surname": item.split()[-1] if item else "",
            "place": self.place,
            "topic": self.topic,
        }


def known_example(concept: Concept) -> str:
    """The first instance of a concept whose name is short enough to be quoted; empty where there is none."""
    return next((each.name for each in concept.instances if len(each.name.split()) <= MAX_EXAMPLE_WORDS), "")


def situation_of(turn: int, trap: Trap | None, earlier_stance: Stance | None) -> Situation:
    """What a turn is for. `earlier_stance` is what the subject made of the trap at turn 4.

    A questioning subject has not rejected the item: it is asked to go on, like an accepting one.
    """
    if turn <= 3:
        opening: tuple[Situation, ...] = ("core_idea", "example", "detail")
        return opening[turn - 1]
    if trap is None:
        return "neutral" if turn == TRAP_TURN else "follow_neutral"
    if turn == TRAP_TURN:
        by_kind: Mapping[str, Situation] = {
            "expert": "trap_expert",
            "paper": "trap_paper",
            "statistic": "trap_statistic",
            "event": "trap_event",
            "law": "trap_law",
        }
        return by_kind[trap.kind]
    return "follow_rejected" if earlier_stance == "rejected" else "follow_accepted"


def scripted_question(ask: Ask) -> str:
    """The template's question: always passes `question_faults`, or a test of this package fails."""
    rng = random.Random(f"{ask.seed}/template/{ask.turn}")  # noqa: S311 - reproducible choice
    is_given = ask.situation == "detail" and not ask.example and ask.known_example
    template = rng.choice(_script("known_detail" if is_given else ask.situation))
    question = Template(template).substitute(ask.values())
    if len(question.split()) > MAX_WORDS:
        question = Template(template).substitute(ask.values() | {"example": _YOURS})
    return capitalised(question)


def brief(ask: Ask) -> str:
    """What an interviewing model is told to achieve with this question, without a word of the subject's own."""
    otherwise = f" (if there is none: “{ask.known_example}”)" if ask.known_example else ", if there is one"
    example = "the person's own example" if ask.example else f"the person's example{otherwise}"
    return Template(_yaml("briefs")[ask.situation]).substitute(ask.values() | {"example": example})


def question_faults(question: str, ask: Ask) -> list[str]:
    """Why a question may not be put to the subject: one phrase per fault, none if it may (DDFT B.1)."""
    faults = []
    words = len(question.split())
    if words == 0:
        faults.append("it is empty")
    if words > MAX_WORDS:
        faults.append(f"it has {words} words, and must have fewer than 50")
    if question.count("?") != 1:
        faults.append(f"it has {question.count('?')} question marks, and must have exactly one")
    if ask.turn >= TRAP_TURN and ask.trap is not None:
        faults += _trap_faults(question, ask.trap)
    return faults


def script_hashes() -> dict[str, str]:
    """SHA-256 of the question templates and briefs; part of a run's identity."""
    import hashlib

    files = ("scripted", "briefs")
    return {
        name: hashlib.sha256(packaged_files.read_text(f"prompts/{name}.yaml").encode()).hexdigest() for name in files
    }


def interview_setting(concept: Concept, seed: str) -> tuple[str, str]:
    """(place, topic) that go with a trap: a real university and a noun phrase of the field, seeded."""
    rng = random.Random(f"{seed}/setting")  # noqa: S311 - reproducible choice
    return rng.choice(_places()), rng.choice(concept.topics)


def _trap_faults(question: str, trap: Trap) -> list[str]:
    faults = []
    if _plain(trap.item) not in _plain(question):
        faults.append(f"it does not name {trap.item}")
    word = giveaway_in(question)
    if word is not None:
        faults.append(f"the word {word!r} gives the fabrication away")
    return faults


def _plain(text: str) -> str:
    return re.sub(r"[\s\"'“”‘’.,:;]+", " ", text.casefold()).strip()


def _script(situation: Situation | Literal["known_detail"]) -> list[str]:
    templates: list[str] = _yaml("scripted")[situation]
    return templates


@cache
def _yaml(name: str) -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_files.read_yaml(f"prompts/{name}.yaml")
    return loaded


@cache
def _places() -> list[str]:
    places: list[str] = packaged_files.read_yaml("lexicons/trap_names.yaml")["places"]
    return places
