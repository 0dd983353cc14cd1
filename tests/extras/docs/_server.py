"""A server that answers as hosted models do: Chat Completions (OpenAI, Mistral, servers of one's own) and Anthropic's
Messages. What is to be labelled is labelled, what is drafted comes from a policy that is known here, and everything
else gets text, or JSON that fits the schema.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.ddft.drafting import scripted as drafting
from tests.models._dialects import DIALECTS
from tests.support import fake_openai, fake_replies, labelling_server

_ROOT = Path(__file__).parents[3]
_ANTHROPIC = next(each for each in DIALECTS if each.name == "anthropic")


class Providers(fake_openai.FakeOpenAI):
    """The fake server, with Anthropic's door beside it, and Mistral's way of asking for JSON."""

    def app(self) -> web.Application:
        """All routes."""
        app = super().app()
        app.router.add_post("/v1/messages", self.messages)
        return app

    async def messages(self, request: web.Request) -> web.Response:
        """Anthropic's Messages."""
        body = await request.json()
        said = [{"role": role, "content": text} for role, text in _ANTHROPIC.conversation(body)]
        chat: dict[str, Any] = {"model": body["model"], "messages": said}
        if schema := body.get("output_config", {}).get("format", {}).get("schema"):
            chat["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        reply = fake_replies.fake_reply(chat, fake_openai._request_hash(chat))
        return web.json_response(_ANTHROPIC.reply(reply["choices"][0]["message"]["content"], "stop"))


def _content(body: dict[str, Any], random: Any) -> str:
    for message in body["messages"]:
        if isinstance(message.get("content"), list):
            message["content"] = "".join(part.get("text", "") for part in message["content"])
    for tool in body.get("tools", []):  # Mistral is given a schema as a tool that must be called
        schema = tool["function"]["parameters"]
        body = {**body, "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    return _drafted(body) or labelling_server._content(body, random)


def _drafted(body: dict[str, Any]) -> str | None:
    """A step of drafting a concept, by the schema of its reply."""
    asked = body.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {}).keys()
    if asked == {"facts"}:
        return json.dumps({"facts": drafting.good_facts()})
    if asked == drafting.NAMES.keys():
        return json.dumps(drafting.NAMES)
    if asked == {"reference"}:
        return json.dumps({"reference": drafting.REFERENCE})
    if asked == {"wrong"}:
        known = {text for text, *_ in drafting.FACTS}
        lines = [line.split(": ", 1) for line in body["messages"][-1]["content"].splitlines() if ": " in line]
        return json.dumps({"wrong": drafting.wrong_of([line for line in lines if line[1] in known])})
    return None


@contextmanager
def start_providers() -> Iterator[str]:
    """Run the server in a process of its own while the block runs; yields its root, without a slash at its end."""
    command = [sys.executable, "-m", "tests.extras.docs._server", "--port", "0", "--end-with-stdin"]
    server = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        assert address, "The server did not start."
        yield address.removesuffix("/v1")
    finally:
        server.terminate()
        server.wait(10)
        server.stdin.close()
        server.stdout.close()


if __name__ == "__main__":
    fake_replies._content = _content
    fake_openai.FakeOpenAI = Providers  # type: ignore[misc]
    fake_openai.main()
