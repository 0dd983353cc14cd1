"""Answers shown to a detector, a few dozen at a time, and what it says of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from heapq import nlargest
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.base import Detector
from voirdire.detectors.records import Answer, Exchange, History, Passage, Statement, Texts, passage_of
from voirdire.detectors.scoring import reaches, round_scores
from voirdire.text.languages import is_foreign
from voirdire.text.scripts import is_unspaced


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector says of a statement."""

    statement: Statement
    score: float | None
    """`None`: the detector could not say."""
    flagged: bool
    reasons: tuple[str, ...] = ()
    small_talk: bool = False
    """It claims nothing (a greeting, a refusal, a farewell): it has no score and is never flagged."""
    other_script: bool = False
    """It is in a script that the detector can't compare: it has no score, and was not checked."""

    header_row: bool = False
    """It is a heading, or names the columns of a table: it has no score and is never flagged."""
    no_context: bool = False
    """There is nothing to compare it with: it has no score, and was not checked."""
    cut: bool = False
    """It is longer than any sentence: only its beginning was compared."""

    @property
    def checked(self) -> bool:
        """Whether it claims something, in a script that the detector can compare, and there is a context."""
        return not (self.small_talk or self.other_script or self.header_row or self.no_context)


_DECIDING = 2
"""Sentences that decide how an answer as a whole scores."""


@dataclass(frozen=True, slots=True)
class DetectedAnswer:
    """An answer with a detector's finding on each of its statements."""

    answer: Answer
    findings: tuple[Finding, ...]

    @property
    def flagged(self) -> tuple[Finding, ...]:
        """The statements that it flags."""
        return tuple(each for each in self.findings if each.flagged)

    @property
    def score(self) -> float | None:
        """How little support the answer has: the mean of its two highest sentence scores (of one alone, that one).

        On CogniBench's half it tells answers with a hallucination from those without better than the highest alone
        (AUROC of `lexical` 0.905 and 0.822), which one odd sentence decides. `None` where no sentence has a score.
        """
        highest = nlargest(_DECIDING, (each.score for each in self.findings if each.score is not None))
        return sum(highest) / len(highest) if highest else None

    @property
    def statements(self) -> int:
        """How many of its sentences are checked."""
        return sum(each.checked for each in self.findings)

    @property
    def unscored(self) -> int:
        """How many of them the detector could not score."""
        return sum(each.checked and each.score is None for each in self.findings)

    def lines(self) -> list[dict[str, Any]]:
        """One JSON object per statement; with the model, where the answer names it."""
        answer = self.answer
        named = {"id": answer.id, "turn": answer.turn} | ({} if answer.model is None else {"model": answer.model})
        return [{**named, "sentence": each.statement.text, **_finding_as_dict(each)} for each in self.findings]

    def as_dict(self) -> dict[str, Any]:
        """One JSON object for the answer."""
        statements = [{"sentence": each.statement.text, **_finding_as_dict(each)} for each in self.findings]
        return {
            "id": self.answer.id,
            "turn": self.answer.turn,
            "score": self.score,
            "flagged": len(self.flagged),
            "scored": self.statements - self.unscored,
            "unscored": self.unscored,
            "small_talk": sum(each.small_talk for each in self.findings),
            "other_script": sum(each.other_script for each in self.findings),
            "header_rows": sum(each.header_row for each in self.findings),
            "no_context": sum(each.no_context for each in self.findings),
            "cut": sum(each.cut for each in self.findings),
            "statements": statements,
        }


_ROUNDING = 1e-9
"""Relative error of a limit that was computed, such as 29 / 100 or 1 / 3."""


@dataclass(slots=True)
class Count:
    """What was seen so far."""

    answers: int = 0
    statements: int = 0
    """Sentences that are to be checked: those with a score, and `unscored`."""
    flagged: int = 0
    answers_flagged: int = 0
    small_talk: int = 0
    """Sentences that claim nothing; they are no statements."""
    other_script: int = 0
    """Sentences in a script that the detector can't compare; they are no statements either."""
    foreign: int = 0
    """Answers evidently not in English, or with such a context, of a detector that compares English words."""
    header_rows: int = 0
    """Header rows of tables; they are no statements either."""
    no_context: int = 0
    """Sentences of answers without a context; they are no statements either."""
    cut: int = 0
    """Sentences of which only the beginning was compared."""
    unscored: int = 0
    """Statements that the detector should have scored and could not."""
    fault: str = ""
    """Why the first of them has no score, where the detector says it."""
    empty: int = 0
    """Answers without a statement."""
    left_out: int = 0
    """Entries that could not be used; they are no answers."""
    unplaced: int = 0
    """Texts that a generative detector listed and that stand in no sentence."""

    @property
    def scored(self) -> int:
        """Statements with a score."""
        return self.statements - self.unscored

    @property
    def share(self) -> float | None:
        """Flagged statements over scored ones; `None` where none has a score."""
        return self.flagged / self.scored if self.scored else None

    def exceeds(self, limit: float) -> bool:
        """Whether more than this share of the scored sentences is flagged: 1 of 3 is more than 33.3 %."""
        return self.flagged > limit * self.scored * (1 + _ROUNDING)

    def add(self, detected: DetectedAnswer) -> None:
        """Count an answer."""
        flagged = len(detected.flagged)
        self.answers += 1
        self.statements += detected.statements
        self.small_talk += sum(each.small_talk for each in detected.findings)
        self.other_script += sum(each.other_script for each in detected.findings)
        self.header_rows += sum(each.header_row for each in detected.findings)
        self.no_context += sum(each.no_context for each in detected.findings)
        self.cut += sum(each.cut for each in detected.findings)
        self.flagged += flagged
        self.answers_flagged += flagged > 0
        self.unscored += detected.unscored
        self.empty += not detected.findings

    def merge(self, other: Count) -> None:
        """Count what was counted elsewhere."""
        fault = self.fault or other.fault
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        self.fault = fault


