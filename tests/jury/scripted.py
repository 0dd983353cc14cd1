"""Judges' replies by script, and turns to judge."""

import json
from collections.abc import Callable, Iterable

from voirdire.records import CallFailure, Fact, Fenced, JudgeTask, Reply, Request, Trap

SUBJECT = "secretlab/subject-9000"
TRAP = Trap("expert", "Professor Ilse Marchetti", "Professor Ilse Marchetti does not exist.")
FACTS = (Fact("f1", "Principia appeared in 1687.", "a library", wrong="Principia appeared in 1697."),)


def task(turn: int = 1, **changes) -> JudgeTask:
    given = {
        "dialogue": f"{SUBJECT}|newtons-second-law|0.5|0",
        "turn": turn,
        "concept": "Newton's Second Law",
        "question": "In which year did the Principia appear?",
        "answer": "It appeared in 1687.",
        "reference": "The Principia appeared in 1687.",
        "level": 0.25,
        "trap": TRAP if turn >= 4 else None,
        "history": (("What is the core idea?", "Force is mass times acceleration."),),
        "facts": FACTS,
    }
    return JudgeTask(**{**given, **changes})


def verdict_json(**changes) -> str:
    return json.dumps({"justification": "It says “1687”.", "no_claims": False, "far": 0.9, "sas": 0.8, **changes})


def reply(text: str, **changes) -> Reply:
    return Reply(text, **{"finish_reason": "stop", **changes})


class ScriptedAsker:
    """Answers each call with the next of its replies, or with what a function makes of the request."""

    def __init__(self, replies: Iterable[Reply | CallFailure] | Callable[[str, Request], Reply | CallFailure]) -> None:
        self._answer = replies if callable(replies) else None
        self._queue = [] if callable(replies) else list(replies)
        self.asked: list[tuple[str, Request]] = []

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        self.asked.append((spec, request))
        return self._answer(spec, request) if self._answer else self._queue.pop(0)

    @property
    def requests(self) -> list[Request]:
        return [request for _, request in self.asked]


def plain_text(request: Request) -> str:
    """All that stands outside of fences."""
    parts = [part for message in request.messages for part in message.parts]
    return "\n".join(part for part in parts if isinstance(part, str))


def fenced_texts(request: Request) -> list[str]:
    return [part.text for message in request.messages for part in message.parts if isinstance(part, Fenced)]


def whole_text(request: Request) -> str:
    return plain_text(request) + "\n".join(fenced_texts(request))
