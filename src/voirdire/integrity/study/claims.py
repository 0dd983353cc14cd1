"""What the study's own documents state of these trials, beside what the trials give.

The numbers are those of the documents of the repository the trials come from: a statistical guide, an outline of the
report, a plan, and figures whose numbers do not always agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

PUBLICATION = "chrbradley/constitutional-reasoning-engine"
"""In the source of the trials that the claims are about."""


class Printed(NamedTuple):
    """A number as a document prints it."""

    text: str
    where: str
    quantity: str
    """What the definition that fits the rest of the publication calls it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the publication."""

    key: str
    """By which its figures are found."""
    says: str
    printed: tuple[Printed, ...]
    definition: str
    """Which computation gives what was printed, and what is to be known of it."""


class Match(NamedTuple):
    """A printed number, and what computed quantity it is the rounding of."""

    printed: Printed
    holds: bool
    """Whether the quantity it should be is the one it is."""
    found_as: str | None
    """The first computed quantity that rounds to it; `None` where none does."""


CLAIMS = (
    Claim(
        "likert_icc",
        "The Likert rubric's ICC(2,1) is 0.31 (once: ICC(2,k))",
        (Printed("0.31", "guide, outline", "ICC(3,1) overall_score"),),
        "ICC(3,1), consistency of a single judge: the judges' own variance is left out of the denominator. The "
        "coefficient named, ICC(2,1), is lower, for the judges differ in leniency.",
    ),
    Claim(
        "likert_icc_k",
        "The panel's ICC(2,k) is 0.69",
        (Printed("0.69", "guide", "ICC(3,k) overall_score"),),
        "ICC(3,k), consistency of the mean of five judges. The coefficient named, ICC(2,k), is lower.",
    ),
    Claim(
        "binary_icc",
        "The binary rubric's ICC is 0.10, 0.04 or 0.19",
        (
            Printed("0.10", "guide", "ICC(3,1) overall_score"),
            Printed("0.04", "outline", "ICC(3,1) overall_score"),
            Printed("0.19", "plan, figure 1", "ICC(3,1) overall_score"),
        ),
        "ICC(3,1) of the overall score, -1 kept as a score. A mean of pairwise correlations is no ICC, and leaves out "
        "the judge who always gives the same score. In the figure's code the number is written in.",
    ),
    Claim(
        "ternary_icc",
        "The ternary rubric's ICC is 0.19, 0.28, 0.31 or 0.60",
        (
            Printed("0.19", "guide", "ICC(3,1) overall_score"),
            Printed("0.28", "outline", "ICC(3,1) overall_score"),
            Printed("0.31", "plan", "ICC(3,1) overall_score"),
            Printed("0.60", "figure 1", "ICC(3,1) overall_score"),
        ),
        "ICC(3,1) of the overall score, -1 kept as a score. Reading that one reply as it was meant closes the gap to "
        "the Likert rubric. In the figure's code the number is written in.",
    ),
    Claim(
        "dimensions",
        "The dimensions correlate: r = 0.406, 95 % CI [0.367, 0.444]",
        (
            Printed("0.406", "guide", "pooled r"),
            Printed("0.367", "guide", "pooled low"),
            Printed("0.444", "guide", "pooled high"),
        ),
        "Pearson's r over all rows (trial, judge), taken as independent. It is driven by leniency: a lenient judge is "
        "lenient in both dimensions. Within judges, and between trials, it is far smaller.",
    ),
    Claim(
        "interaction",
        "Model x constitution: F(20, 330) = 1.78, p = 0.022, eta² = 0.042",
        (
            Printed("1.78", "guide", "F"),
            Printed("0.022", "guide", "p"),
            Printed("0.042", "guide", "eta_sq"),
        ),
        "Type II analysis of variance of the overall score, mean of the judges. It holds for this one of three "
        "outcomes, and was not corrected for there being three; with scenarios as blocks p is smaller.",
    ),
    Claim(
        "constitution",
        "The constitution's main effect: t = 1.63, p = 0.1046, mean change -0.18",
        (
            Printed("1.63", "documents", "t"),
            Printed("0.1046", "documents", "p"),
            Printed("-0.18", "documents", "mean_delta"),
        ),
        "Not a main effect: a t test of all changes against the model's mean without a constitution, taken together, "
        "so that changes of opposite sign cancel; its sign was lost. The analysis of variance has a large main effect.",
    ),
)


def matches(claim: Claim, quantities: Mapping[str, float | None]) -> tuple[Match, ...]:
    """Which of the computed quantities each printed number is the rounding of.

    Args:
        claim: what was printed.
        quantities: by name, those of the claim's own definition and others that could explain a number.
    """
    return tuple(
        Match(
            printed,
            _rounds_to(quantities.get(printed.quantity), printed.text),
            next(
                (name for name in (printed.quantity, *quantities) if _rounds_to(quantities.get(name), printed.text)),
                None,
            ),
        )
        for printed in claim.printed
    )


def reproduces(found: tuple[Match, ...]) -> bool | str:
    """`True` or `False`, or which of the printed numbers do."""
    holding = [match.printed.text for match in found if match.holds]
    if len(holding) in (0, len(found)):
        return bool(holding)
    return f"{', '.join(holding)} only"


def _rounds_to(value: float | None, printed: str) -> bool:
    places = len(printed.partition(".")[2])
    return value is not None and round(value, places) == float(printed)
