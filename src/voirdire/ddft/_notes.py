"""What must be said beside a profile's numbers, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from voirdire.ddft._uncertainty import MIN_CONCEPTS
from voirdire.ddft.metrics import Value


def few_concepts(concepts: int) -> Iterator[str]:
    """Why there are no intervals at all."""
    if concepts < MIN_CONCEPTS:
        yield "Fewer than three concepts: no intervals."


def without_value(metrics: Mapping[str, Value]) -> Iterator[str]:
    """Which metrics are undefined, and why; one sentence per reason."""
    yield from _grouped({name: value.reason for name, value in metrics.items() if value.reason}, "undefined")
    if metrics["V_E"].value is None and metrics["V_E_proxy"].value is not None:
        yield "V_E_proxy, the mean FAR at turn 4, is the paper's stand-in for V_E."


def without_interval(reasons: Mapping[str, str]) -> Iterator[str]:
    """Which metrics have a value but no interval, and why; one sentence per reason."""
    yield from _grouped(reasons, "without an interval")


def _grouped(reasons: Mapping[str, str | None], state: str) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        by_reason.setdefault((reason or "").rstrip("."), []).append(name)
    for reason, names in by_reason.items():
        yield f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} {state}: {reason}."
