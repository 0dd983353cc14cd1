"""How each provider's API looks on the wire: what a test expects in a request, and what the server answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.models._wire_server import Answer

Body = dict[str, Any]

SCHEMA = {
    "type": "object",
    "properties": {"far": {"type": "number"}, "why": {"type": "string"}},
    "required": ["far", "why"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Dialect:
    """One provider. Readers take a request's body; `reply` makes an answer's."""

    name: str
    spec: str
    key_env: str
    base_path: str
    """Appended to the server's root to make the base URL."""
    path: str
    """Where the request must arrive."""
    conversation: Callable[[Body], list[tuple[str, str]]]
    """(role, text) of every message, the system's first wherever the API puts it."""
    limit: Callable[[Body], Any]
    temperature: Callable[[Body], Any]
    seed: Callable[[Body], Any]
    """`None` where the API takes no seed."""
    schema: Callable[[Body], Any]
    reply: Callable[[str, str], Body]
    """(text, "stop" | "length" | "refusal") -> body. Usage: 11 in, 7 out."""
    takes_seed: bool = True

    def answer(self, text: str = "Hello.", finish: str = "stop") -> Answer:
        return Answer(self.reply(text, finish))


# --- Chat Completions -----------------------------------------------------------------------------------

_CHAT_FINISH = {"stop": "stop", "length": "length", "refusal": "content_filter"}


def chat_reply(text: str, finish: str, **more: Any) -> Body:
    choice = {
        "index": 0,
        "finish_reason": _CHAT_FINISH[finish],
        "message": {"role": "assistant", "content": text},
        "logprobs": None,
        **more,
    }
    usage = {
        "prompt_tokens": 11,
        "completion_tokens": 7,
        "total_tokens": 18,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-name",
        "choices": [choice],
        "usage": usage,
    }


def _chat(name: str, spec: str, key_env: str, base_path: str, path: str, limit: str) -> Dialect:
    return Dialect(
        name,
        spec,
        key_env,
        base_path,
        path,
        conversation=lambda body: [(each["role"], each["content"]) for each in body["messages"]],
        limit=lambda body: body[limit],
        temperature=lambda body: body.get("temperature"),
        seed=lambda body: body.get("seed"),
        schema=lambda body: body["response_format"]["json_schema"]["schema"],
        reply=chat_reply,
    )


# --- Responses ------------------------------------------------------------------------------------------


def _responses_conversation(body: Body) -> list[tuple[str, str]]:
    turns = [("system", body["instructions"])] if body.get("instructions") else []
    for item in body["input"]:
        content = item["content"]
        turns.append((item["role"], content if isinstance(content, str) else "".join(part["text"] for part in content)))
    return turns


def _responses_reply(text: str, finish: str) -> Body:
    part: Body = {"type": "output_text", "text": text, "annotations": []}
    if finish == "refusal":
        part = {"type": "refusal", "refusal": text}
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "served-name",
        "status": "incomplete" if finish == "length" else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if finish == "length" else None,
        "output": [{"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 11,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens": 7,
            "output_tokens_details": {"reasoning_tokens": 2},
            "total_tokens": 18,
        },
    }


_RESPONSES = Dialect(
    "openai-responses",
    "openai-responses/gpt-4o",
    "OPENAI_API_KEY",
    "/v1",
    "/v1/responses",
    conversation=_responses_conversation,
    limit=lambda body: body["max_output_tokens"],
    temperature=lambda body: body.get("temperature"),
    seed=lambda body: body.get("seed"),
    schema=lambda body: body["text"]["format"]["schema"],
    reply=_responses_reply,
    takes_seed=False,
)


# --- Anthropic ------------------------------------------------------------------------------------------

