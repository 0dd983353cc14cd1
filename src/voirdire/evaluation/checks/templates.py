"""Do outputs hold pieces of a chat template: its control tokens, or a next turn that the model wrote itself?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from voirdire.evaluation.checks.check import Check, Quote, first_quotes, not_measured, share_of_rows
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.texts import texts_of
from voirdire.evaluation.unanswered import is_empty
from voirdire.text.shortening import beginning

WARN_TEMPLATE, FAIL_TEMPLATE, TEMPLATE = 0.02, 0.10, 0.001
"""Sound outputs that hold such a piece are fewer than one in a thousand."""

_TOKEN = re.compile(
    r"<[|｜](?=[^<>|｜]{0,40}[^\W\d_]{2})[\w▁.:/-]{2,40}[|｜]>"  # <|im_start|>, <|eot_id|>, <｜User｜>
    r"|<(?:start|end|begin(?:ning)?)_of_\w{2,20}>|<(?:eos|bos|eot|eom|eod|pad|unk)>|<</?SYS>>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|\[(?:PAD|BOS|EOS|CLS|SEP)\]"
    r"|\A\s*<s>(?=(?:(?!</s>).)*(?:</s>\s*)?\Z)|</s>(?=\s*<s>)|(?<!>)</s>(?=\s*\Z)",
    re.S,
)
"""A control token, by its shape."""
_TURN = re.compile(
    r"\n[ \t]*((?:User|USER|Human|HUMAN|Assistant|ASSISTANT)\s?:"
    r"|### ?(?:Instruction|Human|User|Assistant|Response|System)\s?:)"
)
"""The head of a turn, on a line after others."""
_DIALOGUE = re.compile(
    r"\b(?:dialog(?:ue)?s?|conversations?|chats?|chat ?bots?|transcripts?|scripts?|role-?play\w*|interviews?|screenplay"
    r"|prompts?|templates?|tokens?|turns?)\b",
    re.I,
)
"""A prompt that may ask for turns."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.S)
_BEFORE, _AFTER = 40, 200
"""Characters of a quote before and after a piece."""


def leaked_template(evaluation: Evaluation) -> Check:
    """Outputs with a control token of a chat template, or with a next turn. Value: their share in the worst model.

    What the prompt or a reference holds too is none, nor is code that quotes it.
    """
    id = "leaked_template"
    if not evaluation.has("output"):
        return not_measured(id, evaluation, "evaluation_no_outputs")
    output, prompts = texts_of(evaluation, "output"), evaluation.rows["prompt"].to_numpy()
    matches = [() if is_empty(text) else tuple(_pieces(text)) for text in output.unique]
    asked = {piece for text in texts_of(evaluation, "reference").unique for piece, _, _ in _pieces(text)}
    hits = np.append([bool(each) for each in matches], False).astype(bool)[output.codes]
    leaked = {}
    for row in np.flatnonzero(hits).tolist():
        prompt = prompts[row] or ""
        passages = (
            passage
            for piece, is_turn, passage in matches[output.codes[row]]
            if piece not in prompt and piece not in asked and not (is_turn and _DIALOGUE.search(prompt))
        )
        if (passage := next(passages, None)) is not None:
            leaked[row] = passage
        hits[row] = row in leaked
    check = share_of_rows(
        id, evaluation, hits, output.codes >= 0, warn=WARN_TEMPLATE, fail=FAIL_TEMPLATE, base=TEMPLATE, of_outputs=True
    )
    items, models = (evaluation.rows[name].astype(object).to_numpy() for name in ("item", "model"))
    shares = check.details["shares"]
    shown = sorted(leaked, key=lambda row: -shares[str(models[row])])
    quotes = (Quote(str(items[row]), str(models[row]), beginning(leaked[row], _BEFORE + _AFTER)) for row in shown)
    return replace(check, quotes=first_quotes(quotes))


CHECKS = (leaked_template,)


def _pieces(text: str) -> Iterator[tuple[str, bool, str]]:
    """Pieces of a template outside of code, each with whether it heads a turn, and the passage that it stands in."""
    patterns = [(_TOKEN, False)] if "<" in text or "[" in text else []
    if _TURN.search(text.lstrip()):
        patterns.append((_TURN, True))
    bare = _CODE.sub(lambda code: " " * len(code[0]), text) if patterns else ""
    for pattern, is_turn in patterns:
        for match in pattern.finditer(bare):
            start, end = match.span(1) if is_turn else match.span()
            before = "…" if start > _BEFORE else ""
            passage = " ".join(text[max(start - _BEFORE, 0) : end + 2 * _AFTER].split())
            if not is_turn or text[:start].strip():
                yield text[start:end].strip(), is_turn, f"{before}{passage}"
