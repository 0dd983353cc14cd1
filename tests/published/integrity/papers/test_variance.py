import pytest

from tests.published.integrity.real import real_study

OVERALL = "overall_score"


def test_the_interaction_is_corrected_for_there_being_three_outcomes():
    found = real_study().variance
    assert found.plain[OVERALL].terms["model:constitution"].p < 0.05 < found.holm_plain[OVERALL]
    assert found.holm_plain[OVERALL] == pytest.approx(3 * found.plain[OVERALL].terms["model:constitution"].p)
