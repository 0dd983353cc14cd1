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
    assert view["focus"]["text"].startswith("Experts") and view["focus"]["last"]
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
        assert each["says"] and each["fact"] and each["positive"] and each["negative"]
        assert each["positive"] != each["negative"]
    assert [band["range"] for band in guideline["bands"]] == ["90-100", "70-89", "50-69", "30-49", "0-29"]
    assert len(guideline["questions"]) == 3
    assert len(guideline["edge_cases"]) >= 6


def test_the_references_of_practice_are_scored_by_the_instrument_and_quote_their_sentences():
    scores = {}
    for case in practice():
        sentences = case.document.body["sentences"]
        key = case.item.key
        scores[case.item.id] = key["score"]
        assert case.item.pool == "practice" and key["why"]
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
    for case in practice():
        key = case.item.key
        bench = Bench(case.document, phase="practice", key=key)
        marks = tuple(
            {"type": e["type"], "sentence": e["sentence"], "span": e["span"], "fact": e["fact"] or ""}
            for e in key["violations"]
            if e["sentence"] is not None
        )
        value = bench.rate(key["holistic"], marks, tuple(e["fact"] for e in key["violations"] if e["sentence"] is None))
        assert value["score"] == key["score"]
        assert TASK.feedback(bench.work)["right"] is True
