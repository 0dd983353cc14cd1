"""Paths as a caller of our functions gives them: a `Path` or a text, one or several."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from voirdire.errors import UserError

AnyPath = str | os.PathLike[str]


class PathTypeError(UserError, TypeError):
    """Something that is no path: one sentence says what was given."""


def as_path(given: AnyPath) -> Path:
    """A path that was given as a text or a `Path`.

    Raises:
        PathTypeError: it is neither.
    """
    if not isinstance(given, str | os.PathLike):
        raise PathTypeError(f"A path is a text or a pathlib.Path; {_shown(given)} was given.")
    return Path(given)


def as_paths(given: AnyPath | Iterable[AnyPath]) -> list[Path]:
    """Paths, of which one alone may stand without a list.

    Raises:
        PathTypeError: one of them is none, or they are no list.
    """
    if isinstance(given, str | os.PathLike):
        return [as_path(given)]
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes) or _is_table(given):
        raise PathTypeError(f"A path, or a list of paths, is expected; {_shown(given)} was given.")
    return [as_path(each) for each in given]


def beside(folder: Path | None, name: str, refused: Callable[[str], UserError]) -> Path:
    """The path that a file in `folder` names: a relative one goes by that folder, not by the current one.

    Args:
        folder: of the file that names it; `None` where a person does, whose paths go by the current folder.
        name: as it is written.
        refused: the error to raise.

    Raises:
        UserError: it is not there, but in the current folder. The sentence names both places.
    """
    path = Path(name) if folder is None else folder / name
    if not _exists(path) and _exists(Path(name)):
        raise refused(
            f"{name!r} is not at {path.absolute()}, where it is looked for, but at {Path(name).absolute()}: a preset's "
            "paths go by the folder of its file. Write it as seen from there."
        )
    return path


def check_folder_of(file: Path, refused: Callable[[str], UserError]) -> None:
    """See that the folder is there in which a file is to stand: none is made for it, as its name may be a slip.

    Raises:
        UserError: there is no such folder.
    """
    if not file.parent.is_dir():
        raise refused(f"There is no folder {file.parent} for {file.name}; make it, or name another.")


def why_unwritable(error: OSError, path: Path) -> str:
    """What keeps the system from writing a path: half a sentence.

    Args:
        error: names the file or folder that could not be made.
        path: that was to be written, where it names none.
    """
    folder = Path(error.filename or path).absolute().parent
    if error.errno != errno.ENOENT:
        return (error.strerror or str(error)).rstrip(".")
    return f"nothing can be made in {folder}" if _exists(folder) else f"there is no folder {folder}"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no system can hold: whoever reads it says so
        return False


def _is_table(given: object) -> bool:
    return hasattr(given, "columns")


def _shown(given: object) -> str:
    """What was given; of a table, which has many lines, what it is."""
    if not _is_table(given):
        return repr(given)
    return f"a table (a {type(given).__module__.partition('.')[0]} {type(given).__name__}), which is not in a file,"


def set_paths(record: object, *names: str) -> None:
    """Make paths of these fields of a frozen record: one path, a tuple of them, or `None`; for `__post_init__`."""
    for name in names:
        value = getattr(record, name)
        if value is not None:
            many = isinstance(value, list | tuple)
            object.__setattr__(record, name, tuple(as_paths(value)) if many else as_path(value))
