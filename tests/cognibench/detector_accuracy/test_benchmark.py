import hashlib
import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import voirdire.cognibench.detector_accuracy.benchmark as module
from tests.cognibench.labelled import Told, answer
from voirdire.cognibench.contradiction_edits import KINDS
from voirdire.cognibench.detector_accuracy.benchmark import (
    BASELINES,
    BenchTask,
    bench,
    labels_as_scores,
    parse_threshold,
    run_bench,
    scored_answers,
)
from voirdire.cognibench.detector_accuracy.records import BenchSettings, F1Difference, ResampledScores, difference
from voirdire.cognibench.detector_accuracy.report import bench_document
from voirdire.cognibench.formats.jsonl import write_jsonl
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors import DetectorOptions, Statement
from voirdire.detectors.calibration import score_answers
from voirdire.detectors.scoring import Score, add_counts, count_words, score_interval
from voirdire.documents.document import without_details
from voirdire.reports.formats.terminal import to_terminal
from voirdire.stats import Interval

NAN = float("nan")
SHARES = ([0.5, 0.1, 0.2, 0.2], [0.3, 0.3, 0.2, 0.2])
QUICK = BenchSettings(contradictions=False)


def shown(found):
    return to_terminal(bench_document(found))


def data(contexts=6):
    """Two turns on each context; the second has more hallucinations."""
    rng = np.random.default_rng(3)
    answers = []
    for place in range(contexts):
        for turn in (0, 1):
            labels = rng.choice(["faithful", "invented", "speculative", "reliable"], 5, p=SHARES[turn]).tolist()
            words = rng.integers(3, 20, 5).tolist()
            made = answer(f"c{place}t{turn}", *labels, words=words, group=f"c{place}", dialogue=f"d{place}", turn=turn)
            answers.append(replace(made, context=f"The context of c{place}."))
    return answers


def truthful(answers, name="told", wrong=(), **options):
    """A detector that flags what is hallucinated, but for these first words."""
    scores = {
        statement.text.split()[0]: score
        for each in answers
        for statement, score in zip(each.statements, labels_as_scores(each), strict=True)
    }
    return Told(name, **{word: 1 - score if word in wrong else score for word, score in scores.items()}, **options)


def test_every_baseline_stands_beside_the_detectors():
    found = bench(data(), [truthful(data())], QUICK, classifier=Told("type"))
    assert [row.name for row in found.rows] == ["told", *BASELINES]
    assert [row.name for row in found.rows if not row.baseline] == ["told"]


def test_labels_of_right_and_wrong_alone_show_no_part_that_the_data_do_not_have():
    answers = [answer(f"a{n}", "faithful", "invented", "irrelevant") for n in range(6)]
    said = shown(bench(answers, [truthful(answers)], QUICK, classifier=Told("type")))
    for absent in ("cognitive", "later-turns", "reliable", "macro", "By type"):
        assert absent not in said
    assert "faithful" in said and "chance" in said


def test_the_short_output_says_what_counts_words_and_how_to_see_the_rest():
    short = without_details(bench_document(bench(data(), [truthful(data())], QUICK)))
    said = " ".join(to_terminal(short).split())
    assert "F1, in words" in said
    assert "Precision and recall in words, AUROC in sentences, false alarms and contradictions: --all." in said


def test_a_baseline_that_is_named_stands_there_once():
    found = bench(data(), [Told("type"), Told("everything")], QUICK, classifier=Told("type"))
    assert [row.name for row in found.rows] == list(BASELINES)


def test_the_baselines_flag_what_their_names_say():
    answers = data()
    found = bench(answers, [], QUICK)
    assert found.row("everything").figures["overall"].score.recall == 1
    assert found.row("everything").figures["overall"].score.precision == pytest.approx(found.hallucinated_words)
    cognitive = found.row("cognitive (gold)").figures
    assert cognitive["cognitive"].score == found.row("everything").figures["cognitive"].score
    assert cognitive["factual"].score.recall == 0
    later = bench([each for each in answers if each.turn], [], QUICK).row("later-turns")
    assert later.figures["overall"].score.recall == 1
    first = bench([each for each in answers if not each.turn], [], QUICK).row("later-turns")
    assert first.figures["overall"].score.recall == 0


