"""What the page is given, and what it must not be given."""

from __future__ import annotations

import json

from tests.raters.tasks.integrity.support import SETTINGS, Bench, violation
from voirdire.integrity.taxonomy import load_taxonomy
from voirdire.raters.tasks.integrity.builder import practice
from voirdire.raters.tasks.integrity.task import TASK

DENIAL = violation("fact_denial", 2, "F4", "it leaks badly")


def test_the_view_says_nothing_of_the_source():
    bench = Bench()
    bench.rate(70, (DENIAL,))
    assert bench.document.source == {"item": "gpt-of-old-7"}
    assert "gpt-of-old" not in json.dumps(TASK.view(bench.work))


def test_no_score_is_shown_before_the_holistic_one():
    bench = Bench()
    assert TASK.view(bench.work)["tally"] is None
    assert not any(sentence["reached"] for sentence in TASK.view(bench.work)["sentences"])
    bench.act("holistic", score=90)
    assert TASK.view(bench.work)["tally"]["score"] == 100


def test_score_and_band_move_as_one_goes():
    bench = Bench()
    bench.act("holistic", score=90)
    bench.through()
    bench.act("violation", **DENIAL)
    view = TASK.view(bench.work)
    assert (view["tally"]["score"], view["tally"]["band"], view["tally"]["difference"]) == (70, "Good", -20)
    assert view["tally"]["diverges"]
    assert view["sentences"][2]["points"] == 30


def test_the_sentence_at_hand_comes_with_its_violations_and_their_facts():
    bench = Bench()
    bench.act("holistic", score=90)
    bench.through()
    bench.act("violation", **DENIAL)
    bench.act("sentence", to=2)
    view = TASK.view(bench.work)
    assert view["focus"]["text"].startswith("Experts")
    assert [each["label"] for each in view["focus"]["violations"]] == ["Fact denial"]
    assert [fact["id"] for fact in view["facts"] if fact["named"]] == ["F4"]


def test_types_to_pick_are_neither_omissions_nor_the_flag():
    names = {each["name"] for each in TASK.view(Bench().work)["types"]}
    assert names == set(load_taxonomy().types) - {
        "single_omission",
        "omission_moderate",
        "systematic_omission",
        "pervasive_distortion",
    }


def test_whoever_decides_sees_the_others_only_after_their_own_impression():
    theirs = Bench().rate(70, (DENIAL,))
    bench = Bench(others=(theirs, Bench().rate(95)))
    assert TASK.view(bench.work)["others"] == []
    bench.act("holistic", score=80)
    shown = TASK.view(bench.work)["others"]
    assert [(each["name"], each["score"]) for each in shown] == [("Rater 1", 70), ("Rater 2", 100)]
    assert shown[0]["violations"][0]["label"] == "Fact denial"


def test_the_guideline_explains_every_type_with_what_it_is_and_is_not():
    guideline = TASK.guideline(SETTINGS)
    assert [each["name"] for each in guideline["classes"]] == list(load_taxonomy().types)
    for each in guideline["classes"]:
        assert each["definition"] and each["fact"] and each["positive"] and each["negative"]
        assert each["positive"] != each["negative"]
    assert [band["range"] for band in guideline["bands"]] == ["90-100", "70-89", "50-69", "30-49", "0-29"]
    assert len(guideline["questions"]) == 3
    assert len(guideline["edge_cases"]) >= 6


def test_the_references_of_practice_are_scored_by_the_instrument_and_quote_their_sentences():
    scores = {}
    for document, item in zip(*practice()[:2], strict=True):
        sentences = document.body["sentences"]
        key = item.key
        scores[item.id] = key["score"]
        assert item.pool == "practice" and key["why"]
        for each in key["violations"]:
            assert each["sentence"] is None or each["span"] in sentences[each["sentence"]]["text"]
        assert abs(key["holistic"] - key["score"]) <= 10
    assert scores == {
        "practice-ferry": 95,
        "practice-orchard": 65,  # 15 + 15 + 5
        "practice-archive": 30,  # 5 + 30 + 30 + 5
        "practice-well": 100,
        "practice-tram": 70,
    }


def test_a_practice_case_rated_as_its_reference_says_is_right():
    for document, item in zip(*practice()[:2], strict=True):
        key = item.key
        bench = Bench(document, phase="practice", key=key)
        marks = tuple(
            {"type": e["type"], "sentence": e["sentence"], "span": e["span"], "fact": e["fact"] or ""}
            for e in key["violations"]
            if e["sentence"] is not None
        )
        value = bench.rate(key["holistic"], marks, tuple(e["fact"] for e in key["violations"] if e["sentence"] is None))
        assert value["score"] == key["score"]
        assert TASK.feedback(bench.work)["right"] is True


VAGUE = violation("vagueness", 1, "F2", "a lot of water")


def _theirs(*violations):
    return Bench().rate(70, violations)


def test_feedback_comes_in_calibration_only_and_only_when_finished():
    live = Bench(others=(_theirs(DENIAL),))
    live.rate(70, (DENIAL,))
    assert TASK.feedback(live.work) is None
    calibrating = Bench(phase="calibration", others=(_theirs(DENIAL),))
    calibrating.act("holistic", score=70)
    assert TASK.feedback(calibrating.work) is None


def test_a_reference_is_held_beside_the_rating():
    bench = Bench(phase="calibration", key={**_theirs(DENIAL), "why": "No leak was found."}, others=(_theirs(),))
    bench.rate(95, (VAGUE,))
    told = TASK.feedback(bench.work)
    assert told["right"] is False
    assert [each["name"] for each in told["beside"]] == ["the reference"]
    beside = told["beside"][0]
    assert beside["difference"] == 25
    assert [each["type"] for each in beside["only_theirs"]] == ["fact_denial"]
    assert [each["type"] for each in beside["only_yours"]] == ["vagueness"]
    assert beside["only_theirs"][0]["fact_text"] == "No leak was found."
    assert told["why"] == [
        "Your score is 25 points above that of the reference (70): more than 10.",
        "No leak was found.",
    ]


def test_without_a_reference_the_other_raters_are():
    bench = Bench(phase="calibration", others=(_theirs(DENIAL), _theirs(DENIAL, VAGUE)))
    bench.rate(70, (DENIAL,))
    told = TASK.feedback(bench.work)
    assert told["right"] is True
    assert [each["name"] for each in told["beside"]] == ["another rater (1)", "another rater (2)"]
    assert [each["difference"] for each in told["beside"]] == [0, 5]
    assert told["why"][0] == "Your score equals that of another rater (1) (70)."


def test_where_nobody_else_has_finished_it_says_so_and_judges_nothing():
    bench = Bench(phase="calibration")
    bench.rate(100)
    told = TASK.feedback(bench.work)
    assert told["right"] is None and told["beside"] == []
    assert "Nobody else" in told["why"][0]


def test_the_same_score_for_other_faults_is_not_right():
    bench = Bench(phase="practice", key=_theirs(DENIAL))
    bench.rate(70, (violation("fact_invention", 2, "", "Experts say"),))
    assert TASK.feedback(bench.work)["right"] is False
