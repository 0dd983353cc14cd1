"""Turns of a run, drawn and blinded for people to rate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voirdire.raters.records import Document, Item, Pool, RatersError
from voirdire.raters.tasks.base import DrawOptions, Materials, left_out
from voirdire.raters.tasks.ddft.task import read_texts
from voirdire.text.counting import counted

_PRACTICE: Pool = "practice"


def make(path: Path, options: DrawOptions) -> Materials:
    """Draw scored turns of a cross-examination, spread over turns and the jury's scores (`ddft.crosscheck`).

    A turn weighs as many turns as it was drawn from. What is shown holds no model, level, score or verdict; the key,
    a hash of dialogue, turn and answer, finds the turn again.

    Raises:
        RatersError: there is no such run, or not as many scored turns.
        JuryError: no such jury has judged it.
    """
    from voirdire.ddft.person_check import CrosscheckError, DrawnTurn, draw_turns, read_judged
    from voirdire.runs import RunFolderError

    try:
        judged = read_judged(path, options.jury)
    except (CrosscheckError, RunFolderError) as error:
        raise RatersError(str(error)) from error
    there = len(judged.turns)
    wanted = there if options.sample is None else options.sample
    if not 1 <= wanted <= there:
        raise RatersError(
            f"{path} holds {counted(there, 'scored turn')}, and a sample of {wanted} was asked for; give 1 to {there}."
        )

    def document(drawn: DrawnTurn) -> Document:
        turn = drawn.shown
        return Document(
            id=turn.key,
            body={
                "concept": turn.concept,
                "reference": turn.reference,
                "turn": turn.turn,
                "history": [list(pair) for pair in turn.history],
                "question": turn.question,
                "answer": turn.answer,
                "fabricated": turn.fabricated,
                "kind": turn.kind,
                "as_of": turn.as_of,
            },
            group=drawn.concept,
            source={"dialogue": drawn.dialogue, "turn": turn.turn, "key": turn.key},
            stratum=drawn.stratum,
            weight=float(drawn.stands_for),
        )

    live = [document(drawn) for drawn in draw_turns(judged, wanted, seed=options.seed)]
    return Materials(
        tuple(live),
        tuple(Item(id=each.id, document=each.id) for each in live),
        left_out=left_out("no_score", judged.unscored),
    )


def practice() -> Materials:
    """The packaged practice turns, each with its key: what is right, how far one may lie from it, and why."""
    from voirdire.ddft.concepts import packaged_concept

    turns = [
        _practice_turn(each, packaged_concept(each["concept"]).concept) for each in read_texts("practice")["turns"]
    ]
    return Materials(tuple(document for document, _ in turns), tuple(item for _, item in turns))


def _practice_turn(turn: Mapping[str, Any], concept: Any) -> tuple[Document, Item]:
    name = f"{_PRACTICE}-{turn['id']}"
    body = {
        "concept": concept.name,
        "reference": concept.reference,
        "turn": turn["turn"],
        "history": turn.get("history", []),
        "question": turn["question"],
        "answer": turn["answer"],
        "fabricated": turn.get("fabricated", ""),
        "kind": concept.kind,
        "as_of": concept.as_of,
    }
    key = {**turn["key"], "within": turn["within"], "why": turn["why"]}
    return (
        Document(id=name, body=body, group=concept.id, source={_PRACTICE: turn["id"]}, stratum=_PRACTICE),
        Item(id=name, document=name, pool=_PRACTICE, key=key),
    )
