"""An audit as a document: the sentence that concludes, then each evaluation with its ranks and checks, then items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from voirdire.documents.document import Block, Bullets, Document, Section, Table, Text, hint
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import Check, Status
from voirdire.evaluation.checks.check import MOST_QUOTES
from voirdire.evaluation.comparison import EvaluationComparison
from voirdire.evaluation.formats import Unread
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.report.cautions import directions, doubts, joined_files, not_read
from voirdire.evaluation.report.checks import TONES, by_gravity, evidence, table
from voirdire.evaluation.report.items import USUAL_ITEMS, how_many, items_of
from voirdire.evaluation.report.ranks import ranks
from voirdire.evaluation.report.verdict import conclusion
from voirdire.text.counting import counted, listed

_FIGURES = 4
"""Checks whose figure the first screen gives: with the best model's score and interval, seven numbers."""
_MOST_NAMED = 12
_MOST_PLACES = 2
_TITLES: Mapping[Status, str] = {"fail": "Failing", "warn": "Warnings"}
_TITLE = "Audit of an evaluation"
_Part = tuple[Evaluation, EvaluationComparison, list[Check]]


def audit_document(audit: Audit, items: int = USUAL_ITEMS) -> Document:
    """The whole report.

    Args:
        audit: what was found.
        items: how many items can be read in it; 0 for none.
    """
    parts = _parts(audit)
    several = len(parts) > 1
    verdict = (
        Text(conclusion(audit), "strong"),
        *joined_files(audit.evaluations),
        *directions(audit.evaluations),
        *doubts(audit.evaluations),
        *_gravest(audit, several=several),
    )
    sections = [Section("verdict", "The verdict", verdict)]
    for place, part in enumerate(parts, start=1):
        sections.append(
            Section(f"evaluation-{place}", part[0].name, tuple(_evaluation(*part, place)), detail=several and place > 1)
        )
    readings = items_of(audit, items)
    if readings is not None:
        about = Text(how_many(audit, len(readings.readings)), "quiet")
        sections.append(Section("items", "Items", (about, readings)))
    sections.append(Section("files", "What was read", tuple(_files(audit)), detail=True))
    return Document(_TITLE, _subtitle(audit), tuple(sections), data=audit.as_dict())


def brief_document(audit: Audit) -> Document:
    """What a terminal shows: the sentence, the gravest checks, at most seven numbers; all else is a detail."""
    whole = audit_document(audit, items=0)
    several = len(audit.evaluations) > 1
    first = Section("verdict", "", (Text(conclusion(audit), "strong"), *_brief(audit, several=several)))
    details = (
        Section(each.id, each.title, _without_charts(each.blocks), detail=True)
        for each in whole.sections
        if each.id != "verdict"
    )
    return Document(_TITLE, whole.subtitle, (first, *details), data=whole.data)


def _without_charts(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """In a terminal the table below a chart says the same."""
    return tuple(block for block in blocks if isinstance(block, Text | Table | Bullets))


def _parts(audit: Audit) -> list[_Part]:
    """Evaluations with what was found in each, those of most models and items first."""
    checks: dict[str, list[Check]] = defaultdict(list)
    for check in audit.checks:
        checks[check.evaluation].append(check)
    result = zip(audit.evaluations, audit.comparisons, strict=True)
    parts = [(each, compared, checks[each.name]) for each, compared in result]
    return sorted(parts, key=lambda part: (-len(part[1].placed), -len(part[0].items)))


def _evaluation(
    evaluation: Evaluation, comparison: EvaluationComparison, checks: list[Check], place: int
) -> Iterator[Block]:
    yield from ranks(evaluation, comparison, place)
    if evaluation.has("score") or len(evaluation.rows):
        yield from evidence(checks)
        yield table(checks, place)


def _gravest(audit: Audit, *, several: bool) -> Iterator[Block]:
    """Which checks fail and which warn, each with where."""
    for status, title in _TITLES.items():
        where: dict[str, list[str]] = defaultdict(list)
        for check in audit.checks:
            if check.status == status:
                where[check.id].append(check.evaluation)
        names = [f"{id} ({listed(own, _MOST_PLACES)})" if several else id for id, own in where.items()]
        if names:
            yield Text(f"{title}: {'; '.join(names)}.", TONES[status])


def _brief(audit: Audit, *, several: bool) -> Iterator[Block]:
    yield from joined_files(audit.evaluations)
    yield from directions(audit.evaluations)
    compared = next((part[1] for part in _parts(audit) if len(part[1].placed) > 1), None)
    if compared is not None:
        best, where = compared.placed[0], f" in {compared.evaluation}" if several else ""
        interval = best.headline.interval
        ends = "" if interval is None else f" ({interval.low:.3f} to {interval.high:.3f})"
        tied = [each.model for each in compared.placed if each.headline.value == best.headline.value]
        who = f"{listed(tied, _MOST_PLACES)} tie at" if len(tied) > 1 else f"{best.model},"
        yield Text(f"Best mean{where}: {who} {best.headline.value:.3f}{ends}.")
    grave = [check for check in by_gravity(audit.checks) if check.status == "fail"]
    for check in islice((each for each in grave if each.value is not None), _FIGURES):
        name = _name(check, several=several)
        whose = f" ({listed(check.models, _MOST_PLACES)})" if check.models else ""
        fails = f"{name} fails: {check.finding}{whose}."
        if len(check.quotes) > MOST_QUOTES:
            yield hint(f"{fails} ", f" quotes all {len(check.quotes):,}.", TONES["fail"])
        else:
            yield Text(fails, TONES["fail"])
    shown = {id(each) for each in islice((each for each in grave if each.value is not None), _FIGURES)}
    rest = [_name(each, several=several) for each in grave if id(each) not in shown]
    if rest:
        yield Text(f"Also failing: {listed(rest)}.", TONES["fail"])
    warned = list(dict.fromkeys(each.id for each in audit.checks if each.status == "warn"))
    if warned:
        yield Text(f"Warnings: {listed(warned)}.", TONES["warn"])
    yield from doubts(audit.evaluations)
    blind = len(audit.checks) - len(audit.made)
    if blind:
        others = counted(blind, "other check", "other checks")
        yield hint(f"{others} can't be made here; ", f" says what {'it lacks' if blind == 1 else 'they lack'}.")
    yield from not_read(audit.unread)


def _name(check: Check, *, several: bool) -> str:
    return f"{check.id} ({check.evaluation})" if several else check.id


def _files(audit: Audit) -> Iterator[Block]:
    for each in audit.evaluations:
        size = f"{counted(len(each.files), 'file')}, {counted(len(each.rows), 'row')}"
        yield Text(f"{each.name}: {each.format}, {size}; a score is {each.metric}.")
        if each.notes:
            yield Bullets(tuple(note.sentence for note in each.notes))
    if audit.unread:
        yield Text(f"Not read: {counted(len(audit.unread), 'file')}.")
        yield Bullets(tuple(_unread(audit.unread)))


def _unread(unread: Sequence[Unread]) -> Iterator[str]:
    """Damaged files one by one; those that are no results together."""
    for each in unread:
        if each.why_not:
            yield each.why_not
    others = [str(each.path) for each in unread if not each.why_not]
    if others:
        yield f"No results: {listed(others, _MOST_NAMED)}."


def _subtitle(audit: Audit) -> str:
    models = len({model for each in audit.evaluations for model in each.models})
    items = sum(len(each.items) for each in audit.evaluations)
    return ", ".join((counted(len(audit.evaluations), "evaluation"), counted(models, "model"), counted(items, "item")))
