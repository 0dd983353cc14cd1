import itertools
import json
from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.detectors.training.examples import answer, answers
from voirdire.detectors import DetectorError, OneByOne
from voirdire.detectors.calibration import (
    Objective,
    ScoredSample,
    calibrate,
    choose_threshold,
    parse_objective,
    score_answers,
)
from voirdire.detectors.flag_counts import FlagCounts
from voirdire.detectors.report import _threshold, calibration_document
from voirdire.detectors.scoring import reaches, word_score

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.booleans(), st.integers(1, 30)),
    min_size=1,
    max_size=25,
).filter(lambda rows: any(gold for _, gold, _ in rows))


def _score(rows, threshold):
    return word_score([s >= threshold for s, _, _ in rows], [g for _, g, _ in rows], [w for _, _, w in rows])


def _sample(groups, seed=0):
    """Scores that tell hallucinations from other sentences, but not without fault."""
    rng = np.random.default_rng(seed)
    n = groups * 6
    gold = rng.random(n) < 0.4
    scores = np.clip(0.35 + 0.3 * gold + rng.normal(0, 0.15, n), 0, 1)
    names = np.repeat([f"g{i}" for i in range(groups)], 6)
    return ScoredSample(scores, gold, rng.integers(3, 25, n), names, np.zeros(n, bool))


@given(ROWS)
def test_no_other_threshold_has_a_higher_f1(rows):
    chosen = choose_threshold(*zip(*rows, strict=True))
    best = max(_score(rows, threshold).f1 for threshold in {s for s, _, _ in rows})
    assert _score(rows, chosen).f1 == pytest.approx(best)


@given(ROWS, st.sampled_from(["precision", "recall"]), st.sampled_from([0.5, 0.8, 0.95]))
def test_a_floor_is_kept_where_any_threshold_keeps_it_and_the_other_is_then_highest(rows, metric, floor):
    other = "recall" if metric == "precision" else "precision"
    chosen = _score(rows, choose_threshold(*zip(*rows, strict=True), f"{metric}={floor}"))
    tried = [_score(rows, threshold) for threshold in {s for s, _, _ in rows}]
    keeping = [getattr(score, other) for score in tried if getattr(score, metric) >= floor]
    if keeping:
        assert getattr(chosen, metric) >= floor
        assert getattr(chosen, other) == pytest.approx(max(keeping))
    else:
        assert getattr(chosen, metric) == pytest.approx(max(getattr(score, metric) for score in tried))


def test_the_threshold_lies_in_the_middle_of_the_gap():
    assert choose_threshold([0.9, 0.7, 0.3, 0.1], [True, True, False, False], [5, 5, 5, 5]) == pytest.approx(0.5)


def test_words_decide_and_not_sentences():
    # A long hallucination at 0.4 outweighs three short faithful sentences above it.
    scores, gold = [0.9, 0.6, 0.6, 0.6, 0.4], [True, False, False, False, True]
    assert choose_threshold(scores, gold, [10, 1, 1, 1, 30]) == pytest.approx(0.4)
    assert choose_threshold(scores, gold, [10, 9, 9, 9, 2]) == pytest.approx(0.75)


def test_neighbours_that_differ_in_the_last_decimal_that_counts_are_still_told_apart():
    low, high = 0.5, 0.500001
    chosen = choose_threshold([high, low], [True, False], [5, 5])
    assert high >= chosen > low


def test_a_sentence_without_a_score_is_never_flagged_but_counts_as_missed():
    rows = _sample(10)
    rows.scores[rows.gold] = nan
    found = calibrate(rows)
    assert found.n_unscored == rows.gold.sum()
    assert found.in_sample.recall == 0


@pytest.mark.parametrize(
    ("scores", "gold", "says"), [([0.1, 0.2], [False, False], "is a hallucination"), ([nan], [True], "has a score")]
)
def test_without_a_hallucination_or_a_score_there_is_nothing_to_choose(scores, gold, says):
    with pytest.raises(DetectorError, match=says):
        choose_threshold(scores, gold, [4] * len(gold))


@pytest.mark.parametrize("text", ["f1=0.9", "precision", "recall=2", "recall=x", "accuracy", ""])
def test_an_objective_that_is_none_is_refused_with_those_that_are(text):
    with pytest.raises(DetectorError, match=r"f1, precision=0\.9 or recall=0\.9"):
        parse_objective(text)


@pytest.mark.parametrize("text", ["f1", "precision=0.9", "recall=0.85"])
def test_an_objective_is_written_as_it_is_read(text):
    assert str(parse_objective(text)) == text


