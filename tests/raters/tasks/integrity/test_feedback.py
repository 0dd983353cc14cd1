"""What a rater is told of a finished trial, and when."""

from __future__ import annotations

from tests.raters.tasks.integrity.support import Bench, violation
from voirdire.raters.tasks.integrity.task import TASK

DENIAL = violation("fact_denial", 2, "F4", "it leaks badly")
VAGUE = violation("vagueness", 1, "F2", "a lot of water")


def _theirs(*violations):
    return Bench().rate(70, violations)


def test_feedback_comes_in_calibration_only_and_only_when_finished():
    live = Bench(others=(_theirs(DENIAL),))
    live.rate(70, (DENIAL,))
    assert TASK.feedback(live.work) is None
    calibrating = Bench(phase="calibration", others=(_theirs(DENIAL),))
    calibrating.act("holistic", score=70)
    assert TASK.feedback(calibrating.work) is None


def test_a_reference_is_held_beside_the_rating():
    bench = Bench(phase="calibration", key={**_theirs(DENIAL), "why": "No leak was found."}, others=(_theirs(),))
    bench.rate(95, (VAGUE,))
    told = TASK.feedback(bench.work)
    assert told["right"] is False
    assert [each["name"] for each in told["beside"]] == ["the reference"]
    beside = told["beside"][0]
    assert beside["difference"] == 25
    assert [each["type"] for each in beside["only_theirs"]] == ["fact_denial"]
    assert [each["type"] for each in beside["only_yours"]] == ["vagueness"]
    assert beside["only_theirs"][0]["fact_text"] == "No leak was found."
    assert told["why"] == [
        "Your score is 25 points above that of the reference (70): more than 10.",
        "No leak was found.",
    ]


def test_without_a_reference_the_other_raters_are():
    bench = Bench(phase="calibration", others=(_theirs(DENIAL), _theirs(DENIAL, VAGUE)))
    bench.rate(70, (DENIAL,))
    told = TASK.feedback(bench.work)
    assert told["right"] is True
    assert [each["name"] for each in told["beside"]] == ["another rater (1)", "another rater (2)"]
    assert [each["difference"] for each in told["beside"]] == [0, 5]
    assert told["why"][0] == "Your score equals that of another rater (1) (70)."


def test_where_nobody_else_has_finished_it_says_so_and_judges_nothing():
    bench = Bench(phase="calibration")
    bench.rate(100)
    told = TASK.feedback(bench.work)
    assert told["right"] is None and told["beside"] == []
    assert "Nobody else" in told["why"][0]


def test_the_same_score_for_other_faults_is_not_right():
    bench = Bench(phase="practice", key=_theirs(DENIAL))
    bench.rate(70, (violation("fact_invention", 2, "", "Experts say"),))
    assert TASK.feedback(bench.work)["right"] is False
