"""Pages and figures that were made before, in the user's cache: only what has changed is worked out again.

What is kept is known by what it was made of: the runs' folders, the head of each journal's chain, when each of a run's
files was last written (of results, each of theirs), this version's code, and the secrets that were taken out. Files are
readable by their owner only; of a run, or of results, that are gone they are removed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

import voirdire
from voirdire.instruments import is_run, listed_data
from voirdire.models.secrets import known_masks
from voirdire.runs import RunFolder

CACHE_ENV = "VOIRDIRE_PAGES"
"""Environment variable with the folder for what is kept; empty: nothing is."""
_PAGE = ".page.gz"
_FIGURES = ".figures.gz"
_MOST = {_PAGE: 400, _FIGURES: 4_000}
"""How many are kept. Pages: 300 MB, as reports of 400 dialogues are packed; figures: a kilobyte each."""
_QUICK = 1
"""Level of compression."""


def kept_page(what: str, runs: Sequence[Path], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The page as it was made of the same runs before; otherwise it is made, and kept.

    Args:
        what: "report" or "comparison".
        runs: of which.
        make: makes it.
    """
    return _kept(what, runs, _PAGE, make)


def kept_figures(runs: Sequence[Path], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The figures as they were found of the same runs before; otherwise they are worked out, and kept."""
    return _kept("figures", runs, _FIGURES, make)


def keeps_pages() -> bool:
    """Whether anything is kept at all."""
    return _folder() is not None


def remove_stale() -> None:
    """Remove what was made of runs that are gone, and the oldest where there is too much."""
    folder = _folder()
    if folder is None or not folder.is_dir():
        return
    for ending, most in _MOST.items():
        left = sorted(folder.glob(f"*{ending}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for place, path in enumerate(left):
            if place >= most or not _runs_stand(path):
                path.unlink(missing_ok=True)


def _kept(what: str, runs: Sequence[Path], ending: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    folder = _folder()
    if folder is None:
        return make()
    path = folder / f"{_digest(what, runs)}{ending}"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            file.readline()
            known: dict[str, Any] = json.loads(file.read())
        os.utime(path)
        return known
    except (OSError, EOFError, ValueError):
        made = make()
        _keep(path, runs, made)
        return made


def _runs_stand(path: Path) -> bool:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return all(Path(each).is_file() for each in json.loads(file.readline()))
    except (OSError, EOFError, ValueError):
        return False


def _folder() -> Path | None:
    given = os.environ.get(CACHE_ENV)
    if given is None:
        return Path(platformdirs.user_cache_dir("voirdire")) / "pages"
    return Path(given).expanduser() if given else None


def _keep(path: Path, runs: Sequence[Path], made: dict[str, Any]) -> None:
    """Write what was made; what can't be kept is made again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wt", _QUICK, encoding="utf-8") as file:
            file.write(json.dumps([str(each.resolve()) for run in runs for each in _needed(run)]) + "\n")
            json.dump(made, file)
        Path(name).replace(path)
    except OSError:
        return


def _digest(what: str, runs: Sequence[Path]) -> str:
    made_of = [what, _code(), sorted(known_masks()), [_state(run) for run in runs]]
    return hashlib.sha256(json.dumps(made_of).encode("utf-8", "surrogatepass")).hexdigest()


def _needed(run: Path) -> Sequence[Path]:
    """The files without which there is no run, or no results."""
    return [run / "run.json"] if is_run(run) else listed_data(run).files


def _state(run: Path) -> list[Any]:
    head, paths = None, _needed(run)
    if is_run(run):
        with RunFolder.open(run, read_only=True) as folder:
            head = folder.journal.head()
        paths = [each for each in sorted(run.rglob("*")) if each.is_file()]
    files = ((each.name, each.stat()) for each in paths)
    return [str(run.resolve()), head, [(name, status.st_size, status.st_mtime_ns) for name, status in files]]


@cache
def _code() -> str:
    """This version's code, as its files stand: in a clone it changes without the version's number."""
    root = Path(voirdire.__file__).parent
    files = sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc")
    states = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return hashlib.sha256(repr(states).encode()).hexdigest()
