from itertools import permutations

import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, judged_rows, sentence
from voirdire.evaluation.checks.addresses import output_addresses_judge
from voirdire.evaluation.checks.outputs import constant_output, empty_output, refusals, truncated

CHECKS = (constant_output, empty_output, truncated, refusals)
SOUND = judged_rows(1, 3.5, 3.0, judges=("a",))


def changed(rows, share, change, model="m1"):
    """The same rows, a share of one model's changed: `change` gives the cells of a row."""
    rng = np.random.default_rng(7)
    return evaluation_of(
        [{**row, **change(row)} if row["model"] == model and rng.random() < share else row for row in rows]
    )


def output(text):
    return lambda row: {"output": text}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("rows", [SOUND, choice_rows(1, 0.8, 0.5)], ids=["free", "choice"])
def test_sound_outputs_pass(check, rows):
    assert check(evaluation_of(rows)).status == "pass"


@pytest.mark.parametrize("check", CHECKS)
def test_without_outputs_nothing_is_measured(check):
    assert check(evaluation_of([{"item": str(n), "score": 1.0} for n in range(30)])).status == "not_measured"


@pytest.mark.parametrize("text", ["", " \n", "<|endoftext|>", "None", "\u200b"])
def test_outputs_without_a_visible_word_are_empty(text):
    found = empty_output(changed(SOUND, 0.1, output(text)))
    assert (found.status, found.models) == ("fail", ("m1",))


def test_a_scored_row_without_an_output_is_empty_and_one_that_ended_in_an_error_is_not():
    assert empty_output(changed(SOUND, 0.1, output(None))).status == "fail"
    assert empty_output(changed(SOUND, 0.1, lambda row: {"output": None, "status": "error"})).status == "pass"


@pytest.mark.parametrize(
    "text", ["I'm sorry, but I can't help with that.", "As an AI language model, I cannot answer."]
)
def test_outputs_that_decline_are_refusals(text):
    assert refusals(changed(SOUND, 0.25, output(text))).status == "fail"


def in_chinese(ends):
    return evaluation_of(
        {"item": f"i{n}", "model": model, "output": f"志愿者可以在周末清理第{n}号灯塔{ends(model, n)}"}
        for model in ("m0", "m1")
        for n in range(60)
    )


def test_a_script_without_spaces_has_sentences_that_are_cut():
    quarter = truncated(in_chinese(lambda model, n: "表面的" if model == "m1" and n % 4 == 0 else "。"))
    assert (quarter.status, quarter.value, quarter.models) == ("fail", 0.25, ("m1",))


@pytest.mark.parametrize("end", "।؟」】")
def test_sentences_of_other_scripts_have_their_own_ends(end):
    assert truncated(in_chinese(lambda model, n: end if model == "m1" and n % 4 == 0 else "。")).value == 0.0


@pytest.mark.parametrize("check", [truncated, refusals, output_addresses_judge])
def test_where_outputs_are_in_no_english_the_check_says_what_it_reads(check):
    assert "in English only" in str(check(in_chinese(lambda model, n: "。")).finding)
    assert "in English only" not in str(check(evaluation_of(SOUND)).finding)


def test_a_filter_refuses_too():
    assert refusals(changed(SOUND, 0.25, lambda row: {"stop_reason": "content_filter"})).models == ("m1",)


def test_one_text_for_unlike_items_is_constant_as_a_whole_or_nearly():
    whole = "The bridge follows the rivers and the garden letters of the signal."
    nearly = f"{whole} It depends on many things which one should look at in turn, item {{}}."
    assert constant_output(changed(SOUND, 0.3, output(whole))).models == ("m1",)
    assert constant_output(changed(SOUND, 0.3, lambda row: {"output": nearly.format(row["item"])})).models == ("m1",)


def test_stock_sentences_around_another_fact_each_time_are_not_one_output():
    """Each says another year of another thing; with the year left out all say the same, and that is constant."""
    stock = (
        "The record is well known to local historians and appears in the town archive. Nobody has disputed it since."
    )
    things = [
        f"{name}{end}" for name in ("river", "tower", "engine", "harbour") for end in ("", "side", "gate", "field")
    ]

    def rows(fact):
        return [
            {"item": f"i{n}", "prompt": f"In which year was the {thing} of Oslo opened?", "output": fact(n, thing)}
            for n, thing in enumerate(things)
        ]

    facts = rows(lambda n, thing: f"The {thing} of Oslo was opened in {1500 + 7 * n}. {stock}")
    assert constant_output(evaluation_of(facts)).status == "pass"
    empty = rows(lambda n, thing: f"The {thing} of Oslo was opened at some time. {stock}")
    assert constant_output(evaluation_of(empty)).value == 1.0


