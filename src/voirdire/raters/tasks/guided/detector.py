"""What `voirdire detect -o` has written, as verdicts on answers or on their sentences."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from pathlib import Path

import numpy as np

from voirdire.cognibench.detection_reader import (
    Sentence,
    is_detected,
    marked_within,
    origin_of,
    put_together,
    sentences_of,
    unknown_origin,
)
from voirdire.detectors.records import Answer
from voirdire.jury.worth.direction import UNIT, Direction
from voirdire.jury.worth.records import Unit
from voirdire.jury.worth.tables import Flag, Key, Verdicts

__all__ = ["is_detected", "unknown_origin", "verdicts_of_detector"]

WHOLE_ANSWER = "whole_answer"
"""The column of the answer that a sentence is of, in a sheet of sentences."""
_FLAGGED = {1.0: "flagged", 0.0: "not flagged"}
_KNOWN = Direction(turned=True, by="known")
"""Its scores are high where bad, and can be no other way."""


def verdicts_of_detector(path: Path, rated: Collection[str]) -> Verdicts:
    """A detector's verdicts on sentences, which it flags; or on answers, where as many ratings or more name these."""
    sentences = sentences_of(path)
    answers = _answers_behind(path)
    of_sentences = {f"{name}#{place}" for name, lines in sentences.items() for place in range(len(lines))}
    if not rated or len(of_sentences.intersection(rated)) > len(sentences.keys() & set(rated)):
        return _on_sentences(sentences, answers)
    return _on_answers(sentences, answers)


def _answers_behind(path: Path) -> Mapping[str, Answer]:
    """The answers that sentences were flagged in, by id; nothing where their file is not where it was."""
    source = origin_of(path)
    answers = () if source is None else replace(source, skip_bad=True).answers()
    return {answer.id: answer for answer, _ in answers}


def _on_answers(sentences: Mapping[str, Sequence[Sentence]], answers: Mapping[str, Answer]) -> Verdicts:
    """Of each answer whether any sentence is flagged, and the mean of its two highest scores; both high where bad.

    An answer of which no sentence was scored, small talk say, has no verdict.
    """
    flagged = {name: [each for each in lines if each["flagged"]] for name, lines in sentences.items()}
    highest = [
        nlargest(2, (each["score"] for each in lines if each["score"] is not None)) for lines in sentences.values()
    ]
    reasons = tuple(
        "; ".join(f"{each['sentence']} ({', '.join(each['reasons'] or ())})" for each in lines)
        for lines in flagged.values()
    )
    return _by_detector(
        [(name, name) for name in sentences],
        answers,
        models=[lines[0].get("model") or "" for lines in sentences.values()],
        flagged=[
            float(bool(flagged[name])) if scores else math.nan for name, scores in zip(sentences, highest, strict=True)
        ],
        scores=[float(np.mean(scores)) if scores else math.nan for scores in highest],
        texts=[
            answers[name].text if name in answers else " ".join(each["sentence"] for each in lines)
            for name, lines in sentences.items()
        ],
        questions=[answers[name].question if name in answers else "" for name in sentences],
        reasons=reasons,
        ones={"flagged": "no sentence is flagged", "score": "detect's score is 0"},
        unit="answer",
        flags=[tuple(Flag(each["start"], each["end"], each["sentence"]) for each in own) for own in flagged.values()],
    )


def _on_sentences(sentences: Mapping[str, Sequence[Sentence]], answers: Mapping[str, Answer]) -> Verdicts:
    """The same of each sentence, by its answer's id and its place: "a#0", as in a project of statements."""
    lines = [(name, place, each) for name, own in sentences.items() for place, each in enumerate(own)]
    scored = [each for _, _, each in lines]
    return _by_detector(
        [(f"{name}#{place}", name) for name, place, _ in lines],
        answers,
        models=[each.get("model") or "" for each in scored],
        flagged=[math.nan if each["score"] is None else float(each["flagged"]) for each in scored],
        scores=[math.nan if each["score"] is None else float(each["score"]) for each in scored],
        texts=[each["sentence"] for each in scored],
        questions=[answers[name].question if name in answers else "" for name, _, _ in lines],
        whole=[_marked_within(each, sentences[name], answers.get(name)) for name, _, each in lines],
        reasons=tuple(", ".join(each["reasons"] or ()) for each in scored),
        ones={"flagged": "the sentence is not flagged", "score": "detect's score is 0"},
        unit="sentence",
    )


def _marked_within(sentence: Sentence, sentences: Sequence[Sentence], answer: Answer | None) -> str:
    """The whole answer with the sentence in [[ ]]: "It" and "there" are clear only within it; "" where it is all."""
    if len(sentences) == 1:
        return ""
    return marked_within(put_together(sentences) if answer is None else answer.text, sentence)


def _by_detector(
    names: Sequence[tuple[str, str]],
    answers: Mapping[str, Answer],
    *,
    models: Sequence[str],
    flagged: Sequence[float],
    scores: Sequence[float],
    texts: Sequence[str],
    questions: Sequence[str],
    reasons: tuple[str, ...],
    ones: Mapping[str, str],
    unit: Unit,
    whole: Sequence[str] = (),
    flags: Sequence[tuple[Flag, ...]] = (),
) -> Verdicts:
    """Verdicts on answers or sentences, each with the id of its answer; clustered by context, where that is known."""
    known = [answers.get(answer) for _, answer in names]
    of_answers = {
        "question": tuple(questions),
        WHOLE_ANSWER: tuple(whole),
        "context": tuple("" if each is None else each.context for each in known),
    }
    several = len({answer for _, answer in names}) < len(names)
    return Verdicts(
        keys=tuple(Key(name, model) for (name, _), model in zip(names, models, strict=True)),
        clusters=tuple(
            answer if each is None or None in known else each.group
            for (_, answer), each in zip(names, known, strict=True)
        ),
        scores={"flagged": np.array(flagged), "score": np.array(scores)},
        texts=tuple(texts),
        reasons=dict.fromkeys(ones, reasons),
        words={"flagged": tuple(_FLAGGED.get(each, "") for each in flagged)},
        directions=dict.fromkeys(ones, _KNOWN),
        bounds=UNIT,
        shown={name: own for name, own in of_answers.items() if any(own)},
        ones=ones,
        one_detector=True,
        unit=unit,
        flags=tuple(flags),
        clustered_by="the context" if None not in known else "the answer" if several else "",
    )
