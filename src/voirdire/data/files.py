"""Files from elsewhere as text: never more of them than a limit, and what is no text is told by what it is."""

from __future__ import annotations

import codecs
import gzip
import zlib
from pathlib import Path

from voirdire.errors import InputError

MAX_WHOLE = 512 * 2**20
"""Bytes of a file that is read at once, and of what a gzipped one unpacks to."""
_BOM = codecs.BOM_UTF8
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GZIP = b"\x1f\x8b"
_KINDS = (
    (b"PK\x03\x04", "a zip archive (or a spreadsheet's own file)"),
    (_GZIP, "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet's or word processor's own file"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"%PDF-", "a PDF"),
    (b"GGUF", "a GGUF model"),
    (b"\x80\x02", "a pickle, which is never opened"),
    (b"\x80\x03", "a pickle, which is never opened"),
    (b"\x80\x04", "a pickle, which is never opened"),
    (b"\x80\x05", "a pickle, which is never opened"),
)


class FileError(InputError):
    """A file that can't be read: one sentence says why."""


def whole_bytes(path: Path, limit: int = MAX_WHOLE, *, unzip: bool = False) -> bytes:
    """All of a file, of any kind, as long as it is not too large; the limit also ends what has no end (/dev/zero).

    Args:
        path: of the file.
        limit: bytes that it may have.
        unzip: gzipped bytes are unpacked, to at most as many.

    Raises:
        FileError: it can't be read, or is too large.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(limit + 1)
            if unzip and raw.startswith(_GZIP) and len(raw) <= limit:
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as opened:
                    raw = opened.read(limit + 1)
    except gzip.BadGzipFile as error:
        raise FileError(f"{path} is a damaged gzip archive: {error}.") from None
    except OSError as error:
        raise FileError(f"{path} can't be read: {error.strerror or error}.") from error
    except (EOFError, zlib.error):
        raise FileError(f"{path} is a damaged gzip archive: it ends too early, or its bytes are wrong.") from None
    if len(raw) > limit:
        raise FileError(f"{path} is larger than {limit:,} bytes (unpacked, if it is packed), and is not read.")
    return raw


def whole_text(path: Path, limit: int = MAX_WHOLE, *, unzip: bool = False) -> str:
    """All of a text file, in UTF-8, without its byte order mark.

    Raises:
        FileError: it can't be read, is too large, or is no UTF-8 text.
    """
    return decoded(whole_bytes(path, limit, unzip=unzip), path)


def decoded(raw: bytes, path: Path) -> str:
    """The bytes of a file as text, in UTF-8, without its byte order mark.

    Raises:
        FileError: they are no UTF-8 text.
    """
    check_text(raw, path)
    try:
        return raw.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{path} is no UTF-8 text (byte {error.start:,} is none); save it as UTF-8.") from None


def check_text(start: bytes, path: Path) -> None:
    """That a file begins like UTF-8 text.

    Raises:
        FileError: it begins like something else that is known.
    """
    for mark, kind in _KINDS:
        if start.startswith(mark):
            raise FileError(f"{path} is {kind}, and no text; unpack it, or save it as UTF-8 text.")
    if start.startswith(_WIDE):
        raise FileError(f"{path} is UTF-16 and no UTF-8 text; save it as UTF-8.")


def is_wide(raw: bytes) -> bool:
    """Whether the bytes begin with the mark of UTF-16."""
    return raw.startswith(_WIDE)
