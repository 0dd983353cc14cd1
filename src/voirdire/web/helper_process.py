"""A module run as a program of its own that answers line after line: a server never waits for what it computes.

It ends with the server, whose end closes what it reads.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

_SIZE = 8
"""Bytes that say how long an answer is."""


class HelperEnded(Exception):
    """The process ended before it had answered; the next question begins another one."""


class Helper:
    """A process that runs a module whose `main` calls `answer_lines`; one question at a time."""

    def __init__(self, module: str, *arguments: str) -> None:
        """Run `module` with these arguments, once something is asked."""
        self._command = [sys.executable, "-P", "-m", module, *arguments]  # -P: no module of the folder it runs in
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._paused = False
        self._starting = threading.Lock()

    def ask(self, line: str = "") -> bytes:
        """The answer to a line; call it in a thread, for it takes its time.

        Raises:
            HelperEnded: the process ended.
        """
        if self._closed:
            raise HelperEnded
        child = self.start()
        try:
            child.stdin.write(f"{line}\n".encode())  # type: ignore[union-attr]  # both are pipes
            child.stdin.flush()  # type: ignore[union-attr]
            size = child.stdout.read(_SIZE)  # type: ignore[union-attr]
            answer = child.stdout.read(int.from_bytes(size))  # type: ignore[union-attr]
        except (OSError, ValueError):
            size = answer = b""
        if len(size) < _SIZE or len(answer) < int.from_bytes(size):
            self._child = None
            raise HelperEnded
        return answer

    def start(self) -> subprocess.Popen[bytes]:
        """Begin before anything is asked: what takes its time to begin is then ready; one that goes on stays."""
        with self._starting:
            if self._child is None:
                pipe = subprocess.PIPE
                self._child = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, process_group=0)  # noqa: S603 - ourselves
                if self._paused:
                    self._child.send_signal(signal.SIGSTOP)
            child = self._child
        if self._closed:
            self.close()
        return child

    def pause(self) -> None:
        """Stop the process where it is, and one that begins meanwhile, until `resume`."""
        self._pause(True)

    def resume(self) -> None:
        """Let the process go on."""
        self._pause(False)

    def _pause(self, paused: bool) -> None:
        with self._starting:
            self._paused = paused
            if self._child is not None:
                self._child.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    def close(self) -> None:
        """End the process, whatever it is at, for good."""
        self._closed = True
        if (child := self._child) is not None:
            child.kill()
            child.wait()


def answer_lines(answer: Callable[[str], bytes], *, polite: int) -> None:
    """Answer line after line, until there are no more.

    Args:
        answer: to a line.
        polite: how far the process stands back behind others (see nice).
    """
    os.nice(polite)
    for line in sys.stdin:
        content = answer(line.rstrip("\n"))
        sys.stdout.buffer.write(len(content).to_bytes(_SIZE) + content)
        sys.stdout.buffer.flush()
