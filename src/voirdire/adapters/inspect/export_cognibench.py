"""A labelling run of `cognibench` as logs: a sample is an answer, its sentences labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ModelOutput

from voirdire.adapters.inspect.cognibench import SCALES, labelled_rows, rates, score_of
from voirdire.adapters.inspect.log_building import (
    UNKNOWN,
    Row,
    Subject,
    by_model,
    by_role,
    calls_of,
    event_of,
    inspect_name,
    span,
)
from voirdire.adapters.inspect.models import to_message
from voirdire.cognibench.labelling.records import LabelledAnswer, read_labelled
from voirdire.detectors.records import Answer, Require
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

INSTRUMENT = "cognibench"


def subjects(run: Path, manifest: Mapping[str, Any], _: str | None = None) -> list[Subject]:
    """What the logs of a run are made of, one for each model that answered.

    Raises:
        CognibenchError: the run is no labelling run.
    """
    by_model: dict[str, list[LabelledAnswer]] = {}
    for each in read_labelled(run):
        by_model.setdefault(each.answer.model or UNKNOWN, []).append(each)
    with RunFolder.open(run, read_only=True) as folder:
        calls = calls_of(folder.journal)
    return [_subject(model, own, manifest, calls) for model, own in by_model.items()]


def _subject(
    model: str, answers: Sequence[LabelledAnswer], manifest: Mapping[str, Any], calls: Mapping[str, list[Row]]
) -> Subject:
    labeller, require = manifest["model"], manifest["plan"]["require"]
    samples = [_sample(each, calls.get(each.answer.id, ()), labeller, require) for each in answers]
    lacking = manifest["answers"] - len(answers)
    return Subject(
        instrument=INSTRUMENT,
        scales=SCALES,
        solver="grounded_answer",
        model=model,
        manifest=manifest,
        samples=samples,
        calls=[row for each in answers for row in calls.get(each.answer.id, ())],
        metrics=rates(sample.scores[INSTRUMENT] for sample in samples if sample.scores),
        group="rates",
        judges=[labeller],
        args={"require": require, "votes": manifest["plan"]["votes"], "seed": manifest["seed"]},
        about={"instrument": INSTRUMENT, "require": require},
        stopped=f"{counted(lacking, 'answer')} of the run without labels yet." if lacking else None,
    )


def _sample(each: LabelledAnswer, calls: Sequence[Row], labeller: str, require: Require) -> EvalSample:
    answer, when = each.answer, span(calls)
    rows = labelled_rows(answer, each.judged, require)
    return EvalSample(
        id=answer.id,
        epoch=1,
        input=answer.question or answer.text,
        target="",
        messages=_messages(answer),
        output=ModelOutput.from_content(inspect_name(answer.model or UNKNOWN), answer.text),
        scores={INSTRUMENT: score_of(answer, rows, labeller, None)},
        metadata={"group": answer.group, "topic": answer.topic, "human": list(each.human)},
        events=[] if when is None else [event_of(row, when[0]) for row in calls],
        model_usage=by_model(calls),
        role_usage=by_role(calls),
        started_at=None if when is None else when[0].isoformat(),
        completed_at=None if when is None else when[1].isoformat(),
        uuid=answer.id,
    )


def _messages(answer: Answer) -> list[ChatMessage]:
    """The context, what was said before, the question and the answer."""
    before = [
        role_text
        for exchange in answer.history
        for role_text in (("user", exchange.user), ("assistant", exchange.assistant))
    ]
    messages = [("system", answer.context), *before, ("user", answer.question), ("assistant", answer.text)]
    return [to_message(role, content) for role, content in messages if content]
