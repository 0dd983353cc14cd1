"""Putting a judge on the stand: its verdicts on honest answers, and on the same answers under attack."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, zip_longest
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from voirdire.jury.injection.attacks import Attack
from voirdire.jury.injection.cases import Case
from voirdire.jury.judge_accuracy.verdict_file import BenchRecord
from voirdire.records import Verdict

if TYPE_CHECKING:
    from voirdire.jury.panel import Judge

Progress = Callable[[int, int], None]
"""Told after each verdict: verdicts there are, verdicts in all."""


class TrialVerdict(NamedTuple):
    """One verdict of a judge on the stand."""

    case: Case
    attack: Attack | None
    """`None`: the honest answer."""
    defended: bool
    verdict: Verdict
    seconds: float


def choose_attacks(attacks: Sequence[Attack], limit: int | None) -> tuple[Attack, ...]:
    """At most `limit` attacks, one of each family in turn; all of them without a limit."""
    if limit is None:
        return tuple(attacks)
    by_family: dict[str, list[Attack]] = {}
    for attack in attacks:
        by_family.setdefault(attack.family, []).append(attack)
    in_turn = chain.from_iterable(zip_longest(*by_family.values()))
    return tuple(attack for attack in in_turn if attack is not None)[:limit]


async def run_trial(
    judges: Mapping[bool, Judge],
    cases: Sequence[Case],
    attacks: Sequence[Attack],
    book: BenchRecord,
    *,
    at_once: int = 1,
    progress: Progress | None = None,
) -> list[TrialVerdict]:
    """Have the judge judge every case, honest and under every attack.

    Args:
        judges: the judge with its defences (True), and without them (False) where that is wanted.
        cases: honest answers.
        attacks: what is done to each of them.
        book: verdicts there are already, which are not asked for again; new ones are written to it at once.
        at_once: verdicts under way at a time.
        progress: told after each verdict.

    Raises:
        Exception: only what the judges' asker raises to stop the whole run.
    """
    wanted = [(case, attack, with_it) for case in cases for attack in (None, *attacks) for with_it in judges]
    names = [_name(*each) for each in wanted]
    free = asyncio.Semaphore(at_once)
    done = 0

    async def one(name: str, case: Case, attack: Attack | None, with_it: bool) -> None:
        nonlocal done
        async with free:
            if name not in book:
                started = perf_counter()
                verdict = await judges[with_it].judge(case.attacked(attack))
                book.add(name, verdict, perf_counter() - started)
        done += 1
        if progress:
            progress(done, len(wanted))

    calls = (one(name, *each) for name, each in zip(names, wanted, strict=True))
    for outcome in await asyncio.gather(*calls, return_exceptions=True):  # a stop waits for what is under way
        if outcome is not None:
            raise outcome
    return [TrialVerdict(*each, *book[name]) for name, each in zip(names, wanted, strict=True)]


def _name(case: Case, attack: Attack | None, defended: bool) -> str:
    """What a verdict is kept under: with a hash of what was judged, so that no other text takes it for its own."""
    task = case.attacked(attack)
    judged = hashlib.sha256(json.dumps([task.question, task.answer, task.history]).encode()).hexdigest()[:16]
    return json.dumps([case.name, attack.id if attack else None, defended, judged])
