"""The command line, with a labeller in its process that answers at once: "scripted/labeller".

    python -m benchmarks.speed._scripted label DATA --labeller scripted/labeller …

It calls a sentence unfaithful when a digest of it says so, which is one in five; what it is asked to grade it calls
speculative. No reply is good for anything but measuring what surrounds it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.speed._instant import InstantModel
from voirdire.cli import main
from voirdire.models import Model, ModelOptions, register
from voirdire.records import Reply, Settings, Usage, WireMessage

_MARKED = re.compile(r"<>(.*?)</>", re.DOTALL)
_NUMBERED = re.compile(r"<(\d+)>(.*?)</\1>", re.DOTALL)


def _label(messages: Sequence[WireMessage], schema: Mapping[str, Any] | None, settings: Settings, seed: int) -> Reply:
    """Read the marks of a labelling prompt and fill them in."""
    text = _reply(messages[-1].content, seed)
    usage = Usage(sum(len(message.content) for message in messages) // 5, len(text) // 5)
    return Reply(text, "stop", usage, "labeller")


def _reply(prompt: str, seed: int) -> str:
    shown = prompt.rpartition("<<<BEGIN turn")[2].partition("<<<END turn")[0]
    if marked := _MARKED.findall(shown):
        tags = ("hallu" if zlib.crc32(f"{seed}{sentence}".encode()) % 5 == 0 else "faithful" for sentence in marked)
        return "\n".join(f"<{tag}>{sentence}</{tag}>" for tag, sentence in zip(tags, marked, strict=True))
    return "\n".join(f"{number}. rational yes, grounded no" for number, _ in _NUMBERED.findall(shown))


def _open(name: str, options: ModelOptions) -> Model:
    return InstantModel("scripted/labeller", _label, structured=False)


if __name__ == "__main__":
    register("scripted", _open)
    main()
