"""The benchmark of detectors as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.detectors import left_out, never_flagged
from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.cognibench.bench_records import Bench, Row
    from voirdire.stats import Interval

_NONE = "–"
_FEW_GROUPS = 10
_ALARMS = ("faithful", "reliable", "irrefutable", "speculative", "irrelevant")


def bench(found: Bench) -> str:
    """Detectors beside the baselines, and how far to trust the figures."""
    settings = found.settings
    parts: list[RenderableType] = remarks(_remarks(found))
    parts.append(
        f"{counted(found.n_statements, 'labelled statement')} in {counted(found.n_answers, 'answer')} "
        f"of {counted(found.n_dialogues, 'dialogue')} "
        f"on {counted(found.n_groups, 'context')};\n{found.hallucinated_words:.1%} of the words are hallucinated "
        f"(required: {settings.require}; history: {settings.history})."
        + (f" Left out, because prompts show them: {counted(found.n_excluded, 'answer')}." if found.n_excluded else "")
        + (f"\n{never_flagged(found.n_small_talk)}" if found.n_small_talk else "")
        + (f"\n{left_out(found.n_header_rows)}" if found.n_header_rows else "")
    )
    parts += [f"\n[bold]F1[/], in words, with the 95 % interval of the overall one ({settings.method} over contexts)"]
    parts += [
        _main(found),
        *_undefined(found),
        "[bold]By type[/] of statement: its label's, and F1 by the predicted one",
        _types(found),
    ]
    parts += ["[bold]False alarms[/]: share of the words flagged in statements that are no hallucination"]
    parts += [_alarms(found)]
    if any(row.contradiction for row in found.rows):
        parts += ["[bold]Contradictions[/]: share flagged of faithful statements with one thing changed"]
        parts += [_contradictions(found), *_without_cases(found)]
    if found.pairs:
        parts += ["[bold]Is one better?[/] Differences of overall F1 on the same statements", _differences(found)]
    return render(*parts)


def _remarks(found: Bench) -> list[str]:
    everything = found.row("everything").figures
    said = [
        f"Flagging every sentence has an overall F1 of {_number(everything['overall'].score.f1)} "
        f"(factual {_number(everything['factual'].score.f1)}, cognitive {_number(everything['cognitive'].score.f1)}): "
        "a detector is worth what it has beyond the baselines."
    ]
    for name, why in found.skipped.items():
        said.append(f"{name} is left out: it can't be cross-validated on these labels. {why}")
    for row in found.rows:
        if row.in_sample:
            said.append(
                f"{row.name} is IN-SAMPLE: it saw {row.trained_on:,} of {counted(found.n_answers, 'answer')}. "
                f"{_way(row)}"
            )
        if row.source == "out-of-fold":
            said.append(f"{row.name}: out of fold. Its speed and contradictions are those of the model as opened.")
        if row.missing:
            said.append(f"{row.name}: {counted(row.missing, 'statement')} without a score, taken as not flagged.")
    if found.n_groups < _FEW_GROUPS:
        said.append(f"Few contexts ({found.n_groups}): intervals are wide, and uncertain themselves.")
    return said


def _way(row: Row) -> str:
    """What an in-sample row means, and whether there is a way out."""
    what = "Its figures, and those by predicted type, are" if row.name == "type" else "Its figures are"
    way = "; --cross-validate gives fair ones" if row.name in ("type", "lexical-learned") else ""
    return f"{what} too good{way}."


def _main(found: Bench) -> RenderableType:
    def cells(row: Row) -> list[str]:
        overall = row.figures["overall"]
        rest = [row.figures[name].score.f1 for name in ("macro", "factual", "cognitive")]
        return [
            _number(overall.score.f1),
            _ends(overall.interval),
            *map(_number, (overall.score.precision, overall.score.recall, *rest)),
        ]

    return _table(found, ("overall", "interval", "precision", "recall", "macro", "factual", "cognitive"), cells)


def _types(found: Bench) -> RenderableType:
    def cells(row: Row) -> list[str]:
        scores = [row.figures[name].score for name in ("factual", "cognitive")]
        predicted = [row.by_predicted[name].score.f1 for name in ("macro", "factual", "cognitive") if row.by_predicted]
        return [_number(value) for score in scores for value in (score.precision, score.recall)] + (
            [_number(value) for value in predicted] or [_NONE] * 3
        )

    heads = ("factual\nprecision", "\nrecall", "cognitive\nprecision", "\nrecall")
    return _table(found, (*heads, "predicted\nmacro", "\nfactual", "\ncognitive"), cells)


def _alarms(found: Bench) -> RenderableType:
    shown = [label for label in _ALARMS if label in found.rows[0].false_alarms]

    def cells(row: Row) -> list[str]:
        speed = _NONE if row.sentences_per_s is None else f"{row.sentences_per_s:,.3g}"
        if row.sentences_per_s is not None and row.sentences_per_s >= 1000:
            speed = f"{row.sentences_per_s:,.0f}"
        return [*(_percent(row.false_alarms[label]) for label in shown), speed]  # type: ignore[index]

    counts = [f"{label}\n({found.labels.get(label, 0):,})" for label in shown]  # type: ignore[call-overload]
    return _table(found, (*counts, "sentences\nper second"), cells)


def _contradictions(found: Bench) -> RenderableType:
    kinds = next(list(row.contradiction) for row in found.rows if row.contradiction)

    def cells(row: Row) -> list[str]:
        rates = row.contradiction or {}
        return [*(_percent(rates.get(kind)) for kind in kinds), _percent(row.controls)]

    return _table(found, (*kinds, "untouched"), cells)


def _undefined(found: Bench) -> list[RenderableType]:
    """What a dash means, where there is one."""
    values = (value for row in found.rows for figure in row.figures.values() for value in figure.score)
    if all(value is not None for value in values):
        return []
    return [f"{_NONE}: nothing to count: nothing is flagged, or no statement of the kind is hallucinated or flagged.\n"]


def _without_cases(found: Bench) -> list[RenderableType]:
    """The kinds of contradiction of which these answers give no case."""
    rates = next(row.contradiction for row in found.rows if row.contradiction)
    lacking = [kind for kind, rate in rates.items() if rate is None]
    return [f"{_NONE}: no faithful statement has a {' or '.join(lacking)} to change.\n"] if lacking else []


def _differences(found: Bench) -> RenderableType:
    """Named detectors against one another and against the best baseline."""
    from rich.markup import escape

    best = max((row for row in found.rows if row.baseline), key=lambda row: row.figures["overall"].score.f1 or 0.0).name
    baselines = {row.name for row in found.rows if row.baseline} - {best}
    table = new_table("", "difference", "interval", "verdict", numbers=2)
    for pair in found.pairs:
        if pair.other in baselines:
            continue
        difference, interval = pair.figures["overall"]
        verdict = "not settled by these data"
        if interval is not None and not interval.low <= 0 <= interval.high:
            verdict = "better" if interval.low > 0 else "worse"
        table.add_row(
            escape(f"{pair.one} − {pair.other}"),
            _NONE if difference is None else f"{round(difference, 3) + 0.0:+.3f}",  # no -0.000
            _NONE if interval is None else f"{interval.low:+.3f} to {interval.high:+.3f}",
            verdict,
        )
    return table


def _table(found: Bench, heads: Sequence[str], cells: Callable[[Row], list[str]]) -> RenderableType:
    from rich.markup import escape

    table = new_table("", *heads)
    detectors = [row for row in found.rows if not row.baseline]
    for row in detectors:
        table.add_row(escape(row.name), *cells(row))
    if detectors:
        table.add_section()
    for row in found.rows:
        if row.baseline:
            table.add_row(f"[dim]{escape(row.name)}[/]", *(f"[dim]{cell}[/]" for cell in cells(row)))
    return table


def _number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.3f}"


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{value:.0%}"


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"
