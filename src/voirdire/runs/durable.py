"""Files of a run written so that a reader, a kill or a full disk finds the old one or the new one, never half of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from voirdire.runs.errors import RunFolderError


def replace(target: Path, write: Callable[[Path], object]) -> None:
    """Write beside the target, make it durable, then put it in the target's place.

    Args:
        target: a reader finds it as it was, or whole.
        write: writes the file that it is given.

    Raises:
        RunFolderError: it can't be written; the target is as it was.
    """
    temporary = target.with_name(f".{target.name}.new")
    with explain_write_error(target):
        try:
            write(temporary)
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)  # on a full disk it holds the room that is lacking
            raise
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def explain_write_error(path: Path) -> Iterator[Path]:
    """Say in a sentence what keeps a file from being written: a full disk, most of the time.

    Raises:
        RunFolderError: the block ended in an `OSError`.
    """
    try:
        yield path
    except OSError as error:
        raise RunFolderError(
            f"The file {path} can't be written ({error.strerror or error}): see to the disk, then go on; what was "
            "answered stands in the journal."
        ) from error
