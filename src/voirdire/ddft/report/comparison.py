"""Several models compared in pairs: differences with intervals and tests, ranks with their chances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from voirdire.ddft.analysis.comparability import short_caution
from voirdire.ddft.analysis.comparing.compare import ModelComparison, ModelPair, RankedModel
from voirdire.ddft.metric_labels import LABELS
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import (
    count_cell,
    metric,
    metric_interval,
    number,
    number_cell,
    percent,
    text_cell,
)
from voirdire.ddft.report.profiles import NOT_YET
from voirdire.ddft.report.verdict_study import WHY_LEFT_OUT
from voirdire.documents.cells import UNDEFINED, cautions, metric_cell, plain_table
from voirdire.documents.cells import percent as share_cell
from voirdire.documents.document import (
    Block,
    Bullets,
    Cell,
    Chart,
    Column,
    Document,
    Notice,
    Panel,
    Section,
    Table,
    Text,
    detail,
    document,
    more,
)
from voirdire.reason_codes import Reason
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted, listed
from voirdire.text.shortening import shortened

_GROUPS: Mapping[str, tuple[str, Callable[[ModelPair], bool]]] = {
    "{} that differ": ("different", lambda pair: pair.holds_for_new_concepts),
    "{} that differ on these concepts only, since the interval over concepts holds 0": (
        "on-these-concepts",
        lambda pair: pair.differs and not pair.holds_for_new_concepts,
    ),
    "Indistinguishable": ("indistinguishable", lambda pair: pair.verdict == "indistinguishable"),
    "Cannot be decided": ("cannot-be-decided", lambda pair: pair.verdict == "cannot be decided"),
}
"""Titles of the tables of pairs, with the id of each and what belongs there."""
_NAMED = 6
"""Models that a caption names; it counts the others."""
_OF_A_PAIR = 8
"""Characters of each name beside a difference, so that both fit the axis; the point's label has the whole names."""
_MOST_DRAWN = 45
"""Pairs of ten models; a drawing of more would be a wall, and the table has them all."""


def comparison(material: Material) -> Section | None:
    """Which models differ, as far as these dialogues can tell; `None` for a single model."""
    compared = material.comparison
    if compared is None:
        return None
    return Section("comparison", "Comparison", tuple(_blocks(material, compared)))


def comparison_document(comparison: ModelComparison) -> Document:
    """The verdict, one line of caution and the models; for those who ask for more, cautions, pairs, tests and notes."""
    others = " ".join(comparison.sentences[1:])
    beside = cautions([*comparison.cautions, *comparison.unsound])
    return document(
        Text(comparison.headline, "strong"),
        *([Text(comparison.caution_in_brief, "warn")] if comparison.caution_in_brief else []),
        *([Text(others)] if others else []),
        _values(comparison),
        more(
            f"Every pair with its test, {'the chance of each rank, ' if _ranked(comparison) else ''}notes and cautions"
        ),
        *_ranks_and_counts(comparison),
        *([Section("cautions", "Cautions", beside, detail=True)] if beside else []),
        Section("pairs", "Every two models", (*_by_verdict(comparison), Bullets(comparison.notes)), detail=True),
    )


def _blocks(material: Material, comparison: ModelComparison) -> Iterator[Block]:
    apart = short_caution(material.result_by_name)
    if apart:
        yield Notice(
            f"{apart}, as the verdict says in full. Values of different runs show a difference of the tests as much as "
            "one of the models."
        )
    yield Text(comparison.summary)
    yield Text(
        f"Whether two models differ in {LABELS[comparison.metric]} is tested on the turns that both were asked. "
        "An order of the models that no test supports is an order by chance."
    )
    yield replace(_models(comparison), title="The models", folded=True)
    chart = comparison_chart(comparison)
    if chart is not None:
        yield chart
    if _any_difference(comparison.pairs):
        yield replace(_pairs(comparison), folded=True)
    reasons = tuple(_reasons(comparison.counted_pairs, comparison))
    if reasons:
        yield Text("Why pairs can't be decided, or lack an interval:")
        yield Bullets(reasons)
    if comparison.notes:
        yield Bullets(comparison.notes)


