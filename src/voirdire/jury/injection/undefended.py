"""A judge without its defences, to see what they are worth: never used where anything is judged in earnest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.jury.structured_replies import Asks
from voirdire.records import CallFailure, Fenced, Message, Reply, Request

_WARNINGS = ("judge_evidence", "local_judge_evidence")
"""Prompts that say what stands between the marks; without marks they would speak of nothing."""


class Undefended:
    """Asks as a judge without defences would be asked, and reads the reply as a lenient parser would.

    What the subject wrote stands bare among our own words, nothing warns of it, and of a reply with text around it
    the first JSON object with one of the wanted fields counts.
    """

    def __init__(self, asker: Asks) -> None:
        self._asker = asker

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        """Make one call without defences."""
        reply = await self._asker.ask(spec, replace(request, messages=tuple(map(without_fences, request.messages))))
        if isinstance(reply, CallFailure) or request.schema is None:
            return reply
        return replace(reply, text=first_object(reply.text, request.schema.get("properties", {})))


def without_fences(message: Message) -> Message:
    """A message with what was fenced standing as it is, and without the words about fences."""
    content = "".join(part.text if isinstance(part, Fenced) else part for part in map(_unwarned, message.parts))
    return Message.of(message.role, content)


def first_object(text: str, fields: Mapping[str, Any]) -> str:
    """The first JSON object in a text that has one of the wanted fields; the text itself where there is none."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and any(name in value for name in fields):
            return json.dumps(value)
        start = text.find("{", start + 1)
    return text


def _unwarned(part: str | Fenced) -> str | Fenced:
    if isinstance(part, Fenced):
        return part
    for warning in _warnings():
        part = part.replace(warning, "")
    return part


@cache
def _warnings() -> tuple[str, ...]:
    messages = [message for name in _WARNINGS for message in load_prompt(name).messages()]
    return tuple(part for message in messages for part in message.parts if isinstance(part, str))
