"""Logs of other tools under our names: OpenAI, Anthropic, LangChain, LlamaIndex, RAGAS, tables; and columns by name.

| log | the context | the question | the answer |
|---|---|---|---|
| OpenAI messages | a field, else tool messages, else the system's | user messages | assistant messages, `choices` |
| OpenAI Responses | a field, else what tools found, else `instructions` | `input` | messages of `output` |
| Anthropic | a field, else `tool_result`, `document`, `search_result`, else `system` | user messages | assistant's |
| LangChain | `source_documents`, `context` | `query`, `input`, `question` | `result`, `answer` |
| LlamaIndex | `source_nodes` | `query`, `query_str` | `response` |
| RAGAS | `retrieved_contexts` | `user_input` | `response` |

Of messages, each answer's context is what stands before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voirdire.cognibench.formats.entries import (
    ANSWERS,
    CONTEXTS,
    QUESTIONS,
    FieldError,
    content_text,
    field,
    list_of_passages,
    printed_list,
    text,
)
from voirdire.cognibench.records import CognibenchError
from voirdire.data.nested_fields import field_at, has_field
from voirdire.errors import shown

MAPPED = (
    *("id", "context", "question", "answer", "turns", "history", "messages"),
    *("topic", "model", "group", "labels", "statements"),
)
"""Our names, for which a file may have others."""
_ROLES = {"human": "user", "ai": "assistant", "function_call_output": "tool", "file_search_call": "tool"}
"""Of LangChain's and RAGAS' messages, and of what tools found in OpenAI's Responses, in the words of OpenAI's chats."""
_SYSTEM = ("system", "developer")
_GIVEN = (("tool", "function"), _SYSTEM)
"""Whose messages hold the evidence where no field does: the first of these that there are."""
_TOOL_OUTPUTS = {"function_call_output": "output", "file_search_call": "results"}
"""Items of OpenAI's Responses that have what a tool found, and in which field."""
_EVIDENCE_BLOCKS = ("tool_result", "document", "search_result")
"""Parts of an Anthropic message that hold evidence, such as a text in a document in a result."""
_DEEPEST_BLOCK = 8
GIVEN_BEFORE = "the evidence that stands before it"
"""A field of ours in an assistant's message: the texts that its answer could rest on."""
SYSTEM_CONTEXT = "the context is the system message"
"""A field of ours: that there was nothing else to take for it."""
LONGER_MESSAGE = "the user's longest message, if longer than that"
"""A field of ours: where it stands, for the passages may be there."""
_KINDS = (CONTEXTS, QUESTIONS, ANSWERS)
_LISTS = ("turns", "history", "labels", "statements", "messages")
"""Fields that hold lists or objects; a table has them as text. `entries` reads contexts of any format."""


