from pathlib import Path

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.study import write_study

LABELS = Path(__file__).parents[1] / "jury" / "clarification_labels.csv"


@pytest.fixture(scope="module")
def turns(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("study") / "turns.jsonl")


@pytest.fixture(scope="module")
def bench(turns, tmp_path_factory):
    path = tmp_path_factory.mktemp("bench")
    return path, voirdire_json("jury", "bench", turns, "--draw", 80, "--labels", LABELS, "-o", path)


def test_the_bench_prints_correlations_with_intervals_and_seconds_per_call(bench):
    _, printed = bench
    assert (printed["judge"], printed["turns"]) == ("reference", 80)
    for measure in ("far", "sas"):
        assert -1 <= printed[measure]["low"] <= printed[measure]["rho"] <= printed[measure]["high"] <= 1
    assert printed["seconds_per_call"] > 0


def test_going_on_with_a_bench_judges_nothing_again(bench, turns):
    path, printed = bench
    before = (path / "verdicts.jsonl").read_bytes()
    assert voirdire_json("jury", "bench", turns, "--draw", 80, "--labels", LABELS, "-o", path) == printed
    assert (path / "verdicts.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.jsonl.gz",), "There is no file"),
        ((LABELS,), "could be read as a published dialogue"),
        (("TURNS", "--judge", "local/smollm2-135m"), "smollm2"),
    ],
)
def test_mistakes_are_answered_with_one_sentence(turns, tmp_path, arguments, says):
    given = [turns if each == "TURNS" else each for each in arguments]
    done = voirdire("jury", "bench", *given, "-o", tmp_path / "b", check=False)
    assert done.returncode == 1
    assert says.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr
