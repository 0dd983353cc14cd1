"""What `pip install voirdire` weighs: python scripts/base_weight.py [--limit MB].

The installed files of the base's requirements and of theirs are summed, extras left out, compiled modules counted in.
Nothing is downloaded: what this environment has is what is measured. `du -sm` of a new environment gives about 48 MB
more, which are pip's, setuptools' and those of blocks that are not full.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LIMIT = 302
"""MB, so that a new environment stays below 350 (docs/design.md, section 4)."""
_SOURCES = Path(__file__).parents[1] / "src"
"""It is installed from there, so that its list of files is empty."""
_COMPILED = 2.5
"""Bytes of a Python module with its compiled form, over those of its source."""


def main() -> None:
    """Print each package's share, the largest first; fail beyond the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="MB")
    limit = parser.parse_args().limit
    sizes = {name: size_of(each) / 2**20 for name, each in closure("voirdire").items()}
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        print(f"{size:8.1f}  {name}")
    total = sum(sizes.values())
    print(f"{total:8.1f}  MB in {len(sizes)} packages; at most {limit:g}")
    if total > limit:
        sys.exit(f"The base weighs {total:.0f} MB, more than {limit:g}: move what not everybody needs into an extra.")


def closure(root: str) -> dict[str, Distribution]:
    """The package and all that it needs without extras, by name."""
    found: dict[str, Distribution] = {}
    waiting = [(root, frozenset[str]())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for another Python or system
        waiting += [need for text in found[name].requires or [] if (need := _needed(text, extras)) is not None]
    return found


def size_of(package: Distribution) -> int:
    """Bytes of a package's files, with what Python compiles of them; of this one, those of its sources."""
    own = package.metadata["Name"] == "voirdire"
    files = _SOURCES.rglob("*") if own else (Path(str(file.locate())) for file in package.files or ())
    total = 0.0
    for path in files:
        if ".pyc" not in path.suffix and path.is_file():
            total += path.stat().st_size * (_COMPILED if path.suffix == ".py" else 1)
    return int(total)


def _needed(text: str, extras: frozenset[str]) -> tuple[str, frozenset[str]] | None:
    """The package that a requirement names, and its extras; `None` where the requirement does not count here."""
    requirement, _, marker = text.partition(";")
    wanted = re.findall(r"""extra\s*==\s*["']([^"']+)["']""", marker)
    if wanted and not extras & set(wanted):
        return None
    match = re.match(r"\s*([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?", requirement)
    if match is None:
        return None
    more = frozenset(each.strip() for each in (match[2] or "").split(",") if each.strip())
    return re.sub(r"[-_.]+", "-", match[1]).lower(), more


if __name__ == "__main__":
    main()
