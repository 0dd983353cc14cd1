"""SelfCheckGPT's NLI score (Manakul et al. 2023, doi 10.18653/v1/2023.emnlp-main.557), as CogniBench A.8.1 uses it.

The score is the probability of contradiction when entailment and contradiction are the only choices. SelfCheckGPT
compares a sentence with other answers sampled from the same model; CogniBench with the context instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._labels import RELEASED_WITHOUT_NAMES, NliLabels, nli_labels
from voirdire.detectors.neural._pairs import PairClassifier
from voirdire.detectors.neural._passages import Pair, PairDetector
from voirdire.detectors.records import DetectorError


class SelfCheckNli(PairDetector):
    """Contradiction against entailment, neutral left out.

    Over the windows of a long text the highest probability of each is taken before one is divided by their sum: in a
    window that speaks of something else both are tiny, and their ratio says nothing.
    """

    def __init__(self, name: str, classifier: PairClassifier, labels: NliLabels, *, threshold: float = 0.5) -> None:
        self.name = name
        self.threshold = threshold
        self._classifier = classifier
        self._entailment = labels.entailment
        self._contradiction = labels.contradiction

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """The share of contradiction in contradiction and entailment."""
        highest = (found.max(axis=0) for found in self._classifier.probabilities(pairs))
        return [
            float(found[self._contradiction] / (found[self._contradiction] + found[self._entailment]))
            for found in highest
        ]

    def against_samples(self, sentences: Sequence[str], samples: Sequence[str]) -> list[float]:
        """Score sentences as SelfCheckGPT does: the mean over answers sampled from the model that wrote them.

        Args:
            sentences: of the answer.
            samples: other answers to the same question.

        Raises:
            DetectorError: there is no sample.
        """
        if not samples:
            raise DetectorError("SelfCheckGPT compares with sampled answers; none was given.")
        pairs = [(sample, sentence) for sentence in sentences for sample in samples]
        scores = np.array(self.score_pairs(pairs)).reshape(len(sentences), len(samples))
        return [float(mean) for mean in scores.mean(axis=1)]


def open_selfcheck(model: str, options: DetectorOptions) -> SelfCheckNli:
    """Open `selfcheck-nli:MODEL`.

    Raises:
        DetectorError: the model can't be loaded, or its classes can't be told apart.
    """
    classifier = PairClassifier(
        model,
        device=options.device,
        batch_size=options.batch_size,
        sentence_first=model in RELEASED_WITHOUT_NAMES,  # its card: text A is the hypothesis
    )
    config = classifier.config
    return SelfCheckNli(
        f"selfcheck-nli:{model}",
        classifier,
        nli_labels(model, config.id2label, config.label2id),
        threshold=0.5 if options.threshold is None else options.threshold,
    )
