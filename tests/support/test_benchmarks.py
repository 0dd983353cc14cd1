"""The parts of the benchmarks that compute, and the suite's list."""

from __future__ import annotations

import math

import pytest
from benchmarks._discovery import FOLDER, entries, pick
from benchmarks._table import table
from benchmarks.speed.contenders._workload import STANCE_TURNS, verdict_schema
from benchmarks.speed.efficiency import Latency, ideal, parse_latency

from voirdire.jury import rubric


@pytest.mark.parametrize(
    ("seconds", "dialogues", "expected"),
    [
        (1.0, 1, 6.0),  # five answers and the last verdict
        (1.0, 40, 6.0),  # 1 + 200 calls / 50
        (1.0, 400, 41.0),  # 1 + 2,000 / 50
        (0.5, 400, 20.5),
    ],
)
def test_the_ideal_is_the_longest_chain_or_the_busiest_model(seconds: float, dialogues: int, expected: float) -> None:
    assert ideal(Latency(seconds), dialogues, 50) == pytest.approx(expected)


def test_a_log_normal_latency_counts_by_its_mean() -> None:
    latency = parse_latency("0.5~0.5")
    assert latency.mean == pytest.approx(0.5 * math.exp(0.125))
    assert ideal(latency, 400, 50) == pytest.approx(41 * latency.mean)
    assert str(latency) == "0.5 s log-normal, sigma 0.5" and str(parse_latency("1")) == "1 s"


def test_contenders_ask_with_the_schema_of_our_judges() -> None:
    for turn in range(1, 6):
        ours = rubric.verdict_schema("both", with_stance=turn in STANCE_TURNS, far_always=False)
        assert verdict_schema(turn) == ours


def test_the_suite_lists_every_program_with_what_it_asks() -> None:
    listed = {entry.name: entry for entry in entries()}
    parts = {"contenders", "planted"}  # of a benchmark, and none themselves
    programs = [path for path in FOLDER.rglob("*.py") if parts.isdisjoint(path.parts) and path.stem[0] != "_"]
    assert sorted(listed) == sorted(path.stem for path in programs)
    assert {FOLDER.parent / f"{entry.module.replace('.', '/')}.py" for entry in listed.values()} == set(programs)
    assert all(entry.about for entry in listed.values())
    assert listed["efficiency"].rows and listed["efficiency"].small == ("--small",)


def test_names_are_picked_once_and_by_what_they_begin_with() -> None:
    assert [entry.name for entry in pick(["overhead", "efficiency", "overhead_memory"])] == [
        "overhead",
        "overhead_memory",
        "efficiency",
    ]
    everything = pick(["all"])
    assert "efficiency" in {entry.name for entry in everything} and not any(entry.needs for entry in everything)
    with pytest.raises(ValueError, match="no benchmark 'speed'"):
        pick(["speed"])


def test_a_table_lines_up() -> None:
    assert table(["", "wall"], [["ours", "1.5"], ["the others", 12]]).splitlines() == [
        "|            | wall |",
        "| :--------- | ---: |",
        "| ours       |  1.5 |",
        "| the others |   12 |",
    ]
