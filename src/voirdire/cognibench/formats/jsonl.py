"""JSON Lines, Parquet or CSV: dialogues, the single answers of a log, and what `write_jsonl` wrote.

    {"id", "context", "turns": [{"user", "assistant"}, …]}     a dialogue: each turn becomes an answer
    {"id", "context", "question", "answer", "history"?}        one answer

Names and forms that logs use are understood: see `entries.CONTEXTS`, `QUESTIONS` and `ANSWERS`, and `logs`.
Optional are `topic`, `model` and `group`; and labels, beside the answer or within a turn, as
`"statements": [{"text" or "start" and "end", "label"}]` or as `"labels": {text: label}`, of an answer of one
sentence also as `"label"`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.entries import (
    ANSWERS,
    CONTEXTS,
    LABELLED_BY_MODEL,
    QUESTIONS,
    FieldError,
    exchanges_of,
    field,
    name_of,
    passages_of,
    statements_of,
    text_of,
    turn_of,
)
from voirdire.cognibench.formats.lines import BadEntriesError, Entry, TakenIds, read_entries
from voirdire.cognibench.formats.other_tools import (
    GIVEN_BEFORE,
    LONGER_MESSAGE,
    SYSTEM_CONTEXT,
    named_in_file,
    own_fields,
)
from voirdire.cognibench.formats.problems import Problem, Tell, ignore
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_plain
from voirdire.data.paths import why_unwritable
from voirdire.detectors.records import Answer, Exchange
from voirdire.text.shortening import beginning

_QUOTED = 40
"""Characters of a context that a note quotes."""


def iter_jsonl(
    path: Path, tell: Tell = ignore, *, plain: bool = False, columns: Mapping[str, str] | None = None
) -> Iterator[Answer]:
    """Read answers one at a time, never the whole file (a `.json` file with a list is read at once).

    An entry without an id is called by its number. Answers with the same context share their group, unless `group` says
    otherwise.

    Args:
        path: of the file.
        tell: is told of labels that could not be placed, and of ids that were changed.
        plain: Markdown is read as plain text.
        columns: by our name, the name in the file.

    Raises:
        BadEntriesError: entries are no answers or dialogues; all others are read first, so that it knows all of these.
        CognibenchError: the file can't be read.
    """
    names = TakenIds(tell)
    bad: list[tuple[Entry, str]] = []
    for entry in read_entries(path):
        try:
            answers = answers_of(entry, tell, plain=plain, columns=columns)
        except BadEntriesError as error:
            bad.append((entry, error.says))
            continue
        if not bad:
            yield from map(names.own, answers)
    if bad:
        raise BadEntriesError(bad)


def answers_of(
    entry: Entry, tell: Tell = ignore, *, plain: bool = False, columns: Mapping[str, str] | None = None
) -> list[Answer]:
    """The answers of one entry, under the ids that it gives them; another entry may give the same.

    Args:
        entry: of a file.
        tell: is told of labels that could not be placed.
        plain: Markdown is read as plain text.
        columns: by our name, the name in the file.

    Raises:
        BadEntriesError: it is no answer or dialogue; its line is named.
    """
    if entry.fault is not None:
        raise BadEntriesError([(entry, entry.fault)])
    try:
        is_dialogue = entry.fields.get("turns") is not None or "turns" in (columns or {})
        own, named = own_fields(entry.fields, columns), named_in_file(entry.fields, columns)
        return list(_answers(entry._replace(fields=own), is_dialogue, named, tell, plain))
    except FieldError as error:
        raise BadEntriesError([(entry, str(error))]) from None


def _answers(entry: Entry, is_dialogue: bool, named: Mapping[str, str], tell: Tell, plain: bool) -> Iterator[Answer]:
    """An entry's answers. The only one of a log's messages is called as the entry is, each turn of a dialogue apart."""
    fields = entry.fields
    _check_complete(fields)
    name = name_of(fields, "id") or str(entry.number)
    passages = passages_of(fields)
    if passages.key is not None and SYSTEM_CONTEXT not in fields:  # no --map reaches into a message's text
        place = named.get(passages.field, passages.field)
        tell(Problem("passage text", name, f"--map context={place}.{passages.key}"))
    context = passages.context
    if kind := fields.get(SYSTEM_CONTEXT):
        place = fields[LONGER_MESSAGE]
        other = "" if place is None else f", or --map context={place}"
        tell(Problem(kind, name, f"“{beginning(context, _QUOTED)}”{other}"))
    shared: dict[str, Any] = {
        "group": name_of(fields, "group") or _group(context, name),
        "topic": text_of(fields, ("topic",)),
        "model": text_of(fields, ("model",)),
        LABELLED_BY_MODEL: text_of(fields, (LABELLED_BY_MODEL,)) or None,
    }
    is_guessed = fields.get(SYSTEM_CONTEXT) or "context" in named
    turns = list(_turns(fields))
    numbered = is_dialogue or len(turns) > 1
    for turn, exchange, history, turn_fields in turns:
        dialogue = name_of(fields, "dialogue") or name
        own = f"{name}_{turn}" if numbered else name
        if GIVEN_BEFORE in turn_fields:
            context = passages_of({"contexts": list(turn_fields[GIVEN_BEFORE])}).context
        if context.strip() and context.strip() == exchange.user.strip():
            tell(Problem("question as context", own, f"“{beginning(context, _QUOTED)}”"))
        elif is_guessed and len(context) < len(exchange.assistant):
            tell(Problem("short context", own, f"“{beginning(context, _QUOTED)}”"))
        yield Answer(
            id=own,
            dialogue=dialogue,
            context=context,
            question=exchange.user,
            text=exchange.assistant,
            statements=statements_of(exchange.assistant, turn_fields, own, tell, plain=plain),
            history=history,
            turn=turn,
            **shared,
        )


def _check_complete(fields: Mapping[str, Any]) -> None:
    """See that there are a context and an answer.

    Raises:
        FieldError: something is missing; all of it is named.
    """
    lacks_answer = fields.get("turns") is None and field(fields, ANSWERS) is None
    place = fields.get(LONGER_MESSAGE)
    hint = "" if place is None else f"; if the passages are in the user's message, say --map context={place}"
    lacks = [f"no context (one of {', '.join(CONTEXTS)})"] * (field(fields, CONTEXTS) is None)
    lacks += [f"no answer (one of {', '.join(ANSWERS)}), and no turns"] * lacks_answer
    if lacks:
        raise FieldError(f"it has {', '.join(lacks)}{hint}")


def _turns(
    fields: Mapping[str, Any],
) -> Iterator[tuple[int, Exchange, tuple[Exchange, ...], Mapping[str, Any]]]:
    """(number, exchange, earlier ones, where its labels stand) of each turn that is an answer."""
    if fields.get("turns") is not None:
        turns = exchanges_of("turns", fields["turns"])
        if not turns:
            raise FieldError("turns holds no assistant's turn")
        for number, (exchange, turn_fields) in enumerate(turns):
            yield number, exchange, tuple(earlier for earlier, _ in turns[:number]), turn_fields
        return
    answer = text_of(fields, ANSWERS) or ""
    history = tuple(exchange for exchange, _ in exchanges_of("history", fields.get("history") or []))
    turn = turn_of(fields.get("turn", len(history)))
    yield turn, Exchange(text_of(fields, QUESTIONS) or "", answer), history, fields


def _group(context: str, name: str) -> str:
    """Equal contexts, equal groups; without a context nothing is shared."""
    return hashlib.sha256(context.encode()).hexdigest()[:12] if context.strip() else name


def write_jsonl(answers: Iterable[Answer], path: Path) -> int:
    """Write one line per answer, with labels, offsets and history; how many were written.

    Raises:
        CognibenchError: the file can't be written.
    """
    written = 0
    try:
        with path.open("w", encoding="utf-8") as file:
            for answer in answers:
                file.write(json.dumps(as_entry(answer), ensure_ascii=False) + "\n")
                written += 1
    except OSError as error:
        raise CognibenchError(f"{path} can't be written: {why_unwritable(error, path)}.") from error
    return written


def as_entry(answer: Answer) -> dict[str, Any]:
    """An answer as the JSON object that stands for it; only of a model's labels does it say who gave them."""
    model = answer.labelled_by_model
    return {
        "id": answer.id,
        "dialogue": answer.dialogue,
        "group": answer.group,
        "turn": answer.turn,
        "topic": answer.topic,
        "model": answer.model,
        "context": answer.context,
        "history": as_plain(answer.history),
        "question": answer.question,
        "answer": answer.text,
        **({} if model is None else {LABELLED_BY_MODEL: model}),
        "statements": [
            {"text": each.text, "start": each.start, "end": each.end, "label": each.label}
            | ({} if model is None else {"human_label": each.human_label})
            for each in answer.statements
        ],
    }
