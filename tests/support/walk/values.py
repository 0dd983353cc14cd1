"""Values that no one means to give, for each kind of argument and option; some are never right."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple


class Case(NamedTuple):
    """One value; `refused`: whether no command may take it; `nobody`: given by a user without rights."""

    value: str
    refused: bool = False
    nobody: bool = False


NUMBERS = [
    *(
        Case(value, refused=True)
        for value in ("nan", "inf", "-inf", "1e320", "9" * 30, "", " ", "ten", "0x10", "1_0", "9" * 5000)
    ),
    *map(Case, ("-1", "0", "-0.0", "1e-320", "-1e-9")),
]
TEXTS = [
    *(Case(value, refused=True) for value in ("", "\udcff")),
    *map(Case, (" ", ",", "=", "nan", "inf", "ER=nan", "ER=1e400", "ER±nan", "0,nan", "no such thing", "☃", "a" * 300)),
    *map(Case, ("{}", "[", "../..", "loop", "openai-api/a", "simulated/steady?accuracy=nan")),
    *(
        Case(value, nobody=True)  # where a text may name a file
        for value in (
            "local/secret.gguf",
            "local/locked/inside.gguf",
            "secret.yaml",
            "locked/inside.json",
            "lexical-learned:secret",
            "lexical-learned:locked/run",
        )
    ),
]
ADDRESSES = [
    Case(value, refused=True)
    for value in (
        *(
            "http://u:p@[::1/v1",
            "http://",
            "http://[::1",
            "http://a:99999/v1",
            "http://a:b/v1",
            "http:///v1",
            "ftp://a/v1",
        ),
        *(
            "",
            " ",
            "a",
            "http://a b/v1",
            "http://\udcff/v1",
            "http://a\n/v1",
            "https://[v1.x]:0/",
            "//a/v1",
            "http://:80/",
        ),
    )
]
CHOICES = [Case(value, refused=True) for value in ("", " ", "nan", "no such thing", "\udcff", "a" * 300)]

FLAGS: list[Case] = []

_LONG = "a" * 300
_DEEP = "/".join(["d" * 200] * 25)
PATHS = [
    *(
        Case(value, refused=True)
        for value in ("", "loop", "loop/below", _LONG, _DEEP, f"{_LONG}/x", "\udcff.jsonl", "\udcfe")
    ),
    *map(Case, ("text.txt/below", "/proc/nowhere/x", "/dev/full/x")),
    *map(
        Case,
        (
            "nowhere/nothing",
            "folder",
            "text.txt",
            "empty.txt",
            "bytes.bin",
            "run",
            "answers.jsonl",
            ".",
            "-",
            "/dev/null",
        ),
    ),
    *(
        Case(value, nobody=True)
        for value in (
            "locked/inside.json",
            "locked/new",
            "locked/run",
            "secret.jsonl",
            "sealed/new",
            "sealed",
            "sealed/text.txt",
            "sealed/run",
            "/",
        )
    ),
]


_NUMBERS_BRIEFLY = {"nan", "inf", "-1", "0", "", "9" * 5000}
_PATHS_BRIEFLY = {"", "loop", _LONG, "\udcff.jsonl", "folder", "bytes.bin", "secret.jsonl", "locked/new"}
_ADDRESSES_BRIEFLY = {"", "a", "http://a:99999/v1"}
_TEXTS_BRIEFLY = {"", "\udcff", "nan", "a" * 300, "local/secret.gguf", "secret.yaml", "lexical-learned:secret"}


_SECRET = ("secret.jsonl", "secret.yaml", "secret.gguf", "secret/voirdire.json")


def values_of(parameter: Any) -> list[Case]:
    """The values to give to a parameter of the tree; a flag has none."""
    kind = _kind_of(parameter)
    if kind is TEXTS and parameter.default == "":  # where nothing is the default, it may be given
        return TEXTS[1:]
    return kind


def values_by_parameter(parameters: list[Any]) -> list[tuple[Any, list[Case]]]:
    """All values for a command's first parameter of each kind, and one of each sort for the others."""
    met: list[list[Case]] = []
    given = []
    for parameter in parameters:
        kind, values = _kind_of(parameter), values_of(parameter)
        if any(kind is each for each in met):
            values = [case for case in values if case.value in _briefly(kind)]
        met.append(kind)
        given.append((parameter, values))
    return given


def _briefly(kind: list[Case]) -> set[str]:
    if kind is NUMBERS:
        return _NUMBERS_BRIEFLY
    if kind is PATHS:
        return _PATHS_BRIEFLY
    return _ADDRESSES_BRIEFLY if kind is ADDRESSES else _TEXTS_BRIEFLY


def _kind_of(parameter: Any) -> list[Case]:
    kind = parameter.type_descriptor
    if getattr(parameter, "is_flag", False):
        return FLAGS
    if kind.choices is not None:
        return CHOICES
    if parameter.metavar == "URL":
        return ADDRESSES
    if "Path" in str(kind.annotation):
        return PATHS
    return NUMBERS if kind.annotation in (int, float) else TEXTS


def set_traps(folder: Path) -> None:
    """Put there what the paths name."""
    for name in ("folder", "locked", "sealed"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "text.txt").write_text("Words, no more.\n")
    (folder / "empty.txt").write_text("")
    (folder / "bytes.bin").write_bytes(bytes(range(256)))
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.jsonl")).write_text("{}")
    if not (folder / "loop").is_symlink():
        (folder / "loop").symlink_to("loop")
    (folder / "secret").mkdir(exist_ok=True)
    for name in ("locked/inside.json", "locked/inside.gguf", "sealed/text.txt", *_SECRET):
        if not (folder / name).exists():
            (folder / name).write_text("{}")
    for name in _SECRET:
        (folder / name).chmod(0o000)
    (folder / "sealed/text.txt").chmod(0o444)
