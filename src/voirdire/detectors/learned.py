"""`lexical-learned` and `type`: small trained models over measures of novelty, and the contradiction score.

No position in the dialogue: in the CogniBench release that is an artefact of how turns were chosen for labelling.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.packaged_files import read_yaml
from voirdire.detectors.base import DetectorOptions, HeldOut
from voirdire.detectors.lexical import WordReasons, novelty_index, raise_contradicted
from voirdire.detectors.linear import LinearModel, load
from voirdire.detectors.novelty import Novelty, mask_unchecked, means_around
from voirdire.detectors.records import Exchange, Passage, Texts, as_passage
from voirdire.text.numbers import find_numbers
from voirdire.text.overlap import content_words, stem, words
from voirdire.text.smalltalk import source_denial

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
    novelties = [index.novelty(sentence) for sentence in passage.sentences]
    around = means_around([novelty.mean for novelty in novelties])
    return [[*novelty, near] for novelty, near in zip(novelties, around, strict=True)]


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
    lists = read_yaml("lexicons/cognitive_cues.yaml")
    return _Cues(frozenset(map(stem, lists["evaluation"])), frozenset(lists["hedges"]))


LEARNED = "lexical-learned"


class LearnedDetector(WordReasons):
    """The probability that a sentence is hallucinated, raised where the context contradicts it."""

    compares_words = True

    def __init__(
        self, model: LinearModel, name: str = LEARNED, *, threshold: float | None = None, contradiction: bool = True
    ) -> None:
        self.name = name
        self.threshold = float(model.meta.get("threshold", 0.5)) if threshold is None else threshold
        self.trained_on = frozenset(map(str, model.meta.get("trained_on", ())))
        """Fingerprints of the contexts it learnt from: on these its figures are in-sample."""
        self.held_out = _held_out(model.meta)
        self._model = model
        self._contradiction = contradiction

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`; of the dialogue nothing is looked at."""
        (scores,) = self.flag_many([as_passage(context, sentences, dialogue)])
        return scores

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        probabilities = self._model.probabilities_of_many([lexical_features(passage) for passage in passages])
        return [self._final_scores(scores, passage) for scores, passage in zip(probabilities, passages, strict=True)]

    def _final_scores(self, scores: Sequence[float], passage: Passage) -> list[float]:
        novel = [
            0.0 if source_denial(sentence) is not None else score
            for score, sentence in zip(scores, passage.sentences, strict=True)
        ]
        final = raise_contradicted(novel, passage.context, passage.sentences) if self._contradiction else novel
        return mask_unchecked(final, passage.sentences)


def _held_out(meta: Mapping[str, Any]) -> HeldOut | None:
    """The figures that training wrote, which someone else's folder may lack."""
    try:
        figures, source = meta["figures"], str(meta["data"]["source"])
        low, high = figures["interval"]
        return HeldOut(float(meta["threshold"]), float(figures["f1_pooled"]), float(low), float(high), source)
    except (KeyError, TypeError, ValueError):
        return None


def open_learned(model: str, options: DetectorOptions) -> LearnedDetector:
    """Open the packaged model, or one that `voirdire detectors train lexical-learned` made."""
    return LearnedDetector(
        load_model(LEARNED, LEXICAL, model),
        f"{LEARNED}:{model}" if model else LEARNED,
        threshold=options.threshold,
        contradiction=options.contradiction,
    )


def load_model(kind: str, features: Sequence[str], folder: str = "") -> LinearModel:
    """A trained model from a folder, or the packaged one of this kind."""
    if folder:
        return load(Path(folder), kind, features)
    with as_file(files("voirdire.data").joinpath("detectors", kind)) as packaged:
        return load(packaged, kind, features)


TYPE = "type"


class TypeDetector:
    """Flags what it takes for cognitive: a baseline, and the labeller's classifier of types."""

    threshold = 0.5
    compares_words = True

    def __init__(self, model: LinearModel, name: str = TYPE, *, threshold: float | None = None) -> None:
        self.name = name
        self.threshold = 0.5 if threshold is None else threshold
        self.trained_on = frozenset(map(str, model.meta.get("trained_on", ())))
        self._model = model

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """The probability that each sentence is cognitive."""
        (scores,) = self.flag_many([as_passage(context, sentences, dialogue)])
        return scores

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        probabilities = self.probabilities(passages)
        return [
            mask_unchecked(scores, passage.sentences) for scores, passage in zip(probabilities, passages, strict=True)
        ]

    def probabilities(self, passages: Sequence[Passage]) -> list[list[float]]:
        """The same, also of sentences whose words can't be compared: for whoever must have a type."""
        return self._model.probabilities_of_many([type_features(passage) for passage in passages])


def type_probabilities(context: str, sentences: Sequence[str]) -> list[float]:
    """The probability that each sentence of an answer is cognitive, by the packaged classifier."""
    (probabilities,) = _packaged().probabilities([as_passage(context, sentences)])
    return probabilities


def open_type(model: str, options: DetectorOptions) -> TypeDetector:
    """Open `type`; a folder trained by `voirdire detectors train type` may stand behind the colon."""
    trained = load_model(TYPE, TYPES, model)
    return TypeDetector(trained, f"{TYPE}:{model}" if model else TYPE, threshold=options.threshold)


@cache
def _packaged() -> TypeDetector:
    return TypeDetector(load_model(TYPE, TYPES))
