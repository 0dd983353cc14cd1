"""What `voirdire rate` shows of a project: a new one, how far it has come, what was exported and imported."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from voirdire.documents.cells import UNDEFINED, count, plain_table
from voirdire.documents.document import Block, Cell, Document, Text, detail, document, more
from voirdire.documents.messages import note, warning, written
from voirdire.errors import install
from voirdire.raters.flow import needed_of
from voirdire.raters.tasks import task_of
from voirdire.raters.timing import duration
from voirdire.text.counting import counted, listed

if TYPE_CHECKING:
    from pathlib import Path

    from voirdire.raters.exchange import ImportResult, RatingsExport
    from voirdire.raters.flow import PracticeResult
    from voirdire.raters.new_project import ProjectSummary
    from voirdire.raters.progress import Progress, RaterProgress
    from voirdire.raters.records import Settings
    from voirdire.raters.service import Link


_SERVED_BY = ("starlette", "uvicorn")
"""Packages of the extra `web` that `rate serve` needs."""
PLAIN_HTTP = note(
    "what goes over plain HTTP, the secret links too, can be read on the network. Unless you trust that network, serve "
    "at 127.0.0.1 behind a reverse proxy with TLS, and give the proxy's name with --server-name."
)
"""Said where others than this machine can reach the app."""
STOPPED = "Stopped. Whatever a page called saved is in the project."


def status_document(settings: Settings, result: Progress) -> Document:
    """Counts of the project, then a line for each rater."""
    nouns = task_of(settings).nouns
    of = f" of {counted(result.groups, nouns.group)}" if result.groups < result.items else ""
    size = f"{counted(result.items, nouns.item)}{of}"
    names = {each.rater.id: each.rater.name for each in result.raters}
    columns = ("name", "role", "rated", "to rate,\nat most", "per item", "in all", "questions", "practice", "last")
    open_ones = [
        counted(number_of, noun)
        for number_of, noun in ((result.disputes_open, "disagreement"), (result.open_questions, "question"))
        if number_of
    ]
    still = f"; still open: {listed(open_ones)}" if open_ones else ""
    without = f", {result.unlabelled:,} left without a label" if result.unlabelled else ""
    of_items = f"{result.rated:,} of {counted(result.items, nouns.item)}"
    have = f"{of_items} have all their ratings ({result.raters_per_item} each)"
    done = f"{have}, {result.settled:,} settled{without}{still}."
    rated = [
        (each.rater.name, f"{each.rated:,} of {each.rated + each.open + each.may_come:,}")
        for each in result.raters
        if each.rated + each.open + each.may_come
    ]
    short = [plain_table("progress", ("rater", "rated"), rated)] if rated else []
    return document(
        Text(done, "strong"),
        *([] if result.selection is None else [Text(result.selection.sentence)]),
        *(Text(f"{names[each.rater]}: {each.text}", "warn") for each in result.warnings),
        more("Times, practice, questions, and each rater's last answer", *short),
        detail(
            "status",
            Text(f"{settings.title}: task {settings.task}, {size}", "strong"),
            plain_table("status", ("so far", " ", ""), _status(result), numbers=1),
            plain_table("raters", columns, map(_rater, result.raters), numbers=0),
        ),
    )


def next_command(summary: ProjectSummary) -> str:
    """What the organiser does now."""
    return f"voirdire rate serve {shlex.quote(str(summary.path))}"


def project_document(summary: ProjectSummary) -> Document:
    """What was drawn, who rates how much, and what comes next."""
    blocks: list[Block] = [Text(_counts_sentence(summary))]
    if set(summary.strata) != {""}:
        strata = ((stratum or "others", count(drawn)) for stratum, drawn in summary.strata.items())
        blocks.append(plain_table("strata", ("drawn from each kind", ""), strata))
    blocks += map(Text, _workload_sentences(summary))
    blocks += [Text(f"Left out: {each}.", "warn") for each in summary.left_out]
    blocks += [Text(warning(each), "warn") for each in summary.warnings]
    blocks += [Text(note(each)) for each in summary.notes]
    blocks.append(Text(f"{summary.path} holds the raters' links: keep it to yourself."))
    blocks.append(Text(f"Next: {next_command(summary)}"))
    lacking = [package for package in _SERVED_BY if find_spec(package) is None]
    if lacking:
        blocks.append(Text(f"Serving needs {' and '.join(lacking)}: {install('web')}.", "warn"))
    return document(*blocks)


def served_at(project: Path, base: str, links: Iterable[Link]) -> str:
    """Where a project is served, and everybody's link."""
    return f"{project} is served at {base}; Ctrl-C stops it. A link is for one person:\n{link_lines(links)}"


def link_lines(links: Iterable[Link]) -> str:
    """A line for each person's link."""
    return "\n".join(
        f"  {each.name}{'' if each.role == each.name else f' ({each.role})'}: {each.address}" for each in links
    )


def never_served(address: str) -> str:
    """That links assume this address, where nobody has served the project yet."""
    return note(
        f"the project was never served, so these links assume {address}, where voirdire rate serve listens unless it "
        "is told otherwise. If you serve it elsewhere, give that address with --url."
    )


