"""How many statements a second does each detector score, on one core and on all?

    python -m benchmarks.speed.detectors [DATA] [--detector lexical --detector type] [--networks none]

Every detector scores the same answers once, in a process of its own: what it or another one remembers of them would
flatter a second pass. What it loads late is loaded before.
Without DATA the answers are made of the packaged concepts. Beside them stand the networks of LettuceDetect and
MiniCheck in their real sizes with random weights, where torch, transformers and lettucedetect are installed (`make
test-torch` makes such an environment): they score a few statements only. Printed are the speed by CPU time of one
thread, how many times slower that is than the first detector, and the speed by the clock: of networks on all cores, of
the others on one. The clock's speed means little while something else runs; CPU time means nearly the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks._machine import machine, versions
from benchmarks._table import table
from benchmarks.speed._answers import write_answers
from voirdire.cognibench.formats import read_answers
from voirdire.detectors import Detector, DetectorOptions, Passage, open_detector, passage_of

DEFAULT = ("lexical", "lexical-learned", "type")
PACKAGES = ("voirdire", "numpy", "torch", "transformers", "lettucedetect")
NEEDED = ("torch", "transformers", "tokenizers", "lettucedetect")
WITHOUT_STAGE = "without contradictions"
HEAD = ("statements a second", "parameters", "CPU, one core", "times slower", "by the clock", "statements")


class Speed(NamedTuple):
    """Statements a second."""

    name: str
    core: float
    """By CPU time, on one thread."""
    wall: float
    """By the clock; of a network on all cores."""
    statements: int
    parameters: int | None = None
    """Of a network."""


def speed(detector: Detector, passages: Sequence[Passage]) -> tuple[float, float]:
    """By CPU time and by the clock, of one pass."""
    cpu, clock = time.process_time(), time.perf_counter()
    detector.flag_many(passages)
    statements = _statements(passages)
    return statements / max(time.process_time() - cpu, 1e-9), statements / max(time.perf_counter() - clock, 1e-9)


def plain(label: str, name: str, options: DetectorOptions, passages: Sequence[Passage]) -> Speed:
    """Of a detector that uses one thread, as all do that load no network: on several cores it can run as often."""
    detector = open_detector(name, options)
    detector.flag("The museum opened in 1891. It has 40 rooms.", ["It opened in 1981 and has many rooms."])
    return Speed(label, *speed(detector, passages), _statements(passages))


def versions_of(names: Sequence[str], options: DetectorOptions) -> Iterator[tuple[str, str, DetectorOptions]]:
    """What each is called in the table, its name, its options; lexical ones also without the contradiction stage."""
    for name in names:
        yield name, name, options
        if name.startswith("lexical"):
            without = DetectorOptions(device=options.device, batch_size=options.batch_size, contradiction=False)
            yield f"{name}, {WITHOUT_STAGE}", name, without


def of_networks(passages: Sequence[Passage], wanted: Callable[[str], bool]) -> Iterator[Speed]:
    """Of networks with random weights."""
    import torch

    from benchmarks.speed._networks import networks, tokens_per_word

    texts = sorted({text for passage in passages for text in (passage.context, *passage.sentences)})
    few = passages[:1]
    cores = torch.get_num_threads()
    print(f"Networks: random weights, {tokens_per_word(texts):.2f} tokens a word, torch on {cores} threads at most")
    for name, parameters, detector in networks(texts, wanted):
        torch.set_num_threads(1)
        detector.flag(few[0].context, few[0].sentences[:1])
        core, _ = speed(detector, few)
        torch.set_num_threads(cores)
        _, wall = speed(detector, few)
        found = Speed(name, core, wall, _statements(few), parameters)
        print(f"{name}: {found.core:.2f} statements a second and core", file=sys.stderr, flush=True)
        yield found


def _statements(passages: Sequence[Passage]) -> int:
    return sum(len(passage.sentences) for passage in passages)


def _passages(data: Path | None, answers: int) -> list[Passage]:
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "answers.jsonl"
        if data is None:
            write_answers(made, answers)
        return [passage_of(answer) for answer in read_answers(data or made)]


def _row(each: Speed, first: Speed) -> tuple[str, ...]:
    size = "" if each.parameters is None else f"{each.parameters / 1e6:,.0f} million"
    core, wall = (f"{value:,.0f}" if value >= 10 else f"{value:.2f}" for value in (each.core, each.wall))
    return each.name, size, core, f"{first.core / each.core:,.1f}", wall, f"{each.statements:,}"


def main() -> None:
    """Print a line for every detector."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path, nargs="?", help="answers, labelled or not")
    options.add_argument("--detector", action="append", help="repeatable")
    options.add_argument("--answers", type=int, default=600, help="so many, where they are made")
    options.add_argument("--networks", default="", help="only those whose name has this; none: no network")
    options.add_argument("--device", default="cpu")
    options.add_argument("--batch-size", type=int, default=16)
    options.add_argument("--small", action="store_true", help="a quick look: 60 answers, the smallest network")
    asked = options.parse_args()
    passages = _passages(asked.data, 60 if asked.small else asked.answers)
    how = DetectorOptions(device=asked.device, batch_size=asked.batch_size)
    print(f"{machine()}\n{versions(*PACKAGES)}; load {os.getloadavg()[0]:.1f}")
    print(f"{len(passages):,} answers, {_statements(passages):,} statements")
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        measured = [
            processes.submit(plain, *version, passages) for version in versions_of(asked.detector or DEFAULT, how)
        ]
        found = [each.result() for each in measured]
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(f"Networks are left out: they need {', '.join(missing)}.")
    elif asked.networks != "none":
        some = "ModernBERT-base" if asked.small else asked.networks
        found += of_networks(passages, lambda name: some in name)
    print(f"\n{table(HEAD, [_row(each, found[0]) for each in found])}")


if __name__ == "__main__":
    main()
