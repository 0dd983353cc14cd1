"""MiniCheck (Tang et al. 2024, arXiv 2404.10774): is a claim supported by a document?

Models of the family come in two forms, and both read document and claim as one text with the tokenizer's end mark
between them: classifiers (RoBERTa, DeBERTa), whose second class is "supported", and Flan-T5, which is asked to
"predict:" and answers "1" or "0". A document is read in chunks of whole sentences, 400 tokens for classifiers and 500
words for Flan-T5; the best chunk counts. The PyPI package called `minicheck` is another program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.neural._folders import binary_label, check_weights
from voirdire.detectors.neural._loading import LoadedModel, classify, load, load_config, longest
from voirdire.detectors.neural._texts import Pair, PairDetector, chunks
from voirdire.detectors.records import DetectorError

_CHUNK_TOKENS, _CLASSIFIER_TOKENS = 400, 512
_CHUNK_WORDS, _T5_TOKENS = 500, 2048
_UNSUPPORTED, _SUPPORTED = "0", "1"
_PAIRS_AT_ONCE = 1024
"""So many sentences' inputs are made and sorted together; bounds memory."""


class _Variant(Protocol):
    """One form of the model."""

    def chunks(self, document: str) -> list[str]:
        """The document in chunks of the usual size."""
        ...

    def support(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """The probability that each (chunk, claim) is supported, shape (pairs,)."""
        ...


class MiniCheck(PairDetector):
    """One minus the support that a sentence finds in the best chunk of the context."""

    def __init__(self, name: str, variant: _Variant, threshold: float = 0.5) -> None:
        self.name = name
        self.threshold = threshold
        self._variant = variant

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        """See `PairDetector.score_pairs`."""
        parts = (pairs[start : start + _PAIRS_AT_ONCE] for start in range(0, len(pairs), _PAIRS_AT_ONCE))
        return [score for part in parts for score in self._together(part)]

    def _together(self, pairs: Sequence[Pair]) -> list[float]:
        cut = {context: self._variant.chunks(context) for context in {context for context, _ in pairs}}
        rows = [(owner, chunk) for owner, (context, _) in enumerate(pairs) for chunk in cut[context]]
        support = self._variant.support([(chunk, pairs[owner][1]) for owner, chunk in rows])
        best = np.zeros(len(pairs))
        np.maximum.at(best, [owner for owner, _ in rows], support)
        return [1.0 - float(value) for value in best]


class _Classifier:
    def __init__(self, loaded: LoadedModel, model: str, batch_size: int) -> None:
        self._loaded = loaded
        self._batch_size = batch_size
        self._limit = longest(loaded, _CLASSIFIER_TOKENS)
        self._supported = binary_label(model, loaded.network.config.id2label, "supported", "unsupported")

    def chunks(self, document: str) -> list[str]:
        # A model with less room than MiniCheck's keeps a fifth of it for the claim, as 512 tokens do.
        return chunks(document, min(_CHUNK_TOKENS, self._limit * 4 // 5), _tokens(self._loaded.tokenizer))

    def support(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        inputs = _encoded(self._loaded.tokenizer, pairs, "", self._limit)
        probabilities = classify(self._loaded.network, self._loaded.tokenizer, inputs, self._batch_size)
        return probabilities[:, self._supported]


class _T5:
    def __init__(self, loaded: LoadedModel, model: str, batch_size: int) -> None:
        self._loaded = loaded
        self._batch_size = batch_size
        self._limit = longest(loaded, _T5_TOKENS)
        self._answers = [_first_token(loaded.tokenizer, word) for word in (_UNSUPPORTED, _SUPPORTED)]
        if self._answers[0] == self._answers[1]:
            raise DetectorError(f"The tokenizer of {model} can't tell the answers 0 and 1 apart: it is no MiniCheck.")

    def chunks(self, document: str) -> list[str]:
        return chunks(document, _CHUNK_WORDS, lambda text: len(text.split()))

    def support(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        network, tokenizer, device = self._loaded
        inputs = _encoded(tokenizer, pairs, "predict: ", self._limit)
        order = sorted(range(len(inputs)), key=lambda place: -len(inputs[place]["input_ids"]))
        probabilities = np.empty(len(inputs))
        with torch.inference_mode():
            for start in range(0, len(order), self._batch_size):
                places = order[start : start + self._batch_size]
                batch = tokenizer.pad([inputs[place] for place in places], return_tensors="pt").to(device)
                begin = torch.full((len(places), 1), network.config.decoder_start_token_id, device=device)
                logits = network(
                    input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], decoder_input_ids=begin
                ).logits[:, 0, self._answers]
                probabilities[places] = logits.float().softmax(-1)[:, 1].cpu().numpy()
        return probabilities


def open_minicheck(model: str, options: DetectorOptions) -> MiniCheck:
    """Open `minicheck:MODEL`.

    Raises:
        DetectorError: the model can't be loaded, or is of neither form.
    """
    check_weights(model)
    seq2seq = load_config(model).is_encoder_decoder
    factory = AutoModelForSeq2SeqLM if seq2seq else AutoModelForSequenceClassification
    loaded = load(factory, model, options.device, dtype=torch.float32)
    variant: _Variant = (_T5 if seq2seq else _Classifier)(loaded, model, options.batch_size)
    return MiniCheck(f"minicheck:{model}", variant, 0.5 if options.threshold is None else options.threshold)


def _encoded(tokenizer: Any, pairs: Sequence[Pair], before: str, limit: int) -> list[dict[str, list[int]]]:
    texts = [f"{before}{chunk}{tokenizer.eos_token or tokenizer.sep_token}{claim}" for chunk, claim in pairs]
    if not texts:
        return []
    encoded = tokenizer(texts, truncation=True, max_length=limit)
    return [{name: encoded[name][place] for name in encoded} for place in range(len(texts))]


def _tokens(tokenizer: Any) -> Callable[[str], int]:
    return lambda text: len(tokenizer(text, add_special_tokens=False)["input_ids"])


def _first_token(tokenizer: Any, word: str) -> int:
    return int(tokenizer(word, add_special_tokens=False)["input_ids"][0])
