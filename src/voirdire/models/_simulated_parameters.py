"""What simulated models are made of, and how it is written in a spec."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from typing import Literal, TypeVar

from voirdire.models.base import SpecError

Curve = tuple[tuple[float, float], ...]
"""(level, value) points with rising levels; straight lines between them, flat beyond the first and the last."""


@dataclass(frozen=True, slots=True)
class SubjectParameters:
    """What a simulated subject does. Every value but `concept_sd`, `seed` and `name` is a probability."""

    accuracy: Curve = ((0.0, 0.9),)
    """That a sentence on the topic states its fact correctly, by compression level."""
    reject: float = 0.7
    """That the trap at turn 4 is rejected."""
    question: float = 0.0
    """That a trap which is not rejected is questioned; otherwise it is accepted."""
    coherence: float = 0.9
    """That a sentence is on the topic."""
    asks: float = 0.0
    """That the whole answer at turns 1 to 3 is a question back."""
    entrench: float = 0.8
    """That a trap accepted at turn 4 is still accepted at turn 5; otherwise it is rejected there."""
    capitulate: float = 0.2
    """That a trap rejected or questioned at turn 4 is accepted at turn 5; otherwise the stance stays."""
    concept_sd: float = 0.0
    """Standard deviation of a shift of accuracy, rejection and coherence from concept to concept, in logits.

    With a shift, the values above are medians over concepts; means lie nearer to 0.5."""
    seed: int = 0
    name: str = ""
    """Tells apart subjects that are otherwise equal."""

    def accuracy_at(self, level: float) -> float:
        """Probability that a sentence on the topic is true at this compression level, before any shift."""
        below = [point for point in self.accuracy if point[0] <= level]
        above = [point for point in self.accuracy if point[0] > level]
        if not below or not above:
            return (above[0] if above else below[-1])[1]
        (left, start), (right, end) = below[-1], above[0]
        return start + (end - start) * (level - left) / (right - left)


@dataclass(frozen=True, slots=True)
class JudgeParameters:
    """How a simulated judge errs. With the defaults it is an oracle without bias."""

    leniency: float = 0.0
    """Added to FAR and SAS, from -1 to 1; the sum is clipped to [0, 1]."""
    noise: float = 0.0
    """Standard deviation of the Gaussian error of FAR and SAS, before clipping."""
    seed: int = 0
    name: str = ""
    """Tells apart judges that are otherwise equal."""


Parameters = SubjectParameters | JudgeParameters

_SUBJECTS: dict[str, str] = {
    "subject": "",
    "steady": "accuracy=0.92..0.88&reject=0.9&coherence=0.92&capitulate=0.1",
    "gullible": "accuracy=0.88..0.8&reject=0.1&coherence=0.9&entrench=0.9&capitulate=0.6",
    "fading": "accuracy=0.95..0.35&reject=0.7&coherence=0.85",
    "asking": "accuracy=0.9&reject=0.8&coherence=0.85&asks=0.6",
}
_JUDGES: dict[str, str] = {"judge": "", "lenient": "leniency=0.15", "noisy": "noise=0.15"}

NAMES: tuple[str, ...] = (*_SUBJECTS, *_JUDGES)
"""What can stand after "simulated/": the two kinds, and named settings of them."""

_RANGES: dict[str, tuple[float, float]] = {"leniency": (-1.0, 1.0), "noise": (0.0, 1.0), "concept_sd": (0.0, 5.0)}
_NUMBERS = {"reject", "question", "coherence", "asks", "entrench", "capitulate", *_RANGES}


def simulated_role(spec: str) -> Literal["subject", "judge"] | None:
    """What a simulated model can be in a run; `None` for one that is unknown, and for every other model."""
    provider, _, rest = spec.partition("/")
    name = rest.partition("?")[0]
    if provider != "simulated" or name not in NAMES:
        return None
    return "subject" if name in _SUBJECTS else "judge"


def parse(spec: str) -> Parameters:
    """Parameters of a spec, with or without its "simulated/": "subject?accuracy=0.9..0.5&reject=0.7".

    Raises:
        SpecError: unknown name or parameter, or a value out of range.
    """
    name, _, query = spec.removeprefix("simulated/").partition("?")
    if name in _SUBJECTS:
        return _built(SubjectParameters, _SUBJECTS[name], query, spec)
    if name in _JUDGES:
        return _built(JudgeParameters, _JUDGES[name], query, spec)
    raise SpecError(f"There is no simulated model {name!r}: known are {', '.join(NAMES)}.")


def canonical(parameters: Parameters) -> str:
    """The one way to write these parameters: the kind, and what differs from the defaults, in a fixed order."""
    kind = "subject" if isinstance(parameters, SubjectParameters) else "judge"
    changed = [_written(field, parameters) for field in fields(parameters) if _differs(field, parameters)]
    return f"{kind}?{'&'.join(changed)}" if changed else kind


_P = TypeVar("_P", SubjectParameters, JudgeParameters)


def _built(kind: type[_P], preset: str, query: str, spec: str) -> _P:
    settings = {**_settings(preset, spec), **_settings(query, spec)}
    known = [field.name for field in fields(kind)]
    for name in settings:
        if name not in known:
            raise SpecError(f"{name!r} in {spec!r} is no parameter: known are {', '.join(known)}.")
    values = {name: _value(name, text, spec) for name, text in settings.items()}
    return kind(**values)  # type: ignore[arg-type]  # each name has the type that _value gives it


def _settings(query: str, spec: str) -> Mapping[str, str]:
    pairs = [part.partition("=") for part in query.split("&") if part]
    for name, sign, value in pairs:
        if not sign or not value:
            raise SpecError(f"{name!r} in {spec!r} has no value: write name=value, with & between parameters.")
    return {name: value for name, _, value in pairs}


def _value(name: str, text: str, spec: str) -> Curve | float | int | str:
    if name == "accuracy":
        return _curve(text, spec)
    if name in _NUMBERS:
        return _number(name, text, spec, *_RANGES.get(name, (0.0, 1.0)))
    if name == "seed":
        return int(_number(name, text, spec, 0, 2**63, whole=True))
    return text


def _curve(text: str, spec: str) -> Curve:
    """A number, "a..b" (from level 0 to level 1), or "level:value" pairs with commas."""
    start, dots, end = text.partition("..")
    if dots:
        pairs = [("0", start), ("1", end)]
    elif ":" in text:
        pairs = [(level, value) for level, _, value in (pair.partition(":") for pair in text.split(","))]
    else:
        pairs = [("0", text)]
    points = [(_number("level", level, spec, 0, 1), _number("accuracy", value, spec, 0, 1)) for level, value in pairs]
    if len({level for level, _ in points}) < len(points):
        raise SpecError(f"The accuracy in {spec!r} has two values for one level: give each level once.")
    return tuple(sorted(points))


def _number(name: str, text: str, spec: str, low: float, high: float, *, whole: bool = False) -> float:
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        kind = "a whole number of at least 0" if whole else f"a number from {low:g} to {high:g}"
        raise SpecError(f"{name}={text} in {spec!r} is not possible: give {kind}.")
    return value


def _differs(field: Field[object], parameters: Parameters) -> bool:
    return bool(getattr(parameters, field.name) != field.default)


def _written(field: Field[object], parameters: Parameters) -> str:
    value = getattr(parameters, field.name)
    if isinstance(value, tuple):
        value = str(value[0][1]) if len(value) == 1 else ",".join(f"{level}:{at}" for level, at in value)
    return f"{field.name}={value}"
