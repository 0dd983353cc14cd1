from dataclasses import replace

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from tests.cognibench.made_half import half
from voirdire.detectors import DetectorError, DetectorOptions, Statement, linear, open_detector, passage_of
from voirdire.detectors.learned import load_model
from voirdire.detectors.learning import (
    DETECT,
    FOLDS,
    TYPE,
    Sample,
    cross_validate,
    fingerprint,
    mean_of_folds,
    sample_of,
    train,
)
from voirdire.detectors.report import learned_document


@pytest.fixture(scope="module")
def answers():
    return list(half())


@pytest.fixture(scope="module")
def trained(answers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned") / "model"
    return train(answers, folder, source="answers of our own")


def test_cross_validated_f1_is_that_of_contexts_held_out(answers):
    found = cross_validate(sample_of(DETECT, answers))
    assert len(found.f1_by_fold) == 5
    assert mean_of_folds(found.f1_by_fold) >= 0.78


def test_training_again_gives_the_same_model(trained, answers, tmp_path):
    again = train(answers, tmp_path / "again", source="answers of our own")
    first, second = (open_detector(f"lexical-learned:{made.folder}") for made in (trained, again))
    passages = [passage_of(answer) for answer in answers[:5]]
    assert np.allclose(np.concatenate(first.flag_many(passages)), np.concatenate(second.flag_many(passages)))
    assert first.threshold == pytest.approx(second.threshold)


def test_a_detector_knows_the_contexts_it_learnt_from(trained, answers):
    detector = open_detector(f"lexical-learned:{trained.folder}")
    assert all(fingerprint(answer.context) in detector.trained_on for answer in answers)
    assert fingerprint("Another context.") not in detector.trained_on


def test_cognitive_statements_are_told_from_factual_ones(answers):
    sample = sample_of(TYPE, answers)
    found = cross_validate(sample, threshold=0.5)
    assert np.mean(found.flagged == sample.target) > max(sample.target.mean(), 1 - sample.target.mean()) + 0.08


def test_a_fold_with_nothing_to_find_and_nothing_flagged_is_no_zero():
    rng = np.random.default_rng(0)
    target = np.repeat([True, False, True, False, True, False], 5)  # a context has hallucinations only, or none
    features = np.where(target[:, None], 1.0, -1.0) + rng.normal(0, 0.01, (30, len(DETECT.names)))
    groups = np.repeat(list("abcdef"), 5)
    found = cross_validate(
        Sample(features, target, np.full(30, 10), groups, np.zeros(30, bool)), folds=6, threshold=0.5
    )
    assert sorted(map(str, found.f1_by_fold)) == ["1.0"] * 3 + ["None"] * 3
    assert mean_of_folds(found.f1_by_fold) == 1.0


def test_the_model_holds_no_text_and_its_card_holds_the_figures(trained, answers):
    everything = (trained.folder / "voirdire.json").read_text() + (trained.folder / "README.md").read_text()
    assert not any(statement.text in everything for answer in answers for statement in answer.statements)
    figures = trained.as_dict()["figures"]
    assert f"{figures['f1_mean_of_folds']:.3f}" in (trained.folder / "README.md").read_text()
    assert figures["interval"][0] < figures["f1_pooled"] < figures["interval"][1]


def test_flagging_every_sentence_stands_beside_it_and_one_way_to_deal_is_not_called_ten(answers, tmp_path):
    few = [each for each in answers if each.group in sorted({one.group for one in answers})[:FOLDS]]
    found = train(few, tmp_path / "few").as_dict()
    figures, card = found["figures"], (tmp_path / "few" / "README.md").read_text()
    said = " ".join(block.text for block in learned_document(found).sections[0].blocks)

    assert figures["gain"] == pytest.approx(figures["f1_pooled"] - figures["f1_everything"])
    assert f"Flagging every sentence has {figures['f1_everything']:.3f}" in card
    assert f"Flagging every sentence has F1 {figures['f1_everything']:.3f}: the detector has" in said
    assert figures["dealings"] == 1 and "dealing" not in card and "5 folds, one for each context" in said


def test_only_labelled_statements_are_learnt_from(answers):
    first = answers[0]
    half = replace(
        first, statements=tuple(replace(s, label=s.label if i else None) for i, s in enumerate(first.statements))
    )
    assert len(sample_of(DETECT, [half]).target) == len(first.statements) - 1
    irrelevant = replace(first, statements=tuple(replace(s, label="irrelevant") for s in first.statements))
    assert len(sample_of(DETECT, [irrelevant]).target) == len(first.statements)
    with pytest.raises(DetectorError, match="nothing to learn from"):
        sample_of(TYPE, [irrelevant])


def test_a_sentence_taken_from_no_context_is_more_likely_hallucinated(trained):
    detector = open_detector(f"lexical-learned:{trained.folder}", DetectorOptions(contradiction=False))
    scores = detector.flag(
        "The mill was built in 1790 beside the river.",
        ["The mill was built in 1790 beside the river.", "Visitors cherish unforgettable romantic evenings there."],
    )
    assert scores[0] < detector.threshold <= scores[1]


def test_nothing_can_be_learnt_without_labels_or_from_two_contexts(answers, tmp_path):
    bare = [replace(a, statements=tuple(replace(s, label=None) for s in a.statements)) for a in answers]
    with pytest.raises(DetectorError, match="has a label"):
        train(bare, tmp_path / "none")
    two = [answer for answer in answers if answer.group in {answers[0].group, answers[2].group}]
    with pytest.raises(DetectorError, match="2 contexts"):
        train(two, tmp_path / "two")


def test_a_model_of_another_kind_is_refused(trained, tmp_path):
    with pytest.raises(DetectorError, match="no detector of kind type"):
        open_detector(f"type:{trained.folder}")
    with pytest.raises(DetectorError, match="holds no trained detector"):
        open_detector(f"lexical-learned:{tmp_path}")


@pytest.mark.parametrize(
    ("task", "zeros", "halves", "growing"),
    [
        (DETECT, 4.789508937375e-05, 0.1248308055373, 0.04100390836391),
        (TYPE, 0.00580503159239, 0.2594479576415, 0.04065414644534),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_a_packaged_model_gives_the_probabilities_that_scikit_learn_gave_for_it(task, zeros, halves, growing):
    n = len(task.names)
    rows = [[0.0] * n, [0.5] * n, [place / n for place in range(n)]]
    assert load_model(task.kind, task.names).probabilities(rows) == pytest.approx([zeros, halves, growing], abs=1e-8)


@pytest.mark.parametrize("task", [DETECT, TYPE], ids=lambda task: task.kind)
def test_a_fitted_model_is_that_of_scikit_learn(answers, task):
    sample = sample_of(task, answers)
    fitted = linear.fit(sample.features, sample.target, sample.groups)
    pipeline = make_pipeline(
        StandardScaler(), LogisticRegression(C=linear.PENALTY, solver="newton-cholesky", tol=1e-12)
    )
    splits = linear.rows_by_fold(sample.groups, 0)
    with threadpool_limits(1):
        theirs = CalibratedClassifierCV(pipeline, method="sigmoid", cv=splits, ensemble=False)
        theirs.fit(sample.features, sample.target)
        expected = theirs.predict_proba(sample.features)[:, 1]
    assert fitted.classifier.probabilities(sample.features) == pytest.approx(expected, abs=1e-8)


def test_small_talk_is_learnt_from_but_neither_flagged_nor_a_threshold_chosen_on_it(answers):
    said = Statement("Certainly!", 0, 10, "irrelevant")
    talking = [replace(each, statements=(said, *each.statements[1:])) for each in answers]
    sample = sample_of(DETECT, talking)
    assert sample.small_talk.sum() == len(answers)
    scores = np.where(sample.small_talk, 0.9, np.where(sample.target, 0.7, 0.2))
    assert 0.2 < sample.threshold(scores) < 0.7
    assert sample.flagged(scores, 0.5).tolist() == sample.target.tolist()


def test_what_a_fold_lacks_is_not_said_of_all_labels(answers, tmp_path):
    cleared = [
        replace(each, statements=tuple(replace(s, label="invented" if not n else "faithful") for s in each.statements))
        for n, each in enumerate(answers)
    ]
    with pytest.raises(DetectorError, match="too little to learn from: the labelled sentences that are left when"):
        train(cleared, tmp_path / "one")
