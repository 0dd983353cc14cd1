import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.raters._projects import labelled_project
from voirdire.cli.rate import app
from voirdire.raters.planning import plan, plan_project
from voirdire.raters.planning.plan import rating_hours
from voirdire.raters.planning.report import plan_document
from voirdire.raters.records import RatersError
from voirdire.raters.tasks import open_task
from voirdire.reports.formats.terminal import to_terminal


def test_the_papers_numbers_by_hand():
    """500 statements, two each, 3.81 % to a third; 14 for practice from each of two; $0.30 each (A.5, table 1)."""
    found = plan(500, practice=14, task="cognibench")
    assert (found.ratings, found.practice_ratings) == (1000, 28)
    assert found.adjudications == pytest.approx((19.05, 19.05))
    assert found.questions == pytest.approx((13, 13))
    assert found.pay == pytest.approx((0.30 * 1047.05, 0.30 * 1047.05))
    assert found.hours.low < found.hours.high, "seconds per statement are an assumption"
    assert plan(500, mode="independent", task="cognibench").adjudications.low == pytest.approx(500 * 0.0849)


def test_given_numbers_by_hand():
    found = plan(100, 2, 0.1, 36.0, None, 20.0, 5, raters=4, task="cognibench")
    assert found.hours_per_rater == pytest.approx((0.55, 0.55))  # (5 + 50) x 36 s
    assert found.adjudication_hours == pytest.approx((0.1, 0.1))
    assert found.hours == pytest.approx((2.3, 2.3))
    assert found.pay == pytest.approx((46, 46))


def test_what_pay_for_one_comes_to_in_an_hour():
    found = plan(100, 2, 0.0, 36.0, 0.30, practice=0, task="cognibench")
    assert found.pay_an_hour == pytest.approx((30, 30))


def test_the_guides_phases_by_hand():
    """Thirty trials: 5 of 25-30 minutes, 10 of 18-22, 15 of 15-20."""
    phases = open_task("integrity").effort("sequential").phases
    assert rating_hours(phases, 30, 0) * 60 == pytest.approx(5 * 25 + 10 * 18 + 15 * 15)
    assert rating_hours(phases, 30, 1) * 60 == pytest.approx(5 * 30 + 10 * 22 + 15 * 20)
    assert rating_hours(phases, 3, 0, already_rated=4) * 60 == pytest.approx(25 + 2 * 18)
    assert plan(30, practice=0, task="integrity").hours_per_rater == pytest.approx((530 / 60, 670 / 60))


@pytest.mark.parametrize(("task", "items"), [("cognibench", 14), ("integrity", 5), ("ddft", 8)])
def test_the_packaged_practice_items_are_reckoned_with_as_projects_have_them(task, items):
    assert plan(10, task=task).practice_ratings == 2 * items


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_hours_add_up_wherever_the_work_is_cut(done, first, second):
    phases = open_task("integrity").effort("sequential").phases
    whole = rating_hours(phases, first + second, 0, done)
    assert whole == pytest.approx(rating_hours(phases, first, 0, done) + rating_hours(phases, second, 0, done + first))


@given(st.integers(1, 500), st.integers(1, 4), st.integers(0, 4), st.sampled_from(["cognibench", "integrity", "ddft"]))
def test_ranges_run_upward_and_every_number_has_a_source(items, per_item, more, task):
    found = plan(items, per_item, task=task, raters=per_item + more)
    for span in (found.adjudications, found.hours, found.hours_per_rater, found.adjudication_hours):
        assert 0 <= span.low <= span.high
    assert found.adjudications.high <= items
    assumed = found.as_dict()["assumed"]
    figures = [phase["seconds"] for phase in assumed.pop("phases")] + [each for each in assumed.values() if each]
    assert all(figure["source"] for figure in figures)
    assert all("assumption" in figure["source"] or "guide" in figure["source"]
               for figure in figures if figure["low"] < figure["high"])  # fmt: skip


def test_one_rating_per_item_has_nothing_to_disagree_with_and_three_may_settle_it_themselves():
    assert plan(100, 1, task="cognibench").adjudications == (0, 0)
    assert plan(100, 3, 0.1, task="cognibench").adjudications == pytest.approx((0, 30))


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ({"items": 0}, "0 items"),
        ({"items": 5, "raters": 1}, "need as many raters"),
        ({"items": 5, "disagreement_share": 1.5}, "from 0 to 1"),
        ({"items": 5, "seconds_per_item": float("nan")}, "numbers from 0 on"),
        ({"items": 5, "pay_per_item": 1, "pay_per_hour": 1}, "give one of them"),
        ({"items": 5, "task": "poetry"}, "no task 'poetry'"),
    ],
)
def test_impossible_numbers_are_refused_with_a_sentence(numbers, says):
    with pytest.raises(RatersError, match=says):
        plan(**{"task": "cognibench", **numbers})


def timed(labels, seconds):
    """A project whose ratings took these seconds, over and over."""
    project = labelled_project(labels)
    ratings = tuple(
        replace(rating, seconds=float(seconds[place % len(seconds)])) for place, rating in enumerate(project.ratings)
    )
    return replace(project, ratings=ratings)


def test_a_project_with_few_ratings_is_planned_by_the_sources_numbers():
    found = plan_project(timed({"ann": ["faithful"] * 4, "ben": ["faithful"] * 4}, [20]))
    assert found.request.phases == open_task("cognibench").effort("sequential").phases
    assert "table 1" in found.request.disagreement.source
    assert (found.left.ratings_done, found.left.ratings_left) == (8, 0)


