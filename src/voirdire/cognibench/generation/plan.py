"""Which dialogues are to be held, and what a run records of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.cognibench.generation.dialogue import assistant_hashes
from voirdire.cognibench.generation.references import Reference, read_references, sample_evenly
from voirdire.cognibench.generation.script import MAX_TURNS
from voirdire.cognibench.generation.user import SCRIPTED, user_hashes
from voirdire.cognibench.records import CognibenchError
from voirdire.data import read_text
from voirdire.models import ModelOptions
from voirdire.records import Settings
from voirdire.run import options_for

INSTRUMENT = "cognibench-dialogues"


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Which dialogues are to be held."""

    references: Path
    models: tuple[str, ...]
    turns: int = 4
    count: int | None = None
    """How many references; each model holds one dialogue on each. `None`: all."""
    user: str = SCRIPTED
    """Who asks: "scripted", or the spec of a model."""
    seed: int = 0
    max_tokens: int = 1000
    """Of an answer."""
    temperature: float | None = None
    """Of the models that answer; `None`: each model's own."""
    base_url: str | None = field(default=None, repr=False)
    exact: bool = False
    """Local models repeat their replies exactly."""

    @property
    def settings(self) -> Settings:
        """How the models are asked."""
        return Settings(max_tokens=self.max_tokens, temperature=self.temperature)

    def seats(self) -> dict[str, ModelOptions]:
        """Every model that takes part, and how it is reached.

        Raises:
            CognibenchError: no model, one twice, or a number of turns that can't be held.
        """
        if not self.models:
            raise CognibenchError("No model is named; give one with --model PROVIDER/NAME.")
        if len(set(self.models)) < len(self.models):
            raise CognibenchError(f"A model stands twice among {', '.join(self.models)}; name each once.")
        if not 1 <= self.turns <= MAX_TURNS:
            raise CognibenchError(f"{self.turns} turns are wanted; a dialogue has 1 to {MAX_TURNS}.")
        asking = () if self.user == SCRIPTED else (self.user,)
        return {spec: options_for(spec, self.base_url, exact=self.exact) for spec in (*self.models, *asking)}


def sampled(plan: GenerationPlan) -> list[Reference]:
    """The references of a plan, drawn evenly over topics.

    Raises:
        CognibenchError: they can't be read, or fewer are there than wanted.
    """
    return sample_evenly(read_references(plan.references), plan.count, plan.seed)


def manifest_of(plan: GenerationPlan, references: Sequence[Reference]) -> dict[str, Any]:
    """What settles a run of dialogues: the same manifest, the same calls."""
    script = read_text("prompts/dialogue_questions.yaml")
    return {
        "instrument": INSTRUMENT,
        "models": list(plan.models),
        "user": plan.user,
        "turns": plan.turns,
        "references": [reference.id for reference in references],
        "references_sha256": references_sha256(references),
        "seed": plan.seed,
        "max_tokens": plan.max_tokens,
        "temperature": plan.temperature,
        "base_url": plan.base_url,
        "prompts": assistant_hashes() | user_hashes(),
        "script_sha256": hashlib.sha256(script.encode()).hexdigest(),
        **({"exact": True} if plan.exact else {}),
    }


def references_sha256(references: Sequence[Reference]) -> str:
    """The hash of what dialogues are about, as run.json has it."""
    listed = json.dumps([reference.as_dict() for reference in references], sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()
