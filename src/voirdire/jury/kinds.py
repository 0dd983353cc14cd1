"""What judges are told beside the reference where it is not settled knowledge: its date, or what counts as right.

These prompts stand apart from the judges' others (`rubric.prompt_hashes`): what a run on established concepts asks,
and who its jury is, does not change with them.
"""

from __future__ import annotations

from collections.abc import Iterable

from voirdire.data import load_prompt
from voirdire.jury._compose import Block, block
from voirdire.records import ConceptKind, JudgeTask

AS_OF = "kind_judge_as_of"


def kind_blocks(task: JudgeTask) -> list[Block]:
    """What this task's judge is told of the concept's kind; nothing for what is established."""
    return [block(name, **_values(name, task.as_of)) for name in kind_prompts(task.kind, task.as_of)]


def kind_prompts(kind: ConceptKind, as_of: str) -> list[str]:
    """Names of the prompts that tell a judge of a concept's kind and date."""
    return [*([AS_OF] if as_of else []), *([f"kind_judge_{kind}"] if kind in ("contested", "practical") else [])]


def kind_hashes(concepts: Iterable[tuple[ConceptKind, str]]) -> dict[str, str]:
    """SHA-256 of the prompts that concepts of these (kind, as_of) need, by name, for run.json."""
    names = sorted({name for kind, as_of in concepts for name in kind_prompts(kind, as_of)})
    return {name: load_prompt(name).sha256 for name in names}


def _values(name: str, as_of: str) -> dict[str, str]:
    return {"as_of": as_of} if name == AS_OF else {}
