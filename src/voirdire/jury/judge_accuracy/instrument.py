"""Runs of `jury bench`, described for the rest of the package: verifying one reads its verdicts again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.data.rows import text_lines
from voirdire.instruments import Finding, Instrument
from voirdire.jury import JuryRules, LLMJudge, open_jury
from voirdire.records import CallFailure, JudgeTask, Reply, Request, Slot
from voirdire.runs import RunFolder, run_blocking
from voirdire.text.counting import counted

_RECORD = "verdicts.jsonl"
_LONGEST = 1_000_000
_VERDICT_FIELDS = ("far", "sas", "no_claims", "stance", "justification", "repairs")


class _Replies:
    """Answers every question as the journal has it."""

    def __init__(self, folder: RunFolder) -> None:
        self._known: dict[Slot, Reply] = {each.slot: each.reply for each in folder.journal.replies()}
        self.turns = {(slot.dialogue, slot.turn) for slot in self._known}
        """What the judge was asked about, and answered."""

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        """The recorded reply to this question."""
        return self._known.get(request.slot) or CallFailure("unexpected", "the journal has no reply to it", 1)


def _findings(folder: RunFolder) -> Iterator[Finding]:
    path = folder.path / _RECORD
    replies = _Replies(folder)
    lines = [json.loads(line) for _, line in text_lines(path, _LONGEST)] if path.is_file() else []
    expected = set() if "redacted" in folder.manifest else replies.turns  # a copy never has this file
    missing = sorted(expected - {_dialogue_and_turn(line["turn"]) for line in lines})
    if missing:
        turns = counted(len(missing), "turn that the judge answered has", "turns that the judge answered have")
        first = f"first {missing[0][0]!r}, turn {missing[0][1]}; the same bench adds them"
        yield Finding(_RECORD, "differs", f"{turns} no verdict in it, {first}")
    elif not lines:
        yield Finding(_RECORD, "note", "nothing has been judged yet, or it is gone; the same bench makes it again")
    if lines:
        yield _compare(replies, folder.manifest["judge"], lines)


def _compare(replies: _Replies, spec: str, lines: Sequence[Mapping[str, Any]]) -> Finding:
    (judge,) = open_jury([spec], replies, JuryRules()).judges
    if not isinstance(judge, LLMJudge):
        verdicts = counted(len(lines), "verdict")
        message = f"{verdicts} of a judge that reads the answers, which the run does not keep: not compared"
        return Finding(_RECORD, "note", message)
    own = {line["turn"]: line["verdict"] for line in lines if line["judge"] == judge.name}
    given = {turn: verdict for turn, verdict in own.items() if verdict["missing"] is None}
    wrong = [turn for turn, verdict in given.items() if _fields(verdict) != _fields(as_object(_reread(judge, turn)))]
    if wrong:
        some = f"{len(wrong):,} of {counted(len(given), 'verdict')}"
        message = f"{some} {'is' if len(wrong) == 1 else 'are'} not what the journal's replies say, first on {wrong[0]}"
        return Finding(_RECORD, "differs", message)
    return Finding(_RECORD, "ok", f"{counted(len(given), 'verdict')}, each as the journal's replies say it")


def _reread(judge: LLMJudge, turn: str) -> Any:
    """The verdict that the journal's replies give; what was shown is no part of reading them."""
    _, concept, level, _ = json.loads(turn)
    task = JudgeTask(*_dialogue_and_turn(turn), concept, "", "", None, level)
    return run_blocking(judge.judge(task))


def _dialogue_and_turn(turn: str) -> tuple[str, int]:
    """The dialogue and the number of a turn, as its calls are named in the journal."""
    model, concept, level, number = json.loads(turn)
    return f"{model}/{concept}/{level:g}", number


def _fields(verdict: Mapping[str, Any]) -> list[Any]:
    return [verdict[name] for name in _VERDICT_FIELDS]


INSTRUMENT = Instrument(
    name="jury-bench",
    contents="a benchmark of a judge",
    findings=_findings,
    no_report="voirdire jury bench shows what it found",
)
