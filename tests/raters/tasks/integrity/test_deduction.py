"""How a trial goes: the order of things, what is refused, and what is left when it is finished."""

from __future__ import annotations

import pytest

from tests.raters.tasks.integrity.support import FACTS, Bench, document, violation
from voirdire.raters.records import Refused
from voirdire.raters.tasks.integrity.task import TASK

DENIAL = violation("fact_denial", 2, "F4", "it leaks badly", "The fact says the contrary.")
VAGUE = violation("vagueness", 1, "F2", "a lot of water")


def _ready(holistic: int = 60) -> Bench:
    bench = Bench()
    bench.act("holistic", score=holistic)
    bench.through()
    bench.act("omissions")
    return bench


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("violation", VAGUE),
        ("sentence", {"done": 0}),
        ("omissions", {}),
        ("ambiguous", {"ambiguous": "yes", "note": "?"}),
        ("finish", {}),
        ("second_look", {"missed": "no", "twice": "no", "values": "no"}),
    ],
)
def test_nothing_comes_before_the_holistic_score(action, form):
    with pytest.raises(Refused, match="holistic score first"):
        Bench().act(action, **form)


@pytest.mark.parametrize("given", ["", "-1", "101", "80.5", "many", "８０", "1e1"])
def test_a_holistic_score_is_a_whole_number_from_0_to_100(given):
    with pytest.raises(Refused, match="whole number from 0 to 100"):
        Bench().act("holistic", score=given)


def test_the_holistic_score_is_locked_against_change_and_undo():
    bench = Bench()
    bench.act("holistic", score=80)
    with pytest.raises(Refused, match="locked"):
        bench.act("holistic", score=70)
    with pytest.raises(Refused, match="locked"):
        bench.undo()
    assert bench.state.holistic == 80


def test_a_whole_trial_gives_the_rating_in_the_fixed_form():
    value = Bench().rate(60, (VAGUE, DENIAL), omitted=("F3",))
    assert value["holistic"] == 60
    assert (value["score"], value["band"]) == (60, "Fair")  # 100 - 5 - 30 - 5
    assert [(each["type"], each["sentence"], each["fact"], each["penalty"]) for each in value["violations"]] == [
        ("vagueness", 1, "F2", 5),
        ("fact_denial", 2, "F4", 30),
        ("single_omission", None, "F3", 5),
    ]
    assert value["violations"][1]["span"] == "it leaks badly"
    assert value["violations"][1]["reason"] == "The fact says the contrary."
    assert value["second_look"] is None and value["ambiguous"] is False and value["note"] == ""


def test_without_words_the_whole_sentence_is_at_fault():
    bench = _ready()
    bench.act("violation", **violation("vagueness", 1, "F2"))
    assert bench.state.marks[0].span == "It holds back a lot of water."


def test_a_quote_may_differ_in_line_breaks_and_is_kept_as_it_is_written():
    bench = Bench(document(response="The dam\nwas inspected in 2021."))
    bench.act("holistic", score=90)
    bench.act("violation", type="vagueness", span=" dam  was ")
    assert bench.state.marks[0].span == "dam\nwas"


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (violation("vagueness", 1, "F2", "The dam was"), "do not stand in sentence 2"),
        (violation("vagueness", 1, "F9"), "no fact 'F9'"),
        (violation("rudeness", 1), "Pick a type"),
        (violation("", 1), "Pick a type"),
        (violation("omission", 1, "F2"), "once for the whole response"),
        (violation("pervasive", 1), "no violation of its own"),
        (violation("vagueness", 7), "no sentence 8"),
        ({"type": "vagueness", "sentence": "first"}, "which sentence"),
        ({**VAGUE, "violation": "77"}, "does not stand any more"),
    ],
)
def test_a_violation_that_does_not_fit_is_refused(form, says):
    with pytest.raises(Refused, match=says):
        _ready().act("violation", **form)


def test_later_sentences_wait_for_earlier_ones():
    bench = Bench()
    bench.act("holistic", score=80)
    with pytest.raises(Refused, match="comes later"):
        bench.act("violation", **DENIAL)
    with pytest.raises(Refused, match="comes later"):
        bench.act("sentence", done=1)
    with pytest.raises(Refused, match="which sentence"):
        bench.act("sentence")
    with pytest.raises(Refused, match="all its sentences first"):
        bench.act("omissions")
    with pytest.raises(Refused, match="Sentence 1 is not done"):
        bench.act("finish")


