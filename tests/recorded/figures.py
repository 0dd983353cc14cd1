"""The numbers in what commands print, and the file that they are recorded in."""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

from tests.cli.here import voirdire
from tests.support.finite import check_output

RECORDED = Path(__file__).parent / "figures.json.gz"
_NUMBER = re.compile(r"(?<![\w.:])[-−]?\d+(?:[.,]\d+)*(?![\w:])")
_WHEN = re.compile(r"\d{4}-\d\d-\d\d|\d\d?(?::\d\d)+")
_WHERE = re.compile(r"^\| (?:versions|python|python and platform|machine|git) \|.*$", re.MULTILINE | re.IGNORECASE)
"""Rows of a report that say on which machine and by which code a run was made."""
_SECONDS = re.compile(r"(\| \\\$[\d.,]+ \|) [\d.,]+ \|$", re.MULTILINE)
"""Behind what the calls of a model cost: how long they took."""
_FAILED_A_LIMIT = 100
_TIMED = ["detectors", "train"]


def numbers(arguments: Sequence[str], *, as_json: bool) -> list[str]:
    """The numbers that the command prints, in their order; of JSON the values alone, to six significant digits."""
    said = printed(Path.cwd(), *arguments)
    if as_json:
        content = _parsed(said)
        if list(arguments[:2]) == _TIMED:
            del content["seconds"]
        return [f"{value:.6g}" for value in _values(content)]
    text = _SECONDS.sub(r"\1", _WHEN.sub("", _WHERE.sub("", said)))
    return [found.replace("−", "-") for found in _NUMBER.findall(text)]


@cache
def printed(folder: Path, *arguments: str) -> str:
    """What the command prints in this folder, the working directory, in a wide terminal; it is run once."""
    done = voirdire(*arguments, check=False, env={"COLUMNS": "160"})
    assert done.returncode in (0, _FAILED_A_LIMIT), done.stderr
    check_output(done.stdout, done.stderr, " ".join(arguments))
    return done.stdout


def lost(recorded: Sequence[str], found: Sequence[str]) -> list[str]:
    """What was recorded and is not found after what was recorded before it; others may stand between.

    Processors differ in the sixth digit, and in what is next to nothing.
    """
    gone, start = [], 0
    for number in recorded:
        place = next((place for place in range(start, len(found)) if _same(number, found[place])), None)
        if place is None:
            gone.append(number)
        else:
            start = place + 1
    return gone


def common(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """The numbers that both have, in the order of both."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return [number for block in blocks for number in one[block.a : block.a + block.size]]


def _same(number: str, other: str) -> bool:
    if number == other:
        return True
    try:
        one, two = (float(each.replace(",", "")) for each in (number, other))
    except ValueError:  # the number of a section or of a version
        return False
    return isclose(one, two, rel_tol=5e-6, abs_tol=1e-12)


def _parsed(text: str) -> Any:
    """One value, or the lines of JSON Lines."""
    lines = text.splitlines()
    return json.loads(text) if lines[0] in "{[" else [json.loads(line) for line in lines]


def _values(content: Any) -> Iterator[float]:
    if isinstance(content, dict | list):
        for each in content.values() if isinstance(content, dict) else content:
            yield from _values(each)
    elif isinstance(content, float | int) and not isinstance(content, bool):
        yield content


def read() -> dict[str, list[str]]:
    """What was recorded, by kind of output and name of the command."""
    recorded: dict[str, list[str]] = json.loads(gzip.decompress(RECORDED.read_bytes()))
    return recorded


def write(recorded: dict[str, list[str]]) -> None:
    """Replace what was recorded."""
    RECORDED.write_bytes(gzip.compress(json.dumps(recorded, sort_keys=True).encode(), mtime=0))
