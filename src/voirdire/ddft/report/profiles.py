"""The profile: every metric with its interval and what it rests on; side by side where there are several models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from voirdire.ddft.metric_intervals import MIN_CONCEPTS
from voirdire.ddft.metric_labels import LABELS, METRICS, ON_CHARTS, OURS, MetricLabel, chart_title
from voirdire.ddft.paper_index import LEAST_TURNS
from voirdire.ddft.profile import Profile, best_first
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import (
    count_cell,
    metric,
    metric_interval,
    number,
    over_concepts,
    percent,
    plain,
    text_cell,
)
from voirdire.ddft.won_by_silence import FEW_ANSWERED, silence, won_by_silence
from voirdire.documents.cells import ends
from voirdire.documents.document import Block, Bullets, Cell, Chart, Column, Figure, Figures, Section, Table, Text
from voirdire.text.counting import capitalised, listed

_KEY_FIGURES = ("ER", "K", "V_E", "S", "danger_zone_pct", "share_answered")
_NAMED = 3
"""Models that a caption names; it counts the others."""
_WHOLE_AND_PARTS = ("ER", "K", "E", "S", "D")
SIDE_BY_SIDE = ("ER", "K", "V_E", "danger_zone_pct", "share_answered")
"""Of each model in a row; more do not fit 80 columns."""
NOT_YET = Cell(None, "not yet", "quiet")
"""In place of a figure of a model that is judged unevenly so far."""
_NO_INTERVAL = "no interval"
_NOTES = "Notes on these values"
_HOLLOW = "*"
"""Behind a value that silence can win, of a model that seldom or never claims anything."""


def profile(material: Material) -> Section:
    """Metrics of one model, or of several beside one another."""
    only = material.only
    blocks = _of_one(only) if only is not None else _of_several(material)
    return Section("profile", "Profile", tuple(blocks))


def _of_one(profile: Profile) -> Iterator[Block]:
    yield Figures(tuple(_figure(profile, name) for name in _KEY_FIGURES))
    hollow = _about_hollow([profile], _KEY_FIGURES)
    if hollow:
        yield Text(hollow)
    over = _over([profile], [each.name for each in OURS])
    yield Text(
        "Each number with how many turns, fabrications or concepts are behind it (n), and with its 95 % interval, "
        f"which says how far it might move with other concepts like these ({over})."
    )
    yield metrics_of_one("profile", profile, OURS)
    if profile.notes:
        yield Bullets(tuple(map(str, profile.notes)), _NOTES)


def metrics_of_one(id: str, profile: Profile, metrics: Sequence[MetricLabel]) -> Table:
    """Metrics of one model: value, interval, n, and what each says or why it has no value."""
    columns = (
        Column("metric", "metric"),
        Column("value", "value", numeric=True, with_ends=True),
        Column("interval", "95 % interval", numeric=True, says_ends=True),
        Column("n", "n", numeric=True),
        Column("says", "what it says"),
    )
    hollow = _about_hollow([profile], [each.name for each in metrics])
    return Table(id, columns, tuple(_row(profile, each) for each in metrics), caption=hollow)


def _figure(profile: Profile, name: str) -> Figure:
    value = profile.metrics[name].value
    return Figure(
        LABELS[name],
        _marked(profile, name).shown,
        metric_interval(name, profile.intervals.get(name)) or (_NO_INTERVAL if value is not None else ""),
        _capital(str(profile.metrics[name].reason or _help_text(profile, METRICS[name]))),
        "quiet" if value is None or _is_hollow(profile, name) else "",
        ends(profile.intervals.get(name)),
        value,
    )


def _row(profile: Profile, each: MetricLabel) -> dict[str, Cell]:
    value, interval = profile.metrics[each.name], profile.intervals.get(each.name)
    return {
        "metric": text_cell(each.label),
        "value": replace(_marked(profile, each.name), ends=ends(interval)),
        "interval": text_cell(metric_interval(each.name, interval)),
        "n": count_cell(value.n),
        "says": text_cell(". ".join(_missing_notes(profile, each))),
    }


def _missing_notes(profile: Profile, each: MetricLabel) -> Iterator[str]:
    yield _help_text(profile, each)
    without_value, without_interval = profile.metrics[each.name].reason, profile.interval_reasons.get(each.name)
    if without_value is not None and not profile.metrics[each.name].withheld:  # said once, of the model
        yield f"No value: {without_value}"
    elif without_interval is not None and without_interval.code != "few_concepts":  # said once, of all
        yield f"No interval: {without_interval}"


def _capital(text: str) -> str:
    return f"{capitalised(text)}."


def _help_text(profile: Profile, each: MetricLabel) -> str:
    return each.explained(len(profile.curves), profile.first_turns, profile.only, profile.thresholds)


def _help_of_all(profiles: Sequence[Profile], each: MetricLabel) -> str:
    """What a metric says of several models, of which some may have fewer turns judged so far than others."""
    first, *others = dict.fromkeys(profile.first_turns for profile in profiles)
    turns = "turns 1 to 3 as far as judged" if others else first
    return each.explained(len(profiles[0].curves), turns, profiles[0].only, profiles[0].thresholds)


def _is_hollow(profile: Profile, name: str) -> bool:
    """Whether it is a value that silence can win, of a model that seldom or never claims anything."""
    return profile.metrics[name].value is not None and silence(profile.metrics) is not None and won_by_silence(name)


def answered_share_text(profile: Profile, name: str) -> str:
    """How seldom a model claims anything, to stand beside a value that silence can win; of any other nothing."""
    return f"it claims something in {_claims(profile)} of its answers" if _is_hollow(profile, name) else ""


def score_at_level(profile: Profile, value: float | None, decimals: int) -> Cell:
    """A mean FAR or SAS of one level, marked where it is hollow: who claims nothing is never wrong."""
    if profile.uneven is not None:
        return NOT_YET
    return _cell(value, number(value, decimals), value is not None and silence(profile.metrics) is not None)


def about_levels(profiles: Sequence[Profile]) -> str:
    """What the mark beside scores of levels says, and of whom; nothing where no score has it."""
    return _whose_mark([profile for profile in profiles if silence(profile.metrics) is not None])


def _about_hollow(profiles: Sequence[Profile], metrics: Sequence[str]) -> str:
    """What the mark says, and of whom; nothing where no value has it."""
    return _whose_mark([profile for profile in profiles if any(_is_hollow(profile, name) for name in metrics)])


def _whose_mark(marked: Sequence[Profile]) -> str:
    if not marked:
        return ""
    sentences = (
        f"says {'little' if profile.metrics['share_answered'].value else 'nothing'} of {profile.model}: it claims "
        f"something in {_claims(profile)} of its answers"
        for profile in marked
    )
    return f"{_HOLLOW} {'; '.join(sentences)}."


def _about_marks(profiles: Sequence[Profile], metrics: Sequence[str]) -> str:
    """What the marks in a table of several models say; nothing where no value has one."""
    few = any(profile.few_turns(name) for profile in profiles for name in metrics)
    least = f"fewer than {LEAST_TURNS} turns, or {MIN_CONCEPTS} concepts"
    n = f"With n: a value that rests on few, {least}." if few else ""
    return " ".join(filter(None, (_about_hollow(profiles, metrics), n)))


def _marked(profile: Profile, name: str) -> Cell:
    """A value, marked where it is hollow."""
    value = profile.metrics[name]
    return NOT_YET if value.withheld else _cell(value.value, metric(name, value.value), _is_hollow(profile, name))


def _cell(value: float | None, shown: str, hollow: bool) -> Cell:
    return Cell(plain(value), shown + (_HOLLOW if hollow else ""), "quiet" if value is None or hollow else "")


def ranking(material: Material) -> Chart:
    """All models, the best first, by ER, or by K where none has an ER; of one model, its ER beside its parts.

    A model without a value stays in it; the caption says why.
    """
    profiles, only = material.profiles, material.only
    if only is not None:
        rows = [_forest_row(only, name, ON_CHARTS[name]) for name in _WHOLE_AND_PARTS]
        labels = "; ".join(str(row["label"]) for row in rows)
        panel = panels.forest(
            f"{only.model}: ER and its parts", rows, f"ER and its parts. {labels}.", ends=(0.0, 1.0), leading=True
        )
        without = [
            f"{name} has no value: {value.cause}."
            for name in _WHOLE_AND_PARTS
            if (value := only.metrics[name]).reason and not value.withheld
        ]
    else:
        name = ranking_metric(profiles)
        excluded = material.runs.no_evidence
        ordered = sorted(best_first(profiles, name), key=lambda each: each.model in excluded)
        panel = _forest(ordered, name, excluded, leading=True)
        without = [*_without_er(profiles), *without_points(excluded)]
        profiles = tuple(profile for profile in profiles if _drawn(profile, name, excluded))
    names = _WHOLE_AND_PARTS if only is not None else (name,)
    line = f"The line through a point is its 95 % interval {_over(profiles, names)}." if _any_interval(profiles) else ""
    return Chart("ranking", (panel,), caption=" ".join(filter(None, (line, *without, _about_hollow_points(profiles)))))


def _without_er(profiles: Sequence[Profile]) -> Iterator[str]:
    """Which models have no ER, each reason once."""
    models: dict[str, list[str]] = {}
    for profile in profiles:
        if profile.metrics["ER"].value is None and not profile.metrics["ER"].withheld:
            models.setdefault(profile.metrics["ER"].cause, []).append(profile.model)
    for cause, named in models.items():
        whose = "any of them" if len(named) == len(profiles) else listed(named, _NAMED)
        yield f"ER has no value for {whose}: {cause}."


def without_points(excluded: Collection[str]) -> Iterator[str]:
    """That a chart leaves out models for which the test was not sound."""
    if excluded:
        yield f"No point is drawn for {listed(sorted(excluded), _NAMED)}, since the test was not sound for it."


def _drawn(profile: Profile, name: str, excluded: Collection[str]) -> bool:
    return profile.metrics[name].value is not None and profile.model not in excluded


def _any_interval(profiles: Sequence[Profile]) -> bool:
    return any(profile.intervals for profile in profiles)


def _about_hollow_points(profiles: Sequence[Profile]) -> str:
    quiet = [f"{profile.model}: {_claims(profile)}" for profile in profiles if silence(profile.metrics) is not None]
    if not quiet:
        return ""
    return (
        f"A point is hollow where silence can win the metric and the model claims something in fewer than "
        f"{percent(FEW_ANSWERED)} of its answers ({listed(quiet)})."
    )


def _of_several(material: Material) -> Iterator[Block]:
    excluded = material.runs.no_evidence
    drawn = [profile for profile in material.profiles if profile.model not in excluded]
    alike = (
        f"A point is a model's value, the line its 95 % interval {_over(drawn, _KEY_FIGURES[1:])}. "
        "Two intervals that overlap do not make two models alike, and two that do not overlap are no test: see the "
        "comparison."
    )
    yield Chart(
        "profiles-chart",
        tuple(
            _forest(material.profiles, name, excluded)
            for name in _KEY_FIGURES[1:]
            if _any_value(material.profiles, name)
        ),
        "Each model by itself",
        " ".join(filter(None, (alike, *without_points(excluded), _about_hollow_points(drawn)))),
    )
    yield from metrics_side_by_side("profiles", material.profiles, OURS)
    shared: dict[str, list[str]] = {}
    for profile in material.profiles:
        for note in map(str, profile.notes):
            shared.setdefault(note, []).append(profile.model)
    if shared:
        yield Bullets(tuple(f"{_whose(material, models)}: {note}" for note, models in shared.items()), _NOTES)


def _over(profiles: Sequence[Profile], names: Sequence[str]) -> str:
    return over_concepts(
        profile.intervals[name].method for profile in profiles for name in names if name in profile.intervals
    )


def metrics_side_by_side(id: str, profiles: Sequence[Profile], metrics: Sequence[MetricLabel]) -> Iterator[Table]:
    """Two tables: metrics of several models with intervals, and what they rest on."""
    metric_column, models = Column("metric", "metric"), [profile.model for profile in profiles]
    yield Table(
        id,
        (metric_column, *(Column(model, model, numeric=True, with_ends=True) for model in models)),
        tuple(_side_by_side(each, profiles) for each in metrics),
        "Side by side",
        f"In brackets the 95 % interval {_over(profiles, [each.name for each in metrics])}. "
        "What each metric says stands under How to read this; why there is a dash, in the notes of the profile. "
        f"{_about_marks(profiles, [each.name for each in metrics])}".rstrip(),
    )
    yield Table(
        f"{id}-n",
        (metric_column, *(Column(model, model, numeric=True) for model in models)),
        tuple(_count_cells(each, profiles) for each in metrics),
        "What the numbers rest on",
        "Turns, fabrications or concepts behind each number.",
    )


def models_side_by_side(profiles: Sequence[Profile]) -> Table:
    """The key figures of several models with their intervals, a row for each model."""
    return _several("side-by-side", profiles, SIDE_BY_SIDE)


def ranked_models(profiles: Sequence[Profile]) -> Table:
    """One figure of each model with its interval, the one that they are ranked by."""
    name = ranking_metric(profiles)
    table = _several("ranked", profiles, (name,))
    columns = (table.columns[0], replace(table.columns[1], help=""), Column("interval", "95 % interval", numeric=True))
    rows = ({**row, **_ranked(each, name)} for row, each in zip(table.rows, profiles, strict=True))
    return replace(table, columns=columns, rows=tuple(rows))


def _ranked(profile: Profile, name: str) -> dict[str, Cell]:
    """The figure and its interval beside those of other models."""
    interval = text_cell(metric_interval(name, profile.intervals.get(name)))
    return {name: _with_interval(profile, name, "{}"), "interval": interval}


def ranking_metric(profiles: Sequence[Profile]) -> str:
    """ER, or K where no model has an ER."""
    return "ER" if _any_value(profiles, "ER") else "K"


def _several(id: str, profiles: Sequence[Profile], names: Sequence[str]) -> Table:
    columns = (
        Column("model", "model"),
        *(Column(name, LABELS[name], True, _help_of_all(profiles, METRICS[name])) for name in names),
    )
    rows = (
        {"model": text_cell(profile.model), **{name: _with_interval(profile, name, "{}\n{}") for name in names}}
        for profile in profiles
    )
    return Table(id, columns, tuple(rows), caption=_about_marks(profiles, names))


def _whose(material: Material, models: Sequence[str]) -> str:
    return "All models" if len(models) == len(material.models) else listed(models)


def _any_value(profiles: Sequence[Profile], name: str) -> bool:
    """Whether any model has one, which may not be told yet."""
    return any((value := profile.metrics[name]).withheld or value.value is not None for profile in profiles)


def _side_by_side(each: MetricLabel, profiles: Sequence[Profile]) -> dict[str, Cell]:
    cells = {profile.model: _with_interval(profile, each.name, "{} ({})") for profile in profiles}
    return {"metric": text_cell(each.label), **cells}


def _with_interval(profile: Profile, name: str, form: str) -> Cell:
    """A value and its interval in one cell, marked where it is hollow, with its n where it rests on few turns."""
    cell, interval = _marked(profile, name), profile.intervals.get(name)
    if profile.few_turns(name):
        cell = replace(cell, shown=f"{cell.shown} (n {profile.metrics[name].n})")
    if interval is None:
        return cell
    reach = f"{metric(name, interval.low)}–{metric(name, interval.high)}"
    return replace(cell, shown=form.format(cell.shown, reach), ends=ends(interval))


def _count_cells(each: MetricLabel, profiles: Sequence[Profile]) -> dict[str, Cell]:
    counts = {profile.model: count_cell(profile.metrics[each.name].n) for profile in profiles}
    return {"metric": text_cell(each.label), **counts}


def _claims(profile: Profile) -> str:
    share = profile.metrics["share_answered"].value
    return percent(share) if share else "none"


def _forest(
    profiles: Sequence[Profile], name: str, excluded: Collection[str] = (), *, leading: bool = False
) -> panels.Panel:
    rows = [
        _without_point(profile, "not sound", "the test was not sound for it")
        if profile.model in excluded
        else _forest_row(profile, name, profile.model)
        for profile in profiles
    ]
    top = 100.0 if name.endswith("_pct") else 1.0
    labels = "; ".join(str(row["label"]) for row in rows)
    return panels.forest(
        chart_title(name), rows, f"{LABELS[name]} by model. {labels}.", ends=(0.0, top), leading=leading
    )


def _without_point(profile: Profile, shown: str, why: str) -> dict[str, Any]:
    """A model whose figures are not comparable with the others', or are no evidence."""
    empty = dict.fromkeys(("value", "low", "high"))
    label = f"{profile.model}: {why}"
    return {"name": profile.model, **empty, "hollow": False, "words": shown, "shown": "", "label": label}


def _forest_row(profile: Profile, name: str, shown_name: str) -> dict[str, Any]:
    value, interval = profile.metrics[name].value, profile.intervals.get(name)
    if profile.metrics[name].withheld:
        label = f"{profile.model}: {LABELS[name]} can't be told yet, since judged unevenly so far"
        return _without_point(profile, NOT_YET.shown, "") | {"name": shown_name, "label": label}
    reach = metric_interval(name, interval)
    summary = f"{metric(name, value)}, {f'95 % interval {reach}' if reach else _NO_INTERVAL}"
    seldom = answered_share_text(profile, name)
    if seldom:
        summary += f"; {seldom}"
    return {
        "name": shown_name,
        "value": value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "hollow": bool(seldom),
        "words": "no value",
        "shown": "" if value is None else metric(name, value),
        "label": f"{profile.model}: {LABELS[name]} {'has no value' if value is None else summary}",
    }
