"""Tasks of Label Studio: as ratings, and as what a project is made of."""

from tests.untrusted.readers import READERS, encoded
from tests.untrusted.sound import check

from fuzz._files import written

READING = [READERS["ratings, Label Studio"], READERS["tasks, Label Studio"]]
SEEDS = [encoded(name, value) for reader in READING for name, value in reader.values.items()]


def one(data: bytes) -> None:
    """Read a file both ways."""
    path = written("tasks.json", data)
    try:
        check(READING[0].read(path))
    except ValueError as error:
        if not type(error).__module__.startswith("voirdire."):
            raise
    check(READING[1].read(path))
