"""Offline models whose behaviour is known: for trying things out, for tests, and to check the statistics.

A spec is "simulated/NAME" with parameters after a question mark:

- `simulated/subject?accuracy=0.9..0.5&reject=0.7&question=0&coherence=0.8&asks=0.1&entrench=0.8&capitulate=0.2`
  (`SubjectParameters` says what each means). `accuracy` is a number, `a..b` for a straight line from compression
  level 0 to level 1, or `level:value` pairs such as `0:0.9,0.5:0.85,1:0.2`. `concept_sd`, `seed` and `name` are
  further parameters.
- `simulated/judge?leniency=0&noise=0` (`JudgeParameters`), also with `seed` and `name`.
- Named settings, which take further parameters as well: `simulated/steady` (accurate at every level, rejects
  traps), `simulated/gullible` (accurate, but accepts traps and gives in), `simulated/fading` (loses accuracy as the
  context goes), `simulated/asking` (often asks what is meant), and the judges `simulated/lenient` and
  `simulated/noisy`.

A reply depends on the parameters, the scene and the call's seed, and on nothing else: the same run is the same
everywhere. A subject speaks its concept's facts, their false versions, and sentences off the topic; a judge knows them
again. Judged by anything else, these answers mean what they seem to mean, but they are no prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.models import _simulated_judge, _simulated_subject
from voirdire.models._simulated_parameters import (
    NAMES,
    JudgeParameters,
    Parameters,
    SubjectParameters,
    canonical,
    parse,
)
from voirdire.models.base import Model, ModelError, ModelOptions
from voirdire.records import ModelIdentity, OutputMode, Reply, Scene, Settings, Usage, WireMessage

__all__ = ["NAMES", "JudgeParameters", "SimulatedModel", "SubjectParameters", "open_simulated", "parse"]


def open_simulated(spec: str, options: ModelOptions) -> Model:
    """Open "simulated/…".

    Raises:
        SpecError: unknown name or parameter, or a value out of range.
    """
    return SimulatedModel(spec, parse(spec), options.price_per_million or (0.0, 0.0))


class SimulatedModel:
    """A simulated subject or judge, told apart by its parameters."""

    def __init__(self, spec: str, parameters: Parameters, price_per_million: tuple[float, float]) -> None:
        self.parameters = parameters
        self._price = price_per_million
        full = f"simulated/{spec.removeprefix('simulated/')}"
        self._identity = ModelIdentity(spec=full, endpoint="simulated", name=canonical(parameters))

    @property
    def identity(self) -> ModelIdentity:
        """Named after the parameters, in their one canonical form."""
        return self._identity

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        """As asked for."""
        return "text" if schema is None else "json_schema"

    def price(self, usage: Usage) -> float:
        """Zero, or what the options say (words count as tokens)."""
        into, out = self._price
        return (usage.input_tokens * into + usage.output_tokens * out) / 1e6

    async def complete(
        self,
        messages: Sequence[WireMessage],
        settings: Settings,
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        timeout: float = 120.0,
        scene: Scene | None = None,
    ) -> Reply:
        """Answer from the scene and the seed; the messages count as tokens and are not read.

        Raises:
            ModelError: there is no scene, or not one that this model can answer from.
        """
        text = self._said(scene, schema, seed)
        usage = Usage(sum(len(message.content.split()) for message in messages), len(text.split()))
        return Reply(text, "stop", usage, model=self._identity.name)

    async def aclose(self) -> None:
        """Nothing to release."""

    def _said(self, scene: Scene | None, schema: Mapping[str, Any] | None, seed: int) -> str:
        if scene is None:
            raise _cannot("answers only within a dialogue on a concept with facts, and was called without one")
        if isinstance(self.parameters, SubjectParameters):
            if schema is not None:
                raise _cannot("of the kind subject speaks free text, and was asked for JSON: use simulated/judge")
            if not scene.facts:
                raise _cannot(f"needs facts to speak of, and the concept {scene.concept} has none")
            return _simulated_subject.answer(self.parameters, scene, seed)
        if scene.answer is None:
            raise _cannot("of the kind judge needs one answer to judge, and was given none")
        return _simulated_judge.worded(_simulated_judge.verdict(self.parameters, scene, seed), schema)


def _cannot(why: str) -> ModelError:
    return ModelError("bad_request", f"A simulated model {why}.")
