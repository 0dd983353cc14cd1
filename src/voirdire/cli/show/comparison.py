"""A comparison of models as text: ranks, then pairs by verdict, then what must be said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import ends, figure, new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from voirdire.ddft.analysis.comparing.compare import Comparison, Pair, Standing

_UNDEFINED = "–"

_SECTIONS = (
    ("{} that differ", ("A is higher", "B is higher")),
    ("Indistinguishable", ("indistinguishable",)),
    ("Cannot be decided", ("cannot be decided",)),
)


def comparison(found: Comparison) -> str:
    """A comparison of models."""
    from rich.text import Text

    parts: list[RenderableType] = remarks([*found.cautions, *found.unsound])
    parts += [Text(found.summary, style="bold"), "", _models(found), *_answered(found)]
    for title, verdicts in _SECTIONS:
        pairs = [pair for pair in found.pairs if pair.verdict in verdicts]
        if pairs:
            what = title.format("Runs" if found.one_model else "Models")
            tally = f"{what}: {len(pairs)} of {counted(len(found.pairs), 'pair')}"
            parts += [Text(tally, style="bold"), *_why(pairs, found)]
            parts.append(_pairs(pairs, found))
    parts.append(Text(_legend(found), style="dim"))
    parts += [Text(f"· {note}", style="dim") for note in found.notes]
    return render(*parts)


def _models(found: Comparison) -> Table:
    table = new_table("model", found.column, _confidence(found), "expected rank", "first", "last")
    for name, model in zip(_labels(found).values(), found.models, strict=True):
        table.add_row(
            name,
            _UNDEFINED if model.value is None else figure(found.metric, model.value),
            ends(found.metric, model.interval),
            _UNDEFINED if model.expected_rank is None else f"{model.expected_rank:.1f}",
            _chance(model, 0),
            _chance(model, -1),
        )
    return _named(table, names=1)


def _answered(found: Comparison) -> list[RenderableType]:
    """The counts behind the values, where only some of the answers count."""
    if found.among is None:
        return []
    table = new_table("model", "wrong", f"of {found.among}", "answers that claim something", "mean SAS")
    for name, model in zip(_labels(found).values(), found.models, strict=True):
        answers = model.answered
        if answers is not None:
            table.add_row(
                name,
                f"{answers.wrong:,}",
                f"{answers.of:,}",
                _percent(model.share_answered),
                _UNDEFINED if model.coherence is None else f"{model.coherence:.2f}",
            )
    return [_named(table, names=1)]


def _percent(share: float | None) -> str:
    return _UNDEFINED if share is None else f"{100 * share:.1f} %"


def _labels(found: Comparison) -> dict[str, Text]:
    """Numbered names."""
    from rich.text import Text

    return {model.model: Text(f"{number} {model.model}") for number, model in enumerate(found.models, 1)}


def _named(table: Table, names: int) -> Table:
    """A table whose first columns hold names."""
    for column in table.columns[:names]:
        column.justify = "left"
    return table


def _chance(model: Standing, rank: int) -> str:
    if model.rank_probabilities is None:
        return _UNDEFINED
    percent = 100 * model.rank_probabilities[rank]
    return f"{percent:.0f} %" if percent >= 0.5 or percent == 0 else "< 1 %"


def _why(pairs: Sequence[Pair], found: Comparison) -> list[RenderableType]:
    """The reasons that stand in the way of a verdict, each beside its pairs where they do not hold for all."""
    from rich.text import Text

    numbers = {model.model: number for number, model in enumerate(found.models, 1)}
    whose: dict[str, list[str]] = {}
    for pair in pairs:
        for reason in pair.reasons:
            whose.setdefault(reason, []).append(f"{numbers[pair.a]} and {numbers[pair.b]}")
    return [
        Text(f"  {reason}" if len(of) == len(pairs) else f"  {', '.join(of)}: {reason}") for reason, of in whose.items()
    ]


def _pairs(pairs: Sequence[Pair], found: Comparison) -> Table:
    table = new_table("A", "B", "A - B", _confidence(found), "p", "Holm", "d_z", "over")
    labels = _labels(found)
    for pair in pairs:
        table.add_row(
            labels[pair.a],
            labels[pair.b],
            _UNDEFINED if pair.difference is None else figure(found.metric, pair.difference),
            ends(found.metric, pair.interval),
            _p(pair.p),
            _p(pair.p_holm),
            _UNDEFINED if pair.effect_size is None else f"{pair.effect_size:.1f}",
            _UNDEFINED if pair.superiority is None else f"{100 * pair.superiority:.0f} %",
        )
    return _named(table, names=2)


def _p(p: float | None) -> str:
    return _UNDEFINED if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _confidence(found: Comparison) -> str:
    return f"{100 * (1 - found.alpha):g} % interval"


def _legend(found: Comparison) -> str:
    cells, concepts = (_span([getattr(pair, name) for pair in found.pairs]) for name in ("n_cells", "n_concepts"))
    what = "" if found.among is None else f"{found.column}: of the {found.among}. "
    return (
        f"{what}first, last: the chance of that rank, over draws of the concepts. Turns that a pair shares: {cells}, "
        f"concepts: {concepts}. p: swapping by {found.unit} what A and B said; Holm: corrected for all pairs, decides "
        f"at {found.alpha:g}. Intervals are not corrected. d_z: A - B in standard deviations between concepts. over: "
        f"how often A's score is the higher one ({found.superiority_of}; ties half)."
    )


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
