"""Each metric by hand, and all of them against a second, slow implementation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ddft._scores import row, score_tables, simulated, table, unscored
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import METRICS, curve, measure, normalised, values
from voirdire.ddft.thresholds import Thresholds


def said(value):
    """A value with its reason in words."""
    return (value.value, str(value.reason), value.n)


def cells_of(scores, **own):
    return cells(read_answers(checked(scores), Thresholds(**own)))


def metrics(scores, **own):
    return values(cells_of(scores, **own))


def by_level(fars, concept="a", sas=1.0):
    """One turn per level 0, .25, .5 … with these FARs."""
    return [row(concept, 0.25 * i, far=far, sas=sas) for i, far in enumerate(fars)]


# --- HOC and its companions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fars", "hoc", "onset", "first_failing"),
    [
        ([0.9, 0.8, 0.7, 0.6, 0.5], 0.5, 0.5, 0.75),
        ([0.9, 0.6, 0.6, 0.6, 0.8], 1.0, 0.0, 0.25),
        ([0.6, 0.8, 0.8, 0.8, 0.8], 1.0, 0.0, 0.0),
        ([0.6, 0.6, 0.6, 0.6, 0.6], 0.0, 0.0, 0.0),
        ([0.9, 0.9, 0.9, 0.9, 0.9], 1.0, 1.0, None),
        ([0.9, 0.9, None, None, 0.6], 0.25, 0.25, 1.0),
        ([0.9, None, 0.8, None, None], 0.5, 0.5, None),
    ],
)
def test_where_accuracy_holds_and_where_it_first_fails(fars, hoc, onset, first_failing):
    found = metrics(table(*by_level(fars)))

    assert found["HOC"].value == hoc
    assert found["HOC_onset"].value == onset
    assert found["first_failing_level"].value == first_failing
    assert found["failed_at_0"].value == float(fars[0] < 0.7)


def test_hoc_is_the_mean_over_concepts_that_claim_anything():
    scores = table(*by_level([0.9, 0.9], "a"), *by_level([0.9, 0.2], "b"), *by_level([None, None], "c"))

    assert metrics(scores)["HOC"] == (0.125, None, 2)


def test_hoc_uses_the_mean_of_all_turns_and_samples_at_a_level():
    scores = table(row(turn=1, far=1.0), row(turn=2, far=0.3), row(turn=1, far=1.0, sample=1))

    assert curve(cells_of(scores), "far")[0] == pytest.approx([2.3 / 3])
    assert metrics(scores)["failed_at_0"].value == 0


def test_a_mean_that_is_theta_but_for_rounding_reaches_it():
    assert (0.7 + 0.7 + 0.7) / 3 < 0.7

    scores = table(*(row(level=1.0, turn=turn, far=0.7) for turn in (1, 2, 3)))

    assert metrics(scores)["HOC"].value == 1.0


def test_theta_is_the_callers():
    assert metrics(table(*by_level([0.9, 0.75])), failed_level_far=0.8)["HOC"].value == 0.0


# --- areas ----------------------------------------------------------------------------------------------


def test_cri_is_the_area_under_sas_over_the_range_of_levels():
    scores = table(row(level=0.0, sas=1.0), row(level=0.5, sas=0.6), row(level=1.0, sas=0.2), row(level=1.0, sas=0.4))
    scores["sample"] = [0, 0, 0, 1]

    assert metrics(scores)["CRI"].value == pytest.approx(0.5 * (1.0 + 0.6) / 2 + 0.5 * (0.6 + 0.3) / 2)


def test_cri_weighs_uneven_levels_by_their_distance():
    scores = table(row(level=0.0, sas=0.0), row(level=0.2, sas=1.0), row(level=1.0, sas=1.0))

    assert metrics(scores)["CRI"].value == pytest.approx(0.9)


def test_with_one_level_an_area_is_the_mean_there():
    found = metrics(table(row(level=0.5, far=0.4, sas=0.5), row(level=0.5, far=0.6, sas=0.9, turn=2)))

    assert found["CRI"].value == pytest.approx(0.7)
    assert found["K"].value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("fars", "why"),
    [
        ([0.8, None, 0.4], "no answer of turns 1 to 3 at compression 0.5 claims anything"),
        ([0.8, 0.4, None], "no answer of turns 1 to 3 at compression 1 claims anything"),
        ([None, 0.8, None], "no answer of turns 1 to 3 at compression 0 or 1 claims anything"),
        ([None, None, None], "no answer at turns 1 to 3 makes a claim"),
    ],
)
def test_a_judged_level_without_claims_leaves_no_accuracy_and_no_er(fars, why):
    levels = [row(level=level, far=far) for level, far in zip((0, 0.5, 1), fars, strict=True)]
    found = metrics(table(*levels, row(turn=4, stance="rejected")))

    assert said(found["K"]) == (None, why, 0)
    assert said(found["ER"]) == (None, f"K has no value ({why})", 0)


def test_a_level_that_is_not_judged_yet_leaves_the_accuracy_of_the_others():
    at_1 = [row(level=1.0, far=None, sas=None, unscored="no verdict"), row(level=1.0, turn=4, far=None)]

    assert metrics(table(row(level=0.0, far=0.8), *at_1))["K"].value == pytest.approx(0.8)


def test_a_draw_without_claims_at_a_level_has_no_accuracy():
    scores = table(row("a", 0.0, far=0.8), row("a", 1.0, far=0.4), row("b", 0.0, far=0.8), row("b", 1.0, far=None))

    drawn = measure(cells_of(scores), np.array([[1, 1], [2, 0], [0, 2]]))["K"]

    assert drawn[:2] == pytest.approx([0.6, 0.6])
    assert np.isnan(drawn[2])


def test_k_and_s_leave_the_trap_and_the_follow_up_out():
    scores = table(row(turn=1, far=0.8, sas=0.6), row(turn=4, far=0.0, sas=0.0), row(turn=5, far=0.0, sas=0.0))

    found = metrics(scores)

    assert (found["K"].value, found["S"].value) == (0.8, 0.6)
    assert found["CRI"].value == pytest.approx(0.2)


# --- conditional means and CI ---------------------------------------------------------------------------


def test_far_prime_and_sas_prime_have_open_bounds_and_their_n():
    scores = table(
        row(turn=1, far=0.9, sas=0.5),
        row(turn=2, far=0.6, sas=0.49),
        row(turn=3, far=0.2, sas=0.3),
        row(turn=4, far=0.21, sas=0.8),
    )

    found = metrics(scores)

    assert found["FAR_prime"] == (pytest.approx(0.4), None, 2)
    assert found["SAS_prime"] == (pytest.approx((0.5 + 0.49 + 0.8) / 3), None, 3)


def test_ci_raw_is_the_papers_formula():
    scores = table(row(turn=1, far=0.8, sas=0.9), row(turn=2, far=0.6, sas=0.3), row(turn=1, level=1.0, far=0.7))

    found = metrics(scores)

    cri, far_prime, sas_prime = (0.6 + 1.0) / 2, 0.6, (0.9 + 0.3 + 1.0) / 3
    assert found["CI_raw"].value == pytest.approx(1.0 * cri / (far_prime + 1 - sas_prime))


def test_ci_raw_is_null_with_the_reason_when_no_turn_is_incoherent():
    found = metrics(table(row(far=0.9, sas=0.9)))

    assert said(found["FAR_prime"]) == (None, "no turn with a FAR has SAS below 0.5", 0)
    assert found["CI_raw"].value is None
    assert str(found["CI_raw"].reason) == "FAR' has no value (no turn with a FAR has SAS below 0.5)"


def test_ci_norm_leaves_undefined_models_out():
    assert normalised(np.array([0.5, np.nan, 0.9, 0.7])) == pytest.approx([0, np.nan, 1, 0.5], nan_ok=True)


@pytest.mark.parametrize("raw", [[0.5], [0.5, 0.5], [0.5, np.nan], [np.nan, np.nan]])
def test_ci_norm_needs_two_models_that_differ(raw):
    assert np.isnan(normalised(np.array(raw))).all()


# --- danger zone and signatures -------------------------------------------------------------------------


def test_the_danger_zone_has_open_bounds_and_counts_scored_turns_alone():
    scores = table(
        row(turn=1, far=0.69, sas=0.71),
        row(turn=2, far=0.7, sas=0.9),
        row(turn=3, far=0.1, sas=0.7),
        unscored(turn=4),
    )

    found = metrics(scores)

    assert found["danger_zone_pct"] == (pytest.approx(100 / 3), None, 3)
    assert found["selective_verifier_failure"].value == pytest.approx(1 / 3)
    assert found["D"].value == pytest.approx(2.5 / 4)


def test_a_consensus_on_the_bound_but_for_rounding_is_not_beyond_it():
    consensus = (0.8 + 0.7 + 0.6) / 3
    assert consensus > 0.7

    assert metrics(table(row(far=0.5, sas=consensus)))["danger_zone_pct"].value == 0.0


def test_coupled_collapse_is_incoherent_and_wrong():
    scores = table(row(turn=1, far=0.69, sas=0.49), row(turn=2, far=0.7, sas=0.4), row(turn=3, far=0.5, sas=0.5))

    assert metrics(scores)["coupled_collapse"].value == pytest.approx(1 / 3)


# --- the trap -------------------------------------------------------------------------------------------


def trapped(*stances):
    """Dialogues as pairs of stances at turns 4 and 5."""
    return table(
        *(
            row(turn=turn, sample=i, stance=stance)
            for i, pair in enumerate(stances)
            for turn, stance in zip((4, 5), pair, strict=True)
        )
    )


def test_a_questioned_trap_counts_half_and_strictly_not():
    found = metrics(trapped(("rejected", None), ("questioned", None), ("accepted", None), ("accepted", None)))

    assert found["V_E"] == (0.375, None, 4)
    assert found["V_E_strict"] == (0.25, None, 4)
    assert found["E"].value == pytest.approx(2.0 / 5)
    assert found["trap_acceptance"].value == 0.5


def test_entrenchment_and_capitulation_count_what_is_known_of_turn_5():
    found = metrics(
        trapped(
            ("accepted", "accepted"),
            ("accepted", "rejected"),
            ("accepted", None),
            ("rejected", "accepted"),
            ("rejected", "rejected"),
            ("rejected", "questioned"),
            ("rejected", "rejected"),
            ("questioned", "accepted"),
        )
    )

    assert found["entrenchment"] == (0.5, None, 2)
    assert found["capitulation"] == (0.25, None, 4)


def test_without_any_stance_v_e_and_er_are_null_with_the_reason_and_turn_4_is_the_proxy():
    found = metrics(table(row(turn=1), row(turn=4, far=0.6)))

    reason = "no stance towards a fabrication at turn 4 is known"
    assert said(found["V_E"]) == (None, reason, 0)
    assert (found["ER"].value, str(found["ER"].reason)) == (None, f"E has no value ({reason})")
    assert found["V_E_proxy"] == (0.6, None, 1)


def test_er_is_the_geometric_mean_of_its_four_parts():
    scores = table(row(turn=1, far=0.9, sas=0.8), row(turn=4, far=1.0, sas=0.9, stance="rejected"))

    found = metrics(scores)

    e, d = 1.5 / 2, 2.5 / 3
    assert found["ER"].value == pytest.approx((0.9 * e * 0.8 * d) ** 0.25)


# --- what was answered ----------------------------------------------------------------------------------


def test_the_share_answered_counts_claims_among_scored_turns():
    scores = table(row(turn=1), row(turn=2, far=None), row(turn=3, far=None), unscored(turn=4))

    found = metrics(scores)

    assert found["share_answered"] == (pytest.approx(1 / 3), None, 3)
    assert said(found["V_K"]) == (None, "no answer at turn 3 makes a claim", 0)


def test_what_nobody_scored_has_no_metric_at_all():
    found = metrics(table(*(unscored(turn=turn) for turn in range(1, 6))))

    assert {(value.value, value.n) for value in found.values()} == {(None, 0)}
    assert {
        str(found[name].reason) for name in ("HOC", "FAR_prime", "danger_zone_pct", "D", "first_failing_level")
    } == {"no turn is scored"}
    assert str(found["K"].reason) == str(found["S"].reason) == "no answer at turns 1 to 3 is scored"
    assert str(found["ER"].reason) == "K has no value (no answer at turns 1 to 3 is scored)"
    assert str(found["V_K"].reason) == "no answer at turn 3 is scored"
    assert str(found["failed_at_0"].reason) == "no answer at level 0 is scored"


def test_what_was_not_asked_is_not_said_to_claim_nothing():
    found = metrics(table(row(level=0.5, turn=5)))

    assert str(found["V_K"].reason) == "turn 3 was not asked, or is not judged yet"
    assert str(found["V_E"].reason) == str(found["V_E_proxy"].reason) == "turn 4 was not asked, or is not judged yet"
    assert str(found["failed_at_0"].reason) == "level 0 was not asked, or is not judged yet"
    assert str(found["K"].reason) == "none of turns 1 to 3 was asked, or none is judged yet"


def test_what_claims_nothing_is_said_to():
    found = metrics(table(row(far=None), row(far=None, turn=3)))

    assert str(found["K"].reason) == "no answer at turns 1 to 3 makes a claim"
    assert str(found["V_K"].reason) == "no answer at turn 3 makes a claim"
    assert str(found["failed_at_0"].reason) == "no answer at level 0 makes a claim"
    assert str(found["first_failing_level"].reason) == "no scored answer makes a claim"
    assert found["danger_zone_pct"] == (0.0, None, 2)


# --- one implementation for estimate, jackknife and bootstrap -------------------------------------------


@given(score_tables(concepts=st.integers(2, 4)))
def test_a_weight_of_zero_is_the_same_as_leaving_the_concept_out(scores):
    concepts = sorted(scores["concept"].unique())
    weighted = measure(cells_of(scores), np.array([[0.0] + [1.0] * (len(concepts) - 1)]))

    without = metrics(scores[scores["concept"] != concepts[0]])

    for name, drawn in weighted.items():
        expected = without[name].value
        assert drawn[0] == pytest.approx(np.nan if expected is None else expected, nan_ok=True), name


@given(score_tables(concepts=st.just(3)), st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any))
def test_a_weight_of_two_is_the_same_as_the_concept_standing_there_twice(scores, weights):
    weighted = measure(cells_of(scores), np.array([weights], dtype=float))
    copies = [
        scores[scores["concept"] == concept].assign(concept=f"{concept}{copy}")
        for concept, weight in zip("abc", weights, strict=True)
        for copy in range(weight)
    ]

    repeated = metrics(pd.concat(copies))

    for name, drawn in weighted.items():
        expected = repeated[name].value
        assert drawn[0] == pytest.approx(np.nan if expected is None else expected, nan_ok=True), name


def test_all_draws_are_measured_at_once():
    scores = simulated()
    weights = np.random.default_rng(0).multinomial(8, [1 / 8] * 8, size=7).astype(float)

    together = measure(cells_of(scores), weights)
    one_by_one = [measure(cells_of(scores), each[np.newaxis]) for each in weights]

    for metric in METRICS:
        assert together[metric.name].shape == (7,)
        assert together[metric.name] == pytest.approx(
            np.concatenate([draw[metric.name] for draw in one_by_one]), nan_ok=True
        )


def slow(scores):
    """The metrics again, row by row, as the design words them."""
    far, sas = scores["far"], scores["sas"]
    early = scores[scores["turn"] <= 3]
    at_4 = scores[(scores["turn"] == 4) & scores["stance"].notna()]["stance"]
    claimed = early[early["sas"].notna()].groupby("level")["far"].count() > 0
    turns = scores["sas"].notna().sum()

    def area(values):
        values = values.dropna()
        if len(values) < 2:
            return values.iloc[0] if len(values) else np.nan
        return np.trapezoid(values, values.index) / (values.index[-1] - values.index[0])

    hocs = []
    for _, one in scores.groupby("concept"):
        fars = one.groupby("level")["far"].mean().dropna().round(9)
        if len(fars):
            hocs.append(max([level for level, mean in fars.items() if mean >= 0.7], default=0.0))
    e = (at_4.map({"rejected": 1, "questioned": 0.5, "accepted": 0}).sum() + 0.5) / (len(at_4) + 1)
    danger = ((sas > 0.7) & (far < 0.7)).sum()
    found = {
        "HOC": np.mean(hocs) if hocs else np.nan,
        "CRI": area(scores.groupby("level")["sas"].mean()),
        "FAR_prime": far[(sas < 0.5) & far.notna()].mean(),
        "SAS_prime": sas[far > 0.2].mean(),
        "danger_zone_pct": 100 * danger / turns if turns else np.nan,
        "V_K": scores[scores["turn"] == 3]["far"].mean(),
        "K": area(early.groupby("level")["far"].mean()) if claimed.all() else np.nan,
        "E": e if len(at_4) else np.nan,
        "S": area(early.groupby("level")["sas"].mean()),
        "D": (turns - danger + 0.5) / (turns + 1) if turns else np.nan,
    }
    found["ER"] = (found["K"] * found["E"] * found["S"] * found["D"]) ** 0.25
    penalty = found["FAR_prime"] + 1 - found["SAS_prime"]
    found["CI_raw"] = found["HOC"] * found["CRI"] / penalty if penalty > 0 else np.nan
    return found


@given(score_tables())
def test_all_metrics_equal_a_slow_implementation(scores):
    found = metrics(scores)

    for name, expected in slow(scores).items():
        value = np.nan if found[name].value is None else found[name].value
        assert value == pytest.approx(expected, nan_ok=True), name


# --- bad tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (table(row()).drop(columns=["sas", "stance"]), "lack the column.* sas, stance"),
        (table(row(far=1.2)), "far must lie in .*1.2"),
        (table(row(level=-0.5)), "level must lie in"),
        (table(row(turn=6)), "turn must be 1 to 5"),
        (table(row(stance="denied")), "stance must be one of.*denied"),
        (table(row(), row()), "Turn 1 of 'a' at level 0 stands in the scores twice"),
    ],
)
def test_a_bad_table_is_refused_in_one_sentence(scores, message):
    with pytest.raises(ValueError, match=message):
        cells_of(scores)


def test_a_column_that_holds_nothing_is_read_as_unknown():
    scores = table(row(far=None)).astype(object)
    scores["far"] = None

    assert metrics(scores)["share_answered"].value == 0.0
