"""`voirdire.plan`: what a run would take, and what it takes to tell two models apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.python_api.questions import ShownAnswer, answer_of_data, columns_of
from voirdire.adapters.python_api.results import Shown, UsageError, listed, numbers
from voirdire.data.json_values import as_plain
from voirdire.data.paths import AnyPath, as_path, as_paths
from voirdire.ddft.batching import check_batch
from voirdire.ddft.plan import StudyEstimate, Ways
from voirdire.ddft.plan_savings import Saving, savings
from voirdire.ddft.presets import Preset, changed_preset, load_preset
from voirdire.ddft.report.plan import plan_document, plan_line
from voirdire.ddft.report.power import detection_document, detection_line
from voirdire.ddft.study import SCRIPTED, plan_study
from voirdire.documents.document import Document
from voirdire.instruments import PowerQuestion
from voirdire.jury import REFERENCE
from voirdire.jury.choice import judge_names
from voirdire.runs.limits import CONNECTIONS

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.ddft.analysis.planning.power import Detection, SmallestShown, Source
    from voirdire.ddft.study import StudyPlan


@dataclass(frozen=True, repr=False)
class PlanResult(Shown):
    """What a run would take. See `plan`."""

    options: tuple[Saving, ...]
    """The plan as asked, then the same done in ways that save something."""
    shown: SmallestShown
    """The smallest difference between two models that it can show."""

    @property
    def estimate(self) -> StudyEstimate:
        """Of the plan as asked: dialogues, turns, calls, tokens, USD, minutes, and what that assumes."""
        return self.options[0].estimate

    @property
    def headline(self) -> str:
        """Dialogues, calls, money and time, and which difference it can show."""
        return plan_line(self.estimate, self.shown)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per way: option, calls, tokens, usd (NaN: unknown), minutes, wait_hours, what it gives up.

        Also slow_minutes: in place of minutes, where local models have slow or busy cores.
        """
        import pandas as pd

        return pd.DataFrame(as_plain(self.options)).astype({"usd": "float64"})

    def document(self) -> Document:
        """The estimate, and what each option would save, as `voirdire plan` prints them."""
        return plan_document(self.estimate, self.options, self.shown)

    def values(self) -> dict[str, Any]:
        """As `voirdire plan --json`."""
        return self.estimate.as_dict() | {"shows": as_plain(self.shown), "options": as_plain(self.options)}


