"""Files as they come: plain ones, no larger than was allowed, and text where text is expected."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from voirdire.data.untrusted._errors import UntrustedError

_BOM = "\ufeff"


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a plain file; a pipe or a device, which could go on for ever, is not read.

    Args:
        path: of the file.
        most: bytes that it may have.

    Raises:
        UntrustedError: it is none, larger, not there, or can't be read.
    """
    try:
        # Not waiting for a writer, should this be a pipe.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise UntrustedError("can't be read: it is no plain file")
            content = b"" if status.st_size > most else file.read(most + 1)
    except OSError as error:
        raise UntrustedError(f"can't be read: {error.strerror or error}") from error
    except ValueError as error:
        if isinstance(error, UntrustedError):
            raise
        raise UntrustedError("can't be read: its name holds a NUL character") from None
    size = max(status.st_size, len(content))
    if size > most:
        raise UntrustedError(f"has {size:,} bytes; at most {most:,} are read")
    return content


def read_text(path: Path, most: int) -> str:
    """The text of a plain UTF-8 file, without a byte order mark.

    Raises:
        UntrustedError: it is none, larger than `most` bytes, holds NUL, is not there, or can't be read.
    """
    return text_of(read_bytes(path, most))


def text_of(raw: bytes) -> str:
    """Bytes as text, lines ended as here.

    Raises:
        UntrustedError: they are no UTF-8, or hold NUL.
    """
    try:
        text = raw.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise UntrustedError("is not UTF-8 text", raw.count(b"\n", 0, error.start) + 1) from None
    if "\0" in text:
        raise UntrustedError("holds a NUL character; text is expected", text.count("\n", 0, text.index("\0")) + 1)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def plain_path(folder: Path, name: object) -> Path:
    """The file of a folder that foreign data names: it lies in the folder itself, and is no link.

    Raises:
        UntrustedError: the name is no plain one, as "../x" or "/etc/x", or the file is a link.
    """
    if not isinstance(name, str) or name in ("", ".", "..") or any(each in name for each in "/\\\0"):
        raise UntrustedError(f"names the file {name!r}; the plain name of a file in the same folder is expected")
    path = folder / name
    if path.is_symlink():
        raise UntrustedError(f"holds {name} as a link to somewhere else; a file is expected")
    return path
