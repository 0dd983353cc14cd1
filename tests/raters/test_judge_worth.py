"""What the judges of a run are worth, by a project's ratings."""

import csv
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.raters._projects import scored
from tests.raters.anchoring.examples import settled
from tests.raters.comparison.examples import label_project, label_run, turn_project, turn_run
from tests.raters.tasks.guided.examples import answer, made, rated, results, written
from voirdire.jury.worth.records import WorthError
from voirdire.jury.worth.report import headline, worth_document
from voirdire.jury.worth.tables import Columns, Key, Verdicts
from voirdire.raters.anchoring import anchor
from voirdire.raters.comparison import compare_with
from voirdire.raters.exchange import ExportPlan, export_project, import_ratings
from voirdire.raters.good_ratings import with_good_ratings
from voirdire.raters.judge_worth import Batch, WorthRequest, judges_worth, plan_csv, plan_worth, tables_of_run
from voirdire.raters.machine_ratings import VerdictSelection
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.results_reader import in_groups
from voirdire.reports.formats.terminal import to_terminal


def test_a_jury_that_is_lenient_is_to_be_corrected(rated_run):
    path, run = rated_run
    jury = judges_worth(WorthRequest(results=run, human=path))[0]
    assert (jury.judge, jury.conclusion) == ("simulated/judge", "correct"), "a jury of one is called by its judge"
    assert jury.bias.value == pytest.approx(0.2, abs=0.02)
    assert jury.raw - jury.best.value == pytest.approx(0.2, abs=0.04)
    assert [each.model for each in jury.models] == ["simulated/fading", "simulated/steady"]
    assert jury.clusters < jury.ratings


def test_where_they_differ_the_answer_and_both_sides_reasons_are_quoted(rated_run):
    path, run = rated_run
    apart = judges_worth(WorthRequest(results=run, human=path))[0].confusions[0]
    assert apart.text and ": " in apart.judge_reason, "of every judge, after its name"
    assert apart.people_reason == "Rated by hand."
    assert list(apart.beside) == ["question", "reference"]


def test_where_they_differ_stands_what_people_read_else_what_the_results_have(tmp_path):
    texts = {"question": "When?", "context": "It opens at 9.", "reference": "At 9."}
    rows = [{"item": f"q{n}", **texts, "output": f"At {n}.", "score": n % 2} for n in range(12)]
    source, ratings = written(tmp_path / "r.jsonl", rows), tmp_path / "h.csv"
    ratings.write_text("item,label\n" + "".join(f"q{n},{int(n > 5)}\n" for n in range(12)))
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct" if len(document.body["output"]) > 5 else "incorrect"))
    for human in (ratings, path):
        (judge,) = judges_worth(WorthRequest(results=source, human=human))
        assert judge.confusions[0].beside == texts
    verdicts = written(tmp_path / "verdicts.jsonl", [{"item": each["item"], "score": each["score"]} for each in rows])
    (judge,) = judges_worth(WorthRequest(results=verdicts, human=path))
    assert judge.confusions[0].text.startswith("At "), "verdicts without texts: the answer as people read it"


def _log(path, scores_of, scorers=()):
    """A log of Inspect whose scorers, the first one's first, gave each of twelve answers these scores."""
    samples = [
        {"id": f"q{n}", "input": "When?", "output": {"completion": f"At {n}."}, "scores": scores_of(n)}
        for n in range(12)
    ]
    printed = [{"name": name, "scorer": name, "metrics": {}} for name in scores_of(0)]
    about = {"task": "hours", "model": "acme/small", "scorers": scorers}
    whole = {"version": 2, "status": "success", "eval": about, "results": {"scores": printed}, "samples": samples}
    path.write_text(json.dumps(whole))
    return path


def _labels(path, first="q"):
    """People's, of the same answers: the later half is good."""
    path.write_text("item,label\n" + "".join(f"{first}{n},{int(n > 5)}\n" for n in range(12)))
    return path


def test_what_a_scorer_without_a_model_explains_is_its_reason(tmp_path):
    log = _log(tmp_path / "log.json", lambda n: {"rule": {"value": n % 2, "explanation": f"Rule {n % 2}."}})
    (judge,) = judges_worth(WorthRequest(results=log, human=_labels(tmp_path / "h.csv")))
    assert {each.judge_reason for each in judge.confusions} == {"Rule 0.", "Rule 1."}


def test_every_scorer_of_a_log_is_a_judge_but_the_people_whose_ratings_stand_in_it(tmp_path):
    log = _log(
        tmp_path / "log.json",
        lambda n: {
            "rule": {"value": n % 2, "explanation": f"Rule {n % 2}."},
            "late": {"value": 1.5 * (n > 5), "explanation": "Late."},
            "people": {"value": int(n > 5)},
        },
        scorers=[{"name": "rule", "options": {"model": "acme/judge"}}],
    )
    human = _labels(tmp_path / "h.csv")

    def judges(metric=None, *scores):
        request = WorthRequest(results=log, human=human, metric=metric, columns=Columns(scores=scores))
        return {each.judge: each for each in judges_worth(request)}

    found = judges()
    assert list(found) == list(judges("hours")) == ["rule", "late"]
    assert found["rule"].correlation.value == pytest.approx(0, abs=0.01)
    assert found["late"].correlation.value == pytest.approx(1, abs=0.01)
    assert {each.judge_reason for each in found["rule"].confusions} == {"Rule 0.", "Rule 1."}
    assert {each.judge_reason for each in found["late"].confusions} <= {""}, "not what another scorer explains"
    assert (list(judges("rule")), list(judges("late"))) == (["rule"], ["late"])
    assert (list(judges(None, "late")), list(judges(None, "people"))) == (["late"], ["people"])
    with pytest.raises(RatersError, match=r"log\.json has no metric 'nosuch'; give one of hours, rule, late, people\."):
        judges("nosuch")
    elsewhere = WorthRequest(results=log, human=_labels(tmp_path / "other.csv", first="x"), metric="late")
    with pytest.raises(RatersError, match=r"log\.json holds none of the rated items; its evaluations: hours\."):
        judges_worth(elsewhere)
    rare = _log(tmp_path / "rare.json", lambda n: {"rule": {"value": n % 2}, "rare": {"value": "1" * (n == 11)}})
    human.write_text("\n".join(human.read_text().splitlines()[:-1]))
    with pytest.raises(WorthError, match=r"that rare gave a verdict on\. If there are other judges, name them with"):
        judges_worth(WorthRequest(results=rare, human=human))


def test_another_metric_is_chosen_by_name(rated_run):
    path, run = rated_run
    found = voirdire_json("jury", "worth", run, "--human", path, "--metric", "SAS")["judges"][0]
    assert found["conclusion"] in ("correct", "undecided")  # the rater gives the jury's own, of three concepts
    assert found["bias"]["value"] == 0
    with pytest.raises(RatersError, match="no metric 'XYZ'; give one of FAR, SAS"):
        judges_worth(WorthRequest(results=run, human=path, metric="XYZ"))


def test_a_run_has_no_scores_to_choose(rated_run):
    path, run = rated_run
    with pytest.raises(RatersError, match="has no columns to choose: leave out --map and the names of columns"):
        judges_worth(WorthRequest(results=run, human=path, columns=Columns(scores=("FAR",))))


def test_a_metric_that_weighs_units_is_refused(tmp_path):
    labels = [["invented", "faithful"]] * 6
    project = settled(label_project(labels, {"ann": [label for each in labels for label in each]}))
    with pytest.raises(RatersError, match="choose another --metric"):
        tables_of_run(project, label_run(tmp_path / "run", *labels), metric="hallucinated_words")


def test_an_answer_in_which_people_or_the_jury_find_no_claim_has_no_accuracy(tmp_path):
    run = turn_run(tmp_path / "run")

    def says(far, sas, number):
        return scored(None if number % 4 == 0 else far, sas, "rejected" if number % 5 == 3 else None)

    _, ratings, _ = tables_of_run(settled(turn_project(run, {"ann": says})), run, metric="FAR")
    assert 0 < len(ratings) < 30


