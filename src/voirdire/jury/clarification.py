"""Does an answer ask which concept is meant, or say that none was given?

A subject that was told what to talk about never needs to ask. A run in which many answers do has a broken setting:
the published DDFT dialogues named no concept, and more than half of their first answers ask for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from voirdire.text.sentences import split_sentences

_THING = (
    r"(?:concept|idea|topic|term|subject|text|phrase|theory|principle|passage|notion|description|definition|context|"
    r"information|details?|name|example|clues?|snippet|keywords?)s?"
)
_GIVE = r"(?:provid|shar|specify|specifi|clarif|tell|told|nam|describ|past|giv|mention|includ|attach|stat|point|upload)\w*"
_ASKS = re.compile(
    rf"""(?ix)
    \b(?:which|what)\s(?:\w+\s){{0,2}}?{_THING}\s(?:\w+\s){{0,3}}?(?:you|it\sis|that\sis)\b
    | \b(?:which|what)\s(?:\w+\s){{0,2}}?{_THING}\s(?:would|did|do|are|is|were|have)\s(?:you|it|this)\b
    | \b(?:could|can|would|will)\syou\s(?:please\s|perhaps\s|kindly\s|just\s)?(?:let\sme\sknow|{_GIVE})
    | \bplease\s(?:feel\sfree\sto\s)?(?:go\sahead|let\sme\sknow\s(?:which|what|the)|{_GIVE})
    | (?:\b(?:let\sme\sknow|tell\sme|send\sme|give\sme)|(?:^|[,:—–-]\s?|\bto\s)(?:share|paste|name))\s(?:what|which|the|that|your|a)\b[^.?!]{{0,40}}?\b{_THING}\b
    | \b(?:if|once|when)\syou(?:\scan|\scould|['’]d|\swould|\sdo|\*)*\s(?:{_GIVE}|have|let\sme\sknow|meant)\b[^.?!]{{0,60}}?\b(?:{_THING}|in\smind|meant|more|that|it|what|which)\b
    | \bwhat\s(?:did|do|were|was)\s(?:you|it)\s(?:actually\s|really\s)?(?:have\sin\smind|mean|hoping|want|intend|going\sfor|looking)
    | \bis\sthere\sa\s(?:specific|particular|certain)\s(?:concept|idea|topic|term|theory)\s(?:that\s)?you\b
    | \bi(?:['’](?:d|ll)|\swould|\swill|\sdo)?\s(?:\w+\s)?need\s(?:to\sknow|(?:a\s(?:bit|little)\s)?more|(?:the|a)\s(?:specific|actual|name))\b
    | \bfeel\sfree\sto\s(?:share|provide|name|tell|paste|specify)\b
    """
)
_OFFER = re.compile(r"(?i)\b(?:if you(?:'d| would|’d)? (?:like|want|prefer|wish)|would you like|more (?:examples?|detail))\b")
_LACKS = re.compile(
    rf"""(?ix)
    \b(?:have\snot|haven['’]t|hasn['’]t|has\snot|did\snot|didn['’]t|never)\s(?:\w+\s){{0,2}}?{_GIVE}\b
    | \b(?:i|you)\s(?:\w+\s)?(?:do\snot|don['’]t|cannot|can['’]t|did\snot|didn['’]t)\s(?:\w+\s){{0,2}}?(?:see|have|find|know)\s(?:\w+\s){{0,3}}?{_THING}\b
    | \bhave(?:n['’]t|\snot)\s(?:\w+\s)?(?:seen|been\s(?:given|told|shown)|received)\b
    | \b(?:there['’]s|there\sis|there\swas|i\shave)\sno\s(?:\w+,?\s){{0,4}}?{_THING}\b
    | \bno\s(?:\w+\s){{0,2}}?{_THING}\s(?:is|was|has\sbeen|(?:is\s)?attached|(?:is\s)?mentioned|specified|given|provided|included)\b
    | \b(?:not\s(?:entirely\s|quite\s)?(?:sure|clear|certain)|unsure|unclear|uncertain)\s(?:\w+\s){{0,3}}?(?:which|what)\b
    | \b(?:since|because|as)\s(?:the|this|your)\sconcept\s(?:is|was|remains)\s(?:\w+\s){{0,2}}?(?:blank|missing|empty|un\w+|not)\b
    | \bwithout\s(?:specifying|naming|saying|telling)\b
    """
)
_BLANK = re.compile(
    r"(?i)\b(?:blank|empty|emptiness|missing|unspecified|undefined|unnamed|void|placeholder|absence|nothing(?:ness)?|"
    r"compressed concept|silence)\b"
)
_HEAD, _TAIL = 2000, 1000  # characters: who asks does so at the beginning or at the end


class Clarification(NamedTuple):
    """What an answer does about the concept it was not, or feels it was not, told."""

    asks: bool
    """It asks for the concept."""
    lacks: bool
    """It says that none was given."""
    blank: bool
    """It speaks of blanks, absence or emptiness, as do answers that take the blank itself for the concept."""
    score: float
    """0 (no sign), 0.5 (asks or says so once), up to 1 (both, or repeatedly)."""


def clarification(answer: str) -> Clarification:
    """Look for the signs, sentence by sentence, in the first 2,000 and the last 1,000 characters of `answer`."""
    looked_at = answer if len(answer) <= _HEAD + _TAIL else f"{answer[:_HEAD]}\n\n{answer[-_TAIL:]}"
    sentences = [sentence.text for sentence in split_sentences(looked_at, layout=True)]
    asking = sum(bool(_ASKS.search(sentence)) and not _OFFER.search(sentence) for sentence in sentences)
    lacking = sum(bool(_LACKS.search(sentence)) for sentence in sentences)
    score = min(1.0, 0.25 * (asking + lacking) + 0.25 * (asking > 0) + 0.25 * (lacking > 0))
    return Clarification(asking > 0, lacking > 0, bool(_BLANK.search(looked_at)), score)


def asks_what_is_meant(answer: str) -> bool:
    """Whether the subject asks which concept is meant, or says that none was given.

    An answer that takes the blank itself for the concept and explains emptiness does neither.
    """
    found = clarification(answer)
    return found.asks or found.lacks
