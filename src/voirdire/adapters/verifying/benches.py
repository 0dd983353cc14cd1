"""Runs of `jury bench`: each verdict on record, read again from the judge's replies in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from voirdire.adapters.verifying.instruments import Instrument
from voirdire.adapters.verifying.records import Finding
from voirdire.data.rows import text_lines
from voirdire.jury import JuryRules, LLMJudge, open_jury
from voirdire.records import CallFailure, JudgeTask, Reply, Request, Slot
from voirdire.run import RunFolder, run_blocking

_RECORD = "verdicts.jsonl"
_LONGEST = 1_000_000
_SAID = ("far", "sas", "no_claims", "stance", "justification", "repairs")


class _Replies:
    """Answers every question as the journal has it."""

    def __init__(self, folder: RunFolder) -> None:
        self._known: dict[Slot, Reply] = {each.slot: each.reply for each in folder.journal.replies()}

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        """The recorded reply to this question."""
        return self._known.get(request.slot) or CallFailure("unexpected", "the journal has no reply to it", 1)


def _beside(folder: RunFolder) -> Iterator[Finding]:
    path = folder.path / _RECORD
    if not path.is_file():
        yield Finding(_RECORD, "note", "nothing has been judged yet, or it is gone; the same bench makes it again")
        return
    (judge,) = open_jury([folder.manifest["judge"]], _Replies(folder), JuryRules()).judges
    lines = [json.loads(line) for _, line in text_lines(path, _LONGEST)]
    if not isinstance(judge, LLMJudge):
        said = f"{len(lines):,} verdicts of a judge that reads the answers, which the run does not keep: not compared"
        yield Finding(_RECORD, "note", said)
        return
    own = {line["turn"]: line["verdict"] for line in lines if line["judge"] == judge.name}
    given = {turn: verdict for turn, verdict in own.items() if verdict["missing"] is None}
    wrong = [turn for turn, verdict in given.items() if _said(verdict) != _said(asdict(_again(judge, turn)))]
    if wrong:
        said = f"{len(wrong):,} of {len(given):,} verdicts are not what the journal's replies say, first on {wrong[0]}"
        yield Finding(_RECORD, "differs", said)
    else:
        yield Finding(_RECORD, "ok", f"{len(given):,} verdicts, each as the journal's replies say it")


def _again(judge: LLMJudge, turn: str) -> Any:
    """The verdict that the journal's replies give; what was shown is no part of reading them."""
    model, concept, level, number = json.loads(turn)
    task = JudgeTask(f"{model}/{concept}/{level:g}", number, concept, "", "", None, level)
    return run_blocking(judge.judge(task))


def _said(verdict: Mapping[str, Any]) -> list[Any]:
    return [verdict[name] for name in _SAID]


INSTRUMENT = Instrument(beside=_beside)
