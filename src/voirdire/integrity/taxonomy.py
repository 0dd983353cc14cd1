"""The violation types, what they cost, and the bands of the score: data, read from YAML."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from voirdire.data import packaged_files, untrusted
from voirdire.integrity.records import IntegrityError, Severity

MAX_FILE_BYTES = 1_000_000
PERVASIVE = "pervasive"
EDITORIALIZING = "editorializing"


@dataclass(frozen=True, slots=True)
class ViolationType:
    """One type of violation."""

    name: str
    severity: Severity
    penalty: int
    """Points, positive."""
    family: str
    """Types of one family count as the same finding when auditors are compared."""
    says: str
    aliases: tuple[str, ...] = ()
    rung: int | None = None
    """Of an omission: how far it goes, from 1."""
    guide: str = ""
    """Where the guide has it."""


@dataclass(frozen=True, slots=True)
class Band:
    """A range of scores with a name."""

    name: str
    low: int
    high: int
    counts: Mapping[str, tuple[int, int | None]]
    """The guide's wording: by severity, how many violations (from, to) of that severity alone make this band."""
    target_pct: tuple[float, float]
    """The share of trials that the guide expects here."""

    @property
    def range(self) -> str:
        """As the guide writes it: 70-89."""
        return f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """All types and bands."""

    types: Mapping[str, ViolationType]
    bands: tuple[Band, ...]
    """From the highest."""
    version: str
    sha256: str
    """Of the file it was read from."""
    keys: Mapping[str, str]
    """Type names by their own and their aliases' letters and digits, in small letters."""

    def type_of(self, name: str) -> ViolationType:
        """The type of this name or alias; case, spaces, hyphens and underscores don't matter.

        Raises:
            IntegrityError: there is none.
        """
        key = self.keys.get(_key(name))
        if key is None:
            raise IntegrityError(f"There is no violation type {name!r}; known are {', '.join(self.types)}.")
        return self.types[key]

    def band_of(self, score: float) -> Band:
        """The band that a score in [0, 100] lies in."""
        return next(band for band in self.bands if score >= band.low)

    def band_by_counts(self, minor: int, moderate: int, severe: int) -> Band | None:
        """The band by the guide's wording, which speaks of violations of one severity only; `None` for mixed ones."""
        counts = {"minor": minor, "moderate": moderate, "severe": severe}
        present = {severity: count for severity, count in counts.items() if count} or {"minor": 0}
        if len(present) > 1:
            return None
        ((severity, count),) = present.items()
        for band in self.bands:
            low, high = band.counts.get(severity, (1, 0))
            if low <= count and (high is None or count <= high):
                return band
        return None

    def with_editorializing(self, penalty: int) -> Taxonomy:
        """The same, with this many points for a neutral inference that adds nothing (the guide: 0 or 5).

        Raises:
            IntegrityError: another number.
        """
        if penalty not in (0, 5):
            raise IntegrityError(f"editorializing costs 0 or 5 points; {penalty} was given.")
        if EDITORIALIZING not in self.types:
            return self
        changed = replace(self.types[EDITORIALIZING], penalty=penalty)
        return replace(self, types={**self.types, EDITORIALIZING: changed})


def load_taxonomy(path: Path | None = None) -> Taxonomy:
    """The guide's taxonomy, or a team's own from a YAML file of the same form.

    Raises:
        IntegrityError: the file can't be read, or lacks something.
    """
    if path is None:
        return _packaged()
    try:
        text = untrusted.read_text(path, MAX_FILE_BYTES)
    except untrusted.UntrustedError as error:
        raise IntegrityError(error.of(f"The taxonomy {path}")) from error
    return parse_taxonomy(text, str(path))


def parse_taxonomy(text: str, where: str) -> Taxonomy:
    """Read a taxonomy from YAML text. `where` names it in errors.

    Raises:
        IntegrityError: it is not YAML, or lacks something.
    """
    try:
        raw = untrusted.yaml_of(text)
        penalties = raw["penalties"]
        types = {name: _type(name, fields, penalties) for name, fields in raw["types"].items()}
        bands = _bands(raw["bands"])
        version = str(raw["version"])
    except untrusted.UntrustedError as error:
        raise IntegrityError(f"{where} is no taxonomy: {error.of('it')}") from error
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0]
        raise IntegrityError(f"{where} is no taxonomy: {what}.") from error
    keys = [key for each in types.values() for key in {_key(name) for name in (each.name, *each.aliases)}]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise IntegrityError(f"{where} is no taxonomy: {', '.join(map(repr, twice))} would name two types.")
    by_key = {_key(name): each.name for each in types.values() for name in (each.name, *each.aliases)}
    return Taxonomy(types, bands, version, hashlib.sha256(text.encode()).hexdigest(), by_key)


@cache
def _packaged() -> Taxonomy:
    return parse_taxonomy(packaged_files.read_text("integrity/taxonomy.yaml"), "The packaged taxonomy")


def _type(name: str, fields: Mapping[str, Any], penalties: Mapping[str, int]) -> ViolationType:
    severity = fields["severity"]
    if severity not in get_args(Severity):
        raise ValueError(f"the severity of {name} is {severity!r}, and must be one of {', '.join(get_args(Severity))}")
    penalty = fields.get("penalty", penalties[severity])
    if isinstance(penalty, bool) or not isinstance(penalty, int) or penalty < 0:
        raise ValueError(f"the penalty of {name} is {penalty!r}, and must be a whole number of points, 0 or more")
    rung, aliases = fields.get("rung"), fields.get("aliases", [])
    if rung is not None and (isinstance(rung, bool) or not isinstance(rung, int)):
        raise ValueError(f"the rung of {name} is {rung!r}, and must be a whole number")
    if not isinstance(aliases, list):
        raise ValueError(f"the aliases of {name} are {aliases!r}, and must be a list")
    return ViolationType(
        name=_text("a type's name", name),
        severity=cast(Severity, severity),
        penalty=penalty,
        family=_text(f"the family of {name}", fields.get("family", name)),
        says=_text(f"what {name} says", fields["says"]),
        aliases=tuple(_text(f"an alias of {name}", alias) for alias in aliases),
        rung=rung,
        guide=_text(f"the guide of {name}", fields.get("guide", "")),
    )


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what} is {value!r}, and must be a text")
    return value


def _bands(listed: list[Mapping[str, Any]]) -> tuple[Band, ...]:
    if not all(isinstance(band["from"], int) and not isinstance(band["from"], bool) for band in listed):
        raise ValueError("a band must begin at a whole number")
    ordered = sorted(listed, key=lambda band: -band["from"])
    if not ordered or ordered[-1]["from"] != 0:
        raise ValueError("the lowest band must begin at 0")
    highs = [100, *(band["from"] - 1 for band in ordered)]
    return tuple(
        Band(
            _text("a band's name", band["name"]),
            band["from"],
            high,
            {severity: (low, top) for severity, (low, top) in band.get("counts", {}).items()},
            tuple(band["target_pct"]),
        )
        for band, high in zip(ordered, highs, strict=False)
    )


def _key(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())
