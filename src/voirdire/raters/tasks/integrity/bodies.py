"""What raters are shown of a trial: context, facts and response, and nothing of where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from voirdire.data.plain import as_plain
from voirdire.integrity import EstablishedFact
from voirdire.integrity.facts import expand, parse_facts
from voirdire.text import split_sentences


def facts_as_judged(given: Iterable[object]) -> list[EstablishedFact]:
    """Facts from what `integrity.facts.parse_facts` takes, compound ones followed by their parts.

    Raises:
        IntegrityError: they are none.
    """
    return expand(parse_facts(given))


def body_of(context: str, facts: Sequence[EstablishedFact], response: str) -> dict[str, Any]:
    """The body of a document. Sentences are cut as the audit cuts them, so that their numbers agree.

    Beyond the task's form a fact says its `parent`: the rung of omission counts a compound fact's parts, not the whole.
    """
    return {
        "context": context,
        "facts": [
            {
                "id": fact.id,
                "text": fact.text,
                "parent": fact.parent,
                "central": fact.central,
                "relevant": fact.relevant,
                "side": fact.side,
            }
            for fact in facts
        ],
        "response": response,
        "sentences": as_plain(split_sentences(response, layout=True)),
    }
