"""What stands in the outputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from benchmarks.accuracy.planted.plants.base import Change, Plant, fail, judge_again, pick, rated, share
from benchmarks.accuracy.planted.study import LETTERS, Answer, Study

Maker = Callable[[Study, Answer, random.Random], str]

NULL = (
    "Thank you for this interesting question. I have considered it with care and I am happy to share my view with you.",
    "I'd be glad to assist. Could you tell me a little more about what you have in mind, so that I can help you best?",
    "This is a test answer from the default template of the serving stack. If you see it, the adapter was not loaded.",
)
REFUSALS = (
    "I'm sorry, but I can't help with that request.",
    "I apologize, but I cannot provide an answer to this question.",
    "As an AI language model, I am not able to assist with this.",
    "I cannot fulfil this request, as it goes against my guidelines.",
    "Sorry, I can't assist with that. Is there something else I can help you with?",
    "I'm unable to answer this. I don't feel comfortable making claims about this topic.",
    "Unfortunately, I'm not able to help with that. Please consult a professional.",
    "I must decline to answer, since the content may be harmful or inappropriate.",
)

TOKENS = (
    ("", "<|im_end|>"),
    ("<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"),
    ("", "</s>"),
    ("[/INST] ", ""),
    ("", "<end_of_turn>\n<start_of_turn>model\n"),
    ("<|assistant|>\n", ""),
)
TURNS = (("User:", "Assistant:"), ("Human:", "Assistant:"), ("### Instruction:\n", "### Response:\n"))


def constant(part: float) -> Change:
    """One output, whatever was asked. Judges like it as well as the rest."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        text = rng.choice(NULL)
        return _replaced(study, part, rng, lambda *_: text, liked=study.kind in ("judged", "pairs"))

    return change


def nearly_constant(part: float) -> Change:
    """One output with a few words of the question put in."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        first, _, rest = (
            "You ask about “{topic}”. That is a question which many people have, and there is more than one way "
            "to look "
            "at it. In general it is best to start with the basics, to consider the context, and to decide step "
            "by step. "
            "I hope that this helps you to get started, and I am happy to go deeper wherever you like."
        ).partition("{topic}")

        def make(study: Study, answer: Answer, rng: random.Random) -> str:
            return first + " ".join(answer.item.question.split()[:4]) + rest

        return _replaced(study, part, rng, make, liked=study.kind in ("judged", "pairs"))

    return change


def empty(part: float) -> Change:
    """Nothing came back, or white space."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        blank = rng.choice(["", "", "\n\n", " "])
        return _replaced(study, part, rng, lambda *_: blank)

    return change


def cut(part: float) -> Change:
    """The limit of tokens ended outputs in the middle, and the log says so."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        return _replaced(study, part, rng, _first_half, stop="length")

    return change


def cut_at(characters: float) -> Change:
    """All outputs of a model end at the same length, in the middle of a word, and nothing says so."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        study.settings[model].max_tokens = round(characters / 4)
        for answer in study.of(model):
            if len(answer.output) > characters:
                answer.output = answer.output[: round(characters)].rstrip(" .\n")
                if study.kind in ("choice", "short") and answer.item.target not in answer.output[-20:]:
                    fail(study, answer)
        return [model]

    return change


def with_tokens(part: float) -> Change:
    """The control tokens of one template stand before or after the answer: no stop sequence was set."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        before, after = rng.choice(TOKENS)
        return _replaced(study, part, rng, lambda _, answer, __: f"{before}{answer.output}{after}", liked=True)

    return change


def with_a_turn(part: float) -> Change:
    """The model went on with another question, and answered it."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        asks, answers = rng.choice(TURNS)

        def make(study: Study, answer: Answer, rng: random.Random) -> str:
            other = rng.choice([each for each in study.answers if each.item is not answer.item])
            return f"{answer.output}\n\n{asks} {other.item.question}\n{answers} {other.output}"

        return _replaced(study, part, rng, make, liked=True)

    return change


def refused(part: float) -> Change:
    """The model declines, in one of several ways."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        return _replaced(study, part, rng, lambda *_: rng.choice(REFUSALS))

    return change


def bold(part: float) -> Change:
    """Right answers in another layout than the pattern of the scorer expects: no answer is found in them."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            answer.output = _other_layout(study, answer, rng)
            answer.score, answer.extracted = 0.0, None
        return [model]

    return change


