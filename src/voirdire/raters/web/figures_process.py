"""The organiser's figures, worked out in a process of its own: raters never wait for statistics.

That process is this module, run as a program: for every line that it reads it works the figures out anew. It ends with
the server, whose end closes what it reads.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.raters.records import RatersError

if TYPE_CHECKING:
    from voirdire.raters.web.dashboard import Dashboard

_SIZE = 8
"""Bytes that say how long an answer is."""
_POLITE = 10
"""How far the process stands back behind those that raters wait for."""


class Figuring:
    """Has the figures of a project worked out; one call at a time."""

    def __init__(self, path: Path) -> None:
        """Work on the project at `path`."""
        self._path = path
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def dashboard(self) -> Dashboard:
        """The figures as they stand now; call it in a thread, for it takes its time.

        Raises:
            RatersError: the project can't be read, or the process was ended.
        """
        child = self._child = self._child or self._start()
        if self._closed:
            self.close()
        try:
            child.stdin.write(b"\n")  # type: ignore[union-attr]  # both are pipes
            child.stdin.flush()  # type: ignore[union-attr]
            size = int.from_bytes(child.stdout.read(_SIZE))  # type: ignore[union-attr]
            refused, found = _answer(child.stdout.read(size))  # type: ignore[union-attr]
        except (OSError, ValueError):
            self._child = None  # it has ended: the next call begins anew
            raise RatersError("The figures could not be worked out; load the page again.") from None
        if refused is not None:
            raise RatersError(refused)
        return found

    def close(self) -> None:
        """End the process, whatever it is at, for good."""
        self._closed = True
        if (child := self._child) is not None:
            child.kill()
            child.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "voirdire.raters.web.figures_process", str(self._path)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)  # noqa: S603 - ourselves


def _answer(told: bytes) -> tuple[str | None, Dashboard]:
    """Why there are no figures, and the figures; a process that has ended said nothing, which is no JSON."""
    from voirdire.raters.web.pipe_json import read_plainly

    refused, found = read_plainly(told.decode())
    return refused, found


def main(path: Path) -> None:
    """Answer line after line, until there are no more."""
    from voirdire.raters.project_loader import read_project
    from voirdire.raters.web.dashboard import dashboard
    from voirdire.raters.web.pipe_json import plainly

    os.nice(_POLITE)
    for _ in sys.stdin:
        try:
            answer = plainly((None, dashboard(read_project(path))))
        except RatersError as error:
            answer = plainly((str(error), None))
        data = answer.encode()
        sys.stdout.buffer.write(len(data).to_bytes(_SIZE) + data)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
