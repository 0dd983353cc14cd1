"""What the judges of a run are worth, by a project's ratings."""

import pytest

from tests.cli.here import voirdire_json
from voirdire.raters.judge_worth import WorthRequest, judges_worth
from voirdire.raters.records import RatersError


def test_a_jury_that_is_lenient_is_to_be_corrected(rated_run):
    path, run = rated_run
    jury = judges_worth(WorthRequest(results=run, human=path))[0]
    assert (jury.judge, jury.conclusion) == ("the jury", "correct")
    assert jury.bias.value == pytest.approx(0.2, abs=0.02)
    assert jury.raw - jury.best.value == pytest.approx(0.2, abs=0.04)
    assert [each.model for each in jury.models] == ["simulated/fading", "simulated/steady"]
    assert jury.clusters < jury.ratings


def test_where_they_differ_the_answer_and_both_sides_reasons_are_quoted(rated_run):
    path, run = rated_run
    apart = judges_worth(WorthRequest(results=run, human=path))[0].confusions[0]
    assert apart.text and ": " in apart.judge_reason, "of every judge, after its name"
    assert apart.people_reason == "Rated by hand."


def test_another_metric_is_chosen_by_name(rated_run):
    path, run = rated_run
    found = voirdire_json("jury", "worth", run, "--human", path, "--metric", "SAS")["judges"][0]
    assert found["conclusion"] in ("trust", "undecided", "leave")  # the rater gives the jury's own
    assert found["bias"]["value"] == 0
    with pytest.raises(RatersError, match="no metric 'XYZ'; give one of FAR, SAS"):
        judges_worth(WorthRequest(results=run, human=path, metric="XYZ"))


def test_a_metric_that_weighs_units_is_refused(rated_run):
    with pytest.raises(RatersError, match="choose another --metric"):
        judges_worth(WorthRequest(results=rated_run[1], human=rated_run[0], metric="FAR_prime"))
