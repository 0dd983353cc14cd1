import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of
from voirdire.evaluation.checks.answers import unparsed
from voirdire.evaluation.checks.outputs import constant_output, empty_output
from voirdire.evaluation.checks.scores import missing_scored
from voirdire.evaluation.unanswered import unanswered

ANSWERS = ("favor", "against", "none", "N/A", "Timeout error", "Internal server error", "null")


def answered(seed=1, change=lambda row: row, **cells):
    """Two models name one of seven answers, right in 7 of 10 items."""
    rng = np.random.default_rng(seed)
    rows = []
    for n in range(140):
        right = ANSWERS[n % len(ANSWERS)]
        for model in ("m0", "m1"):
            said = right if rng.random() < 0.7 else ANSWERS[int(rng.integers(len(ANSWERS)))]
            row = {"item": f"i{n}", "prompt": f"What do logs say of run {n}?", "model": model, "output": said}
            rows.append(change({**row, "reference": right, "score": float(said == right), **cells}))
    return evaluation_of(rows)


@pytest.mark.parametrize("check", [empty_output, missing_scored, unparsed, constant_output])
def test_an_answer_of_the_evaluation_is_no_empty_output_and_no_error(check):
    assert check(answered()).status == "pass"
    assert not unanswered(answered()).any()


def test_case_and_punctuation_make_no_other_answer():
    found = answered(change=lambda row: {**row, "output": f"{row['output'].upper()}."})
    assert empty_output(found).value == missing_scored(found).value == 0.0


def test_options_are_answers_too():
    def as_option(row):
        return {**row, "choices": ANSWERS, "target": float(ANSWERS.index(row["reference"])), "reference": None}

    found = answered(change=as_option)
    assert empty_output(found).value == missing_scored(found).value == 0.0


@pytest.mark.parametrize("text", ["", "<|endoftext|>", "undefined", "Error: 503 service unavailable"])
def test_what_is_no_answer_of_the_evaluation_is_found_beside_them(text):
    def lost(row):
        return {**row, "output": text} if row["model"] == "m1" and int(row["item"][1:]) % 5 == 0 else row

    assert missing_scored(answered(change=lost)).models == ("m1",) or text.startswith(("<", "u"))
    assert unanswered(answered(change=lost)).sum() == 28
    assert (empty_output(answered(change=lost)).value == 0.2) == (not text.startswith("Error"))


def test_one_reference_for_all_items_is_an_answer_where_it_is_scored_right():
    found = answered(
        change=lambda row: {**row, "output": "None", "reference": "None", "score": float(row["model"] == "m0")}
    )
    assert (empty_output(found).models, empty_output(found).value) == (("m1",), 1.0)
