import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.raters.tasks.cognibench.helpers import ANSWER, STATEMENTS, answered, in_hand, sent
from voirdire.detectors.records import LABELS
from voirdire.raters.records import Refused, Settings
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.cognibench.guideline import class_of, question_view
from voirdire.raters.tasks.cognibench.ladder import CHOICES, walk
from voirdire.raters.tasks.cognibench.task import TASK, pieces

RELIABLE = walk(["no", "cognitive", "yes", "yes", "no"])


def said(label):
    return {"label": label, "steps": [["label", label]], "reason": "because"}


def test_the_task_is_found_by_its_name():
    assert open_task("cognibench") is TASK


def test_a_rating_holds_label_steps_and_reason():
    work = answered(RELIABLE[:-1])
    assert TASK.value(work) is None
    work = sent(work, "answer", question="irrefutable", answer="no", reason="  'loud' judges ")
    assert TASK.value(work) == {
        "label": "reliable",
        "steps": [
            ["irrelevant", "no"],
            ["type", "cognitive"],
            ["rational", "yes"],
            ["grounded", "yes"],
            ["irrefutable", "no"],
        ],
        "reason": "'loud' judges",
    }


def test_the_class_alone_is_a_rating_where_it_is_asked_for_directly():
    work = answered([("label", "invented")], mode="independent")
    assert TASK.value(work) == {"label": "invented", "steps": [["label", "invented"]], "reason": ""}


@pytest.mark.parametrize("question", ["type", "faithful", "rational", "grounded", "irrefutable", "label", "", "x"])
def test_a_question_whose_turn_has_not_come_is_refused(question):
    with pytest.raises(Refused, match="not the one that is asked"):
        TASK.take(in_hand(), "answer", {"question": question, "answer": "yes"})


@pytest.mark.parametrize("answer", ["maybe", "", "factual", "YES"])
def test_an_answer_that_is_none_of_the_choices_is_refused(answer):
    with pytest.raises(Refused, match="choose one of yes, no"):
        TASK.take(in_hand(), "answer", {"question": "irrelevant", "answer": answer})


def test_once_the_ladder_has_ended_no_further_question_is_taken():
    with pytest.raises(Refused):
        TASK.take(answered(walk(["no", "cognitive", "no"])), "answer", {"question": "grounded", "answer": "yes"})


def test_going_back_says_which_row_it_takes_the_place_of():
    work = answered(RELIABLE)
    new = TASK.take(work, "answer", {"question": "type", "answer": "factual"})
    assert (new.kind, new.replaces) == ("step", 2)
    assert TASK.value(sent(work, "answer", question="type", answer="factual")) is None


def test_a_reason_can_be_changed_once_the_rating_is_complete_and_only_then():
    with pytest.raises(Refused, match="answer the questions first"):
        TASK.take(in_hand(), "reason", {"reason": "x"})
    work = sent(answered(RELIABLE), "reason", reason="one")
    new = TASK.take(work, "reason", {"reason": "two"})
    assert new.replaces == work.rows[-1].seq
    assert TASK.value(sent(work, "reason", reason="two"))["reason"] == "two"
    assert TASK.value(work)["label"] == "reliable"


def test_a_reason_stays_when_a_later_answer_comes_without_one():
    work = sent(in_hand(), "answer", question="irrelevant", answer="no", reason="kept")
    work = sent(work, "answer", question="type", answer="factual")
    assert TASK.value(sent(work, "answer", question="faithful", answer="yes"))["reason"] == "kept"


def test_a_reason_that_is_too_long_and_an_unknown_action_are_refused():
    with pytest.raises(Refused, match="4,000"):
        TASK.take(answered(RELIABLE), "reason", {"reason": "x" * 4001})
    with pytest.raises(Refused, match="no action 'skip'"):
        TASK.take(in_hand(), "skip", {})


def test_two_ratings_differ_by_their_labels_alone():
    assert TASK.differ(said("reliable"), said("irrefutable"))
    assert not TASK.differ(said("reliable"), {"label": "reliable", "steps": [], "reason": ""})


@pytest.mark.parametrize(
    ("labels", "label"),
    [
        (["faithful", "invented", "faithful"], "faithful"),
        (["faithful", "invented", "reliable"], None),
        (["faithful", "invented"], None),
        (["faithful", "faithful", "invented", "reliable"], None),
        (["faithful", "faithful", "invented", "invented", "faithful"], "faithful"),
    ],
)
def test_a_label_is_settled_by_more_than_half(labels, label):
    found = TASK.settle([said(each) for each in labels])
    assert found == (None if label is None else {"label": label, "steps": [["label", label]], "reason": ""})


def test_the_page_shows_what_has_been_asked_and_nothing_of_what_will_be():
    shown = json.dumps(TASK.view(answered(RELIABLE[:3])))
    view = TASK.view(answered(RELIABLE[:3]))
    assert view["asked"]["question"] == "grounded"
    assert [(step["question"], step["given"]) for step in view["steps"]] == list(RELIABLE[:3])
    assert "only reasonable conclusion" not in shown and "irrefutable" not in shown.casefold()
    assert "secret.jsonl" not in shown
    first = json.dumps(TASK.view(in_hand())).casefold()
    assert not any(word in first for word in ("factual", "rational", "grounded", "irrefutable", "sensible reader"))


