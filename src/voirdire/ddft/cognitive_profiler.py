"""The paper's quick start (DDFT 11.3): one class, one call, one profile. Also in a notebook's running event loop."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.data.paths import as_path
from voirdire.ddft.paper_index import explanation
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.results import Result
from voirdire.ddft.session import new_run_path, run_study_blocking
from voirdire.ddft.study import SCRIPTED, IncompleteError, StudyError, plan_study
from voirdire.jury import REFERENCE
from voirdire.runs import RunOptions, in_notebook

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.ddft.metrics import Value
    from voirdire.ddft.paper_index import PaperIndex, Phenotype
    from voirdire.ddft.profile import Profile
    from voirdire.stats.intervals import Interval


@dataclass(frozen=True, repr=False)
class CognitiveProfile:
    """What an assessment found about one model."""

    profile: Profile
    result: Result

    def __repr__(self) -> str:
        why = "" if self.complete else f", stopped={self.result.stopped!r}"
        return (
            f"<CognitiveProfile of {self.profile.model}: {self._headline()}; complete={self.complete}{why}; {self.run}>"
        )

    def _headline(self) -> str:
        if self.er is None:
            return f"ER has no value ({self.metrics['ER'].reason})"
        ends = self.er_interval
        reach = "no interval" if ends is None else f"95 % interval {ends.low:.3f} to {ends.high:.3f}"
        from voirdire.ddft.won_by_silence import caution

        few = caution("ER", self.metrics["share_answered"])
        return f"ER {self.er:.3f}, {reach}{'' if few is None else f'; {few}'}"

    @property
    def complete(self) -> bool:
        """Whether nothing that was asked is missing, not even one verdict that a judge refused."""
        return self.result.complete

    @property
    def er(self) -> float | None:
        """Epistemic reliability, 0 to 1: the number to begin with; `None` where it is undefined (`notes` say why)."""
        return self.profile.er

    @property
    def er_interval(self) -> Interval | None:
        """The 95 % interval of ER; `None` without one (with fewer than three concepts there is none)."""
        return self.profile.er_interval

    @property
    def danger_zone_pct(self) -> float | None:
        """Turns that are fluent and wrong (SAS > 0.7, FAR < 0.7), in percent of those asked."""
        return self.profile.danger_zone_pct

    @property
    def paper_index(self) -> PaperIndex:
        """The paper's index and label, with the turns behind them, and whether they are to be relied on here."""
        return self.profile.paper_index

    @property
    def ci_score(self) -> float | None:
        """CI_raw, which does not depend on other models; `None` where it is undefined, with the reason in `notes`."""
        return self.profile.ci_score

    @property
    def phenotype(self) -> Phenotype | None:
        """Robust, Competent or Brittle (DDFT 7.3); `None` where `paper_index` is not reliable, and `notes` say why."""
        return self.paper_index.phenotype if self.paper_index.reliable else None

    @property
    def metrics(self) -> dict[str, Value]:
        """Every metric: its value, or why there is none, and the n behind it."""
        return self.profile.metrics

    @property
    def intervals(self) -> dict[str, Interval]:
        """95 % intervals by metric; empty with fewer than three concepts."""
        return self.profile.intervals

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said beside the numbers: first on the jury, last on the paper's index."""
        sentences = (
            self.result.banner,
            *self.result.missing_verdicts,
            *self.result.waiting,
            *map(str, self.profile.notes),
            explanation(self.paper_index),
        )
        return tuple(note for note in sentences if note)

    @property
    def turns(self) -> pd.DataFrame:
        """One row per turn: question, answer, trap, and the jury's far, sas, no_claims, stance."""
        scored = self.result.scores.drop(columns=["model", "concept", "level", "sample"])
        return self.result.tables.turns.merge(scored, on=["dialogue", "turn"], how="left")

    @property
    def run(self) -> Path:
        """The run's folder."""
        return self.result.path

    def to_json(self, *, indent: int | None = 2) -> str:
        """The profile as JSON text."""
        return self.profile.to_json(indent=indent)


_GO_ON = "To go on, give the same call again, with this folder as `run`."


