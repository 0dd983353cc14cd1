"""What can or can't be done, said with an adjective or with its verb: "not refundable" denies "can be refunded".

Both sentences must speak of the same thing. What one of them denies under a condition ("after 30 days", "except",
"machine-washable"), the other allows only where it has that condition too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import is_negator, negations
from voirdire.evidence.records import Contradiction, confidence
from voirdire.evidence.tokens import ParsedSentence, Token, stems_of

_ADJECTIVE = re.compile(r"(?P<base>[a-z-]{3,})[ai]ble")
_ABLE = ("abl", "ibl")
"""How the stems of adjectives end."""
_PREFIXES = ("non-", "non", "un", "in", "im", "ir")
_DOUBLED = re.compile(r"(.)\1$")
_ROOTS = (("i", "y"), ("iss", "it"), ("vis", "vid"), ("ens", "end"), ("ic", "y"), ("", "at"))
"""How an adjective ends before "able", and its verb: "admissible", "divisible", "applicable", "negotiable"."""
_ENDS = frozenset(",;:.!?()—–") | frozenset("and or but because although though while which who that so".split())
_BE = frozenset("is are be isn't aren't get gets".split())
_MODALS = frozenset("can may will must could cannot can't won't couldn't mustn't do don't does doesn't".split())
_WE = frozenset("you we they i one people".split())
_ABLE_TO = frozenset("able possible allowed permitted entitled free".split())
_UNSURE = frozenset("may might could should would was were if".split())
"""Before an adjective."""
_CONDITIONS = frozenset(
    "except excepting exception unless without only until till apart other if when whenever once provided depending"
    " usually normally most some rather".split()
)
"""What is denied with one of these may be allowed otherwise."""
_LEADING = frozenset(
    "after before for from in on at during with by once as since beyond within outside inside over under above below"
    " between".split()
)
_TO = frozenset("to into onto through via".split())
_EMPHASIS = frozenset("all any circumst case time event either whatsoever".split())
"""Stems of "at all", "under any circumstances"."""
_OBJECT_ENDS = _LEADING | _TO | _CONDITIONS | _ENDS | {"up", "online"}
_REACH = 5
"""Words before a verb that may be between it and its auxiliary."""


_Form = Literal["verb", "adjective", "prefixed"]


class _Ability(NamedTuple):
    """That something can or can't be done."""

    stem: str
    """Of the verb, or the adjective without its ending."""
    form: _Form
    denied: bool
    thing: frozenset[str]
    limits: frozenset[str]
    """Content words of its conditions, as stems, and their prepositions."""
    text: str
    is_conditional: bool
    """Whether it may be otherwise under conditions that are not among its limits."""

    def says_the_same_as(self, other: _Ability) -> bool:
        """Whether both are of one thing and condition, or one says more of it."""
        pairs = ((self.thing, other.thing), (self.limits, other.limits))
        return self.denied == other.denied and all(one <= two or two <= one for one, two in pairs)


def ability_contradictions(match: Match) -> list[Contradiction] | None:
    """What a sentence says can be done, and its context that it can't, or the other way round.

    Empty where the context says the same, `None` where it says nothing of it with an adjective and its verb.
    """
    if "?" in match.claim.text:
        return None
    pairs = [
        (own, place, other)
        for own in _abilities(match.claim, _bases(match.index))
        for place in _places(own, match)
        for other in _abilities(match.index.sentences[place], _verbs(own.stem))
        if _is_same_verb(own, other)
    ]
    same = [own for own, _, other in pairs if own.says_the_same_as(other)]
    if same:
        return [] if all(each.denied for each in same) and len(negations(match.claim)) <= 1 else None
    opposed = [each for each in pairs if _is_denied(match, *each)]
    if not opposed:
        return None
    own, place, other = max(opposed, key=lambda each: (len(each[0].thing & each[2].thing), -each[1]))
    share = (match.shared.get(place, 0.0) + match.index.weight(own.stem)) / match.total
    evidence = match.index.sentences[place].text
    return [Contradiction("negation", own.text, other.text, evidence, confidence(share), sure=own.thing == other.thing)]


def _is_denied(match: Match, own: _Ability, place: int, other: _Ability) -> bool:
    """Whether one denies in another word what the other says: of all that it is said of, under no other condition."""
    denying, allowing = (own, other) if own.denied else (other, own)
    if own.denied == other.denied or own.form == other.form or denying.is_conditional:
        return False
    if not denying.thing or not denying.thing <= allowing.thing or not denying.limits <= allowing.limits:
        return False
    sentences = match.index.sentences
    new = match.claim.stems - sentences[place].stems - {own.stem}
    others = [sentences[each].stems for each in match.shared]
    return not new or not any(new <= stems and own.thing & stems for stems in others)


def _places(own: _Ability, match: Match) -> list[int]:
    """The sentences of the context, but for rows and records, that share what the ability is said of."""
    postings = match.index.postings
    places = {place for stem in own.thing for place in postings.get(stem, ())}
    return [place for place in sorted(places) if not match.index.in_cells(place)]


def _is_same_verb(one: _Ability, other: _Ability) -> bool:
    return not _verbs(one.stem).isdisjoint(_verbs(other.stem))


