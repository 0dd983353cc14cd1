"""Entries of other tools' logs under our names: OpenAI, LangChain, LlamaIndex, RAGAS, tables; and columns by name.

| log | the context | the question | the answer |
|---|---|---|---|
| OpenAI messages | a field, else tool messages, else the system's | user messages | assistant messages, `choices` |
| LangChain | `source_documents`, `context` | `query`, `input`, `question` | `result`, `answer` |
| LlamaIndex | `source_nodes` | `query`, `query_str` | `response` |
| RAGAS | `retrieved_contexts` | `user_input` | `response` |
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.cognibench.formats.entries import ANSWERS, CONTEXTS, QUESTIONS, FieldError, content_text, field, text
from voirdire.cognibench.records import CognibenchError
from voirdire.errors import shown

MAPPED = (
    *("id", "context", "question", "answer", "turns", "history", "messages"),
    *("topic", "model", "group", "labels", "statements"),
)
"""Our names, for which a file may have others."""
_ROLES = {"human": "user", "ai": "assistant"}
"""Of LangChain's and RAGAS' messages, in OpenAI's words."""
_SYSTEM = ("system", "developer")
_GIVEN = (("tool", "function"), _SYSTEM)
"""Whose messages hold the evidence where no field does: the first of these that there are."""
SYSTEM_CONTEXT = "the context is the system message"
"""A field of ours: that there was nothing else to take for it."""
_LISTS = ("turns", "history", "labels", "statements", "messages", *CONTEXTS)
"""Fields that hold lists or objects; a table has them as text."""
_LONGEST_LITERAL = 200_000
"""Characters of a list as Python prints it that are read."""


def own_fields(entry: Mapping[str, Any], columns: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """An entry under the names that `jsonl` reads.

    Args:
        entry: as the file has it.
        columns: by our name, the name in the file, as for `field_at`.

    Raises:
        FieldError: it lacks a column that is named, or its messages can't be read.
    """
    fields = dict(entry)
    for own, name in (columns or {}).items():
        for names in (CONTEXTS, QUESTIONS, ANSWERS):
            if own in names:  # nothing else of the file is taken for it
                fields = {key: value for key, value in fields.items() if key not in names or key == own}
        fields[own] = field_at(entry, name)
    if "custom_id" in fields:  # of OpenAI's batches
        fields.setdefault("id", fields["custom_id"])
    if isinstance(fields.get("item"), str | int):  # of tables with scores; OpenAI's evaluations have an object there
        fields.setdefault("id", fields["item"])
    if fields.get("cluster"):
        fields.setdefault("group", fields["cluster"])
    messages = _messages(fields)
    if messages is None or fields.get("turns") is not None:
        return fields
    fields["turns"] = [each for each in messages if each["role"] in ("user", "assistant") and each["content"].strip()]
    if field(fields, CONTEXTS) is None:
        given = ((roles, _said_by(roles, messages)) for roles in _GIVEN)
        roles, fields["context"] = next(((roles, texts) for roles, texts in given if texts), ((), None))
        fields[SYSTEM_CONTEXT] = roles == _SYSTEM
    return fields


def named_columns(given: str) -> tuple[tuple[str, str], ...]:
    """What a file calls its fields, as `own_fields` takes it.

    Args:
        given: "answer=response,context=retrieval.docs".

    Raises:
        CognibenchError: it is not of this form, or names no field of ours.
    """
    parts = (each.partition("=") for each in given.split(","))
    pairs = tuple((own.strip(), name.strip()) for own, _, name in parts)
    if not all(own in MAPPED and name for own, name in pairs):
        raise CognibenchError(
            f"Pairs such as answer=response,context=docs are expected, not {shown(given)}: first one of "
            f"{', '.join(MAPPED)}, then what the file calls it."
        )
    return pairs


def table_fields(row: Mapping[str, str]) -> dict[str, Any]:
    """A row of a table as an entry: empty cells are left out, and lists are read, as JSON or as Python prints them.

    Args:
        row: cell by column.
    """
    return {name: _cell(name, value) for name, value in row.items() if value.strip()}


def field_at(entry: Mapping[str, Any], name: str) -> Any:
    """The field of that name, or at that path: "a.b" is the field b of the field a, "a.0" the first of the list a.

    Of a list, "a.b" is the list of the fields b of all its objects.

    Raises:
        FieldError: there is none.
    """
    if name in entry:
        return entry[name]
    try:
        return _along(entry, name.split("."))
    except LookupError:
        raise FieldError(f"it has no field {name}") from None


def _along(value: Any, path: Sequence[str]) -> Any:
    if not path:
        return value
    part, *rest = path
    if isinstance(value, Mapping):
        return _along(value[part], rest)
    if not isinstance(value, list):
        raise LookupError(part)
    if part.isdecimal():
        return _along(value[int(part)], rest)
    found = [_along(each, path) for each in value]
    return [each for some in found for each in (some if isinstance(some, list) else [some])]


def has_field(entry: Mapping[str, Any], name: str) -> bool:
    """Whether `field_at` finds something."""
    try:
        field_at(entry, name)
    except FieldError:
        return False
    return True


def _messages(fields: Mapping[str, Any]) -> list[dict[str, str]] | None:
    """What was said, as {"role", "content"}; `None` where the entry holds no messages."""
    request = next((part for part in (fields, fields.get("request"), fields.get("body")) if _listed(part)), None)
    if request is None:
        listed = fields.get("user_input")  # RAGAS: several turns
        if not isinstance(listed, list):
            return None
    else:
        listed = request["messages"]
    messages = [_message(each) for each in listed]
    reply = _reply(fields)
    return messages if reply is None else [*messages, {"role": "assistant", "content": reply}]


def _listed(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("messages"), list)


def _message(message: Any) -> dict[str, str]:
    if not isinstance(message, Mapping):
        raise FieldError('messages must be a list of {"role", "content"}')
    role = str(message.get("role") or message.get("type"))
    return {"role": _ROLES.get(role, role), "content": content_text("the content of a message", message.get("content"))}


def _reply(fields: Mapping[str, Any]) -> str | None:
    """The answer that stands apart from the messages, as a text or in OpenAI's `choices`."""
    response = fields.get("response")
    if isinstance(response, Mapping) and isinstance(response.get("body"), Mapping):
        response = response["body"]  # of a batch
    for part in (response, fields):
        choices = part.get("choices") if isinstance(part, Mapping) else None
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
            return _message(choices[0].get("message") or {"role": "assistant"})["content"]
    match = field(fields, ANSWERS)
    return None if match is None else text(*match)


def _said_by(roles: Sequence[str], messages: Sequence[Mapping[str, str]]) -> list[str]:
    return [message["content"] for message in messages if message["role"] in roles and message["content"].strip()]


def _cell(name: str, value: str) -> Any:
    if name not in _LISTS or not value.lstrip().startswith("[" if name in CONTEXTS else ("[", "{")):
        return value  # a context that is an object is a record, and evidence as it stands
    try:
        return json.loads(value)
    except ValueError:
        return _printed_list(value)


def _printed_list(value: str) -> Any:
    """A list as Python prints it, which is how pandas writes one to CSV; the text itself where it is none."""
    if len(value) > _LONGEST_LITERAL:
        return value
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value
