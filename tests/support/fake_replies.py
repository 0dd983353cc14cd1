"""What the fake server says: text, or JSON that fits a schema, drawn from a hash of the request."""

from __future__ import annotations

import json
from random import Random
from typing import Any

_WORDS = (
    "the concept holds that a base case ends what would otherwise call itself for ever and each step makes the "
    "problem smaller until nothing is left to divide while its history reaches from logic to programs in 1936 and 1958"
).split()


def fake_reply(body: dict[str, Any], name: str) -> dict[str, Any]:
    """A chat completion for a request.

    Args:
        body: the request.
        name: its hash, which decides what is said.
    """
    text = _content(body, Random(name))
    message = {"role": "assistant", "content": text, "refusal": None}
    prompt_tokens = sum(len(str(message.get("content") or "")) for message in body["messages"]) // 4
    completion_tokens = len(text) // 4
    return {
        "id": f"chatcmpl-{name[:12]}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body.get("model", "fake"),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": _logprobs(body, text)}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


def _content(body: dict[str, Any], random: Random) -> str:
    if body.get("model") == "cognidet":  # a detector of one's own, which answers in the form that it was trained on
        return "No hallucination found."
    response_format = body.get("response_format") or {}
    if response_format.get("type") != "json_schema":
        return _sentence(random, 40)
    schema = response_format["json_schema"]["schema"]
    value = _value(schema, schema.get("$defs", {}), random)
    if isinstance(value, dict) and value.get("no_claims") is True and "far" in value:
        value["far"] = None if _nullable(schema["properties"]["far"]) else 0.0
    return json.dumps(value)


def _value(schema: dict[str, Any], definitions: dict[str, Any], random: Random) -> Any:
    if "$ref" in schema:
        return _value(definitions[schema["$ref"].rpartition("/")[2]], definitions, random)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return random.choice([value for value in schema["enum"] if value is not None])
    if "anyOf" in schema:
        return _value(next(one for one in schema["anyOf"] if one.get("type") != "null"), definitions, random)
    kinds = schema.get("type", "string")
    kind = next(one for one in kinds if one != "null") if isinstance(kinds, list) else kinds
    if kind == "object":
        return {name: _value(part, definitions, random) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        return [_value(schema.get("items", {}), definitions, random) for _ in range(count)]
    if kind == "boolean":
        return random.random() < 0.125
    low, high = schema.get("minimum", 0), schema.get("maximum", 1)
    if kind == "integer":
        return random.randint(low, max(low, high))
    if kind == "number":
        return round(random.uniform(low, max(low, high)), 2)
    return _sentence(random, 12)


def _nullable(schema: dict[str, Any]) -> bool:
    kinds = schema.get("type", [])
    return "null" in kinds or any(one.get("type") == "null" for one in schema.get("anyOf", []))


def _logprobs(body: dict[str, Any], text: str) -> dict[str, Any] | None:
    if not body.get("logprobs") or not text:
        return None
    likely = [(text.split()[0], -0.1), ("no", -2.5), ("yes", -4.0), ("maybe", -6.0)]
    top = [{"token": token, "logprob": value, "bytes": None} for token, value in likely[: body.get("top_logprobs", 0)]]
    return {"content": [{"token": likely[0][0], "logprob": likely[0][1], "bytes": None, "top_logprobs": top}]}


def _sentence(random: Random, words: int) -> str:
    text = " ".join(random.choice(_WORDS) for _ in range(words))
    return text.capitalize() + "."