def test_what_detect_read_by_a_mapping_is_worth_the_same_with_and_without_what_it_read(tmp_path):
    rows = [
        {"nr": f"a{n}", "asked": "When?", "got": {"text": f"Room {n} opens at 9."}, "said": "It opens at 8. It is big."}
        for n in range(12)
    ]
    source, flagged = written(tmp_path / "log.jsonl", rows), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "--map", "context=got.text,answer=said,question=asked,id=nr", "-o", flagged)
    table = [
        {"item": f"a{n}#0", "cluster": f"a{n}", "output": "It opens at 8.", "context": f"Room {n} opens at 9."}
        for n in range(12)
    ]
    path = made(tmp_path, "labels", written(tmp_path / "t.jsonl", table))
    rated(
        path, lambda document, rater: answer("supported" if int(document.source["item"][1:-2]) % 3 else "unsupported")
    )
    request = WorthRequest(results=flagged, human=path)
    beside = judges_worth(request)
    source.rename(tmp_path / "elsewhere.jsonl")
    alone = judges_worth(request)
    assert [each.people for each in beside] == [each.people for each in alone]
    assert [each.powered for each in beside] == [each.powered for each in alone]
    assert beside[0].clustered_by == "the group"
    said = to_terminal(worth_document(beside)).replace("\n", " ")
    assert "flagged and score are two readings of one detector" in said


def test_verdicts_without_a_rating_go_with_the_rated_ones_of_their_cluster(tmp_path):
    source = written(tmp_path / "r.jsonl", [{"item": f"q{n}", "output": f"{n}.", "group": "g"} for n in range(3)])
    project = read_project(made(tmp_path, "labels", source))
    keys = tuple(Key(f"q{n}", "") for n in range(6))
    scores = {"j": np.zeros(6)}
    verdicts = Verdicts(
        keys=keys, clusters=tuple("xxyxyz"), scores=scores, texts=("",) * 6, reasons={"j": ("",) * 6}, clustered_by="me"
    )
    found = in_groups(verdicts, project)
    assert found.clusters == ("g", "g", "g", "g", "g", "z")
    assert found.clustered_by == "the group, or outside the project me,"


