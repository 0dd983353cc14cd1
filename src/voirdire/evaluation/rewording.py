"""Do two prompts ask the same, but for a courtesy or a word? For prompts whose answers agree already."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from voirdire.text.overlap import FUNCTION_WORDS

_TOKEN = re.compile(r"\w+(?:[.'’_-]\w+)*|[-+*/=<>≤≥^%$€£×÷±&|~]")
_COURTESIES = frozenset(
    "please kindly tell say me us solve answer question problem hi hello hey thanks thank now then well so okay ok "
    "just".split()
)
"""Words that may stand around a question and ask nothing."""
_REQUESTS = frozenset(
    "explain describe give name list write state show define find determine calculate compute provide discuss outline "
    "summarize summarise".split()
)
"""Verbs that may ask for one and the same answer."""
_TELLING = frozenset(
    "no not nor never without neither none nothing nobody except only before after above below under over up down "
    "out off more most less least fewer all some any every each first last same other against until since and or if "
    "unless two three four five six seven eight nine ten eleven twelve twenty hundred thousand half twice true "
    "false right wrong correct incorrect left".split()
)
"""Words that change what is asked, wherever they take the place of another or are added."""
_MOST_CHANGED = 40
"""Words between the first and the last that differ."""
_OTHER_WORDS = 0.1
"""Share of a prompt's words that are others, from which it is another prompt."""
_SPELT_ALIKE = 0.75
"""Share of the letters of two words that are one, spelt or inflected otherwise."""
_PHRASE = 2
"""Words with a meaning of their own that one prompt may have and the other not."""


def without_courtesies(text: str) -> str:
    """The words of a prompt and its signs of calculation, in lower case."""
    return " ".join(token for each in _TOKEN.findall(text) if (token := each.lower()) not in _COURTESIES)


def is_reworded(one: str, other: str, *, replaced: bool) -> bool:
    """Whether two prompts differ in a few words, among them no number, name or negation and none that moved.

    Args:
        one: a prompt.
        other: another one.
        replaced: a word with a meaning of its own may stand in place of another, too.
    """
    first, second = _TOKEN.findall(one), _TOKEN.findall(other)
    low, high = [each.lower() for each in first], [each.lower() for each in second]
    head = _shared_head(low, high)
    tail = _shared_head(low[head:][::-1], high[head:][::-1])
    low, high = low[head : len(low) - tail], high[head : len(high) - tail]
    if max(len(low), len(high)) > _MOST_CHANGED:
        return False
    left, right = [], []
    for tag, a, b, c, d in SequenceMatcher(None, low, high, autojunk=False).get_opcodes():
        if tag != "equal":
            left += first[head + a : head + b]
            right += second[head + c : head + d]
    gone, come = _contents(left), _contents(right)
    if gone & come or _changes_the_question(left, right, first, second):
        return False
    if gone and come and not replaced:
        return False
    shared = {each.lower() for each in first} & {each.lower() for each in second} - FUNCTION_WORDS
    changed = max(len(gone), len(come))
    return changed <= _PHRASE and len(shared) >= 2 * changed


def asks_of_another(one: str, other: str) -> bool:
    """Whether words with a meaning of their own stand in place of others, more than a tenth: "a course on volcanoes".

    In a long prompt one such word may be a rewording.
    """
    first, second = ([each.lower() for each in _TOKEN.findall(text)] for text in (one, other))
    replaced = 0
    for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        gone, come = _contents(first[a:b]), _contents(second[c:d])
        alike = any(SequenceMatcher(None, x, y).ratio() >= _SPELT_ALIKE for x in gone for y in come)
        if tag == "replace" and come and not alike:
            replaced += len(gone)
    return replaced > _OTHER_WORDS * len(_contents(first))


def _shared_head(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _contents(tokens: Sequence[str]) -> set[str]:
    return {token for each in tokens if (token := _bare(each)) not in FUNCTION_WORDS | _COURTESIES | _REQUESTS}


def _bare(token: str) -> str:
    return token.lower().replace("’", "'").removesuffix("'s")


def _changes_the_question(left: Sequence[str], right: Sequence[str], *prompts: Sequence[str]) -> bool:
    """Whether among the words that differ is a number, a sign, a name, or one that changes what is asked."""
    if {each.lower() for each in left} & _TELLING != {each.lower() for each in right} & _TELLING:
        return True
    return any(_is_name(each, prompts) for each in (*left, *right))


def _is_name(token: str, prompts: Collection[Sequence[str]]) -> bool:
    """Whether a word is no plain one: a number, a sign, a negation, or written as names and identifiers are."""
    if not re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", token) or token[1:] != token[1:].lower():
        return True
    bare = _bare(token)
    if bare.endswith("n't"):
        return True
    known = bare in FUNCTION_WORDS | _COURTESIES | _REQUESTS or any(bare in tokens for tokens in prompts)
    return token != token.lower() and not known
