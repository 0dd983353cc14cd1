"""What is wrong with a model's folder, said before anything is loaded."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data import untrusted
from voirdire.detectors.records import DetectorError

SETTINGS = "voirdire.json"
_ADAPTER = "adapter_config.json"
_ADAPTER_WEIGHTS = "adapter_model.safetensors"
_CONFIG = "config.json"
_PICKLED = ("*.bin", "*.pt", "*.pth", "*.pkl")
_MAX_BYTES = 10_000_000
"""Of a file of settings; a configuration with 100,000 labels has less."""
_CODE = ("trust_remote_code", "attn_implementation", "experts_implementation")
"""Settings by which a configuration can have transformers fetch code and run it: kernels of a repository, for one."""
_FIELDS = {"threshold": (int, float), "max_length": (int,), "stride": (int,)}


class EncoderSettings(NamedTuple):
    """What training leaves beside an encoder's weights."""

    threshold: float
    max_length: int
    """Tokens of context window and sentence together."""
    stride: int
    """Tokens that two neighbouring windows share."""


def check_weights(model: str) -> None:
    """Refuse a folder whose weights are not safetensors, or whose configuration asks for code of its own.

    A name on the hub is not looked up.

    Raises:
        DetectorError: it holds pickled weights, which can run code when they are loaded, or none; or a path leads
            nowhere.
    """
    folder = Path(model)
    if not folder.is_dir():
        if model.startswith(("/", ".", "~")):
            raise DetectorError(f"There is no folder {model}.")
        return
    _check_config(folder / _CONFIG)
    wanted = _ADAPTER_WEIGHTS if (folder / _ADAPTER).is_file() else "*.safetensors"
    if any(folder.glob(wanted)):
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
        return str(untrusted.json_of(untrusted.read_text(path, _MAX_BYTES))["base_model_name_or_path"])
    except (ValueError, KeyError, TypeError) as error:
        raise DetectorError(f"The file {path} does not name the model that the adapter is for.") from error


def read_settings(folder: str) -> EncoderSettings:
    """Read what `voirdire detectors train` wrote beside an encoder.

    Raises:
        DetectorError: there is no such file, or it is not an encoder's.
    """
    path = Path(folder) / SETTINGS
    if not path.exists():
        raise DetectorError(
            f"{folder} holds no {SETTINGS} (No such file or directory): give a folder that `voirdire detectors train` "
            "has made."
        )
    try:
        found: Any = untrusted.json_of(untrusted.read_text(path, _MAX_BYTES))
    except untrusted.UntrustedError as error:
        raise DetectorError(f"The file {path} is damaged: {error.of('it')}") from error
    if not isinstance(found, dict) or found.get("kind") != "encoder":
        raise DetectorError(f"The file {path} does not describe an encoder.")
    for name, kinds in _FIELDS.items():
        if not isinstance(found.get(name), kinds) or isinstance(found[name], bool) or not 0 <= found[name] < math.inf:
            raise DetectorError(f"The file {path} must give {name} as a number; it gives {found.get(name)!r}.")
    return EncoderSettings(float(found["threshold"]), found["max_length"], found["stride"])


def _check_config(path: Path) -> None:
    if not path.is_file():
        return  # said by whoever loads it
    try:
        found = code_in(untrusted.json_of(untrusted.read_text(path, _MAX_BYTES)))
    except untrusted.UntrustedError as error:
        raise DetectorError(error.of(f"The file {path}")) from error
    if found is not None:
        raise DetectorError(
            f"The file {path} sets {found}, by which code of others can be fetched and run: take that line out."
        )


def code_in(settings: Any) -> str | None:
    """A setting, at any depth, that would have code of others run; `None` where there is none."""
    if isinstance(settings, dict):
        for name, value in settings.items():
            # "eager", "sdpa" and the like are transformers' own; a kernel of others is REPOSITORY/NAME.
            if str(name).lstrip("_").startswith(_CODE) and value is not False and (value is True or "/" in str(value)):
                return str(name)
    within = settings.values() if isinstance(settings, dict) else settings if isinstance(settings, list) else ()
    return next((found for each in within if (found := code_in(each)) is not None), None)
