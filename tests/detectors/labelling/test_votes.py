import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors.labelling.replies import (
    LADDER,
    border_rung,
    final_label,
    first_stage,
    is_hallucinated,
    is_irrelevant,
    median_rung,
    rung,
)
from voirdire.detectors.records import REQUIREMENTS, hallucinated

VOTES = st.lists(st.sampled_from(["faithful", "hallu", "irrelevant", None]), min_size=1, max_size=7)
PRESENT = st.sampled_from(["faithful", "hallu", "irrelevant"])


@st.composite
def votes_and_threshold(draw):
    votes = draw(VOTES)
    return votes, draw(st.integers(1, len(votes)))


@pytest.mark.parametrize(
    ("votes", "threshold", "found"),
    [
        (["hallu"] * 3 + ["faithful"] * 2, 3, True),
        (["hallu"] * 2 + ["faithful"] * 3, 3, False),
        (["hallu"] * 2 + ["faithful"] * 3, 2, True),
        (["hallu"] * 2 + ["faithful"] * 2 + [None], 3, None),
        (["hallu"] + ["faithful"] * 3 + [None], 3, False),
        (["hallu"] * 3 + [None] * 2, 3, True),
        ([None] * 5, 3, None),
        (["hallu"], 1, True),
        (["faithful"], 1, False),
        ([None], 1, None),
    ],
)
def test_a_sentence_is_hallucinated_when_enough_votes_say_so(votes, threshold, found):
    assert is_hallucinated(votes, threshold) is found


@given(votes_and_threshold(), st.data())
def test_a_decision_holds_however_the_missing_votes_would_have_been_cast(asked, data):
    votes, threshold = asked
    filled = [data.draw(PRESENT) if vote is None else vote for vote in votes]

    found = is_hallucinated(votes, threshold)

    assert found is None or found == is_hallucinated(filled, threshold)


@given(votes_and_threshold())
def test_it_is_undecided_only_where_the_missing_votes_can_decide_it_either_way(asked):
    votes, threshold = asked
    for_it = ["hallu" if vote is None else vote for vote in votes]
    against_it = ["faithful" if vote is None else vote for vote in votes]

    undecided = is_hallucinated(votes, threshold) is None

    assert undecided == (is_hallucinated(for_it, threshold) and not is_hallucinated(against_it, threshold))


@given(votes_and_threshold(), st.randoms())
def test_the_order_of_the_samples_does_not_matter(asked, random):
    votes, threshold = asked
    shuffled = random.sample(votes, len(votes))

    assert first_stage(votes, threshold) == first_stage(shuffled, threshold)


@given(votes_and_threshold())
def test_a_lower_threshold_finds_at_least_as_much(asked):
    votes, threshold = asked
    if is_hallucinated(votes, threshold):
        assert all(is_hallucinated(votes, lower) for lower in range(1, threshold))


def test_irrelevant_takes_more_than_half_of_the_votes_that_are_there():
    assert is_irrelevant(["irrelevant", "irrelevant", "faithful", None, None])
    assert not is_irrelevant(["irrelevant", "irrelevant", "faithful", "hallu"])
    assert not is_irrelevant([None])


def test_enough_votes_for_a_hallucination_win_over_a_majority_for_irrelevance():
    assert first_stage(["hallu", "hallu", "irrelevant", "irrelevant", "irrelevant"], 2) == "hallu"
    assert first_stage(["hallu", "hallu", "irrelevant", "irrelevant", "irrelevant"], 3) == "irrelevant"


@pytest.mark.parametrize(
    ("answers", "label"),
    [
        ((False, None, None), "misleading"),
        ((False, True, True), "misleading"),  # the first no ends it
        ((True, False, None), "speculative"),
        ((True, True, False), "reliable"),
        ((True, True, True), "irrefutable"),
        ((True, None, None), None),
        ((None, True, True), None),
        ((True, True, None), None),
    ],
)
def test_the_first_no_on_the_ladder_ends_it(answers, label):
    assert rung(*answers) == label


@pytest.mark.parametrize(
    ("tiers", "label"),
    [
        (["reliable"], "reliable"),
        (["reliable", "misleading", "irrefutable"], "reliable"),
        (["reliable", "speculative"], "speculative"),  # the stricter of two in the middle
        (["reliable", "speculative", None], "speculative"),
        (["reliable", None], None),
        ([None], None),
        ([], None),
    ],
)
def test_of_several_gradings_the_middle_one_counts_if_most_are_there(tiers, label):
    assert median_rung(tiers) == label


@pytest.mark.parametrize("require", REQUIREMENTS)
def test_without_a_second_stage_the_label_lies_on_the_right_side_of_the_requirement(require):
    low, high = border_rung(True, require), border_rung(False, require)

    assert hallucinated(low, require) and not hallucinated(high, require)
    assert LADDER.index(high) == LADDER.index(low) + 1


@pytest.mark.parametrize(
    ("first", "kind", "tier", "label"),
    [
        ("hallu", "factual", None, "invented"),
        ("faithful", "factual", None, "faithful"),
        ("irrelevant", None, None, "irrelevant"),
        ("hallu", "cognitive", "reliable", "reliable"),
        ("faithful", "cognitive", "misleading", "misleading"),
        (None, "cognitive", "speculative", "speculative"),
        (None, "factual", None, None),
        ("hallu", "cognitive", None, None),
        ("hallu", None, None, None),
    ],
)
def test_the_second_stage_settles_cognitive_statements_and_the_first_all_others(first, kind, tier, label):
    found, why = final_label(first, kind, tier, tiers=True, require="grounded")

    assert found == label
    assert bool(why) == (label is None)
