import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, judged_rows, scores_of
from voirdire.evaluation.checks.duplicates import duplicate_items
from voirdire.evaluation.checks.items import different_items, reference_in_prompt


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


ROWS = choice_rows(9, 0.8, 0.6, 0.5)


def planted(change, model=None, every=12):
    hit = [int(row["item"][1:]) % every == 0 and model in (None, row["model"]) for row in ROWS]
    return evaluation_of([{**row, **change(row)} if here else row for here, row in zip(hit, ROWS, strict=True)])


@pytest.mark.parametrize("check", [different_items, duplicate_items, reference_in_prompt])
def test_sound_items_pass(check):
    assert check(evaluation_of(ROWS)).status == "pass"


def test_long_prompts_that_differ_in_a_word_are_one_and_in_a_number_are_two():
    text = (
        "A farmer who owns a river meadow sells {} sheep to a {} trader and asks what is left to the village school now"
    )
    prompts = [text.format(3, "poor"), text.format(3, "rich"), *(f"Name the {n}th planet." for n in range(30))]
    assert duplicate_items(scores_of({"m": [1.0] * 32}, prompt=prompts)).details["groups"] == [["i0", "i1"]]
    prompts[1] = text.format(4, "poor")
    assert duplicate_items(scores_of({"m": [1.0] * 32}, prompt=prompts)).status == "pass"


def test_rows_that_stand_twice_are_duplicates_and_repetitions_of_all_are_not():
    assert duplicate_items(evaluation_of([*ROWS, *ROWS[:10]])).status == "warn"
    assert duplicate_items(evaluation_of([*ROWS, *ROWS])).status == "pass"


def test_a_model_without_some_items_or_with_other_prompts_is_named():
    fewer = [row for row in ROWS if row["model"] != "m2" or int(row["item"][1:]) % 10]
    for evaluation in (evaluation_of(fewer), planted(lambda row: {"prompt": "Who wrote Hamlet?"}, "m2")):
        found = different_items(evaluation)
        assert (found.status, found.models) == ("fail", ("m2",))


def test_a_template_of_roles_is_no_other_prompt_and_other_instructions_are():
    chat = planted(lambda row: {"prompt": f"user: {row['prompt']} assistant:"}, "m1", every=1)
    assert different_items(chat).status == "pass"
    advice = "Here are two worked examples that show how one solves such a task with care."
    shots = planted(lambda row: {"prompt": f"{advice} {row['prompt']}"}, "m1", every=1)
    assert (different_items(shots).status, different_items(shots).models) == ("fail", ("m1",))


def with_settings(name, *values):
    return different_items(evaluation_of(ROWS, settings={f"m{n}": {name: each} for n, each in enumerate(values)}))


def test_settings_that_differ_are_named_by_their_weight():
    assert with_settings("shots", 5, 5, 0).status == "fail"
    assert with_settings("temperature", 0.0, 0.0, 1.0).status == "warn"
    assert with_settings("base_url", "a", "b", "c").status == "pass"
    assert with_settings("shots", 5, 5, 5).status == "pass"


@pytest.mark.parametrize(
    "leak",
    [
        lambda row: {"prompt": f"{row['prompt']} The answer is {row['reference']}."},
        lambda row: {"prompt": f"(Correct answer: {row['choices'][int(row['target'])]}) {row['prompt']}"},
        lambda row: {"prompt": f"{row['prompt']}\nHint: {row['reference']}"},
    ],
)
def test_prompts_that_tell_their_answer_are_found(leak):
    found = reference_in_prompt(planted(leak))
    assert (found.status, found.value) == ("fail", pytest.approx(10 / 120))


def test_a_question_that_stands_among_the_examples_is_found_and_other_examples_are_not():
    def shown(row, *, itself):
        example = row["prompt"] if itself else "Which of the planets is the third one from the sun?"
        return {"prompt": f"Q: {example}\nA: B\n\nQ: Which sea lies to the north?\nA: A\n\nQ: {row['prompt']}\nA:"}

    rows = [{**row, **shown(row, itself=int(row["item"][1:]) % 12 == 0)} for row in ROWS]
    assert reference_in_prompt(evaluation_of(rows)).value == pytest.approx(10 / 120)
    assert reference_in_prompt(evaluation_of([{**row, **shown(row, itself=False)} for row in ROWS])).status == "pass"


def test_an_argument_of_the_task_that_one_model_lacks_differs():
    rows = [{"item": f"i{n}", "model": model, "score": 1.0} for model in ("a", "b") for n in range(9)]
    found = different_items(evaluation_of(rows, settings={"a": {"task_args.fewshot": 5}, "b": {"top_p": 1.0}}))
    assert (found.status, found.finding["settings"]) == ("fail", ("task_args.fewshot",))
    told = {"a": {"prompt template": "Be brief. {q}"}, "b": {"prompt template": "{q}"}}
    assert different_items(evaluation_of(rows, settings=told)).status == "fail"


