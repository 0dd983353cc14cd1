"""What is wrong with the folder of a model, and what its outputs mean: said before anything is loaded."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
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
        settings: Any = untrusted.json_of(untrusted.read_text(path, _MAX_BYTES))
    except untrusted.UntrustedError as error:
        raise DetectorError(f"The file {path} is damaged: {error.of('it')}") from error
    if not isinstance(settings, dict) or settings.get("kind") != "encoder":
        raise DetectorError(f"The file {path} does not describe an encoder.")
    for name, kinds in _FIELDS.items():
        if (
            not isinstance(settings.get(name), kinds)
            or isinstance(settings[name], bool)
            or not 0 <= settings[name] < math.inf
        ):
            raise DetectorError(f"The file {path} must give {name} as a number; it gives {settings.get(name)!r}.")
    return EncoderSettings(float(settings["threshold"]), settings["max_length"], settings["stride"])


def _check_config(path: Path) -> None:
    if not path.is_file():
        return  # said by whoever loads it
    try:
        setting = code_setting_in(untrusted.json_of(untrusted.read_text(path, _MAX_BYTES)))
    except untrusted.UntrustedError as error:
        raise DetectorError(error.of(f"The file {path}")) from error
    if setting is not None:
        raise DetectorError(
            f"The file {path} sets {setting}, by which foreign code can be fetched and run: take that line out."
        )


def code_setting_in(settings: Any) -> str | None:
    """A setting, at any depth, that would have code of others run; `None` where there is none."""
    if isinstance(settings, dict):
        for name, value in settings.items():
            # "eager", "sdpa" and the like are transformers' own; a kernel of others is REPOSITORY/NAME.
            if str(name).lstrip("_").startswith(_CODE) and value is not False and (value is True or "/" in str(value)):
                return str(name)
    within = settings.values() if isinstance(settings, dict) else settings if isinstance(settings, list) else ()
    return next((name for each in within if (name := code_setting_in(each)) is not None), None)


_NOT_A_LETTER = re.compile(r"[^a-z]")
_PLAIN = re.compile(r"label\d+", re.IGNORECASE)
RELEASED_WITHOUT_NAMES = {"potsawee/deberta-v3-large-mnli": {0: "entailment", 1: "contradiction"}}
"""SelfCheckGPT's own model; its card names the outputs."""


class NliLabels(NamedTuple):
    """Places of the classes among a model's outputs."""

    entailment: int
    contradiction: int | None
    """`None`: the model only tells entailment from the rest."""


def nli_labels(
    model: str, id2label: Mapping[Any, str], label2id: Mapping[str, Any] | None = None, *, contradiction: bool = True
) -> NliLabels:
    """Find entailment and contradiction among the outputs, by their names.

    Args:
        model: for the message, and for the few models whose names stand elsewhere.
        id2label: of the model's configuration; names in any case and spelling ("ENTAILMENT", "not-entailment").
        label2id: used where `id2label` holds no more than LABEL_0, LABEL_1 …
        contradiction: whether it must be among them.

    Raises:
        DetectorError: the names don't say what the outputs mean, or contradiction is not among them.
    """
    names = RELEASED_WITHOUT_NAMES.get(model) or _named(id2label, label2id or {})
    places = {_meaning(name): place for place, name in names.items()}
    entailment, contradicted = places.get("entailment"), places.get("contradiction")
    classes = ", ".join(names[place] for place in sorted(names))
    if entailment is None:
        raise DetectorError(
            f"{model} calls its classes {classes}, which does not say where entailment stands: "
            "set id2label in its config.json, or use a model that names entailment, neutral and contradiction."
        )
    if contradiction and contradicted is None:
        raise DetectorError(
            f"{model} calls its classes {classes} and knows no contradiction: "
            "use nli with --not-entailed, or a model that names entailment, neutral and contradiction."
        )
    return NliLabels(entailment, contradicted)


def binary_label(model: str, id2label: Mapping[Any, str], positive: str, negative: str) -> int:
    """The output of a two-class model that means `positive`; where classes have no names, the second.

    Raises:
        DetectorError: the model has another number of classes, or names that are neither.
    """
    names = {int(place): name.lower() for place, name in id2label.items()}
    if len(names) == 2:
        if all(_PLAIN.fullmatch(name.replace("_", "")) for name in names.values()):
            return 1
        if set(names.values()) == {positive, negative}:
            return next(place for place, name in names.items() if name == positive)
    raise DetectorError(
        f"{model} has the classes {', '.join(names[place] for place in sorted(names))}; "
        f"two are expected, {negative} and {positive}."
    )


def _named(id2label: Mapping[Any, str], label2id: Mapping[str, Any]) -> dict[int, str]:
    names = {int(place): str(name) for place, name in id2label.items()}
    if any(_meaning(name) for name in names.values()):
        return names
    other = {int(place): str(name) for name, place in label2id.items()}
    return other if any(_meaning(name) for name in other.values()) else names


def _meaning(name: str) -> str | None:
    plain = _NOT_A_LETTER.sub("", name.lower())
    if plain.startswith(("notentail", "nonentail")):
        return "rest"
    for word, meaning in (("entail", "entailment"), ("contradict", "contradiction"), ("neutral", "neutral")):
        if plain.startswith(word):
            return meaning
    return None