def test_chance_is_what_a_fair_coin_gives_on_average():
    found = bench(data(), [], BenchSettings()).row("chance")
    assert found.figures["overall"].score.recall == pytest.approx(0.5)
    assert found.figures["overall"].score.precision == pytest.approx(bench(data(), [], QUICK).hallucinated_words)
    assert set(found.false_alarms.values()) <= {0.5, None}
    assert set(found.contradiction) == set(KINDS) and set(found.contradiction.values()) <= {0.5, None}


def test_a_perfect_detector_has_an_f1_of_1_and_no_interval():
    figure = bench(data(), [truthful(data())], QUICK).row("told").figures["overall"]
    assert figure.score == (1, 1, 1)
    assert figure.interval is None


@pytest.mark.parametrize("method", ["jackknife-t", "percentile", "bca"])
def test_the_interval_holds_the_estimate(method):
    detector = truthful(data(12), wrong=["c0t11", "c3t12", "c5t03", "c7t14"])
    settings = BenchSettings(contradictions=False, method=method, draws=400)
    found = bench(data(12), [detector], settings)
    for figure in found.row("told").figures.values():
        assert figure.interval.low < figure.score.f1 < figure.interval.high
        assert figure.interval.method == method


def test_the_interval_is_that_of_word_counts_by_context():
    answers, wrong = data(), ["c0t11", "c3t12", "c5t03"]
    detector = truthful(answers, wrong=wrong)
    counts = {
        each.id: count_words(
            [score >= 0.5 for score in detector.flag("", [s.text for s in each.statements])],
            [gold == 1 for gold in labels_as_scores(each)],
            [s.words for s in each.statements],
        )
        for each in answers
    }
    clusters = [add_counts([counts[f"c{place}t0"], counts[f"c{place}t1"]]) for place in range(6)]
    found = bench(answers, [detector], QUICK).row("told").figures["overall"]
    assert found.interval[:2] == pytest.approx(score_interval(clusters)[:2])


def test_it_leads_with_it_where_no_detector_beats_flagging_everything():
    answers = data()
    none = Told("told", default=0.0)
    said = shown(bench(answers, [none], QUICK))
    assert "told does not beat flagging every sentence, which has an F1 of" in said
    assert "told has an F1 of" not in said
    assert "beat" not in shown(bench(answers, [truthful(answers)], QUICK))


def test_two_contexts_are_too_few_for_an_interval():
    answers = data(2)
    found = bench(answers, [truthful(answers, wrong=["c0t00"])], QUICK)
    assert found.row("told").figures["overall"].interval is None


def test_scores_that_are_missing_are_counted_and_not_flagged():
    answers = [answer("a", "invented", "invented", "faithful")]
    row = bench(answers, [Told(default=1.0, a1=NAN)], QUICK).row("told")
    assert row.missing == 1
    assert row.figures["overall"].score.recall == 0.5


def test_by_predicted_type_statements_go_where_the_classifier_puts_them():
    answers = [answer("a", "invented", "faithful", "speculative")]
    found = bench(answers, [Told(a0=1.0)], QUICK, classifier=Told("type", a0=0.9))
    assert found.row("told").by_predicted["cognitive"].score == (1, 1, 1)
    assert found.row("told").by_predicted["factual"].score == (None, 0, 0)
    assert found.row("type").figures["overall"].score.recall == 0.5


def test_without_a_classifier_there_is_no_predicted_type():
    found = bench(data(), [], QUICK)
    assert "type" not in [row.name for row in found.rows]
    assert found.as_dict()["detectors"]["chance"]["by_predicted"] is None


def test_differences_are_those_of_the_figures():
    answers = data(12)
    good, bad = truthful(answers, "good", wrong=["c0t11", "c3t12"]), Told("bad", default=1.0)
    found = bench(answers, [good, bad], QUICK)
    pair = next(pair for pair in found.pairs if (pair.one, pair.other) == ("good", "bad"))
    for name, each in pair.figures.items():
        f1 = [found.row(row).figures[name].score.f1 for row in ("good", "bad")]
        assert each.difference == pytest.approx(f1[0] - f1[1])
        assert 0 < each.interval.low < each.difference < each.interval.high
    assert {(pair.one, pair.other) for pair in found.pairs} >= {("bad", "everything"), ("good", "chance")}


