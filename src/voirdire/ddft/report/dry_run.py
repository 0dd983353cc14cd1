"""A dry run, as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.dry_run import DryRun, PlannedCall
from voirdire.ddft.questions import LAST_TURN, TRAP_TURN
from voirdire.records import WireMessage
from voirdire.text.counting import counted

_LAST_QUESTION = " If answer 4 rejects the fabrication, question 5 presses the subject to accept it instead."


def dry_run_text(dry: DryRun) -> str:
    """The calls there would be, the subject's whole conversation, and what others are asked at the trap."""
    return "\n\n".join(_parts(dry))


def _parts(dry: DryRun) -> Iterator[str]:
    dialogues = counted(dry.dialogues, "dialogue")
    yield f"Nothing was called or written. The run would have {dialogues} and these calls, if none is repeated:"
    width = max(len(each.model) for each in dry.calls)
    yield "\n".join(f"  {each.role:<12} {each.model:<{width}} {each.calls:>8,}" for each in dry.calls)
    yield f"Prompts of the first dialogue, {dry.dialogue}. Answers stand in brackets."
    for prompt in dry.prompts:
        if prompt.role == "subject" and prompt.turn == LAST_TURN:
            yield from _shown(f"Subject {prompt.model}, up to question {LAST_TURN}", prompt)
    yield "Questions 3 to 5 quote the example that answer 2 names, or else one of the concept's." + (
        _LAST_QUESTION if dry.trap != "none" else ""
    )
    others = [prompt for prompt in dry.prompts if prompt.role != "subject" and prompt.turn in (0, TRAP_TURN)]
    for prompt, models in _asked_alike(others):
        about = f"turn {prompt.turn}" if prompt.turn else "all turns"
        yield from _shown(f"{prompt.role.capitalize()} {', '.join(models)}, {about}", prompt)
    if any(prompt.role == "judge" for prompt in dry.prompts):
        yield "--json has the prompts of all turns, with settings and schemas."
    else:
        yield "The reference panel judges by rules, so that no judge is asked. --json has the prompts of all turns."


def _asked_alike(prompts: Sequence[PlannedCall]) -> list[tuple[PlannedCall, list[str]]]:
    """Each prompt once, with everyone who is sent it."""
    alike: dict[tuple[WireMessage, ...], tuple[PlannedCall, list[str]]] = {}
    for prompt in prompts:
        alike.setdefault(prompt.messages, (prompt, []))[1].append(prompt.model)
    return list(alike.values())


def _shown(title: str, prompt: PlannedCall) -> Iterator[str]:
    yield f"=== {title} ==="
    for message in prompt.messages:
        yield f"[{message.role}]\n{message.content.strip()}"
