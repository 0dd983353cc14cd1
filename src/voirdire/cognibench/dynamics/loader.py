"""From paths to the answers that are analysed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer


def read_sets(paths: Sequence[Path]) -> dict[str, list[Answer]]:
    """Read data sets, each under the shortest end of its path that tells it from the others.

    Raises:
        CognibenchError: a path is given twice, or holds nothing that can be read.
    """
    whole = [path.resolve() for path in paths]
    if len(set(whole)) < len(whole):
        raise CognibenchError("A data set is given twice; name each once.")
    depth = 1
    while len({path.parts[-depth:] for path in whole}) < len(whole):
        depth += 1
    return {"/".join(path.parts[-depth:]): read_answers(given) for path, given in zip(whole, paths, strict=True)}


def read_one(paths: Sequence[Path]) -> list[Answer]:
    """Read the one data set that is meant.

    Raises:
        CognibenchError: there are several, or nothing that can be read.
    """
    if len(paths) != 1:
        raise CognibenchError(f"This takes one data set; {len(paths)} were given.")
    return read_answers(paths[0])
