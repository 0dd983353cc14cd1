"""Pages and figures that were made before, in the user's cache: only what has changed is worked out again.

Of each run the last is kept, with what it was made of: the run's folder, the head of its journal's chain, when each of
its files was last written (of results, each of theirs), this version's code, and the secrets that were taken out. Files
are readable by their owner only; of a run, or of results, that are gone they are removed.
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


def cached_page(what: str, runs: Sequence[Path], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The page, "report" or "comparison", as it was made of the same runs before; otherwise it is made, and kept."""
    return _cached(what, runs, _PAGE, make)


def cached_figures(run: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The figures as they were found of the same run before; otherwise they are worked out, and kept."""
    return _cached("figures", [run], _FIGURES, make)


def known_page(what: str, runs: Sequence[Path]) -> dict[str, Any] | None:
    """The page that is kept of these runs as they stand; `None` where there is none."""
    return _known(what, runs, _PAGE)


def known_figures(run: Path) -> dict[str, Any] | None:
    """The figures that are kept of a run as it stands; `None` where there are none."""
    return _known("figures", [run], _FIGURES)


def state_of(runs: Sequence[Path]) -> str:
    """What a page of these runs is made of, as a hash: another one where anything has changed."""
    return _hash(json.dumps([_code(), sorted(known_masks()), [_state(run) for run in runs]]))


def is_cached(what: str, runs: Sequence[Path]) -> bool:
    """Whether a page is kept of these runs as they stand."""
    folder = _folder()
    return folder is not None and _head(_place(folder, what, runs, _PAGE)).get("made_of") == state_of(runs)


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
            if place >= most or not _runs_exist(path):
                path.unlink(missing_ok=True)


def _known(what: str, runs: Sequence[Path], ending: str) -> dict[str, Any] | None:
    folder = _folder()
    return None if folder is None else _read(_place(folder, what, runs, ending), state_of(runs))


def _cached(what: str, runs: Sequence[Path], ending: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    known = _known(what, runs, ending)
    if known is not None:
        return known
    folder = _folder()
    state = "" if folder is None else state_of(runs)  # before it is made: what comes meanwhile is not in it
    made = make()
    if folder is not None:
        _keep(_place(folder, what, runs, ending), state, runs, made)
    return made


def _place(folder: Path, what: str, runs: Sequence[Path], ending: str) -> Path:
    named = json.dumps([what, [str(run.resolve()) for run in runs]])
    return folder / f"{_hash(named)}{ending}"


def _read(place: Path, state: str) -> dict[str, Any] | None:
    """What is kept in a file, where it was made of the same."""
    try:
        with gzip.open(place, "rt", encoding="utf-8") as file:
            if json.loads(file.readline())["made_of"] != state:
                return None
            known: dict[str, Any] = json.loads(file.read())
        os.utime(place)
        return known
    except (OSError, EOFError, ValueError):
        return None


def _runs_exist(path: Path) -> bool:
    needs = _head(path).get("needs")
    return needs is not None and all(Path(each).is_file() for each in needs)


def _head(place: Path) -> dict[str, Any]:
    """The first line of a file: what is in it was made of what, and needs which files; empty where it can't be read."""
    try:
        with gzip.open(place, "rt", encoding="utf-8") as file:
            results: dict[str, Any] = json.loads(file.readline())
        return results
    except (OSError, EOFError, ValueError):
        return {}


def _folder() -> Path | None:
    given = os.environ.get(CACHE_ENV)
    if given is None:
        return Path(platformdirs.user_cache_dir("voirdire")) / "pages"
    return Path(given).expanduser() if given else None


def _keep(path: Path, state: str, runs: Sequence[Path], made: dict[str, Any]) -> None:
    """Write what was made; what can't be kept is made again next time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wt", _QUICK, encoding="utf-8") as file:
            needs = [str(each.resolve()) for run in runs for each in _needed(run)]
            file.write(json.dumps({"made_of": state, "needs": needs}) + "\n")
            json.dump(made, file)
        Path(name).replace(path)
    except OSError:
        return


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
    return _hash(repr(states))
