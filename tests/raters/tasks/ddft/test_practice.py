"""The turns to practise on: each can be rated right, and shows what is meant."""

import pytest

from tests.raters.tasks.ddft.turns import BODY, SETTINGS, rows_of
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.ddft.builder import practice
from voirdire.raters.tasks.ddft.task import TASK
from voirdire.raters.tasks.ddft.values import STEPS

TURNS = list(zip(*practice()[:2], strict=True))


def form_of(key):
    return {
        "far": "none" if key["no_claims"] else str(key["far"]),
        "sas": str(key["sas"]),
        "stance": key["stance"] or "",
        "comment": "",
    }


def in_practice(document, item, *rows):
    return Work(settings=SETTINGS, document=document, item=item, rows=tuple(rows), phase="practice")


@pytest.mark.parametrize(("document", "item"), TURNS, ids=[item.id for _, item in TURNS])
def test_whoever_rates_a_practice_turn_as_its_key_says_is_told_that_it_is_right(document, item):
    assert set(document.body) == set(BODY)
    assert (item.pool, item.document) == ("practice", document.id)
    assert {item.key["far"], item.key["sas"]} <= {None, *STEPS}
    row = TASK.take(in_practice(document, item), "rate", form_of(item.key))
    told = TASK.feedback(in_practice(document, item, *rows_of(row)))
    assert told["right"] and len(told["why"]) > 50
    assert not TASK.differ(row.body, item.key)


@pytest.mark.parametrize(("document", "item"), TURNS, ids=[item.id for _, item in TURNS])
def test_whoever_takes_accuracy_for_form_fails(document, item):
    if item.key["no_claims"]:
        form = form_of(item.key) | {"far": "0"}
    else:
        form = form_of(item.key) | {"far": str(round(1 - item.key["far"], 1) if item.key["far"] != 0.5 else 1.0)}
    row = TASK.take(in_practice(document, item), "rate", form)
    assert TASK.differ(row.body, item.key)


def test_practice_covers_all_stances_no_claims_and_both_ends_of_the_scales():
    keys = [item.key for _, item in TURNS]
    assert {key["stance"] for key in keys} == {None, "rejected", "questioned", "accepted"}
    assert any(key["no_claims"] for key in keys)
    assert any(key["far"] == 1 and key["sas"] <= 0.5 for key in keys)  # true, but beside the question
    assert any((key["far"] or 1) <= 0.1 and key["sas"] >= 0.9 for key in keys)  # false, but well put
    assert len({document.group for document, _ in TURNS}) >= 2
    for document, _ in TURNS:
        assert len(document.body["history"]) <= document.body["turn"] - 1
        assert bool(document.body["fabricated"]) == (document.body["turn"] >= 4)
        assert document.body["fabricated"].removeprefix("the ") in document.body["question"]


def test_what_is_said_of_a_key_is_what_the_scale_says_of_it():
    mixed = [item.key["far"] for _, item in TURNS if "side by side" in item.key["why"]]
    assert all(0.6 <= far <= 0.7 for far in mixed)
