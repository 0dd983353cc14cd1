"""A data set cut by turn, position or topic: the same figures for every part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from voirdire.cognibench.dynamics.estimates import Estimate, slope
from voirdire.cognibench.dynamics.rows import CLAIMS, Rows
from voirdire.cognibench.dynamics.shares import (
    by_position,
    cognitive_share,
    counted,
    hallucinated_per_answer,
    hallucination_rates,
    lying_here,
    per_answer,
    tier_shares,
    type_shares,
)
from voirdire.data.plain import as_plain


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of a data set and its figures."""

    of: dict[str, Any]
    """Which part: {"turn": 0}, {"from": 0.0, "to": 0.2}, {"topic": "sports"}; empty for the whole."""
    answers: int
    statements: int
    """Labelled ones."""
    types: dict[str, Estimate]
    """Share of each type among all labelled statements."""
    cognitive_share: Estimate
    """Among factual and cognitive statements."""
    tiers: dict[str, Estimate]
    """Share of each label among the statements of its type."""
    per_answer: dict[str, Estimate]
    """Average number of factual and of cognitive statements."""
    hallucination: dict[str, Estimate]
    """Share that is hallucinated: among factual, among cognitive, among all statements."""
    hallucinated_per_answer: dict[str, Estimate]
    hallucinated_here: dict[str, Estimate]
    """Share of the data set's hallucinated statements of a type that lie in this part."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        named = ("types", "tiers", "per_answer", "hallucination", "hallucinated_per_answer", "hallucinated_here")
        return {
            **self.of,
            "answers": self.answers,
            "statements": self.statements,
            "cognitive_share": self.cognitive_share.as_dict(),
            **{name: as_plain(getattr(self, name)) for name in named},
        }


def whole(rows: Rows) -> Stratum:
    """The figures of a whole data set."""
    return _stratum({}, rows, rows)


def by_turn(rows: Rows) -> list[Stratum]:
    """One stratum per turn that has a labelled answer (CogniBench, Fig. 5 and Fig. 7, top)."""
    return [_stratum({"turn": int(turn)}, rows, rows.part("turn", turn)) for turn in _values(rows, "turn")]


def by_place(rows: Rows) -> list[Stratum]:
    """One stratum per fifth of an answer (CogniBench, Fig. 7, bottom)."""
    return [_stratum({"from": start, "to": end}, rows, part) for start, end, part in by_position(rows)]


def by_topic(rows: Rows) -> list[Stratum]:
    """One stratum per topic, the one with most answers first; answers without a topic are left out (Fig. 11)."""
    found = [_stratum({"topic": topic}, rows, rows.part("topic", topic)) for topic in _values(rows, "topic") if topic]
    return sorted(found, key=lambda stratum: (-stratum.answers, stratum.of["topic"]))


def by_model(rows: Rows) -> list[Stratum]:
    """One stratum per model that answered (CogniBench, Fig. 8)."""
    return [_stratum({"model": model}, rows, rows.part("model", model)) for model in _values(rows, "model")]


def trends(rows: Rows) -> dict[str, Estimate]:
    """How much each figure changes from one turn to the next: least-squares slopes over all answers or statements.

    Slopes of shares and rates are per statement: 0.1 means ten points more a turn.
    """
    statements, answers = rows.statements, rows.answers
    claims = statements[statements["type"].isin(CLAIMS)]
    found = {
        f"{kind}_per_answer": slope(answers["turn"], counted(rows, statements["type"] == kind), answers["group"])
        for kind in CLAIMS
    }
    found["cognitive_share"] = slope(claims["turn"], claims["type"] == "cognitive", claims["group"])
    for kind in CLAIMS:
        own = statements[statements["type"] == kind]
        found[f"{kind}_hallucination"] = slope(own["turn"], own["hallucinated"], own["group"])
    return found


def _stratum(of: dict[str, Any], rows: Rows, part: Rows) -> Stratum:
    return Stratum(
        of=of,
        answers=len(part.answers),
        statements=len(part.statements),
        types=type_shares(part),
        cognitive_share=cognitive_share(part),
        tiers=tier_shares(part),
        per_answer=per_answer(part),
        hallucination=hallucination_rates(part),
        hallucinated_per_answer=hallucinated_per_answer(part),
        hallucinated_here=lying_here(rows, part),
    )


def _values(rows: Rows, column: str) -> Sequence[Any]:
    return sorted(pd.unique(rows.answers[column]))
