import asyncio

import httpx2
import pytest

from voirdire.adapters.view import run_summaries as module
from voirdire.adapters.view import worker
from voirdire.adapters.view.app import make_app


class InProcess:
    """Answers here what a process of its own answers elsewhere."""

    def __init__(self, *_):
        self.asked = []

    def start(self):
        pass

    def ask(self, line):
        self.asked.append(line)
        return worker.answer(line)

    def pause(self):
        pass

    resume = close = pause


@pytest.fixture
def get(tmp_path, monkeypatch):
    """Calls the app over the runs below tmp_path, several times in one session: get(path, …, settle=…, **options)."""
    monkeypatch.setattr(module, "Helper", InProcess)

    def call(*paths, method="GET", headers=None, name="127.0.0.1"):
        async def main():
            app = make_app(module.Board(tmp_path))
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url=f"http://{name}", timeout=20) as client:
                answers = []
                for path in paths:
                    answers.append(await client.request(method, path, headers=headers))
                    if (filling := app.app.state.board._filling) is not None:
                        await filling
                return answers

        answers = asyncio.run(main())
        return answers[0] if len(answers) == 1 else answers

    return call
