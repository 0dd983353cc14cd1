import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voirdire.stats.two_way_anova import two_way_anova


def layout(sizes, seed, block=False):
    """Rows of a layout with `sizes[i][j]` values per cell."""
    chance = np.random.default_rng(seed)
    rows = [
        {"a": i, "b": j, "y": chance.normal(i + 0.5 * j * (i == 1), 1), "c": k % 3}
        for i, line in enumerate(sizes)
        for j, size in enumerate(line)
        for k in range(size)
    ]
    return pd.DataFrame(rows)


def of(frame, block=None):
    return two_way_anova(frame["y"], frame["a"], frame["b"], block=None if block is None else frame[block])


@settings(max_examples=15)
@given(
    st.lists(st.lists(st.integers(3, 7), min_size=3, max_size=3), min_size=2, max_size=3),
    st.integers(0, 1000),
    st.booleans(),
)
def test_unbalanced_layouts_give_what_statsmodels_gives(sizes, seed, blocked):
    import statsmodels.formula.api as formula
    from statsmodels.stats.anova import anova_lm

    frame = layout(sizes, seed)
    found = of(frame, "c" if blocked else None)
    model = formula.ols("y ~ C(a)*C(b)" + (" + C(c)" if blocked else ""), data=frame).fit()
    table = anova_lm(model, typ=2)
    names = {"C(a)": "first", "C(b)": "second", "C(a):C(b)": "first:second"} | ({"C(c)": "block"} if blocked else {})
    assert set(found.terms) == set(names.values())
    for theirs, mine in names.items():
        term = found.terms[mine]
        assert (term.ss, term.df, term.F, term.p) == pytest.approx(
            tuple(table.loc[theirs, ["sum_sq", "df", "F", "PR(>F)"]]), rel=1e-6, abs=1e-9
        )
        assert term.eta_squared == pytest.approx(
            table.loc[theirs, "sum_sq"] / table["sum_sq"].sum(), rel=1e-6, abs=1e-9
        )
    assert (found.residual_df, found.residual_ss) == pytest.approx(tuple(table.loc["Residual", ["df", "sum_sq"]]))


def test_a_worked_case():
    # Cell means 1, 3 / 5, 11 with two values 1 apart each: SS 72, 32, 8 and residual 2 on 4 degrees of freedom.
    y = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 10.5, 11.5]
    found = two_way_anova(y, [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1], names=("row", "column", ""))
    assert {name: term.ss for name, term in found.terms.items()} == pytest.approx(
        {"row": 72, "column": 32, "row:column": 8}
    )
    assert (found.residual_ss, found.residual_df, found.n) == (pytest.approx(2), 4, 8)
    assert found.terms["row"].F == pytest.approx(144)
    assert found.terms["row"].eta_squared == pytest.approx(72 / 114)


def test_in_a_balanced_layout_shares_of_variance_sum_to_one():
    found = of(layout([[6, 6], [6, 6]], 3), "c")
    total = found.residual_ss + sum(term.ss for term in found.terms.values())
    frame = layout([[6, 6], [6, 6]], 3)
    assert total == pytest.approx(float(((frame["y"] - frame["y"].mean()) ** 2).sum()))


def test_a_large_constant_changes_nothing():
    frame = layout([[4, 3], [3, 5]], 1)
    moved = of(frame.assign(y=frame["y"] + 1e6)).terms["first"]
    assert moved.F == pytest.approx(of(frame).terms["first"].F, rel=1e-6)


def test_unknown_values_are_left_out():
    frame = layout([[4, 3], [3, 5]], 2)
    more = pd.concat([frame, pd.DataFrame([{"a": 0, "b": 1, "y": math.nan, "c": 0}])])
    assert of(more) == of(frame)


def test_an_empty_cell_costs_the_interaction_a_degree_of_freedom():
    assert of(layout([[4, 4, 0], [4, 4, 4]], 1)).terms["first:second"].df == 1


def test_one_value_per_cell_leaves_nothing_to_test_against():
    found = of(layout([[1, 1], [1, 1]], 1))
    assert all(math.isnan(term.F) and math.isnan(term.p) for term in found.terms.values())
    assert sum(term.eta_squared for term in found.terms.values()) == pytest.approx(1)


def test_without_any_variation_everything_is_undefined():
    found = two_way_anova([7.0] * 8, [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1])
    assert all(math.isnan(term.F) and math.isnan(term.eta_squared) for term in found.terms.values())


def test_a_factor_of_one_level_has_no_test():
    found = two_way_anova([1.0, 2.0, 4.0, 5.0], [0, 0, 0, 0], [0, 0, 1, 1])
    assert found.terms["first"].df == 0 and math.isnan(found.terms["first"].p)
    assert found.terms["second"].F == pytest.approx(18)


@pytest.mark.parametrize(
    ("values", "levels", "says"), [([1.0, 2.0], [0, 0, 1], "2 values, and 3"), ([math.nan], [0], "none is known")]
)
def test_what_does_not_fit_is_refused(values, levels, says):
    with pytest.raises(ValueError, match=says):
        two_way_anova(values, levels, levels)
