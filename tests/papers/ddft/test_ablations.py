"""Ablations: the published values, and what is undefined with few models or without a control."""

import json
from dataclasses import replace

import pytest

from tests.ddft.analysis._studies import named, study
from voirdire.ddft.analysis.measures import measure_turns, study_of
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import published_scores
from voirdire.papers.ddft.predictions import check_ablations
from voirdire.reason_codes import reason

HELD, BROKEN, OPEN = "held", "broken", "cannot be decided at this n"


def found(scores, control=None):
    given = None if control is None else study_of(control, draws=300)
    return {each.claim.id: each for each in check_ablations(study_of(scores, draws=300), given)}


@pytest.fixture(scope="module")
def published():
    return found(published_scores())


def test_estimates_are_those_of_the_profiles():
    scores = published_scores()

    values = measure_turns(study_of(scores, draws=5))["CI_raw"]

    assert values.shape == (6, 9)
    assert values[0] == pytest.approx([each.metrics["CI_raw"].value for each in profiles(scores, draws=10)])


def test_the_published_turns_correlate_with_ci_as_table_4_says(published):
    rows = published["turns"].result.table

    assert [row["CI_raw"]["value"] for row in rows] == pytest.approx(
        [-0.533, -0.533, -0.483, -0.817, -0.167], abs=0.0005
    )
    assert [row["CI_raw"]["p_asymptotic"] for row in rows] == pytest.approx(
        [0.139, 0.139, 0.187, 0.007, 0.668], abs=0.0005
    )
    assert rows[3]["CI_raw"]["p"] > rows[3]["CI_raw"]["p_asymptotic"]
    assert [row["turn"] for row in rows] == [1, 2, 3, 4, 5]


def test_leaving_the_turn_out_of_the_index_is_another_number(published):
    row = published["turns"].result.table[3]

    assert row["CI_raw without the turn"]["value"] != row["CI_raw"]["value"]
    assert row["ER"]["value"] is None
    assert row["ER without the turn"]["value"] is not None


def test_three_published_levels_do_not_rank_as_five(published):
    tried = {tuple(row["levels"]): row["tau"] for row in published["levels"].result.table}

    assert published["levels"].value == tried[(0.0, 0.5, 1.0)] == pytest.approx(0.67, abs=0.005)
    assert published["levels"].verdict == BROKEN
    assert len(tried) == 6
    assert all(levels[0] == 0 and levels[-1] == 1 for levels in tried)


def test_published_formulas_and_thetas_rank_differently_too(published):
    additive, largest, er = published["formulas"].result.table
    thetas = {row["theta"]: row for row in published["theta"].result.table}

    assert additive["tau"] == pytest.approx(1.0)
    assert published["formulas"].value == largest["tau"] == pytest.approx(0.78, abs=0.005)
    assert er["tau"] is None
    assert published["theta"].value == thetas[0.8]["tau"] == pytest.approx(0.67, abs=0.005)
    assert thetas[0.8]["HOC_changes_by"] > 0
    assert HELD not in (published["formulas"].verdict, published["theta"].verdict)


def test_without_a_control_the_trap_is_not_examined_and_it_says_how(published):
    assert published["trap"].verdict == OPEN
    assert "--trap none" in published["trap"].note


def ranked(n=6, trap=True, **options):
    """Models far apart in everything; with the trap, turn 4 goes with their rank, without it with nothing."""

    def far(model, concept, level, turn):
        if turn == 4 and not trap:
            return 0.9
        return 0.72 + 0.04 * model

    return study(
        named(n), far=far, sas=lambda model, concept, level, turn: 0.42 if turn == 2 else 0.55 + 0.07 * model, **options
    )


def test_models_far_apart_are_ranked_alike_by_fewer_levels_and_other_formulas():
    scores = study(
        named(4),
        far=lambda model, *_: 0.9,
        sas=lambda model, concept, level, turn: 0.42 if turn == 2 else 0.55 + 0.12 * model,
        noise=0.005,
    )
    decided = found(scores)

    assert decided["levels"].verdict == decided["formulas"].verdict == HELD
    assert decided["levels"].value == decided["formulas"].value == pytest.approx(1)


