"""SAS by rule: is the answer to the point, and in good form? Never whether it is right (DDFT B.3)."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from voirdire.text.overlap import content_words, words

_FEW_WORDS = 40  # shorter texts repeat words without looping, and may end as they like
_FULLY_ON_TOPIC = 0.6
_OFF_TOPIC = 0.3  # band 0.0-0.3 of B.3: "incoherent, irrelevant, or nonsensical"
_FULL_STOP = frozenset(".!?…:;)]}\"'”’*`|_$")
_ODD_WORD = re.compile(r"^(?:[b-df-hj-np-tv-xz]{5,}|.{26,}|(.)\1{3,}.*)$")
_NOISE = 0.30  # share of odd words or symbols from which a text counts as gibberish
_VERSE = 4  # words in a run that may not be repeated again and again
_WORDS_READ = 5000


class Form(NamedTuple):
    """What was found of an answer's form and relevance."""

    sas: float
    faults: tuple[str, ...]
    """What lowered it, for the justification."""
    gibberish: bool


def form(answer: str, question: str, vocabulary: frozenset[str], *, at_least_relevant: float = 0.0) -> Form:
    """Score form and relevance.

    Args:
        answer: the answer, not empty.
        question: what was asked.
        vocabulary: content words of the concept's name, reference and facts.
        at_least_relevant: a floor for relevance: "I don't know" shares few words with a question and still meets it.
    """
    tokens = words(answer)[:_WORDS_READ]
    if _mostly_noise(answer[: 8 * _WORDS_READ], tokens):
        return Form(0.1, ("it is not language",), True)
    faults = []
    relevance = max(_relevance(tokens, question, vocabulary), at_least_relevant)
    score = _OFF_TOPIC + (1 - _OFF_TOPIC) * min(1.0, relevance / _FULLY_ON_TOPIC)
    if relevance < _FULLY_ON_TOPIC / 2:
        faults.append("little of it is about what was asked")
    fresh = _freshness(tokens)
    if fresh < 0.85:
        score *= max(0.35, fresh)
        faults.append("it repeats itself")
    if len(tokens) > _FEW_WORDS and answer.rstrip()[-1] not in _FULL_STOP:
        score -= 0.1
        faults.append("it breaks off")
    if _echoes(tokens, question):
        score = min(score, 0.4)
        faults.append("it only gives the question back")
    return Form(round(min(1.0, max(0.0, score)), 3), tuple(faults), False)


def _relevance(tokens: list[str], question: str, vocabulary: frozenset[str]) -> float:
    """Half: words of the answer that belong to topic or question; half: words of the question that it takes up."""
    mine = set(content_words(" ".join(tokens)))
    question_words = set(content_words(question)) - _ASKING
    if not mine:
        return 0.0
    of_topic = len(mine & (vocabulary | question_words)) / len(mine)
    taken_up = len(mine & question_words) / len(question_words) if question_words else 1.0
    return (min(1.0, of_topic / 0.4) + min(1.0, taken_up / 0.4)) / 2


def _freshness(tokens: list[str]) -> float:
    """Share of the runs of four words that are new where they stand; 1 for short answers."""
    if len(tokens) < _FEW_WORDS:
        return 1.0
    runs = list(zip(*(tokens[i:] for i in range(_VERSE)), strict=False))
    return len(set(runs)) / len(runs)


def is_gibberish(text: str) -> bool:
    """Whether a text is not language: mostly symbols, or strings that are no words."""
    return _mostly_noise(text[: 8 * _WORDS_READ], words(text)[:_WORDS_READ])


def _mostly_noise(answer: str, tokens: list[str]) -> bool:
    """Whether the text is mostly symbols, or mostly strings that are no words of any language in Latin letters."""
    visible = [character for character in answer if not character.isspace()]
    symbols = sum(not character.isalnum() and character not in ".,;:!?'\"()*-’" for character in visible)
    if not tokens or symbols > _NOISE * 1.5 * len(visible):
        return not any(character.isalnum() for character in visible) or symbols > 0
    odd = sum(bool(_ODD_WORD.match(word)) for word in tokens)
    return odd > _NOISE * len(tokens)


def _echoes(tokens: list[str], question: str) -> bool:
    question_words = words(question)
    if len(question_words) < _VERSE or len(tokens) > 1.3 * len(question_words):
        return False
    pairs = set(itertools.pairwise(tokens))
    return bool(pairs) and len(pairs & set(itertools.pairwise(question_words))) > 0.8 * len(pairs)


_ASKING = frozenset(
    content_words(
        "own words central core main idea explain describe someone never met concept please give specific real example "
        "name say sentence choose single shows case briefly staying detail looked exact verifiable fact state "
        "precisely happened involved take assess make reading tell matter view think know"
    )
)
"""Words that belong to asking, not to what is asked about."""
