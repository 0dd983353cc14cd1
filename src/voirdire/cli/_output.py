"""What every command ends with: JSON, or text made for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import typer


def answer(data: Any, shown: Callable[[], str], *, as_json: bool) -> None:
    """Print `data` as JSON, or else what `shown` makes of it. NaN is no JSON: undefined values must be `None`."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) if as_json else shown())