def test_replacing_the_trap_is_compared_in_far_and_in_the_correlation():
    decided = found(ranked(), ranked(trap=False, seed=1))["trap"]

    per_model = {row["model"]: row["FAR_4_higher_without"] for row in decided.result.table if "model" in row}
    assert per_model["model-0"] == pytest.approx(0.18, abs=0.03)
    assert per_model["model-5"] == pytest.approx(-0.02, abs=0.03)
    assert decided.result.table[0]["value"] == pytest.approx(1)
    assert decided.interval is not None
    assert "turn 4's FAR changes by 0.08" in decided.note


def test_a_trap_that_alone_makes_turn_4_tell_holds():
    """Without the trap, turn 4 ranks the models in an order that has nothing to do with their rank by CI."""
    order = [3, 5, 1, 6, 2, 4]

    def control(model, concept, level, turn):
        return 0.75 + 0.03 * order[model] if turn == 4 else 0.72 + 0.04 * model

    shape = {"sas": lambda model, concept, level, turn: 0.42 if turn == 2 else 0.55 + 0.07 * model}
    decided = found(ranked(), study(named(6), far=control, seed=2, noise=0.001, **shape))["trap"]

    assert decided.verdict == HELD
    assert decided.value > 0.3


def test_other_models_in_the_control_are_no_control():
    control = ranked(trap=False).replace({"model": {name: f"other-{name}" for name in named(6)}})

    assert "No model" in found(ranked(), control)["trap"].note


def test_a_control_is_the_same_model_whatever_its_name_has_in_brackets():
    """Efforts of one model are two models; a run that stands behind a name is not part of it."""
    efforts = {"model-0": "gpt (high)", "model-1": "gpt (low)"}
    trapped, neutral = (study_of(ranked(trap=trap).replace({"model": efforts}), draws=50) for trap in (True, False))
    only_low = neutral.only(["gpt (low)"])
    decided = {each.claim.id: each for each in check_ablations(trapped, only_low)}["trap"]
    assert [row["model"] for row in decided.result.table if "model" in row] == ["all", "gpt (low)"]

    in_a_run = replace(neutral, frames={f"{name} (runs/none)": frame for name, frame in neutral.frames.items()})
    own = {f"{name} (runs/none)": name for name in neutral.models}
    outcomes = check_ablations(trapped, in_a_run, own_names=own)
    decided = next(each for each in outcomes if each.claim.id == "trap")
    assert [row["model"] for row in decided.result.table if "model" in row] == ["all", *trapped.models]


def test_a_control_that_differs_in_more_than_the_trap_decides_nothing():
    trapped, neutral = (study_of(ranked(trap=trap), draws=50) for trap in (True, False))
    outcomes = check_ablations(trapped, neutral, [reason("different_levels"), reason("different_juries")])
    decided = next(each for each in outcomes if each.claim.id == "trap")

    assert (decided.verdict, decided.value) == ("cannot be decided", None)
    assert decided.note.endswith("were held at different levels and judged by different juries.")


def test_one_model_ranks_nothing():
    decided = found(study())

    assert {each.verdict for each in decided.values()} == {OPEN}
    assert "1 model" in decided["turns"].note or "0 models" in decided["turns"].note
    assert json.dumps([dict(row) for each in decided.values() for row in each.result.table], allow_nan=False)


def test_two_levels_leave_nothing_to_drop():
    decided = found(ranked(levels=(0.0, 1.0)))["levels"]

    assert (decided.result.table, decided.value, decided.verdict) == ((), None, OPEN)


def test_of_eleven_levels_only_even_spacings_are_tried():
    decided = found(ranked(levels=[place / 10 for place in range(11)], concepts=3, n=3))["levels"]

    assert [len(row["levels"]) for row in decided.result.table] == [3, 6]
    assert decided.result.table[0]["levels"] == [0.0, 0.5, 1.0]
