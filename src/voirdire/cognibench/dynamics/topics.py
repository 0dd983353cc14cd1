"""Whether a data set covers its topics evenly (CogniBench A.6, Fig. 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from voirdire.detectors.records import Answer


class Coverage(NamedTuple):
    """How contexts spread over topics."""

    contexts: dict[str, int]
    """By topic, most first."""
    chi_squared: float | None
    """Against equal numbers; `None` with fewer than two topics."""
    p: float | None

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return self._asdict()


def coverage(answers: Sequence[Answer]) -> Coverage:
    """Count contexts by topic, labelled or not, and test whether the topics were drawn with equal chances.

    Pearson's chi-squared over groups: several dialogues about one context were not drawn apart. What has no topic is
    left out, and topics that no context has are not known.
    """
    from scipy.stats import chisquare

    topic = {answer.group: answer.topic for answer in answers if answer.topic}
    counts = dict(sorted(Counter(topic.values()).items(), key=lambda item: (-item[1], item[0])))
    if len(counts) < 2:
        return Coverage(counts, None, None)
    found = chisquare(list(counts.values()))
    return Coverage(counts, float(found.statistic), float(found.pvalue))
