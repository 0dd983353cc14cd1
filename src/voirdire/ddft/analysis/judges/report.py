"""A run's jury: how reliable it is, and what the results owe to each judge."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from voirdire.data.json_values import as_plain
from voirdire.ddft import aliases
from voirdire.ddft.analysis.judges.leave_one_out import LeftOut, PanelSettings, leave_one_judge_out, panel_settings_of
from voirdire.ddft.results import load_run
from voirdire.ddft.validity import Check
from voirdire.ddft.validity.copied_judges import copied_judges, without_copies
from voirdire.ddft.validity.score_checks import agreement_on_stances
from voirdire.jury.reliability import CUTS, Reliability, reliability
from voirdire.reason_codes import Reason
from voirdire.text.counting import listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class JuryReport:
    """What `voirdire jury reliability` tells."""

    path: Path
    jury: str
    turns: int
    concepts: int
    reliability: Reliability
    """Of judges who gave the same verdicts everywhere one is in it, unless all did; near copies are told of in it, and
    left out of its coefficients of agreement, unless all are."""
    stances: Check
    """Whether the judges agree on the stance towards the fabrication: the validity check."""
    left_out: tuple[LeftOut, ...]
    cautions: tuple[str, ...]
    """What must be said of the run or its jury beside all numbers."""
    copies: tuple[Reason, ...] = ()
    """Which judges are copies of each other, or nearly are; the cautions tell of them."""
    left_out_of_agreement: tuple[str, ...] = ()
    """The judges who are left out of all coefficients of agreement, since they repeat another."""

    @property
    def different_judges(self) -> int:
        """How many judges it comes to, where copies and near copies count as one."""
        judges = set(self.reliability.judges).difference(self.left_out_of_agreement)
        return len(judges) - sum(max(0, len(judges.intersection(_judges(why))) - 1) for why in self.copies)

    def shown(self, judge: str) -> str:
        """A judge's name, with whom it copies, or nearly does."""
        same, nearly = (
            sorted(
                {each for why in self.copies if why.code in codes and judge in _judges(why) for each in _judges(why)}
            )
            for codes in (("copied_judge",), ("near_copy", "near_copies_alone"))
        )
        marks = [
            f"{how} {listed([each for each in judges if each != judge])}"
            for how, judges in (("same as", same), ("nearly", nearly))
            if judges
        ]
        return f"{judge} ({'; '.join(marks)})" if marks else judge

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        content = self.reliability.as_dict()
        notes = [*self.cautions, *content.pop("notes")]
        return {
            "run": str(self.path),
            "jury": self.jury,
            "turns": self.turns,
            "concepts": self.concepts,
            "cuts": {name: list(cuts) for name, cuts in CUTS.items()},
            **content,
            "left_out_of_agreement": list(self.left_out_of_agreement),
            "stance_agreement": self.stances.as_dict(),
            "leave_one_out": as_plain(self.left_out),
            "notes": notes,
        }


def _judges(why: Reason) -> tuple[str, ...]:
    return cast("tuple[str, ...]", why["judges"])


def report_jury(path: Path, jury: str | None = None) -> JuryReport:
    """Examine the jury of a run, without calling anything.

    Args:
        path: of the run folder.
        jury: the judges' names, or the id, of the jury; `None` for the run's own.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or no such jury has judged it.
        ReliabilityError: the jury has one judge only.
    """
    result = load_run(path, jury)
    panel = panel_settings_of(path, result.jury)
    verdicts = result.tables.verdicts
    unfinished = None if result.stopped is None else f"The run is not complete: {result.stopped}"
    report = jury_report(
        path,
        result.jury,
        panel,
        verdicts[verdicts["jury"] == result.jury],
        result.scores,
        result.manifest.get(aliases.FIELD, {}),
        [profile.model for profile in result.profiles if profile.uneven is not None],
    )
    return replace(
        report,
        cautions=(
            *(caution for caution in (result.banner, unfinished) if caution),
            *(f"{each}." for each in result.unvarying_judges),
            *map(str, report.copies),
        ),
    )


def jury_report(
    path: Path,
    jury: str,
    panel: PanelSettings,
    verdicts: pd.DataFrame,
    scores: pd.DataFrame,
    specs: Mapping[str, str],
    uneven: Collection[str] = (),
) -> JuryReport:
    """What one jury's verdicts tell of it, without cautions.

    Args:
        path: of the first of its runs.
        jury: its id.
        panel: of at least two judges.
        verdicts: the jury's alone, of all its runs.
        scores: made of them.
        specs: of models that are shown by an alias, by that alias.
        uneven: the models that are judged unevenly so far, of which no figure can be told yet.
    """
    copies = copied_judges(verdicts)
    voices = without_copies(verdicts, copies.whole)
    judges = [judge for judge in panel.judges if judge in set(voices["judge"])]
    if len(judges) < 2:
        voices, judges = verdicts, list(panel.judges)
    agreeing = set(without_copies(voices, copies.near)["judge"])
    left_out = tuple(judge for judge in panel.judges if judge in set(verdicts["judge"]) - agreeing)
    return JuryReport(
        path=path,
        jury=jury,
        turns=len(scores),
        concepts=scores["concept"].nunique(),
        reliability=reliability(voices, judges, specs=specs, left_out=left_out),
        stances=agreement_on_stances(verdicts, copies),
        left_out=tuple(leave_one_judge_out(verdicts, scores, panel, uneven)),
        cautions=(),
        copies=copies.reasons,
        left_out_of_agreement=left_out,
    )
