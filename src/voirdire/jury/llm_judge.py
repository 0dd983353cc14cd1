"""A judge that is a language model and writes structured verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from voirdire.jury.rubric import dialogue_requests, judge_requests, parts, repair_request
from voirdire.jury.settings import JuryRules
from voirdire.jury.structured_replies import Asks, Missing, ParseFault, ask_until_parsed, join_missing
from voirdire.jury.verdict_parsing import ParsedVerdict, Part, parse_dialogue, parse_verdict
from voirdire.records import JudgeTask, Request, Verdict

T = TypeVar("T")


class LLMJudge:
    """Asks one model for structured verdicts, and to mend those that can't be used.

    A refusal, a failed call, a reply cut at the limit, or a reply that is still no verdict after the last repair makes
    the verdict missing. Nothing is ever scored in its place.
    """

    def __init__(self, asker: Asks, spec: str, rules: JuryRules, name: str | None = None, repairs: int = 2) -> None:
        self.name = name or spec
        self._asker = asker
        self._spec = spec
        self._rules = rules
        self._repairs = repairs

    async def judge(self, task: JudgeTask) -> Verdict:
        """The verdict on one turn. Under separate calls both must succeed.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        requests = judge_requests(task, self._rules, self.name)
        calls = zip(parts(self._rules), requests, strict=True)
        results = await asyncio.gather(*(self._part(request, task, part) for part, request in calls))
        return _merge(self.name, [each.outcome for each in results], results)

    async def judge_dialogue(self, tasks: Sequence[JudgeTask]) -> list[Verdict]:
        """Verdicts on several turns of one dialogue, in one structured call (two where FAR and SAS are separate).

        Each turn is missing separately: what was usable in an earlier reply stands, a repair fills in the rest. The
        `repairs` of the call are written to each of its verdicts. Simulated judges follow one scene and are asked turn
        by turn.
        """
        if self._spec.startswith("simulated/"):
            return [await self.judge(task) for task in tasks]
        requests = dialogue_requests(tasks, self._rules, self.name)
        sheets = [_Sheet(tasks, part, self._rules) for part in parts(self._rules)]
        calls = zip(requests, sheets, strict=True)
        results = await asyncio.gather(*(self._ask(request, sheet.read) for request, sheet in calls))
        return [
            _merge(
                self.name,
                [_verdict_on_turn(task.turn, sheet, each.outcome) for sheet, each in zip(sheets, results, strict=True)],
                results,
            )
            for task in tasks
        ]

    async def _part(self, request: Request, task: JudgeTask, part: Part) -> _CallResult[ParsedVerdict]:
        def read(text: str) -> ParsedVerdict | ParseFault:
            return parse_verdict(
                text,
                expects_stance=task.trap is not None,
                part=part,
                far_always=self._rules.no_claims == "scored",
            )

        return await self._ask(request, read)

    async def _ask(self, request: Request, read: Callable[[str], T | ParseFault]) -> _CallResult[T]:
        faults: list[str] = []

        def parse(text: str) -> T | ParseFault:
            parsed = read(text)
            if isinstance(parsed, ParseFault):
                faults.append(parsed.problem)
            return parsed

        outcome, repairs = await ask_until_parsed(
            self._asker, self._spec, request, parse, repair_request, repairs=self._repairs, who="judge", what="verdict"
        )
        return _CallResult(outcome, repairs, faults[0] if faults else None)


@dataclass(frozen=True, slots=True)
class _CallResult(Generic[T]):
    """What a call gave in the end."""

    outcome: T | Missing
    repairs: int
    fault: str | None
    """What was wrong with its first reply."""


class _Sheet:
    """What the replies to one call on several turns have settled so far, by turn."""

    def __init__(self, tasks: Sequence[JudgeTask], part: Part, rules: JuryRules) -> None:
        self.turns: dict[int, ParsedVerdict] = {}
        self._expected = [task.turn for task in tasks]
        self._stance_turns = [task.turn for task in tasks if task.trap is not None]
        self._part: Part = part
        self._far_always = rules.no_claims == "scored"

    def read(self, text: str) -> _Sheet | ParseFault:
        """Take what is usable from a reply; a fault as long as a turn is open."""
        parsed = parse_dialogue(
            text,
            turns=self._expected,
            stance_turns=self._stance_turns,
            part=self._part,
            far_always=self._far_always,
        )
        if isinstance(parsed, ParseFault):
            return parsed
        for turn, verdict in parsed.turns.items():
            if isinstance(verdict, ParsedVerdict):
                self.turns.setdefault(turn, verdict)
        problems = [
            verdict.problem
            for turn, verdict in parsed.turns.items()
            if isinstance(verdict, ParseFault) and turn not in self.turns
        ]
        return ParseFault("; ".join(problems)) if problems else self


def _verdict_on_turn(turn: int, sheet: _Sheet, outcome: _Sheet | Missing) -> ParsedVerdict | Missing:
    """What a call gave of one turn: a reply that was not usable as a whole may have been so of this turn."""
    verdict = sheet.turns.get(turn)
    if verdict is not None:
        return verdict
    return outcome if isinstance(outcome, Missing) else Missing(f"no reply on turn {turn}")


def _merge(judge: str, pieces: Sequence[ParsedVerdict | Missing], results: Sequence[_CallResult[Any]]) -> Verdict:
    """One verdict from what the calls for it gave."""
    repairs = sum(each.repairs for each in results)
    fault = next((each.fault for each in results if each.fault is not None), None)
    without = [piece for piece in pieces if isinstance(piece, Missing)]
    if without:
        missing = join_missing(without)
        return Verdict(
            judge, None, None, missing=missing.why, call_failed=missing.call_failed, repairs=repairs, fault=fault
        )
    parsed = [piece for piece in pieces if isinstance(piece, ParsedVerdict)]
    return Verdict(
        judge,
        far=next((piece.far for piece in parsed if piece.far is not None), None),
        sas=next((piece.sas for piece in parsed if piece.sas is not None), None),
        no_claims=any(piece.no_claims for piece in parsed),
        stance=next((piece.stance for piece in parsed if piece.stance is not None), None),
        justification="\n".join(piece.justification for piece in parsed),
        repairs=repairs,
        fault=fault,
    )
