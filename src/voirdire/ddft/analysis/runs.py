"""Reading several runs as one study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import pandas as pd

from voirdire.data.paths import AnyPath, as_paths
from voirdire.ddft import aliases
from voirdire.ddft.analysis import comparability
from voirdire.ddft.profile import Profile
from voirdire.ddft.profile_notes import Unevenness
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.soundness import conclusion, qualification
from voirdire.ddft.stopping import InterimAnalyses
from voirdire.ddft.thresholds import PAPER, Thresholds, different_thresholds
from voirdire.errors import InputError
from voirdire.reason_codes import Reason
from voirdire.text.counting import counted, listed, named_twice

_NAMED_CHECKS = 3
"""Failed checks that the caution in brief names, of each run."""


class RunsError(InputError):
    """Runs that can't be taken together: one sentence says why."""


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a study, each under one jury."""

    results: tuple[Result, ...]
    scores: pd.DataFrame
    """All of them together, with the columns that `profiles` takes. A model that stands in several runs carries the
    run's name: "gpt-5.1 (runs/first)"."""
    verdicts: pd.DataFrame
    """One row per turn and judge, likewise."""
    cautions: tuple[str, ...]
    """What must be said beside anything that is made of them."""
    about_thresholds: tuple[str, ...] = ()
    """Of these, what is said of thresholds: that a preset has its own, or that the runs' differ."""

    @property
    def thresholds(self) -> Thresholds:
        """What the figures of all of them count by."""
        return self.results[0].thresholds if self.results else PAPER

    @property
    def interim_analyses(self) -> dict[str, InterimAnalyses]:
        """How models were looked at on the way, where their run had a rule to stop by; named as in `scores`."""
        return {
            name: each.interim_analyses for name, each in self._named_profiles() if each.interim_analyses is not None
        }

    @property
    def uneven(self) -> dict[str, Unevenness]:
        """What is judged unevenly so far, by model; named as in `scores`."""
        return {name: each.unevenness for name, each in self._named_profiles() if each.unevenness is not None}

    @property
    def failures(self) -> dict[str, Reason]:
        """Of models that left questions without an answer, how their calls failed; named as in `scores`."""
        return {name: each.failure for name, each in self._named_profiles() if each.failure is not None}

    def _named_profiles(self) -> Iterator[tuple[str, Profile]]:
        shared = _repeated_models(self.results)
        for result in self.results:
            yield from ((_model_name(profile.model, result, shared), profile) for profile in result.profiles)

    @property
    def dialogues_completed(self) -> dict[str, tuple[int, int]]:
        """By model of which dialogues are missing: how many are complete, of how many; named as in `scores`."""
        named = self.models_by_name.items()
        return {
            name: completed for name, (model, result) in named if (completed := result.dialogues_completed.get(model))
        }

    @property
    def no_evidence(self) -> frozenset[str]:
        """The models for which the test was not sound, in runs where it was for others; named as in `scores`."""
        of_run = {str(result.path): conclusion(result).models for result in self.results}
        named = self.models_by_name.items()
        return frozenset(name for name, (model, result) in named if model in of_run[str(result.path)])

    @property
    def without_traps(self) -> frozenset[str]:
        """The models whose runs set no trap; named as in `scores`."""
        return frozenset(name for name, result in self.result_by_model.items() if not result.sets_traps)

    @property
    def result_by_model(self) -> Mapping[str, Result]:
        """The run of each model, by the model's name in `scores`."""
        return {name: result for name, (_, result) in self.models_by_name.items()}

    @property
    def specs(self) -> dict[str, str]:
        """Of the models that are shown by an alias, by their names in `scores`."""
        return {
            name: result.manifest[aliases.FIELD][model]
            for name, (model, result) in self.models_by_name.items()
            if model in result.manifest.get(aliases.FIELD, {})
        }

    @property
    def unsound(self) -> tuple[str, ...]:
        """Which runs fail validity checks, to be said before anything else."""
        return tuple(_unsound(self.results))

    @property
    def caution_in_brief(self) -> str:
        """Why a comparison of the runs is unsafe, or is to be read with care, in one line; "" where nothing is said.

        That rules judged is said by the verdict itself (`soundness.Conclusion`), with the runs.
        """
        unlike = comparability.differences_in_brief(self.result_by_path)
        stopped = [str(result.path) for result in self.results if result.stopped]
        lacking = [
            *(_failed_in_brief(result) for result in self.results if result.failed_checks),
            *([f"{listed(stopped)} {'is' if len(stopped) == 1 else 'are'} not complete"] if stopped else []),
            *self._judged_otherwise(),
        ]
        if unlike:
            return f"This comparison is unsafe: {'; '.join([f'the runs were {listed(unlike)}', *lacking])}."
        no_care = {*(result.banner for result in self.results), *_other_juries(self.results)}
        others = [each for each in self.cautions if each not in no_care]
        care = "; ".join(lacking) + "." if lacking else next(iter(others), "")
        return f"Read this with care: {care}" if care else ""

    def _judged_otherwise(self) -> Iterator[str]:
        """What makes the scores another thing, in runs of which the verdict does not say it."""
        silent = _by_judges((each.silent_judges, each) for each in self.results if not _blames_verdicts(each))
        for judges, paths in silent.items():
            yield f"{judges} gave no verdict in {listed(paths)}"
        if not qualification(self.results):
            alone = [str(result.path) for result in self.results if result.lone_judge]
            yield from [f"one judge scored alone in {listed(alone)}"] if alone else []

    @property
    def result_by_path(self) -> Mapping[str, Result]:
        """The runs by their folders."""
        return {str(result.path): result for result in self.results}

    @property
    def repeated(self) -> bool:
        """Whether a model stands in several of the runs."""
        return bool(_repeated_models(self.results))

    def count_models(self, names: Iterable[str]) -> str:
        """How many models these names in `scores` are: "3 models", or "3 models in 2 runs" where one has several."""
        known = [self.models_by_name.get(name, (name, None)) for name in names]
        models = {model for model, _ in known}
        text = counted(len(models), "model")
        if len(models) == len(known):
            return text
        return f"{text} in {counted(len({str(result.path) for _, result in known if result}), 'run')}"

    def count_of_all_models(self, names: Iterable[str]) -> str:
        """The same beside how many models the runs have, judged or not: "2 of 3 models"; where it is all, as above."""
        names = list(names)
        models = {self.models_by_name.get(name, (name, None))[0] for name in names}
        every = {model for model, _ in self.models_by_name.values()}.union(
            *(result.unjudged for result in self.results)
        )
        return self.count_models(names) if models == every else f"{len(models)} of {counted(len(every), 'model')}"

    @property
    def repetition(self) -> tuple[str, ...]:
        """What must be said of figures across models, where a model stands in several runs."""
        if not self.repeated:
            return ()
        names = list(self.result_by_model)
        return (
            f"These are {self.count_models(names)}, and each model counts once for each of its runs: as {len(names)} "
            "models would. Figures across models look surer than they are; name one run of each.",
        )

    @property
    def own_names(self) -> Mapping[str, str]:
        """Each model's own name by its name in `scores`, to which a model in several runs adds the run."""
        return {name: model for name, (model, _) in self.models_by_name.items()}

    @property
    def models_by_name(self) -> dict[str, tuple[str, Result]]:
        """Each model's own name and its run, by its name in `scores`."""
        shared = _repeated_models(self.results)
        return {
            _model_name(str(model), result, shared): (str(model), result)
            for result in self.results
            for model in result.scores["model"].unique()
        }

    def check_comparable(self) -> None:
        """Refuse to take runs as one study whose models can't be compared.

        Raises:
            RunsError: two of them are different tests, or were judged differently.
        """
        for one, other in combinations(self.results, 2):
            why = comparability.incomparability_reasons(one, other)
            if why:
                raise RunsError(
                    f"{one.path} and {other.path} can't be taken as one study, since they were "
                    f"{' and '.join(map(str, why))}: name runs that are alike, or a jury that has judged both (--jury)."
                )


