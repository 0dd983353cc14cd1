"""The small entailment model: does this evidence support a sentence, contradict it, or leave it out?

    model = packaged_model()
    model.judge([("The bridge opened in 1907.", "It opened in 1911.")])

It runs on a CPU with onnxruntime and tokenizers (`pip install 'voirdire[entailment]'`), which are imported when a model
is opened, and needs no network. docs/entailment-model.md says what it was trained on and how often it is right.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.errors import UserError, not_installed

Pair = tuple[str, str]
"""Evidence, and the sentence that is to be judged by it."""
WEIGHTS, TOKENIZER, SETTINGS = "model.int8.onnx", "tokenizer.json", "model.json"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_PROCESSOR = Path("/proc/cpuinfo")
_REMEMBERED = 8192
"""Pairs whose judgement is kept: what flags a sentence asks again for the reasons."""


class EntailmentError(UserError):
    """The entailment model can't be used: what is missing or wrong, and what to do."""


class Entailment(NamedTuple):
    """Probabilities of the four things that a sentence can be to its evidence; they sum to 1."""

    supported: float
    contradicted: float
    not_in_evidence: float
    no_claim: float
    """A greeting, a question, a refusal: nothing that evidence could support."""

    @property
    def unsupported(self) -> float:
        """The probability in [0, 1] that the evidence does not support the sentence, given that it claims something."""
        claim = self.supported + self.contradicted + self.not_in_evidence
        return (self.contradicted + self.not_in_evidence) / claim if claim else 0.0

    @property
    def claims_nothing(self) -> bool:
        """Whether it is more likely than not that the sentence claims nothing."""
        return self.no_claim > 0.5


class EntailmentModel:
    """A folder of weights, opened."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Open a model.

        Args:
            folder: with `model.int8.onnx`, `tokenizer.json` and `model.json`, which has the SHA-256 of the others.
            threads: of one process. More than two gain little.

        Raises:
            EntailmentError: onnxruntime or tokenizers is not installed, or a file is missing or not the right one.
        """
        settings = json.loads(_read(folder, SETTINGS))
        weights, tokenizer = (_checked(folder, name, settings) for name in (WEIGHTS, TOKENIZER))
        self.sha256: str = settings["sha256"][WEIGHTS]
        """Of the weights."""
        self._temperature = float(settings.get("temperature", 1.0))
        self._session = _open_session(weights, threads)
        self._tokenizer = _open_tokenizer(tokenizer, settings)
        self._known: OrderedDict[Pair, Entailment] = OrderedDict()

    def judge(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """The four probabilities of each pair of evidence and sentence, in order.

        Pairs longer than the model reads (256 tokens) are cut.
        """
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(new, self._compute(new), strict=True))
        judged = [self._known[pair] for pair in pairs]
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return judged

    def _compute(self, pairs: Sequence[Pair]) -> list[Entailment]:
        encoded = self._tokenizer.encode_batch([(_utf8(evidence), _utf8(claim)) for evidence, claim in pairs])
        return [self._read(each) for each in encoded]

    def _read(self, encoded: Any) -> Entailment:
        """One pair alone: 8-bit arithmetic scales by all that it computes at once, so others would move it."""
        values = (encoded.ids, encoded.attention_mask, encoded.type_ids)
        inputs = {name: np.array([each], np.int64) for name, each in zip(_INPUTS, values, strict=True)}
        (logits,) = self._session.run(["logits"], inputs)
        return Entailment(*_softmax(logits / self._temperature)[0].tolist())


@cache
def packaged_model(threads: int = 1) -> EntailmentModel:
    """The model that comes with the package, opened once in a process for each number of threads.

    Raises:
        EntailmentError: see `EntailmentModel`.
    """
    with as_file(files("voirdire.data").joinpath("entailment")) as folder:
        return EntailmentModel(folder, threads=threads)


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise EntailmentError(
            f"The entailment model lacks {folder / name} ({error.strerror}); install voirdire again, or choose "
            "--detector lexical, which needs no model."
        ) from None


def _checked(folder: Path, name: str, settings: Mapping[str, Any]) -> bytes:
    content = _read(folder, name)
    if hashlib.sha256(content).hexdigest() != settings["sha256"][name]:
        raise EntailmentError(
            f"{folder / name} is not the file that {SETTINGS} names: its SHA-256 differs. Install voirdire again."
        )
    return content


def _open_session(weights: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if may_overflow():
        options.add_session_config_entry("session.x64quantprecision", "1")
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def may_overflow() -> bool:
    """Whether 8-bit products may overflow, as on processors without VNNI: then kernels are needed that take 2.6 times.

    Only Linux tells; elsewhere it is taken to be so.
    """
    try:
        return "vnni" not in _PROCESSOR.read_text(encoding="ascii", errors="replace")
    except OSError:
        return True


def _open_tokenizer(content: bytes, settings: Mapping[str, Any]) -> Any:
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    tokenizer = Tokenizer.from_str(content.decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(int(settings["max_length"]), strategy=settings.get("truncation", "longest_first"))
    return tokenizer


def _missing(error: ModuleNotFoundError) -> EntailmentError:
    return EntailmentError(not_installed("The entailment model", error.name, "entailment"))


def _utf8(text: str) -> str:
    return text.encode(errors="replace").decode()


def _softmax(logits: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares
