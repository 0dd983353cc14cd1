"""RAGTruth's layout (Niu et al., 2024): `response.jsonl` beside `source_info.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.cognibench.formats.entries import FieldError, name_of, text, text_of
from voirdire.cognibench.formats.lines import BadEntriesError, Entry, read_entries
from voirdire.cognibench.formats.problems import Problem, Tell, ignore
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer, Statement
from voirdire.text.alignment import span_to_sentences
from voirdire.text.sentences import Sentence, cut_answer

RESPONSES = "response.jsonl"
SOURCES = "source_info.jsonl"


def iter_ragtruth(
    folder: Path, tell: Tell = ignore, split: str | None = None, *, plain: bool = False
) -> Iterator[Answer]:
    """Read responses one at a time; their sources are held in memory.

    A statement that a labelled span touches is invented, any other one faithful: RAGTruth knows no cognitive
    statements, and what is true but not in the source counts as a hallucination there, as here.

    Args:
        folder: that holds the two files.
        tell: is told of spans that stand nowhere in their response.
        split: "train" or "test"; `None` reads both.
        plain: Markdown is read as plain text.

    Raises:
        CognibenchError: a file can't be read, or a line is not as it should be.
    """
    sources: dict[str, Mapping[str, Any]] = {}
    for entry in _readable_entries(read_entries(folder / SOURCES)):
        sources[_required(entry, "source_id")] = entry.fields
    for entry in _readable_entries(read_entries(folder / RESPONSES)):
        if split is None or entry.fields.get("split") == split:
            source = sources.get(_required(entry, "source_id"))
            if source is None:
                raise CognibenchError(f"{entry.where}: {SOURCES} has no source {entry.fields['source_id']!r}.")
            try:
                yield _answer(entry, source, tell, plain)
            except FieldError as error:
                raise CognibenchError(f"{entry.where}: {error}.") from None


def _readable_entries(entries: Iterator[Entry]) -> Iterator[Entry]:
    for entry in entries:
        if entry.fault is not None:
            raise BadEntriesError([(entry, entry.fault)])
        yield entry


def _answer(entry: Entry, source: Mapping[str, Any], tell: Tell, plain: bool) -> Answer:
    fields = entry.fields
    name = _required(entry, "id")
    response = text("response", fields.get("response"))
    context, question = _context_and_question(source)
    return Answer(
        id=name,
        dialogue=name,
        group=_required(entry, "source_id"),
        context=context,
        question=question,
        text=response,
        statements=_statements(name, response, cut_answer(response, plain=plain), fields.get("labels") or [], tell),
        topic=text_of(source, ("task_type",)),
        model=text_of(fields, ("model",)),
    )


def _context_and_question(source: Mapping[str, Any]) -> tuple[str, str]:
    """(context, question). Of a prompt that is all there is, the context is taken out."""
    info = source.get("source_info")
    prompt = text_of(source, ("prompt",)) or ""
    if isinstance(info, Mapping) and "passages" in info:
        return text("passages", info["passages"]), text_of(info, ("question",)) or ""
    if isinstance(info, Mapping):
        return json.dumps(info, ensure_ascii=False, indent=1), prompt.replace(str(info), "").strip()
    context = text("source_info", info)
    return context, prompt.replace(context.strip(), "").strip() if context.strip() else prompt


def _statements(
    name: str, response: str, sentences: Sequence[Sentence], labels: Any, tell: Tell
) -> tuple[Statement, ...]:
    touched: set[int] = set()
    for span in _spans(labels):
        places = _sentences_touched(response, sentences, span)
        if not places:
            tell(Problem("unplaced", name, f'the span "{span.get("text")}"'))
        touched.update(places)
    return tuple(
        Statement(*sentence, "invented" if place in touched else "faithful") for place, sentence in enumerate(sentences)
    )


def _spans(labels: Any) -> Sequence[Mapping[str, Any]]:
    if not isinstance(labels, list) or not all(isinstance(each, Mapping) for each in labels):
        raise FieldError("labels must be a list of spans")
    return labels


def _sentences_touched(response: str, sentences: Sequence[Sentence], span: Mapping[str, Any]) -> Sequence[int]:
    """The sentences that a span touches: by its offsets, or by its text where they point elsewhere."""
    start, end, quoted = span.get("start"), span.get("end"), span.get("text")
    if isinstance(start, int) and isinstance(end, int) and quoted in (None, response[max(start, 0) : end]):
        return [place for place, each in enumerate(sentences) if each.start < end and start < each.end]
    return span_to_sentences(response, sentences, [text("the text of a span", quoted)]).places[0]


def _required(entry: Entry, name: str) -> str:
    try:
        value = name_of(entry.fields, name)
    except FieldError as error:
        raise CognibenchError(f"{entry.where}: {error}.") from None
    if value is None:
        raise CognibenchError(f"{entry.where}: it has no {name}.")
    return value