def test_the_figure_given_is_not_the_one_that_was_tuned():
    gaps = [
        found.in_sample.f1 - found.cross_validated.f1
        for found in (calibrate(_sample(6, seed), seed=seed) for seed in range(30))
    ]
    assert np.mean(gaps) > 0.01  # the sample itself flatters


def test_each_group_is_judged_by_a_threshold_chosen_without_it():
    # Two worlds: groups a want 0.2 told from 0.3, groups b 0.7 from 0.8. Three folds, so that none can be tuned away.
    low = [(0.3, True), (0.2, False)]
    sample = ScoredSample(
        np.array([s for s, _ in low] * 3),
        np.array([g for _, g in low] * 3),
        np.full(6, 5),
        np.repeat(list("abc"), 2),
        np.zeros(6, bool),
    )
    odd = ScoredSample(
        np.append(sample.scores, [0.1, 0.05]),
        np.append(sample.gold, [True, False]),
        np.full(8, 5),
        np.append(sample.groups, ["d", "d"]),
        np.zeros(8, bool),
    )
    assert calibrate(sample).cross_validated.f1 == 1
    # The hallucination of group d lies below all that the others teach: in sample it can be had, held out it can't.
    assert calibrate(odd, "recall=1").in_sample.recall == 1
    assert calibrate(odd, "recall=1").cross_validated.recall == pytest.approx(3 / 4)


def test_few_groups_are_refused_however_many_sentences_they_have():
    with pytest.raises(DetectorError, match="rest on 2 contexts"):
        calibrate(_sample(2))


def test_what_was_not_reached_is_said():
    sample = _sample(10)
    sample.gold[np.argmax(sample.scores)] = False
    assert not calibrate(sample, "precision=1").reached
    assert calibrate(sample, "recall=0.9").reached


def test_the_report_is_strict_json_with_every_figure():
    report = calibrate(_sample(8), Objective("precision", 0.7), own_threshold=0.5).as_dict()
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["objective"] == "precision=0.7"
    assert report["everything"]["recall"] == 1
    assert report["interval"]["low"] < report["cross_validated"]["f1"] < report["interval"]["high"]
    assert len(report["fold_thresholds"]) == 5


class _Everything(OneByOne):
    name, threshold = "all", 0.5

    def flag(self, context, sentences, dialogue=()):
        return [1.0] * len(sentences)


class _Longest(OneByOne):
    name, threshold = "longest", 0.5

    def flag(self, context, sentences, dialogue=()):
        return [min(1.0, len(sentence) / 50) for sentence in sentences]


def test_answers_are_scored_statement_by_statement_and_unlabelled_ones_left_out():
    made = [*answers(3, ("faithful", "invented", "speculative")), *answers(2, (None, None))]
    sample = score_answers(_Longest(), made, require="rational")
    assert sample.gold.tolist() == [False, True, False] * 3
    assert sample.scores[0] == pytest.approx(len("The tower 0 is 100 metres high.") / 50)
    assert [len(list(rows)) for _, rows in itertools.groupby(sample.groups.tolist())] == [3, 3, 3]
    with pytest.raises(DetectorError, match="has a label"):
        score_answers(_Longest(), answers(2, (None,)))


def test_small_talk_is_never_flagged_and_counted_apart():
    made = [answer(n, ("irrelevant", "invented"), sentences=["Certainly!", f"Tower {n} is loved."]) for n in range(4)]
    found = calibrate(score_answers(_Everything(), made))
    assert found.own == found.everything == found.cross_validated == (1, 1, 1)
    assert (found.n_small_talk, found.n_unscored, found.n_statements) == (4, 0, 8)
    assert (
        calibrate(score_answers(_Everything(), made), "recall=0.9").flagged == 1.0
    )  # of the sentences with a score, as detect and --max-flagged count


def test_what_a_fold_lacks_is_not_said_of_all_labels():
    sample = _sample(4)
    sample.gold[:] = [True, *[False] * 23]
    with pytest.raises(DetectorError, match=r"None of the 18 labelled sentences that are left when a part of the"):
        calibrate(sample)


def test_scores_that_differ_by_rounding_noise_fall_on_one_side_of_every_threshold():
    noise = 0.1 + 0.2  # 0.30000000000000004
    assert reaches([0.3, noise, 0.2999999999], noise).tolist() == [True, True, True]
    chosen = choose_threshold([0.9, noise, 0.3, 0.1], [True, True, False, False], [3, 3, 3, 3], "recall=0.9")
    assert reaches([noise, 0.3], chosen).tolist() == [True, True]


