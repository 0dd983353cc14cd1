"""Runs as they are read, made by hand."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from tests.ddft._scores import simulated
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.presets import load_preset
from voirdire.ddft.results import Result


def run(path, *models, jury="j-1", interviewer="scripted", checks=(), **changed):
    """A run of these models, as it is read: models are twins, or a liar by that name."""
    preset = replace(load_preset("sound"), **changed)
    frames = [
        simulated(seed=place, model=model, rejection=0.1 if model == "liar" else 0.95)
        for place, model in enumerate(models)
    ]
    return Result(
        path=Path(path),
        manifest={"preset": preset.identity(), "interviewer": interviewer},
        preset=preset.name,
        jury=jury,
        default_jury=jury,
        other_juries={},
        banner=None,
        profiles=[],
        scores=pd.concat(frames),
        read_tables=lambda: None,
        totals={},
        read_checks=lambda: tuple(checks),
    )


def runs_of(*results):
    scores = pd.concat([result.scores for result in results], ignore_index=True)
    return Runs(results, scores, pd.DataFrame(), ())
