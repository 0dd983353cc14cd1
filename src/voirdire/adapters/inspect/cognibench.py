"""`inspect eval voirdire/cognibench`: is every sentence of an answer supported by the given context?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.viewer import ScoreColorScale

from voirdire.adapters.inspect.models import InspectModel
from voirdire.adapters.inspect.participants import (
    JUDGE,
    SUBJECT,
    SampleRecord,
    answer_of,
    in_role,
    subject,
    unanswered,
    user_errors,
)
from voirdire.adapters.inspect.view import SHARE, viewer, with_ends
from voirdire.cognibench.detection import detect
from voirdire.cognibench.formats import read_answers
from voirdire.data.prompt_files import load_prompt
from voirdire.detectors import Detector, Exchange, Statement, open_detector
from voirdire.detectors.labelling import Labeller, LabelPlan
from voirdire.detectors.records import Answer, Require, hallucinated
from voirdire.records import Message
from voirdire.text.sentences import cut_answer

if TYPE_CHECKING:
    from voirdire.cognibench.detection import DetectedAnswer
    from voirdire.detectors.labelling import JudgedStatement
    from voirdire.stats.intervals import Interval

SCALES: Mapping[str, Any] = {
    "hallucinated": ScoreColorScale(palette="good-low", **SHARE),
    "statements": "neutral",
    "flagged": "neutral",
    "undecided": "neutral",
}
"""How its scores are coloured in the viewer, in the order in which they are shown."""

_KINDS = {"hallucinated": None, "factual": "factual", "cognitive": "cognitive"}
"""Rates by name, and the type of the statements that each is of; `None`: all."""

Row = dict[str, Any]


def labelled_rows(answer: Answer, judged: Sequence[JudgedStatement], require: Require) -> list[Row]:
    """A row a sentence, by a labeller; `hallucinated` is `None` where nothing is decided."""
    return [
        {
            "text": statement.text,
            "words": statement.words,
            "hallucinated": None if judgement.label is None else hallucinated(judgement.label, require),
            "label": judgement.label,
            "type": judgement.type,
            "votes": list(judgement.votes),
            "why": judgement.why,
        }
        for statement, judgement in zip(answer.statements, judged, strict=True)
    ]


def flagged_rows(detected: DetectedAnswer) -> list[Row]:
    """A row a sentence, by a detector; `hallucinated` is `None` where it could not say."""
    return [
        {
            "text": finding.statement.text,
            "words": finding.statement.words,
            "hallucinated": None if finding.score is None else finding.flagged,
            "label": None,
            "type": None,
            "score": finding.score,
            "why": "; ".join(finding.reasons),
        }
        for finding in detected.findings
    ]


def score_of(answer: Answer, rows: Sequence[Row], by: str, banner: str | None) -> Score:
    """The score of a sample.

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
        explanation="\n".join([*([banner] if banner else []), *(f"- {_sentence_verdict(row)}" for row in rows)]),
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
    intervals = {name: interval for name, sums in counted.items() if (interval := _interval(sums)) is not None}
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


def _sentence_verdict(row: Row) -> str:
    verdict = {None: "undecided", True: "hallucinated", False: "carried"}[row["hallucinated"]]
    named = f"{verdict}, {row['label']}" if row["label"] else verdict
    return f"{row['text']} [{named}{': ' + row['why'] if row['why'] else ''}]"


_STORED = "voirdire.answer"


@cache
def _detector(name: str) -> Detector:
    return open_detector(name)


def _banner(detector: str) -> str:
    return (
        f"Flagged by the detector {detector}, since no model has the role {JUDGE}. What detectors find and miss stands "
        "in docs/detectors.md; this one does not tell factual from cognitive statements."
    )


