"""Runs as they are read, made by hand."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from tests.ddft._scores import simulated
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.exported_tables import Tables
from voirdire.ddft.presets import load_preset
from voirdire.ddft.results import Result


def run(path, *models, jury="j-1", interviewer="scripted", checks=(), seed=0, **changed):
    """A run of these models, as it is read: models are twins, or a liar by that name; the seed names the traps."""
    preset = replace(load_preset("sound"), **changed)
    frames = [
        simulated(seed=place, model=model, rejection=0.1 if model == "liar" else 0.95)
        for place, model in enumerate(models)
    ]
    scores = pd.concat(frames)
    items = [
        f"Dr {seed} {concept}" if turn == 4 else None
        for concept, turn in zip(scores["concept"], scores["turn"], strict=True)
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
        scores=scores,
        read_tables=lambda: Tables(scores.assign(trap_item=items), None, None),
        totals={},
        read_checks=lambda: tuple(checks),
    )


def runs_of(*results):
    scores = pd.concat([result.scores for result in results], ignore_index=True)
    return Runs(results, scores, pd.DataFrame(), ())