def test_detectors_that_flag_the_same_have_a_difference_of_0_without_an_interval():
    pair = bench(data(), [Told("same", default=1.0)], QUICK).pairs[0]
    assert (pair.one, pair.other) == ("same", "everything")
    assert pair.figures["overall"] == (0, None, None)


def test_excluded_groups_do_not_count():
    answers = data()
    found = bench(answers, [], BenchSettings(contradictions=False, exclude=frozenset({"c1", "c2"})))
    assert (found.n_groups, found.n_answers, found.n_excluded) == (4, 8, 4)
    with pytest.raises(CognibenchError, match="12 labelled ones are excluded"):
        bench(answers, [], BenchSettings(exclude=frozenset(each.group for each in answers)))


def test_what_counts_is_counted():
    found = bench([*data(), answer("bare", None)], [], QUICK)
    assert (found.n_statements, found.n_dialogues, found.n_answers, found.n_groups) == (60, 6, 12, 6)
    assert sum(found.labels.values()) == 60


def test_a_detector_trained_on_the_data_is_called_in_sample():
    answers = data()
    mark = hashlib.sha256(answers[0].context.encode()).hexdigest()[:16]
    row = bench(answers, [Told(trained_on=[mark])], QUICK).row("told")
    assert (row.trained_on, row.in_sample) == (2, True)
    assert not bench(answers, [Told(trained_on=["0" * 16])], QUICK).row("told").in_sample


def test_out_of_fold_scores_stand_in_for_those_of_a_detector():
    answers = data()
    mark = hashlib.sha256(answers[0].context.encode()).hexdigest()[:16]
    given = {"told": [labels_as_scores(each) for each in answers]}
    row = bench(answers, [Told(trained_on=[mark])], QUICK, scores_by_name=given).row("told")
    assert row.figures["overall"].score.f1 == 1
    assert (row.source, row.in_sample) == ("out-of-fold", False)


def test_scores_made_elsewhere_get_a_row_of_their_own():
    answers = data()
    found = bench(answers, [Told()], QUICK, scores_by_name={"elsewhere": [labels_as_scores(each) for each in answers]})
    assert found.row("elsewhere").source == "given"
    assert found.row("elsewhere").figures["overall"].score.f1 == 1
    assert {pair.one for pair in found.pairs} == {"told", "elsewhere"}


def with_gaps(answers):
    """Labels of a run that agrees with people, but has none for conclusions."""
    return [
        [
            NAN if statement.label in ("speculative", "reliable") else score
            for statement, score in zip(each.statements, labels_as_scores(each), strict=True)
        ]
        for each in answers
    ]


def test_labels_that_a_run_lacks_give_its_figures_a_range():
    answers = [answer("a", "invented", "speculative", "reliable", "faithful")]
    row = bench(answers, [], QUICK, scores_by_name={"run": with_gaps(answers)}).row("run")
    worst, best = (each.figures["overall"].score for each in row.could_be)

    assert row.figures["overall"].score == pytest.approx((1, 1 / 2, 2 / 3))
    assert worst == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert best == (1, 1, 1)
    assert [each["overall"]["f1"] for each in row.as_dict()["could_be"]] == [worst.f1, best.f1]
    assert row.missing == 2


def test_a_detector_that_gives_some_statements_no_score_has_no_range_and_one_that_asks_a_model_has():
    answers = [answer("a", "invented", "invented", "faithful")]
    found = bench(answers, [Told(a1=NAN), Told("llm:x/y", a1=NAN)], QUICK)

    assert found.row("told").could_be is None
    assert found.row("llm:x/y").could_be is not None


