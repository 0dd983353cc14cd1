"""What small trained models are told of a sentence.

No position in the dialogue: in the CogniBench release that is an artefact of how turns were chosen for labelling.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

import yaml

from voirdire.data import read_text
from voirdire.detectors.indexes import novelty_index
from voirdire.detectors.novelty import Novelty, neighbourhood
from voirdire.detectors.records import Passage
from voirdire.text.numbers import find_numbers
from voirdire.text.overlap import content_words, stem, words

LEXICAL = (*Novelty._fields, "neighbourhood")
"""Names of the features of `lexical_features`, in order."""
TYPES = (
    *LEXICAL,
    "evaluation",
    "hedges",
    "participle_clause",
    "numbers",
    "second_person",
    "new_words",
    "length",
    "word_length",
)
"""Names of the features of `type_features`, in order."""
_PARTICIPLE = re.compile(r",\s+(?:\w+ly\s+)?\w{2,20}ing\b")


class _Cues(NamedTuple):
    evaluation: frozenset[str]
    hedges: frozenset[str]


def lexical_features(passage: Passage) -> list[list[float]]:
    """One row a sentence: its novelty in five measures, and the mean novelty around it."""
    index = novelty_index(passage.context)
    found = [index.novelty(sentence) for sentence in passage.sentences]
    around = neighbourhood([novelty.mean for novelty in found])
    return [[*novelty, near] for novelty, near in zip(found, around, strict=True)]


def type_features(passage: Passage) -> list[list[float]]:
    """One row a sentence: the lexical features, and signs of judging, explaining and advising."""
    known = set(content_words(passage.context))
    return [
        [*row, *_signs(sentence, known)]
        for row, sentence in zip(lexical_features(passage), passage.sentences, strict=True)
    ]


def _signs(sentence: str, known: set[str]) -> list[float]:
    cues = _cues()
    tokens = words(sentence)
    stems = [stem(token) for token in tokens]
    return [
        float(sum(each in cues.evaluation for each in stems)),
        float(sum(token in cues.hedges for token in tokens)),
        float(len(_PARTICIPLE.findall(sentence))),
        float(len(find_numbers(sentence))),
        float("you" in tokens or "your" in tokens),
        float(len(set(content_words(sentence)) - known)),
        math.log1p(len(tokens)),
        sum(map(len, tokens)) / len(tokens) if tokens else 0.0,
    ]


@cache
def _cues() -> _Cues:
    lists = yaml.safe_load(read_text("lexicons/cognitive_cues.yaml"))
    return _Cues(frozenset(map(stem, lists["evaluation"])), frozenset(lists["hedges"]))
