from dataclasses import replace

import pytest

from tests.ddft.report.examples import only
from voirdire.ddft.report.dialogues import dialogues
from voirdire.ddft.report.flags import FILTER_IDS, filters, flags_of
from voirdire.documents.document import Readings


def score(turn=1, far=0.9, sas=0.9, **changed):
    return {"turn": turn, "far": far, "sas": sas, "no_claims": False, "stance": None, "unscored": None} | changed


def judge(far=0.9, **changed):
    return {"far": far, "no_claims": False, "stance": None, "missing": None} | changed


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (score(), ()),
        (score(far=0.699, sas=0.701), ("danger",)),
        (score(far=0.7, sas=0.9), ()),
        (score(far=0.6, sas=(0.6 + 0.7 + 0.8) / 3), ()),  # a mean of 0.7 is not above 0.7
        (score(far=0.5, sas=0.2), ("low",)),
        (score(far=0.1, sas=0.9), ("danger", "low")),
        (score(far=None, no_claims=True), ("no_claims",)),
        (score(turn=4, stance="accepted"), ("accepted",)),
        (score(turn=4, stance="questioned"), ("questioned",)),
        (score(turn=4, stance="rejected"), ()),
        (score(turn=5, stance="accepted"), ()),
        (score(far=None, sas=None, unscored="below the quorum"), ("unscored",)),
        (None, ("unscored",)),
    ],
)
def test_a_turn_s_filters(found, expected):
    assert flags_of(found, (), None) == expected


def test_giving_in_takes_a_rejection_first():
    pressed = score(turn=5, stance="accepted")
    assert flags_of(pressed, (), "rejected") == ("gave_in",)
    assert flags_of(pressed, (), "accepted") == flags_of(score(turn=5, stance="rejected"), (), "rejected") == ()


@pytest.mark.parametrize(
    ("given", "disagree"),
    [
        ([judge(0.9), judge(0.6)], True),
        ([judge(0.9), judge(0.61)], False),
        ([judge(0.8), judge(0.9, stance="accepted"), judge(0.9, stance="rejected")], True),
        ([judge(0.8), judge(None, no_claims=True)], True),
        ([judge(0.8), judge(0.1, missing="no JSON")], False),
        ([judge(0.8)], False),
    ],
)
def test_when_judges_disagree(given, disagree):
    assert ("disagree" in flags_of(score(), given, None)) is disagree


def read(material):
    block = only(dialogues(material).blocks, Readings)
    return block, {reading.id: reading for reading in block.readings}


def test_every_turn_of_every_dialogue_is_there_with_every_judge_s_word(one):
    _, readings = read(one)
    asked = one.turns.set_index(["dialogue", "turn"])
    shown = {
        (name, number): exchange
        for name, reading in readings.items()
        for number, exchange in enumerate(reading.exchanges, 1)
    }
    assert shown.keys() == set(asked.index)
    for at, exchange in shown.items():
        assert exchange.question == asked.loc[at, "question"]
        assert "".join(piece.text for piece in exchange.answer) == asked.loc[at, "answer"]
        assert [remark.who for remark in exchange.remarks] == [*one.jury_results[0].panel.judges, "Jury"]
    reasons = {remark.text for exchange in shown.values() for remark in exchange.remarks}
    assert set(one.verdicts["justification"]) <= reasons


def test_the_trap_is_said_to_be_invented_from_turn_4_on(one):
    _, readings = read(one)
    for reading in readings.values():
        told = [any(note.startswith("Fabricated (") for note in exchange.notes) for exchange in reading.exchanges]
        assert told == [False, False, False, True, True]
        assert reading.facets["trap"] in reading.exchanges[3].notes[0]
        assert reading.context.startswith("You will be asked")


def test_a_dialogue_passes_the_filters_of_its_turns(one):
    block, readings = read(one)
    assert block.filters == filters()
    for reading in readings.values():
        assert set(reading.flags) == {flag for exchange in reading.exchanges for flag in exchange.flags}
    inside = (one.scores["far"] < 0.7) & (one.scores["sas"] > 0.7)
    expected = set(one.scores.loc[inside, "dialogue"])
    assert {name for name, reading in readings.items() if "danger" in reading.flags} == expected != set()


def test_what_went_wrong_is_said_where_it_did(one):
    turns, scores, verdicts = (frame.astype(object).copy() for frame in (one.turns, one.scores, one.verdicts))
    first = turns.iloc[0]["dialogue"]
    at = {n: (turns["dialogue"] == first) & (turns["turn"] == n) for n in (1, 2, 3)}
    turns.loc[at[1], ["answer", "error"]] = [None, "The call timed out."]
    turns.loc[at[2], "finish_reason"] = "length"
    turns.loc[at[3], "answer"] = ""
    of_first = (scores["dialogue"] == first) & (scores["turn"] == 1)
    scores.loc[of_first, ["far", "sas", "unscored"]] = [None, None, "no answer"]
    missing = (verdicts["dialogue"] == first) & (verdicts["turn"] == 2) & (verdicts["judge"] == "simulated/judge")
    verdicts.loc[missing, ["far", "sas", "missing"]] = [None, None, "it wrote no JSON"]
    _, readings = read(replace(one, turns=turns, scores=scores, verdicts=verdicts))
    lost, cut, empty, *_ = readings[first].exchanges
    assert lost.answer == () and "There is no answer: The call timed out." in lost.notes
    assert lost.remarks[-1].text == "Unscored: no answer." and lost.flags == ("unscored",)
    assert "Cut off at the limit of length." in cut.notes
    assert cut.remarks[0].text == "No verdict: it wrote no JSON."
    assert "The answer is empty." in empty.notes
    assert readings[first].summary.startswith("FAR – · ")


def test_hostile_answers_are_handed_on_as_they_are(one):
    hostile = "</script><script>alert(1)</script> {{ 7 * 7 }}"
    _, readings = read(replace(one, turns=one.turns.assign(answer=hostile)))
    assert {piece.text for each in readings.values() for turn in each.exchanges for piece in turn.answer} == {hostile}


def test_without_a_trap_turn_4_is_neutral(untrapped):
    _, readings = read(untrapped)
    assert {reading.exchanges[3].heading for reading in readings.values()} == {"Turn 4: a neutral question"}
    assert {reading.facets["trap"] for reading in readings.values()} == {"none known"}


def test_answers_to_one_question_stand_in_the_order_of_the_charts(study):
    block, _ = read(study)
    assert tuple(dict.fromkeys(reading.facets["model"] for reading in block.readings)) == study.models
    assert list(study.models) != sorted(study.models)


def test_a_judge_alone_is_not_repeated_as_the_jury(study):
    _, readings = read(study)
    assert {len(turn.remarks) for reading in readings.values() for turn in reading.exchanges} == {1}


def test_answers_of_several_models_can_be_compared_and_those_of_one_can_not(one, study):
    assert read(one)[0].compare is None
    block, readings = read(study)
    assert block.compare.across == "model"
    assert all({block.compare.across, *block.compare.same} <= reading.facets.keys() for reading in readings.values())


def test_only_filters_and_choices_that_can_find_something_are_offered(one, untrapped, study):
    offered = {name: {each.id for each in read(found)[0].filters} for name, found in (("u", untrapped), ("s", study))}
    everything = set(FILTER_IDS)
    assert offered == {
        "u": everything - {"accepted", "questioned", "gave_in", "disagree"},
        "s": everything - {"disagree"},
    }
    assert [name for name, _ in read(one)[0].facets] == ["concept", "compression", "trap"]
    assert [name for name, _ in read(study)[0].facets] == ["model", "concept", "trap"]
