"""What the organiser is shown, and how items and ratings are put in words."""

from dataclasses import replace

import pytest

from tests.raters._projects import AT, deduction, labelled_project, scored, scored_project, turns_project, violation
from tests.raters.tasks.guided.examples import answer, made, rated, results, written
from voirdire.raters.records import Document, Item, Row
from voirdire.raters.rows import ASSIGN
from voirdire.raters.tasks import open_task
from voirdire.raters.timing import duration
from voirdire.raters.web.dashboard import dashboard

FAITHFUL = "Faithful (the context says all of it)"
INVENTED = "Invented (not all of it is in the context)"
RELIABLE = "Reliable (supported, but open to dispute)"
SPECULATIVE = "Speculative (plausible, but only a guess)"


def test_disagreements_are_listed_with_names_open_ones_first():
    project = labelled_project(
        {"ann": ["faithful", "faithful", "reliable"], "ben": ["faithful", "invented", "speculative"]},
        texts=["First.", "Second.", "Third."],
        adjudicated={1: "invented"},
    )
    found = dashboard(project).disputes
    assert [(each.number, each.what, each.outcome) for each in found] == [
        (3, "Third.", ""),
        (2, "Second.", f"{INVENTED} (adjudicated)"),
    ]
    ann, ben = name(project, "ann"), name(project, "ben")
    assert [(vote.name, vote.role, vote.says) for vote in found[0].votes] == [
        (ann, "rater", RELIABLE),
        (ben, "rater", SPECULATIVE),
    ]
    assert [(vote.role, vote.says) for vote in found[1].votes] == [
        ("rater", FAITHFUL),
        ("rater", INVENTED),
        ("adjudicator", INVENTED),
    ]


def test_of_open_disagreements_the_widest_comes_first_and_what_nobody_answers_last(tmp_path):
    near, far, same = (0.5, 0.8), (0.1, 0.9), (0.7, 0.7)
    turns = turns_project(
        {
            "ann": [scored(near[0], 0.5), scored(same[0], 0.5), scored(far[0], 0.5), scored(0.5, 0.5, "rejected")],
            "ben": [scored(near[1], 0.5), scored(same[1], 0.5), scored(far[1], 0.5), scored(0.5, 0.5, "accepted")],
        }
    )
    assert [each.number for each in dashboard(turns).disputes] == [4, 3, 1]
    marks = {"a": ((0, 6), (0, 1)), "b": (None, None), "c": ((0, 2), (3, 5)), "d": ((0, 2), (0, 2))}
    source = written(tmp_path / "a.jsonl", [{"id": name, "answer": f"{name}a bb."} for name in marks])

    def says(document, rater):
        ends = marks[document.source["item"]][rater == "Ben"]
        if ends is None:
            return answer(None, spans=[]) | {"status": "unsure"}
        return answer("done", spans=[{"start": ends[0], "end": ends[1], "label": "unsupported"}])

    found = dashboard(rated(made(tmp_path, "spans", source), says))
    assert [each.what for each in found.disputes] == ["ca bb.", "aa bb.", "ba bb."]
    assert found.differing == 3


@pytest.mark.parametrize(
    ("task", "answers"),
    [
        ("preference", {"q0": ("first", "tie"), "q1": ("tie", "tie"), "q2": ("first", "second")}),
        ("labels", {"q0": ("correct", "partly"), "q1": ("partly", "partly"), "q2": ("correct", "incorrect")}),
        ("score", {"q0": (1, 3), "q1": (3, 3), "q2": (1, 5)}),
    ],
)
def test_a_tie_or_a_step_apart_is_a_smaller_disagreement_than_the_opposite_answer(tmp_path, task, answers):
    def says(document, rater):
        given = answers[document.source["item"]][rater == "Ben"]
        return answer(given, order=["first", "second"])

    models = ("one", "two") if task == "preference" else ("one",)
    found = dashboard(rated(made(tmp_path, task, results(tmp_path / "r.jsonl", len(answers), models)), says)).disputes
    assert [each.what.split("?")[0][-1] for each in found] == ["2", "0"], "and what is the same is none"


def test_disagreements_that_are_not_listed_are_counted(monkeypatch):
    monkeypatch.setattr("voirdire.raters.web.dashboard.MOST", 2)
    found = dashboard(labelled_project({"ann": ["faithful"] * 3, "ben": ["invented"] * 3}))
    assert (len(found.disputes), found.differing) == (2, 3)


@pytest.mark.parametrize(
    "project",
    [
        labelled_project({"ann": [None], "ben": [None]}),
        scored_project({"ann": [deduction(85)], "ben": [None]}),
        turns_project({"ann": [scored(0.9, 0.8)], "ben": [scored(None, 0.1, no_claims=True)]}),
    ],
    ids=["nothing yet", "one rating", "one turn"],
)
def test_a_project_that_has_hardly_begun_has_a_dashboard(project):
    found = dashboard(project)
    assert found.progress.items == 1
    assert found.charts == (), "one item is no line"


