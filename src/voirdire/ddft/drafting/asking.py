"""How the drafting model is asked (fenced data, another try), and how its replies are read."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from string import Template
from typing import Any, TypeVar

from voirdire.data import packaged_files
from voirdire.data.prompt_files import load_prompt
from voirdire.ddft.concepts.checking.rules import dates_written
from voirdire.ddft.drafting.records import Brief, DraftError, DraftFact, Names, Refusals
from voirdire.jury import Asks
from voirdire.jury.structured_replies import Missing, ParseFault, Unusable, ask_until_parsed, field_of, only_object
from voirdire.records import Fenced, Instance, Message, Request, Settings, Slot
from voirdire.runs import Progress

T = TypeVar("T")

_TEXT: dict[str, Any] = {"type": "string"}
LISTS = ("people", "topics", "papers", "events", "laws")
_INSTANCE = ("name", "person", "date", "place", "work")


def facts_schema(contested: bool) -> dict[str, Any]:
    """Facts with their quotes; in a contested concept also whose view each is."""
    fields = ("fact", "quote", "position") if contested else ("fact", "quote")
    return _object({"facts": _list(_object(dict.fromkeys(fields, _TEXT)))})


def names_schema() -> dict[str, Any]:
    """What a part of the document names."""
    lists = dict.fromkeys(LISTS, _list(_TEXT))
    return _object({"instances": _list(_object(dict.fromkeys(_INSTANCE, _TEXT))), **lists})


def reference_schema() -> dict[str, Any]:
    """The reference text."""
    return _object({"reference": _TEXT})


def wrong_schema() -> dict[str, Any]:
    """A false version per fact."""
    return _object({"wrong": _list(_object({"id": _TEXT, "wrong": _TEXT}))})


def read_facts(text: str, section: str) -> list[DraftFact] | ParseFault:
    """Drafted facts of a part of the document."""

    def facts(value: Mapping[str, Any]) -> list[DraftFact]:
        return [
            DraftFact(_text(each, "fact"), _text(each, "quote"), section, str(each.get("position") or "").strip())
            for each in _entries(value, "facts")
        ]

    return _read(text, facts)


def read_names(text: str) -> Names | ParseFault:
    """Names of a part of the document."""

    def names(value: Mapping[str, Any]) -> Names:
        instances = tuple(
            Instance(*(str(each.get(field) or "").strip() for field in _INSTANCE))
            for each in _entries(value, "instances")
        )
        return Names(instances, *(_texts(value, field) for field in LISTS))

    return _read(text, names)


def read_reference(text: str) -> str | ParseFault:
    """The reference text, a blank line between its paragraphs."""

    def reference(value: Mapping[str, Any]) -> list[str]:
        paragraphs = _text(value, "reference").split("\n")
        return [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip()]

    paragraphs_found = _read(text, reference)
    return paragraphs_found if isinstance(paragraphs_found, ParseFault) else "\n\n".join(paragraphs_found)


def read_wrong(text: str) -> dict[str, str] | ParseFault:
    """False versions by the facts' ids."""

    def wrong(value: Mapping[str, Any]) -> dict[str, str]:
        return {_text(each, "id"): _text(each, "wrong") for each in _entries(value, "wrong")}

    return _read(text, wrong)


def _read(text: str, make: Callable[[Mapping[str, Any]], T]) -> T | ParseFault:
    try:
        return make(only_object(text))
    except Unusable as fault:
        return ParseFault(str(fault))


def _entries(value: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    entries = field_of(value, name)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unusable(f"{name} must be a list of objects")
    return entries


def _texts(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    entries = field_of(value, name)
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise Unusable(f"{name} must be a list of texts")
    return tuple(entry.strip() for entry in entries if entry.strip())


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = field_of(fields, name)
    if not isinstance(value, str) or not value.strip():
        raise Unusable(f"{name} must be a text")
    return value.strip()


def _list(entry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": entry}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


REPAIRS = 2
MAX_TOKENS = 4_000
_MAX_QUOTED_REPLY = 4_000
_PROMPTS = ("facts", "names", "reference", "wrong", "again", "repair")


@dataclass(frozen=True, slots=True)
class Drafter:
    """Who drafts what, and what was refused on the way."""

    asker: Asks
    spec: str
    brief: Brief
    refusals: Refusals
    progress: Progress

    async def ask_until_read(self, request: Request, read: Callable[[str], T | ParseFault], what: str) -> T:
        """Ask until the reply can be read.

        Raises:
            DraftError: it never could.
        """
        outcome, _ = await ask_until_parsed(
            self.asker, self.spec, request, read, _repair_request, repairs=REPAIRS, who="model", what=what
        )
        if isinstance(outcome, Missing):
            raise DraftError(f"{self.spec} drafted no {what}: {outcome.why.rstrip('.')}.")
        return outcome

    def progress_message(self, step: str) -> str:
        """What the model is told of the kind of concept at this step ("facts", "reference", "wrong")."""
        as_of = self.brief.as_of
        written = dates_written(date.fromisoformat(as_of))[1] if as_of else ""
        return Template(_kinds()[step][self.brief.kind]).substitute(as_of=as_of, as_of_written=written)


def step_request(step: str, part: int, schema: Mapping[str, Any], /, **values: str | Fenced) -> Request:
    """The call of one step ("facts" …) for one part of the document, 0 for the whole."""
    messages = load_prompt(f"draft_{step}").messages(**values)
    settings = Settings(max_tokens=MAX_TOKENS, temperature=0.0)
    return Request(Slot("draft", part, "drafter", agent=step), messages, settings, schema)


def repeat_request(request: Request, refused: Sequence[str]) -> Request:
    """The same request with what was refused, as a call of its own."""
    reasons = Fenced("refused", "\n".join(f"- {each}" for each in refused))
    slot = replace(request.slot, agent=f"{request.slot.agent}-again")
    return replace(_with(request, "draft_again", refused=reasons), slot=slot)


async def gather_results(steps: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """The outcomes of steps that run at once; the first failure is raised when every one has ended."""
    outcomes = await asyncio.gather(*steps, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]


def prompt_hashes() -> dict[str, str]:
    """SHA-256 of the drafting prompts, for the run's identity."""
    kinds = hashlib.sha256(packaged_files.read_text("prompts/draft_kinds.yaml").encode()).hexdigest()
    return {f"draft_{name}": load_prompt(f"draft_{name}").sha256 for name in _PROMPTS} | {"draft_kinds": kinds}


def _repair_request(request: Request, reply: str, problem: str, number: int) -> Request:
    """The same request with the reply that could not be used."""
    quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY] or "(nothing)")
    slot = replace(request.slot, repair=number)
    wrong = Fenced("problem", problem)  # it may name what the reply names, and so the document
    return replace(_with(request, "draft_repair", problem=wrong, reply=quoted), slot=slot)


def _with(request: Request, prompt: str, **values: str | Fenced) -> Request:
    """The request with a prompt's words at the end of its last message."""
    (added,) = load_prompt(prompt).messages(**values)
    *before, last = request.messages
    return replace(request, messages=(*before, Message(last.role, (*last.parts, "\n\n", *added.parts))))


@cache
def _kinds() -> Mapping[str, Mapping[str, str]]:
    loaded: Mapping[str, Mapping[str, str]] = packaged_files.read_yaml("prompts/draft_kinds.yaml")
    return loaded
