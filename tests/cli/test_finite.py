"""Whatever the shape of a run, no command prints NaN or infinity, and every estimate lies within its own interval."""

import json
import math
import re
from itertools import product

import pytest

from tests.cli.here import voirdire

NOT_A_NUMBER = re.compile(r"(?<![\w/.-])[+-]?(?:nan|inf|infinity)(?![\w/])", re.IGNORECASE)
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


COMMANDS = {
    "show": ("ddft", "show", "{run}"),
    "show --turns": ("ddft", "show", "{run}", "--turns"),
    "validate": ("ddft", "validate", "{run}"),
    "compare": ("compare", "{run}", "--metric", "CI_raw"),
    "compare --json": ("compare", "{run}", "--metric", "danger_zone_pct", "--json"),
    "reliability": ("jury", "reliability", "{run}"),
    "reliability --json": ("jury", "reliability", "{run}", "--json"),
    "predictions": ("ddft", "predictions", "{run}"),
    "predictions --json": ("ddft", "predictions", "{run}", "--json"),
    "gate": ("gate", "{run}", "--min", "CI_raw=0.5", "--max", "danger_zone_pct=10", "--bound"),
    "report json": ("report", "{run}", "--format", "json"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_command_prints_nan_or_an_estimate_outside_its_interval(tmp_path, shape):
    write_turns(tmp_path / "turns.jsonl", **SHAPES[shape])
    voirdire("ddft", "import", tmp_path / "turns.jsonl", "-o", tmp_path / "run")
    for name, command in COMMANDS.items():
        done = voirdire(*(part.format(run=tmp_path / "run") for part in command), check=False)
        assert done.returncode in (0, 1, 100), f"{name}: {done.stderr}"
        assert "Traceback" not in done.stderr, f"{name}: {done.stderr}"
        assert not NOT_A_NUMBER.search(done.stdout + done.stderr), f"{name}: {_around(done.stdout + done.stderr)}"
        if done.stdout.startswith("{"):
            outside = list(outside_of(json.loads(done.stdout)))
            assert not outside, f"{name}: {outside}"


def _around(text):
    found = NOT_A_NUMBER.search(text)
    return text[max(0, found.start() - 150) : found.end() + 50]


def outside_of(value, path="", beside=None):
    """Every place in JSON where a value lies outside the interval that stands with it."""
    if isinstance(value, list):
        for place, each in enumerate(value):
            yield from outside_of(each, f"{path}[{place}]")
    if not isinstance(value, dict):
        return
    low, high, estimate = (_number(each) for each in (value.get("low"), value.get("high"), value.get("value", beside)))
    if (
        low is not None
        and high is not None
        and not low - 1e-9 <= (low if estimate is None else estimate) <= high + 1e-9
    ):
        yield f"{path}: {estimate} in {low} to {high}"
    for name, each in value.items():
        if name == "intervals" and isinstance(value.get("metrics"), dict):
            for metric, interval in each.items():
                yield from outside_of(interval, f"{path}.intervals.{metric}", value["metrics"].get(metric))
        else:
            own = value.get("value", value.get("difference")) if name == "interval" else None
            yield from outside_of(each, f"{path}.{name}", value.get(name.removesuffix("_interval"), own))


def _number(value):
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, float | int) and math.isfinite(value) else None
