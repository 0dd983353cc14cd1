"""Where each model fails: its factual accuracy by concept and level, a cell for each."""

from __future__ import annotations

import pandas as pd

from voirdire.ddft.metric_labels import in_full
from voirdire.ddft.report.curves import not_drawn_yet
from voirdire.ddft.report.dialogues import reading_ids
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import number, plain, text_cell
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text
from voirdire.text.counting import listed

_BOUNDS = (0.85, 0.7, 0.5, 0.25)
"""A cell is a shade deeper below each of these; 0.7 is the bound of the danger zone and of HOC."""
_NAMED = 3
"""Models that a sentence names; it counts the others."""
_DECIMALS = 2
"""A cell has the shade of the number that stands in it."""


def heat_map(material: Material) -> Section:
    """A map for each model, after a sentence on the cell in which accuracy is lowest."""
    means = _means(material)
    maps = tuple(
        _map(material, place, model, means)
        for place, model in enumerate(material.models, 1)
        if model not in material.waiting
    )
    below = ", ".join(f"{bound:.2f}" for bound in _BOUNDS)
    explained = Text(
        f"A cell is the mean {in_full('FAR')} of all five turns of a dialogue, so a low one may be the "
        "fabrication's doing. It leads to the dialogue; of several dialogues it is the mean, and it leads to the "
        "worst. Its colour is a step deeper below each of "
        f"{below}. Compression 0 is the whole reference text, 1 is none of it."
    )
    title = "Factual accuracy by concept and level"
    drawn: tuple[Block, ...] = (*_lowest(material, means), explained, *maps) if maps else ()
    return Section("map", title, (*drawn, *map(Text, not_drawn_yet(material.waiting))), "Heat map")


def _means(material: Material) -> pd.DataFrame:
    """The mean of each dialogue, the lowest first, and the id of its reading."""
    ids = reading_ids(material.turns)
    means = material.scores_shown.groupby(["model", "concept", "level", "run", "dialogue"], as_index=False)[
        "far"
    ].mean()
    keys = zip(means["run"], means["dialogue"], strict=True)
    with_ids: pd.DataFrame = means.assign(id=[ids[key] for key in keys])
    return with_ids.sort_values("far", kind="stable")


def _lowest(material: Material, means: pd.DataFrame) -> tuple[Text, ...]:
    excluded = sorted(material.runs.no_evidence)
    means = means[~means["model"].isin(excluded)]
    if means["far"].isna().all():
        return ()
    left_out = f" Left out, since the test was not sound for it: {listed(excluded, _NAMED)}." if excluded else ""
    cells = means.groupby(["model", "concept", "level"], as_index=False)["far"].mean()
    lowest = cells.loc[cells["far"].idxmin()]
    shown = number(lowest["far"], _DECIMALS)
    if cells["far"].dropna().round(_DECIMALS).nunique() == 1 < len(cells):
        return (Text(f"Factual accuracy is {shown} in every cell.{left_out}"),)
    whose = "" if material.only is not None else f"of {lowest['model']} "
    where = f"{lowest['concept']} at compression {lowest['level']:g}"
    return (Text(f"Factual accuracy {whose}is lowest on {where}: {shown}.{left_out}"),)


def _map(material: Material, place: int, model: str, means: pd.DataFrame) -> Table:
    own = means[means["model"] == model]
    levels = sorted(own["level"].unique())
    columns = (Column("concept", "concept"), *(Column(f"{level:g}", f"at {level:g}", numeric=True) for level in levels))
    rows = []
    for concept, about in own.groupby("concept"):
        cells = {f"{level:g}": _cell(about[about["level"] == level]) for level in levels}
        rows.append({"concept": text_cell(str(concept)), **cells})
    title = "" if material.only is not None else material.chart_name(model)
    return Table(f"map-{place}-{'-'.join(model.split())}", columns, tuple(rows), title, shaded=True)


def _cell(dialogues: pd.DataFrame) -> Cell:
    """The mean over the dialogues, and the worst of them to read."""
    if dialogues.empty:
        return text_cell("")
    far = float(dialogues["far"].mean())
    shade = None if pd.isna(far) else sum(round(far, _DECIMALS) < bound for bound in _BOUNDS)
    return Cell(plain(far), number(far, _DECIMALS), shade=shade, target=dialogues["id"].iloc[0])
