"""Tiny, randomly initialised models with tokenizers, made on the spot: no hub is needed, and what they say is noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertForTokenClassification,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

TEXT = (
    "The tower in Ulm is 161 metres high and was finished in 1890.",
    "It is loved by everyone who has seen it, and no tower of a church is higher.",
    "Hallucination 1: none, Hallucination 2: supported, unsupported, yes, no.",
)
"""What tokenizers are trained on."""
NLI_LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}
CHAT_TEMPLATE = (
    "{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
SPREAD = 0.5
"""Of random weights (standard deviation): different inputs give different outputs. To train, take 0.02."""
SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
}


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)


def tiny_tokenizer(
    tmp_path: Path, *, texts: Sequence[str] = TEXT, chat: bool = False, pairs: bool = True, size: int = 400
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer, saved to `tmp_path`; it loses no text.

    Args:
        tmp_path: folder to save to; made if need be.
        texts: what it is trained on.
        chat: whether it has a chat template.
        pairs: whether it puts <s> and </s> around one text or two, as encoders do.
        size: of the vocabulary.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(texts, trainer)
    if pairs:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
        )
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        cls_token="<s>",
        sep_token="</s>",
    )
    if chat:
        made.chat_template = CHAT_TEMPLATE
    tmp_path.mkdir(parents=True, exist_ok=True)
    made.save_pretrained(tmp_path)
    return made


def tiny_classifier(
    tmp_path: Path,
    *,
    labels: Mapping[int, str] = NLI_LABELS,
    positions: int = 128,
    texts: Sequence[str] = TEXT,
    spread: float = SPREAD,
) -> Path:
    """A BERT that classifies sequences, with its tokenizer, in the folder `tmp_path`."""
    tokenizer = tiny_tokenizer(tmp_path, texts=texts)
    config = _bert(tokenizer, labels, positions, spread)
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    return tmp_path


def tiny_token_classifier(tmp_path: Path, *, positions: int = 128, texts: Sequence[str] = TEXT) -> Path:
    """A BERT that classifies tokens in two classes, with its tokenizer, in the folder `tmp_path`."""
    tokenizer = tiny_tokenizer(tmp_path, texts=texts)
    config = _bert(tokenizer, {0: "supported", 1: "hallucinated"}, positions, SPREAD)
    BertForTokenClassification(config).save_pretrained(tmp_path)
    return tmp_path


def tiny_causal(
    tmp_path: Path,
    *,
    chat: bool = True,
    positions: int = 2048,
    texts: Sequence[str] = TEXT,
    spread: float = SPREAD,
) -> Path:
    """A Llama that goes on with a text, with its tokenizer, in the folder `tmp_path`."""
    tokenizer = tiny_tokenizer(tmp_path, texts=texts, chat=chat, pairs=False)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=positions,
        num_key_value_heads=2,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        initializer_range=spread,
        **SMALL,
    )
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    return tmp_path


def tiny_t5(tmp_path: Path, *, texts: Sequence[str] = TEXT) -> Path:
    """A T5 that writes a text for a text, with its tokenizer, in the folder `tmp_path`."""
    tokenizer = tiny_tokenizer(tmp_path, texts=texts)
    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=2,
        num_heads=2,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    T5ForConditionalGeneration(config).save_pretrained(tmp_path)
    return tmp_path


def _bert(tokenizer: PreTrainedTokenizerFast, labels: Mapping[int, str], positions: int, spread: float) -> BertConfig:
    return BertConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=positions,
        pad_token_id=tokenizer.pad_token_id,
        id2label=dict(labels),
        label2id={label: number for number, label in labels.items()},
        initializer_range=spread,
        **SMALL,
    )
