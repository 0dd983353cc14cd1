"""The plane of SAS and FAR, with the danger zone: where every turn lies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.curves import not_drawn_yet
from voirdire.ddft.report.flags import in_danger_zone
from voirdire.ddft.report.material import Material
from voirdire.ddft.thresholds import Thresholds
from voirdire.documents.document import Block, Chart, Notice, Panel, Section, Text
from voirdire.text.counting import counted

_DECIMALS = 4
"""Scores that are equal to so many decimals lie at one point."""
_NAMED = 6
"""Turns that a point names; it says how many more there are."""


def plane(material: Material) -> Section:
    """Every turn with both scores, by model."""
    return Section("plane", "Form against facts", tuple(_blocks(material)), "Danger zone", detail=True)


def _blocks(material: Material) -> Iterator[Block]:
    bounds = material.runs.thresholds
    yield Text(
        f"Lower right is the danger zone (SAS above {bounds.fluent_sas:g}, FAR below {bounds.wrong_far:g}): answers "
        "that read well and are wrong, which nobody notices who does not know better. Lower left is bad, too, but a "
        "reader sees it. Upper left is right and hard to use."
    )
    scores = material.scores_shown
    points = scores.dropna(subset=["far", "sas"])
    without = len(scores) - len(points)
    models = [model for model in material.models if (points["model"] == model).any()]
    for model in material.models:
        if model not in models and model not in material.waiting:
            yield Notice(f"{model}: no answer to draw, since none has both scores (no claims, or unscored).", "info")
    yield from map(Text, not_drawn_yet(material.waiting))
    if not models:
        return
    left_out = f" {counted(without, 'turn')} without a FAR (no claims, or unscored) can't be placed." if without else ""
    yield Chart(
        "plane",
        tuple(_panel(material.chart_name(model), points[points["model"] == model], bounds) for model in models),
        caption=f"A point is a turn; where several coincide, one larger point names them.{left_out}",
    )


def _panel(model: str, known: pd.DataFrame, bounds: Thresholds) -> Panel:
    """Of the turns that have both scores."""
    danger = int(in_danger_zone(known, bounds).sum())
    summary = f"{model}: {danger} of {counted(len(known), 'turn')} with both scores in the danger zone."
    return panels.plane(model, list(_points(known)), summary, sas_above=bounds.fluent_sas, far_below=bounds.wrong_far)


def _points(known: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Turns that coincide, together."""
    together: dict[tuple[float, float, str], list[str]] = {}
    for row in known[["sas", "far", "concept", "level", "turn"]].to_dict("records"):
        at = round(row["sas"], _DECIMALS), round(row["far"], _DECIMALS), _kind(row["turn"])
        together.setdefault(at, []).append(f"{row['concept']}, compression {row['level']:g}, turn {row['turn']}")
    for (sas, far, kind), names in sorted(together.items()):
        more = f"; and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        label = f"SAS {sas:.2f}, FAR {far:.2f}: {'; '.join(names[:_NAMED])}{more}"
        yield {"sas": sas, "far": far, "turns": kind, "count": len(names), "label": label}


def _kind(turn: int) -> str:
    return "turns 1-3" if turn <= 3 else f"turn {turn}"
