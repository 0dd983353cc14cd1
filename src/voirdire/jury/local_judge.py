"""A judge that reads its scores from the first-token probabilities of a small local model.

What it is worth: with Qwen2.5-Coder-1.5B-Instruct the method separates right from wrong with an AUC of 0.95 to 1.00 on
40 toy questions, but of only 0.64 on 170 real CogniBench statements, where plain word novelty reaches 0.93
(docs/design.md, section 4). It does lower its score for 89 to 93 % of changed numbers and negations.

Each question is short and ends the prompt; everything before it is the same for all questions on one turn, and its
beginning for all turns on one concept, so that a server's prompt cache has most of it. The dialogue's earlier turns are
not shown, whatever the rules say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voirdire.jury._compose import block, joined
from voirdire.jury.llm_judge import Asks
from voirdire.jury.rubric import scene_of
from voirdire.jury.rules import JuryError, JuryRules
from voirdire.records import (
    STANCES,
    CallFailure,
    Fenced,
    JudgeTask,
    Message,
    Reply,
    Request,
    Settings,
    Slot,
    Stance,
    Verdict,
)

WORTH = (
    "The local judge is a small model and weak: on 40 toy questions it separated right from wrong with an AUC of "
    "0.95 to 1.00, on 170 real statements with 0.64. Use its scores for trying things out, not for conclusions."
)

MAX_ANSWER = 1500
"""Characters of an answer that this judge reads; what comes after is left out, and the justification says so."""

MIN_MASS = 0.2
"""Least total probability of the expected tokens. Below it, the model was not answering the question."""

_ALTERNATIVES = 20
_DIGITS = {str(digit): digit / 9 for digit in range(10)}
_LETTERS: dict[str, Stance] = dict(zip("abc", STANCES, strict=True))
_AT_CHANCE = re.compile(r"smol-?lm-?2|gemma.*270m")


class _PartMissing(Exception):
    """Carries the reason why one of the questions has no usable reply."""


@dataclass(frozen=True, slots=True)
class FirstToken:
    """Probabilities of the expected first tokens, renormalised to sum to 1, and the mass they had before."""

    probabilities: Mapping[str, float]
    mass: float

    def expected(self, values: Mapping[str, float]) -> float:
        """The expected value, each token standing for a number."""
        return sum(probability * values[token] for token, probability in self.probabilities.items())


def check_judge_spec(spec: str) -> None:
    """Refuse models that are known to judge no better than chance.

    Raises:
        JuryError: the spec names SmolLM2 or Gemma-270M.
    """
    if _AT_CHANCE.search(spec.lower()):
        raise JuryError(
            f"{spec!r} must not judge: SmolLM2 and Gemma-270M score answers no better than chance; "
            "use the jury 'reference', 'local/qwen2.5-coder-1.5b', or a larger model."
        )


def read_first_token(logprobs: Sequence[tuple[str, float]], expected: Sequence[str]) -> FirstToken | None:
    """What the alternatives of a first token say about the expected ones.

    Spaces around a token and its case do not matter ("Yes", " yes" count together).

    Args:
        logprobs: (token, natural-log probability) pairs.
        expected: lower-case tokens.

    Returns:
        `None` when the expected tokens have less than `MIN_MASS` in all: that answers another question, or none.
    """
    masses = dict.fromkeys(expected, 0.0)
    for token, logprob in logprobs:
        plain = token.strip().lower()
        if plain in masses:
            masses[plain] += math.exp(min(logprob, 0.0))  # a probability, whatever the server sent
    mass = sum(masses.values())
    if not mass >= MIN_MASS:
        return None
    return FirstToken({token: share / mass for token, share in masses.items()}, mass)


class LocalJudge:
    """Asks for one digit, word or letter at a time, and takes the expectation over the model's alternatives.

    FAR and SAS are the expected digit over 9, `no_claims` is a probability of "No" above one half, the stance is the
    most probable letter. FAR is not asked where there are no claims and the rules leave such answers out. One question
    without a usable reply makes the whole verdict missing.
    """

    def __init__(self, asker: Asks, spec: str, rules: JuryRules | None = None, name: str | None = None) -> None:
        """Set up the judge.

        Raises:
            JuryError: this model must not judge (see `check_judge_spec`).
        """
        check_judge_spec(spec)
        self.name = name or spec
        self._asker = asker
        self._spec = spec
        self._rules = rules or JuryRules()

    async def judge(self, task: JudgeTask) -> Verdict:
        """The verdict on one turn; the questions are asked one after the other, for the cache's sake."""
        try:
            claims = await self._ask(task, "claims", ("yes", "no"))
            no_claims = claims.probabilities["no"] > 0.5
            scored = not no_claims or self._rules.no_claims == "scored"
            far = await self._ask(task, "far", tuple(_DIGITS)) if scored else None
            sas = await self._ask(task, "sas", tuple(_DIGITS))
            stance = await self._ask(task, "stance", tuple(_LETTERS)) if task.trap else None
        except _PartMissing as reason:
            return Verdict(self.name, far=None, sas=None, missing=str(reason))
        return Verdict(
            self.name,
            far=None if far is None else _score(far),
            sas=_score(sas),
            no_claims=no_claims,
            stance=None if stance is None else _stance(stance),
            justification=_justification(task, {"claims": claims, "far": far, "sas": sas, "stance": stance}),
        )

    async def _ask(self, task: JudgeTask, part: str, expected: Sequence[str]) -> FirstToken:
        reply = await self._asker.ask(self._spec, local_request(task, part, self.name))
        if isinstance(reply, CallFailure):
            raise _PartMissing(f"{part}: the call failed ({reply.kind}): {reply.message}")
        return _read(reply, part, expected)


