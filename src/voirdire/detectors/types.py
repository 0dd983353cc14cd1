"""`type`: whether a statement repeats the context (factual) or goes beyond it (cognitive), by a small trained model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.features import TYPES, type_features
from voirdire.detectors.learned import load_model
from voirdire.detectors.linear import LinearModel
from voirdire.detectors.novelty import comparable
from voirdire.detectors.records import Exchange, Passage, Texts, as_passage

KIND = "type"


class TypeDetector:
    """Flags what it takes for cognitive: a baseline, and the labeller's classifier of types."""

    threshold = 0.5
    compares_words = True

    def __init__(self, model: LinearModel, name: str = KIND, *, threshold: float | None = None) -> None:
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
        found = self.probabilities(passages)
        return [comparable(scores, passage.sentences) for scores, passage in zip(found, passages, strict=True)]

    def probabilities(self, passages: Sequence[Passage]) -> list[list[float]]:
        """The same, also of sentences whose words can't be compared: for whoever must have a type."""
        return self._model.probabilities_of_many([type_features(passage) for passage in passages])


def type_probabilities(context: str, sentences: Sequence[str]) -> list[float]:
    """The probability that each sentence of an answer is cognitive, by the packaged classifier."""
    (found,) = _packaged().probabilities([as_passage(context, sentences)])
    return found


def open_type(model: str, options: DetectorOptions) -> TypeDetector:
    """Open `type`; a folder trained by `voirdire detectors train type` may stand behind the colon."""
    trained = load_model(KIND, TYPES, model)
    return TypeDetector(trained, f"{KIND}:{model}" if model else KIND, threshold=options.threshold)


@cache
def _packaged() -> TypeDetector:
    return TypeDetector(load_model(KIND, TYPES))
