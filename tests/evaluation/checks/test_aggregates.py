import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of, scores_of
from voirdire.evaluation.checks.aggregates import dropped_items, headline_recomputed, unclustered_error
from voirdire.evaluation.checks.outputs import empty_output
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.records import Printed

HALF = {"m": [1.0, 0.0, 1.0, 0.0]}


def printed(value, se=None, decimals=2):
    return (Printed("m", value, se, None, decimals, "board.csv"),)


def test_a_headline_that_follows_passes_within_its_rounding():
    thirds = _rows({"m": [1.0, 1.0, 0.0]})
    assert headline_recomputed(evaluation_of(thirds, printed=printed(0.67))).status == "pass"
    assert headline_recomputed(evaluation_of(thirds, printed=printed(0.6767, decimals=4))).status == "fail"


def test_a_headline_that_does_not_follow_names_the_model_and_the_gap():
    found = headline_recomputed(evaluation_of(_rows(HALF), printed=printed(0.55)))
    assert (found.status, found.value, found.models) == ("fail", pytest.approx(0.05), ("m",))
    assert found.quotes[0].text == "board.csv: 0.5500, recomputed 0.5000"


def test_an_error_that_does_not_follow_fails():
    se = float(np.std([1, 0, 1, 0], ddof=1) / 2)
    assert headline_recomputed(evaluation_of(_rows(HALF), printed=printed(0.5, se))).status == "pass"
    assert headline_recomputed(evaluation_of(_rows(HALF), printed=printed(0.5, se / 2))).status == "fail"


def test_without_a_printed_headline_nothing_is_measured():
    assert headline_recomputed(scores_of(HALF)).status == "not_measured"


def test_dropped_items_are_counted_with_the_bounds_that_they_allow():
    found = dropped_items(scores_of({"m": [1.0, 1.0, 0.0, None], "n": [1.0, 0.0, 0.0, 0.0]}))
    assert (found.status, found.value, found.models) == ("fail", 0.25, ("m",))
    assert found.details["bounds"] == {"m": [0.5, 0.75]}
    assert [(quote.item, quote.text) for quote in found.quotes] == [("i3", "missing")]


def test_what_dropped_items_could_change_rests_on_the_printed_headline_where_the_file_holds_fewer():
    rows = [{"item": "i0", "model": "m", "score": None, "status": "error"}]
    log = evaluation_of(rows, printed=(Printed("m", 55 / 78, None, 78, 12, "log"),), settings={"m": {"items": 80}})
    assert dropped_items(log).details["bounds"] == {"m": pytest.approx([0.6875, 0.7125])}


def gaps_of(lacking):
    """What `dropped_items` says of 50 outputs of two judges, one of whom lacks the first few of model m."""
    return dropped_items(
        evaluation_of(
            {"item": f"i{item}", "model": model, "judge": judge, "score": 1.0}
            for item in range(25)
            for model in ("m", "n")
            for judge in ("correct", "tone")
            if judge == "tone" or model == "n" or item >= lacking
        )
    )


def test_outputs_that_a_judge_of_nearly_all_did_not_score_are_dropped_and_those_of_a_judge_of_a_part_are_not():
    found = gaps_of(3)
    assert (found.status, found.finding.code, found.models) == ("fail", "evaluation_judge_gaps", ("m",))
    assert dict(found.finding.params) == {"judge": "correct", "outputs": 3, "of": 50, "models": 1}
    assert gaps_of(0).status == gaps_of(20).status == "pass"


def test_items_that_a_model_was_never_asked_are_not_dropped():
    found = dropped_items(scores_of({"m": [1.0, 1.0], "n": [1.0]}))
    assert (found.status, found.value) == ("pass", 0.0)


def test_scores_that_go_by_cluster_make_the_plain_error_too_small():
    # 20 clusters of 10 items with one score each: the error is about sqrt(10) times the plain one.
    scores = [float(cluster % 2) for cluster in range(20) for _ in range(10)]
    rows = [
        {"item": f"i{place}", "model": "m", "score": score, "cluster": f"c{place // 10}"}
        for place, score in enumerate(scores)
    ]
    plain = (Printed("m", 0.5, 0.5 / np.sqrt(199), 200, 3, "log"),)
    found = unclustered_error(evaluation_of(rows, printed=plain))
    assert (found.status, found.finding.code) == ("fail", "evaluation_clusters")
    assert found.value == pytest.approx(np.sqrt(10), rel=0.05)
    unprinted = unclustered_error(evaluation_of(rows))
    assert (unprinted.status, unprinted.finding.code) == ("warn", "evaluation_clusters_unprinted")
    assert unprinted.value == pytest.approx(found.value, rel=0.01)


def test_scores_that_ignore_their_clusters_pass():
    scores = np.random.default_rng(1).random(600).round().tolist()
    assert unclustered_error(scores_of({"m": scores}, cluster=[f"c{n // 10}" for n in range(600)])).status == "pass"


def test_without_clusters_the_error_is_not_measured():
    assert unclustered_error(scores_of(HALF)).status == "not_measured"


def _rows(scores):
    return [
        {"item": f"i{n}", "model": model, "score": score}
        for model, own in scores.items()
        for n, score in enumerate(own)
    ]


def test_a_headline_that_counts_missing_scores_as_wrong_follows_by_that_rule():
    found = headline_recomputed(evaluation_of(_rows({"m": [1.0, 1.0, 0.0, None]}), printed=printed(0.5)))
    assert (found.status, found.details["rules"]) == ("pass", {"m": "lowest"})