@given(ROWS)
def test_the_threshold_as_printed_flags_what_the_chosen_one_flags(rows):
    rows = [(score / 3, gold, words) for score, gold, words in rows]
    scores = [score for score, _, _ in rows]
    chosen = choose_threshold(*zip(*rows, strict=True))
    assert reaches(scores, float(_threshold(chosen))).tolist() == reaches(scores, chosen).tolist()


def test_where_guessing_is_as_good_no_threshold_is_called_worth_using():
    good = _sample(40)
    guessed = good._replace(scores=np.random.default_rng(8).random(good.scores.size))

    assert calibrate(good).worthless is None
    why = calibrate(guessed).worthless
    assert str(why).startswith("No threshold is worth using here: held out, F1 is 0.")
    assert max(map(_upper_end, (why["held_ends"], why["own_ends"]))) < 0.05
    assert f"against {why['everything']:.3f} for flagging every sentence (differences -" in str(why)
    assert why["everything"] == pytest.approx(calibrate(guessed).everything.f1)


def _upper_end(ends):
    return float(ends.split(" to ")[1])


def test_the_answers_are_too_few_wherever_an_interval_leaves_a_gain_of_five_points_open():
    good = _sample(40)
    few = good.part(np.isin(good.groups, np.unique(good.groups)[:8]))
    seen = set()
    for sample in (good, few):
        for seed in range(6):
            why = calibrate(sample._replace(scores=np.random.default_rng(seed).random(sample.scores.size))).worthless
            if why is not None:
                is_open = max(map(_upper_end, (why["held_ends"], why["own_ends"]))) >= 0.05
                assert why.code == ("too_few_to_beat_everything" if is_open else "no_better_than_everything")
                seen.add(why.code)
    assert len(seen) == 2


def test_a_threshold_with_a_lower_f1_than_the_default_is_not_recommended():
    sample = _sample(12)
    noise = np.random.default_rng(14).normal(0, 0.2, sample.scores.size)
    found = calibrate(sample._replace(scores=np.clip(sample.gold * 0.4 + 0.3 + noise, 0, 1)), own_threshold=0.6)
    advice = found.recommendation
    assert (advice.which, advice.threshold) == ("own", 0.6)
    why, beside = advice.reasons
    assert why.code == "default_as_good" and why["held"] < why["own"]
    assert beside.code == "only_chosen_beats_everything", "which is said all the same"


def test_the_area_under_the_curve_is_given_with_its_interval():
    found = calibrate(_sample(40))
    assert found.auroc_interval.low < found.auroc < found.auroc_interval.high
    told = _sample(40)
    assert calibrate(told._replace(scores=told.gold.astype(float))).auroc is None, "scores that say yes or no"


def test_a_floor_that_no_threshold_reaches_recommends_none():
    guessed = _sample(40)._replace(scores=np.random.default_rng(8).random(240))
    found = calibrate(guessed, "precision=0.9")
    why = str(found.worthless)
    assert why.startswith("No threshold is worth using here: precision 0.90 was asked, and none reaches it")
    assert found.as_dict()["threshold"] is None and found.as_dict()["worthless"]["code"] == "floor_out_of_reach"


def test_the_flagged_share_counts_the_sentences_without_a_label_that_detect_flags_too():
    found = calibrate(_sample(40)._replace(unlabelled=np.array([0.99, 0.99, nan])))
    labelled = calibrate(_sample(40))
    assert found.recommendation.threshold == labelled.recommendation.threshold
    assert found.flagged == pytest.approx((240 * labelled.flagged + 2) / 242)


def test_the_report_and_the_json_then_recommend_none():
    guessed = _sample(40)._replace(scores=np.random.default_rng(8).random(240))
    result = as_result(calibrate(guessed))
    verdict, *_ = texts_of(result)
    assert verdict.startswith("No threshold is worth using here")
    assert "--threshold" not in str(calibration_document(result))
    assert (result["threshold"], result["flagged"]) == (None, None)


def as_result(found):
    """As the command has it."""
    result = found.as_dict() | {"detector": "told", "require": "grounded", "history": "none"}
    return result | {"n_header_rows": 0, "probabilities": None, "remarks": []}


def texts_of(result):
    sections = calibration_document(result).sections
    return [each.text for section in sections for each in section.blocks if hasattr(each, "text")]


