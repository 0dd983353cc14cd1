"""How many planted defects the audit of evaluations finds, and how often it cries wolf on clean ones.

    VOIRDIRE_SHARED=… python -m benchmarks.accuracy.planted_defects [--second] [--only CHECK …]
    python -m benchmarks.accuracy.planted_defects --list
    python -m benchmarks.accuracy.planted_defects --write FOLDER

Each plant is a copy of one clean evaluation, in the files of one tool, with one defect. It counts as found when its
check warns or fails for the models that have the defect, and did not for them on the clean evaluation. A false alarm is
a check that warns or fails on a clean evaluation, unless `planted/legitimate.py` says why it is right there. The plants
and the list of right findings were written without a look at the checks.

`--second` runs the plants of the second sitting, `planted/plants/second_sitting.py`.

With --write the files are left in a folder, with a `manifest.json`, for other tests.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks._table import table
from benchmarks.accuracy.planted import auditing, texts
from benchmarks.accuracy.planted.clean import MADE, REAL, Clean, Real
from benchmarks.accuracy.planted.legitimate import LEGITIMATE
from benchmarks.accuracy.planted.plants import PLANTS, SECOND
from benchmarks.accuracy.planted.plants.base import Plant

NEEDS = "published result files (VOIRDIRE_SHARED)"

CLEANS: dict[str, Clean | Real] = {each.name: each for each in (*MADE, *REAL)}


@dataclass(slots=True)
class Outcome:
    """What the audit said of one folder."""

    name: str
    models: tuple[str, ...] = ()
    """Those that have the planted defect (none: all)."""
    checks: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""
    seconds: float = 0.0

    def alarms(self, check: str, models: Sequence[str] = ()) -> bool:
        """Whether a check warns or fails for one of these models."""
        return auditing.alarms({"checks": self.checks}, check, models)


def audited(name: str) -> Outcome:
    """Write one clean evaluation or plant, and audit it."""
    with tempfile.TemporaryDirectory() as folder:
        models = written(name, Path(folder))
        clean = name if name in CLEANS else _PLANTS[name].clean
        begun = time.perf_counter()
        outcome = Outcome(name, models)
        try:
            outcome.checks = auditing.audit_json([Path(folder)], CLEANS[clean].arguments)["checks"]
        except Exception as error:  # an audit that breaks is a miss, and is named
            outcome.error = f"{type(error).__name__}: {error}"
        outcome.seconds = time.perf_counter() - begun
    return outcome


def written(name: str, folder: Path) -> tuple[str, ...]:
    """Write one clean evaluation or plant; the models that have the defect."""
    if name in CLEANS:
        CLEANS[name].write(folder)
        return ()
    return _PLANTS[name].write(folder)


def run(names: Sequence[str], jobs: int) -> Iterator[Outcome]:
    """Audit all, in so many processes, in order."""
    if jobs == 1:
        yield from map(audited, names)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(audited, names, chunksize=4)


def found(plant: Plant, outcomes: dict[str, Outcome]) -> bool:
    """Whether the planted defect was found, and not before it was planted."""
    planted, clean = outcomes[plant.name], outcomes[plant.clean]
    before = clean.error or clean.alarms(plant.check, planted.models)
    return planted.alarms(plant.check, planted.models) and not before


def report(plants: Sequence[Plant], outcomes: dict[str, Outcome]) -> list[dict[str, Any]]:
    """A row per check."""
    rows = []
    for check in dict.fromkeys(plant.check for plant in plants):
        mine = [plant for plant in plants if plant.check == check]
        missed = [plant for plant in mine if not found(plant, outcomes)]
        right = LEGITIMATE.get(check, {})
        clean = [name for name in CLEANS if name in outcomes]
        counted = [name for name in clean if name not in right and not outcomes[name].error]
        false = [name for name in counted if outcomes[name].alarms(check)]
        rows.append(
            {
                "check": check,
                "planted": len(mine),
                "found": len(mine) - len(missed),
                "clean": len(counted),
                "false alarms": len(false),
                "missed": [plant.name for plant in missed],
                "alarmed": false,
                "right": [name for name in right if name in outcomes and outcomes[name].alarms(check)],
                "found before": [p.name for p in missed if outcomes[p.clean].alarms(check, outcomes[p.name].models)],
            }
        )
    return rows


def show(rows: Sequence[dict[str, Any]], outcomes: dict[str, Outcome]) -> str:
    """The table, what was missed, the false alarms and the errors."""
    head = ("check", "found", "planted", "%", "false alarms", "clean logs", "%")
    cells = []
    for row in rows:
        caught = f"{100 * row['found'] / row['planted']:.0f}"
        false = f"{100 * row['false alarms'] / max(1, row['clean']):.0f}"
        cells.append((row["check"], row["found"], row["planted"], caught, row["false alarms"], row["clean"], false))
    sums = [sum(row[name] for row in rows) for name in ("found", "planted", "false alarms", "clean")]
    cells.append(
        (
            "all",
            *sums[:2],
            f"{100 * sums[0] / max(1, sums[1]):.1f}",
            *sums[2:],
            f"{100 * sums[2] / max(1, sums[3]):.1f}",
        )
    )
    parts = [table(head, cells)]
    for title, key in (
        ("Missed", "missed"),
        ("False alarms", "alarmed"),
        ("Missed, as the clean log has it", "found before"),
    ):
        lines = [f"  {row['check']}: {', '.join(row[key])}" for row in rows if row[key]]
        parts.append("\n".join([f"{title}:", *(lines or ["  none"])]))
    broken = defaultdict(list)
    for name, outcome in outcomes.items():
        if outcome.error:
            broken[outcome.error].append(name)
    lines = [f"  {len(names)} ({', '.join(names[:5])}): {error}" for error, names in broken.items()]
    parts.append("\n".join(["Audits that ended in an error:", *(lines or ["  none"])]))
    return "\n\n".join(parts)


def manifest(plants: Sequence[Plant]) -> list[dict[str, Any]]:
    """What is planted where."""
    return [
        {"name": each.name, "check": each.check, "kind": each.kind, "clean": each.clean, "format": each.format}
        for each in plants
    ]


def write_all(plants: Sequence[Plant], folder: Path) -> None:
    """Leave all files in a folder: `clean/NAME`, `planted/CHECK/KIND/CLEAN`, and the manifest."""
    for name, clean in CLEANS.items():
        clean.write(folder / "clean" / name)
    rows = manifest(plants)
    for row, plant in zip(rows, plants, strict=True):
        row["models"] = list(plant.write(folder / "planted" / plant.name))
    clean_rows = {name: {"format": each.format, "arguments": list(each.arguments)} for name, each in CLEANS.items()}
    made = {"plants": rows, "clean": clean_rows, "legitimate": LEGITIMATE}
    (folder / "manifest.json").write_text(json.dumps(made, indent=1), encoding="utf-8")


def chosen(only: Sequence[str], *, small: bool, second: bool = False) -> list[Plant]:
    """The plants of some checks, or all; a quick look takes two of each check."""
    picked = [plant for plant in (SECOND if second else PLANTS) if not only or plant.check in only]
    if not small:
        return picked
    seen: dict[str, list[Plant]] = defaultdict(list)
    for plant in picked:
        seen[plant.check].append(plant)
    return [plant for plants in seen.values() for plant in (plants[0], plants[-1])]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", default=[], metavar="CHECK", help="the plants of these checks")
    options.add_argument("--second", action="store_true", help="the plants of the second sitting")
    options.add_argument("--small", action="store_true", help="two plants of each check")
    options.add_argument("--list", action="store_true", help="print the plants and run nothing")
    options.add_argument("--write", type=Path, metavar="FOLDER", help="write all files there and run nothing")
    options.add_argument("--jobs", type=int, default=2, help="processes (2)")
    options.add_argument("--json", type=Path, help="write the rows there")
    asked = options.parse_args()
    plants = chosen(asked.only, small=asked.small, second=asked.second)
    if asked.list:
        print(table(("plant", "format"), [(plant.name, plant.format) for plant in plants]))
        return 0
    if not (texts.shared() / "evals").is_dir():
        print(
            f"There are no published results in {texts.shared()}: set VOIRDIRE_SHARED to the folder that holds data/."
        )
        return 1
    if asked.write and asked.write.exists() and any(asked.write.iterdir()):
        print(f"{asked.write} is not empty: name a new folder.")
        return 1
    if asked.write:
        write_all(plants, asked.write)
        return 0
    begun = time.perf_counter()
    part = asked.only or asked.small or asked.second
    clean = list(dict.fromkeys(plant.clean for plant in plants)) if part else list(CLEANS)
    names = [*clean, *(plant.name for plant in plants)]
    outcomes = {}
    for number, outcome in enumerate(run(names, asked.jobs), 1):
        outcomes[outcome.name] = outcome
        if number % 20 == 0:
            print(f"{number} of {len(names)}, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    rows = report(plants, outcomes)
    print(show(rows, outcomes))
    print(f"\n{len(plants)} plants and {len(clean)} clean evaluations in {time.perf_counter() - begun:.0f} s")
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0


_PLANTS = {plant.name: plant for plant in (*PLANTS, *SECOND)}

if __name__ == "__main__":
    sys.exit(main())
