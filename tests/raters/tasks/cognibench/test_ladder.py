import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.raters.tasks.cognibench.helpers import row, step
from voirdire.detectors.records import LABELS
from voirdire.raters.tasks.cognibench.ladder import CHOICES, first_difference, state_of, walk

# Written by hand from CogniBench 2.2 and table 4.
ENDS = {
    ("yes",): "irrelevant",
    ("no", "factual", "yes"): "faithful",
    ("no", "factual", "no"): "invented",
    ("no", "cognitive", "no"): "misleading",
    ("no", "cognitive", "yes", "no"): "speculative",
    ("no", "cognitive", "yes", "yes", "no"): "reliable",
    ("no", "cognitive", "yes", "yes", "yes"): "irrefutable",
}
QUESTIONS = {"factual": ["irrelevant", "type", "faithful"],
             "cognitive": ["irrelevant", "type", "rational", "grounded", "irrefutable"]}  # fmt: skip
ANYTHING = st.lists(
    st.sampled_from([(question, answer) for question, answers in CHOICES.items() for answer in answers]), max_size=14
)


def rows_of(path):
    return [step(seq, question, answer) for seq, (question, answer) in enumerate(path, start=1)]


def questions_of(answers):
    """The questions that these answers belong to, by hand."""
    kind = "factual" if "factual" in answers else "cognitive"
    return QUESTIONS[kind][: len(answers)]


@pytest.mark.parametrize(("answers", "label"), ENDS.items(), ids=ENDS.values())
def test_every_label_has_its_way_up_the_ladder(answers, label):
    path = tuple(zip(questions_of(answers), answers, strict=True))
    state = state_of(rows_of(path))
    assert (state.label, state.question, state.path) == (label, None, path)
    assert walk(answers) == path


@pytest.mark.parametrize("answers", ENDS, ids=ENDS.values())
def test_the_questions_come_one_at_a_time(answers):
    questions = questions_of(answers)
    for given_so_far, next_question in enumerate(questions):
        state = state_of(rows_of(list(zip(questions, answers, strict=True))[:given_so_far]))
        assert (state.question, state.label) == (next_question, None)


def test_nothing_is_asked_but_the_class_where_it_is_asked_for_directly():
    assert state_of([], "independent").question == "label"
    for label in LABELS:
        state = state_of([step(1, "label", label)], "independent")
        assert (state.label, state.path) == (label, (("label", label),))


@given(ANYTHING, st.sampled_from(["sequential", "independent"]))
def test_no_rows_make_a_later_question_stand_before_an_earlier_one(steps, mode):
    state = state_of(rows_of(steps), mode)
    answers = tuple(step.answer for step in state.steps)
    if mode == "independent":
        assert [step.question for step in state.steps] == ["label"] * len(answers)
        assert state.label == (answers[0] if answers else None)
        return
    assert [step.question for step in state.steps] == questions_of(answers)
    assert state.label == ENDS.get(answers)
    assert (state.question is None) == (answers in ENDS)
    if state.question is not None:
        assert any(end[: len(answers)] == answers and len(end) > len(answers) for end in ENDS)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1)), max_size=20))
def test_going_back_keeps_what_came_before_and_drops_what_came_after(moves):
    """Each move answers the next question or an earlier one; a list by hand says what must stand."""
    rows, expected = [], []
    for back, choice in moves:
        state = state_of(rows)
        asked = [step.question for step in state.steps] + ([state.question] if state.question else [])
        question = asked[-1 - min(back, len(asked) - 1)]
        answer = CHOICES[question][choice]
        if (question, answer) not in expected:  # the same answer again keeps all that follows
            expected = [each for each in expected[: asked.index(question)]] + [(question, answer)]
        rows.append(step(len(rows) + 1, question, answer))
        assert list(state_of(rows).path) == expected


@given(st.sampled_from(sorted(ENDS)), st.data())
def test_the_same_answer_again_changes_nothing(answers, data):
    path = list(zip(questions_of(answers), answers, strict=True))
    rows = rows_of(path)
    question, answer = data.draw(st.sampled_from(path))
    assert state_of([*rows, step(len(rows) + 1, question, answer)]) == state_of(rows)


def test_the_reason_is_the_last_one_that_was_written():
    rows = [step(1, "irrelevant", "no", reason="first"), step(2, "type", "factual")]
    assert state_of(rows).reason == "first"
    rows.append(step(3, "faithful", "yes", reason=""))
    assert state_of(rows).reason == ""
    rows.append(row(4, "reason", {"reason": "last"}))
    assert state_of(rows).reason == "last"


def test_rows_of_another_kind_say_nothing():
    assert state_of([row(1, "imported", {"value": {"label": "faithful"}})]).question == "irrelevant"


def test_where_two_paths_part_is_the_first_question_answered_differently():
    one, other = walk(["no", "cognitive", "yes", "no"]), walk(["no", "cognitive", "no"])
    assert first_difference(one, other) == "rational"
    assert first_difference(one, one) is None
    assert first_difference(walk(["no", "factual", "yes"]), one) == "type"
