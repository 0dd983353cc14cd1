"""How far a project of raters has come, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table
    from rich.text import Text

    from voirdire.raters.flow import Qualified
    from voirdire.raters.progress import Progress, RaterProgress
    from voirdire.raters.records import Settings


def status(settings: Settings, found: Progress) -> str:
    """Counts of the project, then a line for each rater."""
    from rich.markup import escape

    size = f"{counted(found.items, 'item')} of {counted(found.documents, 'document')}"
    head = f"[bold]{escape(settings.title)}[/]: task {settings.task}, {size}"
    return render(head, *_warnings(found), _project(found), _raters(found))


def _warnings(found: Progress) -> Iterator[Text]:
    from rich.text import Text

    names = {each.rater.id: each.rater.name for each in found.raters}
    for each in found.warnings:
        yield Text(f"! {names[each.rater]}: {each.text}", style="yellow")


def _project(found: Progress) -> Table:
    table = new_table("so far", "", "", numbers=1)
    for name, amount, says in _rows(found):
        table.add_row(name, amount, says)
    return table


def _rows(found: Progress) -> Iterator[tuple[str, str, str]]:
    wanted = found.raters_per_item
    some = ", ".join(f"{items:,} with {count}" for count, items in found.by_ratings.items() if items)
    yield "rated", _share(found.rated, found.items), f"items with {counted(wanted, 'rating')}; {some}"
    how = ", ".join(f"{items:,} {name}" for name, items in found.gold.items())
    yield "settled", _share(found.settled, found.items), f"gold ratings: {how}" if how else "gold ratings"
    yield "disagreements open", f"{found.disputes_open:,}", "want an adjudicator"
    yield "disagreements decided", f"{found.disputes_decided:,}", ""
    moment = found.questions - found.questions_afterwards
    said = f"of {found.questions:,}: {moment:,} in the moment, {found.questions_afterwards:,} afterwards"
    yield "questions open", f"{found.open_questions:,}", said
    yield "time per item", _span(found.median_seconds), "median, idle time left out"
    yield "time in all", _span(found.seconds), "practice included"
    yield "last answer", _at(found.last_at), "UTC"


def _raters(found: Progress) -> Table:
    columns = ("role", "rated", "in hand", "per item", "in all", "questions", "practice", "last")
    table = new_table("name", *columns, numbers=0)
    for each in found.raters:
        table.add_row(*_line(each))
    return table


def _line(each: RaterProgress) -> tuple[str | Text, ...]:
    questions = f"{each.questions}" + (f" ({each.open_questions} open)" if each.open_questions else "")
    from rich.text import Text

    return (
        Text(each.rater.name),
        each.rater.role,
        f"{each.rated:,}",
        f"{each.open:,}",
        _span(each.median_seconds),
        _span(each.seconds),
        questions,
        _practice(each.practice),
        _at(each.last_at),
    )


def _practice(practice: Qualified | None) -> str:
    if practice is None:
        return "none"
    again = f", try {practice.tries}" if practice.tries > 1 else ""
    if not practice.complete:
        return f"{practice.done} of {practice.asked} done{again}"
    passed = "passed" if practice.passed else "not passed"
    return f"{passed}, {practice.right} of {practice.asked} right{again}"


def _share(count: int, of: int) -> str:
    return f"{count:,} of {of:,}"


def _span(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _at(at: str | None) -> str:
    return "never" if at is None else at[:16].replace("T", " ")
