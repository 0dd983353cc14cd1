"""Everything that a report is made of, read once. What follows from it is computed without touching a run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from voirdire.ddft.analysis.comparing.compare import ModelComparison, compare
from voirdire.ddft.analysis.judges.leave_one_out import PanelSettings, panel_settings_of
from voirdire.ddft.analysis.judges.report import JuryReport, jury_report
from voirdire.ddft.analysis.runs import Runs, read_runs
from voirdire.ddft.exported_tables import ANSWERING
from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.results import Result
from voirdire.ddft.snapshot import saved_concepts
from voirdire.ddft.won_by_silence import silence
from voirdire.documents.run_description import run_names
from voirdire.errors import InputError
from voirdire.records import Concept
from voirdire.runs import RunFolder

DialogueKey = tuple[str, str]
"""Whose dialogue: the path of a run as text, and a dialogue's id in it."""


class ReportError(InputError):
    """Runs that no report can be made of: one sentence says why."""


@dataclass(frozen=True, slots=True)
class ReportRun:
    """One run: what was asked for, and what it took."""

    result: Result
    manifest: Mapping[str, Any]
    calls: pd.DataFrame
    """Every attempt, as `Journal.calls_frame` gives them, without texts."""
    contexts: Mapping[str, str]
    """By dialogue: what its subject was told before the first question."""
    names: Mapping[str, str]
    """How the report calls each of the run's models: differently where a model stands in several runs."""
    concepts: Mapping[str, Concept]
    """By id, as far as their texts are kept with the run."""

    @property
    def path(self) -> str:
        """Of the run folder."""
        return str(self.result.path)

    @property
    def imported(self) -> bool:
        """Whether it was made of a published record."""
        return "imported_sha256" in self.manifest


@dataclass(frozen=True, slots=True)
class JuryResults:
    """Who judged, over all runs that the same jury judged."""

    jury: str
    panel: PanelSettings
    report: JuryReport | None
    """`None` for a single judge."""


