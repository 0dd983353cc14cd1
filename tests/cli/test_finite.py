"""Whatever the shape of a run, no command prints NaN or infinity, and every estimate lies within its own interval."""

import json
from itertools import product

import pytest

from tests.adapters.examples import examined
from tests.cli.here import voirdire
from tests.support.finite import check_command, check_exports, check_report

CONCEPTS = ("recursion", "phoneme", "derivative")
JUDGES = ("ann", "bob", "cyd")


def _spread(model, concept, level, turn, judge):
    """A score that differs from place to place, the same every time."""
    return round(((hash_of(model, concept, level, turn, judge) % 97) + 1) / 98, 3)


def hash_of(*parts):
    return sum((place + 1) * ord(letter) * 7 for place, letter in enumerate("|".join(map(str, parts))))


def _constant(value):
    return lambda *_: value


def _lazy_judge(model, concept, level, turn, judge):
    """One judge hardly uses the scale, and follows the others where it does."""
    score = _spread(model, concept, level, turn, "all")
    return round(0.5 + 0.02 * (score - 0.5), 4) if judge == "ann" else score if judge == "bob" else 1 - score / 2


SHAPES = {
    "one concept, level and judge": {"concepts": CONCEPTS[:1], "levels": (0.5,), "judges": JUDGES[:1]},
    "unscored, no answers": {"score": _constant(None), "answer": ""},
    "all right, two judges, no FAR": {"score": _constant(1.0), "far": _constant(None), "judges": JUDGES[:2]},
    "a judge who hardly uses the scale": {"score": _lazy_judge},
}


def write_turns(path, *, score=_spread, far=None, models=("ada", "ben"), concepts=CONCEPTS, levels=(0.0, 1.0),
                judges=JUDGES, turns=(1, 2, 3, 4, 5), answer=None):  # fmt: skip
    with path.open("w") as file:
        for model, concept, level, turn in product(models, concepts, levels, turns):
            given = {
                judge: {
                    "FAR": (far or score)(model, concept, level, turn, judge),
                    "SAS": score(model, concept, level, turn, judge),
                }
                for judge in judges
            }
            consensus = {name: _mean([each[name] for each in given.values()]) for name in ("FAR", "SAS")}
            row = {
                "model": model,
                "concept": concept,
                "level": level,
                "turn": turn,
                "question": f"What is {concept}?",
                "response": f"It is what {model} says it is." if answer is None else answer,
                "judges": given,
                "consensus": consensus,
            }
            file.write(json.dumps(row) + "\n")


def _mean(scores):
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if known else None


COMMANDS = (
    ("show", "RUN"),
    ("show", "RUN", "--texts"),
    ("show", "RUN", "--json"),
    ("validate", "RUN"),
    ("validate", "RUN", "--json"),
    ("compare", "RUN", "--metric", "CI_raw"),
    ("compare", "RUN", "--metric", "danger_zone_pct", "--json"),
    ("jury", "reliability", "RUN"),
    ("jury", "reliability", "RUN", "--json"),
    ("ddft", "predictions", "RUN"),
    ("ddft", "predictions", "RUN", "--json"),
    ("gate", "RUN", "--min", "CI_raw=0.5", "--max", "danger_zone_pct=10", "--bound"),
)


ALWAYS = {
    "every trap accepted": "simulated/subject?reject=0&question=0&accuracy=1..1",
    "every trap rejected": "simulated/subject?reject=1&question=0&accuracy=1..1",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_command_prints_nan_or_an_estimate_outside_its_interval(tmp_path, shape):
    write_turns(tmp_path / "turns.jsonl", **SHAPES[shape])
    voirdire("ddft", "import", tmp_path / "turns.jsonl", "-o", tmp_path / "run")
    _look_at(tmp_path / "run")


@pytest.mark.parametrize("shape", ALWAYS)
def test_nor_does_one_where_a_model_always_does_the_same(tmp_path, shape):
    _look_at(examined(tmp_path / "run", ALWAYS[shape], levels="0.5"))


def _look_at(run):
    for command in COMMANDS:
        check_command(*(run if part == "RUN" else part for part in command), codes=(0, 1, 100))
    check_report(run)
    check_exports(run, run.parent)
