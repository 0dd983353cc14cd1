from tests.evaluation.made import scores_of
from voirdire.evaluation.checks.items import duplicate_items


def test_prompts_that_differ_in_spaces_and_case_alone_are_duplicates():
    prompts = ["What is 2 + 2?", "Name a river.", "what is  2 + 2?", "Name a lake."]
    found = duplicate_items(scores_of({"m": [1.0] * 4, "n": [0.0] * 4}, prompt=prompts))
    assert (found.status, found.value) == ("fail", 0.25)
    assert [(quote.item, quote.text) for quote in found.quotes] == [("i2", "what is 2 + 2?")]


def test_one_prompt_with_other_options_is_another_item():
    choices = [("yes", "no"), ("red", "blue")]
    found = duplicate_items(scores_of({"m": [1.0, 1.0]}, prompt=["Which is true?"] * 2, choices=choices))
    assert found.status == "pass"


def test_without_prompts_duplicates_are_not_measured():
    assert duplicate_items(scores_of({"m": [1.0]})).status == "not_measured"