def read_runs(paths: AnyPath | Sequence[AnyPath], jury: str | None = None) -> Runs:
    """Read run folders, without calling anything.

    Args:
        paths: of the run folders.
        jury: the judges' names, or the id, of the jury whose scores count; `None` for the one each run was held with.

    Raises:
        RunFolderError, StudyError, JuryError: a folder holds no run, or no such jury has judged it.
        RunsError: a folder is named twice.

    Runs whose thresholds differ are all counted by the paper's, and a caution says so.
    """
    paths = as_paths(paths)
    if (twice := named_twice(paths, Path.resolve)) is not None:
        raise RunsError(f"The run {twice} is named more than once; name each run once.")
    results = tuple(load_run(path, jury) for path in paths)
    own = {str(result.path): result.thresholds for result in results}
    if len(set(own.values())) > 1:
        results = tuple(
            result if result.thresholds == PAPER else load_run(result.path, jury, thresholds=PAPER)
            for result in results
        )
    return _together(results, tuple(_about_thresholds(own)))


def run_alone(result: Result) -> Runs:
    """A run that has been read, as a study of its own."""
    return _together((result,), tuple(_about_thresholds({str(result.path): result.thresholds})))


def _together(results: tuple[Result, ...], about_thresholds: tuple[str, ...]) -> Runs:
    shared = _repeated_models(results)
    return Runs(
        results,
        pd.concat([_with_model_names(result, result.scores, shared) for result in results], ignore_index=True),
        pd.concat([_with_model_names(result, _verdicts(result), shared) for result in results], ignore_index=True),
        (*about_thresholds, *_cautions(results)),
        about_thresholds,
    )


