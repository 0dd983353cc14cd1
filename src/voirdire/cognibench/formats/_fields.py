"""The fields of an entry, under the names that logs of retrieval-augmented generation give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.data import rows
from voirdire.detectors.records import LABELS, Exchange, Label
from voirdire.errors import InputError

CONTEXTS = ("context", "contexts", "retrieved_contexts", "documents")
QUESTIONS = ("question", "query", "prompt", "user", "user_input")
ANSWERS = ("answer", "response", "output", "assistant")
_DOCUMENT = ("text", "content", "page_content", "passage")


MAX_TURN = 1_000_000


class FieldError(InputError):
    """A field that can't be read; whoever knows the line adds it."""


def field(entry: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any] | None:
    """The first of the names that has a value, and the value."""
    return next(((name, entry[name]) for name in names if entry.get(name) is not None), None)


def context_of(entry: Mapping[str, Any]) -> str:
    """The evidence: a text, or texts or documents that are joined by blank lines.

    Raises:
        FieldError: there is none, or it is no text.
    """
    found = field(entry, CONTEXTS)
    if found is None:
        raise FieldError(f"it has no context (one of {', '.join(CONTEXTS)})")
    name, value = found
    if isinstance(value, list):
        return "\n\n".join(_document(name, each) for each in value)
    return _document(name, value)


def text_of(entry: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The text under the first of the names that has one; `None` where there is none.

    Raises:
        FieldError: it is no text.
    """
    found = field(entry, names)
    return None if found is None else text(*found)


def text(name: str, value: Any) -> str:
    """A text that can be written as UTF-8: half a surrogate pair becomes U+FFFD, and offsets stay.

    Raises:
        FieldError: it is none.
    """
    if not isinstance(value, str):
        raise FieldError(f"{name} must be a text, not a {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in value)
    return value


def name_of(entry: Mapping[str, Any], field_name: str) -> str | None:
    """A name or whole number, as a text; `None` where there is none.

    Raises:
        FieldError: it is neither.
    """
    try:
        found = rows.name_of(entry.get(field_name), field_name)
    except TypeError as error:
        raise FieldError(str(error)) from None
    return None if found is None else text(field_name, found)


def turn_of(value: Any) -> int:
    """The number of a turn.

    Raises:
        FieldError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_TURN:
        raise FieldError(f"turn must be a number from 0 to {MAX_TURN:,}")
    return value


def exchanges_of(name: str, value: Any) -> list[tuple[Exchange, Mapping[str, Any]]]:
    """Turns, as `{"user", "assistant"}` or as messages `{"role", "content"}`, each with the entry that it stands in.

    Raises:
        FieldError: it is no list of such.
    """
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise FieldError(f'{name} must be a list of {{"user", "assistant"}}')
    if value and "role" in value[0]:
        return _paired(name, value)
    found = []
    for turn in value:
        said = text_of(turn, ANSWERS)
        if said is None:
            raise FieldError(f"a turn of {name} has no assistant text")
        found.append((Exchange(text_of(turn, QUESTIONS) or "", said), turn))
    return found


def label_of(value: Any) -> Label | None:
    """One of the seven labels; `true` and `false` say whether it is a hallucination, `null` that nobody said.

    Raises:
        FieldError: it is something else.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "invented" if value else "faithful"
    for label in LABELS:
        if value == label:
            return label
    raise FieldError(f"the label {value!r} is none of {', '.join(LABELS)}, true, false")


def _document(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        found = field(value, _DOCUMENT)
        if found is None:
            raise FieldError(f"a document in {name} has no {' or '.join(_DOCUMENT)}")
        return text(*found)
    return text(name, value)


def _paired(name: str, messages: Sequence[Mapping[str, Any]]) -> list[tuple[Exchange, Mapping[str, Any]]]:
    """Messages of a chat: what users said before each assistant's message is its question; others are left out."""
    found: list[tuple[Exchange, Mapping[str, Any]]] = []
    asked: list[str] = []
    for message in messages:
        said = text(f"the content of {name}", message.get("content"))
        if message.get("role") == "user":
            asked.append(said)
        elif message.get("role") == "assistant":
            found.append((Exchange("\n\n".join(asked), said), message))
            asked = []
    return found