@dataclass(frozen=True, slots=True)
class Material:
    """All runs of a report."""

    runs: Runs
    report_runs: tuple[ReportRun, ...]
    profiles: tuple[Profile, ...]
    """The best ER first, under the names of the report, with what is true of their run."""
    turns: pd.DataFrame
    """One row per turn asked, of all runs: the columns of a run's turns, `run`, and in `model` and `concept` the names
    that the report gives them: of a concept its own, where that is known."""
    scores: pd.DataFrame
    """One row per turn judged, likewise."""
    verdicts: pd.DataFrame
    """One row per turn and judge, likewise."""
    jury_results: tuple[JuryResults, ...]
    comparison: ModelComparison | None
    """`None` for a single model."""
    run_names: Mapping[str, str]
    """By path: what `run_name` gives."""

    @property
    def turns_of_judged(self) -> pd.DataFrame:
        """The turns without those of models of which no turn is judged yet."""
        judged = pd.MultiIndex.from_frame(self.scores[["run", "model"]])
        return self.turns[pd.MultiIndex.from_frame(self.turns[["run", "model"]]).isin(judged)]

    @property
    def models(self) -> tuple[str, ...]:
        """In the order in which they are shown."""
        return tuple(profile.model for profile in self.profiles)

    @property
    def model_count(self) -> str:
        """As in "3 models", or "3 models in 2 runs" where one stands in several."""
        return self.runs.count_models(self.models)

    @property
    def only(self) -> Profile | None:
        """The profile, where there is one model."""
        return self.profiles[0] if len(self.profiles) == 1 else None

    @property
    def concepts(self) -> tuple[str, ...]:
        """All that were asked about, sorted."""
        return tuple(sorted(self.turns["concept"].unique()))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Models that are judged unevenly so far, of which no figure can be told yet."""
        return tuple(profile.model for profile in self.profiles if profile.uneven is not None)

    @property
    def scores_shown(self) -> pd.DataFrame:
        """The scores of all other models."""
        return self.scores[~self.scores["model"].isin(self.waiting)]

    def chart_name(self, model: str) -> str:
        """How a chart calls a model: with how it answers, where it seldom or never claims anything."""
        quiet = next((silence(profile.metrics) for profile in self.profiles if profile.model == model), None)
        if quiet is None:
            return model
        return f"{model} ({'claims nothing' if quiet.code == 'note_none_answered' else 'claims little'})"

    def run_name(self, run: ReportRun) -> str:
        """How the report calls a run: the end of its path that tells it from the others."""
        return self.run_names[run.path]

    @property
    def result_by_name(self) -> Mapping[str, Result]:
        """The runs by the names that the report gives them."""
        return {self.run_name(run): run.result for run in self.report_runs}


def read_material(paths: Sequence[Path], jury: str | None = None) -> Material:
    """Read runs, without calling anything.

    Args:
        paths: of the run folders.
        jury: the judges' names, or the id, of the jury whose scores count; `None` for the one each run was held with.

    Raises:
        RunFolderError, StudyError, JuryError: a folder holds no run, or no such jury has judged it.
        RunsError: a folder is named twice.
        ReportError: no run is named, or one in which this jury has judged nothing.
    """
    if not paths:
        raise ReportError("No run was named; name the folder of at least one.")
    return material_of(read_runs(paths, jury))


def material_of(runs: Runs) -> Material:
    """What a report on runs that have been read is made of.

    Raises:
        ReportError: in one of them this jury has judged nothing.
    """
    for result in runs.results:
        if not result.profiles:
            raise ReportError(f"The jury {result.jury!r} has judged no turn of {result.path} yet: have it judge first.")
    report_runs = tuple(_read_run(result, names) for result, names in zip(runs.results, _names(runs), strict=True))
    profiles = tuple(best_first(_profile(each, profile) for each in report_runs for profile in each.result.profiles))
    concepts = _concept_names(report_runs)
    return Material(
        runs=runs,
        report_runs=report_runs,
        profiles=profiles,
        turns=_concat(report_runs, concepts, lambda result: result.tables.turns),
        scores=_concat(report_runs, concepts, lambda result: result.scores),
        verdicts=_concat(report_runs, concepts, verdicts_of),
        jury_results=tuple(_jury_results(runs)),
        comparison=compare(runs) if len(profiles) > 1 else None,
        run_names={
            each.path: name
            for each, name in zip(report_runs, run_names([result.path for result in runs.results]), strict=True)
        },
    )


def _profile(run: ReportRun, profile: Profile) -> Profile:
    return replace(profile, model=run.names[profile.model])


def _concept_names(runs: Sequence[ReportRun]) -> dict[str, str]:
    """By id; only names that no other concept has."""
    names = {name: concept.name for each in runs for name, concept in each.concepts.items()}
    times = Counter(names.values())
    return {concept: name for concept, name in names.items() if times[name] == 1}


def _names(runs: Runs) -> Iterator[dict[str, str]]:
    """The names that `read_runs` gives the models, run by run."""
    start = 0
    for result in runs.results:
        own = result.scores["model"]
        shown_names = runs.scores["model"].iloc[start : start + len(own)]
        start += len(own)
        known = dict(zip(own, shown_names, strict=True))
        yield {model: known.get(model, model) for model in result.tables.turns["model"].unique()}


def _read_run(result: Result, names: Mapping[str, str]) -> ReportRun:
    with RunFolder.open(result.path, read_only=True) as folder:
        sent = folder.journal.sent(ANSWERING, turn=1)
        contexts = {
            dialogue: "\n\n".join(each["content"] for each in messages if each["role"] == "system")
            for dialogue, messages in sent.items()
        }
        calls = folder.journal.calls_frame().drop(columns="reply")
        return ReportRun(result, folder.manifest, calls, contexts, names, saved_concepts(folder))


def _concat(runs: Sequence[ReportRun], concepts: Mapping[str, str], frame_of: Any) -> pd.DataFrame:
    frames = []
    for each in runs:
        frame: pd.DataFrame = frame_of(each.result)
        about = frame["concept"].map(lambda concept: concepts.get(concept, concept))
        frames.append(frame.assign(run=each.path, model=frame["model"].map(each.names), concept=about))
    return pd.concat(frames, ignore_index=True)


def verdicts_of(result: Result) -> pd.DataFrame:
    """A row for each turn and judge of the result's jury."""
    verdicts = result.tables.verdicts
    of_jury: pd.DataFrame = verdicts[verdicts["jury"] == result.jury]
    return of_jury


def _jury_results(runs: Runs) -> Iterator[JuryResults]:
    for jury in dict.fromkeys(result.jury for result in runs.results):
        paths = [result.path for result in runs.results if result.jury == jury]
        panel = panel_settings_of(paths[0], jury)._replace(thresholds=runs.thresholds)
        verdicts, scores = (frame[frame["jury"] == jury] for frame in (runs.verdicts, runs.scores))
        if len(panel.judges) < 2:
            yield JuryResults(jury, panel, None)
            continue
        report = jury_report(paths[0], jury, panel, verdicts, scores, runs.specs, runs.uneven)
        yield JuryResults(jury, panel, report)
