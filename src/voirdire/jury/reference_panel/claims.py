"""Which sentences of an answer claim something, and does the answer claim anything at all?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voirdire.text.overlap import content_words
from voirdire.text.phrases import any_phrase
from voirdire.text.sentences import split_sentences

MAX_SENTENCES = 400
"""Of a longer answer the first and the last halves of this many are judged; an honest answer has far fewer."""

_MIN_WORDS = 2  # content words that a claim has at least
_MOSTLY_SILENT = 0.4  # share of words in claims below which an answer that holds back claims nothing
_I_AM = r"I'm|I am|I'd be|I would be|we are|we're"
_COURTESY = re.compile(
    r"(?i)^\W*(?:sure|certainly|of\scourse|absolutely|great|good|thanks?|thank\syou|sorry|hello|hi|okay|ok|yes|no)\b"
    r"[^.]{0,40}[.!,]?$"
)
_ABOUT_ONESELF = any_phrase(
    r"^\W*{i_am} (\w+ )?(happy|glad|sorry|afraid|unable|not able|unsure|uncertain|not (\w+ )?sure|here to|ready)",
    r"^\W*{i_am} (\w+ )?(an ai|a language model|just an? \w+|not familiar|unfamiliar|not aware|unaware)",
    r"^\W*(I|we) (\w+ )?(do+NOT|can not|cannot|can't|could+NOT|won't|will not|would need|need|hope|appreciate)",
    r"^\W*(I|we) (\w+ )?(apologi[sz]e|understand you|notice|see you|look forward|wish|have no|have not)",
    r"^\W*I('ll|'d| will| would) (\w+ )?(need|be|gladly|try|do my)",
    r"^\W*(let me|let us|let's|please|feel free|if you|once you|when you (tell|share|give))",
    r"^\W*(could you|can you|would you|you (could|can|have+NOT|did+NOT)|here (is|are)|here's)",
    r"^\W*(as an ai|as a (large )?language|there's no {nothing}|there is no {nothing})",
    r"^\W*(the|your|this) ({nothing}|message|prompt|reference) (\w+ )?(is|seems|appears|was|looks)( to be)? "
    r"(\w+ )?(missing|blank|empty|unclear|incomplete|cut off|unspecified)",
    i_am=_I_AM,
    nothing=r"concept|question|text|image|topic|context",
)
_BUT = any_phrase(r"(?<=\s)(but|however|yet|still|although|though)")
_DECLINES = any_phrase(
    r"(I|we) (really |honestly |simply |just |am afraid I )?do+NOT (\w+ )?(know|remember|recall|understand)",
    r"(I|we) (\w+ )?do+NOT (\w+ )?have (an? |any |enough |the )?(answer|idea|information|knowledge|specific\w*)",
    r"(I|we) (\w+ )?(cannot|can't|can not|won't|will not) (\w+ )?(help|assist|answer|say|provide|discuss|comment|tell)",
    r"(I|we) (\w+ )?(cannot|can't|can not|won't|will not) (\w+ )?(comply|share|engage|do that)",
    r"(I'm|I am|we're|we are) (\w+ )?(unable|not able|not allowed) to",
    r"(I'm|I am) (really |honestly )?(not sure|unsure)",
    r"no idea",
    r"sorry,? (but )?I",
    r"(must|have to) (decline|refuse)",
)


def sentences_of(answer: str) -> list[str]:
    """The sentences of an answer, list items, headings and table rows apart; of a huge answer the two ends."""
    sentences = [sentence.text for sentence in split_sentences(answer, layout=True)]
    if len(sentences) <= MAX_SENTENCES:
        return sentences
    return sentences[: MAX_SENTENCES // 2] + sentences[-MAX_SENTENCES // 2 :]


def claims_of(sentences: Sequence[str]) -> list[str]:
    """The sentences that state something: no questions, headings, offers, courtesies, nor talk about oneself.

    Of "I'm not sure, but the first exhibition was in 1874" what stands after "but".
    """
    return [claim for sentence in sentences if (claim := _claim(sentence))]


def declines(sentences: Sequence[str]) -> bool:
    """Whether the answer says that it does not know, or will not answer."""
    return any(_DECLINES.search(sentence) for sentence in sentences)


def may_decline(answer: str) -> bool:
    """Whether any of its sentences could decline: the others need not be cut."""
    return _DECLINES.search(answer) is not None


def claims_nothing(sentences: Sequence[str], claims: Sequence[str], *, holds_back: bool) -> bool:
    """Whether nothing in the answer could be true or false.

    True without any claim. An answer that holds back (declines, or asks what is meant) claims nothing either when
    fewer than 40 % of its words stand in claims: the rest is asking and explaining why.
    """
    if not claims:
        return True
    words = sum(len(sentence.split()) for sentence in sentences)
    return holds_back and sum(len(claim.split()) for claim in claims) < _MOSTLY_SILENT * words


def _claim(sentence: str) -> str:
    """The part of the sentence that states something; "" when none does."""
    bare = sentence.strip().rstrip("*_\"'”’) ")
    if bare.endswith(("?", ":")) or bare.startswith("#") or _COURTESY.search(sentence):
        return ""
    if _ABOUT_ONESELF.search(sentence):
        _, _, rest = _BUT.sub("\0", sentence, count=1).partition("\0")
        return _claim(rest) if rest else ""
    return sentence if len(content_words(sentence)) >= _MIN_WORDS else ""
