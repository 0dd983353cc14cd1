"""An audit as a document: the sentence that concludes, ranks, checks by gravity, what was read."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.documents.cells import count, number, text
from voirdire.documents.document import Block, Bullets, Cell, Column, Document, Section, Table, Text, Tone
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import Check, Status, messages
from voirdire.evaluation.comparison import Comparison, Placed
from voirdire.text.counting import counted, listed

_MOST_MODELS = 6
_TONES: dict[Status, Tone] = {"fail": "bad", "warn": "warn", "not_measured": "quiet", "pass": "good"}
_VERBS: dict[Status, str] = {"fail": "fails", "warn": "warns", "not_measured": "is not measured", "pass": "passes"}
_RANKS = (
    Column("places", "Places"),
    Column("model", "Model"),
    Column("score", "Score", numeric=True),
    Column("low", "95 % from", numeric=True),
    Column("high", "to", numeric=True),
    Column("se", "Standard error", numeric=True),
    Column("n", "Items", numeric=True),
)
_ADJUSTED = (Column("adjusted", "At equal length", numeric=True), Column("adjusted_place", "Its place", numeric=True))
_CHECKS = (
    Column("status", "Check"),
    Column("id", "Id"),
    Column("value", "Figure", numeric=True),
    Column("found", "Found"),
)


def audit_document(audit: Audit) -> Document:
    """The whole report; the terminal shows it without its details."""
    several = len(audit.evaluations) > 1
    sections = [Section("verdict", "", (Text(conclusion(audit), "strong"),))]
    for place, comparison in enumerate(_largest_first(audit), start=1):
        sections.append(Section(f"ranks-{place}", comparison.evaluation, tuple(_ranks(comparison, place)), "Ranks"))
    for status in ("fail", "warn"):
        found = [check for check in audit.checks if check.status == status]
        if found:
            blocks = tuple(block for check in found for block in _evidence(check, several=several))
            sections.append(Section(f"checks-{status}", _TITLES[status], blocks))
    sections.append(Section("checks", "All checks", (_table(audit),), detail=True))
    sections.append(Section("files", "What was read", tuple(_files(audit)), detail=True))
    return Document("Audit of an evaluation", _subtitle(audit), tuple(sections), data=audit.as_dict())


def conclusion(audit: Audit) -> str:
    """One sentence: which order can be believed, and how many checks fail."""
    failed = sum(check.status == "fail" for check in audit.checks)
    where = f" in {counted(len(audit.evaluations), 'evaluation')}" if len(audit.evaluations) > 1 else ""
    tally = f"{failed} of {counted(len(audit.checks), 'check')}{where} {'fails' if failed == 1 else 'fail'}"
    return f"{_order(_largest_first(audit)[0])}; {tally}."


def _largest_first(audit: Audit) -> list[Comparison]:
    """The comparison that the sentence is about comes first."""
    return sorted(audit.comparisons, key=lambda comparison: -len(comparison.placed))


_TITLES: dict[Status, str] = {"fail": "Checks that fail", "warn": "Checks that warn"}


def _order(comparison: Comparison) -> str:
    placed, believed = comparison.placed, comparison.believed
    if not placed:
        return "No item has a score"
    if len(placed) == 1:
        only = placed[0].headline
        ends = "" if only.interval is None else f" ({only.interval.low:.3f} to {only.interval.high:.3f})"
        return f"{placed[0].model} scores {only.value:.3f}{ends} on {counted(only.n, 'item')}"
    if believed == len(placed):
        return f"Believe the order of all {believed} models"
    first = {0: "Believe no single place", 1: "Believe the first place"}.get(
        believed, f"Believe the order of the first {believed}"
    )
    runs = "; ".join(f"places {low} to {high} can't be separated" for low, high in comparison.tied[:1])
    more = len(comparison.tied) - 1
    below = f", nor those of {counted(more, 'group')} below" if more > 0 else ""
    return f"{first}; {runs}{below}"


def _ranks(comparison: Comparison, place: int) -> Iterator[Block]:
    adjusted = any(each.length_adjusted is not None for each in comparison.placed)
    columns = (*_RANKS, *(_ADJUSTED if adjusted else ()))
    unit = "items" if comparison.unit == "item" else "clusters of items"
    caption = f"Paired differences by {unit}, Holm's correction over all pairs, 5 %."
    yield Table(f"ranks-{place}", columns, tuple(map(_rank, comparison.placed)), caption=caption)


def _rank(placed: Placed) -> dict[str, Cell]:
    headline = placed.headline
    places = str(placed.best) if placed.best == placed.worst else f"{placed.best} to {placed.worst}"
    low, high = (None, None) if headline.interval is None else headline.interval[:2]
    return {
        "places": text(places),
        "model": text(placed.model),
        "score": number(headline.value, 3),
        "low": number(low, 3),
        "high": number(high, 3),
        "se": number(headline.se, 4),
        "n": count(headline.n),
        "adjusted": number(placed.length_adjusted, 3),
        "adjusted_place": count(placed.length_adjusted_place),
    }


def _evidence(check: Check, *, several: bool) -> Iterator[Block]:
    where = f" ({check.evaluation})" if several else ""
    yield Text(f"{check.id} {_VERBS[check.status]}{where}: {check.found}.", _TONES[check.status])
    if check.models:
        yield Text(f"Models: {listed(check.models, _MOST_MODELS)}.")
    if check.quotes:
        yield Bullets(
            tuple(
                f"{quote.model}{f', item {quote.item}' if quote.item else ''}: {quote.text}" for quote in check.quotes
            )
        )
    yield Text(messages.ADVICE[check.id])


def _table(audit: Audit) -> Table:
    rows = tuple(
        {
            "status": text(_VERBS[check.status], _TONES[check.status]),
            "id": text(check.id),
            "evaluation": text(check.evaluation),
            "value": number(check.value, 4),
            "found": text(str(check.found)),
        }
        for check in audit.by_gravity
    )
    columns = (*_CHECKS[:2], Column("evaluation", "Evaluation"), *_CHECKS[2:])
    return Table("checks", columns, rows)


def _files(audit: Audit) -> Iterator[Block]:
    for each in audit.evaluations:
        size = f"{counted(len(each.files), 'file')}, {counted(len(each.rows), 'row')}"
        yield Text(f"{each.name}: {each.format}, {size}; score: {each.metric}.")
        if each.notes:
            yield Bullets(tuple(note.sentence for note in each.notes))
    if audit.unread:
        yield Text(f"Not read: {counted(len(audit.unread), 'file')}.")
        yield Bullets(tuple(f"{each.path}: {each.why}" for each in audit.unread[:50]))


def _subtitle(audit: Audit) -> str:
    models = len({model for each in audit.evaluations for model in each.models})
    return f"{counted(len(audit.evaluations), 'evaluation')}, {counted(models, 'model')}"
