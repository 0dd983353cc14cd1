"""A run's progress in words: a line for a log, rows for a terminal, a table for a notebook. Figures are never cut."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from voirdire.runs.progress_tally import ProgressRow, Tally
from voirdire.text.counting import counted
from voirdire.text.money import dollars
from voirdire.text.shortening import shortened
from voirdire.text.terminal import inert

_LEAST_NAME = 10
"""Characters of a model's name that must find room beside its figures; else it gets a line of its own."""
_ALWAYS = ("calls", "running", "retries", "cost", "left")


def summary(tally: Tally) -> str:
    """Dialogues that are done, what was not usable, what came from a cache, and tokens, on one line.

    The share of the calls stands behind the dialogues: side by side, all of them may end with the last calls.
    """
    totals, total = tally.totals, tally.total()
    failed = f", {tally.failed:,} of them failed" if tally.failed else ""
    under_way = total.expected and total.answered and tally.done < tally.dialogues
    return " · ".join(
        [
            f"{tally.done:,} of {tally.dialogues:,} {tally.unit} done{failed}",
            *([f"{int(100 * tally.share_done)} % of all calls done"] if under_way else []),
            *([f"{counted(tally.unusable, 'reply', 'replies')} unusable"] if tally.unusable else []),
            *([f"{counted(totals.cached, 'reply', 'replies')} from the cache"] if totals.cached else []),
            f"{counted(totals.input_tokens, 'token')} in, {totals.output_tokens:,} out",
        ]
    )


def log_line(tally: Tally) -> str:
    """All of it on one line: the run, then each model where there are several."""
    total, rows = tally.total(), tally.rows()
    each = [f"{row.name}: {', '.join(_facts(row))}" for row in rows] if len(rows) > 1 else []
    return inert(" | ".join([" · ".join([summary(tally), *_facts(total)]), *each]))


def table_lines(tally: Tally, width: int, most: int | None = None) -> list[str]:
    """A heading, a row for each model and one for all of them.

    Args:
        tally: what there is to show.
        width: columns of the terminal. Names are shortened to fit; figures never are.
        most: models at most; those that are not done come first, and the last line says how many are left out.
    """
    rows = tally.rows()
    shown = rows if most is None or len(rows) <= most else sorted(rows, key=_is_done)[: max(most, 1)]
    figures = [*shown, tally.total()]
    heads = _heads(figures)
    cells = [[_cell(name, row) for name in heads] for row in figures]
    widths = [max(len(head), *(len(row[at]) for row in cells)) for at, head in enumerate(heads)]
    for gap in (2, 1):
        room = width - 1 - sum(widths) - gap * len(widths)
        if room >= min(_LEAST_NAME, max(len(row.name) for row in figures)):
            lines = _one_line_each(figures, heads, cells, widths, room, gap)
            break
    else:
        lines = _two_lines_each(figures, heads, cells, width)
    left_out = len(rows) - len(shown)
    return [*lines, f" and {counted(left_out, 'more model')}, in the total"] if left_out else lines


def html_table(tally: Tally) -> str:
    """For a notebook: the same as `log_line`, with a row for each model."""
    figures = [*tally.rows(), tally.total()]
    heads = _heads(figures)
    rows = [[inert(row.name), *(_cell(name, row) for name in heads)] for row in figures]
    head = "".join(f"<th>{name}</th>" for name in ("model", *heads))
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f"<div>{escape(inert(summary(tally)))}</div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _heads(figures: Sequence[ProgressRow]) -> list[str]:
    """The columns: those that are mostly empty stand only where they have something to say."""
    waits = ["waiting"] if any(row.wait_seconds for row in figures) else []
    limits = ["limit"] if any(row.at_once for row in figures) else []
    failed = ["failed"] if any(row.failed for row in figures) else []
    return [*_ALWAYS[:2], *waits, *limits, _ALWAYS[2], *failed, *_ALWAYS[3:]]


