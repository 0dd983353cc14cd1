"""Audits as their report looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from voirdire.documents.run_description import run_names
from voirdire.integrity.results import AuditedResponse, open_audits
from voirdire.integrity.scoring import Charge
from voirdire.integrity.summary import MIN_CASES, Summary, case_groups, summarise
from voirdire.integrity.taxonomy import Band, Taxonomy, ViolationType
from voirdire.runs import RunFolder
from voirdire.stats.clustered import Estimate, mean_score, share


@dataclass(frozen=True)
class ReportedRun:
    """One audit of many responses."""

    name: str
    """The shortest end of its path that tells it from the other runs."""
    path: Path
    manifest: dict[str, Any]
    taxonomy: Taxonomy
    audits: tuple[AuditedResponse, ...]
    """In the order of the responses."""

    @cached_property
    def summary(self) -> Summary:
        """What they say together."""
        return summarise(self.audits, self.taxonomy)

    @property
    def auditors(self) -> Sequence[str]:
        """Who sits on the panel."""
        auditors: Sequence[str] = self.manifest["auditors"]
        return auditors

    @cached_property
    def scored(self) -> list[AuditedResponse]:
        """The responses that have a score."""
        return [each for each in self.audits if each.decision.consensus is not None]

    @cached_property
    def scores(self) -> list[int]:
        """Theirs."""
        return [each.decision.consensus.score for each in self.scored if each.decision.consensus is not None]

    @cached_property
    def cases(self) -> int:
        """How many sets of facts the scored responses speak of."""
        return len({each.item.source_facts for each in self.scored})

    @property
    def clustered(self) -> bool:
        """Whether intervals are clustered by case; with fewer than three cases each response counts by itself."""
        return self.cases >= MIN_CASES

    @cached_property
    def _groups(self) -> list[int]:
        return case_groups(self.scored)

    @cached_property
    def mean(self) -> Estimate:
        """Mean score, from 0 to 100."""
        return mean_score(self.scores, self._groups)

    def band_share(self, band: Band) -> Estimate:
        """Share of the scored responses in a band."""
        return share([self.taxonomy.band_of(score).name == band.name for score in self.scores], self._groups)

    def share_with(self, kind: ViolationType) -> Estimate:
        """Share of the scored responses that are charged for a type of violation."""
        return share(
            [any(charge.type.name == kind.name for charge in charges_of(each)) for each in self.scored], self._groups
        )

    @cached_property
    def severe(self) -> Estimate:
        """Share of the scored responses with a severe violation."""
        return share(
            [any(charge.type.severity == "severe" for charge in charges_of(each)) for each in self.scored], self._groups
        )

    def points_of(self, kind: ViolationType) -> int:
        """Points that a type of violation cost in all responses."""
        return sum(
            charge.penalty for each in self.scored for charge in charges_of(each) if charge.type.name == kind.name
        )


def charges_of(audited: AuditedResponse) -> list[Charge]:
    """The violations that cost something."""
    return [charge for charge in audited.decision.findings if charge.penalty]


def load_runs(runs: Sequence[Path]) -> list[ReportedRun]:
    """Read audits; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        IntegrityError: one is no audit.
    """
    return [_load_run(name, path) for name, path in zip(run_names(runs), runs, strict=True)]


def _load_run(name: str, path: Path) -> ReportedRun:
    taxonomy, audits = open_audits(path)
    with RunFolder.open(path, read_only=True) as folder:
        manifest = folder.manifest
    return ReportedRun(name, path, manifest, taxonomy, tuple(audits))
