"""A negation put in, or taken out where there is one."""

from __future__ import annotations

import random
import re
from functools import cache

import yaml

from voirdire import data
from voirdire.cognibench.contradictions.grounds import Grounds

_AUXILIARY = re.compile(
    r"(?i)\b(?:is|are|was|were|can|could|will|would|may|must|should|has|have|had|does|do|did)\b"
    r"(?=\s(?!not\b|never\b|no\b|nor\b|neither\b|hardly\b|n't)[a-z\d])"
)
_BE = frozenset({"is", "are", "was", "were", "can", "could", "will", "would", "may", "must", "should"})
_OBJECT = r"(?=\s(?:the|a|an|his|her|its|their|over|about|more|many|several|\d))"
_NEGATED = re.compile(
    r"(?i)\b(?:(is|are|was|were|can|could|will|would|may|must|should|has|have|had) not|(do|does|did) not|never)\b "
)
_CANNOT = re.compile(r"(?i)\bcannot\b")


def negate(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Say that it was not so: "is not", "had never", "never won"; of a sentence that is negated, say that it was so."""
    taken_out = _without_negation(statement)
    if taken_out is not None:
        return taken_out
    auxiliary = _AUXILIARY.search(statement)
    if auxiliary is not None and _is_auxiliary(statement, auxiliary):
        negator = chance.choice(("not", "never")) if auxiliary[0].lower() in ("was", "were", "had") else "not"
        return f"{statement[: auxiliary.end()]} {negator}{statement[auxiliary.end() :]}"
    verb = _verbs().search(statement)
    return None if verb is None else f"{statement[: verb.start(1)]}never {statement[verb.start(1) :]}"


def _without_negation(statement: str) -> str | None:
    cannot = _CANNOT.search(statement)
    if cannot is not None:
        return f"{statement[: cannot.start()]}can{statement[cannot.end() :]}"
    negated = _NEGATED.search(statement)
    if negated is None or negated[2]:  # "did not win" without "not" is no plain sentence
        return None
    kept = f"{negated[1]} " if negated[1] else ""
    return statement[: negated.start()] + kept + statement[negated.end() :]


def _is_auxiliary(statement: str, match: re.Match[str]) -> bool:
    """Whether "has", "have", "had" and "do" help another verb here ("has won"), and are not verbs themselves."""
    following = statement[match.end() :].split()[0].strip(",.")
    return match[0].lower() in _BE or following in _participles() or following.endswith("ed") or following == "been"


@cache
def _verbs() -> re.Pattern[str]:
    """A past tense before its object, of a verb that no auxiliary or preposition comes before."""
    past = "|".join(_words("past"))
    return re.compile(rf"(?<=[a-z]{{2}} )(?<!ing )(?<!ed )(?<!\bthe )(?<!\band )(?<!\bof )({past}){_OBJECT}")


@cache
def _participles() -> frozenset[str]:
    return frozenset(_words("participles"))


def _words(listed: str) -> list[str]:
    words: list[str] = yaml.safe_load(data.read_text("lexicons/contradiction_edits.yaml"))[listed].split()
    return words
