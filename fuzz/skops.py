"""Trained detectors: the schema of a skops file."""

import zipfile
from importlib.resources import files

from fuzz._files import FOLDER
from voirdire.detectors.linear import check_skops

OURS = files("voirdire.data").joinpath("detectors", "lexical-learned", "model.skops")
with OURS.open("rb") as _file, zipfile.ZipFile(_file) as _archive:
    SEEDS = [_archive.read("schema.json")[:15_000], b'{"__class__": "dict", "__module__": "builtins"}', b"[]"]


def one(data: bytes) -> None:
    """Look at an archive with this schema."""
    path = FOLDER / "a.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("schema.json", data)
    check_skops(path)
