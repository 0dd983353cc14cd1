"""`inspect eval voirdire/cognibench`: is every sentence of an answer carried by the given context?"""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from voirdire.adapters.inspect._asking import SUBJECT, SampleRecord, answer_of, unanswered
from voirdire.adapters.inspect._statements import flagged_rows, labelled_rows, rate_metrics, score_of
from voirdire.adapters.inspect._taking_part import JUDGE, in_role, subject, user_errors
from voirdire.adapters.inspect._view import viewer
from voirdire.adapters.inspect.models import InspectModel
from voirdire.cognibench.detection import detect
from voirdire.cognibench.formats import read_answers
from voirdire.data import load_prompt
from voirdire.detectors import Answer, Detector, Exchange, Require, Statement, open_detector
from voirdire.detectors.labelling import Labeller, LabelPlan
from voirdire.records import Message
from voirdire.text import cut_answer

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
        LabelPlan(samples=votes, require=require)
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
        viewer=viewer("cognibench"),
        description="Is every sentence of an answer carried by the given context, or reasoned from it?",
    )


@solver
def grounded_answer(max_tokens: int = 1000, seed: int = 0) -> Solver:
    """Answer a question from its context, after what the data say was said before."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, model = subject()
        said = await answer_of(state, SampleRecord({SUBJECT: model}, seed), name, _messages(state), max_tokens)
        state.store.set(_STORED, {"model": name, "text": said.text, "missing": said.missing})
        return state

    return solve


@scorer(metrics=[rate_metrics()], name="cognibench")
def statement_labels(detector: str = "lexical", require: Require = "grounded", votes: int = 5, seed: int = 0) -> Scorer:
    """Label every sentence of the answer with the model in the role `judge`, or flag it with a detector."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.store.get(_STORED)
        if said["missing"]:
            return unanswered(said["missing"])
        answer = _answer(state, said["text"], said["model"])
        judges = in_role(JUDGE)
        if not judges:
            (detected,) = await asyncio.to_thread(lambda: list(detect([answer], _detector(detector))))
            return score_of(answer, flagged_rows(detected), detector, _banner(detector))
        name = str(judges[0])
        record = SampleRecord({name: InspectModel(judges[0], name)}, seed)
        labelled = await Labeller(record, name, LabelPlan(samples=votes, require=require)).label(answer)
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
