"""A preset's own thresholds: the figures that rest on them, beside what the paper's thresholds give."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.ddft.metric_labels import METRICS
from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.report.number_format import NONE, metric, metric_interval, text_cell
from voirdire.ddft.results import Result
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.documents.cells import plain_table
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text


def own_thresholds(results: Sequence[Result]) -> Section | None:
    """Each figure that rests on a threshold of the preset's own, by that and by the paper's; `None` without any.

    Args:
        results: of runs that count by the same thresholds.
    """
    thresholds = results[0].thresholds
    if thresholds == PAPER:
        return None
    table = _table(results, thresholds)
    if table.rows:
        head = f"{thresholds.note} The figures that rest on them, by the preset's thresholds and by the paper's:"
        blocks: tuple[Block, ...] = (Text(head), table)
    else:
        blocks = (Text(f"{thresholds.note} By the paper's, every figure is the same."),)
    return Section("thresholds", "The preset's own thresholds", blocks, "Thresholds")


def _table(results: Sequence[Result], thresholds: Thresholds) -> Table:
    numbers = (
        Column("preset", "by the preset", numeric=True),
        Column("preset_interval", "95 % interval", numeric=True),
        Column("paper", "by the paper", numeric=True),
        Column("paper_interval", "95 % interval", numeric=True),
    )
    heads = (Column("model", "model"), Column("figure", "figure"), *numbers)
    rows = (
        row
        for result in results
        for own, by_paper in zip(best_first(result.profiles), _in_order(result), strict=True)
        for row in _rows(own, by_paper, thresholds)
    )
    return plain_table("own-thresholds", heads, rows, caption="A figure that is not listed is the same by both.")


def _rows(own: Profile, by_paper: Profile, thresholds: Thresholds) -> list[tuple[Cell | str, ...]]:
    names = [name for name in METRICS if name in thresholds.metrics and _value(own, name) != _value(by_paper, name)]
    rows: list[tuple[Cell | str, ...]] = [
        (METRICS[name].label, *_value(own, name), *_value(by_paper, name)) for name in names
    ]
    labels = [each.paper_index.phenotype or NONE for each in (own, by_paper)]
    if labels[0] != labels[1]:
        rows.append(("label of the CI index", labels[0], "", labels[1], ""))
    return [(own.model if place == 0 else "", *row) for place, row in enumerate(rows)]


def _in_order(result: Result) -> list[Profile]:
    """The profiles by the paper's thresholds, in the order of those by the preset's."""
    by_model = {profile.model: profile for profile in result.by_the_paper}
    return [by_model[profile.model] for profile in best_first(result.profiles)]


def _value(profile: Profile, name: str) -> tuple[Cell, Cell]:
    return (
        text_cell(metric(name, profile.metrics[name].value)),
        text_cell(metric_interval(name, profile.intervals.get(name))),
    )
