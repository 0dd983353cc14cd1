"""An encoder that `voirdire detectors train` has trained."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._folders import read_settings
from voirdire.detectors.neural._labels import binary_label
from voirdire.detectors.neural._pairs import PairClassifier
from voirdire.detectors.neural._passages import Pair, PairDetector


class EncoderDetector(PairDetector):
    """Reads (context window, sentence); a sentence is supported if any window supports it."""

    def __init__(self, name: str, classifier: PairClassifier, supported: int, threshold: float) -> None:
        self.name = name
        self.threshold = threshold
        self._classifier = classifier
        self._supported = supported

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """One minus the highest probability of support over the windows."""
        return [1.0 - float(found[:, self._supported].max()) for found in self._classifier.probabilities(pairs)]


def open_encoder(model: str, options: DetectorOptions) -> EncoderDetector:
    """Open `encoder:FOLDER`.

    Raises:
        DetectorError: the folder was not made by training, or the model can't be loaded.
    """
    settings = read_settings(model)
    classifier = PairClassifier(
        model,
        device=options.device,
        batch_size=options.batch_size,
        max_length=settings.max_length,
        overlap=settings.stride,
    )
    supported = binary_label(model, classifier.config.id2label, "supported", "unsupported")
    threshold = settings.threshold if options.threshold is None else options.threshold
    return EncoderDetector(f"encoder:{model}", classifier, supported, threshold)
