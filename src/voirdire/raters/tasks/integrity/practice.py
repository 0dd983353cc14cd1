"""Packaged practice cases with their references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from voirdire import data
from voirdire.integrity import EstablishedFact, Violation, load_taxonomy, score
from voirdire.integrity.items import read_violation
from voirdire.raters.records import Document, Item
from voirdire.raters.tasks.integrity.deduction import omission_violations
from voirdire.raters.tasks.integrity.task import body_of, facts_as_judged

FILE = "raters/integrity/practice.yaml"


class Practice(NamedTuple):
    """A practice case: what is shown, and the item with its reference."""

    document: Document
    item: Item


def practice() -> list[Practice]:
    """All of them, in their order. The key of each is a rating in the task's form, with `why` beside."""
    import yaml

    return [_case(each) for each in yaml.safe_load(data.read_text(FILE))["cases"]]


def _case(raw: Mapping[str, Any]) -> Practice:
    facts = facts_as_judged(raw["facts"])
    body = body_of(raw["context"], facts, raw["response"])
    document = Document(id=raw["id"], body=body, group=raw["id"])
    found = [read_violation(each, [], facts) for each in raw["violations"]]
    key = _key(found, raw.get("omitted", ()), facts, raw)
    return Practice(document, Item(id=raw["id"], document=raw["id"], pool="practice", key=key))


def _key(
    found: Sequence[Violation], omitted: Sequence[str], facts: Sequence[EstablishedFact], raw: Mapping[str, Any]
) -> dict[str, Any]:
    scored = score([*found, *omission_violations(omitted, "")], facts, taxonomy=load_taxonomy())
    return {
        "holistic": raw["holistic"],
        "violations": [
            {
                "type": charge.type.name,
                "sentence": charge.violation.sentence,
                "span": charge.violation.span,
                "fact": charge.violation.fact,
                "reason": charge.violation.reason,
                "ambiguous": False,
                "note": "",
                "penalty": charge.penalty,
            }
            for charge in scored.charges
        ],
        "score": scored.score,
        "band": scored.band.name,
        "ambiguous": False,
        "note": "",
        "second_look": None,
        "why": raw["why"],
    }
