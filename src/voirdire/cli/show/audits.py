"""Audited responses as text: the response with each deduction in place, and what many of them say together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from voirdire.integrity import EstablishedFact, IntegrityScore
    from voirdire.integrity.panel import Unscored
    from voirdire.integrity.results import Audited
    from voirdire.integrity.scoring import Charge
    from voirdire.integrity.summary import Summary
    from voirdire.stats.agreement import Estimate


def scored(item: str, found: IntegrityScore, facts: Sequence[EstablishedFact]) -> str:
    """One response's score, deduction by deduction."""
    return render(_heading(item, found), *_deductions(found, facts))


def audited(audits: Sequence[Audited]) -> str:
    """Responses with their deductions in place."""
    parts: list[RenderableType] = []
    for each in audits:
        parts += _audited(each)
    return render(*parts)


def summary(found: Summary) -> str:
    """What many audits say together."""
    parts: list[RenderableType] = remarks(found.cautions)
    parts.append(_counted(found))
    parts += [*_distribution(found), *_types(found), *_facts(found), *_auditors(found), *_holistic(found)]
    return render(*parts)


_FACTS = 10

_WHY: dict[Unscored, str] = {
    "rules_alone": "not judged",
    "refusal": "declined to answer",
    "empty": "empty",
    "few_auditors": "without enough auditors",
}


def _counted(found: Summary) -> str:
    """How many responses there are, and why some have no score."""
    many = counted(found.responses, "response")
    without = ", ".join(f"{number:,} {_WHY[why]}" for why, number in found.unscored.most_common())
    if not without:
        return f"{many}, all scored.{_mean(found)}"
    nothing = found.unanswered
    verb = "is empty or a refusal" if nothing == 1 else "are empty or refusals"
    unsent = f" {nothing:,} of {many} {verb}: not scored, not sent to any auditor." if nothing else ""
    return f"{many}: {f'{len(found.scores):,} scored, ' if found.scores else ''}{without}.{unsent}{_mean(found)}"


def _mean(found: Summary) -> str:
    return f" Mean score: {sum(found.scores) / len(found.scores):.1f} of 100." if found.scores else ""


def _audited(each: Audited) -> list[RenderableType]:
    from voirdire.text import split_sentences

    decision, item = each.decision, each.item
    sentences = [piece.text for piece in split_sentences(item.response or "", layout=True)]
    if decision.consensus is not None:
        return [
            _heading(item.id, decision.consensus),
            *(f"  [yellow]{_safe(str(remark))}[/]" for remark in decision.remarks),
            _in_place(sentences, decision.findings, points=True),
            *_deductions(decision.consensus, item.facts),
        ]
    heading = f"\n[bold]{_safe(item.id)}[/]   {decision.why}"
    if decision.unscored != "rules_alone":
        return [heading]
    return [
        f"{heading}; {counted(len(decision.findings), 'finding')}",
        _in_place(sentences, decision.findings, points=False),
        *_findings(decision.findings, item.facts, points=False),
    ]


def _heading(item: str, found: IntegrityScore) -> RenderableType:
    flags = "   [bold red]pervasive[/]" if found.pervasive else ""
    if found.band_conflict and found.band_by_counts is not None:
        flags += f"   (by numbers of violations the guide says {found.band_by_counts.range})"
    return f"\n[bold]{_safe(item)}[/]   [bold]{found.score}[/] {found.band.name} ({found.band.range}){flags}"


