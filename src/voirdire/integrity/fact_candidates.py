"""A model proposes how compound facts are split; what it proposes is checked, and the user's file decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.instruments import Instrument
from voirdire.integrity.facts import expand
from voirdire.integrity.llm_auditor import fact_lines, repair_with
from voirdire.integrity.records import EstablishedFact, IntegrityError
from voirdire.jury.structured_replies import (
    Asks,
    Missing,
    ParseFault,
    Unusable,
    ask_until_parsed,
    field_of,
    only_object,
)
from voirdire.records import Fenced, Request, Settings, Slot
from voirdire.runs import DEFAULTS, RunOptions, open_run, options_for
from voirdire.text.numbers import find_numbers
from voirdire.text.overlap import content_words

INSTRUMENT = Instrument(
    name="integrity-facts",
    contents="a proposal of how to split facts",
    no_report="it holds how facts were split: report the audit that used them",
)
"""Described for the rest of the package."""

MAX_TOKENS = 4000
REPAIRS = 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """Facts with the parts that a model proposed, or those that the rules give where its proposal can't stand."""

    facts: tuple[EstablishedFact, ...]
    refused: tuple[str, ...]
    """Why a proposal does not stand, and what is done instead, for each fact concerned."""


async def propose_split(
    facts: Sequence[EstablishedFact],
    spec: str,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    base_url: str | None = None,
) -> Proposal:
    """Ask a model how facts are to be split; the call is recorded in a run folder.

    Args:
        facts: as read; those that bring their own parts, or are to stay whole, are left alone.
        spec: of the model.
        path: of the run folder.
        options: how the run is held.
        base_url: of an "openai-api/…" model.

    Raises:
        IntegrityError: the model gave nothing that could be read.
        SpecError, RunFolderError, BudgetError: before anything is asked.
        RunStopped: a limit of the options was reached.
    """
    models = {spec: options_for(spec, base_url)}
    listed = [[fact.id, fact.text] for fact in facts]
    prompts = {"facts_propose": load_prompt("facts_propose").sha256}
    manifest = {"instrument": INSTRUMENT.name, "proposer": spec, "facts": listed, "prompts": prompts}
    async with open_run(path, manifest, models, options) as (_, runner):
        return await propose(facts, spec, runner)


async def propose(facts: Sequence[EstablishedFact], spec: str, asker: Asks) -> Proposal:
    """As `propose_split`, with whoever makes the calls.

    Raises:
        IntegrityError: the model gave nothing that could be read.
    """
    parents = {fact.parent for fact in facts}
    open_to_it = [fact for fact in facts if fact.parent is None and fact.id not in parents and not fact.whole]
    if not open_to_it:
        return Proposal(tuple(facts), ())
    request = _request(open_to_it)
    outcome, _ = await ask_until_parsed(
        asker, spec, request, _read, repair_with("audit_repair"), repairs=REPAIRS, who="model", what="proposal"
    )
    if isinstance(outcome, Missing):
        raise IntegrityError(f"{spec} proposed nothing: {outcome.why}.")
    return _proposal(facts, {fact.id for fact in open_to_it}, outcome)


def fault_of(fact: EstablishedFact, parts: Sequence[str]) -> str | None:
    """Why these parts may not stand for a fact: they must hold all its figures, no other, and no word of their own."""
    figures = {(number.low, number.high) for number in find_numbers(fact.text)}
    part_figures = {(number.low, number.high) for part in parts for number in find_numbers(part)}
    if figures != part_figures:
        return f"{fact.id}: the parts proposed have other figures than the fact."
    new = {word for part in parts for word in content_words(part)} - set(content_words(fact.text))
    if new:
        return f"{fact.id}: the parts proposed have words that the fact lacks ({', '.join(sorted(new))})."
    return None


def _proposal(facts: Sequence[EstablishedFact], compound: set[str], proposed: Mapping[str, Sequence[str]]) -> Proposal:
    settled: list[EstablishedFact] = []
    refused: list[str] = []
    for fact in facts:
        parts = proposed.get(fact.id, ()) if fact.id in compound else ()
        fault = fault_of(fact, parts) if len(parts) > 1 else None
        if fact.id not in compound:
            settled.append(fact)
        elif fault is not None or not parts:
            refused.append(f"{fault or f'{fact.id}: nothing was proposed.'} Split by rule instead.")
            settled += expand([fact])
        else:
            settled += _with_parts(fact, parts)
    return Proposal(tuple(settled), tuple(refused))


def _with_parts(fact: EstablishedFact, parts: Sequence[str]) -> list[EstablishedFact]:
    if len(parts) == 1:
        return [replace(fact, whole=True)]
    return [fact, *(replace(fact, id=f"{fact.id}.{i}", text=text, parent=fact.id) for i, text in enumerate(parts, 1))]


def _request(facts: Sequence[EstablishedFact]) -> Request:
    listed = fact_lines(facts)
    part = {"type": "array", "items": {"type": "string"}}
    entry = _object({"id": {"type": "string"}, "parts": part})
    return Request(
        slot=Slot("facts", 1, "proposer"),
        messages=load_prompt("facts_propose").messages(facts=Fenced("facts", listed)),
        settings=Settings(max_tokens=MAX_TOKENS, temperature=0.0),
        schema=_object({"facts": {"type": "array", "items": entry}}),
    )


def _read(text: str) -> dict[str, list[str]] | ParseFault:
    try:
        entries = field_of(only_object(text), "facts")
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise Unusable("facts must be a list of objects")
        return {str(field_of(entry, "id")): _parts(entry) for entry in entries}
    except Unusable as fault:
        return ParseFault(str(fault))


def _parts(entry: Mapping[str, Any]) -> list[str]:
    parts = field_of(entry, "parts")
    if not isinstance(parts, list) or not all(isinstance(part, str) and part.strip() for part in parts):
        raise Unusable("parts must be a list of texts")
    return [part.strip() for part in parts]


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
