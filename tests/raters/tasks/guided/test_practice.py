"""Practice items that a guide brings: read, rated before the first item, and told whether they were right."""

from dataclasses import replace

import pytest
import yaml

from tests.raters.tasks.guided.examples import TASKS, after, answer, made, results
from voirdire.raters.flow import practice_result
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.tasks import task_of

ITEM = {
    "prompt": "When?",
    "context": ["At nine.", "On Mondays."],
    "answer": "At eight, on Mondays.",
    "why": "It says nine.",
}
PAIR = {"prompt": "When?", "answers": ["At eight.", "At nine."], "right": "second", "why": "It says nine."}
TWO_LABELS = {"labels": ["wrong", "vague"]}
RIGHT = {
    "labels": ({**ITEM, "right": "incorrect"}, answer("incorrect"), answer("correct"), "Incorrect"),
    "score": ({**ITEM, "right": 2}, answer(3.0), answer(4.0), "Score 2 of 5"),
    "preference": (PAIR, answer("second"), answer("tie"), "is better"),
    "spans": (
        {**ITEM, "right": ["At eight"]},
        answer("done", spans=[{"start": 0, "end": 7, "label": "unsupported"}]),
        answer("done", spans=[]),
        "Marked “At eight”",
    ),
}


def guided(kind, *items, **fields):
    return TASKS[kind].guided({"practice": list(items), **fields})


def practised(task, *actions):
    """The first practice item of a task's guide, after actions."""
    materials = task.practice()
    work = after(task, *actions, doc=materials.documents[0], phase="practice")
    return replace(work, item=materials.items[0])


@pytest.mark.parametrize("kind", TASKS)
def test_a_guides_practice_items_hold_what_is_right_and_survive_being_stored(kind):
    given, right, wrong, _ = RIGHT[kind]
    task = guided(kind, given)
    again = task.guided(task.guide.as_dict())
    assert again.practice() == task.practice() and again.guide == task.guide
    (item,) = task.practice().items
    assert (item.pool, item.key["why"]) == ("practice", "It says nine.")
    assert not task.differ(right, item.key) and task.differ(wrong, item.key)
    assert task.differ(answer(None, status="unsure"), item.key), "whoever is not sure has not said it"


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("labels", {"answer": "correct"}),
        ("score", {"answer": "5"}),
        ("preference", {"answer": "tie"}),
        ("spans", {"answer": "done"}),
    ],
)
def test_whoever_is_wrong_is_told_what_is_right_and_why(kind, form):
    given, _, _, says = RIGHT[kind]
    task = guided(kind, given)
    assert task.feedback(practised(task)) is None, "not before it is rated"
    key = task.feedback(practised(task, ("answer", form)))["key"]
    assert (key["right"], key["why"]) == (False, "It says nine.")
    assert says in key["says"]


def test_whoever_marked_other_words_is_shown_which():
    task = guided("spans", {**ITEM, "right": {"wrong": "eight"}}, **TWO_LABELS)
    form = {"part": "output", "start": "13", "end": "20", "label": "vague", "quote": "Mondays"}
    work = practised(task, ("mark", form), ("answer", {"answer": "done"}))
    assert task.feedback(work)["given"] == "Marked “Mondays” as Vague"


def test_practice_pairs_keep_the_order_of_the_guide_whose_why_may_speak_of_the_first_one():
    task = guided("preference", PAIR)
    for rater in ("r1", "r2", "r3", "r4"):
        work = replace(practised(task), rater=rater)
        assert task.order(work) == ("first", "second")
        assert task.other_in_words(work, work.item.key)["says"] == "Answer B is better"


def test_spans_of_several_labels_are_quoted_by_label():
    task = guided(
        "spans", {**ITEM, "right": {"wrong": "eight", "vague": ["Mondays"]}}, {**ITEM, "right": []}, **TWO_LABELS
    )
    first, second = task.practice().items
    assert [(span["start"], span["end"], span["label"]) for span in first.key["spans"]] == [
        (3, 8, "wrong"),
        (13, 20, "vague"),
    ]
    assert second.key["spans"] == []
    work = replace(practised(task), item=first)
    assert task.other_in_words(work, first.key)["says"] == "Marked “eight” as Wrong, “Mondays” as Vague"


@pytest.mark.parametrize(
    ("kind", "practice", "says"),
    [
        ("labels", "many", "practice must be a list"),
        ("labels", [{"answer": "A"}], "practice item 1 has no right and no why: right is"),
        ("labels", [{**ITEM, "right": "correct", "why": ""}], "practice item 1 must say why"),
        ("labels", [{**ITEM, "right": "correct", "colour": "red"}], "practice item 1 has no field 'colour'"),
        ("labels", [{**ITEM, "right": "correct"}, {**ITEM, "right": "true"}], "practice item 2: right must be one of"),
        ("labels", [{**ITEM, "right": True}], "right is read as true: put it into quotes"),
        ("labels", [{**ITEM, "right": "correct", "answer": ""}], "practice item 1 must have an answer"),
        ("labels", [{**ITEM, "right": "correct", "history": ["Hi"]}], "must be a list of pairs"),
        ("labels", [{**ITEM, "right": "correct", "prompt": ["a"]}], "prompt of practice item 1 must be a text"),
        ("score", [{**ITEM, "right": 6}], "right must be a number from 1 to 5, in steps of 1"),
        ("score", [{**ITEM, "right": "high"}], "right must be a number"),
        ("preference", [{**ITEM, "right": "first"}], "practice item 1 must have two answers"),
        ("preference", [{**PAIR, "right": "third"}], "right must be one of first, second, tie"),
        ("spans", [{**ITEM, "right": ["at nine"]}], "'at nine' must stand in the answer once"),
        ("spans", [{**ITEM, "right": ["t"]}], "quote as many words as that takes"),
        ("spans", [{**ITEM, "right": {"correct": "eight"}}], "unsupported. For example right: {unsupported: At}"),
    ],
)  # fmt: skip
def test_what_can_not_be_right_is_told_in_a_sentence_that_names_the_file(tmp_path, kind, practice, says):
    path = tmp_path / "guide.yaml"
    path.write_text(yaml.safe_dump({"practice": practice}))
    with pytest.raises(RatersError, match="guide") as error:
        TASKS[kind].read_guide(path)
    assert says in str(error.value)


def test_a_project_begins_with_them_and_holds_who_passed(tmp_path):
    source = results(tmp_path / "results.jsonl", items=3, models=("one",))
    guide = yaml.safe_dump({"practice": [{**ITEM, "right": "correct"}, {**ITEM, "right": "incorrect"}]})
    project = read_project(made(tmp_path, "labels", source, guide=guide))
    trained = [each for each in project.items.values() if each.pool == "practice"]
    assert [each.id for each in trained] == ["practice-1", "practice-2"]
    assert next(iter(project.items.values())) == trained[0], "before the first item"
    values = {"practice-1": answer("correct"), "practice-2": answer("correct")}
    passed = practice_result(project.settings, trained, values, task_of(project.settings).differ)
    assert (passed.right, passed.needed, passed.passed) == (1, 2, False)


def test_a_guide_without_them_has_none():
    assert guided("labels").practice().items == ()
