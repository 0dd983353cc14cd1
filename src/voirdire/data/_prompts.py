"""Prompts: versioned text files with named places."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache

from voirdire.data._resources import PackagedDataError, read_text
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


@cache
def load_prompt(name: str) -> Prompt:
    """Read `data/prompts/NAME.md`: a `version:` line, then `# system` and `# user` sections.

    Raises:
        PackagedDataError: no such prompt, or it has no version or no section.
    """
    text = read_text(f"prompts/{name}.md")
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
