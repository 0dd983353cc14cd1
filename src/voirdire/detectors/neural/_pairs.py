"""A classifier of text pairs that slides over long evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForSequenceClassification

from voirdire.detectors.neural._loading import load, longest
from voirdire.detectors.neural._passages import Pair

Probabilities = NDArray[np.float64]

_BATCHES_AT_ONCE = 64
"""So many batches' pairs are tokenized and sorted together: enough to pad little, few enough to bound memory."""


class PairClassifier:
    """A sequence-classification model for (evidence, sentence).

    Evidence that does not fit beside its sentence is cut into overlapping windows. A sentence of more than half the
    model's length is cut at its end.
    """

    def __init__(
        self,
        model: str,
        *,
        device: str,
        batch_size: int,
        max_length: int = 512,
        overlap: int | None = None,
        sentence_first: bool = False,
    ) -> None:
        """Load the model.

        Args:
            model: folder, or name on the hub.
            device: "cpu", "cuda", "mps" or "auto".
            batch_size: windows at once.
            max_length: tokens of window and sentence together; the model's own limit may be lower.
            overlap: tokens that neighbouring windows share; `None`: an eighth of `max_length`.
            sentence_first: the order in which the model was trained to read the two.

        Raises:
            DetectorError: it can't be loaded.
        """
        self._loaded = load(AutoModelForSequenceClassification, model, device, dtype=torch.float32)
        self._batch_size = batch_size
        self._max_length = longest(self._loaded, max_length)
        self._overlap = min(self._max_length // 8 if overlap is None else overlap, self._max_length // 4)
        self._sentence_first = sentence_first

    @property
    def config(self) -> Any:
        """The model's, as transformers has it."""
        return self._loaded.network.config

    def probabilities(self, pairs: Sequence[Pair]) -> Iterator[Probabilities]:
        """Class probabilities of each pair, shape (windows, classes), in the order of the pairs."""
        step = self._batch_size * _BATCHES_AT_ONCE
        for start in range(0, len(pairs), step):
            yield from self._together(pairs[start : start + step])

    def _together(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        windows, owners = self._windows(pairs)
        found = classify(self._loaded.network, self._loaded.tokenizer, windows, self._batch_size)
        return [found[owners == owner] for owner in range(len(pairs))]

    def _windows(self, pairs: Sequence[Pair]) -> tuple[list[dict[str, list[int]]], NDArray[np.int64]]:
        """Every window as the model's inputs, and which pair each belongs to."""
        evidence = [pair[0] for pair in pairs]
        sentences = self._shortened([pair[1] for pair in pairs])
        encoded = self._loaded.tokenizer(
            *((sentences, evidence) if self._sentence_first else (evidence, sentences)),
            truncation="only_second" if self._sentence_first else "only_first",
            max_length=self._max_length,
            stride=self._overlap,
            return_overflowing_tokens=True,
        )
        owners = encoded.pop("overflow_to_sample_mapping")
        names = list(encoded.keys())
        rows = zip(*(encoded[name] for name in names), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows], np.array(owners, np.int64)

    def _shortened(self, sentences: Sequence[str]) -> list[str]:
        encoded = self._loaded.tokenizer(
            list(sentences),
            add_special_tokens=False,
            truncation=True,
            max_length=self._max_length // 2,
            return_offsets_mapping=True,
        )
        ends = [offsets[-1][1] if offsets else 0 for offsets in encoded["offset_mapping"]]
        return [sentence[:end] for sentence, end in zip(sentences, ends, strict=True)]


def classify(
    network: Any, tokenizer: Any, inputs: Sequence[dict[str, list[int]]], batch_size: int
) -> NDArray[np.float64]:
    """Class probabilities of tokenized texts, shape (texts, classes). The longest go first: memory fails early."""
    order = sorted(range(len(inputs)), key=lambda place: -len(inputs[place]["input_ids"]))
    found = np.empty((len(inputs), network.config.num_labels))
    with torch.inference_mode():
        for start in range(0, len(order), batch_size):
            places = order[start : start + batch_size]
            batch = tokenizer.pad([inputs[place] for place in places], return_tensors="pt").to(network.device)
            found[places] = network(**batch).logits.float().softmax(-1).cpu().numpy()
    return found
