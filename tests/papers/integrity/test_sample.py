from collections import Counter

from tests.integrity.examples import likert, made_trials, trial
from voirdire.papers.integrity.sample import bands, validation_sample


def test_what_is_filled_in_spreads_over_models():
    rows = [trial(n, likert([60] * 3, [70] * 3), model=f"m{n // 20}", constitution=f"c{n % 5}") for n in range(60)]
    sample = validation_sample(made_trials(rows), "likert")
    model = {row["id"]: row["model"] for row in rows}
    assert sample.high_available == sample.low_available == 0
    assert Counter(model[each] for each in sample.groups) == {"m0": 10, "m1": 10, "m2": 10}
    assert sample.as_published is None


def test_fewer_trials_than_wanted_are_all_drawn():
    rows = [trial(n, likert([60] * 3, [95] * 3)) for n in range(4)]
    assert set(validation_sample(made_trials(rows), "likert").groups.values()) == {"high_disagreement"}


def test_a_mean_between_two_bands_belongs_to_the_lower():
    rows = [trial(1, likert([89] * 3, [90] * 3)), trial(2, likert([90] * 3, [-1] * 3))]
    found = bands(made_trials(rows), "likert", "epistemic_integrity")
    assert (found.consensus["90-100"], found.consensus["70-89"]) == (1, 1)
    assert (found.all_scores["90-100"], found.all_scores["70-89"]) == (2, 1)
    assert found.target_pct["50-69"] == (15, 25)
