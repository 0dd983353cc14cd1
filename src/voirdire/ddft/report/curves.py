"""FAR and SAS over compression: per model with intervals, and by concept with the spread of the turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.questions import TRAP_TURN
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import count_cell, ends_cells, number, over_concepts, text_cell
from voirdire.ddft.report.profiles import about_levels, score_at_level, without_points
from voirdire.ddft.report.turn_means import mean_score
from voirdire.ddft.results import Result
from voirdire.ddft.thresholds import two_decimals
from voirdire.documents.document import Block, Cell, Chart, Column, Panel, Section, Table, Text
from voirdire.text.counting import counted, listed

_SCORES = (("FAR", "far"), ("SAS", "sas"))
_X = "compression"
_FIRST = "Turns 1 to 3"
_NOTHING = (None, None, None)


def curves(material: Material) -> Section:
    """What happens as the reference is taken away."""
    if _levels(material) == 1:
        return Section("curves", "FAR and SAS at the one level", tuple(_blocks(material)), "At the level")
    return Section("curves", "FAR and SAS over compression", tuple(_blocks(material)), "Over compression")


def _blocks(material: Material) -> Iterator[Block]:
    yield Text(
        "Compression 0 is the whole reference text, 1 is none of it. FAR says how accurate the answers are, SAS how "
        f"clear and to the point. {_what_levels_show(material)}."
    )
    first = {profile.model: list(_first_points(material.scores, profile)) for profile in material.profiles}
    several = ", by model" if len(first) > 1 else ""
    empty = [model for model, points in first.items() if not _any_value(points)]
    panels = tuple(
        _overall(material.chart_name(model), points)
        for model, points in first.items()
        if model not in material.runs.no_evidence and model not in empty
    )
    left_out = (
        *_not_drawn([model for model in empty if model not in material.waiting]),
        *not_drawn_yet(material.waiting),
        *without_points([each for each in material.runs.no_evidence if each not in empty]),
    )
    if panels:
        yield Chart(
            "curves",
            panels,
            f"{_FIRST}{several}",
            "Turns 4 and 5 are about the fabrication, so they are not drawn. "
            f"Bands: the 95 % interval {_kind(first)}{_without_band(first)}."
            + "".join(f" {each}" for each in left_out),
        )
    else:
        yield from map(Text, left_out)
    yield _table("curves-first", _FIRST, first, material.profiles)
    whole = {profile.model: list(_points(material.scores, profile)) for profile in material.profiles}
    theta = two_decimals(material.runs.thresholds.failed_level_far)
    bound = f"HOC counts a level as failed where FAR of all turns is below {theta}." if _levels(material) > 1 else ""
    yield _table("curves-table", "All turns", whole, material.profiles, bound)


def _levels(material: Material) -> int:
    return int(material.turns["level"].nunique())


def _what_levels_show(material: Material) -> str:
    if _levels(material) > 1:
        return "In turns 1 to 3 a model that leans on the text loses FAR to the right"
    level = material.turns["level"].iloc[0]
    return f"All of them are at compression {level:g}, so nothing shows what taking the text away does"


def concepts(material: Material) -> Section:
    """The same concept by concept, where single dialogues can be told apart."""
    scored = set(material.scores_shown.loc[material.scores_shown["sas"].notna(), "model"])
    charts = [
        _by_concept(material, place, profile.model)
        for place, profile in enumerate(material.profiles, 1)
        if profile.model in scored
    ]
    empty = [model for model in material.models if model not in scored and model not in material.waiting]
    left_out = (*_not_drawn(empty), *not_drawn_yet(material.waiting))
    opening = Text(
        "Points are means of all five turns at a level, so a fall may be the fabrication's. Bands run from "
        "the lowest to the highest score of a single turn there: a spread that was seen, not a confidence interval. "
        "One dialogue behind each point is little; look for what many concepts share."
    )
    drawn: tuple[Block, ...] = (opening, *charts) if charts else ()
    blocks = (*drawn, *map(Text, left_out))
    return Section("concepts", "Concept by concept", blocks, "By concept", detail=True)


def _by_concept(material: Material, place: int, model: str) -> Chart:
    of_model = material.scores[material.scores["model"] == model]
    theta = material.runs.thresholds.failed_level_far
    scored = set(of_model.loc[of_model["sas"].notna(), "concept"])
    panels = tuple(_of_concept(model, concept, of_model, theta) for concept in sorted(scored))
    empty = " ".join(_not_drawn(sorted(set(of_model["concept"]) - scored)))
    if material.only:
        return Chart("concepts", panels, caption=empty)
    return Chart(f"concepts-{place}", panels, material.chart_name(model), empty)


def _any_value(points: Sequence[dict[str, Any]]) -> bool:
    return any(point["value"] is not None for point in points)


def _not_drawn(names: Sequence[str]) -> Iterator[str]:
    """Why these models or concepts have no panel."""
    if names:
        yield f"Not drawn, since no answer has a score: {listed(names)}."


def not_drawn_yet(models: Sequence[str]) -> Iterator[str]:
    """That these models are judged unevenly so far, so that none of their figures can be told."""
    if models:
        yield f"Not drawn yet, since judged unevenly so far: {listed(models)}."


def _kind(points: dict[str, list[dict[str, Any]]]) -> str:
    return over_concepts(point["method"] for model_points in points.values() for point in model_points)


def _without_band(points: dict[str, list[dict[str, Any]]]) -> str:
    known = [point for model_points in points.values() for point in model_points if point["value"] is not None]
    without = sum(point["low"] is None for point in known)
    if not without:
        return ""
    return (
        "; there is none with fewer than three concepts"
        if without == len(known)
        else f" ({counted(without, 'point has', 'points have')} none: too few concepts there)"
    )


def _first_points(scores: pd.DataFrame, profile: Profile) -> Iterator[dict[str, Any]]:
    """Those of turns 1 to 3, which are about the subject."""
    return _points(scores[scores["turn"] < TRAP_TURN], profile)


def _points(scores: pd.DataFrame, profile: Profile) -> Iterator[dict[str, Any]]:
    """A model's mean scores at each of its levels, with an interval for each; none of one judged unevenly so far."""
    of_model = scores[(scores["model"] == profile.model) & (profile.uneven is None)]
    for at in profile.curves:
        there = of_model[of_model["level"] == at.level]
        for score, column in _SCORES:
            mean = mean_score(there, column)
            low, high = mean.ends or (None, None)
            reach = "" if low is None or high is None else f", 95 % interval {low:.2f} to {high:.2f}"
            label = f"{score} {number(mean.value, 2)} at compression {at.level:g}{reach}, {counted(mean.n, 'turn')}"
            yield {
                "score": score,
                "x": at.level,
                "value": mean.value,
                "low": low,
                "high": high,
                "method": mean.method,
                "n": mean.n,
                "label": label,
            }


