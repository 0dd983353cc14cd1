"""The guideline panel: the taxonomy's types with examples, edge cases, bands and the three questions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from voirdire import data
from voirdire.integrity.taxonomy import load_taxonomy

FILE = "raters/integrity/guideline.yaml"


def guideline() -> dict[str, Any]:
    """`title`, `intro`, `steps`, `classes`, `edge_cases`, `bands`, `questions`, `pace`.

    A class has `name`, `label`, `says` (the taxonomy's), `severity`, `penalty`, and as examples `fact`, `positive`
    (is this violation) and `negative` (looks like it, but is not), each of these two with `text` and `why`.
    """
    told, taxonomy = _told(), load_taxonomy()
    classes = [
        {
            "name": kind.name,
            "says": kind.says,
            "severity": kind.severity,
            "penalty": kind.penalty,
            "pick": kind.rung is None and kind.severity != "critical",
            **told["types"][kind.name],
            "label": label(kind.name),
        }
        for kind in taxonomy.types.values()
    ]
    bands = [{"name": band.name, "range": band.range, "target_pct": list(band.target_pct)} for band in taxonomy.bands]
    plain = {name: told[name] for name in ("title", "intro", "steps", "edge_cases", "pace")}
    return plain | {"classes": classes, "bands": bands, "questions": list(told["questions"].values())}


def three_questions() -> Mapping[str, Mapping[str, str]]:
    """By name ("missed", "twice", "values"): `asks`, and `then`, what to do after a yes."""
    questions: Mapping[str, Mapping[str, str]] = _told()["questions"]
    return questions


def label(name: str) -> str:
    """A type's name for reading: "Fact denial"."""
    told = _told()["types"].get(name, {})
    return str(told.get("label", name.replace("_", " ").capitalize()))


@cache
def _told() -> Mapping[str, Any]:
    import yaml

    read: Mapping[str, Any] = yaml.safe_load(data.read_text(FILE))
    return read
