"""What a detector flags, as text."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import Painted, render
from voirdire.cognibench.detection import COMPARED, Count, Detected, Finding
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.text import Text

_EVERY = 5.0
"""Seconds between two lines of progress, where no terminal shows a live one."""


def flagged(detected: Detected) -> str:
    """An answer's flagged sentences, each with its score and the reasons."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    found = detected.flagged
    asked = " ".join(detected.answer.question.split())
    head = Text.assemble(
        (detected.answer.id, "bold"),
        f": {len(found)} of {counted(detected.statements, 'sentence')} flagged",
        (f"  {asked}" if asked else "", "dim"),
        overflow="ellipsis",
        no_wrap=True,
    )
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for each in found:
        table.add_row(Text(_score(each), style="yellow"), _sentence(each))
    shown = render(head, Padding(table, (0, 0, 1, 2), expand=False))
    return Painted("\n".join(line.rstrip() for line in shown.split("\n")))  # tables are padded to their width


def summary(count: Count, detector: str, threshold: float, printed: int | None) -> str:
    """What was seen in all.

    Args:
        count: over all answers.
        detector: its name.
        threshold: that was used.
        printed: how many answers with flagged sentences were; `None` if they stand elsewhere.
    """
    lines = [
        f"{counted(count.answers, 'answer')}, {counted(count.scored, 'sentence')}: "
        f"{count.flagged:,} flagged ({100 * count.share:.1f} %), in {counted(count.answers_flagged, 'answer')}, "
        f"by {detector} at a score of {threshold:g} or more."
        if count.share is not None
        else f"{counted(count.answers, 'answer')}: no sentence was checked."
    ]
    if count.unscored:
        lines.append(unscored(count))
    if count.small_talk:
        lines.append(
            f"Not checked: {counted(count.small_talk, 'sentence')} without a claim "
            "(greetings, refusals, offers of help)."
        )
    if count.header_rows:
        lines.append(f"Not checked: {counted(count.header_rows, 'header row')} of tables.")
    if count.no_context:
        lines.append(f"Not checked: {counted(count.no_context, 'sentence')} of answers without a context.")
    if count.other_script:
        lines.append(
            f"Not checked: {counted(count.other_script, 'sentence')} in scripts that {detector} "
            "can't compare, since no space separates their words."
        )
    if count.cut:
        longer = counted(count.cut, "sentence")
        lines.append(f"Of {longer} longer than {COMPARED:,} characters, only so many were compared.")
    if count.unplaced:
        lines.append(f"Texts that the detector listed and that stand in no sentence: {count.unplaced:,}.")
    if count.empty:
        lines.append(f"{counted(count.empty, 'answer')} without a sentence.")
    if printed is not None and printed < count.answers_flagged:
        lines.append(
            f"{counted(count.answers_flagged - printed, 'more answer')} with flagged sentences: "
            f"--show {count.answers_flagged} prints them, -o OUT.jsonl writes all."
        )
    return "\n".join(lines)


def unscored(count: Count) -> str:
    """How many sentences the detector should have scored and could not, and why the first of them has no score."""
    why = f" The first reason: {count.fault.rstrip('.')}." if count.fault else ""
    return f"Without a score: {count.unscored:,} of {counted(count.statements, 'sentence')} to be checked.{why}"


def over(count: Count, limit: float) -> str:
    """That a larger share is flagged than allowed, with as many decimals as it takes to see it.

    Args:
        count: over all answers; its share is above `limit`.
        limit: the share that is allowed.
    """
    share = 100 * (count.share or 0.0)
    decimals = next((digits for digits in range(1, 9) if round(share, digits) > 100 * limit), 9)
    return (
        f"Too many sentences are flagged: {count.flagged:,} of {count.scored:,}, which is {share:.{decimals}f} %, "
        f"and --max-flagged is {100 * limit:g} %."
    )


@contextmanager
def progress() -> Iterator[Callable[[Count], None]]:
    """How far it is, on stderr: a live line where nothing else is printed to the terminal, a plain one else."""
    if sys.stderr.isatty() and not sys.stdout.isatty():
        from rich.console import Console
        from rich.status import Status

        with Status("", console=Console(stderr=True)) as status:
            yield lambda count: status.update(_so_far(count))
        return
    due = time.monotonic() + _EVERY

    def tell(count: Count) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + _EVERY
            sys.stderr.write(f"{_so_far(count)} …\n")

    yield tell


def _so_far(count: Count) -> str:
    return f"{counted(count.answers, 'answer')}, {counted(count.statements, 'sentence')}, {count.flagged:,} flagged"


def _score(finding: Finding) -> str:
    return "" if finding.score is None else f"{finding.score:.2f}"


def _sentence(finding: Finding) -> Text:
    from rich.text import Text

    said = Text(" ".join(finding.statement.text.split()))
    for reason in finding.reasons:
        said.append(f"\n{reason}", style="dim")
    return said