def _cell(head: str, row: ProgressRow) -> str:
    if head == "calls":
        return _calls(row)
    if head == "waiting":
        return f"{row.waiting:,}, {brief(row.wait_seconds)}" if row.wait_seconds else ""
    if head == "limit":
        return f"{row.at_once:,} at once" if row.at_once else ""
    if head == "cost":
        return _money(row)
    if head == "left":
        return brief(row.seconds_left) if row.seconds_left else ""
    return f"{ {'running': row.in_flight, 'retries': row.retries, 'failed': row.failed}[head]:,}"


def _facts(row: ProgressRow) -> list[str]:
    """The figures of a row in words; what is 0 and need not be is left out."""
    left = [f"{brief(row.seconds_left)} left"] if row.seconds_left else []
    running = f"{row.in_flight:,} running{'' if row.answered else ', no answer yet'}"
    expected = "" if row.expected is None else f" of {'about ' if row.estimated else ''}{row.expected:,}"
    waits = [f"{row.waiting:,} waiting for up to {brief(row.wait_seconds)}"] if row.wait_seconds else []
    refused = f"after {counted(row.rate_limits, 'rate limit')}"
    limits = [f"at most {row.at_once:,} at once {refused}"] if row.at_once else []
    return [
        f"{row.answered:,}{expected} {'call' if (row.expected or row.answered) == 1 else 'calls'}",
        *([running] if row.in_flight else []),
        *waits,
        *limits,
        *([counted(row.retries, "retry", "retries")] if row.retries else []),
        *([f"{row.failed:,} failed"] if row.failed else []),
        _money(row),
        *left,
    ]


def _calls(row: ProgressRow) -> str:
    if row.expected is None:
        return f"{row.answered:,}"
    return f"{row.answered:,}/{'~' if row.estimated else ''}{row.expected:,}"


def _money(row: ProgressRow) -> str:
    if row.unknown_price and not row.cost_usd:
        return "unknown"
    return f"{dollars(row.cost_usd)}{' and more' if row.unknown_price else ''}"


def brief(seconds: float) -> str:
    """A time as a table has room for it: "34 s", "12 min", "2.5 h"."""
    if seconds < 119.5:
        return f"{max(1, round(seconds))} s"
    if seconds < 119.5 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:,.1f} h"


def _is_done(row: ProgressRow) -> bool:
    return row.expected is not None and row.answered >= row.expected and not row.in_flight


def _one_line_each(
    figures: Sequence[ProgressRow],
    heads: Sequence[str],
    cells: Sequence[Sequence[str]],
    widths: Sequence[int],
    room: int,
    gap: int,
) -> list[str]:
    names = _names(figures, room)
    longest = max(len("model"), *map(len, names))
    rows = zip(["model", *names], [heads, *cells], strict=True)
    return [
        " "
        + name.ljust(longest)
        + "".join(" " * gap + cell.rjust(size) for cell, size in zip(row, widths, strict=True))
        for name, row in rows
    ]


def _two_lines_each(
    figures: Sequence[ProgressRow], heads: Sequence[str], cells: Sequence[Sequence[str]], width: int
) -> list[str]:
    """Where there is no room for a table: a name, and its figures with their names below it."""
    lines = []
    for name, row in zip(_names(figures, width - 1), cells, strict=True):
        lines.append(f" {name}")
        line = "  "
        for head, cell in zip(heads, row, strict=True):
            part = f" {head} {cell}" if cell else ""
            if len(line) + len(part) > width:
                lines.append(line)
                line = "  "
            line += part
        lines.append(line)
    return lines


def _names(figures: Sequence[ProgressRow], room: int) -> list[str]:
    """Whole where they fit, else shortened: different models keep different names."""
    *models, total = (inert(row.name) for row in figures)
    short = shortened(models, room)
    mixed = [name if len(name) <= room else short[name] for name in models]
    return [*(mixed if len(set(mixed)) == len(short) else (short[name] for name in models)), total]
