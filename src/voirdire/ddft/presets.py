"""Presets: which test is run. Packaged ones, or a user's YAML file."""

from __future__ import annotations

import difflib
import json
import math
import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from voirdire.data import packaged_files, prompt_files, untrusted
from voirdire.data.bounds import MAX_SAMPLES, as_people_write, bounds_text, in_bounds
from voirdire.data.json_values import as_object
from voirdire.data.paths import beside
from voirdire.ddft.compression import METHODS, Method, check_level
from voirdire.ddft.concepts import concepts_beside_packs, pack_ids
from voirdire.ddft.thresholds import PAPER, Thresholds, check_thresholds, parse_thresholds
from voirdire.errors import InputError
from voirdire.jury.settings import Granularity, JuryRules, Simple, Weights, WeightsByJudge
from voirdire.records import TRAP_KINDS
from voirdire.runs.untrusted import host_of, is_local_address
from voirdire.text.counting import named_twice
from voirdire.text.suggestion import suggestion

MAX_FILE_BYTES = 100_000
MAX_TOKENS = 1_000_000
MAX_LISTED = 1_000
MAX_EXTENDS = 8
"""Presets on presets; one that extends itself would never end."""
TRAPS = ("mixed", *TRAP_KINDS, "none")
_MERGED = frozenset({"jury", "prompts", "roles", "thresholds"})
"""Settings of several parts, of which a preset that extends another one may change some."""
_OWN_PROMPTS = ("subject_", "interviewer", "judge_", "local_judge", "kind_")
ROLES = ("subject", "interviewer", "judge")
JudgeReference = Literal["always", "below_1", "never"]
Turn5 = Literal["always", "on_acceptance"]


class PresetNote(UserWarning):
    """What to know of a preset that is used."""


class PresetError(InputError):
    """A preset that can't be used: one sentence says where, what is wrong, and what is expected."""


@dataclass(frozen=True, slots=True)
class RoleOptions:
    """How the models of one role are reached, beside their spec."""

    base_url: str | None = field(default=None, repr=False)
    api_key_env: str | None = None
    price_per_million: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """Everything that settles which test is run, apart from who takes part (docs/design.md, section 5)."""

    name: str
    description: str
    levels: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    concepts: tuple[str, ...] = ()
    """Ids, names or files; empty for the core ones, those of the paper."""
    name_concept: bool = True
    compression: Method | None = "sentences"
    """`None`: no reference is given at any level."""
    trap: str = "mixed"
    turn5: Turn5 = "always"
    judge_reference: JudgeReference = "always"
    jury: JuryRules = field(default_factory=JuryRules)
    subject_max_tokens: int = 1000
    subject_temperature: float | None = None
    subject_reasoning: str | None = None
    """Thinking effort of subjects that take one: low, medium, high."""
    samples: int = 1
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Texts of the user's own that stand for packaged prompts, by the prompt's name. A file names files beside it."""
    roles: Mapping[str, RoleOptions] = field(default_factory=dict)
    thresholds: Thresholds = PAPER
    """What the metrics count by."""
    folder: Path | None = field(default=None, compare=False)
    """Where relative paths among `concepts` begin: the folder of the file that names them; `None`: the current one."""

    @property
    def may_skip_a_turn(self) -> bool:
        """Whether the fifth turn is asked only after an acceptance."""
        return self.turn5 == "on_acceptance" and self.trap != "none"

    def identity(self) -> dict[str, Any]:
        """What a run records of its preset: equal for equal tests."""
        described = as_object(self)
        del described["description"], described["folder"]
        if not self.prompts:
            del described["prompts"]
        if self.thresholds == PAPER:
            del described["thresholds"]
        return described


def preset_of(identity: Mapping[str, Any]) -> Preset:
    """The preset that a run recorded: the inverse of `Preset.identity`, also after a trip through JSON."""
    changed = {key: _READERS.get(key, _as_is)(value) for key, value in identity.items()}
    return check_preset(Preset(description="", **changed))


def changed_preset(
    preset: Preset,
    *,
    concepts: Sequence[str] = (),
    packs: Sequence[str] = (),
    levels: Sequence[str | float] = (),
    trap: str | None = None,
    samples: int | None = None,
    granularity: str | None = None,
) -> Preset:
    """The preset with what was given in place of its own; empty and `None` change nothing.

    Raises:
        ConceptError: no such pack.
        PresetError: a value that is not allowed.
        LevelError: a level outside [0, 1].
    """
    try:
        numbers = tuple(float(as_people_write(level)) for level in levels)
    except ValueError:
        raise PresetError(
            f"levels: {', '.join(map(str, levels))} must be numbers in [0, 1], such as 0,0.5,1."
        ) from None
    packed = pack_ids(packs)
    chosen = (*packed, *concepts_beside_packs(packed, concepts))
    if granularity is not None:
        _one_of("granularity", granularity, get_args(Granularity))
        preset = replace(preset, jury=replace(preset.jury, granularity=cast(Granularity, granularity)))
    return check_preset(
        replace(
            preset,
            concepts=chosen or preset.concepts,
            folder=None if chosen else preset.folder,
            levels=numbers or preset.levels,
            trap=trap or preset.trap,
            samples=preset.samples if samples is None else samples,
        )
    )


def packaged_presets() -> list[str]:
    """Names of the presets that come with the package."""
    return packaged_files.names("presets", ".yaml")


def own_rubric(preset: Mapping[str, Any]) -> dict[str, str]:
    """Of a preset's identity, its own prompts that judges are shown, by name."""
    return {name: text for name, text in preset.get("prompts", {}).items() if "judge" in name}


