"""What a judge is shown and asked: rubric, evidence and the form of the verdict (DDFT B.2, B.3).

The order is meant for prefix caches: the rubric (the same for a whole run), then concept and reference (the same for
all dialogues on a concept), then earlier turns, then the turn itself. Whatever was said in the dialogue goes in as
`Fenced` parts; after the last of them the judge is told that the evidence ends, and again what to return. The subject's
name is never shown: a `JudgeTask` does not hold it, and the dialogue's id, which does, stays in the slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.jury import prompt_blocks
from voirdire.jury.prompt_blocks import Block, block, joined
from voirdire.jury.settings import JuryRules
from voirdire.jury.verdict_parsing import Part, turn_name
from voirdire.records import STANCES, ConceptKind, Fenced, JudgeTask, Message, Request, Scene, Settings, Slot

MAX_SHOWN = 24_000
"""Characters of a question or an answer that a judge is shown; of a longer one the first and last halves of this many.
Several times what a subject may write in the presets, so that only what is to drown the judge is cut."""

_AS_OF = "kind_judge_as_of"
_MAX_QUOTED_REPLY = 4000  # characters of a faulty reply that are shown to the judge who wrote it


def judge_requests(task: JudgeTask, rules: JuryRules, judge_name: str) -> tuple[Request, ...]:
    """The calls that one judge's verdict on one turn takes, in the order of `parts(rules)`."""
    return tuple(_turn_request(task, rules, judge_name, part) for part in parts(rules))


def dialogue_requests(tasks: Sequence[JudgeTask], rules: JuryRules, judge_name: str) -> tuple[Request, ...]:
    """The calls that one judge's verdicts on several turns of one dialogue take; their slot has turn 0.

    The order of the turns shows in such a call, whatever the rules say about telling it. There is no scene:
    simulated judges judge turn by turn.
    """
    return tuple(_dialogue_request(tasks, rules, judge_name, part) for part in parts(rules))


def parts(rules: JuryRules) -> tuple[Part, ...]:
    """What the calls for one verdict ask for."""
    return ("far", "sas") if rules.separate_calls else ("both",)


def verdict_schema(part: Part, *, with_stance: bool, far_always: bool) -> dict[str, Any]:
    """JSON schema of one verdict: the justification first, so that the judge reasons before it scores.

    Ranges stand in the descriptions, not as `minimum` and `maximum`: several providers refuse those words in a strict
    schema. They are checked when the reply is read.
    """
    fields: dict[str, Any] = {"justification": {"type": "string", "description": "One or two sentences with quotes."}}
    if part != "sas":
        fields["no_claims"] = {"type": "boolean"}
        fields["far"] = _SCORE if far_always else {"anyOf": [_SCORE, {"type": "null"}]}
    if part != "far":
        fields["sas"] = _SCORE
    if with_stance and part != "sas":
        fields["stance"] = {"type": "string", "enum": list(STANCES)}
    return _object(fields)


def repair_request(request: Request, reply: str, problem: str, repair: int) -> Request:
    """The same call once more, with the judge's faulty reply and what is wrong with it.

    The reply is fenced, since it may quote the answer; it goes into the last message, because not every model accepts
    two messages of one role in a row.
    """
    if reply.strip():
        quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY])
        again = block("judge_repair", problem=problem, reply=quoted)
    else:
        again = block("judge_repair_empty", problem=problem)
    *before, last = request.messages
    message = Message(last.role, joined([last.parts, again]))
    return replace(request, slot=replace(request.slot, repair=repair), messages=(*before, message))


def prompt_hashes() -> dict[str, str]:
    """SHA-256 of every prompt that a judge can be shown, by name, for run.json."""
    return dict(prompt_blocks.hashes())


def kind_hashes(concepts: Iterable[tuple[ConceptKind, str]]) -> dict[str, str]:
    """SHA-256 of the prompts that concepts of these (kind, as_of) need, by name, for run.json.

    They stand apart from `prompt_hashes`: what a run on established concepts asks, and who its jury is, does not
    change with them.
    """
    names = sorted({name for kind, as_of in concepts for name in _kind_prompts(kind, as_of)})
    return {name: load_prompt(name).sha256 for name in names}


def kind_blocks(task: JudgeTask) -> list[Block]:
    """What a judge is told beside the reference where it is not settled knowledge: its date, or what is right."""
    return [
        block(name, **({"as_of": task.as_of} if name == _AS_OF else {}))
        for name in _kind_prompts(task.kind, task.as_of)
    ]


def scene_of(task: JudgeTask) -> Scene:
    """Stage directions for a simulated judge."""
    return Scene(task.concept, task.facts, task.turn, level=task.level, trap=task.trap, answer=task.answer)


def concept_block(task: JudgeTask) -> Block:
    """Concept, the reference where this judge sees it, and what its kind means for judging."""
    if task.reference is None:
        given = block("judge_concept_alone", concept=task.concept)
    else:
        given = block("judge_concept", concept=task.concept, reference=task.reference)
    return joined([given, *kind_blocks(task)])


_SCORE: dict[str, Any] = {"type": "number", "description": "From 0 to 1."}


