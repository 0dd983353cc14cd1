"""Loading weights: safetensors only, no code of others, on the device that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer
from transformers.utils import logging

from voirdire.detectors.neural._folders import adapted_base, check_weights, code_setting_in
from voirdire.detectors.neural._texts import Pair
from voirdire.detectors.records import DetectorError


class LoadedModel(NamedTuple):
    """A model that is ready to be used, and its tokenizer."""

    network: Any
    tokenizer: Any
    device: torch.device


def choose_device(wanted: str) -> torch.device:
    """The device of this name; "auto" takes CUDA, then MPS, then the CPU.

    Raises:
        DetectorError: there is no such device here.
    """
    if wanted == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        device = torch.device(wanted)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise DetectorError(
            f"The device {wanted!r} can't be used here ({_first_line(error)}): give auto, cpu, cuda or mps."
        ) from error
    return device


def load_config(model: str) -> Any:
    """The configuration of a model, from its folder or the hub.

    Raises:
        DetectorError: there is none, or it needs code of its own.
    """
    source = adapted_base(model) or model
    with quiet():
        try:
            config = AutoConfig.from_pretrained(source, trust_remote_code=False)
        except Exception as error:  # of many kinds: a hub out of reach, a damaged file …
            raise DetectorError(load_error_text(model, error)) from error
    setting = code_setting_in(vars(config))
    if setting is not None:
        raise DetectorError(
            f"The configuration of {source} sets {setting}, by which foreign code can be fetched and run: it is not "
            "loaded."
        )
    return config


def load(factory: Any, model: str, device: str, *, dtype: torch.dtype | None = None) -> LoadedModel:
    """Load a model and its tokenizer, from a folder or the hub.

    Args:
        factory: a class of transformers that has `from_pretrained`.
        model: folder, or name on the hub; or the folder of a PEFT adapter, which is put onto its base.
        device: as in `choose_device`.
        dtype: of the weights; `None` leaves them as they were saved.

    Raises:
        DetectorError: there is none, its weights are pickled, it needs code of its own, or its head was never trained.
    """
    chosen = choose_device(device)
    check_weights(model)
    config = load_config(model)  # first: where there is no model, this fails soonest
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
            network, info = factory.from_pretrained(
                model, config=config, trust_remote_code=False, use_safetensors=True, output_loading_info=True
            )
        except Exception as error:  # see above; or no safetensors, or a model of another kind
            raise DetectorError(load_error_text(model, error)) from error
    missing = sorted(info["missing_keys"])
    if missing:
        raise DetectorError(
            f"{model} has no weights for {missing[0]}, so that what it says would be random: "
            "give a model that was trained for this task."
        )
    return LoadedModel(network.to(device=chosen, dtype=dtype).eval(), tokenizer, chosen)


def longest(loaded: LoadedModel, wanted: int) -> int:
    """Tokens that go into the model at once: at most `wanted`."""
    positions = getattr(loaded.network.config, "max_position_embeddings", None)
    # Models of RoBERTa's family begin to count at 2.
    limits = [wanted, loaded.tokenizer.model_max_length, *([positions - 2] if positions and positions > 2 else [])]
    return int(min(limits))


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bars and no warnings of transformers meanwhile: what matters is raised."""
    bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def load_error_text(model: str, error: Exception) -> str:
    """One sentence on why a model could not be loaded."""
    cause = _first_line(error)
    if Path(model).is_dir():
        return f"The model in {model} can't be loaded: {cause}"
    return f"The model {model!r} is no folder here, and can't be loaded from the hub: {cause}"


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


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
        probabilities = classify(self._loaded.network, self._loaded.tokenizer, windows, self._batch_size)
        return [probabilities[owners == owner] for owner in range(len(pairs))]

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
    probabilities = np.empty((len(inputs), network.config.num_labels))
    with torch.inference_mode():
        for start in range(0, len(order), batch_size):
            places = order[start : start + batch_size]
            batch = tokenizer.pad([inputs[place] for place in places], return_tensors="pt").to(network.device)
            probabilities[places] = network(**batch).logits.float().softmax(-1).cpu().numpy()
    return probabilities
