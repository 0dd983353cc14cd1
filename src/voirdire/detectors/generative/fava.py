"""FAVA (Mishra et al. 2024, arXiv 2401.06855): a model that writes the answer again, its errors tagged and corrected.

Around each error stands a tag of its kind; inside, <delete> holds words of the answer and <mark> the words that should
replace them. Taking out what is marked gives the answer back, and with it the place of each error.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from functools import partial
from itertools import chain
from math import isnan, nan
from typing import NamedTuple

from voirdire.detectors.generative._detector import (
    GeneratedText,
    ReplyScores,
    Style,
    open_generative,
    question_and_answer,
    unreadable,
)
from voirdire.detectors.records import Passage

PROMPT = "fava"
ERRORS = ("entity", "relation", "contradictory", "invented", "subjective", "unverifiable")
_TAG = re.compile(rf"<(/?)({'|'.join((*ERRORS, 'mark', 'delete'))})>", re.IGNORECASE)
_ENDS = ".!?…"
_WORD = re.compile(r"\w+|[^\w\s]")


class Word(NamedTuple):
    """A word of the answer, as the edited text gives it."""

    text: str
    wrong: bool
    """Whether it stands in an error, or the model puts something in behind it."""


def parse_reply(text: str) -> list[Word]:
    """The words of the answer, each with whether it stands in an error.

    A correction that takes nothing away marks the word before it, or the one behind it where that ends a sentence.
    """
    words: list[Word] = []
    insertions: list[int] = []
    open_tags: list[str] = []
    began, marked, end = 0, False, 0
    for tag in _TAG.finditer(text):
        piece, end = text[end : tag.start()], tag.end()
        if "mark" in open_tags:
            marked = marked or bool(piece.strip())
        else:
            words += _words(piece, wrong=bool(open_tags))
        before = bool(open_tags)
        _apply(tag, open_tags)
        if open_tags and not before:
            began, marked = len(words), False
        elif before and not open_tags and marked and began == len(words):
            insertions.append(began)
    if "mark" not in open_tags:
        words += _words(text[end:], wrong=bool(open_tags))
    return _with_insertions(words, insertions)


def read_reply(passage: Passage, written: GeneratedText) -> ReplyScores:
    """Scores of the sentences: 1 with an error, 0 without, NaN where less than half of the words were written again."""
    words = parse_reply(written.text.partition("[Edited]")[2] or written.text)
    sentences = [[word.lower() for word in _WORD.findall(sentence)] for sentence in passage.sentences]
    sentence_of = [place for place, sentence in enumerate(sentences) for _ in sentence]
    again: Counter[int] = Counter()
    wrong: set[int] = set()
    unplaced: list[str] = []
    sought = list(chain.from_iterable(sentences))
    matcher = SequenceMatcher(None, [word.text.lower() for word in words], sought, autojunk=False)
    for what, first, last, start, end in matcher.get_opcodes():
        errors = [word.text for word in words[first:last] if word.wrong]
        if what == "equal":
            again.update(sentence_of[start:end])
            wrong |= {sentence_of[start + place] for place in range(end - start) if words[first + place].wrong}
        elif what == "replace" and errors:
            again.update(sentence_of[start:end])
            wrong |= set(sentence_of[start:end])
        elif errors:
            unplaced.append(" ".join(errors))
    scores = [
        nan if 2 * again[place] < len(sentence) else float(place in wrong) for place, sentence in enumerate(sentences)
    ]
    if all(map(isnan, scores)):
        return unreadable(passage, f"the answer with its errors tagged is expected, unlike {written.text[:60]!r}.")
    return ReplyScores(scores, tuple(unplaced))


def _max_tokens(passage: Passage) -> int:
    """Room to write the answer twice over, with tags around a few words of every sentence."""
    return 64 + sum(4 * len(sentence.split()) + 32 for sentence in passage.sentences)


def _apply(tag: re.Match[str], open_tags: list[str]) -> None:
    name = tag[2].lower()
    if not tag[1]:
        open_tags.append(name)
    elif name in open_tags:
        open_tags.reverse()
        open_tags.remove(name)
        open_tags.reverse()


def _words(text: str, *, wrong: bool) -> list[Word]:
    return [Word(word, wrong) for word in _WORD.findall(text)]


def _with_insertions(words: list[Word], places: list[int]) -> list[Word]:
    for place in places:
        behind = place == 0 or words[place - 1].text in _ENDS
        neighbour = place if behind and place < len(words) else place - 1
        if neighbour >= 0:
            words[neighbour] = words[neighbour]._replace(wrong=True)
    return words


STYLE = Style("fava", PROMPT, question_and_answer, read_reply, _max_tokens)
open_fava = partial(open_generative, STYLE)