def test_the_focus_goes_forward_and_back():
    bench = Bench()
    bench.act("holistic", score=80)
    assert bench.state.focus == 0
    bench.act("sentence", done=0)
    bench.act("sentence", done=1)
    assert bench.state.focus == 2
    bench.act("sentence", to=0)
    assert bench.state.focus == 0
    bench.act("violation", type="imprecision")
    assert bench.state.marks[0].sentence == 0
    bench.act("sentence", done=0)
    assert bench.state.focus == 2
    bench.act("sentence", done=2)
    assert (bench.state.focus, bench.state.stage) == (None, "omissions")
    bench.act("sentence", to=1)
    bench.act("omissions")
    assert (bench.state.focus, bench.state.stage) == (None, "ready")


def test_a_violation_can_be_changed_and_removed_and_each_step_undone():
    bench = _ready()
    first = bench.act("violation", **VAGUE)
    changed = bench.act("violation", **violation("imprecision", 1, "F2"), violation=first.seq)
    assert changed.replaces == first.seq
    assert [mark.type for mark in bench.state.marks] == ["imprecision"]
    gone = bench.act("remove", violation=first.seq)
    assert gone.replaces == changed.seq
    assert bench.state.marks == () and bench.state.score.score == 100
    with pytest.raises(Refused, match="does not stand any more"):
        bench.act("remove", violation=first.seq)
    assert "rests on this one" in (TASK.may_undo(bench.work, first) or "")
    bench.undo()
    assert [mark.type for mark in bench.state.marks] == ["imprecision"]
    bench.undo()
    assert [mark.type for mark in bench.state.marks] == ["vagueness"]
    bench.undo()
    assert bench.state.marks == ()


def test_a_changed_violation_stays_in_its_sentence_unless_another_is_named():
    bench = _ready()
    first = bench.act("violation", **VAGUE)
    bench.act("violation", type="imprecision", violation=first.seq)
    assert bench.state.marks[0].sentence == 1


def test_the_same_violation_twice_is_refused():
    bench = _ready()
    bench.act("violation", **VAGUE)
    with pytest.raises(Refused, match="is already listed"):
        bench.act("violation", **VAGUE)


def test_what_another_violation_pays_for_is_shown_with_the_reason():
    bench = _ready()
    bench.act("violation", **DENIAL)
    bench.act("violation", **{**DENIAL, "type": "unsupported_caveat"})
    shown = TASK.view(bench.work)["violations"]
    assert [each["penalty"] for each in shown] == [30, 0]
    assert shown[1]["dropped"] == "the same words are charged as fact_denial"
    assert TASK.view(bench.work)["tally"]["score"] == 70


def test_omissions_stand_on_the_rung_that_their_facts_give():
    bench = _ready()
    for omitted, kind, total in (
        (["F2"], "single_omission", 5),
        (["F2", "F3"], "omission_moderate", 15),  # two of four: exactly half is not more than half
        (["F1"], "omission_moderate", 15),  # a central one
        (["F2", "F3", "F4"], "systematic_omission", 30),
        ([], None, 0),
    ):
        bench.act("omissions", omitted=omitted)
        assert bench.state.score.total == total
        assert {charge.type.name for charge in bench.state.score.charges} == ({kind} if kind else set())
    with pytest.raises(Refused, match="no fact 'F8'"):
        bench.act("omissions", omitted=["F8"])


def test_a_compound_fact_is_left_out_part_by_part():
    bench = Bench(document(facts=["Wages fell by 3 %, and rents rose by 12 %.", "The mill closed."]))
    assert [fact["id"] for fact in TASK.view(bench.work)["omissions"]["choices"]] == ["F1.1", "F1.2", "F2"]


def test_a_score_near_the_impression_finishes_without_a_second_look():
    bench = _ready(holistic=90)
    bench.act("finish")  # 100 against 90: exactly 10 is not more than 10
    assert bench.state.stage == "complete"
    with pytest.raises(Refused, match="finished already"):
        bench.act("finish")
    with pytest.raises(Refused, match="asked once"):
        bench.act("second_look", missed="no", twice="no", values="no")


