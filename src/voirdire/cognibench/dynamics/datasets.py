"""How cognitive the answers of several data sets are (CogniBench, Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.cognibench.dynamics._estimates import Estimate, share
from voirdire.cognibench.dynamics.basics import Basics, basics
from voirdire.cognibench.dynamics.rows import rows_of
from voirdire.cognibench.dynamics.shares import cognitive_share
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer

Predict = Callable[[str, Sequence[str]], Sequence[float]]
"""Takes a context and an answer's sentences; gives each sentence's probability to be cognitive."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set beside others."""

    name: str
    basics: Basics
    labelled: Estimate | None
    """Cognitive share by the labels, among factual and cognitive statements; `None`: no labels."""
    predicted: Estimate | None
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
        predicted=None if predict is None else _predicted(answers, predict),
    )


def _predicted(answers: Sequence[Answer], predict: Predict) -> Estimate:
    hits: list[bool] = []
    groups: list[str] = []
    for answer in answers:
        given = predict(answer.context, [statement.text for statement in answer.statements])
        hits += [probability >= 0.5 for probability in given]
        groups += [answer.group] * len(answer.statements)
    return share(hits, groups)


def _packaged() -> Predict:
    from voirdire.detectors.types import type_probabilities

    return type_probabilities
