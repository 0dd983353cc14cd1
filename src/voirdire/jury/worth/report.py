"""What `voirdire jury worth` shows, and its page: the conclusion first, then what it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, cautions, count, number_ends, plain_table, text
from voirdire.documents.colours import BLUE, GREEN, ORANGE
from voirdire.documents.document import (
    Block,
    Cell,
    Chart,
    Document,
    Exchange,
    Figure,
    Figures,
    Piece,
    Reading,
    Readings,
    Section,
    Table,
    Text,
    Tone,
    document,
    folded,
    more,
)
from voirdire.documents.drawing import Point, lines, named_shares
from voirdire.jury.worth.records import (
    Conclusion,
    Confusion,
    Crossed,
    ModelDifference,
    ModelFigure,
    Worth,
    WorthEstimate,
)
from voirdire.text.counting import as_heading, counted, listed, rounded

if TYPE_CHECKING:
    from voirdire.jury.worth.planning import WorthPlan
    from voirdire.stats import Interval, Rate

_WORDS: dict[Conclusion, str] = {
    "trust": "Trust it",
    "correct": "Correct it",
    "leave": "Leave it",
    "opposite": "Opposite ways",
    "undecided": "Too early to tell",
}
_TONES: dict[Conclusion, Tone] = {
    "trust": "good",
    "correct": "warn",
    "leave": "bad",
    "opposite": "warn",
    "undecided": "info",
}
_ORDER: tuple[Conclusion, ...] = ("trust", "correct", "opposite", "undecided", "leave")
_KEY = (
    "judge: the mean of its verdicts. people: the mean of their ratings. corrected: people's mean, plus the weight "
    "times the difference between the judge's mean of all items and its mean of the rated ones (prediction-powered). "
    "The weight is tuned on the ratings: 0 leaves the judge out, and 1 gives the judge's mean less its error. "
    "people's: their own figure, since the judge predicts nothing or correcting does not narrow their interval."
)


def worth_document(judges: Sequence[Worth], source: str = "", *, whole: bool = False) -> Document:
    """What each judge is worth; with its curve and the quotes, where the whole is asked for.

    The best comes first; readings of one detector keep their order.
    """
    ordered = list(judges)
    if not ordered[0].one_detector:
        ordered.sort(key=lambda each: (_ORDER.index(each.conclusion), -each.saves))
    title = "What to do with each judge" if whole else ""
    headlines = [Text(f"{headline(each)}{_repeats(each)}", conclusion_of(each)[1]) for each in ordered]
    headlines += map(Text, dict.fromkeys(chain.from_iterable(map(_right_flags, ordered))))
    table = () if whole else (_corrected(ordered),)
    cautioned = [[caution.sentence for caution in each.cautions] for each in ordered]
    every_caution = list(dict.fromkeys(chain.from_iterable(cautioned)))
    of_all = set.intersection(*map(set, cautioned))
    columns = tuple(_columns(ordered[0].columns))
    parts: list[Section] = []
    if len(ordered) > 1:
        parts.append(Section("judges", "The judges", (_judges(ordered),)))
    for place, each in enumerate(ordered):
        own = [caution for caution in cautioned[place] if caution not in of_all]
        parts += _sections(each, f"judge-{place + 1}", own, whole=whole)
    parts.append(
        Section(
            "key",
            "How to read the figures" if whole else "",
            (Text(f"{_KEY} {_clustering(ordered)}", "quiet"), *(columns if whole else ())),
        )
    )
    first = (*headlines, *table, *cautions(every_caution), *map(Text, _ones(ordered)))
    conclusion = Section("conclusion", title, (*first, *(() if whole else columns)))
    rest = parts if whole else [more("Agreement, bias, error rates and every model"), *folded(parts)]
    return document(conclusion, *rest, title="How far the judges can be trusted", subtitle=source)


def _repeats(worth: Worth) -> str:
    return f" It repeats {worth.repeats}: count the two as one judge." if worth.repeats else ""


def _to_report(worth: Worth) -> tuple[Cell | str, str]:
    """The metric and its interval; not yet, where the rated items are no random part."""
    if worth.is_withheld:
        return "not yet", ""
    return _with_source(rounded(worth.best.value), worth.used), number_ends(worth.best.interval)


def _with_source(value: str, weight: float) -> str:
    """A figure to report, and that it is people's own, where the judge has no part in it."""
    return value if weight else f"{value}, {_PEOPLES}"


