"""Five LLM judges on 360 trials: agreement against figures computed elsewhere, with their definitions."""

import gzip
import json

import numpy as np
import pytest

from tests.published.integrity.real import TRIALS, expected_stats
from voirdire.stats.agreement import gwet_ac, intraclass, krippendorff_alpha, leniency, pairwise, pearson

DIMENSIONS = {"epistemic_integrity": 0, "value_transparency": 1, "overall_score": 2}
SENTINEL = -1  # what the source holds for two replies that could not be parsed


@pytest.fixture(scope="module")
def data():
    with gzip.open(TRIALS, "rt", encoding="utf-8") as file:
        return json.load(file), expected_stats()


def ratings_of(source, name):
    """The scores behind one table: "likert|epistemic_integrity|as_published…"."""
    rubric, dimension, version = name.split("|")

    def score(given):
        if isinstance(given, dict):
            given = given["recovered"] if version.startswith("recovered") else [SENTINEL] * 3
        return given[DIMENSIONS[dimension]]

    return np.array(
        [[score(trial["scores"][rubric][judge]) for judge in source["evaluators"]] for trial in source["trials"]],
        dtype=float,
    )


@pytest.mark.parametrize("name", sorted(expected_stats()["icc_table"]))
def test_every_table_of_agreement_is_reproduced(data, name):
    source, stats = data
    table, within = stats["icc_table"][name], {"abs": stats["tolerance"]}
    ratings = ratings_of(source, name)
    found = intraclass(ratings)
    assert found.icc_2_1.value == pytest.approx(table["ICC(2,1) abs.agreement"], **within)
    assert found.icc_3_1.value == pytest.approx(table["ICC(3,1) consistency"], **within)
    assert found.icc_2_k.value == pytest.approx(table["ICC(2,k) abs.agreement"], **within)
    assert found.icc_3_k.value == pytest.approx(table["ICC(3,k) consistency"], **within)
    alpha = krippendorff_alpha(ratings, "interval", np.arange(360) % 3)
    assert alpha.value == pytest.approx(table["krippendorff_alpha_interval"], **within)
    correlations = pairwise(ratings, pearson)[np.triu_indices(5, k=1)]
    defined = correlations[np.isfinite(correlations)]
    assert len(defined) == table["n_pairs_defined"]
    if table["mean_pairwise_pearson"] is not None:  # in two tables all judges but one are constant
        assert defined.mean() == pytest.approx(table["mean_pairwise_pearson"], **within)
    means = np.array([table["evaluator_means"][judge] for judge in source["evaluators"]])
    others = (means.sum() - means) / 4
    assert [each.value for each in leniency(ratings, np.arange(360) % 3)] == pytest.approx(means - others, abs=0.002)


def test_the_categories_of_binary_and_ternary_scores_agree_as_published(data):
    source, stats = data
    tables = {name: table["nominal"] for name, table in stats["icc_table"].items() if "nominal" in table}
    assert tables
    for name, nominal in tables.items():
        ratings, categories = ratings_of(source, name), np.array(nominal["categories"])
        cuts = tuple((categories[1:] + categories[:-1]) / 2)
        ac1 = gwet_ac(ratings, cuts=cuts, weights=None, clusters=np.arange(360) % 3)
        assert ac1.value == pytest.approx(nominal["gwet_ac1"], abs=stats["tolerance"])
        # With complete ratings, nominal alpha is Fleiss' kappa with its expected disagreement for a finite sample.
        n = ratings.size
        alpha = krippendorff_alpha(ratings, "nominal", np.arange(360) % 3)
        assert 1 - (1 - alpha.value) * n / (n - 1) == pytest.approx(nominal["fleiss_kappa"], abs=stats["tolerance"])


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_what_the_source_calls_icc_2_1_is_icc_3_1(data, dimension):
    source, stats = data
    single, mean = stats["headline"][:2]
    found = intraclass(ratings_of(source, f"likert|{dimension}|as_published"))
    assert found.icc_3_1.value == pytest.approx(single["value"][dimension], abs=stats["tolerance"])
    assert found.icc_2_1.value == pytest.approx(single["true_icc_2_1"][dimension], abs=stats["tolerance"])
    assert found.icc_3_k.value == pytest.approx(mean["value"][dimension], abs=stats["tolerance"])
    assert found.icc_2_k.value == pytest.approx(mean["true_icc_2_k"][dimension], abs=stats["tolerance"])
