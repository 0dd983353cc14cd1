"""Runs for the checks to look at: a sound one, and what makes it unsound."""

from dataclasses import replace

import pandas as pd

from voirdire.ddft.compression import compress
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.validity import RunRecord
from voirdire.records import dialogue_id

CONCEPTS = {
    file.concept.id: file.concept for file in find_concepts(["recursion", "phoneme", "derivative", "impressionism"])
}
LEVELS = (0.0, 0.5, 1.0)
MODELS = ("anthropic/claude-haiku-4-5", "mistral/mistral-medium")
JUDGES = ("openai/gpt-5.1",)

_QUESTIONS = (
    "In your own words, what is the central idea of {name}?",
    "Which single real-world case shows {name} best?",
    "What is one detail of it that can be looked up?",
    "How do you assess the argument of Professor Ilse Marchetti on {name}?",
    "What was the strongest objection raised against her?",
)


def sound(
    models=MODELS, concepts=tuple(CONCEPTS), levels=LEVELS, samples=1, far=lambda turn: 0.95 - 0.5 * turn["level"]
):
    """A run without a fault; `far` gives the FAR of a turn."""
    turns = [
        {
            "dialogue": dialogue_id(model, concept, level, sample),
            "model": model,
            "concept": concept,
            "level": level,
            "sample": sample,
            "turn": number,
            "question": question.format(name=CONCEPTS[concept].name),
            "answer": f"{model} at {level:g}, {number}/{sample}: {_about(concept, number)} They call one another.",
            "question_notes": [],
            "finish_reason": "stop",
            "error": None,
            "addresses": False,
        }
        for model in models
        for concept in concepts
        for level in levels
        for sample in range(samples)
        for number, question in enumerate(_QUESTIONS, start=1)
    ]
    # A little spread, the same for every level, so that no two concepts are alike.
    spread = {concept: 0.01 * place for place, concept in enumerate(CONCEPTS)}
    scores = [
        {name: turn[name] for name in ("dialogue", "model", "concept", "level", "sample", "turn")}
        | {"jury": "j", "far": far(turn) + spread[turn["concept"]], "sas": 0.8, "no_claims": False}
        | {"stance": None, "judges": 1, "unscored": None}
        for turn in turns
    ]
    return RunRecord(
        turns=pd.DataFrame(turns),
        verdicts=verdicts(scores),
        scores=pd.DataFrame(scores),
        judges=JUDGES,
        interviewer="scripted",
        trap="expert",
        samples=samples,
        concepts=CONCEPTS,
        openings={turn["dialogue"]: opening(turn, turn["level"]) for turn in turns if turn["turn"] == 1},
        completed_dialogues={turn["dialogue"] for turn in turns},
    )


def _about(concept, number):
    return CONCEPTS[concept].reference[150 * number :][:140]


def opening(turn, level):
    """What a subject is sent at turn 1, with the reference compressed to a level."""
    concept = CONCEPTS[turn["concept"]]
    left = compress(concept.reference, level, "sentences")
    return f"You will be asked about this concept: {concept.name}\n\n{left}\n\n{turn['question']}"


def verdicts(scores, judges=JUDGES, errors=(0.0,)):
    """What judges said who add their error, each, to the consensus."""
    return pd.DataFrame(
        {**score, "judge": judge, "far": score["far"] + error, "missing": None, "echoes": False}
        for score in scores
        for judge, error in zip(judges, errors, strict=True)
    )


def with_turns(record, which, **changed):
    """The run with other values in some turns: constants, or functions of the turn."""
    rows = [
        row | {name: value(row) if callable(value) else value for name, value in changed.items()} if which(row) else row
        for row in record.turns.to_dict("records")
    ]
    return replace(record, turns=pd.DataFrame(rows))


def with_openings(record, text):
    """The run with other messages sent: `text` is a function of the first turn."""
    first = record.turns[record.turns["turn"] == 1]
    return replace(record, openings={row["dialogue"]: text(row) for row in first.to_dict("records")})


def every(number, of):
    """Whether a turn is one of every so many of this number, by its place in the run."""
    seen = []

    def which(row):
        if row["turn"] != of:
            return False
        seen.append(row)
        return len(seen) % number == 1

    return which


PANEL = ("a", "b", "c")


def saying(*given):
    """Verdicts of judges who give FAR and SAS by an answer's number, on forty answers."""
    return pd.DataFrame(
        {"model": "m", "dialogue": place, "turn": 1, "judge": judge, "far": far(place), "sas": sas(place)}
        | {"stance": None, "missing": None}
        for judge, (far, sas) in zip(PANEL, given, strict=False)
        for place in range(40)
    )


def varied(place):
    return (place % 10) / 10


def around(centre, stray=None):
    return lambda place: 0.1 if place == stray else centre + 0.01 * (place % 2)


STILL = (around(0.80), around(0.89))
VARIED = (varied, varied)
OURS = (varied, lambda place: (place % 7) / 7)


def near_copy_of(far, sas, alike=40, shift=0.0):
    """A judge who gives the scores of another, FAR moved by a constant, and scores of its own from an answer on."""
    return (
        lambda place: min(1.0, far(place) + shift) if place < alike else (far(place) + 0.3) % 1,
        lambda place: sas(place) if place < alike else (sas(place) + 0.4) % 1,
    )
