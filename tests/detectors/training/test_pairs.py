import pytest

from tests.detectors.training.examples import answer, answers
from voirdire.detectors import DetectorError, Exchange
from voirdire.detectors.training.pairs import best_window, class_weights, pairs_of, plan_encoder, splits_of
from voirdire.detectors.training.records import EncoderOptions


def _asked(**other):
    return EncoderOptions(base="tiny", **other)


def test_a_pair_for_each_labelled_statement_with_what_it_is_judged_by():
    made = answer(1, ("faithful", None, "speculative"))
    made = type(made)(**{name: getattr(made, name) for name in made.__slots__} | {"history": (Exchange("Hi", "Ho"),)})
    pairs = pairs_of([made], _asked(history="user"))
    assert [(pair.unsupported, pair.words) for pair in pairs] == [(False, 7), (True, 7)]
    assert pairs[0].context.endswith("\n\nHi")
    assert [pair.unsupported for pair in pairs_of([made], _asked(require="rational"))] == [False, False]


def test_the_plan_counts_what_training_will_do():
    plan = plan_encoder(answers(10), _asked(batch_size=4, epochs=2, test_share=0.2))
    assert (plan.pairs, plan.unsupported, plan.groups) == (20, 10, 10)
    assert (plan.train_pairs, plan.held_out_pairs, plan.trainings) == (16, 4, 1)
    assert plan.steps == 2 * 4


def test_with_folds_every_pair_is_judged_once_and_the_last_training_has_them_all():
    plan = plan_encoder(answers(10), _asked(batch_size=4, epochs=1, folds=5))
    assert (plan.train_pairs, plan.held_out_pairs, plan.trainings) == (20, 20, 6)
    assert plan.steps == 5 * 4 + 5
    assert splits_of(answers(10), _asked(folds=5))[-1].test == []


def test_nothing_may_be_put_aside():
    assert plan_encoder(answers(4), _asked(test_share=0)).held_out_pairs == 0


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (answers(4, (None,)), "has a label"),
        (answers(4, ("faithful",)), "0 of 4 labelled sentences"),
        (answers(1), "two groups"),
    ],
)
def test_data_that_teach_nothing_are_refused(made, says):
    with pytest.raises(DetectorError, match=says):
        plan_encoder(made, _asked())


@pytest.mark.parametrize("bad", [{"epochs": 0}, {"batch_size": 0}, {"lr": 0}, {"test_share": 1}])
def test_settings_that_train_nothing_are_refused(bad):
    with pytest.raises(DetectorError, match="A training needs"):
        _asked(**bad)


@pytest.mark.parametrize("by_words", [False, True])
def test_both_kinds_weigh_the_same_in_all(by_words):
    options = _asked(word_weights=by_words)
    pairs = pairs_of([answer(n, ("faithful", "faithful", "invented")) for n in range(3)], options)
    weights = class_weights(pairs, options)
    mass = [0.0, 0.0]
    for pair in pairs:
        mass[pair.unsupported] += weights[pair.unsupported] * (pair.words if by_words else 1)
    assert mass[0] == pytest.approx(mass[1])
    assert sum(mass) == pytest.approx(sum(pair.words for pair in pairs) if by_words else len(pairs))


def test_one_kind_has_no_weights():
    with pytest.raises(DetectorError, match="one kind only"):
        class_weights(pairs_of(answers(3, ("faithful",)), _asked()), _asked())


def test_the_window_that_shares_most_words_is_learnt_from():
    windows = ["The harbour is old.", "The tower in Ulm was finished late.", "A tower."]
    assert best_window("The tower of Ulm was finished in 1890.", windows) == 1
    assert best_window("Nothing of that.", windows) == 0
