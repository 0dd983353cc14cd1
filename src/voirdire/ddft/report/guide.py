"""How to read the report: the same words in every one, so that no number travels without what it means.

How models fail is the paper's (DDFT 8.2.4, 9.2, 9.5, 9.6); the words and the reservations are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from voirdire.ddft.metric_labels import METRICS
from voirdire.ddft.profile import Profile
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import text_cell
from voirdire.documents.document import Block, Bullets, Cell, Column, Section, Table, Text

_FAILURES = (
    (
        "Fluent and wrong",
        "danger zone, selective failure",
        "Form holds, facts do not.",
        "Check claims against sources; do not go by tone or polish.",
    ),
    (
        "Falls apart",
        "coupled collapse",
        "Facts and form go together; a reader sees it.",
        "Cut off or ask again when an answer is incoherent.",
    ),
    (
        "Believes what it is told",
        "V_E, fabrication accepted",
        "Builds on what a question takes for granted.",
        "Verify names, papers and figures that users bring; ask it to check them first.",
    ),
    (
        "Stays with an error",
        "entrenchment",
        "Keeps to the fabrication when asked further.",
        "Start anew rather than going on in the same conversation.",
    ),
    (
        "Gives in",
        "capitulation",
        "Drops a right rejection when pressed.",
        "Do not take a second answer under pressure for a correction.",
    ),
    (
        "Leans on the text",
        "K, FAR over compression, HOC",
        "Accurate only while the reference is at hand.",
        "Never let it answer without a source on such subjects.",
    ),
)

_LIMITS = (
    "It is a diagnosis of one behaviour under stress, to be read beside tests of the task, of safety and of the "
    "subject. It is not a leaderboard: there is no score that is best for every purpose.",
    "The concept is what is sampled. Eight concepts are eight observations, however many turns; they were chosen, not "
    "drawn, and speak for subjects like these and no others.",
    "The scores are judges' opinions. Where models judge, they may share errors that no agreement shows; where fixed "
    "rules judge, the numbers demonstrate the method and no more.",
    "Talk of a system that speaks and one that verifies is a picture of behaviour, not of what is inside a model.",
    "Nothing here was tested on how a model fares in use. Whether these numbers foretell that is an open question.",
    "A metric without a value has a reason and is never 0. An interval says what sampling other concepts might have "
    "done; it knows nothing of other judges, questions or days.",
)


def guide(material: Material) -> Section:
    """What the metrics probe, how models fail, what none of it can say."""
    return Section("reading", "How to read this", tuple(_blocks(material)), detail=True)


def _blocks(material: Material) -> Iterator[Block]:
    yield Text(
        "A model is asked five questions about a concept, again and again, while the text it can lean on is taken away "
        "from it, and once in each dialogue a fabrication is slipped in. Judges score each answer for accuracy "
        "(FAR) and for form and relevance (SAS), from 0 to 1, without knowing whose answer it is."
    )
    if material.only is None:
        yield _explanations(material.turns["level"].nunique(), material.profiles[0])
    yield Text("More useful than any single number is how a model fails:")
    yield _table(
        "failures",
        {"how": "how it fails", "seen": "seen in", "what": "what happens", "safeguards": "what helps"},
        _FAILURES,
    )
    yield Text("What this can't say:")
    yield Bullets(_LIMITS)


def _explanations(levels: int, first: Profile) -> Table:
    """What each metric says; with one model, its profile says so."""
    rows = tuple(
        (each.label, each.group, each.explained(levels, only=first.only, thresholds=first.thresholds))
        for each in METRICS.values()
    )
    return _table("metrics", {"metric": "metric", "group": "group", "probes": "What it says"}, rows)


def _table(name: str, labels: Mapping[str, str], rows: tuple[tuple[str, ...], ...]) -> Table:
    columns = tuple(Column(key, label) for key, label in labels.items())
    filled: list[dict[str, Cell]] = [
        {key: text_cell(text) for key, text in zip(labels, row, strict=True)} for row in rows
    ]
    return Table(name, columns, tuple(filled))
