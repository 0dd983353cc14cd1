"""The figures of labelled answers: size, shares, faithfulness, data sets, models and topics (CogniBench 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from voirdire.cognibench.dynamics.estimates import (
    CLAIMS,
    TYPES,
    UNDEFINED,
    DynamicsEstimate,
    Floats,
    Rows,
    estimate_from_sums,
    mean,
    rows_of,
    share,
    sums_by_group,
)
from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.records import LABELS, Answer, type_of
from voirdire.stats import special
from voirdire.stats.comparison import holm, swap_test
from voirdire.text.scripts import count_words

POSITION_BINS = 5
LEAST_COMPARED = 10
"""Statements of a type below which its share of hallucinations is not divided by that of another."""


def type_shares(rows: Rows) -> dict[str, DynamicsEstimate]:
    """Share of each type among all statements whose type is known, with a label or without one."""
    return {kind: share(rows.typed["type"] == kind, rows.typed["group"]) for kind in TYPES}


def unlabelled(rows: Rows) -> dict[str, int]:
    """Statements of each type without a label: no share of labels, or of what is hallucinated, has them."""
    return {kind: int((rows.typed["type"] == kind).sum() - (rows.statements["type"] == kind).sum()) for kind in TYPES}


def cognitive_share(rows: Rows) -> DynamicsEstimate:
    """Share of cognitive statements among the factual and cognitive ones: the base of the paper's figures (4.7)."""
    claims = rows.typed[rows.typed["type"].isin(CLAIMS)]
    return share(claims["type"] == "cognitive", claims["group"])


def tier_shares(rows: Rows) -> dict[str, DynamicsEstimate]:
    """Share of each label among the statements of its type: invented among factual, and so on."""
    shares: dict[str, DynamicsEstimate] = {}
    for label in LABELS:
        if type_of(label) in CLAIMS:
            own = rows.statements[rows.statements["type"] == type_of(label)]
            known = label not in rows.undefined
            shares[label] = share(own["label"] == label, own["group"]) if known else UNDEFINED
    return shares


def per_answer(rows: Rows) -> dict[str, DynamicsEstimate]:
    """Average number of factual and of cognitive statements in an answer (CogniBench, Fig. 5)."""
    return {kind: average(rows, rows.typed[rows.typed["type"] == kind]) for kind in CLAIMS}


def average(rows: Rows, statements: pd.DataFrame) -> DynamicsEstimate:
    """Average number of these statements in an answer; answers without any count as 0."""
    return mean(count_per_answer(rows, statements), rows.answers["group"])


def count_per_answer(rows: Rows, statements: pd.DataFrame) -> pd.Series[int]:
    """How many of these statements each answer has, in the order of `rows.answers`."""
    counts = statements.groupby("answer").size()
    return counts.reindex(rows.answers["answer"], fill_value=0)


def by_position(rows: Rows, bins: int = POSITION_BINS) -> list[tuple[float, float, Rows]]:
    """Cut answers into equal parts by relative position: start, end in [0, 1], and the statements there.

    A statement lies where its middle does: (place + 1/2) / number of sentences. All answers stay in every part, so
    that averages per answer are of all of them.
    """

    def within(statements: pd.DataFrame, part: int) -> pd.DataFrame:
        part_statements: pd.DataFrame = statements[
            np.minimum((statements["position"] * bins).astype(int), bins - 1) == part
        ]
        return part_statements

    return [
        (
            part / bins,
            (part + 1) / bins,
            rows._replace(statements=within(rows.statements, part), typed=within(rows.typed, part)),
        )
        for part in range(bins)
    ]


def hallucination_rates(rows: Rows) -> dict[str, DynamicsEstimate]:
    """Share of hallucinated statements among the factual, among the cognitive ones, and among all labelled ones."""
    rates = {}
    for kind in CLAIMS:
        own = rows.statements[rows.statements["type"] == kind]
        rates[kind] = share(own["hallucinated"], own["group"])
    return rates | {"all": share(rows.statements["hallucinated"], rows.statements["group"])}


def hallucinated_per_answer(rows: Rows) -> dict[str, DynamicsEstimate]:
    """Average number of hallucinated statements of each type in an answer."""
    statements = rows.statements
    return {
        kind: average(rows, statements[statements["hallucinated"] & (statements["type"] == kind)])
        if rows.knows(kind)
        else UNDEFINED
        for kind in CLAIMS
    }


