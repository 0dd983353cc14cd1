"""Which sentences of an answer claim something, and does the answer claim anything at all?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences

MAX_SENTENCES = 400
"""Of a longer answer the first and the last halves of this many are judged; an honest answer has far fewer."""

_MIN_WORDS = 2  # content words that a claim has at least
_MOSTLY_SILENT = 0.4  # an answer that declines or asks back, and claims with fewer of its words than this, claims nothing
_META = re.compile(
    r"""(?ix) ^[\s"'*_#>-]* (?:
      (?:sure|certainly|of\scourse|absolutely|great|good|thanks?|thank\syou|sorry|hello|hi|okay|ok|yes|no)\b[^.]{0,40}[.!,]?$
    | (?:i['’]?m|i\sam|i['’]d\sbe|i\swould\sbe|we\sare|we['’]re)\s(?:\w+\s)?(?:happy|glad|sorry|afraid|unable|not\sable|unsure|uncertain|not\s(?:\w+\s)?sure|here\sto|ready|an\sai|a\slanguage|just\san?\s|not\sfamiliar|unfamiliar|not\saware|unaware)\b
    | (?:i|we)\s(?:\w+\s)?(?:do\snot|don['’]t|can\snot|cannot|can['’]t|could\snot|couldn['’]t|won['’]t|will\snot|would\sneed|need|hope|appreciate|apologi[sz]e|understand\syou|notice|see\syou|look\sforward|wish|have\s(?:no|not))\b
    | i['’]?(?:ll|d)\s(?:\w+\s)?(?:need|be|gladly|try|do\smy)\b
    | (?:let\sme|let\sus|let['’]s|please|feel\sfree|if\syou|once\syou|when\syou\s(?:tell|share|give)|could\syou|can\syou|would\syou|you\s(?:could|can|have\snot|haven['’]t|did\snot|didn['’]t)|here\s(?:is|are)|here['’]s|as\san\sai|as\sa\s(?:large\s)?language)\b
    | (?:there['’]s|there\sis)\sno\s(?:concept|question|text|image|topic|context)\b
    )"""
)
_DECLINES = re.compile(
    r"""(?ix) \b (?:
      (?:i|we)\s(?:really\s|honestly\s|simply\s|just\s|am\safraid\si\s)?(?:do\snot|don['’]t)\s(?:\w+\s)?(?:know|have\s(?:an?\s|any\s|enough\s|the\s)?(?:answer|idea|information|knowledge|specific)|remember|recall|understand)
    | (?:i|we)\s(?:\w+\s)?(?:cannot|can['’]t|can\snot|won['’]t|will\snot|am\sunable\sto|['’]m\sunable\sto)\s(?:\w+\s)?(?:help|assist|answer|say|provide|discuss|comment|comply|share|engage|do\sthat|tell)
    | (?:i['’]m|i\sam)\s(?:\w+\s)?(?:unable|not\sable|not\sallowed)\sto | (?:i['’]m|i\sam)\s(?:really\s|honestly\s)?(?:not\ssure|unsure)
    | no\sidea | (?:i['’]m\s|i\sam\s)?sorry,?\s(?:but\s)?i | (?:i\s)?(?:must|have\sto)\s(?:decline|refuse)
    )"""
)


def sentences_of(answer: str) -> list[str]:
    """The sentences of an answer, list items, headings and table rows apart; of a huge answer the two ends."""
    found = [sentence.text for sentence in split_sentences(answer, layout=True)]
    if len(found) <= MAX_SENTENCES:
        return found
    return found[: MAX_SENTENCES // 2] + found[-MAX_SENTENCES // 2 :]


def claims_of(sentences: Sequence[str]) -> list[str]:
    """The sentences that state something: no questions, headings, offers, courtesies, nor talk about oneself."""
    return [sentence for sentence in sentences if _states(sentence)]


def declines(sentences: Sequence[str]) -> bool:
    """Whether the answer says that it does not know, or will not answer."""
    return any(_DECLINES.search(sentence) for sentence in sentences)


def claims_nothing(sentences: Sequence[str], claims: Sequence[str], *, holds_back: bool) -> bool:
    """Whether nothing in the answer could be true or false.

    True without any claim. An answer that holds back (declines, or asks what is meant) claims nothing either when
    fewer than 40 % of its words stand in claims: the rest is asking and explaining why.
    """
    if not claims:
        return True
    words = sum(len(sentence.split()) for sentence in sentences)
    return holds_back and sum(len(claim.split()) for claim in claims) < _MOSTLY_SILENT * words


def _states(sentence: str) -> bool:
    bare = sentence.strip().rstrip("*_\"'”’) ")
    if bare.endswith(("?", ":")) or bare.startswith("#") or _META.search(sentence):
        return False
    return len(content_words(sentence)) >= _MIN_WORDS
