"""One file, written anew for each input."""

import tempfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="fuzzed-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))  # noqa: S108


def written(name: str, data: bytes) -> Path:
    """The path of a file with these bytes."""
    path = FOLDER / name
    path.write_bytes(data)
    return path