def own_prompt_names() -> list[str]:
    """Names of the packaged prompts that a preset can replace."""
    return [name for name in packaged_files.names("prompts", ".md") if name.startswith(_OWN_PROMPTS)]


def load_preset(name: str | os.PathLike[str], _within: tuple[str, ...] = (), _folder: Path | None = None) -> Preset:
    """A packaged preset by name, or a user's by the path of its YAML file.

    A user's file may start `extends: sound` and give only what differs, within `jury` and `thresholds`, too. Relative
    paths in it go by its folder.

    Raises:
        PresetError: no such preset, or a file that is not one.
    """
    if not isinstance(name, str | os.PathLike):
        raise PresetError(f"A preset is a name or the path of a YAML file; {name!r} was given.")
    name = os.fspath(name)
    if name in packaged_presets():
        return parse_preset(packaged_files.read_text(f"presets/{name}.yaml"), f"The packaged preset {name!r}", name)
    if name.endswith((".yaml", ".yml")):
        path = beside(_folder, name, PresetError)
        shown = os.path.normpath(path)
        preset = parse_preset(_read(path), shown, path.stem, _within, path.parent)
        _tell_addresses(preset, shown)
        return preset
    near = difflib.get_close_matches(name, packaged_presets(), n=1)
    hint = f"did you mean {near[0]!r}?" if near else "a preset file's name must end in .yaml."
    raise PresetError(f"There is no preset {name!r}; there are {', '.join(packaged_presets())}; {hint}")


def parse_preset(text: str, where: str, name: str, _within: tuple[str, ...] = (), folder: Path | None = None) -> Preset:
    """Read a preset from YAML text. `where` names it in errors; its relative paths go by `folder`.

    Raises:
        PresetError: not YAML, an unknown key, or a value that is not allowed.
    """
    try:
        raw = untrusted.yaml_of(text)
    except untrusted.UntrustedError as error:
        raise PresetError(error.of(where)) from None
    if not isinstance(raw, dict):
        raise PresetError(f"{where} must be a mapping of preset settings.")
    if where in _within:
        raise PresetError(f"{where} extends itself: {' → '.join((*_within[_within.index(where) :], where))}.")
    if len(_within) >= MAX_EXTENDS:
        raise PresetError(f"{where} extends a preset that extends a preset … more than {MAX_EXTENDS} times.")
    if "extends" in raw:
        base = load_preset(str(raw.pop("extends")), (*_within, where), folder)
    else:
        base = Preset(name, "")
        if folder is not None:
            _tell_defaults(where)
    try:
        _check_keys("", raw, _names_of(Preset) - {"name", "folder"})
        if "prompts" in raw:
            raw["prompts"] = _texts_beside(raw["prompts"], folder)
        changed = {key: _READERS.get(key, _as_is)(value) for key, value in raw.items()}
        if "concepts" in changed:
            changed["folder"] = folder
        for key in _MERGED & changed.keys():
            changed[key] = _with(getattr(base, key), changed[key], raw[key])
        preset = replace(base, name=name, **changed)
        return check_preset(preset)
    except (ValueError, OverflowError) as error:
        raise PresetError(f"{where}: {error}") from None


