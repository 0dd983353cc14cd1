"""What checks leave of a run's figures: the conclusion, by rule."""

import pytest

from voirdire.ddft.soundness import conclude
from voirdire.ddft.validity import Check

THREE = ("a", "b", "c")


def check(name, status="fail", models=()):
    return Check(name, status, None, None, (), models=models)


DELIVERED = check("context_delivered", "pass")
NO_EFFECT = check("compression_effect")


@pytest.mark.parametrize(
    ("checks", "models", "state", "but_for"),
    [
        ([DELIVERED, check("rare_cells", "warn")], THREE, "sound", ()),
        ([DELIVERED, NO_EFFECT], THREE, "sound in part", ("compression",)),
        ([NO_EFFECT], THREE, "not sound", ()),
        ([check("truncated_responses", models=("c",))], THREE, "sound in part", ("c",)),
        ([DELIVERED, NO_EFFECT, check("simulated_judge", models=("c",))], THREE, "sound in part", ("compression", "c")),
        ([check("truncated_responses", models=("c",)), check("self_judging", models=("b",))], THREE, "not sound", ()),
        ([check("truncated_responses", models=("c",)), check("question_length")], THREE, "not sound", ()),
        ([check("judge_agreement", models=("c",))], THREE, "not sound", ()),
        ([check("truncated_responses", models=("a",))], ("a",), "not sound", ()),
        ([check("truncated_responses", models=("a",))], ("a", "b"), "not sound", ()),
    ],
)
def test_a_fault_of_fewer_than_half_of_the_models_leaves_the_others(checks, models, state, but_for):
    found = conclude(checks, models)
    assert (found.state, found.but_for) == (state, but_for)
    assert found.checks == tuple(each.id for each in checks if each.status == "fail")


@pytest.mark.parametrize(
    ("checks", "said"),
    [
        (
            [DELIVERED],
            "The test was sound, as no check fails: you can rely on the figures as far as their intervals reach.",
        ),
        (
            [check("truncated_responses", models=("c",))],
            "The test was sound but for c (answers were cut off before their end): you can rely on the rest of the "
            "figures as far as their intervals reach.",
        ),
        (
            [DELIVERED, NO_EFFECT, check("truncated_responses", models=("c",))],
            "The test was sound but for compression (taking the reference away made no difference that can be told) "
            "and c (answers were cut off before their end): you can rely on the rest of the figures as far as their "
            "intervals reach.",
        ),
        (
            [check("concept_named"), check("question_length"), check("trap_signalled")],
            "Do not rely on the figures, because the test was not sound: the questions do not say which concept is "
            "meant; the questions are too long; and 1 more.",
        ),
    ],
)
def test_the_sentence_says_whether_to_rely_on_the_figures(checks, said):
    assert conclude(checks, THREE).sentence == said


def test_of_one_model_and_of_several_the_sentence_speaks_of_figures():  # whether they rank models, a comparison says
    assert conclude([DELIVERED], ("a",)).sentence == conclude([DELIVERED], THREE).sentence


def test_what_no_check_sees_is_reserved_too():
    found = conclude([DELIVERED], THREE, finished=False, rules_judged=True, intervals=False)
    assert found.state == "sound"
    assert found.sentence == (
        "No check fails, but do not rely on the figures: the run is not complete, fixed rules judged instead of a "
        "model and there are too few concepts for intervals."
    )


def test_the_conclusion_is_data_too():
    found = conclude([check("truncated_responses", models=("c",))], THREE)
    assert found.as_dict() == {
        "state": "sound in part",
        "checks": ["truncated_responses"],
        "but_for": ["c"],
        "sentence": found.sentence,
    }