def test_a_verdict_that_missing_labels_could_turn_is_undecided():
    answers = [each for each in data() if "speculative" in {statement.label for statement in each.statements}]
    everything = Told(default=1.0)
    found = bench(answers, [everything], QUICK, scores_by_name={"run": with_gaps(answers)})
    (pair,) = (each.figures["overall"] for each in found.pairs if (each.one, each.other) == ("told", "run"))
    at_worst, at_best = pair.could_be

    assert at_worst.difference < 0 < at_best.difference
    assert pair.verdict == "undecided" != at_worst.verdict
    assert pair.as_dict()["could_be"] == [at_worst.difference, at_best.difference]
    assert {each.figures["overall"].verdict for each in found.pairs if each.other == "everything"} <= {
        "not settled",
        "undecided",
    }
    text = " ".join(shown(found).split())
    assert f"{at_worst.difference:+.3f} to {at_best.difference:+.3f} undecided" in text
    assert "… at worst" in text and "… at best" in text
    assert "undecided: labels are missing that could turn the verdict." in text


def test_a_verdict_that_no_missing_label_can_turn_stands():
    answers = data()
    one = [labels_as_scores(each) for each in answers]
    one[0][0] = NAN
    found = bench(answers, [Told(default=1.0)], QUICK, scores_by_name={"run": one})
    (pair,) = (each.figures["overall"] for each in found.pairs if (each.one, each.other) == ("told", "run"))

    assert pair.could_be is not None
    assert pair.verdict == "worse"
    assert "undecided" not in shown(found)


def test_the_contradiction_suite_asks_the_detector():
    text = "The tower has 12 floors."
    said = replace(answer("a", context=text), text=text, statements=(Statement(text, 0, len(text), "faithful"),))
    row = bench([said], [Told(default=1.0)], BenchSettings()).row("told")
    assert row.contradiction["number"] == 1
    assert row.controls == 1
    assert bench([said], [Told(default=1.0)], QUICK).row("told").contradiction is None


def test_a_kind_of_contradiction_that_was_not_counted_is_not_shown_as_none():
    text = "The tower has 12 floors."
    said = replace(answer("a", context=text), text=text, statements=(Statement(text, 0, len(text), "faithful"),))
    found = bench([said], [Told(default=1.0)], BenchSettings())
    uncounted = replace(found, rows=[replace(row, cases={"name": 1}) for row in found.rows])
    assert "number" in shown(found)
    with pytest.raises(KeyError, match="number"):
        shown(uncounted)


def test_what_looks_at_nothing_and_what_is_not_timed_has_no_speed():
    settings = BenchSettings(contradictions=False, untimed=frozenset({"told"}))
    found = bench(data(), [Told(), Told("other")], settings)
    assert found.row("everything").sentences_per_s is found.row("told").sentences_per_s is None
    assert found.row("other").sentences_per_s > 0


def test_the_json_has_no_nan():
    answers = [answer("a", "invented"), answer("b", "faithful")]
    found = bench(answers, [Told(default=NAN)], QUICK).as_dict()
    told = json.loads(json.dumps(found, allow_nan=False))["detectors"]["told"]
    assert told["overall"] == {"precision": None, "recall": 0.0, "f1": 0.0, "interval": None}
    assert told["macro"]["f1"] is None


def test_a_detector_with_too_few_scores_is_named():
    class Short(Told):
        def flag(self, context, sentences, dialogue=()):
            return [1.0]

    with pytest.raises(CognibenchError, match="short gave 12 scores for 12 answers; expected 60"):
        bench(data(), [Short("short")], QUICK)


def test_labels_become_scores():
    scores = labels_as_scores(answer("a", "invented", "faithful", None, "reliable"), "irrefutable")
    assert scores[:2] == [1, 0]
    assert math.isnan(scores[2])
    assert scores[3] == 1


def test_answers_without_labels_are_not_scored():
    assert [each.id for each in scored_answers([answer("a", None), answer("b", "invented", None)])] == ["b"]


