"""What a generative CogniDet learns from: chats that end in the list of hallucinated sentences (CogniBench A.8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

from voirdire.detectors.generative.cognidet import build_messages, format_reply
from voirdire.detectors.neural._loading import load_error_text, quiet
from voirdire.detectors.records import Answer, DetectorError, hallucinated, passage_of
from voirdire.detectors.training.records import CogniDetOptions, split_labelled
from voirdire.text.counting import counted

_ADAM = 16
"""Bytes of a weight that learns: weight, gradient and AdamW's two averages, of four bytes each."""
_FROZEN = 2
"""Bytes of a weight under an adapter (bfloat16)."""
_LAYER = 34
"""Bytes a token and hidden unit that one layer keeps for its gradient (Korthikanti et al., arXiv 2205.05198, eq. 1,
without attention scores); with checkpointing one layer at a time."""
_CHECKPOINT_BYTES = 2
"""Bytes a token and hidden unit that every layer keeps with checkpointing."""

Chat = dict[str, list[dict[str, str]]]
"""A prompt and a completion, in the shape that TRL's SFTTrainer takes."""


class CogniDetPlan(NamedTuple):
    """What a training of a CogniDet will do, on one device."""

    examples: int
    """Answers to learn from."""
    statements: int
    """Of these answers."""
    clean: int
    """Of these, answers without a hallucination."""
    held_out: int
    """Answers to be judged by."""
    incomplete: int
    """Answers left out because a sentence has no label."""
    too_long: int
    """Answers left out because they do not fit `max_length`."""
    tokens: int
    """Of the examples, seen once."""
    longest: int
    """Tokens of the longest example."""
    steps: int
    """Of all epochs."""
    parameters: int
    trainable: int
    gigabytes: float
    """Weights, gradients, optimizer and checkpointed activations; frameworks take some more."""


class TrainingChats(NamedTuple):
    """The chats of a training."""

    chats: list[Chat]
    held_out: list[Answer]
    plan: CogniDetPlan
    tokenizer: Any


def chat_of(answer: Answer, options: CogniDetOptions) -> Chat:
    """What the model is shown for an answer, and what it should say; every statement must carry a label."""
    flagged_sentences = [
        statement.text
        for statement in answer.statements
        if statement.label is not None and hallucinated(statement.label, options.require)
    ]
    prompt = build_messages(passage_of(answer, options.history))
    return {"prompt": prompt, "completion": [{"role": "assistant", "content": format_reply(flagged_sentences)}]}


def plan_cognidet(answers: Sequence[Answer], options: CogniDetOptions) -> CogniDetPlan:
    """Say what a training would do; the base's tokenizer and configuration are read, not its weights.

    Raises:
        DetectorError: no labels, nothing that fits, or a base that can't be read or has no chat template.
    """
    return gather(answers, options).plan


def gather(answers: Sequence[Answer], options: CogniDetOptions) -> TrainingChats:
    """Make the chats of a training; see `plan_cognidet`."""
    split = split_labelled(answers, options)
    tokenizer, empty = _read_base(options.base)
    complete = [answer for answer in split.train if all(each.label is not None for each in answer.statements)]
    chats = [chat_of(answer, options) for answer in complete]
    lengths = [_tokens(tokenizer, chat) for chat in chats]
    fitting = [place for place, length in enumerate(lengths) if length <= options.max_length]
    if not fitting:
        raise DetectorError(
            f"None of {counted(len(split.train), 'labelled answer')} to learn from is labelled throughout and fits "
            f"{options.max_length} tokens; give a larger --max-length or more answers."
        )
    fitting_chats = [chats[place] for place in fitting]
    clean = format_reply([])
    longest = max(lengths[place] for place in fitting)
    trainable = _trainable(empty, options)
    plan = CogniDetPlan(
        examples=len(fitting_chats),
        statements=sum(len(complete[place].statements) for place in fitting),
        clean=sum(chat["completion"][0]["content"] == clean for chat in fitting_chats),
        held_out=len(split.test),
        incomplete=len(split.train) - len(complete),
        too_long=len(chats) - len(fitting_chats),
        tokens=sum(lengths[place] for place in fitting),
        longest=longest,
        steps=_steps(len(fitting_chats), options),
        parameters=empty.num_parameters(),
        trainable=trainable,
        gigabytes=_gigabytes(empty, trainable, longest, options),
    )
    return TrainingChats(fitting_chats, split.test, plan, tokenizer)


def _read_base(base: str) -> tuple[Any, Any]:
    """The tokenizer, and the model without its weights."""
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(base, trust_remote_code=False)
            config = AutoConfig.from_pretrained(base, trust_remote_code=False)
            with torch.device("meta"):
                empty = AutoModelForCausalLM.from_config(config)
        except Exception as error:  # of many kinds, as in voirdire.detectors.neural._loading
            raise DetectorError(load_error_text(base, error)) from error
    if tokenizer.chat_template is None:
        raise DetectorError(f"{base} has no chat template; give an instruction-tuned model (… Instruct).")
    return tokenizer, empty


def _tokens(tokenizer: Any, chat: Chat) -> int:
    text = tokenizer.apply_chat_template(chat["prompt"] + chat["completion"], tokenize=False)
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def _steps(examples: int, options: CogniDetOptions) -> int:
    batches = -(-examples // options.batch_size)
    return -(-batches // options.gradient_accumulation) * options.epochs


def _trainable(empty: Any, options: CogniDetOptions) -> int:
    """All parameters, or two thin matrices beside every linear layer but the head."""
    if options.method == "full":
        return int(empty.num_parameters())
    head = empty.get_output_embeddings()
    return sum(
        options.lora_rank * (layer.in_features + layer.out_features)
        for layer in empty.modules()
        if isinstance(layer, torch.nn.Linear) and layer is not head
    )


def _gigabytes(empty: Any, trainable: int, longest: int, options: CogniDetOptions) -> float:
    frozen = empty.num_parameters() if options.method == "lora" else 0
    units = options.batch_size * longest * empty.config.hidden_size
    activations = units * (_CHECKPOINT_BYTES * empty.config.num_hidden_layers + _LAYER)
    return float(_ADAM * trainable + _FROZEN * frozen + activations) / 1e9
