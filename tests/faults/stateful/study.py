"""The study that is held under faults: tiny, but held by the real protocol, jury and runner."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import NamedTuple

from tests.faults.stateful.sequence import World
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import load_preset
from voirdire.ddft.study import StudyPlan, dialogue_specs
from voirdire.records import Slot
from voirdire.runs import seed_of

PROVIDER = "faulty"
SUBJECTS = (f"{PROVIDER}/a", f"{PROVIDER}/b")
JUDGES = (f"json:{PROVIDER}/j", f"json:{PROVIDER}/k")
JURY = ("reference", *JUDGES)
OTHER_JURIES = (("reference",), (JUDGES[1],), ("reference", f"json:{PROVIDER}/l"))
TURNS = 5
REPAIRS = 2
LEVELS = (0.0, 1.0)


class Place(NamedTuple):
    """Which call a request is, as the harness knows it: by its seed, which the slot settles."""

    role: str
    who: str
    dialogue: str
    turn: int
    repair: int


@cache
def study(levels: int, granularity: str) -> StudyPlan:
    """Two models, one concept, one level or two."""
    sound = load_preset("sound")
    preset = dataclasses.replace(
        sound,
        concepts=("recursion",),
        levels=LEVELS[:levels],
        jury=dataclasses.replace(sound.jury, granularity=granularity),
    )
    return StudyPlan(SUBJECTS, tuple(find_concepts(preset.concepts)), preset, jury=JURY, seed=7)


def plan_of(world: World) -> StudyPlan:
    """The study of a world; what is kept does not change what is asked for."""
    return study(world.levels, world.granularity)


@cache
def dialogues(levels: int, granularity: str) -> list[str]:
    """Names of the dialogues, sorted."""
    return sorted(planned.id for planned in dialogue_specs(study(levels, granularity)))


@cache
def places(levels: int, granularity: str) -> dict[int, Place]:
    """Every call that the study can make, by the seed that it is sent with."""
    plan = study(levels, granularity)
    found = {}
    for dialogue in dialogues(levels, granularity):
        for turn in range(1, TURNS + 1):
            found[seed_of(Slot(dialogue, turn, "subject"), plan.seed)] = Place("subject", "", dialogue, turn, 0)
        judges = dict.fromkeys((*JURY, *(name for jury in OTHER_JURIES for name in jury)))
        for judge in judges:
            for repair in range(REPAIRS + 1):
                for turn in range(1, TURNS + 1):
                    slot = Slot(dialogue, turn, "judge", judge, repair)
                    found[seed_of(slot, plan.seed)] = Place("judge", judge, dialogue, turn, repair)
                slot = Slot(dialogue, 0, "judge", f"{judge}/dialogue", repair)
                found[seed_of(slot, plan.seed)] = Place("judge", judge, dialogue, 0, repair)
    return found
