"""Headers of GGUF files."""

from tests.models._gguf import gguf

from fuzz._files import written
from voirdire.models.gguf import check_gguf

SEEDS = [gguf()]


def one(data: bytes) -> None:
    """Look at a file."""
    check_gguf(written("a.gguf", data))