def comparison_chart(comparison: ModelComparison) -> Chart | None:
    """The chance of each rank, and the pairs' differences; `None` where neither is known."""
    panels = tuple(_drawn(comparison, LABELS[comparison.metric]))
    if not panels:
        return None
    captions = " ".join(filter(None, _captions(comparison)))
    return Chart("ranks-and-differences", panels, "Ranks and differences", captions)


def _drawn(comparison: ModelComparison, label: str) -> Iterator[Panel]:
    ranked, known = _ranked(comparison), _known(comparison)
    if ranked:
        yield _ranks(ranked, label)
    if known:
        yield _differences(known, comparison, label)


def _captions(comparison: ModelComparison) -> Iterator[str]:
    """What is said of the panels that are drawn."""
    for first in _ranked(comparison)[:1]:
        yield (
            "Ranks: the larger the circle, the likelier, over draws of the concepts; with few concepts such draws vary "
            f"too little, so the {percent((first.rank_probabilities or (0.0,))[0])} of {first.model} for the first "
            "place sound surer than they are."
        )
        yield _left_out(comparison)
    if _known(comparison):
        yield (
            "Differences: of the first model less the second. The lines are intervals that are not corrected for the "
            "number of pairs; the test decides, not whether a line touches 0."
        )


def _ranked(comparison: ModelComparison) -> list[RankedModel]:
    """The models with chances of ranks."""
    return [model for model in comparison.models if model.rank_probabilities is not None]


def _known(comparison: ModelComparison) -> list[ModelPair]:
    """The pairs whose differences are drawn."""
    known = [pair for pair in comparison.counted_pairs if pair.difference is not None]
    return known if len(known) <= _MOST_DRAWN else []


def _any_difference(pairs: Sequence[ModelPair]) -> bool:
    return any(pair.difference is not None for pair in pairs)


def _reasons(pairs: Sequence[ModelPair], comparison: ModelComparison) -> Iterator[str]:
    """What stands in the way of a verdict, each beside its pairs where it does not hold for all."""
    places = _places(comparison)
    if len(set(places.values())) < len(places):
        places = {}  # numbers that two models share name neither
    whose: dict[Reason, list[str]] = {}
    for pair in pairs:
        for reason in pair.reasons:
            whose.setdefault(reason, []).append(f"{places.get(pair.a, pair.a)} and {places.get(pair.b, pair.b)}")
    for why, of in whose.items():
        yield why.sentence if len(of) == len(pairs) else f"{', '.join(of)}: {why}."


def _places(comparison: ModelComparison) -> dict[str, int]:
    """The rank that each ranked model's value gives it, one for equal values; empty where nothing ranks them."""
    if not _ranked(comparison):
        return {}
    values = [model.value for model in comparison.numbered]
    return {model.model: values.index(model.value) + 1 for model in comparison.numbered}


def _name(model: str, comparison: ModelComparison) -> Cell:
    places = _places(comparison)
    return Cell(model, f"{places.get(model, UNDEFINED)} {model}" if places else model)


def _values(comparison: ModelComparison) -> Table:
    """The models with their values alone."""
    table = _models(comparison)
    shown = ("model", "value", "interval", "dialogues")
    return replace(table, id="values", columns=tuple(column for column in table.columns if column.key in shown))


def _ranks_and_counts(comparison: ModelComparison) -> Iterator[Section]:
    """The chances of each rank, and the counts behind the values."""
    table = _models(comparison)
    ranks = replace(table, columns=(table.columns[0], *_RANK_COLUMNS), caption="")
    blocks = [*([ranks] if _ranked(comparison) else []), *_answered(comparison)]
    if blocks:
        yield detail("ranks", *blocks, title="Ranks and counts")


def _models(comparison: ModelComparison) -> Table:
    ranked = bool(_ranked(comparison))
    unfinished = any(model.dialogues_completed for model in comparison.models)
    columns = (
        Column("model", "model"),
        Column("value", comparison.column, numeric=True, with_ends=True),
        Column("interval", _confidence(comparison), numeric=True, says_ends=True),
        *([_DIALOGUES] if unfinished else []),
        *(_RANK_COLUMNS if ranked else ()),
    )
    rows = tuple(
        {
            "model": _name(model.model, comparison),
            **_value(comparison, model),
            **({"dialogues": _dialogues(model)} if unfinished else {}),
            **(_rank(model) if ranked else {}),
        }
        for model in comparison.models
    )
    among = "" if comparison.among is None else f"{comparison.column}: of the {comparison.among}."
    unranked = "" if ranked else "This is no ranking."
    return Table("standings", columns, rows, caption=" ".join(filter(None, (among, unranked, _left_out(comparison)))))


