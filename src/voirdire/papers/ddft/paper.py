"""What the DDFT paper prints: its tables, what it says of the models, and its claims, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire.data import packaged_files
from voirdire.papers.claims import Claim, Printed, read_claims

COLUMNS = ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime", "danger_zone_pct")
"""What the paper prints of every model: Table 2, and the danger-zone rates of 8.2.3."""

NAME = "ddft_paper"


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
    claims: Mapping[str, Claim[Any]]
    """By id, in the order in which they are shown; `replication` binds them to what computes them."""
    rule: str
    """What counts as reproduced, in words."""

    def model(self, name: str) -> PublishedModel:
        """One model's row."""
        return next(each for each in self.models if each.model == name)


@cache
def load_paper() -> Paper:
    """Read the packaged record of what the paper prints."""
    source = packaged_files.read_yaml("published/ddft_paper.yaml")
    models = tuple(_model(row) for row in source["models"])
    return Paper(models, read_claims(NAME, source, list(_claims_of_models(models))), source["rule"])


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


def _claims_of_models(models: tuple[PublishedModel, ...]) -> Iterator[dict[str, str]]:
    """A claim for each row of Table 2, then one for each danger-zone rate."""
    for each in models:
        parts = (("HOC", "HOC"), ("CRI", "CRI"), ("FAR'", "FAR_prime"), ("SAS'", "SAS_prime"))
        printed = ", ".join(f"{label} {each.row[name].text}" for label, name in parts)
        claim = f"CI index of {each.model}, with {printed}"
        yield _claim("table-2", each, "Table 2", claim, each.row["CI_raw"])
    for each in models:
        yield _claim("danger-zone", each, "8.2.3", f"Danger-zone rate of {each.model}, %", each.row["danger_zone_pct"])


def _claim(kind: str, model: PublishedModel, section: str, claim: str, printed: Printed) -> dict[str, str]:
    name = f"{kind}-{model.model.lower()}"
    return {"id": name, "section": section, "claim": claim, "printed": printed.text, "words": kind}
