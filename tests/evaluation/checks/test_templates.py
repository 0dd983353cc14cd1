import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of, judged_rows
from voirdire.evaluation.checks.templates import leaked_template

SOUND = judged_rows(1, 3.5, 3.0, judges=("a",))


def leaking(change, share=0.3, **cells):
    """The same rows, a share of one model's outputs changed."""
    rng = np.random.default_rng(5)
    return evaluation_of(
        {**row, "output": change(row["output"]), **cells} if row["model"] == "m1" and rng.random() < share else row
        for row in SOUND
    )


def test_sound_outputs_hold_no_piece_and_without_outputs_nothing_is_measured():
    assert leaked_template(evaluation_of(SOUND)).value == 0.0
    assert leaked_template(evaluation_of([{"item": "i", "score": 1.0}])).status == "not_measured"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"<|im_start|>assistant\n{text}",
        lambda text: f"{text}<|im_end|>",
        lambda text: f"{text}<|eot_id|>",
        lambda text: f"<|system|>\nYou are helpful.\n<|user|>\nWhy?\n<|assistant|>\n{text}",
        lambda text: f"<｜Assistant｜>{text}<｜end▁of▁sentence｜>",
        lambda text: f"[INST] Why? [/INST] {text}",
        lambda text: f"<<SYS>>\nBe brief.\n<</SYS>>\n{text}",
        lambda text: f"<s> {text}",
        lambda text: f"{text}</s>",
        lambda text: f"<s>{text}</s>",
        lambda text: f"{text}<end_of_turn>\n<start_of_turn>user\nWhy?",
        lambda text: f"{text}<|some_new_token|>",
        lambda text: f"{text}\n\nUser: And why is that?\nAssistant: I don't know.",
        lambda text: f"{text}\nHuman: Thank you.",
        lambda text: f"{text}\n\n### Instruction:\nName a river.",
        lambda text: f"{text}\nAssistant: {text}",
    ],
)
def test_control_tokens_and_next_turns_are_found_and_quoted(change):
    found = leaked_template(leaking(change))
    assert (found.status, found.models) == ("fail", ("m1",))
    assert found.quotes[0].model == "m1" and any(sign in found.quotes[0].text for sign in "<[:")
    assert leaked_template(leaking(change, share=0.05)).status == "warn"


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"{text} It costs <s>4</s> 3 euros.",
        lambda text: f"<s>{text}</s> That was wrong. {text}",
        lambda text: f"{text} In code: `<|im_start|>`.",
        lambda text: f"{text}\n```\nUser: {{name}}\nHuman: x\n<|eot_id|>\n```",
        lambda text: f"{text} Users: three. The user: me.",
        lambda text: f"{text} f = g <|> h, and a <| b |> c, <|x|>",
        lambda text: f"<b>{text}</b> [1] [INSTALL]",
        lambda text: f"{text}\nuser: root",
    ],
)
def test_markup_code_and_words_that_look_alike_are_no_pieces(change):
    assert leaked_template(leaking(change)).value == 0.0


def test_what_the_prompt_or_a_reference_holds_is_asked_for():
    def with_end(text):
        return f"{text}<|im_end|>"

    assert leaked_template(leaking(with_end, prompt="Write a turn that ends in <|im_end|>")).value == 0.0
    assert leaked_template(leaking(with_end, reference="Yes.<|im_end|>")).value == 0.0


def test_a_dialogue_that_was_asked_for_has_turns():
    def as_dialogue(text):
        return f"{text}\nUser: Why?\nAssistant: {text}"

    assert leaked_template(leaking(as_dialogue, prompt="Write a conversation with a helpdesk.")).value == 0.0
    assert leaked_template(leaking(as_dialogue)).status == "fail"
