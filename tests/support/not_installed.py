"""A package that is not there, as where its extra was not installed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def not_installed(package: str, *importers: str) -> Iterator[None]:
    """`package` can't be imported, and those modules of ours that import it are imported anew.

    Afterwards all are again what they were, as attributes of their packages too: other tests hold on to them.
    """
    gone = [name for name in sys.modules if name.startswith(("starlette", "uvicorn", *importers))]
    kept = {name: sys.modules[name] for name in gone}
    with patch.dict(sys.modules):
        for name in gone:
            del sys.modules[name]
        for name in (package, f"{package}.applications", f"{package}.exceptions"):
            sys.modules[name] = None
        yield
    for name, module in kept.items():
        parent, _, own = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], own, module)
