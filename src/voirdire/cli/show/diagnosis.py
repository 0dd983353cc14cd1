"""The diagnosis of a labeller as text."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, remarks, render
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.cognibench.diagnosis.comparing import Diagnosis
    from voirdire.cognibench.diagnosis.errors import ErrorGroup
    from voirdire.stats.agreement import Estimate

SHOWN = 2
"""Statements shown of each group."""
_SHORT = {"irrelevant": "irrel.", "misleading": "mislead.", "speculative": "specul.", "irrefutable": "irref."}


def diagnosis(found: Diagnosis) -> str:
    """How labels differ from human ones, and which errors recur."""
    matched = found.matched
    head = (
        f"Both labels: {counted(len(matched.pairs), 'statement')} in {counted(matched.answers, 'answer')}; "
        f"{found.wrong:,} differ. Required of cognitive statements: {found.require}."
    )
    parts: list[RenderableType] = [*remarks(_cautions(found)), head, _scores(found), _agreement(found)]
    parts += [_sides(found), _labels(found)]
    if found.errors:
        parts += ["Errors that recur; each wrong label is in one group:", _errors(found)]
        for group in found.errors:
            parts += _examples(group)
    return render(*parts)


def _cautions(found: Diagnosis) -> list[str]:
    matched = found.matched
    said = [
        (found.left_out, "answer", "left out, since the labeller's prompt has an example from the same dialogues."),
        (matched.only_human, "statement", "with a human label and none of the labeller."),
        (matched.only_machine, "statement", "with a label of the labeller and no human one."),
        (matched.unmatched_answers, "answer", "labelled on one side only."),
        (len(matched.other_text), "answer", "with another text on the other side, and so not compared."),
    ]
    return [f"{counted(count, noun)} {what}" for count, noun, what in said if count]


def _scores(found: Diagnosis) -> RenderableType:
    table = new_table("hallucinations, in words", "precision", "recall", "F1")
    for part, score in found.scores.items():
        table.add_row(part, *("–" if value is None else f"{value:.3f}" for value in score))
    return table


def _agreement(found: Diagnosis) -> str:
    return (
        f"Cohen's kappa: hallucinated or not {_estimate(found.kappa_hallucinated)}; "
        f"the seven labels {_estimate(found.kappa_labels)}."
    )


def _sides(found: Diagnosis) -> str:
    counts = Counter(pair.sides(found.require) for pair in found.matched.pairs)
    return (
        f"Hallucinations, by the human labels: {counts[True, True]:,} found, {counts[False, True]:,} missed; "
        f"of the other statements {counts[True, False]:,} flagged, {counts[False, False]:,} not."
    )


def _labels(found: Diagnosis) -> RenderableType:
    table = new_table("human \\ labeller", *(_SHORT.get(label, label) for label in found.labels))
    for human, row in found.labels.items():
        if any(row.values()):
            table.add_row(human, *(f"{count:,}" if count else "·" for count in row.values()))
    return table


def _errors(found: Diagnosis) -> RenderableType:
    table = new_table("", "labels", "share", "side", "what it is", numbers=2)
    for group in found.errors:
        kind = group.kind
        table.add_row(kind.title, f"{len(group.cases):,}", f"{group.share:.0%}", kind.side, kind.says)
    return table


def _examples(group: ErrorGroup) -> list[RenderableType]:
    from rich.padding import Padding
    from rich.text import Text

    parts: list[RenderableType] = [f"\n[bold]{group.kind.title}[/]"]
    for case in group.cases[:SHOWN]:
        pair = case.pair
        said = " ".join(pair.statement.text.split())
        parts.append(Padding(Text(f"{pair.machine}, people: {pair.human}  ({pair.answer.id})", style="dim"), (0, 2)))
        parts.append(Padding(Text(said), (0, 4)))
        parts.append(Padding(Text(group.kind.reason(case), style="cyan"), (0, 4)))
    return parts


def _estimate(found: Estimate) -> str:
    if math.isnan(found.value):
        return "undefined (both use one label only)"
    if math.isnan(found.low):
        return f"{found.value:.2f} (too few groups for an interval)"
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"
