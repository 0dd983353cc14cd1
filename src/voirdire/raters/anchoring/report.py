"""What `voirdire rate anchor` shows: what to do with the judge, then figures four times over and what narrows them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, cautions, plain_table
from voirdire.documents.document import Block, Cell, Document, Section, Text, document, folded, more
from voirdire.jury.worth.report import conclusion_of, headline
from voirdire.raters.anchoring.records import FEW, SPEAK
from voirdire.raters.anchoring.wording import number as shown_as
from voirdire.text.counting import counted, with_article

if TYPE_CHECKING:
    from voirdire.raters.anchoring.records import AnchoredFigure, Anchoring, Distribution
    from voirdire.reason_codes import Reason
    from voirdire.stats import Anchored, Corrected, Interval

_HALVE = "n: ratings that count for the figure. To halve: so many more would halve the corrected interval."
_COLUMNS = (
    "corrected: the judge's figure less the error that the ratings show (prediction-powered). error rates: corrected "
    "by the judge's error rates on what people rated (Rogan-Gladen)."
)
_MACHINE = (
    "judge: the run's figure over all units that it has a result for, whatever n is. Intervals of all columns are "
    "made in one way, so that this one can differ a little from the interval in the run's own report."
)
_LIMIT = (
    "* Ratings alone can't halve this interval: the run is the limit. A run of so many {cluster}s in all, with every "
    "unit rated, would."
)
_LOW_N = "° Fewer than {few} ratings: how often such intervals hold has not been measured."
_SILENT = {
    "unsettled": "Whether the judges are biased can't be told yet, with so many items in dispute",
    "few differences": f"No bias of the judges can be shown where they and people differ on fewer than {SPEAK} units "
    "that both judged (in brackets: on how many)",
    "too few": "Too few ratings to say whether the judges are biased",
}
"""Verdicts that say nothing of the judges: one line for all figures that have it."""


def anchoring_document(result: Anchoring) -> Document:
    """The conclusion, the figures of every model, classes, and what can't be corrected."""
    units = f"{result.rated:,} of {counted(result.units, 'unit')} (each {with_article(result.unit)})"
    which = ", all of them flagged" if result.only_flagged else ""
    rated = f"{units} of {result.run} rated by people{which}; judge: {result.by}"
    by_model = groupby(result.figures, key=lambda each: each.model)
    not_anchored = (Text(f"{name}: {why}") for name, why in result.not_anchored.items())
    return document(
        *_first(result),
        Text(rated),
        *cautions(result.notes),
        more("Every figure of every model, and how it was corrected"),
        *folded(
            (
                *(_of_model(model, list(figures), result.clustered_by) for model, figures in by_model),
                *map(_distribution, result.distributions),
                Section("key", "", tuple(map(Text, _key(result)))),
                *([Section("not-corrected", "Not corrected", tuple(not_anchored))] if result.not_anchored else []),
            )
        ),
    )


_MOST = 7
"""Figures that are shown before anybody asks for all."""


def _first(result: Anchoring) -> Iterator[Block]:
    """What to do with the judge, in which other figures it is biased, and what to report where ratings are enough."""
    whole = [each for each in result.figures if each.model is None] or list(result.figures)
    concluded = [each for each in whole if each.worth is not None]
    yield from cautions([*dict.fromkeys(each.not_random.sentence for each in concluded if each.not_random)])
    for each in concluded:
        yield from _conclusion(each, name_model=len(concluded) > 1)
    others = [each for each in whole if each.worth is None]
    for verdict in ("biased", "leaning"):
        yield from (Text(f"{each.name}: {each.interpretation}", "warn") for each in others if each.verdict == verdict)
    known = [each for each in whole if each.best is not None]
    shown = ([each for each in known if not each.few] or known)[:_MOST]
    if shown:
        rows = ((each.name, *_to_report(each)) for each in shown)
        yield plain_table("to-report", ("figure", "to report", "95 % interval"), rows, caption=_TO_REPORT)


_TO_REPORT = "to report: the judge's figure, corrected by people's ratings; or by these alone, where that is as narrow."


def _conclusion(figure: AnchoredFigure, *, name_model: bool) -> Iterator[Text]:
    """As `jury worth` words it, and the figure that follows from it."""
    worth, best = figure.worth, figure.best
    if worth is None or best is None:
        return
    value = shown_as(best.value, figure.top) + _in_brackets(best.interval, figure.top)
    judge = shown_as(figure.plain.value, figure.top)
    by = "Corrected by people's ratings" if best is figure.anchored else "By people alone"
    sentence = "" if worth.is_withheld else f"{by}, {figure.says} is {value}; by the judge alone, {judge}."
    of = f"{figure.model}: " if name_model else ""
    yield Text(f"{of}{headline(worth)} {sentence}".rstrip(), conclusion_of(worth)[1])


def _in_brackets(interval: Interval | None, top: float | None) -> str:
    return "" if interval is None else f" ({_ends(interval, top)})"


