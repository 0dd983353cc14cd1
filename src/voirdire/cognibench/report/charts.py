"""Charts of labelled answers: what they are made of, where they go wrong (CogniBench, Fig. 2, 5, 7, 8, 11, 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from voirdire.cognibench.dynamics.tables import TITLES
from voirdire.documents.colours import BLUE, GREEN, GREY, ORANGE
from voirdire.documents.drawing import (
    SCHEMA,
    Point,
    SmallChart,
    Spec,
    WholeChart,
    lines,
    named_counts,
    named_shares,
)

if TYPE_CHECKING:
    from voirdire.cognibench.dynamics.estimates import DynamicsEstimate
    from voirdire.cognibench.dynamics.report import Dynamics
    from voirdire.cognibench.dynamics.scaling import Scaling
    from voirdire.cognibench.dynamics.strata import Stratum

COLOURS = {"factual": BLUE, "cognitive": ORANGE}
_PREDICTED = {"labels": ORANGE, "predicted": GREEN}
_ONLY_COGNITIVE = {"cognitive": ORANGE}
_COGNITIVE = "cognitive, of factual and cognitive"
_RATE = "hallucinated, of each type"


def dynamics_chart(dynamics: Dynamics, by: str = "all") -> WholeChart:
    """What was asked for, panel beside panel.

    Args:
        dynamics: all analyses.
        by: "turn", "position", "topic", "model", "dataset", or "all" for every one that the data have.
    """
    names = charts_with_data(dynamics) if by == "all" else [by]
    own_scales = {"scale": {"color": "independent", "shape": "independent"}}
    rows = [_row_of_charts(TITLES[name], small_charts(dynamics, name)) for name in names]
    return _plain({"vconcat": rows, "spacing": 28, "resolve": own_scales})


def small_charts(dynamics: Dynamics, by: str) -> list[SmallChart]:
    """The small charts of one analysis: "turn", "position", "topic", "model" or "dataset"."""
    return _DRAWN[by](dynamics)


def charts_with_data(dynamics: Dynamics) -> list[str]:
    """The analyses that the data have something for: by topic, say, where there are several."""
    several = {"topic": len(dynamics.by_topic), "model": len(dynamics.by_model), "dataset": len(dynamics.datasets)}
    return [name for name in TITLES if several.get(name, 2) > 1]


def scaling_chart(scaling: Scaling) -> WholeChart:
    """F1 over the number of sentences learnt from, on a logarithmic axis: each training, and the mean of each share."""
    points = [{"x": each.statements, "value": each.f1} for each in scaling.curve.points if each.f1 is not None]
    means = [{"x": each.statements, "value": each.f1} for each in scaling.steps if each.f1 is not None]
    scale = {"type": "log", "nice": False, "padding": 12}
    encoding = {
        "x": {"field": "x", "type": "quantitative", "title": "labelled sentences learnt from", "scale": scale},
        "y": {"field": "value", "type": "quantitative", "title": "F1, words", "scale": {"domain": [0, 1]}},
    }
    cloud = {"type": "point", "opacity": 0.45, "color": GREY, "size": 22}
    line = {"type": "line", "point": {"size": 55, "color": BLUE}, "color": BLUE}
    layers = [
        {"data": {"values": points}, "mark": cloud, "encoding": encoding},
        {"data": {"values": means}, "mark": line, "encoding": encoding},
    ]
    title = f"{scaling.detector}: mean and single trainings"
    return _plain({"title": title, "width": 420, "height": 260, "layer": layers})


def _turns(dynamics: Dynamics) -> list[SmallChart]:
    def turn(each: Stratum) -> int:
        return int(each.of["turn"]) + 1

    counts = _typed(dynamics.by_turn, turn, lambda each: each.per_answer)
    rates = _typed(dynamics.by_turn, turn, lambda each: each.hallucination)
    cognitive = [point(turn(each), "cognitive", each.cognitive_share) for each in dynamics.by_turn]
    return [
        lines(counts, "turn", "statements per answer", COLOURS, share=False),
        lines(cognitive, "turn", _COGNITIVE, _ONLY_COGNITIVE, share=True),
        lines(rates, "turn", _RATE, COLOURS, share=True),
    ]


def _positions(dynamics: Dynamics) -> list[SmallChart]:
    def middle(each: Stratum) -> float:
        return (float(each.of["from"]) + float(each.of["to"])) / 2

    rates = _typed(dynamics.by_position, middle, lambda each: each.hallucination)
    here = _typed(dynamics.by_position, middle, lambda each: each.hallucinated_here)
    cognitive = [point(middle(each), "cognitive", each.cognitive_share) for each in dynamics.by_position]
    where = "position in the answer, start to end"
    return [
        lines(here, where, "where the hallucinated of each type lie", COLOURS, share=True, inside=True),
        lines(cognitive, where, _COGNITIVE, _ONLY_COGNITIVE, share=True, inside=True),
        lines(rates, where, _RATE, COLOURS, share=True, inside=True),
    ]


def _topics(dynamics: Dynamics) -> list[SmallChart]:
    names = list(dynamics.coverage.contexts)
    rates = [point(each.of["topic"], "", each.hallucination["all"]) for each in dynamics.by_topic]
    return [
        named_counts(dynamics.coverage.contexts, "contexts, labelled or not"),
        named_shares(rates, names, "hallucinated, of all labelled sentences", {}),
    ]


def _models(dynamics: Dynamics) -> list[SmallChart]:
    names = [each.of["model"] for each in dynamics.by_model]
    rates = _typed(dynamics.by_model, lambda each: each.of["model"], lambda each: each.hallucination)
    cognitive = [point(each.of["model"], "", each.cognitive_share) for each in dynamics.by_model]
    return [named_shares(cognitive, names, _COGNITIVE, {}), named_shares(rates, names, _RATE, COLOURS)]


def _datasets(dynamics: Dynamics) -> list[SmallChart]:
    points = [
        point(each.name, how, share)
        for each in dynamics.datasets
        for how, share in (("labels", each.labelled), ("predicted", each.predicted))
        if share is not None
    ]
    return [
        named_shares(points, [each.name for each in dynamics.datasets], "cognitive, by labels or predicted", _PREDICTED)
    ]


_DRAWN: dict[str, Callable[[Dynamics], list[SmallChart]]] = {
    "turn": _turns,
    "position": _positions,
    "topic": _topics,
    "model": _models,
    "dataset": _datasets,
}


def point(x: Any, series: str, estimate: DynamicsEstimate) -> Point:
    """An estimate as a point of a chart."""
    ends = estimate.interval
    low, high = (None, None) if ends is None else (ends.low, ends.high)
    return Point(x, series, estimate.value, low, high, estimate.n)


def _typed(strata: Sequence[Stratum], x: Callable[[Stratum], Any], figures: Any) -> list[Point]:
    return [point(x(each), kind, figures(each)[kind]) for each in strata for kind in COLOURS]


def _row_of_charts(title: str, charts: Sequence[SmallChart]) -> Spec:
    titled = [{"title": each.title, **each.spec} for each in charts]
    return {"title": {"text": title, "fontSize": 13}, "hconcat": titled, "spacing": 28}


def _plain(spec: Spec) -> WholeChart:
    """Thin grid, small titles over the panels, one legend on top."""
    ticks = {"gridColor": "#eee", "domainColor": "#999", "tickColor": "#999", "labelFontSize": 10}
    config = {
        "view": {"stroke": "#ccc"},
        "axis": {**ticks, "titleFontWeight": "normal"},
        "title": {"fontSize": 11, "anchor": "start", "fontWeight": "bold"},
        "legend": {"orient": "top", "symbolStrokeWidth": 2},
    }
    return WholeChart({"$schema": SCHEMA, **spec, "config": config})
