"""voirdire puts language models on the stand: cross-examination, jury, and an audit of the test itself.

    import voirdire as vd

    vd.detect(context, answer)              # which sentences does the context not support?
    vd.plan(models=["openai/gpt-5.1"])      # what would a run cost?
    run = vd.run(models=["openai/gpt-5.1"]) # the same call again continues it
    run.profiles, run.turns, run.plot()     # vd.load(FOLDER) gives the same of an earlier run
    print(vd.show(run))                     # what the terminal shows; all=True: every figure
    vd.audit("results/")                    # can the results of somebody else's evaluation be believed?
    vd.compare(run, "runs/other"), vd.validate(run), vd.report(run, out="report.html")
    vd.export(run, to="parquet", out="tables")
    vd.assert_floor(run, min={"ER": 0.5})   # in a test suite, as is vd.assert_supported(context, answer)

Each is imported when it is first used: `import voirdire` stays light.
"""

from __future__ import annotations

import importlib
from types import FunctionType
from typing import Any

__version__ = "0.1.0"

__all__ = [
    "GateError",
    "GateWarning",
    "UsageError",
    "__version__",
    "assert_floor",
    "assert_supported",
    "audit",
    "compare",
    "detect",
    "export",
    "load",
    "plan",
    "report",
    "run",
    "show",
    "validate",
]

# Named, not imported: what lies below may ask for the version without reaching up. __init__.pyi has their types.
_API = "voirdire.adapters.python_api"
_GATE = "voirdire.adapters.gate"
_EXPORTS = {
    "run": f"{_API}.examination",
    "detect": f"{_API}.detection",
    "audit": f"{_API}.auditing",
    "show": f"{_API}.showing",
    "compare": f"{_API}.comparison",
    "validate": f"{_API}.validation",
    "report": f"{_API}.reporting",
    "export": f"{_API}.exporting",
    "plan": f"{_API}.planning",
    "load": "voirdire.adapters.loading",
    "assert_supported": f"{_API}.supported",
    "UsageError": f"{_API}.results",
    "assert_floor": _GATE,
    "GateError": _GATE,
    "GateWarning": _GATE,
}
_COMMANDS = {"gate": "assert_floor"}
"""Commands whose function has another name."""


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        near = _COMMANDS.get(name) or importlib.import_module("voirdire.text.suggestion").nearest(name, _EXPORTS)
        meant = f"; did you mean {near}?" if near else ""
        raise AttributeError(f"module 'voirdire' has no attribute {name!r}{meant}")
    value = getattr(importlib.import_module(_EXPORTS[name]), name)
    if isinstance(value, FunctionType):
        return importlib.import_module(f"{_API}.arguments").checked(value)
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("_")), *__all__})
