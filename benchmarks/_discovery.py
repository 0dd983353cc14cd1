"""Which benchmarks there are: every module here without an underscore, and what it says of itself.

A module may say `SMALL = ("--runs", "3")`, its arguments for a quick look where it does not know --small, and
`NEEDS = "playwright and Chromium"`, what it can't run without: then it is no part of "all".
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FIRST = ("efficiency", "overhead", "overhead_memory", "growth", "analysis", "detectors")


@dataclass(frozen=True, slots=True)
class Entry:
    """One benchmark: a module that prints what it measured."""

    name: str
    module: str
    """What `python -m` runs."""
    about: str
    """The first line of its docstring."""
    small: tuple[str, ...]
    """Arguments for a quick look."""
    rows: bool
    """Whether it writes its rows with --json PATH."""
    needs: str = ""
    """What it can't run without, where it is no part of "all"."""


@dataclass(frozen=True, slots=True)
class Done:
    """A benchmark that was run."""

    name: str
    module: str
    arguments: tuple[str, ...]
    seconds: float
    status: int
    output: str
    """What it printed."""
    rows: str = ""
    """The same as JSON, where it gives that."""


def programs() -> list[Path]:
    """The files of all of them: `speed/`, `statistics/`, `accuracy/`, and what is none of these."""
    return sorted((*FOLDER.glob("[a-z]*.py"), *FOLDER.glob("*/[a-z]*.py")), key=lambda path: path.stem)


def entries() -> list[Entry]:
    """All of them, those of the whole program first."""
    found = {path.stem: _entry(path) for path in programs()}
    first = [found.pop(name) for name in FIRST if name in found]
    return [*first, *found.values()]


def pick(names: Sequence[str]) -> list[Entry]:
    """The entries of these names: "all", a name, or what several names begin with ("overhead").

    Raises:
        ValueError: there is no such benchmark.
    """
    known = entries()
    picked: list[Entry] = []
    for name in names:
        if name == "all":
            chosen = [entry for entry in known if not entry.needs]
        else:
            chosen = [entry for entry in known if entry.name == name or entry.name.startswith(f"{name}_")]
        if not chosen:
            raise ValueError(f"There is no benchmark {name!r}; `python -m benchmarks list` names them.")
        picked += [entry for entry in chosen if entry not in picked]
    return picked


def run(entry: Entry, arguments: Sequence[str], *, small: bool) -> Done:
    """Run one in a process of its own, and show what it prints as it comes."""
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.json"
        given = (*(entry.small if small else ()), *arguments)
        command = [sys.executable, "-m", entry.module, *given]
        command += ["--json", str(rows)] if entry.rows else []
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        printed = []
        for line in process.stdout:
            print(line, end="", flush=True)
            printed.append(line)
        status = process.wait()
        written = rows.read_text(encoding="utf-8") if rows.exists() else ""
    return Done(entry.name, entry.module, given, time.perf_counter() - begun, status, "".join(printed), written)


def _entry(path: Path) -> Entry:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    about = (ast.get_docstring(tree) or "").partition("\n")[0]
    said = _constants(tree)
    small = said.get("SMALL", ("--small",) if '"--small"' in source else ())
    module = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
    return Entry(path.stem, module, about, small, '"--json", type=Path' in source, said.get("NEEDS", ""))


def _constants(tree: ast.Module) -> dict[str, Any]:
    """What a module says of itself, read without importing what it measures."""
    found: dict[str, Any] = {}
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name("NEEDS" | "SMALL" as name)], value=value):
                found[name] = ast.literal_eval(value)
    return found
