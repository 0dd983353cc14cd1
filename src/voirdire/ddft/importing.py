"""Making a run folder of a published record, so that everything that works on a run works on it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from voirdire.ddft.concepts import ConceptFile, find_concepts
from voirdire.ddft.judging import jury_kind, note_decision, note_dialogue, note_judged
from voirdire.ddft.presets import load_preset
from voirdire.ddft.protocol import turn_body
from voirdire.ddft.published_records import RecordedDialogue, RecordedTurn, Scores, Source, read_source
from voirdire.ddft.results import Result, finish
from voirdire.ddft.snapshot import save_concepts
from voirdire.jury import Decision
from voirdire.records import (
    SCORE_DECIMALS,
    Consensus,
    Message,
    ModelIdentity,
    Reply,
    Settings,
    Slot,
    Turn,
    Verdict,
    WireMessage,
)
from voirdire.runs import CallRow, Journal, RunFolder, call_key, provenance
from voirdire.text.counting import listed

JURY = "published"
_NO_SCORE = "the source has no score of this judge"
_NO_CONSENSUS = "the source has no consensus"


@dataclass(frozen=True, slots=True)
class Imported:
    """The run that was made, and what of the source could not be read."""

    result: Result
    skipped: tuple[str, ...]
    unread: Mapping[str, int]
    """Fields that mean nothing here, and how often each stands in the source."""


async def import_record(source_path: Path, path: Path) -> Imported:
    """Import a published record into a new run folder, under the jury id "published".

    Dialogues, answers and scores are taken as they are. Which item of turn 4 is fabricated the record does not say,
    and no judge gave a stance, so that what rests on stances is undefined.

    Args:
        source_path: a file of turns, or a folder of dialogues (see `layouts.read_source`).
        path: the run folder.

    Raises:
        LayoutError: nothing in the source can be read.
        RunFolderError: the folder holds a run of something else.
    """
    source = read_source(source_path)
    known = _known_concepts()
    manifest = _manifest(source, known) | {"info": provenance()}
    with RunFolder.open_or_create(path, manifest) as folder:
        used = {dialogue.concept for dialogue in source.dialogues}
        save_concepts(folder, [file for name, file in known.items() if name in used])
        judges = sorted({judge for each in source.dialogues for turn in each.turns for judge in turn.judges})
        await folder.journal.note("", 0, jury_kind(JURY), {"judges": judges, "banner": _banner(source_path, judges)})
        samples: Counter[tuple[str, str, float]] = Counter()
        for dialogue in source.dialogues:
            at = (dialogue.model, dialogue.concept, dialogue.level)
            await _write(dialogue, samples[at], known, folder.journal)
            samples[at] += 1
        return Imported(finish(folder, JURY), tuple(source.skipped), dict(source.unread))


def _banner(source: Path, judges: Sequence[str]) -> str:
    if not judges:
        return f"Imported from {source.name}, which has no judge's scores."
    return (
        f"Imported from {source.name}: scores as they were published, under the name of the judges who gave them. What "
        'the test measured there is another question (documentation: "What does the published study show?").'
    )


def _known_concepts() -> dict[str, ConceptFile]:
    files = find_concepts()
    return {name: file for file in files for name in (file.concept.id, *file.concept.aliases)}


def _manifest(source: Source, known: Mapping[str, ConceptFile]) -> dict[str, Any]:
    """As of any run; the preset is the one that the published dialogues show."""
    dialogues = source.dialogues
    preset = load_preset("as-run").identity() | {"levels": sorted({dialogue.level for dialogue in dialogues})}
    concepts = sorted({dialogue.concept for dialogue in dialogues})
    return {
        "instrument": "ddft",
        "imported_sha256": source.sha256,
        "models": list(dict.fromkeys(dialogue.model for dialogue in dialogues)),
        "interviewer": "imported",
        "jury": [JURY],
        "seed": 0,
        "preset": preset,
        "concepts": {_concept_id(name, known): known[name].sha256 if name in known else "" for name in concepts},
    }


def _concept_id(name: str, known: Mapping[str, ConceptFile]) -> str:
    return known[name].concept.id if name in known else name


async def _write(dialogue: RecordedDialogue, sample: int, known: Mapping[str, ConceptFile], journal: Journal) -> None:
    concept = _concept_id(dialogue.concept, known)
    turns = [
        Turn(
            model=dialogue.model,
            concept=concept,
            level=dialogue.level,
            turn=recorded.number,
            question=recorded.question,
            answer=recorded.answer,
            question_source="imported",
            sample=sample,
        )
        for recorded in dialogue.turns
    ]
    each = zip(turns, dialogue.turns, strict=True)
    await asyncio.gather(*(_write_turn(turn, recorded, journal) for turn, recorded in each))
    await note_dialogue(turns[0].dialogue, turns, None, journal)
    await note_judged(turns, True, JURY, journal)  # nobody can be asked for the scores that are missing


async def _write_turn(turn: Turn, recorded: RecordedTurn, journal: Journal) -> None:
    row = _call(turn, recorded)
    if row.key not in journal:
        await journal.commit(row)
    await journal.note(turn.dialogue, turn.turn, "turn", turn_body(turn))
    await note_decision(turn, _decision(recorded), JURY, journal)


def _call(turn: Turn, recorded: RecordedTurn) -> CallRow:
    """The answer as a row of the role "imported": on record like any other, though nobody was called."""
    slot = Slot(turn.dialogue, turn.turn, "imported")
    identity = ModelIdentity(turn.model, "imported", turn.model)
    settings = Settings(max_tokens=0)
    message = Message.of("user", recorded.question)
    return CallRow(
        key=call_key(slot, identity, settings, "text", None, (message,)),
        attempt=1,
        slot=slot,
        identity=identity,
        messages=(WireMessage("user", recorded.question),),
        settings=settings,
        output_mode="text",
        schema=None,
        seed=0,
        started_at=datetime.now(UTC).isoformat(),
        seconds=0.0,
        reply=Reply(recorded.answer, "other", model=turn.model),
        price_usd=0.0,
    )


def _decision(recorded: RecordedTurn) -> Decision:
    verdicts = tuple(_verdict(name, scores) for name, scores in sorted(recorded.judges.items()))
    far, sas = (None if score is None else round(score, SCORE_DECIMALS) for score in recorded.consensus)
    present = sum(verdict.missing is None for verdict in verdicts)
    unscored = _NO_CONSENSUS if sas is None or far is None else None
    return Decision(verdicts, Consensus(far, sas, False, None, present, unscored))


def _verdict(judge: str, scores: Scores) -> Verdict:
    far, sas = scores
    return Verdict(judge, far, sas, missing=_NO_SCORE if far is None or sas is None else None)


def unread_sentence(unread: Mapping[str, int]) -> str | None:
    """Which fields were not read, and where scores are looked for; `None` where every field was read."""
    if not unread:
        return None
    fields = listed([f"{name} ({times:,} times)" for name, times in unread.items()])
    return (
        f"Not read: {fields}. Scores are read from judges, by judge, and from consensus, under FAR and SAS "
        "(documentation: “Judge again, or import a record”)."
    )


def skipped_sentence(skipped: Sequence[str], most: int = 5) -> str | None:
    """What was not read, with a count and the first few reasons; `None` where everything was."""
    if not skipped:
        return None
    more = f"; and {len(skipped) - most} more" if len(skipped) > most else ""
    return f"{len(skipped)} skipped: {'; '.join(skipped[:most])}{more}."