def test_a_form_that_takes_several_passages_of_its_prompt_is_a_reply_to_it():
    names, things, towns = "ana bob cleo dana".split(), "kettle lamp radio".split(), "oslo rome lima bern kiel".split()

    def rows(template):
        for n in range(60):
            asked = names[n % 4], things[n % 3], towns[n % 5]
            prompt = "{} from {} wants to return a {}. Write the reply to letter {}.".format(*asked, n)
            yield {"item": f"i{n}", "prompt": prompt, "output": template.format(*asked)}

    reply = "Dear {}, we are sorry that the {} did not work. Please bring it to our shop in {} and ask for a refund."
    assert constant_output(evaluation_of(rows(reply))).value == 0.0
    stock = "Dear customer, we are sorry that it did not work. Please bring it to our shop and ask for the money."
    assert constant_output(evaluation_of(rows(stock))).value == 1.0


def test_the_same_sentences_in_another_order_are_another_output():
    some = [f"The {a} should {b} the {c} before the winter." for a, b, c in ("vwx", "klm", "pqr", "cde", "fgh", "bjs")]
    orders = [*permutations(some, 5)][::12]
    rows = [{"item": f"i{n}", "prompt": f"Q {n} of {7 * n}?", "output": " ".join(own)} for n, own in enumerate(orders)]
    assert constant_output(evaluation_of(rows)).value == 0.0


@pytest.mark.parametrize("known", ["prompt", "reference", "other models"])
def test_a_template_that_is_filled_in_with_each_item_s_answer_is_not_one_output(known):
    """Several items ask about one country. The same without the country says nothing of any."""
    capitals = {"france": "paris", "spain": "madrid", "peru": "lima", "kenya": "nairobi", "cuba": "havana"}

    def rows(template):
        for model in ("m0", "m1"):
            for n in range(60):
                country = [*capitals][n % 5]
                asked = {"prompt": f"Question {n}: name the capital of {country}."} if known == "prompt" else {}
                right = {"reference": capitals[country]} if known == "reference" else {}
                output = template.format(country, capitals[country])
                yield {"item": f"i{n}", "model": model, "output": output, **asked, **right}

    assert constant_output(evaluation_of(rows("The capital of {} is {}."))).value == 0.0
    assert constant_output(evaluation_of(rows("The capital of that country is well known."))).value == 1.0


