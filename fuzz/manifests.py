"""run.json of a run's folder."""

import shutil

from fuzz._files import FOLDER
from fuzz._runs import a_run
from voirdire.ddft.results import load_run

RUN = a_run(FOLDER / "run")
SEEDS = [(RUN / "run.json").read_bytes()]
shutil.rmtree(FOLDER / "spoilt", ignore_errors=True)
SPOILT = shutil.copytree(RUN, FOLDER / "spoilt")


def one(data: bytes) -> None:
    """Read a run with this manifest."""
    (SPOILT / "run.json").write_bytes(data)
    load_run(SPOILT)
