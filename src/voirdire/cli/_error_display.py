"""A user's mistake is answered with one sentence, not with a traceback."""

from __future__ import annotations

import errno
import io
import os
import shlex
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from voirdire.cli._commands import PROGRAM
from voirdire.documents.messages import note
from voirdire.text.terminal import inert

_FULL = "Free some space, then run the same command again."
_REASONS = {
    errno.EACCES: "Change its permissions, or name another place.",
    errno.EPERM: "Change its permissions, or name another place.",
    errno.EROFS: "Name a place that can be written to.",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EIO: "Look at the disk, then run the same command again.",
    errno.ENOENT: "Check the name.",
    errno.EEXIST: "Remove it, or give another name.",
    errno.EISDIR: "Name a file; this is a folder.",
    errno.ENOTDIR: "Part of the path is a file, where a folder is needed.",
    errno.ENOTEMPTY: "Name a new or an empty folder.",
    errno.ENAMETOOLONG: "Give a shorter name.",
    errno.ELOOP: "It is a symbolic link that leads back to itself.",
    errno.EMFILE: "Too many files are open. Ask for fewer connections or workers.",
}
_LONGEST_SHOWN = 200
_INTERRUPTED = 130
_LEFT = "Interrupted. Files are as they were before; if this made a run, the same command continues it."


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the package's own errors, and what the system refuses, into a sentence on stderr and exit code 1.

    Ctrl-C, SIGTERM and SIGHUP end in exit code 130. Any other error is a fault of ours, and ends in its traceback,
    without secrets. The package's own warnings become notes on stderr.
    """
    _print_where_nothing_is_open()
    _print_into_closed_pipes()
    _print_anything()
    try:
        with warnings.catch_warnings():
            plain = warnings.showwarning
            warnings.showwarning = lambda message, *where: _show(plain, message, *where)
            with _killed_as_by_ctrl_c():
                yield
    except KeyboardInterrupt as error:
        _tell_interrupted(error)
        sys.exit(_INTERRUPTED)
    except SystemExit as end:
        if end.code == _INTERRUPTED:  # what the command line's library makes of Ctrl-C, without a word
            _tell_interrupted(end)
        raise
    except Exception as error:
        sentence = str(error) if _is_ours(error) else _of_the_system(error)
        sys.stderr.write(_without_secrets(traceback.format_exc() if sentence is None else f"voirdire: {sentence}\n"))
        sys.exit(1)


@contextmanager
def _killed_as_by_ctrl_c() -> Iterator[None]:
    """Let a kill and a lost terminal raise what Ctrl-C raises, so that nothing half-written is left.

    What the process was told to ignore (`nohup`) is ignored, and what somebody else handles is left to them.
    """
    if threading.current_thread() is not threading.main_thread():  # the only one that may say who handles a signal
        yield
        return
    numbers = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _tell_interrupted(error: BaseException) -> None:
    """Say what is kept and, where a run was stopped in good order, which command goes on."""
    from voirdire.runs import Interrupted

    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    message = str(cause) if cause and cause.args else _LEFT
    if isinstance(cause, Interrupted) and cause.short_message is not None:
        see = f"To see it: {shlex.join([PROGRAM, 'show', str(cause.path)])}"
        message = f"{cause.short_message}\n{see if cause.finished else f'To go on: {_command_for(cause.path)}'}"
    with suppress(OSError):  # the terminal itself may be gone
        sys.stderr.write(_without_secrets(f"\n{message}\n"))


def _command_for(run: Path) -> str:
    """The command that was given, with the run's folder where it named none."""
    given = sys.argv[1:]
    named = any(argument in ("-o", "--out") or str(run) in argument for argument in given)
    return shlex.join([PROGRAM, *given, *([] if named else ["-o", str(run)])])


class _Output(io.FileIO):
    """Standard output; what nobody reads any more, as behind `| head`, is dropped, and all after what can't be written.

    A full disk is an error once, and not again when Python writes out at its end what is left.
    """

    _ended = False

    def write(self, data: Any) -> int:
        if self._ended:
            return len(data)
        try:
            return super().write(data)
        except BrokenPipeError:
            return len(data)
        except OSError:
            self._ended = True
            raise


def _print_where_nothing_is_open() -> None:
    """Drop what is printed where the shell has closed standard output or standard error, as `>&-` does."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))


def _print_into_closed_pipes() -> None:
    """Let a command whose output is no longer read end with its own exit code."""
    output = sys.stdout
    if isinstance(output, io.TextIOWrapper) and output is sys.__stdout__ and not output.isatty():
        raw = _Output(output.fileno(), "w", closefd=False)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding=output.encoding, newline="\n")


def _print_anything() -> None:
    """Let a terminal that is not UTF-8 show a mark in place of what it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _of_the_system(error: Exception) -> str | None:
    """A sentence for what the system refuses: a file, a name, a text that can't be encoded; else `None`."""
    if isinstance(error, UnicodeEncodeError):
        return "A text or a name has characters that can't be written as UTF-8. Remove or replace them."
    if isinstance(error, UnicodeDecodeError):
        return f"A file is not valid UTF-8 (byte {error.start:,}). Save it as UTF-8."
    if not isinstance(error, OSError):
        return None
    reason = _REASONS.get(error.errno or 0, "Look whether it exists and who may use it.")
    problem = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    return f"{_named(error)} can't be used ({problem}). {reason}"


def _named(error: OSError) -> str:
    """The file that an error is about, shortened, or a word for one that is not known."""
    name = str(error.filename or "")
    if not name:
        return "A file or a connection"
    return name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}…"


def _show(plain: Callable[..., None], message: Warning | str, *where: Any) -> None:
    """Print a warning of this package as a sentence, any other one as Python does."""
    if isinstance(message, Warning) and _is_ours(message):
        sys.stderr.write(_without_secrets(f"{note(str(message))}\n"))
    else:
        plain(message, *where)


def _without_secrets(text: str) -> str:
    from voirdire.runs import Scrubber

    return inert(str(Scrubber().whole(text)))


def _is_ours(error: Exception) -> bool:
    """Whether the error's message is a sentence written for the user: the error classes of this package are."""
    return type(error).__module__.startswith("voirdire.")