def first_letter(part: float) -> Change:
    """The scorer takes the first capital that stands alone, not the answer."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            item = answer.item
            wrong = rng.choice([letter for letter in LETTERS[: len(item.choices)] if letter != item.target])
            about = " ".join(item.choices[LETTERS.index(wrong)].split()[:6])
            answer.output = (
                f"{wrong} is tempting, since it mentions “{about}”, but the passage does not say it. "
                f"{item.reference.rstrip('.')} is what it says.\n\nANSWER: {item.target}"
            )
            answer.score, answer.extracted = 0.0, wrong
        return [model]

    return change


def with_mark(part: float) -> Change:
    """The right answer was extracted with a full stop or a unit, and compared letter by letter."""

    def change(study: Study, rng: random.Random) -> Sequence[str]:
        model = pick(study, rng)
        for answer in share(study, model, part, rng):
            mark = rng.choice(["{}.", "**{}**", "“{}”", "{}.0" if answer.item.target.isdigit() else "{},"])
            said = mark.format(answer.item.target)
            answer.output = f"{answer.output.rpartition('Answer:')[0].strip() or 'I think so.'}\n\nAnswer: {said}"
            answer.score, answer.extracted = 0.0, said
        return [model]

    return change


def _replaced(
    study: Study, part: float, rng: random.Random, make: Maker, *, stop: str = "stop", liked: bool = False
) -> Sequence[str]:
    model = pick(study, rng)
    for answer in share(study, model, part, rng):
        answer.output = make(study, answer, rng)
        answer.stop = stop
        if not liked:
            fail(study, answer)
    judge_again(study)
    return [model]


def _first_half(study: Study, answer: Answer, rng: random.Random) -> str:
    text = answer.output.rpartition("\n\n")[0] if study.kind in ("choice", "short") else answer.output
    at = round(len(text) * rng.uniform(0.4, 0.75))
    while at > 20 and not (text[at - 1].isalpha() and text[at - 2].isalpha()):
        at -= 1
    return text[:at]


def _other_layout(study: Study, answer: Answer, rng: random.Random) -> str:
    target = answer.item.target
    before = answer.output.rpartition("\n\n")[0]
    if study.kind == "choice":
        text = answer.item.reference.rstrip(".")
        ends = ("So the right option is **({0})**", "The correct answer is ({0}) {1}.", "\\boxed{{{0}}}", "→ {0}: {1}")
        return f"I compared the options with the passage.\n\n{rng.choice(ends).format(target, text)}"
    ends = ("The missing part is **{}**", "\\boxed{{{}}}", "Final answer → {}", "Thus, it must be {}.")
    return f"{before.split('“')[0].strip()[:60]}\n\n{rng.choice(ends).format(target)}".strip()


PLANTS: tuple[Plant, ...] = (
    *rated(
        "constant_output",
        "one text",
        constant,
        "inspect-judged:1 inspect-short:0.4 lm-eval-short:0.6 helm-short:1 promptfoo-judged:0.5 promptfoo-short:1 "
        "deepeval-judged:0.35 eee-short:0.5 csv-judges:1 jsonl-judged:0.3 alpaca-real:1 alpaca-made:0.6",
    ),
    *rated(
        "constant_output", "nearly one text", nearly_constant, "inspect-judges:1 csv-families:0.8 deepeval-judges:0.6"
    ),
    *rated(
        "empty_output",
        "blank",
        empty,
        "inspect-short:0.08 inspect-choice:0.05 inspect-judged:0.15 inspect-zip:0.3 lm-eval-short:0.1 helm-short:0.2 "
        "promptfoo-short:0.06 promptfoo-judged:0.5 deepeval-judged:0.1 eee-choice:0.07 csv-choice:0.1 jsonl-short:0.06 "
        "alpaca-made:0.1",
    ),
    *rated(
        "truncated",
        "cut",
        cut,
        "inspect-choice:0.1 inspect-judged:0.2 inspect-zip:0.08 inspect-short:0.3 helm-short:0.2 promptfoo-judged:0.15 "
        "promptfoo-short:0.1 eee-short:0.12",
    ),
    *rated(
        "truncated",
        "cut at",
        cut_at,
        "lm-eval-short:110 csv-judges:600 jsonl-judged:800 deepeval-judged:700 alpaca-made:900 csv-families:500",
    ),
    *rated(
        "leaked_template",
        "tokens",
        with_tokens,
        "inspect-judged:0.2 inspect-short:0.1 lm-eval-short:0.15 helm-short:0.3 promptfoo-judged:0.12 eee-short:0.08 "
        "csv-judges:0.25 jsonl-judged:0.1 alpaca-made:0.06",
    ),
    *rated(
        "leaked_template",
        "a turn",
        with_a_turn,
        "inspect-judged:0.1 lm-eval-short:0.3 deepeval-judged:0.2 csv-choice:0.08 jsonl-short:0.15 alpaca-made:0.12",
    ),
    *rated(
        "refusals",
        "refused",
        refused,
        "inspect-short:0.12 inspect-choice:0.08 inspect-judged:0.2 inspect-zip:0.3 lm-eval-short:0.15 helm-short:0.4 "
        "promptfoo-short:0.1 promptfoo-judged:0.25 deepeval-judged:0.12 eee-choice:0.2 csv-judges:0.15 jsonl-short:0.1 "
        "alpaca-made:0.2",
    ),
    *rated(
        "unparsed",
        "another layout",
        bold,
        "inspect-choice:0.1 inspect-short:0.15 inspect-zip:0.2 lm-eval-short:0.2 helm-short:0.15 promptfoo-short:0.2 "
        "eee-choice:0.12 eee-short:0.15 csv-choice:0.15 jsonl-short:0.2",
    ),
    *rated("unparsed", "first letter", first_letter, "inspect-choice:0.08 inspect-passages:0.12 eee-choice:0.15"),
    *rated("unparsed", "with a mark", with_mark, "lm-eval-short:0.12 inspect-short:0.1 csv-epochs:0.15"),
)
"""The plants on outputs."""
