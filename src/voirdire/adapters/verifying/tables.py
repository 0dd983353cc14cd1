"""The tables of a run, made again in a temporary folder and held against those that are there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from voirdire.adapters.verifying.comparing import compare_tables
from voirdire.adapters.verifying.instruments import Instrument
from voirdire.adapters.verifying.records import Finding
from voirdire.data.manifests import sha256
from voirdire.data.rows import RowError
from voirdire.run import RunFolder

_TABLE = ".parquet"


def table_findings(folder: RunFolder, instrument: Instrument, complete: bool) -> Iterator[Finding]:
    """Each table: equal to what the journal gives, unlike it, missing, or nothing that anything makes.

    Args:
        folder: of the run; it is not written to.
        instrument: what makes its tables.
        complete: whether a missing table has been there.
    """
    there = {path.name for path in folder.path.glob(f"*{_TABLE}")}
    known = {*instrument.expected, *instrument.optional}
    present = {name for name in known if (folder.path / name).is_file()}
    lacking = [name for name in instrument.expected if name not in present]
    if present:
        with TemporaryDirectory(prefix="voirdire-verify-") as into:
            instrument.make(folder, Path(into), present)
            for name in sorted(present):
                yield compared(folder.path / name, Path(into) / name)
    for name in lacking:
        yield _missing(name, complete or bool(present))
    for name in sorted(there - known):
        yield Finding(name, "differs", "nothing makes a table of this name of such a run; take it away")


def _missing(name: str, gone: bool) -> Finding:
    if gone:
        return Finding(name, "differs", "it is missing; the command that held the run makes it again")
    return Finding(name, "note", "it is not made yet: the run stopped before; the same command goes on")


def compared(there: Path, expected: Path) -> Finding:
    """A file against what it should be: by its bytes, else cell by cell."""
    if sha256(there) == sha256(expected):
        return Finding(there.name, "ok", "as the journal gives it, byte for byte")
    if there.suffix != _TABLE:
        return _compared_lines(there, expected)
    try:
        difference = compare_tables(there, expected)
    except RowError as error:
        return Finding(there.name, "differs", f"it is no table: {error}")
    if difference is None:
        return Finding(there.name, "ok", "as the journal gives it, cell by cell")
    return Finding(there.name, "differs", difference.sentence())


def _compared_lines(there: Path, expected: Path) -> Finding:
    with there.open("rb") as one, expected.open("rb") as two:
        number = 1
        while (mine := one.readline()) == two.readline() and mine:
            number += 1
    return Finding(there.name, "differs", f"it is not what the journal gives, first in line {number:,}.")
