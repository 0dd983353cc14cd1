"""Generation with a local model: greedy, in batches of similar length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.generative._detector import Chat, GeneratedText, WritingTask
from voirdire.detectors.neural._loading import load

_LEAST_ROOM = 16
"""Tokens; a shorter reply says nothing."""


class LocalWriter:
    """A causal language model. Messages go through its chat template, or one after another where it has none."""

    def __init__(self, model: str, options: DetectorOptions) -> None:
        """Load the model, with its weights as they were saved.

        Raises:
            DetectorError: it can't be loaded.
        """
        self._network, self._tokenizer, self._device = load(AutoModelForCausalLM, model, options.device)
        self._tokenizer.padding_side = "left"
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._batch_size = options.batch_size
        self._room: int | None = getattr(self._network.config, "max_position_embeddings", None)
        self._ends = _ends(self._network, self._tokenizer)

    def write(self, tasks: Sequence[WritingTask]) -> list[GeneratedText]:
        """See `Writer.write`."""
        prompts = [self._tokens(task.prompt) for task in tasks]
        limits = [self._limit(prompt, task) for prompt, task in zip(prompts, tasks, strict=True)]
        written = [self._no_room(prompt) for prompt in prompts]
        queue = sorted((place for place, limit in enumerate(limits) if limit), key=lambda place: -len(prompts[place]))
        for start in range(0, len(queue), self._batch_size):
            places = queue[start : start + self._batch_size]
            texts = self._generate([prompts[place] for place in places], [limits[place] for place in places])
            for place, text in zip(places, texts, strict=True):
                written[place] = text
        return written

    def _limit(self, prompt: Sequence[int], task: WritingTask) -> int:
        """Tokens that the reply may have; 0 where the model has no room for one."""
        room = task.max_tokens if self._room is None else min(task.max_tokens, self._room - len(prompt))
        return room if room >= _LEAST_ROOM else 0

    def _no_room(self, prompt: Sequence[int]) -> GeneratedText:
        return GeneratedText(
            "",
            False,
            f"an answer with its context takes {len(prompt):,} tokens; the model has room for {self._room:,}.",
        )

    def _tokens(self, prompt: Chat | str) -> list[int]:
        if isinstance(prompt, str):
            return list(self._tokenizer(prompt)["input_ids"])
        if self._tokenizer.chat_template is None:
            return list(self._tokenizer("\n\n".join(each["content"] for each in prompt) + "\n")["input_ids"])
        text = self._tokenizer.apply_chat_template(prompt, tokenize=False, add_generation_prompt=True)
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _generate(self, prompts: Sequence[list[int]], limits: Sequence[int]) -> list[GeneratedText]:
        batch = self._tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt").to(self._device)
        settings = GenerationConfig(
            do_sample=False,
            num_beams=1,
            max_new_tokens=max(limits),
            eos_token_id=sorted(self._ends),
            pad_token_id=self._tokenizer.pad_token_id,
        )
        with torch.inference_mode():
            tokens = self._network.generate(**batch, generation_config=settings)
        replies = tokens[:, batch["input_ids"].shape[1] :].tolist()
        return [self._written(reply[:limit]) for reply, limit in zip(replies, limits, strict=True)]

    def _written(self, reply: list[int]) -> GeneratedText:
        end = next((place for place, token in enumerate(reply) if token in self._ends), None)
        return GeneratedText(self._tokenizer.decode(reply[:end], skip_special_tokens=True), end is not None)


def _ends(network: Any, tokenizer: Any) -> set[int]:
    """Tokens that end a reply: chat models have several."""
    named = network.generation_config.eos_token_id
    several = named if isinstance(named, list) else [named]
    return {token for token in [*several, tokenizer.eos_token_id] if token is not None}
