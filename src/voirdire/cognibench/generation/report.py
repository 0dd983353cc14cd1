"""What `voirdire cognibench generate` shows: what came of dialogues, and what they would take."""

from __future__ import annotations

from voirdire.cognibench.generation.plan import GenerationCost
from voirdire.cognibench.generation.session import GenerationSummary
from voirdire.documents.cells import count, number, plain_table, text
from voirdire.documents.document import Document, Text, document
from voirdire.documents.run_description import duration, estimate_blocks, estimate_line
from voirdire.text.counting import counted
from voirdire.text.money import dollars

_USERS = {"scripted": "the script", "fallback": "the script, where the model's questions could not be used"}


def generated_document(result: GenerationSummary) -> Document:
    """What there is in a run of dialogues."""
    heads = ("model", "dialogues", "answers", "cut", "refused", "empty", "failed", "words", "sentences")
    rows = (
        [
            text(each.model),
            *map(count, (each.dialogues, each.answered, each.cut, each.refused, each.empty, each.failed)),
            number(each.words, 1),
            number(each.sentences, 1),
        ]
        for each in result.models
    )
    money = "cost unknown" if result.usd is None else dollars(result.usd)
    return document(
        plain_table("dialogues", heads, rows),
        Text(
            "Words and sentences: mean of an answer. Cut: at the limit of tokens; refused and empty turns have no "
            "answer."
        ),
        Text(f"{_topics(result)}; {_users(result)}. Calls: {result.calls:,}, {money}."),
        Text(f"The answers are in {result.path}/dialogues.jsonl: voirdire label {result.path} --labeller SPEC"),
    )


def cost_document(expected: GenerationCost) -> Document:
    """What dialogues would take."""
    models = {each.spec: each for each in expected.models}
    counts = (
        counted(expected.references, "reference"),
        counted(expected.dialogues, "dialogue"),
        counted(expected.turns, "turn"),
        counted(expected.calls, "call"),
    )
    line = estimate_line(counts, expected, duration(expected.minutes))
    return document(*estimate_blocks("model", models, line, expected.assumptions))


def _topics(result: GenerationSummary) -> str:
    if set(result.topics) <= {""}:
        return f"References: {result.references:,}, without topics"
    fewest, most = min(result.topics.values()), max(result.topics.values())
    each = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"References: {result.references:,}; topics: {len(result.topics):,}, with {each} each"


def _users(result: GenerationSummary) -> str:
    by = [f"{_USERS.get(source, source)} ({number_of:,})" for source, number_of in result.users.items()]
    return f"questions by {' and '.join(by)}" if by else "no questions yet"