@task
def cognibench(
    data: str,
    detector: str = "lexical",
    require: Require = "grounded",
    votes: int = 5,
    samples: int = 1,
    max_tokens: int = 1000,
    seed: int = 0,
) -> Task:
    """Answers from a given context, labelled sentence by sentence by the role `judge`, or flagged by a detector.

    Args:
        data: a data set that voirdire reads: its contexts and questions are used, and what was said before.
        detector: where no model has the role `judge`.
        require: what a cognitive statement must be: rational, grounded, irrefutable.
        votes: samples of the labeller for each answer.
        samples: answers to each question: Inspect's epochs.
        max_tokens: of an answer.
        seed: of the calls.
    """
    judges = in_role(JUDGE)
    if len(judges) > 1:
        raise PrerequisiteError(f"One model labels: bind one to the role {JUDGE}; {len(judges)} were given.")
    with user_errors():
        LabelPlan(votes=votes, require=require)
        answers = {answer.id: answer for answer in read_answers(Path(data))}
        if not judges:
            _detector(detector)
    return Task(
        dataset=MemoryDataset([_sample(answer) for answer in answers.values()], name=Path(data).name, location=data),
        solver=grounded_answer(max_tokens, seed),
        scorer=statement_labels(detector, require, votes, seed),
        epochs=samples,
        version=1,
        metadata={"instrument": "cognibench", "require": require, "banner": None if judges else _banner(detector)},
        viewer=viewer("cognibench", SCALES),
        description="Is every sentence of an answer supported by the given context, or reasoned from it?",
    )


@solver
def grounded_answer(max_tokens: int = 1000, seed: int = 0) -> Solver:
    """Answer a question from its context, after what the data say was said before."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, model = subject()
        reply = await answer_of(state, SampleRecord({SUBJECT: model}, seed), name, _messages(state), max_tokens)
        state.store.set(_STORED, {"model": name, "text": reply.text, "missing": reply.missing})
        return state

    return solve


@scorer(metrics=[rate_metrics()], name="cognibench")
def statement_labels(detector: str = "lexical", require: Require = "grounded", votes: int = 5, seed: int = 0) -> Scorer:
    """Label every sentence of the answer with the model in the role `judge`, or flag it with a detector."""

    async def score(state: TaskState, target: Target) -> Score:
        stored = state.store.get(_STORED)
        if stored["missing"]:
            return unanswered(stored["missing"])
        answer = _answer(state, stored["text"], stored["model"])
        judges = in_role(JUDGE)
        if not judges:
            (detected,) = await asyncio.to_thread(lambda: list(detect([answer], _detector(detector))))
            return score_of(answer, flagged_rows(detected), detector, _banner(detector))
        name = str(judges[0])
        record = SampleRecord({name: InspectModel(judges[0], name)}, seed)
        labelled = await Labeller(record, name, LabelPlan(votes=votes, require=require)).label(answer)
        return score_of(answer, labelled_rows(answer, labelled.judged, require), name, None)

    return score


def _sample(answer: Answer) -> Sample:
    given = {"context": answer.context, "history": [list(each) for each in answer.history]}
    return Sample(id=answer.id, input=answer.question, metadata={"group": answer.group, "topic": answer.topic, **given})


def _messages(state: TaskState) -> list[Message]:
    opening = load_prompt("dialogue_assistant").messages(reference=state.metadata["context"])
    before = [
        message
        for user, assistant in state.metadata["history"]
        for message in (Message.of("user", user), Message.of("assistant", assistant))
    ]
    return [*opening, *before, Message.of("user", state.input_text)]


def _answer(state: TaskState, text: str, model: str) -> Answer:
    """What the model under test said, cut into sentences; turns before it are evidence for no detector by default."""
    name, given = str(state.sample_id), state.metadata
    return Answer(
        id=name,
        dialogue=name,
        group=given["group"],
        context=given["context"],
        question=state.input_text,
        text=text,
        statements=tuple(Statement(*piece) for piece in cut_answer(text)),
        history=tuple(Exchange(*each) for each in given["history"]),
        topic=given["topic"],
        model=model,
    )
