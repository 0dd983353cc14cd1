"""Labels of statements that come from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.detectors.records import LABELS
from voirdire.raters.exchange.checking._fields import FieldError, check_names, one_of, sequence, text
from voirdire.raters.tasks.cognibench.ladder import CHOICES, LABEL, outcome, walk

FIELDS = ("label", "steps", "reason")


def check(value: Mapping[str, Any]) -> dict[str, Any]:
    """A label, with the steps that led to it where they are known, and a reason.

    Raises:
        FieldError: one of them can't be taken, or the steps lead elsewhere.
    """
    check_names(value, FIELDS)
    label = one_of("label", value.get("label"), LABELS)
    listed = sequence("steps", value.get("steps", []))
    steps = [_step(f"steps[{place}]", step) for place, step in enumerate(listed)]
    if steps and not _lead_to(steps, label):
        raise FieldError("steps", f"do not lead to the label {label}; leave them empty if they are not known")
    return {"label": label, "steps": steps, "reason": text("reason", value.get("reason", ""))}


def _step(field: str, step: Any) -> list[str]:
    parts = [text(field, part) for part in sequence(field, step)]
    if len(parts) != 2 or parts[1] not in CHOICES.get(parts[0], ()):
        raise FieldError(field, "must hold a question of the ladder and an answer to it")
    return parts


def _lead_to(steps: Sequence[Sequence[str]], label: str) -> bool:
    """Whether they are the ladder's, in order, or the class asked directly; and end in this label."""
    question, answer = steps[-1]
    if outcome(question, answer)[1] != label:
        return False
    if question == LABEL:
        return len(steps) == 1
    return [list(step) for step in walk([answer for _, answer in steps])] == [list(step) for step in steps]
