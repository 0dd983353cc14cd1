"""Which module trains which kind of detector; what it needs is imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from voirdire.detectors.records import DetectorError

_TRAINERS = {
    "lexical-learned": "voirdire.detectors.learning:train",
    "encoder": "voirdire.detectors.training.encoder:train_encoder",
    "cognidet": "voirdire.detectors.training.generative:train_cognidet",
}
_PLANNERS = {"cognidet": "voirdire.detectors.training.chats:plan_cognidet"}
KINDS = tuple(_TRAINERS)


def open_trainer(kind: str) -> Any:
    """The function that trains a kind of detector: its first arguments are the answers and the new folder.

    Raises:
        DetectorError: there is none for this kind, or what it needs is not installed.
    """
    if kind not in _TRAINERS:
        raise DetectorError(f"{kind!r} can't be trained; {', '.join(KINDS)} can.")
    return _open(_TRAINERS[kind], kind)


def open_planner(kind: str) -> Any:
    """The function that says what a training would do, where even that takes a tokenizer.

    Raises:
        DetectorError: what it needs is not installed.
    """
    return _open(_PLANNERS[kind], kind)


def _open(where: str, kind: str) -> Any:
    module, _, function = where.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("voirdire"):
            raise
        raise DetectorError(
            f"Training a {kind} detector needs {error.name}, which is not installed: pip install 'voirdire[train]'."
        ) from error
