"""journal.sqlite of a run's folder, page by page."""

import shutil
from collections import deque

from fuzz._files import FOLDER
from fuzz._runs import a_run
from voirdire.ddft.exported_tables import build_tables
from voirdire.runs import RunFolder

RUN = a_run(FOLDER / "run")
WHOLE = (RUN / "journal.sqlite").read_bytes()
SEEDS = [(place.to_bytes(3) + WHOLE[place : place + 24]) for place in range(0, len(WHOLE), 2_048)]
shutil.rmtree(FOLDER / "spoilt", ignore_errors=True)
SPOILT = shutil.copytree(RUN, FOLDER / "spoilt")


def one(data: bytes) -> None:
    """Read a run whose journal has these bytes (after the first three) in this place (the first three)."""
    place, new = int.from_bytes(data[:3]) % len(WHOLE), data[3:]
    (SPOILT / "journal.sqlite").write_bytes(WHOLE[:place] + new + WHOLE[place + len(new) :])
    with RunFolder.open(SPOILT, read_only=True) as folder:
        journal = folder.journal
        for rows in (journal.notes(), journal.replies(), [journal.totals()]):
            deque(rows, maxlen=0)
        build_tables(journal)