def shares_in_part(rows: Rows, part: Rows) -> dict[str, DynamicsEstimate]:
    """Share of all hallucinated statements of each type that lie in a part (CogniBench, Fig. 7, bottom)."""
    shares = {}
    for kind in CLAIMS:
        hallucinated_rows = rows.statements[(rows.statements["type"] == kind) & rows.statements["hallucinated"]]
        shares[kind] = share(hallucinated_rows.index.isin(part.statements.index), hallucinated_rows["group"])
    return shares


def times_more_often(rows: Rows) -> DynamicsEstimate:
    """The cognitive hallucination rate over the factual one (CogniBench 1: 4.6); jackknife-t on the log scale.

    Undefined with fewer than `LEAST_COMPARED` statements of either type.
    """
    statements = rows.statements
    if min(int((statements["type"] == kind).sum()) for kind in CLAIMS) < LEAST_COMPARED:
        return DynamicsEstimate(None, len(statements), statements["group"].nunique())
    columns = []
    for kind in ("cognitive", "factual"):
        own = statements["type"] == kind
        columns += [own & statements["hallucinated"], own]
    sums = sums_by_group(statements["group"], *columns)
    return estimate_from_sums(
        sums,
        lambda total: (total[..., 0] / total[..., 1]) / (total[..., 2] / total[..., 3]),
        n=len(statements),
        scale="log",
    )


class Length(NamedTuple):
    """Lengths in words."""

    least: int
    most: int
    mean: DynamicsEstimate

    def as_dict(self) -> dict[str, Any]:
        """The lengths as plain values."""
        return {"min": self.least, "max": self.most, "mean": self.mean.as_dict()}


class Basics(NamedTuple):
    """What Table 2 counts."""

    responses: int
    conversations: int
    groups: int
    """Contexts."""
    sentences: int
    labelled_sentences: int
    context_words: Length | None
    """Over responses, as the paper's average is; `None` without any."""
    response_words: Length | None
    sentences_per_response: DynamicsEstimate

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            **{name: getattr(self, name) for name in self._fields[:5]},
            "context_words": as_plain(self.context_words),
            "response_words": as_plain(self.response_words),
            "sentences_per_response": self.sentences_per_response.as_dict(),
        }


def basics(answers: Sequence[Answer]) -> Basics:
    """Count responses, conversations, sentences and words (CogniBench, Table 2); words as `count_words` has them."""
    groups = [answer.group for answer in answers]
    sentences = [len(answer.statements) for answer in answers]
    return Basics(
        responses=len(answers),
        conversations=len({answer.dialogue for answer in answers}),
        groups=len(set(groups)),
        sentences=sum(sentences),
        labelled_sentences=sum(s.label is not None for answer in answers for s in answer.statements),
        context_words=_length([answer.context for answer in answers], groups),
        response_words=_length([answer.text for answer in answers], groups),
        sentences_per_response=mean(sentences, groups),
    )


def _length(texts: Sequence[str], groups: Sequence[str]) -> Length | None:
    words = [count_words(text) for text in texts]
    return Length(min(words), max(words), mean(words, groups)) if words else None


Predict = Callable[[str, Sequence[str]], Sequence[float]]
"""Takes a context and an answer's sentences; gives each sentence's probability to be cognitive."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set beside others."""

    name: str
    basics: Basics
    labelled: DynamicsEstimate | None
    """Cognitive share by the labels, among factual and cognitive statements; `None`: no labels."""
    predicted: DynamicsEstimate | None
    """Cognitive share of all sentences by the type classifier; `None`: not asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The data set as plain values."""
        return {
            "name": self.name,
            "basics": self.basics.as_dict(),
            "cognitive_share_labelled": as_plain(self.labelled),
            "cognitive_share_predicted": as_plain(self.predicted),
        }


def compare_datasets(sets: Mapping[str, Sequence[Answer]], predict: Predict | None = None) -> list[DataSet]:
    """Put data sets side by side.

    Where one of them has no labels, types are predicted for all of them, so that like stands beside like: a predicted
    share is no labelled one.

    Args:
        sets: answers by the data set's name.
        predict: gives the probabilities; the packaged classifier by default, asked only where it is needed.
    """
    lacking = any(not any(answer.labelled for answer in answers) for answers in sets.values())
    return [_data_set(name, answers, (predict or _packaged()) if lacking else None) for name, answers in sets.items()]


def _data_set(name: str, answers: Sequence[Answer], predict: Predict | None) -> DataSet:
    labelled = any(answer.labelled for answer in answers)
    return DataSet(
        name=name,
        basics=basics(answers),
        labelled=cognitive_share(rows_of(answers)) if labelled else None,
        predicted=None if predict is None else _predicted_cognitive_share(answers, predict),
    )


