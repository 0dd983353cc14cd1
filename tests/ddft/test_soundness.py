"""What checks leave of a run's figures: the conclusion, by rule."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.ddft.analysis._runs import run
from voirdire.ddft.soundness import conclude, conclusion, conclusion_of, qualified
from voirdire.ddft.validity import Check
from voirdire.jury import REFERENCE
from voirdire.reason_codes import reason

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
            [DELIVERED, replace(DELIVERED, id="judge_agreement", evidence=(reason("too_few_judges"),))],
            "The test was sound, as no check fails. One judge scored alone, so rely on the figures only as far as you "
            "trust it.",
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


def test_a_judge_without_usable_verdicts_or_with_one_and_the_same_is_named():
    silent = replace(
        check("missing_verdicts", models=("a",)),
        evidence=(reason("missing_of_judge", judge="x/babble", verdicts=36, of=36),),
    )
    assert conclude([silent], ("a",)).sentence.endswith("too many verdicts are missing (x/babble gave none of 36).")
    same = conclude([], THREE, unvarying_judges=[reason("constant_judge", judges="x/stuck")])
    assert same.sentence.endswith("do not rely on the figures: x/stuck gave every answer the same scores.")
    assert not same.reliable
    nearly = conclude([], THREE, unvarying_judges=[reason("nearly_constant_judge", judges="x/still")])
    assert nearly.sentence.endswith("do not rely on the figures: x/still gave nearly every answer the same scores.")


def test_a_judge_whose_scores_hardly_vary_is_named_where_the_test_was_not_sound_too():
    still = reason("nearly_constant_judge", judges="x/still")
    found = conclude([check("judge_agreement")], THREE, unvarying_judges=[still])
    assert found.sentence.endswith(
        "the test was not sound: x/still gave nearly every answer the same scores; the judges hardly agree."
    )


def test_what_no_check_sees_is_named_where_the_test_was_not_sound_too():
    found = conclude([check("truncated_responses")], ("a",), rules_judged=True, intervals=False)
    assert found.warns_first and found.sentence.endswith(
        "not sound: answers were cut off before their end; besides, fixed rules judged instead of a model and there "
        "are too few concepts for intervals."
    )
    checks = [check(each) for each in ("truncated_responses", "concept_named", "answers_in_prose")]
    assert conclude(checks, ("a",), rules_judged=True, intervals=False).sentence.endswith("; and 3 more.")


def test_of_several_runs_each_is_called_sound_by_itself():
    one = conclude([DELIVERED], THREE, simulated=THREE, demonstration=True)
    two = replace(one, of_runs={"a": one, "b": one})
    assert two.sentence.startswith("Each run by itself was sound, and only simulated models ")
    assert not one.warns_first


def several(**of_runs):
    """The conclusion of runs of these names, each with these checks and what else `examined` takes."""
    return conclusion_of(
        [replace(examined("openai/x"), path=Path("runs", name), **changed) for name, changed in of_runs.items()]
    )


def checked(*checks):
    return {"read_checks": lambda: checks}


def test_what_is_so_in_some_of_several_runs_names_them():
    sound, levels = checked(DELIVERED), checked(DELIVERED, NO_EFFECT)
    assert several(a=sound, b=levels, c=sound).sentence.startswith(
        "Each run by itself was sound but for compression (taking the reference away made no difference that can be "
        "told) in 1 of 3 runs (b): you can rely on the rest"
    )
    assert " in 2 of 2 runs" not in several(a=levels, b=levels).sentence
    ruled = several(a=sound, b={**sound, "jury": REFERENCE})
    assert ruled.sentence == (
        "No check fails, but do not rely on the figures: fixed rules judged instead of a model in 1 of 2 runs (b)."
    )
    unsound = several(a=sound, b=checked(check("question_length")), c={**sound, "jury": REFERENCE})
    assert unsound.sentence == (
        "Do not rely on the figures, because the test was not sound in 1 of 3 runs (b): the questions are too long; "
        "besides, fixed rules judged instead of a model in 1 of 3 runs (c)."
    )
    alone = checked(replace(DELIVERED, id="judge_agreement", evidence=(reason("too_few_judges"),)))
    assert "One judge scored alone in 1 of 2 runs (a), so rely" in several(a=alone, b=sound).sentence
    begun = several(a=sound, b={**sound, "finished": False})
    assert begun.sentence.endswith("not all was asked and judged in 1 of 2 runs (b).")
    stance = replace(DELIVERED, evidence=(reason("one_stance_of_all", stance="rejected", answers=24),))
    assert " b: The judges' stance is “rejected” on all 24" in several(a=sound, b=checked(stance)).sentence


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("judge_agreement", "the judges hardly agree on the answers of a and b."),
        ("stance_agreement", "the judges hardly agree on which answers of a and b accept the fabrication."),
    ],
)
def test_models_on_whose_answers_judges_disagree_are_not_read_as_judges(name, says):
    assert conclude([check(name, models=("a", "b"))], THREE).sentence.endswith(f"not sound: {says}")


def test_a_judge_with_one_stance_only_is_named():
    stuck = reason("one_stance", judge="x/yes", stance="accepted", answers=24, share=0.5)
    found = conclude([replace(check("stance_agreement"), evidence=(stuck,))], THREE)
    assert found.sentence.endswith("accept the fabrication (x/yes calls nearly all accepted).")


def test_judges_whose_stance_never_varies_are_all_named():
    stuck = [reason("stance_never_varies", judge=judge, stance="accepted") for judge in ("x/a", "x/b", "x/c")]
    found = conclude([replace(check("stance_agreement"), evidence=tuple(stuck))], THREE)
    assert found.sentence.endswith("(x/a calls all accepted, x/b calls all accepted and x/c calls all accepted).")


def test_that_all_stances_are_the_same_is_said_beside_a_sound_test():
    alike = reason("one_stance_of_all", stance="rejected", answers=24)
    found = conclude([replace(check("stance_agreement", "warn"), evidence=(alike,))], THREE)
    assert found.sentence.endswith(f"as far as their intervals reach. {alike}") and found.reliable


def test_that_the_judges_own_scores_deny_their_one_stance_is_the_cause():
    denied = reason("rejected_though_false", answers=72, hits=25, of=72)
    found = conclude([replace(check("stance_agreement"), evidence=(denied,))], THREE)
    assert found.sentence.endswith(
        "not sound: the judges call every fabrication rejected, and score 25 of 72 answers as mostly false."
    )


def test_that_a_simulated_judge_scored_real_models_is_named_before_other_failures():
    failed = [check(name) for name in ("concept_named", "question_length", "simulated_judge")]
    assert "not sound: a simulated judge scored real models; " in conclude(failed, THREE).sentence


def test_an_unsound_test_names_the_models_that_fail_a_check_which_others_pass():
    of_one, of_all = (check("answers_in_prose", models=models) for models in (("a",), ("a", "b")))
    assert conclude([of_one], ("a", "b")).sentence.endswith("the test was not sound: answers are not prose (a).")
    assert conclude([of_all], ("a", "b")).sentence.endswith("the test was not sound: answers are not prose.")


def test_of_one_model_and_of_several_the_sentence_speaks_of_figures():  # whether they rank models, a comparison says
    assert conclude([DELIVERED], ("a",)).sentence == conclude([DELIVERED], THREE).sentence


def test_what_no_check_sees_comes_before_the_part_of_which_the_test_was_not_sound():
    found = conclude([DELIVERED, NO_EFFECT], THREE, rules_judged=True)
    assert found.sentence == (
        "Do not rely on the figures, because fixed rules judged instead of a model; otherwise the test was sound but "
        "for compression (taking the reference away made no difference that can be told)."
    )


def test_what_no_check_sees_is_reserved_too():
    found = conclude([DELIVERED], THREE, finished=False, rules_judged=True, intervals=False)
    assert found.state == "sound"
    assert found.sentence == (
        "No check fails, but do not rely on the figures: the run is not complete, fixed rules judged instead of a "
        "model and there are too few concepts for intervals."
    )


SHOWS = "simulated models were examined: this shows how the test works, and says nothing about a real model."


@pytest.mark.parametrize(
    ("checks", "more", "said"),
    [
        ([DELIVERED], {}, f"The test was sound, and only {SHOWS}"),
        (
            [check("truncated_responses", models=("c",))],
            {},
            f"The test was sound but for c (answers were cut off before their end), and only {SHOWS}",
        ),
        (
            [DELIVERED],
            {"finished": False},
            f"No check fails, but do not rely on the figures: the run is not complete. Only {SHOWS}",
        ),
        (
            [check("concept_named")],
            {},
            "Do not rely on the figures, because the test was not sound: the questions do not say which concept is "
            f"meant. Only {SHOWS}",
        ),
    ],
)
def test_a_run_of_simulated_models_alone_is_a_demonstration(checks, more, said):
    found = conclude(checks, THREE, simulated=THREE, demonstration=True, **more)
    assert found.sentence == said
    assert not found.reliable and "you can rely" not in said


@pytest.mark.parametrize(
    ("simulated", "said"),
    [
        (("a",), "a is simulated, and says nothing about a real model."),
        (("a", "b"), "a and b are simulated, and say nothing about a real model."),
    ],
)
def test_beside_real_models_it_is_said_of_the_simulated_ones_alone(simulated, said):
    found = conclude([DELIVERED], THREE, simulated=simulated)
    assert found.sentence == f"{conclude([DELIVERED], THREE).sentence} {said}" and found.reliable


@pytest.mark.parametrize(
    ("models", "unjudged", "aliases", "simulated", "demonstration"),
    [
        (["simulated/steady"], (), {}, ("simulated/steady",), True),
        (["simulated/steady?name=twin"], (), {}, ("simulated/steady?name=twin",), True),
        (["simulated/steady", "openai/x"], (), {}, ("simulated/steady",), False),
        (["simulated/steady"], ("openai/x",), {}, ("simulated/steady",), False),
        (["ours"], (), {"ours": "simulated/fading"}, ("ours",), True),
        (["simulated/steady"], (), {"simulated/steady": "openai/x"}, (), False),
        (["openai/x"], (), {}, (), False),
    ],
)
def test_what_a_run_examined_says_whether_it_is_a_demonstration(models, unjudged, aliases, simulated, demonstration):
    found = conclusion(examined(*models, unjudged=unjudged, aliases=aliases))
    assert (found.simulated, found.demonstration) == (simulated, demonstration)


def test_of_several_runs_one_with_a_real_model_makes_them_no_demonstration():
    made_up, real = examined("simulated/steady"), replace(examined("openai/x"), path=Path("runs/b"))
    assert conclusion_of([made_up, replace(made_up, path=Path("runs/b"))]).demonstration
    found = conclusion_of([made_up, real])
    assert not found.demonstration and found.simulated == ("simulated/steady",)


def test_of_runs_that_are_not_alike_no_figure_is_said_to_be_relied_on():
    mixed = examined("simulated/steady", "openai/x")
    assert (
        "you can rely" in qualified("No order.", [mixed])
        and qualified("No order.", [mixed], alike=False) == "No order."
    )
    broken = replace(mixed, read_checks=lambda: (check("concept_named"),))
    assert qualified("No order.", [broken], alike=False) == qualified("No order.", [broken])


def examined(*models, unjudged=(), aliases=None):
    made = run("runs/a", *models)
    profiles = [SimpleNamespace(model=model, any_interval=True) for model in models]
    return replace(made, profiles=profiles, unjudged=unjudged, manifest={**made.manifest, "aliases": aliases or {}})


def test_json_says_plainly_whether_to_rely_on_the_figures():
    still = conclude([], THREE, unvarying_judges=(reason("constant_score", judges="x/a", score="FAR"),))
    unsound = conclude([check("concept_named")], THREE)
    assert [each.as_dict()["reliable"] for each in (conclude([], THREE), still, unsound)] == [True, False, False]


def test_the_conclusion_is_data_too():
    found = conclude([check("truncated_responses", models=("c",))], THREE, simulated=("a",))
    assert found.as_dict() == {
        "reliable": True,
        "state": "sound in part",
        "checks": ["truncated_responses"],
        "but_for": ["c"],
        "reservations": [],
        "simulated": ["a"],
        "demonstration": False,
        "lone_judge": False,
        "sentence": found.sentence,
    }
