"""`voirdire audit` on a whole leaderboard: how long does it take, and how much memory?

Made is a folder of result files in AlpacaEval's layout, one a model, by repeating published annotations under new
names; in a repeated model every output has a word of its own in front, so that no two are the same text. A second
file has fewer models as a long table without outputs. Each is audited by a process of its own.

    VOIRDIRE_SHARED=../shared python -m benchmarks.speed.audit_many --models 150 --bare-models 20
    VOIRDIRE_SHARED=../shared python -m benchmarks.speed.audit_many --small
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks._machine import machine
from benchmarks._table import table

NEEDS = "published result files (VOIRDIRE_SHARED)"

_JUDGE = "weighted_alpaca_eval_gpt4_turbo"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=150, help="with outputs")
    parser.add_argument("--bare-models", type=int, default=20, help="without outputs")
    parser.add_argument("--small", action="store_true", help="5 and 3 models")
    asked = parser.parse_args()
    models, bare = (5, 3) if asked.small else (asked.models, asked.bare_models)
    published = Path(os.environ["VOIRDIRE_SHARED"]) / "data" / "evals" / "alpacaeval"
    print(machine())
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        rows = [  # the smaller first: the memory is the highest of all audits so far
            ("without outputs", bare, *_measured(_without_outputs(folder / "bare.csv", published, bare))),
            ("with outputs", models, *_measured(_with_outputs(folder / "outputs", published, models))),
        ]
    print(table(("", "models", "MB of files", "seconds", "CPU-seconds", "MB of memory"), rows))


def _with_outputs(folder: Path, published: Path, models: int) -> Path:
    """One file a model: a list of annotations with the instruction and both outputs."""
    folder.mkdir()
    items = {item["item"]: item for item in _lines(published / "items.jsonl.gz")}
    for number, source in enumerate(_sources(published, models)):
        name = f"model-{number:03}"
        annotations = [
            {
                "instruction": items[row["item"]]["instruction"],
                "dataset": items[row["item"]]["dataset"],
                "generator_1": row["baseline"],
                "output_1": items[row["item"]]["baselines"][row["baseline"]],
                "generator_2": name,
                "output_2": f"{name}: {row['output']}",
                "annotator": row["judge"],
                "preference": row["preference"],
            }
            for row in _lines(source)
        ]
        (folder / f"{name}.json").write_text(json.dumps(annotations))
    return folder


def _without_outputs(path: Path, published: Path, models: int) -> Path:
    """A long table: item, model, score, data set."""
    items = {item["item"]: item for item in _lines(published / "items.jsonl.gz")}
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("item", "model", "score", "cluster"))
        for number, source in enumerate(_sources(published, models)):
            for row in _lines(source):
                score = "" if row["preference"] is None else row["preference"] - 1
                writer.writerow((row["item"], f"model-{number:03}", score, items[row["item"]]["dataset"]))
    return path


def _sources(published: Path, models: int) -> list[Path]:
    return list(islice(cycle(sorted(published.glob(f"*.{_JUDGE}.jsonl.gz"))), models))


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _measured(path: Path) -> tuple[str, ...]:
    """MB of the files, seconds, CPU-seconds and the highest resident MB of one audit."""
    size = sum(file.stat().st_size for file in (path.rglob("*") if path.is_dir() else (path,)))
    command = [sys.executable, "-m", "voirdire", "audit", str(path), "-o", str(path.parent / f"{path.name}.html")]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    after, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - started
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return tuple(f"{figure:.1f}" for figure in (size / 1e6, seconds, cpu, after.ru_maxrss / 1e3))


if __name__ == "__main__":
    main()
