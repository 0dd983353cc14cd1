"""The fake server, with a model behind it that labels: for tests of whole labelling runs.

A sentence is tagged hallu when it has the word "wheat", irrelevant when it ends in "!", faithful otherwise; a
statement with "famous" is cognitive and graded speculative. What is not a labelling request gets the usual reply.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support import fake_openai, fake_replies

_ROOT = Path(__file__).parents[2]
_MARKED = re.compile(r"<>(.*?)</>", re.DOTALL)
_NUMBERED = re.compile(r"<(\d+)>(.*?)</\1>", re.DOTALL)
_usual = fake_replies._content


def _content(body: dict[str, Any], random: Any) -> str:
    prompt = body["messages"][-1]["content"]
    shown = prompt.rpartition("<<<BEGIN turn")[2].partition("<<<END turn")[0]
    if marked := _MARKED.findall(shown):
        return "\n".join(f"<{_tag(sentence)}>{sentence}</{_tag(sentence)}>" for sentence in marked)
    line = _grade if "statements to grade" in prompt else _tag if "sentences to check" in prompt else _type
    return "\n".join(f"{number}. {line(text)}" for number, text in _NUMBERED.findall(shown)) or _usual(body, random)


def _tag(sentence: str) -> str:
    if "wheat" in sentence:
        return "hallu"
    return "irrelevant" if sentence.endswith("!") else "faithful"


def _grade(statement: str) -> str:
    return "rational yes, grounded no"


def _type(statement: str) -> str:
    return "cognitive" if "famous" in statement else "factual"


@contextmanager
def start_labelling_server(**options: Any) -> Iterator[str]:
    """Run the server in a process of its own while the block runs; yields its base URL."""
    command = [sys.executable, "-m", "tests.support.labelling_server", "--port", "0", "--end-with-stdin"]
    server = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    try:
        base_url = server.stdout.readline().strip()
        assert base_url, "The labelling server did not start."
        if options:
            fake_openai.control(base_url, **options)
        yield base_url
    finally:
        server.terminate()
        server.wait(10)
        server.stdin.close()
        server.stdout.close()


if __name__ == "__main__":
    fake_replies._content = _content
    fake_openai.main()