def _name(worth: Worth) -> str:
    """The judge, and whom it repeats."""
    return f"{worth.judge} (repeats {worth.repeats})" if worth.repeats else worth.judge


def _corrected(judges: Sequence[Worth]) -> Table:
    """What to report: the metric with its interval by each judge."""
    rows = ((_name(each), Cell(each.conclusion, *conclusion_of(each)), *_to_report(each)) for each in judges)
    return plain_table("corrected", ("judge", "conclusion", "the metric to report", "95 % interval"), rows)


def _right_flags(worth: Worth) -> Iterator[str]:
    """The precision of a detector's flags, by people."""
    right, crossed = worth.right_zeros, worth.crossed
    if worth.one_detector and right is not None and crossed is not None:
        flagged, marked = counted(crossed.people_only + crossed.both_no, f"flagged {worth.unit}"), worth.marked_flags
        if marked is None:
            yield f"Of {flagged} that people rated, {crossed.both_no:,} are rightly flagged: {_percent(right)}."
        else:
            hold = counted(round(marked.value * marked.n), "holds a mark", "hold a mark")
            yield (
                f"Of {flagged} that people rated, {crossed.both_no:,} hold a mark: {_percent(right)}; of the "
                f"{counted(marked.n, 'flagged sentence')} in these, {hold}: {_percent(marked)}."
            )


def _percent(share: WorthEstimate) -> str:
    ends = share.interval
    between = "" if ends is None else f" ({rounded(100 * ends.low, 0)} to {rounded(100 * ends.high, 0)} %)"
    return f"{rounded(100 * share.value, 0)} %{between}"


def _ones(judges: Sequence[Worth]) -> Iterator[str]:
    """What a 1 of people and of each judge says."""
    top = judges[0].settings.high
    people, known = judges[0].ones.people, [each for each in judges if each.ones.judge]
    if people or known:
        meanings = [f"of people, {people}"] if people else []
        meanings += [f"of {each.judge}, {each.ones.judge}" for each in known]
        yield f"What {top:g} means: {'; '.join(meanings)}."
    if judges[0].one_detector and len(judges) > 1:
        yield (
            "flagged and score are two readings of one detector: read flagged if you act on its flags, as a list to "
            "check or a limit does, and score if you sort or average by its scores."
        )
    if first := judges[0].first:
        yield f"The metric is how often {first} is preferred; where both are equally good, that counts half."


def _columns(names: Sequence[str]) -> Iterator[Text]:
    """Which columns of a table were read."""
    if names:
        yield Text(f"Columns used: {', '.join(names)}.", "quiet")


def _clustering(judges: Sequence[Worth]) -> str:
    """What the intervals allow for."""
    most = max(judges, key=lambda each: each.ratings)
    if most.clusters >= most.ratings:
        return "Intervals: 95 %; each rated item counts by itself."
    return (
        f"Intervals: 95 %; verdicts that share {most.clustered_by or 'the item'} are related and count together "
        f"(clustered): {counted(most.ratings, 'rated item')}, {counted(most.clusters, 'group')} of related ones."
    )


def headline(worth: Worth) -> str:
    """What to do with the items at hand, and why; what would hold beyond them comes after that."""
    if worth.complete:
        beyond = judge_advice(worth)
        return (
            f"Report people's ratings: they cover everything that {worth.judge} judged. Beyond these items, "
            f"{beyond[0].lower()}{beyond[1:]}"
        )
    if worth.corrected_in_vain:
        return (
            f"Report people's ratings: correcting {worth.judge} does not narrow their interval. It{_follows(worth)}, "
            f"but {_why(worth)}."
        )
    if worth.conclusion in ("leave", "opposite"):
        report = "Report" if worth.conclusion == "leave" else "Until that is settled, report"
        return f"{judge_advice(worth)} {report} people's ratings alone."
    if worth.conclusion == "undecided":
        return judge_advice(worth)
    return f"{judge_advice(worth)} {_saves(worth)}"