def _about_thresholds(own: Mapping[str, Thresholds]) -> Iterator[str]:
    first, *others = dict.fromkeys(own.values())
    if others:
        yield f"{different_thresholds(own)} Here all of them are counted by the paper's."
    elif first.note:
        yield first.note


def _verdicts(result: Result) -> pd.DataFrame:
    verdicts = result.tables.verdicts
    return verdicts[verdicts["jury"] == result.jury]


def _with_model_names(result: Result, frame: pd.DataFrame, shared: set[str]) -> pd.DataFrame:
    names = [_model_name(model, result, shared) for model in frame["model"]]
    return frame.assign(model=names)


def _repeated_models(results: Sequence[Result]) -> set[str]:
    """The models that stand in several runs."""
    models = Counter(model for result in results for model in result.scores["model"].unique())
    return {model for model, runs in models.items() if runs > 1}


def _model_name(model: str, result: Result, shared: set[str]) -> str:
    return f"{model} ({result.path})" if model in shared else model


def _by_judges(judges_by_run: Iterable[tuple[Sequence[str], Result]]) -> dict[str, list[str]]:
    """The runs by the judges that something is to be said of there."""
    runs: dict[str, list[str]] = {}
    for judges, result in judges_by_run:
        if judges:
            runs.setdefault(listed(judges), []).append(str(result.path))
    return runs


def _blames_verdicts(result: Result) -> bool:
    """Whether a run's conclusion names the judges whose verdicts are missing."""
    outcome = conclusion(result)
    return outcome.state == "not sound" and "missing_verdicts" in outcome.checks


def _failed_in_brief(result: Result) -> str:
    failed = result.failed_checks
    see = f"see voirdire validate {result.path}{result.jury_option}"
    return f"{result.path} fails {counted(len(failed), 'check')} ({listed(failed, _NAMED_CHECKS)}), {see}"


def _unsound(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        failed = result.failed_checks
        if failed:
            checks = f"{result.path} fails {counted(len(failed), 'validity check')} ({', '.join(failed)})"
            see = f"voirdire validate {result.path}{result.jury_option}"
            yield f"{checks}. {conclusion(result).sentence} What was seen: {see}"


def _cautions(results: Sequence[Result]) -> list[str]:
    cautions = list(comparability.cautions({str(result.path): result for result in results}))
    cautions += list(dict.fromkeys(result.banner for result in results if result.banner))
    cautions += [f"{result.path}: {copy}" for result in results for copy in result.copied_judges]
    cautions += [f"{result.path} is not complete: {result.stopped}" for result in results if result.stopped]
    cautions += [f"{result.path}: {result.models_missing}" for result in results if result.models_missing]
    cautions += [
        f"{result.path}, {profile.model}: {profile.uneven}"
        for result in results
        for profile in result.profiles
        if profile.uneven is not None
    ]
    cautions += [sentence for result in results for sentence in _stopped_early(result)]
    return [*cautions, *_other_juries(results)]


def _other_juries(results: Sequence[Result]) -> list[str]:
    """Who else judged which run: the last of the cautions, and none by itself."""
    return [f"{result.path}: {result.also_judged}" for result in results if result.also_judged]


def _stopped_early(result: Result) -> Iterator[str]:
    """What holds for models that a rule has stopped."""
    early = [
        profile.interim_analyses
        for profile in result.profiles
        if profile.interim_analyses and profile.interim_analyses.withheld
    ]
    if early:
        withheld = ", ".join(sorted(early[0].withheld))
        stopped = f"{len(early)} of {counted(len(result.profiles), 'model')}"
        yield (
            f"In {result.path} the rule {early[0].rule} stopped {stopped} early: "
            f"what is made of {withheld} there is not to be trusted, and intervals of differences are not corrected "
            "for looking."
        )
