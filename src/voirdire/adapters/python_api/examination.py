"""`voirdire.run`: cross-examine models, or continue the run that asks the same."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from voirdire.adapters.loading import LoadedRun, load
from voirdire.adapters.python_api.results import UsageError, listed, numbers
from voirdire.data.bounds import MAX_COUNT, check_bounds
from voirdire.data.paths import AnyPath, as_path
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study_blocking, same_run_path
from voirdire.ddft.study import SCRIPTED, plan_study
from voirdire.jury import REFERENCE
from voirdire.jury.choice import judge_names
from voirdire.models import Pace
from voirdire.runs import RunOptions
from voirdire.runs.limits import CONNECTIONS
from voirdire.runs.options import HOSTED_TIMEOUT


def run(
    models: str | Sequence[str],
    jury: str | Sequence[str] | None = None,
    concepts: AnyPath | Sequence[AnyPath] | None = None,
    preset: AnyPath = "quick",
    out: AnyPath | None = None,
    max_calls: int | None = None,
    max_cost: float | None = None,
    progress: bool = True,
    *,
    packs: str | Sequence[str] | None = None,
    levels: float | str | Sequence[float] = (),
    trap: str | None = None,
    samples: int | None = None,
    granularity: str | None = None,
    interviewer: str = SCRIPTED,
    base_url: str | None = None,
    seed: int = 0,
    exact: bool = False,
    stop_when: str | None = None,
    connections: int = CONNECTIONS,
    timeout: float = HOSTED_TIMEOUT,
    batch: bool = False,
    cache: AnyPath | None = None,
) -> LoadedRun:
    """Cross-examine models, have a jury judge every answer, and give the run's results.

    Works in a notebook, too. The same call continues the same run: what was answered is not paid again.
    A run that a limit stopped comes back as far as it got, and says so.

    Args:
        models: a subject, as PROVIDER/NAME ("openai/gpt-5.1", "local/smollm2-135m"), or several. "openai/gpt-5.1 as
            gpt" shows "gpt" in its place.
        jury: a judge, or several; the reference panel by default, which needs no key.
        concepts: ids, names or YAML files; the preset's by default.
        preset: "quick" (a first look, with too few concepts for intervals), "sound" (the whole test), "lite",
            "local", "published", "as-run", or a YAML file.
        out: the run's folder; by default one below `runs/` that follows from what is asked.
        max_calls: calls after which the run stops, earlier sessions included.
        max_cost: USD after which the run stops, earlier sessions included.
        progress: whether to show on stderr how far the run is.
        packs: packs of concepts, which come before those named.
        levels: compression levels in [0, 1]; the preset's by default.
        trap: "mixed", "expert", "paper", "statistic", "event", "law" or "none"; the preset's by default.
        samples: repetitions of every dialogue; the preset's by default.
        granularity: what judges score in one call, "turn" or "dialogue"; the preset's by default.
        interviewer: who asks: "scripted", or a model.
        base_url: the server of "openai-api/…" models.
        seed: of traps, questions and calls. Another seed is another run.
        exact: whether local models repeat their replies exactly, which is two to three times slower.
        stop_when: ask a model no further when a metric's interval is narrow enough: "ER±0.05".
        connections: calls at once per hosted model.
        timeout: seconds that an attempt at a hosted model may take.
        batch: whether the jury judges by its providers' batch endpoints: cheaper, and within a day.
        cache: a folder of replies that runs share: what another run has asked with the same seed is not asked again.

    Raises:
        UsageError, PresetError, ConceptError, StudyError, SpecError, JuryError, BudgetError: before anything is asked.
        RunFolderError: the folder holds another run, or another process works on it.
        KeyboardInterrupt: you interrupted it. What was answered is on record; the same call continues.

    Example:
        >>> import voirdire as vd
        >>> run = vd.run("simulated/steady", jury="simulated/judge", out="runs/first")  # doctest: +SKIP
        >>> run.profiles[["model", "ER", "K"]]  # doctest: +SKIP
    """
    check_bounds("seed", seed, 0, MAX_COUNT, UsageError, whole=True)
    chosen = changed_preset(
        load_preset(preset),
        concepts=listed(concepts),
        packs=listed(packs),
        levels=numbers(levels),
        trap=trap,
        samples=samples,
        granularity=granularity,
    )
    plan = plan_study(
        listed(models),
        chosen,
        interviewer=interviewer,
        jury=(REFERENCE,) if jury is None else judge_names(jury),
        base_url=base_url,
        seed=seed,
        exact=exact,
        stop_when=stop_when,
    )
    options = RunOptions(
        max_cost=max_cost,
        max_calls=max_calls,
        connections=connections,
        timeout=timeout,
        batch=Pace() if batch else None,
        cache=None if cache is None else as_path(cache),
    )
    path = same_run_path(plan, options) if out is None else as_path(out)
    result = run_study_blocking(plan, path, options, progress=progress)
    if progress and result.stopped is not None:
        print(f"Not complete: {result.stopped}", file=sys.stderr)
    return load(path)