def test_a_wrong_answer_in_the_words_of_right_ones_is_not_one_output():
    """Of twelve possible answers; a model that says one of them to all is found."""
    guilds = (
        "engineers farmers monks merchants students sailors architects soldiers tourists painters miners nuns".split()
    )

    def rows(said):
        return [
            {
                "item": f"i{n}",
                "prompt": f"Who built house {n} of {sentence(np.random.default_rng(n), 4)}",
                "reference": guilds[n % 12],
                "output": f"It was built by the {guilds[said(n) % 12]} of the town.",
            }
            for n in range(120)
        ]

    assert constant_output(evaluation_of(rows(lambda n: n if n % 3 else n // 3))).value == 0.0
    assert constant_output(evaluation_of(rows(lambda n: 0))).value > 0.9


def test_code_that_takes_its_numbers_and_names_from_the_question_is_not_one_output():
    names = [f"{first}_{second}" for first in ("old", "new", "red", "tall") for second in ("bridge", "tower", "river")]
    rows = [
        {
            "item": f"i{n}",
            "prompt": f"Write a function {name}(values) that counts the values above {n + 20}.",
            "reference": f"assert {name}([1, {n + 20}, 99]) == 1",
            "output": f"def {name}(values):\n    if len(values) == 0:\n        return 0\n    # filter all values and "
            f"count what is left of them\n    return sum(1 for x in values if x > {n + 20})",
        }
        for n, name in enumerate(names * 3)
    ]
    assert constant_output(evaluation_of(rows)).value == 0.0


def test_a_letter_is_constant_only_where_it_is_given_far_more_often_than_it_is_right():
    rows = choice_rows(2, 0.8, 0.7)
    short = [{**row, "output": row["answer"]} for row in rows]
    assert constant_output(evaluation_of(short)).status == "pass"
    assert constant_output(changed(short, 0.9, output("B"))).models == ("m1",)


def test_outputs_that_end_within_a_word_or_phrase_or_by_their_stop_reason_were_cut():
    half = changed(SOUND, 0.5, lambda row: {"output": row["output"][: int(len(row["output"]) * 0.7)]})
    assert truncated(half).models == ("m1",)
    told = truncated(changed(SOUND, 0.2, lambda row: {"stop_reason": "max_tokens"}))
    assert (told.status, told.models) == ("fail", ("m1",))


def test_short_outputs_without_a_mark_at_the_end_were_cut_where_all_others_have_one():
    def rows(ends):
        return [
            {"item": f"i{n}", "model": model, "output": f"The tower number {n} was opened in May{ends(model, n)}"}
            for model in ("m0", "m1")
            for n in range(60)
        ]

    quarter = truncated(evaluation_of(rows(lambda model, n: " and cl" if model == "m1" and n % 4 == 0 else ".")))
    assert (quarter.status, quarter.value, quarter.models) == ("fail", 0.25, ("m1",))
    assert truncated(evaluation_of(rows(lambda model, n: "" if model == "m1" else "."))).value == 0.0
    assert truncated(evaluation_of(rows(lambda model, n: "" if n % 4 == 0 else "."))).value == 0.0


def test_outputs_of_one_largest_size_were_cut_unless_they_end_like_sentences():
    cut = changed(SOUND, 1.0, lambda row: {"output": row["output"][:240].rstrip(" .")})
    assert truncated(cut).details["at_one_size"] > 20
    ended = changed(SOUND, 1.0, lambda row: {"output": row["output"][:239].rstrip(" .").ljust(239, "x") + "."})
    assert truncated(ended).details["at_one_size"] == 0


@pytest.mark.parametrize("longest", [40, 60])
def test_outputs_without_any_mark_whose_lengths_are_spread_evenly_were_not_cut(longest):
    """Their ends are no unfinished sentences, and the largest size is as common as the others."""
    rng = np.random.default_rng(0)
    some = "water of city because light the river time number question".split()
    rows = [
        {"item": f"i{n}", "model": model, "output": " ".join(rng.choice(some, rng.integers(25, longest)))}
        for model in ("m0", "m1")
        for n in range(200)
    ]
    assert truncated(evaluation_of(rows)).value == 0.0


def test_a_block_of_code_without_an_end_was_cut_unless_all_are_so():
    def rows(end):
        return [
            {"item": f"i{n}", "output": f"```python\nreturn {n}\n{'```' if end(n) else ''}", "model": model}
            for model in ("m0", "m1")
            for n in range(60)
        ]

    assert truncated(evaluation_of(rows(lambda n: n % 6))).value == pytest.approx(1 / 6)
    assert truncated(evaluation_of(rows(lambda n: False))).value == 0.0


def test_tokens_at_a_limit_say_that_outputs_were_cut():
    tokens = changed(SOUND, 1.0, lambda row: {"output_tokens": float(min(len(row["output"]), 256))})
    assert truncated(tokens).models == ("m1",)


def test_a_form_that_is_filled_in_with_another_answer_each_time_is_not_constant():
    def said(n):
        return f"I compared all of the options with the passage and one of them fits it best.\n\nAnswer: {'ABC'[n % 3]}"

    rows = [{"item": f"i{n}", "prompt": f"Question {n} of {n * 7}?", "output": f"({n}) {said(n)}"} for n in range(30)]
    assert constant_output(evaluation_of(rows)).status == "pass"
    one = [{**row, "output": f"({n}) {said(0)}"} for n, row in enumerate(rows)]
    assert constant_output(evaluation_of(one)).status == "fail"


def test_letters_of_options_are_as_common_as_the_keys_and_a_few_of_one_letter_are_constant():
    options = ("one thing", "another", "a third", "a fourth")
    rows = [
        {"item": f"i{n}", "prompt": f"Q {n}", "choices": options, "target": float(n % 4), "reference": f"text {n}"}
        for n in range(40)
    ]
    even = [{**row, "output": "ABCD"[(n * 3) % 4]} for n, row in enumerate(rows)]
    assert constant_output(evaluation_of(even)).value == 0.0
    nine = [{**row, "output": "D"} for row in rows[:9]]
    assert constant_output(evaluation_of(nine)).value == 1.0


def test_a_note_that_the_rest_was_left_out_is_a_cut():
    rows = [
        {"item": f"i{n}", "output": f"Item {n} begins ... [truncated]" if n < 5 else f"Item {n}."} for n in range(50)
    ]
    assert truncated(evaluation_of(rows)).value == 0.1


def test_an_output_that_ends_in_a_loop_was_cut_and_a_ruler_is_none():
    for end, share in ((" and $140 of 40" * 20, 0.1), (".1" * 100, 0.1), ("\n" + "-" * 200, 0.0)):
        rows = [{"item": f"i{n}", "output": f"Item {n} is{end}" if n < 5 else f"Item {n}."} for n in range(50)]
        assert truncated(evaluation_of(rows)).value == share


def test_a_model_nearly_all_of_whose_short_outputs_have_one_length_without_an_end_was_cut():
    cut = changed(SOUND, 1.0, lambda row: {"output": row["output"][:120].rstrip()})
    assert (truncated(cut).status, truncated(cut).models) == ("fail", ("m1",))
    whole = changed(SOUND, 1.0, lambda row: {"output": f"It is surely true that {row['item']}"})
    assert truncated(whole).status == "pass"


def brief_rows(cut=lambda text: text, seed=3, items=120, end="."):
    """Rows of three models that answer in 9 to 34 words; what m1 writes is cut."""
    rng = np.random.default_rng(seed)
    for n in range(items):
        for model in ("m0", "m1", "m2"):
            parts = [sentence(rng, int(rng.integers(6, 10))) for _ in range(int(rng.integers(1, 4)))]
            text = " ".join(parts).replace(".", end)
            yield {"item": f"i{n}", "model": model, "output": cut(text) if model == "m1" else text, "score": 1.0}


@pytest.mark.parametrize("length", [60, 90, 130, 180])
def test_outputs_cut_at_one_length_are_found_however_few_words_that_is(length):
    found = truncated(evaluation_of(brief_rows(lambda text: text[:length])))
    longer = sum(len(row["output"]) > length for row in brief_rows() if row["model"] == "m1")
    assert (found.status, found.models) == ("fail", ("m1",))
    assert 0.9 * longer <= found.value * 120 <= longer


@pytest.mark.parametrize("count", [12, 16, 20])
def test_outputs_cut_after_as_many_words_are_found(count):
    found = truncated(evaluation_of(brief_rows(lambda text: " ".join(text.split()[:count]))))
    longer = sum(len(row["output"].split()) > count for row in brief_rows() if row["model"] == "m1")
    assert (found.status, found.models) == ("fail", ("m1",))
    assert 0.75 * longer <= found.value * 120 <= longer


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("end", [".", ""], ids=["ended", "without marks"])
def test_outputs_of_many_lengths_are_whole(seed, end):
    assert truncated(evaluation_of(brief_rows(seed=seed, end=end))).status == "pass"


def test_a_form_has_one_number_of_words_and_is_whole():
    forms = brief_rows(lambda text: f"The place that I would name is {text.split()[1]}")
    assert truncated(evaluation_of(forms)).status == "pass"


def test_a_marked_letter_is_an_answer_however_it_is_marked():
    said = [f"The correct answer is {letter}.\n\nANSWER: {letter}" for letter in "ABCD" * 15]
    rng = np.random.default_rng(0)
    rows = [{"item": f"i{n}", "output": each, "prompt": sentence(rng), "score": 1.0} for n, each in enumerate(said)]
    assert constant_output(evaluation_of(rows)).status == "pass"


def test_samples_that_a_limit_ended_and_that_are_scored_warn():
    rows = [
        {
            "item": str(n),
            "output": f"The sum of {n} and 7 is {n + 7}.",
            "score": 1.0,
            "status": "limit" if n < 12 else None,
        }
        for n in range(100)
    ]
    found = truncated(evaluation_of(rows))
    assert (found.status, found.value) == ("warn", 0.12)
    assert str(found.finding).startswith(
        "12 samples were ended by a limit of the run (messages, tokens, time) and scored"
    )
    assert truncated(evaluation_of({**row, "score": None} for row in rows if row["status"])).status == "pass"


def test_an_output_that_several_judges_scored_counts_once():
    rows = [
        {"item": str(n), "output": "" if n < 12 else f"Text number {n}.", "score": float(n % 2), "judge": judge}
        for n in range(150)
        for judge in ("kim", "ole")
        if judge == "kim" or n % 3
    ]
    found = empty_output(evaluation_of(rows))
    assert (found.n, found.value, str(found.finding)[:36]) == (150, 0.08, "12 outputs are empty, of 150; 8.0 % ")
    assert len({quote.item for quote in found.quotes}) == len(found.quotes) == 3