def _value(comparison: ModelComparison, model: RankedModel) -> dict[str, Cell]:
    """Its value and interval; of a model that is judged unevenly so far, that they can't be told yet."""
    if model.uneven is not None and model.value is not None:
        return {"value": NOT_YET, "interval": text_cell("")}
    return _difference("value", comparison, model.value, model.interval)


def _left_out(comparison: ModelComparison) -> str:
    """How many of the models take no rank, and why; nothing where all do."""
    by_reason: dict[str, list[str]] = {}
    for each in comparison.models:
        if each.unranked:
            by_reason.setdefault(WHY_LEFT_OUT[each.unranked], []).append(each.model)
    why = "; ".join(f"{listed(models, _NAMED)}, {reason}" for reason, models in by_reason.items())
    number = sum(map(len, by_reason.values()))
    are = "is" if number == 1 else "are"
    return f"{number} of {len(comparison.models)} models {are} left out: {why}." if by_reason else ""


_DIALOGUES = Column("dialogues", "dialogues", numeric=True, help="complete, of all that are planned")


def _dialogues(model: RankedModel) -> Cell:
    return text_cell("all" if model.dialogues_completed is None else "{:,} of {:,}".format(*model.dialogues_completed))


_RANK_COLUMNS = (
    Column("expected_rank", "expected rank", numeric=True),
    Column("first", "first", numeric=True, help="how often a model comes first when the concepts are drawn again"),
    Column("last", "last", numeric=True, help="how often it comes last"),
)


def _rank(model: RankedModel) -> dict[str, Cell]:
    chances = model.rank_probabilities
    return {
        "expected_rank": number_cell(model.expected_rank, 1),
        "first": _chance(chances[0] if chances else None),
        "last": _chance(chances[-1] if chances else None),
    }


def _answered(comparison: ModelComparison) -> Iterator[Table]:
    """The counts behind the values, where only some of the answers count."""
    if comparison.among is None:
        return
    rows = (
        (
            _name(model.model, comparison),
            count_cell(model.answered.wrong),
            count_cell(model.answered.of),
            share_cell(model.share_answered),
            number_cell(model.coherence, 2),
        )
        for model in (each.exported for each in comparison.models)
        if model.answered is not None
    )
    heads = ("model", "wrong", f"of {comparison.among}", "answers that claim something", "mean SAS")
    yield plain_table("answered", heads, rows)


def _difference(
    key: str, comparison: ModelComparison, value: float | None, interval: Interval | None
) -> dict[str, Cell]:
    cell = metric_cell(comparison.metric, value)
    return {
        key: cell if interval is None else replace(cell, ends=interval[:2]),
        "interval": text_cell(metric_interval(comparison.metric, interval)),
    }


def _confidence(comparison: ModelComparison) -> str:
    return f"{100 * (1 - comparison.alpha):g} % interval"


def _chance(chance: float | None) -> Cell:
    """As whole percents: a resampled chance of 99.98 % is no certainty, nor one of 0.02 % an impossibility."""
    if chance is None:
        return Cell(None, number(None))
    if 0 < chance < 0.005:
        return Cell(chance, "< 1 %")
    return Cell(chance, "> 99 %" if 0.995 <= chance < 1 else f"{100 * chance:.0f} %")


