"""A small run to spoil."""

from pathlib import Path

from tests.reports.ddft.made import held


def a_run(path: Path) -> Path:
    """A run of one dialogue."""
    return held(path, ("simulated/steady",), ("recursion",), jury=("reference",), levels=(0.0,))
