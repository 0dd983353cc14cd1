"""What labelled answers are made of, and how often they are unfaithful: sizes, topics, types, tiers, places.

CogniBench 4.3 to 4.5, A.6, Table 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from voirdire.cognibench.dynamics.estimates import Estimate, mean, of_sums, share, sums_by_group
from voirdire.cognibench.dynamics.rows import CLAIMS, TYPES, Rows
from voirdire.data.plain import as_plain
from voirdire.detectors.records import LABELS, Answer, type_of
from voirdire.text.scripts import count_words


class Length(NamedTuple):
    """Lengths in words."""

    least: int
    most: int
    mean: Estimate

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
    sentences_per_response: Estimate

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


POSITION_BINS = 5


def type_shares(rows: Rows) -> dict[str, Estimate]:
    """Share of each type among all labelled statements."""
    return {kind: share(rows.statements["type"] == kind, rows.statements["group"]) for kind in TYPES}


def cognitive_share(rows: Rows) -> Estimate:
    """Share of cognitive statements among the factual and cognitive ones: the base of the paper's figures (4.7)."""
    claims = rows.statements[rows.statements["type"].isin(CLAIMS)]
    return share(claims["type"] == "cognitive", claims["group"])


def tier_shares(rows: Rows) -> dict[str, Estimate]:
    """Share of each label among the statements of its type: invented among factual, and so on."""
    found: dict[str, Estimate] = {}
    for label in LABELS:
        if type_of(label) in CLAIMS:
            own = rows.statements[rows.statements["type"] == type_of(label)]
            found[label] = share(own["label"] == label, own["group"])
    return found


def per_answer(rows: Rows) -> dict[str, Estimate]:
    """Average number of factual and of cognitive statements in an answer (CogniBench, Fig. 5)."""
    return {kind: average(rows, rows.statements["type"] == kind) for kind in CLAIMS}


def average(rows: Rows, which: pd.Series[bool]) -> Estimate:
    """Average number of these statements in an answer; answers without any count as 0."""
    return mean(counted(rows, which), rows.answers["group"])


def counted(rows: Rows, which: pd.Series[bool]) -> pd.Series[int]:
    """How many of these statements each answer has, in the order of `rows.answers`."""
    counts = rows.statements[which].groupby("answer").size()
    return counts.reindex(rows.answers["answer"], fill_value=0)


def by_position(rows: Rows, bins: int = POSITION_BINS) -> list[tuple[float, float, Rows]]:
    """Cut answers into equal parts by relative position: start, end in [0, 1], and the statements there.

    A statement lies where its middle does: (place + 1/2) / number of sentences. All answers stay in every part, so
    that averages per answer are of all of them.
    """
    where = np.minimum((rows.statements["position"] * bins).astype(int), bins - 1)
    return [
        (part / bins, (part + 1) / bins, Rows(rows.statements[where == part], rows.answers)) for part in range(bins)
    ]


def hallucination_rates(rows: Rows) -> dict[str, Estimate]:
    """Share of hallucinated statements among the factual, among the cognitive ones, and among all labelled ones."""
    found = {}
    for kind in CLAIMS:
        own = rows.statements[rows.statements["type"] == kind]
        found[kind] = share(own["hallucinated"], own["group"])
    return found | {"all": share(rows.statements["hallucinated"], rows.statements["group"])}


def hallucinated_per_answer(rows: Rows) -> dict[str, Estimate]:
    """Average number of hallucinated statements of each type in an answer."""
    statements = rows.statements
    return {kind: average(rows, statements["hallucinated"] & (statements["type"] == kind)) for kind in CLAIMS}


def lying_here(rows: Rows, part: Rows) -> dict[str, Estimate]:
    """Share of all hallucinated statements of each type that lie in a part (CogniBench, Fig. 7, bottom).

    Args:
        rows: the data set.
        part: some of its statements.
    """
    found = {}
    for kind in CLAIMS:
        whole = rows.statements[(rows.statements["type"] == kind) & rows.statements["hallucinated"]]
        found[kind] = share(whole.index.isin(part.statements.index), whole["group"])
    return found


def times_more_often(rows: Rows) -> Estimate:
    """The cognitive hallucination rate over the factual one (CogniBench 1: 4.6); jackknife-t on the log scale."""
    statements = rows.statements
    columns = []
    for kind in ("cognitive", "factual"):
        own = statements["type"] == kind
        columns += [own & statements["hallucinated"], own]
    sums = sums_by_group(statements["group"], *columns)
    return of_sums(
        sums,
        lambda total: (total[..., 0] / total[..., 1]) / (total[..., 2] / total[..., 3]),
        n=len(statements),
        scale="log",
    )
