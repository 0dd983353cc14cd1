"""What a run would take, before anything is spent: calls, tokens, money, time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from voirdire.ddft.questions import LAST_TURN
from voirdire.ddft.study import SCRIPTED, StudyPlan, dockets, seats
from voirdire.jury import calls_per_turn, judge_spec
from voirdire.models import ModelOptions, parse_spec, price_of
from voirdire.records import Usage
from voirdire.run import at_once, is_local
from voirdire.run.estimates import Estimate, ModelEstimate

TOKENS_PER_WORD = 1.35
ANSWER_TOKENS = 375  # mean of the 1,800 published answers: 1,651 characters, at 4.4 characters a token
QUESTION_TOKENS = 60
RUBRIC_TOKENS = 700
VERDICT_TOKENS = 120
BRIEF_TOKENS = 250
TRIES_PER_QUESTION = 1.15  # an interviewing model is asked again when a question fails the checks
HOSTED_SECONDS = 6.0  # per call; a guess that `assumptions` states
LOCAL_SECONDS = 5.0  # SmolLM2 on two cores: about 25 s a dialogue


@dataclass(frozen=True, kw_only=True)
class StudyEstimate(Estimate):
    """What holding a study would take."""

    dialogues: int
    turns: int


def estimate(plan: StudyPlan, connections: int) -> StudyEstimate:
    """What holding this plan would take.

    Args:
        plan: what is to be held.
        connections: calls at once per hosted model.

    Raises:
        StudyError, SpecError: the plan can't be held as it is.
    """
    dialogues = len(dockets(plan))
    answer = min(ANSWER_TOKENS, plan.preset.subject_max_tokens)
    calls: Counter[str] = Counter()
    sent: Counter[str] = Counter()
    received: Counter[str] = Counter()

    def add(spec: str, each: float, tokens_in: float, tokens_out: float) -> None:
        calls[spec] += round(each)
        sent[spec] += round(each * tokens_in)
        received[spec] += round(each * tokens_out)

    turns = dialogues * LAST_TURN
    history = (LAST_TURN - 1) / 2 * (answer + QUESTION_TOKENS)  # a mean turn has two before it
    reference = _reference_tokens(plan)
    left = reference * (1 - sum(plan.preset.levels) / len(plan.preset.levels)) if plan.preset.compression else 0
    for model in plan.models:
        add(model, turns / len(plan.models), left + history + QUESTION_TOKENS, answer)
    if plan.interviewer != SCRIPTED:
        add(plan.interviewer, turns * TRIES_PER_QUESTION, BRIEF_TOKENS + history, QUESTION_TOKENS)
    shown = reference if plan.preset.judge_reference != "never" else 0
    shown += history if plan.preset.jury.show_history else 0
    for name in plan.jury:
        spec = judge_spec(name)
        if spec is not None:
            per_turn = calls_per_turn(name, plan.preset.jury)
            turns_a_call = max(1.0, 1 / per_turn)
            exchange = turns_a_call * (QUESTION_TOKENS + answer)
            add(spec, turns * per_turn, RUBRIC_TOKENS + shown + exchange, turns_a_call * VERDICT_TOKENS)
    options = seats(plan)
    models = tuple(
        ModelEstimate(
            spec,
            calls[spec],
            sent[spec],
            received[spec],
            _usd(spec, calls[spec], sent[spec], received[spec], options[spec]),
        )
        for spec in calls
    )
    return StudyEstimate(
        dialogues=dialogues,
        turns=turns,
        models=models,
        minutes=_minutes(plan, calls, connections),
        assumptions=_assumptions(answer),
    )


def _usd(spec: str, calls: int, sent: int, received: int, options: ModelOptions) -> float | None:
    """Priced call by call: some prices rise with the length of a call."""
    each = price_of(parse_spec(spec), Usage(sent // calls, received // calls), options)
    return None if each is None else each * calls


def _reference_tokens(plan: StudyPlan) -> float:
    words = [len(file.concept.reference.split()) for file in plan.concepts]
    return TOKENS_PER_WORD * sum(words) / len(words)


def _minutes(plan: StudyPlan, calls: Counter[str], connections: int) -> float:
    """The slowest model sets the time; a dialogue's own calls follow each other."""
    per_model = [
        _seconds(spec) * number / (1 if is_local(spec) else at_once(spec, connections))
        for spec, number in calls.items()
    ]
    one_dialogue = LAST_TURN * sum(
        _seconds(spec) for spec in (plan.models[0], *(() if plan.interviewer == SCRIPTED else (plan.interviewer,)))
    )
    return max(max(per_model, default=0.0), one_dialogue) / 60


def _seconds(spec: str) -> float:
    if spec.startswith("simulated/"):
        return 0.002
    return LOCAL_SECONDS if is_local(spec) else HOSTED_SECONDS


def _assumptions(answer: int) -> tuple[str, ...]:
    return (
        f"{answer} tokens an answer, {VERDICT_TOKENS} a verdict, {TOKENS_PER_WORD} tokens a word",
        f"{HOSTED_SECONDS:g} s a hosted call, {LOCAL_SECONDS:g} s a local one",
        "five turns a dialogue, no reasoning tokens, no retries; prices as listed, without discounts for cached input",
    )
