"""The rule of `--stop-when`: which metric, and how narrow its interval is to be."""

from __future__ import annotations

import re
from dataclasses import dataclass

from voirdire.errors import InputError

FEWEST_CONCEPTS = 8
"""With fewer, how narrow an interval is says more of luck than of what is known: it rests on too few clusters."""

ON_WHOLE_CONCEPTS = frozenset({"HOC", "HOC_onset", "first_failing_level", "CI_raw"})
"""Metrics that mean something only for a concept that was asked about at every level."""

_ON_TRAPS = frozenset({"ER", "E", "V_E", "V_E_strict", "entrenchment", "capitulation", "trap_acceptance"})
_RULE = re.compile(r"\s*([A-Za-z]\w*?)\s*(?:±|\+-|\+/-)\s*([0-9]*\.?[0-9]+)\s*")


class StopRuleError(InputError):
    """A stopping rule that can't be followed: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """A model is asked no further when this metric's interval is narrow enough."""

    metric: str
    half_width: float
    """Half of the widest interval that is narrow enough, in the metric's unit."""

    def __str__(self) -> str:
        return f"{self.metric}±{self.half_width:g}"

    @property
    def by_concept(self) -> bool:
        """Whether concepts are drawn whole, as the metric means nothing at single levels."""
        return self.metric in ON_WHOLE_CONCEPTS


def parse_rule(text: str) -> StopRule:
    """Read "ER±0.03" (also "ER+-0.03", "ER+/-0.03").

    Raises:
        StopRuleError: not of that form, not a metric of a single model's profile, or no positive width.
    """
    from voirdire.ddft.metrics import BY_NAME

    match = _RULE.fullmatch(text)
    if match is None:
        raise StopRuleError(
            f"{text!r} is not a stopping rule; give a metric and half an interval's width: ER±0.03 or ER+-0.03."
        )
    metric, half_width = match[1], float(match[2])
    if metric not in BY_NAME:
        raise StopRuleError(f"{metric!r} is not a metric to stop by; choose one of {', '.join(BY_NAME)}.")
    if half_width <= 0:
        raise StopRuleError(f"No interval is as narrow as ±{half_width:g}; give a width above 0, such as ER±0.03.")
    return StopRule(metric, half_width)


def check_rule(rule: StopRule, concepts: int, trap: str) -> None:
    """See, before anything is asked, that a study can be stopped by a rule.

    Args:
        rule: the rule.
        concepts: how many the study is about.
        trap: the preset's kind of trap.

    Raises:
        StopRuleError: too few concepts, or a metric of traps where none are set.
    """
    if concepts < FEWEST_CONCEPTS:
        raise StopRuleError(
            f"Stopping by {rule} needs {FEWEST_CONCEPTS} concepts or more, since with fewer an interval is narrow by "
            f"luck; there are {concepts}: add some with --pack, or leave out --stop-when."
        )
    if trap == "none" and rule.metric in _ON_TRAPS:
        raise StopRuleError(f"{rule.metric} has no value without traps; stop by another metric, such as K±0.03.")
