"""Any beginning of a drawn order is balanced."""

from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from voirdire.ddft.stopping import drawn_order

GRIDS = st.tuples(st.integers(1, 14), st.integers(1, 7), st.integers(1, 3), st.integers(0, 50))


def spread(counted, numbers):
    times = [counted[number] for number in range(numbers)]
    return max(times) - min(times)


@given(GRIDS, st.booleans())
def test_every_cell_is_drawn_once_and_a_sample_ends_before_the_next_begins(grid, by_concept):
    concepts, levels, samples, seed = grid
    order = drawn_order(concepts, levels, samples, seed=seed, by_concept=by_concept)
    every = set(product(range(concepts), range(levels), range(samples)))
    assert len(order) == len(every)
    assert set(order) == every
    assert [sample for _, _, sample in order] == sorted(sample for _, _, sample in order)


@given(GRIDS)
def test_any_beginning_is_balanced_over_concepts_and_over_levels(grid):
    concepts, levels, samples, seed = grid
    met, at = Counter(), Counter()
    for number, (concept, level, _) in enumerate(drawn_order(concepts, levels, samples, seed=seed), start=1):
        met[concept] += 1
        at[level] += 1
        assert spread(met, concepts) <= 1
        assert spread(at, levels) <= 1
        if number % levels == 0:
            assert len(set(at.values())) == 1


@given(GRIDS)
def test_whole_concepts_are_asked_about_at_every_level_before_the_next_one(grid):
    concepts, levels, samples, seed = grid
    order = drawn_order(concepts, levels, samples, seed=seed, by_concept=True)
    for start in range(0, len(order), levels):
        block = order[start : start + levels]
        assert len({(concept, sample) for concept, _, sample in block}) == 1
        assert {level for _, level, _ in block} == set(range(levels))


def test_the_order_is_the_seeds_and_samples_differ():
    first = drawn_order(8, 5, 2, seed=1)
    assert first == drawn_order(8, 5, 2, seed=1) != drawn_order(8, 5, 2, seed=2)
    assert [cell[:2] for cell in first[:40]] != [cell[:2] for cell in first[40:]]
