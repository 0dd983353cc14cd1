"""Answers in JSON Lines, as `voirdire detect` reads them."""

from tests.untrusted.readers import READERS, encoded
from tests.untrusted.sound import check

from fuzz._files import written

READER = READERS["answers, lines"]
SEEDS = [encoded(name, value) for name, value in READER.values.items()]


def one(data: bytes) -> None:
    """Read a file; what is read is what its types say."""
    check(READER.read(written("a.jsonl", data)))
