"""Labelling runs as their report looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.cognibench.dynamics.report import Dynamics, examine
from voirdire.cognibench.labelling.records import LabelledAnswer, manifest_of, prompt_groups
from voirdire.cognibench.labelling.summary import LabelSummary, summarise
from voirdire.detectors.records import (
    LABELS,
    Answer,
    Label,
    Require,
    Statement,
    hallucinated,
    type_of,
    with_labels_of_people,
)
from voirdire.documents.run_description import run_names
from voirdire.stats import Interval
from voirdire.stats.clustered import share, weighted_share

_FEW = 20
"""Statements below which figures by turn or position say nothing."""


class Share(NamedTuple):
    """A share of statements or of their words, with what it is of."""

    value: float | None
    """`None`: undefined."""
    interval: Interval | None
    hits: int
    n: int
    """Those with a label."""
    could_be: tuple[float, float] | None
    """Its ends, whatever labels those without one would have; `None` where each has one."""


_UNDEFINED = Share(None, None, 0, 0, None)


@dataclass(frozen=True)
class ReportedRun:
    """One labelling run."""

    name: str
    """The shortest end of its path that tells it from the other runs."""
    path: Path
    manifest: dict[str, Any]
    summary: LabelSummary
    in_prompt: frozenset[str]
    """Groups that the examples in its prompt were taken from: scoring leaves them out."""

    @property
    def require(self) -> Require:
        """What the run asks of cognitive statements."""
        require: Require = self.manifest["plan"]["require"]
        return require

    @property
    def graded(self) -> bool:
        """Whether conclusions were graded; else nothing is known of their tiers."""
        return self.summary.graded

    @property
    def labelled(self) -> Sequence[LabelledAnswer]:
        """Its answers, in the order of the data."""
        return self.summary.labelled

    @cached_property
    def answers(self) -> list[Answer]:
        """With the model's labels."""
        return [each.answer for each in self.labelled]

    @cached_property
    def human(self) -> list[Answer]:
        """The same answers with the labels of people."""
        return [with_labels_of_people(each.answer) for each in self.labelled]

    @cached_property
    def decided(self) -> list[tuple[Answer, Statement, Label]]:
        """Every statement that has a label."""
        return [(answer, s, s.label) for answer in self.answers for s in answer.statements if s.label is not None]

    @cached_property
    def dynamics(self) -> Dynamics | None:
        """What the labels show by turn, position, topic and model; `None` where they are too few to be cut."""
        runs = [self.summary]
        return (
            examine({self.name: self.answers}, require=self.require, runs=runs) if len(self.decided) >= _FEW else None
        )

    def share_of(self, *labels: Label, among: Sequence[Label] = ()) -> Share:
        """Share of the statements with these labels, of all or of those with labels `among`, clustered by context."""
        base = [(answer, label) for answer, _, label in self.decided if not among or label in among]
        hits = [label in labels for _, label in base]
        result = share(hits, [answer.group for answer, _ in base])
        kinds = {None, *map(type_of, among or LABELS)}
        lacking = sum(number for kind, number in self.summary.lacking_by_type.items() if kind in kinds)
        return _of(result.value, result.interval, sum(hits), len(base), lacking)

    def share_of_label(self, label: Label, among: Sequence[Label] = ()) -> Share:
        """The share of one label; undefined where only a grading gives it and there was none."""
        return _UNDEFINED if label in self.summary.undefined_labels else self.share_of(label, among=among)

    def hallucinated_statements(self, require: Require) -> Share:
        """Share of all statements that are hallucinated under a requirement; undefined where it was not looked at."""
        if not self._judges(require):
            return _UNDEFINED
        return self.share_of(*(label for label in LABELS if hallucinated(label, require)))

    def hallucinated_words(self, require: Require) -> Share:
        """Share of all words that stand in hallucinated statements; undefined as that of statements."""
        if not self._judges(require):
            return _UNDEFINED
        flagged = [hallucinated(label, require) for _, _, label in self.decided]
        words = [statement.words for _, statement, _ in self.decided]
        result = weighted_share(flagged, words, [answer.group for answer, _, _ in self.decided])
        hits = sum(number for number, hit in zip(words, flagged, strict=True) if hit)
        lacking = sum(each.words for answer in self.answers for each in answer.statements if each.label is None)
        return _of(result.value, result.interval, hits, sum(words), lacking)

    def _judges(self, require: Require) -> bool:
        return self.graded or require == self.require


def load_runs(runs: Sequence[Path]) -> list[ReportedRun]:
    """Read labelling runs; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: one is no labelling run.
    """
    return [
        ReportedRun(name, path, manifest_of(path), summarise(path), prompt_groups(path))
        for name, path in zip(run_names(runs), runs, strict=True)
    ]


def _of(value: float | None, interval: Interval | None, hits: int, n: int, lacking: int) -> Share:
    could_be = (hits / (n + lacking), (hits + lacking) / (n + lacking)) if value is not None and lacking else None
    return Share(value, interval, hits, n, could_be)
