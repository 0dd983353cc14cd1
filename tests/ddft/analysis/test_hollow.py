"""Metrics that silence or incoherence can win: they are ranked by what was answered, and it is said."""

import json

import pandas as pd
import pytest

from tests.ddft._scores import row, simulated, table
from voirdire.cli.show.comparison import comparison
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import Runs


def of_model(model, **changed):
    """A model over eight concepts, three levels and five turns."""
    return table(
        *(
            row(model=model, concept=concept, level=level, turn=turn)
            | {k: v(concept, turn) for k, v in changed.items()}
            for concept in "abcdefgh"
            for level in (0.0, 0.5, 1.0)
            for turn in range(1, 6)
        )
    )


def never_wrong(concept, turn):
    return None


@pytest.fixture(scope="module")
def study():
    good = of_model("good", far=lambda c, t: 0.6 if (c, t) in (("a", 1), ("b", 2)) else 0.9, sas=lambda c, t: 0.9)
    gibberish = of_model("gibberish", far=lambda c, t: 0.1, sas=lambda c, t: 0.07)
    silent = of_model("silent", far=never_wrong, sas=lambda c, t: 0.9, no_claims=lambda c, t: True)
    return Runs((), pd.concat([gibberish, silent, good], ignore_index=True), pd.DataFrame(), ())


@pytest.mark.parametrize("metric", ["danger_zone_pct", "selective_verifier_failure", "D"])
def test_gibberish_and_silence_do_not_win_what_fluent_answers_alone_can_lose(study, metric):
    found = compare(study, metric)
    assert found.models[0].model == "good"
    assert found.summary.count("Silence or incoherence can win") == 1
    assert f"can win {metric}: good claims something in 100 % of its answers, with a mean SAS of 0.90." in found.summary
    assert "gibberish has a better value" in found.summary and "silent has a better value" in found.summary
    assert "0 of 0 fluent answers that claim something are wrong" in found.summary
    answers = {model.model: model.answered for model in found.models}
    assert (answers["good"].wrong, answers["good"].of) == (6, 120)
    assert answers["good"].interval.high < 0.2
    json.dumps(found.as_dict(), allow_nan=False)


def test_the_terminal_shows_what_they_are_ranked_by(study):
    said = comparison(compare(study, "danger_zone_pct"))
    assert "ranked by" in said and "of those answered" in said
    assert "gibberish has a better value" in " ".join(said.split())


def test_few_fluent_answers_rank_below_many_by_the_worse_end_of_their_interval():
    many = of_model("many", far=lambda c, t: 0.6 if (c, t) == ("a", 1) else 0.9, sas=lambda c, t: 0.9)
    few = of_model("few", far=lambda c, t: 0.9, sas=lambda c, t: 0.9 if t == 1 and c in "abc" else 0.07)
    found = compare(Runs((), pd.concat([few, many], ignore_index=True), pd.DataFrame(), ()), "danger_zone_pct")
    assert [model.model for model in found.models] == ["many", "few"]
    assert found.models[1].answered.wrong == 0 and found.models[1].answered.interval.high > 0.2


def test_a_metric_of_answers_alone_keeps_its_order_and_says_that_silence_can_win():
    found = compare(
        Runs((), pd.concat([simulated(seed=1, model="x"), simulated(seed=2, model="y")]), pd.DataFrame(), ()), "K"
    )
    assert "Silence can win K: " in found.summary and "claims something in" in found.summary
    assert all(model.answered is None for model in found.models)
    assert found.models[0].value >= found.models[1].value


def test_er_needs_no_such_word():
    found = compare(
        Runs((), pd.concat([simulated(seed=1, model="x"), simulated(seed=2, model="y")]), pd.DataFrame(), ())
    )
    assert "can win" not in found.summary
