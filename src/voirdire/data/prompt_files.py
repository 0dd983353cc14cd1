"""Prompts: versioned text files with named places."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from voirdire.data.packaged_files import PackagedDataError, read_text
from voirdire.records import ChatRole, Fenced, Message

_HEADING = re.compile(r"^# (system|user|assistant)[ \t]*\n", re.MULTILINE)
_PLACE = re.compile(r"\$([a-z_]+)")
_ROLES: dict[str, ChatRole] = {"system": "system", "user": "user", "assistant": "assistant"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: what each role says, with `$name` where a value goes."""

    name: str
    version: str
    sha256: str
    """Of the file's text; recorded by every run that uses it."""
    sections: tuple[tuple[ChatRole, str], ...]

    def messages(self, **values: str | Fenced) -> tuple[Message, ...]:
        """Fill in the places. A `Fenced` value stays a part of its own, so that it can be fenced later.

        Raises:
            KeyError: the prompt has a place that no value was given for.
        """
        return tuple(Message(role, _fill(text, values)) for role, text in self.sections)

    @property
    def places(self) -> frozenset[str]:
        """The names of its places."""
        return frozenset(name for _, text in self.sections for name in _PLACE.findall(text))


_OWN: ContextVar[Mapping[str, Prompt]] = ContextVar("prompts of the user's own", default=MappingProxyType({}))


def load_prompt(name: str) -> Prompt:
    """The prompt of this name: the user's own within `own_prompts`, else `data/prompts/NAME.md`.

    Raises:
        PackagedDataError: no such prompt, or it has no version or no section.
    """
    return _OWN.get().get(name) or _packaged(name)


@contextmanager
def own_prompts(texts: Mapping[str, str]) -> Iterator[None]:
    """Have these texts stand for the packaged prompts of their names while the block runs, also in tasks it begins.

    Raises:
        PackagedDataError: one can't stand for the packaged prompt (`parse_own`).
    """
    before = _OWN.set({name: parse_own(name, text) for name, text in texts.items()})
    try:
        yield
    finally:
        _OWN.reset(before)


def parse_own(name: str, text: str) -> Prompt:
    """A text that stands for a packaged prompt: with the same sections and the same places.

    Raises:
        PackagedDataError: there is no such prompt, or the text is not of its form.
    """
    packaged, own = _packaged(name), _parse(name, text)
    expected, given = ([role for role, _ in each.sections] for each in (packaged, own))
    if given != expected:
        raise PackagedDataError(
            f"The prompt {name!r} must have the sections {', '.join(expected)}, in this order; it has "
            f"{', '.join(given)}."
        )
    if own.places != packaged.places:
        lacks, has = _as_places(packaged.places - own.places), _as_places(own.places - packaged.places)
        faults = [*([f"it lacks {lacks}"] if lacks else []), *([f"{has} must go"] if has else [])]
        raise PackagedDataError(
            f"The prompt {name!r} must have the same places as the packaged one: "
            f"{_as_places(packaged.places) or 'none'}; {' and '.join(faults)}."
        )
    return own


def _as_places(names: Set[str]) -> str:
    return ", ".join(f"${name}" for name in sorted(names))


@cache
def _packaged(name: str) -> Prompt:
    return _parse(name, read_text(f"prompts/{name}.md"))


def _parse(name: str, text: str) -> Prompt:
    """Read a prompt: a `version:` line, then `# system` and `# user` sections."""
    first_line, _, body = text.partition("\n")
    if not first_line.startswith("version:"):
        raise PackagedDataError(f"The prompt {name!r} must begin with a line 'version: …'.")
    pieces = _HEADING.split(body)
    sections = tuple((_ROLES[role], content.strip()) for role, content in zip(pieces[1::2], pieces[2::2], strict=True))
    if not sections:
        raise PackagedDataError(f"The prompt {name!r} has no section '# system' or '# user'.")
    version = first_line.removeprefix("version:").strip()
    return Prompt(name, version, hashlib.sha256(text.encode()).hexdigest(), sections)


def _fill(text: str, values: dict[str, str | Fenced]) -> tuple[str | Fenced, ...]:
    parts: list[str | Fenced] = []
    end = 0
    for place in _PLACE.finditer(text):
        parts += [text[end : place.start()], values[place.group(1)]]
        end = place.end()
    parts.append(text[end:])
    return _merge_texts(parts)


def _merge_texts(parts: list[str | Fenced]) -> tuple[str | Fenced, ...]:
    """Join neighbouring strings, and drop empty ones."""
    merged: list[str | Fenced] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] = merged[-1] + part
        elif part != "":
            merged.append(part)
    return tuple(merged)
