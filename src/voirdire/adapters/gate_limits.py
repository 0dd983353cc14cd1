"""Limits as given on the command line, in Python or in a file; the figures held against them, and the outcome."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.data import untrusted
from voirdire.data.bounds import as_people_write
from voirdire.data.json_values import as_plain
from voirdire.errors import InputError
from voirdire.instruments import instrument_of
from voirdire.instruments.figures import ModelFigure, RunFigures, Scale, Side, Subject
from voirdire.text.counting import listed


class GateError(InputError):
    """A gate that can't be held: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A floor or a ceiling for a metric."""

    metric: str
    side: Side
    value: float

    @property
    def number(self) -> str:
        """The limit in full, as it was given: 0.5, 10, 0.9232510493547886."""
        return repr(self.value).removesuffix(".0")

    def __str__(self) -> str:
        return f"{self.metric} {'>=' if self.side == 'min' else '<='} {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a gate asks for."""

    limits: tuple[Limit, ...]
    bound: bool = False
    """Whether the unfavourable end of the interval counts, and not the value."""
    sound: bool = False
    """Whether a failed validity check fails the gate."""
    accept: tuple[str, ...] = ()
    """Validity checks that may fail all the same: what they find is known."""
    allow_incomplete: bool = False
    """Whether a run that is not complete may pass."""


@dataclass(frozen=True, slots=True)
class LimitOutcome:
    """One limit held against one subject."""

    subject: Subject
    limit: Limit
    passed: bool
    finding: str
    """What was found, and why that passes or fails, as it stands within a sentence."""
    undecided: bool = False
    """Whether the value keeps the limit, and labels or verdicts that are missing could break it: that does not pass."""

    @property
    def sentence(self) -> str:
        """The same as a sentence of its own."""
        return f"{self.finding}."

    @property
    def figure(self) -> ModelFigure:
        """What was held against the limit."""
        return self.subject.figures[self.limit.metric]

    @property
    def measured(self) -> bool:
        """Whether there was a value that says something of the model."""
        return self.figure.value is not None and self.figure.empty is None

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        interval = self.figure.interval
        return {
            "metric": self.limit.metric,
            self.limit.side: self.limit.value,
            "value": self.figure.value,
            "n": self.figure.n,
            "interval": as_plain(interval),
            "reason": as_plain(self.figure.reason if self.measured or self.figure.value is None else self.figure.empty),
            "could_be": None if self.figure.could_be is None else list(self.figure.could_be),
            "measured": self.measured,
            "passed": self.passed,
            "sentence": self.sentence,
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """What came of a gate."""

    limits: Limits
    runs: tuple[RunFigures, ...]
    outcomes: tuple[LimitOutcome, ...]
    unsound: tuple[tuple[Path, str, str], ...] = field(default=())
    """Run, validity check and what it found, of those that fail the gate."""
    notes: tuple[str, ...] = ()
    """What is odd about the limits."""
    unreliable: tuple[tuple[Path, str, str], ...] = field(default=())
    """Run, name and sentence of what else forbids to rely on figures, and fails the gate."""

    @property
    def passed(self) -> bool:
        """Whether every limit is kept, every run complete (or allowed not to be), and nothing else fails the gate."""
        return not self.failures

    @property
    def warnings(self) -> list[str]:
        """What must be known of the limits, and of the runs, each with its run's name."""
        return [
            *self.notes,
            *(f"{checked.run}: {warning}" for checked in self.runs for warning in self.warnings_of(checked)),
        ]

    @property
    def run_notes(self) -> list[str]:
        """What is good to know of the runs, and no warning."""
        return [f"{checked.run}: {note}" for checked in self.runs for note in checked.notes]

    @property
    def failures(self) -> list[str]:
        """A sentence for everything that fails."""
        limits = [outcome.sentence for outcome in self.outcomes if not outcome.passed]
        incomplete = [f"{checked.run}: {self.incomplete(checked)}" for checked in self.runs if self.incomplete(checked)]
        unsound = [f"{run}: the validity check {check} fails: {why}" for run, check, why in self.unsound]
        unreliable = [f"{run}: {why}" for run, _, why in self.unreliable]
        return limits + incomplete + unsound + unreliable

    def incomplete(self, checked: RunFigures) -> str | None:
        """Why a run fails for not being complete; `None` if it does not."""
        return None if self.limits.allow_incomplete else checked.missing

    def warnings_of(self, checked: RunFigures) -> Sequence[str]:
        """What must be known of a run and does not fail it."""
        allowed = checked.missing if self.limits.allow_incomplete else None
        of_models = [warning for subject in checked.subjects for warning in subject.warnings]
        of_figures = [
            f"{subject.model}: {outcome.figure.caution}"
            for subject in checked.subjects
            for outcome in self.of(subject)
            if outcome.figure.caution
        ]
        return [
            *([] if allowed is None else [allowed]),
            *checked.warnings,
            *([checked.unverified] if self.limits.sound and checked.unverified else []),
            *self._failing(checked),
            *of_models,
            *dict.fromkeys(of_figures),
        ]

    def _failing(self, checked: RunFigures) -> Iterator[str]:
        """Which checks of a run warn or fail; under `sound` a failure names each, or a note, where it is accepted."""
        if warned := list(dict.fromkeys(check.id for check in checked.warned_checks)):
            yield f"Checks of the results warn: {listed(warned)}."
        names = list(dict.fromkeys(check.id for check in checked.failed_checks))
        if names and not self.limits.sound:
            yield f"Validity checks that fail: {listed(names)}{f' ({checked.validate})' if checked.validate else ''}."

    def of(self, subject: Subject) -> Sequence[LimitOutcome]:
        """The outcomes of one subject."""
        return [outcome for outcome in self.outcomes if outcome.subject is subject]

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "passed": self.passed,
            "bound": self.limits.bound,
            "sound": self.limits.sound,
            "allow_incomplete": self.limits.allow_incomplete,
            "warnings": self.warnings,
            "notes": self.run_notes,
            "failures": self.failures,
            "runs": [
                {
                    "run": str(checked.run),
                    "instrument": checked.instrument,
                    "complete": checked.missing is None,
                    "missing": checked.missing,
                    "failed_checks": [check.id for check in checked.failed_checks],
                    "reservations": [each.id for each in checked.reservations],
                }
                for checked in self.runs
            ],
            "models": [
                {
                    "model": subject.model,
                    "run": str(checked.run),
                    "passed": all(outcome.passed for outcome in self.of(subject)),
                    "limits": as_plain(self.of(subject)),
                }
                for checked in self.runs
                for subject in checked.subjects
            ],
        }