def _with(base: Any, given: Any, names: Collection[str]) -> Any:
    """A mapping or a record of settings with those of these names as they are given: the others stay."""
    if isinstance(base, Mapping):
        return {**base, **given}
    return replace(base, **{name: getattr(given, name) for name in names})


def check_preset(preset: Preset) -> Preset:
    """The preset itself, if every setting has a value that is allowed.

    Raises:
        PresetError: the sentence names the setting.
        LevelError: a level outside [0, 1].
        ThresholdError: a threshold out of its range.
    """
    if not preset.levels:
        raise PresetError("levels: at least one compression level is needed, such as [0, 0.5, 1].")
    for level in preset.levels:
        check_level(level)
    if (twice := named_twice(preset.levels)) is not None:
        raise PresetError(f"levels: {twice:g} stands more than once.")
    _one_of("trap", preset.trap, TRAPS)
    _one_of("compression", preset.compression, (*METHODS, None))
    _one_of("turn5", preset.turn5, get_args(Turn5))
    _one_of("subject_reasoning", preset.subject_reasoning, (None, "low", "medium", "high"))
    _one_of("judge_reference", preset.judge_reference, get_args(JudgeReference))
    for name, most in (("samples", MAX_SAMPLES), ("subject_max_tokens", MAX_TOKENS)):
        count = getattr(preset, name)
        if not in_bounds(count, 1, most, whole=True):
            raise PresetError(f"{name}: {count!r} is not {bounds_text(1, most, whole=True)}.")
    if not isinstance(preset.name_concept, bool):
        raise PresetError(f"name_concept: {preset.name_concept!r} must be true or false.")
    if not isinstance(preset.description, str):
        raise PresetError(f"description: {preset.description!r} must be a text.")
    if preset.subject_temperature is not None and not _is_amount(preset.subject_temperature):
        raise PresetError(f"subject_temperature: {preset.subject_temperature!r} must be a number of at least 0.")
    check_thresholds(preset.thresholds)
    return preset


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise PresetError(f"{name}: {value!r} is not allowed; {suggestion(str(value), map(str, allowed))}")


def _levels(raw: Any) -> tuple[float, ...]:
    return _numbers("levels", raw)


def _names(raw: Any) -> tuple[str, ...]:
    names = _listed("concepts", raw)
    if not all(isinstance(name, str) for name in names):
        raise PresetError("concepts: a list of ids, names or files is expected, each a text.")
    return tuple(names)


def _numbers(name: str, raw: Any) -> tuple[float, ...]:
    numbers = _listed(name, raw)
    odd = [number for number in numbers if isinstance(number, bool) or not isinstance(number, int | float)]
    if odd:
        raise PresetError(f"{name}: {odd[0]!r} is not a number; a list of numbers is expected.")
    return tuple(map(float, numbers))


def _names_of(record: type) -> set[str]:
    return {entry.name for entry in fields(record)}


def _check_keys(name: str, raw: Mapping[Any, Any], known: set[str]) -> None:
    """See that a mapping has no key but these; `name` is that of the setting, with nothing for the whole preset."""
    unknown = sorted(str(key) for key in raw if key not in known)
    if unknown:
        where = f"{name}: " if name else ""
        raise PresetError(f"{where}there is no setting {unknown[0]!r}; {suggestion(unknown[0], sorted(known))}")


def _listed(name: str, raw: Any) -> Sequence[Any]:
    if not isinstance(raw, list | tuple) or len(raw) > MAX_LISTED:
        raise PresetError(f"{name}: a list of at most {MAX_LISTED} is expected.")
    return raw


def _jury(raw: Any) -> JuryRules:
    if not isinstance(raw, dict):
        raise PresetError("jury: a mapping of rules is expected.")
    _check_keys("jury", raw, _names_of(JuryRules))
    consensus = raw.get("consensus", "mean")
    scales = _names_of(Weights)
    if isinstance(consensus, dict) and consensus and not scales & consensus.keys():
        consensus = WeightsByJudge(_weights_by_judge(consensus))
    elif isinstance(consensus, dict):
        _check_keys("jury.consensus", consensus, scales)
        missing = sorted(scales - consensus.keys())
        if missing:
            raise PresetError(f"jury.consensus: it lacks {missing[0]}; a list of weights is expected for each scale.")
        consensus = Weights(
            **{scale: _numbers(f"jury.consensus.{scale}", weights) for scale, weights in consensus.items()}
        )
    elif consensus not in get_args(Simple):
        raise PresetError(
            f"jury.consensus: {consensus!r} must be mean, median, a weight for each judge, or the weights of far and "
            "of sas."
        )
    return JuryRules(**{**raw, "consensus": consensus})


