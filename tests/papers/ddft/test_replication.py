"""The published study recomputed: the verdicts, and that they are computed."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.support.table_2 import TABLE_2
from voirdire.ddft.published import JUDGES, published_turns
from voirdire.papers.ddft import replication
from voirdire.papers.ddft.paper import load_paper
from voirdire.papers.ddft.replication import VERDICTS, UnknownClaimError, check_study, replicate_claim
from voirdire.papers.ddft.study import DRAWS, Study

FIELDS = ["id", "section", "claim", "published", "recomputed", "interval"]
FIELDS += ["n", "definition", "verdict", "note", "why"]
ANOTHER = "reproduced under another definition"

# Claims that only compare numbers of the paper with one another.
ARITHMETIC = {"seven-times", "ten-level-count", "parameters-p", "null-stable", "vendor-p", "mmlu-p"}


@pytest.fixture(scope="module")
def found():
    return replication.replicate()


@pytest.fixture(scope="module")
def elsewhere():
    """A study of another size in which everything came out otherwise."""
    return replication.replicate(_another_study())


def test_table_2_and_the_danger_zone_come_out_as_printed(found):
    assert [row.profile.model for row in found.models] == list(TABLE_2)
    for row in found.models:
        claims = [found.claim(f"{kind}-{row.profile.model.lower()}") for kind in ("table-2", "danger-zone")]
        metrics = row.as_dict()["metrics"]

        assert [claim.verdict for claim in claims] == ["reproduced"] * 2
        assert (
            tuple(round(metrics[name], 3) for name in ("CI_raw", "HOC", "CRI", "FAR_prime", "SAS_prime"))
            == (TABLE_2[row.profile.model][:5])
        )
        assert row.profile.paper_index.phenotype_relative == TABLE_2[row.profile.model][5]
        of_asked = row.profile.n["scored"] / row.profile.n["turns"]
        assert round(metrics["danger_zone_pct"] * of_asked, 1) == TABLE_2[row.profile.model][6]


@pytest.mark.parametrize("turn", range(1, 6))
def test_table_4_comes_out_as_printed(turn, found):
    assert found.claim(f"turn-{turn}-rho").verdict == "reproduced"
    assert found.claim(f"turn-{turn}-p").verdict == "reproduced"
    assert "Over all orders" in found.claim(f"turn-{turn}-p").why


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("p4-anova-f", 0.988),
        ("p4-anova-p", 0.438),
        ("p4-anova-eta", 0.00385),
        ("judge-variance-far", 0.1043),
        ("judge-variance-sas", 0.1451),
        ("judge-variance-clear", 0.0211),
        ("judge-variance-edge", 0.3702),
        ("phenotype-labels", 9),
        ("architecture-r", 0.1527),
    ],
)
def test_these_come_out_under_another_definition(claim, value, found):
    assert found.claim(claim).verdict == ANOTHER
    assert found.claim(claim).value == pytest.approx(value, rel=5e-3)


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("api-calls", 14_400),
        ("concept-named", 0),
        ("trap-length", 43.3),
        ("turn-5-asked", 100),
        ("turn-4-below-half", 6.94),
        ("no-missing", 2),
        ("no-truncation", 72.4),
        ("kappa-far", 0.266),
        ("kappa-sas", 0.355),
        ("theta-080", 0.667),
        ("formula-max", 0.778),
        ("three-levels", 0.667),
        ("turn-3-against-4", 0.45),
        ("turn-3-positive", -0.483),
        ("rejecting-helps", -0.817),
        ("p2-sas-at-0", 0.730),
        ("p2-sas-at-1", 0.752),
        ("p2-far-falls", 0.0267),
        ("haiku-sas", 0.606),
        ("o4-mini-far", 0.841),
        ("table-2-from-mean", 0),
        ("ten-level-count", 11),
        ("mmlu-p", 0.821),
    ],
)
def test_these_do_not_come_out(claim, value, found):
    assert found.claim(claim).verdict == "not reproduced"
    assert found.claim(claim).value == pytest.approx(value, rel=5e-3)
    assert found.claim(claim).why


@pytest.mark.parametrize("claim", ["api-cost", "duration", "ten-levels", "parameters-r", "mmlu-rho", "pilot-variance"])
def test_these_can_not_be_checked_and_say_why(claim, found):
    assert found.claim(claim).verdict == "not checkable"
    assert found.claim(claim).value is None
    assert found.claim(claim).why


def test_the_weights_that_make_the_consensus_are_found(found):
    far, sas = found.claim("consensus-mean-far").why, found.claim("consensus-mean-sas").why

    assert "gpt-5.1 0.25, deepseek-v3.1 0.35, claude-opus-4-1 0.40" in far
    assert "gpt-5.1 0.40, deepseek-v3.1 0.35, claude-opus-4-1 0.25" in sas
    assert "1,799 of the 1,799" in far
    assert "o3 becomes Brittle" in found.claim("table-2-from-mean").why


def test_the_agreement_of_judges_is_given_by_pair_and_as_icc(found):
    assert "By pair 0.15 to 0.49" in found.claim("kappa-far").why
    assert "ICC(2,1) 0.31" in found.claim("kappa-far").why
    assert "ICC(2,1) 0.36" in found.claim("kappa-sas").why


def test_the_methods_name_as_many_bootstraps_as_are_drawn(found):
    assert f"percentiles of {DRAWS:,} bootstraps" in found.claim("gpt-5-rank").definition


def test_a_row_of_few_turns_says_so(found):
    claim = found.claim("table-2-o4-mini")

    assert "rests on 7 turns" in claim.why
    assert claim.interval[0] < 0.914 < claim.interval[1]


def test_every_claim_of_the_record_is_answered_once_in_full(found):
    claims = [claim.as_dict() for claim in found.claims]

    assert [claim["id"] for claim in claims] == list(load_paper().claims)
    assert len(claims) >= 35
    for claim in claims:
        assert list(claim) == FIELDS
        assert claim["verdict"] in VERDICTS
        assert (claim["recomputed"] is None) == (claim["verdict"] == "not checkable")
        assert (claim["definition"] == "") == (claim["verdict"] == "not checkable")
        assert claim["why"] or claim["verdict"] == "reproduced"
        assert claim["interval"] is None or claim["interval"][0] <= claim["interval"][1]


def test_the_result_is_strict_json(found):
    read = json.loads(json.dumps(found.as_dict(), allow_nan=False))

    assert len(read["models"]) == 9
    assert sum(read["counts"].values()) == len(read["claims"])
    assert len(read["curves"]) == 45
    assert all(each["far_low"] < each["far"] < each["far_high"] for each in read["curves"])


def test_an_unknown_claim_is_answered_with_one_like_it(found):
    with pytest.raises(UnknownClaimError, match="did you mean kappa-far"):
        found.claim("kapa-far")


def test_one_claim_alone_is_what_it_is_among_all(found):
    for name in ("table-2-o3", "kappa-far"):
        assert replicate_claim(name).as_dict() == found.claim(name).as_dict()
    with pytest.raises(UnknownClaimError, match="did you mean kappa-far"):
        replicate_claim("kapa-far")


def test_models_under_one_anothers_names_no_longer_give_the_models_numbers():
    turns = published_turns()
    models = sorted(turns["model"].unique())
    renamed = dict(zip(models, models[1:] + models[:1], strict=True))
    study = Study(turns.assign(model=turns["model"].map(renamed)), load_paper())

    verdicts = {each.claim.id: each.verdict for each in check_study(study)}

    assert {verdicts[f"table-2-{model.lower()}"] for model in models} == {"not reproduced"}
    assert verdicts["ranking"] == "not reproduced"
    # Each model keeps its own turns and its own CI.
    assert {verdicts[f"turn-{turn}-{number}"] for turn in range(1, 6) for number in ("rho", "p")} == {"reproduced"}


def test_nothing_recomputed_is_written_down(found, elsewhere):
    unchanged = [
        old.claim.id
        for old, new in zip(found.claims, elsewhere.claims, strict=True)
        if old.value is not None and (old.value, old.interval, old.note) == (new.value, new.interval, new.note)
    ]

    assert set(unchanged) == ARITHMETIC


@pytest.mark.parametrize(
    "claim",
    [
        "concept-named",
        "reference-given",
        "trap-unsignalled",
        "no-truncation",
        "consensus-mean-far",
        "consensus-mean-sas",
        "no-missing",
        "p2-far-falls",
        "p2-verifier-first",
    ],
)
def test_a_study_held_as_the_paper_describes_it_would_be_reproduced_in_that(claim, found, elsewhere):
    assert found.claim(claim).verdict == "not reproduced"
    assert elsewhere.claim(claim).verdict == "reproduced"


def test_a_study_that_came_out_otherwise_is_not_reproduced_in_its_results(elsewhere):
    results = (
        "table-2-",
        "danger-zone-",
        "mean-sas",
        "gpt-5-rank",
        "perfect-hoc",
        "turn-4-rho",
        "turn-4-p",
        "p4-anova-f",
    )

    assert {claim.verdict for claim in elsewhere.claims if claim.claim.id.startswith(results)} == {"not reproduced"}
    json.dumps(elsewhere.as_dict(), allow_nan=False)


def _another_study():
    """Seven concepts, four levels, dialogues that end early, and scores that fall with compression."""
    turns = published_turns()
    turns = turns[(turns["concept"] != "recursion") & (turns["level"] != 0.25)].reset_index(drop=True)
    # Every third dialogue ends before turn 4, every other before turn 5.
    dialogue = turns.groupby(["model", "concept", "level"], sort=False).ngroup()
    turns = turns[(turns["turn"] < 4) | ((dialogue % 3 > 0) & ((turns["turn"] < 5) | (dialogue % 2 > 0)))]
    rng = np.random.default_rng(5)
    rank = turns["model"].map({model: place for place, model in enumerate(reversed(TABLE_2))})
    for score, fall in (("far", 0.35), ("sas", 0.1)):
        fair = (0.97 - fall * turns["level"] - 0.03 * rank + 0.06 * turns["turn"] * (rank - 4) / 4).clip(0.05, 0.95)
        each = pd.DataFrame({judge: (fair + rng.normal(0, 0.3, len(turns))).clip(0, 1) for judge in JUDGES})
        for judge in JUDGES:
            turns[f"{score}_{judge}"] = each[judge]
        turns[score] = each.mean(axis=1).round(4)
    turns.loc[turns["model"] == "gpt-5", ["far", *(f"far_{judge}" for judge in JUDGES)]] = 1.0
    return turns.assign(
        names_concept=1,
        asks=(turns["level"] == 1.0).astype(int),
        giveaway=None,
        question_words=rng.integers(20, 60, len(turns)),
        answer_chars=np.where(dialogue[turns.index] % 5 > 0, turns["answer_chars"] // 10, 0),
    )
