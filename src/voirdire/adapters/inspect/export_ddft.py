"""A `ddft` run as logs: a sample is a dialogue, its messages as the subject saw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ModelOutput

from voirdire.adapters.inspect.ddft import SCALES, STORED, Dialogue, dialogues, metrics_of, score_of, stored
from voirdire.adapters.inspect.log_building import (
    Row,
    Subject,
    by_model,
    by_role,
    calls_of,
    event_of,
    failed,
    info_of,
    inspect_name,
    made_at,
    output_of,
    span,
)
from voirdire.adapters.inspect.models import to_message
from voirdire.data.json_values import as_plain
from voirdire.ddft.results import Result, load_run
from voirdire.ddft.snapshot import saved_concept_path, saved_concepts, saved_text
from voirdire.jury import judge_spec
from voirdire.records import Concept
from voirdire.runs import RunFolder

INSTRUMENT = "ddft"


@dataclass(frozen=True, slots=True)
class _Run:
    """What the dialogues of a run have in common."""

    result: Result
    manifest: Mapping[str, Any]
    calls: Mapping[str, list[Row]]
    """By dialogue."""
    concepts: Mapping[str, Concept]
    texts: Mapping[str, str]
    """Of the concepts' files, as far as the run keeps them."""


def subjects(run: Path, manifest: Mapping[str, Any], jury: str | None) -> list[Subject]:
    """What the logs of a run are made of, one for each model.

    Raises:
        StudyError: nothing has been judged, or not by this jury.
    """
    result = load_run(run, jury)
    with RunFolder.open(run, read_only=True) as folder:
        concepts = saved_concepts(folder)
        texts = {name: _text(folder, name) for name in concepts}
        read = _Run(result, manifest, calls_of(folder.journal), concepts, texts)
    by_model: dict[str, list[Dialogue]] = {}
    for dialogue in dialogues(result.tables, result.jury, result.banner):
        by_model.setdefault(dialogue.turns[0]["model"], []).append(dialogue)
    return [_subject(model, own, read) for model, own in by_model.items()]


def _text(folder: RunFolder, concept: str) -> str:
    path = saved_concept_path(folder, folder.manifest["concepts"][concept])
    return "" if path is None else saved_text(path)


def _subject(model: str, dialogues: Sequence[Dialogue], run: _Run) -> Subject:
    judges = list(dict.fromkeys(row["judge"] for dialogue in dialogues for row in dialogue.verdicts))
    calls_of_dialogues = [
        [row for row in run.calls.get(dialogue.turns[0]["dialogue"], ()) if _belongs(row, judges)]
        for dialogue in dialogues
    ]
    result, manifest = run.result, run.manifest
    profile = next((each for each in result.profiles if each.model == model), None)
    return Subject(
        instrument=INSTRUMENT,
        scales=SCALES,
        solver="cross_examination",
        model=model,
        manifest=manifest,
        samples=[_sample(dialogue, calls, run) for dialogue, calls in zip(dialogues, calls_of_dialogues, strict=True)],
        calls=[row for calls in calls_of_dialogues for row in calls],
        metrics={} if profile is None else metrics_of(profile),
        group="profile",
        judges=_models(judges),
        args={"preset": manifest["preset"]["name"], "seed": manifest["seed"]},
        about={"instrument": INSTRUMENT, "jury": result.jury, "judges": judges, "banner": result.banner},
        details={
            "profile": as_plain(profile),
            "validity": {check.id: check.status for check in result.checks},
        },
        stopped=result.stopped,
        epochs=1 + max(dialogue.turns[0]["sample"] for dialogue in dialogues),
    )


def _sample(dialogue: Dialogue, calls: Sequence[Row], run: _Run) -> EvalSample:
    first, last = dialogue.turns[0], dialogue.turns[-1]
    concept, level = first["concept"], first["level"]
    named = run.concepts[concept].name if concept in run.concepts else concept
    run_time = made_at(run.manifest)
    start, end = span(calls) or (run_time, run_time)
    return EvalSample(
        id=f"{concept}@{level:g}",
        epoch=first["sample"] + 1,
        input=f"{named}, compression {level:g}",
        target="",
        messages=_messages(dialogue, calls),
        output=_output(dialogue, calls),
        scores={INSTRUMENT: score_of(dialogue)},
        metadata=_about(dialogue),
        store=_store(dialogue, run),
        events=_events(dialogue, calls, start, end),
        model_usage=by_model(calls),
        role_usage=by_role(calls),
        started_at=start.isoformat(),
        completed_at=end.isoformat(),
        total_time=(end - start).total_seconds(),
        error=failed(last["error"]) if last["error"] else None,
        uuid=first["dialogue"],
    )


