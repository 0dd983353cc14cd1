import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.detectors.training.examples import answer, answers
from voirdire.detectors import DetectorError
from voirdire.detectors.training.splits import assign_folds, group_folds, group_sizes, split_groups

SIZES = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.integers(1, 40), min_size=5, max_size=30)
DATA = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9)), min_size=1, max_size=25)


def _made(rows):
    return [answer(n, ("faithful",) * size, group=f"g{group}") for n, (group, size) in enumerate(rows)]


@given(SIZES, st.integers(2, 5), st.integers(0, 3))
def test_folds_are_as_even_as_the_largest_group_allows_and_none_is_empty(sizes, folds, seed):
    where = assign_folds(sizes, folds, seed)
    totals = [sum(sizes[group] for group in where if where[group] == fold) for fold in range(folds)]
    assert set(where) == set(sizes)
    assert set(where.values()) == set(range(folds))
    assert max(totals) - min(totals) <= max(sizes.values())


@given(DATA, st.integers(2, 4), st.integers(0, 3))
def test_no_group_is_parted_by_folds_and_each_answer_is_judged_once(rows, folds, seed):
    made = _made(rows)
    if len(group_sizes(made)) < folds:
        with pytest.raises(DetectorError, match="asked for"):
            group_folds(made, folds, seed)
        return
    splits = group_folds(made, folds, seed)
    assert sorted(a.id for split in splits for a in split.test) == sorted(a.id for a in made)
    for train, test in splits:
        assert not {a.group for a in train} & {a.group for a in test}
        assert len(train) + len(test) == len(made)


@given(DATA, st.floats(0.05, 0.95), st.integers(0, 3))
def test_a_share_is_put_aside_in_whole_groups_and_missed_by_no_more_than_the_largest(rows, share, seed):
    made = _made(rows)
    sizes = group_sizes(made)
    if len(sizes) < 2:
        with pytest.raises(DetectorError, match="two groups"):
            split_groups(made, share, seed)
        return
    train, test = split_groups(made, share, seed)
    assert train and test
    assert not {a.group for a in train} & {a.group for a in test}
    assert len(train) + len(test) == len(made)
    assert abs(sum(group_sizes(test).values()) - share * sum(sizes.values())) <= max(sizes.values())


def test_a_split_rests_on_the_seed_and_not_on_the_order_of_the_answers():
    made = answers(20)
    aside = {a.id for a in split_groups(made, 0.3, 1).test}
    assert {a.id for a in split_groups(made[::-1], 0.3, 1).test} == aside
    assert any({a.id for a in split_groups(made, 0.3, seed).test} != aside for seed in range(2, 6))


@pytest.mark.parametrize("share", [0, 1, -0.1])
def test_a_share_that_leaves_one_side_empty_is_refused(share):
    with pytest.raises(DetectorError, match="between 0 and 1"):
        split_groups(answers(5), share)