def test_a_project_is_planned_by_its_own_times_and_disagreements():
    labels = {"ann": ["faithful"] * 20, "ben": ["faithful"] * 15 + ["invented"] * 5}
    found = plan_project(timed(labels, [10, 20, 30, 40]), items=1000, raters=4)
    (phase,) = found.request.phases
    assert "mean of 40 ratings" in phase.seconds.source
    # Mean 25, SD 11.32, SE 1.790, t(39) 2.0227: 25 -+ 3.621
    assert (phase.seconds.low, phase.seconds.high) == pytest.approx((21.379, 28.621), abs=0.001)
    assert "5 of 20 items" in found.request.disagreement.source
    assert found.request.disagreement.low < 0.25 < found.request.disagreement.high
    assert found.left is None and found.ratings == 2000


def test_what_is_left_is_counted_from_where_the_raters_are():
    labels = {"ann": ["faithful"] * 12, "ben": ["faithful"] * 6 + [None] * 6}
    left = plan_project(timed(labels, [36]), seconds_per_item=36).left
    assert (left.ratings_done, left.ratings_left) == (18, 6)
    assert left.hours == pytest.approx((0.06, 0.06))


def test_everybody_rates_what_is_for_calibration():
    labels = {"ann": ["faithful"] * 6, "ben": ["faithful"] * 6, "cat": [None] * 6}
    found = plan_project(labelled_project(labels, per_answer=2, calibration=1))
    assert (found.request.calibration, found.ratings) == (2, 6 * 2 + 2)
    assert (found.left.ratings_done, found.left.ratings_left) == (12, 2)


def finished(**settings):
    """Twenty statements, five of them apart, of which an adjudicator has decided four; 20 s for every rating."""
    labels = {"ann": ["faithful"] * 20, "ben": ["faithful"] * 15 + ["invented"] * 5}
    asked = [("ann", 0, False), ("ben", 0, True)]
    return labelled_project(
        labels, questions=asked, adjudicated=dict.fromkeys((15, 16, 17, 18), "invented"), **settings
    )


def test_what_is_done_is_known_and_no_forecast():
    found = plan_project(finished(pay_per_item=0.5, currency="EUR"))
    assert found.adjudications == (5, 5)
    assert found.questions == (2, 2)
    assert found.pay == pytest.approx((0.5 * 45, 0.5 * 45))
    assert found.hours_per_rater == pytest.approx((400 / 3600, 400 / 3600))
    assert found.adjudication_hours == pytest.approx((100 / 3600, 100 / 3600))  # one of them at the mean of all
    assert found.left.ratings_left == 0 and found.left.hours == (0, 0)


def test_only_what_is_left_is_a_forecast():
    """Of forty statements thirty have both ratings, five of these apart; a tenth of the other ten goes to a third."""
    labels = {"ann": ["faithful"] * 30 + [None] * 10, "ben": ["invented"] * 5 + ["faithful"] * 25 + [None] * 10}
    found = plan_project(labelled_project(labels), disagreement_share=0.1, seconds_per_item=36)
    assert found.adjudications == pytest.approx((6, 6))
    assert found.hours_per_rater == pytest.approx((600 / 3600 + 0.1, 600 / 3600 + 0.1))
    assert found.left.hours == pytest.approx((0.2, 0.2))


def test_a_project_s_own_questions_count_from_twenty_ratings_on():
    figure = plan_project(finished(), items=1000).request.questions
    assert figure.source == "measured: 2 in 40 ratings (95 % interval)"
    # The exact interval of a count of 2 is 0.2422 to 7.2247; two ratings an item.
    assert (figure.low, figure.high) == pytest.approx((0.2422 * 2 / 40, 7.2247 * 2 / 40), abs=1e-5)
    few = labelled_project({"ann": ["faithful"] * 9, "ben": ["faithful"] * 9}, questions=[("ann", 0, False)])
    found = plan_project(few)
    assert "table 1" in found.request.questions.source and found.questions == (1, 1)


def test_pay_is_in_the_currency_it_was_given_in_and_the_sources_in_dollars():
    euros = {"pay_per_item": 0.5, "currency": "EUR"}
    assert plan_project(finished(**euros)).as_dict()["currency"] == "EUR"
    assert plan_project(finished(currency="EUR"), pay_per_hour=20).request.currency == "EUR"
    assert plan_project(finished(currency="EUR")).request.currency == "USD", "the paper's pay"
    assert plan(500, task="cognibench").request.currency == "USD"
    assert plan(500, pay_per_item=1, task="cognibench").request.currency is None, "nobody has said"
    assert plan(30, task="integrity").request.currency is None
    said = " ".join(to_terminal(plan_document(plan_project(finished(**euros)))).split())
    assert "22.50 EUR" in said and "0.50 EUR" in said and "USD" not in said


def test_a_rating_that_took_no_time_here_does_not_count():
    labels = {"ann": ["faithful"] * 10, "ben": ["faithful"] * 10}
    found = plan_project(timed(labels, [0, 50]))
    assert found.request.phases[0].seconds[:2] == pytest.approx((50, 50))


def test_the_command_prints_numbers_with_their_sources():
    ran = CliRunner().invoke(app, ["plan", "--items", "500", "--raters", "4", "--all"])
    assert ran.exit_code == 0, ran.output
    said = " ".join(ran.output.split())
    assert "322.51 USD" in said and "CogniBench, A.5" in said and "an assumption" in said
    data = json.loads(CliRunner().invoke(app, ["plan", "--task", "integrity", "--items", "30", "--json"]).output)
    assert data["hours_per_rater"]["low"] == pytest.approx((5 * 25 + 10 * 18 + 20 * 15) / 60) and data["pay"] is None


def test_the_command_asks_for_a_number_where_there_is_no_project():
    ran = CliRunner().invoke(app, ["plan"])
    assert ran.exit_code == 2 and "name a project" in ran.output
