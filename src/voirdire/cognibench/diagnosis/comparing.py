"""Diagnosis of a labeller (CogniBench 3.1, step 1): its labels beside human ones, and which errors recur."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.cognibench.diagnosis.errors import ErrorGroup, group_errors
from voirdire.cognibench.diagnosis.matching import LabelPair, MatchedLabels, match
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.scoring import Floats, Marks, Truth, group_sums, mark, measures, totals, truth_of
from voirdire.data.json_values import as_plain
from voirdire.detectors.records import LABELS, Answer, Label, Require, Statement, hallucinated, without_headers
from voirdire.detectors.scoring import Score
from voirdire.stats.agreement import cohen_kappa
from voirdire.stats.intervals import Lacking, NoIntervalError, jackknife_t
from voirdire.stats.rating_estimates import agreement_from_lack
from voirdire.text.counting import counted

_MIN_GROUPS = 3
_CUTS = tuple(place + 0.5 for place in range(len(LABELS) - 1))


class Kappa(NamedTuple):
    """Cohen's kappa with a 95 % interval clustered by group; NaN where undefined."""

    value: float
    low: float
    high: float
    lacking: Lacking | Literal["few_groups", "all_agree"] | None = None
    """Why it has no interval."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A labeller's labels beside human ones."""

    matched: MatchedLabels
    require: Require
    left_out: int
    """Answers that were left out because the labeller's prompt has an example of their group."""
    labels: Mapping[Label, Mapping[Label, int]]
    """Statements by human label, then by the machine's."""
    scores: Mapping[str, Score]
    """Word-weighted, the machine's hallucinations against the human ones: overall, macro, factual, cognitive."""
    could_be: tuple[Mapping[str, Score], Mapping[str, Score]] | None
    """The scores at worst and at best, where the machine left statements without a label."""
    scored: int
    """Statements that the scores are of: those that people labelled, without header rows of tables. One that the
    machine left without a label is not flagged."""
    kappa_hallucinated: Kappa
    """Of hallucinated or not."""
    kappa_labels: Kappa
    """The same of the seven labels."""
    errors: tuple[ErrorGroup, ...]
    """The largest first; kinds without a case are not among them."""
    of_the_data: tuple[str, ...] = ()
    """What the human labels lack."""

    @property
    def cautions(self) -> list[str]:
        """What must be read before the figures are used."""
        matched = self.matched
        matches = (
            (self.left_out, "answer", "left out, since the labeller's prompt has an example from the same dialogues."),
            (
                len(matched.only_human),
                "statement",
                "with a human label and none of the labeller, taken as not flagged.",
            ),
            (matched.only_machine, "statement", "with a label of the labeller and no human one."),
            (matched.unmatched_answers, "answer", "labelled on one side only."),
            (len(matched.other_text), "answer", "with another text on the other side, and so not compared."),
        )
        parts = [f"{counted(number_of, noun)} {what}" for number_of, noun, what in matches if number_of]
        return [*self.of_the_data, *parts]

    @property
    def wrong(self) -> int:
        """Statements whose label differs from the human one."""
        return sum(len(group.cases) for group in self.errors)

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON; what is undefined is `None`."""
        matched = self.matched
        sides = Counter(pair.sides(self.require) for pair in matched.pairs)
        return {
            "cautions": self.cautions,
            "require": self.require,
            "n_statements": len(matched.pairs),
            "n_scored": self.scored,
            "n_answers": matched.answers,
            "left_out": self.left_out,
            "not_compared": {
                "statements_only_machine": matched.only_machine,
                "statements_only_human": len(matched.only_human),
                "answers_of_one_side": matched.unmatched_answers,
                "answers_with_other_text": list(matched.other_text),
            },
            "labels": {human: dict(row) for human, row in self.labels.items()},
            "hallucinated": {
                "both": sides[True, True],
                "machine_only": sides[True, False],
                "human_only": sides[False, True],
                "neither": sides[False, False],
            },
            "scores": as_plain(self.scores),
            "could_be": as_plain(self.could_be),
            "kappa": {
                "hallucinated": as_plain(self.kappa_hallucinated),
                "labels": as_plain(self.kappa_labels),
            },
            "wrong": self.wrong,
            "errors": as_plain(self.errors),
        }


def diagnose(
    machine: Sequence[Answer],
    human: Sequence[Answer],
    require: Require = "grounded",
    *,
    without: frozenset[str] = frozenset(),
    of_the_data: tuple[str, ...] = (),
) -> Diagnosis:
    """Compare a labeller's labels with human ones, and group what is wrong.

    Args:
        machine: answers with the labeller's labels.
        human: the same answers with human labels; context and text are taken from here.
        require: what makes a cognitive statement a hallucination.
        without: groups to leave out: those of examples in the labeller's prompt.
        of_the_data: what the human labels lack.

    Raises:
        CognibenchError: no statement carries both labels.
    """
    matched = match([a for a in machine if a.group not in without], [a for a in human if a.group not in without])
    if not matched.pairs:
        raise CognibenchError(_nothing_shared(matched, machine, human))
    truth, marks = _marks(matched, require)
    worst, best = marks.bounds(truth.gold)
    return Diagnosis(
        matched,
        require,
        left_out=len({a.id for a in human if a.group in without and a.labelled}),
        labels=_confusion(matched.pairs),
        scores=_scores(truth, marks.flagged),
        could_be=(_scores(truth, worst), _scores(truth, best)) if marks.missing.any() else None,
        scored=len(truth.labels),
        kappa_hallucinated=_kappa(matched.pairs, [pair.sides(require) for pair in matched.pairs], (0.5,)),
        kappa_labels=_kappa(matched.pairs, [_codes(pair) for pair in matched.pairs], _CUTS),
        errors=group_errors(matched.pairs, require),
        of_the_data=of_the_data,
    )


def _nothing_shared(matched: MatchedLabels, machine: Sequence[Answer], human: Sequence[Answer]) -> str:
    labelled = [sum(answer.labelled for answer in answers) for answers in (machine, human)]
    if not labelled[1]:
        return "The data has no human labels; name labelled data with --human-labels."
    if matched.other_text:
        return f"The answers differ in their text, that of {matched.other_text[0]} for one; label the same data."
    return (
        f"No statement has both labels: the labeller's data has {counted(labelled[0], 'labelled answer')} and the "
        f"human data {labelled[1]}; they must be the same, with the same ids."
    )


def _confusion(pairs: Sequence[LabelPair]) -> dict[Label, dict[Label, int]]:
    counts = Counter((pair.human, pair.machine) for pair in pairs)
    return {human: {machine: counts[human, machine] for machine in LABELS} for human in LABELS}


def _marks(matched: MatchedLabels, require: Require) -> tuple[Truth, Marks]:
    """For the code that scores detectors: the machine's yes or no is a score of 1 or 0."""
    by_answer: dict[str, list[tuple[Answer, Statement, Label | None]]] = {}
    for pair in matched.pairs:
        by_answer.setdefault(pair.answer.id, []).append((pair.answer, pair.statement, pair.machine))
    for answer, statement in matched.only_human:
        by_answer.setdefault(answer.id, []).append((answer, statement, None))
    answers = [
        without_headers(replace(own[0][0], statements=tuple(statement for _, statement, _ in own)))
        for own in by_answer.values()
    ]
    flags = [
        [math.nan if label is None else float(hallucinated(label, require)) for _, _, label in own]
        for own in by_answer.values()
    ]
    truth = truth_of(answers, require)
    return truth, mark(truth, flags, 0.5)


