"""Claims that the labelled data at hand can speak to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voirdire.cognibench.dynamics._estimates import Estimate, of_sums, sums_by_group
from voirdire.cognibench.dynamics.published.paper import Paper
from voirdire.cognibench.dynamics.published.verdicts import (
    Claim,
    Verdict,
    counted,
    directed,
    ranged,
    sampled,
    uncheckable,
)
from voirdire.cognibench.dynamics.report import Dynamics
from voirdire.cognibench.dynamics.rows import Rows
from voirdire.cognibench.dynamics.shares import by_position
from voirdire.detectors.records import Answer

_THIRDS = 3


@dataclass(frozen=True, slots=True)
class Data:
    """The data at hand, and how much of the paper's they are."""

    answers: Sequence[Answer]
    rows: Rows
    found: Dynamics
    paper: Paper

    @property
    def all_labels(self) -> bool:
        """Whether as many responses are labelled as the paper has."""
        return len(self.rows.answers) >= self.paper.claims["responses"].number

    @property
    def all_texts(self) -> bool:
        """Whether there are as many responses, labelled or not."""
        return len(self.answers) >= self.paper.claims["responses"].number

    @property
    def released(self) -> bool:
        """Whether there are at least as many labelled responses as were made public."""
        return len(self.rows.answers) >= self.paper.released_turns


def claims(data: Data) -> Iterator[Claim]:
    """All of them."""
    yield from _sizes(data)
    yield from _lengths(data)
    yield _topics(data)
    yield from _statements(data)
    yield from _places(data)
    yield from _gpt_4(data)


def _sizes(data: Data) -> Iterator[Claim]:
    said, size, labelled = data.paper.claims, data.found.basics, data.found.labelled_basics
    public = (
        f"{data.paper.released_turns} labelled responses with {data.paper.released_sentences:,} sentences are public."
    )
    note = f"{labelled.responses} of them are labelled; {public}"
    yield counted(said["responses"], size.responses, "Responses, labelled or not.", whole=data.all_texts, note=note)
    yield counted(said["conversations"], size.conversations, "Distinct dialogues.", whole=data.all_texts)
    note = f"All {size.responses} responses have {size.sentences:,} sentences. {public}"
    definition = "Sentences that carry a label."
    whole = data.all_labels or data.released
    yield counted(said["sentences"], labelled.labelled_sentences, definition, whole=whole, note=note)
    groups = [answer.group for answer in data.answers]
    conversations = {answer.dialogue: answer.group for answer in data.answers}
    sums = sums_by_group(
        [*groups, *conversations.values()],
        [1.0] * len(groups) + [0.0] * len(conversations),
        [0.0] * len(groups) + [1.0] * len(conversations),
    )
    per = of_sums(sums, lambda total: total[..., 0] / total[..., 1], n=len(conversations), scale="log")
    definition = "Responses, labelled or not, by dialogue."
    yield sampled(said["responses-per-conversation"], per, definition, whole=data.all_texts)
    definition = "Sentences of all responses, labelled or not, cut by voirdire."
    yield sampled(said["sentences-per-response"], size.sentences_per_response, definition, whole=data.all_texts)


def _lengths(data: Data) -> Iterator[Claim]:
    of_all, of_labelled = data.found.basics, data.found.labelled_basics
    for name in ("context", "response"):
        long, short = (getattr(each, f"{name}_words") for each in (of_all, of_labelled))
        definition = "Words, split at white space, of all responses, labelled or not; a context once a response."
        note = f"Of those with labels: {short.least} to {short.most}."
        said = data.paper.claims[f"{name}-range"]
        yield ranged(said, long.least, long.most, definition, whole=data.all_texts, note=note)
        note = f"Of those with labels: {short.mean.value:.2f}."
        yield sampled(data.paper.claims[f"{name}-mean"], long.mean, definition, whole=data.all_texts, note=note)


def _topics(data: Data) -> Claim:
    said, spread = data.paper.claims["topics-even"], data.found.coverage
    if spread.p is None:
        return uncheckable(said, "The data name fewer than two topics.")
    verdict: Verdict = "not consistent" if spread.p < 0.05 else "consistent"
    counts = list(spread.contexts.values())
    shown = f"{counts[-1]} to {counts[0]} contexts a topic, p = {spread.p:.2f}"
    definition = f"Chi-squared test of equal shares of {len(counts)} topics, over contexts; consistent where p >= 0.05."
    note = "A test of few contexts misses small differences." if verdict == "consistent" else ""
    return Claim(said, shown, None, sum(counts), definition, verdict, note)