class CognitiveProfiler:
    """Cross-examines one model and profiles it.

    Args:
        model: the subject, as PROVIDER/NAME: "openai/gpt-5.1", "local/smollm2-135m" …
        interviewer: "scripted", or a model.
        jury: a judge by name, or several; the reference panel by default (see `CognitiveProfile.notes` for what that
            is worth).
        preset: a packaged preset or a YAML file. "quick" is a first look in minutes; "sound" is the whole test.
        base_url: the server of an "openai-api/…" model.
        seed: of traps, questions and calls.
        run: the run's folder, to continue later; a new one under `runs/` by default.
        max_cost: USD after which the run stops.
        max_calls: calls after which the run stops.
        stop_when: ask no further when a metric's interval is narrow enough: "ER±0.05".
        partial: return what there is when the run was interrupted, reached a limit or had calls fail, instead of
            raising an error. Before anything is judged there is no profile to return, and the error is raised.
        progress: show how far the run is, on stderr; by default only in a terminal or a notebook.

    Example:
        >>> from ddft import CognitiveProfiler
        >>> profiler = CognitiveProfiler(model="simulated/steady", jury=["simulated/judge"])
        >>> profile = profiler.run_complete_assessment(concepts=["Natural Selection", "Recursion"])  # doctest: +SKIP
    """

    def __init__(
        self,
        model: str,
        *,
        interviewer: str = SCRIPTED,
        jury: str | Sequence[str] = (REFERENCE,),
        preset: str | os.PathLike[str] = "quick",
        base_url: str | None = None,
        seed: int = 0,
        run: str | os.PathLike[str] | None = None,
        max_cost: float | None = None,
        max_calls: int | None = None,
        stop_when: str | None = None,
        partial: bool = False,
        progress: bool | None = None,
    ) -> None:
        if not isinstance(model, str):
            raise StudyError(f"A model is named by a text, such as 'openai/gpt-5.1'; {model!r} was given.")
        self._model = model
        self._interviewer = interviewer
        self._jury = _listed(jury)
        self._preset = load_preset(preset)
        self._base_url = base_url
        self._seed = seed
        self._run = None if run is None else as_path(run)
        self._options = RunOptions(max_cost=max_cost, max_calls=max_calls, partial=partial)
        self._stop_when = stop_when
        self._progress = progress

    def run_complete_assessment(
        self,
        concepts: str | Sequence[str] = (),
        compression_levels: Sequence[float] = (),
        *,
        packs: str | Sequence[str] = (),
    ) -> CognitiveProfile:
        """Hold all dialogues, have them judged, and profile the model.

        Args:
            concepts: an id, a name or a YAML file, or several; the preset's by default.
            compression_levels: in [0, 1]; the preset's by default.
            packs: a pack by name, or several, whose concepts come before those named.

        Raises:
            ConceptError, LevelError, SpecError, StudyError: before anything is asked.
            RunFolderError: the run's folder holds another run.
            IncompleteError: not all was asked, and `partial` is false; or a limit or failed calls ended it before
                anything was judged. A verdict that a judge refused, or wrote so that it can't be used, is no error:
                `notes` say how many are missing.
            KeyboardInterrupt: it was interrupted, and `partial` is false or nothing is judged yet. What was answered
                is on record.
        """
        preset = changed_preset(
            self._preset, concepts=_listed(concepts), packs=_listed(packs), levels=compression_levels
        )
        plan = plan_study(
            [self._model],
            preset,
            interviewer=self._interviewer,
            jury=self._jury,
            base_url=self._base_url,
            seed=self._seed,
            stop_when=self._stop_when,
        )
        path = new_run_path(plan) if self._run is None else self._run
        shows_progress = (in_notebook() or sys.stderr.isatty()) if self._progress is None else self._progress
        result = run_study_blocking(plan, path, self._options, progress=shows_progress)
        _check_complete(result, self._options.partial)
        return CognitiveProfile(result.profiles[0], result)


def _listed(names: str | Sequence[str]) -> tuple[str, ...]:
    """One text is a list of one."""
    given = (names,) if isinstance(names, str) else names
    if not isinstance(given, Iterable) or not all(isinstance(name, str) for name in given):
        raise StudyError(f"A name or a list of names is expected; {names!r} was given.")
    return tuple(given)


def _check_complete(result: Result, partial: bool) -> None:
    if result.profiles and (result.finished or partial):
        return
    why = f"The run in {result.path} is not complete: {result.stopped}"
    if not result.profiles:
        raise IncompleteError(f"{why} No answer has been judged yet, so there is no profile. {_GO_ON}")
    raise IncompleteError(f"{why} {_GO_ON} To look at what there is, give partial=True as well.")
