"""A small run to spoil."""

from pathlib import Path

from tests.ddft.report.examples import held


def a_run(path: Path) -> Path:
    """A run of one dialogue."""
    return held(path, ("simulated/steady",), ("recursion",), jury=("reference",), levels=(0.0,))