def own_fields(entry: Mapping[str, Any], columns: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """An entry under the names that `jsonl` reads.

    Args:
        entry: as the file has it.
        columns: by our name, the name in the file, as for `field_at`.

    Raises:
        FieldError: it lacks a column that is named, or its messages can't be read.
    """
    named = named_in_file(entry, columns)
    within = {name.partition(".")[0] for name in named.values() if name not in entry}
    entry = {name: list_of_passages(value) if name in within else value for name, value in entry.items()}
    absent = [name for name in named.values() if not has_field(entry, name)]
    if absent:
        raise FieldError(f"it has no field {' and no field '.join(absent)}")
    fields = dict(entry)
    for own, name in named.items():
        for names in _KINDS:
            if own in names:  # nothing else of the file is taken for it
                fields = {key: value for key, value in fields.items() if key not in names or key == own}
        fields[own] = field_at(entry, name)
    if "custom_id" in fields:  # of OpenAI's batches
        fields.setdefault("id", fields["custom_id"])
    if isinstance(fields.get("item"), str | int):  # of tables with scores; OpenAI's evaluations have an object there
        fields.setdefault("id", fields["item"])
    if fields.get("cluster"):
        fields.setdefault("group", fields["cluster"])
    messages = _messages(fields, named.get("messages", "messages"))
    if messages is None:
        return fields
    with_text = [each for each in messages if each["content"].strip()]
    if field(fields, CONTEXTS) is None:
        roles = next((roles for roles in _GIVEN if any(each["role"] in roles for each in messages)), ())
        given: list[str] = []
        for each in with_text:
            if each["role"] in roles:
                given.append(each["content"])
            each[GIVEN_BEFORE] = tuple(given)
        fields["context"] = given if roles else None
        fields[SYSTEM_CONTEXT] = roles == _SYSTEM
        fields[LONGER_MESSAGE] = _longer_message(with_text) if roles == _SYSTEM else None
    fields["turns"] = [each for each in with_text if each["role"] in ("user", "assistant")]
    return fields


def named_in_file(entry: Mapping[str, Any], columns: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """By our name, the name in the file: as it was given, or one that differs in case alone ("Context").

    The latter only where the file has no name of the kind that is written as ours.
    """
    written = {key.lower(): key for key in entry}
    kinds = (names for names in _KINDS if entry.keys().isdisjoint(names))
    matches = (next((name for name in names if name in written), None) for names in kinds)
    return {**{own: written[own] for own in matches if own is not None}, **(columns or {})}


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
    """A row of a table as an entry: empty cells are left out, and lists are read, as JSON or as Python prints them."""
    return {name: _cell(name.lower(), value) for name, value in row.items() if value.strip()}


def _messages(fields: Mapping[str, Any], name: str) -> list[dict[str, Any]] | None:
    """What was said, as {"role", "content", "place"} and what else a message has; `None` without any."""
    turns = fields.get("turns")
    if turns is not None:
        has_roles = isinstance(turns, list) and turns and all(isinstance(each, Mapping) for each in turns)
        return _read_messages(turns, "turns") if has_roles and "role" in turns[0] else None
    parts: Mapping[str, Any] = {"": fields, "request.": fields.get("request"), "body.": fields.get("body")}
    place = next((place for place, part in parts.items() if _listed(part)), None)
    output = _output(fields)
    if place is not None:
        system = parts[place].get("system")  # Anthropic's
        first = [] if system is None else [_message({"role": "system", "content": system})]
        messages = [*first, *_read_messages(parts[place]["messages"], f"{place}messages" if place else name)]
    elif output is not None:
        return [*_asked(parts), *_read_messages(output, "output")]
    elif isinstance(fields.get("user_input"), list):  # RAGAS: several turns
        messages = _read_messages(fields["user_input"], "user_input")
    else:
        return None
    reply = _reply(fields)
    return messages if reply is None else [*messages, {"role": "assistant", "content": reply}]


def _asked(parts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What the Responses API was given, wherever it stands."""
    for place, part in parts.items():
        given = part if isinstance(part, Mapping) else {}
        if isinstance(given.get("instructions"), str):
            yield {"role": "system", "content": given["instructions"]}
        if isinstance(given.get("input"), str):
            yield {"role": "user", "content": given["input"], "place": f"{place}input"}
        elif given.get("input") is not None:
            yield from _read_messages(given["input"], f"{place}input")


def _output(fields: Mapping[str, Any]) -> list[Any] | None:
    """The items of an answer of OpenAI's Responses API."""
    for part in (fields, *_responses(fields)):
        items = part.get("output")
        if isinstance(items, list) and items and all(isinstance(each, Mapping) and "type" in each for each in items):
            return items
    return None


def _responses(fields: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a model's service returned, by itself or in a batch."""
    response = fields.get("response")
    if isinstance(response, Mapping):
        body = response.get("body")
        yield body if isinstance(body, Mapping) else response


def _longer_message(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Where the user's longest message stands, if it is longer than the system's."""
    system = sum(len(each["content"]) for each in messages if each["role"] in _SYSTEM)
    longest = max(
        (each for each in messages if each["role"] == "user"), key=lambda each: len(each["content"]), default=None
    )
    return longest.get("place") if longest is not None and len(longest["content"]) > system else None


def _listed(part: Any) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("messages"), list)


def _read_messages(messages: Any, place: str) -> list[dict[str, Any]]:
    if not isinstance(messages, list):
        raise FieldError(f"{place} must be a text or a list of messages")
    return [
        {**part, "place": f"{place}.{number}.content"}
        for number, each in enumerate(messages)
        for part in (*_evidence_within(each), _message(each))
    ]


def _message(message: Any) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise FieldError('messages must be a list of {"role", "content"}')
    role = str(message.get("role") or message.get("type"))
    content = content_text("the content of a message", message.get(_TOOL_OUTPUTS.get(role, "content")))
    return {**message, "role": _ROLES.get(role, role), "content": content}


def _evidence_within(message: Any) -> Iterator[dict[str, Any]]:
    """What tools returned within a message of Anthropic's, and its documents, as messages of tools."""
    content = message.get("content") if isinstance(message, Mapping) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and block.get("type") in _EVIDENCE_BLOCKS:
            yield {"role": "tool", "content": "\n\n".join(_block_texts(block))}


def _block_texts(block: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a block: its own, those of its content, or of a document's source; pictures and PDFs have none."""
    if depth > _DEEPEST_BLOCK:
        return
    if isinstance(block, str):
        yield text("a tool_result", block)
    elif isinstance(block, list):
        for each in block:
            yield from _block_texts(each, depth + 1)
    elif isinstance(block, Mapping) and block.get("type") == "text":
        yield text("the text of a block", block.get("text", block.get("data")))
    elif isinstance(block, Mapping):
        yield from _block_texts(block.get("source" if block.get("type") == "document" else "content"), depth + 1)


def _reply(fields: Mapping[str, Any]) -> str | None:
    """The answer that stands apart from the messages, as a text or in OpenAI's `choices`."""
    for part in (*_responses(fields), fields):
        choices = part.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
            return str(_message(choices[0].get("message") or {"role": "assistant"})["content"])
        if part.get("role") == "assistant":  # Anthropic's
            return str(_message(part)["content"])
    match = field(fields, ANSWERS)
    return None if match is None else text(*match)


def _cell(name: str, value: str) -> Any:
    if name not in _LISTS or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return printed_list(value)