def _texts_beside(raw: Any, folder: Path | None) -> dict[str, str]:
    """The texts of a preset's prompts. Only files beside it are read: it may come from somebody else."""
    if not isinstance(raw, dict) or folder is None:
        raise PresetError("prompts: a mapping from a prompt's name to a file beside the preset is expected.")
    for name, file in raw.items():
        if not isinstance(file, str) or Path(file).name != file:
            raise PresetError(f"prompts.{name}: {file!r} must be the name of a file in the preset's own folder.")
    _check_keys("prompts", raw, set(own_prompt_names()))
    texts = {name: _read(folder / file) for name, file in raw.items()}
    for name, text in texts.items():
        _check_prompt(name, text, f"prompts.{name}, {raw[name]}")
    return texts


def _prompts(raw: Any) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise PresetError("prompts: a mapping from a prompt's name to its text is expected.")
    _check_keys("prompts", raw, set(own_prompt_names()))
    for name, text in raw.items():
        if not isinstance(text, str):
            raise PresetError(f"prompts.{name}: a text is expected.")
        _check_prompt(name, text, f"prompts.{name}")
    return dict(raw)


def _check_prompt(name: str, text: str, where: str) -> None:
    try:
        prompt_files.parse_own(name, text)
    except packaged_files.PackagedDataError as error:
        raise PresetError(f"{where}: {error}") from None


def _weights_by_judge(raw: Mapping[Any, Any]) -> dict[str, float]:
    for judge, weight in raw.items():
        if not isinstance(judge, str) or not _is_amount(weight) or weight == 0:
            raise PresetError(f"jury.consensus: the weight of {judge} is {weight!r}; it must be a number above 0.")
    return {judge: float(weight) for judge, weight in raw.items()}


def _roles(raw: Any) -> dict[str, RoleOptions]:
    if not isinstance(raw, dict):
        raise PresetError(f"roles: a mapping from {', '.join(ROLES)} to options is expected.")
    for role, options in raw.items():
        _one_of("roles", role, ROLES)
        if not isinstance(options, dict):
            raise PresetError(f"roles.{role}: a mapping of base_url, api_key_env, price_per_million is expected.")
    return {role: _role_options(role, options) for role, options in raw.items()}


def _role_options(role: str, raw: Mapping[str, Any]) -> RoleOptions:
    _check_keys(f"roles.{role}", raw, _names_of(RoleOptions))
    price = raw.get("price_per_million")
    if price is not None and not (isinstance(price, list) and len(price) == 2 and all(map(_is_amount, price))):
        raise PresetError("roles: price_per_million must be [input, output] in USD, each zero or more.")
    for name in ("base_url", "api_key_env"):
        if not isinstance(raw.get(name), str | None):
            raise PresetError(f"roles: {name} must be a text.")
    options = dict(raw) | {"price_per_million": None if price is None else (float(price[0]), float(price[1]))}
    return RoleOptions(**options)


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _tell_defaults(where: str) -> None:
    """Say what a file starts from that extends no other: the built-in defaults are not all those of `sound`."""
    default, sound = as_object(JuryRules()), as_object(load_preset("sound").jury)
    other = ", ".join(f"jury.{name}: {json.dumps(value)}" for name, value in default.items() if value != sound[name])
    warnings.warn(
        PresetNote(
            f"The preset {where} extends no other: what it leaves out is as in sound, except {other}. "
            "Begin it with `extends: sound` to take everything from sound."
        ),
        stacklevel=4,
    )


def _tell_addresses(preset: Preset, where: str) -> None:
    """Say where a file sends calls, and which key with them: it may be somebody else's."""
    for role, options in preset.roles.items():
        if options.base_url is not None and not is_local_address(options.base_url):
            host = host_of(options.base_url)
            warnings.warn(
                PresetNote(f"The preset {where} has the calls of the role {role} sent to {host}, with your key."),
                stacklevel=3,
            )


def _as_is(raw: Any) -> Any:
    return raw


def _read(path: Path) -> str:
    try:
        return untrusted.read_text(path, MAX_FILE_BYTES)
    except untrusted.UntrustedError as error:
        raise PresetError(error.of(f"The preset file {path}")) from None


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "levels": _levels,
    "concepts": _names,
    "jury": _jury,
    "prompts": _prompts,
    "roles": _roles,
    "thresholds": parse_thresholds,
}
