"""An answer whose sentences are labelled, or flagged, as a sample of Inspect's: its score, and rates over many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Value, metric

from voirdire.adapters.inspect._plain import with_ends
from voirdire.detectors.records import Answer, Require, hallucinated

if TYPE_CHECKING:
    from voirdire.cognibench.detection import Detected
    from voirdire.detectors.labelling import Judged
    from voirdire.stats.intervals import Interval

_KINDS = {"hallucinated": None, "factual": "factual", "cognitive": "cognitive"}
"""Rates by name, and the type of the statements that each is of; `None`: all."""

Row = dict[str, Any]


def labelled_rows(answer: Answer, judged: Sequence[Judged], require: Require) -> list[Row]:
    """A row a sentence, by a labeller; `hallucinated` is `None` where nothing is decided."""
    return [
        {
            "text": statement.text,
            "words": statement.words,
            "hallucinated": None if found.label is None else hallucinated(found.label, require),
            "label": found.label,
            "type": found.type,
            "votes": list(found.votes),
            "why": found.why,
        }
        for statement, found in zip(answer.statements, judged, strict=True)
    ]


def flagged_rows(detected: Detected) -> list[Row]:
    """A row a sentence, by a detector; `hallucinated` is `None` where it could not say."""
    return [
        {
            "text": found.statement.text,
            "words": found.statement.words,
            "hallucinated": None if found.score is None else found.flagged,
            "label": None,
            "type": None,
            "score": found.score,
            "why": "; ".join(found.reasons),
        }
        for found in detected.findings
    ]


def score_of(answer: Answer, rows: Sequence[Row], by: str, banner: str | None) -> Score:
    """The score of a sample.

    Args:
        answer: with its sentences.
        rows: one a sentence.
        by: who labelled or flagged them.
        banner: what must be said beside it.

    Returns:
        `value` holds the share of words in hallucinated sentences, among the decided ones, and how many sentences there
        are, are hallucinated and are undecided; the sentences stand in `metadata`, in words in `explanation`.
    """
    return Score(
        value={
            "hallucinated": _share(_counted([{"group": answer.group, "statements": rows}], None)),
            "statements": len(rows),
            "flagged": sum(row["hallucinated"] is True for row in rows),
            "undecided": sum(row["hallucinated"] is None for row in rows),
        },
        answer=answer.text,
        explanation="\n".join([*([banner] if banner else []), *(f"- {_said(row)}" for row in rows)]),
        metadata={"by": by, "banner": banner, "group": answer.group, "statements": list(rows)},
    )


@metric(name="rates", scores="unreduced")
def rate_metrics() -> Metric:
    """Word-weighted hallucination rates over all answers, of all statements and by type, with their intervals' ends."""

    def compute(scores: list[SampleScore]) -> Value:
        return rates(score.score for score in scores)

    return compute


def rates(scores: Iterable[Score]) -> dict[str, float]:
    """Words in hallucinated sentences / words in decided ones; jackknife-t over contexts, on the logit scale.

    A rate without a decided statement is left out; so is an interval with fewer than three contexts, or at 0 and 1.
    """
    samples = [score.metadata for score in scores if score.metadata and "statements" in score.metadata]
    counted = {name: _counted(samples, kind) for name, kind in _KINDS.items()}
    values = {name: _share(sums) for name, sums in counted.items()}
    intervals = {name: found for name, sums in counted.items() if (found := _interval(sums)) is not None}
    return with_ends(values, intervals)


def _counted(samples: Sequence[Row], kind: str | None) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Words in hallucinated sentences and in decided ones, by context; shape (contexts, 2)."""
    sums: dict[str, list[float]] = {}
    for sample in samples:
        for row in sample["statements"]:
            if row["hallucinated"] is not None and kind in (None, row["type"]):
                own = sums.setdefault(sample["group"], [0.0, 0.0])
                own[0] += row["words"] * row["hallucinated"]
                own[1] += row["words"]
    return np.array(list(sums.values()), dtype=np.float64).reshape(-1, 2)


def _share(sums: np.ndarray[Any, np.dtype[np.float64]]) -> float | None:
    hit, words = sums.sum(axis=0)
    return float(hit / words) if words else None


def _interval(sums: np.ndarray[Any, np.dtype[np.float64]]) -> Interval | None:
    from voirdire.stats.intervals import jackknife_t

    share = _share(sums)
    if share is None or len(sums) < 3:
        return None
    left = sums.sum(axis=0) - sums
    try:
        return jackknife_t(share, left[:, 0] / left[:, 1], scale="logit")
    except ValueError:  # 0 or 1, or no variation between contexts
        return None


def _said(row: Row) -> str:
    found = {None: "undecided", True: "hallucinated", False: "carried"}[row["hallucinated"]]
    named = f"{found}, {row['label']}" if row["label"] else found
    return f"{row['text']} [{named}{': ' + row['why'] if row['why'] else ''}]"
