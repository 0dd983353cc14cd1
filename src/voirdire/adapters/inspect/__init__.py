"""Inspect (extra `inspect`): its models in our runs, our instruments as its tasks, our runs as its logs.

Importing this package does not import inspect-ai; what needs it is loaded when it is used.
"""

from __future__ import annotations

from voirdire.errors import not_installed
from voirdire.models import Model, ModelOptions, SpecError

PROVIDER = "inspect"
"""`inspect/PROVIDER/NAME` is Inspect's model `PROVIDER/NAME`."""


def open_model(name: str, options: ModelOptions) -> Model:
    """Open one of Inspect's models; nothing is sent yet. The entry point `inspect` of `voirdire.models` names this.

    Args:
        name: as Inspect names it, `PROVIDER/NAME`.
        options: address and price; a key in a variable of another name.

    Raises:
        SpecError: inspect-ai is not installed, or it can't open this model.
    """
    try:
        from voirdire.adapters.inspect.models import open_inspect
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("inspect_ai"):
            raise
        raise SpecError(not_installed(f"{PROVIDER}/{name}", "inspect-ai", "inspect")) from None
    return open_inspect(name, options)