def test_a_judge_that_favours_a_model_is_corrected_by_labels(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct" if _odd(document) else "incorrect"))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert (judge.conclusion, judge.bias.value, judge.ratings) == ("correct", pytest.approx(0.25), 80)
    assert [each.model for each in judge.models if each.favoured] == ["one"]
    page = str(worth_document((judge,), whole=True))
    assert "too high by 0." in page and "scores too high by" in page


def test_a_judge_that_is_too_strict_scores_too_low_by_a_number_above_zero(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct"))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    page = str(worth_document((judge,), whole=True))
    assert judge.bias.value < 0 and "scores too low by" in page
    for each in judge.models:
        assert each.bias.value >= 0 or f"too low by {-each.bias.value:.2f}" in page


def test_a_judge_that_says_what_people_say_is_trusted(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct" if _right(document) else "incorrect", reason="So."))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert (judge.conclusion, judge.bias.value, judge.ratings) == ("trust", 0, 80)


def test_preferences_are_held_against_which_of_two_scores_is_higher(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "preference", source)
    rated(path, lambda document, rater: answer("tie" if _odd(document) else "first"))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert (judge.conclusion, judge.bias.value, judge.raw) == ("trust", 0, 0.75)
    assert (judge.agreement.value, judge.agreement.n, judge.counts) == (1, 40, None)


def test_a_judge_of_pairs_may_use_the_words_of_our_own_export(tmp_path):
    outputs = [{"item": f"q{n}", "output_1": f"One {n}.", "output_2": f"Two {n}."} for n in range(30)]
    path = made(tmp_path, "preference", written(tmp_path / "pairs.jsonl", outputs))
    says = ("first", "second", "tie")
    rated(path, lambda document, rater: answer(says[int(document.source["item"][1:]) % 3]))
    judge = tmp_path / "judge.csv"
    judge.write_text("\n".join(["item,preferred", *(f"q{n},{says[n % 3]}" for n in range(30))]))
    (worth,) = judges_worth(WorthRequest(results=judge, human=path))
    assert (worth.ratings, worth.raw, worth.correlation.value) == (30, pytest.approx(0.5), pytest.approx(1))
    assert worth.ones.judge == "the first of the pair is preferred"
    (turned,) = judges_worth(WorthRequest(results=judge, human=path, columns=Columns(good_verdict=("second",))))
    assert turned.correlation.value < 0, "what the user says goes first"


def test_of_pairs_it_is_told_whose_output_is_the_first_and_both_are_quoted_where_they_differ(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "preference", source)
    rated(path, lambda document, rater: answer("tie" if _odd(document) else "second"))
    (judge,) = judges = judges_worth(WorthRequest(results=source, human=path))
    assert judge.ones == ("one, the first of each pair, is preferred", "the first of the pair is scored better")
    page = str(worth_document(judges, whole=True))
    assert "The metric is how often one is preferred; where both are equally good, that counts half." in page
    assert "prefers one more than people do" in page and "prefers one too often by" in page
    assert "lenient" not in page and "scores too high" not in page
    apart = judge.confusions[0]
    assert apart.text.startswith("First: one says") and "Second: two says" in apart.text
    assert apart.beside["question"].startswith("Question ")
    assert judge.agreement.value == 0.5 and judge.agreement.interval.low < 0.5 < judge.agreement.interval.high
    assert "Ties are neither 1 nor 0, so there is no sensitivity and no specificity." in page


def test_of_pairs_what_the_judge_says_of_both_outputs_stands_beside_what_people_say(tmp_path):
    rows = [
        {"item": f"q{n}", "model": model, "output": f"{model} {n}", "score": score, "explanation": f"{model}: why {n}."}
        for n in range(20)
        for model, score in (("one", 0.9), ("two", n % 2))
    ]
    source = written(tmp_path / "r.jsonl", [{**each, "group": each["item"]} for each in rows])
    path = made(tmp_path, "preference", source)
    rated(path, lambda document, rater: answer("second", reason="Shorter."))
    (judge,) = judges = judges_worth(WorthRequest(results=source, human=path))
    (apart,) = [each for each in judge.confusions if each.item == "q4"]
    assert apart.judge_reason == "First: one: why 4.\n\nSecond: two: why 4."
    assert apart.judge_label == "The first of the pair (one) is better"
    assert (apart.label, apart.people_reason) == ("The second of the pair (two) is better", "Shorter. | Shorter.")
    page = str(worth_document(judges, whole=True))
    assert f"{judge.judge} says The first of the pair (one) is better" in page and f"{judge.judge} says 1" not in page


def table(path, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return path


def test_scores_by_model_that_fit_no_pair_are_refused_with_what_to_give(tmp_path):
    names = [f"q{number}" for number in range(12)]
    outputs = [("item", "output_1", "output_2"), *((name, f"{name} one", f"{name} two") for name in names)]
    unnamed = made(tmp_path, "preference", table(tmp_path / "pairs.csv", outputs), name="u.voirdire")
    named = made(tmp_path, "preference", results(tmp_path / "r.jsonl", 12))
    for path in (unnamed, named):
        rated(path, lambda document, rater: answer("first" if _odd(document) else "second"))

    def scores(*models):
        rows = [("item", "model", "score"), *((name, model, 0.5) for name in names for model in models)]
        return table(tmp_path / "scores.csv", rows)

    def said(path, *models):
        jury = voirdire("jury", "worth", scores(*models), "--human", path, check=False).stderr
        compared = voirdire("rate", "agreement", path, "--with", scores(*models), check=False).stderr
        return " ".join(jury.split()), " ".join(compared.split())

    for models in (("m1",), ("m1", "m2")):
        assert all("don't say whose outputs they are: give a row" in each for each in said(unnamed, *models))
    assert all("scores one model's output for each item" in each for each in said(named, "one"))
    jury, _ = said(named, "m1", "m2")
    assert "was rated for 'one against two' and judged for 'm1 against m2'" in jury
    by_pair = table(tmp_path / "p.csv", [("item", "score"), *((name, int(name[1:]) % 2) for name in names)])
    assert judges_worth(WorthRequest(results=by_pair, human=unnamed))[0].ratings == 12


def test_a_bias_in_pairs_is_a_preference_and_no_height_of_scores(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "preference", source)
    often = iter(range(80))
    rated(path, lambda document, rater: answer("second" if next(often) % 8 < 2 or _odd(document) else "first"))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert [each.code for each in judge.why] == ["worth_prefers"]
    assert "it prefers one too often by 0." in headline(judge)


def test_a_detector_is_held_against_what_people_mark(tmp_path):
    source, flagged = _answers(tmp_path), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, "spans", flagged)
    span = {"start": 12, "end": 13, "label": "unsupported"}
    rated(path, lambda document, rater: answer("done", spans=[span] if "8" in document.body["output"] else []))
    judges = {each.judge: each for each in judges_worth(WorthRequest(results=flagged, human=path))}
    assert list(judges) == ["flagged", "score"]
    assert judges["flagged"].agreement.value == 1
    assert judges["flagged"].raw == 0.75, "1 is supported, as for labels"
    assert judges["flagged"].ones == ("nothing in the answer is marked", "no sentence is flagged")


def test_of_flagged_answers_it_is_told_how_many_of_their_flagged_sentences_hold_a_mark(tmp_path):
    rows = [
        {
            "id": f"a{n}",
            "context": f"It opens at 9. Ask for {chr(65 + n)}ry.",
            "question": "?",
            "answer": "It opens at 8. Lunch costs 5 pounds.",
        }
        for n in range(12)
    ]
    flagged = tmp_path / "flagged.jsonl"
    voirdire("detect", written(tmp_path / "a.jsonl", rows), "-o", flagged)
    path = made(tmp_path, "spans", flagged)
    eight, lunch = ({"start": start, "end": start + 2, "label": "unsupported"} for start in (12, 15))
    some = ("a0", "a5", "a9")
    rated(path, lambda doc, rater: answer("done", spans=[eight, lunch] if doc.source["item"] in some else [eight]))
    judge = next(each for each in judges_worth(WorthRequest(results=flagged, human=path)) if each.judge == "flagged")
    assert (judge.unit, judge.right_zeros.value) == ("answer", 1)
    assert (judge.marked_flags.value, judge.marked_flags.n) == (15 / 24, 24)
    said = " ".join(to_terminal(worth_document([judge])).split())
    assert "Of 12 flagged answers that people rated, 12 hold a mark: 100 %" in said
    assert "; of the 24 flagged sentences in these, 15 hold a mark: 63 % (" in said
    changed = written(tmp_path / "labels.jsonl", [{**each, "item": each["id"]} for each in rows])
    labels = made(tmp_path, "labels", changed, name="labels.voirdire")
    rated(labels, lambda document, rater: answer("incorrect"))
    judge = next(each for each in judges_worth(WorthRequest(results=flagged, human=labels)) if each.judge == "flagged")
    assert judge.marked_flags is None, "who labels whole answers marks no sentence"
    assert "Of 12 flagged answers that people rated, 12 are rightly flagged" in to_terminal(worth_document([judge]))


def test_a_detectors_scores_that_run_against_people_are_not_to_be_turned_around(tmp_path):
    source, flagged = _answers(tmp_path), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, "spans", flagged)
    span = {"start": 12, "end": 13, "label": "unsupported"}
    rated(path, lambda document, rater: answer("done", spans=[] if "8" in document.body["output"] else [span]))
    for judge in judges_worth(WorthRequest(results=flagged, human=path)):
        assert judge.conclusion == "opposite" and [each.code for each in judge.why] == ["worth_against"]
    with pytest.raises(RatersError, match="is what voirdire detect wrote: its high scores are bad"):
        judges_worth(WorthRequest(results=flagged, human=path, columns=Columns(good_verdict=("high",))))


def test_an_answer_of_which_nothing_was_scored_has_no_verdict_and_every_figure_is_of_the_others(tmp_path):
    source, flagged = _answers(tmp_path), tmp_path / "flagged.jsonl"
    with source.open("a") as file:
        file.write('{"id": "hello", "context": "Room 1 opens at 9.", "question": "Hi?", "answer": "Hello!"}\n')
    voirdire("detect", source, "-o", flagged)
    ratings = tmp_path / "r.csv"
    ratings.write_text("item,label\nhello,1\n" + "".join(f"a{n},{int(n % 4 != 1)}\n" for n in range(20)))
    for judge in judges_worth(WorthRequest(results=flagged, human=ratings)):
        assert (judge.ratings, judge.verdicts, judge.people.n) == (20, 20, 20)
        assert judge.people.value == pytest.approx(0.75)
        assert judge.raw_rated - judge.people.value == pytest.approx(judge.bias.value)
        (caution,) = [each for each in judge.cautions if each.code == "worth_unscored"]
        assert caution.sentence.startswith("1 rated item has no verdict of this judge")


def test_intervals_are_clustered_by_the_groups_of_the_project(tmp_path):
    source, flagged = tmp_path / "a.jsonl", tmp_path / "flagged.jsonl"
    answers = [
        {"id": f"a{n}", "context": f"Room {n % 5} opens at 9.", "answer": f"It opens at {8 + n % 2}."}
        for n in range(20)
    ]
    written(source, answers)
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("incorrect" if "8" in document.body["output"] else "correct"))
    for judge in judges_worth(WorthRequest(results=flagged, human=path)):
        assert (judge.ratings, judge.clusters, judge.clustered_by) == (20, 5, "the group")
    said = " ".join(voirdire("jury", "worth", flagged, "--human", path, "--all").stdout.split())
    together = "verdicts that share the group are related and count together (clustered)"
    assert f"{together}: 20 rated items, 5 groups of related ones." in said


def test_ratings_of_sentences_are_held_against_a_detectors_sentences(tmp_path):
    source, flagged, ratings = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "r.csv"
    source.write_text(source.read_text().replace('at 9."}', 'at 9. It opens at 77."}'))
    voirdire("detect", source, "-o", flagged)
    rows = [f"a{n}#{place},{int(place == 0 and n % 4 != 1)}" for n in range(20) for place in range(1 + (n % 4 != 1))]
    ratings.write_text("item,label\n" + "\n".join(rows) + "\n")
    judges = {each.judge: each for each in judges_worth(WorthRequest(results=flagged, human=ratings))}
    assert (judges["flagged"].ratings, judges["flagged"].clusters, judges["flagged"].agreement.value) == (35, 20, 1)
    assert judges["score"].correlation.value > 0.9
    named = voirdire("jury", "worth", flagged, "--human", ratings, "--cluster-column", "nonsense", check=False)
    assert named.returncode == 1 and "Leave out --cluster-column." in named.stderr


def test_ratings_that_match_nothing_are_counted_and_most_decide_whether_answers_or_sentences_are_meant(tmp_path):
    """The id of a second answer called a0 is that of the third sentence of the first: one row must not decide."""
    source, flagged, ratings = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "r.csv"
    voirdire("detect", source, "-o", flagged)
    rows = [f"a{n}#0,{int(n % 4 != 1)}" for n in range(20)]
    ratings.write_text("\n".join(["item,label", *rows, "a3,1", "typo#0,0", ""]))
    (judge, *_) = judges_worth(WorthRequest(results=flagged, human=ratings))
    assert judge.ratings == 20
    said = " ".join(voirdire("jury", "worth", flagged, "--human", ratings).stdout.replace("│", " ").split())
    assert "2 rated items are not among the verdicts, and left out: a3, typo#0." in said


def test_the_sentences_of_a_detector_are_planned_rated_in_the_app_and_held_against_it(tmp_path):
    source, flagged, sheet = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "plan.csv"
    source.write_text(source.read_text().replace("at 8.", "at 8. It is red."))
    voirdire("detect", source, "-o", flagged)
    plan = voirdire_json("jury", "worth", flagged, "--plan", "--draw", 25, "-o", sheet)
    assert (plan["more"], len(plan["items"])) == (25, 25)
    rows = list(csv.DictReader(sheet.open()))
    assert list(rows[0]) == ["item", "cluster", "question", "whole_answer", "context", "output", "label", "reason"]
    assert {"It opens at 8.", "It is red."} <= {row["output"] for row in rows}
    assert all(re.fullmatch(r"a\d+#[01]", row["item"]) and row["cluster"] != row["item"] for row in rows)

    path = made(tmp_path, "labels", sheet)
    rated(path, lambda document, rater: answer("unsupported" if "8" in document.body["output"] else "supported"))
    judges = {each.judge: each for each in judges_worth(WorthRequest(results=flagged, human=path))}
    assert (judges["flagged"].ratings, judges["flagged"].agreement.value) == (25, 1)
    assert voirdire_json("jury", "worth", flagged, "--human", path, "--plan")["ratings"] == 25


@pytest.mark.parametrize("kind", ["table", "project"])
def test_labels_of_some_lines_of_detect_are_not_joined_to_other_sentences(tmp_path, kind):
    """Where lines are left out, the sentences of an answer are numbered anew."""
    source, flagged, kept, sheet = _answers(tmp_path), *(tmp_path / each for each in ("f.jsonl", "k.jsonl", "s.csv"))
    source.write_text(source.read_text().replace("at 8.", "at 8. Loyal customers enjoy surprises."))
    voirdire("detect", source, "-o", flagged)
    kept.write_text("".join(line for line in flagged.open() if "Loyal" in line))
    voirdire("jury", "worth", kept, "--plan", "--draw", 5, "-o", sheet)
    if kind == "table":
        sheet.write_text(sheet.read_text().replace(".,,", ".,incorrect,"))
        human = sheet
    else:
        human = made(tmp_path, "labels", sheet)
        rated(human, lambda document, rater: answer("incorrect"))
    assert judges_worth(WorthRequest(results=kept, human=human))[0].ratings == 5
    with pytest.raises(
        WorthError, match=r"'Loyal customers enjoy surprises.' in the ratings and 'It opens at \d+.' in"
    ):
        judges_worth(WorthRequest(results=flagged, human=human))
    if kind == "project":
        for command in ("anchor", "agreement"):
            done = voirdire("rate", command, human, "--with", flagged, check=False)
            assert done.returncode == 1 and "in the ratings and 'It opens at" in done.stderr


def test_ratings_of_answers_are_held_against_what_is_left_of_detects_lines(tmp_path):
    source, flagged, ratings = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "r.csv"
    source.write_text(source.read_text().replace("at 8.", "at 8. It is red. It is old."))
    voirdire("detect", source, "-o", flagged)
    source.unlink()
    flagged.write_text("".join(line for line in flagged.open() if "red" not in line))
    rows = [f"a{n},It opens at {8 if n % 4 == 1 else 9}.{' It is red. It is old.' * (n % 4 == 1)},1" for n in range(20)]
    ratings.write_text("\n".join(["item,output,label", *rows, ""]))
    assert judges_worth(WorthRequest(results=flagged, human=ratings))[0].ratings == 20


def test_a_plan_of_flagged_sentences_says_where_their_questions_and_contexts_are_lost(tmp_path):
    source, flagged, sheet = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "plan.csv"
    voirdire("detect", source, "-o", flagged)
    request, unknown = WorthRequest(results=flagged), "so that question and context of its sentences are unknown"
    assert plan_worth(request, Batch())[0].cautions == ()
    source.rename(tmp_path / "moved.jsonl")
    (caution,) = plan_worth(request, Batch())[0].cautions
    assert str(caution) == f"beside {flagged} there is no {source.name} as detect read it, {unknown}"
    (tmp_path / "flagged.jsonl.manifest.json").unlink()
    (caution,) = voirdire_json("jury", "worth", flagged, "--plan", "--draw", 5, "-o", sheet)["cautions"]
    assert (caution["code"], caution["manifest"]) == ("detected_no_manifest", "flagged.jsonl.manifest.json")
    assert sheet.read_text().startswith("item,output,label,reason\n")


def test_a_detectors_low_scores_are_good(tmp_path):
    table = "".join(f"a{n},{int(n % 4 != 1)}\n" for n in range(20))
    (tmp_path / "ratings.csv").write_text(f"item,label\n{table}")
    source, flagged = _answers(tmp_path), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("incorrect" if "8" in document.body["output"] else "correct"))
    for human in (tmp_path / "ratings.csv", path):
        judges = judges_worth(WorthRequest(results=flagged, human=human))
        assert all(judge.raw > 0.5 for judge in judges), human