def _statements(data: Data) -> Iterator[Claim]:
    said, found, whole = data.paper.claims, data.found, data.all_labels
    base = "among factual and cognitive statements"
    for name, part in (("cognitive-first", found.by_turn[0]), ("cognitive-last", found.by_turn[-1])):
        definition = f"Cognitive statements {base} of turn {part.of['turn'] + 1}, {part.answers} answers."
        yield sampled(said[name], part.cognitive_share, definition, whole=whole, percent=True)
    for name, kind in (("factual-falls", "factual"), ("cognitive-rises", "cognitive")):
        definition = "Least-squares slope of the count per answer on the turn."
        yield directed(said[name], found.trends[f"{kind}_per_answer"], definition, whole=whole)
    for label, of in (("invented", "factual"), ("speculative", "cognitive"), ("misleading", "cognitive")):
        definition = f"{label.capitalize()} among {of} statements."
        yield sampled(said[label], found.shares.tiers[label], definition, whole=whole, percent=True)
    definition = "Misleading and speculative among cognitive statements."
    rate = found.shares.hallucination["cognitive"]
    yield sampled(said["cognitive-rate"], rate, definition, whole=whole, percent=True)
    definition = "Cognitive over factual hallucination rate."
    yield sampled(said["times-higher-in-data"], found.times_more_often, definition, whole=whole)


def _places(data: Data) -> Iterator[Claim]:
    said, whole = data.paper.claims, data.all_labels
    for kind in ("factual", "cognitive"):
        definition = f"Least-squares slope of {kind} statements' being hallucinated on the turn, in points."
        slope = data.found.trends[f"{kind}_hallucination"]
        yield directed(said[f"{kind}-rate-rises"], slope, definition, whole=whole, percent=True)
    for name, kind, weights, than in (
        ("factual-middle", "factual", (0, 1, 0), 1 / _THIRDS),
        ("cognitive-end", "cognitive", (0, 0, 1), 1 / _THIRDS),
        ("cognitive-beginning", "cognitive", (1, -1, 0), 0.0),
    ):
        definition = f"Of all hallucinated {kind} statements, by the middle of each in its answer, in points."
        rates = ", ".join("none there" if rate is None else f"{rate:.0%}" for rate in _rates(data.rows, kind))
        note = f"Hallucinated of those in each third: {rates}."
        found = _spread(data.rows, kind, weights, than)
        yield directed(said[name], found, definition, whole=whole, percent=True, note=note)


def _gpt_4(data: Data) -> Iterator[Claim]:
    said, whole = data.paper.claims, data.all_labels
    note = "The paper's figure is of other answers, and of automatic labels."
    share, rate = data.found.shares.cognitive_share, data.found.shares.hallucination["cognitive"]
    definition = "Cognitive among factual and cognitive statements, human labels."
    yield sampled(said["gpt-4-cognitive"], share, definition, whole=whole, percent=True, note=note)
    definition = "Misleading and speculative among cognitive statements, human labels."
    yield sampled(said["gpt-4-rate"], rate, definition, whole=whole, percent=True, note=note)


def _rates(rows: Rows, kind: str) -> list[float | None]:
    """Share of hallucinated ones among the statements of a type in each third of an answer."""
    found: list[float | None] = []
    for _, _, part in by_position(rows, _THIRDS):
        own = part.statements[part.statements["type"] == kind]
        found.append(float(own["hallucinated"].mean()) if len(own) else None)
    return found


def _spread(rows: Rows, kind: str, weights: Sequence[int], than: float) -> Estimate:
    """Weighted sum of the shares of hallucinated statements that lie in each third, less a constant."""
    own = rows.statements[(rows.statements["type"] == kind) & rows.statements["hallucinated"]]
    thirds = [own.index.isin(part.statements.index) for _, _, part in by_position(rows, _THIRDS)]
    values = sum(weight * third.astype(float) for weight, third in zip(weights, thirds, strict=True))
    sums = sums_by_group(own["group"], values, [1.0] * len(own))
    return of_sums(sums, lambda total: total[..., 0] / total[..., 1] - than, n=len(own))
