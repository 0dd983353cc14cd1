"""Concept files, held to the rules."""

from fuzz._files import written
from voirdire import data as packaged
from voirdire.ddft.concepts import find_concepts

SEEDS = [packaged.read_text(f"concepts/{name}.yaml").encode()[:6_000] for name in packaged.names("concepts", ".yaml")]


def one(data: bytes) -> None:
    """Read a file, and check it."""
    find_concepts([str(written("a.yaml", data))])
