"""The calls that a study will make: how many, how long, and how much of each a provider has read before.

The prompts themselves are made, with answers of a given length in them, so that what a plan counts is what a run sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from voirdire.data.prompt_files import own_prompts
from voirdire.ddft.judging import judge_task
from voirdire.ddft.protocol import DialogueSpec, opening
from voirdire.ddft.questions import LAST_TURN, TRAP_TURN, Ask, interview_setting, scripted_question, situation_of
from voirdire.ddft.study import SCRIPTED, StudyPlan, dialogue_specs
from voirdire.jury import calls_on, judge_spec
from voirdire.models.caching import CacheRules, PrefixCache, Prompt, cache_rules, prompt_of
from voirdire.records import JudgeTask, Message, Request, Slot, Trap, Turn
from voirdire.runs import apply_fences, is_local

CHARACTERS_PER_TOKEN = 4.4
ANSWER_TOKENS = 375  # mean of the 1,800 published answers: 1,651 characters
QUESTION_TOKENS = 60  # of a question that a model writes; the script's are known
VERDICT_TOKENS = 120
BRIEF_TOKENS = 250
TRIES_PER_QUESTION = 1.15  # an interviewing model is asked again when a question fails the checks

Role = Literal["subject", "interviewer", "judge"]

_SECRET = b"a plan's fences"
_TRAP = Trap("expert", "Professor Name Surname", "No scholar of the field is called Professor Name Surname.")


@dataclass(slots=True)
class Expected:
    """All calls of one model in one role; the numbers are sums over them."""

    role: Role
    spec: str
    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    fresh_tokens: float = 0.0
    """Of the input, what a local model reads anew: it remembers the last prompt, which is a dialogue's or a turn's."""
    cached_tokens: float = 0.0
    """Of the input, what the provider's cache would serve."""
    written_tokens: float = 0.0
    """Of the input, what is written to the provider's cache at a price of its own."""

    def scaled(self, share: float) -> Expected:
        """The same for a share of the calls."""
        return Expected(
            self.role,
            self.spec,
            self.calls * share,
            self.input_tokens * share,
            self.output_tokens * share,
            self.fresh_tokens * share,
            self.cached_tokens * share,
            self.written_tokens * share,
        )


def expected_calls(plan: StudyPlan) -> list[Expected]:
    """What every model will be asked, role by role, if five questions are asked and no call is repeated.

    Raises:
        StudyError, SpecError, JuryError: the plan can't be run as it is.
    """
    with own_prompts(plan.preset.prompts):
        calls = _subjects(plan)
        if plan.interviewer != SCRIPTED:
            calls.append(_interviewer(plan))
        for name in plan.jury:
            spec = judge_spec(name)
            if spec is not None:
                calls.append(_judge(plan, name, spec))
        return calls


class _Count:
    """Counts calls as they are shown, with what a cache that has seen the earlier ones would serve."""

    def __init__(self, role: Role, spec: str) -> None:
        self.total = Expected(role, spec)
        rules = cache_rules(spec)
        self._provider = PrefixCache(rules, CHARACTERS_PER_TOKEN) if rules else None
        self._own: PrefixCache | None = None
        self.forget()

    def forget(self) -> None:
        """What a local model's server does when another dialogue, or another turn to judge, comes."""
        if is_local(self.total.spec):
            self._own = PrefixCache(CacheRules(0), CHARACTERS_PER_TOKEN)

    def add(self, prompt: Prompt, output_tokens: float, times: float) -> None:
        total, tokens = self.total, len(prompt.text) / CHARACTERS_PER_TOKEN
        total.calls += times
        total.input_tokens += times * tokens
        total.output_tokens += times * output_tokens
        total.fresh_tokens += times * (tokens - (self._own.ask(prompt).read if self._own else 0))
        if self._provider is not None:
            served = self._provider.ask(prompt)
            total.cached_tokens += times * served.read
            total.written_tokens += times * served.written


def _subjects(plan: StudyPlan) -> list[Expected]:
    """All are asked alike: what differs is only who remembers what."""
    alike: dict[tuple[CacheRules | None, bool], Expected] = {}
    for model in plan.models:
        memory = cache_rules(model), is_local(model)
        if memory not in alike:
            alike[memory] = _subject(plan, model)
    return [replace(alike[cache_rules(model), is_local(model)], spec=model) for model in plan.models]


