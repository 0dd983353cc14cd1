"""Figures and runs for the tests of a gate, without a run on disk."""

from pathlib import Path

from voirdire.instruments.figures import CheckSummary, ModelFigure, RunFigures, Subject
from voirdire.reason_codes import declare, reason
from voirdire.stats.intervals import Interval

declare({"tested_why": "{why}"})


def figure(value, low=None, high=None, why=None, **of_silence):
    interval = None if low is None else Interval(low, high, 0.95, "jackknife-t")
    return ModelFigure(value, interval, None if why is None else reason("tested_why", why=why), **of_silence)


def checked(
    run="run", model="m", *, warnings=(), failed=(), checks=("compression_effect",), instrument="ddft", **figures
):
    subject = Subject(Path(run), instrument, model, figures)
    return RunFigures(
        Path(run), instrument, (subject,), tuple(warnings), tuple(CheckSummary(*each) for each in failed), checks=checks
    )
