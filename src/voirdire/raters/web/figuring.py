"""The organiser's figures, worked out in a process of its own: raters never wait for statistics.

That process is this module, run as a program: for every line that it reads it works the figures out anew. It ends with
the server, whose end closes what it reads.
"""

from __future__ import annotations

import asyncio
import os
import pickle
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
        self._child: asyncio.subprocess.Process | None = None

    async def dashboard(self) -> Dashboard:
        """The figures as they stand now.

        Raises:
            RatersError: the project can't be read.
        """
        child = await self._started()
        try:
            child.stdin.write(b"\n")  # type: ignore[union-attr]  # both are pipes
            size = int.from_bytes(await child.stdout.readexactly(_SIZE))  # type: ignore[union-attr]
            answer = pickle.loads(await child.stdout.readexactly(size))  # type: ignore[union-attr]  # noqa: S301 - our own
        except (asyncio.IncompleteReadError, ConnectionError):
            raise RatersError("The figures could not be worked out; load the page again.") from None
        except asyncio.CancelledError:
            await self.close()  # nobody waits for it any more
            raise
        if isinstance(answer, RatersError):
            raise answer
        found: Dashboard = answer
        return found

    async def close(self) -> None:
        """End the process, whatever it is at."""
        if self._child is not None and self._child.returncode is None:
            self._child.kill()
            await self._child.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._child is None or self._child.returncode is not None:
            command = [sys.executable, "-m", "voirdire.raters.web.figuring", str(self._path)]
            pipe = asyncio.subprocess.PIPE
            self._child = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                start_new_session=True,  # Ctrl-C is the server's
            )
        return self._child


def main(path: Path) -> None:
    """Answer line after line, until there are no more."""
    from voirdire.raters.reading import read_project
    from voirdire.raters.web.dashboard import dashboard

    os.nice(_POLITE)
    for _ in sys.stdin:
        try:
            answer: Dashboard | RatersError = dashboard(read_project(path))
        except RatersError as error:
            answer = RatersError(str(error))
        data = pickle.dumps(answer)
        sys.stdout.buffer.write(len(data).to_bytes(_SIZE) + data)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
