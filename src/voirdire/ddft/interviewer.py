"""The interviewer: a model guided by a brief per turn, or the script. Every question is checked before it is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from voirdire.data.prompt_files import load_prompt
from voirdire.ddft.questions import Ask, brief, question_faults, scripted_question
from voirdire.ddft.steering import steering_faults
from voirdire.jury import Asks
from voirdire.records import CallFailure, Fenced, Message, Request, Settings, Slot

QuestionSource = Literal["llm", "template", "fallback"]
REPAIRS = 2
SETTINGS = Settings(max_tokens=400, temperature=0.7)
_MAX_QUOTED = 2_000
"""Characters of a question that can't be used which its interviewer is shown again."""


class InterviewerFailed(Exception):
    """The interviewing model could not be called: the dialogue waits for the next session, nobody else asks."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, where it came from, and what the checks found on the way."""

    text: str
    source: QuestionSource
    notes: tuple[str, ...] = ()


class Interviewer(Protocol):
    """Who asks the five questions."""

    async def question(self, dialogue: str, ask: Ask, history: Sequence[tuple[str, str]]) -> Question:
        """The next question of a dialogue, given what has been asked and answered."""
        ...


class ScriptedInterviewer:
    """Asks from templates: no model, the same questions for every subject but for its own example."""

    async def question(self, dialogue: str, ask: Ask, history: Sequence[tuple[str, str]]) -> Question:
        """The template's question."""
        return Question(scripted_question(ask), "template")


class ModelInterviewer:
    """A model that follows a brief. A question that fails the checks is asked for again twice, then the script asks."""

    def __init__(self, asker: Asks, model: str) -> None:
        self._asker = asker
        self._model = model

    async def question(self, dialogue: str, ask: Ask, history: Sequence[tuple[str, str]]) -> Question:
        """The model's question, or the template's after three that can't be used.

        Raises:
            InterviewerFailed: the model could not be called.
        """
        brief_text = brief(ask)
        shown_brief = brief(replace(ask, known_example=""))  # the question may quote an example that the brief names
        first = load_prompt("interviewer").messages(
            concept=ask.concept, dialogue=_transcript(history), example=_example(ask), brief=brief_text
        )
        messages = first
        notes: list[str] = []
        for repair in range(REPAIRS + 1):
            slot = Slot(dialogue, ask.turn, "interviewer", repair=repair)
            reply = await self._asker.ask(self._model, Request(slot, messages, SETTINGS))
            if isinstance(reply, CallFailure):
                raise InterviewerFailed(f"{reply.kind}: {reply.message}")
            text = reply.text.strip().strip('"“”').strip()
            faults = question_faults(text, ask) + steering_faults(text, shown_brief, [answer for _, answer in history])
            if not faults:
                return Question(text, "llm", tuple(notes))
            notes.append(f"question {repair + 1} was refused: {'; '.join(faults)}")
            messages = _repair_messages(first, text, faults)
        return Question(scripted_question(ask), "fallback", tuple(notes))


def interviewer_hashes() -> dict[str, str]:
    """SHA-256 of the interviewer's prompts, for a run's identity."""
    return {name: load_prompt(name).sha256 for name in ("interviewer", "interviewer_repair")}


def _repair_messages(messages: tuple[Message, ...], text: str, faults: Sequence[str]) -> tuple[Message, ...]:
    """The same messages with the question that can't be used: fenced, since it may quote the subject."""
    quoted = Fenced("your earlier question", text[:_MAX_QUOTED] or "(nothing)")
    (again,) = load_prompt("interviewer_repair").messages(faults="; ".join(faults), reply=quoted)
    *before, last = messages
    return (*before, Message(last.role, (*last.parts, "\n\n", *again.parts)))


def _example(ask: Ask) -> Fenced | str:
    """The subject's own example: in its words, and so data like all of them."""
    return Fenced("example", ask.example) if ask.example else "(none so far)"


def _transcript(history: Sequence[tuple[str, str]]) -> Fenced | str:
    if not history:
        return "(nothing has been said yet)"
    lines = [f"{i}. You asked: {question}\nAnswer: {answer}" for i, (question, answer) in enumerate(history, start=1)]
    return Fenced("conversation", "\n\n".join(lines))
