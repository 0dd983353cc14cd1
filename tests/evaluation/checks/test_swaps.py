import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, judged_rows, sentence
from voirdire.evaluation.checks.swaps import swapped_outputs

NAMES = "ford wick ham bury ness mouth stead ley ton by".split()


def rows(slip):
    """Two models that repeat some words of the question; the outputs of "m1" stand so many items too late."""
    rng = np.random.default_rng(3)
    asked = [sentence(rng, 6)[:-1] for _ in range(60)]
    return [
        {
            "item": f"i{n}",
            "model": model,
            "prompt": f"In which year was this seen: {asked[n]}?",
            "reference": str(1900 + n),
            "output": f"It is said that {asked[(n + slip * (model == 'm1')) % 60].lower()} in {1900 + n // 2}.",
        }
        for model in ("m0", "m1")
        for n in range(60)
    ]


@pytest.mark.parametrize("slip", [1, 7])
def test_outputs_that_are_about_other_items_are_found(slip):
    found = swapped_outputs(evaluation_of(rows(slip)))
    assert (found.status, found.models) == ("fail", ("m1",)) and found.value > 0.9
    assert found.details["shares"]["m0"] == 0.0


@pytest.mark.parametrize("sound", [rows(0), judged_rows(1, 3.5, 3.0), choice_rows(1, 0.8, 0.2)])
def test_outputs_to_their_own_items_pass_and_so_do_those_that_share_no_words_with_any(sound):
    found = swapped_outputs(evaluation_of(sound))
    assert (found.status, found.value) == ("pass", 0.0)


def test_of_one_model_all_outputs_at_one_distance_from_their_items_are_found():
    alone = [row for row in rows(1) if row["model"] == "m1"]
    assert swapped_outputs(evaluation_of(alone)).status == "fail"


def test_outputs_of_a_word_tell_nothing_of_their_item():
    bare = [row | {"output": row["reference"]} for row in rows(0)]
    assert swapped_outputs(evaluation_of(bare)).finding.code == "evaluation_outputs_tell_nothing"


def test_what_is_lacking_is_said():
    bare = [{key: row[key] for key in ("item", "model", "output")} for row in rows(0)]
    assert swapped_outputs(evaluation_of(bare)).finding.code == "evaluation_no_prompts"
    assert swapped_outputs(evaluation_of(rows(1)[:10])).finding.code == "evaluation_too_few_items"


@pytest.mark.parametrize("slip", [1, 2])
def test_a_slip_from_the_middle_on_and_outputs_in_each_others_place_are_found(slip):
    """From the fortieth item on each output stands so many rows too late; or neighbours have each other's."""
    sound, moved = rows(0), rows(slip)
    late = [wrong if int(right["item"][1:]) >= 40 else right for right, wrong in zip(sound, moved, strict=True)]
    found = swapped_outputs(evaluation_of(late))
    assert (found.status, found.models) == ("fail", ("m1",)) and 0.2 < found.value < 0.4
    for n in range(60, 80, 2):
        sound[n]["output"], sound[n + 1]["output"] = sound[n + 1]["output"], sound[n]["output"]
    found = swapped_outputs(evaluation_of(sound))
    assert (found.status, found.models) == ("fail", ("m1",)) and 0.2 < found.value < 0.4


def test_items_of_one_passage_at_one_distance_are_no_slip():
    """Each passage is asked about with all its text and with its first words alone."""
    rng = np.random.default_rng(5)
    passages = [sentence(rng, 30)[:-1] for _ in range(30)]
    asked = [*(" ".join(each.split()[:4]) for each in passages), *passages]
    rows = [
        {"item": f"i{n}", "model": "m", "prompt": asked[n], "output": f"About this: {passages[n % 30]}."}
        for n in range(60)
    ]
    assert swapped_outputs(evaluation_of(rows)).status == "pass"


def test_outputs_about_anything_are_not_swapped_where_a_few_stand_at_one_distance_by_chance():
    rng = np.random.default_rng(2)
    known = [f"{first}{second}" for first in ("bar", "kel", "mon", "tis", "vor", "zun") for second in NAMES]

    def some(n):
        return " ".join(rng.choice(known, n))

    asked = [some(8) for _ in range(100)]
    unrelated = [
        {"item": f"i{n}", "model": model, "prompt": prompt, "output": some(14)}
        for model in "abcdefgh"
        for n, prompt in enumerate(asked)
    ]
    assert swapped_outputs(evaluation_of(unrelated)).value == 0.0
