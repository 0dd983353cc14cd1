"""Each turn's scores: what the five questions ask, and how the answers fare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from voirdire.ddft.questions import DETAIL_TURN, NO_EXAMPLE
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.curves import not_drawn_yet
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import (
    count_cell,
    ends_cells,
    number,
    number_cell,
    over_concepts,
    plain,
    text_cell,
)
from voirdire.ddft.report.turn_means import Mean, mean_score
from voirdire.documents.document import Block, Cell, Chart, Column, Panel, Section, Table, Text
from voirdire.text.counting import counted, listed

ASKS = {
    1: "the core idea",
    2: "an example",
    3: "a detail that can be checked",
    4: "the fabrication",
    5: "the follow-up",
}


class TurnMeans(NamedTuple):
    """A model's means at one turn."""

    model: str
    turn: int
    far: Mean
    sas: Mean


def turn_means(material: Material) -> list[TurnMeans]:
    """Means of FAR and SAS by model and turn; none of a model that is judged unevenly so far."""
    means = []
    for profile in material.profiles:
        of_model = material.scores[material.scores["model"] == profile.model]
        for turn in sorted(of_model["turn"].unique()):
            there = of_model[(of_model["turn"] == turn) & (profile.uneven is None)]
            means.append(TurnMeans(profile.model, int(turn), mean_score(there, "far"), mean_score(there, "sas")))
    return means


def as_data(means: list[TurnMeans]) -> list[dict[str, Any]]:
    """The same as plain values that JSON can hold."""
    return [
        {
            "model": each.model,
            "turn": each.turn,
            **{
                score: {"mean": mean.value, "interval": mean.ends and list(mean.ends), "n": mean.n}
                for score, mean in (("FAR", each.far), ("SAS", each.sas))
            },
        }
        for each in means
    ]


def turns(material: Material, means: list[TurnMeans]) -> Section:
    """A table and a chart of the means by turn."""
    return Section("turns", "Each turn's scores", tuple(_blocks(material, means)), "Turns", detail=True)


def _blocks(material: Material, means: list[TurnMeans]) -> Iterator[Block]:
    yield Text(
        "The questions ask for the core idea, one example, a detail of it that can be checked; the fourth takes a "
        "fabrication for granted, and the fifth goes on from there. A model whose FAR is high up to turn 3 and drops "
        "at turn 4 knows its subject and believes what it is told; low before as well, it does not know its subject."
    )
    yield from _without_example(material)
    panes = tuple(
        _panel(material.chart_name(model), [each for each in means if each.model == model])
        for model in material.models
        if model not in material.waiting
    )
    means_of = "Means over all levels" if material.turns["level"].nunique() > 1 else "Means"
    over = over_concepts(mean.method for each in means for mean in (each.far, each.sas))
    if panes:
        yield Chart("turns-chart", panes, caption=f"{means_of}. Bars: the 95 % interval {over}.")
    yield from map(Text, not_drawn_yet(material.waiting))
    several = len(material.models) > 1
    columns = [Column("model", "model")] if several else []
    columns += [Column("turn", "turn", numeric=True), Column("asks", "asks for")]
    for score in ("far", "sas"):
        columns += [
            Column(score, score.upper(), numeric=True),
            Column(f"{score}_low", "from", numeric=True),
            Column(f"{score}_high", "to", numeric=True),
            Column(f"{score}_n", "n", numeric=True, help=f"Turns with a {score.upper()}"),
        ]
    rows = tuple(_row(each, several) for each in means)
    yield Table("turns", tuple(columns), rows, caption=f"From and to: the 95 % interval {over}.")


def _without_example(material: Material) -> Iterator[Block]:
    """How many of the third questions do not ask about an example of the subject's own, if any."""
    asked = material.turns[material.turns["turn"] == DETAIL_TURN]
    without = asked[[NO_EXAMPLE in list(notes) for notes in asked["question_notes"]]]
    if without.empty:
        return
    counts = without["model"].value_counts()
    of_models = (f"{model} {counts[model]:,}" for model in material.models if model in counts)
    yield Text(
        f"In {len(without):,} of {counted(len(asked), 'dialogue')} no example could be quoted from answer 2, by "
        "rule. Question 3 then asks about one of the concept's own, the same for every model, unless the preset hides "
        f"the concept's name: {listed(list(of_models))}."
    )


def _row(each: TurnMeans, several: bool) -> dict[str, Cell]:
    row: dict[str, Cell] = {"model": text_cell(each.model)} if several else {}
    row |= {"turn": Cell(each.turn, str(each.turn)), "asks": text_cell(ASKS[each.turn])}
    for score, mean in (("far", each.far), ("sas", each.sas)):
        row |= {score: number_cell(mean.value), **ends_cells(score, mean.ends), f"{score}_n": count_cell(mean.n)}
    return row


def _panel(model: str, means: list[TurnMeans]) -> Panel:
    rows: list[dict[str, Any]] = []
    for each in means:
        for score, mean in (("FAR", each.far), ("SAS", each.sas)):
            low, high = mean.ends or (None, None)
            reach = "" if low is None else f", 95 % interval {low:.2f} to {high:.2f}"
            label = f"turn {each.turn}, {ASKS[each.turn]}: {score} {number(mean.value, 2)}{reach}, "
            label += counted(mean.n, "turn")
            rows.append({"score": score, "x": each.turn, "value": plain(mean.value), "low": low, "high": high})
            rows[-1]["label"] = label
    summary = "; ".join(
        f"turn {each.turn}: FAR {number(each.far.value, 2)}, SAS {number(each.sas.value, 2)}" for each in means
    )
    ticks = [each.turn for each in means]
    return panels.scores_at(
        model, rows, f"Scores of {model} by turn. {summary}.", x_title="turn", ticks=ticks, bars=True
    )
