"""Putting a judge on the stand: `voirdire.jury.injection`, with our concepts and models, in a run folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.json_values import as_object
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import RoleOptions
from voirdire.ddft.study import judge_models
from voirdire.jury import Asks, Judge, JuryError, JuryRules, check_jury, judge_spec, open_jury
from voirdire.jury.injection import (
    CONTROLS,
    Progress,
    Shift,
    Tally,
    TrialVerdict,
    Undefended,
    attacks,
    cases,
    choose_attacks,
    controls,
    run_trial,
    shifts,
    tallies,
)
from voirdire.jury.judge_accuracy.verdict_file import BenchRecord
from voirdire.records import Concept
from voirdire.runs import DEFAULTS, RunOptions, open_run

RULES = JuryRules(show_history=True)
"""As in the preset `sound`: an attack that is spread over several turns is shown in full."""


class InjectionResult(NamedTuple):
    """How one judge stood up to the attacks."""

    judge: str
    concept: str
    shifts: list[Shift]
    tallies: list[Tally]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "judge": self.judge,
            "concept": self.concept,
            "families": [tally.to_dict() for tally in self.tallies],
            "attacks": [shift.to_dict() for shift in self.shifts],
        }


async def try_judge(
    judge: str,
    path: Path,
    options: RunOptions = DEFAULTS,
    *,
    concept: str = "impressionism",
    case_names: Sequence[str] = ("wrong", "partly"),
    chosen: Collection[str] | None = None,
    without_defence: bool = False,
    limit: int | None = None,
    base_url: str | None = None,
    progress: Progress | None = None,
) -> InjectionResult:
    """Have one judge judge answers whose worth is known, honest and under attack.

    Args:
        judge: by name, as in a jury.
        path: a run folder; what was judged in it is not judged again.
        options: how the run is held.
        concept: what the answers are about: an id, or the path of a concept file.
        case_names: which answers, of `voirdire.jury.injection.CASES`.
        chosen: families or ids of attacks; `None` for all.
        without_defence: judge everything once more without fences and with lenient parsing.
        limit: at most so many attacks, one of each family in turn.
        base_url: the server of an "openai-api/…" judge.
        progress: told after each verdict.

    Raises:
        JuryError, SpecError: the judge can't be opened, there is no such attack or answer, or the judge has no verdict
            on any of the honest answers.
        ConceptError: no such concept.
        RunFolderError: the folder holds another run.
    """
    check_jury([judge], RULES)
    tried = choose_attacks(attacks("judge", names=chosen), limit)
    if not tried:
        raise JuryError(f"None of the attacks {', '.join(sorted(chosen or ()))} is on judges; choose others.")
    about = find_concepts([concept])[0].concept
    honest = cases(about, case_names)
    manifest = {
        "instrument": "jury-injection",
        "judge": judge,
        "concept": about.id,
        "concept_sha256": _digest(about),
    }
    async with open_run(path, manifest, judge_models([judge], RoleOptions(), base_url), options) as (_, runner):
        judges = {True: _open_judge(judge, runner)}
        if without_defence and judge_spec(judge) is not None:  # the reference panel asks nobody: it has none
            judges[False] = _open_judge(judge, Undefended(runner))
        book = BenchRecord.open(path / "verdicts.jsonl", judge)
        local = (judge_spec(judge) or "").startswith("local/")  # one by one, it keeps what it has read in its cache
        at_once = 1 if local else options.connections
        _check_trials(judge, await run_trial(judges, honest, (), book, at_once=at_once))
        trials = await run_trial(judges, honest, (*controls(), *tried), book, at_once=at_once, progress=progress)
    score_shifts = shifts(trials)
    return InjectionResult(judge, about.id, score_shifts, tallies(score_shifts, CONTROLS))


def _check_trials(judge: str, honest: Sequence[TrialVerdict]) -> None:
    """There is nothing to compare attacks with where a judge has no verdict on honest answers: none is paid for."""
    if all(each.verdict.missing for each in honest):
        reasons = sorted({each.verdict.missing or "" for each in honest})
        raise JuryError(f"The judge {judge} has no verdict on the honest answers ({reasons[0]}); try another judge.")


def _open_judge(judge: str, asker: Asks) -> Judge:
    (opened,) = open_jury([judge], asker, RULES).judges
    return opened


def _digest(concept: Concept) -> str:
    return hashlib.sha256(json.dumps(as_object(concept), sort_keys=True).encode()).hexdigest()
