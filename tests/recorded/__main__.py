"""Record the figures anew, after a change that is meant to change them: python -m tests.recorded."""

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.recorded.commands import AS_JSON, AS_TEXT
from tests.recorded.figures import numbers, write
from tests.recorded.world import build

with TemporaryDirectory() as first, TemporaryDirectory() as second:
    taken = []
    for folder in (first, second):
        build(Path(folder))
        with chdir(folder):
            taken.append(
                {f"text {name}": numbers(given, as_json=False) for name, given in AS_TEXT.items()}
                | {f"json {name}": numbers(given, as_json=True) for name, given in AS_JSON.items()}
            )
    # Seconds and dates differ from one time to the next; what is the same both times is a figure.
    write({name: found & taken[1][name] for name, found in taken[0].items()})
    print(
        *(
            f"{name}: {found.total()}, of which {(found & taken[1][name]).total()} stay"
            for name, found in taken[0].items()
        ),
        sep="\n",
    )
