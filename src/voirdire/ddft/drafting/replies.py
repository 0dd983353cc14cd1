"""What the drafting model is asked to return, and how its replies are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from voirdire.ddft.drafting.records import DraftFact, Names
from voirdire.jury.structured import ParseFault, Unusable, field_of, only_object
from voirdire.records import Instance

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

    def facts(given: Mapping[str, Any]) -> list[DraftFact]:
        return [
            DraftFact(_text(each, "fact"), _text(each, "quote"), section, str(each.get("position") or "").strip())
            for each in _entries(given, "facts")
        ]

    return _read(text, facts)


def read_names(text: str) -> Names | ParseFault:
    """Names of a part of the document."""

    def names(given: Mapping[str, Any]) -> Names:
        instances = tuple(
            Instance(*(str(each.get(field) or "").strip() for field in _INSTANCE))
            for each in _entries(given, "instances")
        )
        return Names(instances, *(_texts(given, field) for field in LISTS))

    return _read(text, names)


def read_reference(text: str) -> str | ParseFault:
    """The reference text, a blank line between its paragraphs."""

    def reference(given: Mapping[str, Any]) -> list[str]:
        paragraphs = _text(given, "reference").split("\n")
        return [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip()]

    found = _read(text, reference)
    return found if isinstance(found, ParseFault) else "\n\n".join(found)


def read_wrong(text: str) -> dict[str, str] | ParseFault:
    """False versions by the facts' ids."""

    def wrong(given: Mapping[str, Any]) -> dict[str, str]:
        return {_text(each, "id"): _text(each, "wrong") for each in _entries(given, "wrong")}

    return _read(text, wrong)


def _read(text: str, make: Callable[[Mapping[str, Any]], T]) -> T | ParseFault:
    try:
        return make(only_object(text))
    except Unusable as fault:
        return ParseFault(str(fault))


def _entries(given: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    entries = field_of(given, name)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unusable(f"{name} must be a list of objects")
    return entries


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    listed = field_of(given, name)
    if not isinstance(listed, list) or not all(isinstance(entry, str) for entry in listed):
        raise Unusable(f"{name} must be a list of texts")
    return tuple(entry.strip() for entry in listed if entry.strip())


def _text(given: Mapping[str, Any], name: str) -> str:
    value = field_of(given, name)
    if not isinstance(value, str) or not value.strip():
        raise Unusable(f"{name} must be a text")
    return value.strip()


def _list(entry: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": entry}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
