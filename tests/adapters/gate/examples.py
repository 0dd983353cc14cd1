"""Figures and runs for the tests of a gate, without a run on disk."""

from pathlib import Path

from voirdire.instruments.figures import CheckSummary, Figure, RunFigures, Subject
from voirdire.stats.intervals import Interval


def figure(value, low=None, high=None, reason="", **of_silence):
    return Figure(value, None if low is None else Interval(low, high, 0.95, "jackknife-t"), reason, **of_silence)


def checked(
    run="run", model="m", *, warnings=(), failed=(), checks=("compression_effect",), instrument="ddft", **figures
):
    subject = Subject(Path(run), instrument, model, figures)
    return RunFigures(
        Path(run), instrument, (subject,), tuple(warnings), tuple(CheckSummary(*each) for each in failed), checks=checks
    )
