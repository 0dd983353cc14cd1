"""Record the figures anew, after a change that is meant to change them: python -m tests.recorded."""

import sys
from contextlib import chdir
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.recorded.commands import AS_JSON, AS_TEXT
from tests.recorded.figures import common, numbers, write
from tests.recorded.world import build

_TIMES = 3
sys.modules["ppi_py"] = None  # a second opinion on intervals, where it happens to be installed

taken = []
for _ in range(_TIMES):
    with TemporaryDirectory() as folder:
        build(Path(folder))
        with chdir(folder):
            taken.append(
                {f"text {name}": numbers(given, as_json=False) for name, given in AS_TEXT.items()}
                | {f"json {name}": numbers(given, as_json=True) for name, given in AS_JSON.items()}
            )
# Seconds and dates differ from one time to the next; what is the same every time is a figure.
kept = {name: reduce(common, (each[name] for each in taken)) for name in taken[0]}
write(kept)
print(*(f"{name}: {len(found)}, of which {len(kept[name])} stay" for name, found in taken[0].items()), sep="\n")
