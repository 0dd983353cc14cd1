"""Agreement as `agree` reports it equals what other libraries give for the same ratings.

Where ratings are missing there is a counterpart for percent agreement, Fleiss' kappa and Gwet's coefficients (`irrCAC`)
and for Krippendorff's alpha (`krippendorff`). Cohen's kappa (`sklearn`) knows two complete columns only: every pair of
raters is held against it on the items they share. Fleiss' kappa of `statsmodels` and the intraclass correlations of
`pingouin` need complete tables, and are compared on those; with missing scores `pingouin` drops the item or refuses.
"""

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from tests.raters._projects import deduction, labelled_project, scored_project
from voirdire.detectors.records import LABELS
from voirdire.integrity import load_taxonomy
from voirdire.raters.agreement import agree
from voirdire.stats import gwet_ac

BANDS = ("Very Poor", "Poor", "Fair", "Good", "Excellent")
EXACT = 1e-9

# Krippendorff's own example: four observers, twelve units, some missing (Computing Krippendorff's Alpha-Reliability).
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


@st.composite
def tables(draw, top, *, missing, raters=(2, 4)):
    """Numbers from 0 to `top`, a list a rater, `None` where missing; somebody shares an item, and not all are alike."""
    people, items = draw(st.integers(*raters)), draw(st.integers(4, 12))
    number = st.integers(0, top)
    cell = st.none() | number if missing else number
    rows = [[draw(cell) for _ in range(items)] for _ in range(people)]
    counts = [sum(row[n] is not None for row in rows) for n in range(items)]
    paired = [row[n] for row in rows for n in range(items) if counts[n] >= 2 and row[n] is not None]
    assume(len(set(paired)) > 1)
    assume(sum(count > 0 for count in counts) > 1)  # `irrCAC` divides by the items less one
    return rows


def labels_of(rows):
    """Agreement on the classes that these numbers stand for."""
    project = labelled_project(_people(rows, lambda number: LABELS[number]))
    return agree(project).live.categories[0]


def bands_of(rows):
    scores = [load_taxonomy().bands[4 - number].low for number in range(5)]
    project = scored_project(_people(rows, lambda number: deduction(scores[number])))
    return agree(project).live.categories[0]


def scores_of(rows):
    return agree(scored_project(_people(rows, deduction))).live.scores[0]


def _people(rows, value):
    return {f"p{n}": [None if each is None else value(each) for each in row] for n, row in enumerate(rows)}


def _array(rows):
    return np.array(rows, dtype=float)


def _cac(rows, categories=None, **options):
    """Categories are always named: left to itself, `irrCAC` 0.4 takes the missing rating for one under new pandas."""
    values = _array(rows)
    used = np.unique(values[~np.isnan(values)]).tolist()
    return CAC(pd.DataFrame(values.T), digits=12, categories=categories or used, **options)


def _value(found):
    return found["est"]["coefficient_value"]


def check_nominal(rows):
    found = labels_of(rows)
    gwet = _cac(rows, categories=list(map(float, range(len(LABELS))))).gwet()  # over all classes, used or not
    assert found.percent.value == pytest.approx(gwet["est"]["pa"], abs=EXACT)
    assert found.ac.value == pytest.approx(_value(gwet), abs=EXACT)
    assert found.fleiss.value == pytest.approx(_value(_cac(rows).fleiss()), abs=EXACT)
    alpha = krippendorff.alpha(reliability_data=_array(rows), level_of_measurement="nominal")
    assert found.alpha.value == pytest.approx(alpha, abs=EXACT)


def check_ordered(rows):
    found = bands_of(rows)
    ac2 = _value(_cac(rows, weights="linear", categories=[0.0, 1.0, 2.0, 3.0, 4.0]).gwet())
    assert found.ac.value == pytest.approx(ac2, abs=EXACT)
    alpha = krippendorff.alpha(reliability_data=_array(rows), level_of_measurement="ordinal")
    assert found.alpha.value == pytest.approx(alpha, abs=EXACT)


def check_pairs(found, rows, weights):
    """Cohen's kappa of every pair on the items they share, and the mean by their number."""
    values, items = [], []
    for pair in found.cohen_pairs:
        one, other = (rows[int(rater[1:])] for rater in pair.raters)
        both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
        assert pair.items == len(both)
        if len({number for numbers in both for number in numbers}) == 1:
            assert pair.kappa is None
            continue
        highest = 5 if weights else 7
        expected = cohen_kappa_score(*zip(*both, strict=True), labels=list(range(highest)), weights=weights)
        assert pair.kappa == pytest.approx(expected, abs=EXACT)
        values.append(expected)
        items.append(len(both))
    if values:
        assert found.cohen.value == pytest.approx(np.average(values, weights=items), abs=EXACT)


def test_krippendorffs_example_with_missing_ratings():
    check_nominal(OBSERVERS)
    assert labels_of(OBSERVERS).alpha.value == pytest.approx(0.743, abs=5e-4)
    five = gwet_ac(_array(OBSERVERS).T, cuts=(1.5, 2.5, 3.5, 4.5), weights=None)
    assert five.value == pytest.approx(0.77544, abs=5e-6)  # Gwet's own figure for it, of five categories
    ordinal = bands_of([[None if each is None else each - 1 for each in row] for row in OBSERVERS])
    assert ordinal.alpha.value == pytest.approx(0.815, abs=5e-4)
    assert scores_of(OBSERVERS).alpha.value == pytest.approx(0.849, abs=5e-4)


@settings(max_examples=40, deadline=None)
@given(tables(6, missing=False))
def test_complete_classes(rows):
    check_nominal(rows)
    found = labels_of(rows)
    check_pairs(found, rows, None)
    assert found.fleiss.value == pytest.approx(fleiss_kappa(aggregate_raters(_array(rows).T)[0]), abs=EXACT)


@settings(max_examples=40, deadline=None)
@given(tables(6, missing=True))
def test_classes_with_missing_ratings(rows):
    check_nominal(rows)
    check_pairs(labels_of(rows), rows, None)


@settings(max_examples=25, deadline=None)
@given(tables(4, missing=True))
def test_ordered_bands_with_missing_ratings(rows):
    check_ordered(rows)
    check_pairs(bands_of(rows), rows, "linear")


@settings(max_examples=25, deadline=None)
@given(tables(100, missing=True))
def test_scores_with_missing_ratings_by_alpha(rows):
    alpha = krippendorff.alpha(reliability_data=_array(rows), level_of_measurement="interval")
    assert scores_of(rows).alpha.value == pytest.approx(alpha, abs=EXACT)


@settings(max_examples=25, deadline=None)
@given(tables(100, missing=False))
def test_complete_scores_by_intraclass_correlations(rows):
    long = pd.DataFrame(_array(rows).T).reset_index().melt("index")
    expected = pingouin.intraclass_corr(long, "index", "variable", "value").set_index("Type")["ICC"]
    assume(np.isfinite(expected).all())
    found = scores_of(rows)
    for name, figure in (("ICC(A,1)", found.icc_2_1), ("ICC(C,1)", found.icc_3_1), ("ICC(A,k)", found.icc_2_k)):
        if figure.value is None:  # the formula leaves what is possible where raters differ very much
            assert expected[name] > 1 or expected[name] <= -1
        else:
            assert figure.value == pytest.approx(expected[name], abs=1e-7)
