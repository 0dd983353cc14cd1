"""An entry of a data set: its fields under their many names, and its statements with the labels that it gives."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from voirdire.cognibench.formats.problems import Problem, Tell
from voirdire.data import rows
from voirdire.data.json_text import JsonError, json_kind, parse_json
from voirdire.detectors.records import LABELS, Exchange, Label, Statement
from voirdire.errors import InputError
from voirdire.text.alignment import align
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words
from voirdire.text.sentences import Sentence, cut_answer, is_header

CONTEXTS = ("context", "contexts", "retrieved_contexts", "documents", "source_documents", "source_nodes", "passages")
QUESTIONS = ("question", "query", "prompt", "user", "user_input", "input", "query_str")
ANSWERS = ("answer", "response", "output", "assistant", "result", "completion")
LABELLED_BY_MODEL = "labelled_by_model"
"""Field that names the model whose labels an entry has."""
DOCUMENT_TEXTS = ("text", "content", "page_content", "passage")
_JSON_TEXTS = (*DOCUMENT_TEXTS, "body", "snippet", "chunk")
"""The same in JSON that a tool returned as a text, where no `--map` reaches."""
_WRAPPED = ("node", "kwargs", "document")
"""Where a document stands within its entry: of LlamaIndex, of LangChain's own JSON."""
_ABOUT_DOCUMENTS = frozenset(("id", "doc_id", "score", "metadata"))
"""Fields of a document that say nothing of its content."""
_DESCRIPTIONS = frozenset(("description", "summary", "about", "details"))
"""Long texts that tell of the same as the fields beside them."""
_LONGEST_LITERAL = 200_000
"""Characters of a list as Python prints it that are read."""
_TIMES_LONGER = 2
"""By how much a passage's text is longer than what is said of it."""
_SENTENCE_WORDS = 4
_PROSE_WORDS = 12
"""A text of so many words is prose, even where it is cut in the middle of a sentence."""

_PLAIN: Mapping[str, Label] = {
    **dict.fromkeys(("supported", "0", "false", "entailed", "consistent"), "faithful"),
    **dict.fromkeys(("unsupported", "not supported", "contradicted", "hallucinated", "1", "true"), "invented"),
}
"""Labels of two kinds, as other data sets call them."""
MAX_TURN = 1_000_000


class FieldError(InputError):
    """A field that can't be read; whoever knows the line adds it."""


def field(entry: Mapping[str, Any], names: Sequence[str]) -> tuple[str, Any] | None:
    """The first of the names that has a value, and the value."""
    return next(((name, entry[name]) for name in names if entry.get(name) is not None), None)


class Passages(NamedTuple):
    """The evidence of an entry."""

    texts: list[str]
    field: str
    """Of the entry, that has them."""
    key: str | None
    """Under which the passages have their text, where it is none of `DOCUMENT_TEXTS`."""

    @property
    def context(self) -> str:
        """All of them, joined by blank lines."""
        return "\n\n".join(self.texts)


def passages_of(entry: Mapping[str, Any]) -> Passages:
    """The evidence: a text, or texts or documents; a record becomes its JSON. Texts that are JSON are decoded.

    Raises:
        FieldError: there is none, or it is no text.
    """
    match = field(entry, CONTEXTS)
    if match is None:
        raise FieldError(f"it has no context (one of {', '.join(CONTEXTS)})")
    name, value = match
    value = list_of_passages(value)
    listed = [passage for each in (value if isinstance(value, list) else [value]) for passage in _elements(each)]
    key = None if listed == [value] else _text_key(listed)
    texts = [_document(name, each) if key is None else text(key, each[key]) for each in listed]
    return Passages([passage for each in texts for passage in _decoded(each)], name, key)


def list_of_passages(value: Any) -> Any:
    """The list that a text is, as JSON or as Python prints it, if all of it can be passages; else the value itself."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        result = parse_json(value, halves="replace", nan="null")
    except JsonError:
        result = printed_list(value)
    return result if isinstance(result, list) and all(map(_is_passage, result)) else value


def printed_list(value: str) -> Any:
    """A list as Python prints it, which is how pandas writes one to CSV; the text itself where it is none."""
    if len(value) > _LONGEST_LITERAL:
        return value
    try:
        return ast.literal_eval(value.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value


def _elements(given: Any) -> list[Any]:
    """The passages of the list that a text or a document's text is, else what is given."""
    result = list_of_passages(_document("", given)) if _is_passage(given) else None
    return result if isinstance(result, list) else [given]


def _is_passage(value: Any) -> bool:
    try:
        _document("", value)
    except FieldError:
        return False
    return True


