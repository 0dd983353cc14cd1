"""Who did it to whom: "B was bought by A" for "A was bought by B", "the tenant gives the landlord" for the other way.

Two sentences must share their verb, and a sentence may say nothing that the context's one does not. Who acts stands
before a verb, or after "by" where it is passive: only where the two have changed places is anything found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, Token

_CERTAINTY = 0.95
_LONGEST = 60
"""Words of a sentence that is parsed."""
_ACTOR = 5
"""Content words at most of who acts."""
_BE = frozenset("is are was were be been being get gets got".split())
_BEFORE_VERB = (
    frozenset(
        "may must can could will would shall should might to had has have having not never also always then already"
        " first later often usually only".split()
    )
    | _BE
)
_CLAUSE = frozenset(",;:.!?()—–") | frozenset(
    "and but while because when if whereas although that as after before".split()
)
_RELATIVE = frozenset(("who", "which"))
_ARTICLES = frozenset("the a an this that these those its his her their our your each every all".split())
_PREPOSITIONS = frozenset("of in on at for from to with under over near by into during through about".split())
# What two do to each other, or are to each other.
_MUTUAL = frozenset(
    "meet meets met join joins joined marry marries married border borders bordered face faces faced match matches"
    " matched equal equals resemble resembles share shares shared connect connects connected link links linked"
    " accompany accompanies accompanied cross crosses crossed adjoin adjoins combine combines combined mix mixed"
    " compare compared include includes included touch touches differ differs cost costs last lasts open opens".split()
)
# Forms that differ by more than an ending, each with the first of its line's.
_BASES = {
    form: forms.split()[0]
    for forms in (
        "give gives gave given",
        "send sent sends",
        "buy bought buys",
        "sell sold sells",
        "teach taught teaches",
        "tell told tells",
        "write wrote written writes",
        "take took taken takes",
        "beat beats beaten",
        "lead led leads",
        "owe owes owed",
        "succeed succeeds succeeded",
        "choose chose chosen chooses",
    )
    for form in forms.split()
}
_EACH_OTHER = re.compile(r"(?i)\b(?:each other|one another|mutual(?:ly)?|vice versa|respectively)\b")


class _Action(NamedTuple):
    """What a sentence says that someone does to someone."""

    actor: str
    """Stem of the last word of who acts."""
    actors: frozenset[str]
    others: frozenset[str]
    """Stems of all else in the clause."""
    takes: bool
    """Whether it has "from": who rents to one is the one that this one rents from."""
    start: int
    end: int


def exchanged_roles(match: Match) -> Iterator[Contradiction]:
    """A sentence whose actor and other party are those of a sentence of the context, exchanged."""
    claim = match.claim
    if "?" in claim.text or len(claim.tokens) > _LONGEST or not _is_plain(claim):
        return
    sentences = [match.index.sentences[place] for place in match.ranked]
    sentences = [each for each in sentences if _is_plain(each)]
    exchanged = []
    for mine, theirs, evidence in _pairs(claim, sentences, match.index):
        if mine.actor in theirs.actors:
            return
        if mine.actor in theirs.others and theirs.actor in mine.others and mine.takes == theirs.takes:
            exchanged.append((mine, theirs, evidence))
    for mine, theirs, evidence in exchanged[:1]:
        here, there = claim.text[mine.start : mine.end], evidence.text[theirs.start : theirs.end]
        yield Contradiction("name", here, there, evidence.text, _CERTAINTY, sure=True)


def _pairs(
    claim: ParsedSentence, sentences: Sequence[ParsedSentence], index: ContextIndex
) -> Iterator[tuple[_Action, _Action, ParsedSentence]]:
    """What a sentence says that someone does, beside the same verb of those sentences that have all its words."""
    verbs = set[str]()
    needed = claim.stems - _first_names(claim, index)
    sentences = [each for each in sentences if len(needed - each.stems) <= 1]  # that of the verb may be another
    for verb in claim.tokens if sentences else ():
        mine = _action(claim, verb) if _base(verb) and verb.word not in _MUTUAL else None
        if mine and mine.actor in verbs:  # "lends ladders to" has one verb
            continue
        verbs.update([verb.stem] if mine else [])
        for evidence in sentences if mine else ():
            if not needed - {verb.stem} <= evidence.stems:
                continue
            for other in evidence.tokens:
                theirs = _action(evidence, other) if _base(other) == _base(verb) else None
                if mine and theirs:
                    yield mine, theirs, evidence


def _first_names(claim: ParsedSentence, index: ContextIndex) -> frozenset[str]:
    """The stems of first names of a sentence, which stand before the same last ones in the context: "Odile Brandt"."""
    pairs = ((one, other, claim.text[one.start : other.end]) for one, other in pairwise(claim.tokens))
    return frozenset(
        one.stem
        for one, other, name in pairs
        if claim.text[one.start].isupper() and claim.text[other.start].isupper() and name in index.text
    )


def _base(token: Token) -> str:
    return _BASES.get(token.word, token.stem)


@lru_cache(maxsize=4096)
def _is_plain(sentence: ParsedSentence) -> bool:
    return not (any(negations(sentence)) or half_negators(sentence) or _EACH_OTHER.search(sentence.text))


def _action(sentence: ParsedSentence, verb: Token) -> _Action | None:
    """Who does what a verb says; `None` where the word may be no verb, or nobody is said to."""
    tokens = sentence.tokens
    place = tokens.index(verb)
    end = next((at for at in range(place + 1, len(tokens)) if tokens[at].word in _CLAUSE | _RELATIVE), len(tokens))
    start = next((at + 1 for at in range(place - 1, -1, -1) if tokens[at].word in _CLAUSE), 0)
    before = place
    while before > start and (tokens[before - 1].word in _BEFORE_VERB or tokens[before - 1].word.endswith("ly")):
        before -= 1
    helpers = {each.word for each in tokens[before:place]}
    following = tokens[place + 1 : end]
    is_passive = not _BE.isdisjoint(helpers) or (bool(following) and following[0].word == "by")
    if is_passive:
        by = next((at for at, each in enumerate(following) if each.word == "by"), None)
        if by is None or verb.word.endswith("ing"):
            return None
        actor = _phrase(following[by + 1 :])
        span = (tokens[start].start, actor[-1].end) if actor else (0, 0)
        others = [*tokens[start:place], *following]
    else:
        if before > start and tokens[before - 1].word in _RELATIVE:
            start, before = _antecedent(tokens, before - 1)
        actor = _phrase(tokens[start:before])
        others = list(following)
        span = (tokens[start].start, following[-1].end) if following else (0, 0)
        if not _may_be_verb(sentence, verb, helpers, following):
            return None
    stems = frozenset(each.stem for each in actor if each.stem)
    rest = frozenset(each.stem for each in others if each.stem) - stems
    takes = any(each.word == "from" for each in others)
    return _Action(actor[-1].stem, stems, rest, takes, *span) if stems and rest else None


def _antecedent(tokens: Sequence[Token], relative: int) -> tuple[int, int]:
    """What "who" or "which" speaks of: the words right before it, back to a little word."""
    end = relative - (relative > 0 and tokens[relative - 1].word == ",")
    start = end
    while start > 0 and tokens[start - 1].stem:
        start -= 1
    return start, end


def _phrase(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The first noun phrase of some words, without its article; () where it is long, or something precedes it."""
    rest = tokens[1:] if tokens and tokens[0].word in _ARTICLES else tokens
    end = next((at for at, each in enumerate(rest) if not each.stem), len(rest))
    if end < len(rest) and rest[end].word not in _PREPOSITIONS and rest[end].word not in _CLAUSE:
        return ()
    return tuple(rest[:end]) if 0 < end <= _ACTOR else ()


def _is_linked(following: Sequence[Token]) -> bool:
    """Whether a preposition stands soon after what follows a verb: "lends ladders to", "rents two boats to"."""
    return any(each.word in _PREPOSITIONS for each in following[1:3])


def _may_be_verb(sentence: ParsedSentence, verb: Token, helpers: set[str], following: Sequence[Token]) -> bool:
    """Whether a word is used as a verb: with a helper, or before an article, a name, or what it is done with."""
    if helpers:
        return True
    return (
        bool(following)
        and (
            following[0].word in _ARTICLES
            or sentence.text[following[0].start].isupper()
            or following[0].word in _PREPOSITIONS
            or (verb.word.endswith("s") and following[0].stem != "" and _is_linked(following))
        )
        and not sentence.text[verb.start].isupper()
    )
