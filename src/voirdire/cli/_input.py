"""What a command reads: a file, or what is piped into it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from voirdire.data.files import MAX_WHOLE
from voirdire.errors import InputError

PIPE = Path("-")


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
    with tempfile.TemporaryDirectory(prefix="voirdire-") as folder:
        json = given.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))
        piped = Path(folder) / ("stdin.jsonl" if json else "stdin.csv")
        piped.write_bytes(given)
        yield piped
