"""What may be read and not written, also where tests are run by root, who may write everywhere."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def as_somebody() -> Iterator[None]:
    """Without root's right to write everywhere, where these tests are run by root."""
    if os.getuid() == 0:
        os.setresuid(65534, 65534, 0)
        try:
            yield
        finally:
            os.setresuid(0, 0, 0)
    else:
        yield


@contextmanager
def protected_copy(run: Path) -> Iterator[Path]:
    """A copy of a run in a folder that may be read and not written."""
    place = Path(tempfile.mkdtemp())
    path = Path(shutil.copytree(run, place / "run"))
    for each in (path, *path.rglob("*")):
        each.chmod(0o555 if each.is_dir() else 0o444)
    place.chmod(0o555)
    try:
        yield path
    finally:
        for each in (place, path, *(each for each in path.rglob("*") if each.is_dir())):
            each.chmod(0o755)
        shutil.rmtree(place)
