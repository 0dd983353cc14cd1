"""A wrong sum of things that a sentence names is sure where it is clear what it should give; so is one for a year."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

COSTS = "The licence costs $49 a month. Each extra seat is $12 a month. Training is $300 and set-up $150."
ENTRY = "Entry to the abbey is £11, for pensioners £8. The tower tour costs £5 and the audio guide £4."
TABLE = "| Locker | Price per month |\n|---|---|\n| Small locker | £9 |\n| Large locker | £21 |"
ORDER = (
    '{"order": "O-118", "customer": "Kay Moss", "lines": [{"item": "Hire May 2026", "qty": 1, "amount": 90.0}, '
    '{"item": "Cable lock", "qty": 2, "unit_price": 13.0, "amount": 26.0}, '
    '{"item": "Late fee", "qty": 1, "amount": 9.0}],'
    ' "total": 125.0, "paid": 50.0}'
)


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (COSTS, "Training and set-up together cost $460."),
        (COSTS, "An extra seat costs $134 for a full year."),
        (ENTRY, "Entry and the tower tour together come to £18."),
        (ENTRY, "Entry, tour and audio guide cost £22 in total."),
        (TABLE, "The large locker comes to £232 a year."),
        (ORDER, "The hire and the two locks together come to £119.00."),
    ],
)
def test_a_wrong_sum_of_what_a_sentence_names_is_sure(context, sentence):
    assert any(each.sure for each in find_contradictions(sentence, ContextIndex.from_context(context)))


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (COSTS, "Training and set-up together cost $450."),
        (COSTS, "An extra seat costs $144 for a full year."),
        (COSTS, "Set-up and the first year of monthly payments come to $738."),
        (f"{COSTS} Schools get 20% off.", "For schools, training and set-up together cost $360."),
        (f"{COSTS} Schools get 20% off.", "Training and set-up together cost $360."),
        (ENTRY, "For a pensioner everything together comes to £17."),
        (ENTRY, "Entry, tour and audio guide cost £20 in total."),
        (TABLE, "The large locker comes to £252 a year."),
        (ORDER, "The hire and the two locks together come to £116.00."),
    ],
)
def test_a_right_sum_or_one_of_things_that_are_not_clear_is_not_surely_wrong(context, sentence):
    assert not any(each.sure for each in find_contradictions(sentence, ContextIndex.from_context(context)))
