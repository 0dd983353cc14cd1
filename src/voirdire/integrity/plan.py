"""What an audit is asked: which responses, by whom, and how they are scored."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from voirdire.data.paths import set_paths
from voirdire.integrity.auditing import RULES
from voirdire.integrity.panel import Scoring
from voirdire.integrity.records import IntegrityError
from voirdire.integrity.taxonomy import load_taxonomy

INSTRUMENT = "integrity"


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What is to be audited, by whom, and how it is scored."""

    responses: Path
    auditors: tuple[str, ...] = (RULES,)
    facts: Path | None = None
    """For responses that bring no facts of their own."""
    taxonomy: Path | None = None
    critical: str = "sum"
    editorializing: int = 0
    omissions: bool = True
    """Whether what a response leaves out counts; auditors look for it either way."""
    base_url: str | None = field(default=None, repr=False)
    exact: bool = False
    """Local auditors repeat their replies exactly."""

    def __post_init__(self) -> None:
        set_paths(self, "responses", "facts", "taxonomy")

    @property
    def scoring(self) -> Scoring:
        """The taxonomy and the options.

        Raises:
            IntegrityError: the taxonomy can't be read, or an option is not one.
        """
        if self.critical not in ("sum", "cap29"):
            raise IntegrityError(f"critical is 'sum' or 'cap29'; {self.critical!r} was given.")
        taxonomy = load_taxonomy(self.taxonomy).with_editorializing(self.editorializing)
        return Scoring(taxonomy, self.critical, self.editorializing)  # type: ignore[arg-type]