def _predicted_cognitive_share(answers: Sequence[Answer], predict: Predict) -> DynamicsEstimate:
    hits: list[bool] = []
    groups: list[str] = []
    for answer in answers:
        probabilities = predict(answer.context, [statement.text for statement in answer.statements])
        hits += [probability >= 0.5 for probability in probabilities]
        groups += [answer.group] * len(answer.statements)
    return share(hits, groups)


def _packaged() -> Predict:
    from voirdire.detectors.learned import type_probabilities

    return type_probabilities


FIGURES = ("cognitive_share", "factual_hallucination", "cognitive_hallucination")


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one model less that of another, over the references that both answered."""

    figure: str
    first: str
    second: str
    references: int
    """That both answered."""
    difference: DynamicsEstimate
    p: float | None
    """Two-sided swap test: the two models' answers on a reference are exchanged."""
    p_holm: float | None
    """Corrected over all pairs, figure by figure."""

    def as_dict(self) -> dict[str, Any]:
        """The difference as plain values."""
        return {
            "figure": self.figure,
            "models": [self.first, self.second],
            "references": self.references,
            "difference": self.difference.as_dict(),
            "p": self.p,
            "p_holm": self.p_holm,
        }


def compare_models(rows: Rows) -> list[Difference]:
    """Compare every two models on each figure; models that share no reference are not compared."""
    models = sorted(rows.answers["model"].unique())
    differences = []
    for figure in FIGURES if rows.knows("cognitive") else ("cognitive_share", "factual_hallucination"):
        pairs = [_difference(rows, figure, a, b) for a, b in combinations(models, 2)]
        known = [pair for pair in pairs if pair.references]
        p = holm([np.nan if pair.p is None else pair.p for pair in known])
        differences += [
            replace(pair, p_holm=None if np.isnan(each) else float(each)) for pair, each in zip(known, p, strict=True)
        ]
    return differences


def _difference(rows: Rows, figure: str, first: str, second: str) -> Difference:
    statements = rows.typed if figure == "cognitive_share" else rows.statements
    groups = [set(rows.part("model", name).answers["group"]) for name in (first, second)]
    shared_groups = sorted(groups[0] & groups[1])
    here = statements[statements["group"].isin(shared_groups)]
    base, hit = _FIGURES[figure](here)
    columns = [here["model"] == name for name in (first, second)]
    sums = sums_by_group(here["group"], *(part & own for own in columns for part in (base & hit, base)))
    difference = estimate_from_sums(sums, _gap, n=int(base.sum()))
    p = None if difference.value is None else _swap_p_value(sums)
    return Difference(figure, first, second, len(shared_groups), difference, p, None)


def _gap(total: Floats) -> Floats:
    """The first side's share less the second's; columns: hits and trials of each."""
    return np.asarray(total[..., 0] / total[..., 1] - total[..., 2] / total[..., 3], dtype=np.float64)


def _swap_p_value(sums: Floats) -> float:
    exchanged = sums[:, [2, 3, 0, 1]] - sums

    def statistic(swaps: NDArray[np.bool_]) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return _gap(sums.sum(axis=0) + swaps.astype(np.float64) @ exchanged)

    return swap_test(statistic, len(sums)).p


_FIGURES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "cognitive_share": lambda s: (s["type"].isin(CLAIMS), s["type"] == "cognitive"),
    "factual_hallucination": lambda s: (s["type"] == "factual", s["hallucinated"]),
    "cognitive_hallucination": lambda s: (s["type"] == "cognitive", s["hallucinated"]),
}


class Coverage(NamedTuple):
    """How contexts spread over topics."""

    contexts: dict[str, int]
    """By topic, most first."""
    chi_squared: float | None
    """Against equal numbers; `None` with fewer than two topics."""
    p: float | None

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return as_object(self)


def coverage(answers: Sequence[Answer]) -> Coverage:
    """Count contexts by topic, labelled or not, and test whether the topics were drawn with equal chances.

    Pearson's chi-squared over groups: several dialogues about one context were not drawn apart. What has no topic is
    left out, and topics that no context has are not known.
    """
    topic = {answer.group: answer.topic for answer in answers if answer.topic}
    counts = dict(sorted(Counter(topic.values()).items(), key=lambda item: (-item[1], item[0])))
    if len(counts) < 2:
        return Coverage(counts, None, None)
    expected = sum(counts.values()) / len(counts)
    statistic = sum((count - expected) ** 2 for count in counts.values()) / expected
    return Coverage(counts, statistic, float(special.gammaincc((len(counts) - 1) / 2, statistic / 2)))
