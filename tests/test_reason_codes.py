"""Reasons: codes with parameters, and the words for them."""

import json
import math

import pytest

from voirdire.reason_codes import declare, reason

declare(
    {
        "tested_few": "{metric:label} rests on {turns:count turn}",
        "tested_waiting": "{turns:count turn has/turns have} not been judged ({share:percent}), mean {mean:.2f}",
        "tested_models": "Only {models:few}.",
        "tested_all": "All are {models}.",
        "tested_none": "{metrics:label} {metrics:is} undefined: {why}.",
    },
    {"tested_metric": "the metric"},
)


def test_a_reason_reads_as_its_code_was_worded_with_labels_for_names():
    assert str(reason("tested_few", metric="tested_metric", turns=1)) == "the metric rests on 1 turn"
    assert str(reason("tested_few", metric="K", turns=1200)) == "K rests on 1,200 turns"


def test_several_names_take_are_and_a_reason_behind_it_is_quoted():
    why = reason("tested_few", metric="K", turns=2)
    assert str(reason("tested_none", metrics=("K", "S"), why=why)) == "K, S are undefined: K rests on 2 turns."
    assert str(reason("tested_none", metrics=("K",), why=why)) == "K is undefined: K rests on 2 turns."


def test_numbers_are_counted_in_percent_or_undefined():
    one, several = (reason("tested_waiting", turns=n, share=0.125, mean=mean) for n, mean in ((1, math.nan), (3, 0.5)))
    assert str(one) == "1 turn has not been judged (12 %), mean undefined"
    assert str(several) == "3 turns have not been judged (12 %), mean 0.50"
    assert one.as_dict()["mean"] is None


def test_a_number_is_rounded_as_tables_round_it():
    mean = 0.1 + 0.2 + 0.375 - 1e-16
    assert "mean 0.68" in str(reason("tested_waiting", turns=3, share=0.5, mean=mean))
    assert "mean 0.13" in str(reason("tested_waiting", turns=3, share=0.5, mean=0.125))


def test_of_many_the_first_six_are_named_and_data_has_them_all():
    names = tuple("abcdefgh")
    assert str(reason("tested_models", models=names[:6])) == "Only a, b, c, d, e, f."
    assert str(reason("tested_models", models=names)) == "Only a, b, c, d, e, f and 2 more."
    assert reason("tested_models", models=names).as_dict()["models"] == list(names)


def test_findings_in_a_row_are_worded_one_by_one():
    parts = tuple(reason("tested_few", metric=metric, turns=1) for metric in ("K", "S"))
    found = reason("tested_all", models=parts)
    assert str(found) == "All are K rests on 1 turn, S rests on 1 turn."
    assert [part["metric"] for part in found.as_dict()["models"]] == ["K", "S"]


def test_the_root_is_the_first_cause():
    first = reason("tested_few", metric="K", turns=2)
    second = reason("tested_none", metrics=("E",), why=first)
    assert reason("tested_none", metrics=("ER",), why=second).root == first


def test_json_holds_code_words_and_parameters():
    why = reason("tested_few", metric="K", turns=2)
    found = json.loads(json.dumps(reason("tested_none", metrics=("K",), why=why).as_dict()))
    assert found == {
        "code": "tested_none",
        "text": "K is undefined: K rests on 2 turns.",
        "metrics": ["K"],
        "why": {"code": "tested_few", "text": "K rests on 2 turns", "metric": "K", "turns": 2},
    }


def test_a_code_has_one_wording():
    declare({"tested_few": "{metric:label} rests on {turns:count turn}"})
    with pytest.raises(ValueError, match="worded twice"):
        declare({"tested_few": "something else"})


def test_a_sentence_begins_with_a_capital_but_a_name_at_its_beginning_keeps_its_case():
    seldom = reason("model_seldom_answers", model="openai-api/decliner", claiming=24, answers=120, metric="ER")

    assert seldom.sentence.startswith("openai-api/decliner takes no rank") and seldom.sentence.endswith("ER.")
    assert reason("no_shared_turn").sentence == "The two share no scored turn."
