"""CogniDet: a generative detector that lists the hallucinated sentences of an answer in one pass (CogniBench A.10).

What it is asked and what it answers stand here, for its use and for its training alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from voirdire.detectors.generative._detector import (
    Chat,
    GeneratedText,
    ReplyScores,
    Style,
    chat,
    cut_scores,
    open_generative,
    unreadable,
    whole_scores,
)
from voirdire.detectors.neural._texts import locate
from voirdire.detectors.records import DetectorError, Passage
from voirdire.text.alignment import align

PROMPT = "cognidet"
NONE = "No hallucination found."
"""The reply on an answer without hallucinations; Fig. 13 shows only one with some."""

_ITEM = re.compile(r"(?:\A|[,;]|\n)\s*Hallucination\s+(\d+)\s*:\s*", re.IGNORECASE)
_NONE = re.compile(r"\W*no (?:hallucinations?|hallucinated sentences?)\b", re.IGNORECASE)
_QUOTES = {'"': '"', "“": "”", "'": "'"}


def build_messages(passage: Passage) -> Chat:
    """What the model is shown: the context, the dialogue, and what to list.

    Args:
        passage: where it brings no dialogue, its sentences stand for the answer.
    """
    return chat(PROMPT, _values(passage))


def format_reply(sentences: Sequence[str]) -> str:
    """The reply that lists these sentences, in the form of the paper's Fig. 13."""
    if not sentences:
        return NONE
    return ", ".join(f'Hallucination {number}: "{sentence}"' for number, sentence in enumerate(sentences, 1))


def parse_reply(text: str) -> list[str]:
    """The sentences that a reply lists; what `format_reply` wrote comes back as it was.

    Quotes may be missing or curly, and entries may stand on lines of their own; they must count from 1.

    Raises:
        DetectorError: it is neither a list nor says that there is nothing to list.
    """
    items = _items(text)
    if items:
        ends = [*(start for start, _ in items[1:]), len(text)]
        return [_unquoted(text[begin:end]) for (_, begin), end in zip(items, ends, strict=True)]
    if _NONE.match(text):
        return []
    raise DetectorError(f"A reply like {format_reply(['…'])!r} or {NONE!r} is expected, unlike {text[:60]!r}.")


def read_reply(passage: Passage, written: GeneratedText) -> ReplyScores:
    """Scores of the sentences: 1 for those listed, 0 for the others.

    The last entry of a reply that was cut may be unfinished and does not count; see `cut_scores` for the rest.
    """
    try:
        listed = parse_reply(written.text)
    except DetectorError as error:
        return unreadable(passage, str(error))
    if not written.complete:
        listed = listed[:-1]
    alignment = align(passage.sentences, listed)
    places = [place for places in alignment.places for place in places]
    unplaced = tuple(listed[which] for which in alignment.unplaced)
    scores = whole_scores if written.complete else cut_scores
    return ReplyScores(scores(places, len(passage.sentences)), unplaced)


def _values(passage: Passage) -> dict[str, str]:
    answer = locate(passage).text
    turns = [(exchange.user, exchange.assistant) for exchange in passage.dialogue[:-1]]
    turns.append((passage.dialogue[-1].user if passage.dialogue else "", answer))
    lines = [line for user, reply in turns for line in (f"User: {user}" if user else "", f"Assistant: {reply}") if line]
    return {
        "context": passage.context,
        "dialogue": "\n".join(lines),
        "question": turns[-1][0],
        "answer": answer,
        "none": NONE,
    }


def _max_tokens(passage: Passage) -> int:
    """Room to list every sentence: two tokens a word, and a dozen for the number and the quotes of each."""
    return 32 + sum(2 * len(sentence.split()) + 12 for sentence in passage.sentences)


def _items(text: str) -> list[tuple[int, int]]:
    """(start, end) of the numbers that open the entries; a number out of turn is part of a sentence."""
    items: list[tuple[int, int]] = []
    for item in _ITEM.finditer(text):
        if int(item[1]) == len(items) + 1:
            items.append(item.span())
    return items


def _unquoted(body: str) -> str:
    body = body.strip()
    closing = _QUOTES.get(body[:1])
    if closing is None:
        return body
    return body[1:-1] if len(body) > 1 and body.endswith(closing) else body[1:]


STYLE = Style("cognidet", PROMPT, _values, read_reply, _max_tokens)
open_cognidet = partial(open_generative, STYLE)