@pytest.mark.parametrize("objective", ["f1", "precision=0.7"])
def test_no_threshold_is_recommended_where_nothing_shows_that_the_scores_tell_anything(objective):
    sample, codes = _sample(8), set()
    for seed in range(12):
        noise = np.random.default_rng(seed).random(sample.scores.size)
        found = calibrate(sample._replace(scores=sample.scores * 0.3 + noise * 0.7), objective)
        if found.auroc_interval is not None and found.auroc_interval.low <= 0.5:
            assert found.recommendation.threshold is None
            codes.add(found.worthless.code)
    assert "scores_untold" in codes or objective == "f1", "for F1, flagging every sentence is hardly beaten then"


def test_whether_scores_tell_anything_is_said_after_the_threshold():
    good = _sample(40)
    guessed = good._replace(scores=np.random.default_rng(8).random(240))
    turned = good._replace(scores=1 - good.scores)
    for sample, says in (
        (good, "The scores of told tell unsupported sentences from supported ones: AUROC 0."),
        (guessed, "Nothing shows that the scores of told tell unsupported sentences from supported ones: AUROC 0."),
        (turned, "The scores of told are higher for supported sentences than for unsupported ones: AUROC 0."),
    ):
        result = as_result(calibrate(sample))
        _, second, *others = texts_of(result)
        assert second.startswith(says) and second.endswith(", whatever the threshold; an AUROC of 0.5 is chance.")
        assert not any("AUROC" in each for each in others), "said once"


@pytest.mark.parametrize("interval", [None, {"low": 0.45, "high": 1.0}])
def test_a_high_figure_of_few_labels_is_not_said_to_show_nothing(interval):
    result = as_result(calibrate(_sample(40))) | {"auroc": 1.0, "auroc_interval": interval}
    _, second, *_ = texts_of(result | {"n_statements": 6, "n_groups": 3})
    assert second.startswith(
        "6 labels in 3 contexts are too few to show that the scores of told tell unsupported sentences from supported "
        "ones: AUROC 1.000 ("
    )
    _, second, *_ = texts_of(result | {"auroc": 0.6})
    assert second.startswith("Nothing shows that the scores of told")


def test_scores_that_tell_something_get_another_advice_than_a_guess():
    few = _sample(40).part(np.isin(np.arange(240) % 5, (0, 1)))
    advice = {}
    for shown, value in ((0.7, 0.8), (0.4, 0.6), (0.45, 0.8)):
        result = as_result(calibrate(few)) | {"auroc": value, "auroc_interval": {"low": shown, "high": 0.9}}
        none = {"code": "too_few_to_beat_everything", "text": "These answers are too few"}
        result |= {"worthless": none, "recommendation": {"threshold": None, "which": None, "reasons": []}}
        advice[shown] = texts_of(result)[4]
    assert advice[0.7].startswith("Label more answers to settle a threshold.")
    assert advice[0.4] == "Try another detector, or label more answers."
    assert advice[0.45] == "Label more answers."


def _forty(found, false_alarms):
    """Ten contexts of four wrong and four right sentences; so many of each, spread over contexts, have a high score."""
    gold, order = np.tile([True] * 4 + [False] * 4, 10), np.arange(80) // 8 + 10 * (np.arange(80) % 4)
    scores = np.where(order < np.where(gold, found, false_alarms), 0.7, 0.2)
    scores[0] = 0.9
    groups = np.repeat([f"g{number}" for number in range(10)], 8)
    return ScoredSample(scores, gold, np.full(80, 10), groups, np.zeros(80, bool))


def _said(found):
    shown = {"detector": "d", "require": "grounded", "n_header_rows": 0, "remarks": [], "probabilities": None}
    document = calibration_document({**found.as_dict(), **shown})
    return [block.text for block in document.sections[0].blocks]


@pytest.mark.parametrize(
    ("own", "which", "chosen"),
    [
        (0.5, "The default", "the default"),
        (0.8, "On answers held out, a threshold chosen anew", "a threshold chosen anew"),
    ],
)
def test_a_threshold_that_flags_half_of_the_right_sentences_is_not_to_be_used_and_its_flags_are_counted(
    own, which, chosen
):
    # By hand, at 5 % errors: .05 · 37/40 = .04625 found, .95 · 20/40 = .475 flagged wrongly; .04625/.52125 = 8.9 %.
    found = calibrate(_forty(37, 20), own_threshold=own)
    assert found.flag_counts == FlagCounts(37, 40, 20, 40)
    assert found.flag_counts.precision_at(0.5) == pytest.approx(37 / 57)
    assert found.recommendation.threshold is None and found.worthless.code == "flags_too_much"
    verdict = _said(found)[0]
    assert verdict.startswith(f"No threshold is recommended here: {chosen} flags so many right sentences that")
    assert "Use" not in verdict and "Keep" not in verdict
    assert f"{which} finds 37 of 40 wrong sentences and flags 20 of 40 right ones." in verdict
    assert (
        "Of what it flags, 65 % (95 % interval 58 % to 71 %) is wrong here, where 50 % of sentences are wrong; where "
        "5.0 % are, 8.9 % (7.3 % to 10 %) would be."
    ) in verdict


