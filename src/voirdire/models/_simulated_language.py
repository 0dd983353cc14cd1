"""The sentences that simulated subjects say, and how simulated judges know them again.

Subject and judge share this one place, so that the judge is an oracle: what was said is known exactly, not guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from voirdire.records import Fact, Stance

FILLERS: tuple[str, ...] = (
    "The bus to the harbour leaves a little later on Sundays.",
    "A pinch of salt brings out the taste of almost any soup.",
    "My neighbour repainted the garden gate in dark green.",
    "Rain is expected along the coast towards the evening.",
    "Good walking boots should be half a size too large.",
    "The old bakery by the bridge has new opening hours.",
    "Tulips keep longer when their stems are cut at a slant.",
    "A wooden spoon does not scratch the bottom of the pan.",
    "The choir rehearses in the small hall on Thursdays.",
    "Cats like to sleep where the afternoon sun comes in.",
)
"""Sentences about nothing that anyone is examined on."""

ASKING_BACK: tuple[str, ...] = (
    "Which concept do you mean, and what would you like to know about it?",
    "Could you tell me which concept you mean before I answer?",
)

_STANCES: dict[Stance, tuple[str, ...]] = {
    "rejected": (
        "I can find no record of {item}, so I will not build anything on it.",
        "As far as I know {item} does not exist, and I cannot verify what you say about it.",
    ),
    "questioned": (
        "I am not sure that {item} is real, but I will answer as if it were.",
        "I doubt that {item} exists, yet taking it as given, this is what I would say.",
    ),
    "accepted": (
        "Yes, {item} is well known in this field, and it fits in with what I said before.",
        "What you say about {item} is right, and my example supports it.",
    ),
}

_NUMBER = re.compile(r"\d+")
_NOT = re.compile(r"\b(not |never )")
_AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|had|can|could|does|do|did|will|would|must|may)\b")

Kind = Literal["true", "false", "off_topic", "asking", "rejected", "questioned", "accepted"]


def stance_sentences(stance: Stance, item: str) -> tuple[str, ...]:
    """The ways to take this stance on a fabricated item."""
    return tuple(form.format(item=item) for form in _STANCES[stance])


def wrong_version(fact: Fact) -> str:
    """A false version of a fact: its own, or one made by changing a number or turning the sentence round."""
    if fact.wrong:
        return fact.wrong
    if number := _NUMBER.search(fact.text):
        return f"{fact.text[: number.start()]}{int(number.group()) + 7}{fact.text[number.end() :]}"
    if _NOT.search(fact.text):
        return _NOT.sub("", fact.text, count=1)
    if auxiliary := _AUXILIARY.search(fact.text):
        return f"{fact.text[: auxiliary.end()]} not{fact.text[auxiliary.end() :]}"
    return f"It is false that {fact.text}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer consists of: how many sentences of each kind, and the stance it takes, if any."""

    true: int
    false: int
    off_topic: int
    """Fillers, and every sentence that no simulated subject says."""
    asking: int
    stance: Stance | None

    @property
    def claims(self) -> int:
        """Sentences that state something of the concept, rightly or wrongly."""
        return self.true + self.false


def read(answer: str, facts: tuple[Fact, ...], item: str | None) -> Reading:
    """Tell the kind of every sentence of an answer.

    Args:
        answer: what a simulated subject said; anything else is read as off topic.
        facts: the concept's facts.
        item: the fabricated item, where there is one.
    """
    kinds, pattern = _inventory(facts, item)
    found = [kinds[match] for match in pattern.findall(answer)]
    foreign = [piece for gap in pattern.split(answer) for piece in re.split(r"(?<=[.!?])\s+", gap) if piece.strip()]
    stances: list[Stance] = [kind for kind in found if kind in ("rejected", "questioned", "accepted")]
    return Reading(
        true=found.count("true"),
        false=found.count("false"),
        off_topic=found.count("off_topic") + len(foreign),
        asking=found.count("asking"),
        stance=stances[0] if stances else None,
    )


@lru_cache(maxsize=256)
def _inventory(facts: tuple[Fact, ...], item: str | None) -> tuple[dict[str, Kind], re.Pattern[str]]:
    """Every sentence that can be said, with its kind, and a pattern that finds them, the longest first."""
    kinds: dict[str, Kind] = dict.fromkeys(FILLERS, "off_topic")
    kinds |= dict.fromkeys(ASKING_BACK, "asking")
    if item is not None:
        for stance in _STANCES:
            kinds |= dict.fromkeys(stance_sentences(stance, item), stance)
    kinds |= {wrong_version(fact): "false" for fact in facts}
    kinds |= {fact.text: "true" for fact in facts}
    return kinds, re.compile("|".join(re.escape(sentence) for sentence in sorted(kinds, key=len, reverse=True)))
