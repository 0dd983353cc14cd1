"""LettuceDetect's and MiniCheck's networks in their real sizes, with random weights.

What they say is noise, what they take is not. They are read by the package's own detectors, as trained ones would be.
Their weights can't be had everywhere; their tokenizers neither, so that one is trained here on the texts that are
scored, small enough for a usual rate of tokens a word. Embeddings have their real size: looking them up takes no time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from lettucedetect.detectors.transformer import TransformerDetector
from lettucedetect.models.inference import HallucinationDetector
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    DebertaV2Config,
    ModernBertConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
    T5Config,
)

from voirdire.detectors import Detector
from voirdire.detectors.neural._loading import LoadedModel
from voirdire.detectors.neural.lettuce import LettuceDetect
from voirdire.detectors.neural.minicheck import _T5, MiniCheck, _Classifier

VOCABULARY = 3_000
"""Of the tokenizer: gives the texts that are scored about 1.3 tokens a word, as the networks' own give English."""

_BATCH = 8
_CPU = torch.device("cpu")
_LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}


class Network(NamedTuple):
    """A network that a detector reads with."""

    name: str
    parameters: int
    detector: Detector


def networks(texts: Sequence[str], wanted: Callable[[str], bool]) -> Iterator[Network]:
    """One after another: each is gone before the next is made.

    Args:
        texts: what the tokenizer is trained on.
        wanted: by name.
    """
    tokenizer = _tokenizer(texts)
    for name, make in _KINDS.items():
        if wanted(name):
            torch.manual_seed(0)
            yield make(name, tokenizer)
            gc.collect()


def tokens_per_word(texts: Sequence[str]) -> float:
    """Of the tokenizer that is trained on these texts."""
    encoded = _tokenizer(texts)(list(texts), add_special_tokens=False)["input_ids"]
    return sum(map(len, encoded)) / sum(len(text.split()) for text in texts)


def _modernbert(**sizes: int) -> Callable[[str, Any], Network]:
    def make(name: str, tokenizer: Any) -> Network:
        config = ModernBertConfig(num_labels=2, pad_token_id=0, reference_compile=False, **sizes)
        network = AutoModelForTokenClassification.from_config(config).eval()
        reading = TransformerDetector.__new__(TransformerDetector)  # its own way of making one loads weights
        reading.lang, reading.max_length, reading.typer = "en", 4096, None
        reading.tokenizer, reading.model, reading.device = tokenizer, network, _CPU
        detector = HallucinationDetector.__new__(HallucinationDetector)
        detector.detector = reading
        return Network(name, network.num_parameters(), LettuceDetect(name, detector))

    return make


def _classifier(config: Any) -> Callable[[str, Any], Network]:
    def make(name: str, tokenizer: Any) -> Network:
        network = AutoModelForSequenceClassification.from_config(config).eval()
        variant = _Classifier(LoadedModel(network, tokenizer, _CPU), name, _BATCH)
        return Network(name, network.num_parameters(), MiniCheck(name, variant))

    return make


def _flan_t5(config: Any) -> Callable[[str, Any], Network]:
    def make(name: str, tokenizer: Any) -> Network:
        network = AutoModelForSeq2SeqLM.from_config(config).eval()
        variant = _T5(LoadedModel(network, tokenizer, _CPU), name, _BATCH)
        return Network(name, network.num_parameters(), MiniCheck(name, variant))

    return make


_KINDS: dict[str, Callable[[str, Any], Network]] = {
    "LettuceDetect, ModernBERT-base": _modernbert(),
    "LettuceDetect, ModernBERT-large": _modernbert(
        hidden_size=1024, intermediate_size=2624, num_hidden_layers=28, num_attention_heads=16
    ),
    "MiniCheck, RoBERTa-large": _classifier(
        RobertaConfig(vocab_size=50265, max_position_embeddings=514, pad_token_id=1, num_labels=2, **_LARGE)
    ),
    "MiniCheck, DeBERTa-v3-large": _classifier(
        DebertaV2Config(
            vocab_size=128100,
            max_position_embeddings=512,
            relative_attention=True,
            position_buckets=256,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            pos_att_type=["p2c", "c2p"],
            position_biased_input=False,
            type_vocab_size=0,
            num_labels=2,
            **_LARGE,
        )
    ),
    "MiniCheck, Flan-T5-large": _flan_t5(
        T5Config(
            vocab_size=32128,
            d_model=1024,
            d_kv=64,
            d_ff=2816,
            num_layers=24,
            num_heads=16,
            feed_forward_proj="gated-gelu",
            tie_word_embeddings=False,
            decoder_start_token_id=0,
        )
    ),
}


def _tokenizer(texts: Sequence[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
    )