def test_a_threshold_whose_flags_double_the_odds_of_an_error_may_be_used_and_its_flags_are_counted():
    found = calibrate(_forty(37, 8), own_threshold=0.5)  # at 5 % errors .04625/(.04625 + .19) = 20 %
    assert found.recommendation.which == "own" and found.worthless is None
    verdict = _said(found)[0]
    assert verdict.startswith("Keep --threshold 0.500")
    assert "The default finds 37 of 40 wrong sentences and flags 8 of 40 right ones." in verdict
    assert verdict.endswith("where 5.0 % are, 20 % (13 % to 27 %) would be, but that rests on only 8 false alarms.")
    assert found.as_dict()["flag_counts"]["usual_precision"] == pytest.approx(0.196, abs=5e-4)


def test_a_share_without_a_false_alarm_has_an_interval_here_and_none_where_errors_are_rare():
    found = calibrate(_forty(37, 0), own_threshold=0.5)
    assert (found.precision_interval.low, found.precision_interval.high) == pytest.approx((0.9051, 1.0), abs=1e-4)
    assert found.usual_precision_interval is None
    assert _said(found)[0].endswith("where 5.0 % are, 100 % would be, but that rests on only 0 false alarms.")


def test_of_a_floor_that_too_few_answers_show_the_first_sentence_is_the_doubt():
    found = calibrate(_forty(10, 0), "precision=0.9", own_threshold=0.1)
    verdict = _said(found)[0]
    assert verdict.startswith("These answers are too few to show that precision 0.90 is kept on others: held out it is")
    assert "By precision=0.9, the best for d on these is --threshold 0." in verdict and "Use" not in verdict


@settings(max_examples=60)
@given(
    found=st.integers(1, 40),
    false_alarms=st.integers(0, 40),
    own=st.sampled_from([0.1, 0.5, 0.8]),
    objective=st.sampled_from(["f1", "precision=0.6", "precision=0.9", "recall=0.6", "recall=0.9"]),
)
def test_the_share_that_the_conclusion_names_is_that_of_the_row_of_its_threshold(found, false_alarms, own, objective):
    result = as_result(calibrate(_forty(found, false_alarms), objective, own_threshold=own))
    flags = next(
        block
        for section in calibration_document(result).sections
        for block in section.blocks
        if getattr(block, "id", "") == "flags"
    )
    *_, last = flags.columns
    shares = {name: row[last.key].shown for name, row in zip(("own", "chosen"), flags.rows, strict=True)}
    verdict, worthless = texts_of(result)[0], result["worthless"]
    which = result["recommendation"]["which"] or "chosen"
    if result["flag_counts"]["usual_precision"] is not None:
        assert f"{shares[which]} " in verdict.partition("where 5.0 % are, ")[2]
    if worthless is not None and worthless["code"] == "flags_too_much":
        label = {"own": "the default", "chosen": "a threshold chosen anew"}[which]
        assert f"{label} flags so many right" in verdict and f"only {shares[which]} of those flagged" in verdict
    if which == "chosen" and worthless is not None and result["own_flags"]["usual_precision"] is not None:
        assert f"Where 5.0 % are wrong, {shares['own']} of what it flags would be" in verdict


def test_probabilities_that_were_asked_for_are_shown_without_asking_for_more():
    bins = [{"low": 0.0, "high": 0.5, "n": 3, "predicted": 0.2, "observed": 0.3}]
    mapped = {"before": {"error": 0.1}, "after": {"error": 0.2, "bins": bins}, "map": {"method": "isotonic"}}
    result = as_result(calibrate(_sample(40))) | {"probabilities": mapped | {"better": False}}
    (section,) = (each for each in calibration_document(result).sections if each.id == "probabilities")
    assert not section.detail and section.blocks[0].text.startswith("Expected calibration error (isotonic): 0.100 as")
