"""Every dialogue to read: questions, answers, what each judge said, and the jury's word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from voirdire.data.table_values import rows_of
from voirdire.ddft.questions import note_in_words
from voirdire.ddft.report.flags import FILTER_IDS, Row, filters, flags_of
from voirdire.ddft.report.material import DialogueKey, Material
from voirdire.ddft.report.number_format import NONE, number
from voirdire.ddft.report.run_description import TRAP_TURN
from voirdire.ddft.report.turns import ASKS
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.documents.document import (
    Exchange,
    Filter,
    Piece,
    Reading,
    ReadingComparison,
    Readings,
    Remark,
    Section,
    Text,
    Tone,
)
from voirdire.text.counting import counted

_SOURCES = {
    "llm": "",
    "template": "The question is a template's.",
    "fallback": "The question is a template's, since the interviewer's own failed the checks.",
    "imported": "",
}
_ENDS = {
    "length": "Cut off at the limit of length.",
    "refusal": "The provider ended the answer as a refusal.",
    "other": "Why the answer ended is not known.",
}
_STANCE_TONES: dict[str, Tone] = {"accepted": "bad", "questioned": "warn", "rejected": "good"}
_NO_TRAP = "none known"
_FACETS = {"model": "Model", "concept": "Concept", "compression": "Compression", "trap": "Fabrication", "run": "Run"}
_SIDE_BY_SIDE = ReadingComparison(
    "Compare models: their answers to the same question", "model", ("concept", "compression")
)

_ByTurn = dict[tuple[str, str, int], Any]


def dialogues(material: Material) -> Section:
    """All dialogues, to be filtered and searched: of the best model first, as in the charts."""
    places = {model: place for place, model in enumerate(material.models)}
    contexts = {(run.path, name): context for run in material.report_runs for name, context in run.contexts.items()}
    dialogue_readings = sorted(
        readings(material.turns, material.scores, material.verdicts, contexts, material.runs.thresholds),
        key=lambda reading: places.get(reading.facets["model"], len(places)),
    )
    to_read = Readings(
        "dialogues",
        tuple(dialogue_readings),
        "dialogues",
        tuple(_facets(dialogue_readings)),
        tuple(_filters(material)),
        compare=None if material.only is not None else _SIDE_BY_SIDE,
    )
    opening = Text(
        "Nothing is left out. Numbers are only as good as these answers and verdicts: read some of them before you "
        "believe any of those, the ones on which judges disagree above all."
    )
    return Section("dialogues", "Every dialogue", (opening, to_read), "Dialogues")


def _facets(dialogue_readings: Sequence[Reading]) -> Iterator[tuple[str, str]]:
    """Those in which the dialogues differ."""
    for name, label in _FACETS.items():
        if len({reading.facets[name] for reading in dialogue_readings}) > 1:
            yield name, label


def _filters(material: Material) -> Iterator[Filter]:
    """Those that could find something: without stances nobody knows what was accepted, one judge can't disagree."""
    idle = set()
    if material.scores["stance"].isna().all():
        idle |= {"accepted", "questioned", "gave_in"}
    if material.verdicts.groupby(["run", "dialogue", "turn"]).size().max() < 2:
        idle.add("disagree")
    return (each for each in filters(material.runs.thresholds) if each.id not in idle)


def readings(
    turns: pd.DataFrame,
    scores: pd.DataFrame,
    verdicts: pd.DataFrame,
    contexts: Mapping[DialogueKey, str],
    thresholds: Thresholds = PAPER,
) -> Iterator[Reading]:
    """Every dialogue with its scores and verdicts.

    Args:
        turns: a row for each turn asked, with the column run.
        scores: of one jury, a row for each turn judged, likewise.
        verdicts: a row for each turn and judge, likewise.
        contexts: what the subject was told first, by dialogue.
        thresholds: what the danger zone is counted by.
    """
    by_turn: _ByTurn = {_turn_key(row): row for row in rows_of(scores)}
    verdicts_by_turn: dict[tuple[str, str, int], list[Row]] = {}
    for row in rows_of(verdicts):
        verdicts_by_turn.setdefault(_turn_key(row), []).append(row)
    rows_by_dialogue: dict[DialogueKey, list[Row]] = {}
    for row in rows_of(turns):
        rows_by_dialogue.setdefault((row["run"], row["dialogue"]), []).append(row)
    ids = reading_ids(turns)
    for (run, dialogue), rows in rows_by_dialogue.items():
        exchanges = tuple(_exchanges(rows, by_turn, verdicts_by_turn, thresholds))
        yield Reading(
            id=ids[run, dialogue],
            title=_title(rows[0]),
            facets=_places(rows),
            exchanges=exchanges,
            summary=_summary([by_turn.get(_turn_key(row)) for row in rows]),
            context=contexts.get((run, dialogue), ""),
            flags=tuple(each for each in FILTER_IDS if any(each in exchange.flags for exchange in exchanges)),
        )