def test_a_detectors_flags_are_held_against_labels_the_right_way_round(tmp_path):
    source, flagged, path = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "p.voirdire"
    voirdire("detect", source, "-o", flagged)
    raters = ("--rater", "Ann", "--rater", "Ben", "--no-practice")
    voirdire("rate", "new", path, "--task", "cognibench", "--from", source, *raters)

    def says(document, rater):
        return {"label": "invented" if "8" in document.body["answer"] else "faithful", "steps": [], "reason": ""}

    rated(path, says)
    judges = judges_worth(WorthRequest(results=flagged, human=path))
    assert [(judge.agreement.value, judge.raw) for judge in judges] == [(1, pytest.approx(0.75))] * len(judges)
    assert {judge.ones for judge in judges} == {("a sentence that is supported", "a sentence that is supported")}


def test_items_on_which_raters_differ_are_left_out_and_counted(tmp_path):
    source = results(tmp_path / "r.jsonl", 10)
    path = made(tmp_path, "labels", source)
    open_items = ("q1", "q2")

    def says(document, rater):
        differs = document.source["item"] in open_items and document.source["model"] == "one" and rater == "Ben"
        return answer("incorrect" if differs else "correct" if _right(document) else "incorrect")

    rated(path, says)
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert judge.ratings == 18
    (caution,) = [each for each in judge.cautions if each.code == "worth_unsettled"]
    assert "2 rated items are left out, because raters disagree" in caution.sentence


def test_both_commands_conclude_the_same_name_what_is_left_out_and_report_one_figure(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source, sample=60)

    def says(document, rater):
        differs = document.source["item"] == "q7" and rater == "Ben"
        right = _right(document) and document.source["item"] not in ("q3", "q8")
        return answer("incorrect" if differs or not right else "correct")

    project = rated(path, says)
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    found = anchor(project, source)
    figure = found.figures[0]
    assert (figure.worth.conclusion, figure.worth.why, figure.worth.saves) == (judge.conclusion, judge.why, judge.saves)
    assert headline(figure.worth) == headline(judge)
    assert figure.best.value == pytest.approx(judge.best.value)
    assert figure.best.interval[:2] == pytest.approx(judge.best.interval[:2])
    (caution,) = [each.sentence for each in judge.cautions if each.code == "worth_unsettled"]
    assert caution.endswith("q7.") and caution in found.notes


def test_with_much_in_dispute_no_command_concludes_and_the_plan_says_so(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source)

    def says(document, rater):
        differs = int(document.source["item"][1:]) % 10 == 4 and rater == "Ben"
        return answer("correct" if _right(document) != differs else "incorrect")

    project = rated(path, says)
    request = WorthRequest(results=source, human=path)
    (judge,), figure = judges_worth(request), anchor(project, source).figures[0]
    assert judge.conclusion == figure.worth.conclusion == "undecided"
    assert [each.code for each in judge.why] == ["worth_disputed"]
    assert headline(judge) == headline(figure.worth)
    told = (to_terminal(worth_document([each])) for each in (judge, replace(judge, why=())))
    assert ["not yet" in text for text in told] == [True, False]
    plan = plan_worth(request, Batch())[0]
    assert judge.why[0] in plan.why and plan.disputed == judge.why[0]["items"] > 0


def flagged_only(tmp_path, value_of=lambda document, rater: answer("unsupported"), **draw):
    """What detect wrote of 40 answers, and a project of its 19 flagged sentences, all of which are unsupported."""
    rows = [
        {"id": f"a{n}", "context": f"Bath {n} opens at 9.", "answer": f"It opens at {8 + n % 2}."} for n in range(40)
    ]
    flagged = tmp_path / "flagged.jsonl"
    voirdire("detect", written(tmp_path / "a.jsonl", rows), "-o", flagged)
    path = made(tmp_path, "labels", flagged, only_flagged=True, **draw)
    rated(path, value_of)
    return path, flagged


