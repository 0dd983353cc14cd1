"""LettuceDetect (Kovács & Recski 2025, arXiv 2502.17125) through its own package: spans, by a token classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lettucedetect.models.inference import HallucinationDetector

from voirdire.detectors.base import DetectorOptions, OneByOne
from voirdire.detectors.neural._folders import check_weights
from voirdire.detectors.neural._loading import choose_device, load_config, load_error_text, quiet
from voirdire.detectors.neural._texts import ScoredSpan, chunks, locate, span_scores
from voirdire.detectors.records import DetectorError, Exchange, Texts, as_passage

DEFAULT = "KRLabsOrg/lettucedect-base-modernbert-en-v1"
_MAX_LENGTH = 4096
"""The package's own default; it does not ask how much a model can take."""
_PASSAGE_WORDS = 300
"""The package spreads passages over several readings when they are too long together, but cuts off a passage that is
too long alone: so the context is handed over in passages of this size."""


class LettuceDetect(OneByOne):
    """The highest confidence of a span that touches the sentence; 0 where none does, else at least 0.5."""

    def __init__(self, name: str, detector: Any, threshold: float = 0.5) -> None:
        self.name = name
        self.threshold = threshold
        self._detector = detector

    def flag(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[float]:
        """See `Detector.flag`."""
        passage = as_passage(context, sentences, dialogue)
        answer = locate(passage)
        predictions = self._detector.predict(
            context=chunks(passage.context, _PASSAGE_WORDS, lambda text: len(text.split())),
            question=(dialogue[-1].user or None) if dialogue else None,
            answer=answer.text,
            output_format="spans",
        )
        spans = [ScoredSpan(span["start"], span["end"], span["confidence"]) for span in predictions]
        return span_scores(spans, answer.places)


def open_lettuce(model: str, options: DetectorOptions) -> LettuceDetect:
    """Open `lettucedetect` or `lettucedetect:MODEL`.

    Raises:
        DetectorError: the model can't be loaded.
    """
    model = model or DEFAULT
    check_weights(model)
    device = choose_device(options.device)
    positions = getattr(load_config(model), "max_position_embeddings", None)
    try:
        with quiet():
            detector = HallucinationDetector(
                method="transformer",
                model_path=model,
                device=device,
                max_length=min(_MAX_LENGTH, positions or _MAX_LENGTH),
                trust_remote_code=False,
                use_safetensors=True,
            )
    except Exception as error:
        raise DetectorError(f"LettuceDetect: {load_error_text(model, error)}") from error
    return LettuceDetect(f"lettucedetect:{model}", detector, 0.5 if options.threshold is None else options.threshold)
