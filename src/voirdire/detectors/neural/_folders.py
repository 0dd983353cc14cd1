"""What is wrong with a model's folder, said before anything is loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.detectors.records import DetectorError

SETTINGS = "voirdire.json"
_ADAPTER = "adapter_config.json"
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.pkl")
_FIELDS = {"threshold": (int, float), "max_length": (int,), "stride": (int,)}


class EncoderSettings(NamedTuple):
    """What training leaves beside an encoder's weights."""

    threshold: float
    max_length: int
    """Tokens of context window and sentence together."""
    stride: int
    """Tokens that two neighbouring windows share."""


def check_weights(model: str) -> None:
    """Refuse a folder whose weights are not safetensors; a name on the hub is not looked up.

    Raises:
        DetectorError: it holds pickled weights, which can run code when they are loaded, or none; or a path leads
            nowhere.
    """
    folder = Path(model)
    if not folder.is_dir():
        if model.startswith(("/", ".", "~")):
            raise DetectorError(f"There is no folder {model}.")
        return
    if any(folder.glob("*.safetensors")):
        return
    pickled = sorted(path.name for pattern in _PICKLED for path in folder.glob(pattern))
    if pickled:
        raise DetectorError(
            f"The weights in {model} are pickled ({pickled[0]}), which can run code when they are loaded: "
            "save them as safetensors (save_pretrained does)."
        )
    raise DetectorError(f"There are no weights in {model}: a file that ends in .safetensors is expected.")


def adapted_base(model: str) -> str | None:
    """What the adapter in a folder was trained for: a folder, or a name on the hub; `None` where there is no adapter.

    Raises:
        DetectorError: the adapter does not say.
    """
    path = Path(model) / _ADAPTER
    if not path.is_file():
        return None
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["base_model_name_or_path"])
    except (ValueError, KeyError, TypeError) as error:
        raise DetectorError(f"The file {path} does not name the model that the adapter is for.") from error


def read_settings(folder: str) -> EncoderSettings:
    """Read what `voirdire detectors train` wrote beside an encoder.

    Raises:
        DetectorError: there is no such file, or it is not an encoder's.
    """
    path = Path(folder) / SETTINGS
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DetectorError(
            f"{folder} holds no {SETTINGS} ({error.strerror}): give a folder that `voirdire detectors train` has made."
        ) from error
    except ValueError as error:
        raise DetectorError(f"The file {path} is damaged: {error}.") from error
    if not isinstance(found, dict) or found.get("kind") != "encoder":
        raise DetectorError(f"The file {path} does not describe an encoder.")
    for name, kinds in _FIELDS.items():
        if not isinstance(found.get(name), kinds) or isinstance(found[name], bool) or found[name] < 0:
            raise DetectorError(f"The file {path} must give {name} as a number; it gives {found.get(name)!r}.")
    return EncoderSettings(float(found["threshold"]), found["max_length"], found["stride"])