def curve_table(result: Result) -> pd.DataFrame:
    """FAR and SAS of every model at each level in turns 1 to 3, as the report draws them.

    Returns:
        A row per model and level: model, level, far, far_low, far_high, sas, sas_low, sas_high; NaN where there is no
        value or no interval.
    """
    rows: dict[tuple[str, float], dict[str, Any]] = {}
    for profile in best_first(result.profiles):
        for point in _first_points(result.scores, profile):
            row = rows.setdefault((profile.model, point["x"]), {"model": profile.model, "level": point["x"]})
            name = point["score"].lower()
            row |= {name: point["value"], f"{name}_low": point["low"], f"{name}_high": point["high"]}
    numbers = [f"{name}{end}" for name in ("far", "sas") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(list(rows.values()), columns=["model", "level", *numbers])
    return frame.astype(dict.fromkeys(("level", *numbers), "float64"))


def _overall(model: str, points: Sequence[dict[str, Any]]) -> Panel:
    ticks = sorted({point["x"] for point in points})
    summary = f"FAR and SAS of {model} in turns 1 to 3 {_over(ticks)}. {_summary(points)}"
    return panels.scores_at(model, points, summary, x_title=_X, ticks=ticks)


def _over(levels: Sequence[float]) -> str:
    return "over compression" if len(levels) > 1 else "by compression"


def _summary(points: Sequence[dict[str, Any]]) -> str:
    parts = []
    for score, _ in _SCORES:
        values = [f"{number(point['value'], 2)} at {point['x']:g}" for point in points if point["score"] == score]
        parts.append(f"{score}: {', '.join(values)}.")
    return " ".join(parts)


def _of_concept(model: str, concept: str, of_model: pd.DataFrame, theta: float) -> Panel:
    points = list(_spreads(concept, of_model[of_model["concept"] == concept]))
    ticks = sorted({float(level) for level in of_model["level"].unique()})
    summary = f"FAR and SAS of {model} on {concept} {_over(ticks)}. {_summary(points)}"
    return panels.scores_at(concept, points, summary, x_title=_X, ticks=ticks, bound=theta, small=True)


def _spreads(concept: str, about: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Mean, lowest and highest score of the turns at each level."""
    levels = about["level"].to_numpy()
    for score, column in _SCORES:
        scores = about[column].to_numpy(dtype=np.float64)
        for level in np.unique(levels):
            there = scores[(levels == level) & ~np.isnan(scores)]
            mean, low, high = (float(there.mean()), float(there.min()), float(there.max())) if there.size else _NOTHING
            spread = f", turns from {low:.2f} to {high:.2f}" if there.size else ""
            label = f"{concept}: {score} {number(mean, 2)} at compression {level:g}{spread}"
            yield {"score": score, "x": float(level), "value": mean, "low": low, "high": high, "label": label}


def _table(
    id: str, title: str, points: dict[str, list[dict[str, Any]]], profiles: Sequence[Profile], more: str = ""
) -> Table:
    several = len(points) > 1
    columns = [Column("model", "model")] if several else []
    columns.append(Column("level", "compression", numeric=True))
    for score, key in _SCORES:
        columns += [
            Column(key, score, numeric=True),
            Column(f"{key}_low", "from", numeric=True),
            Column(f"{key}_high", "to", numeric=True),
            Column(f"{key}_n", f"turns ({score})", numeric=True, help=f"Turns with a {score}"),
        ]
    rows = []
    for profile, (model, model_points) in zip(profiles, points.items(), strict=True):
        for level in sorted({point["x"] for point in model_points}):
            row: dict[str, Cell] = {"model": text_cell(model)} if several else {}
            row["level"] = Cell(level, f"{level:g}")
            for point in (each for each in model_points if each["x"] == level):
                row |= _cells(point, profile)
            rows.append(row)
    caption = f"{about_levels(profiles)} From and to: the 95 % interval {_kind(points)}. {more}".strip()
    return Table(id, tuple(columns), tuple(rows), title, caption)


def _cells(point: dict[str, Any], profile: Profile) -> dict[str, Cell]:
    key = point["score"].lower()
    ends = None if point["low"] is None else (point["low"], point["high"])
    mean = score_at_level(profile, point["value"], 3)
    return {key: mean, **ends_cells(key, ends), f"{key}_n": count_cell(point["n"])}
