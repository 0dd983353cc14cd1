"""The calls that all contenders make: as long as voirdire's own under `sound`, with the same schema."""

from __future__ import annotations

from typing import Any

TURNS = 5
JUDGES = ("judge-1", "judge-2", "judge-3")
SUBJECT = "subject"
CALLS = TURNS * (1 + len(JUDGES))
"""Of a dialogue."""
ANSWER_TOKENS, VERDICT_TOKENS = 1000, 600

Message = dict[str, str]
_FILLER = "The reference says what is held of the concept, where it comes from, and where it does not apply. "


def text(length: int) -> str:
    """Prose of so many characters."""
    return (_FILLER * (length // len(_FILLER) + 1))[:length]


SUBJECT_SYSTEM = text(1260)
RUBRIC = text(4860)
REFERENCE = text(2000)
QUESTIONS = [f"Question {turn}: {text(150)}" for turn in range(1, TURNS + 1)]
STANCE_TURNS = (4, 5)


def subject_messages(said: list[tuple[str, str]], question: str) -> list[Message]:
    """A subject's call: the dialogue so far, and the question."""
    messages = [{"role": "system", "content": SUBJECT_SYSTEM}]
    for asked, answer in said:
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return [*messages, {"role": "user", "content": question}]


def judge_messages(said: list[tuple[str, str]]) -> list[Message]:
    """A judge's call on the last turn of what was said."""
    exchanges = "\n\n".join(f"Question: {asked}\nAnswer: {answer}" for asked, answer in said)
    return [{"role": "system", "content": RUBRIC}, {"role": "user", "content": f"{REFERENCE}\n\n{exchanges}"}]


def verdict_schema(turn: int) -> dict[str, Any]:
    """The schema of a verdict, as voirdire's judges get it."""
    score = {"type": "number", "description": "From 0 to 1."}
    fields: dict[str, Any] = {
        "justification": {"type": "string", "description": "One or two sentences with quotes."},
        "no_claims": {"type": "boolean"},
        "far": {"anyOf": [score, {"type": "null"}]},
        "sas": score,
    }
    if turn in STANCE_TURNS:
        fields["stance"] = {"type": "string", "enum": ["rejected", "questioned", "accepted"]}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def response_format(turn: int) -> dict[str, Any]:
    """How the API is asked for a verdict."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": verdict_schema(turn), "strict": True}}
