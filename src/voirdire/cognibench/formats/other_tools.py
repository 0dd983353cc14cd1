"""Logs of other tools under our names: OpenAI, Anthropic, LangChain, LlamaIndex, RAGAS, tables; and columns by name.

| log | the context | the question | the answer |
|---|---|---|---|
| OpenAI messages | a field, else tool messages, else the system's | user messages | assistant messages, `choices` |
| OpenAI Responses | a field, else what tools found, else `instructions` | `input` | messages of `output` |
| Anthropic | a field, else `tool_result`, `document`, `search_result`, else `system` | user messages | assistant's |
| LangChain | `source_documents`, `context` | `query`, `input`, `question` | `result`, `answer` |
| LlamaIndex | `source_nodes` | `query`, `query_str` | `response` |
| RAGAS | `retrieved_contexts` | `user_input` | `response` |

Of messages, each answer's context is what stands before it; of a system message, the passages that it marks as such.
"""

from __future__ import annotations

import json
import re
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
    passages_of,
    printed_list,
    text,
)
from voirdire.cognibench.formats.system_messages import marked_passages
from voirdire.cognibench.records import CognibenchError
from voirdire.data.nested_fields import field_at, has_field
from voirdire.errors import shown

MAPPED = (
    *("id", "context", "question", "answer", "turns", "history", "messages"),
    *("topic", "model", "group", "label", "labels", "statements"),
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
_NUMBERED = re.compile(r"(.+)\.([0-9]+)\.content")
"""Where a message's text stands: its list, and its number there."""
GIVEN_BEFORE = "the evidence that stands before it"
"""A field of ours in an assistant's message: the texts that its answer could rest on."""
SYSTEM_CONTEXT = "how the context is taken from the system message"
"""A field of ours, where there was nothing else to take for it: the kind of the problem."""
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
        fields[own] = _cell(own, field_at(entry, name))
        if own in ANSWERS and is_of_turns(fields[own]):
            raise FieldError(f"{name} is a list of turns, and no answer: name it with --map turns={name}")
    if "custom_id" in fields:  # of OpenAI's batches
        fields.setdefault("id", fields["custom_id"])
    if isinstance(fields.get("item"), str | int):  # of tables with scores; OpenAI's evaluations have an object there
        fields.setdefault("id", fields["item"])
    if fields.get("cluster"):
        fields.setdefault("group", fields["cluster"])
    messages = _messages(fields, named)
    mapped = next((named[own] for own in CONTEXTS if own in named), None)
    listed = None if mapped is None else _list_of(mapped, entry, messages or ())
    if mapped is not None and listed is None:
        _check_not_answer(mapped, entry, _answer_places(fields, messages, named))
    if messages is None:
        return fields
    with_text = [each for each in messages if each["content"].strip()]
    if mapped is not None and listed is not None:
        fields["context"] = _give_before(mapped, listed, entry, messages)
    elif field(fields, CONTEXTS) is None:
        roles = next((roles for roles in _GIVEN if any(each["role"] in roles for each in messages)), ())
        texts = {number: each["content"] for number, each in enumerate(with_text) if each["role"] in roles}
        is_system = roles == _SYSTEM
        marked = {number: part for number, each in texts.items() if is_system and (part := marked_passages(each))}
        given: list[str] = []
        for number, each in enumerate(with_text):
            if number in (marked or texts):
                given.append((marked or texts)[number])
            each[GIVEN_BEFORE] = tuple(given)
        fields["context"] = given if roles else None
        fields[SYSTEM_CONTEXT] = ("system passages" if marked else "system context") if is_system else None
        fields[LONGER_MESSAGE] = _longer_message(with_text) if roles in (_SYSTEM, ()) and not marked else None
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


def _messages(fields: Mapping[str, Any], named: Mapping[str, str]) -> list[dict[str, Any]] | None:
    """What was said, as {"role", "content", "place"} and what else a message has; `None` without any."""
    name = named.get("messages", "messages")
    turns = fields.get("turns")
    if turns is not None:
        has_roles = isinstance(turns, list) and turns and all(isinstance(each, Mapping) for each in turns)
        return _read_messages(turns, named.get("turns", "turns")) if has_roles and "role" in turns[0] else None
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
    return [*messages, *_reply(fields, named)]


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
    for part in (fields, *_responses(fields).values()):
        items = part.get("output")
        if isinstance(items, list) and items and all(isinstance(each, Mapping) and "type" in each for each in items):
            return items
    return None


def _responses(fields: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """What a model's service returned, by itself or in a batch, by where it stands."""
    response = fields.get("response")
    if not isinstance(response, Mapping):
        return {}
    body = response.get("body")
    return {"response.body.": body} if isinstance(body, Mapping) else {"response.": response}


def _longer_message(messages: Sequence[Mapping[str, Any]]) -> str | None:
    """Where the user's longest message stands, if it is longer than the system's; of several in a chat, where all do.

    The passages are pasted into each of them, and `_give_before` gives each answer those before it.
    """
    system = sum(len(each["content"]) for each in messages if each["role"] in _SYSTEM)
    longer = [each for each in messages if each["role"] == "user" and len(each["content"]) > system]
    place = max(longer, key=lambda each: len(each["content"]), default={}).get("place")
    is_chat = len(longer) > 1 and sum(each["role"] == "assistant" for each in messages) > 1
    match = _NUMBERED.fullmatch(place or "")
    return f"{match[1]}.content" if is_chat and match else place


def _list_of(mapped: str, entry: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str | None:
    """The list of messages within which a path lies; `None` where it lies elsewhere."""
    matches = (_NUMBERED.fullmatch(each.get("place", "")) for each in messages)
    lists = {match[1] for match in matches if match}
    is_field = mapped in entry and mapped not in lists
    return None if is_field else next((each for each in lists if f"{mapped}.".startswith(f"{each}.")), None)


def _give_before(mapped: str, listed: str, entry: Mapping[str, Any], messages: Sequence[dict[str, Any]]) -> list[str]:
    """What the last answer could rest on of a path into the messages; each answer is given what stands before it.

    No answer is evidence, neither for itself nor for a later one.

    Args:
        mapped: the path.
        listed: the part of it that leads to the list of messages.
        entry: as the file has it.
        messages: as they were read.

    Raises:
        FieldError: nothing there stands before an answer.
    """
    answers = [each for each in messages if each["role"] == "assistant"]
    numbers = [
        int(match[2]) if match and match[1] == listed else None
        for match in (_NUMBERED.fullmatch(each.get("place", "")) for each in answers)
    ]
    into_parts = ".content." in mapped.removeprefix(listed)
    others = [
        {**each, "content": ""} if number in numbers else each if into_parts else _with_text(each)
        for number, each in enumerate(field_at(entry, listed))
    ]
    for each, number in zip(answers, numbers, strict=True):
        before = {"list": others[:number]}
        name = f"list{mapped.removeprefix(listed)}"
        value = field_at(before, name) if has_field(before, name) else None
        texts = [] if value is None else passages_of({"context": value}).texts
        each[GIVEN_BEFORE] = tuple(text for text in texts if text.strip())
    if not any(each[GIVEN_BEFORE] for each in answers):
        raise FieldError(f"{mapped} has no text that comes before an answer")
    return list(answers[-1][GIVEN_BEFORE])


def _with_text(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message with the texts of its parts, if it has parts, as its content."""
    content = message.get("content")
    return {**message, "content": "\n".join(_block_texts(content))} if isinstance(content, list) else message


def _check_not_answer(mapped: str, entry: Mapping[str, Any], answers: Sequence[str]) -> None:
    """See that what is named for the context is none of the places that have answers, nor holds one.

    Raises:
        FieldError: it is, or does.
    """

    def steps(name: str) -> list[str]:
        return [name] if name in entry else [step for step in name.split(".") if not step.isdecimal()]

    for place in answers:
        if all(one == other for one, other in zip(steps(mapped), steps(place), strict=False)):  # one leads to the other
            raise FieldError(f"the field {mapped} is or holds the answer, so it can't be its context")


def _answer_places(
    fields: Mapping[str, Any], messages: Sequence[Mapping[str, Any]] | None, named: Mapping[str, str]
) -> list[str]:
    """Where the answers of an entry stand."""
    if messages is not None:
        return [each["place"] for each in messages if each["role"] == "assistant"]
    if fields.get("turns") is not None:
        return [f"{named.get('turns', 'turns')}.{name}" for name in ANSWERS]
    match = field(fields, ANSWERS)
    return [] if match is None else [named.get(match[0], match[0])]


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
    if "role" not in message and "assistant" in message:
        raise FieldError('messages must be a list of {"role", "content"}; one of {"user", "assistant"} is called turns')
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
    elif isinstance(block, Mapping) and (block.get("type") == "text" or isinstance(block.get("text"), str)):
        yield text("the text of a block", block.get("text", block.get("data")))
    elif isinstance(block, Mapping):
        yield from _block_texts(block.get("source" if block.get("type") == "document" else "content"), depth + 1)


def _reply(fields: Mapping[str, Any], named: Mapping[str, str]) -> list[dict[str, Any]]:
    """The answer that stands apart from the messages, as a text or in OpenAI's `choices`; empty without one."""
    for place, part in {**_responses(fields), "": fields}.items():
        choices = part.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
            reply = _message(choices[0].get("message") or {"role": "assistant"})["content"]
            return [{"role": "assistant", "content": reply, "place": f"{place}choices.message.content"}]
        if part.get("role") == "assistant":  # Anthropic's
            return [{"role": "assistant", "content": _message(part)["content"], "place": f"{place}content"}]
    match = field(fields, ANSWERS)
    if match is None:
        return []
    return [{"role": "assistant", "content": text(*match), "place": named.get(match[0], match[0])}]


def is_of_turns(value: Any) -> bool:
    """Whether a field, or a table's cell, holds a chat: {"user", "assistant"} or {"role", "content"} without a type."""
    turns = _cell("turns", value)
    return isinstance(turns, list) and any(
        isinstance(each, Mapping) and "type" not in each and ("assistant" in each or {"role", "content"} <= each.keys())
        for each in turns
    )


def _cell(name: str, value: Any) -> Any:
    if name not in _LISTS or not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return printed_list(value)
