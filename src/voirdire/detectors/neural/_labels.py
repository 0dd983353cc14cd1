"""Which output of an NLI classifier means what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from voirdire.detectors.records import DetectorError

_NOT_A_LETTER = re.compile(r"[^a-z]")
_PLAIN = re.compile(r"label\d+", re.IGNORECASE)
RELEASED_WITHOUT_NAMES = {"potsawee/deberta-v3-large-mnli": {0: "entailment", 1: "contradiction"}}
"""SelfCheckGPT's own model; its card names the outputs."""


class NliLabels(NamedTuple):
    """Places of the classes among a model's outputs."""

    entailment: int
    contradiction: int | None
    """`None`: the model only tells entailment from the rest."""


def nli_labels(
    model: str, id2label: Mapping[Any, str], label2id: Mapping[str, Any] | None = None, *, contradiction: bool = True
) -> NliLabels:
    """Find entailment and contradiction among the outputs, by their names.

    Args:
        model: for the message, and for the few models whose names stand elsewhere.
        id2label: of the model's configuration; names in any case and spelling ("ENTAILMENT", "not-entailment").
        label2id: used where `id2label` holds no more than LABEL_0, LABEL_1 …
        contradiction: whether it must be among them.

    Raises:
        DetectorError: the names don't say what the outputs mean, or contradiction is not among them.
    """
    names = RELEASED_WITHOUT_NAMES.get(model) or _named(id2label, label2id or {})
    places = {_meaning(name): place for place, name in names.items()}
    entailment, contradicted = places.get("entailment"), places.get("contradiction")
    said = ", ".join(names[place] for place in sorted(names))
    if entailment is None:
        raise DetectorError(
            f"{model} calls its classes {said}, which does not say where entailment stands: "
            "set id2label in its config.json, or use a model that names entailment, neutral and contradiction."
        )
    if contradiction and contradicted is None:
        raise DetectorError(
            f"{model} calls its classes {said} and knows no contradiction: "
            "use nli with --not-entailed, or a model that names entailment, neutral and contradiction."
        )
    return NliLabels(entailment, contradicted)


def binary_label(model: str, id2label: Mapping[Any, str], positive: str, negative: str) -> int:
    """The output of a two-class model that means `positive`; where classes have no names, the second.

    Raises:
        DetectorError: the model has another number of classes, or names that are neither.
    """
    names = {int(place): name.lower() for place, name in id2label.items()}
    if len(names) == 2:
        if all(_PLAIN.fullmatch(name.replace("_", "")) for name in names.values()):
            return 1
        if set(names.values()) == {positive, negative}:
            return next(place for place, name in names.items() if name == positive)
    raise DetectorError(
        f"{model} has the classes {', '.join(names[place] for place in sorted(names))}; "
        f"two are expected, {negative} and {positive}."
    )


def _named(id2label: Mapping[Any, str], label2id: Mapping[str, Any]) -> dict[int, str]:
    names = {int(place): str(name) for place, name in id2label.items()}
    if any(_meaning(name) for name in names.values()):
        return names
    other = {int(place): str(name) for name, place in label2id.items()}
    return other if any(_meaning(name) for name in other.values()) else names


def _meaning(name: str) -> str | None:
    plain = _NOT_A_LETTER.sub("", name.lower())
    if plain.startswith(("notentail", "nonentail")):
        return "rest"
    for word, meaning in (("entail", "entailment"), ("contradict", "contradiction"), ("neutral", "neutral")):
        if plain.startswith(word):
            return meaning
    return None
