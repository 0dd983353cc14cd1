"""Runs in many states, small ones, each made as a user would make it."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from tests.cli.here import voirdire
from tests.cli.test_finite import write_turns
from tests.support import refuser
from tests.support.fake_batches import control, start_fake_batches, stats
from voirdire.ddft.session import score_run
from voirdire.models import Pace
from voirdire.runs import Interrupted, RunOptions

JUDGE, HOSTED = "simulated/judge", "openai-api/judge"
CONCEPTS = "recursion,phoneme,derivative"  # with fewer than three there are no intervals
SMALL = ("--preset", "lite", "--concepts", CONCEPTS, "--levels", "0,1", "--seed", "7")
ONE, TWO = ("-m", "simulated/fading"), ("-m", "simulated/fading", "-m", "simulated/steady")
STOPPED = 3

Jury = str | None


def _run(path: Path, *options: str, jury: str = JUDGE, ended: int = 0) -> None:
    done = voirdire("run", *options, "--jury", jury, "-o", path, check=False)
    assert done.returncode == ended, done.stderr


def _held(*options: str, jury: str = JUDGE, ended: int = 0) -> Callable[[Path], Jury]:
    def make(path: Path) -> Jury:
        _run(path, *options, jury=jury, ended=ended)
        return None

    return make


def _imported(**shape: object) -> Callable[[Path], Jury]:
    def make(path: Path) -> Jury:
        turns = path.with_suffix(".jsonl")
        write_turns(turns, **shape)
        voirdire("ddft", "import", turns, "-o", path)
        return None

    return make


def _two_juries(theirs: bool) -> Callable[[Path], Jury]:
    """Judged by two juries; looked at under the one that it was held with, or under the other."""

    def make(path: Path) -> Jury:
        _run(path, *TWO, *SMALL)
        voirdire("score", path, "--jury", f"{JUDGE}?leniency=0.3")
        juries = list(json.loads(voirdire("show", path, "--json").stdout)["other_juries"])
        return juries[0] if theirs else None

    return make


def _silent(path: Path) -> Jury:
    refuser.register_refuser()
    _run(path, "-m", refuser.SUBJECT, "-m", "simulated/steady", *SMALL, jury=refuser.JUDGE)
    return None


def _one_judge_missing(path: Path) -> Jury:
    refuser.register_refuser()
    _run(path, *TWO, *SMALL, jury=f"{JUDGE},{refuser.NEARLY_MUTE}", ended=STOPPED)
    return None


def _batch_pending(path: Path) -> Jury:
    """Judged by one jury, and interrupted while a batch with the answers is at another one's provider."""
    _run(path, *TWO, *SMALL)

    async def interrupted(root: str) -> None:
        options = RunOptions(batch=Pace(quiet=0.05, first=0.02, most=0.1))
        judging = asyncio.create_task(score_run(path, (HOSTED,), base_url=f"{root}/v1", options=options))
        while not stats(root)["batches"] and not judging.done():
            await asyncio.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)
        await judging

    with start_fake_batches() as root:
        control(root, hold=True)
        with suppress(Interrupted):
            asyncio.run(interrupted(root))
        assert len(stats(root)["batches"]) == 1
    return None


def _gone_on_with(path: Path) -> Jury:
    _run(path, *TWO, *SMALL, "--max-calls", "45", ended=STOPPED)
    _run(path, *TWO, *SMALL)
    return None


SITUATIONS: Mapping[str, Callable[[Path], Jury]] = {
    "finished": _held(*TWO, *SMALL),
    "one model": _held(*ONE, *SMALL),
    "one level": _held(*ONE, *SMALL, "--levels", "0.5"),
    "one concept": _held(*TWO, *SMALL, "--concepts", "recursion"),
    "two samples": _held(*ONE, *SMALL, "--samples", "2"),
    "no trap": _held(*ONE, *SMALL, "--trap", "none"),
    "traps of one kind": _held(*ONE, *SMALL, "--trap", "expert"),
    "as-run": _held(*TWO, "--preset", "as-run", "--concepts", CONCEPTS, "--levels", "0,1"),
    "published": _held(*ONE, "--preset", "published", "--concepts", CONCEPTS, "--levels", "0,1"),
    "whole dialogues judged": _held(*ONE, *SMALL, "--granularity", "dialogue"),
    "the reference panel": _held(*ONE, *SMALL, jury="reference"),
    "three judges": _held(*ONE, *SMALL, jury=f"{JUDGE},simulated/noisy,simulated/lenient"),
    "one judge missing": _one_judge_missing,
    "batch pending": _batch_pending,
    "two juries, its own": _two_juries(theirs=False),
    "two juries, the other": _two_juries(theirs=True),
    "stopped early": _held(*TWO, *SMALL, "--max-calls", "45", ended=STOPPED),
    "stopped late": _held(*TWO, *SMALL, "--max-calls", "105", ended=STOPPED),
    "gone on with": _gone_on_with,
    "narrow enough": _held(*ONE, "--preset", "lite", "--levels", "0,1", "--stop-when", "ER±0.4"),
    "seldom answers": _held("-m", "simulated/asking", "-m", "simulated/gullible", *SMALL),
    "always refuses": _silent,
    "the same twice": _held("-m", "simulated/steady", "-m", "simulated/steady?name=twin", *SMALL),
    "imported": _imported(),
    "imported, one judge": _imported(judges=("ann",)),
    "imported, no accuracy": _imported(far=lambda *_: None),
    "imported, unscored": _imported(score=lambda *_: None, answer=""),
    "imported, all right": _imported(score=lambda *_: 1.0),
    "imported, all wrong": _imported(score=lambda *_: 0.0),
}