def test_a_headline_of_more_items_than_the_file_has_warns_where_they_could_explain_it():
    more = (Printed("m", 0.55, None, 8, 2, "board.csv"),)
    assert headline_recomputed(evaluation_of(_rows(HALF), printed=more)).status == "warn"
    assert headline_recomputed(evaluation_of(_rows(HALF), printed=(more[0]._replace(value=0.9),))).status == "fail"


def test_items_that_a_log_counts_and_its_headline_does_not_are_dropped():
    counted = evaluation_of(_rows(HALF), printed=(Printed("m", 0.5, None, 4, 2, "log"),), settings={"m": {"items": 5}})
    assert (dropped_items(counted).status, dropped_items(counted).value) == ("fail", pytest.approx(0.2))


def test_an_extract_of_a_log_has_dropped_nothing():
    extract = evaluation_of(
        _rows(HALF), printed=(Printed("m", 0.5, None, 5_000, 2, "log"),), settings={"m": {"items": 5_000}}
    )
    for check in (dropped_items, headline_recomputed):
        found = check(extract)
        assert (found.status, found.finding.code) == ("not_measured", "evaluation_extract")


def test_a_headline_without_items_is_no_missing_headline():
    alone = evaluation_of([], printed=(Printed("m", 0.5, None, 100, 2, "log"),))
    assert headline_recomputed(alone).finding.code == "evaluation_no_items"


def test_few_clusters_are_no_sample():
    scores = [float(cluster % 2) for cluster in range(5) for _ in range(40)]
    few = scores_of({"m": scores}, cluster=[f"c{place // 40}" for place in range(200)])
    assert unclustered_error(few).status == "not_measured"


def test_scores_that_a_judge_of_several_or_a_repetition_lacks_are_dropped_in_part():
    rows = [
        {"item": f"i{n}", "judge": judge, "score": None if judge == "b" and n < 10 else float(n % 2)}
        for n in range(50)
        for judge in ("a", "b")
    ]
    found = dropped_items(evaluation_of(rows))
    assert (found.status, found.value, found.finding.code) == ("fail", 0.1, "evaluation_partly_dropped")
    assert found.details["bounds"] == {}


def test_all_scores_that_are_missing_are_counted_those_of_items_without_any_too():
    rows = [
        {"item": f"i{n}", "judge": judge, "score": None if n == 0 or (judge == "b" and n < 5) else 1.0}
        for n in range(50)
        for judge in ("a", "b")
    ]
    found = dropped_items(evaluation_of(rows))
    assert (found.value, found.finding["items"]) == (0.06, 6)


def test_an_interval_of_few_right_and_wrong_items_is_the_binomial_one():
    found = headlines(scores_of({"m": [1.0] + [0.0] * 8}))["m"].interval
    # Jeffreys: quantiles of Beta(1.5, 8.5)
    assert (found.low, found.high) == (pytest.approx(0.0118, abs=1e-3), pytest.approx(0.4143, abs=2e-2))


def test_an_item_without_any_score_is_dropped_whole_though_others_are_in_part():
    rows = [{"item": f"i{n}", "score": None if n < 10 else 1.0} for n in range(50)]
    found = dropped_items(evaluation_of(rows))
    assert (found.value, found.finding.code) == (0.2, "evaluation_dropped_by_one")


def test_what_the_score_could_be_is_said():
    rows = [{"item": f"i{n}", "score": None if n < 10 else 1.0} for n in range(50)]
    found = dropped_items(evaluation_of(rows, bounds=(0.0, 1.0)))
    assert str(found.finding) == (
        "10 items have no score, of 50 pairs of item and model, in 1 model, which with them could score 0.800 to 1.000"
    )


def test_counts_say_of_what_and_a_quote_stands_once_for_two_judges():
    rows = [
        {"item": f"i{n}", "judge": judge, "score": None if n < 5 else 1.0, "output": "" if n < 8 else f"Output {n}."}
        for n in range(20)
        for judge in ("x", "y")
    ]
    found = dropped_items(evaluation_of(rows))
    assert str(found.finding) == (
        "5 items have no score, of 20 pairs of item and model, in 1 model, which with them could score 0.750 to 1.000"
    )
    assert [each.item for each in found.quotes] == ["i0", "i1", "i2"]
    assert [each.item for each in empty_output(evaluation_of(rows)).quotes] == ["i5", "i6", "i7"]  # those with a score


def test_an_inverted_headline_is_told_with_whose_place_it_would_change():
    rows = _rows({"m": [1.0, 0.0, 0.0, 0.0], "n": [1.0, 1.0, 0.0, 0.0]})
    found = headline_recomputed(evaluation_of(rows, printed=printed(0.75)))
    assert "1 - 0.250 = 0.750: the direction is probably inverted" in str(found.finding)
    assert found.details["other_places"] == ["m"]
    assert headline_recomputed(evaluation_of(rows, printed=printed(0.35))).details["other_places"] == []


def test_the_error_of_a_headline_of_best_tries_is_that_of_the_best_tries():
    tries = [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    rows = [
        {"item": str(n), "epoch": k + 1.0, "score": each} for n, own in enumerate(tries) for k, each in enumerate(own)
    ]
    se = float(np.std([1, 0, 1, 1], ddof=1) / 2)
    assert headline_recomputed(evaluation_of(rows, printed=printed(0.75, se))).status == "pass"
    assert headline_recomputed(evaluation_of(rows, printed=printed(0.75, se / 2))).status == "fail"