def test_where_no_time_is_known_it_is_said_whether_anything_is_rated():
    one = labelled_project({"ann": ["faithful"]})
    untimed = replace(one, ratings=tuple(replace(rating, seconds=0.0) for rating in one.ratings))

    assert dashboard(untimed).pace == () and dashboard(untimed).no_times.startswith("No rating has a time")
    assert dashboard(labelled_project({"ann": [None]})).no_times == "Nothing is rated yet."


def test_times_are_drawn_to_one_scale_beside_the_guides_expectation():
    project = scored_project({"ann": [deduction(85), deduction(80)], "ben": [deduction(85), deduction(95)]})
    charts = dashboard(project).charts
    assert [chart.name for chart in charts] == [name(project, "ann"), name(project, "ben")]
    assert len({chart.up for chart in charts}) == 1
    assert {chart.unit for chart in charts} == {"minutes"}, "the guide reckons with half an hour"
    for chart in charts:
        assert len(chart.dots) == len(chart.expected) == 2
        assert all(chart.left <= dot.x <= chart.right and 0 <= dot.y <= chart.floor for dot in chart.dots)
        assert all(0 < band.y < band.y + band.height <= chart.floor for band in chart.expected)


def test_items_of_some_seconds_are_drawn_in_seconds():
    (chart, *_) = dashboard(labelled_project({"ann": ["faithful"] * 3, "ben": ["faithful"] * 3})).charts
    assert chart.unit == "seconds" and float(chart.up[-1].text) >= 1


@pytest.mark.parametrize(
    ("how", "sight"),
    [
        ({"blind": True}, "blind"),
        ({"blind": False}, "having seen the others"),
        ({"blind": True, "decision": "kept"}, "blind, then kept after seeing the others"),
        ({"blind": False, "decision": "changed"}, "blind, then changed after seeing the others"),
    ],
)
def test_of_an_adjudicator_who_rated_blind_and_kept_it_both_are_told(how, sight):
    project = labelled_project({"ann": ["faithful"], "ben": ["invented"]}, adjudicated={0: "invented"})
    changed = [replace(each, **how) if each.role == "adjudicator" else each for each in project.ratings]
    (dispute,) = dashboard(replace(project, ratings=tuple(changed))).disputes
    assert dispute.votes[-1].sight == sight


def test_what_is_in_somebodys_hands_and_not_rated_can_be_taken_back():
    project = labelled_project({"ann": ["faithful", None], "ben": [None, None]}, per_answer=2, texts=["One.", "Two."])
    (document,) = project.documents
    rows = tuple(
        Row(seq=seq, token="", at=AT, rater=rater, item="", kind=ASSIGN, body={"document": document})
        for seq, rater in enumerate(project.raters, start=1)
    )
    assignments = dashboard(replace(project, rows=rows)).assignments
    assert [(hand.name, hand.what, hand.left) for hand in assignments] == [
        (name(project, "ann"), "Two.", 1),
        (name(project, "ben"), "One.", 2),
    ]
    assert {(hand.document, hand.item) for hand in assignments} == {(document, "")}


def test_responses_to_one_case_are_told_apart_by_their_words():
    body = {"context": "The same case for all.", "response": "The bridge opened in 1932."}
    assert (
        open_task("integrity").item_in_words(Document(id="r", body=body, group="g"), Item(id="r", document="r"))
        == body["response"]
    )
    empty = Document(id="r", body={**body, "response": ""}, group="g")
    assert open_task("integrity").item_in_words(empty, Item(id="r", document="r")) == body["context"]


def test_ratings_in_words():
    assert open_task("cognibench").rating_in_words({"label": "invented"}) == INVENTED
    value = deduction(85, holistic=90, violations=[violation("reframing")])
    assert open_task("integrity").rating_in_words(value) == "Score 85 (Good), 1 violation; first impression 90"
    (line,) = open_task("integrity").details_in_words(value)
    assert line.startswith("Reframing, ")
    steps = [["irrelevant", "no"], ["type", "factual"], ["faithful", "no"]]
    said = open_task("cognibench").details_in_words({"label": "invented", "steps": steps, "reason": "No minutes."})
    assert said == (
        "Anything said? It says something; Factual or cognitive? It reports (factual); Faithful? No, not all of it",
        "No minutes.",
    )
    assert (
        open_task("ddft").rating_in_words(scored(0.9, 0.8, "rejected"))
        == "factual accuracy 0.9, coherence 0.8, rejected"
    )
    assert open_task("ddft").rating_in_words(scored(None, 0.5, no_claims=True)) == "no checkable claims, coherence 0.5"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5940, "99 min"), (6000, "1.7 h")]
)
def test_durations(seconds, said):
    assert duration(seconds) == said


def name(project, rater):
    return project.raters[rater].name