CARE, HASTE = "Think of this with great care. ", "Write down whatever comes first. "


def asked_with(**instructions):
    """Rows of models that were given one set of questions, each model with its own instruction before them."""
    return evaluation_of(
        {"item": f"i{n}", "model": model, "prompt": f"{told}Which river is number {n}?", "score": 1.0}
        for model, told in instructions.items()
        for n in range(9)
    )


@pytest.mark.parametrize("told", [{"a": CARE, "b": ""}, {"a": CARE, "b": "", "c": HASTE}])
def test_models_of_which_no_two_had_one_prompt_can_not_be_compared(told):
    found = different_items(asked_with(**told))
    assert (found.status, found.models, found.value) == ("fail", tuple(told), 1.0)
    assert "no two models were given an item under the same prompt" in str(found.finding)


def test_models_of_which_some_had_one_prompt_are_a_warning():
    found = different_items(asked_with(a=CARE, b="", c=""))
    assert (found.status, found.models) == ("warn", ("a",))
    assert different_items(asked_with(a=CARE, b=CARE, c="", d="")).status == "warn"


def test_one_model_alone_with_examples_in_its_prompts_had_another_task():
    examples = "Here are five worked examples. Q: 2+2? A: 4. Q: 3*3? A: 9.\n"
    rows = choice_rows(3, 0.9, 0.6, 0.5, items=30)
    found = different_items(
        evaluation_of({**row, "prompt": examples * (row["model"] == "m0") + row["prompt"]} for row in rows)
    )
    assert (found.status, found.models, found.value) == ("fail", ("m0",), 1.0)
    assert found.quotes[0].text == "every prompt has: here are five worked examples q 2 + 2 a 4 q 3 * 3 a 9"


def test_where_judges_differ_the_quotes_name_them():
    rows = judged_rows(3, 3.5, 3.0, 2.5, items=30)
    split = {"m0": "anthropic/claude-3-opus", "m1": "mistral-large"}
    found = different_items(
        evaluation_of({**row, "prompt": None} for row in rows if split.get(row["model"], row["judge"]) == row["judge"])
    )
    assert found.quotes[0].text == "judge: anthropic/claude-3-opus"


def test_rows_that_stand_twice_are_not_called_repeated_items():
    bare = [{key: value for key, value in row.items() if key != "prompt"} for row in [*ROWS, *ROWS[:10]]]
    of_rows = str(duplicate_items(evaluation_of(bare)).finding)

    assert of_rows.startswith("10 rows stand twice, of ")
    assert "without prompts" in of_rows
    asked = [{**row, "prompt": f"Who wrote book {n}?"} for n, row in enumerate(ROWS)]
    twice = str(duplicate_items(evaluation_of([*asked, *asked[:10]])).finding)
    assert twice.startswith("10 rows stand twice, of ") and twice.endswith("items repeats another")
    assert str(duplicate_items(evaluation_of(ROWS)).finding).startswith("none of ")


def test_the_settings_of_every_model_are_quoted():
    quotes = with_settings("temperature", 0.0, 0.7, 1.0).quotes
    assert [(quote.model, quote.text) for quote in quotes] == [
        ("m0", "temperature: 0.0"),
        ("m1", "temperature: 0.7"),
        ("m2", "temperature: 1.0"),
    ]


def test_sums_that_differ_in_a_sign_are_other_items_and_other_punctuation_is_none():
    signs = [f"Compute {n} {sign} {n + 2}." for n in range(3, 9) for sign in "+*-/"]
    assert duplicate_items(scores_of({"m": [1.0] * len(signs)}, prompt=signs)).status == "pass"
    twice = [*signs, "Compute: 3 + 5!", "compute 4 * 6"]
    assert duplicate_items(scores_of({"m": [1.0] * len(twice)}, prompt=twice)).details["groups"] == [
        ["i0", "i24"],
        ["i5", "i25"],
    ]


def test_only_what_the_files_say_is_called_the_same():
    rows = [{"item": f"i{n}", "model": model, "score": 1.0} for model in ("a", "b") for n in range(9)]
    with_prompts = [{**row, "prompt": f"Name the planet with number {row['item']}."} for row in rows]
    settings = {"a": {"temperature": 0}, "b": {"temperature": 0}}

    def said(rows, **more):
        return str(different_items(evaluation_of(rows, **more)).finding)

    assert said(rows).endswith("the same items; the files have no prompts")
    assert said(with_prompts).endswith("the same items and prompts; the files name no settings")
    assert said(with_prompts, settings=settings).endswith("the same items, prompts and settings")
