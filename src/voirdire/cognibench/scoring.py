"""Word-weighted precision, recall and F1 of a detector, as sums per group (CogniBench 4.1).

Statements that share a context resemble one another, so what was sampled is the *group*. Every figure is a function of
totals over groups: of all of them, of all but one (jackknife), or of a draw (bootstrap). `measures` is the one place
where totals become figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import LABELS, Answer, Label, Require, hallucinated, type_of
from voirdire.detectors.scoring import Score, reaches
from voirdire.text.counting import counted

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIGURES = ("overall", "macro", "factual", "cognitive")
"""Overall pools all statements, irrelevant ones too; macro is the mean of factual and cognitive."""
PREDICTED = ("predicted macro", "predicted factual", "predicted cognitive")
"""The same with the type that a classifier predicts for every statement, instead of the label's."""

ENDS = ("at worst", "at best")
"""Of figures where labels are missing: as if all of them were wrong, or right."""

_HIT, _FLAGGED, _GOLD = range(3)
_MACROS = {"macro": ("factual", "cognitive"), "predicted macro": ("predicted factual", "predicted cognitive")}


@dataclass(frozen=True, slots=True)
class Truth:
    """The labelled statements of a data set, laid out in arrays. Only labelled ones are in it."""

    labelled_masks: tuple[Bools, ...]
    """For each answer, which of its statements are labelled."""
    groups: tuple[str, ...]
    group: NDArray[np.intp]
    """Shape (statements,): index into `groups`."""
    words: Floats
    """Shape (statements,)."""
    labels: tuple[Label, ...]
    require: Require
    gold: Bools
    """Shape (statements,): hallucinated under `require`."""
    small_talk: Bools
    """Shape (statements,): it claims nothing, so that no detector flags it."""
    parts: Mapping[str, Bools]
    """Which statements the parts "overall", "factual", "cognitive" (and the predicted ones) hold."""


class Marks(NamedTuple):
    """What a detector said of the statements of a `Truth`."""

    flagged: Floats
    """Shape (statements,): 1 flagged, 0 not; a probability where what is scored is an expectation."""
    missing: Bools
    """Shape (statements,): it gave no score. Such a statement is not flagged."""

    def bounds(self, gold: Bools) -> tuple[Floats, Floats]:
        """What would be flagged, were there scores for what has none: at worst all of them wrong, at best all right."""
        return np.where(self.missing, ~gold, self.flagged), np.where(self.missing, gold, self.flagged)

    def without(self, small_talk: Bools) -> Marks:
        """The same, as `voirdire detect` would say it: small talk is not flagged, and not missing."""
        return Marks(np.where(small_talk, 0.0, self.flagged), self.missing & ~small_talk)


class Measures(NamedTuple):
    """Figures of many draws; NaN where undefined."""

    precision: Floats
    """Shape (draws,)."""
    recall: Floats
    f1: Floats

    def score(self) -> Score:
        """The first draw, `None` where undefined."""
        precision, recall, f1 = (None if np.isnan(each[0]) else float(each[0]) for each in self)
        return Score(precision, recall, f1)


def truth_of(
    answers: Sequence[Answer], require: Require = "grounded", *, cognitive: Sequence[Sequence[bool]] | None = None
) -> Truth:
    """Lay out what is labelled.

    Args:
        answers: labelled, at least in part; others count for nothing.
        require: what a cognitive statement must be.
        cognitive: for each answer, whether each of its statements is predicted to be cognitive; those that are not are
            predicted to be factual, also irrelevant ones. Without it there are no predicted parts.

    Raises:
        CognibenchError: no statement is labelled, or `cognitive` doesn't fit the answers.
    """
    labelled = tuple(np.array([s.label is not None for s in answer.statements], dtype=np.bool_) for answer in answers)
    pairs = [(answer, s) for answer in answers for s in answer.statements if s.label is not None]
    if not pairs:
        raise CognibenchError(
            f"None of {counted(len(answers), 'answer')} has a labelled statement: there is nothing to score."
        )
    labels: tuple[Label, ...] = tuple(s.label for _, s in pairs if s.label is not None)
    groups, group = np.unique([answer.group for answer, _ in pairs], return_inverse=True)
    types = np.array([type_of(label) for label in labels])
    parts = {"overall": np.ones(len(pairs), dtype=np.bool_), **{name: types == name for name in FIGURES[2:]}}
    if cognitive is not None:
        predicted = labelled_values(labelled, cognitive, "The type classifier") > 0
        parts |= {"predicted factual": ~predicted, "predicted cognitive": predicted}
    return Truth(
        labelled_masks=labelled,
        groups=tuple(str(each) for each in groups),
        group=group.astype(np.intp),
        words=np.array([s.words for _, s in pairs], dtype=np.float64),
        labels=labels,
        require=require,
        gold=np.array([hallucinated(label, require) for label in labels], dtype=np.bool_),
        small_talk=np.array([s.small_talk for _, s in pairs], dtype=np.bool_),
        parts=parts,
    )


