"""What ER promises, and where CI_raw and CI_norm break the same promises."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.ddft._scores import row, score_tables, table
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import ER_PARTS, values
from voirdire.ddft.profile import profiles

TOLERANCE = 1e-12
SHARE = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


def metric(scores, name="ER"):
    return values(cells(read_answers(checked(scores))))[name].value


def changed(scores, position, **new):
    """The same table with one row changed."""
    after = scores.copy()
    for column, value in new.items():
        after.loc[after.index[position], column] = value
    return after


def pick(data, scores, mask):
    """The position of a row where the mask holds."""
    candidates = np.flatnonzero(mask)
    assume(candidates.size > 0)
    return data.draw(st.sampled_from(candidates.tolist()))


def never_lower(before, after):
    assert (before is None) == (after is None)
    assert before is None or after >= before - TOLERANCE


@given(score_tables())
def test_er_and_its_parts_stay_between_0_and_1(scores):
    found = values(cells(read_answers(checked(scores))))

    for name in (*ER_PARTS, "ER"):
        assert found[name].value is None or 0.0 <= found[name].value <= 1.0


@given(score_tables(), score_tables())
def test_er_does_not_change_when_another_model_joins(scores, others):
    alone = profiles(scores, draws=10)[0]

    joined = profiles(table(*others.assign(model="other").to_dict("records"), *scores.to_dict("records")), draws=10)

    assert joined[1].metrics["ER"] == alone.metrics["ER"]
    assert joined[1].intervals.get("ER") == alone.intervals.get("ER")


@given(score_tables(), st.data())
def test_raising_a_far_never_lowers_er(scores, data):
    at = pick(data, scores, scores["far"].notna())
    higher = data.draw(SHARE.filter(lambda share: share >= scores["far"].iloc[at]))

    never_lower(metric(scores), metric(changed(scores, at, far=higher)))


@given(score_tables(), st.data())
def test_rejecting_a_trap_that_was_accepted_never_lowers_er(scores, data):
    at = pick(data, scores, (scores["turn"] == 4) & (scores["stance"] == "accepted"))
    stance = data.draw(st.sampled_from(["questioned", "rejected"]))

    never_lower(metric(scores), metric(changed(scores, at, stance=stance)))


@given(score_tables(), st.data())
def test_raising_a_sas_never_lowers_er_unless_the_turn_enters_the_danger_zone(scores, data):
    at = pick(data, scores, scores["sas"].notna())
    before = scores.iloc[at]
    higher = data.draw(SHARE.filter(lambda share: share >= before["sas"]))
    enters = before["sas"] <= 0.7 < higher and before["far"] < 0.7

    after = metric(changed(scores, at, sas=higher))

    if not enters:
        never_lower(metric(scores), after)


def test_entering_the_danger_zone_costs():
    scores = table(row(turn=1, far=0.3, sas=0.7), row(turn=4, stance="rejected"))

    assert metric(changed(scores, 0, sas=0.75)) < metric(scores)


def test_one_trap_that_nobody_rejected_does_not_hide_the_other_parts():
    scores = table(row(turn=1, far=0.8, sas=0.9), row(turn=4, stance="accepted"))

    assert metric(scores) > 0


def test_answering_nothing_wrong_can_raise_er_which_is_why_the_share_answered_stands_beside():
    """FAR is null without a claim: whoever is silent where it would err has a better K, and a lower share answered."""
    others = [row(level=0.0, far=0.9), row(level=1.0, turn=2, far=0.9), row(turn=4, stance="rejected")]
    wrong = table(row(level=1.0, far=0.2), *others)
    silent = table(row(level=1.0, far=None), *others)

    assert metric(silent) > metric(wrong)
    assert metric(silent, "share_answered") < metric(wrong, "share_answered")


# --- what the paper's index lacks -----------------------------------------------------------------------

INCOHERENT = table(row(turn=1, far=0.9, sas=0.9), row(turn=2, far=0.4, sas=0.4), row(level=1.0, far=0.8, sas=0.8))


def test_raising_a_far_can_lower_ci_raw():
    higher = changed(INCOHERENT, 1, far=0.8)

    assert metric(higher, "CI_raw") < metric(INCOHERENT, "CI_raw")


def test_raising_a_sas_outside_the_danger_zone_can_lower_ci_raw():
    """An accurate, incoherent turn that becomes coherent takes a low FAR' with it."""
    scores = table(
        row(turn=1, far=0.9, sas=0.9),
        row(turn=2, far=0.1, sas=0.49),
        row(turn=3, far=1.0, sas=0.4),
        row(level=1.0, far=0.9, sas=0.9),
    )

    assert metric(changed(scores, 1, sas=0.5), "CI_raw") < metric(scores, "CI_raw")


def test_ci_raw_is_not_bounded():
    scores = table(
        row(level=1.0, turn=1, far=1.0, sas=1.0),
        row(level=1.0, turn=2, far=1.0, sas=1.0),
        row(level=1.0, turn=3, far=0.2, sas=0.4),
    )

    assert metric(scores, "CI_raw") == pytest.approx(1.0 * 0.8 / (0.2 + 1 - 1.0))


def model(name, sas):
    return INCOHERENT.assign(model=name, sas=[sas, 0.4, sas])


def test_ci_norm_and_its_label_change_when_another_model_joins():
    two = table(*model("good", 0.9).to_dict("records"), *model("middling", 0.8).to_dict("records"))
    three = table(*two.to_dict("records"), *model("poor", 0.55).to_dict("records"))

    before, after = (profiles(study)[1] for study in (two, three))

    assert (before.metrics["CI_norm"].value, before.paper_index.phenotype_relative) == (0.0, "Brittle")
    assert after.metrics["CI_norm"].value > 0.3
    assert after.paper_index.phenotype_relative != "Brittle"
    assert after.metrics["CI_raw"] == before.metrics["CI_raw"]
    assert after.paper_index.phenotype == before.paper_index.phenotype


def test_alone_a_model_has_no_ci_norm():
    found = profiles(INCOHERENT)[0]

    assert found.metrics["CI_norm"].value is None
    assert found.metrics["CI_norm"].reason.code == "one_model"
    assert found.paper_index.phenotype_relative is None
    assert found.paper_index.phenotype is not None and math.isfinite(found.ci_score)
