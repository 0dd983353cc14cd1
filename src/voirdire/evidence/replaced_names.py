"""A name that the context lacks, in a sentence of it where it has another one: "kept in Geneva" for "Vienna"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.records import Contradiction, ContradictionKind, confidence
from voirdire.evidence.tokens import ParsedSentence, Token
from voirdire.text.languages import is_foreign

_CALENDAR = {
    name: day
    for day in (
        "monday mon|tuesday tue tues|wednesday wed|thursday thu thurs|friday fri|saturday sat|sunday sun|january jan|"
        "february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|november nov|"
        "december dec"
    ).split("|")
    for name in day.split()
}
"""Weekdays and months, each with what it stands for."""
_TITLES = frozenset(
    "president king queen prince princess emperor empress pope saint st sir dame lord lady duke count mr mrs ms miss "
    "dr doctor prof professor general captain colonel admiral major senator governor chancellor minister judge justice "
    "mayor bishop cardinal ceo chairman company corporation inc ltd university city republic kingdom church mount lake "
    "river".split()
)
"""What may stand for a name, or beside one: "President Obama" is Barack Obama."""
_ADDRESS = frozenset("mr mrs ms miss".split())
"""Titles that change with the name."""
_EXAMPLES = frozenset("like as including e.g example instance".split())
"""Words before an example: another one is as good."""
_DIGITS = tuple("0123456789")
_LONGEST = 60  # words of a sentence
_OTHER_WORDS = 0.2  # share of the sentence's content words that may be others besides the name
_LEAST = 2  # content words that both have
_KIN = 4  # letters; of two words that share them one may be formed from the other
_ALIKE = 0.75  # two spellings of one name
_HEADLINE = 0.7  # share of content words with capitals, from which on they say nothing
_SURE = 0.75


class _Slot(NamedTuple):
    """Two names in the same place of two sentences that say the same."""

    claim: tuple[Token, ...]
    evidence: tuple[Token, ...]


def replaced_names(match: Match) -> Iterator[Contradiction]:
    """The first name, weekday or month that stands where one of the closest sentences of the context has another."""
    claim = match.claim
    if not _has_new_name(claim, match.index) or claim.text.endswith("?") or _is_unclear(claim):
        return
    shares = match.shares()
    for place in match.ranked:
        evidence = match.index.sentences[place]
        if _is_unclear(evidence):
            continue
        for slot in _slots(claim, evidence):
            if _is_other_name(slot, claim, evidence, match.index):
                kind: ContradictionKind = "date" if _is_calendar(slot.claim) else "name"
                yield Contradiction(
                    kind,
                    _written(claim, slot.claim),
                    _written(evidence, slot.evidence),
                    evidence.text,
                    max(_SURE, confidence(shares[place])),
                )
                return


def _has_new_name(claim: ParsedSentence, index: ContextIndex) -> bool:
    """Whether a sentence has a name that the context has nowhere, or a weekday or month: most are spared the rest."""
    return any(
        _is_name(token, claim) and (token.word in _CALENDAR or token.stem not in index.postings)
        for token in claim.tokens
    )


def _is_unclear(sentence: ParsedSentence) -> bool:
    """Whether a sentence negates, has too many capitals to tell a name by, is in another language, or is very long."""
    content = [token for token in sentence.tokens if token.stem and token.word[0].isalpha()]
    capitals = sum(_is_name(token, sentence) for token in content)
    return (
        len(sentence.tokens) > _LONGEST
        or (len(content) > 2 and capitals > _HEADLINE * len(content))
        or bool(negations(sentence))
        or is_foreign(sentence.text)
    )


def _is_name(token: Token, sentence: ParsedSentence) -> bool:
    """Whether a word may be a name: a capital, and no little word, title, or what may be a unit after a figure."""
    written = sentence.text[token.start : token.end]
    if token.word not in _CALENDAR and sentence.text[: token.start].rstrip(" -/").endswith(_DIGITS):
        return False
    is_content = bool(token.stem) or token.word in _CALENDAR
    return is_content and token.word not in _TITLES and any(map(str.isupper, written)) and written[0].isalpha()


def _is_calendar(tokens: Sequence[Token]) -> bool:
    return all(token.word in _CALENDAR for token in tokens)


def _slots(claim: ParsedSentence, evidence: ParsedSentence) -> Iterator[_Slot]:
    """Where two sentences that are otherwise nearly the same have different names."""
    mine, theirs = _words(claim), _words(evidence)
    blocks = SequenceMatcher(None, list(map(_key, theirs)), list(map(_key, mine)), autojunk=False).get_opcodes()
    slots: list[_Slot] = []
    same = others = 0
    for number, (kind, start, end, first, last) in enumerate(blocks):
        left, here = theirs[start:end], mine[first:last]
        if kind == "equal":
            same += sum(bool(token.stem) for token in here)
        elif kind == "replace" and _may_be_slot(claim, here, evidence, left):
            if _keeps_examples(mine[:first]) and (number == 0 or blocks[number - 1][0] == "equal"):
                slots.append(_Slot(tuple(here), tuple(left[: _length_of_name(left, evidence)])))
        else:
            others += sum(bool(token.stem) for token in here)
            if 0 < number < len(blocks) - 1:
                others += sum(bool(token.stem) for token in left)
    if same >= _LEAST and others <= _OTHER_WORDS * (same + others):
        yield from slots


def _may_be_slot(claim: ParsedSentence, here: Sequence[Token], evidence: ParsedSentence, left: Sequence[Token]) -> bool:
    """Whether a name of the sentence stands for a name of the context, after which more may be left out."""
    if not all(_is_name(token, claim) for token in here) or not _is_name(left[0], evidence):
        return False
    opens = claim.tokens[0] in here or evidence.tokens[0] in left
    if opens and min(len(here), len(left)) < 2:  # any first word has a capital
        return False
    return _is_calendar(here) == _is_calendar(left[:1])


def _length_of_name(tokens: Sequence[Token], sentence: ParsedSentence) -> int:
    """How many words the name has that they begin with."""
    for length, (one, other) in enumerate(pairwise(tokens), 1):
        if not _is_name(other, sentence) or sentence.text[one.end : other.start].strip():
            return length
    return len(tokens)


def _keeps_examples(before: Sequence[Token]) -> bool:
    return not before or before[-1].word not in _EXAMPLES


def _is_other_name(slot: _Slot, claim: ParsedSentence, evidence: ParsedSentence, index: ContextIndex) -> bool:
    """Whether two names are not of one thing, and the context does not have the sentence's elsewhere."""
    if _is_calendar(slot.claim):
        named = [_CALENDAR[token.word] for token in evidence.tokens if token.word in _CALENDAR]
        return len(slot.evidence) == len(slot.claim) == 1 == len(named) and _CALENDAR[slot.claim[0].word] not in named
    if any(token.stem in index.postings for token in slot.claim):
        return False
    if any(token.word in claim.words for token in slot.evidence):
        return False
    pairs = [(one.word, other.word) for one in slot.claim for other in slot.evidence]
    return not any(_are_kin(*pair) for pair in pairs) and not _abbreviates(slot)


def _are_kin(one: str, other: str) -> bool:
    """Whether two words may be of one name: "English" and "England", "Kiev" and "Kyiv"."""
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE
    return alike or one[:_KIN] == other[:_KIN] or (one[0] == other[0] and min(len(one), len(other)) == 1)


def _abbreviates(slot: _Slot) -> bool:
    """Whether one name is made of the first letters of the other, or either may be an abbreviation."""
    for one, other in (slot.claim, slot.evidence), (slot.evidence, slot.claim):
        initials = "".join(token.word[0] for token in other)
        if len(one) == 1 and (one[0].word == initials or (len(other) > 1 and one[0].word.startswith(initials[:2]))):
            return True
    return False


def _words(sentence: ParsedSentence) -> list[Token]:
    return [token for token in sentence.tokens if token.word[0].isalnum() and token.word not in _ADDRESS]


def _key(token: Token) -> str:
    return token.stem or token.word


def _written(sentence: ParsedSentence, tokens: Sequence[Token]) -> str:
    return sentence.text[tokens[0].start : tokens[-1].end]