def _pairs(comparison: ModelComparison) -> Table:
    columns = (
        Column("a", "A"),
        Column("b", "B"),
        Column("verdict", "finding"),
        Column("difference", "A - B", numeric=True, with_ends=True),
        Column(
            "interval",
            _confidence(comparison),
            numeric=True,
            help="of A - B, over concepts; not corrected for the number of pairs",
            says_ends=True,
        ),
        Column("p", "p", numeric=True, help=f"swapping by {comparison.unit} what A and B said"),
        Column("p_holm", "Holm", numeric=True, help=f"p corrected for all pairs; decides at {comparison.alpha:g}"),
        Column(
            "effect",
            "d_z",
            numeric=True,
            help="A - B in standard deviations between concepts, so in another unit than its interval",
        ),
        Column(
            "over",
            "over",
            numeric=True,
            help=f"how often A's score is the higher one ({comparison.superiority_of}; ties half)",
        ),
        Column("turns", "turns", numeric=True, help="asked of both, and scored for both"),
    )
    pairs = comparison.counted_pairs
    turns, concepts = (_span([getattr(pair, name) for pair in pairs]) for name in ("n_cells", "n_concepts"))
    caption = f"Turns that a pair shares: {turns}, concepts: {concepts}."
    return Table("pairs", columns, tuple(_pair(pair, comparison) for pair in pairs), "Every two models", caption)


def _by_verdict(comparison: ModelComparison) -> Iterator[Block]:
    """The pairs, in a table for each kind of verdict where one has a difference, with a legend for all."""
    table = _pairs(comparison)
    columns_shown = [column for column in table.columns if column.key not in ("verdict", "turns")]
    columns = tuple(replace(column, help="") for column in columns_shown)
    for title, (id, belongs) in _GROUPS.items():
        pairs = [pair for pair in comparison.counted_pairs if belongs(pair)]
        if pairs:
            what = title.format("Runs" if comparison.one_model else "Models")
            yield Text(f"{what}: {len(pairs)} of {counted(len(comparison.counted_pairs), 'pair')}", "strong")
            yield Bullets(tuple(_reasons(pairs, comparison)))
            if _any_difference(pairs):
                yield Table(id, columns, tuple(_pair(pair, comparison) for pair in pairs))
    legend = ". ".join(f"{column.label}: {column.help}" for column in columns_shown if column.help)
    yield Text(f"{table.caption} {legend}." if _any_difference(comparison.pairs) else table.caption, "quiet")


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _pair(pair: ModelPair, comparison: ModelComparison) -> dict[str, Cell]:
    return {
        "a": _name(pair.a, comparison),
        "b": _name(pair.b, comparison),
        "verdict": text_cell(pair.verdict, "" if pair.differs else "quiet"),
        **_difference("difference", comparison, pair.difference, pair.interval),
        "p": _p(pair.p),
        "p_holm": _p(pair.p_holm),
        "effect": number_cell(pair.shown_effect, 1),
        "over": _chance(pair.superiority),
        "turns": count_cell(pair.n_cells),
    }


def _p(p: float | None) -> Cell:
    return Cell(p, "< 0.001" if p is not None and p < 0.001 else number(p))


def _ranks(ranked: list[RankedModel], label: str) -> Panel:
    rows = []
    for model in ranked:
        for rank, chance in enumerate(model.rank_probabilities or (), 1):
            if chance > 0:
                summary = f"{model.model}: rank {rank} in {percent(chance)} of draws"
                rows.append({"name": model.model, "rank": rank, "chance": chance, "label": summary})
    likeliest = []
    for model in ranked:
        chances = model.rank_probabilities or ()
        rank = max(range(len(chances)), key=chances.__getitem__)
        likeliest.append(f"{model.model} most often {rank + 1} ({percent(chances[rank])})")
    return panels.ranks(f"Ranks by {label}", rows, f"Chance of each rank by {label}: {'; '.join(likeliest)}.")


def _differences(pairs: list[ModelPair], comparison: ModelComparison, label: str) -> Panel:
    short = shortened((model for pair in pairs for model in (pair.a, pair.b)), _OF_A_PAIR)
    rows = []
    for pair in pairs:
        reach = metric_interval(comparison.metric, pair.interval)
        rows.append(
            {
                "name": f"{short[pair.a]} - {short[pair.b]}",
                "value": pair.difference,
                "low": None if pair.interval is None else pair.interval.low,
                "high": None if pair.interval is None else pair.interval.high,
                "label": f"{pair.a} less {pair.b}: {metric(comparison.metric, pair.difference)}"
                + (f", interval {reach}" if reach else ", no interval")
                + f"; {pair.verdict}",
            }
        )
    apart = sum(pair.differs for pair in pairs)
    summary = f"Differences in {label} of {counted(len(pairs), 'pair')}; separated by the test: {apart}."
    return panels.forest(f"Difference in {label}", rows, summary, zero=True)
