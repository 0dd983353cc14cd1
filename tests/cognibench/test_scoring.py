import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.cognibench.labelled import answer
from voirdire.cognibench.records import CognibenchError
from voirdire.cognibench.scoring import (
    FIGURES,
    PREDICTED,
    Truth,
    false_alarms,
    group_sums,
    leave_one_out,
    mark,
    measures,
    totals,
    truth_of,
)
from voirdire.detectors import LABELS, Answer
from voirdire.detectors.scoring import word_score

NAN = float("nan")

data_sets = st.lists(
    st.tuples(
        st.sampled_from("pqrs"),
        st.lists(st.tuples(st.sampled_from(LABELS), st.integers(1, 30), st.booleans()), min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=8,
)


def made(rows) -> tuple[list[Answer], list[list[float]]]:
    answers = [
        answer(f"a{place}", *(label for label, _, _ in row), words=[words for _, words, _ in row], group=group)
        for place, (group, row) in enumerate(rows)
    ]
    return answers, [[float(flag) for _, _, flag in row] for _, row in rows]


def figures(truth: Truth, flagged, weights=None):
    sums = group_sums(truth, flagged)
    weights = np.ones((1, len(truth.groups))) if weights is None else weights
    return {name: each.score() for name, each in measures(truth, totals(sums, weights)).items()}


def of(answers, scores, threshold=0.5, **options):
    truth = truth_of(answers, **options)
    return figures(truth, mark(truth, scores, threshold).flagged)


def test_words_are_counted_and_not_sentences():
    answers = [answer("a", "faithful", "invented", "speculative", "reliable", words=[10, 6, 4, 20])]
    found = of(answers, [[1, 1, 0, 0]])
    # flagged: 10 + 6 words; hallucinated: 6 + 4; both: 6
    assert found["overall"] == pytest.approx((6 / 16, 6 / 10, 12 / 26))
    assert found["factual"] == pytest.approx((6 / 16, 1.0, 12 / 22))
    assert found["cognitive"] == (None, 0.0, 0.0)
    assert found["macro"].f1 == pytest.approx((12 / 22 + 0) / 2)
    assert found["macro"].precision is None


def test_an_irrelevant_statement_that_is_flagged_costs_only_overall_precision():
    answers = [answer("a", "irrelevant", "invented", "misleading")]
    found = of(answers, [[1, 1, 1]])
    assert found["overall"].precision == pytest.approx(2 / 3)
    assert found["factual"].precision == found["cognitive"].precision == 1.0


@pytest.mark.parametrize(("require", "recall"), [("rational", 1 / 1), ("grounded", 1 / 2), ("irrefutable", 1 / 3)])
def test_the_requirement_says_which_cognitive_statements_are_hallucinated(require, recall):
    answers = [answer("a", "misleading", "speculative", "reliable", "irrefutable")]
    assert of(answers, [[1, 0, 0, 0]], require=require)["cognitive"].recall == pytest.approx(recall)


def test_nothing_flagged_has_no_precision_and_an_f1_of_0():
    assert of([answer("a", "invented", "faithful")], [[0, 0]])["overall"] == (None, 0.0, 0.0)


def test_nothing_to_find_and_nothing_flagged_leaves_all_undefined():
    assert of([answer("a", "faithful")], [[0]])["overall"] == (None, None, None)


def test_a_missing_score_is_not_flagged_and_told_apart():
    answers = [answer("a", "invented", "invented", "faithful")]
    truth = truth_of(answers)
    marks = mark(truth, [[1.0, NAN, NAN]], 0.5)
    assert marks.flagged.tolist() == [1, 0, 0]
    assert marks.missing.tolist() == [False, True, True]
    assert figures(truth, marks.flagged)["overall"].recall == 0.5


def test_a_score_that_reaches_the_threshold_is_flagged():
    assert of([answer("a", "invented", "invented")], [[0.3, 0.29]], threshold=0.3)["overall"].recall == 0.5


def test_statements_without_a_label_do_not_count():
    answers = [answer("a", "invented", None, "faithful"), answer("b", None)]
    assert of(answers, [[1, 1, 0], [1]])["overall"] == (1.0, 1.0, 1.0)


def test_predicted_types_divide_all_statements():
    answers = [answer("a", "invented", "speculative", "irrelevant", "faithful")]
    found = of(answers, [[1, 1, 1, 0]], cognitive=[[True, True, False, False]])
    assert set(found) == {*FIGURES, *PREDICTED}
    assert found["predicted cognitive"] == (1.0, 1.0, 1.0)
    assert found["predicted factual"] == (0.0, None, 0.0)
    assert found["predicted macro"].f1 == 0.5


def test_a_probability_as_flag_gives_the_figures_of_expected_counts():
    truth = truth_of([answer("a", "invented", "faithful", words=[3, 9])])
    # expected: 1.5 of 3 words hit, 6 of 12 flagged
    assert figures(truth, np.full(2, 0.5))["overall"] == pytest.approx((0.25, 0.5, 3 / 9))


def test_false_alarms_are_shares_of_words_by_label():
    truth = truth_of([answer("a", "faithful", "faithful", "reliable", "speculative", words=[3, 1, 5, 2])])
    found = false_alarms(truth, np.array([1.0, 0.0, 0.0, 1.0]))
    assert found == {"faithful": 0.75, "reliable": 0.0, "irrefutable": None, "irrelevant": None}


@pytest.mark.parametrize("require", ["rational", "irrefutable"])
def test_false_alarms_are_of_labels_that_are_no_hallucination_under_the_requirement(require):
    truth = truth_of([answer("a", "speculative", "reliable")], require)
    found = false_alarms(truth, np.ones(2))
    assert ("speculative" in found) == (require == "rational")
    assert ("reliable" in found) == (require == "rational")


def test_scores_that_do_not_fit_the_statements_are_an_error():
    with pytest.raises(CognibenchError, match="mine gave 1 score for 1 answer; expected 2 for 1"):
        mark(truth_of([answer("a", "invented", "faithful")]), [[1.0]], 0.5, name="mine")


def test_data_without_labels_are_an_error():
    with pytest.raises(CognibenchError, match="nothing to score"):
        truth_of([answer("a", None)])


@given(data_sets)
def test_figures_are_those_of_the_elementary_score(rows):
    answers, scores = made(rows)
    flat = [(bool(flag), label in ("invented", "misleading", "speculative"), words)
            for _, row in rows for label, words, flag in row]  # fmt: skip
    assert of(answers, scores)["overall"] == pytest.approx(word_score(*zip(*flat, strict=True)))


@given(data_sets)
def test_flagging_everything_recalls_all_with_the_share_of_hallucinated_words_as_precision(rows):
    answers, _ = made(rows)
    truth = truth_of(answers)
    found = figures(truth, np.ones(len(truth.labels)))["overall"]
    assert found.precision == pytest.approx(truth.words[truth.gold].sum() / truth.words.sum())
    assert found.recall == (1.0 if truth.gold.any() else None)


@given(data_sets, st.randoms(use_true_random=False))
def test_the_order_of_answers_and_statements_changes_nothing(rows, chance):
    shuffled = [(group, chance.sample(row, len(row))) for group, row in chance.sample(rows, len(rows))]
    one, other = of(*made(rows)), of(*made(shuffled))
    assert all(one[name] == pytest.approx(other[name]) for name in FIGURES)


@given(data_sets)
def test_a_group_drawn_twice_counts_like_two_such_groups(rows):
    answers, scores = made(rows)
    truth = truth_of(answers)
    weights = np.ones((1, len(truth.groups)))
    weights[0, 0] = 2
    again = [(group + "2", row) for group, row in rows if group == truth.groups[0]]
    twice = of(*made([*rows, *again]))
    weighted = figures(truth, mark(truth, scores, 0.5).flagged, weights)
    assert all(weighted[name] == pytest.approx(twice[name]) for name in FIGURES)


@given(data_sets)
def test_leaving_a_group_out_is_as_if_it_had_not_been_there(rows):
    answers, scores = made(rows)
    truth = truth_of(answers)
    assume(len(truth.groups) > 1)
    found = measures(truth, leave_one_out(group_sums(truth, mark(truth, scores, 0.5).flagged)))
    rest = of(*made([row for row in rows if row[0] != truth.groups[0]]))
    for name in FIGURES:
        values = [None if np.isnan(each[0]) else each[0] for each in found[name]]
        assert values == pytest.approx(list(rest[name]))
