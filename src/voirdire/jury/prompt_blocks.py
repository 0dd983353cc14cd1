"""Putting messages together from packaged prompts, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from voirdire.data import load_prompt, names
from voirdire.records import ChatRole, Fenced

Block = tuple[str | Fenced, ...]
"""Parts of a message that belong together."""

_prompt = cache(load_prompt)


def block(name: str, role: ChatRole = "user", /, **values: str | Fenced) -> Block:
    """The section of a packaged prompt for this role, its places filled in."""
    if any(isinstance(value, Fenced) for value in values.values()):
        return _prompt_parts(name, role, values)
    return _plain_block(name, role, tuple((key, str(value)) for key, value in values.items()))


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
def _plain_block(name: str, role: ChatRole, values: tuple[tuple[str, str], ...]) -> Block:
    """A block without anybody's words in it: rubrics, and what is known of a concept, stand in thousands of calls."""
    return _prompt_parts(name, role, dict(values))


def _prompt_parts(name: str, role: ChatRole, values: Mapping[str, str | Fenced]) -> Block:
    return next(message.parts for message in _prompt(name).messages(**values) if message.role == role)


@cache
def hashes() -> dict[str, str]:
    """SHA-256 of every prompt that a judge can be shown, by name."""
    prompts = [name for name in names("prompts", ".md") if name.startswith(("judge_", "local_judge"))]
    return {name: _prompt(name).sha256 for name in prompts}
