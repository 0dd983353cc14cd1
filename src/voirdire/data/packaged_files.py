"""Files that come with the package."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from voirdire.errors import UserError


class PackagedDataError(UserError):
    """A packaged file that was asked for does not exist, or does not have the form it must have."""


def read_text(path: str) -> str:
    """Text of a packaged file, by its path under `voirdire/data` ("concepts/recursion.yaml").

    Raises:
        PackagedDataError: there is no such file.
    """
    source = files("voirdire.data").joinpath(*path.split("/"))
    if not source.is_file():
        raise PackagedDataError(f"The package holds no data file {path!r}.")
    return source.read_text(encoding="utf-8")


def read_yaml(path: str) -> Any:
    """What a packaged YAML file holds, by its path under `voirdire/data`.

    Raises:
        PackagedDataError: there is no such file.
    """
    return parse_yaml(read_text(path))


def parse_yaml(text: str) -> Any:
    """What the text of a packaged YAML file holds, by the fast C parser where there is one.

    Never for a user's file: deeply nested brackets make that parser crash.
    """
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe loaders both


def names(folder: str, suffix: str) -> list[str]:
    """Names, without the suffix and sorted, of the files in a packaged folder ("concepts", ".yaml")."""
    entries = files("voirdire.data").joinpath(folder).iterdir()
    return sorted(entry.name.removesuffix(suffix) for entry in entries if entry.name.endswith(suffix))
