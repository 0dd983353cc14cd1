"""What each metric is called, what it probes, and which way is good. The paper's names keep the paper's spelling."""

from __future__ import annotations

from typing import NamedTuple

from voirdire.ddft.labels import LABELS


class Shown(NamedTuple):
    """A metric as a reader meets it."""

    name: str
    group: str
    probes: str
    at_one_level: str = ""
    """The same for a run at one level, where that differs."""

    @property
    def label(self) -> str:
        """What it is called."""
        return LABELS.get(self.name, self.name)

    def probed(self, levels: int) -> str:
        """What it probes in a run at so many levels."""
        return self.at_one_level or self.probes if levels == 1 else self.probes


_RELIABILITY, _BEHAVIOUR, _PAPER = "Reliability", "Behaviour", "As in the paper"

METRICS: tuple[Shown, ...] = (
    Shown(
        "ER",
        _RELIABILITY,
        "Epistemic reliability, from 0 to 1: the geometric mean of K, E, S and D, so that none can hide another.",
    ),
    Shown(
        "K",
        _RELIABILITY,
        "Is it accurate about the subject? (turns 1 to 3, over all levels)",
        "Is it accurate about the subject? (turns 1 to 3)",
    ),
    Shown("E", _RELIABILITY, "Does it reject what is invented? (turn 4; V_E drawn in a little from 0 and 1)"),
    Shown(
        "S",
        _RELIABILITY,
        "Is it clear and to the point? (turns 1 to 3, over all levels)",
        "Is it clear and to the point? (turns 1 to 3)",
    ),
    Shown("D", _RELIABILITY, "How rarely is it fluent and wrong at once? (share of turns outside the danger zone)"),
    Shown("V_K", _BEHAVIOUR, "Does it know details? Mean accuracy where a checkable detail is asked for, turn 3."),
    Shown("V_E", _BEHAVIOUR, "Share of inventions rejected at turn 4; one that is only doubted counts half."),
    Shown("V_E_strict", _BEHAVIOUR, "The same, and doubting counts nothing."),
    Shown("V_E_proxy", _BEHAVIOUR, "The paper's stand-in for V_E where nobody noted who rejected what."),
    Shown("trap_acceptance", _BEHAVIOUR, "Share of inventions taken for real at turn 4; low is good."),
    Shown("entrenchment", _BEHAVIOUR, "Of those it took for real, how many it still does when asked on."),
    Shown("capitulation", _BEHAVIOUR, "Of those it rejected, how many it takes for real under pressure."),
    Shown(
        "danger_zone_pct",
        _BEHAVIOUR,
        "Turns that are fluent and wrong at once (SAS above 0.7, FAR below 0.7), in percent; low is good.",
    ),
    Shown(
        "coupled_collapse",
        _BEHAVIOUR,
        "Share of turns that are wrong and incoherent (FAR below 0.7, SAS below 0.5): bad, but a reader can see it.",
    ),
    Shown(
        "selective_verifier_failure",
        _BEHAVIOUR,
        "The danger zone as a share: form holds, facts do not, and a reader can't see it.",
    ),
    Shown("share_answered", _BEHAVIOUR, "Share of answers that claim anything; refusals are not errors."),
    Shown("HOC", _PAPER, "Highest compression at which accuracy still reaches 0.70; the mean over concepts."),
    Shown("HOC_onset", _PAPER, "Last compression before accuracy first falls below 0.70."),
    Shown("first_failing_level", _PAPER, "Where accuracy first falls below 0.70, if it does."),
    Shown("failed_at_0", _PAPER, "Share of concepts that fail even with the whole reference at hand."),
    Shown("CRI", _PAPER, "Does form hold over all levels? The area under SAS.", "Is form right? Mean SAS."),
    Shown("FAR_prime", _PAPER, "Accuracy of the answers that are incoherent (SAS below 0.5); often very few."),
    Shown("SAS_prime", _PAPER, "Coherence of the answers that hold some fact (FAR above 0.2)."),
    Shown("CI_raw", _PAPER, "HOC · CRI / (FAR' + 1 - SAS'). With a grain of salt: see How to read this."),
    Shown("CI_norm", _PAPER, "The same, stretched over the models of one run."),
)
"""In the order in which they are shown: all metrics of a profile."""

BY_NAME = {shown.name: shown for shown in METRICS}
OURS = tuple(shown for shown in METRICS if shown.group != _PAPER)
PAPER = tuple(shown for shown in METRICS if shown.group == _PAPER)
"""The paper's index and what it is made of, which stand in a section of their own."""

FOREST = ("ER", "K", "V_E", "S", "danger_zone_pct", "share_answered")
"""Drawn side by side where there are several models."""
