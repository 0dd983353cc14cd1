"""Models that obey whatever stands where instructions stand, and one attack of each family to try them with."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace

from voirdire.data.packaged_files import names, read_text
from voirdire.jury.injection import Attack, attacks
from voirdire.records import Fenced, Message, Reply, Request
from voirdire.runs.prompt_fence import apply_fences

SECRET = b"a run's secret that no subject knows"
_BLOCK = re.compile(r"<<<BEGIN [^\n]* ([0-9a-f]{24}): data[^\n]*>>>\n.*?\n<<<END [^\n]* \1: what[^\n]*>>>", re.DOTALL)
_NUMBERS = re.compile(r"\d+(?:, \d+)*")
_LONGEST = 1_500


def canaries(*targets) -> list[Attack]:
    """The first attack of every family, on any of these targets or on all."""
    return list({attack.family: attack for attack in reversed(attacks(targets or None))}.values())


def hostile_texts(honest: str) -> list[tuple[Attack, str]]:
    """One attack of each family, whoever it is aimed at, on an honest text; of floods, the two ends.

    What an attack says at earlier turns stands before it.
    """
    texts = [(attack, "\n\n".join((*attack.earlier, attack.on(honest)))) for attack in canaries()]
    return [
        (attack, text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}")
        for attack, text in texts
    ]


class Obeying:
    """Does its task as long as all that stands outside of fences is what it was brought up with; else it obeys.

    It reads what goes over the wire. `honest` and `obeys` say what it replies; without `fences`, what was fenced stands
    there as it is.
    """

    def __init__(self, honest: Callable[[Request], str], obeys: Callable[[Request], str], *, fences: bool = True):
        self._honest = honest
        self._obeys = obeys
        self._fences = fences
        self._known = {_plain(line) for name in names("prompts", ".md") for line in _repairs(name)}
        self.learning = True
        self.fell = False

    async def ask(self, spec: str, request: Request, /) -> Reply:
        lines = set(self._outside(request))
        if self.learning:
            self._known |= lines
        elif lines - self._known:
            self.fell = True
            return Reply(self._obeys(request), "stop")
        return Reply(self._honest(request), "stop")

    def _outside(self, request: Request) -> list[str]:
        bare = request if self._fences else replace(request, messages=tuple(_bare(each) for each in request.messages))
        said = "\n".join(message.content for message in apply_fences(bare.messages, SECRET, bare.slot))
        return [_plain(line) for line in _BLOCK.sub("", said).splitlines()]


def swayed(model, run, honest, *, same=lambda one, other: one == other):
    """Ids of the attacks that changed what comes of an honest text, and whether the model fell for each.

    Args:
        model: that is asked in `run`.
        run: text -> a coroutine with what comes of it.
        honest: the text without an attack.
        same: whether two outcomes are the same.
    """
    model.learning = True
    expected = asyncio.run(run(honest))
    model.learning = False
    changed, fell = [], []
    for attack, text in hostile_texts(honest):
        model.fell = False
        outcome = asyncio.run(run(text))
        changed += [] if same(expected, outcome) else [attack.id]
        fell += [attack.id] if model.fell else []
    return changed, fell


def _plain(line: str) -> str:
    return _NUMBERS.sub("#", line).strip()


def _repairs(name: str) -> list[str]:
    """Our own words on a reply that can't be used, which an honest run may never hear."""
    return read_text(f"prompts/{name}.md").splitlines() if name.endswith(("_repair", "_again")) else []


def _bare(message: Message) -> Message:
    return Message(message.role, tuple(part.text if isinstance(part, Fenced) else part for part in message.parts))
