"""Judges' replies that could not be used: counted in what is on record, and told while a run goes on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from voirdire.ddft.judging import Jury, verdicts_kind
from voirdire.jury import Decision
from voirdire.records import JudgeTask
from voirdire.runs import Journal, Progress

_BY_DIALOGUE = "dialogue"
MOST_IN_VAIN = 12
"""Times that a judge is asked for a verdict, and mends its replies, without ever giving one."""


class Unusable(NamedTuple):
    """Replies that judges gave in vain."""

    replies: int
    first: str | None
    """The first verdict that is missing for it, with its judge and why; where none is, the first reply that its judge
    was asked to mend, and what was wrong with it."""


NONE_UNUSABLE = Unusable(0, None)


class _Tally(NamedTuple):
    replies: int
    lost: str | None
    """The first verdict that is missing, with its judge and why."""
    mended: str | None
    """The first reply that its judge was asked to mend, and what was wrong with it."""


def unusable_replies(journal: Journal, jury_id: str, granularity: str) -> Unusable:
    """How many replies of a jury's judges could not be used, whether or not a later one mended it.

    Args:
        journal: of the run.
        jury_id: whose judges.
        granularity: "dialogue" where one reply speaks of all turns of a dialogue.
    """
    notes = ((note.dialogue, note.body["verdicts"]) for note in journal.notes((verdicts_kind(jury_id),)))
    tally = _tally(notes, granularity)
    return Unusable(tally.replies, tally.lost or tally.mended)


def judges_in_vain(journal: Journal, jury_id: str, granularity: str) -> list[str]:
    """The judges of a jury who replied, never gave a verdict, and can't be spared: asked again, they stop the run.

    Args:
        journal: of the run.
        jury_id: whose judges.
        granularity: "dialogue" where one reply speaks of all turns of a dialogue.
    """
    spared: set[str] = set()
    in_vain: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for note in journal.notes((verdicts_kind(jury_id),)):
        scored = note.body["consensus"]["unscored"] is None
        place = (note.dialogue, 0 if granularity == _BY_DIALOGUE else note.turn)
        for verdict in note.body["verdicts"]:
            if verdict["missing"] is None or (scored and not verdict["call_failed"]):
                spared.add(verdict["judge"])
            elif not verdict["call_failed"]:
                in_vain[verdict["judge"]].add(place)
    return [judge for judge, places in in_vain.items() if len(places) >= MOST_IN_VAIN and judge not in spared]


def silent_judges(journal: Journal, jury_id: str) -> list[str]:
    """The judges of a jury who never gave a verdict, whyever."""
    verdicts = [each for note in journal.notes((verdicts_kind(jury_id),)) for each in note.body["verdicts"]]
    gave = {each["judge"] for each in verdicts if each["missing"] is None}
    return list(dict.fromkeys(each["judge"] for each in verdicts if each["judge"] not in gave))


class MonitoredJury:
    """A jury whose unusable replies are reported: the first with its reason, all of them as a number.

    A judge who never gives a verdict stops the run, before all of it is paid for in vain, unless the others give
    answers a score without it.
    """

    def __init__(
        self, jury: Jury, progress: Progress, granularity: str, stop: Callable[[str], None], advice: str
    ) -> None:
        """Watch a jury.

        Args:
            jury: who decides.
            progress: who is told.
            granularity: "dialogue" where one reply speaks of all turns of a dialogue.
            stop: called with why no further call is to be made.
            advice: what to do then, in a sentence.
        """
        self._jury = jury
        self._progress = progress
        self._granularity = granularity
        self._stop = stop
        self._advice = advice
        self._has_warned = False
        self._in_vain: Counter[str] = Counter()
        self._useful: set[str] = set()
        self._spared: set[str] = set()
        self._named: set[str] = set()

    @property
    def jury_id(self) -> str:
        """That of the jury."""
        return self._jury.jury_id

    async def decide(self, task: JudgeTask) -> Decision:
        """What the jury decides."""
        decision = await self._jury.decide(task)
        self._report([decision])
        return decision

    async def decide_dialogue(self, tasks: Sequence[JudgeTask]) -> list[Decision]:
        """What the jury decides of a dialogue."""
        decisions = await self._jury.decide_dialogue(tasks)
        self._report(decisions)
        return decisions

    def _report(self, decisions: Sequence[Decision]) -> None:
        self._weigh_in_vain(decisions if self._granularity != _BY_DIALOGUE else decisions[:1])
        tally = _tally((("", decision.body()["verdicts"]) for decision in decisions), self._granularity)
        if not tally.replies:
            return
        self._progress.replies_unusable(tally.replies)
        if tally.lost is not None and not self._has_warned:
            self._has_warned = True
            self._progress.say(f"A judge's replies can't be used. {tally.lost}.")

    def _weigh_in_vain(self, decisions: Sequence[Decision]) -> None:
        """Stop for a judge who never gives a verdict, or say that the others decide."""
        for decision in decisions:
            for verdict in decision.verdicts:
                if verdict.missing is None:
                    self._useful.add(verdict.judge)
                elif not verdict.call_failed:
                    self._in_vain[verdict.judge] += 1
                    if decision.consensus.unscored is None:
                        self._spared.add(verdict.judge)
        for judge, times in self._in_vain.items():
            if times < MOST_IN_VAIN or judge in self._useful | self._named:
                continue
            self._named.add(judge)
            if judge in self._spared:
                self._progress.say(f"No verdict of {judge} can be used: the other judges decide.")
            else:
                self._stop(f"No verdict of {judge} can be used, and no answer gets a score without one. {self._advice}")


def _tally(turns: Iterable[tuple[str, Sequence[Mapping[str, Any]]]], granularity: str) -> _Tally:
    """Count in the verdicts on turns, each with its dialogue."""
    replies: dict[tuple[str, int, str], int] = {}
    lost = repaired = None
    for number, (dialogue, verdicts) in enumerate(turns):
        for verdict, count in _unusable_counts(verdicts):
            place = (dialogue, 0 if granularity == _BY_DIALOGUE else number, str(verdict["judge"]))
            replies[place] = max(replies.get(place, 0), count)
            if lost is None and verdict["missing"] is not None and not verdict["call_failed"]:
                lost = f"{verdict['judge']}: {verdict['missing']}"
            if repaired is None and verdict.get("fault") is not None:
                repaired = f"{verdict['judge']}: {verdict['fault']} (asked again)"
    return _Tally(sum(replies.values()), lost, repaired)


def _unusable_counts(verdicts: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Each verdict that took replies in vain, and how many: those that were mended, and the last one of a missing."""
    for verdict in verdicts:
        replies = verdict["repairs"] + (verdict["missing"] is not None and not verdict["call_failed"])
        if replies:
            yield verdict, replies
