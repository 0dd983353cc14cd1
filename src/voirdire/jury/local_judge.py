"""A judge that reads its scores from the first-token probabilities of a small local model.

It asks for FAR and for SAS with one yes-or-no question each; the score is the probability of Yes among Yes and No. That
orders answers more than it measures them. In a small trial with Qwen2.5-Coder-1.5B (right and wrong answers about
Impressionism, reference shown) it was 0.55 to 0.67 for right and 0.10 to 0.17 for wrong answers; the expectation of a
digit from 0 to 9, over 9, was 0.60 to 0.65 and 0.49 to 0.57, too close together to be of use.

What such a model can't tell is not asked of it. Whether an answer makes any claim, and how it takes a fabrication, is
read by the rules of the reference panel: in the same trial false answers were often said to state nothing, and the most
probable letter for a stance was "rejected" for all of ten replies, whatever they said. A correct rejection has FAR 1
(docs/design.md, section 5). A larger model can be asked for whole verdicts instead (`json:local/PATH.gguf`).

What it is worth: with Qwen2.5-Coder-1.5B-Instruct the method separates right from wrong with an AUC of 0.95 to 1.00 on
40 toy questions, but of only 0.64 on 170 real CogniBench statements, where plain word novelty reaches 0.93
(docs/design.md, section 4). It does lower its score for 89 to 93 % of changed numbers and negations.

Each question is short and ends the prompt; everything before it is the same for both questions on a turn, and its
beginning for all turns on a concept, so that a server's prompt cache has most of it. The dialogue's earlier turns, the
level and the number of the turn are not shown, whatever the rules say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from voirdire.jury.prompt_blocks import block, joined
from voirdire.jury.rubric import kind_blocks, scene_of
from voirdire.jury.settings import JuryError, JuryRules
from voirdire.jury.structured_replies import Asks, Missing, failed
from voirdire.records import CallFailure, Fenced, JudgeTask, Message, Request, Settings, Slot, Verdict

WORTH = (
    "The local judge is a small model and weak: on 40 toy questions it separated right from wrong with an AUC of "
    "0.95 to 1.00, on 170 real statements with 0.64, and on the turns of the published study its FAR even runs "
    "against that of the published jury (rho -0.36). Stances and answers without claims are read by the reference "
    "panel's rules. Use its scores for trying things out, not for conclusions; the documentation says more under "
    '"How good are the offline judges?".'
)

MAX_ANSWER = 1500
"""Characters of an answer that this judge reads; what comes after is left out, and the justification says so."""

MIN_MASS = 0.2
"""Least total probability of the expected tokens. Below it, the model was not answering the question."""

Scale = Literal["far", "sas"]
SCALES: tuple[Scale, ...] = ("far", "sas")

_EVIDENCE = "local_judge_evidence"
_ALTERNATIVES = 20
_AT_CHANCE = re.compile(r"smol-?lm-?2|gemma.*270m")


class _Unread(Exception):
    """One of the questions has no usable reply."""

    def __init__(self, scale: Scale, missing: Missing) -> None:
        self.missing = replace(missing, why=f"{scale}: {missing.why}")


@dataclass(frozen=True, slots=True)
class FirstToken:
    """Probabilities of the expected first tokens, renormalised to sum to 1, and the mass they had before."""

    probabilities: Mapping[str, float]
    mass: float


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
    if not mass >= MIN_MASS:  # also when it is NaN
        return None
    return FirstToken({token: share / mass for token, share in masses.items()}, mass)


class LocalJudge:
    """Scores FAR and SAS by a small model's first token; stance and claims by the reference panel's rules.

    FAR is not asked after a correct rejection (it is 1), nor where there are no claims and the rules leave such answers
    out. One question without a usable reply makes the whole verdict missing.
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
        """The verdict on one turn; the questions are asked one after the other, for the cache's sake.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        from voirdire.jury.reference_panel import judge

        by_rules = judge.judge(task)
        try:
            far = await self._far(task, by_rules)
            sas = await self._ask(task, "sas")
        except _Unread as reason:
            return Verdict(self.name, None, None, missing=reason.missing.why, call_failed=reason.missing.call_failed)
        return Verdict(
            self.name,
            far=far,
            sas=sas,
            no_claims=by_rules.no_claims,
            stance=by_rules.stance,
            justification=_justification(task),
        )

    async def _far(self, task: JudgeTask, by_rules: Verdict) -> float | None:
        if by_rules.stance == "rejected":
            return 1.0
        if by_rules.no_claims and self._rules.no_claims == "null":
            return None
        return await self._ask(task, "far")

    async def _ask(self, task: JudgeTask, scale: Scale) -> float:
        reply = await self._asker.ask(self._spec, local_request(task, scale, self.name))
        if isinstance(reply, CallFailure):
            raise _Unread(scale, failed(reply))
        if reply.finish_reason == "refusal":
            raise _Unread(scale, Missing("the judge refused"))
        if not reply.logprobs:
            raise _Unread(scale, Missing("the model gave no log-probabilities, which this judge needs"))
        first_token = read_first_token(reply.logprobs, ("yes", "no"))
        if first_token is None:
            raise _Unread(scale, Missing(f"Yes and No have a probability below {MIN_MASS} together"))
        return first_token.probabilities["yes"]


def local_request(task: JudgeTask, scale: Scale, judge_name: str) -> Request:
    """The call that asks one question about a turn.

    Both questions share one slot (their messages tell the calls apart): the marks of the fences come from the slot, and
    other marks would throw the server's cache of question and answer away.
    """
    texts: dict[str, str | Fenced] = {
        "concept": task.concept,
        "reference": _reference(task),
        "question": Fenced("question", task.question),
        "answer": Fenced("answer", task.answer[:MAX_ANSWER]),
    }
    evidence, question = block("local_judge", **texts), block(f"local_judge_{scale}")
    return Request(
        slot=Slot(task.dialogue, task.turn, "judge", agent=judge_name),
        messages=(
            Message("system", joined((block("local_judge", "system", **texts), block(_EVIDENCE, "system")), gap=" ")),
            Message("user", joined((evidence, question), gap="\n")),
        ),
        settings=Settings(max_tokens=1, temperature=0.0, logprobs=_ALTERNATIVES),
        scene=scene_of(task),
    )


def _reference(task: JudgeTask) -> str:
    """The reference, and what its kind means for judging."""
    given = task.reference or "(none: go by what you know)"
    notes = [part for part in joined(kind_blocks(task)) if isinstance(part, str)]
    return "\n\n".join([given, *notes])


def _justification(task: JudgeTask) -> str:
    text = "Scores read from first-token probabilities; claims and stance by the reference panel's rules."
    if len(task.answer) > MAX_ANSWER:
        text += f" The scores rest on the first {MAX_ANSWER} of {len(task.answer)} characters."
    return text
