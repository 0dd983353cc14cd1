"""What the DDFT paper prints: its tables, what it says of the models, and its claims, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire import data

COLUMNS = ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime", "danger_zone_pct")
"""What the paper prints of every model: Table 2, and the danger-zone rates of 8.2.3."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it is printed."""

    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float(self.text)

    @property
    def decimals(self) -> int:
        """How many decimals are printed."""
        return len(self.text.partition(".")[2])

    def matches(self, value: float | None) -> bool:
        """Whether a number equals this one at the printed precision: half a unit of the last decimal is allowed."""
        return value is not None and abs(value - self.value) <= 0.5 * 10**-self.decimals + 1e-9


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of the paper, in our words."""

    id: str
    section: str
    claim: str
    printed: str
    """A number, or a short text."""

    @property
    def numbers(self) -> tuple[Printed, ...]:
        """The numbers of what is printed, in order ("-0.95 to -0.42" has two)."""
        return tuple(Printed(found) for found in _NUMBER.findall(self.printed))

    @property
    def published(self) -> float | int | str:
        """What is printed, as a number where it is nothing else."""
        if not _NUMBER.fullmatch(self.printed):
            return self.printed
        return float(self.printed) if "." in self.printed else int(self.printed)


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A model of the study: its row of Table 2, and what else the paper says of it (`None` where it says nothing)."""

    model: str
    row: dict[str, Printed]
    """By the names of `COLUMNS`."""
    phenotype: str
    vendor: str | None
    parameters_billion: float | None
    architecture: str | None
    """"reasoning" or "other"."""
    mmlu: float | None

    def as_dict(self) -> dict[str, Any]:
        """The row as plain values."""
        return {name: printed.value for name, printed in self.row.items()} | {"phenotype": self.phenotype}


@dataclass(frozen=True, slots=True)
class Paper:
    """What the paper prints."""

    models: tuple[PublishedModel, ...]
    """In the order of Table 2."""
    statements: dict[str, Statement]
    """By id, in the order in which they are shown."""

    def model(self, name: str) -> PublishedModel:
        """One model's row."""
        return next(each for each in self.models if each.model == name)


@cache
def load_paper() -> Paper:
    """Read the packaged record of what the paper prints."""
    import yaml

    source = yaml.safe_load(data.read_text("published/ddft_paper.yaml"))
    models = tuple(_model(row) for row in source["models"])
    statements = [Statement(**entry) for entry in source["claims"]]
    statements += [_row_claim(each) for each in models] + [_danger_claim(each) for each in models]
    return Paper(models, {each.id: each for each in statements})


def _model(row: dict[str, Any]) -> PublishedModel:
    def number(name: str) -> float | None:
        return float(row[name]) if name in row else None

    return PublishedModel(
        model=row["model"],
        row={name: Printed(row[name]) for name in COLUMNS},
        phenotype=row["phenotype"],
        vendor=row.get("vendor"),
        parameters_billion=number("parameters_billion"),
        architecture=row.get("architecture"),
        mmlu=number("mmlu"),
    )


def _row_claim(model: PublishedModel) -> Statement:
    parts = {"HOC": "HOC", "CRI": "CRI", "FAR_prime": "FAR'", "SAS_prime": "SAS'"}
    printed = ", ".join(f"{shown} {model.row[name].text}" for name, shown in parts.items())
    claim = f"CI index of {model.model}, with {printed}"
    return Statement(f"table-2-{model.model.lower()}", "Table 2", claim, model.row["CI_raw"].text)


def _danger_claim(model: PublishedModel) -> Statement:
    claim = f"Danger-zone rate of {model.model}, %"
    return Statement(f"danger-zone-{model.model.lower()}", "8.2.3", claim, model.row["danger_zone_pct"].text)
