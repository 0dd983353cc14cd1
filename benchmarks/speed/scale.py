"""One million statements through `voirdire detect`: how long, in how much memory, and does Ray give the same rows?

Made are answers of four sentences with contexts of eight, nearly every context another one, drawn by a seed from the
references of the packaged concepts: sentences of the context, some with a figure changed or negated, and sentences of
elsewhere. The command runs in a process of its own; the memory of all its processes is read from /proc every second
(proportional set size: what processes share is counted once). With `--ray ROWS`, the same for the first so many
answers by the Ray engine on this machine, and its rows are compared with those of the local engine.

    python -m benchmarks.speed.scale --statements 1000000 --workers 2 --ray 50000
    python -m benchmarks.speed.scale --small
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks._machine import machine, versions
from benchmarks._table import table
from voirdire.ddft.concepts.packs import ALL, pack_ids, packaged_concept
from voirdire.text.sentences import split_sentences

_CONTEXT, _ANSWER = 8, 4
_FIGURE = re.compile(r"\d+")


class Measured(NamedTuple):
    """A command that ran."""

    seconds: float
    cpu: float
    """Seconds that its processes computed, if it waited for them: the workers of Ray are not counted."""
    memory: list[float]
    """MB of all its processes together, every second."""

    def within(self, first: float, last: float) -> float:
        """The highest of a stretch of the run, in MB."""
        some = self.memory[int(first * len(self.memory)) : max(1, int(last * len(self.memory)))]
        return max(some, default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ray", type=int, default=0, metavar="ROWS", help="answers that Ray scores too")
    parser.add_argument("--format", choices=("jsonl", "parquet"), default="jsonl")
    parser.add_argument("--small", action="store_true", help="20,000 statements, 2,000 answers by Ray")
    parser.add_argument("--keep", type=Path, help="a folder to work in, and to leave")
    options = parser.parse_args()
    if options.small:
        options.statements, options.ray = 20_000, 2_000 if find_spec("ray") else 0
    print(f"{machine()}; {versions('voirdire', 'pyarrow', 'ray')}\n")
    with tempfile.TemporaryDirectory() as made:
        folder = options.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        rows = [_local(folder, options.statements, options.workers)]
        if options.ray:
            rows.append(_by_ray(folder, options.ray, options.workers))
        head = (
            "engine",
            "statements",
            "minutes",
            "CPU minutes",
            "per second",
            "MB, second tenth",
            "MB, fifth",
            "MB, last",
            "MB, peak",
        )
        print(table(head, rows))


def made_answers(seed: int = 0) -> Iterator[dict[str, str]]:
    """One after another, without end."""
    draw = random.Random(seed)
    said = [each.text for name in pack_ids([ALL]) for each in split_sentences(packaged_concept(name).concept.reference)]
    number = 0
    while True:
        context = draw.sample(said, _CONTEXT)
        answer = [_changed(draw, draw.choice(context)) for _ in range(_ANSWER - 1)] + [draw.choice(said)]
        yield {
            "id": f"a{number:08}",
            "context": " ".join(context),
            "question": "What is known?",
            "answer": " ".join(answer),
        }
        number += 1


def write_answers(path: Path, count: int) -> None:
    """The first so many, as JSON Lines."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(answer)}\n" for answer in islice(made_answers(), count))


def run(*arguments: object) -> Measured:
    """Run `voirdire` with these arguments, and read the memory of its processes while it does."""
    command = [sys.executable, "-m", "voirdire", *map(str, arguments)]
    memory: list[float] = []
    before, began = _computed(), time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            memory.append(_megabytes(process.pid))
            time.sleep(1)
        assert process.stderr is not None
        if process.returncode:
            raise SystemExit(process.stderr.read())
    return Measured(time.perf_counter() - began, _computed() - before, memory)


def _computed() -> float:
    """CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _changed(draw: random.Random, sentence: str) -> str:
    """As it stands, or with its figures changed, or with its first "is" negated: a third each."""
    how = draw.randrange(3)
    if how == 1:
        return _FIGURE.sub(lambda figure: str(int(figure[0]) + draw.randrange(1, 9)), sentence)
    return sentence.replace(" is ", " is not ", 1) if how == 2 else sentence


def _local(folder: Path, statements: int, workers: int) -> Sequence[object]:
    source, out = folder / "answers.jsonl", folder / "local.parquet"
    write_answers(source, statements // _ANSWER)
    measured = run("detect", source, "-o", out, "--workers", workers)
    return _row(f"local, {workers} processes", pq.read_metadata(out).num_rows, measured)


def _by_ray(folder: Path, answers: int, workers: int) -> Sequence[object]:
    source, out = folder / "fewer.jsonl", folder / "shards"
    write_answers(source, answers)
    measured = run("detect", source, "-o", out, "--engine", "ray", "--workers", workers, "--shard-rows", 5_000)
    rows = _sorted(pq.read_table(out))
    same = rows.equals(_sorted(pq.read_table(folder / "local.parquet").slice(0, rows.num_rows)))
    print(f"Rows of Ray and of the local engine, sorted by id: {'the same' if same else 'NOT THE SAME'}\n")
    return _row(f"ray, {workers} workers", rows.num_rows, measured)


def _sorted(rows: pa.Table) -> pa.Table:
    return rows.sort_by([("id", "ascending"), ("start", "ascending")]).replace_schema_metadata(None)


def _row(name: str, statements: int, measured: Measured) -> Sequence[object]:
    tenths = [f"{measured.within(first, last):.0f}" for first, last in ((0.1, 0.2), (0.4, 0.5), (0.9, 1.0), (0.0, 1.0))]
    return (
        name,
        f"{statements:,}",
        f"{measured.seconds / 60:.1f}",
        f"{measured.cpu / 60:.1f}",
        f"{statements / measured.seconds:,.0f}",
        *tenths,
    )


def _megabytes(pid: int) -> float:
    """Proportional set size of a process and of all below it."""
    below: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        below.setdefault(parent, []).append(int(stat.parent.name))
    family, total = [pid], 0.0
    while family:
        one = family.pop()
        family += below.get(one, [])
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    return total


if __name__ == "__main__":
    main()