def test_of_flagged_sentences_alone_the_share_of_right_flags_is_told_and_no_metric_of_all(tmp_path):
    path, flagged = flagged_only(tmp_path)
    page = tmp_path / "worth.html"
    said = " ".join(voirdire("jury", "worth", flagged, "--human", path, "--page", page).stdout.split())
    why = "people rated flagged sentences only, which tell how many flags are right, but nothing of other sentences"
    assert said.startswith(f"Too early to tell how good flagged's verdicts are: {why}; have a random part of all rated")
    assert "Of 19 flagged sentences that people rated, 19 are rightly flagged: 100 %" in said
    assert said.count("not yet") == 2 and "picked by hand" not in said
    shown = page.read_text()
    assert 0 < shown.index(why) < shown.index("19 are rightly flagged") and "the metric, by people" not in shown
    assert "of flagged sentences" in shown and "rated items" not in shown
    assert "judge says 0" in shown and "judge says 1" not in shown, "of others nothing is known"
    for judge in voirdire_json("jury", "worth", flagged, "--human", path)["judges"]:
        assert [each["code"] for each in judge["why"]] == ["worth_only_flagged"]
        assert judge["regions"] == []
        assert judge["saves"] is None, "nothing is known of it"
        assert judge["metric"]["withheld"] and judge["sensitivity"] is judge["specificity"] is judge["bias"] is None
    beside = " ".join(voirdire("rate", "agreement", path, "--with", flagged).stdout.split())
    assert "but nothing of how far a detector agrees with them" in beside and "lenient or strict" not in beside
    anchored = " ".join(voirdire("rate", "anchor", path, "--with", flagged).stdout.split())
    assert why in anchored and "not yet" in anchored and "By people alone" not in anchored
    rated_ones = f"19 of 40 units (each a sentence) of {flagged} rated by people, all of them flagged"
    assert "".join(rated_ones.split()) in "".join(anchored.split()), "a path may be broken"


def test_a_plan_after_flagged_sentences_alone_draws_from_all_anew(tmp_path):
    path, flagged = flagged_only(tmp_path)
    plan, _, verdicts = plan_worth(WorthRequest(results=flagged, human=path), Batch())
    assert [each.code for each in plan.why] == ["plan_flagged", "plan_again"]
    assert plan.more == len(verdicts.keys) == 40
    assert plan.why[1]["items"] == 19, "all are drawn"
    assert (plan.ratings, plan.flagged_only) == (0, 19)
    said = " ".join(voirdire("jury", "worth", flagged, "--human", path, "--plan").stdout.split())
    assert "rated so far 19 flagged sentences alone: none of them" in said
    assert (
        "people have rated 19 flagged sentences and no others, which tells nothing of what was missed; the items are "
        "drawn at random from all 40, flagged or not; 19 of the drawn items were rated before, and must be rated "
        "again: only a random part counts for all."
    ) in said
    few = plan_worth(WorthRequest(results=flagged, human=path), Batch(ratings=4))[0]
    again = sum(int(verdicts.keys[drawn.place].item[1:].split("#")[0]) % 2 == 0 for drawn in few.drawn)
    assert 0 < again < 4 and few.why[1]["items"] == again


def test_a_plan_after_flagged_sentences_alone_draws_those_in_dispute_as_well(tmp_path):
    path, flagged = flagged_only(tmp_path, value_of=lambda document, rater: answer(_by_name(document, rater)))
    plan = plan_worth(WorthRequest(results=flagged, human=path), Batch())[0]
    assert (plan.more, plan.flagged_only) == (40, 18)
    assert {each.code: each["items"] for each in plan.why} == {"plan_flagged": 40, "plan_again": 19}


def _by_name(document, rater):
    return "supported" if (document.source["item"], rater) == ("a2#0", "Ben") else "unsupported"


def test_flagged_sentences_that_are_all_there_are_and_projects_of_older_versions_read_as_ever(tmp_path):
    path, flagged = flagged_only(tmp_path)
    lines = [line for line in flagged.read_text().splitlines() if json.loads(line)["flagged"]]
    alone = written(tmp_path / "alone.jsonl", map(json.loads, lines))
    assert all(each.complete and not each.is_withheld for each in judges_worth(WorthRequest(results=alone, human=path)))
    settings = json.loads(settings_of(path))
    assert settings.pop("only_flagged") is True
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE meta SET value = ? WHERE key = 'settings'", (json.dumps(settings),))
        file.commit()
    judges = judges_worth(WorthRequest(results=flagged, human=path))
    assert all(each.is_withheld for each in judges), "chance does not draw 19 flagged sentences and no other"


def test_a_table_of_ratings_of_flagged_sentences_alone_gives_no_metric_of_all(tmp_path):
    path, flagged = flagged_only(tmp_path)
    export_project(read_project(path), ExportPlan(target="csv", out=tmp_path / "csv", gold=True))
    request = WorthRequest(results=flagged, human=tmp_path / "csv")
    assert {tuple(each.code for each in judge.why) for judge in judges_worth(request)} == {("worth_only_flagged",)}
    plan = plan_worth(request, Batch())[0]
    assert (plan.ratings, plan.flagged_only, plan.more) == (0, 19, 40)
    few = written_table(tmp_path / "few.csv", (tmp_path / "csv" / "ratings.csv").read_text().splitlines()[:4])
    judges = judges_worth(WorthRequest(results=flagged, human=few))
    assert not any(each.is_withheld for each in judges), "chance may draw three"