def scale_of(metric: str, instrument: str) -> Scale:
    """What is known of a metric; of one that is not known here, nothing."""
    return instrument_of(instrument).scale(metric)


def check_range(limit: Limit, instrument: str) -> None:
    """See that the metric has values on both sides of the limit, or at it.

    Raises:
        GateError: it has none there.
    """
    scale = scale_of(limit.metric, instrument)
    if not scale.low <= limit.value <= scale.high:
        span = f"from {scale.low:g} to {scale.high:g}" if math.isfinite(scale.high) else f"{scale.low:g} or more"
        raise GateError(f"{limit.metric} is {span}; the limit {limit} can't be meant.")


def odd_side(limit: Limit, among: Sequence[Limit], instrument: str) -> str | None:
    """A note where a limit asks for bad values of a metric, unless another one makes a band of the two."""
    usual = scale_of(limit.metric, instrument).usual
    if usual in (None, limit.side) or any(other.metric == limit.metric and other.side == usual for other in among):
        return None
    direction, good = ("high", "low") if limit.side == "min" else ("low", "high")
    return f"{limit} asks for {direction} values, and of {limit.metric} {good} ones are good: was --{usual} meant?"


def never_missed(limit: Limit, checked: RunFigures) -> str | None:
    """A note where no value can miss a limit, by the ends that results tell, or else by the metric's scale."""
    scale = scale_of(limit.metric, checked.instrument)
    ends = [subject.figures[limit.metric].ends for subject in checked.subjects]
    if not ends or not all(_is_free(limit, each or (scale.low, scale.high)) for each in ends):
        return None
    beyond = "less" if limit.side == "min" else "more"
    if None in ends:
        return f"{limit} can't be missed: {limit.metric} is never {beyond}."
    return f"{limit} can't be missed: no item in {checked.run} scores {beyond}."


def _is_free(limit: Limit, ends: tuple[float, float]) -> bool:
    return limit.value <= ends[0] if limit.side == "min" else limit.value >= ends[1]


_KEYS = ("min", "max", "bound", "sound", "accept", "allow_incomplete")
_LARGEST = 100_000
"""Bytes; nobody writes a longer file of limits."""


