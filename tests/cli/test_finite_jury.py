"""Whatever a panel gave, nothing of `jury` prints NaN, infinity, or a traceback."""

import csv
import math

import pytest

from tests.cli.here import voirdire
from tests.support.finite import check_command
from tests.support.study import write_study
from voirdire.ddft.published import published_turns


def _turns(number, score=None):
    """The first turns of the published study, with its scores or with this one from everybody."""
    turns = published_turns().head(number).copy()
    if score is not None:
        turns[[name for name in turns if name.startswith(("far", "sas"))]] = score
    return turns


SHAPES = {
    "one turn": _turns(1),
    "too few for an interval": _turns(3),
    "a panel that always gives the same": _turns(20, 0.5),
    "a panel without a score": _turns(20, math.nan),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("judge", ["reference", "simulated/judge"])
def test_a_bench_prints_nothing_undefined(tmp_path, shape, judge):
    turns = write_study(tmp_path / "turns.jsonl", SHAPES[shape])
    for form in ((), ("--json",)):
        check_command("jury", "bench", turns, "--judge", judge, "-o", tmp_path / "run", *form)


def test_an_estimate_of_a_bench_without_an_interval_stands_alone(tmp_path):
    turns = write_study(tmp_path / "turns.jsonl", _turns(3))
    (far,) = [
        line.split()
        for line in check_command("jury", "bench", turns, "-o", tmp_path / "run").splitlines()
        if line.startswith(" FAR ")
    ]
    assert (far[0], far[2:]) == ("FAR", ["none", "3"])


PEOPLE = {
    "always the same": lambda place: {"far": "0.5", "sas": "0.5"},
    "one turn": lambda place: {} if place else {"far": "0.5", "sas": "0.5"},
    "no claims": lambda place: {"sas": "0.5", "no_claims": "yes"},
}


@pytest.mark.parametrize("person", PEOPLE)
def test_a_crosscheck_prints_nothing_undefined(tmp_path, person):
    turns = write_study(tmp_path / "turns.jsonl", SHAPES["a panel that always gives the same"])
    run, sheet = tmp_path / "run", tmp_path / "sheet.csv"
    voirdire("ddft", "import", turns, "-o", run)
    voirdire("jury", "sample", run, "--draw", 5, "-o", sheet)
    with sheet.open() as file:
        rows = list(csv.DictReader(file))
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(row | PEOPLE[person](place) for place, row in enumerate(rows))
    for form in ((), ("--json",)):
        check_command("jury", "crosscheck", run, sheet, *form)


def test_a_judge_on_the_stand_for_one_attack_has_no_share_that_is_undefined(tmp_path):
    for form in ((), ("--json",)):
        check_command("jury", "injection", "--limit", 1, "-o", tmp_path / "run", *form)
