import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of, sentence
from voirdire.evaluation.checks.duplicates import duplicate_items

LOOM = "When would one use the loom?"


def asked(*prompts, seed=2, outputs=None, models=("m0", "m1"), reference=None, items=60):
    """The prompts, all answered in the same words by a model, beside items that have nothing in common."""
    rng = np.random.default_rng(seed)
    said = outputs or {model: sentence(rng, 9) for model in models}
    rows = [
        {"item": f"p{place}", "prompt": prompt, "model": model, "output": said[model], "reference": reference}
        for place, prompt in enumerate(prompts)
        for model in models
    ]
    rows += [
        {"item": f"i{n}", "prompt": f"What is a {sentence(rng, 2)[4:-1]}?", "model": model, "output": sentence(rng, 9)}
        for n in range(items)
        for model in models
    ]
    return evaluation_of([{**row, "score": 1.0} for row in rows])


def groups(evaluation):
    return duplicate_items(evaluation).details["groups"]


@pytest.mark.parametrize(
    "other",
    [
        "Please, when would one use the loom?",
        "Please tell me: when would one use the loom?",
        "In which case would one use the loom?",
        "When would one use a loom, please?",
        "When would somebody use the loom?",
        "When would you use the loom?",
    ],
)
def test_short_prompts_in_other_words_with_the_same_outputs_are_one_item(other):
    assert groups(asked(LOOM, other)) == [["p0", "p1"]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Explain the loom of 1801.", "Explain the loom of 1901."),
        ("Explain two looms.", "Explain three looms."),
        ("Why does Ann use the loom?", "Why does Bea use the loom?"),
        ("Ann bought a loom. Why?", "Bea bought a loom. Why?"),
        ("What does `loom.open` do?", "What does `loom.close` do?"),
        ("What does open_loom do?", "What does close_loom do?"),
        (LOOM, "When would one not use the loom?"),
        (LOOM, "When wouldn't one use the loom?"),
        ("What comes before the loom?", "What comes after the loom?"),
        ("Does the cat chase the dog?", "Does the dog chase the cat?"),
        (LOOM, "When would one use the anvil?"),
        ("Is x + y large?", "Is x * y really large?"),
    ],
)
def test_another_number_name_negation_or_thing_makes_another_item(one, other):
    assert groups(asked(one, other)) == []


def test_another_output_of_one_model_makes_another_item():
    rows = asked(LOOM, f"Please: {LOOM}").rows.to_dict("records")
    other = [
        {**row, "output": "A loom weaves."} if (row["item"], row["model"]) == ("p1", "m1") else row for row in rows
    ]
    used = ("item", "model", "prompt", "output", "score")
    found = [evaluation_of({name: row[name] for name in used} for row in each) for each in (rows, other)]
    assert [*map(groups, found)] == [[["p0", "p1"]], []]


SHORT = {"m0": "yes", "m1": "no"}


def test_short_outputs_agree_by_chance_so_that_only_a_courtesy_may_differ():
    assert groups(asked(LOOM, f"Please answer: {LOOM}", outputs=SHORT)) == [["p0", "p1"]]
    assert groups(asked(LOOM, "When would somebody use the loom?", outputs=SHORT)) == []


def test_a_word_may_stand_in_place_of_another_only_where_two_models_agree():
    one, other = "How do I clean a stained wooden loom frame?", "How do I wash a stained wooden loom frame?"
    assert groups(asked(one, other)) == [["p0", "p1"]]
    assert groups(asked(one, other, models=("m0",))) == []


def test_outputs_that_many_items_share_and_refusals_tell_nothing():
    prompts = [f"Describe the {word} of a loom." for word in ("frame", "wood", "weight", "price", "noise", "colour")]
    assert groups(asked(*prompts)) == []
    refused = dict.fromkeys(("m0", "m1"), "I'm sorry, but I can't help you with that request.")
    assert groups(asked(LOOM, "When would somebody use the loom?", outputs=refused)) == []


def test_prompts_of_one_form_on_other_things_are_two_items():
    form = "Write a short packing list for a weekend course on {}."
    rng = np.random.default_rng(0)
    others = [f"Explain in two sentences how {sentence(rng, 8).lower()}" for _ in range(30)]
    prompts = [form.format("cheese making"), form.format("volcanoes"), *others]
    rows = [{"item": f"i{n}", "prompt": each, "score": 1.0} for n, each in enumerate(prompts)]
    assert groups(evaluation_of(rows)) == []
    rows[1]["prompt"] = form.format("Cheese-making") + " "
    assert groups(evaluation_of(rows)) == [["i0", "i1"]]
