"""Sentences that the context contradicts, or does not entail, to an NLI model (CogniBench A.8.1, Tasksource)."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._labels import NliLabels, nli_labels
from voirdire.detectors.neural._pairs import PairClassifier
from voirdire.detectors.neural._passages import Pair, PairDetector


class NliDetector(PairDetector):
    """An NLI model; the context is the premise, the sentence the hypothesis.

    A long context is read in windows. One window that contradicts a sentence is enough, and one that entails it is
    enough: the others simply speak of something else. So both probabilities are the highest over the windows.
    """

    def __init__(
        self, name: str, classifier: PairClassifier, labels: NliLabels, *, not_entailed: bool, threshold: float = 0.5
    ) -> None:
        self.name = name
        self.threshold = threshold
        self._classifier = classifier
        self._labels = labels
        self._not_entailed = not_entailed

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """The probability of contradiction; or one minus that of entailment."""
        if self._not_entailed or self._labels.contradiction is None:
            entailment = self._labels.entailment
            return [1.0 - float(found[:, entailment].max()) for found in self._classifier.probabilities(pairs)]
        contradiction = self._labels.contradiction
        return [float(found[:, contradiction].max()) for found in self._classifier.probabilities(pairs)]


def open_nli(model: str, options: DetectorOptions) -> NliDetector:
    """Open `nli:MODEL`.

    Raises:
        DetectorError: the model can't be loaded, or its classes can't be told apart.
    """
    classifier = PairClassifier(model, device=options.device, batch_size=options.batch_size)
    config = classifier.config
    labels = nli_labels(model, config.id2label, config.label2id, contradiction=not options.not_entailed)
    return NliDetector(
        f"nli:{model}",
        classifier,
        labels,
        not_entailed=options.not_entailed,
        threshold=0.5 if options.threshold is None else options.threshold,
    )
