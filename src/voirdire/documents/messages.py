"""What many commands say beside their result: notes, what was written, how far the work is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.text.counting import counted


def note(sentence: str) -> str:
    """A sentence beside a result."""
    return f"Note: {sentence}"


def warning(sentence: str) -> str:
    """A sentence that speaks against what is about to be done."""
    return f"Warning: {sentence}"


def not_complete(why: str) -> str:
    """That something stopped before its end."""
    return f"Not complete: {why}"


def written(path: Path) -> str:
    """Where something was written."""
    return f"Written: {path}"


def writing(path: Path) -> str:
    """That a file is being written."""
    return f"Writing {path.name}"


def files_written(paths: Sequence[Path], size: int) -> str:
    """Where files of one folder were written, and how large they are."""
    if len(paths) == 1:
        return f"{written(paths[0])} ({_size(size)})."
    head = f"Written: {counted(len(paths), 'file')} in {paths[0].parent} ({_size(size)}):"
    return "\n".join([head, *(f"  {path.name}" for path in paths)])


def _size(amount: int) -> str:
    return f"{amount / 1e6:.1f} MB" if amount >= 1e6 else f"{max(1, round(amount / 1e3)):,} kB"


def no_browser(address: str | Path) -> str:
    """That a page can't be shown here."""
    return note(f"no browser was found here; open {address} in one.")


def only_pages(format: str) -> str:
    """That a browser shows no report of this format."""
    return note(f"only a page is shown in the browser, not {format}.")


def under_way(step: str) -> str:
    """That a step has begun."""
    return f"{step} …"


def progress(what: str, done: int, total: int) -> str:
    """How far a count is."""
    return f"{what}: {done:,} of {total:,}"


def shards_done(done: int, shards: int) -> str:
    """How far a run in shards is."""
    return f"{done:,} of {counted(shards, 'shard')}"


def exact_note(spec: str) -> str:
    """What --exact gives, and how to see what it costs with this local model."""
    return note(
        "with --exact the same seed, machine and library give the same replies again. What that costs here: "
        f"voirdire models check {spec} --time-exact"
    )