def conclusion_of(worth: Worth) -> tuple[str, Tone]:
    """In a few words."""
    if worth.corrected_in_vain:
        return "Report people's", "warn"
    words, tone = _WORDS[worth.conclusion], _TONES[worth.conclusion]
    return (f"Report people's (beyond: {words[0].lower()}{words[1:]})" if worth.complete else words), tone


def judge_advice(worth: Worth) -> str:
    """What can be done with the judge, and why."""
    why, follows = _why(worth), _follows(worth)
    if worth.conclusion == "trust":
        return f"Trust it: {worth.judge}{follows}, and {why}."
    if worth.conclusion == "correct":
        return f"Correct it: {worth.judge}{follows}, but {why}."
    if worth.conclusion == "leave":
        return f"Leave it: {worth.judge} helps too little here, as {why}."
    if worth.conclusion == "opposite":
        return f"Opposite ways: {worth.judge} and people run against each other; {why}."
    return f"Too early to tell how good {worth.judge}'s verdicts are: {why}."


def _why(worth: Worth) -> str:
    return " and ".join(str(each) for each in worth.why)


def _follows(worth: Worth) -> str:
    known = worth.correlation
    return "" if known is None else f" follows people's ratings (correlation {rounded(known.value)})"


def _saves(worth: Worth) -> str:
    if worth.chosen == "people":
        return (
            "Its verdicts save no ratings yet: the corrected figure of all models together is that of people's ratings "
            "alone; each model has its own."
        )
    if not worth.saves:
        return "Its verdicts save no ratings yet: the interval of the corrected figure is about as wide as people's."
    verdicts, ratings = (
        counted(worth.verdicts, "verdict narrows", "verdicts narrow"),
        counted(worth.saves, "more human rating"),
    )

    return f"Its {verdicts} the interval as much as {ratings} would."


def plan_document(plan: WorthPlan, written: str | None, columns: Sequence[str] = ()) -> Document:
    """What to rate next, how long that takes, and which columns of a table that rests on."""
    rows = [
        _rated(plan),
        ("to rate next", f"{plan.more:,}", "at random, spread over models and verdicts" if plan.more else ""),
        *([("minutes", f"{_minutes(plan)}", f"{plan.seconds:.0f} s each, {_source(plan)}")] if plan.more else []),
        *(
            (_REACHES[name], f"± {rounded(reach)}", "")
            for name, reach in plan.reaches.items()
            if plan.more or name == "now"
        ),
    ]
    tone: Tone = "good" if plan.is_decided and not plan.disputed and not plan.cautions else "strong"
    blocks: list[Block] = [Text(f"{_first(plan)}: {'; '.join(map(str, plan.why))}.", tone)]
    blocks += cautions([each.sentence for each in plan.cautions])
    blocks.append(plain_table("plan", ("plan", " ", "from"), rows, numbers=1))
    if written is not None:
        blocks.append(Text(f"Fill in the column label of {written}, and give it to --human (seed {plan.seed})."))
    elif plan.more:
        blocks.append(Text("To have the items as a table that people can fill in, add -o to-rate.csv."))
    return document(*blocks, *_columns(columns))


def _rated(plan: WorthPlan) -> tuple[str, str, str]:
    if not plan.flagged_only:
        return "rated so far", f"{plan.ratings:,}", ""
    return "rated so far", f"{plan.flagged_only:,}", "flagged sentences alone: none of them counts for all sentences"


def _first(plan: WorthPlan) -> str:
    """What to do first."""
    minutes = f"about {counted(_minutes(plan), 'minute')}"
    if plan.disputed:
        first = f"First have an adjudicator decide the {counted(plan.disputed, 'item')} in dispute, then plan again"
        items = counted(plan.more, "more item is", "more items are")
        return first if plan.is_decided else f"{first}; by what is settled now, {items} to be rated, {minutes}"
    judges = f", for {listed(plan.open_judges)}" if plan.open_judges else ""
    return "Stop here" if plan.is_decided else f"Rate {counted(plan.more, 'item')}, {minutes}{judges}"


_REACHES = {
    "people": "interval, people alone",
    "good": "interval, if the judge is good (correlation 0.6)",
    "very_good": "interval, if it is very good (correlation 0.8)",
    "now": "interval now",
    "then": "interval then",
}


