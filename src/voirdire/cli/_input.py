"""What a command reads: a file, or what is piped into it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from voirdire.data.files import MAX_WHOLE
from voirdire.errors import InputError, UserError

PIPE = Path("-")
STANDARD_INPUT = "standard input"
_PREFIX = "voirdire-"


@contextmanager
def data_file(path: Path) -> Iterator[Path]:
    """The file itself; for "-" a file with what is piped in, JSON Lines or CSV, which is gone afterwards.

    Raises:
        InputError: nothing is piped in, or more than 512 MB.
    """
    if path != PIPE:
        yield path
        return
    if sys.stdin.isatty():
        raise InputError("- reads what is piped in, and nothing is: some-command | voirdire detect -")
    given = sys.stdin.buffer.read(MAX_WHOLE + 1)
    if not given.strip():
        raise InputError("Nothing is piped in: JSON Lines or CSV is expected.")
    if len(given) > MAX_WHOLE:
        raise InputError(f"More than {MAX_WHOLE:,} bytes are piped in: save them as a file first.")
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        json = given.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))
        piped = Path(folder) / ("stdin.jsonl" if json else "stdin.csv")
        piped.write_bytes(given)
        try:
            yield piped
        except UserError as error:
            raise InputError(as_piped(str(error), piped)) from None


def as_piped(text: str, path: Path) -> str:
    """A text that names the file of `data_file`, with standard input for the file that is gone afterwards."""
    return text.replace(str(path), STANDARD_INPUT) if path.parent.name.startswith(_PREFIX) else text


def name_of(path: Path) -> str:
    """What messages call a file that was given, or what is piped in."""
    return STANDARD_INPUT if path == PIPE else str(path)