def reading_ids(turns: pd.DataFrame) -> dict[DialogueKey, str]:
    """What the reading of each dialogue is called: of several runs, with the run's name."""
    keys = turns[["run", "dialogue"]].drop_duplicates()
    several = keys["run"].nunique() > 1
    return {
        (run, dialogue): f"{run}|{dialogue}" if several else dialogue for run, dialogue in keys.itertuples(index=False)
    }


def _turn_key(row: Row) -> tuple[str, str, int]:
    return row["run"], row["dialogue"], int(row["turn"])


def _title(first: Row) -> str:
    again = f", repetition {first['sample'] + 1}" if first["sample"] else ""
    return f"{first['model']} on {first['concept']}, compression {first['level']:g}{again}"


def _places(rows: Sequence[Row]) -> dict[str, str]:
    first = rows[0]
    kinds = [row["trap_kind"] for row in rows if row["trap_kind"] is not None]
    return {
        "model": first["model"],
        "concept": first["concept"],
        "compression": f"{first['level']:g}",
        "trap": kinds[0] if kinds else _NO_TRAP,
        "run": first["run"],
    }


def _exchanges(
    rows: Sequence[Row], scores: _ByTurn, verdicts: Mapping[Any, list[Row]], thresholds: Thresholds
) -> Iterator[Exchange]:
    at_trap = next((scores.get(_turn_key(row)) for row in rows if row["turn"] == TRAP_TURN), None)
    stance_at_trap = None if at_trap is None else at_trap["stance"]
    trap_set = any(row["trap_kind"] is not None for row in rows) or rows[0]["question_source"] == "imported"
    for row in rows:
        score, judges_verdicts = scores.get(_turn_key(row)), verdicts.get(_turn_key(row), [])
        yield Exchange(
            heading=_heading(int(row["turn"]), trap_set),
            question=row["question"],
            answer=(Piece(row["answer"]),) if row["answer"] else (),
            remarks=(*map(_remark, judges_verdicts), *_consensus(score, len(judges_verdicts))),
            notes=tuple(_notes(row, score)),
            flags=flags_of(score, judges_verdicts, stance_at_trap, thresholds),
        )


def _heading(turn: int, trap_set: bool) -> str:
    asks = "a neutral question" if turn == TRAP_TURN and not trap_set else ASKS[turn]
    return f"Turn {turn}: {asks}"


def _remark(verdict: Row) -> Remark:
    if verdict["missing"] is not None:
        return Remark(verdict["judge"], _figures(verdict), f"No verdict: {verdict['missing']}.", "quiet")
    repairs = f" (asked again {counted(verdict['repairs'], 'time')})" if verdict["repairs"] else ""
    text = f"{verdict['justification'] or ''}{repairs}".strip()
    return Remark(verdict["judge"], _figures(verdict), text, _tone(verdict))


def _consensus(score: Row | None, judges: int) -> Iterator[Remark]:
    if score is None:
        return
    if score["unscored"] is not None:
        yield Remark("Jury", (), f"Unscored: {score['unscored']}.", "warn")
    elif judges != 1:
        yield Remark("Jury", _figures(score), tone=_tone(score))


def _figures(row: Row) -> tuple[tuple[str, str], ...]:
    """Scores and stance; a judge without a verdict may have given one of the scores."""
    figures = [(label, number(row[name], 2)) for label, name in (("FAR", "far"), ("SAS", "sas"))]
    if row["no_claims"]:
        figures.append(("claims", "none"))
    if row["stance"] is not None:
        figures.append(("stance", row["stance"]))
    return tuple(figures)


def _tone(row: Row) -> Tone:
    return _STANCE_TONES.get(row["stance"] or "", "")


def _notes(row: Row, score: Row | None) -> Iterator[str]:
    if row["trap_item"] is not None and row["turn"] >= TRAP_TURN:
        yield f"Fabricated ({row['trap_kind']}): {row['trap_item']}. {row['trap_description'] or ''}".strip()
    source = _SOURCES.get(row["question_source"], f"Question from: {row['question_source']}.")
    if source:
        yield source
    yield from (f"The question: {note_in_words(note)}." for note in row["question_notes"])
    if row["error"] is not None:
        yield f"There is no answer: {row['error']}"
    elif row["answer"] == "":
        yield "The answer is empty."
    elif row["answer"] is None:
        yield "The answer is not on record."
    elif row["finish_reason"] in _ENDS:
        yield _ENDS[row["finish_reason"]]
    if score is None:
        yield "Not judged by this jury."


def _summary(scores: Sequence[Row | None]) -> str:
    """One line: "FAR 0.90 · – · 0.80 | SAS 0.95 · 0.20 · 0.90 | trap rejected"."""
    parts = [
        f"{label} {' · '.join(NONE if score is None else number(score[name], 2) for score in scores)}"
        for label, name in (("FAR", "far"), ("SAS", "sas"))
    ]
    stances = [score["stance"] for score in scores if score is not None and score["turn"] == TRAP_TURN]
    parts += [f"fabrication {stance}" for stance in stances if stance is not None]
    return " | ".join(parts)
