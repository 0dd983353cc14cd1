"""`gate`: runs against limits. `assert_floor`: the same for a test suite."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from voirdire.adapters.gate.evaluation import hold
from voirdire.adapters.gate.limits import limits_of
from voirdire.adapters.gate.loader import read_checked
from voirdire.adapters.gate.records import GateError, Limits, Verdict
from voirdire.data.paths import AnyPath, as_paths
from voirdire.errors import UserError

_NONE: Mapping[str, float] = {}


class GateWarning(UserWarning):
    """What must be known of a gate that was held: one sentence."""


def gate(
    runs: AnyPath | Sequence[AnyPath], limits: Limits, *, models: Sequence[str] = (), jury: str | None = None
) -> Verdict:
    """Hold limits against the figures of runs; nothing is called.

    Args:
        runs: run folders.
        limits: floors and ceilings, and what counts.
        models: only these; empty for all.
        jury: id of a jury that has judged the runs (ddft).

    Raises:
        GateError: a metric or model that a run does not have, a limit outside a metric's values, a run named twice, or
            one without figures.
        RunFolderError, LoadError: there is no run, or no such jury has judged it.
    """
    runs = as_paths(runs)
    if len({path.resolve() for path in runs}) < len(runs):
        raise GateError("A run is named more than once; name each run once.")
    return hold(limits, [read_checked(path, jury) for path in runs], models)


def assert_floor(
    run: AnyPath | Sequence[AnyPath],
    min: Mapping[str, float] = _NONE,
    max: Mapping[str, float] = _NONE,
    *,
    bound: bool = True,
    sound: bool = False,
    allow_incomplete: bool = False,
    model: str | Sequence[str] = (),
    jury: str | None = None,
) -> None:
    """Assert, in a test suite, that a run's figures keep to limits.

    Args:
        run: folder of a run, or of several.
        min: floors by metric: `{"ER": 0.5}`.
        max: ceilings by metric: `{"danger_zone_pct": 10}`.
        bound: whether the unfavourable end of the 95 % interval counts; without it a lucky run may pass.
        sound: whether a failed validity check fails the assertion (ddft).
        allow_incomplete: whether a run that is not complete may pass.
        model: only this model, or these.
        jury: id of a jury that has judged the run (ddft).

    Raises:
        AssertionError: a limit is not kept, a metric is undefined, or, with `bound`, has no interval, or the run is not
            complete; one sentence says which.
        GateError: a mistake in the call: there is no such run, jury, metric or model, or limits that can't be meant.

    Warns:
        GateWarning: what must be known of the run, such as that only rules have judged.

    Example:
        >>> def test_the_model_may_be_released():
        ...     voirdire.assert_floor("runs/nightly", min={"ER": 0.5}, max={"danger_zone_pct": 10})
    """
    __tracebackhide__ = True  # pytest shows the test's own line, and what follows
    models = (model,) if isinstance(model, str) else tuple(model)
    try:
        limits = limits_of(min, max, bound=bound, sound=sound, allow_incomplete=allow_incomplete)
        verdict = gate(run, limits, models=models, jury=jury)
    except UserError as error:
        raise GateError(str(error)) from None  # its sentence says all
    for each in verdict.warnings:
        warnings.warn(each, GateWarning, stacklevel=2)
    if not verdict.passed:
        raise AssertionError("; ".join(failure.rstrip(".") for failure in verdict.failures) + ".")
