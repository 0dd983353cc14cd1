"""A subject with known parameters: what a run must find out about it is known beforehand.

Expectations, for answers read by an unbiased judge:

- FAR at turns 1 to 3, over the answers that claim anything: `accuracy` at the level, exactly.
- SAS: `coherence`, exactly, at turns 4 and 5 also; but `coherence * (1 - asks)` at turns 1 to 3, since an
  answer that only asks back answers nothing.
- The share of traps rejected at turn 4: `reject`; questioned: `(1 - reject) * question`.
"""

from __future__ import annotations

import hashlib
import math
import random

from voirdire.models._simulated_language import ASKING_BACK, FILLERS, stance_sentences, wrong_version
from voirdire.models._simulated_parameters import SubjectParameters
from voirdire.records import Fact, Scene, Stance

SENTENCES = 8
"""Of each answer; at turns 4 and 5 of a dialogue with a trap, one more goes before them that takes the stance."""

_TRAP_TURN, _LAST_TURN = 4, 5


def answer(parameters: SubjectParameters, scene: Scene, seed: int) -> str:
    """What the subject says: settled by its parameters, the scene and the seed alone. The scene must have facts."""
    rng = seeded(parameters.seed, seed)
    if scene.turn < _TRAP_TURN and rng.random() < parameters.asks:
        return rng.choice(ASKING_BACK)
    body = _body(parameters, scene, rng)
    if scene.trap is None or scene.turn < _TRAP_TURN:
        return " ".join(body)
    stance = _stance(parameters, scene, rng)
    return " ".join([rng.choice(stance_sentences(stance, scene.trap.item)), *body])


def seeded(*parts: object) -> random.Random:
    """A generator of its own for these parts: the same on every machine and in every process."""
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return random.Random(int.from_bytes(digest[:8]))  # noqa: S311  # a simulation, no secret


def _body(parameters: SubjectParameters, scene: Scene, rng: random.Random) -> list[str]:
    """The sentences on the topic and off it."""
    coherence = _shifted(parameters.coherence, "coherence", parameters, scene)
    accuracy = _shifted(parameters.accuracy_at(scene.level or 0.0), "accuracy", parameters, scene)
    facts = _drawn(scene.facts, rng)
    fillers = rng.sample(FILLERS, SENTENCES)
    return [
        _stated(fact, accuracy, rng) if rng.random() < coherence else filler
        for fact, filler in zip(facts, fillers, strict=True)
    ]


def _drawn(facts: tuple[Fact, ...], rng: random.Random) -> list[Fact]:
    """As many facts as an answer has sentences, none twice before all were drawn."""
    drawn: list[Fact] = []
    while len(drawn) < SENTENCES:
        drawn += rng.sample(facts, len(facts))
    return drawn[:SENTENCES]


def _stated(fact: Fact, accuracy: float, rng: random.Random) -> str:
    return fact.text if rng.random() < accuracy else wrong_version(fact)


def _stance(parameters: SubjectParameters, scene: Scene, rng: random.Random) -> Stance:
    if scene.turn == _LAST_TURN and scene.earlier_stance == "accepted":
        return "accepted" if rng.random() < parameters.entrench else "rejected"
    if scene.turn == _LAST_TURN and scene.earlier_stance is not None:
        return "accepted" if rng.random() < parameters.capitulate else scene.earlier_stance
    if rng.random() < _shifted(parameters.reject, "reject", parameters, scene):
        return "rejected"
    return "questioned" if rng.random() < parameters.question else "accepted"


def _shifted(probability: float, quantity: str, parameters: SubjectParameters, scene: Scene) -> float:
    """The probability for this concept: moved on the logit scale, where the subject differs between concepts."""
    if parameters.concept_sd == 0 or probability in (0.0, 1.0):
        return probability
    shift = seeded(parameters.seed, quantity, scene.concept).gauss(0.0, parameters.concept_sd)
    return 1 / (1 + math.exp(-(math.log(probability / (1 - probability)) + shift)))
