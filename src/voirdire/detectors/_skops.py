"""A skops file of somebody else, looked at before skops is: a closed list of types, and bounds.

skops refuses what it does not trust by itself, but it trusts all of scikit-learn, and what it trusts grows with its
versions; a detector of this package needs a dozen types.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voirdire.data import untrusted

MAX_BYTES = 10_000_000
"""Of the file, and of all that is in it, unpacked; a detector has 10 kB."""
MAX_MEMBERS = 200
_SCHEMA = "schema.json"
_MEMBER = re.compile(r"[0-9]{1,24}\.npy|schema\.json")
_PLACES = ("__module__", "__class__", "__loader__")
_TRUSTED = frozenset(
    {
        *(("builtins", name, "JsonNode") for name in ("str", "int", "float", "bool", "NoneType")),
        ("builtins", "str", "TypeNode"),
        ("builtins", "dict", "DictNode"),
        ("builtins", "list", "ListNode"),
        ("builtins", "tuple", "TupleNode"),
        ("numpy", "dtype", "DTypeNode"),
        *(("numpy", name, "NdArrayNode") for name in ("ndarray", "float64", "float32", "int64", "int32", "bool")),
        ("sklearn.pipeline", "Pipeline", "ObjectNode"),
        ("sklearn.preprocessing._data", "StandardScaler", "ObjectNode"),
        ("sklearn.linear_model._logistic", "LogisticRegression", "ObjectNode"),
        ("sklearn.calibration", "CalibratedClassifierCV", "ObjectNode"),
        ("sklearn.calibration", "_CalibratedClassifier", "ObjectNode"),
        ("sklearn.calibration", "_SigmoidCalibration", "ObjectNode"),
    }
)
"""(module, class, what skops reads it with)."""
_SHOWN = 100


def check_skops(path: Path) -> None:
    """Make sure that a skops file holds a detector of ours and nothing else.

    Raises:
        UntrustedError: it is too large, no archive of ours, or holds a type that no detector has.
    """
    untrusted.read_bytes(path, MAX_BYTES)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive.infolist())
            with archive.open(_SCHEMA) as file:
                schema = untrusted.json_of(untrusted.text_of(file.read(MAX_BYTES)))
    except untrusted.UntrustedError:
        raise
    except Exception as error:  # zipfile has many ways to end on a damaged archive
        raise untrusted.UntrustedError(f"is no archive of skops ({type(error).__name__}: {error})") from None
    for node in _nodes(schema):
        named = tuple(node.get(place) for place in _PLACES)
        if not all(isinstance(each, str) for each in named) or named not in _TRUSTED:
            shown = ".".join(map(str, named[:2]))[:_SHOWN]
            raise untrusted.UntrustedError(f"holds a {shown!r}, which no detector of voirdire is made of")


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MAX_MEMBERS:
        raise untrusted.UntrustedError(f"holds {len(members):,} files; at most {MAX_MEMBERS} are read")
    for member in members:
        if not _MEMBER.fullmatch(member.filename):
            raise untrusted.UntrustedError(f"holds the file {member.filename[:_SHOWN]!r}, which no detector has")
    size = sum(member.file_size for member in members)
    if size > MAX_BYTES:
        raise untrusted.UntrustedError(f"unpacks to {size:,} bytes; at most {MAX_BYTES:,} are read")
    if len({member.filename for member in members}) < len(members):
        raise untrusted.UntrustedError("holds a file twice")


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object that names a class, at any depth."""
    if isinstance(value, dict):
        if any(place in value for place in _PLACES):
            yield value
        for each in value.values():
            yield from _nodes(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nodes(each)
