"""The same quantity in other figures is no contradiction, another quantity is one; likewise for double negation."""

import pytest

from tests.evidence.cases import cases
from voirdire.evidence import ContextIndex, find_contradictions


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("quantities") + cases("permissions"))
def test_another_quantity_contradicts_and_the_same_in_other_words_does_not(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.of(context))) is changed


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("manuals"))
def test_a_changed_rule_or_value_of_a_manual_contradicts_and_the_same_in_other_words_does_not(
    context, sentence, changed
):
    assert bool(find_contradictions(sentence, ContextIndex.of(context))) is changed
