from tests.published.integrity.real import real_study


def test_the_published_correlation_is_one_of_leniency():
    found = real_study().dimensions
    assert found.pooled.r > 0.4 > 0.25 > found.centred_bootstrap.high
    assert found.per_evaluator["gpt-4o"].high < 0