_ANTHROPIC_STOP = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def _texts(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _anthropic_reply(text: str, finish: str) -> Body:
    return {
        "id": "a1",
        "type": "message",
        "role": "assistant",
        "model": "served-name",
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": text}],
        "stop_reason": _ANTHROPIC_STOP[finish],
        "stop_sequence": None,
        # Anthropic counts cached input apart from the rest: 7 + 4 are 11.
        "usage": {
            "input_tokens": 7,
            "output_tokens": 7,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 0,
        },
    }


_ANTHROPIC = Dialect(
    "anthropic",
    "anthropic/claude-sonnet-4-5",
    "ANTHROPIC_API_KEY",
    "",
    "/v1/messages",
    conversation=lambda body: [
        *([("system", _texts(body["system"]))] if body.get("system") else []),
        *((each["role"], _texts(each["content"])) for each in body["messages"]),
    ],
    limit=lambda body: body["max_tokens"],
    temperature=lambda body: body.get("temperature"),
    seed=lambda body: body.get("seed"),
    schema=lambda body: body["output_config"]["format"]["schema"],
    reply=_anthropic_reply,
    takes_seed=False,
)


# --- Google ---------------------------------------------------------------------------------------------

_GOOGLE_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
_GOOGLE_ROLES = {"model": "assistant"}


def _google_conversation(body: Body) -> list[tuple[str, str]]:
    system = body.get("systemInstruction")
    turns = [("system", _texts(system["parts"]))] if system else []
    for each in body["contents"]:
        turns.append((_GOOGLE_ROLES.get(each["role"], each["role"]), _texts(each["parts"])))
    return turns


def _google_reply(text: str, finish: str) -> Body:
    return {
        "responseId": "g1",
        "modelVersion": "served-name",
        "candidates": [
            {
                "index": 0,
                "finishReason": _GOOGLE_FINISH[finish],
                "content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": text}]},
            }
        ],
        # Google counts thoughts apart from the answer: 5 + 2 are 7.
        "usageMetadata": {
            "promptTokenCount": 11,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 2,
            "cachedContentTokenCount": 4,
            "totalTokenCount": 18,
        },
    }


_GOOGLE = Dialect(
    "google",
    "google/gemini-2.0-flash",
    "GOOGLE_API_KEY",
    "",
    "/v1beta/models/gemini-2.0-flash:generateContent",
    conversation=_google_conversation,
    limit=lambda body: body["generationConfig"]["maxOutputTokens"],
    temperature=lambda body: body["generationConfig"].get("temperature"),
    seed=lambda body: body["generationConfig"].get("seed"),
    schema=lambda body: body["generationConfig"]["responseJsonSchema"],
    reply=_google_reply,
)


# --- Mistral --------------------------------------------------------------------------------------------


def _mistral_reply(text: str, finish: str) -> Body:
    body = chat_reply(text, "stop" if finish == "refusal" else finish)
    body["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return body


_MISTRAL = Dialect(
    "mistral",
    "mistral/mistral-large-latest",
    "MISTRAL_API_KEY",
    "",
    "/v1/chat/completions",
    conversation=lambda body: [(each["role"], _texts(each["content"])) for each in body["messages"]],
    limit=lambda body: body["max_tokens"],
    temperature=lambda body: body.get("temperature"),
    seed=lambda body: body.get("random_seed"),
    # pydantic-ai has no native schema for Mistral: the schema goes out as a tool that must be called.
    schema=lambda body: body["tools"][0]["function"]["parameters"],
    reply=_mistral_reply,
)

DIALECTS = [
    _chat(
        "openai",
        "openai/gpt-4o",
        "OPENAI_API_KEY",
        "/v1",
        "/v1/chat/completions",
        "max_completion_tokens",
    ),
    _RESPONSES,
    _ANTHROPIC,
    _GOOGLE,
    _MISTRAL,
    _chat(
        "azure",
        "azure/gpt-4o",
        "AZURE_OPENAI_API_KEY",
        "/openai/v1",
        "/openai/v1/chat/completions",
        "max_completion_tokens",
    ),
    _chat(
        "openai-api",
        "openai-api/gpt-5.1",
        "OPENAI_API_KEY",
        "/v1",
        "/v1/chat/completions",
        "max_tokens",
    ),
]
"""The compatible server calls its model gpt-5.1 on purpose: nothing may follow from that name."""
