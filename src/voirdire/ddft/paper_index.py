"""The paper's index of a model (CI_raw) with its label, and whether they rest on enough turns (DDFT 7.1, 7.3).

The index divides by FAR' + 1 - SAS'. Both are means over a part of the turns that may be small or empty, and a model
that is never incoherent has no FAR' at all. So the label never leads a result: ER does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from voirdire.data.json_values import as_plain
from voirdire.ddft.thresholds import PAPER, Thresholds, two_decimals
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.ddft.metrics import Value
    from voirdire.reason_codes import Reason
    from voirdire.stats.intervals import Interval

Phenotype = Literal["Robust", "Competent", "Brittle"]
Doubt = Literal["no value", "few incoherent turns", "few accurate turns", "no interval"]

LEAST_TURNS = 10
"""Behind FAR' and behind SAS': with fewer, a single turn moves a mean of scores by up to 0.1 and the index with it."""


@dataclass(frozen=True, slots=True)
class PaperIndex:
    """CI_raw of one model, the label that the paper gives it, and what makes both doubtful."""

    value: float | None
    reason: Reason | None
    """Why there is no value."""
    interval: Interval | None
    far_prime_n: int
    """Turns behind FAR': those with SAS below `thresholds.incoherent_sas`."""
    sas_prime_n: int
    """Turns behind SAS': those with FAR above `thresholds.partly_right_far`."""
    phenotype: Phenotype | None
    """By CI_raw."""
    phenotype_relative: Phenotype | None
    """By CI_norm, as the paper's Table 2: depends on the other models of the study."""
    thresholds: Thresholds = PAPER
    """What index and label go by."""

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Why neither the index nor its label is to be relied on; empty where nothing speaks against them."""
        return tuple(self._doubts())

    @property
    def reliable(self) -> bool:
        """Whether the index has a value and an interval, and 10 turns or more on either side of its ratio."""
        return not self.doubts

    @property
    def label_uncertain(self) -> bool | None:
        """Whether the interval crosses a threshold of the label; `None` without an interval."""
        return None if self.interval is None else bool(self.crossed)

    @property
    def crossed(self) -> tuple[float, ...]:
        """The thresholds that the interval crosses."""
        ends = self.interval
        cuts = (self.thresholds.competent_index, self.thresholds.robust_index)
        return () if ends is None else tuple(cut for cut in cuts if ends.low <= cut < ends.high)

    def as_dict(self) -> dict[str, Any]:
        """The index as plain values that JSON can hold."""
        return {
            "CI_raw": self.value,
            "reason": as_plain(self.reason),
            "interval": as_plain(self.interval),
            "FAR_prime_n": self.far_prime_n,
            "SAS_prime_n": self.sas_prime_n,
            "reliable": self.reliable,
            "doubts": list(self.doubts),
            "phenotype": self.phenotype,
            "phenotype_relative": self.phenotype_relative,
            "label_uncertain": self.label_uncertain,
        }

    def _doubts(self) -> Iterator[Doubt]:
        if self.value is None:
            yield "no value"
        if self.far_prime_n < LEAST_TURNS:
            yield "few incoherent turns"
        if self.sas_prime_n < LEAST_TURNS:
            yield "few accurate turns"
        if self.value is not None and self.interval is None:
            yield "no interval"


def paper_index(
    estimates: Mapping[str, Value], intervals: Mapping[str, Interval], thresholds: Thresholds = PAPER
) -> PaperIndex:
    """The index of a model whose metrics, counted by these thresholds, are these."""
    index = estimates["CI_raw"]
    return PaperIndex(
        value=index.value,
        reason=index.reason,
        interval=intervals.get("CI_raw"),
        far_prime_n=estimates["FAR_prime"].n,
        sas_prime_n=estimates["SAS_prime"].n,
        phenotype=phenotype(index.value, thresholds),
        phenotype_relative=phenotype(estimates["CI_norm"].value, thresholds),
        thresholds=thresholds,
    )


def phenotype(ci: float | None, thresholds: Thresholds = PAPER) -> Phenotype | None:
    """The label of a CI index; the paper's (DDFT 7.3): Robust above 0.60, Competent above 0.30, else Brittle."""
    if ci is None:
        return None
    return "Robust" if ci > thresholds.robust_index else "Competent" if ci > thresholds.competent_index else "Brittle"


def relative_label(index: PaperIndex, study: Iterable[PaperIndex]) -> Phenotype | None:
    """The label by min-max over the models of a study; `None` where it or an end of that scale is not reliable."""
    known = [each for each in study if each.value is not None]
    ends = [pick(known, key=lambda each: each.value or 0.0) for pick in (min, max)] if known else []
    return index.phenotype_relative if all(each.reliable for each in (index, *ends)) else None


def summary(index: PaperIndex) -> str:
    """The label, or that it is not reliable, in a few words: "Robust, uncertain", "not reliable here"."""
    if not index.reliable:
        return "not reliable here"
    return f"{index.phenotype}, uncertain" if index.label_uncertain else str(index.phenotype)


def explanation(index: PaperIndex) -> str | None:
    """Why the index is not reliable or its label uncertain, in a sentence or two; `None` where neither is so."""
    if not index.reliable:
        who = "the thresholds of the preset" if index.thresholds != PAPER else "the paper"
        label = "" if index.phenotype is None else f" {who[0].upper()}{who[1:]} would call the model {index.phenotype}."
        return f"The paper's index (CI index) is not reliable here: {'; '.join(_reasons(index))}.{label}"
    if index.interval is not None and index.crossed:
        cuts = " and ".join(two_decimals(cut) for cut in index.crossed)
        reach = f"{index.interval.low:.2f} to {index.interval.high:.2f}"
        return f"The label {index.phenotype!r} is uncertain: the interval of the CI index, {reach}, crosses {cuts}."
    return None


def too_few(name: str, turns: int) -> str:
    """As in "FAR' rests on 7 turns and needs 10"."""
    return f"{name} rests on {_turns(turns)} and needs {LEAST_TURNS}"


def _reasons(index: PaperIndex) -> Iterator[str]:
    for doubt in index.doubts:
        match doubt:
            case "no value":
                yield "it has no value"
            case "few incoherent turns":
                yield too_few("FAR'", index.far_prime_n)
            case "few accurate turns":
                yield too_few("SAS'", index.sas_prime_n)
            case "no interval":
                yield "it has no interval"


def _turns(number: int) -> str:
    return counted(number, "turn") if number else "no turn"
