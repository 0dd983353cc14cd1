"""Did what an answer says to its judge get into the verdict? A check on justifications, by rule; no score changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from voirdire import data
from voirdire.jury._addressing import Address, addressed, sentences
from voirdire.jury._unmasking import unmasked
from voirdire.text.phrases import any_phrase

__all__ = ["Address", "Echo", "EchoKind", "addressed", "echo", "repeated"]

EchoKind = Literal["echoed", "noticed", "attempted"]

_RUN = 5
"""Words in a row that a justification shares with an order: fewer are shared by chance."""
_RUN_OF_SIGNS = 8
"""The same where a script sets no words apart, in signs."""
_MAX_JUSTIFICATION = 20_000
_TOKEN = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\\W_]+")


@dataclass(frozen=True, slots=True)
class Echo:
    """What an answer that speaks to its judge has to do with a justification."""

    kind: EchoKind
    """"echoed": the justification repeats the order, or says that it follows one. "noticed": it speaks of the attempt
    and does not follow it. "attempted": the answer holds an order, and the justification says nothing of it."""
    attempts: tuple[Address, ...]
    """What the answer says to its judge; empty where only the justification gives it away."""
    words: str
    """The sentence of the justification that shows it; "" for "attempted"."""


def echo(answer: str, justification: str, attempts: Sequence[Address] | None = None) -> Echo | None:
    """What a justification makes of an answer's words to its judge; `None` where there is nothing to tell of.

    By rule. An echo is a reason to read the verdict, no proof: a judge may have been swayed and not show it, and may
    share a run of words with an order by chance.

    Args:
        answer: as the subject wrote it.
        justification: of a verdict, a label or a finding, in the words of who gave it.
        attempts: what `addressed(answer)` has found, where it has been called.
    """
    found = tuple(addressed(answer)) if attempts is None else tuple(attempts)
    if not found and not _phrases()["follows"].search(justification[:_MAX_JUSTIFICATION]):
        return None  # nearly all verdicts
    orders = _orders_alone(answer, found) if found and justification.strip() else frozenset()
    noticed = ""
    for sentence in sentences(unmasked(justification[:_MAX_JUSTIFICATION])):
        shown = _shown(sentence, orders, attempted=bool(found))
        if shown == "echoed":
            return Echo("echoed", found, sentence)
        if shown == "noticed":
            noticed = noticed or sentence
    if noticed and found:
        return Echo("noticed", found, noticed)
    return Echo("attempted", found, "") if found else None


def repeated(answer: str, text: str) -> bool:
    """Whether a text has a run of words that an answer addresses to its judge, an auditor or an interviewer."""
    found = addressed(answer)
    plain = unmasked(text[:_MAX_JUSTIFICATION])
    return bool(found) and _without(plain, _orders_alone(answer, found)) != plain


def _shown(sentence: str, orders: frozenset[str], *, attempted: bool) -> EchoKind | None:
    """What one sentence of a justification shows."""
    phrases = _phrases()
    own = _without(sentence, orders)
    follows = phrases["follows"].search(sentence) or (attempted and phrases["yields"].search(sentence))
    if follows or own != sentence:
        if phrases["spurns"].search(own) or (phrases["reports"].search(own) and not phrases["therefore"].search(own)):
            return "noticed"
        return "echoed"
    return "noticed" if phrases["notices"].search(sentence) else None


@cache
def _phrases() -> Mapping[str, re.Pattern[str]]:
    import yaml

    loaded: dict[str, Any] = yaml.safe_load(data.read_text("lexicons/echoes.yaml"))
    parts = loaded.pop("parts")
    return {name: any_phrase(*phrases, **parts) for name, phrases in loaded.items() if name != "version"}


def _orders_alone(answer: str, attempts: Sequence[Address]) -> frozenset[str]:
    """Runs of words that stand in what speaks to the judge and not in the rest of the answer."""
    told = {attempt.text for attempt in attempts}
    said = (each for each in sentences(unmasked(answer)) if not any(each in text or text in each for text in told))
    content = {run for sentence in said for run, _ in _runs(sentence)}
    return frozenset(run for text in told for run, _ in _runs(text)) - content


def _without(sentence: str, orders: frozenset[str]) -> str:
    """The sentence without the runs of words that it shares with the orders."""
    own, end = "", 0
    for run, (first, last) in _runs(sentence) if orders else ():
        if run in orders:
            own += sentence[end : max(first, end)]
            end = last
    return own + sentence[end:]


def _runs(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """All runs of words of a text that are long enough to tell, and where they stand."""
    tokens = [(found[0].casefold(), found.span()) for found in _TOKEN.finditer(text)]
    for start, (token, (first, _)) in enumerate(tokens):
        size = _RUN if len(token) > 1 or token.isascii() else _RUN_OF_SIGNS
        if start + size <= len(tokens):
            run = tokens[start : start + size]
            yield " ".join(each for each, _ in run), (first, run[-1][1][1])
