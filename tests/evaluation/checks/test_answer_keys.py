import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, scores_of
from voirdire.evaluation.checks.answer_keys import wrong_key_suspects


def test_scores_alone_are_not_measured():
    assert wrong_key_suspects(scores_of({"m": [1.0, 0.0] * 20, "n": [1.0] * 40})).status == "not_measured"


def test_keys_that_all_strong_models_contradict_with_one_answer_are_suspect():
    rows = [_key_moved(row) if int(row["item"][1:]) % 15 == 0 else row for row in choice_rows(5, 0.95, 0.92, 0.9, 0.6)]
    found = wrong_key_suspects(evaluation_of(rows))
    assert found.status == "fail"
    assert {f"i{n}" for n in range(0, 120, 15)} == set(found.details["items"])


def test_keys_that_two_models_of_two_contradict_in_most_repetitions_are_suspect():
    rows = [{**row, "epoch": epoch} for row in choice_rows(3, 0.9, 0.8, items=100) for epoch in (1.0, 2.0, 3.0)]
    assert wrong_key_suspects(evaluation_of(rows)).status == "pass"
    wrong = [_key_moved(row) if int(row["item"][1:]) < 10 else row for row in rows]
    found = wrong_key_suspects(evaluation_of(wrong))
    assert found.status == "fail" and len(set(found.details["items"])) == len(found.details["items"])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [4, 0])
def test_models_that_err_on_the_same_hard_items_contradict_no_key(seed, options):
    """Of four options they meet in one wrong answer of three; of numbers in one of fifteen."""
    assert wrong_key_suspects(_of_shared_difficulty(seed, options)).status == "pass"


def test_twelve_wrong_numbers_of_250_are_suspect_and_named():
    """By chance models hardly ever meet in a wrong number, so that a few suspects are many."""
    found = wrong_key_suspects(_of_shared_difficulty(0, 0, wrong=12))
    assert found.status == "warn" and found.value < 0.05
    planted = [f"i{n}" for n in range(12)]
    assert len(set(found.details["items"]) & set(planted)) >= 6
    assert [quote.item for quote in found.quotes] == found.details["items"][:12]
    assert found.details["items"][0] in str(found.finding)


@pytest.mark.parametrize("words", [("no", "yes"), ("A", "B")])
def test_of_two_options_nothing_is_measured_since_all_that_err_must_meet(words):
    rows = [
        {**row, **{name: words[int(row[name]) % 2] for name in ("reference", "output")}}
        for row in _rows_of_shared_difficulty(0, 2)
    ]
    found = wrong_key_suspects(evaluation_of(rows))
    assert (found.status, found.finding.code) == ("not_measured", "evaluation_two_options")


def test_one_answer_to_all_items_is_not_measured():
    rows = [{"item": f"i{n}", "model": m, "output": "yes", "reference": "yes"} for n in range(30) for m in "ab"]
    assert wrong_key_suspects(evaluation_of(rows)).status == "not_measured"


def test_where_wrong_options_attract_models_that_is_learned_from_the_items_whose_key_is_confirmed():
    found = wrong_key_suspects(evaluation_of(_rows_of_shared_difficulty(2, 4, attractive=True)))
    assert found.status == "pass" and found.details["agree_by_chance"] > 0.8


def test_a_model_that_hardly_beats_a_guess_by_half_is_not_strong():
    found = wrong_key_suspects(evaluation_of(choice_rows(1, 0.8, 0.55, items=200)))
    assert (found.status, found.finding.code) == ("not_measured", "evaluation_no_strong")


def _of_shared_difficulty(seed, options, wrong=0):
    return evaluation_of(_rows_of_shared_difficulty(seed, options, wrong))


def _rows_of_shared_difficulty(seed, options, wrong=0, attractive=False):
    """Three models that err on the same items, each by itself; numbers where there are no options."""
    rng = np.random.default_rng(seed)
    for item in range(250):
        right = int(rng.integers(options or 900)) + (0 if options else 100)
        key = right + 5 if item < wrong else right
        hard = rng.normal(0, 1.5)
        for model, ability in (("a", 1.9), ("b", 1.2), ("c", 0.1)):
            others = [each for each in range(options) if each != right] or [right + n for n in range(1, 16)]
            others = others[:1] if attractive else others
            given = right if rng.random() < 1 / (1 + np.exp(hard - ability)) else int(rng.choice(others))
            answer, reference = ("ABCD"[given], "ABCD"[key]) if options == 4 else (str(given), str(key))
            cells = {"item": f"i{item}", "model": model, "output": answer, "reference": reference}
            yield {**cells, "score": float(given == key)}


def _key_moved(row):
    """The key is another one than before, and all models still say what was right."""
    old = int(row["target"])
    key = (old + 1) % 4
    return {
        **row,
        "target": float(key),
        "reference": "ABCD"[key],
        "choice": float(old),
        "answer": "ABCD"[old],
        "output": f"Words.\n\nANSWER: {'ABCD'[old]}",
        "score": 0.0,
    }


def test_plain_last_numbers_are_answers_and_what_can_not_be_read_is_the_reason():
    ways = ("Adding all of these up makes {}.", "Let me think of it step by step. I get **{}**", "Hm. That makes {}")
    rows = [
        {"item": str(n), "model": f"m{place}", "reference": str(n + 300), "output": way.format(n + 300), "score": 1.0}
        for place, way in enumerate(ways)
        for n in range(40)
    ]
    assert wrong_key_suspects(evaluation_of(rows)).status == "pass"
    unread = wrong_key_suspects(evaluation_of({**row, "output": f"{row['output']} or so, I think"} for row in rows))
    assert str(unread.finding) == "a final answer that can be compared with other models' was found in 0 of 120 outputs"
