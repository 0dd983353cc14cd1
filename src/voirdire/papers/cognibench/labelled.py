"""Claims that labelled answers can speak to: sizes, shares, places of hallucinations (CogniBench 4.2 to 4.5, 4.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from voirdire.cognibench.dynamics.estimates import DynamicsEstimate, Rows, estimate_from_sums, sums_by_group
from voirdire.cognibench.dynamics.figures import by_position
from voirdire.papers.claims import ClaimVerdict, Result
from voirdire.papers.cognibench.study import Study
from voirdire.reason_codes import reason

_THIRDS = 3
_PERCENT = 100.0
_ALPHA = 0.05

Kind = Literal["factual", "cognitive"]


def estimated(estimate: DynamicsEstimate, *, whole: bool, percent: bool = False) -> Result:
    """An estimate as the result of a claim.

    Args:
        estimate: from the data at hand.
        whole: the data are all that the paper had, so that equality is asked for.
        percent: the estimate is a share and the printed number a percentage.
    """
    if estimate.value is None:
        return Result(None, reasons=(reason("papers.no_data"),))
    scale, interval = _PERCENT if percent else 1.0, estimate.interval
    if interval is not None:
        interval = interval._replace(low=interval.low * scale, high=interval.high * scale)
    return Result(estimate.value * scale, interval, n=estimate.n, part=not whole)


def responses(study: Study) -> Result:
    """How many responses there are."""
    return Result(study.dynamics.basics.responses, part=not study.all_texts).with_params(
        labelled=study.dynamics.labelled_basics.responses,
        public=study.paper.released_turns,
        public_sentences=study.paper.released_sentences,
    )


def sentences(study: Study) -> Result:
    """How many sentences carry a label: all that were made public are taken for all."""
    whole = study.all_labels or study.released
    size = study.dynamics.basics
    return Result(study.dynamics.labelled_basics.labelled_sentences, part=not whole).with_params(
        responses=size.responses,
        sentences=size.sentences,
        public=study.paper.released_turns,
        public_sentences=study.paper.released_sentences,
    )


def responses_per_conversation(study: Study) -> Result:
    """The ratio of two counts, with the groups that share a context as clusters."""
    groups = [answer.group for answer in study.answers]
    conversations = {answer.dialogue: answer.group for answer in study.answers}
    sums = sums_by_group(
        [*groups, *conversations.values()],
        [1.0] * len(groups) + [0.0] * len(conversations),
        [0.0] * len(groups) + [1.0] * len(conversations),
    )
    per = estimate_from_sums(sums, lambda total: total[..., 0] / total[..., 1], n=len(conversations), scale="log")
    return estimated(per, whole=study.all_texts)


def words_range(study: Study, part: Literal["context", "response"]) -> Result:
    """Fewest and most words."""
    whole, labelled = (
        getattr(each, f"{part}_words") for each in (study.dynamics.basics, study.dynamics.labelled_basics)
    )
    params = {"least": labelled.least, "most": labelled.most}
    return Result((whole.least, whole.most), part=not study.all_texts, params=params)


def words_mean(study: Study, part: Literal["context", "response"]) -> Result:
    """Mean number of words."""
    every, labelled = (
        getattr(each, f"{part}_words").mean for each in (study.dynamics.basics, study.dynamics.labelled_basics)
    )
    return estimated(every, whole=study.all_texts).with_params(labelled=labelled.value)


def topics_even(study: Study) -> Result:
    """Whether topics have equal shares of the contexts."""
    spread = study.dynamics.coverage
    if spread.p is None:
        return Result(None, note="one_topic")
    uneven, counts = spread.p < _ALPHA, list(spread.contexts.values())
    return Result(
        f"{counts[-1]} to {counts[0]} contexts a topic, p = {spread.p:.2f}",
        n=sum(counts),
        verdict=ClaimVerdict.NOT_CONSISTENT if uneven else ClaimVerdict.CONSISTENT,
    ).with_params("" if uneven else "note", topics=len(counts))


def cognitive_in_turn(study: Study, place: Literal[0, -1]) -> Result:
    """The share of cognitive statements in first or last turns."""
    part = study.dynamics.by_turn[place]
    share = estimated(part.cognitive_share, whole=study.all_labels, percent=True)
    return share.with_params(turn=int(part.of["turn"]) + 1, answers=part.answers)


def trend(study: Study, name: str, *, percent: bool = False) -> Result:
    """A slope over turns."""
    return estimated(study.dynamics.trends[name], whole=study.all_labels, percent=percent)


def tier(study: Study, label: str) -> Result:
    """The share of statements of one label among those of its type."""
    return estimated(study.dynamics.shares.tiers[label], whole=study.all_labels, percent=True)


def cognitive_rate(study: Study) -> Result:
    """The share of cognitive statements that are hallucinated."""
    return estimated(study.dynamics.shares.hallucination["cognitive"], whole=study.all_labels, percent=True)


def cognitive_share(study: Study) -> Result:
    """The share of cognitive statements."""
    return estimated(study.dynamics.shares.cognitive_share, whole=study.all_labels, percent=True)


def place(study: Study, kind: Kind, weights: Sequence[int], than: float) -> Result:
    """Where in an answer hallucinated statements lie: a weighted sum of their shares in thirds, less a constant."""
    rates = ", ".join("none there" if rate is None else f"{rate:.0%}" for rate in _rates(study.rows, kind))
    spread = _spread(study.rows, kind, weights, than)
    return estimated(spread, whole=study.all_labels, percent=True).with_params(kind=kind, rates=rates)


def _rates(rows: Rows, kind: Kind) -> list[float | None]:
    """Share of hallucinated ones among the statements of a type in each third of an answer."""
    rates: list[float | None] = []
    for _, _, part in by_position(rows, _THIRDS):
        own = part.statements[part.statements["type"] == kind]
        rates.append(float(own["hallucinated"].mean()) if len(own) else None)
    return rates


def _spread(rows: Rows, kind: Kind, weights: Sequence[int], than: float) -> DynamicsEstimate:
    own = rows.statements[(rows.statements["type"] == kind) & rows.statements["hallucinated"]]
    thirds = [own.index.isin(part.statements.index) for _, _, part in by_position(rows, _THIRDS)]
    values = sum(weight * third.astype(float) for weight, third in zip(weights, thirds, strict=True))
    sums = sums_by_group(own["group"], values, [1.0] * len(own))
    return estimate_from_sums(sums, lambda total: total[..., 0] / total[..., 1] - than, n=len(own))


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "responses": responses,
    "conversations": lambda study: Result(study.dynamics.basics.conversations, part=not study.all_texts),
    "sentences": sentences,
    "responses-per-conversation": responses_per_conversation,
    "sentences-per-response": lambda study: estimated(
        study.dynamics.basics.sentences_per_response, whole=study.all_texts
    ),
    "context-range": partial(words_range, part="context"),
    "context-mean": partial(words_mean, part="context"),
    "response-range": partial(words_range, part="response"),
    "response-mean": partial(words_mean, part="response"),
    "topics-even": topics_even,
    "cognitive-first": partial(cognitive_in_turn, place=0),
    "cognitive-last": partial(cognitive_in_turn, place=-1),
    "factual-falls": partial(trend, name="factual_per_answer"),
    "cognitive-rises": partial(trend, name="cognitive_per_answer"),
    "invented": partial(tier, label="invented"),
    "speculative": partial(tier, label="speculative"),
    "misleading": partial(tier, label="misleading"),
    "cognitive-rate": cognitive_rate,
    "times-higher-in-data": lambda study: estimated(study.dynamics.times_more_often, whole=study.all_labels),
    "factual-rate-rises": partial(trend, name="factual_hallucination", percent=True),
    "cognitive-rate-rises": partial(trend, name="cognitive_hallucination", percent=True),
    "factual-middle": partial(place, kind="factual", weights=(0, 1, 0), than=1 / _THIRDS),
    "cognitive-end": partial(place, kind="cognitive", weights=(0, 0, 1), than=1 / _THIRDS),
    "cognitive-beginning": partial(place, kind="cognitive", weights=(1, -1, 0), than=0.0),
    "gpt-4-cognitive": cognitive_share,
    "gpt-4-rate": cognitive_rate,
}
