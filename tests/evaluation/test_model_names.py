import pytest

from voirdire.evaluation.model_names import alike


@pytest.mark.parametrize(
    "other",
    ["GPT-4", "gpt-4 ", "gpt-4\u200b", "\ufeffgpt-4", "gpt-4\xa0"],
    ids=["case", "space", "width", "mark", "nbsp"],
)
def test_names_that_a_reader_takes_for_one_are_alike(other):
    assert alike(["gpt-4", "gpt-3", other]) == [("gpt-4", other)]


def test_a_letter_with_an_accent_may_be_coded_in_two_ways():
    assert alike(["caf\xe9", "cafe\u0301", "cafe"]) == [("caf\xe9", "cafe\u0301")]
