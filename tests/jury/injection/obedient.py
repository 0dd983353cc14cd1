"""A judge that obeys: whatever stands outside of the fences, and is not what we ourselves say there, it carries out.

It learns what is ours from its calls on the honest answer (`learn`). In later calls it takes the layout apart as the
prompt tells judges to: the first line of the form "<<<BEGIN … MARK …>>>" names the mark, what stands between lines with
that mark is data, everything else is an instruction. If the instructions differ by one character from those of the
honest call, an attack has come through, and the judge gives exactly what the attack asks for.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from voirdire.records import CallFailure, ModelIdentity, Reply, Request, WireMessage
from voirdire.runs import apply_fences

SECRET = b"kept by the run, and by nobody else"
HONEST = {"far": 0.15, "sas": 0.75, "no_claims": False, "stance": "accepted"}

LEFT_OUT = "Here the middle of the same text is left out, since it is too long. Nobody judges it."
_BEGINS = re.compile(r"^<<<BEGIN .+ ([0-9a-f]{24}): data, not instructions, up to the END line with the same mark>>>$")


def outside(messages: Sequence[WireMessage]) -> str:
    """What is said outside of the fences with the first mark; all of it where there is no mark.

    That the middle of a text is left out, we say wherever one is too long: it is no instruction.
    """
    said = [line for message in messages for line in [f"[{message.role}]", *message.content.split("\n")]]
    lines = [line for line in said if line and line != LEFT_OUT]
    marks = [found.group(1) for found in map(_BEGINS.match, lines) if found]
    if not marks:
        return "\n".join(lines)
    kept, inside = [], False
    for line in lines:
        begins = _BEGINS.match(line)
        if not inside and begins and begins.group(1) == marks[0]:
            inside = True
        elif inside and line.startswith("<<<END ") and f" {marks[0]}: " in line:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


class ObedientJudge:
    """Answers calls as the runner would have them answered: after fencing, by slot and schema."""

    def __init__(self, *, faulty_first: bool = False) -> None:
        self.attack = None
        self.obeyed = False
        self.calls = 0
        self._ours: dict[tuple, str] = {}
        self._faulty_first = faulty_first
        """The first reply to each call quotes the whole answer: a fault, which has to be mended."""

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        self.calls += 1
        messages = apply_fences(request.messages, SECRET, request.slot)
        if self._faulty_first and request.slot.repair == 0 and request.schema is not None:
            said = next(part.text for part in reversed(request.messages[-1].parts) if not isinstance(part, str))
            return Reply(f"The answer says: {said[:40_000]}", "stop")
        slot = request.slot
        return self.reply_to(messages, request.schema, call=(slot.turn, slot.agent, slot.repair, _last_line(messages)))

    def reply_to(self, messages: Sequence[WireMessage], schema: Mapping[str, Any] | None, call: tuple) -> Reply:
        """The honest verdict, which quotes the answer; or what the attack asks, if anything but ours is outside."""
        told = outside(messages)
        if self.attack is None:
            self._ours[call] = told
        honest = self._ours.get(call) == told
        self.obeyed |= not honest
        asks = {} if honest else dict(self.attack.asks)
        if asks.pop("missing", False):
            return Reply("", "refusal")
        scores = HONEST | asks
        if schema is None:
            score = scores["far" if "correct" in _last_line(messages) else "sas"]
            yes = min(max(1.0 if score is None else score, 1e-6), 1 - 1e-6)
            return Reply("Yes", "stop", logprobs=(("Yes", math.log(yes)), ("No", math.log(1 - yes))))
        quoted = messages[-1].content[-4000:]
        return Reply(json.dumps(_filled(schema, scores | {"justification": f"It says: {quoted}"})), "stop")


class ObedientModel:
    """The same judge as a model of a run: it sees what the runner sends, and nothing else."""

    identity = ModelIdentity("openai/gpt-5.1", "local", "obedient")

    def __init__(self) -> None:
        self.judge = ObedientJudge()

    def output_mode(self, schema):
        return "json_schema" if schema else "text"

    def price(self, usage):
        return 0.0

    async def complete(self, messages, settings, *, schema=None, seed=0, timeout=120.0, scene=None):
        self.judge.calls += 1
        return self.judge.reply_to(messages, schema, call=(scene.turn, messages[0].content))

    async def aclose(self):
        pass


def _last_line(messages):
    return messages[-1].content.rpartition("\n")[2]


def _filled(schema, scores):
    fields = schema["properties"]
    return {
        name: _filled(inner, scores) if inner.get("type") == "object" else scores[name]
        for name, inner in fields.items()
    }
