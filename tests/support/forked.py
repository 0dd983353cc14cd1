"""A copy of this process that does something and can be killed: it has imported everything already."""

import os
import signal
from collections.abc import Callable


class Forked:
    """A copy that is at work, and says nothing."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._ended: int | None = None
        self._pid = os.fork()
        if self._pid == 0:
            try:
                nowhere = os.open(os.devnull, os.O_RDWR)
                for place in range(3):
                    os.dup2(nowhere, place)
                work()
            finally:
                os._exit(0)

    def poll(self) -> int | None:
        """How it ended; `None` while it is at work."""
        if self._ended is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            self._ended = os.waitstatus_to_exitcode(status) if pid else None
        return self._ended

    def kill(self) -> None:
        """End it, wherever it is."""
        os.kill(self._pid, signal.SIGKILL)
        self._ended = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
