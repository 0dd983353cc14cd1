"""A run that can be killed: dialogues of five turns, each turn built on the answers before it.

python -m tests.runs.kill_child FOLDER BASE_URL ACKNOWLEDGED DIALOGUES
"""

from __future__ import annotations

import asyncio
import os
import sys

from tests.support.http_model import HttpModel
from voirdire.records import Message, Reply, Request, Settings, Slot
from voirdire.runs import RetryPolicy, RunFolder, Runner, call_key

AT_ONCE = 8
TURNS = 5
SETTINGS = Settings(max_tokens=100)


async def dialogue(name: str, runner: Runner, model: HttpModel, acknowledged: int) -> None:
    """Ask turn by turn; write down the key of every reply at the moment it is released."""
    said: list[str] = []
    for turn in range(1, TURNS + 1):
        messages = [
            Message.of("user", f"{name}, turn {turn}: go on."),
            *(Message.of("assistant", text) for text in said),
        ]
        request = Request(Slot(name, turn, "subject"), tuple(messages), SETTINGS)
        reply = await runner.ask("test", request)
        assert isinstance(reply, Reply), reply
        key = call_key(request.slot, model.identity, SETTINGS, "text", None, request.messages)
        os.write(acknowledged, f"{key}\n".encode())
        said.append(reply.text)


async def main(path: str, base_url: str, acknowledged_path: str, dialogues: int) -> None:
    acknowledged = os.open(acknowledged_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    model = HttpModel(base_url)
    retry = RetryPolicy(base=0.01)
    with RunFolder.open_or_create(path, {"dialogues": dialogues}) as folder:
        async with Runner(folder.journal, {"test": model}, connections=AT_ONCE, retry=retry) as runner:
            await asyncio.gather(
                *(dialogue(f"dialogue {number}", runner, model, acknowledged) for number in range(dialogues))
            )
    await model.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