def mark(truth: Truth, scores: Sequence[Sequence[float]], threshold: float, *, name: str = "The detector") -> Marks:
    """Compare a detector's scores with its threshold.

    Args:
        truth: of the answers that were scored, in the same order.
        scores: for each answer, one score for each of its statements, labelled or not; NaN where there is none.
        threshold: a statement whose score reaches it is flagged.
        name: who gave the scores, for an error's sentence.

    Raises:
        CognibenchError: the numbers of scores and statements differ.
    """
    values = labelled_values(truth.labelled_masks, scores, name)
    return Marks(reaches(values, threshold).astype(np.float64), np.isnan(values))


def group_sums(truth: Truth, flagged: Floats) -> Floats:
    """Words per group and part: in flagged hallucinations, in flagged statements, in hallucinations.

    Returns:
        Shape (groups, parts, 3), parts in the order of `truth.parts`.
    """
    each = np.stack([flagged * truth.gold, flagged, truth.gold.astype(np.float64)], axis=1) * truth.words[:, np.newaxis]
    members = np.stack(list(truth.parts.values()), axis=1).astype(np.float64)
    sums = np.zeros((len(truth.groups), members.shape[1], 3))
    np.add.at(sums, truth.group, members[:, :, np.newaxis] * each[:, np.newaxis, :])
    return sums


def totals(sums: Floats, weights: Floats) -> Floats:
    """Sums over groups, each counted as often as its weight says; weights (draws, groups), result (draws, parts, 3)."""
    return np.asarray(np.tensordot(weights, sums, axes=1), dtype=np.float64)


def leave_one_out(sums: Floats) -> Floats:
    """Totals without one group, for each group; shape (groups, parts, 3)."""
    return np.asarray(sums.sum(axis=0) - sums, dtype=np.float64)


def measures(truth: Truth, total: Floats) -> dict[str, Measures]:
    """Figures by name (`FIGURES`, and `PREDICTED` where types were predicted), from totals of shape (draws, parts, 3).

    Precision = hit / flagged, undefined when nothing was flagged; recall = hit / hallucinated, undefined when nothing
    is; F1 = 2 hit / (flagged + hallucinated), undefined when neither. Macro figures are means of two, undefined when
    either is.
    """
    estimates = {}
    for place, part in enumerate(truth.parts):
        hit, flagged, gold = (total[:, place, column] for column in (_HIT, _FLAGGED, _GOLD))
        estimates[part] = Measures(_ratio(hit, flagged), _ratio(hit, gold), _ratio(2 * hit, flagged + gold))
    for macro, (one, other) in _MACROS.items():
        if one in estimates:
            estimates[macro] = Measures(*((a + b) / 2 for a, b in zip(estimates[one], estimates[other], strict=True)))
    return estimates


def parts_of(figure: str) -> tuple[str, ...]:
    """The parts that a figure is made of: two for a macro figure, itself for any other."""
    return _MACROS.get(figure, (figure,))


def false_alarms(truth: Truth, flagged: Floats) -> dict[Label, float | None]:
    """Share of words flagged among the statements of each label that is no hallucination; `None`: there are none."""
    labels = np.array(truth.labels)
    shares: dict[Label, float | None] = {}
    for label in LABELS:
        if not hallucinated(label, truth.require):
            here = labels == label
            words = float(truth.words[here].sum())
            shares[label] = float((flagged * truth.words)[here].sum()) / words if words else None
    return shares


def labelled_values(masks: Sequence[Bools], values: Sequence[Sequence[float]], name: str) -> Floats:
    """The values of labelled statements, one after the other."""
    expected, sizes = [mask.size for mask in masks], [len(row) for row in values]
    if expected != sizes:
        raise CognibenchError(
            f"{name} gave {counted(sum(sizes), 'score')} for {counted(len(sizes), 'answer')}; "
            f"expected {sum(expected)} for {len(expected)}, one for each statement of each answer."
        )
    return np.concatenate([np.asarray(row, dtype=np.float64)[mask] for row, mask in zip(values, masks, strict=True)])


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)
