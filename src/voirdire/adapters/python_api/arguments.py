"""What a Python function says of an argument that it does not have."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from voirdire.errors import UserError
from voirdire.text.counting import listed
from voirdire.text.suggestion import suggestion

P = ParamSpec("P")
R = TypeVar("R")

_MEANT = {
    "judge": "jury",
    "judges": "jury",
    "passages": "context",
    "documents": "context",
    "source": "context",
    "sources": "context",
    "response": "answer",
    "prompt": "question",
    "budget": "max_cost",
    "folder": "out",
    "output": "out",
    "path": "out",
    "format": "to",
}
"""Words for an argument that are spelled too differently to be near it."""
_ANSWERS = {"compare", "validate"}
"""Functions whose result has every value, so that they need no option of the command for that."""


class ArgumentError(UserError, TypeError):
    """A call that the function's arguments don't allow: one sentence says which argument is wrong and what to write."""


@functools.cache
def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which names the right argument where it is given a wrong one, or lacks one.

    Its signature and docstring stay. What else Python says of a call, as that an argument was given twice, stays, too.

    Raises, when it is called:
        ArgumentError: there is no argument of that name, or one is missing that has no default.
    """
    parameters = inspect.signature(function).parameters
    named = [name for name, each in parameters.items() if each.kind is not each.VAR_POSITIONAL]
    needed = [name for name in named if parameters[name].default is inspect.Parameter.empty]

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True  # pytest shows the caller's own line
        for name in kwargs:
            if name not in parameters:
                raise ArgumentError(
                    f"vd.{function.__name__} has no argument {name!r}; {_instead(function.__name__, name, named)}"
                )
        given = {*kwargs, *list(parameters)[: len(args)]}
        missing = [name for name in needed if name not in given]
        if missing:
            raise ArgumentError(f"vd.{function.__name__} needs {listed(missing)}, which the call does not give.")
        return function(*args, **kwargs)

    return call


def _instead(function: str, name: str, named: list[str]) -> str:
    if function in _ANSWERS and name in ("all", "json"):
        return "every value is in .to_dict() of what it returns."
    meant = _MEANT.get(name, name)
    return suggestion(meant if meant in named else name, named)
