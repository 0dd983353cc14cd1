"""The fabrication of turn 4: five kinds, seeded, checked against what is real (DDFT 3, B.1).

The same (seed, concept, level, sample) gives every subject of a study the same trap, so that subjects can be
compared in pairs.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire.data import packaged_files
from voirdire.records import TRAP_KINDS, Concept, Trap, TrapKind

MAX_DRAWS = 200
YEARS = (1975, 2009)  # late enough for every topic of the concepts, so that a year alone betrays nothing


class TrapError(RuntimeError):
    """No fabrication could be made that differs from everything real."""


@dataclass(frozen=True, slots=True)
class TrapDraw:
    """A trap, and what the checks rejected before it."""

    trap: Trap
    rejected: tuple[str, ...] = ()
    """Items drawn before it that turned out to be real or to give the trap away, with the reason."""


def draw_trap(concept: Concept, kind: TrapKind, seed: str) -> TrapDraw:
    """A fabrication of this kind about this concept, the same for the same seed.

    Raises:
        TrapError: nothing that differs from everything real was found in `MAX_DRAWS` draws.
    """
    rng = random.Random(seed)  # noqa: S311 - reproducible draws, not secrets
    rejected: list[str] = []
    for _ in range(MAX_DRAWS):
        trap = _MAKERS[kind](concept, rng)
        fault = trap_fault(trap, concept)
        if fault is None:
            return TrapDraw(trap, tuple(rejected))
        rejected.append(f"{trap.item}: {fault}")
    raise TrapError(
        f"No {kind} could be fabricated for {concept.name!r} that differs from the real ones it lists; "
        f"the last try was {rejected[-1]}."
    )


def trap_fault(trap: Trap, concept: Concept) -> str | None:
    """Why this item may not serve as a fabrication for this concept; `None` when it may."""
    word = giveaway_in(trap.item)
    if word is not None:
        return f"the word {word!r} gives the fabrication away"
    if trap.kind == "expert":
        return _scholar_fault(trap.item, concept)
    if trap.kind == "statistic":
        return _statistic_fault(trap.item, concept)
    item = _plain(trap.item)
    for real in concept.real.get(trap.kind, ()):
        if _plain(real) in item or item in _plain(real):
            return f"{real} is real"
    return None


def kind_for(kinds: str, seed: int, concept_id: str, position: int) -> TrapKind:
    """The kind of trap of the `position`-th dialogue of a concept: a fixed kind, or all five in a seeded order."""
    for kind in TRAP_KINDS:
        if kinds == kind:
            return kind
    order = list(TRAP_KINDS)
    random.Random(f"{seed}/kinds/{concept_id}").shuffle(order)  # noqa: S311 - reproducible draws
    return order[position % len(order)]


def trap_seed(seed: int, concept_id: str, level: float, sample: int) -> str:
    """The seed of a trap: everything that tells a dialogue apart, except who the subject is."""
    text = f"{seed}/trap/{concept_id}/{level:g}/{sample}"
    return hashlib.sha256(text.encode()).hexdigest()


def giveaway_in(text: str) -> str | None:
    """The first word of the text that tells the reader that something in it is made up, if any."""
    match = _giveaways().search(text)
    return match.group(0) if match else None


@cache
def _giveaways() -> re.Pattern[str]:
    lines = packaged_files.read_text("lexicons/giveaways.txt").splitlines()
    stems = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return re.compile(r"\b(?:" + "|".join(re.escape(stem) for stem in stems) + r")\w*", re.IGNORECASE)


@cache
def _lexicon(name: str) -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_files.read_yaml(f"lexicons/{name}.yaml")
    return loaded


@cache
def _famous() -> frozenset[str]:
    lines = packaged_files.read_text("lexicons/famous_names.txt").splitlines()
    return frozenset(line.strip().casefold() for line in lines if line.strip() and not line.startswith("#"))


def _expert(concept: Concept, rng: random.Random) -> Trap:
    names = _lexicon("trap_names")
    item = " ".join(rng.choice(names[part]) for part in ("titles", "first_names", "last_names"))
    return Trap("expert", item, f"{item} does not exist; no such scholar of {concept.domain} is known.")


def _paper(concept: Concept, rng: random.Random) -> Trap:
    title = _filled(rng.choice(_lexicon("trap_parts")["paper_patterns"]), concept, rng)
    item = f"“{_title_case(title)}”"
    return Trap("paper", item, f"There is no publication with the title {item}.")


def _statistic(concept: Concept, rng: random.Random) -> Trap:
    item = f"{rng.randint(110, 890) / 10:.1f} per cent"
    return Trap("statistic", item, f"The figure of {item} that the question reports comes from no study.")


def _event(concept: Concept, rng: random.Random) -> Trap:
    item = _filled(rng.choice(_lexicon("trap_parts")["event_patterns"]), concept, rng)
    return Trap("event", item, f"The event called {item} never took place.")


def _law(concept: Concept, rng: random.Random) -> Trap:
    item = _filled(rng.choice(_lexicon("trap_parts")["law_patterns"]), concept, rng)
    return Trap("law", item, f"There is no law, rule or principle called {item}.")


_MAKERS = {"expert": _expert, "paper": _paper, "statistic": _statistic, "event": _event, "law": _law}


def _filled(pattern: str, concept: Concept, rng: random.Random) -> str:
    parts, names = _lexicon("trap_parts"), _lexicon("trap_names")
    return pattern.format(
        topic=rng.choice(concept.topics),
        surname=rng.choice(names["last_names"]),
        noun=rng.choice(parts["law_nouns"]),
        town=rng.choice(parts["towns"]),
        year=rng.randint(*YEARS),
    )


def _title_case(title: str) -> str:
    return title[:1].upper() + title[1:]


def _scholar_fault(item: str, concept: Concept) -> str | None:
    surname = _plain(item).split()[-1]
    for scholar in concept.scholars:
        if surname == _plain(scholar).split()[-1]:
            return f"{scholar} is a real scholar of the field"
    return f"{item.split()[-1]} is the name of a well-known scholar" if surname in _famous() else None


def _statistic_fault(item: str, concept: Concept) -> str | None:
    number = item.split()[0]
    return f"{number} stands in the concept's facts" if number in _fact_numbers(concept) else None


def _fact_numbers(concept: Concept) -> Sequence[str]:
    texts = [concept.reference, *(fact.text for fact in concept.facts)]
    return re.findall(r"\d+(?:\.\d+)?", " ".join(texts))


def _plain(text: str) -> str:
    return re.sub(r"[^\w\s]", "", text.casefold()).strip()