def _text_key(passages: Sequence[Any]) -> str | None:
    """The one key under which all passages have sentences that are much longer than whatever else is said of them."""
    if not passages or not all(isinstance(each, Mapping) for each in passages):
        return None
    if any(field(each, (*DOCUMENT_TEXTS, *_WRAPPED)) for each in passages):
        return None
    words: Counter[str] = Counter()
    for each in passages:
        words.update({key: _words(value) for key, value in each.items() if key not in _ABOUT_DOCUMENTS})
    (key, most), (_, second), *_ = [*words.most_common(2), ("", 0), ("", 0)]
    if key in _DESCRIPTIONS or most < _TIMES_LONGER * second:
        return None
    texts = [each.get(key) for each in passages]
    return key if all(isinstance(each, str) for each in texts) and any(map(_is_prose, texts)) else None


def _words(value: Any) -> int:
    """Words of all texts within a value."""
    if isinstance(value, str):
        return count_words(value)
    within = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return sum(map(_words, within))


def _is_prose(value: str) -> bool:
    words = count_words(value)
    return words >= _PROSE_WORDS or (words >= _SENTENCE_WORDS and value.rstrip().endswith((".", "!", "?", "。")))


def text_of(entry: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """The text under the first of the names that has one; `None` where there is none.

    Raises:
        FieldError: it is no text.
    """
    match = field(entry, names)
    return None if match is None else text(*match)


def text(name: str, value: Any) -> str:
    """A text that can be written as UTF-8: half a surrogate pair becomes U+FFFD, and offsets stay.

    Raises:
        FieldError: it is none.
    """
    if not isinstance(value, str):
        raise FieldError(f"{name} must be a text, not {json_kind(value)}")
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
        name = rows.name_of(entry.get(field_name), field_name)
    except TypeError as error:
        raise FieldError(str(error)) from None
    return None if name is None else text(field_name, name)


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
        return _pair_messages(name, value)
    exchanges = []
    for turn in value:
        answer = text_of(turn, ANSWERS)
        if answer is None:
            raise FieldError(f"a turn of {name} has no assistant text")
        exchanges.append((Exchange(text_of(turn, QUESTIONS) or "", answer), turn))
    return exchanges


def label_of(value: Any) -> Label | None:
    """One of the seven labels; `true`, 1 or "unsupported" say that it is a hallucination; `null` that nobody said.

    Raises:
        FieldError: it is something else.
    """
    if value is None:
        return None
    if isinstance(value, int | float) and value in (0, 1):  # booleans, and a table's numbers
        return "invented" if value else "faithful"
    if isinstance(value, str) and (plain := _PLAIN.get(value.strip().lower().replace("_", " "))):
        return plain
    for label in LABELS:
        if value == label:
            return label
    names = (*LABELS, "supported", "unsupported", "contradicted", "true", "false", "1", "0")
    raise FieldError(f"the label {value!r} is none of {', '.join(names)}")


def content_text(name: str, value: Any) -> str:
    """What a message says: its text, or the texts of its parts; "" for nothing, as of a call of a tool.

    Raises:
        FieldError: it is neither.
    """
    if value is None:
        return ""
    if not isinstance(value, list):
        return text(name, value)
    parts = [part.get("text") if isinstance(part, Mapping) else part for part in value]
    return "\n".join(text(name, part) for part in parts if part is not None)


def _document(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        match = field(value, DOCUMENT_TEXTS)
        if match is None:
            inner = field(value, _WRAPPED)
            if inner is not None and isinstance(inner[1], Mapping):
                return _document(name, inner[1])
            return _record(name, value)
        return text(*match)
    return text(name, value)


def _record(name: str, value: Mapping[str, Any]) -> str:
    """An object as the text of its JSON: the same evidence in either form."""
    if _is_empty({key: each for key, each in value.items() if key not in _ABOUT_DOCUMENTS}):
        raise FieldError(f"a document in {name} has no {' or '.join(DOCUMENT_TEXTS)}, and no field with a value")
    return text(name, json.dumps(value, ensure_ascii=False))


def _decoded(value: str) -> list[str]:
    """The passages of JSON or JSON Lines, and its records as JSON without escapes; any other text as it is."""
    if not value.lstrip().startswith(("{", "[", '"')):
        return [value]
    try:
        parsed = parse_json(value, halves="replace", nan="null")
    except JsonError:
        lines = [line for line in value.split("\n") if line.strip()]
        return [each for line in lines for each in _decoded(line)] if _are_objects(lines) else [value]
    if _is_empty(parsed):
        return []
    if _has_passages(parsed):
        return _json_passages(parsed)
    return [json.dumps(parsed, ensure_ascii=False, indent=2 if "\n" in value else None)] if "\\u" in value else [value]


def _are_objects(lines: list[str]) -> bool:
    """Whether there are several lines, each a JSON object: JSON Lines, or a tool's parts of one record each."""
    try:
        records = [parse_json(line, halves="replace", nan="null") for line in lines]
    except JsonError:
        return False
    return len(records) > 1 and all(isinstance(each, dict) for each in records)


def _is_empty(value: Any) -> bool:
    """Whether no value stands anywhere within, as in `{"results": []}`."""
    within = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else None
    return value in (None, "") if within is None else all(map(_is_empty, within))


def _has_passages(value: Any) -> bool:
    """Whether a value of JSON is a text or a list of texts, or holds a document with a text, however deep."""
    is_texts = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return isinstance(value, str) or is_texts or _holds_document(value)


def _holds_document(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _own_text(value) is not None or any(map(_holds_document, value.values()))
    return isinstance(value, list) and any(map(_holds_document, value))


def _own_text(document: Mapping[str, Any]) -> str | None:
    """The name of the field that has a document's text."""
    return next((name for name in _JSON_TEXTS if isinstance(document.get(name), str) and document[name].strip()), None)


def _json_passages(value: Any) -> list[str]:
    """Texts as passages; what else is said beside them, but for a document's id and score, as a record of its own."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and _has_passages(value):
        return [passage for each in value for passage in _json_passages(each)]
    if not _holds_document(value):
        return [json.dumps(value, ensure_ascii=False)]
    own = _own_text(value)
    within = {name: each for name, each in value.items() if _holds_document(each)}
    is_document = own is not None or not within.keys().isdisjoint((*_WRAPPED, "metadata"))
    left_out = {own, *within, *(("type", *_ABOUT_DOCUMENTS) if is_document else ())}
    rest = {name: each for name, each in value.items() if name not in left_out and each not in (None, "", [], {})}
    passages = [] if own is None else [value[own]]
    passages += [passage for each in within.values() for passage in _json_passages(each)]
    return [*passages, json.dumps(rest, ensure_ascii=False)] if rest else passages


def _pair_messages(name: str, messages: Sequence[Mapping[str, Any]]) -> list[tuple[Exchange, Mapping[str, Any]]]:
    """Messages of a chat: what users said before each assistant's message is its question; others are left out."""
    exchanges: list[tuple[Exchange, Mapping[str, Any]]] = []
    questions: list[str] = []
    for message in messages:
        content = content_text(f"the content of {name}", message.get("content"))
        if message.get("role") == "user":
            questions.append(content)
        elif message.get("role") == "assistant":
            exchanges.append((Exchange("\n\n".join(questions), content), message))
            questions = []
    return exchanges


_GRAVEST_FIRST: tuple[Label, ...] = (
    "invented",
    "misleading",
    "speculative",
    "reliable",
    "irrefutable",
    "faithful",
    "irrelevant",
)


def place_labels(
    answer_text: str,
    sentences: Sequence[Sentence],
    labelled_texts: Sequence[tuple[str, Label]],
    answer: str,
    tell: Tell,
) -> tuple[Statement, ...]:
    """Place each label once, wherever its text belongs; of equal sentences each needs a label of its own.

    Args:
        answer_text: the whole text.
        sentences: of the answer.
        labelled_texts: (text, label), in any order.
        answer: its id, for problems.
        tell: is told of texts that belong nowhere, of sentences with two labels, and of sentences with none that are no
            headings or header rows.
    """
    labels: dict[int, Label] = {}
    _place(sentences, range(len(sentences)), labelled_texts, labels, answer, tell)
    return _labelled(answer_text, sentences, labels, answer, tell)


def place_mapping(
    answer_text: str, sentences: Sequence[Sentence], labels_by_text: Mapping[str, Label], answer: str, tell: Tell
) -> tuple[Statement, ...]:
    """Place labels that are given by text: equal sentences share theirs. Otherwise as `place_labels`."""
    known = {text.strip().lower(): label for text, label in labels_by_text.items()}
    exact = {place: sentence.text.lower() for place, sentence in enumerate(sentences)}
    labels = {place: known[text] for place, text in exact.items() if text in known}
    met = {exact[place] for place in labels}
    rest = [(text, label) for text, label in labels_by_text.items() if text.strip().lower() not in met]
    _place(sentences, [place for place in exact if place not in labels], rest, labels, answer, tell)
    return _labelled(answer_text, sentences, labels, answer, tell)


def _place(
    sentences: Sequence[Sentence],
    numbers: Sequence[int],
    labelled_texts: Sequence[tuple[str, Label]],
    labels: dict[int, Label],
    answer: str,
    tell: Tell,
) -> None:
    aligned = align([sentences[number].text for number in numbers], [text for text, _ in labelled_texts])
    for (_, label), places in zip(labelled_texts, aligned.places, strict=True):
        for sentence in (numbers[place] for place in places):
            labels[sentence] = _graver_label(labels.get(sentence), label, sentence, answer, tell)
    for which in aligned.unplaced:
        tell(Problem("unplaced", answer, f"{_short(labelled_texts[which][0])} ({labelled_texts[which][1]})"))


def _graver_label(there: Label | None, label: Label, sentence: int, answer: str, tell: Tell) -> Label:
    if there is None or there == label:
        return label
    tell(Problem("two labels", answer, f"sentence {sentence + 1} is {there} and {label}"))
    return min(there, label, key=_GRAVEST_FIRST.index)


def _labelled(
    answer_text: str, sentences: Sequence[Sentence], labels: Mapping[int, Label], answer: str, tell: Tell
) -> tuple[Statement, ...]:
    missing = [
        str(place + 1)
        for place, each in enumerate(sentences)
        if place not in labels and not is_header(answer_text, each.start, each.end)
    ]
    if labels and missing:
        tell(Problem("no label", answer, f"sentence {', '.join(missing)}"))
    return tuple(Statement(*sentence, labels.get(place)) for place, sentence in enumerate(sentences))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f'"{line}"' if len(line) <= 60 else f'"{line[:59]}…"'


def statements_of(
    answer: str, entry: Mapping[str, Any], name: str, tell: Tell, *, plain: bool = False
) -> tuple[Statement, ...]:
    """Statements as `entry["statements"]` cuts them if it has offsets, else the sentences with the labels given.

    A `label` counts where the answer is one sentence: of several it would not say which.

    Args:
        answer: the text.
        entry: may hold "statements", "labels" or "label".
        name: the answer's id, for problems.
        tell: is told of labels that can't be placed, and of words outside the statements given.
        plain: Markdown is read as plain text.

    Raises:
        FieldError: the statements or labels can't be read.
    """
    listed, labels = entry.get("statements"), entry.get("labels")
    entries = None if listed is None else _entries(listed)
    if entries and all("start" in each and "end" in each for each in entries):
        return cut_by_offsets(answer, entries, name, tell)
    sentences = cut_answer(answer, plain=plain)
    if entries is not None:
        named = [(text("the text of a statement", each.get("text")), label_of(each.get("label"))) for each in entries]
        known = [(text, label) for text, label in named if label is not None]
        return place_labels(answer, sentences, known, name, tell)
    if labels is not None:
        return place_mapping(answer, sentences, _by_text(labels), name, tell)
    only = _label_of_answer(entry, name, tell) if len(sentences) == 1 else None
    return tuple(Statement(*sentence, only) for sentence in sentences)


def _label_of_answer(entry: Mapping[str, Any], name: str, tell: Tell) -> Label | None:
    """The entry's `label`, as a table has it; `None`, and told, where it is not one of ours: misspelt, say."""
    try:
        return label_of(entry.get("label"))
    except FieldError:
        tell(Problem("unknown label", name, str(entry["label"])))
        return None


def _entries(listed: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(listed, list) or not all(isinstance(each, Mapping) for each in listed):
        raise FieldError("statements must be a list of objects")
    return listed


def _by_text(labels: Any) -> dict[str, Label]:
    if not isinstance(labels, Mapping):
        raise FieldError(
            'labels must be an object from sentences to labels, {"A sentence.": true}; a list of objects with text and '
            "label is called statements"
        )
    read = {text: label_of(value) for text, value in labels.items()}
    return {text: label for text, label in read.items() if label is not None}


def cut_by_offsets(answer: str, entries: Sequence[Mapping[str, Any]], name: str, tell: Tell) -> tuple[Statement, ...]:
    """The statements whose "start" and "end" are given; words outside them are told.

    Raises:
        FieldError: offsets that do not lie in the answer, or a text that does not stand there.
    """
    statements = tuple(_statement(answer, each) for each in entries)
    outside = list(answer)
    for each in statements:
        outside[each.start : each.end] = " " * (each.end - each.start)
    lines = "".join(outside).splitlines()
    words = count_words("\n".join(line for line in lines if any(sign.isalnum() for sign in line)))  # no rules of tables
    if words:
        tell(Problem("outside", name, counted(words, "word")))
    return statements


def _statement(answer: str, entry: Mapping[str, Any]) -> Statement:
    start, end = entry["start"], entry["end"]
    if not (type(start) is int and type(end) is int and 0 <= start < end <= len(answer)):
        raise FieldError(f"a statement's start and end must lie in the answer, unlike {start!r} and {end!r}")
    text = answer[start:end]
    if entry.get("text") not in (None, text):
        raise FieldError(f"the statement at {start} is not the text given with it: the offsets count characters")
    human_label = label_of(entry.get("human_label"))
    return Statement(text, start, end, label_of(entry.get("label")), human_label=human_label)
