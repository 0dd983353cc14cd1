from tests.published.integrity.real import real_trials
from voirdire.papers.integrity.sample import validation_sample


def test_the_published_sample_is_drawn_again():
    sample = validation_sample(real_trials(), "likert")
    assert sample.as_published is True
    assert (sample.drawn("high_disagreement"), sample.high_available) == (7, 7)
    named = {each.id: each.validation_group for each in real_trials().trials if each.validation_group}
    assert sample.groups == named