def _in_place(sentences: Sequence[str], charges: Sequence[Charge], *, points: bool) -> RenderableType:
    """The response, a numbered sentence a line."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", style="dim", width=4)
    grid.add_column()
    for number, sentence in enumerate(sentences):
        own = [charge for charge in charges if charge.violation.sentence == number and charge.penalty]
        grid.add_row(str(number + 1), _marked(sentence, own, points=points))
    return grid


def _marked(sentence: str, own: Sequence[Charge], *, points: bool) -> Text:
    """A sentence with the words at fault underlined, and at its end what it costs."""
    from rich.text import Text

    body = Text(sentence)
    for charge in own:
        if charge.violation.span:
            place = sentence.find(charge.violation.span)
            if place >= 0:
                body.stylize("underline red", place, place + len(charge.violation.span))
    if own and points:
        body.append(f"  -{sum(charge.penalty for charge in own)}", style="bold red")
    return body


def _deductions(found: IntegrityScore, facts: Sequence[EstablishedFact]) -> list[RenderableType]:
    lines = _findings(found.charges, facts, points=True)
    if found.deduplicated_score != found.score:
        lines.append(f"  [dim]if every fact paid only once: {found.deduplicated_score}[/]")
    return lines


def _findings(charges: Sequence[Charge], facts: Sequence[EstablishedFact], *, points: bool) -> list[RenderableType]:
    """A row for each, with what it costs where points are given."""
    from rich.padding import Padding

    texts = {fact.id: fact.text for fact in facts}
    columns = (*(["points"] if points else []), "sentence", "words", "fact", "why")
    table = new_table("violation", *columns, numbers=1 if points else 0)
    for charge in charges:
        violation = charge.violation
        fact = "" if violation.fact is None else f"{violation.fact} {texts.get(violation.fact, '')}".strip()
        table.add_row(
            charge.type.name,
            *([f"-{charge.penalty}" if charge.penalty else "0"] if points else []),
            "–" if violation.sentence is None else str(violation.sentence + 1),
            _safe(violation.span or ""),
            _safe(fact),
            _safe(charge.dropped or violation.reason),
        )
    return [Padding(table, (1, 0, 0, 2))] if charges else ["  nothing was found"]


def _distribution(found: Summary) -> list[RenderableType]:
    if not found.scores:
        return []
    table = new_table("band", "scores", "responses", "share", "the guide expects", numbers=4)
    for row in found.distribution():
        low, high = row["target_pct"]
        share = f"{row['pct']:.0f} %"
        table.add_row(row["band"], row["range"], f"{row['responses']:,}", share, f"{low:g}–{high:g} %")
    return [table]


def _types(found: Summary) -> list[RenderableType]:
    if not found.types:
        return []
    table = new_table("violation", _count_head(found), "per 100 responses", numbers=2)
    for name, count in found.ranked_types:
        table.add_row(name, f"{count:,}", f"{100 * count / found.judged:.1f}")
    return [table]


def _count_head(found: Summary) -> str:
    return "charged" if found.scores else "suggested"


def _facts(found: Summary) -> list[RenderableType]:
    if not found.facts:
        return []
    table = new_table("responses", "facts most often violated or left out", numbers=0)
    for text, count in found.ranked_facts[:_FACTS]:
        table.add_row(f"{count:,}", _safe(text))
    return [table]


def _auditors(found: Summary) -> list[RenderableType]:
    rows = found.as_dict()["auditors"]
    if len(rows) < 2 and not any(row["voided_findings"] or row["missing"] for row in rows):
        return []
    table = new_table("auditor", "mean score", "void findings", "missing", numbers=3)
    for row in rows:
        mean = "–" if row["mean_score"] is None else f"{row['mean_score']:.1f}"
        table.add_row(row["auditor"], mean, f"{row['voided_findings']:,}", f"{row['missing']:,}")
    lines: list[RenderableType] = [table]
    for name, estimate in (found.agreement() or {}).items():
        lines.append(f"{name} of the auditors' scores: {_estimate(estimate)}")
    for pair in found.positive_agreement():
        share = pair["positive_agreement"]
        common = f"{counted(pair['shared'], 'finding')} in common"
        alike = "nothing was found" if share is None else f"{share:.2f} ({common})"
        lines.append(f"{' and '.join(pair['auditors'])} find the same: {alike}")
    return lines


def _estimate(estimate: Estimate) -> str:
    if math.isnan(estimate.value):
        return "undefined"
    ends = ", no interval" if math.isnan(estimate.low) else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{ends}"


def _holistic(found: Summary) -> list[RenderableType]:
    if not found.compared:
        return []
    lines: list[RenderableType] = [
        f"\nScores more than 10 points from the holistic one: {len(found.divergent):,} of {found.compared:,}"
        + (":" if found.divergent else ".")
    ]
    lines += [f"  {_safe(each.id)}: {each.score} against {each.holistic:g}" for each in found.divergent[:10]]
    if found.divergent:
        lines.append("Ask of each: was a violation missed? Was one charged twice? Did agreeing with it play a part?")
    return lines


def _safe(text: str) -> str:
    from rich.markup import escape

    return escape(text)