@dataclass(frozen=True, repr=False)
class PowerResult(Shown):
    """What it takes to tell two models apart. See `plan`."""

    detection: Detection
    """The question, the designs that answer it, and what the paper's own could tell, as records."""

    @property
    def headline(self) -> str:
        """The cheapest design, or that there is none."""
        return detection_line(self.detection)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per design, the cheapest first: concepts, levels, samples, judges, dialogues, calls, usd, power."""
        import pandas as pd

        return pd.DataFrame(as_plain(self.detection.designs))

    def document(self) -> Document:
        """The designs, and what the published study could tell, as `voirdire plan --detect` prints them."""
        return detection_document(self.detection)

    def values(self) -> dict[str, Any]:
        """As `voirdire plan --detect --json`."""
        return self.detection.as_dict()


def plan(
    models: str | Sequence[str] | None = None,
    jury: str | Sequence[str] | None = None,
    concepts: AnyPath | Sequence[AnyPath] | None = None,
    preset: AnyPath | None = None,
    *,
    packs: str | Sequence[str] | None = None,
    levels: float | Sequence[float | str] = (),
    trap: str | None = None,
    samples: int | None = None,
    granularity: str | None = None,
    interviewer: str = SCRIPTED,
    base_url: str | None = None,
    stop_when: str | None = None,
    connections: int = CONNECTIONS,
    batch: bool = False,
    detect: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    metric: str | None = None,
    pilot: AnyPath | None = None,
    assume: str | None = None,
    compared: int | None = None,
    judges: int | None = None,
    results: AnyPath | Sequence[AnyPath] | None = None,
    map: Mapping[str, str] | str | None = None,
) -> PlanResult | PowerResult | ShownAnswer:
    """Say what a run would cost in calls, tokens, USD and minutes, before anything is spent, and what would save.

    With `detect`: how many concepts, levels, samples and judges tell two models apart that differ by that much.
    Nothing is called. The arguments up to `batch` are those of `run`.

    Args:
        models: as for `run`; with `detect` they may be left out.
        jury: as for `run`.
        concepts: as for `run`.
        preset: as for `run`; with `detect` "sound" by default.
        packs: as for `run`.
        levels: as for `run`.
        trap: as for `run`.
        samples: as for `run`.
        granularity: as for `run`.
        interviewer: as for `run`.
        base_url: as for `run`.
        stop_when: as for `run`.
        connections: as for `run`.
        batch: as for `run`.
        detect: the difference of two models that is to be told from 0, in the metric's unit.
        power: with `detect`, the chance of telling it.
        alpha: with `detect`, 1 - the level of the difference's interval.
        metric: with `detect`, of which metric; ER where stances are known, else K.
        pilot: with `detect` or `stop_when`, a run to take the variances from; else the published study.
        assume: with `detect` or `stop_when`, subjects of these parameters instead: "accuracy=0.9..0.7&reject=0.7";
            with commas between them, each model's own.
        compared: with `detect`, how many models are compared, each with each.
        judges: with `detect`, keep to this number of judges.
        results: with `detect`: results of an evaluation, as `audit` reads them; the answer is how many items it takes.
        map: with `results`, of a table, its columns, as for `audit`.

    Raises:
        UsageError: neither models nor `detect`, an option of `detect` without it, both a pilot and an assumption,
            more models assumed than compared, `results` without `detect`, or `map` without `results`.
        PresetError, ConceptError, StudyError, SpecError, JuryError: such a run is not possible.
        PowerError: the question can't be answered.

    Example:
        >>> import voirdire as vd
        >>> vd.plan("simulated/steady", jury="simulated/judge").estimate.calls
        60
    """
    if results is not None:
        paths = as_paths(results)
        with columns_of(map, paths):
            return _items_needed(paths, detect, power, alpha, compared)
    if map is not None:
        raise UsageError("map= (--map) names columns of a table of results; name the table, or leave it out.")
    named, sitting = listed(models), [REFERENCE] if jury is None else judge_names(jury)
    chosen = changed_preset(
        load_preset(preset or ("quick" if detect is None else "sound")),
        concepts=listed(concepts),
        packs=listed(packs),
        levels=numbers(levels),
        trap=trap,
        samples=samples,
        granularity=granularity,
    )
    study = (
        plan_study(named, chosen, interviewer=interviewer, jury=sitting, base_url=base_url, stop_when=stop_when)
        if named
        else None
    )
    source = _source(pilot, assume, chosen)
    assumed = 0 if source is None else len(source.assumed)
    models_compared = compared or max(2, len(named) or assumed)
    if assumed > models_compared:
        raise UsageError(
            f"assume= (--assume) describes {assumed} models, and {models_compared} are compared: describe no more than "
            "are compared, or name the others with -m."
        )
    if detect is None:
        if study is None:
            raise UsageError("Name a model, or a difference with detect=.")
        _only_with_detect(metric=metric, compared=compared, judges=judges)
        if batch:
            check_batch(study.jury)
        return PlanResult(savings(study, connections, Ways(batch=batch), source), _shown(study, source))

    from voirdire.ddft.analysis.planning.power import (
        PlanningQuestion,
        plan_detection,
        priced_rates,
        published_source,
        unpriced_rates,
    )

    question = PlanningQuestion(
        detect=detect,
        power=power,
        alpha=alpha,
        metric=metric,
        models=models_compared,
        concepts=len(chosen.concepts) if concepts or packs else None,
        levels=len(chosen.levels) if levels else None,
        samples=samples,
        judges=judges,
    )
    rates = unpriced_rates(chosen, interviewer, question.models) if study is None else priced_rates(study, connections)
    return PowerResult(plan_detection(question, source or published_source(), rates))


def _shown(study: StudyPlan, source: Source | None) -> SmallestShown:
    """Which difference a plan can show, by a source or by the published study."""
    from voirdire.ddft.analysis.planning.material import Layout
    from voirdire.ddft.analysis.planning.power import published_source, smallest_shown

    preset = study.preset
    layout = Layout(len(study.concepts), len(preset.levels), preset.samples, max(1, len(study.jury)))
    return smallest_shown(layout, max(2, len(study.models)), source or published_source())


def _items_needed(
    paths: Sequence[Path], detect: float | None, power: float, alpha: float, compared: int | None
) -> ShownAnswer:
    """How many items an evaluation needs, by its results."""
    if detect is None:
        raise UsageError("Say which difference is to be seen: detect=0.05 (--detect 0.05).")
    result = answer_of_data(paths, lambda data: data.power, PowerQuestion(detect, power, alpha, compared))
    if result is None:
        raise UsageError(f"{paths[0]} is no results of an evaluation; of a run: pilot= (--pilot {paths[0]}).")
    return result


def _only_with_detect(**options: object) -> None:
    given = next((name for name, value in options.items() if value is not None), None)
    if given is not None:
        raise UsageError(
            f"{given}= (--{given}) says how a difference is to be seen: give the difference with detect= (--detect), "
            "or leave it out."
        )


def _source(pilot: AnyPath | None, assume: str | None, preset: Preset) -> Source | None:
    """Where variances come from; `None` where nobody said."""
    from voirdire.ddft.analysis.planning.power import assumed_source, pilot_source

    if pilot is not None and assume is not None:
        raise UsageError("Give a pilot or an assumption, not both.")
    if pilot is not None:
        return pilot_source(as_path(pilot))
    return None if assume is None else assumed_source(assume, preset.levels)