def _minutes(plan: WorthPlan) -> int:
    return max(1, round(plan.minutes)) if plan.more else 0


def _source(plan: WorthPlan) -> str:
    return "as measured" if plan.measured else "assumed; change it with --seconds"


def _judges(judges: Sequence[Worth]) -> Table:
    rows = (
        (
            _name(each),
            Cell(each.conclusion, *conclusion_of(each)),
            _estimate(each.correlation),
            _bias(each.bias, each),
            Cell(None, UNDEFINED) if each.is_withheld or each.complete else Cell(each.saves, f"{each.saves:,}"),
        )
        for each in judges
    )
    heads = ("judge", "conclusion", "correlation", _biased(judges[0]), "saves, ratings")
    return plain_table("judges", heads, rows)


def _biased(worth: Worth) -> str:
    return f"prefers {worth.first}" if worth.first else "scores"


def _bias(estimate: WorthEstimate | None, worth: Worth) -> Cell:
    """By how much, and to which side."""
    if estimate is None:
        return Cell(None, UNDEFINED)
    return Cell(estimate.value, f"{_side_of(estimate, worth)} {_estimate(_size(estimate)).shown}")


def _side_of(estimate: WorthEstimate, worth: Worth) -> str:
    above, below = ("too often by", "too rarely by") if worth.first else ("too high by", "too low by")
    return below if estimate.value < 0 else above


def _size(estimate: WorthEstimate) -> WorthEstimate:
    """A bias to its own side, whichever that is."""
    if estimate.value >= 0:
        return estimate
    ends = estimate.interval
    return estimate._replace(value=-estimate.value, interval=ends and ends._replace(low=-ends.high, high=-ends.low))


def _sections(worth: Worth, id: str, own_cautions: Sequence[str], *, whole: bool) -> Iterator[Section]:
    yield Section(
        id,
        worth.judge,
        (
            *cautions(own_cautions),
            Figures(tuple(_figures(worth))),
            *_agreement_table(worth, id),
            *(_crossed(worth, id) if whole else ()),
            *([] if worth.is_withheld else [_metric_table(worth, id)]),
        ),
    )
    if whole and worth.raw is not None and not worth.is_withheld:
        blocks = (
            _before_and_after(worth, id),
            *((_models(worth, id), _differences(worth, id)) if worth.models else ()),
        )
        yield _part(worth, f"{id}-models", "the metric before and after correction", "before and after", blocks)
    elif worth.models:
        yield _part(worth, f"{id}-models", "models", "models", (_models(worth, id), _differences(worth, id)))
    if whole and worth.regions:
        blocks = (*_curve(worth, id), _regions(worth, id))
        yield _part(worth, f"{id}-regions", "people's ratings by its score", "by its score", blocks)
    if whole and worth.confusions:
        yield _part(worth, f"{id}-confusions", "where it and people differ most", "differences", _quotes(worth, id))


def _part(worth: Worth, id: str, title: str, short: str, blocks: tuple[Block, ...]) -> Section:
    """A part about one judge; the table of contents has it under a shorter name."""
    return Section(id, f"{worth.judge}: {title}", blocks, short=f"{worth.judge}: {short}")


def _crossed(worth: Worth, id: str) -> Iterator[Table]:
    """What both said, item by item, counted."""
    if worth.crossed is None:
        return
    both_yes, judge_only, people_only, both_no = worth.crossed
    says, say = ("says", "say") if not worth.first else ("prefers", "prefer")
    yes, no = ("1", "0") if not worth.first else (worth.first, "the other")
    rows = (
        (f"judge {says} {yes}", count(both_yes), count(judge_only, "warn" if judge_only else "")),
        (f"judge {says} {no}", count(people_only, "warn" if people_only else ""), count(both_no)),
    )
    flagged = worth.is_of_flagged_only
    heads = ("of flagged sentences" if flagged else "rated items", f"people {say} {yes}", f"people {say} {no}")
    yield plain_table(f"{id}-crossed", heads, rows[1:] if flagged else rows, numbers=2)


