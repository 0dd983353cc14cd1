"""A judge that is a language model and writes structured verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from voirdire.jury.rubric import dialogue_requests, judge_requests, parts, repair_request
from voirdire.jury.settings import JuryRules
from voirdire.jury.structured_replies import Asks, Missing, ParseFault, all_missing, settle
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
        asked = zip(parts(self._rules), requests, strict=True)
        said = await asyncio.gather(*(self._part(request, task, part) for part, request in asked))
        return _merged(self.name, [each.outcome for each in said], said)

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
        asked = zip(requests, sheets, strict=True)
        said = await asyncio.gather(*(self._settle(request, sheet.read) for request, sheet in asked))
        return [
            _merged(
                self.name,
                [_of_turn(task.turn, sheet, each.outcome) for sheet, each in zip(sheets, said, strict=True)],
                said,
            )
            for task in tasks
        ]

    async def _part(self, request: Request, task: JudgeTask, part: Part) -> _Said[ParsedVerdict]:
        def read(text: str) -> ParsedVerdict | ParseFault:
            return parse_verdict(
                text,
                expects_stance=task.trap is not None,
                part=part,
                far_always=self._rules.no_claims == "scored",
            )

        return await self._settle(request, read)

    async def _settle(self, request: Request, read: Callable[[str], T | ParseFault]) -> _Said[T]:
        faults: list[str] = []

        def noted(text: str) -> T | ParseFault:
            found = read(text)
            if isinstance(found, ParseFault):
                faults.append(found.problem)
            return found

        outcome, repairs = await settle(
            self._asker, self._spec, request, noted, repair_request, repairs=self._repairs, who="judge", what="verdict"
        )
        return _Said(outcome, repairs, faults[0] if faults else None)


@dataclass(frozen=True, slots=True)
class _Said(Generic[T]):
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
        for turn, found in parsed.turns.items():
            if isinstance(found, ParsedVerdict):
                self.turns.setdefault(turn, found)
        problems = [
            found.problem
            for turn, found in parsed.turns.items()
            if isinstance(found, ParseFault) and turn not in self.turns
        ]
        return ParseFault("; ".join(problems)) if problems else self


def _of_turn(turn: int, sheet: _Sheet, outcome: _Sheet | Missing) -> ParsedVerdict | Missing:
    """What a call gave of one turn: a reply that was not usable as a whole may have been so of this turn."""
    found = sheet.turns.get(turn)
    if found is not None:
        return found
    return outcome if isinstance(outcome, Missing) else Missing(f"no reply on turn {turn}")


def _merged(judge: str, pieces: Sequence[ParsedVerdict | Missing], said: Sequence[_Said[Any]]) -> Verdict:
    """One verdict from what the calls for it gave."""
    repairs = sum(each.repairs for each in said)
    fault = next((each.fault for each in said if each.fault is not None), None)
    without = [piece for piece in pieces if isinstance(piece, Missing)]
    if without:
        missing = all_missing(without)
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