def test_the_page_shows_dialogue_and_statement():
    view = TASK.view(in_hand(place=2))
    assert view["history"] == [{"user": "Who asks?", "assistant": "I do."}]
    assert view["statement"] == "It must have been loud."
    assert view["label"] is None and view["others"] == []


def test_a_key_is_one_answers_alone_whatever_is_asked():
    asked = [question_view(question) for question in CHOICES]
    keys = [choice["key"] for question in asked for choice in question["choices"]]
    assert len(keys) == len(set(keys)) and not {"u", "e", "?"} & set(keys)


def test_a_settled_statement_asks_nothing_and_names_its_class():
    view = TASK.view(answered(RELIABLE))
    assert view["asked"] is None and view["label"]["name"] == "Reliable"


def test_the_answer_is_cut_in_pieces_with_the_statement_in_focus():
    cut = pieces(ANSWER, STATEMENTS, 1)
    assert "".join(piece["text"] for piece in cut) == ANSWER
    assert [piece["text"] for piece in cut if piece["focus"]] == ["The mill was built in 1802."]


@given(st.text(max_size=40), st.data())
def test_pieces_give_back_any_answer_and_any_statement(answer, data):
    """Statements given with offsets may overlap and come in any order."""
    bounds = st.tuples(st.integers(0, len(answer)), st.integers(0, len(answer))).filter(lambda ends: ends[0] < ends[1])
    if not answer:
        return
    ends = data.draw(st.lists(bounds, min_size=1, max_size=5))
    statements = [{"text": answer[start:end], "start": start, "end": end} for start, end in ends]
    place = data.draw(st.integers(0, len(ends) - 1))
    cut = pieces(answer, statements, place)
    assert "".join(piece["text"] for piece in cut) == answer
    assert [piece["text"] for piece in cut if piece["focus"]] == [statements[place]["text"]]


def test_adjudicators_see_what_others_say_and_how_they_got_there():
    others = [{"label": "reliable", "steps": [list(step) for step in RELIABLE], "reason": "loud"}, said("invented")]
    shown = TASK.view(in_hand(others=others))["others"]
    assert [each["label"]["name"] for each in shown] == ["Reliable", "Invented"]
    assert shown[0]["reason"] == "loud" and shown[0]["steps"][-1]["short"] == "Irrefutable?"


KEY = {"label": "speculative", "path": [list(step) for step in walk(["no", "cognitive", "yes", "no"])], "why": "W."}


def test_practice_tells_right_and_wrong_and_where_the_ladder_was_left():
    told = TASK.feedback(answered(RELIABLE, phase="practice", key=KEY))
    assert (told["key"]["right"], told["key"]["left_at"], told["key"]["why"]) == (False, "Grounded?", "W.")
    assert told["given"]["label"] == "reliable" and told["key"]["label"]["label"] == "speculative"
    assert [step["left"] for step in told["key"]["path"]] == [False, False, False, True]
    right = TASK.feedback(answered(walk(["no", "cognitive", "yes", "no"]), phase="practice", key=KEY))["key"]
    assert right["right"] and right["left_at"] is None


def test_feedback_on_the_class_alone_keeps_the_ladder_out():
    told = TASK.feedback(answered([("label", "reliable")], mode="independent", phase="practice", key=KEY))["key"]
    assert (told["right"], told["path"], told["left_at"]) == (False, None, None)


def test_there_is_no_feedback_before_a_rating_is_complete_nor_on_live_items():
    assert TASK.feedback(answered(RELIABLE[:2], phase="practice", key=KEY)) is None
    assert TASK.feedback(answered(RELIABLE, key=KEY)) is None


def test_in_calibration_one_learns_what_others_say_after_rating():
    told = TASK.feedback(answered(RELIABLE, phase="calibration", others=[said("invented")]))
    assert told["key"] is None and [other["label"]["label"] for other in told["others"]] == ["invented"]


def test_the_key_of_a_practice_item_is_not_on_its_page():
    assert "W." not in json.dumps(TASK.view(answered(RELIABLE, phase="practice", key=KEY)))


def test_the_guideline_has_every_class_with_both_examples_and_the_ladder():
    guide = TASK.guideline(Settings(task="cognibench", title=""))
    assert tuple(each["label"] for each in guide["classes"]) == LABELS
    for each in guide["classes"]:
        for example in (each["positive"], each["negative"]):
            assert example["statement"] and example["reason"] and example["context"] in guide["contexts"]
    ends = [choice["label"] for question in guide["ladder"] for choice in question["choices"] if "label" in choice]
    assert sorted(ends) == sorted(f"{each['name']} ({each['plain']})" for each in guide["classes"])


def test_the_ladder_is_no_part_of_the_guideline_where_it_is_not_asked():
    assert TASK.guideline(Settings(task="cognibench", title="", mode="independent"))["ladder"] is None


def test_the_guideline_and_the_questions_say_the_same_of_classes_and_criteria():
    classes = {each["answer"]: each for each in question_view("label")["choices"]}
    assert classes["speculative"]["text"] == class_of("speculative")["name"]
    assert {label: each["help"].lower().rstrip(".") for label, each in classes.items()} == {
        label: class_of(label)["plain"].lower() for label in classes
    }
    criteria = TASK.guideline(Settings(task="cognibench", title=""))["criteria"]["criteria"]
    assert {name: each["asks"] for name, each in criteria.items()} == {
        name: question_view(name)["asks"] for name in criteria
    }
