"""Does an answer ask which concept is meant, or say that none was given?

A subject that was told what to talk about never needs to ask. A run in which many answers do has a broken setting:
the published DDFT dialogues named no concept, and more than half of their first answers ask for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from voirdire.jury.reference_panel.claims import declines, may_decline, sentences_of
from voirdire.text.phrases import any_phrase
from voirdire.text.sentences import split_sentences

_THING = (
    r"(concept|idea|topic|term|subject|text|phrase|theory|principle|passage|notion|description|definition|context|"
    r"information|detail|name|example|clue|snippet|keyword)s?"
)
_GIVE = (
    r"(provid|shar|specify|specifi|clarif|tell|told|nam|describ|past|giv|mention|includ|attach|stat|point|upload)\w*"
)
_ASKS = any_phrase(
    r"(which|what) ~{thing} (\w+ ){0,3}?(you|it is|that is)",
    r"(which|what) ~{thing} (would|did|do|are|is|were|have) (you|it|this)",
    r"(could|can|would|will) you (please |perhaps |kindly |just )?(let me know|{give})",
    r"please (feel free to )?(go ahead|let me know (which|what|the)|{give})",
    r"(let me know|tell me|send me|give me) (what|which|the|that|your|a) (\S+ ){0,6}?{thing}",
    r"(?<=[,:—–-] )(share|paste|name) (what|which|the|that|your|a) (\S+ ){0,6}?{thing}",
    r"to (share|paste|name) (what|which|the|that|your|a) (\S+ ){0,6}?{thing}",
    r"(if|once|when) you( can| could|'d| would| do|\*){0,2} (have|let me know|meant|{give})"
    r"[^.?!]{0,60}?\b({thing}|in mind|meant|more|that|it|what|which)",
    r"what (did|do|were|was) (you|it) (actually |really )?(have in mind|mean|hoping|want|intend|going for|looking)",
    r"is there a (specific|particular|certain) (concept|idea|topic|term|theory) (that )?you",
    r"I('d|'ll| would| will| do)? (\w+ )?need (to know|(a (bit|little) )?more|(the|a) (specific|actual|name))",
    r"feel free to (share|provide|name|tell|paste|specify)",
    thing=_THING,
    give=_GIVE,
)
_OFFER = any_phrase(  # "what would you like to know?" offers nothing
    r"if you('d| would)? (like|want|prefer|wish)", r"(?<!what )would you like", r"more (examples?|detail)"
)
_LACKS = any_phrase(
    r"(have|has|did)+NOT ~{give}",
    r"never ~{give}",
    r"(I|you) (\w+ )?(do+NOT|cannot|can't|did+NOT) ~(see|have|find|know) (\w+ ){0,3}?{thing}",
    r"have+NOT (\w+ )?(seen|been (given|told|shown)|received)",
    r"(there's|there is|there was|I have) no (\w+,? ){0,4}?{thing}",
    r"no ~{thing} (is|was|has been|is attached|attached|is mentioned|mentioned|specified|given|provided|included)",
    r"(not (entirely |quite )?(sure|clear|certain)|unsure|unclear|uncertain) (\w+ ){0,3}?(which|what)",
    r"(since|because|as) (the|this|your) concept (is|was|remains) ~(blank|missing|empty|un\w+|not)",
    r"without (specifying|naming|saying|telling)",
    thing=_THING,
    give=_GIVE,
)
_BLANK = any_phrase(
    r"blank|empty|emptiness|missing|unspecified|undefined|unnamed|void|placeholder|absence|nothing(ness)?",
    r"compressed concept|silence",
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
    text = _beginning_and_end(answer)
    sentences = _sentences(text)
    asking = sum(bool(_asking(sentence)) for sentence in sentences)
    lacking = sum(bool(_LACKS.search(sentence)) for sentence in sentences)
    score = min(1.0, 0.25 * (asking + lacking) + 0.25 * (asking > 0) + 0.25 * (lacking > 0))
    return Clarification(asking > 0, lacking > 0, bool(_BLANK.search(text)), score)


def clarifying_words(answer: str) -> str:
    """The first words by which an answer asks which concept is meant, or says that none was given; "" if it doesn't."""
    matches = (_asking(sentence) or _LACKS.search(sentence) for sentence in _sentences(_beginning_and_end(answer)))
    return next((match[0] for match in matches if match), "")


def _beginning_and_end(answer: str) -> str:
    return answer if len(answer) <= _HEAD + _TAIL else f"{answer[:_HEAD]}\n\n{answer[-_TAIL:]}"


def _sentences(text: str) -> list[str]:
    if not (_ASKS.search(text) or _LACKS.search(text)):  # what no sentence can hold need not be cut
        return []
    return [sentence.text for sentence in split_sentences(text, layout=True)]


def _asking(sentence: str) -> re.Match[str] | None:
    return None if _OFFER.search(sentence) else _ASKS.search(sentence)


def asks_what_is_meant(answer: str) -> bool:
    """Whether the subject asks which concept is meant, or says that none was given.

    An answer that takes the blank itself for the concept and explains emptiness does neither. Checked against 144 first
    answers of the published study that were labelled by hand (tests/jury): on the 64 that the rules had not been set
    by, sensitivity 0.90 and specificity 0.97.
    """
    return bool(clarifying_words(answer))


def holds_back(answer: str) -> bool:
    """Whether the answer declines, says that it does not know, or asks what is meant."""
    return asks_what_is_meant(answer) or (may_decline(answer) and declines(sentences_of(answer)))
