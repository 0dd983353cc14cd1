"""A person's judgment beside the jury's: is there a systematic difference, and where do they part?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.data.json_values import as_object, as_plain
from voirdire.ddft.metric_intervals import mean_interval
from voirdire.ddft.person_check.records import THRESHOLD, CrosscheckError, Rating, read_judged
from voirdire.ddft.person_check.sheet import read_ratings
from voirdire.reason_codes import Reason, reason
from voirdire.stats import Correlation, Interval, share_interval, spearman
from voirdire.text.counting import named_twice

FURTHEST = 5


@dataclass(frozen=True, slots=True)
class Bias:
    """How much higher somebody scores than the person does, on average."""

    who: str
    """The jury's id, or a judge's name."""
    scale: str
    n: int
    person: float
    other: float
    interval: Interval | None
    """Of the difference other - person (t); `None` with fewer than three turns, or when all differ equally."""
    mean_absolute: float
    correlation: Correlation

    @property
    def difference(self) -> float:
        """Positive where the other is more lenient than the person."""
        return self.other - self.person

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        known = np.isfinite(self.correlation.rho)
        return {
            "who": self.who,
            "scale": self.scale,
            "n": self.n,
            "person": self.person,
            "other": self.other,
            "difference": self.difference,
            "interval": as_plain(self.interval),
            "mean_absolute_difference": self.mean_absolute,
            "spearman": float(self.correlation.rho) if known else None,
        }


@dataclass(frozen=True, slots=True)
class Agreed:
    """On how many turns the person and the jury say the same."""

    what: str
    same: int
    n: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Apart:
    """A turn on which the person and the jury are far apart."""

    key: str
    dialogue: str
    turn: int
    scale: str
    person: float
    jury: float
    comment: str


@dataclass(frozen=True, slots=True)
class Crosscheck:
    """What a person's check of a run's jury says."""

    run: Path
    jury: str
    rated: int
    biases: tuple[Bias, ...]
    """The jury's first, then each judge's."""
    uncompared: tuple[Reason, ...]
    """Of each scale on which the person and the jury share no turn, why."""
    agreed: tuple[Agreed, ...]
    furthest: tuple[Apart, ...]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return as_object(self)


def crosscheck(path: Path, sheet: Path, jury: str | None = None) -> Crosscheck:
    """Compare a filled-in sheet with a jury's scores.

    Args:
        path: of the run folder.
        sheet: made by `jury sample` from this run, and filled in.
        jury: the judges' names, or the id, of the jury; `None` for the run's own.

    Raises:
        CrosscheckError: the sheet can't be read, or is not of this run.
        JuryError: no such jury has judged the run.
        RunFolderError: there is no run.
    """
    ratings = read_ratings(sheet)
    judged = read_judged(path, jury)
    scored = {row["key"]: row for row in judged.turns.to_dict("records")}
    unknown = [rating.key for rating in ratings if rating.key not in scored]
    if unknown:
        raise CrosscheckError(
            f"{sheet} is not of {path} as it stands: no answer there has the key {unknown[0]!r}; draw a sample anew."
        )
    if (twice := named_twice(rating.key for rating in ratings)) is not None:
        raise CrosscheckError(f"{sheet} holds the turn {twice!r} more than once; keep one row for each.")
    rows = [scored[rating.key] for rating in ratings]
    verdict_rows = {(row["judge"], row["dialogue"], row["turn"]): row for row in judged.verdicts.to_dict("records")}
    judges = sorted({judge for judge, _, _ in verdict_rows})
    biases = [_bias(judged.jury, scale, ratings, rows) for scale in ("far", "sas")]
    for judge in judges if len(judges) > 1 else []:
        own = [verdict_rows.get((judge, row["dialogue"], row["turn"]), {}) for row in rows]
        biases += [_bias(judge, scale, ratings, own) for scale in ("far", "sas")]
    return Crosscheck(
        run=path,
        jury=judged.jury,
        rated=len(ratings),
        biases=tuple(each for each in biases if each is not None),
        uncompared=tuple(uncompared(ratings, rows)),
        agreed=tuple(each for each in _agreements(ratings, rows) if each.n),
        furthest=_furthest(ratings, rows),
    )


def _pairs(
    scale: str, ratings: Sequence[Rating], rows: Sequence[Mapping[Any, Any]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(person's, other's) scores of turns that both have scored."""
    person = np.array([_number(getattr(rating, scale)) for rating in ratings])
    other = np.array([_number(row.get(scale)) for row in rows])
    both = ~(np.isnan(person) | np.isnan(other))
    return person[both], other[both]


def uncompared(ratings: Sequence[Rating], rows: Sequence[Mapping[Any, Any]]) -> Iterator[Reason]:
    """Why a scale can't be compared with the jury's, for each where no turn has the scores of both."""
    for scale in ("far", "sas"):
        if not len(_pairs(scale, ratings, rows)[0]):
            filled = sum(getattr(rating, scale) is not None for rating in ratings)
            code = "crosscheck_not_both" if filled else "crosscheck_not_filled"
            yield reason(code, scale=scale.upper(), column=scale, filled=filled, turns=len(ratings))


def _number(value: Any) -> float:
    return np.nan if value is None else float(value)


def _bias(who: str, scale: str, ratings: Sequence[Rating], rows: Sequence[Mapping[Any, Any]]) -> Bias | None:
    person, other = _pairs(scale, ratings, rows)
    n = len(person)
    if not n:
        return None
    differences = other - person
    return Bias(
        who=who,
        scale=scale.upper(),
        n=n,
        person=float(person.mean()),
        other=float(other.mean()),
        interval=mean_interval(differences),
        mean_absolute=float(np.abs(differences).mean()),
        correlation=spearman(person, other),
    )


def _agreements(ratings: Sequence[Rating], rows: Sequence[Mapping[Any, Any]]) -> list[Agreed]:
    person, jury = _pairs("far", ratings, rows)
    sides = [bool(a) for a in (person >= THRESHOLD) == (jury >= THRESHOLD)]
    claims = [rating.no_claims == bool(row["no_claims"]) for rating, row in zip(ratings, rows, strict=True)]
    stances = [
        rating.stance == row["stance"] for rating, row in zip(ratings, rows, strict=True) if rating.stance is not None
    ]
    return [
        _agreed(f"FAR on the same side of {THRESHOLD}", sides),
        _agreed("claims or none", claims),
        _agreed("stance towards the fabrication", stances),
    ]


def _agreed(what: str, same: Sequence[bool]) -> Agreed:
    n = len(same)
    return Agreed(what, sum(same), n, share_interval(sum(same), n) if n else Interval(0.0, 1.0, 0.95, "none"))


def _furthest(ratings: Sequence[Rating], rows: Sequence[Mapping[Any, Any]]) -> tuple[Apart, ...]:
    apart = []
    for rating, row in zip(ratings, rows, strict=True):
        for scale in ("far", "sas"):
            person, jury = _number(getattr(rating, scale)), _number(row[scale])
            if abs(person - jury) > 0:  # false for NaN
                apart.append(
                    Apart(rating.key, row["dialogue"], int(row["turn"]), scale.upper(), person, jury, rating.comment)
                )
    return tuple(sorted(apart, key=lambda each: -abs(each.person - each.jury))[:FURTHEST])
