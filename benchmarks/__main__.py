"""The benchmarks of voirdire: what was measured, measured again.

    python -m benchmarks list
    python -m benchmarks efficiency overhead -o results.md
    python -m benchmarks all --small
    python -m benchmarks contradictions -- labelled.jsonl

Each runs in a process of its own and prints a table. What stands after "--" is given to the benchmarks as it is. With
-o all is written to a file: Markdown, or JSON with the figures as data where its name ends in .json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from benchmarks._discovery import FOLDER, Done, Entry, entries, pick, run
from benchmarks._machine import machine, versions

PACKAGES = ("voirdire", "numpy", "pandas", "duckdb", "pydantic-ai-slim", "openai", "inspect-ai", "deepeval")


def listing(known: Sequence[Entry]) -> str:
    """Names, what each asks, and what it needs."""
    width = max(len(entry.name) for entry in known)
    lines = []
    for entry in known:
        lines.append(f"{entry.name.ljust(width)}  {entry.about}")
        if entry.needs:
            lines.append(f"{' ' * width}  (needs {entry.needs}; not part of all)")
    return "\n".join(lines)


def markdown(circumstances: dict[str, str], done: Sequence[Done]) -> str:
    """Everything that was printed, under headings."""
    parts = ["# Benchmarks", "\n".join(f"- {name}: {value}" for name, value in circumstances.items())]
    for each in done:
        parts.append(f"## {each.name}")
        parts.append(f"`python -m {' '.join((each.module, *each.arguments))}`, {each.seconds:.0f} s")
        if each.status:
            parts.append(f"It failed with status {each.status}.")
        parts.append(f"```text\n{each.output.strip()}\n```")
    return "\n\n".join(parts) + "\n"


def data(circumstances: dict[str, str], done: Sequence[Done]) -> str:
    """The same as JSON."""
    results = [asdict(each) | {"rows": json.loads(each.rows) if each.rows else None} for each in done]
    return json.dumps({**circumstances, "results": results}, indent=1)


def circumstances() -> dict[str, str]:
    """When, where, on what, and how busy that was already."""
    head = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=FOLDER, capture_output=True, text=True)
    found = {"date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC", "machine": machine(), "versions": versions(*PACKAGES)}
    found["load at the start"] = f"{os.getloadavg()[0]:.1f}"
    return found | ({"commit": head.stdout.strip()} if head.returncode == 0 else {})


def main() -> int:
    given, passed = _parted(sys.argv[1:])
    options = argparse.ArgumentParser(
        "python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("names", nargs="+", help="list, all, or names; a part that several begin with means all those")
    options.add_argument("--small", action="store_true", help="a quick look")
    options.add_argument("-o", "--out", type=Path, help="write the results there: .md or .json")
    asked = options.parse_args(given)
    if asked.names == ["list"]:
        print(listing(entries()))
        return 0
    try:
        picked = pick(asked.names)
    except ValueError as error:
        options.error(str(error))
    found = circumstances()
    if asked.out:
        asked.out.parent.mkdir(parents=True, exist_ok=True)
    print("\n".join(f"{name}: {value}" for name, value in found.items()))
    done = []
    for entry in picked:
        print(f"\n=== {entry.name}: {entry.about}\n", flush=True)
        done.append(run(entry, passed, small=asked.small))
        if asked.out:  # after each, so that an interrupted suite leaves what it had
            made = data(found, done) if asked.out.suffix == ".json" else markdown(found, done)
            asked.out.write_text(made, encoding="utf-8")
    failed = [each.name for each in done if each.status]
    print(f"\n{len(done) - len(failed)} of {len(done)} ran" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def _parted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """What is ours, and what stands after "--"."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


if __name__ == "__main__":
    sys.exit(main())
