"""`lexical-learned`: a small trained model over measures of novelty, and the contradiction stage."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.features import LEXICAL, lexical_features
from voirdire.detectors.lexical import raised, why
from voirdire.detectors.linear import LinearModel, load
from voirdire.detectors.novelty import comparable
from voirdire.detectors.records import Exchange, Passage, Texts, as_passage

KIND = "lexical-learned"


class LearnedDetector:
    """The probability that a sentence is hallucinated, raised where the context contradicts it."""

    compares_words = True

    def __init__(
        self, model: LinearModel, name: str = KIND, *, threshold: float | None = None, contradiction: bool = True
    ) -> None:
        self.name = name
        self.threshold = float(model.meta.get("threshold", 0.5)) if threshold is None else threshold
        self.trained_on = frozenset(map(str, model.meta.get("trained_on", ())))
        """Fingerprints of the contexts it learnt from: on these its figures are in-sample."""
        self._model = model
        self._contradiction = contradiction

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`; of the dialogue nothing is looked at."""
        (scores,) = self.flag_many([as_passage(context, sentences, dialogue)])
        return scores

    def flag_many(self, passages: Sequence[Passage]) -> list[list[float]]:
        """See `Detector.flag_many`."""
        found = self._model.probabilities_of_many([lexical_features(passage) for passage in passages])
        return [self._said(scores, passage) for scores, passage in zip(found, passages, strict=True)]

    def _said(self, scores: Sequence[float], passage: Passage) -> list[float]:
        found = raised(scores, passage.context, passage.sentences) if self._contradiction else scores
        return comparable(found, passage.sentences)

    def reasons(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """What speaks against each sentence, in words for a reader."""
        return why(*as_passage(context, sentences)[:2], contradiction=self._contradiction)


def open_learned(model: str, options: DetectorOptions) -> LearnedDetector:
    """Open the packaged model, or one that `voirdire detectors train lexical-learned` made."""
    return LearnedDetector(
        load_model(KIND, LEXICAL, model),
        f"{KIND}:{model}" if model else KIND,
        threshold=options.threshold,
        contradiction=options.contradiction,
    )


def load_model(kind: str, features: Sequence[str], folder: str = "") -> LinearModel:
    """A trained model from a folder, or the packaged one of this kind."""
    if folder:
        return load(Path(folder), kind, features)
    with as_file(files("voirdire.data").joinpath("detectors", kind)) as packaged:
        return load(packaged, kind, features)
