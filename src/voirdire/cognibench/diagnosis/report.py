"""What `voirdire cognibench diagnose` shows: how labels differ from human ones, and which errors recur."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from voirdire.cognibench.diagnosis.comparing import Diagnosis, Kappa
from voirdire.cognibench.diagnosis.errors import ErrorGroup
from voirdire.cognibench.scoring import ENDS
from voirdire.detectors.records import LABELS
from voirdire.detectors.scoring import Score
from voirdire.documents.cells import cautions, count, number, plain_table, text
from voirdire.documents.document import (
    Cell,
    Column,
    Document,
    Section,
    Table,
    Text,
    Tone,
    detail,
    document,
    folded,
    more,
)
from voirdire.text.counting import counted

SHOWN = 2
"""Statements shown of each group."""
_SHORT = {"irrelevant": "irrel.", "misleading": "mislead.", "speculative": "specul.", "irrefutable": "irref."}
CONFUSION = Table(
    "confusion",
    (Column("human", "people say"), *(Column(label, _SHORT.get(label, label), numeric=True) for label in LABELS)),
    (),
    "People's labels (rows) and the model's (columns), statements",
)
"""The table of `confusion`, without its rows."""


def confusion(result: Diagnosis) -> list[dict[str, Cell]]:
    """How often the model gave each label, a row for each label of people."""
    return [
        {"human": text(human), **{label: count(row[label], _tone(human, label, row[label])) for label in LABELS}}
        for human, row in result.labels.items()
        if any(row.values())
    ]


def _tone(human: str, label: str, number_of: int) -> Tone:
    return "good" if label == human else "" if number_of else "quiet"


def drafted_message(path: Path, number: int) -> str:
    """How many examples were written, and what to do with them."""
    return f"Examples drafted: {number}. Edit {path}, then voirdire label … --examples {path}"


def diagnosis_document(result: Diagnosis) -> Document:
    """Scores, agreement, labels against labels, and the groups of errors."""
    matched = result.matched
    head = (
        f"Both labels: {counted(len(matched.pairs), 'statement')} in {counted(matched.answers, 'answer')}; "
        f"{result.wrong:,} differ. Required of cognitive statements: {result.require}."
    )
    return document(
        Text(_conclusion(result), "strong"),
        *cautions(result.cautions),
        more("Scores, every label against people's, and examples", *([_recurring(result)] if result.errors else [])),
        detail(
            "scores",
            Text(head),
            _scores(result),
            Text(_agreement(result)),
            Text(_sides(result)),
            Table(CONFUSION.id, CONFUSION.columns, tuple(confusion(result)), CONFUSION.title),
        ),
        *folded([_errors(result)] if result.errors else []),
        *folded(map(_examples, result.errors)),
    )


def _conclusion(result: Diagnosis) -> str:
    """How far the model and people agree on what is hallucinated, and how many labels differ."""
    return (
        f"The model agrees with people on what is hallucinated to a Cohen's kappa of "
        f"{_estimate(result.kappa_hallucinated)}, where 1 is always and 0 is chance; {result.wrong:,} of "
        f"{counted(len(result.matched.pairs), 'label')} differ."
    )


def _recurring(result: Diagnosis) -> Table:
    rows = ((group.kind.title, count(len(group.cases)), group.kind.side) for group in result.errors)
    return plain_table("recurring", ("errors that recur", "labels", "side"), rows, numbers=1)


def _scores(result: Diagnosis) -> Table:
    rows = [
        [text(title), *(number(value, 3) for value in scores[part])]
        for part in result.scores
        for title, scores in ((part, result.scores), *_bounds(result))
    ]
    caption = f"Of {counted(result.scored, 'statement')} that people labelled; one without a label is not flagged."
    if result.could_be:
        caption += " At worst and at best: if all statements without a label had a wrong one, or the right one."
    return plain_table("scores", ("hallucinations, in words", "precision", "recall", "F1"), rows, caption=caption)


def _bounds(result: Diagnosis) -> list[tuple[str, Mapping[str, Score]]]:
    return [(f"… {end}", scores) for end, scores in zip(ENDS, result.could_be or (), strict=False)]


def _agreement(result: Diagnosis) -> str:
    return (
        f"Cohen's kappa: hallucinated or not {_estimate(result.kappa_hallucinated)}; "
        f"the seven labels {_estimate(result.kappa_labels)}."
    )


def _sides(result: Diagnosis) -> str:
    counts = Counter(pair.sides(result.require) for pair in result.matched.pairs)
    return (
        f"Hallucinations with both labels, by the human ones: {counts[True, True]:,} found, "
        f"{counts[False, True]:,} missed; of the other statements "
        f"{counts[True, False]:,} flagged, {counts[False, False]:,} not."
    )


def _errors(result: Diagnosis) -> Section:
    rows = (
        (
            group.kind.title,
            count(len(group.cases)),
            Cell(group.share, f"{group.share:.0%}"),
            group.kind.side,
            group.kind.says,
        )
        for group in result.errors
    )
    table = plain_table("errors", ("", "labels", "share", "side", "what it is"), rows, numbers=2)
    return Section("errors", "Errors that recur; each wrong label is in one group", (table,), short="Errors")


def _examples(group: ErrorGroup) -> Section:
    columns = (Column("labels", ""), Column("statement", ""))
    rows = []
    for case in group.cases[:SHOWN]:
        pair = case.pair
        labels = f"{pair.machine}, people: {pair.human}\n({pair.answer.id})"
        statement = f"{' '.join(pair.statement.text.split())}\n{group.kind.reason(case)}"
        rows.append({"labels": text(labels, "quiet"), "statement": text(statement)})
    id = f"examples-{group.kind.name}"
    return Section(id, f"For example: {group.kind.title}", (Table(id, columns, tuple(rows)),))


_LACKING = {
    "few_groups": "fewer than three contexts",
    "all_agree": "all labels agree, so that contexts show no variation",
    "undefined_without_one": "it is undefined when one of the contexts is left out",
    "no_variance": "contexts show no variation",
    "unbounded": "contexts differ so much that the interval has no end",
}
"""Why kappa has no interval."""


def _estimate(result: Kappa) -> str:
    if math.isnan(result.value):
        return "undefined (both use one label only)"
    if result.lacking is not None:
        return f"{result.value:.2f} (no interval: {_LACKING[result.lacking]})"
    return f"{result.value:.2f} ({result.low:.2f} to {result.high:.2f})"
