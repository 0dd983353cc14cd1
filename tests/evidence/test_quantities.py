"""The same quantity in other figures is no contradiction, another quantity is one; likewise for double negation."""

import pytest

from tests.evidence.cases import cases
from voirdire.evidence import ContextIndex, find_contradictions


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("quantities") + cases("permissions"))
def test_another_quantity_contradicts_and_the_same_in_other_words_does_not(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("manuals"))
def test_a_changed_rule_or_value_of_a_manual_contradicts_and_the_same_in_other_words_does_not(
    context, sentence, changed
):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed


SECTIONS_NAMED = (
    "Route R10 crosses the western park. The R10 was built in 1964. In the west the R10 meets a canal. "
    "Route R20 crosses the eastern valley."
)


def test_words_of_another_code_are_held_against_a_code_only_where_the_text_lists_what_each_means():
    assert (
        find_contradictions("The R10 crosses an eastern valley later.", ContextIndex.from_context(SECTIONS_NAMED)) == ()
    )
    index = ContextIndex.from_context("Match S3: Tigers against Bears. Match S4: Lions against Wolves.")
    assert find_contradictions("Lions and Bears won matches S4 and S3, respectively.", index) == ()


def test_only_far_behind_a_negation_does_not_limit_it():
    context = (
        "Members of the club, their families and guests from the second floor may use the pool only in hot summers."
    )
    assert find_contradictions(
        f"It is not true that {context[0].lower()}{context[1:]}", ContextIndex.from_context(context)
    )
