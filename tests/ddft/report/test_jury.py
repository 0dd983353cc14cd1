"""What `voirdire jury` shows of a judge."""

import math
from types import SimpleNamespace

from tests.ddft.report.examples import only
from voirdire.ddft.report.jury import bench_document, crosscheck_document, injection_document
from voirdire.documents.document import Table
from voirdire.jury.injection import Tally
from voirdire.jury.judge_accuracy.benchmark import BenchResult
from voirdire.stats import Interval
from voirdire.stats.correlation import Correlation

ALIKE, NONE = (Correlation(math.nan, math.nan, math.nan, math.nan, n) for n in (15, 0))


def blocks(document):
    return document.sections[0].blocks


def test_a_bench_shows_what_was_measured_and_says_why_a_correlation_is_undefined():
    found = BenchResult("fixed", 60, 1, 2, Correlation(0.5, 0.25, 0.75, 0.01, 57), ALIKE, ALIKE, NONE, 0.25)
    first, table, told = blocks(bench_document(found))
    assert "to a Spearman correlation of 0.50 (95 % interval 0.25 to 0.75)" in first.text
    cells = [[cell.shown for cell in row.values()] for row in table.rows]
    assert cells == [
        ["FAR", "0.50", "0.25 to 0.75", "57"],
        ["SAS", "–", "undefined: all alike", "15"],
        ["asks what is meant", "–", "undefined: all alike", "15"],
    ]
    assert told.text == "60 turns, 1 missing, 2 without claims, 0.2500 s a call"


def test_attacks_on_a_judge_without_its_defence_stand_in_rows_of_their_own():
    tallies = [
        Tally(name, defended, 4, 1, Interval(0.05, 0.7, 0.95, "wilson"), 0.125, -0.5, 2, 0, 0)
        for name in ("orders", "all")
        for defended in (True, False)
    ]
    found = SimpleNamespace(judge="j", concept="recursion", tallies=tallies)
    document = injection_document(found)
    assert blocks(document)[0].text.startswith(
        "1 of 4 hostile answers moved j to score accuracy or coherence 0.2 or more"
    )
    rows = only(document.sections[-1].blocks, Table).rows
    assert [row["attacks"].value for row in rows] == ["orders", "orders, undefended", "all", "all, undefended"]
    assert [cell.shown for cell in rows[0].values()][1:] == ["4", "1", "5 to 70 %", "+0.12", "-0.50", "2", "0", "0"]


def test_a_jury_is_lenient_only_where_the_interval_says_so():
    def bias(scale, low, high):
        correlation = Correlation(0.5, 0.1, 0.8, 0.01, 20)
        return SimpleNamespace(
            who="panel", scale=scale, n=20, person=0.5, other=0.7, difference=0.2, mean_absolute=0.3,
            interval=Interval(low, high, 0.95, "t"), correlation=correlation,
        )  # fmt: skip

    found = SimpleNamespace(
        uncompared=(),
        run="runs/a",
        jury="panel",
        rated=20,
        agreed=(),
        furthest=(),
        biases=(bias("FAR", 0.1, 0.3), bias("SAS", -0.1, 0.5)),
    )
    shown = blocks(crosscheck_document(found))
    lenient, undecided, turns = (block.text for block in shown)
    assert turns == "20 turns of the run runs/a, checked by a person."
    assert "is 0.20 more lenient than the person (95 % interval 0.10 to 0.30)" in lenient
    assert undecided.endswith("one of up to 0.50 can't be ruled out.")
