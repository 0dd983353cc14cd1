"""Show answers to a detector, a few dozen at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, runtime_checkable

from voirdire.cognibench.detecting.records import Count, Detected, Finding
from voirdire.detectors.base import Detector
from voirdire.detectors.records import Answer, Exchange, History, Passage, Texts, passage_of
from voirdire.detectors.scoring import reaches, rounded
from voirdire.text.scripts import is_unspaced

COMPARED = 10_000
"""Characters of a sentence that a detector is shown: what is longer is a text without full stops."""
CHUNK = 32
"""Answers that are in memory at a time."""


@runtime_checkable
class Explaining(Protocol):
    """A detector that can say why."""

    def reasons(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """For each of these sentences of an answer, what speaks against it, in words for the user."""
        ...


def detect(
    answers: Iterable[Answer],
    detector: Detector,
    *,
    threshold: float | None = None,
    history: History = "none",
    chunk: int = CHUNK,
    count: Count | None = None,
) -> Iterator[Detected]:
    """What `voirdire detect` says of answers, one chunk at a time, in their order; small talk is never flagged.

    Args:
        answers: of any number.
        detector: that scores them.
        threshold: a statement is flagged if its score reaches it; `None` takes the detector's own.
        history: which earlier turns count as evidence beside the context.
        chunk: how many answers are shown to the detector at once.
        count: told of every answer, and of what a generative detector said that could not be used.
    """
    bar = detector.threshold if threshold is None else threshold
    explain = detector.reasons if isinstance(detector, Explaining) else None
    by_words = getattr(detector, "compares_words", False)
    for some in _chunks(answers, chunk):
        passages = [_bounded(passage_of(answer, history)) for answer in some]
        scored = _scored(passages, detector)
        if count is not None:
            count.unplaced += len(getattr(detector, "unplaced", ()))
            count.fault = count.fault or next(iter(getattr(detector, "faults", ())), "")
        for answer, passage, scores in zip(some, passages, scored, strict=True):
            detected = Detected(answer, _findings(answer, passage, scores, bar, explain, by_words))
            if count is not None:
                count.add(detected)
            yield detected


def _bounded(passage: Passage) -> Passage:
    return passage._replace(sentences=tuple(sentence[:COMPARED] for sentence in passage.sentences))


def _scored(passages: Sequence[Passage], detector: Detector) -> list[Sequence[float]]:
    """A row of scores for each passage; NaN where there is no context, of which no detector is asked."""
    given = [bool(passage.context.strip()) for passage in passages]
    shown = [passage for passage, there in zip(passages, given, strict=True) if there]
    rows = iter(detector.flag_many(shown) if shown else [])
    nothing = [[math.nan] * len(passage.sentences) for passage in passages]
    return [next(rows) if there else none for there, none in zip(given, nothing, strict=True)]


def _findings(
    answer: Answer,
    passage: Passage,
    scores: Sequence[float],
    bar: float,
    explain: Callable[..., list[list[str]]] | None,
    by_words: bool,
) -> tuple[Finding, ...]:
    talk = [statement.small_talk for statement in answer.statements]
    headers = [answer.is_header(statement) for statement in answer.statements]
    lacking = not passage.context.strip()
    claimless = [either or other for either, other in zip(talk, headers, strict=True)]
    flagged = [hit and not none for hit, none in zip(reaches(scores, bar).tolist(), claimless, strict=True)]
    shown = [sentence for sentence, hit in zip(passage.sentences, flagged, strict=True) if hit]
    reasons = iter(explain(passage.context, shown, passage.dialogue) if explain is not None and shown else [])
    return tuple(
        Finding(
            statement,
            None if chat or header or math.isnan(score) else score,
            hit,
            tuple(next(reasons, ())) if hit else (),
            small_talk=chat,
            other_script=by_words and not (chat or header or lacking) and is_unspaced(statement.text),
            header_row=header,
            no_context=lacking and not (chat or header),
            cut=len(statement.text) > COMPARED and not (chat or header or lacking),
        )
        for statement, score, hit, chat, header in zip(
            answer.statements, rounded(scores).tolist(), flagged, talk, headers, strict=True
        )
    )


def _chunks(answers: Iterable[Answer], size: int) -> Iterator[list[Answer]]:
    rest = iter(answers)
    while some := list(islice(rest, size)):
        yield some