def _kind_prompts(kind: ConceptKind, as_of: str) -> list[str]:
    """Names of the prompts that tell a judge of a concept's kind and date."""
    return [*([_AS_OF] if as_of else []), *([f"kind_judge_{kind}"] if kind in ("contested", "practical") else [])]


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _turn_request(task: JudgeTask, rules: JuryRules, judge_name: str, part: Part) -> Request:
    with_stance = task.trap is not None
    blocks = [concept_block(task)]
    if rules.tell_level_and_turn and task.level is not None:
        blocks.append(block("judge_level", level=f"{task.level:g}"))
    if rules.show_history and task.history:
        blocks += [block("judge_history"), *(_exchange(*pair) for pair in task.history), block("judge_now")]
    blocks += _turn_blocks(task, rules)
    blocks.append(block("judge_evidence"))
    blocks.append(block("judge_return", fields=_fields(part, rules, with_stance)))
    return Request(
        slot=Slot(task.dialogue, task.turn, "judge", agent=judge_name + _suffix(part)),
        messages=(_system(part, rules, with_stance), Message("user", joined(blocks))),
        settings=Settings(max_tokens=rules.max_tokens, temperature=0.0),
        schema=verdict_schema(part, with_stance=with_stance, far_always=rules.no_claims == "scored"),
        scene=scene_of(task),
    )


def _dialogue_request(tasks: Sequence[JudgeTask], rules: JuryRules, judge_name: str, part: Part) -> Request:
    with_stance = any(task.trap is not None for task in tasks)
    first = tasks[0]
    blocks = [concept_block(first)]
    if rules.tell_level_and_turn and first.level is not None:
        blocks.append(block("judge_level", level=f"{first.level:g}"))
    for task in tasks:
        blocks += [(turn_name(task.turn),), *_turn_blocks(task, rules)]
    named = ", ".join(turn_name(task.turn) for task in tasks)
    blocks.append(block("judge_evidence"))
    blocks.append(block("judge_return_dialogue", names=named, fields=_fields(part, rules, with_stance)))
    far_always = rules.no_claims == "scored"
    members = {
        turn_name(task.turn): verdict_schema(part, with_stance=task.trap is not None, far_always=far_always)
        for task in tasks
    }
    return Request(
        slot=Slot(first.dialogue, 0, "judge", agent=f"{judge_name}/dialogue{_suffix(part)}"),
        messages=(_system(part, rules, with_stance), Message("user", joined(blocks))),
        settings=Settings(max_tokens=rules.max_tokens * len(tasks), temperature=0.0),
        schema=_object(members),
    )


def _turn_blocks(task: JudgeTask, rules: JuryRules) -> list[Block]:
    blocks = []
    if rules.tell_level_and_turn:
        blocks.append(block("judge_turn_number", turn=str(task.turn)))
    if task.trap is not None:
        blocks.append(block("judge_trap", item=task.trap.item, description=task.trap.description))
    return [*blocks, _exchange(task.question, task.answer)]


def _exchange(question: str, answer: str) -> Block:
    parts = block("judge_exchange", question=Fenced("question", question), answer=Fenced("answer", answer))
    return tuple(piece for part in parts for piece in (_ends_if_long(part) if isinstance(part, Fenced) else (part,)))


def _ends_if_long(quoted: Fenced) -> Block:
    """What was said, or its beginning and its end: a text that fills a judge's context would push the rubric out."""
    if len(quoted.text) <= MAX_SHOWN:
        return (quoted,)
    begins, ends = quoted.text[: MAX_SHOWN // 2], quoted.text[-MAX_SHOWN // 2 :]
    return (
        Fenced(f"{quoted.label}, its beginning", begins),
        *block("judge_left_out"),
        Fenced(f"{quoted.label}, its end", ends),
    )


def _suffix(part: Part) -> str:
    return "" if part == "both" else f"/{part}"


def _rubrics(part: Part, rules: JuryRules, with_stance: bool) -> list[tuple[str, dict[str, str]]]:
    """The prompts that explain the wanted fields, in the order of the fields."""
    rubrics: list[tuple[str, dict[str, str]]] = []
    if part != "sas":
        rubrics.append((f"judge_no_claims_{rules.no_claims}", {}))
        null_rule = ", or null where no_claims is true" if rules.no_claims == "null" else ""
        rubrics.append(("judge_far", {"null_rule": null_rule}))
    if part != "far":
        rubrics.append(("judge_sas", {}))
    if with_stance and part != "sas":
        rubrics.append(("judge_stance", {}))
    return rubrics


def _system(part: Part, rules: JuryRules, with_stance: bool) -> Message:
    explained = [block(name, "system", **values) for name, values in _rubrics(part, rules, with_stance)]
    return Message("system", joined([block("judge_role", "system"), block("judge_evidence", "system"), *explained]))


def _fields(part: Part, rules: JuryRules, with_stance: bool) -> str:
    lines = joined((block(name, **values) for name, values in _rubrics(part, rules, with_stance)), gap="\n")
    return "".join(line for line in lines if isinstance(line, str))