def check_answers(file: Path, count: Count) -> None:
    """See that a file held answers.

    Raises:
        CognibenchError: it held none.
    """
    if not count.answers:
        raise CognibenchError(f"{file} holds no answers; one JSON object per line is expected.")


def check_scored(file: str, count: Count) -> None:
    """See that a detector scored some of what it should have scored.

    Raises:
        CognibenchError: it scored nothing.
    """
    if count.statements and not count.scored:
        why = count.fault.rstrip(".") or "the detector gave none"
        raise CognibenchError(f"No sentence of {file} has a score: {why}.")


def check_checked(file: str, count: Count) -> None:
    """See that there is a share of flags for a limit to be compared with.

    Raises:
        CognibenchError: no sentence was checked.
    """
    if count.share is None:
        raise CognibenchError(f"No sentence of {file} was checked, so that there is nothing to pass.")


def _finding_as_dict(finding: Finding) -> dict[str, Any]:
    return {
        "start": finding.statement.start,
        "end": finding.statement.end,
        "score": finding.score,
        "flagged": finding.flagged,
        "small_talk": finding.small_talk,
        "other_script": finding.other_script,
        "header_row": finding.header_row,
        "no_context": finding.no_context,
        "cut": finding.cut,
        "reasons": list(finding.reasons),
    }


COMPARED = 10_000
"""Characters of a sentence that a detector is shown: what is longer is a text without full stops."""
_TELLING = 2_000
"""Characters of a context and of an answer by which its language is known."""
_JSON_LINE = re.compile(r"""(?m)^\s*(?:[\[{]\s*["'\[{]|"[^"\n]*"\s*:|[\]}]).*$""")
"""A line of a record in JSON: keys and names are in no language."""
CHUNK = 32
"""Answers that are in memory at a time."""


@runtime_checkable
class Explainer(Protocol):
    """A detector that can say why."""

    def reasons(self, context: Texts, sentences: Texts, dialogue: Sequence[Exchange] = ()) -> list[list[str]]:
        """For each of these sentences of an answer, what speaks against it, in words for the user."""
        ...


@runtime_checkable
class Quoter(Protocol):
    """A detector that can say what it has read."""

    def closest(self, context: Texts, sentences: Texts) -> list[str]:
        """For each of these sentences, the one of the context that it was held against; "" where there is none."""
        ...

    def reasons_beside(self, context: Texts, sentences: Texts) -> list[list[str]]:
        """The reasons of an `Explainer` for a reader who has that sentence of the context before them: unquoted."""
        ...


def detect(
    answers: Iterable[Answer],
    detector: Detector,
    *,
    threshold: float | None = None,
    history: History = "none",
    chunk: int = CHUNK,
    count: Count | None = None,
) -> Iterator[DetectedAnswer]:
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
    explain = detector.reasons if isinstance(detector, Explainer) else None
    by_words = getattr(detector, "compares_words", False)
    for some in _chunks(answers, chunk):
        passages = [_shorten_sentences(passage_of(answer, history)) for answer in some]
        scored = _score_passages(passages, detector)
        if count is not None:
            count.unplaced += len(getattr(detector, "unplaced", ()))
            count.fault = count.fault or next(iter(getattr(detector, "faults", ())), "")
        for answer, passage, scores in zip(some, passages, scored, strict=True):
            detected = DetectedAnswer(answer, _findings(answer, passage, scores, bar, explain, by_words))
            if count is not None:
                count.add(detected)
                texts = (_JSON_LINE.sub("", text[:_TELLING]) for text in (passage.context, answer.text))
                count.foreign += by_words and any(map(is_foreign, texts))
            yield detected


def _shorten_sentences(passage: Passage) -> Passage:
    return passage._replace(sentences=tuple(sentence[:COMPARED] for sentence in passage.sentences))


def _score_passages(passages: Sequence[Passage], detector: Detector) -> list[Sequence[float]]:
    """A row of scores for each passage; NaN where there is no context, of which no detector is asked."""
    has_context = [bool(passage.context.strip()) for passage in passages]
    with_context = [passage for passage, there in zip(passages, has_context, strict=True) if there]
    rows = iter(detector.flag_many(with_context) if with_context else [])
    nothing = [[math.nan] * len(passage.sentences) for passage in passages]
    return [next(rows) if there else none for there, none in zip(has_context, nothing, strict=True)]


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
    flagged_sentences = [sentence for sentence, hit in zip(passage.sentences, flagged, strict=True) if hit]
    reasons = iter(
        explain(passage.context, flagged_sentences, passage.dialogue)
        if explain is not None and flagged_sentences
        else []
    )
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
            answer.statements, round_scores(scores).tolist(), flagged, talk, headers, strict=True
        )
    )


def _chunks(answers: Iterable[Answer], size: int) -> Iterator[list[Answer]]:
    rest = iter(answers)
    while some := list(islice(rest, size)):
        yield some
