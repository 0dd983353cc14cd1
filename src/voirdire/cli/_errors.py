"""A user's mistake is answered with one sentence, not with a traceback."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the package's own errors into a sentence on stderr and exit code 1; Ctrl-C into exit code 130.

    Its own warnings become notes on stderr.
    """
    try:
        with warnings.catch_warnings():
            plain = warnings.showwarning
            warnings.showwarning = lambda message, *where: _show(plain, message, *where)
            yield
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted. A run keeps what was answered: the same command goes on with it.\n")
        sys.exit(130)
    except Exception as error:
        if not _is_ours(error):
            raise
        sys.stderr.write(f"voirdire: {error}\n")
        sys.exit(1)


def _show(plain: Callable[..., None], message: Warning | str, *where: Any) -> None:
    """Print a warning of this package as a sentence, any other one as Python does."""
    if isinstance(message, Warning) and _is_ours(message):
        sys.stderr.write(f"Note: {message}\n")
    else:
        plain(message, *where)


def _is_ours(error: Exception) -> bool:
    """Whether the error's message is a sentence written for the user: the error classes of this package are."""
    return type(error).__module__.startswith("voirdire.")