def _before_and_after(worth: Worth, id: str) -> Chart:
    """The metric by the judge alone and corrected, of all and of each model, as shares of the scale."""
    low, span = worth.settings.low, worth.settings.span

    def point(name: str, series: str, value: float | None, interval: Interval | None, n: int | None) -> Point:
        share = None if value is None else (value - low) / span
        if interval is None:
            return Point(name, series, share, n=n)
        return Point(name, series, share, (interval.low - low) / span, (interval.high - low) / span, n)

    def after(by: WorthEstimate, people: WorthEstimate) -> str:
        return _PEOPLES if by == people else _CORRECTED

    points = [
        point("all", _BEFORE, worth.raw, worth.raw_interval, None),
        point("all", after(worth.best, worth.people), worth.best.value, worth.best.interval, worth.best.n),
    ]
    for each in worth.models:
        points.append(point(each.model, _BEFORE, each.judge, each.judge_interval, None))
        corrected, series = each.corrected, after(each.corrected, each.people)
        points.append(point(each.model, series, corrected.value, corrected.interval, corrected.n))
    shown = {each.type for each in points}
    chart = named_shares(
        points,
        ["all", *(each.model for each in worth.models)],
        "The metric, with 95 % intervals",
        {name: colour for name, colour in _COLOURS.items() if name in shown},
        wide=True,
    )
    scale = "" if (low, span) == (0, 1) else f" In percent of the scale from {low:g} to {low + span:g}."
    caption = "The interval of the judge's own mean leaves its errors out, so it may miss the truth."
    return Chart(f"{id}-before-after", (chart.panel(),), caption=caption + scale)


_BEFORE, _CORRECTED, _PEOPLES = "judge alone", "corrected", "people's"
_COLOURS = {_BEFORE: ORANGE, _CORRECTED: BLUE, _PEOPLES: GREEN}


def _figures(worth: Worth) -> Iterator[Figure]:
    best = worth.best
    yield Figure(
        "human ratings", f"{worth.ratings:,}", note=f"of {counted(worth.verdicts, 'verdict')}", value=worth.ratings
    )
    if worth.is_withheld:
        return
    if not worth.complete:
        yield Figure("its verdicts save", f"{worth.saves:,}", note="further human ratings", value=worth.saves)
    yield Figure(
        "the metric, corrected" if worth.chosen == "powered" else "the metric, by people",
        rounded(best.value),
        number_ends(best.interval),
        "" if worth.raw is None else f"{rounded(worth.raw)} by the judge alone",
        ends=None if best.interval is None else (best.interval.low, best.interval.high),
        value=best.value,
    )


def _agreement_table(worth: Worth, id: str) -> Iterator[Table]:
    rows = list(_agreement(worth))
    if rows:
        heads = ("agreement", "value", "95 %", "items")
        caption = _TIES if worth.first and not worth.binary else ""
        yield plain_table(f"{id}-agreement", heads, rows, numbers=3, caption=caption)


def _agreement(worth: Worth) -> Iterator[tuple[Cell | str, ...]]:
    if worth.correlation is not None:
        yield _row("correlation", worth.correlation)
    if worth.agreement is not None:
        yield _row("says the same", worth.agreement, _same(worth.crossed))
    if worth.kappa is not None:
        yield _row("Cohen's kappa, one label for each item", worth.kappa)
    if worth.bias is not None:
        yield _row(f"{_biased(worth)} {_side_of(worth.bias, worth)}", _size(worth.bias))
    if worth.distance is not None and not worth.binary:
        yield ("mean distance", _number(worth.distance), "", str(worth.ratings))
    if worth.counts is not None:
        passed, rejected = (worth.crossed.both_yes, worth.crossed.both_no) if worth.crossed else (None, None)
        rates = (worth.counts.sensitivity, passed), (worth.counts.specificity, rejected)
        for name, (rate, times) in zip(_error_rates(worth), rates, strict=True):
            if rate is not None:
                yield _row(name, rate, times)


def _error_rates(worth: Worth) -> tuple[str, str]:
    """Sensitivity and specificity, each with what it says."""
    if worth.first:
        return (
            f"sensitivity: where people prefer {worth.first} (1), it does too",
            f"specificity: where people don't prefer {worth.first} (0), neither does it",
        )
    return (
        "sensitivity: of what people call good (1), it passes",
        "specificity: of what people call bad (0), it rejects",
    )


