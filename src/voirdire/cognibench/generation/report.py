"""What `voirdire cognibench generate` shows: what came of dialogues, and what they would take."""

from __future__ import annotations

from voirdire.cognibench.generation.plan import GenerationCost
from voirdire.cognibench.generation.summary import Generated
from voirdire.documents.cells import count, number, plain_table, text
from voirdire.documents.document import Document, Text, document
from voirdire.documents.runs import duration, estimate_table
from voirdire.text.money import dollars

_USERS = {"scripted": "the script", "fallback": "the script, where the model's questions could not be used"}


def generated_document(found: Generated) -> Document:
    """What there is in a run of dialogues."""
    heads = ("model", "dialogues", "answers", "cut", "refused", "empty", "failed", "words", "sentences")
    rows = (
        [
            text(each.model),
            *map(count, (each.dialogues, each.answered, each.cut, each.refused, each.empty, each.failed)),
            number(each.words, 1),
            number(each.sentences, 1),
        ]
        for each in found.models
    )
    money = "cost unknown" if found.usd is None else dollars(found.usd)
    return document(
        plain_table("dialogues", heads, rows),
        Text(
            "Words and sentences: mean of an answer. Cut: at the limit of tokens; refused and empty turns have no "
            "answer."
        ),
        Text(f"{_topics(found)}; {_users(found)}. Calls: {found.calls:,}, {money}."),
        Text(f"The answers are in {found.path}/dialogues.jsonl: voirdire cognibench label {found.path} --model SPEC"),
    )


def cost_document(expected: GenerationCost) -> Document:
    """What dialogues would take."""
    return document(
        estimate_table("model", {each.spec: each for each in expected.models}),
        Text(
            f"References: {expected.references:,}; dialogues: {expected.dialogues:,}; turns: {expected.turns:,}; "
            f"calls: {expected.calls:,}; about {dollars(expected.usd)} and {duration(expected.minutes)}."
        ),
        Text(f"Assumed: {'; '.join(expected.assumptions)}."),
    )


def _topics(found: Generated) -> str:
    if set(found.topics) <= {""}:
        return f"References: {found.references:,}, without topics"
    fewest, most = min(found.topics.values()), max(found.topics.values())
    each = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"References: {found.references:,}; topics: {len(found.topics):,}, with {each} each"


def _users(found: Generated) -> str:
    by = [f"{_USERS.get(source, source)} ({number_of:,})" for source, number_of in found.users.items()]
    return f"questions by {' and '.join(by)}" if by else "no questions yet"
