"""Turns drawn from a run: blind, weighted, and found again."""

import json
from collections import Counter

import pandas as pd
import pytest

from voirdire.ddft.person_check import JudgedRun, draw_turns, read_judged
from voirdire.jury import JuryError
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.ddft.builder import make

LIVE = DrawOptions()


def test_all_scored_turns_are_taken_each_for_itself(run):
    made = make(run, LIVE)
    scored = read_judged(run).turns
    assert {document.id for document in made.documents} == set(scored["key"])
    assert {document.weight for document in made.documents} == {1.0}
    assert [(item.id, item.document, item.pool, item.key) for item in made.items] == [
        (document.id, document.id, "live", None) for document in made.documents
    ]


def test_nothing_that_is_shown_tells_model_level_or_scores(run):
    judged = read_judged(run)
    by_key = {row["key"]: row for row in judged.turns.to_dict("records")}
    for document in make(run, LIVE).documents:
        row = by_key[document.id]
        assert set(document.body) == {
            *("concept", "reference", "turn", "history", "question", "answer", "fabricated", "kind", "as_of"),
        }
        shown = json.dumps(document.body) + document.id
        assert row["model"] not in shown and "simulated" not in shown and row["dialogue"] not in shown
        assert document.body["reference"] == judged.concepts[row["concept"]].reference  # whole, whatever the level
        assert len(document.body["history"]) == document.body["turn"] - 1
        assert not {"far", "sas", "stance", "verdict", "level"} & set(document.body)


def test_the_source_finds_the_turn_in_the_run_again(run):
    by_key = {row["key"]: row for row in read_judged(run).turns.to_dict("records")}
    for document in make(run, LIVE).documents:
        row = by_key[document.id]
        assert document.source == {"dialogue": row["dialogue"], "turn": row["turn"], "key": row["key"]}
        assert document.group == row["concept"]


def test_a_sample_is_spread_over_turns_and_scores_and_stands_for_all(run):
    made = make(run, DrawOptions(sample=15))
    assert Counter(document.body["turn"] for document in made.documents) == dict.fromkeys(range(1, 6), 3)
    assert sum(document.weight for document in made.documents) == 40
    assert {document.weight for document in made.documents} <= {2.0, 3.0}
    scored = {row["key"]: row for row in read_judged(run).turns.to_dict("records")}
    for document in made.documents:
        assert document.stratum.startswith(f"turn {document.body['turn']}, ")
        assert ("below" in document.stratum) == (scored[document.id]["far"] < 0.7)


def test_the_weighted_mean_of_samples_is_the_mean_of_the_run(run):
    judged = read_judged(run)
    scored = {row["key"]: row["sas"] for row in judged.turns.to_dict("records")}
    means = [
        sum(drawn.stands_for * scored[drawn.shown.key] for drawn in draw_turns(judged, 7, seed=seed)) / len(scored)
        for seed in range(30)
    ]
    assert sum(means) / len(means) == pytest.approx(sum(scored.values()) / len(scored), abs=0.03)


def test_the_seed_decides_the_sample_and_its_order(run):
    ids = [[each.id for each in make(run, DrawOptions(sample=10, seed=seed)).documents] for seed in (0, 0, 1)]
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (DrawOptions(sample=41), "holds 40 scored turns, and a sample of 41 was asked for; give 1 to 40"),
        (DrawOptions(sample=0), "a sample of 0"),
    ],
)
def test_what_can_not_be_drawn_is_said_in_one_sentence(run, options, says):
    with pytest.raises(RatersError, match=says):
        make(run, options)


def test_an_unknown_jury_is_answered_with_those_there_are(run):
    with pytest.raises(JuryError, match="No jury 'nobody' has judged"):
        make(run, DrawOptions(jury="nobody"))


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(RatersError, match="There is no run in"):
        make(tmp_path, LIVE)


def test_turns_that_the_jury_gave_no_score_are_named():
    answered = pd.DataFrame(
        [("d", turn, "recursion", 0.5) for turn in (1, 2)], columns=["dialogue", "turn", "concept", "level"]
    )
    judged = JudgedRun("jury", answered[answered["turn"] == 1], answered, pd.DataFrame(), {})
    assert judged.unscored == ["recursion at level 0.5, turn 2"]
