"""What happens to time and memory when the input grows tenfold, twice?

    python -m benchmarks.speed.growth [--small] [--only report --only detect] [--keep FOLDER]

Every command runs in a process of its own, on 40, 400 and 4,000 dialogues (two simulated subjects, four concepts, five
levels, repeated), 60, 600 and 6,000 answers of eight sentences, or the published study's turns with 8, 80 and 800
concepts. Seconds and memory include the start of Python and all imports, which is most of the smallest size. The
exponent is that of the CPU seconds: 1 is growth in step with the input, 2 is quadratic. Nothing is called: judges and
labeller are scripted and answer at once, in the same process.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks._machine import machine, versions
from benchmarks._table import table
from benchmarks.speed._answers import write_answers

TENFOLD = (1, 10, 100)
HEAD = ("command", "input", "wall s", "CPU s", "peak MB", "CPU ratio", "exponent")
DIALOGUES, ANSWERS, TURNS = 40, 60, 1_800
SUBJECTS = ("simulated/steady", "simulated/fading?question=0.3")
CONCEPTS = "recursion,derivative,phoneme,impressionism"
JUDGES = ("noise=0.1&name=a", "noise=0.1&leniency=0.1&name=b", "noise=0.2&name=c")
JURY = ",".join(f"json:simulated/judge?{judge}" for judge in JUDGES)
CLI = (sys.executable, "-m", "voirdire")
SCRIPTED = (sys.executable, "-m", "benchmarks.speed._scripted")


class Took(NamedTuple):
    """What one process took."""

    wall: float
    cpu: float
    """Seconds, of all its threads."""
    megabytes: float
    """Its peak."""


@dataclass(frozen=True, slots=True)
class Work:
    """A command whose input grows."""

    name: str
    unit: str
    smallest: int
    """Units of its smallest input."""
    command: Callable[[Path, int], Sequence[str]]
    """Of the folder for everything, and how many times the smallest input."""


def _run(folder: Path, times: int) -> Sequence[str]:
    subjects = [part for subject in SUBJECTS for part in ("--model", subject)]
    out = str(folder / f"run-{times}")
    return (*CLI, "run", *subjects, "--concepts", CONCEPTS, "--samples", str(times), "-o", out)


def _score(folder: Path, times: int) -> Sequence[str]:
    scored = folder / f"scored-{times}"
    shutil.rmtree(scored, ignore_errors=True)
    shutil.copytree(_done(folder, _RUN, times), scored)
    return (*CLI, "score", str(scored), "--jury", JURY)


def _report(folder: Path, times: int) -> Sequence[str]:
    return (*CLI, "report", *_scored(folder, times), "-o", str(folder / f"report-{times}.html"))


def _compare(folder: Path, times: int) -> Sequence[str]:
    return (*CLI, "compare", *_scored(folder, times))


def _compare_dialogues(folder: Path, times: int) -> Sequence[str]:
    return (*_compare(folder, times), "--unit", "dialogue")


def _reliability(folder: Path, times: int) -> Sequence[str]:
    return (*CLI, "jury", "reliability", *_scored(folder, times))


def _label(folder: Path, times: int) -> Sequence[str]:
    out = folder / f"labels-{times}"
    shutil.rmtree(out, ignore_errors=True)
    return (*SCRIPTED, "label", _answers(folder, times), "--labeller", "scripted/labeller", "-o", str(out))


def _detect(folder: Path, times: int) -> Sequence[str]:
    return (*CLI, "detect", _answers(folder, times), "-o", str(folder / f"flagged-{times}.jsonl"))


def _replicate(folder: Path, times: int) -> Sequence[str]:
    program = "import sys; from benchmarks.speed.growth import replicate_grown; replicate_grown(int(sys.argv[1]))"
    return (sys.executable, "-c", program, str(times))


_RUN, _SCORED = "run", "scored"
WORKS = (
    Work("run, reference panel", "dialogues", DIALOGUES, _run),
    Work("score, three judges", "dialogues", DIALOGUES, _score),
    Work("report", "dialogues", DIALOGUES, _report),
    Work("compare", "dialogues", DIALOGUES, _compare),
    Work("compare --unit dialogue", "dialogues", DIALOGUES, _compare_dialogues),
    Work("jury reliability", "dialogues", DIALOGUES, _reliability),
    Work("ddft replicate", "turns", TURNS, _replicate),
    Work("label", "answers", ANSWERS, _label),
    Work("detect (lexical)", "answers", ANSWERS, _detect),
)


def replicate_grown(times: int) -> None:
    """Recompute the published study from a table of so many times as many concepts."""
    import pandas as pd

    from voirdire.ddft.published import published_turns
    from voirdire.papers.ddft.replication import replicate

    turns = published_turns()
    copies = [turns.assign(concept=turns["concept"] + f" {copy}") for copy in range(times)]
    replicate(pd.concat(copies, ignore_index=True))


def _done(folder: Path, kind: str, times: int) -> Path:
    """The run of an earlier work; made, unmeasured, where that work was left out."""
    made = folder / f"{kind}-{times}"
    if not (made / "verdicts.parquet").is_file():
        measured((_run if kind == _RUN else _score)(folder, times))
    return made


def _scored(folder: Path, times: int) -> Sequence[str]:
    """A run judged by three judges, and the option that names their jury."""
    import pandas as pd

    run = _done(folder, _SCORED, times)
    jury = pd.read_parquet(run / "verdicts.parquet", columns=["jury", "judge"]).groupby("jury")["judge"].nunique()
    return str(run), "--jury", str(jury.idxmax())


def _answers(folder: Path, times: int) -> str:
    path = folder / f"answers-{times}.jsonl"
    if not path.is_file():
        write_answers(path, ANSWERS * times)
    return str(path)


def measured(command: Sequence[str]) -> Took:
    """Run a command to its end.

    Raises:
        SystemExit: it failed.
    """
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        process = subprocess.Popen(command, stdout=said, stderr=said, cwd=Path(__file__).parents[2])
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)} failed:\n{said.read().decode(errors='replace')[-2000:]}")
    return Took(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _rows(work: Work, folder: Path, sizes: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """A line for each size, shown as a sign of life while the others run."""
    before = None
    for times in sizes:
        took = measured(work.command(folder, times))
        size = f"{work.smallest * times:,} {work.unit}"
        print(f"{work.name}, {size}: {took.wall:.1f} s", file=sys.stderr, flush=True)
        ratio = None if before is None else took.cpu / before.cpu
        grown = ("", "") if ratio is None else (f"{ratio:.2f}", f"{math.log10(ratio):.2f}")
        yield work.name, size, f"{took.wall:.1f}", f"{took.cpu:.1f}", f"{took.megabytes:.0f}", *grown
        before = took


def main() -> None:
    """Print a line for every command and size."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--small", action="store_true", help="only one growth, of the two")
    options.add_argument("--only", action="append", metavar="NAME", help="works whose name has this; repeatable")
    options.add_argument("--keep", type=Path, metavar="FOLDER", help="keep what is made here, and use what is there")
    asked = options.parse_args()
    chosen = [work for work in WORKS if not asked.only or any(name in work.name for name in asked.only)]
    print(
        f"{machine()}\n{versions('voirdire', 'numpy', 'pandas', 'vl-convert-python')}; load {os.getloadavg()[0]:.1f}\n"
    )
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        rows = [row for work in chosen for row in _rows(work, folder, TENFOLD[:2] if asked.small else TENFOLD)]
    print(f"\n{table(HEAD, rows)}")


if __name__ == "__main__":
    main()
