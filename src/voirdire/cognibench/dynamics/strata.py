"""A data set cut by turn, position or topic: the same figures for every part.

The labels of CogniBench are of turns that were picked out of dialogues, not of whole dialogues. A figure that grows
with the turn could then grow because of how turns were picked. What the picked turns' neighbours look like can be seen:
the words of a turn that its context lacks (its novelty) need no label. This compares labelled turns with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from voirdire.cognibench.dynamics.estimates import CLAIMS, DynamicsEstimate, Rows, mean, slope
from voirdire.cognibench.dynamics.figures import (
    by_position,
    cognitive_share,
    count_per_answer,
    hallucinated_per_answer,
    hallucination_rates,
    per_answer,
    shares_in_part,
    tier_shares,
    type_shares,
    unlabelled,
)
from voirdire.data.json_values import as_plain
from voirdire.detectors.records import Answer, Require, hallucinated
from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of a data set and its figures."""

    of: dict[str, Any]
    """Which part: {"turn": 0}, {"from": 0.0, "to": 0.2}, {"topic": "sports"}; empty for the whole."""
    answers: int
    statements: int
    """Labelled ones."""
    types: dict[str, DynamicsEstimate]
    """Share of each type among all statements whose type is known."""
    unlabelled: dict[str, int]
    """Statements of each type without a label; they are in no figure below but the first two averages."""
    cognitive_share: DynamicsEstimate
    """Among factual and cognitive statements."""
    tiers: dict[str, DynamicsEstimate]
    """Share of each label among the statements of its type."""
    per_answer: dict[str, DynamicsEstimate]
    """Average number of factual and of cognitive statements."""
    hallucination: dict[str, DynamicsEstimate]
    """Share that is hallucinated: among factual, among cognitive, among all statements."""
    hallucinated_per_answer: dict[str, DynamicsEstimate]
    hallucinated_here: dict[str, DynamicsEstimate]
    """Share of the data set's hallucinated statements of a type that lie in this part."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        named = ("types", "tiers", "per_answer", "hallucination", "hallucinated_per_answer", "hallucinated_here")
        return {
            **self.of,
            "answers": self.answers,
            "statements": self.statements,
            "unlabelled": dict(self.unlabelled),
            "cognitive_share": self.cognitive_share.as_dict(),
            **{name: as_plain(getattr(self, name)) for name in named},
        }


def whole_data_set(rows: Rows) -> Stratum:
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
    topics = [_stratum({"topic": topic}, rows, rows.part("topic", topic)) for topic in _values(rows, "topic") if topic]
    return sorted(topics, key=lambda stratum: (-stratum.answers, stratum.of["topic"]))


def by_model(rows: Rows) -> list[Stratum]:
    """One stratum per model that answered (CogniBench, Fig. 8)."""
    return [_stratum({"model": model}, rows, rows.part("model", model)) for model in _values(rows, "model")]


def trends(rows: Rows) -> dict[str, DynamicsEstimate]:
    """How much each figure changes from one turn to the next: least-squares slopes over all answers or statements.

    Slopes of shares and rates are per statement: 0.1 means ten points more a turn.
    """
    statements, answers = rows.statements, rows.answers
    typed = rows.typed
    claims = typed[typed["type"].isin(CLAIMS)]
    slopes = {
        f"{kind}_per_answer": slope(
            answers["turn"], count_per_answer(rows, typed[typed["type"] == kind]), answers["group"]
        )
        for kind in CLAIMS
    }
    slopes["cognitive_share"] = slope(claims["turn"], claims["type"] == "cognitive", claims["group"])
    for kind in CLAIMS:
        own = statements[statements["type"] == kind]
        slopes[f"{kind}_hallucination"] = slope(own["turn"], own["hallucinated"], own["group"])
    return slopes


def _stratum(of: dict[str, Any], rows: Rows, part: Rows) -> Stratum:
    return Stratum(
        of=of,
        answers=len(part.answers),
        statements=len(part.statements),
        types=type_shares(part),
        unlabelled=unlabelled(part),
        cognitive_share=cognitive_share(part),
        tiers=tier_shares(part),
        per_answer=per_answer(part),
        hallucination=hallucination_rates(part),
        hallucinated_per_answer=hallucinated_per_answer(part),
        hallucinated_here=shares_in_part(rows, part),
    )


def _values(rows: Rows, column: str) -> Sequence[Any]:
    return sorted(pd.unique(rows.answers[column]))


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """One turn number: its labelled answers and the others."""

    turn: int
    labelled: DynamicsEstimate
    """Mean novelty of the labelled answers: the share of a sentence's content words that the context lacks."""
    others: DynamicsEstimate
    """Of answers without labels: unlabelled ones, and earlier turns that only stand in a history."""

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {
            "turn": self.turn,
            "novelty_labelled": self.labelled.as_dict(),
            "novelty_others": self.others.as_dict(),
        }


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the labelled turns were picked, as far as it can be seen."""

    dialogues: int
    """With a labelled turn."""
    labelled: int
    """Labelled turns."""
    seen: int
    """Turns of all dialogues whose text is known: answers, and the earlier turns in their histories."""
    several: int
    """Dialogues with more than one labelled turn."""
    rises: int
    """Of these, those whose last labelled turn has a larger share of hallucinated statements than their first."""
    falls: int
    by_turn: list[TurnCounts]
    slope_labelled: DynamicsEstimate
    """Novelty gained from one turn to the next, in labelled turns."""
    slope_others: DynamicsEstimate
    """In the others."""

    @property
    def picked(self) -> bool:
        """Whether only some turns of the dialogues are labelled."""
        return self.labelled < self.seen

    def as_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {
            **{name: getattr(self, name) for name in ("dialogues", "labelled", "seen", "several", "rises", "falls")},
            "by_turn": as_plain(self.by_turn),
            "novelty_slope_labelled": self.slope_labelled.as_dict(),
            "novelty_slope_others": self.slope_others.as_dict(),
        }


def sampling(answers: Sequence[Answer], require: Require = "grounded") -> Sampling:
    """Compare labelled turns with the other turns of the dialogues.

    Args:
        answers: of a data set, those without labels too: their texts are what there is to compare with.
        require: what a cognitive statement must be.
    """
    turns = _turns(answers)
    first_and_last = _ends([answer for answer in answers if answer.labelled], require)
    return Sampling(
        dialogues=len({answer.dialogue for answer in answers if answer.labelled}),
        labelled=int(turns["labelled"].sum()),
        seen=len(turns),
        several=len(first_and_last),
        rises=sum(last > first for first, last in first_and_last),
        falls=sum(last < first for first, last in first_and_last),
        by_turn=[_turn_counts(turn, turns[turns["turn"] == turn]) for turn in sorted(set(turns["turn"]))],
        slope_labelled=_rise(turns[turns["labelled"]]),
        slope_others=_rise(turns[~turns["labelled"]]),
    )


def _turn_counts(turn: int, at: pd.DataFrame) -> TurnCounts:
    return TurnCounts(int(turn), _novelty(at[at["labelled"]]), _novelty(at[~at["labelled"]]))


def _turns(answers: Sequence[Answer]) -> pd.DataFrame:
    """One row per turn whose text is known; a turn that is an answer itself is not taken from a history as well."""
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for answer in answers:
        # A history may lack the dialogue's first turns: count back from the answer.
        for back, exchange in enumerate(reversed(answer.history), start=1):
            key = (answer.dialogue, answer.turn - back)
            if exchange.assistant.strip():
                rows.setdefault(key, _turn(answer, key[1], exchange.assistant, labelled=False))
    for answer in answers:
        rows[answer.dialogue, answer.turn] = _turn(answer, answer.turn, answer.text, labelled=answer.labelled)
    columns = ["group", "turn", "labelled", "novelty"]
    return pd.DataFrame(rows.values(), columns=columns).astype({"labelled": bool})


def _turn(answer: Answer, turn: int, text: str, *, labelled: bool) -> dict[str, Any]:
    known = _words(answer.context)
    novel = [_share_missing(set(content_words(sentence.text)), known) for sentence in split_sentences(text)]
    novelty = float(np.mean(novel)) if novel else 0.0
    return {"group": answer.group, "turn": turn, "labelled": labelled, "novelty": novelty}


@lru_cache(maxsize=64)
def _words(context: str) -> frozenset[str]:
    """Its content words; the turns of a dialogue ask for them one after the other."""
    return frozenset(content_words(context))


def _share_missing(words: set[str], known: frozenset[str]) -> float:
    return len(words - known) / len(words) if words else 0.0


def _novelty(turns: pd.DataFrame) -> DynamicsEstimate:
    return mean(turns["novelty"], turns["group"])


def _rise(turns: pd.DataFrame) -> DynamicsEstimate:
    return slope(turns["turn"], turns["novelty"], turns["group"])


def _ends(labelled: Sequence[Answer], require: Require) -> list[tuple[float, float]]:
    """Share of hallucinated statements in the first and the last labelled turn of dialogues that have several."""
    by_dialogue: dict[str, list[Answer]] = {}
    for answer in sorted(labelled, key=lambda answer: answer.turn):
        by_dialogue.setdefault(answer.dialogue, []).append(answer)
    return [(_rate(turns[0], require), _rate(turns[-1], require)) for turns in by_dialogue.values() if len(turns) > 1]


def _rate(answer: Answer, require: Require) -> float:
    labels = [statement.label for statement in answer.statements if statement.label is not None]
    return sum(hallucinated(label, require) for label in labels) / len(labels)
