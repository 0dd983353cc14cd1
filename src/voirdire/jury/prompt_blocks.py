"""Putting messages together from packaged prompts, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from voirdire.data.packaged_files import names
from voirdire.data.prompt_files import Prompt, load_prompt
from voirdire.records import ChatRole, Fenced

Block = tuple[str | Fenced, ...]
"""Parts of a message that belong together."""


def block(name: str, role: ChatRole = "user", /, **values: str | Fenced) -> Block:
    """The section of a packaged prompt for this role, its places filled in."""
    if any(isinstance(value, Fenced) for value in values.values()):
        return _parts(load_prompt(name), role, values)
    return _plain_block(load_prompt(name), role, tuple((key, str(value)) for key, value in values.items()))


def joined(blocks: Iterable[Block], *, gap: str = "\n\n") -> Block:
    """Blocks as one, with a gap between each two; neighbouring plain parts become one."""
    parts: list[str | Fenced] = []
    for number, each in enumerate(blocks):
        for part in ((gap,) if number else ()) + each:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            else:
                parts.append(part)
    return tuple(parts)


@lru_cache(maxsize=1024)
def _plain_block(prompt: Prompt, role: ChatRole, values: tuple[tuple[str, str], ...]) -> Block:
    """A block without anybody's words in it: rubrics, and what is known of a concept, stand in thousands of calls."""
    return _parts(prompt, role, dict(values))


def _parts(prompt: Prompt, role: ChatRole, values: Mapping[str, str | Fenced]) -> Block:
    return next(message.parts for message in prompt.messages(**values) if message.role == role)


def hashes() -> dict[str, str]:
    """SHA-256 of every prompt that a judge can be shown, by name."""
    return {name: load_prompt(name).sha256 for name in _names()}


@cache
def _names() -> list[str]:
    return [name for name in names("prompts", ".md") if name.startswith(("judge_", "local_judge"))]