def written_table(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def settings_of(path):
    """As they stand in a project's file."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()[0]


def _codes(reasons):
    return {each.code for each in reasons}


def test_what_people_rated_without_a_label_is_not_called_unrated_nor_planned_again(tmp_path):
    source = results(tmp_path / "r.jsonl", 15, models=("m",))
    path = made(tmp_path, "labels", source)
    unsure = {"status": "unsure", "answer": None, "reason": "", "evidence": []}

    def says(document, rater):
        good = _right(document) != (document.source["item"] == "q3" and rater == "Ben")
        return answer("correct" if good else "incorrect")

    project = rated(path, says)
    item = next(each.id for each in project.items.values() if project.documents[each.document].source["item"] == "q3")
    entry = {"item": item, "rater": "Cyn", "role": "adjudicator", "value": unsure, "decision": "kept"}
    import_ratings(path, written(tmp_path / "third.jsonl", [entry]))
    assert read_project(path).unlabelled == {item}
    export_project(read_project(path), ExportPlan(target="csv", out=tmp_path / "csv", gold=True))
    for human in (path, tmp_path / "csv" / "ratings.csv"):
        plan, _, verdicts = plan_worth(WorthRequest(results=source, human=human), Batch())
        assert [each.code for each in plan.why] == ["plan_all_rated", "plan_not_decided"]
        assert plan.why[1].sentence == "1 more item is rated but not decided, and not drawn again."
        assert plan.drawn == () and plan.ratings == 14 and "q3" not in plan_csv(plan, verdicts)


def _exported(tmp_path, task, source, says, **more):
    """The folder of a project's export as tables."""
    project = rated(made(tmp_path, task, source), says, **more)
    export_project(project, ExportPlan(target="csv", out=tmp_path / "csv", gold=True))
    return tmp_path / "csv"


def test_the_tables_of_an_export_are_ratings_as_good_as_the_project(tmp_path):
    source = results(tmp_path / "r.jsonl", 12)
    folder = _exported(
        tmp_path, "labels", source, lambda document, _: answer("partly" if _right(document) else "incorrect")
    )
    (by_project,) = judges_worth(WorthRequest(results=source, human=tmp_path / "p.voirdire"))
    for name in ("", "ratings.csv", "gold.csv"):
        (judge,) = judges_worth(WorthRequest(results=source, human=folder / name))
        assert (judge.ratings, judge.conclusion) == (24, by_project.conclusion), name
        assert judge.bias.value == pytest.approx(by_project.bias.value)


def test_every_file_of_an_export_settles_what_raters_differ_on_as_the_project_does(tmp_path):
    source = results(tmp_path / "r.jsonl", 12)

    def says(document, rater):
        name = document.source["item"], document.source["model"]
        if name in {("q3", "one"), ("q5", "two")}:
            return {"status": "unsure", "answer": None, "reason": "", "evidence": []}
        good = _right(document) != (name == ("q4", "one") and rater == "Ben")
        return answer("correct" if good else "incorrect")

    folder = _exported(tmp_path, "labels", source, says, seconds=1.0)
    worths = {
        name: judges_worth(WorthRequest(results=source, human=human))[0]
        for name, human in (("project", tmp_path / "p.voirdire"), ("ratings", folder / "ratings.csv"))
    }
    by_project, by_ratings = worths["project"], worths["ratings"]
    assert by_ratings.ratings == by_project.ratings == 21
    assert by_ratings.best == by_project.best
    assert [each.code for each in by_ratings.cautions] == [each.code for each in by_project.cautions]
    assert {"worth_unsettled", "ratings_too_fast"} <= {each.code for each in by_ratings.cautions}
    (waiting,) = [each.sentence for each in by_project.cautions if each.code == "worth_unsettled"]
    assert waiting == (
        "3 rated items are left out, because raters disagree or are unsure and nobody has decided yet: q3, q4, q5."
    )


def test_a_project_and_its_table_of_ratings_have_the_same_groups_and_intervals(tmp_path):
    rows = [
        {"id": f"q{n}", "model": "m", "question": "?", "answer": f"At {n}.", "group": f"g{n % 6}"} for n in range(36)
    ]
    source = written(tmp_path / "a.jsonl", rows)
    scores = [{"item": f"q{n}", "score": int(n % 6 < 3 or n == 5)} for n in range(36)]
    verdicts = written(tmp_path / "v.jsonl", scores)
    folder = _exported(
        tmp_path,
        "labels",
        source,
        lambda document, _: answer("correct" if int(document.source["item"][1:]) % 6 < 3 else "incorrect"),
    )
    by_project, by_ratings = (
        judges_worth(WorthRequest(results=verdicts, human=human))[0]
        for human in (tmp_path / "p.voirdire", folder / "ratings.csv")
    )
    assert by_ratings.clusters == by_project.clusters == 6
    assert "worth_few_groups" in [each.code for each in by_ratings.cautions]
    assert by_ratings.clustered_by == "a value of the column group"
    for name in ("conclusion", "why", "best", "bias", "correlation", "agreement", "cautions"):
        assert getattr(by_ratings, name) == getattr(by_project, name), name


def test_a_folder_without_ratings_is_answered_with_what_to_name(tmp_path):
    source = results(tmp_path / "r.jsonl", 4)
    with pytest.raises(RatersError, match=r"is a folder without ratings\.csv: name a table of ratings or a \.voirdire"):
        judges_worth(WorthRequest(results=source, human=tmp_path))


@pytest.mark.parametrize("task", ["preference", "spans"])
def test_an_export_without_numbers_is_answered_with_what_to_give_instead(tmp_path, task):
    source = results(tmp_path / "r.jsonl", 4)
    folder = _exported(
        tmp_path, task, source, lambda *_: answer("first") if task == "preference" else answer("done", spans=[])
    )
    done = voirdire("jury", "worth", source, "--human", folder / "ratings.csv", check=False)
    assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1
    assert "is an export of a raters' project: give the project itself, --human PROJECT.voirdire" in done.stderr


def test_an_export_whose_items_the_verdicts_call_otherwise_says_to_give_the_project(tmp_path):
    source = results(tmp_path / "r.jsonl", 4)
    folder = _exported(tmp_path, "labels", source, lambda document, _: answer("correct"))
    text = (folder / "ratings.csv").read_text(encoding="utf-8-sig").replace("source_item", "was_item")
    (tmp_path / "old.csv").write_text(text)
    done = voirdire("jury", "worth", source, "--human", tmp_path / "old.csv", check=False)
    assert "give the project itself, --human PROJECT.voirdire" in done.stderr


def test_ratings_given_in_less_time_than_reading_takes_are_a_caution(tmp_path):
    source = results(tmp_path / "r.jsonl", 10)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct" if _right(document) else "incorrect"), seconds=1.0)
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert [each.sentence for each in judge.cautions if each.code == "ratings_too_fast"] == [
        f"{who}: 20 of 20 ratings with a known time took less than 2 seconds each: too short to read an item. Ask "
        "how they were made before you use them."
        for who in ("Ann", "Ben")
    ]
    (tmp_path / "c.csv").write_text("item,model,score\n" + "".join(f"q{n},one,{n % 2}\n" for n in range(10)))
    for verdicts in (source, tmp_path / "c.csv"):
        plan = plan_worth(WorthRequest(results=verdicts, human=path), Batch())[0]
        assert not plan.measured and plan.seconds > 2
        assert plan.is_decided and "ratings_too_fast" in [each.code for each in plan.cautions]


def test_times_far_below_what_the_guide_reckons_with_are_not_planned_with(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source)
    rated(path, lambda document, rater: answer("correct" if _right(document) else "incorrect"), seconds=4.0)
    plan = plan_worth(WorthRequest(results=source, human=path), Batch())[0]
    assert "ratings_far_below_guide" in [each.code for each in plan.cautions]
    assert not plan.measured and plan.seconds > 4


def test_a_plan_for_several_judges_names_those_whose_decision_is_open(tmp_path):
    rows = [
        "item,judge,score",
        *(f"q{n},follows,{n % 2}" for n in range(60)),
        *(f"q{n},half,{n % 4 // 2}" for n in range(60)),
    ]
    (tmp_path / "v.csv").write_text("\n".join(rows))
    (tmp_path / "h.csv").write_text("item,label\n" + "".join(f"q{n},{n % 2}\n" for n in range(40)))
    request = WorthRequest(results=tmp_path / "v.csv", human=tmp_path / "h.csv")
    assert plan_worth(request, Batch())[0].open_judges == ("follows",)
    assert plan_worth(replace(request, judges=("follows",)), Batch())[0].open_judges == (), "there is no other"


def test_a_runs_jury_is_held_against_another_question_and_that_is_said(tmp_path, rated_run):
    path = made(tmp_path, "labels", rated_run[1], sample=40)
    rated(path, lambda document, rater: answer("correct" if len(document.body["output"]) % 2 else "partly"))
    (judge,) = judges_worth(WorthRequest(results=rated_run[1], human=path))
    assert (judge.judge, judge.ratings) == ("simulated/judge", 40)
    assert "worth_other_question" in [each.code for each in judge.cautions]


def test_of_a_runs_jury_only_people_can_be_read_the_other_way_round(tmp_path, rated_run):
    path = made(tmp_path, "labels", rated_run[1], sample=20, guide="labels: [glad, sad]")
    rated(path, lambda document, rater: answer("glad" if len(document.body["output"]) % 2 else "sad"))
    (judge,) = judges_worth(WorthRequest(results=rated_run[1], human=path, columns=Columns(good_rating=("glad",))))
    assert judge.settings.turn == ("--good-rating 'sad'",)
    with pytest.raises(RatersError, match="is known: leave out --good-verdict"):
        judges_worth(WorthRequest(results=rated_run[1], human=path, columns=Columns(good_verdict=("low",))))


def test_labels_without_values_are_refused_with_what_to_do(tmp_path):
    source = results(tmp_path / "r.jsonl", 2)
    path = made(tmp_path, "labels", source, guide="labels: [sad, glad]")
    rated(path, lambda document, rater: answer("glad"))
    with pytest.raises(RatersError, match="have no values"):
        judges_worth(WorthRequest(results=source, human=path))


@pytest.mark.parametrize(
    ("labels", "right", "wrong", "good", "one"),
    [
        ("[sad, glad]", "glad", "sad", ("glad",), "the label 'glad' (read 'sad' as bad)"),
        ("[sad, glad]", "glad", "sad", ("not sad",), "the label 'glad' (read 'sad' as bad)"),
        (
            "[unsupported, supported]",
            "supported",
            "unsupported",
            (),
            "the label 'supported' (read 'unsupported' as bad)",
        ),
        (
            "[{label: hallucinated, value: 1}, {label: faithful, value: 0}]",
            *("faithful", "hallucinated", (), "the label 'faithful' (read 'hallucinated' as bad)"),
        ),
        ("[{label: x, value: 1}, {label: y, value: 0}]", "y", "x", ("low",), "the label 'y' (read 'x' as bad)"),
    ],
)
def test_labels_of_a_project_are_read_or_said_to_be_good(tmp_path, labels, right, wrong, good, one):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source, guide=f"labels: {labels}")
    project = rated(path, lambda document, rater: answer(right if _right(document) else wrong))
    (judge,) = judges_worth(WorthRequest(results=source, human=path, columns=Columns(good_rating=good)))
    assert (judge.conclusion, judge.ratings, judge.ones.people) == ("trust", 80, one)
    own = with_good_ratings(project, good)
    assert compare_with(own, source).scores[0].pearson.value == pytest.approx(1)
    figure = anchor(own, source).figures[0]
    assert figure.plain.value == pytest.approx(figure.people.value)