def _to_report(figure: AnchoredFigure) -> tuple[str, str]:
    if figure.best is None:
        return UNDEFINED, ""
    if figure.worth is not None and figure.worth.is_withheld:
        return "not yet", ""
    return shown_as(figure.best.value, figure.top), _ends(figure.best.interval, figure.top)


def _key(result: Anchoring) -> Iterator[str]:
    yield _COLUMNS
    yield _HALVE
    yield _MACHINE
    if any(each.more is not None and each.more.ratings is None for each in result.figures):
        yield _LIMIT.format(cluster=result.clustered_by)
    if any(each.few for each in result.figures):
        yield _LOW_N.format(few=FEW)


def _of_model(model: str | None, figures: list[AnchoredFigure], cluster: str) -> Section:
    rows = (
        (
            each.name,
            _figure(each.plain, each.top),
            Cell(each.ratings, f"{each.ratings}{'°' if each.few else ''}"),
            _figure(each.people, each.top),
            _figure(each.anchored, each.top),
            _corrected(each.corrected),
            _more(each, cluster),
        )
        for each in figures
    )
    id, title = ("all", "All models") if model is None else (model, model)
    heads = ("figure", "judge", "n", "people", "corrected", "error rates", "to halve")
    sentences = (Text(sentence) for sentence in (*_ranges(figures), *_readings(figures), *_uncorrected(figures)))
    return Section(f"figures-{id}", title, (plain_table(f"figures-{id}", heads, rows, numbers=5), *sentences))


def _ranges(figures: list[AnchoredFigure]) -> Iterator[str]:
    """The judge's shares of units, with those that it gave no result."""
    ranges = [
        f"{each.name} {shown_as(each.could_be[0], each.top)} to {shown_as(each.could_be[1], each.top)}"
        for each in figures
        if each.could_be is not None
    ]
    if ranges:
        yield f"The judge's shares if none or all of the units without its result counted: {', '.join(ranges)}."


def _readings(figures: list[AnchoredFigure]) -> Iterator[str]:
    """What figures say of the judges; those that say nothing in one line."""
    for each in figures:
        if each.worth is not None or each.verdict not in _SILENT:
            yield f"{each.name}: {each.interpretation}"
    for verdict, sentence in _SILENT.items():
        silent = [each for each in figures if each.worth is None and each.verdict == verdict]
        names = [f"{each.name} ({each.differing})" if verdict == "few differences" else each.name for each in silent]
        if names:
            yield f"{sentence}: {', '.join(names)}."


def _uncorrected(figures: list[AnchoredFigure]) -> Iterator[str]:
    """Figures that are not corrected, by the reason why."""
    reasons: dict[Reason, list[str]] = {}
    for each in figures:
        if each.uncorrected is not None:
            reasons.setdefault(each.uncorrected, []).append(each.name)
    for why, names in reasons.items():
        yield f"Not corrected by error rates: {', '.join(names)} ({why})."
    for each in figures:
        if each.few_corrected_by is not None:
            yield f"{each.name}: {each.few_corrected_by}."


def _more(result: AnchoredFigure, cluster: str) -> str:
    """What would halve the corrected interval: ratings, or where they can't, a larger run."""
    if result.more is None:
        return ""
    if result.more.ratings is not None:
        return f"+{result.more.ratings:,}"
    return f"{result.groups_in_all:,} {cluster}s*"


def _distribution(result: Distribution) -> Section:
    values = result.corrected.values or {}
    rows = (
        (
            name,
            _share(result.plain.get(name, 0.0)),
            _share(result.people.get(name, 0.0)),
            _share(values.get(name)),
            _ends(result.corrected.intervals.get(name), 1.0),
        )
        for name in dict.fromkeys([*result.plain, *result.people])
    )
    table = plain_table(f"classes-{result.name}", (result.name, "judge", "people", "error rates", "95 %"), rows)
    why = () if result.uncorrected is None else (Text(f"Not corrected by error rates: {result.uncorrected}."),)
    return Section(f"classes-{result.name}", f"Classes; {result.n} rated by people", (table, *why))


def _share(value: float | None) -> Cell:
    return Cell(None, UNDEFINED) if value is None else Cell(value, shown_as(value, 1.0))


def _figure(result: Anchored | None, top: float | None) -> Cell:
    return Cell(None, UNDEFINED) if result is None else _with_ends(result.value, result.interval, top)


def _corrected(result: Corrected | None) -> Cell:
    if result is None or result.value is None:
        return Cell(None, UNDEFINED)
    return _with_ends(result.value, result.interval, 1.0)


def _with_ends(value: float, interval: Interval | None, top: float | None) -> Cell:
    """A value, and under it its interval."""
    return Cell(value, f"{shown_as(value, top)}\n{_ends(interval, top)}".rstrip())


def _ends(interval: Interval | None, top: float | None) -> str:
    return "" if interval is None else f"{shown_as(interval.low, top)} to {shown_as(interval.high, top)}"
