"""voirdire puts language models on the stand: cross-examination, jury, and an audit of the test itself.

`voirdire.load(RUN)` gives a run's results as pandas, `voirdire.assert_floor(RUN, min={"ER": 0.5})` asserts them in a
test suite. They are imported when they are first used: `import voirdire` stays light.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

__all__ = ["GateError", "GateWarning", "__version__", "assert_floor", "load"]

# Named, not imported: what lies below may ask for the version without reaching up.
_GATE = "voirdire.adapters.gate"
_FRONT_DOOR = {
    "load": "voirdire.adapters.loading",
    "assert_floor": _GATE,
    "GateError": _GATE,
    "GateWarning": _GATE,
}


def __getattr__(name: str) -> Any:
    if name not in _FRONT_DOOR:
        raise AttributeError(f"module 'voirdire' has no attribute {name!r}")
    return getattr(importlib.import_module(_FRONT_DOOR[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_FRONT_DOOR})