def _same(crossed: Crossed | None) -> int | None:
    return None if crossed is None else crossed.both_yes + crossed.both_no


def _row(name: str, estimate: WorthEstimate | Rate, times: int | None = None) -> tuple[Cell | str, ...]:
    """A figure and its items; of a share, unless ratings have weights, also in how many of them it is so."""
    of = "" if times is None or not math.isclose(estimate.value, times / estimate.n) else f"{times:,} of "
    return name, _number(estimate.value), number_ends(estimate.interval), f"{of}{estimate.n:,}"


def _number(value: float | None) -> Cell:
    return Cell(None, UNDEFINED) if value is None or math.isnan(value) else Cell(value, rounded(value))


_TIES = "Saying the same includes ties. Ties are neither 1 nor 0, so there is no sensitivity and no specificity."
_FOR = "Intervals are for answers like these, of which these are a sample."


def _metric_table(worth: Worth, id: str) -> Table:
    heads = ("metric", "judge", "people", "weight", "corrected")
    return plain_table(f"{id}-metric", heads, _metric(worth), numbers=4, caption=_FOR)


def _metric(worth: Worth) -> Iterator[tuple[Cell | str, ...]]:
    whole = f"all {worth.verdicts:,}" if worth.ratings < worth.verdicts else "all"
    best = _corrected_cell(worth.best, worth.used)
    yield whole, _before(worth.raw, worth.raw_interval), _estimate(worth.people), _number(worth.used), best
    if worth.ratings < worth.verdicts and worth.raw_rated is not None:
        yield f"the {worth.ratings:,} rated alone", _number(worth.raw_rated), _number(worth.people.value), "", ""
    if worth.counts is not None and worth.counts.value is not None:
        counts = worth.counts
        yield (
            "corrected by its error rates (Rogan-Gladen)",
            "",
            "",
            "",
            Cell(counts.value, f"{_number(counts.value).shown}\n{number_ends(counts.interval)}".rstrip()),
        )


def _models(worth: Worth, id: str) -> Table:
    rows = (
        (
            each.model,
            text(f"{each.people.n:,}{'°' if each.few else ''}"),
            _before(each.judge, each.judge_interval),
            _estimate(each.people),
            _number(each.weight),
            _corrected_cell(each.corrected, each.weight),
            _bias_of(each, worth),
        )
        for each in worth.models
    )
    heads = ("model", "ratings", "judge", "people", "weight", "corrected", "scored")
    return plain_table(f"{id}-models", heads, rows, caption=_few(worth.models))


def _bias_of(figure: ModelFigure, worth: Worth) -> Cell:
    cell = _bias(figure.bias, worth)
    return Cell(cell.value, f"{cell.shown} favoured", "warn") if figure.favoured else cell


def _differences(worth: Worth, id: str) -> Table:
    rows = (
        (
            f"{each.first} - {each.second}",
            text(f"{each.n[0]:,} and {each.n[1]:,}{'°' if each.few else ''}"),
            _number(each.judge),
            _number(each.weight),
            Cell(
                each.value, f"{_with_source(rounded(each.value), each.weight)}\n{number_ends(each.interval)}".rstrip()
            ),
            _decision(each),
        )
        for each in worth.differences
    )
    heads = ("difference", "ratings", "judge", "weight", "corrected", "decided")
    return plain_table(f"{id}-differences", heads, rows, caption=_few(worth.differences))


def _decision(difference: ModelDifference) -> str:
    if difference.few or not difference.decided:
        return "no"
    return difference.first if difference.value > 0 else difference.second


def _few(figures: Sequence[ModelFigure | ModelDifference]) -> str:
    return "° Fewer than 30 ratings: too few for a decision of their own." if any(each.few for each in figures) else ""


_ERRS = "is too lenient", "too strict"


