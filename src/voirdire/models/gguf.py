"""GGUF files, looked at before llama.cpp is: their header must be whole, and claim no more than the file holds.

The form is that of the GGUF specification, versions 2 and 3 (little-endian): magic, version, counts, metadata, tensors,
then the tensors' data. Nothing of the weights is read.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from voirdire.errors import InputError

MAX_KEYS = 10_000
MAX_TENSORS = 100_000
MAX_KEY = 65_535
"""Bytes of a key (the specification's own limit) or of a tensor's name."""
MAX_HEADER = 512 * 2**20
"""Bytes of metadata and tensors' places; the vocabulary is the most of it, some 10 MB."""
MAX_TEXTS = 5_000_000
"""In all lists together; the largest vocabularies have 260,000 tokens, and as many merges."""
MAX_ARRAY_DEPTH = 2
MAX_DIMENSIONS = 4
_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_SCALARS: Mapping[int, str] = dict(
    enumerate(("<B", "<b", "<H", "<h", "<I", "<i", "<f", "<?", "", "", "<Q", "<q", "<d"))
)
_STRING, _ARRAY = 8, 9
_TYPES = range(64)
"""Of tensors: llama.cpp knows some forty by now; what it does not know it refuses itself."""
_ALIGNMENT = 32
_SHOWN = 80
_COUNTS: Mapping[str, range] = {
    "block_count": range(1, 513),  # llama.cpp ends the process at 0, and above its own 512
    "context_length": range(64, 2**31),  # it never comes back where there is a single token
    "embedding_length": range(1, 2**20),
    "feed_forward_length": range(2**24),
    "attention.head_count": range(2**16),
    "attention.head_count_kv": range(2**16),
    "attention.key_length": range(2**16),
    "attention.value_length": range(2**16),
    "rope.dimension_count": range(2**16),
    "vocab_size": range(2**24),
}
"""What an architecture says of its size, and what of it is believed."""


class GgufError(InputError):
    """Half a sentence: why this is no GGUF file that may be given to llama.cpp."""


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the weights."""

    version: int
    metadata: Mapping[str, Any]
    """Values by key; of an array its length, in a list."""
    tensors: int
    begins: int
    """Where the weights begin, in bytes."""


def check_gguf(path: Path) -> Header:
    """Read the header of a GGUF file.

    Raises:
        GgufError: it is cut short, no GGUF file, or claims what can't be.
        OSError: it can't be read.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        return _Reader(file, size).header()


class _Reader:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._listed = 0
        self._end = min(size, MAX_HEADER)

    def header(self) -> Header:
        if self._take(4) != _MAGIC:
            raise GgufError("it does not begin with GGUF")
        version = self._number("<I")
        if version not in _VERSIONS:
            raise GgufError(f"its version is {version}; 2 and 3 are read")
        tensors, keys = self._number("<Q"), self._number("<Q")
        if not 0 < tensors <= MAX_TENSORS:
            raise GgufError(f"it claims {tensors:,} tensors; 1 to {MAX_TENSORS:,} are believed")
        if keys > MAX_KEYS:
            raise GgufError(f"it claims {keys:,} keys; at most {MAX_KEYS:,} are believed")
        metadata: dict[str, Any] = {}
        for _ in range(keys):
            key = self._name()
            if key in metadata:
                raise GgufError(f"it has the key {_short(key)} twice")
            metadata[key] = self._value(self._number("<I"))
        _check_metadata(metadata)
        alignment = metadata.get("general.alignment", _ALIGNMENT)
        places = self._places(tensors, alignment)
        begins = -(-self._file.tell() // alignment) * alignment
        if begins + max(places) > self._size:
            raise GgufError("it ends before its weights do: the download was cut short")
        return Header(version, metadata, tensors, begins)

    def _places(self, tensors: int, alignment: int) -> list[int]:
        """Where each tensor's data begins, counted from where the first does."""
        names: set[str] = set()
        places = []
        for _ in range(tensors):
            name = self._name()
            if name in names:
                raise GgufError(f"it has the tensor {_short(name)} twice")
            names.add(name)
            count = self._number("<I")
            if not 0 < count <= MAX_DIMENSIONS:
                raise GgufError(f"its tensor {_short(name)} has {count:,} dimensions; 1 to {MAX_DIMENSIONS} are known")
            elements = 1
            for _ in range(count):
                elements *= self._number("<Q")
            # The densest form has 1.56 bits for each element.
            if not 0 < elements <= 8 * self._size:
                raise GgufError(f"its tensor {_short(name)} has more elements than the file has room for, or none")
            if (kind := self._number("<I")) not in _TYPES:
                raise GgufError(f"its tensor {_short(name)} is of the unknown type {kind:,}")
            place = self._number("<Q")
            if place % alignment:
                raise GgufError(f"its tensor {_short(name)} does not begin where one may")
            places.append(place)
        return places

    def _value(self, kind: int, depth: int = 0) -> Any:
        if kind == _STRING:
            return self._text(self._end)
        if kind == _ARRAY:
            return self._array(depth + 1)
        if not _SCALARS.get(kind):
            raise GgufError(f"it has a value of the unknown type {kind:,}")
        return self._number(_SCALARS[kind])

    def _array(self, depth: int) -> list[int]:
        """Pass over an array; its length, in a list."""
        if depth > MAX_ARRAY_DEPTH:
            raise GgufError("it has arrays within arrays within arrays")
        kind, count = self._number("<I"), self._number("<Q")
        if kind in (_STRING, _ARRAY):
            self._listed += count
            if self._listed > MAX_TEXTS:
                raise GgufError(f"it claims lists of {self._listed:,} texts; at most {MAX_TEXTS:,} are believed")
            for _ in range(count):
                self._value(kind, depth)
        elif _SCALARS.get(kind):
            self._pass(count * struct.calcsize(_SCALARS[kind]))
        else:
            raise GgufError(f"it has an array of the unknown type {kind:,}")
        return [count]

    def _name(self) -> str:
        text = self._text(MAX_KEY)
        if not text or "\0" in text:
            raise GgufError("it has a name that is empty or holds NUL")
        return text

    def _text(self, most: int) -> str:
        length = self._number("<Q")
        if length > most:
            raise GgufError(f"it has a text of {length:,} bytes; at most {most:,} are believed")
        return self._take(length).decode("utf-8", "replace")

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _pass(self, count: int) -> None:
        if self._file.tell() + count > self._end:
            raise GgufError("it ends within its header: the download was cut short, or the file is damaged")
        self._file.seek(count, 1)

    def _take(self, count: int) -> bytes:
        data = self._file.read(count) if count <= self._end else b""
        if len(data) < count or self._file.tell() > self._end:
            raise GgufError("it ends within its header: the download was cut short, or the file is damaged")
        return data


def _check_metadata(metadata: Mapping[str, Any]) -> None:
    """What llama.cpp counts with."""
    alignment = metadata.get("general.alignment", _ALIGNMENT)
    if not isinstance(alignment, int) or not 8 <= alignment <= 2**16 or alignment & (alignment - 1):
        raise GgufError(f"its alignment is {alignment!r}; a power of two is expected")
    architecture = metadata.get("general.architecture")
    if not isinstance(architecture, str) or not architecture.isprintable():
        raise GgufError("it does not say which architecture it is of")
    for name, believed in _COUNTS.items():
        value = metadata.get(f"{architecture}.{name}", believed.stop - 1)
        if isinstance(value, list):
            continue  # one for each layer
        if not isinstance(value, int) or isinstance(value, bool) or value not in believed:
            most = believed.stop - 1
            raise GgufError(f"its {architecture}.{name} is {_short(value)}; {believed.start:,} to {most:,} is believed")


def _short(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
