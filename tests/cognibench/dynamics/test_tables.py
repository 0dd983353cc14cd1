from dataclasses import replace

from tests.cognibench.dynamics.examples import given
from tests.reports.looking import table
from voirdire.cognibench.dynamics.report import examine
from voirdire.cognibench.dynamics.tables import dynamics_document


def test_the_rate_of_a_topic_says_how_many_statements_without_a_label_it_leaves_out():
    whole = given("a", "faithful", "invented", "speculative", topic="care")
    *labelled, last = whole.statements
    lacking = replace(whole, statements=(*labelled, replace(last, label=None, judged_type="cognitive")))

    (row,) = table(dynamics_document(examine({"one": [lacking]}), "topic"), "topics")

    assert row["halluc. %"] == "50 of 2 (+1)"
    assert row["factual"] == "1 of 2"