@lru_cache(maxsize=32)
def _bases(index: ContextIndex) -> frozenset[str]:
    """The verbs of a context's adjectives."""
    words = (stem + "e" for stem in index.postings if stem.endswith(_ABLE))
    return frozenset(verb for word in words for base, _ in _readings(word) for verb in _verbs(base))


@lru_cache(maxsize=4096)
def _verbs(base: str) -> frozenset[str]:
    """The stems of verbs that an adjective without its ending may be formed of."""
    plain = _DOUBLED.sub(r"\1", base.removesuffix("e") if len(base) > 3 else base)
    changed = (plain.removesuffix(end) + verb for end, verb in _ROOTS if plain.endswith(end))
    return frozenset((plain, *changed))


def _readings(word: str) -> Iterator[tuple[str, bool]]:
    """What an adjective may be formed of, and whether a prefix denies it: "non-refundable"."""
    match = _ADJECTIVE.fullmatch(word)
    if match is not None:
        yield match["base"], False
        for prefix in _PREFIXES:
            if len(match["base"].removeprefix(prefix)) in range(3, len(match["base"])):
                yield match["base"].removeprefix(prefix), True


@lru_cache(maxsize=4096)
def _abilities(sentence: ParsedSentence, verbs: frozenset[str]) -> tuple[_Ability, ...]:
    """The abilities of a sentence: those of its adjectives, and those of its verbs that are among these."""
    result: list[_Ability] = []
    for place, token in enumerate(sentence.tokens):
        for base, is_prefixed in _readings(token.word):
            result += _of_adjective(sentence, place, base, is_prefixed)
        if token.stem and not token.word.endswith(("able", "ible")) and not _verbs(token.stem).isdisjoint(verbs):
            result += _of_verb(sentence, place)
    return tuple(result)


def _of_adjective(sentence: ParsedSentence, place: int, base: str, is_prefixed: bool) -> Iterator[_Ability]:
    tokens = sentence.tokens
    start = _clause_start(tokens, place, _ENDS - {"and", "or"})
    before, after = tokens[start:place], _until(tokens[place + 1 :], _ENDS)
    be = next((at for at in range(len(before) - 1, -1, -1) if before[at].word in _BE), -1)
    if be < 0 or not _UNSURE.isdisjoint(each.word for each in before):
        return
    beside = before[be + 1 :]
    beside = beside[max((at + 1 for at, each in enumerate(beside) if each.word in ("and", "or")), default=0) :]
    if is_prefixed:  # "strictly non-refundable"
        beside = tuple(each for each in beside if not each.word.endswith("ly"))
    denied = is_prefixed != (sum(map(is_negator, before)) % 2 == 1)
    form: _Form = "prefixed" if is_prefixed else "adjective"
    yield _ability(sentence, place, base, form, denied, before[:be], (*beside, *after), start)


def _of_verb(sentence: ParsedSentence, place: int) -> Iterator[_Ability]:
    tokens = sentence.tokens
    start = _clause_start(tokens, place, _ENDS)
    before, after = tokens[start:place], _until(tokens[place + 1 :], _ENDS)
    at = len(before) - 1
    while at >= max(0, len(before) - _REACH) and (is_negator(before[at]) or before[at].word.endswith("ly")):
        if before[at].word in _MODALS | _BE:
            break
        at -= 1
    helper = before[at].word if at >= 0 else ""
    denied = sum(map(is_negator, before)) % 2 == 1
    if helper in _BE:
        thing = _until(before, _MODALS | _BE)
        yield _ability(sentence, place, tokens[place].stem, "verb", denied, thing, after, start)
    elif helper in _MODALS | _WE or (helper == "to" and not _ABLE_TO.isdisjoint(each.word for each in before)):
        thing = _until(after, _OBJECT_ENDS)
        agent = _until(before, _MODALS | _WE | {"is", "are"}) if denied else ()
        limits = (*agent, *after[len(thing) :])
        yield _ability(sentence, place, tokens[place].stem, "verb", denied, thing, limits, start)


def _ability(
    sentence: ParsedSentence,
    place: int,
    stem: str,
    form: _Form,
    denied: bool,
    thing: Sequence[Token],
    limits: Sequence[Token],
    start: int,
) -> _Ability:
    tokens = sentence.tokens
    led = tokens[0].word in _LEADING and (start > 0 or denied)
    helpers = (each.start for each in tokens[start:place] if is_negator(each) or each.word in _BE | _MODALS)
    first = min(helpers, default=tokens[place].start)
    return _Ability(
        stem,
        form,
        denied,
        frozenset(stems_of(thing)),
        frozenset(
            each.stem or each.word
            for each in limits
            if (each.stem and each.stem not in _EMPHASIS and not is_negator(each)) or each.word in _LEADING | _TO
        ),
        sentence.text[first : tokens[place].end],
        led or not _CONDITIONS.isdisjoint(sentence.words),
    )


def _clause_start(tokens: Sequence[Token], place: int, ends: frozenset[str]) -> int:
    return next((at + 1 for at in range(place - 1, -1, -1) if tokens[at].word in ends), 0)


def _until(tokens: Sequence[Token], ends: frozenset[str]) -> tuple[Token, ...]:
    """The tokens before the first of these words."""
    return tuple(tokens[: next((at for at, each in enumerate(tokens) if each.word in ends), len(tokens))])
