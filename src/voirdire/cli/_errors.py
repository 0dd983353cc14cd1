"""A user's mistake is answered with one sentence, not with a traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn the package's own errors into a sentence on stderr and exit code 1; Ctrl-C into exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted. What was answered is kept; the same command goes on.\n")
        sys.exit(130)
    except Exception as error:
        if not _is_ours(error):
            raise
        sys.stderr.write(f"voirdire: {error}\n")
        sys.exit(1)


def _is_ours(error: Exception) -> bool:
    """Whether the error's message is a sentence written for the user: the error classes of this package are."""
    return type(error).__module__.startswith("voirdire.")