def test_a_score_far_from_the_impression_asks_the_three_questions_once():
    bench = _ready(holistic=60)
    bench.act("violation", **VAGUE)
    bench.act("finish")
    assert bench.state.stage == "second_look" and TASK.value(bench.work) is None
    with pytest.raises(Refused, match="three questions first"):
        bench.act("violation", **DENIAL)
    with pytest.raises(Refused, match="three questions first"):
        bench.undo()
    with pytest.raises(Refused, match="yes or no"):
        bench.act("second_look", missed="yes", twice="perhaps", values="no")
    bench.act("second_look", missed="yes", twice="no", values="no", note="The last sentence.")
    assert bench.state.stage == "ready"
    bench.act("violation", **DENIAL)
    bench.act("finish")
    value = TASK.value(bench.work)
    assert value["score"] == 65
    assert value["second_look"] == {
        "missed": True,
        "twice": False,
        "values": False,
        "note": "The last sentence.",
        "score_before": 95,
    }


def test_after_the_second_look_a_score_still_far_away_stands():
    value = Bench().rate(20)
    assert value["score"] == 100 and value["second_look"]["score_before"] == 100


def test_answers_to_the_three_questions_can_be_given_again_but_not_undone():
    bench = _ready(holistic=60)
    bench.act("finish")
    first = bench.act("second_look", missed="yes", twice="no", values="no")
    bench.act("violation", **DENIAL)
    again = bench.act("second_look", missed="no", twice="no", values="yes")
    assert again.replaces == first.seq
    assert bench.state.second_look["score_before"] == 100 and bench.state.second_look["values"]
    with pytest.raises(Refused, match="answer them again"):
        bench.undo()
    finish = next(row for row in bench.rows if row.kind == "finish")
    assert "three questions were asked" in (TASK.may_undo(bench.work, finish) or "")


def test_a_live_trial_opens_again_when_it_is_changed_or_gone_back_to():
    for action, form in (("violation", VAGUE), ("sentence", {"to": 1}), ("omissions", {"omitted": ["F3"]})):
        bench = _ready(holistic=100)
        bench.act("finish")
        assert TASK.value(bench.work) is not None
        bench.act(action, **form)
        assert bench.state.stage == "ready" and TASK.value(bench.work) is None
        bench.undo()
        assert TASK.value(bench.work) is not None


@pytest.mark.parametrize("phase", ["practice", "calibration"])
def test_once_feedback_was_shown_nothing_changes(phase):
    bench = Bench(phase=phase)
    bench.rate(100)
    with pytest.raises(Refused, match="feedback has been shown"):
        bench.act("violation", **VAGUE)
    with pytest.raises(Refused, match="feedback has been shown"):
        bench.undo()


def test_a_trial_and_a_violation_can_be_marked_as_ambiguous():
    bench = _ready(holistic=95)
    mark = bench.act("violation", **VAGUE)
    with pytest.raises(Refused, match="what makes it ambiguous"):
        bench.act("ambiguous", ambiguous="yes", note=" ")
    bench.act("ambiguous", ambiguous="yes", note="Is the water in the facts?")
    bench.act("ambiguous", violation=mark.seq, ambiguous="yes", note="Half a figure.")
    bench.act("violation", **violation("imprecision", 1, "F2"), violation=mark.seq)
    bench.act("finish")
    value = TASK.value(bench.work)
    assert value["ambiguous"] and value["note"] == "Is the water in the facts?"
    assert value["violations"][0]["ambiguous"] and value["violations"][0]["note"] == "Half a figure."
    bench.act("ambiguous", ambiguous="", note="Is the water in the facts?")
    assert TASK.value(bench.work)["ambiguous"] is False and TASK.value(bench.work)["note"] == ""


def test_a_response_without_sentences_goes_straight_to_what_it_leaves_out():
    bench = Bench(document(response=""))
    bench.act("holistic", score=70)
    assert bench.state.stage == "omissions"
    bench.act("omissions", omitted=[f"F{number}" for number in range(1, len(FACTS) + 1)])
    bench.act("finish")
    assert TASK.value(bench.work)["score"] == 70


def test_an_unknown_action_is_refused():
    with pytest.raises(Refused, match="no action 'skip'"):
        Bench().act("skip")


def test_two_severe_violations_are_told_as_pervasive():
    bench = _ready()
    bench.act("violation", **DENIAL)
    bench.act("violation", **violation("fact_invention", 2, "", "Experts say"))
    assert TASK.view(bench.work)["tally"]["pervasive"]
