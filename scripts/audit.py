"""What is known against our code and the packages it stands on: bandit over src/, pip-audit over locks/.

Every finding of bandit must be explained: beside its line, behind ruff's mark for the same rule (`# noqa: S608 - why`),
or below, for a whole rule. Every advisory against a locked package must be explained below. What is not explained
ends in exit code 1. `make audit` runs both, `make check` what concerns the code; pip-audit asks the package index.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]

RULES = {
    "B105": "words that look like the names of secrets ('pass' is a check's status, 'token' a piece of text)",
    "B403": "importing a module runs nothing; each use has a finding of its own",
    "B404": "importing a module runs nothing; each use has a finding of its own",
    "B405": "XML is only written with it, or read back where we have just drawn it ourselves",
    "B615": "the user names the model to load; only safetensors are read, and never a model's own code",
}
"""Rules of bandit whose findings all have the same answer."""

ADVISORIES: dict[str, str] = {}
"""Advisories against locked packages that do not touch us, each with the reason."""

_PIN = re.compile(r"^[A-Za-z0-9._-]+==[^ ;]+", re.MULTILINE)
_REASON = re.compile(r"#\s*noqa:\s*(?P<rules>S\d+(?:,\s*S\d+)*)\s*(?:-|\(|#)\s*\w")


def main() -> int:
    """Audit code and packages, or what is named; print what was found, and say whether all of it is explained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", default=[*_AUDITS], help=f"{' or '.join(_AUDITS)}; both by default")
    left = [problem for what in parser.parse_args().what for problem in _AUDITS[what]()]
    for problem in left:
        print(f"Not explained: {problem}")
    print("Everything found is explained." if not left else f"{len(left)} findings are not explained.")
    return 1 if left else 0


def _code() -> list[str]:
    done = _tool("-m", "bandit", "--quiet", "--recursive", "src", "--format", "json")
    found = json.loads(done)["results"]
    left = [finding for finding in found if not _explained(finding)]
    by_rule = sum(finding["test_id"] in RULES for finding in found)
    beside = len(found) - by_rule - len(left)
    print(f"bandit: {len(found)} findings, {beside} explained beside their line, {by_rule} by their rule.")
    return [f"{each['test_id']} {each['filename']}:{each['line_number']} {each['issue_text']}" for each in left]


def _explained(finding: dict[str, Any]) -> bool:
    """Whether its rule is, or one of the lines it is about has a mark with a reason."""
    if finding["test_id"] in RULES:
        return True
    lines = (ROOT / str(finding["filename"])).read_text(encoding="utf-8").splitlines()
    first, last = min(finding["line_range"]), max(finding["line_range"])
    wanted = str(finding["test_id"]).replace("B", "S")
    marks = (_REASON.search(line) for line in lines[max(first - 2, 0) : last + 1])
    return any(mark is not None and wanted in mark["rules"] for mark in marks)


def _packages() -> list[str]:
    """Advisories against what the locks name."""
    left: set[str] = set()
    asked: set[str] = set()
    unknown: set[str] = set()
    for lock in sorted((ROOT / "locks").glob("*.txt")):
        pins = set(_PIN.findall(lock.read_text(encoding="utf-8"))) - asked
        asked |= pins
        for package in _advised(pins):
            name = f"{package['name']} {package.get('version', '')}".strip()
            if "skip_reason" in package:
                unknown.add(name)
            left |= {
                f"{advisory['id']} of {name} ({lock.name}), mended in: {', '.join(advisory['fix_versions']) or 'none'}"
                for advisory in package.get("vulns", [])
                if not {advisory["id"], *advisory["aliases"]} & ADVISORIES.keys()
            }
    print(f"pip-audit: {len(asked)} versions of packages, {len(asked) - len(unknown)} of them known to this index.")
    if unknown:
        print(f"Not known here, being neither the newest nor on a page of their own: {', '.join(sorted(unknown))}.")
    return sorted(left)


def _advised(pins: set[str]) -> list[dict[str, Any]]:
    """What pip-audit says of each."""
    if not pins:
        return []
    by_name = {pin.partition("==")[0]: pin for pin in sorted(pins)}
    chosen, others = set(by_name.values()), pins - {*by_name.values()}  # pip-audit takes one version of each at a time
    with TemporaryDirectory() as folder:
        wanted = Path(folder) / "pins.txt"
        wanted.write_text("\n".join(sorted(chosen)), encoding="utf-8")
        asked = (
            "--requirement",
            str(wanted),
            "--no-deps",
            "--disable-pip",
            "--format",
            "json",
            "--progress-spinner=off",
        )
        found: list[dict[str, Any]] = json.loads(_tool("scripts/pip_audit_by_project.py", *asked))["dependencies"]
    return [*found, *_advised(others)]


def _tool(*arguments: str) -> str:
    """What a tool prints; its exit code only says whether there are findings."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)  # noqa: S603 - fixed arguments
    if not done.stdout.strip():
        raise SystemExit(f"{arguments} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


_AUDITS: dict[str, Callable[[], list[str]]] = {"code": _code, "packages": _packages}

if __name__ == "__main__":
    sys.exit(main())
