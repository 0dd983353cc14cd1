"""Detectors by natural language inference: an NLI model, SelfCheckGPT's score, and encoders trained here.

The score is the probability of contradiction when entailment and contradiction are the only choices. SelfCheckGPT
compares a sentence with other answers sampled from the same model; CogniBench with the context instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._folders import (
    RELEASED_WITHOUT_NAMES,
    NliLabels,
    binary_label,
    nli_labels,
    read_settings,
)
from voirdire.detectors.neural._loading import PairClassifier
from voirdire.detectors.neural._texts import Pair, PairDetector
from voirdire.detectors.records import DetectorError


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
            return [1.0 - float(windows[:, entailment].max()) for windows in self._classifier.probabilities(pairs)]
        contradiction = self._labels.contradiction
        return [float(windows[:, contradiction].max()) for windows in self._classifier.probabilities(pairs)]


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
        highest = (windows.max(axis=0) for windows in self._classifier.probabilities(pairs))
        return [
            float(windows[self._contradiction] / (windows[self._contradiction] + windows[self._entailment]))
            for windows in highest
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


class EncoderDetector(PairDetector):
    """Reads (context window, sentence); a sentence is supported if any window supports it."""

    def __init__(self, name: str, classifier: PairClassifier, supported: int, threshold: float) -> None:
        self.name = name
        self.threshold = threshold
        self._classifier = classifier
        self._supported = supported

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """One minus the highest probability of support over the windows."""
        return [1.0 - float(windows[:, self._supported].max()) for windows in self._classifier.probabilities(pairs)]


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
