import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, judged_rows, scores_of, sentence
from voirdire.evaluation.answers import final_answer, normal_answer
from voirdire.evaluation.checks.answers import baseline, position_association, unparsed

CHECKS = (unparsed, position_association, baseline)
ROWS = choice_rows(4, 0.85, 0.75, 0.6)


def sample(rows, every, change, model=None):
    """Every so many items changed, of one model or all."""
    return evaluation_of(
        [
            {**row, **change(row)} if int(row["item"][1:]) % every == 0 and model in (None, row["model"]) else row
            for row in rows
        ]
    )


@pytest.mark.parametrize("check", CHECKS)
def test_a_sound_choice_task_passes(check):
    assert check(evaluation_of(ROWS)).status == "pass"


@pytest.mark.parametrize("check", CHECKS)
def test_scores_alone_are_not_measured(check):
    assert check(scores_of({"m": [1.0, 0.0] * 20, "n": [1.0] * 40})).status == "not_measured"


def test_answers_scored_wrong_while_they_are_the_reference_are_unparsed():
    found = unparsed(sample(ROWS, 6, lambda row: {"score": 0.0, "answer": "[invalid]"}, "m0"))
    assert (found.status, found.models) == ("fail", ("m0",))


def test_numbers_in_another_form_are_the_same_answer():
    rows = [{"item": str(n), "reference": f"{n},000", "output": f"So x = {n}000.", "score": 0.0} for n in range(1, 60)]
    assert unparsed(evaluation_of(rows)).status == "fail"
    assert unparsed(evaluation_of([{**row, "output": "So x = 7."} for row in rows])).status == "pass"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Let us see. The answer is (C).", "c"),
        ("Thus \\boxed{12}.", "12"),
        ("6 * 7\n#### 42", "42"),
        ("**Answer: 1,200.00**", "1200"),
        ("Paris", "paris"),
    ],
)
def test_final_answers_are_read_as_people_read_them(text, answer):
    assert normal_answer(final_answer(text)) == answer


def test_a_long_output_without_a_mark_has_no_final_answer():
    assert final_answer("It is far.\nIt is near.") is None


def test_a_letter_that_wins_whatever_stands_there_is_named():
    given_a = sample(
        ROWS,
        2,
        lambda row: {"answer": "A", "choice": 0.0, "output": "ANSWER: A", "score": float(row["target"] == 0)},
        "m2",
    )
    found = position_association(given_a)
    assert (found.status, found.models, found.details["options"]["m2"]["place"]) == ("fail", ("m2",), "A")


def test_an_order_of_pairs_that_wins_is_found():
    rows = [
        {**row, "position": 1.0 + place % 2, "score": row["score"] - 2.0 * (place % 2)}
        for place, row in enumerate(judged_rows(2, 3.0, 3.5, judges=("a",)))
    ]
    found = position_association(evaluation_of(rows, bounds=(-1.0, 5.0)))
    assert (found.status, found.finding.code) == ("fail", "evaluation_first_wins")


def test_a_key_that_is_nearly_always_one_letter_beats_the_models():
    skewed = [{**row, "target": 0.0, "reference": "A", "score": float(row["answer"] == "A")} for row in ROWS]
    keyed = [new if int(new["item"][1:]) % 10 else old for new, old in zip(skewed, ROWS, strict=True)]
    assert baseline(evaluation_of(keyed)).finding.code == "evaluation_baseline_beats"


def test_right_options_that_are_longest_give_themselves_away():
    rng = np.random.default_rng(0)

    def longer(row):
        options = (f"{each} {sentence(rng)}" if n == row["target"] else each for n, each in enumerate(row["choices"]))
        return {"choices": tuple(options)}

    assert baseline(sample(ROWS, 1, longer)).status == "fail"


def test_a_best_model_that_is_not_above_the_trivial_answer_is_a_warning():
    rows = [
        {
            "item": f"q{n}",
            "score": float(n == 0),
            "choices": ("x", "y", "z"),
            "target": float(n % 3),
            "reference": "xyz"[n % 3],
        }
        for n in range(9)
    ]
    found = baseline(evaluation_of(rows))
    assert (found.status, found.value > 1 / 9) == ("warn", True)


def test_an_output_that_only_mentions_the_key_and_ends_in_another_answer_is_scored_against_what_it_says():
    rows = [
        {
            "item": f"i{n}",
            "reference": "Lisbon",
            "output": "One thinks of Lisbon first.\n\nAnswer: Porto" if n < 10 else "Answer: Lisbon",
            "answer": "Porto" if n < 10 else "Lisbon",
            "score": 1.0,
        }
        for n in range(50)
    ]
    assert unparsed(evaluation_of(rows)).value == pytest.approx(0.2)
    fuller = [{**row, "answer": "the city of Lisbon", "output": "Answer: the city of Lisbon"} for row in rows]
    assert unparsed(evaluation_of(fuller)).status == "pass"


def test_a_reference_with_its_label_is_the_answer_after_it():
    rows = [
        {"item": f"i{n}", "reference": "Answer: Lisbon", "output": "It is Lisbon.", "score": float(n > 9)}
        for n in range(50)
    ]
    assert unparsed(evaluation_of(rows)).value == pytest.approx(0.2)


@pytest.mark.parametrize(
    "output", ["I'm sorry, but I can't help with that.", "Error: 429 Too Many Requests", "I think this and so"]
)
def test_an_output_without_an_answer_that_is_scored_as_right_is_scored_against_what_it_says(output):
    rows = [
        {
            "item": f"i{n}",
            "reference": str(100 + n),
            "output": output if n < 20 else f"Answer: {100 + n}",
            "score": 1.0,
        }
        for n in range(60)
    ]
    found = unparsed(evaluation_of(rows))
    assert (found.status, found.value) == ("fail", pytest.approx(1 / 3))
    assert unparsed(evaluation_of([{**row, "score": float(row["output"] != output)} for row in rows])).status == "pass"
    right = [{**row, "reference": output if row["output"] == output else row["reference"]} for row in rows]
    assert unparsed(evaluation_of(right)).status == "pass"


def test_one_text_that_is_scored_right_and_wrong_on_one_item_is_scored_against_what_it_says():
    rows = [
        {"item": f"i{n}", "model": model, "reference": "a long river", "output": "It is the Rhine.", "score": 1.0}
        for n in range(60)
        for model in ("a", "b", "c")
    ]
    assert unparsed(evaluation_of(rows)).status == "pass"
    mixed = [{**row, "score": float(row["model"] != "b" or int(row["item"][1:]) > 9)} for row in rows]
    found = unparsed(evaluation_of(mixed))
    assert (found.status, found.models, found.value) == ("fail", ("b",), pytest.approx(1 / 6))


def test_a_plain_last_number_that_is_the_reference_is_scored_wrong_and_only_what_is_read_counts():
    rows = [{"item": str(n), "reference": str(n + 64), "output": f"I get {n + 64}.", "score": n % 2} for n in range(40)]
    rows += [
        {"item": str(n), "reference": str(n), "output": "I leave it at that, sorry.", "score": 0} for n in range(40, 60)
    ]
    found = unparsed(evaluation_of(rows))
    assert (found.status, found.value, found.n) == ("fail", 0.5, 40)


def test_where_lower_is_better_no_trivial_answer_has_a_score_to_compare():
    rows = [{**row, "score": 1 - row["score"]} for row in ROWS]
    found = baseline(evaluation_of(rows, metric="wer", higher_is_better=False))
    assert (found.status, found.value) == ("not_measured", None)
    assert "lower scores are better" in str(found.finding)
