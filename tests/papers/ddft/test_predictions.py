"""Predictions: what the published study decides, and studies in which one holds or breaks by construction."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.adapters.examples import examined
from tests.ddft._scores import refusing, row, table, unscored
from tests.ddft.analysis._studies import named, study
from tests.ddft.report.examples import held
from tests.support.refuser import JUDGE, SUBJECT, register_refuser
from voirdire.ddft.analysis.correlates import correlate
from voirdire.ddft.analysis.external_figures import read_figures
from voirdire.ddft.analysis.measures import study_of
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.published import published_scores
from voirdire.documents.document import Table
from voirdire.papers.claims import ClaimVerdict
from voirdire.papers.ddft.decisions import result_of
from voirdire.papers.ddft.predictions import check_predictions, condition, examine_runs, measured_by_the_paper
from voirdire.papers.ddft.report import _prediction
from voirdire.stats.intervals import Interval

HELD, BROKEN, OPEN = "held", "broken", "cannot be decided at this n"


def found(scores):
    return {each.claim.id: each for each in check_predictions(study_of(scores, draws=300))}


@pytest.fixture(scope="module")
def published():
    return found(published_scores())


def test_every_prediction_states_its_condition_its_verdict_and_why(published):
    assert list(published) == ["P1", "M2", "P2", "P3-printed", "P3-meant", "P3-verifier", "P4", "M3"]
    for each in published.values():
        assert each.verdict in (HELD, BROKEN, OPEN)
        assert condition(each.claim) and each.note and each.claim.says and measured_by_the_paper(each.claim)


def test_every_reason_is_data(published):
    reasons = {each.claim.id: [reason.code for reason in each.reasons] for each in published.values()}

    assert reasons["P1"] == ["ddft_predictions.P1.each_has_some"]
    assert reasons["M3"] == ["ddft_predictions.M3.no_figures"]
    assert dict(published["P3-printed"].reasons[0].params)["n"] == 9


def test_in_the_published_study_every_model_has_answers_in_the_danger_zone(published):
    assert published["P1"].verdict == HELD
    assert published["P1"].value == pytest.approx(1.5)
    shares = {row["model"]: row["value"] for row in published["P1"].result.table}
    assert shares["gpt-oss-120b"] == pytest.approx(23.0)


def test_a_model_that_claims_nothing_decides_nothing_about_wrong_answers():
    wrong = study(named(5), far=lambda *_: 0.3, sas=lambda *_: 0.9)
    silent = refusing(concepts="abcdefgh")

    both, alone = found(pd.concat([wrong, silent], ignore_index=True))["P1"], found(silent)["P1"]

    assert both.verdict == HELD and both.value == 100.0
    assert both.note.endswith("Left out because no answer claims anything: refuser.")
    assert [row["model"] for row in both.result.table] == named(5)
    assert (alone.verdict, alone.value, alone.result.table) == (OPEN, None, ())
    assert alone.note == "No scored answer claims anything, so none has a FAR."


def test_a_model_that_claims_nothing_takes_no_part_in_how_far_and_sas_move():
    alone = study(named(2), far=lambda m, c, level, t: 0.9 - 0.5 * level, sas=lambda m, c, level, t: 0.9 - 0.4 * level)
    beside = pd.concat([alone, refusing(concepts="abcdefgh")], ignore_index=True)

    assert found(alone)["M2"].value is not None
    assert found(beside)["M2"].result == found(alone)["M2"].result


def reasons(outcome):
    return [reason.code.removeprefix("ddft_predictions.") for reason in outcome.reasons]


def unjudged(model="unjudged", concepts="abcdefgh"):
    return table(*(unscored(model=model, concept=concept, level=level) for concept in concepts for level in (0.0, 1.0)))


def test_where_no_answer_has_a_far_each_prediction_on_it_says_so():
    silent, nothing = found(refusing()), found(unjudged())

    for name in ("P1", "M2", "P2", "P4"):
        assert reasons(silent[name]) == ["shared.nothing_claimed"]
        assert reasons(nothing[name]) == ["shared.nothing_scored"]


def test_a_model_without_a_scored_answer_is_left_out_of_p1_by_name():
    wrong = study(named(5), far=lambda *_: 0.3, sas=lambda *_: 0.9)
    decided = found(pd.concat([wrong, unjudged()], ignore_index=True))["P1"]

    assert decided.verdict == HELD
    assert decided.note.endswith("Left out because no answer is scored: unjudged.")


def test_p2_counts_models_with_a_value_and_names_the_others():
    whole = study(named(2), far=lambda model, concept, level, turn: 0.95 - 0.6 * level)
    begun = table(row("a", 0.5, model="begun"))
    one, two = whole[whole["model"] == "model-0"], whole
    beside_one, beside_two = (found(pd.concat([some, begun], ignore_index=True))["P2"] for some in (one, two))

    assert reasons(beside_one) == ["P2.moved", "P2.left_out"]
    assert [line["model"] for line in beside_one.result.table] == ["model-0", "begun"]
    assert "That is the mean of 2 models; alone, it holds in 2 of them" in beside_two.note
    assert beside_two.note.endswith("Left out because no concept has both scores at two levels: begun.")
    assert beside_two.value == found(two)["P2"].value


def test_in_p2_the_columns_subtract_and_the_row_of_all_is_the_mean_of_the_models():
    scores = study(
        named(2),
        far=lambda model, concept, level, turn: 0.95 - (0.1 + 0.05 * concept) * level * (model + 1),
        sas=lambda model, concept, level, turn: 0.9 - 0.02 * concept * level,
    )
    lacking = (scores["model"] == named(2)[1]) & scores["concept"].isin(["f", "g", "h"]) & (scores["level"] > 0)
    every, *models = found(scores.assign(far=scores["far"].mask(lacking)))["P2"].result.table

    for each in (every, *models):
        assert each["difference"] == pytest.approx(each["FAR_falls"] - each["SAS_falls"])
    for column in ("FAR_falls", "SAS_falls", "difference"):
        assert every[column] == pytest.approx(np.mean([row[column] for row in models]))
    assert every["difference_interval"] is not None


def test_p2_follows_both_scores_over_the_same_levels():
    """At the last level no answer has a FAR, and SAS falls there alone."""
    scores = study(
        named(1),
        far=lambda model, concept, level, turn: 0.9 - 0.2 * level,
        sas=lambda model, concept, level, turn: 0.9 - 0.2 * level - 0.4 * (level == 1),
        noise=0,
    )
    (row,) = found(scores.assign(far=scores["far"].mask(scores["level"] == 1)))["P2"].result.table

    assert row["difference"] == pytest.approx(0, abs=1e-6)
    assert row["SAS_falls"] == pytest.approx(0.2)


def test_a_model_that_answers_little_takes_no_part_in_p2():
    whole = study(named(2), far=lambda model, concept, level, turn: 0.95 - 0.6 * level)
    silent = (whole["model"] == named(2)[1]) & (whole["turn"] > 2)
    scores = whole.assign(no_claims=whole["no_claims"] | silent, far=whole["far"].mask(silent))
    beside, alone = found(scores)["P2"], found(scores[scores["model"] == named(2)[1]])["P2"]

    assert reasons(beside) == ["P2.moved", "P2.left_out_few"]
    assert beside.value == pytest.approx(beside.result.table[0]["difference"])
    assert (alone.verdict, alone.value, reasons(alone)) == (OPEN, None, ["P2.left_out_few"])


def test_p2_names_what_an_interval_or_a_value_lacks():
    def p2(**given):
        return reasons(found(study(noise=0, **given))["P2"])

    assert p2(models=named(2), levels=(0.5,)) == ["P2.one_level"]
    assert p2(concepts=2) == ["P2.few_concepts"]
    assert p2() == ["P2.falls_alike"]
    turns_at_one_level = [row(concept, "ab".index(concept) / 2) for concept in "ab"]
    assert reasons(found(table(*turns_at_one_level))["P2"]) == ["P2.no_concept"]


def test_m2_names_what_a_correlation_lacks():
    missing = [row(concept, level, far=None if level else 0.5) for concept in "abc" for level in (0.0, 0.5, 1.0)]

    assert reasons(found(study(levels=(0.0, 1.0)))["M2"]) == ["M2.too_few_levels"]
    assert reasons(found(study(noise=0))["M2"]) == ["M2.scores_alike"]
    assert reasons(found(table(*missing))["M2"]) == ["M2.level_without_score"]


def test_p4_names_what_a_comparison_of_concepts_lacks():
    each_its_own = pd.concat(
        [study(["m"], concepts=1), study(["n"], concepts=1).assign(concept="b")], ignore_index=True
    )

    assert reasons(found(study(concepts=1))["P4"]) == ["P4.one_concept"]
    assert reasons(found(each_its_own)["P4"]) == ["P4.one_concept_each"]
    assert reasons(found(study(levels=(0.5,)))["P4"]) == ["P4.few_dialogues"]
    assert reasons(found(study(noise=0))["P4"]) == ["P4.no_spread"]


def test_p4_of_one_dialogue_a_concept_has_no_value():
    decided = found(study(levels=(0.5,)))["P4"]
    dialogues, turns = decided.result.table
    assert (decided.value, dialogues["eta_squared"]) == (None, None) and turns["eta_squared"] is not None
    assert decided.note.startswith("Not measured: too few dialogues share a concept")


def test_the_falls_of_p2_have_a_digit_more_than_their_difference():
    p2 = found(study(far=lambda model, concept, level, turn: 0.95 - 0.6 * level, noise=0.05))["P2"]
    (table,) = (block for block in _prediction(p2).blocks if isinstance(block, Table))
    for shown in table.rows:
        far, sas, difference = (shown[key].shown for key in ("FAR falls by", "SAS falls by", "difference"))
        assert [len(text.partition(".")[2]) for text in (far, sas, difference)] == [4, 4, 3]


def test_the_published_levels_load_nothing(published):
    assert published["P2"].verdict == OPEN
    assert "neither" in published["P2"].note
    assert published["M2"].verdict == OPEN


def test_the_published_correlation_of_turn_4_holds_as_printed_and_contradicts_what_is_meant(published):
    assert published["P3-printed"].value == pytest.approx(-0.817, abs=0.0005)
    assert (published["P3-printed"].verdict, published["P3-meant"].verdict) == (HELD, BROKEN)
    assert "more accurate answers to the fabrication go with a lower CI" in published["P3-printed"].note
    assert published["P3-verifier"].verdict == OPEN
    assert "stance" in published["P3-verifier"].note


def test_the_published_domains_are_the_papers_anova_and_negligible(published):
    dialogues, turns = published["P4"].result.table

    assert turns["F"] == pytest.approx(0.99, abs=0.005)
    assert turns["p"] == pytest.approx(0.44, abs=0.005)
    assert turns["eta_squared"] == pytest.approx(0.004, abs=0.0005)
    assert dialogues["df_within"] == 360 - 9 - 7
    assert published["P4"].verdict == HELD


def test_a_model_without_danger_zone_answers_leaves_p1_open_or_breaks_it_with_enough_turns():
    few, many = study(concepts=3), study(concepts=12, levels=np.linspace(0, 1, 11))

    assert found(few)["P1"].verdict == OPEN
    assert found(many)["P1"].verdict == BROKEN


def test_p1_leaves_a_model_that_answers_little_out_of_its_verdict_and_shows_its_share_of_fluent_answers():
    seldom = study(named(1), far=lambda *_: 0.3, sas=lambda *_: 0.9)
    silent = seldom["turn"] > 2
    seldom = seldom.assign(no_claims=silent, far=seldom["far"].mask(silent))

    outcome = found(seldom)["P1"]

    assert (outcome.verdict, outcome.value) == (OPEN, None)
    assert "answer too little" in outcome.note
    (row,) = outcome.result.table
    assert (row["value"], row["of_fluent"]) == (40.0, 100.0)


@pytest.mark.parametrize(("models", "verdict"), [(1, OPEN), (4, OPEN), (5, HELD)])
def test_p1_says_nothing_of_every_model_from_fewer_than_five(models, verdict):
    outcome = found(study(named(models), far=lambda *_: 0.3, sas=lambda *_: 0.9))["P1"]

    assert outcome.verdict == verdict
    assert outcome.note.startswith(f"Each of {models} model")


def test_p4_has_no_interval_where_its_estimate_lies_above_it_and_says_why():
    few = study(named(1), levels=(0.0,), far=lambda model, concept, *_: 0.2 + 0.1 * concept)
    few = pd.concat([few, few.iloc[:5].assign(sample=1, far=0.5)], ignore_index=True)

    decided = found(few)["P4"]

    assert decided.value > 0.5 and decided.result.interval is None
    assert [reason.code.partition(".")[2] for reason in decided.reasons] == ["P4.anova", "P4.no_interval"]


def test_a_run_that_fails_validity_checks_opens_with_the_caution_that_compare_has(tmp_path):
    run = examined(tmp_path / "run", "simulated/steady", preset="as-run", concepts="recursion", levels="0")

    first, *_ = examine_runs([run]).cautions

    assert (first,) == read_runs([run]).unsound
    assert "validity check" in first and "because the test was not sound" in first


def test_percentages_have_one_decimal_in_words():
    outcome = found(study(named(1), far=lambda *_: 0.3, sas=lambda *_: 0.9))["P1"]

    assert _prediction(outcome).blocks[0].text.startswith("cannot be decided at this n: 100.0 (")


def test_an_interval_that_does_not_hold_its_value_is_left_out_with_a_reason():
    result = result_of(1.0, Interval(0.2, 0.9, 0.95, "percentile"), (ClaimVerdict.OPEN, ()))

    assert result.interval is None
    assert [str(reason) for reason in result.reasons] == [
        "The value says little, and has no interval: draws of the concepts give others."
    ]


def test_falling_accuracy_with_steady_coherence_holds_p2_and_m2():
    scores = study(far=lambda model, concept, level, turn: 0.95 - 0.6 * level, noise=0.05)
    decided = found(scores)

    assert decided["P2"].verdict == decided["M2"].verdict == HELD
    assert decided["P2"].value == pytest.approx(0.6, abs=0.05)


def test_coherence_that_falls_more_breaks_p2():
    scores = study(sas=lambda model, concept, level, turn: 0.95 - 0.6 * level, noise=0.05)

    assert found(scores)["P2"].verdict == BROKEN


def test_accuracy_that_rises_breaks_p2():
    scores = study(far=lambda model, concept, level, turn: 0.5 + 0.4 * level, noise=0.05)
    decided = found(scores)["P2"]

    assert decided.verdict == BROKEN
    assert "rises" in decided.note


def test_a_model_that_does_not_move_leaves_p2_open_though_its_accuracy_rises_a_little():
    decided = found(
        study(
            far=lambda model, concept, level, turn: 0.8 + 0.02 * level,
            sas=lambda model, concept, level, turn: 0.8 + 0.05 * (-1) ** concept * level,
            noise=0.002,
        )
    )["P2"]

    assert "FAR falls by -0.02" in decided.note
    assert decided.result.interval.high > 0
    assert decided.verdict == OPEN


def test_scores_that_fall_together_break_m2():
    def falling(model, concept, level, turn):
        return 0.9 - 0.5 * level

    scores = study(named(3), far=falling, sas=falling)
    decided = found(scores)["M2"]

    assert decided.verdict == BROKEN
    assert decided.value > 0.9


def verifiers(better, n=7):
    """Models that reject the more traps the later they stand, and whose knowledge rises or falls with that."""
    return study(
        named(n),
        far=lambda model, concept, level, turn: 0.6 + 0.05 * (model if better else n - model) if turn < 4 else 0.8,
        stance=lambda model, concept, level, turn: "rejected" if concept <= model else "accepted",
    )


def test_models_that_reject_more_and_know_more_hold_the_verifier_prediction():
    decided = found(verifiers(better=True))["P3-verifier"]

    assert decided.verdict == HELD
    assert decided.value == pytest.approx(1.0)
    assert decided.result.table[1]["index"].startswith("K")


def test_models_that_reject_more_and_know_less_break_it():
    assert found(verifiers(better=False))["P3-verifier"].verdict == BROKEN


def with_figures(tmp_path, values):
    """M3 on models that are the better the later they stand, with a figure of each."""
    scores = verifiers(better=True)
    table = "model,parameters\n" + "".join(f"{name},{value}\n" for name, value in zip(named(7), values, strict=True))
    (tmp_path / "models.csv").write_text(table)
    figures = read_figures(tmp_path / "models.csv", named(7))
    return {each.claim.id: each for each in check_predictions(study_of(scores, draws=300), correlate(scores, figures))}


def test_a_size_that_goes_with_robustness_breaks_m3(tmp_path):
    decided = with_figures(tmp_path, range(1, 8))["M3"]

    assert (decided.verdict, decided.value) == (BROKEN, pytest.approx(1.0))
    assert decided.note == "parameters goes with it across these models."


def test_a_size_that_goes_with_nothing_is_no_evidence_that_m3_holds(tmp_path):
    decided = with_figures(tmp_path, (4, 1, 7, 3, 6, 2, 5))["M3"]

    assert decided.verdict == OPEN
    assert "would have been found with 80 % power" in decided.note


def test_domains_that_differ_break_p4_and_blocks_keep_differing_models_out_of_it():
    differing = study(named(3), far=lambda model, concept, *_: 0.5 + 0.05 * concept, noise=0.05)
    models_only = study(
        named(3), far=lambda model, *_: 0.5 + 0.2 * model, noise=0.05, concepts=3, levels=np.linspace(0, 1, 11)
    )

    assert found(differing)["P4"].verdict == BROKEN
    assert found(models_only)["P4"].value < 0.1


def test_few_dialogues_without_significance_do_not_hold_p4():
    decided = found(study(concepts=3, levels=(0.0, 1.0), noise=0.05, seed=3))["P4"]

    assert decided.verdict == OPEN
    assert "need not be negligible" in decided.note


def test_one_model_decides_what_is_within_it_and_nothing_across_models():
    decided = found(study(far=lambda model, concept, level, turn: 0.95 - 0.6 * level, noise=0.05))

    for name in ("P3-printed", "P3-meant"):
        assert decided[name].verdict == OPEN
        assert decided[name].value is None
    assert decided["P2"].verdict == HELD


def test_too_few_concepts_give_no_intervals_and_no_verdicts():
    decided = found(study(concepts=2, far=lambda model, concept, level, turn: 0.9 - 0.5 * level))

    assert {decided[name].verdict for name in ("P1", "M2", "P2")} == {OPEN}
    assert decided["P2"].interval is None
    assert decided["P2"].value is not None


def test_one_level_leaves_open_what_is_about_levels():
    decided = found(study(levels=(0.5,)))

    assert decided["P2"].verdict == decided["M2"].verdict == OPEN
    assert decided["P2"].value is None
    assert json.dumps([dict(row) for each in decided.values() for row in each.result.table], allow_nan=False)


def test_models_that_disagree_decide_nothing_in_their_mean_and_are_counted():
    decided = found(
        study(
            named(3),
            far=lambda model, concept, level, turn: 0.95 - (0.8, 0.6, 0.0)[model] * level,
            sas=lambda model, concept, level, turn: 0.95 - (0.0, 0.0, 0.4)[model] * level,
        )
    )["P2"]

    assert decided.result.interval.low > 0
    assert decided.verdict == "cannot be decided"
    assert decided.note.startswith("The models disagree. ")
    assert decided.note.endswith(
        "That is the mean of 3 models; alone, it holds in 2 of them, is broken in 1, and is undecided in 0."
    )


def test_a_mean_that_one_model_makes_says_so():
    decided = found(study(named(3), far=lambda model, concept, level, turn: 0.95 - (0.8, 0, 0)[model] * level))["P2"]

    assert decided.verdict == HELD
    assert "alone, it holds in 1 of them, is broken in 0, and is undecided in 2." in decided.note


def test_a_model_that_claims_nothing_takes_no_part_in_p2():
    alone = study(named(2), far=lambda m, c, level, t: 0.9 - 0.5 * level, sas=lambda m, c, level, t: 0.9 - 0.1 * level)
    beside = pd.concat([alone, refusing(concepts="abcdefgh")], ignore_index=True)

    assert found(beside)["P2"].result == found(alone)["P2"].result


def test_a_model_without_a_claim_is_named_as_left_out_of_all(tmp_path):
    register_refuser()
    path = held(tmp_path / "run", ("simulated/steady", SUBJECT), ("recursion",), jury=(JUDGE,), levels=(0.0,))
    said = "Left out of what follows, since no scored answer claims anything: refusing/subject."
    assert said in examine_runs([path]).cautions
