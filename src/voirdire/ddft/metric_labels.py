"""What metrics are called and what they say, where people read them: the one place. Data and code keep their names."""

from __future__ import annotations

from typing import NamedTuple

from voirdire.ddft.thresholds import PAPER as PAPER_THRESHOLDS
from voirdire.ddft.thresholds import Thresholds
from voirdire.text.counting import capitalised


class MetricLabel(NamedTuple):
    """A metric as a reader meets it; the paper's names keep the paper's spelling."""

    name: str
    label: str
    group: str
    says: str
    """What it says, in a few words; `{first_turns}` stands for the turns behind K and S, `{wrong_far}` for a bound."""
    at_one_level: str = ""
    """The same of a run at one level, where that differs: with one level, nothing shrinks. `{only}` may be "so far"."""

    def explained(
        self,
        levels: int,
        first_turns: str = "turns 1 to 3",
        only: str = "only",
        thresholds: Thresholds = PAPER_THRESHOLDS,
    ) -> str:
        """What it says of a run that asked at so many levels; `first_turns`: those behind K and S."""
        text = self.at_one_level or self.says if levels == 1 else self.says
        return text.format(first_turns=first_turns, only=only, **thresholds.in_texts)


_RELIABILITY, _BEHAVIOUR, _PAPER = "Reliability", "Behaviour", "As in the paper"

_ALL = (
    MetricLabel(
        "ER",
        "ER",
        _RELIABILITY,
        "the whole, from 0 to 1: geometric mean of K, E, S and D",
        "the whole, from 0 to 1, at one level {only}",
    ),
    MetricLabel(
        "K",
        "K",
        _RELIABILITY,
        "stays accurate as the reference shrinks, {first_turns}",
        "accurate on the subject, {first_turns}, at one level {only}",
    ),
    MetricLabel("E", "E", _RELIABILITY, "rejects the fabrication, turn 4 (V_E, smoothed)"),
    MetricLabel(
        "S",
        "S",
        _RELIABILITY,
        "stays coherent as the reference shrinks, {first_turns}",
        "coherent, {first_turns}, at one level {only}",
    ),
    MetricLabel("D", "D", _RELIABILITY, "outside the danger zone (smoothed)"),
    MetricLabel("V_K", "V_K", _BEHAVIOUR, "accuracy of the verifiable detail, turn 3"),
    MetricLabel("V_E", "V_E", _BEHAVIOUR, "fabrication rejected (doubt: half), turn 4"),
    MetricLabel("V_E_strict", "V_E (strict)", _BEHAVIOUR, "fabrication rejected (doubt: not), turn 4"),
    MetricLabel("V_E_proxy", "FAR at turn 4", _BEHAVIOUR, "the paper's stand-in for V_E where no stance is known"),
    MetricLabel("trap_acceptance", "fabrication accepted", _BEHAVIOUR, "fabrication accepted, turn 4; low is good"),
    MetricLabel("entrenchment", "entrenchment", _BEHAVIOUR, "of the accepted, still accepted when asked on"),
    MetricLabel("capitulation", "capitulation", _BEHAVIOUR, "of the rejected, accepted under pressure"),
    MetricLabel(
        "danger_zone_pct",
        "danger zone, %",
        _BEHAVIOUR,
        "fluent and wrong: SAS > {fluent_sas}, FAR < {wrong_far}; low is good",
    ),
    MetricLabel(
        "coupled_collapse",
        "coupled collapse",
        _BEHAVIOUR,
        "incoherent and wrong: FAR < {wrong_far}, SAS < {incoherent_sas}; low is good",
    ),
    MetricLabel("selective_verifier_failure", "selective failure", _BEHAVIOUR, "the danger zone as a share"),
    MetricLabel("share_answered", "answered", _BEHAVIOUR, "answers that claim anything; a refusal is no error"),
    MetricLabel("HOC", "HOC", _PAPER, "highest compression with FAR of {failed_level_far} or more"),
    MetricLabel("HOC_onset", "HOC (onset)", _PAPER, "last level before FAR first falls below {failed_level_far}"),
    MetricLabel("first_failing_level", "first failing level", _PAPER, "where FAR first falls below {failed_level_far}"),
    MetricLabel("failed_at_0", "failed at 0", _PAPER, "concepts that fail with the whole reference at hand"),
    MetricLabel("CRI", "CRI", _PAPER, "area under SAS", "mean SAS, at one level {only}"),
    MetricLabel("FAR_prime", "FAR'", _PAPER, "FAR where SAS < {incoherent_sas}: often very few answers"),
    MetricLabel("SAS_prime", "SAS'", _PAPER, "SAS where FAR > {partly_right_far}"),
    MetricLabel("CI_raw", "CI index", _PAPER, "HOC · CRI / (FAR' + 1 - SAS')"),
    MetricLabel("CI_norm", "CI index (min-max)", _PAPER, "relative to the other models of the run"),
)

METRICS = {each.name: each for each in _ALL}
"""All metrics of a profile, by name, in the order in which they are shown."""
OURS = tuple(each for each in _ALL if each.group != _PAPER)
PAPER = tuple(each for each in _ALL if each.group == _PAPER)
"""The paper's index and what it is made of, which stand in a section of their own."""
LABELS = {each.name: each.label for each in _ALL}
FIRST_FIGURES = ("ER", "K", "E", "S", "D", "danger_zone_pct", "share_answered")
"""What a reader should see first of a model."""


ON_CHARTS = {
    "ER": "ER, the whole",
    "K": "K, accuracy",
    "E": "E, rejection",
    "S": "S, coherence",
    "D": "D, no danger zone",
}
"""ER and its parts with a word on what they are, as short as the axis of a chart needs it."""

IN_SENTENCES = {
    "danger_zone_pct": "danger zone",
    "trap_acceptance": "acceptance of fabrications",
    "selective_verifier_failure": "selective failure of the verifier",
    "share_answered": "share of answers",
    "V_E_proxy": "accuracy at turn 4",
}

FROM_0_TO_1 = "from 0 to 1"

_IN_FULL = {
    "ER": "epistemic reliability",
    "K": "accuracy about the subject",
    "CI_raw": "the paper's CI index",
    "FAR": "factual accuracy",
    "SAS": "semantic coherence",
}

PARTS_OF_ER = {
    "K": _IN_FULL["K"],
    "E": "rejecting fabrications",
    "S": "clear and relevant form",
    "D": "not being fluent and wrong",
}
"""In plain words: what a model may be weak in."""

QUALITIES = {"ER": "reliable", "K": "accurate about the subject"}
"""What a model is most of that has the highest value."""


def in_full(metric: str, scale: str = "") -> str:
    """A metric with its symbol, and its scale if given: "epistemic reliability (ER, from 0 to 1)".

    A name that holds its symbol, and a metric that has no words of its own, are left as they are.
    """
    words = _IN_FULL.get(metric)
    if words is None or metric == "CI_raw":
        return words or in_words(metric)
    return f"{words} ({metric}{f', {scale}' if scale else ''})"


_CHART_TITLES = {
    "V_E": "Fabrications rejected (V_E)",
    "S": "Coherence (S)",
    "danger_zone_pct": "Answers in the danger zone, %",
    "share_answered": "Answers that claim anything",
}


def chart_title(metric: str) -> str:
    """The title of a chart that shows one metric of several models."""
    return _CHART_TITLES.get(metric) or capitalised(in_full(metric))


def in_words(metric: str) -> str:
    """What a metric is called within a sentence: FAR', not FAR_prime; danger zone, not danger_zone_pct."""
    return IN_SENTENCES.get(metric, LABELS.get(metric, metric))
