"""Whatever the shape of labelled answers, nothing of CogniBench prints NaN, infinity, or a traceback."""

import math

import pytest

from tests.cognibench.dynamics.examples import given
from tests.cognibench.labelled import Told
from tests.cognibench.report.examples import judged, labelled_run
from tests.support.finite import check_command, check_exports, check_report, check_written
from voirdire.cognibench import detection_workers as workers
from voirdire.cognibench.detector_accuracy import benchmark as bench_task
from voirdire.cognibench.formats import write_jsonl


def _answers(number, *labels, **more):
    return [given(f"a{place}", *labels, group=f"g{place}", turn=place % 2, **more) for place in range(number)]


SHAPES = {
    "one faithful sentence": _answers(1, "faithful"),
    "all of one context": [given(f"a{n}", "faithful", "speculative", group="g", turn=n) for n in range(3)],
    "all hallucinated": _answers(4, "invented", "misleading", topic="t", model="m"),
    "nothing but small talk": _answers(3, "irrelevant"),
    "no factual sentence": _answers(4, "speculative", "reliable", topic="t"),
    "one class a model": [
        given(f"a{n}", *([("faithful",), ("invented",)][n % 2]), group=f"g{n}", topic="t", model=f"m{n % 2}")
        for n in range(6)
    ],
}


@pytest.fixture(params=SHAPES)
def data(request, tmp_path):
    write_jsonl(SHAPES[request.param], tmp_path / "data.jsonl")
    return tmp_path / "data.jsonl"


def test_stats_print_nothing_undefined(data):
    for form in ((), ("--json",), ("--published",)):
        check_command("cognibench", "stats", data, *form)


@pytest.mark.parametrize("score", [None, math.nan], ids=["lexical", "cannot say"])
def test_a_bench_and_detection_print_nothing_undefined(data, tmp_path, monkeypatch, score):
    if score is not None:
        opened = lambda name, *_: Told(name, default=score)  # noqa: E731
        monkeypatch.setattr(bench_task, "open_detector", opened)
        monkeypatch.setattr(workers, "open_detector", opened)
    ended = (0,) if score is None else (0, 1)  # a detector that can't say of any sentence fails
    bench = ("cognibench", "bench", data, "--detector", "lexical", "--no-contradiction-suite")
    detect = ("detect", data, "--detector", "lexical", "--workers", "1")
    for form in ((), ("--json",)):
        check_command(*bench, *form)
        check_command(*detect, *form, codes=ended)
    for name in ("scores.jsonl", "scores.parquet"):
        check_command(*detect, "-o", tmp_path / name, codes=ended)
        check_written(tmp_path / name)


LABELLERS = {
    "labels all alike": lambda label: judged("faithful"),
    "always disagrees": lambda label: judged("invented" if label == "faithful" else "faithful"),
    "has no vote": lambda label: judged(None, (None,) * 5),
}


@pytest.mark.parametrize("labeller", LABELLERS)
def test_a_labelled_run_is_diagnosed_reported_and_exported_without_anything_undefined(tmp_path, labeller):
    answers = SHAPES["one class a model"]
    found = {each.id: [LABELLERS[labeller](one.label) for one in each.statements] for each in answers}
    run = labelled_run(tmp_path / "run", answers, found, reasons=("the call failed (auth)",))
    for form in ((), ("--json",)):
        check_command("cognibench", "diagnose", run, *form, codes=(1,) if labeller == "has no vote" else (0,))
    check_command("gate", run, "--max", "hallucinated_pct=10", "--bound", codes=(100,))
    check_report(run)
    check_exports(run, tmp_path)