def test_where_both_run_opposite_ways_all_three_commands_say_how_to_turn_one(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    path = made(tmp_path, "labels", source, guide="labels: [sad, glad]")
    project = rated(path, lambda document, rater: answer("sad" if _right(document) else "glad"))
    (judge,) = judges_worth(WorthRequest(results=source, human=path, columns=Columns(good_rating=("glad",))))
    turns = ("--good-rating 'sad'", "--good-verdict low")
    assert (judge.conclusion, judge.why[0]["options"]) == ("opposite", turns)
    own = with_good_ratings(project, ("glad",))
    for notes in (compare_with(own, source).notes, anchor(own, source).notes):
        assert "turn it with --good-rating 'sad' or --good-verdict low" in notes[0]
    turned = compare_with(own, source, selection=VerdictSelection(columns=Columns(good_verdict=("low",)))).scores[0]
    assert turned.pearson.value == pytest.approx(1)


def test_all_three_commands_have_the_same_groups_and_the_same_correlation(tmp_path):
    source, flagged = tmp_path / "a.jsonl", tmp_path / "flagged.jsonl"
    answers = [
        {"id": f"a{n}", "context": f"Room {n % 6} opens at 9.", "answer": f"It opens at {8 + n % 2}."}
        for n in range(36)
    ]
    written(source, answers)
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, "labels", source)

    def says(document, rater):
        number = int(document.source["item"][1:])
        return answer("incorrect" if number % 2 == 0 and number % 5 else "correct")

    project = rated(path, says)
    judge = judges_worth(WorthRequest(results=flagged, human=path))[0]
    r = compare_with(project, flagged).scores[0].pearson
    figure = anchor(project, flagged).figures[0]
    assert judge.clusters == figure.people.groups_rated == figure.plain.groups == 6
    assert r[:3] == pytest.approx((judge.correlation.value, *judge.correlation.interval[:2]))
    ratings = tmp_path / "r.csv"
    ratings.write_text("item,label\n" + "".join(f"a{n},{int(n % 2 or n % 5 == 0)}\n" for n in range(36)))
    by_table = judges_worth(WorthRequest(results=flagged, human=ratings))[0]
    assert (by_table.clusters, by_table.clustered_by) == (6, "the context")
    assert by_table.correlation == judge.correlation


def test_a_share_corrected_by_error_rates_has_one_interval_in_both_commands(tmp_path):
    rows = [
        {"item": f"q{n}", "model": model, "output": f"At {n}, says {model}.", "score": int(n % 5 != (model == "b"))}
        for n in range(20)
        for model in "ab"
    ]
    source = written(tmp_path / "r.jsonl", rows)

    def says(document, rater):
        number = int(document.source["item"][1:])
        return answer("correct" if number % 5 and number % 6 != 2 else "incorrect")

    project = rated(made(tmp_path, "labels", source), says)
    (judge,) = judges_worth(WorthRequest(results=source, human=tmp_path / "p.voirdire"))
    (classes,) = anchor(project, source).distributions
    assert judge.counts.interval is not None
    assert classes.corrected.intervals["correct"][:2] == pytest.approx(judge.counts.interval[:2])


def test_a_sheet_of_a_detectors_sentences_has_question_and_context(tmp_path):
    source, flagged, sheet = _answers(tmp_path), tmp_path / "flagged.jsonl", tmp_path / "plan.csv"
    voirdire("detect", source, "-o", flagged)
    voirdire("jury", "worth", flagged, "--plan", "-o", sheet)
    assert sheet.read_text().splitlines()[0] == "item,question,context,output,label,reason"


def _answers(folder):
    """Twenty answers of a sentence, each fourth one wrong."""
    said = ("It opens at 9.", "It opens at 8.", "It opens at 9.", "It opens at 9.")
    answers = [
        {"id": f"a{n}", "context": f"Room {n} opens at 9.", "question": "When?", "answer": said[n % 4]}
        for n in range(20)
    ]
    return written(folder / "a.jsonl", answers)


def _right(document):
    return document.source["model"] == "one" or _odd(document)


def _odd(document):
    return int(document.source["item"][1:]) % 2 == 1


def _three(tmp_path):
    source = results(tmp_path / "r.jsonl", 20)
    path = made(tmp_path, "labels", source, guide="labels: [supported, partly supported, unsupported]")
    names = ("partly supported", "supported", "unsupported", "supported")
    rated(path, lambda document, rater: answer(names[int(document.source["item"][1:]) % 4]))
    return source, path


def test_that_partly_counts_as_half_is_said_and_why_sensitivity_is_missing(tmp_path):
    source, path = _three(tmp_path)
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    assert judge.ones.people == "the label 'supported' (read 'unsupported' as bad, 'partly supported' as half)"
    assert judge.counts is None
    assert "Sensitivity and specificity need 1 or 0 from people too; they also say what lies between" in " ".join(
        each.sentence for each in judge.cautions
    )