def local_request(task: JudgeTask, part: str, judge_name: str) -> Request:
    """The call that asks one question ("claims", "far", "sas" or "stance") about a turn.

    All questions on a turn share one slot (their messages tell the calls apart): the marks of the fences come from the
    slot, and other marks would throw the server's cache of question and answer away.
    """
    values = {"item": task.trap.item} if part == "stance" and task.trap else {}
    evidence = block(
        "judge_exchange",
        question=Fenced("question", task.question),
        answer=Fenced("answer", task.answer[:MAX_ANSWER]),
    )
    blocks = [
        block("local_judge", concept=task.concept, reference=task.reference or "(No reference is given.)"),
        evidence,
        block(f"local_judge_{part}", **values),
    ]
    return Request(
        slot=Slot(task.dialogue, task.turn, "judge", agent=judge_name),
        messages=(
            Message("system", block("local_judge", "system", concept="", reference="")),
            Message("user", joined(blocks)),
        ),
        settings=Settings(max_tokens=1, temperature=0.0, logprobs=_ALTERNATIVES),
        scene=scene_of(task),
    )


def _read(reply: Reply, part: str, expected: Sequence[str]) -> FirstToken:
    if reply.finish_reason == "refusal":
        raise _PartMissing(f"{part}: the judge refused to judge")
    if not reply.logprobs:
        raise _PartMissing(f"{part}: the model gave no log-probabilities, which this judge needs")
    found = read_first_token(reply.logprobs, expected)
    if found is None:
        raise _PartMissing(f"{part}: the expected tokens have a probability below {MIN_MASS} in all")
    return found


def _score(digits: FirstToken) -> float:
    return min(1.0, max(0.0, digits.expected(_DIGITS)))


def _stance(letters: FirstToken) -> Stance:
    ranked = sorted(letters.probabilities.items(), key=lambda pair: -pair[1])
    return "questioned" if ranked[0][1] == ranked[1][1] else _LETTERS[ranked[0][0]]


def _justification(task: JudgeTask, read: Mapping[str, FirstToken | None]) -> str:
    masses = ", ".join(f"{part} {found.mass:.2f}" for part, found in read.items() if found is not None)
    said = f"Read from first-token probabilities (mass of the expected tokens: {masses})."
    if len(task.answer) > MAX_ANSWER:
        said += f" Judged on the first {MAX_ANSWER} of {len(task.answer)} characters."
    return said
