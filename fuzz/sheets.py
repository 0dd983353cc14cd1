"""CSV: sheets that people fill in, ratings, and figures of models."""

from tests.untrusted.readers import READERS, encoded
from tests.untrusted.sound import check

from fuzz._files import written

READING = [READERS[name] for name in ("crosscheck", "ratings, CSV", "figures", "references, CSV")]
SEEDS = [encoded(name, value) for reader in READING for name, value in reader.values.items()]


def one(data: bytes) -> None:
    """Read a file in every way."""
    path = written("a.csv", data)
    for reader in READING:
        try:
            check(reader.read(path))
        except ValueError as error:
            if not type(error).__module__.startswith("voirdire."):
                raise
