"""The task's packaged texts: the guideline, and the turns to practise on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from voirdire.data import read_text
from voirdire.raters.records import Document, Item, Pool

_PRACTICE: Pool = "practice"


@cache
def guideline_data() -> Mapping[str, Any]:
    """`data/raters/ddft/guideline.yaml`: `title`, `intro`, `classes`, `scales`, `stances`, `kinds`, `as_of`."""
    return _read("guideline")


def reference_notes(kind: str, as_of: str) -> list[str]:
    """What a rater is told beside a reference that is not settled knowledge; the rules that judges are given too."""
    said = guideline_data()
    dated = [said["as_of"].replace("$as_of", as_of)] if as_of else []
    return [*dated, *([said["kinds"][kind]] if kind in said["kinds"] else [])]


def practice() -> tuple[tuple[Document, Item], ...]:
    """The packaged practice turns, each with its key: what is right, how far one may lie from it, and why."""
    from voirdire.ddft.concepts import packaged_concept

    return tuple(_practice_turn(turn, packaged_concept(turn["concept"]).concept) for turn in _read("practice")["turns"])


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


def _read(name: str) -> Mapping[str, Any]:
    import yaml

    read: Mapping[str, Any] = yaml.safe_load(read_text(f"raters/ddft/{name}.yaml"))
    return read
