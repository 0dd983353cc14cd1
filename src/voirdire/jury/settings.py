"""What the presets vary about the jury (docs/design.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from voirdire.errors import InputError
from voirdire.text.counting import counted
from voirdire.text.suggestion import suggestion

NoClaimsRule = Literal["null", "scored"]
Simple = Literal["mean", "median"]
Granularity = Literal["turn", "dialogue"]


class JuryError(InputError):
    """A jury that cannot sit: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each judge counts, in the panel's order."""

    far: tuple[float, ...]
    sas: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.far) != len(self.sas):
            raise JuryError(
                f"The jury's weights name {counted(len(self.far), 'judge')} for FAR and {len(self.sas)} for SAS; "
                "give as many for both."
            )
        for weight in self.far + self.sas:
            if not 0 < weight < float("inf"):
                raise JuryError(f"The weight {weight} of a judge is not a positive number; weights must be above 0.")


@dataclass(frozen=True, slots=True)
class WeightsByJudge:
    """How much each judge counts, for FAR and SAS alike, by the judge's name in the jury."""

    weights: Mapping[str, float]

    def in_order(self, names: Sequence[str]) -> Weights:
        """The weights of this jury.

        Raises:
            JuryError: a judge has no weight, or a weight no judge.
        """
        strangers = [name for name in self.weights if name not in names]
        if strangers:
            raise JuryError(
                f"The rules weigh {strangers[0]}, who is not on the jury: {suggestion(strangers[0], names)}"
            )
        lacking = [name for name in names if name not in self.weights]
        if lacking:
            raise JuryError(f"The rules give {lacking[0]} no weight; name every judge of the jury, or use the mean.")
        ordered = tuple(float(self.weights[name]) for name in names)
        return Weights(ordered, ordered)


AS_RUN_WEIGHTS = Weights(far=(0.25, 0.35, 0.40), sas=(0.40, 0.35, 0.25))
"""For (gpt-5.1, deepseek-v3.1, claude-opus-4-1): the weights behind the published consensus scores, which the text of
the paper calls an arithmetic mean (DDFT 4.4)."""


@dataclass(frozen=True, slots=True)
class JuryRules:
    """How judges are asked, and how their verdicts become one. The preset `sound` also shows the history."""

    separate_calls: bool = False
    """FAR and SAS in a call each (DDFT B.2, B.3), or both in one."""
    tell_level_and_turn: bool = False
    """Whether judges learn the compression level and the number of the turn (DDFT appendix C)."""
    no_claims: NoClaimsRule = "null"
    """An answer without a claim: FAR null, or scored like any other."""
    show_history: bool = False
    """Whether judges see the dialogue's earlier turns."""
    consensus: Simple | Weights | WeightsByJudge = "mean"
    """Of the judges' scores. Weights by judge are for a jury that is not known yet: `for_jury` orders them."""
    quorum: int | None = None
    """Fewest judges who must be present; `None` is more than half of the panel."""
    granularity: Granularity = "turn"
    """One call per turn, or one for all turns of a dialogue."""
    max_tokens: int = 2000
    """A judge's limit for one turn. Models that think before they write spend it on thinking, too."""

    def __post_init__(self) -> None:
        for name in ("separate_calls", "tell_level_and_turn", "show_history"):
            if not isinstance(getattr(self, name), bool):
                raise JuryError(f"The jury's {name} is {getattr(self, name)!r}; it must be true or false.")
        _check_choice("no_claims", self.no_claims, get_args(NoClaimsRule))
        _check_choice("granularity", self.granularity, get_args(Granularity))
        if not isinstance(self.consensus, Weights | WeightsByJudge):
            _check_choice("consensus", self.consensus, get_args(Simple))
        if self.quorum is not None:
            _check_count("quorum", self.quorum)
        _check_count("max_tokens", self.max_tokens)

    def for_jury(self, names: Sequence[str]) -> JuryRules:
        """The rules as they hold for a jury of these judges.

        Raises:
            JuryError: they weigh other judges.
        """
        named = self.consensus
        return replace(self, consensus=named.in_order(names)) if isinstance(named, WeightsByJudge) else self

    def needed(self, panel_size: int) -> int:
        """How many judges of a panel of this size must be present for a turn to be scored."""
        return panel_size // 2 + 1 if self.quorum is None else self.quorum

    def weights(self, panel_size: int) -> Weights:
        """Each judge's weight in a panel of this size. A judge who sits alone decides alone, whatever the weights.

        Raises:
            JuryError: the rules weigh another number of judges.
        """
        if not isinstance(self.consensus, Weights) or panel_size == 1:
            return Weights((1.0,) * panel_size, (1.0,) * panel_size)
        if len(self.consensus.far) != panel_size:
            raise JuryError(
                f"The rules weigh {counted(len(self.consensus.far), 'judge')}, but the jury has {panel_size}: "
                "name as many judges as there are weights, in their order, or use the mean."
            )
        return self.consensus


def _check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise JuryError(f"The jury's {name} is {value!r}, which is not known: {suggestion(str(value), allowed)}")


def _check_count(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise JuryError(f"The jury's {name} is {value!r}; it must be a whole number of at least 1.")