def _scores(truth: Truth, flagged: Floats) -> dict[str, Score]:
    sums = group_sums(truth, flagged)
    estimates = measures(truth, totals(sums, np.ones((1, len(sums)))))
    return {part: each.score() for part, each in estimates.items()}


def _codes(pair: LabelPair) -> tuple[int, int]:
    return LABELS.index(pair.machine), LABELS.index(pair.human)


def _kappa(pairs: Sequence[LabelPair], ratings: Sequence[tuple[int, int]], cuts: Sequence[float]) -> Kappa:
    """Cohen's kappa, with a jackknife-t interval over groups on the log of what it lacks to 1."""
    machine, human = np.asarray(ratings, dtype=np.float64).T
    groups = np.array([pair.answer.group for pair in pairs])

    def lack(left_in: Any) -> float:
        return 1 - cohen_kappa(machine[left_in], human[left_in], cuts=cuts, weights=None)

    whole, contexts = lack(np.ones(len(pairs), dtype=np.bool_)), np.unique(groups)
    if contexts.size < _MIN_GROUPS:
        return Kappa(1 - whole, math.nan, math.nan, "few_groups")
    if whole <= 0:  # the log of it has no value
        return Kappa(1 - whole, math.nan, math.nan, "all_agree")
    try:
        interval = jackknife_t(whole, [lack(groups != group) for group in contexts], scale="log")
    except NoIntervalError as error:
        return Kappa(1 - whole, math.nan, math.nan, error.code)
    return Kappa(*agreement_from_lack(whole, interval.low, interval.high))