def _about(dialogue: Dialogue) -> Row:
    """Which dialogue it is, and its trap."""
    about = {name: dialogue.turns[0][name] for name in ("concept", "level", "dialogue")}
    trap = next((turn for turn in dialogue.turns if turn["trap_item"]), {})
    return about | {name: trap[name] for name in ("trap_kind", "trap_item", "trap_description") if name in trap}


def _store(dialogue: Dialogue, run: _Run) -> Row:
    """What `inspect score` needs to have another jury judge it; nothing where the concept's text is not kept."""
    text = run.texts.get(dialogue.turns[0]["concept"])
    return {} if text is None else {STORED: stored(dialogue, run.manifest["preset"], text)}


def _messages(dialogue: Dialogue, calls: Sequence[Row]) -> list[ChatMessage]:
    """As the subject saw them in its last call; of an imported dialogue, what it asked and answered."""
    last = _last_answer(calls)
    if last is not None:
        messages = [to_message(message["role"], message["content"]) for message in last["messages"]]
        return [*messages, to_message("assistant", last["reply"])]
    return [
        to_message(role, turn[part])
        for turn in dialogue.turns
        for role, part in (("user", "question"), ("assistant", "answer"))
        if turn[part] is not None
    ]


def _output(dialogue: Dialogue, calls: Sequence[Row]) -> ModelOutput:
    last = _last_answer(calls)
    if last is not None:
        return output_of(last)
    answer = next((turn["answer"] for turn in reversed(dialogue.turns) if turn["answer"] is not None), "")
    return ModelOutput.from_content(inspect_name(dialogue.turns[0]["model"]), answer)


def _last_answer(calls: Sequence[Row]) -> Row | None:
    answered = [row for row in calls if row["role"] == "subject" and row["reply"] is not None]
    return max(answered, key=lambda row: (row["turn"], row["id"]), default=None)


def _events(dialogue: Dialogue, calls: Sequence[Row], start: datetime, end: datetime) -> list[Any]:
    """Calls as they began, and after those of each turn what was asked, and what the jury decided."""
    events: list[tuple[datetime, int, Any]] = [
        (datetime.fromisoformat(row["started_at"]), 0, event_of(row, start)) for row in calls
    ]
    for turn in dialogue.turns:
        number = turn["turn"]
        _, at = span([row for row in calls if row["turn"] == number]) or (end, end)
        events.append((at, number, info_of("voirdire turn", _question(turn), at, start)))
        events.append((at, number, info_of("voirdire verdicts", _jury_decision(dialogue, number), at, start)))
    return [event for *_, event in sorted(events, key=lambda each: each[:2])]


def _question(turn: Row) -> Row:
    wanted = ("turn", "question", "question_source", "question_notes", "trap_kind", "trap_item", "finish_reason")
    return {name: turn[name] for name in wanted if turn[name] not in (None, [])}


def _jury_decision(dialogue: Dialogue, number: int) -> Row:
    def own(rows: Sequence[Row]) -> list[Row]:
        place = ("jury", "dialogue", "model", "concept", "level", "sample", "turn")
        return [{name: row[name] for name in row if name not in place} for row in rows if row["turn"] == number]

    return {"turn": number, "consensus": next(iter(own(dialogue.scores)), None), "verdicts": own(dialogue.verdicts)}


def _belongs(row: Row, judges: Sequence[str]) -> bool:
    """Whether a call belongs to the dialogue or to this jury: another jury's verdicts stand in its own log."""
    return row["role"] != "judge" or any(
        row["agent"] == judge or row["agent"].startswith(f"{judge}/") for judge in judges
    )


def _models(judges: Sequence[str]) -> list[str]:
    """The models behind judges; an imported record names judges who are none that could be asked."""
    return [spec for spec in (judge_spec(name.split("#")[0]) for name in judges if "/" in name) if spec is not None]
