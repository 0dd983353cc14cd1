"""Answers with contexts, made of the packaged concepts: as many as one asks for, the same every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from voirdire.ddft.concepts.packs import packaged_concept, packaged_ids
from voirdire.models import simulated
from voirdire.models.simulated import SubjectParameters
from voirdire.records import Scene

_SUBJECT = SubjectParameters(accuracy=((0.0, 0.75),), coherence=0.9)


def made_answers() -> Iterator[dict[str, str]]:
    """One after another, without end: of eight sentences, on the packaged concepts in turn; every fourth is false."""
    concepts = [packaged_concept(name).concept for name in packaged_ids()]
    number = 0
    while True:
        for concept in concepts:
            said = simulated.subject_answer(_SUBJECT, Scene(concept.id, concept.facts, 1), number)
            question = f"What is known of {concept.name}?"
            yield {"id": f"a{number:07}", "context": concept.reference, "question": question, "answer": said}
            number += 1


def write_answers(path: Path, count: int) -> None:
    """The first so many, as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(answer)}\n" for answer in islice(made_answers(), count))
