"""A user's mistake is answered with one sentence, not with a traceback."""

from __future__ import annotations

import errno
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from voirdire.text.terminal import inert

_INTERRUPTED = 130
_LEFT = "Interrupted. A run keeps what was answered: the same command goes on with it."


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the package's own errors into a sentence on stderr and exit code 1; Ctrl-C into exit code 130.

    Any other error is a fault of ours, and ends in its traceback, without secrets. The package's own warnings become
    notes on stderr.
    """
    try:
        with warnings.catch_warnings():
            plain = warnings.showwarning
            warnings.showwarning = lambda message, *where: _show(plain, message, *where)
            yield
    except KeyboardInterrupt as error:
        _tell_interrupted(error)
        sys.exit(_INTERRUPTED)
    except SystemExit as end:
        if end.code == _INTERRUPTED:  # what the command line's library makes of Ctrl-C, without a word
            _tell_interrupted(end)
        raise
    except Exception as error:
        told = f"voirdire: {error}\n" if _is_ours(error) else _of_the_disk(error) or traceback.format_exc()
        sys.stderr.write(_without_secrets(told))
        sys.exit(1)


def _tell_interrupted(error: BaseException) -> None:
    """Say how to go on: in which folder, where a run was stopped in good order."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    with suppress(OSError):  # the terminal itself may be gone
        sys.stderr.write(f"\n{inert(str(cause)) if cause and cause.args else _LEFT}\n")


def _of_the_disk(error: Exception) -> str | None:
    """A sentence for a disk that takes nothing more, wherever that was found."""
    if not isinstance(error, OSError) or error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO):
        return None
    return f"voirdire: {error.filename or 'A file'} can't be written ({error.strerror}): see to the disk, then go on.\n"


def _show(plain: Callable[..., None], message: Warning | str, *where: Any) -> None:
    """Print a warning of this package as a sentence, any other one as Python does."""
    if isinstance(message, Warning) and _is_ours(message):
        sys.stderr.write(_without_secrets(f"Note: {message}\n"))
    else:
        plain(message, *where)


def _without_secrets(text: str) -> str:
    from voirdire.run import Scrubber

    return inert(str(Scrubber().whole(text)))


def _is_ours(error: Exception) -> bool:
    """Whether the error's message is a sentence written for the user: the error classes of this package are."""
    return type(error).__module__.startswith("voirdire.")
