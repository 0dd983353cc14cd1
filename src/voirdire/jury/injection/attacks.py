"""The packaged attacks (`data/attacks.yaml`), as data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, get_args

from voirdire.data import packaged_files
from voirdire.jury.injection.disguises import disguised_text
from voirdire.jury.settings import JuryError

Target = Literal["judge", "labeller", "auditor", "interviewer"]
TARGETS: tuple[Target, ...] = get_args(Target)
"""Who an attack speaks to."""

ANSWER = "$answer"
"""Stands in an attack's text where the honest answer goes."""

CONTROLS = "controls"
"""The family of additions that ask for nothing: no attacks, but what attacks are to be held against."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to sway whoever reads an answer, written into the answer."""

    id: str
    family: str
    language: str
    """ISO 639 code of the language it is written in."""
    targets: tuple[Target, ...]
    text: str
    """The hostile answer, with `$answer` where the honest one stands."""
    asks: Mapping[str, Any]
    """What it wants of each target: `far` and `sas` of judges, `label` of labellers, `violations` (how many) of
    auditors, `question` (what it should do) of interviewers. Only what concerns its targets is there."""
    earlier: tuple[str, ...] = field(default=())
    """What the subject said at earlier turns, where the attack is spread over several."""

    def on(self, answer: str) -> str:
        """The hostile answer that is made of an honest one."""
        return self.text.replace(ANSWER, answer)


def attacks(
    targets: Collection[Target] | Target | None = None, *, names: Collection[str] | None = None
) -> tuple[Attack, ...]:
    """The packaged attacks, by family and in the order of their file.

    Args:
        targets: only attacks on one of these; `None` for all.
        names: only attacks of these families or ids; `None` for all.

    Raises:
        JuryError: `names` names neither a family nor an attack.
    """
    wanted = {targets} if isinstance(targets, str) else None if targets is None else set(targets)
    every = tuple(attack for family in families() for attack in _family(family))
    _check_chosen(names or (), every)
    return tuple(
        each
        for each in every
        if (wanted is None or wanted & set(each.targets))
        and (names is None or each.id in names or each.family in names)
    )


@cache
def families() -> Mapping[str, str]:
    """What each family of attacks does, in a sentence, by its name."""
    return MappingProxyType({name: str(each["about"]) for name, each in _load().items() if name != CONTROLS})


def controls() -> tuple[Attack, ...]:
    """Harmless additions to an answer: what a judge makes of them, an attack has to exceed."""
    return _family(CONTROLS)


def _check_chosen(names: Collection[str], every: tuple[Attack, ...]) -> None:
    known = {each.id for each in every} | {each.family for each in every}
    unknown = sorted(set(names) - known)
    if unknown:
        raise JuryError(
            f"{unknown[0]!r} is neither an attack nor a family of attacks; the families are {', '.join(families())}."
        )


@cache
def _family(name: str) -> tuple[Attack, ...]:
    whole = _load()[name]
    return tuple(_attack(name, whole, entry) for entry in whole["attacks"])


@cache
def _load() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_files.read_yaml("attacks.yaml")
    return loaded


def _attack(family: str, whole: Mapping[str, Any], entry: Mapping[str, Any]) -> Attack:
    """An entry of a family; what it leaves out, the family says for all of its entries."""
    text = str(entry["text"]).removesuffix("\n")
    for name, rule in entry.get("made", {}).items():
        text = text.replace(f"${name}", disguised_text(rule))
    return Attack(
        id=entry["id"],
        family=family,
        language=entry.get("language", "en"),
        targets=tuple(entry.get("targets", whole["targets"])),
        text=text,
        asks=MappingProxyType(dict(entry.get("asks", whole.get("asks", {})))),
        earlier=tuple(str(turn).removesuffix("\n") for turn in entry.get("earlier", ())),
    )
