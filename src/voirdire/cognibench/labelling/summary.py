"""What a labelling run holds, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.cognibench.labelling import manifest_of, read_labelled
from voirdire.cognibench.labelling.records import LabelledAnswer
from voirdire.detectors.records import LABELS
from voirdire.run import RunFolder, Totals, is_local
from voirdire.text.counting import counted

NAMED = 5
"""Answers that a caution names."""


@dataclass(frozen=True, slots=True)
class LabelSummary:
    """Counts of a run's labels, what is missing, and what was spent."""

    path: Path
    model: str
    require: str
    answers: int
    """Labelled ones."""
    asked: int
    """All that the run is about."""
    labelled: tuple[LabelledAnswer, ...]
    totals: Totals
    stopped: str | None
    tiers: bool = True
    """Whether a second stage grades conclusions; without one none is found misleading or irrefutable."""

    @property
    def labels(self) -> dict[str, int]:
        """How often each label was given, and under "undecided" how often none."""
        found = Counter(each.label for answer in self.labelled for each in answer.judged)
        return {label: found[label] for label in LABELS} | {"undecided": found[None]}

    @property
    def undecided(self) -> list[dict[str, Any]]:
        """The statements without a label, each with its reason."""
        return [
            {
                "id": each.answer.id,
                "position": place,
                "text": each.answer.statements[place].text,
                "why": each.judged[place].why,
                "reasons": list(each.reasons),
            }
            for each in self.labelled
            for place in each.undecided
        ]

    @property
    def statements(self) -> int:
        """In the labelled answers."""
        return sum(len(each.judged) for each in self.labelled)

    @property
    def missing_votes(self) -> int:
        """Over all statements and samples."""
        return sum(vote is None for each in self.labelled for found in each.judged for vote in found.votes)

    @property
    def votes(self) -> int:
        """Those that were asked for."""
        return sum(len(found.votes) for each in self.labelled for found in each.judged)

    @property
    def repairs(self) -> int:
        """How often sentences were asked for again."""
        return sum(each.repairs for each in self.labelled)

    @property
    def used_in_prompt(self) -> list[str]:
        """Ids of the answers that must be left out of scoring, since the prompt has examples from their group."""
        return [each.answer.id for each in self.labelled if each.used_in_prompt]

    @property
    def cautions(self) -> list[str]:
        """What must be read before the labels are used."""
        return [*self._spoken_to(), *self._of_the_model()]

    @property
    def addressing(self) -> list[dict[str, Any]]:
        """Answers with statements that speak to whoever labels them, and the samples whose reply takes that over."""
        return [
            {"id": each.answer.id, "positions": list(each.addresses), "echoes": list(each.echoes)}
            for each in self.labelled
            if each.addresses or each.echoes
        ]

    def _spoken_to(self) -> list[str]:
        found = self.addressing
        echoes = sum(len(each["echoes"]) for each in found)
        if not found:
            return []
        named = ", ".join(each["id"] for each in sorted(found, key=lambda each: not each["echoes"])[:NAMED])
        swayed = (
            f"; {counted(echoes, 'reply repeats', 'replies repeat')} that beside the vote: read them" if echoes else ""
        )
        return [f"{counted(len(found), 'answer speaks', 'answers speak')} to whoever labels them ({named}){swayed}."]

    def _of_the_model(self) -> list[str]:
        if not is_local(self.model):
            return []
        return [
            "Small local models are poor labellers: of 170 statements of CogniBench, Qwen2.5-Coder-1.5B told supported "
            "from unsupported ones with an AUC of 0.64, where plain word novelty has 0.93. Compare these labels with "
            "those of people (voirdire cognibench diagnose) before you use them."
        ]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "cautions": self.cautions,
            "path": str(self.path),
            "model": self.model,
            "require": self.require,
            "answers": self.answers,
            "asked": self.asked,
            "statements": self.statements,
            "labels": self.labels,
            "undecided": self.undecided,
            "votes": self.votes,
            "missing_votes": self.missing_votes,
            "repairs": self.repairs,
            "used_in_prompt": self.used_in_prompt,
            "addressing": self.addressing,
            "totals": self.totals._asdict(),
            "stopped": self.stopped,
        }


def summarise(path: Path, stopped: str | None = None) -> LabelSummary:
    """Count what a run holds; nothing is asked.

    Args:
        path: of the run.
        stopped: why its last session ended early.

    Raises:
        RunFolderError, CognibenchError: as for `read_labelled`.
    """
    asked = manifest_of(path)
    labelled = read_labelled(path)
    with RunFolder.open(path, read_only=True) as folder:
        totals = folder.journal.totals()
    return LabelSummary(
        path=path,
        model=asked["model"],
        require=asked["plan"]["require"],
        answers=len(labelled),
        asked=asked["answers"],
        labelled=tuple(labelled),
        totals=totals,
        stopped=stopped,
        tiers=asked["plan"]["tiers"],
    )