def test_an_export_says_what_its_labels_count_as_so_that_nobody_has_to(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    guide = "labels: [{label: sad, value: 0}, {label: glad, value: 1}]"
    path = made(tmp_path, "labels", source, guide=guide)
    rated(path, lambda document, rater: answer("glad" if _right(document) else "sad"))
    export_project(read_project(path), ExportPlan(target="csv", out=tmp_path / "out"))
    by_export, by_project = (
        judges_worth(WorthRequest(results=source, human=each))[0] for each in (tmp_path / "out", path)
    )
    assert by_export.ones.people.startswith("the label 'glad'")
    assert (by_export.conclusion, by_export.bias.value) == (by_project.conclusion, by_project.bias.value)


def test_labels_that_count_as_good_together_are_named(tmp_path):
    source, path = _three(tmp_path)
    columns = Columns(good_rating=("not unsupported",))
    (judge,) = judges_worth(WorthRequest(results=source, human=path, columns=columns))
    assert judge.ones.people == "one of 'supported', 'partly supported' (read 'unsupported' as bad)"
    (judge,) = judges_worth(WorthRequest(results=source, human=path, columns=Columns(good_rating=("supported",))))
    assert judge.ones.people == "the label 'supported' (read 'partly supported', 'unsupported' as bad)"


def test_a_score_that_results_lack_is_refused_and_one_that_they_have_is_taken_alone(tmp_path):
    source, flagged = _answers(tmp_path), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    human = tmp_path / "h.csv"
    human.write_text("item,label\n" + "".join(f"a{n},{n % 2}\n" for n in range(40)))

    def judges(name):
        return judges_worth(WorthRequest(results=flagged, human=human, columns=Columns(scores=(name,))))

    assert [each.judge for each in judges("score")] == ["score"]
    with pytest.raises(RatersError, match="has no score 'nosuch'; its scores: flagged, score"):
        judges("nosuch")


def test_a_detectors_verdicts_are_told_model_by_model(tmp_path):
    rows = [
        {"id": f"a{n}", "context": "It opens at 9.", "question": "?", "answer": f"It opens at {8 + n % 2}.", "model": m}
        for n in range(40)
        for m in ("one" if n % 4 < 2 else "two",)
    ]
    source, flagged = written(tmp_path / "a.jsonl", rows), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    human = tmp_path / "h.csv"
    human.write_text("item,label\n" + "".join(f"a{n},{n % 2}\n" for n in range(40)))
    judge = judges_worth(WorthRequest(results=flagged, human=human))[0]
    assert [each.model for each in judge.models] == ["one", "two"]


def _clustered(folder, column="", models=("m",)):
    """A table of 120 outputs, by two of the same document, and another column."""
    head, cell = (f",{column}", ",Passage.") if column else ("", "")
    rows = [
        f"i{n // len(models)},{models[n % len(models)]},doc {n // 6},{int(n % 3 > 0)},Output {n}.{cell}\n"
        for n in range(120)
    ]
    path = folder / "verdicts.csv"
    path.write_text(f"item,model,cluster,score,output{head}\n" + "".join(rows))
    return path


def _by_sheet_and_in_the_app(folder, results, *more):
    """What judges are worth by a filled-in plan, and by a project made of the plan."""
    sheet, filled = folder / "plan.csv", folder / "filled.csv"
    voirdire("jury", "worth", results, "--plan", "-o", sheet, *more)
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with filled.open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(row | {"label": "correct" if _is_good(row["output"]) else "incorrect"} for row in rows)
    path = made(folder, "labels", sheet)
    rated(path, lambda document, rater: answer("correct" if _is_good(document.body["output"]) else "incorrect"))
    return rows, *(judges_worth(WorthRequest(results=results, human=human))[0] for human in (filled, path))


def _is_good(output):
    return int(output.split()[1].rstrip(".")) % 4 > 0


@pytest.mark.parametrize("models", [("m",), ("gpt", "claude")])
@pytest.mark.parametrize("column", ["", "context"])
def test_a_plan_rated_in_the_app_has_the_clusters_of_the_verdicts(tmp_path, column, models):
    _, by_sheet, in_app = _by_sheet_and_in_the_app(tmp_path, _clustered(tmp_path, column, models))
    assert (by_sheet.ratings, in_app.ratings) == (40, 40)
    assert in_app.clusters == by_sheet.clusters <= 20
    assert in_app.saves == by_sheet.saves
    assert tuple(in_app.best.interval)[:2] == pytest.approx(tuple(by_sheet.best.interval)[:2])  # sums in another order
    assert [each.model for each in in_app.models] == [each.model for each in by_sheet.models]


def test_a_plan_tells_neither_models_nor_clusters(tmp_path):
    results = _clustered(tmp_path, models=("gpt", "claude"))
    rows, by_sheet, _ = _by_sheet_and_in_the_app(tmp_path, results)
    assert list(rows[0]) == ["item", "model", "cluster", "output", "label", "reason"]
    assert not {"gpt", "claude", "doc 1"} & {cell for row in rows for cell in row.values()}
    assert len({row["model"] for row in rows}) == 2
    assert sorted(each.model for each in by_sheet.models) == ["claude", "gpt"]


def test_a_plan_of_items_with_one_output_names_no_model(tmp_path):
    rows, by_sheet, in_app = _by_sheet_and_in_the_app(tmp_path, _clustered(tmp_path))
    assert "model" not in rows[0]
    assert (by_sheet.ratings, in_app.ratings) == (40, 40)


def test_verdicts_are_in_the_clusters_of_the_results_where_the_project_has_none(tmp_path):
    results = _clustered(tmp_path)
    items = written(tmp_path / "items.jsonl", [{"item": f"i{n}", "output": f"Output {n}."} for n in range(120)])
    path = made(tmp_path, "labels", items)
    rated(path, lambda document, rater: answer("correct" if _is_good(document.body["output"]) else "incorrect"))
    (judge,) = judges_worth(WorthRequest(results=results, human=path))
    assert (judge.clusters, judge.clustered_by) == (20, "the group or a value of the column cluster")


def test_clusters_that_an_evaluation_names_are_not_said_to_be_items(tmp_path):
    (tmp_path / "log").mkdir()
    rows = [{"item": f"q{n}", "model": "m", "score": n % 2, "cluster": f"c{n // 3}"} for n in range(30)]
    written(tmp_path / "log" / "r.jsonl", rows)
    ratings = tmp_path / "h.csv"
    ratings.write_text("item,label\n" + "".join(f"q{n},{int(n > 15)}\n" for n in range(30)))
    (judge,) = judges_worth(WorthRequest(results=tmp_path / "log", human=ratings))
    assert (judge.clusters, judge.clustered_by) == (10, "the cluster that the results name")


def test_a_column_of_clusters_that_is_named_decides_alone(tmp_path):
    results = _clustered(tmp_path)
    path = made(
        tmp_path,
        "labels",
        written(
            tmp_path / "items.jsonl", [{"item": f"i{n}", "output": f"Output {n}.", "group": n % 2} for n in range(120)]
        ),
    )
    rated(path, lambda document, rater: answer("correct" if _is_good(document.body["output"]) else "incorrect"))
    (judge,) = judges_worth(WorthRequest(results=results, human=path, columns=Columns(cluster="cluster")))
    assert (judge.clusters, judge.clustered_by) == (20, "a value of the column cluster")


@pytest.mark.parametrize("task", ["labels", "score"])
def test_the_bias_is_the_one_that_rate_agreement_shows(tmp_path, task):
    source, grades = results(tmp_path / "r.jsonl", 12), {"labels": ("correct", "incorrect"), "score": (4.0, 2.0)}[task]
    if task == "score":
        rows = [json.loads(line) for line in source.read_text().splitlines()]
        written(source, [{**row, "score": 1 + 4 * row["score"]} for row in rows])
    path = made(tmp_path, task, source)
    right = lambda document: _right(document) and document.source["item"] not in ("q2", "q5", "q7")  # noqa: E731
    rated(path, lambda document, rater: answer(grades[0] if right(document) else grades[1]))
    (judge,) = judges_worth(WorthRequest(results=source, human=path))
    (shown,) = [each for each in compare_with(read_project(path), source).scores if each.consensus and not each.people]
    assert (shown.items, judge.ratings) == (24, 24) and judge.bias is not None
    found = judge.bias.value, judge.bias.interval.low, judge.bias.interval.high
    assert (shown.bias.value, shown.bias.low, shown.bias.high) == pytest.approx(found)


def test_a_judge_that_gives_numbers_is_quoted_by_them_and_never_in_labels_of_people(tmp_path):
    labels = ["solves" if n % 2 == (n > 8) else "harms" for n in range(80)]
    (tmp_path / "h.csv").write_text("item,label\n" + "".join(f"q{n},{label}\n" for n, label in enumerate(labels)))
    (tmp_path / "n.csv").write_text("item,score\n" + "".join(f"q{n},{n % 2}\n" for n in range(80)))
    columns = Columns(good_rating=("solves",))
    (judge,) = judges_worth(WorthRequest(results=tmp_path / "n.csv", human=tmp_path / "h.csv", columns=columns))
    page = to_terminal(worth_document([judge], whole=True))
    assert "judge says 1, people say harms" in page and "judge says 0, people say solves" in page


def test_every_item_on_which_both_differ_is_listed_by_the_label_that_people_chose(tmp_path):
    (tmp_path / "v.csv").write_text("item,score\n" + "".join(f"q{n},{'good' if n % 2 else 'bad'}\n" for n in range(80)))
    labels = ["solves" if n % 2 == (n > 8) else "harms" for n in range(80)]
    (tmp_path / "h.csv").write_text("item,label\n" + "".join(f"q{n},{label}\n" for n, label in enumerate(labels)))
    columns = Columns(good_rating=("solves",))
    (judge,) = judges_worth(WorthRequest(results=tmp_path / "v.csv", human=tmp_path / "h.csv", columns=columns))
    assert (judge.crossed.judge_only + judge.crossed.people_only, len(judge.confusions)) == (9, 9)
    page = to_terminal(worth_document([judge], whole=True))
    assert "people say harms" in page and "people say 0" not in page.partition("differ most")[2]
    assert "judge says good, people say harms" in page and "judge says 1" not in page.partition("differ most")[2]

    labels = ["solves" if n % 2 == (n > 40) else "harms" for n in range(80)]
    (tmp_path / "h.csv").write_text("item,label\n" + "".join(f"q{n},{label}\n" for n, label in enumerate(labels)))
    (judge,) = judges_worth(WorthRequest(results=tmp_path / "v.csv", human=tmp_path / "h.csv", columns=columns))
    assert len(judge.confusions) + len(judge.more_confusions) == 41
    page = " ".join(to_terminal(worth_document([judge], whole=True)).split())
    assert f"11 more differ: {', '.join(judge.more_confusions)}." in page


def test_a_judge_that_repeats_another_and_a_score_that_is_a_slip_are_told(tmp_path):
    draw = np.random.default_rng(1)
    rows = []
    for n in range(60):
        own = {"a": draw.random(), "b": draw.random()}
        rows += [f"i{n},{judge},{score:.3f}" for judge, score in {**own, "c": own["a"]}.items()]
    rows[3] = "i1,a,7.5"
    (tmp_path / "v.csv").write_text("\n".join(["item,judge,score", *rows]))
    (tmp_path / "h.csv").write_text("item,label\n" + "".join(f"i{n},{n % 2}\n" for n in range(30)))
    request = WorthRequest(results=tmp_path / "v.csv", human=tmp_path / "h.csv")
    a, b, c = judges_worth(request)
    assert (a.repeats, b.repeats, c.repeats) == ("", "", "a")
    assert c.as_dict()["repeats"] == "a" and b.as_dict()["repeats"] is None
    assert str(c.cautions[0]).startswith("c repeats a: a and c give the same score to 98.3 % of 60 outputs")
    assert a.cautions[0].code == "worth_outlier" and "worth_outlier" not in {each.code for each in c.cautions}
    shown = to_terminal(worth_document([a, b, c]))
    assert " ".join(shown.split()).count("It repeats a: count the two as one judge.") == 1
    assert "c (repeats a)" in shown and "Row 4: the score 7.5 of a lies outside all its others" in " ".join(
        shown.split()
    )