def read_limits(
    *,
    floors: Iterable[str] = (),
    ceilings: Iterable[str] = (),
    file: Path | None = None,
    bound: bool = False,
    sound: bool = False,
    accept: Iterable[str] = (),
    allow_incomplete: bool = False,
) -> Limits:
    """The limits of a command line; those of a file come first, and a limit given twice counts as given last.

    Raises:
        GateError: no limit at all, or one that can't be read; or checks to accept where none counts.
    """
    named: list[tuple[Side, Iterable[str]]] = [("min", floors), ("max", ceilings)]
    given = [_parsed(side, text) for side, texts in named for text in texts]
    base = Limits(limits=()) if file is None else _read_file(file)
    return Limits(
        limits=_distinct([*base.limits, *given]),
        bound=bound or base.bound,
        sound=sound or base.sound,
        accept=_accepted((*base.accept, *accept), sound or base.sound),
        allow_incomplete=allow_incomplete or base.allow_incomplete,
    )


def limits_of(
    floors: Mapping[str, float],
    ceilings: Mapping[str, float],
    *,
    bound: bool = False,
    sound: bool = False,
    accept: Iterable[str] = (),
    allow_incomplete: bool = False,
) -> Limits:
    """Limits from mappings of metric to number.

    Raises:
        GateError: no limit at all, one that is no number, or no mapping; or checks to accept where none counts.
    """
    named: list[tuple[Side, Mapping[str, float]]] = [("min", floors), ("max", ceilings)]
    for side, each in named:
        if not isinstance(each, Mapping):
            raise GateError(f"{side} is a mapping of metrics to numbers, such as {{'ER': 0.5}}; {each!r} was given.")
    given = [
        _limit(side, str(name), value, f"{side}={{{name!r}: {value!r}}}")
        for side, each in named
        for name, value in each.items()
    ]
    return Limits(
        limits=_distinct(given),
        bound=bound,
        sound=sound,
        accept=_accepted(accept, sound),
        allow_incomplete=allow_incomplete,
    )


def _accepted(names: Iterable[str], sound: bool) -> tuple[str, ...]:
    accepted = tuple(dict.fromkeys(names))
    if accepted and not sound:
        raise GateError(f"--accept {accepted[0]} has nothing to accept: checks count under --sound only.")
    return accepted


def _parsed(side: Side, text: str) -> Limit:
    name, equals, number = text.partition("=")
    given = f"--{side} {text}"
    if not equals or not name.strip():
        raise GateError(f"A limit is NAME=NUMBER, such as --{side} ER=0.5; {given!r} was given.")
    try:
        value = float(as_people_write(number))
    except ValueError:
        raise GateError(f"A limit is NAME=NUMBER, such as --{side} ER=0.5; {given!r} was given.") from None
    return _limit(side, name.strip(), value, given)


def _limit(side: Side, metric: str, value: Any, given: str) -> Limit:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise GateError(f"A limit is a finite number; {given!r} was given.")
    return Limit(metric, side, float(value))


def _distinct(limits: Iterable[Limit]) -> tuple[Limit, ...]:
    last = {(limit.metric, limit.side): limit for limit in limits}
    if not last:
        raise GateError("A gate needs a limit: --min ER=0.5, --max danger_zone_pct=10, or a file with --limits.")
    return tuple(last.values())


def _read_file(path: Path) -> Limits:
    try:
        read = untrusted.yaml_of(untrusted.read_text(path, _LARGEST))
    except untrusted.UntrustedError as error:
        raise GateError(error.of(f"The file of limits {path}")) from error
    if not isinstance(read, dict) or not read.keys() <= set(_KEYS):
        unknown = ", ".join(map(str, read.keys() - set(_KEYS))) if isinstance(read, dict) else repr(read)
        raise GateError(f"{path} must hold {', '.join(_KEYS)} and nothing else; it has {unknown}.")
    return Limits(
        limits=tuple(limit for side in ("min", "max") for limit in _side(side, read.get(side), path)),
        bound=_flag("bound", read, path),
        sound=_flag("sound", read, path),
        accept=_names("accept", read, path),
        allow_incomplete=_flag("allow_incomplete", read, path),
    )


def _side(side: Side, given: Any, path: Path) -> list[Limit]:
    if given is None:
        return []
    if not isinstance(given, dict):
        raise GateError(f"{path}: {side} must hold metrics with a number each, such as 'ER: 0.5'; it has {given!r}.")
    return [_limit(side, str(name), value, f"{path}: {name}: {value}") for name, value in given.items()]


def _flag(name: str, read: Mapping[str, Any], path: Path) -> bool:
    given = read.get(name, False)
    if not isinstance(given, bool):
        raise GateError(f"{path}: {name} is true or false; {given!r} was given.")
    return given


def _names(name: str, read: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    given = read.get(name) or []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise GateError(f"{path}: {name} is a list of checks, such as [power]; {given!r} was given.")
    return tuple(given)
