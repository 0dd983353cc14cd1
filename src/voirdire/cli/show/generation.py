"""Generated dialogues as text: what came of them, and what they would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render
from voirdire.text.money import dollars

if TYPE_CHECKING:
    from voirdire.cognibench.generation.plan import GenerationCost
    from voirdire.cognibench.generation.session import Generated


def generated(found: Generated) -> str:
    """What there is in a run of dialogues."""
    from rich.markup import escape

    names = ("dialogues", "answers", "cut", "refused", "empty", "failed", "words", "sentences")
    table = new_table("model", *names)
    for each in found.models:
        counts = (each.dialogues, each.answered, each.cut, each.refused, each.empty, each.failed)
        table.add_row(escape(each.model), *(f"{count:,}" for count in counts), _mean(each.words), _mean(each.sentences))
    return render(
        table,
        "Words and sentences: mean of an answer. Cut: at the limit of tokens; refused and empty turns have no answer.",
        escape(f"{_topics(found)}; {_users(found)}. Calls: {found.calls:,}, {_money(found.usd)}."),
        escape(f"The answers are in {found.path}/dialogues.jsonl: voirdire cognibench label {found.path} --model SPEC"),
    )


def cost(expected: GenerationCost) -> str:
    """What dialogues would take."""
    table = new_table("model", "calls", "tokens in", "tokens out", "USD")
    for each in expected.models:
        table.add_row(
            each.spec, f"{each.calls:,}", f"{each.input_tokens:,}", f"{each.output_tokens:,}", dollars(each.usd)
        )
    time = f"{expected.minutes:.0f} min" if expected.minutes >= 1 else "less than a minute"
    return render(
        table,
        f"References: {expected.references:,}; dialogues: {expected.dialogues:,}; turns: {expected.turns:,}; "
        f"calls: {expected.calls:,}; about {dollars(expected.usd)} and {time}.",
        f"Assumed: {'; '.join(expected.assumptions)}.",
    )


def _topics(found: Generated) -> str:
    if set(found.topics) <= {""}:
        return f"References: {found.references:,}, without topics"
    fewest, most = min(found.topics.values()), max(found.topics.values())
    each = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    return f"References: {found.references:,}; topics: {len(found.topics):,}, with {each} each"


def _users(found: Generated) -> str:
    said = {"scripted": "the script", "fallback": "the script, where the model's questions could not be used"}
    by = [f"{said.get(source, source)} ({count:,})" for source, count in found.users.items()]
    return f"questions by {' and '.join(by)}" if by else "no questions yet"


def _money(usd: float | None) -> str:
    return "cost unknown" if usd is None else dollars(usd)


def _mean(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