def _curve(worth: Worth, id: str) -> Iterator[Chart]:
    low, span = worth.settings.low, worth.settings.span
    inside = [
        Point(
            (each.judge - low) / span,
            "people",
            (each.people.value - low) / span,
            None if each.people.interval is None else (each.people.interval.low - low) / span,
            None if each.people.interval is None else (each.people.interval.high - low) / span,
            each.people.n,
        )
        for each in worth.regions
    ]
    same = [Point((each.judge - low) / span, "the judge itself", (each.judge - low) / span) for each in worth.regions]
    chart = lines(
        [*inside, *same],
        "judge's score",
        "What people say where the judge gives a score",
        {"people": BLUE, "the judge itself": ORANGE},
        share=True,
        inside=True,
        apart=False,
        wide=True,
    )
    lenient, strict = _ERRS if not worth.first else (f"prefers {worth.first} too often", "too rarely")
    caption = (
        f"Where people's line lies below the judge's own, it {lenient}; above, {strict}. A judge without error has one "
        "line."
    )
    yield Chart(f"{id}-curve", (chart.panel(),), caption=caption)


def _regions(worth: Worth, id: str) -> Table:
    rows = (
        (
            f"{rounded(each.low)} to {rounded(each.high)}" if each.high > each.low else rounded(each.low),
            f"{each.items:,}",
            f"{each.people.n:,}",
            _number(each.judge),
            _estimate(each.people),
        )
        for each in worth.regions
    )
    return plain_table(f"{id}-regions", ("judge's score", "items", "rated", "judge", "people"), rows)


def _quotes(worth: Worth, id: str) -> tuple[Block, ...]:
    readings = tuple(
        Reading(
            f"{id}-confusion-{place + 1}",
            f"{each.item}{f' · {each.model}' if each.model else ''}",
            {"model": each.model} if each.model else {},
            (
                *((_side("what was judged", each.text),) if each.text else ()),
                *_sides(worth, each),
            ),
            summary=_direction(worth, each),
            context="\n\n".join(f"{as_heading(name)}: {value}" for name, value in each.beside.items()),
        )
        for place, each in enumerate(worth.confusions)
    )
    shown = Readings(f"{id}-confusions", readings, "items on which they differ", beside=True, opened=True)
    if not worth.more_confusions:
        return (shown,)
    most, more = counted(len(readings), "item"), len(worth.more_confusions)
    return Text(f"The {most} that lie furthest apart; {more:,} more differ: {', '.join(worth.more_confusions)}."), shown


def _sides(worth: Worth, confusion: Confusion) -> tuple[Exchange, ...]:
    """What the judge and people say, each with the reason; on one line where neither gives any."""
    judge_says = f"{worth.judge} says {confusion.judge_label or _score_text(worth, confusion.judge)}"
    people_say = f"people say {confusion.label or _score_text(worth, confusion.people)}"
    if confusion.judge_reason or confusion.people_reason:
        return _side(judge_says, confusion.judge_reason), _side(people_say, confusion.people_reason)
    return (Exchange(heading=f"{judge_says}, {people_say}", question=None, answer=(Piece("Neither gives a reason."),)),)


def _side(heading: str, reason: str) -> Exchange:
    return Exchange(heading=heading, question=None, answer=(Piece(reason or "No reason is given."),))


def _score_text(worth: Worth, value: float) -> str:
    return f"{value:.0f}" if worth.binary else rounded(value)


def _direction(worth: Worth, confusion: Confusion) -> str:
    """Which way the judge errs."""
    if worth.raw is None:
        return "far from what its score predicts"
    above = confusion.judge > confusion.people
    if worth.first:
        return f"prefers {worth.first} {'more' if above else 'less'} than people do"
    return "too lenient" if above else "too strict"


def _before(value: float | None, interval: Interval | None) -> Cell:
    """The judge's own mean, with the interval of whoever trusts it."""
    return Cell(value, f"{_number(value).shown}\n{number_ends(interval)}".rstrip())


def _estimate(estimate: WorthEstimate | None) -> Cell:
    if estimate is None:
        return Cell(None, UNDEFINED)
    return Cell(estimate.value, f"{rounded(estimate.value)}\n{number_ends(estimate.interval)}".rstrip())


def _corrected_cell(estimate: WorthEstimate, weight: float) -> Cell:
    return Cell(
        estimate.value, f"{_with_source(rounded(estimate.value), weight)}\n{number_ends(estimate.interval)}".rstrip()
    )
