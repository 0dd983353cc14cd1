"""Charts of labelled answers: what they are made of, where they are unfaithful (CogniBench, Fig. 2, 5, 7, 8, 11, 12).

Colours are Okabe and Ito's; types differ in dash and in the shape of their points as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    from voirdire.cognibench.dynamics import Dynamics, Estimate, Scaling, Stratum

_COLOURS = {"factual": "#0072B2", "cognitive": "#D55E00"}
_ONE_COLOUR = "#555555"
_MEAN = "#0072B2"
_PREDICTED = {"labels": "#D55E00", "predicted": "#009E73"}
_PANEL = {"width": 250, "height": 170}
_ROW_HEIGHT = 22
_COGNITIVE = "cognitive, of factual and cognitive"
_RATE = "hallucinated, of each type"
_APART = 0.025
"""How far types stand apart at one place, as a share of the axis, so that error bars do not hide one another."""

Row = dict[str, Any]


def dynamics_chart(found: Dynamics, by: str = "all") -> alt.Chart:
    """What was asked for, panel beside panel.

    Args:
        found: all analyses.
        by: "turn", "position", "topic", "model", "dataset", or "all" for every one that the data have.
    """
    import altair as alt

    rows = [draw(found) for name, draw in _DRAWN.items() if by == name or (by == "all" and _worth_drawing(found, name))]
    chart: alt.Chart = _plain(alt.vconcat(*rows, spacing=28).resolve_scale(color="independent", shape="independent"))
    return chart


def scaling_chart(found: Scaling) -> alt.Chart:
    """F1 over the number of sentences learnt from, on a logarithmic axis: each training, and the mean of each share."""
    import altair as alt

    points = [{"x": each.statements, "value": each.f1} for each in found.curve.points if each.f1 is not None]
    means = [{"x": each.statements, "value": each.f1} for each in found.steps if each.f1 is not None]
    scale = alt.Scale(type="log", nice=False, padding=12)
    x = alt.X("x:Q", title="labelled sentences learnt from", scale=scale)
    y = alt.Y("value:Q", title="F1, words", scale=alt.Scale(domain=[0, 1]))
    cloud = alt.Chart(_frame(points)).mark_point(opacity=0.45, color="#999", size=22).encode(x=x, y=y)
    line = alt.Chart(_frame(means)).mark_line(point={"size": 55, "color": _MEAN}, color=_MEAN).encode(x=x, y=y)
    chart: alt.Chart = _plain(
        alt.layer(cloud, line).properties(title=f"{found.detector}: mean and single trainings", width=420, height=260)
    )
    return chart


def _turns(found: Dynamics) -> Any:
    def turn(each: Stratum) -> int:
        return int(each.of["turn"]) + 1

    counts = _typed(found.by_turn, turn, lambda each: each.per_answer)
    rates = _typed(found.by_turn, turn, lambda each: each.hallucination)
    cognitive = [_row(turn(each), "cognitive", each.cognitive_share) for each in found.by_turn]
    return _beside(
        "By turn",
        _lines(counts, "turn", "statements per answer", share=False),
        _lines(cognitive, "turn", _COGNITIVE, share=True),
        _lines(rates, "turn", _RATE, share=True),
    )


def _positions(found: Dynamics) -> Any:
    def middle(each: Stratum) -> float:
        return (float(each.of["from"]) + float(each.of["to"])) / 2

    rates = _typed(found.by_position, middle, lambda each: each.hallucination)
    here = _typed(found.by_position, middle, lambda each: each.hallucinated_here)
    cognitive = [_row(middle(each), "cognitive", each.cognitive_share) for each in found.by_position]
    where = "position in the answer, start to end"
    return _beside(
        "By position in the answer",
        _lines(here, where, "where the hallucinated of each type lie", share=True, inside=True),
        _lines(cognitive, where, _COGNITIVE, share=True, inside=True),
        _lines(rates, where, _RATE, share=True, inside=True),
    )


def _topics(found: Dynamics) -> Any:
    names = list(found.coverage.contexts)
    rates = [_row(each.of["topic"], "all", each.hallucination["all"]) for each in found.by_topic]
    counts = [{"x": topic, "value": count} for topic, count in found.coverage.contexts.items()]
    return _beside(
        "By topic",
        _bars(counts, names, "contexts, labelled or not"),
        _dots(rates, names, "hallucinated, of all labelled sentences", {}),
    )


def _models(found: Dynamics) -> Any:
    names = [each.of["model"] for each in found.by_model]
    rates = _typed(found.by_model, lambda each: each.of["model"], lambda each: each.hallucination)
    cognitive = [_row(each.of["model"], "cognitive", each.cognitive_share) for each in found.by_model]
    return _beside("By model", _dots(cognitive, names, _COGNITIVE, {}), _dots(rates, names, _RATE, _COLOURS))


def _datasets(found: Dynamics) -> Any:
    rows = [
        _row(each.name, how, share)
        for each in found.datasets
        for how, share in (("labels", each.labelled), ("predicted", each.predicted))
        if share is not None
    ]
    names = [each.name for each in found.datasets]
    return _beside("By data set", _dots(rows, names, "cognitive, by labels or predicted", _PREDICTED))


_DRAWN = {"turn": _turns, "position": _positions, "topic": _topics, "model": _models, "dataset": _datasets}


def _worth_drawing(found: Dynamics, name: str) -> bool:
    several = {"topic": len(found.by_topic), "model": len(found.by_model), "dataset": len(found.datasets)}
    return several.get(name, 2) > 1


def _typed(strata: Sequence[Stratum], x: Any, figures: Any) -> list[Row]:
    return [_row(x(each), kind, figures(each)[kind]) for each in strata for kind in _COLOURS]


def _row(x: Any, series: str, found: Estimate) -> Row:
    ends = found.interval
    low, high = (None, None) if ends is None else (ends.low, ends.high)
    return {"x": x, "type": series, "value": found.value, "low": low, "high": high, "n": found.n}


def _lines(rows: Sequence[Row], x_title: str, y_title: str, *, share: bool, inside: bool = False) -> Any:
    """Lines with error bars, a series per type.

    Args:
        rows: of `_row`, x a number.
        x_title: of the axis.
        y_title: over the panel.
        share: the figure is a share, shown in percent from 0 to 100.
        inside: x is a position from 0 to 1; otherwise whole numbers.
    """
    import altair as alt

    known = [row for row in rows if row["value"] is not None]
    places = sorted({row["x"] for row in rows})
    scale = alt.Scale(domain=[0, 1]) if inside else alt.Scale(domain=[places[0] - 0.4, places[-1] + 0.4])
    ticks = alt.Axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1]) if inside else alt.Axis(values=places, format="d")
    apart = _APART / 2 * (1 if inside else places[-1] - places[0] + 0.8)
    for row in known:
        row["at"] = row["x"] + (apart if row["type"] == "cognitive" else -apart)
    x = alt.X("at:Q", title=x_title, scale=scale, axis=ticks)
    y_scale = alt.Scale(domain=[0, 1]) if share else alt.Scale(domainMin=0)
    axis = alt.Axis(format="%") if share else alt.Axis()
    y = alt.Y("value:Q", title=None, scale=y_scale, axis=axis)
    base = alt.Chart(_frame(known)).encode(x=x, color=_colour(_COLOURS))
    bars = base.mark_rule(strokeWidth=1.5, opacity=0.7).encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    dash = alt.StrokeDash("type:N", sort=list(_COLOURS), legend=None)
    line = base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash)
    points = base.mark_point(filled=True, size=50, opacity=1).encode(
        y=y, shape=_shape(_COLOURS), tooltip=_tooltip("x:Q")
    )
    return alt.layer(bars, line, points).properties(title=y_title, **_PANEL)


def _dots(rows: Sequence[Row], order: Sequence[str], title: str, colours: dict[str, str]) -> Any:
    """A row of points with their intervals for each name, in percent.

    Args:
        rows: of `_row`, x a name.
        order: of the names.
        title: over the panel.
        colours: of the series, by name; empty where there is only one.
    """
    import altair as alt

    known = [row for row in rows if row["value"] is not None]
    y = alt.Y("x:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=260, grid=True))
    base = alt.Chart(_frame(known)).encode(y=y, tooltip=_tooltip("x:N"), color=alt.value(_ONE_COLOUR))
    if colours:
        # Vega-Lite puts a point at the start of its band: half a band is added.
        apart = alt.YOffset("type:N", sort=list(colours), bandPosition=0.5)
        base = base.encode(color=_colour(colours), yOffset=apart)
    share = alt.Scale(domain=[0, 1])
    x = alt.X("value:Q", title=None, scale=share, axis=alt.Axis(format="%"))
    ends = alt.X("low:Q", title=None, scale=share)
    rules = base.mark_rule(strokeWidth=1.5, opacity=0.7).encode(x=ends, x2="high:Q")
    points = base.mark_point(filled=True, size=50, opacity=1).encode(x=x)
    if colours:
        points = points.encode(shape=_shape(colours))
    height = max(60, _ROW_HEIGHT * len(order))
    return alt.layer(rules, points).properties(title=title, width=_PANEL["width"], height=height)


def _bars(rows: Sequence[Row], order: Sequence[str], title: str) -> Any:
    """A bar for each name."""
    import altair as alt

    return (
        alt.Chart(_frame(rows))
        .mark_bar(color="#999999", height={"band": 0.7})
        .encode(
            y=alt.Y("x:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=260)),
            x=alt.X("value:Q", title=None, axis=alt.Axis(tickMinStep=1, format="d")),
            tooltip=["x:N", "value:Q"],
        )
        .properties(title=title, width=_PANEL["width"], height=max(60, _ROW_HEIGHT * len(order)))
    )


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Rows as a table that has its columns even when it is empty."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=["x", "at", "type", "value", "low", "high", "n"])


def _colour(colours: dict[str, str]) -> Any:
    import altair as alt

    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color("type:N", scale=scale, legend=alt.Legend(title=None))


def _shape(colours: dict[str, str]) -> Any:
    import altair as alt

    shapes = alt.Scale(domain=list(colours), range=["circle", "diamond"])
    return alt.Shape("type:N", scale=shapes, legend=alt.Legend(title=None))


def _tooltip(x: str) -> list[Any]:
    import altair as alt

    figures = [alt.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high")]
    return [x, "type:N", *figures, "n:Q"]


def _beside(title: str, *panels: Any) -> Any:
    import altair as alt

    return alt.hconcat(*panels, spacing=28, title=alt.TitleParams(title, fontSize=13))


def _plain(chart: Any) -> Any:
    """Thin grid, small titles over the panels, one legend on top."""
    return (
        chart.configure_view(stroke="#ccc")
        .configure_axis(
            gridColor="#eee", domainColor="#999", tickColor="#999", labelFontSize=10, titleFontWeight="normal"
        )
        .configure_title(fontSize=11, anchor="start", fontWeight="bold")
        .configure_legend(orient="top", symbolStrokeWidth=2)
    )