def export_document(result: RatingsExport) -> Document:
    """How much of what was written, and where."""
    words = {"gold": "settled (gold)", "unlabelled": "settled without a label"}
    counts = ", ".join(f"{words.get(name, name)} {number:,}" for name, number in result.manifest["counts"].items())
    return document(Text(f"Exported: {counts}."), *(Text(written(path)) for path in result.files))


def import_document(result: ImportResult) -> Document:
    """How many ratings were added, and what was not."""
    already_there = f" There already: {result.known:,}." if result.known else ""
    people = [f"New raters: {', '.join(result.raters)}."] if result.raters else []
    skipped = [f"Passed over: {why}" for why in result.skipped]
    return document(*map(Text, [f"Ratings added: {result.added:,}.{already_there}", *people, *skipped]))


def _status(result: Progress) -> Iterator[tuple[str, str, str]]:
    counts = {number_of: items for number_of, items in result.by_ratings.items() if items}
    parts = ", ".join(f"{items:,} with {number_of}" for number_of, items in counts.items())
    some = f"; {parts}" if len(counts) > 1 else ""
    yield (
        "rated",
        f"{result.rated:,} of {result.items:,}",
        f"items with {counted(result.raters_per_item, 'rating')}{some}",
    )
    settled = ", ".join(f"{items:,} {name}" for name, items in result.gold.items())
    yield (
        "settled",
        f"{result.settled:,} of {result.items:,}",
        f"agreed or decided (gold){': ' if settled else ''}{settled}",
    )
    if result.unlabelled:
        why = "the adjudicator was not sure, or left it out"
        yield "without a label", f"{result.unlabelled:,} of {result.items:,}", why
    wanting = "raters differ or are unsure: an adjudicator decides"
    nobody = "; no adjudicator yet: add one with rate links --add-adjudicator NAME" if result.nobody_settles else ""
    yield "disagreements open", f"{result.disputes_open:,}", f"{wanting}{nobody}"
    yield "disagreements decided", f"{result.disputes_decided:,}", ""
    moment = result.questions - result.questions_afterwards
    questions = f"of {result.questions:,}: {moment:,} while rating, {result.questions_afterwards:,} afterwards"
    yield "questions open", f"{result.open_questions:,}", questions
    yield "time per item", _span(result.median_seconds), "median, idle time left out"
    yield "time in all", _span(result.seconds), "practice included"
    yield "last answer", _at(result.last_at), "UTC"


def _rater(each: RaterProgress) -> tuple[Cell | str, ...]:
    return (
        each.rater.name,
        each.rater.role,
        count(each.rated),
        count(each.open + each.may_come),
        _span(each.median_seconds),
        _span(each.seconds),
        f"{each.questions}" + (f" ({each.open_questions} open)" if each.open_questions else ""),
        _practice(each.practice),
        _at(each.last_at),
    )


def _practice(practice: PracticeResult | None) -> str:
    if practice is None:
        return "none"
    again = f", try {practice.tries}" if practice.tries > 1 else ""
    if not practice.complete:
        return f"{practice.done} of {practice.asked} done{again}"
    passed = "passed" if practice.passed else "not passed"
    return f"{passed}, {practice.right} of {practice.asked} right{again}"


def _span(seconds: float | None) -> str:
    return UNDEFINED if seconds is None else duration(seconds)


def _at(at: str | None) -> str:
    return "never" if at is None else at[:16].replace("T", " ")


def _counts_sentence(summary: ProjectSummary) -> str:
    nouns = task_of(summary.settings).nouns
    documents = counted(summary.documents, nouns.document)
    if round(summary.stands_for) > summary.documents:
        documents += f" drawn from {summary.stands_for:,.0f}"
    if summary.groups < summary.documents:
        documents += f", of {counted(summary.groups, nouns.group)}"
    items = "" if nouns.document == nouns.item else f", with {counted(summary.items, nouns.item)} to rate"
    return f"{summary.path}: {documents}{items}{_before(summary)}."


def _before(summary: ProjectSummary) -> str:
    if not summary.practice:
        return ""
    all_right = needed_of(summary.practice, summary.settings) == summary.practice
    return f"; before them {counted(summary.practice, 'practice item')}{', all to be right' if all_right else ''}"


def _workload_sentences(summary: ProjectSummary) -> Iterator[str]:
    per_item, adjudicators = summary.settings.raters_per_item, summary.adjudicators
    raters = f"{counted(len(summary.raters), 'rater')} ({', '.join(summary.raters)})"
    items = counted(round(summary.items_per_rater), "item")
    yield f"{raters}, {counted(per_item, 'rating')} per item: about {items} each."
    if summary.calibration:
        yield f"{counted(summary.calibration, 'item')} for calibration: all raters get them, first of all."
    if adjudicators:
        yield f"{counted(len(adjudicators), 'adjudicator')}: {', '.join(adjudicators)}."
    few = round(summary.disagreements or 0)
    if few:
        source = task_of(summary.settings).effort(summary.settings.mode).disagreement.source
        yield f"About {counted(few, 'disagreement is', 'disagreements are')} to be expected ({source})."
    elif summary.disagreements is None:
        yield "How many disagreements to expect is not known for this task: the first pairs of ratings will tell."
