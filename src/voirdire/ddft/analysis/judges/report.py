"""A run's jury: how reliable it is, and what the results owe to each judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from voirdire.data.json_values import as_plain
from voirdire.ddft import aliases
from voirdire.ddft.analysis.judges.leave_one_out import LeftOut, leave_one_judge_out, panel_settings_of
from voirdire.ddft.results import load_run
from voirdire.ddft.validity import Check
from voirdire.ddft.validity.score_checks import agreement_on_stances, copied_judges, near_copies
from voirdire.jury.reliability import CUTS, Reliability, reliability
from voirdire.reason_codes import Reason
from voirdire.text.counting import listed


@dataclass(frozen=True, slots=True)
class JuryReport:
    """What `voirdire jury reliability` tells."""

    path: Path
    jury: str
    turns: int
    concepts: int
    reliability: Reliability
    stances: Check
    """Whether the judges agree on the stance towards the fabrication: the validity check."""
    left_out: tuple[LeftOut, ...]
    cautions: tuple[str, ...]
    """What must be said of the run or its jury beside all numbers."""
    copies: tuple[Reason, ...] = ()
    """Which judges are copies of each other, or nearly are; the cautions tell of them."""

    @property
    def different_judges(self) -> int:
        """How many judges it comes to, where copies and near copies count as one."""
        return len(self.reliability.judges) - sum(len(_judges(why)) - 1 for why in self.copies)

    def shown(self, judge: str) -> str:
        """A judge's name, with whom it copies, or nearly does."""
        same, nearly = (
            sorted({each for why in self.copies if why.code == code and judge in _judges(why) for each in _judges(why)})
            for code in ("copied_judge", "near_copy")
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
    verdicts = verdicts[verdicts["jury"] == result.jury]
    copies = (*copied_judges(verdicts), *near_copies(verdicts))
    unfinished = None if result.stopped is None else f"The run is not complete: {result.stopped}"
    return JuryReport(
        path=path,
        jury=result.jury,
        turns=len(result.scores),
        concepts=result.scores["concept"].nunique(),
        reliability=reliability(verdicts, panel.judges, specs=result.manifest.get(aliases.FIELD, {})),
        stances=agreement_on_stances(verdicts),
        left_out=tuple(leave_one_judge_out(verdicts, result.scores, panel)),
        cautions=(
            *(caution for caution in (result.banner, unfinished) if caution),
            *(f"{each}." for each in result.unvarying_judges),
            *map(str, copies),
        ),
        copies=copies,
    )
