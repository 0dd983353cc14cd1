"""What a guide's file may say, and what is as usual without it."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from voirdire.raters.records import RatersError
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.guided.guide import guide_of, read_guide

KINDS = ("labels", "score", "preference", "spans")
WHOLE = """
title: Support
question: Does the context support it?
guideline: |
  Read the context first.

  Outside knowledge does not count.
labels:
  - label: supported
    key: s
    help: The context says so.
    value: 1
    examples: ["It says nine: it opens at nine."]
  - {label: unsupported, value: 0}
unsure: false
skip: false
evidence: true
show: [prompt, context]
order: random
headings: {context: The policy}
"""


def test_a_file_says_all_that_raters_are_asked(tmp_path):
    path = tmp_path / "guide.yaml"
    path.write_text(WHOLE)
    guide = guide_of("labels", read_guide("labels", path))
    assert guide.guideline == ("Read the context first.", "Outside knowledge does not count.")
    first, second = guide.labels
    assert (first.label, first.key, first.value, first.text) == ("supported", "s", 1.0, "Supported")
    assert first.examples == ("It says nine: it opens at nine.",)
    assert (second.key, second.help) == ("2", ""), "the second label's key is 2, whatever the first one's is"
    assert (guide.unsure, guide.skip, guide.evidence, guide.show) == (False, False, True, ("context", "prompt"))
    assert (guide.order, guide.headings) == ("random", {"context": "The policy"})


@pytest.mark.parametrize("kind", KINDS)
def test_the_usual_guide_says_whether_the_context_decides_and_keeps_silent_on_a_question_of_ones_own(kind):
    (said,) = open_task(kind).guide.guideline
    assert "context" in said and "alone decides" in said and "know" in said
    assert guide_of(kind, {"question": "Is it rude?"}).guideline == ()


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_file_there_is_a_guide_and_it_survives_being_stored(kind):
    usual = open_task(kind).guide
    assert usual.question and (usual.unsure, usual.skip) == (True, True)
    assert guide_of(kind, usual.as_dict()) == usual
    assert open_task(kind).guided(usual.as_dict()).guide == usual


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("labels", "labels: [{label: a, key: u}]", "the key 'u' of 'a' is taken"),
        ("labels", "labels: [{label: a, key: x1}]", "must be one character"),
        ("labels", "labels: [{label: a, key: on}, b]", "is read as true: put it into quotes"),
        ("labels", "labels: [yes, no]", "label is read as true: put it into quotes"),
        ("labels", "labels: [a, a]", "stands twice"),
        ("labels", "labels: [skip]", "one that every task has"),
        ("labels", "labels: []", "labels must be a list"),
        ("labels", "labels: [{label: a, colour: red}]", "no field 'colour'"),
        ("labels", "labels: [{label: a, value: high}]", "must be a number"),
        ("labels", "labels: [{label: a, help: Right, or nearly}]", "'or nearly'"),
        ("labels", "labels: [{label: a, help: Right, or nearly}]", "Put text with a comma into quotes."),
        ("labels", "quesion: What?", "there is no field 'quesion'"),
        ("labels", "scale: {low: 1}", "scale is for the task score, not for labels"),
        ("labels", "unsure: maybe", "unsure must be true or false"),
        ("labels", "show: [model]", "show is a list"),
        ("labels", "headings: {answer: Reply}", "headings has a text for some of context, prompt, choices, reference"),
        ("labels", "order: alphabetical", "order is one of as given, random"),
        ("labels", "question: ''", "question must be a text"),
        ("labels", "[]", "fields such as question and labels are expected"),
        ("labels", "labels: [", "is not valid YAML"),
        ("labels", "question: Is it right: yes or no?", "put a text that has : in it into quotes"),
        ("score", "scale: {low: 1, high: 5, step: 3}", "can't be divided into steps of 3"),
        ("score", "scale: {low: 5, high: 1}", "can't be divided"),
        ("score", "scale: {low: a}", "must be numbers"),
        ("score", "scale: {ends: [low]}", "two texts"),
        ("score", "scale: {most: 5}", "scale has the fields"),
        ("spans", "agree_at: 2", "agree_at must be a number from 0 to 1"),
    ],
)
def test_what_can_not_be_used_is_told_in_a_sentence_that_names_the_file(tmp_path, kind, text, says):
    path = tmp_path / "guide.yaml"
    path.write_text(text)
    with pytest.raises(RatersError, match="guide") as error:
        read_guide(kind, path)
    assert says in str(error.value)


def test_a_key_that_is_taken_is_told_with_those_that_are_reserved_and_what_they_do():
    with pytest.raises(RatersError, match=r"reserved: u \(undo\), \? \(list the keys\), / \(search\), k \(leave out\)"):
        guide_of("labels", {"labels": [{"label": "unsupported", "key": "u"}], "unsure": False})
    with pytest.raises(RatersError, match="two labels have the key 's'"):
        guide_of("labels", {"labels": [{"label": "a", "key": "s"}, {"label": "b", "key": "s"}]})


def test_keys_of_what_is_switched_off_are_free():
    labels = [{"label": key, "key": key} for key in "nkdvx"]
    guide = guide_of("labels", {"labels": labels, "unsure": False, "skip": False})
    assert [each.key for each in guide.labels] == list("nkdvx")
    for kind, on, key in (
        ("labels", {"unsure": True}, "n"),
        ("labels", {"skip": True}, "k"),
        ("labels", {"evidence": True}, "v"),
        ("labels", {"evidence": True}, "x"),
        ("spans", {}, "x"),
        ("spans", {}, "d"),
    ):
        with pytest.raises(RatersError, match=f"the key '{key}' of 'a' is taken"):
            guide_of(kind, {"labels": [{"label": "a", "key": key}], **on})


def test_as_many_labels_as_there_may_be_get_keys_that_nothing_else_has():
    labels = ["unsupported", {"label": "first", "key": "1"}, *(f"l{number}" for number in range(38))]
    guide = guide_of("spans", {"labels": labels, "evidence": True})
    assert len({each.key for each in guide.labels} - set("u?/nkdvx")) == 40


def test_a_task_with_a_guideline_of_its_own_takes_no_guide(tmp_path):
    with pytest.raises(RatersError, match="The task ddft has a guideline of its own"):
        open_task("ddft").read_guide(tmp_path / "guide.yaml")


@given(names=st.lists(st.text("abcxyz", min_size=1, max_size=6), min_size=1, max_size=20, unique=True))
def test_no_key_means_two_things(names):
    guide = guide_of("labels", yaml.safe_load(yaml.safe_dump({"labels": [{"label": name} for name in names]})))
    keys = [*(each.key for each in guide.labels), *guide.keys.values(), "u", "?", "/", "x", "v"]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("label", "shown"),
    [("not_supported", "Not supported"), ("whole_answer", "Whole answer"), ("iPhone", "IPhone"), ("right", "Right")],
)
def test_a_label_is_shown_as_people_write_it(label, shown):
    made = guide_of("labels", {"labels": [label, {"label": "b", "text": "as_given"}]})
    assert [each.text for each in made.labels] == [shown, "as_given"]
    assert made.names == (label, "b"), "files have it as it was given"