def _subject(plan: StudyPlan, model: str) -> Expected:
    count, tokens = _Count("subject", model), answer_tokens(plan)
    for planned, times in _rounds(plan, models=1):
        history = _filler_history(planned, plan)
        opening_messages = opening(planned, plan.preset)
        count.forget()
        for turn in range(1, LAST_TURN + 1):
            before = [part for pair in history[: turn - 1] for part in _pair(*pair)]
            messages = (*opening_messages, *before, Message.of("user", history[turn - 1][0]))
            sent = apply_fences(messages, _SECRET, Slot(planned.id, turn, "subject"))
            count.add(prompt_of(sent), tokens, times)
    return count.total


def _pair(question: str, answer: str) -> tuple[Message, Message]:
    return Message.of("user", question), Message.of("assistant", answer)


def _interviewer(plan: StudyPlan) -> Expected:
    """By its mean length: the brief, and two earlier turns."""
    calls = len(dialogue_specs(plan)) * LAST_TURN * TRIES_PER_QUESTION
    history = (LAST_TURN - 1) / 2 * (answer_tokens(plan) + QUESTION_TOKENS)
    tokens = calls * (BRIEF_TOKENS + history)
    return Expected("interviewer", plan.interviewer, calls, tokens, calls * QUESTION_TOKENS, fresh_tokens=tokens)


def _judge(plan: StudyPlan, name: str, spec: str) -> Expected:
    count = _Count("judge", spec)
    for planned, times in _rounds(plan, models=len(plan.models)):
        for tasks in _asked_together(_tasks(planned, plan), plan):
            count.forget()
            for request in calls_on(name, tasks, plan.preset.jury):
                sent = apply_fences(request.messages, _SECRET, request.slot)
                count.add(prompt_of(sent, request.schema), _verdict_tokens(request), times)
    return count.total


def _asked_together(tasks: Sequence[JudgeTask], plan: StudyPlan) -> list[Sequence[JudgeTask]]:
    return [tasks] if plan.preset.jury.granularity == "dialogue" else [[task] for task in tasks]


def _verdict_tokens(request: Request) -> float:
    """A verdict for each turn that the call is about; the first token of a model that is read so."""
    turns = LAST_TURN if request.slot.turn == 0 else 1
    return min(VERDICT_TOKENS * turns, request.settings.max_tokens)


def _rounds(plan: StudyPlan, models: int) -> Iterator[tuple[DialogueSpec, float]]:
    """Every concept and level twice, with how many dialogues each stands for.

    Those that are the first of their kind, and all that follow, when caches are warm.
    """
    once = [planned for planned in dialogue_specs(plan) if planned.model == plan.models[0] and planned.sample == 0]
    repeats = plan.preset.samples * models
    yield from ((planned, 1.0) for planned in once)
    if repeats > 1:
        for planned in once:
            warm = DialogueSpec(planned.model, planned.concept, planned.level, 1, planned.position)
            yield warm, float(repeats - 1)


def _filler_history(planned: DialogueSpec, plan: StudyPlan) -> list[tuple[str, str]]:
    """Questions, and answers of the expected length that are unlike those of any other dialogue."""
    return [
        (_question(planned, turn, plan), _filler(f"A{turn} {planned.id}", answer_tokens(plan)))
        for turn in range(1, LAST_TURN + 1)
    ]


def _question(planned: DialogueSpec, turn: int, plan: StudyPlan) -> str:
    if plan.interviewer != SCRIPTED:
        return _filler(f"Q{turn} {planned.id}", QUESTION_TOKENS)
    place, topic = interview_setting(planned.concept, planned.id)
    trap = _trap(plan) if turn >= TRAP_TURN else None
    name = planned.concept.name if plan.preset.name_concept else "this concept"
    return scripted_question(Ask(turn, situation_of(turn, trap, None), name, None, trap, place, topic, planned.id))


def _trap(plan: StudyPlan) -> Trap | None:
    return None if plan.preset.trap == "none" else _TRAP


def _filler(start: str, tokens: float) -> str:
    return start.ljust(round(tokens * CHARACTERS_PER_TOKEN), "x")


def answer_tokens(plan: StudyPlan) -> int:
    """Tokens of an answer, within the limit that the preset gives the subject."""
    return min(ANSWER_TOKENS, plan.preset.subject_max_tokens)


def _tasks(planned: DialogueSpec, plan: StudyPlan) -> list[JudgeTask]:
    history, trap = _filler_history(planned, plan), _trap(plan)
    turns = [
        Turn(
            model=planned.model,
            concept=planned.concept.id,
            level=planned.level,
            turn=number,
            question=question,
            answer=answer,
            trap=trap if number >= TRAP_TURN else None,
            sample=planned.sample,
        )
        for number, (question, answer) in enumerate(history, start=1)
    ]
    return [judge_task(turn, planned.concept, plan.preset, tuple(history[:place])) for place, turn in enumerate(turns)]
