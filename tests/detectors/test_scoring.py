import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors import DetectorError
from voirdire.detectors.scoring import Score, WordCounts, add_counts, count_words, score_interval, word_score

ROWS = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(1, 40)), max_size=30)


def _columns(rows):
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[], [], []]


def test_words_are_counted_and_not_sentences():
    # flagged: 6 + 2 words, hallucinated: 6 + 4, both: 6
    assert word_score([True, True, False, False], [True, False, True, False], [6, 2, 4, 50]) == Score(
        6 / 8, 6 / 10, pytest.approx(12 / 18)
    )


def test_what_is_undefined_is_none():
    assert word_score([False], [False], [3]) == Score(None, None, None)
    assert word_score([False], [True], [3]) == Score(None, 0.0, 0.0)
    assert word_score([True], [False], [3]) == Score(0.0, None, 0.0)


def test_columns_of_different_length_are_refused():
    with pytest.raises(DetectorError, match="Flags: 1, labels: 2, lengths: 1"):
        word_score([True], [True, False], [3])


@given(ROWS)
def test_f1_is_the_harmonic_mean_and_lies_between_the_two(rows):
    precision, recall, f1 = word_score(*_columns(rows))
    if precision and recall:
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall))
        assert min(precision, recall) - 1e-12 <= f1 <= max(precision, recall) + 1e-12


@given(ROWS, ROWS)
def test_counts_of_parts_add_up_to_those_of_the_whole(first, second):
    parts = [count_words(*_columns(first)), count_words(*_columns(second))]
    assert add_counts(parts) == count_words(*_columns(first + second))


@given(ROWS)
def test_flagging_another_hallucination_never_lowers_the_f1(rows):
    flagged, gold, words = _columns(rows)
    missed = [place for place, (said, true) in enumerate(zip(flagged, gold, strict=True)) if true and not said]
    if missed:
        before = word_score(flagged, gold, words).f1
        flagged[missed[0]] = True
        assert word_score(flagged, gold, words).f1 > before


def test_the_interval_is_of_the_pooled_f1_and_wider_where_groups_differ_more():
    rng = np.random.default_rng(0)
    alike = [WordCounts(8 + int(rng.integers(2)), 12, 12) for _ in range(20)]
    unlike = [WordCounts(12 * (n % 2), 12, 12) for n in range(20)]
    near, far = score_interval(alike), score_interval(unlike)
    assert near.low < add_counts(alike).score.f1 < near.high
    assert far.high - far.low > 3 * (near.high - near.low)


@pytest.mark.parametrize(
    "clusters", [[WordCounts(1, 2, 2)] * 2, [WordCounts(2, 2, 2)] * 5, [WordCounts(0, 2, 2)] * 5, []]
)
def test_there_is_no_interval_for_a_few_groups_or_an_f1_at_the_end(clusters):
    assert score_interval(clusters) is None


def test_groups_with_nothing_to_count_do_not_narrow_the_interval():
    clusters = [WordCounts(8, 12, 12), WordCounts(3, 12, 12), WordCounts(6, 12, 12), WordCounts(9, 12, 12)]
    assert score_interval([*clusters, *[WordCounts(0, 0, 0)] * 50]) == score_interval(clusters)