def test_a_threshold_is_a_name_and_a_number():
    assert parse_threshold("lexical=0.4") == ("lexical", 0.4)
    assert parse_threshold("nli:a=b=0.4") == ("nli:a=b", 0.4)
    for wrong in ("lexical", "=0.4", "lexical=high", "lexical=0.4_0"):
        with pytest.raises(CognibenchError, match=f"'{wrong}' is no threshold"):
            parse_threshold(wrong)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "data.jsonl"
    write_jsonl(data(), path)
    return path


def test_a_threshold_can_be_given_by_name(file):
    task = BenchTask(data=file, detectors=("lexical",), thresholds={"lexical": 0.0}, settings=QUICK)
    row = run_bench(task).row("lexical")
    assert row.threshold == 0
    assert row.figures["overall"].score.recall == 1
    with pytest.raises(CognibenchError, match="'lexikal', which is not among the detectors: lexical"):
        run_bench(replace(task, thresholds={"lexikal": 0.1}))


def test_cross_validation_scores_trained_detectors_by_models_of_the_other_folds(tmp_path):
    text = "塔は赤いです。"
    said = replace(answer("ja", "invented"), text=text, statements=(Statement(text, 0, len(text), "invented"),))
    write_jsonl([*data(), said], tmp_path / "data.jsonl")
    task = BenchTask(data=tmp_path / "data.jsonl", detectors=("lexical-learned",), cross_validate=True, settings=QUICK)
    found = run_bench(task)
    assert {row.name for row in found.rows if row.source == "out-of-fold"} == {"lexical-learned", "type"}
    assert found.row("lexical-learned").missing == found.row("type").missing == 1  # they can't compare its script


def test_a_detector_that_these_labels_can_not_train_is_left_out_and_named_and_the_others_go_on(tmp_path):
    factual = [
        replace(
            each,
            statements=tuple(
                replace(s, label="invented" if place % 2 else "faithful") for place, s in enumerate(each.statements)
            ),
        )
        for each in data()
    ]
    write_jsonl(factual, tmp_path / "data.jsonl")
    task = BenchTask(data=tmp_path / "data.jsonl", detectors=("lexical-learned",), cross_validate=True, settings=QUICK)
    found = run_bench(task)
    assert {row.name for row in found.rows if row.source == "out-of-fold"} == {"lexical-learned"}
    assert "all of one kind" in found.as_dict()["skipped"]["type"]
    assert "type is left out: it can't be cross-validated" in " ".join(shown(found).replace("│", " ").split())


def test_a_labelling_run_is_measured_on_the_answers_that_it_holds(file, monkeypatch, tmp_path):
    labelled = [SimpleNamespace(answer=each) for each in data()[:8]]
    monkeypatch.setattr(module, "read_labelled", lambda path: labelled)
    monkeypatch.setattr(module, "prompt_groups", lambda path: frozenset({"c0"}))
    found = run_bench(BenchTask(data=file, detectors=(), labelled=(tmp_path / "mine",), settings=QUICK))
    assert (found.n_answers, found.n_excluded) == (6, 2)
    assert found.row("labels of mine").figures["overall"].score == (1, 1, 1)


def test_detectors_that_call_models_have_no_speed_when_the_run_folder_was_there(file, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "open_detector", lambda name, options=None: Told(name))
    task = BenchTask(data=file, detectors=("llm:a", "lexical"), settings=QUICK)
    new, old = (run_bench(replace(task, options=DetectorOptions(folder=path))) for path in (tmp_path / "new", tmp_path))
    assert new.row("llm:a").sentences_per_s > 0
    assert old.row("llm:a").sentences_per_s is None
    assert old.row("lexical").sentences_per_s > 0


def test_requirement_and_seed_reach_the_detectors(file, monkeypatch):
    opened = []
    monkeypatch.setattr(module, "open_detector", lambda name, options=None: opened.append(options) or Told(name))
    settings = BenchSettings(require="rational", seed=7, contradictions=False)
    assert run_bench(BenchTask(data=file, settings=settings)).settings.require == "rational"
    assert {(each.require, each.seed) for each in opened if each is not None} == {("rational", 7)}


