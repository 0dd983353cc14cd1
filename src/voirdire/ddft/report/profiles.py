"""The profile: every metric with its interval and what it rests on; side by side where there are several models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.labels import explained
from voirdire.ddft.profile import Profile
from voirdire.ddft.report import _panels as panels
from voirdire.ddft.report._metrics import BY_NAME, FOREST, OURS, Shown
from voirdire.ddft.report._shown import count_cell, metric, metric_interval, percent, plain, text_cell
from voirdire.ddft.report.material import Material
from voirdire.ddft.won_by_silence import silence, won_by_silence
from voirdire.documents.document import Block, Bullets, Cell, Chart, Column, Figure, Figures, Section, Table, Text, Tone
from voirdire.text.counting import listed

_KEY_FIGURES = ("ER", "K", "V_E", "S", "danger_zone_pct", "share_answered")
_NO_INTERVAL = "no interval"


def profile(material: Material) -> Section:
    """Metrics of one model, or of several beside one another."""
    only = material.only
    blocks = _of_one(only) if only is not None else _of_several(material)
    return Section("profile", "Profile", tuple(blocks))


def _of_one(found: Profile) -> Iterator[Block]:
    yield Figures(tuple(_figure(found, BY_NAME[name]) for name in _KEY_FIGURES))
    yield Text(
        "Each number with its 95 % interval, which says how far it might move with other concepts like these, and with "
        "how many turns, traps or concepts are behind it (n)."
    )
    yield metrics_of_one("profile", found, OURS)
    if found.notes:
        yield Bullets(tuple(map(str, found.notes)))


def metrics_of_one(name: str, found: Profile, metrics: Sequence[Shown]) -> Table:
    """Metrics of one model, with intervals, n and what each probes."""
    columns = (
        Column("metric", "Metric"),
        Column("value", "Value", numeric=True),
        Column("low", "From", numeric=True, help="Lower end of the 95 % interval, over concepts"),
        Column("high", "To", numeric=True, help="Upper end of the 95 % interval, over concepts"),
        Column("n", "n", numeric=True, help="Turns, traps or concepts it rests on"),
        Column("probes", "What it probes"),
    )
    return Table(name, columns, tuple(_row(found, shown) for shown in metrics))


def _figure(found: Profile, shown: Shown) -> Figure:
    value, interval = found.metrics[shown.name], found.intervals.get(shown.name)
    return Figure(
        shown.label,
        metric(shown.name, value.value),
        metric_interval(shown.name, interval) or (_NO_INTERVAL if value.value is not None else ""),
        _note(found, shown),
        _tone(found, shown),
    )


def _note(found: Profile, shown: Shown) -> str:
    reason = str(found.metrics[shown.name].reason or "")
    if reason:
        return f"{reason[:1].upper()}{reason[1:]}."
    told = explained(shown.name, len(found.curves))
    return f"{told[:1].upper()}{told[1:]}."


def _tone(found: Profile, shown: Shown) -> Tone:
    return "quiet" if found.metrics[shown.name].value is None else ""


def _row(found: Profile, shown: Shown) -> dict[str, Cell]:
    value, interval = found.metrics[shown.name], found.intervals.get(shown.name)
    ends = (None, None) if interval is None else (interval.low, interval.high)
    return {
        "metric": text_cell(shown.label),
        "value": _metric_cell(shown.name, value.value),
        "low": _metric_cell(shown.name, ends[0]),
        "high": _metric_cell(shown.name, ends[1]),
        "n": count_cell(value.n),
        "probes": text_cell(" ".join(_probes(found, shown))),
    }


def _probes(found: Profile, shown: Shown) -> Iterator[str]:
    yield shown.probed(len(found.curves))
    if _says_nothing(found, shown):
        yield "It says nothing of the model, since no answer claims anything."
    without_value, without_interval = found.metrics[shown.name].reason, found.interval_reasons.get(shown.name)
    if without_value is not None:
        yield f"No value: {without_value}."
    elif without_interval is not None and without_interval.code != "few_concepts":  # said once, of all
        yield f"No interval: {without_interval}."


def _says_nothing(found: Profile, shown: Shown) -> bool:
    """Whether a value owes nothing to any answer."""
    return found.metrics["share_answered"].value == 0 and won_by_silence(shown.name)


def _metric_cell(name: str, value: float | None) -> Cell:
    return Cell(plain(value), metric(name, value), "quiet" if value is None else "")


def _of_several(material: Material) -> Iterator[Block]:
    quiet = [found.model for found in material.profiles if silence(found.metrics) is not None]
    hollow = (
        f" A point is hollow where silence can win the metric and the model seldom or never claims anything "
        f"({listed(quiet)})."
        if quiet
        else ""
    )
    yield Chart(
        "profiles-chart",
        tuple(_forest(material.profiles, BY_NAME[name]) for name in FOREST if _any_value(material.profiles, name)),
        "Each model by itself",
        "A point is a model's value, the line its 95 % interval over concepts. Two intervals that overlap do not make "
        f"two models alike, and two that do not overlap are no test: see the comparison.{hollow}",
    )
    yield from metrics_side_by_side("profiles", material.profiles, OURS)
    shared: dict[str, list[str]] = {}
    for found in material.profiles:
        for note in map(str, found.notes):
            shared.setdefault(note, []).append(found.model)
    if shared:
        yield Bullets(tuple(f"{_whose(material, models)}: {note}" for note, models in shared.items()))


def metrics_side_by_side(name: str, profiles: Sequence[Profile], metrics: Sequence[Shown]) -> Iterator[Table]:
    """Two tables: metrics of several models with intervals, and what they rest on."""
    metric_column, models = Column("metric", "Metric"), [found.model for found in profiles]
    yield Table(
        name,
        (metric_column, *(Column(model, model, numeric=True, with_ends=True) for model in models)),
        tuple(_side_by_side(shown, profiles) for shown in metrics),
        "Side by side",
        "In brackets the 95 % interval over concepts, where there is one. What each metric probes stands under How to "
        "read this; why there is a dash, in the notes of the profile.",
    )
    yield Table(
        f"{name}-n",
        (metric_column, *(Column(model, model, numeric=True) for model in models)),
        tuple(_behind(shown, profiles) for shown in metrics),
        "What the numbers rest on",
        "Turns, traps or concepts behind each number.",
    )


def _whose(material: Material, models: Sequence[str]) -> str:
    return "All models" if len(models) == len(material.models) else listed(models)


def _any_value(profiles: Sequence[Profile], name: str) -> bool:
    return any(found.metrics[name].value is not None for found in profiles)


def _side_by_side(shown: Shown, profiles: Sequence[Profile]) -> dict[str, Cell]:
    row = {"metric": text_cell(shown.label)}
    for found in profiles:
        cell = _metric_cell(shown.name, found.metrics[shown.name].value)
        interval = found.intervals.get(shown.name)
        if interval is not None:
            ends = f"{metric(shown.name, interval.low)}–{metric(shown.name, interval.high)}"
            tone: Tone = "quiet" if _says_nothing(found, shown) else ""
            cell = Cell(cell.value, f"{cell.shown} ({ends})", tone, ends=(interval.low, interval.high))
        row[found.model] = cell
    return row


def _behind(shown: Shown, profiles: Sequence[Profile]) -> dict[str, Cell]:
    counts = {found.model: count_cell(found.metrics[shown.name].n) for found in profiles}
    return {"metric": text_cell(shown.label), **counts}


def _claims(found: Profile) -> str:
    share = found.metrics["share_answered"].value
    return percent(share) if share else "none"


def _forest(profiles: Sequence[Profile], shown: Shown) -> panels.Panel:
    rows = []
    for found in profiles:
        value, interval = found.metrics[shown.name].value, found.intervals.get(shown.name)
        reach = metric_interval(shown.name, interval)
        told = f"{metric(shown.name, value)}, {f'95 % interval {reach}' if reach else _NO_INTERVAL}"
        hollow = silence(found.metrics) is not None and won_by_silence(shown.name)
        if hollow:
            told += f"; it claims something in {_claims(found)} of its answers"
        rows.append(
            {
                "name": found.model,
                "value": value,
                "low": None if interval is None else interval.low,
                "high": None if interval is None else interval.high,
                "hollow": hollow,
                "label": f"{found.model}: {shown.label} {'has no value' if value is None else told}",
            }
        )
    top = 100.0 if shown.name.endswith("_pct") else 1.0
    labels = "; ".join(str(row["label"]) for row in rows)
    return panels.forest(shown.label, rows, f"{shown.label} by model. {labels}.", ends=(0.0, top))
