"""Several models compared in pairs: differences with intervals and tests, ranks with their chances."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.analysis.comparing.compare import Comparison, Pair, Standing
from voirdire.ddft.analysis.unlike import in_short
from voirdire.ddft.report import _panels as panels
from voirdire.ddft.report._metrics import BY_NAME
from voirdire.ddft.report._shown import (
    count_cell,
    metric,
    metric_interval,
    number,
    number_cell,
    percent,
    text_cell,
)
from voirdire.ddft.report.material import Material
from voirdire.documents.document import Block, Bullets, Cell, Chart, Column, Notice, Panel, Section, Table, Text
from voirdire.text.counting import counted

_MOST_DRAWN = 45
"""Pairs of ten models; a drawing of more would be a wall, and the table has them all."""


def comparison(material: Material) -> Section | None:
    """Which models differ, as far as these dialogues can tell; `None` for a single model."""
    found = material.comparison
    if found is None:
        return None
    return Section("comparison", "Comparison", tuple(_blocks(material, found)))


def _blocks(material: Material, found: Comparison) -> Iterator[Block]:
    label = BY_NAME[found.metric].label
    apart = in_short(material.by_name)
    if apart:
        yield Notice(
            f"{apart}, as the verdict says in full. Values of different runs show a difference of the tests as much as "
            "one of the models."
        )
    yield Text(
        f"Whether two models differ in {label} is tested on the turns that both were asked. An order of the models "
        "that no test supports is an order by chance."
    )
    yield Text(found.summary)
    yield _models(found, label)
    drawn = tuple(_drawn(found, label))
    if drawn:
        yield Chart(
            "ranks-and-differences",
            drawn,
            "Ranks and differences",
            " ".join(_captions(found)),
        )
    yield _pairs(found, label)
    reasons = tuple(dict.fromkeys(_reason(pair) for pair in found.pairs if pair.reasons))
    if reasons:
        yield Text("Why pairs can't be decided, or lack an interval:")
        yield Bullets(reasons)
    if found.notes:
        yield Bullets(found.notes)


def _drawn(found: Comparison, label: str) -> Iterator[Panel]:
    ranked, known = _ranked(found), _known(found)
    if ranked:
        yield _ranks(ranked, label)
    if known:
        yield _differences(known, found, label)


def _captions(found: Comparison) -> Iterator[str]:
    """What is said of the panels that are drawn."""
    for first in _ranked(found)[:1]:
        yield (
            "Ranks: the larger the circle, the likelier, over draws of the concepts; with few concepts such draws vary "
            f"too little, so the {percent((first.rank_probabilities or (0.0,))[0])} of {first.model} for the first "
            "place sound surer than they are."
        )
    if _known(found):
        yield (
            "Differences: the numbers are the places in the table above, the lines intervals that are not corrected "
            "for the number of pairs; the test decides, not whether a line touches 0."
        )


def _ranked(found: Comparison) -> list[Standing]:
    return [model for model in found.models if model.rank_probabilities is not None]


def _known(found: Comparison) -> list[Pair]:
    """The pairs whose differences are drawn."""
    known = [pair for pair in found.pairs if pair.difference is not None]
    return known if len(known) <= _MOST_DRAWN else []


def _reason(pair: Pair) -> str:
    said = "; ".join(pair.reasons).rstrip(".")
    return f"{said[:1].upper()}{said[1:]}."


def _models(found: Comparison, label: str) -> Table:
    columns = (
        Column("place", "No.", numeric=True),
        Column("model", "Model"),
        Column("value", label, numeric=True),
        Column("low", "From", numeric=True),
        Column("high", "To", numeric=True),
        Column("expected_rank", "Expected rank", numeric=True),
        Column("first", "Chance of first", numeric=True),
        Column("last", "Chance of last", numeric=True),
    )
    rows = tuple(_model(place, model, found.metric) for place, model in enumerate(found.models, 1))
    return Table("standings", columns, rows, "Each model by itself", "From and to: 95 % intervals over concepts.")


def _model(place: int, model: Standing, name: str) -> dict[str, Cell]:
    ends = (None, None) if model.interval is None else (model.interval.low, model.interval.high)
    chances = model.rank_probabilities
    return {
        "place": Cell(place, str(place)),
        "model": text_cell(model.model),
        "value": Cell(model.value, metric(name, model.value)),
        "low": Cell(ends[0], metric(name, ends[0])),
        "high": Cell(ends[1], metric(name, ends[1])),
        "expected_rank": number_cell(model.expected_rank, 1),
        "first": _chance(None if chances is None else chances[0]),
        "last": _chance(None if chances is None else chances[-1]),
    }


def _chance(chance: float | None) -> Cell:
    return Cell(chance, number(None) if chance is None else percent(chance))


def _pairs(found: Comparison, label: str) -> Table:
    columns = (
        Column("a", "A"),
        Column("b", "B"),
        Column("verdict", "Finding"),
        Column("difference", f"{label}, A - B", numeric=True),
        Column("low", "From", numeric=True),
        Column("high", "To", numeric=True),
        Column("p", "p", numeric=True, help=f"Swap test by {found.unit}"),
        Column("p_holm", "p, Holm", numeric=True, help="Corrected for all pairs; this one decides"),
        Column("effect", "d_z", numeric=True, help="Difference in standard deviations between concepts"),
        Column("over", "A over B", numeric=True, help=f"Share of turns with A's {found.superiority_of} the higher"),
        Column("turns", "Turns", numeric=True, help="Asked of both, and scored for both"),
    )
    shared = sorted({pair.n_concepts for pair in found.pairs})
    span = counted(shared[0], "concept") if len(shared) == 1 else f"{shared[0]} to {shared[-1]} concepts"
    caption = (
        f"{100 * (1 - found.alpha):g} % intervals; each pair on {span}. A pair is told apart where p after Holm's "
        f"correction is at most {found.alpha:g}."
    )
    return Table("pairs", columns, tuple(_pair(pair, found) for pair in found.pairs), "Every two models", caption)


def _pair(pair: Pair, found: Comparison) -> dict[str, Cell]:
    ends = (None, None) if pair.interval is None else (pair.interval.low, pair.interval.high)
    return {
        "a": text_cell(pair.a),
        "b": text_cell(pair.b),
        "verdict": text_cell(pair.verdict, "" if pair.told_apart else "quiet"),
        "difference": Cell(pair.difference, metric(found.metric, pair.difference)),
        "low": Cell(ends[0], metric(found.metric, ends[0])),
        "high": Cell(ends[1], metric(found.metric, ends[1])),
        "p": _p(pair.p),
        "p_holm": _p(pair.p_holm),
        "effect": number_cell(pair.effect_size, 1),
        "over": _chance(pair.superiority),
        "turns": count_cell(pair.n_cells),
    }


def _p(p: float | None) -> Cell:
    return Cell(p, "< 0.001" if p is not None and p < 0.001 else number(p))


def _ranks(ranked: list[Standing], label: str) -> Panel:
    rows = []
    for model in ranked:
        for rank, chance in enumerate(model.rank_probabilities or (), 1):
            if chance > 0:
                told = f"{model.model}: rank {rank} in {percent(chance)} of draws"
                rows.append({"name": model.model, "rank": rank, "chance": chance, "label": told})
    likeliest = []
    for model in ranked:
        chances = model.rank_probabilities or ()
        rank = max(range(len(chances)), key=chances.__getitem__)
        likeliest.append(f"{model.model} most often {rank + 1} ({percent(chances[rank])})")
    return panels.ranks(f"Ranks by {label}", rows, f"Chance of each rank by {label}: {'; '.join(likeliest)}.")


def _differences(pairs: list[Pair], found: Comparison, label: str) -> Panel:
    places = {model.model: place for place, model in enumerate(found.models, 1)}
    rows = []
    for pair in pairs:
        reach = metric_interval(found.metric, pair.interval)
        rows.append(
            {
                "name": f"{places[pair.a]} - {places[pair.b]}",
                "value": pair.difference,
                "low": None if pair.interval is None else pair.interval.low,
                "high": None if pair.interval is None else pair.interval.high,
                "label": f"{pair.a} less {pair.b}: {metric(found.metric, pair.difference)}"
                + (f", interval {reach}" if reach else ", no interval")
                + f"; {pair.verdict}",
            }
        )
    apart = sum(pair.told_apart for pair in pairs)
    summary = f"Differences in {label} of {counted(len(pairs), 'pair')}; told apart by the test: {apart}."
    return panels.forest(f"Difference in {label}", rows, summary, zero=True)