@pytest.mark.parametrize(
    ("best", "verdict"),
    [
        (F1Difference(1.0, None), "better"),  # perfect labels: nothing varies, and it goes further the same way
        (F1Difference(0.5, None), "undecided"),  # less than now, and nobody knows how sure
        (F1Difference(0.9, Interval(-0.1, 1.0, 0.95, "jackknife-t")), "undecided"),
        (F1Difference(-0.9, None), "undecided"),
        (F1Difference(None, None), "undecided"),
    ],
)
def test_an_end_without_an_interval_turns_a_verdict_unless_it_goes_further_the_same_way(best, verdict):
    worst = F1Difference(0.6, Interval(0.4, 0.8, 0.95, "jackknife-t"))
    found = F1Difference(0.7, Interval(0.5, 0.9, 0.95, "jackknife-t"), (worst, best))
    assert found.verdict == verdict


def test_no_detector_or_baseline_flags_small_talk_and_labels_made_elsewhere_stay_as_they_are():
    talk, said = "Certainly!", "The mill is red."
    places = [(talk, "irrelevant", 0), (said, "invented", len(talk) + 1)]
    statements = tuple(Statement(text, start, start + len(text), label) for text, label, start in places)
    answers = [replace(answer("a"), text=f"{talk} {said}", statements=statements)]
    given = {"labels of mine": [[1.0, 1.0]]}
    found = bench(answers, [Told(default=NAN)], QUICK, classifier=Told("type", default=1.0), scores_by_name=given)
    alarms = {row.name: row.false_alarms["irrelevant"] for row in found.rows}
    assert alarms.pop("labels of mine") == 1
    assert set(alarms.values()) == {0}
    assert (found.n_small_talk, found.as_dict()["n_small_talk"], found.row("told").missing) == (1, 1, 1)
    assert found.hallucinated_words == found.row("everything").figures["overall"].score.precision == 1


TABLE = "| Item | Price |\n| --- | --- |\n| Sauna | cheap |\nThe pool is open. The pool is lovely."


def tabled(number):
    texts = [("| Item | Price |", "faithful"), ("| Sauna | cheap |", "faithful")]
    texts += [("The pool is open.", "faithful"), ("The pool is lovely.", "invented")]
    statements = tuple(
        Statement(text, TABLE.index(text), TABLE.index(text) + len(text), label) for text, label in texts
    )
    return replace(
        answer(f"t{number}"), group=f"t{number}", context="The pool is open.", text=TABLE, statements=statements
    )


def test_header_rows_of_tables_are_no_sentences_here_as_in_detect():
    found = bench([tabled(0)], [Told(default=NAN)], QUICK, classifier=Told("type", default=1.0))

    assert (found.n_statements, found.as_dict()["n_header_rows"]) == (3, 1)
    assert "Not counted: 1 heading or header row of tables." in " ".join(shown(found).split())
    assert score_answers(Told(), [tabled(0)]).gold.tolist() == [False, False, True]


def test_a_baseline_has_no_rate_where_the_suite_has_no_case():
    settings = replace(QUICK, contradictions=True)
    found = bench([tabled(n) for n in range(3)], [Told(default=NAN)], settings, classifier=Told("type", default=1.0))

    for row in found.rows:
        assert (row.contradiction["number"], row.contradiction["negation"] is None) == (None, False)
    text = " ".join(shown(found).split())
    assert "–: no faithful statement has a number or date or" in text and "–: nothing to count" in text


def test_every_comparison_has_a_verdict():
    found = bench(data(), [Told(default=0.0)], QUICK, classifier=Told("type", default=1.0))

    lines = [line for line in shown(found).splitlines() if line.strip().startswith("told −")]
    assert lines and all(line.split()[-1] in ("better", "worse", "data") for line in lines)


def test_no_interval_of_a_difference_is_wider_than_from_minus_one_to_one():
    def scored(f1, without):
        scores = {"overall": Score(None, None, f1)}
        return ResampledScores(scores, {"overall": np.array(without)}, None, {"overall": np.ones(3, dtype=bool)})

    found = difference("overall", scored(0.98, [0.98, 0.97, 0.99]), scored(0.1, [0.0, 0.1, 0.6]), "jackknife-t")
    assert found.interval.high == 1.0 and found.interval.low > -1.0
