"""RAGTruth's detector (Niu et al. 2024, doi 10.18653/v1/2024.acl-long.585): a model that lists hallucinated spans.

It answers with {"hallucination list": [span, …]}; a span makes every sentence that it touches a hallucination, as
CogniBench A.8.1 compares it.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import NamedTuple

from voirdire.data.json_text import without_halves
from voirdire.detectors.generative._detector import (
    GeneratedText,
    ReplyScores,
    Style,
    cut_scores,
    open_generative,
    question_and_answer,
    unreadable,
    whole_scores,
)
from voirdire.detectors.neural._texts import locate
from voirdire.detectors.records import Passage
from voirdire.text.alignment import span_to_sentences

PROMPT = "ragtruth"
_OPENING = re.compile(r'"hallucination[ _]list"\s*:\s*\[', re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,]*")


class SpanList(NamedTuple):
    """The spans of a reply."""

    spans: tuple[str, ...]
    closed: bool
    """`False`: the list breaks off."""


def parse_reply(text: str) -> SpanList | None:
    """The list of a reply, whatever stands around it; `None` where there is no list."""
    opening = _OPENING.search(text)
    if opening is None:
        return None
    spans: list[str] = []
    at = _skip(text, opening.end())
    while at < len(text) and text[at] != "]":
        try:
            span, at = json.JSONDecoder(strict=False).raw_decode(text, at)
        except ValueError:
            return SpanList(tuple(spans), closed=False)
        if not isinstance(span, str):
            return None
        spans.append(without_halves(span))
        at = _skip(text, at)
    return SpanList(tuple(spans), closed=at < len(text))


def read_reply(passage: Passage, written: GeneratedText) -> ReplyScores:
    """Scores of the sentences: 1 for those that a span touches, 0 for the others."""
    listed = parse_reply(written.text)
    if listed is None:
        return unreadable(passage, f'a reply with a "hallucination list" is expected, unlike {written.text[:60]!r}.')
    answer = locate(passage)
    alignment = span_to_sentences(answer.text, answer.places, listed.spans)
    places = [place for places in alignment.places for place in places]
    unplaced = tuple(listed.spans[which] for which in alignment.unplaced)
    scores = whole_scores if listed.closed else cut_scores
    return ReplyScores(scores(places, len(passage.sentences)), unplaced)


def _max_tokens(passage: Passage) -> int:
    """Room to quote the whole answer in pieces."""
    return 64 + sum(3 * len(sentence.split()) + 12 for sentence in passage.sentences)


def _skip(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


STYLE = Style("ragtruth", PROMPT, question_and_answer, read_reply, _max_tokens)
open_ragtruth = partial(open_generative, STYLE)
