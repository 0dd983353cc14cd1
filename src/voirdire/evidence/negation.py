"""The negations of a sentence, what they reach, and whether another sentence negates the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.lexicon import lexicon, stem_of
from voirdire.evidence.tokens import ParsedSentence, Token, counterparts, stems_of

_SCOPE = 4  # content words that a negator reaches at most
_REACH = 14  # tokens after a negator that are looked at
_BEFORE = 6  # tokens before a negator that are looked at
_LIMIT = 4  # tokens after a negator, of which one may limit it
_NEAR = 6  # tokens to each side of a word that is half a negation
_ONLY = 2  # content words after "only" that say what is
_BUT = 3  # tokens from "no" to its "but"
_DENIED = 2  # content words after a negator that it may turn into their opposite
_SUBJECT = 2  # content words before a negator that say what it negates
UNTIL = frozenset({"until", "till"})
USING = frozenset({"use", "used", "using"})  # stems; what may be the only one is there for a use
_AFTER_NO = frozenset(".,;:!—–")
_EXCEPTING = frozenset({("other", "than"), ("apart", "from")})
_VERBS = frozenset({"may", "must", "can", "should", "shall", "will", "is", "are", "was", "were", "has", "have"})
_CONDITIONS = frozenset({"with", "without", "if", "unless", "provided"})
_AFTER_WITHOUT = frozenset("if unless provided when on at in during before after".split())
_EXCEPTING_CONDITIONS = frozenset({"without", "unless"})
_INDIFFERENT = frozenset({"whether", "regardless", "irrespective", "even"})
_MARKS = frozenset(",;:.!?")
_CLAUSE_MARKS = frozenset(";.!?")
_REASSURING = frozenset("problem problems worry worries need to trouble bother doubt question".split())
_HEDGES = frozenset({"", "probably", "certainly", "definitely", "usually", "perhaps", "maybe", "if", "why"})
_REASONS = frozenset({"as", "because", "since", "so", "therefore"})
_DUTIES = frozenset(
    "must need needs needed required require requires necessary obliged obligatory mandatory compulsory".split()
)
_HAVE_TO = re.compile(r"(?i)\bha(?:ve|s) to\b")
_ENDS = frozenset(",;:.!?()—–") | {"but", "because", "although", "while", "which", "who"}


_EMPTY = frozenset({"nothing", "nobody", "none"})
"""Negators that stand for what they negate: what is said before them, they say of no thing or person."""
_MISSING = _EMPTY | {"absent"}
"""Negators that deny all that stands before them: "the puff of breath after the p is absent"."""
_NO_SHOW = frozenset({"no-show", "no-shows"})
_COMING = frozenset({"show", "com", "appear", "attend", "turn", "arriv"})
"""Stems of what a no-show does not do."""
_NOT_YET = UNTIL | {"before", "without"}


class Negation(NamedTuple):
    """A negator and what stands around it, as stems."""

    word: str
    before: tuple[str, ...]
    scope: tuple[str, ...]
    """Up to the end of the clause."""
    ahead: tuple[str, ...]
    """What follows, further than the clause."""
    text: str
    """The stretch from the negator to the second content word after it, as it stands."""
    start: int
    """Where the negator stands."""
    verb: bool
    """Whether it is a verb or its noun (fail, lack, denial), and not a word like "not"."""
    limit: str
    """A word of its clause that limits what it negates: "not before ten", "never longer than"; empty for none."""
    alternatives: bool
    """Whether what it is said of is one of several: "by telephone or at the desk"."""

    @property
    def reach(self) -> tuple[str, ...]:
        """The stems that it may negate; "without" leaves what stands before it as it is."""
        return self.scope if self.word == "without" else self.before + self.scope

    def is_limited_beside(self, own: ParsedSentence, other: ParsedSentence) -> bool:
        """Whether it negates less than what another sentence says: with a limit, or beyond the only one there.

        "Do not use salt water" denies nothing of "use only clean water".
        """
        limited = self.limit != "" and self.limit not in other.words
        only = exclusive_stems(other)
        says_more = not only.isdisjoint(self.scope) and not self.says_no_more_than(other)
        return limited or (says_more and not exclusive_stems(own)) or not only <= own.stems

    def says_no_more_than(self, other: ParsedSentence) -> bool:
        """Whether it negates nothing but words of another sentence, and use: no "worn K3" for "only the K3"."""
        return set(self.scope) <= other.stems | USING


@lru_cache(maxsize=4096)
def negations(sentence: ParsedSentence) -> tuple[Negation, ...]:
    """The negations of a sentence; "not only" and "whether or not" are none, nor is "did not fail"."""
    words = lexicon()
    result: list[Negation] = []
    cancelled = -1
    for place, token in enumerate(sentence.tokens):
        if not (is_negator(token) or token.stem in words.negating):
            continue
        following = sentence.tokens[place + 1 : place + 1 + _REACH]
        if place == cancelled or _negates_nothing(token, sentence.tokens[max(0, place - 1) : place], following):
            continue
        cancelled = _cancelling(following, place + 1)
        if cancelled < 0:
            result.append(_negation(sentence, place, token.word))
    return tuple(result)


@lru_cache(maxsize=4096)
def exclusive_stems(sentence: ParsedSentence) -> frozenset[str]:
    """The stems that tell apart what a sentence says is the only one: "clean water" of "use only clean water".

    Of what has a code it is the code: the 4 of "use only the B4 blade".
    """
    phrase = exclusive_phrase(sentence)
    ahead = stems_of(phrase[1:])[:_ONLY]
    figures = [(before.end == each.start, each.stem) for before, each in pairwise(phrase) if each.word[0].isdigit()]
    if any(stem in ahead for is_code, stem in figures if not is_code):
        return frozenset()
    return frozenset(stem for is_code, stem in figures if is_code) or frozenset(ahead)


@lru_cache(maxsize=4096)
def exclusive_phrase(sentence: ParsedSentence) -> tuple[Token, ...]:
    """What a sentence says is the only one, up to a verb: "only trained staff" may, "no blade but the B4".

    The first token stands before it.
    """
    tokens = sentence.tokens
    only = [place for place, token in enumerate(tokens) if lexicon().quantity.get(token.word) == "only"]
    excepting = exceptions(sentence) if any(map(is_negator, tokens)) else []
    for place in (*only, *excepting):
        following = tokens[place + 1 : place + 1 + _REACH]
        clause = following[: _end(following)]
        verb = next((spot for spot, token in enumerate(clause) if token.word in _VERBS), len(clause))
        if stems_of(clause[:verb]):
            return (tokens[place], *clause[:verb])
        if place in only and not stems_of(clause):  # "with clean water only"
            return tokens[max(0, place - _LIMIT) : place]
    return ()


@lru_cache(maxsize=4096)
def only_condition(sentence: ParsedSentence) -> tuple[Token, ...]:
    """The only condition of a sentence, with its "only": "only if they are unopened"; empty for none."""
    for place, (token, following) in enumerate(pairwise(sentence.tokens)):
        if lexicon().quantity.get(token.word) == "only" and following.word in _CONDITIONS:
            end = place + 1 + _end(sentence.tokens[place + 1 :])
            return sentence.tokens[place:end]
    return ()


def excludes_others(sentence: ParsedSentence, other: ParsedSentence) -> bool:
    """Whether a sentence negates another thing than the only one of another sentence: "never R9" for "only R8"."""
    only = exclusive_stems(other)
    return bool(only) and not exclusive_stems(sentence) and not only <= sentence.stems and any(negations(sentence))


def limits_another(sentence: ParsedSentence, other: ParsedSentence) -> bool:
    """Whether both say "only", of different things: "only the owner may enter", "the owner may only enter at night"."""
    mine, others = exclusive_stems(sentence), exclusive_stems(other)
    return bool(mine) and bool(others) and mine.isdisjoint(others)


def exceptions(sentence: ParsedSentence) -> list[int]:
    """Where the words end that except what follows: "except", "other than", "no … but"."""
    pairs = enumerate(pairwise(sentence.tokens), 1)
    places = [place for place, (one, two) in pairs if (one.word, two.word) in _EXCEPTING or two.word == "except"]
    return places + [place for place in range(len(sentence.tokens)) if _is_nothing_but(sentence, place)]


def meets_exception(sentence: ParsedSentence, rule: ParsedSentence) -> bool:
    """Whether a sentence speaks of what a rule excepts: guide dogs of "except guide dogs", a permit of "unless"."""
    if not _INDIFFERENT.isdisjoint(sentence.words):
        return False
    tokens = rule.tokens
    conditions = [place for place, token in enumerate(tokens) if token.word in _EXCEPTING_CONDITIONS]
    for place in (*conditions, *exceptions(rule)):
        following = tokens[place + 1 :]
        excepted = set(stems_of(following[: _end(following)])).difference(stems_of(tokens[:place]))
        if excepted and 2 * len(excepted & sentence.stems) >= len(excepted):
            return True
    return False


def _is_nothing_but(sentence: ParsedSentence, place: int) -> bool:
    before = sentence.tokens[max(0, place - _BUT) : place]
    return sentence.tokens[place].word == "but" and any(each.word in ("no", "nothing") for each in before)


def is_negator(token: Token) -> bool:
    """Whether a word negates what follows it."""
    return token.word.endswith("n't") or token.word in lexicon().negators


def _cancelling(following: Sequence[Token], start: int) -> int:
    """Where the negating verb stands that a negator is right before: "did not fail", "cannot deny"; -1 for none."""
    place = next((place for place, token in enumerate(following, start) if token.stem), -1)
    return place if place >= 0 and following[place - start].stem in lexicon().negating else -1


def _negation(sentence: ParsedSentence, place: int, word: str) -> Negation:
    """What the word at a place negates or requires."""
    following = sentence.tokens[place + 1 : place + 1 + _REACH]
    preceding = sentence.tokens[:place]
    before = stems_of(preceding) if word in _MISSING else _subject(preceding)
    token = sentence.tokens[place]
    last = [token, *(each for each in following if each.stem)][:3][-1]
    text = sentence.text[token.start : last.end]
    verb = token.stem in lexicon().negating
    near = following[: _end(following)][:_LIMIT]
    if near and near[0].word in UNTIL:  # "not until ten" says that it was so at ten
        near = ()
    limits = [each for each in near if each.word in lexicon().limits]
    limits += [sentence.tokens[spot] for spot in exceptions(sentence)]
    limit = limits[0].word if limits else ""
    scope = _scope(_without(following) if word == "without" else following)
    alternatives = any(each.word == "or" for each in preceding)
    return Negation(word, before, scope, stems_of(following), text, token.start, verb, limit, alternatives)


def _without(following: Sequence[Token]) -> Sequence[Token]:
    """What is meant by "without", up to what the rest is about: "without notice if the member moves"."""
    end = next((place for place, token in enumerate(following) if token.word in _AFTER_WITHOUT), len(following))
    return following[:end]


def _subject(preceding: Sequence[Token]) -> tuple[str, ...]:
    """The last content words before a negator: of its clause, or what an item is about ("Films: 7 days, not …")."""
    hard = max((place for place, token in enumerate(preceding) if token.word in _CLAUSE_MARKS), default=-1)
    clause = preceding[hard + 1 :]
    colon = next((place for place, token in enumerate(clause) if token.word == ":"), None)
    if colon is not None and clause[-1].word in ",:":
        clause = clause[:colon]
    return stems_of(clause[-_BEFORE:])[-_SUBJECT:]


def same_under_condition(claim: ParsedSentence, evidence: ParsedSentence) -> bool | None:
    """Whether two sentences allow or forbid the same: "not without consent" is "with consent".

    `None` where they do not name the same condition, or neither negates it. Each negation turns the meaning round.
    """
    conditions = [
        (one.word, other.word)
        for one in _conditions(claim)
        for other in _conditions(evidence)
        if set(one.scope) & set(other.scope)
    ]
    if not any(_EXCEPTING_CONDITIONS & set(words) for words in conditions):
        return None
    return _count_negations(claim, evidence) % 2 == _count_negations(evidence, claim) % 2


def _conditions(sentence: ParsedSentence) -> list[Negation]:
    """What follows "with", "without", "if" and "unless"."""
    return [
        _negation(sentence, place, token.word)
        for place, token in enumerate(sentence.tokens)
        if token.word in _CONDITIONS
    ]


def _count_negations(sentence: ParsedSentence, other: ParsedSentence) -> int:
    """How many words of a sentence negate what the other sentence speaks of, too."""
    unless = [each for each in _conditions(sentence) if each.word == "unless"]
    return sum(bool(other.stems.intersection(each.before + each.scope)) for each in (*negations(sentence), *unless))


def negated_words(sentence: ParsedSentence) -> str:
    """What a sentence negates and under which condition, in a few words."""
    texts = [each.text for each in (*negations(sentence), *_conditions(sentence))]
    return " … ".join(dict.fromkeys(texts))


def _negates_nothing(negator: Token, before: Sequence[Token], following: Sequence[Token]) -> bool:
    """Whether a negator negates nothing: "not only", "no more than", "No. 5", "or not", "No, it is closed"."""
    previous = before[0].word if before else ""
    if not following or (negator.word, previous) in (("not", "or"), ("few", "a")):
        return True
    if _reassures(previous, following):
        return True
    if negator.word == "not" and previous in _HEDGES and following[0].word in _MARKS:  # "probably not, it is closed"
        return True
    if negator.word == "no" and any(token.word == "but" for token in following[1:3]):  # "no oil but this"
        return True
    if negator.word == "zero" and not following[0].stem:  # "below zero in the open"
        return True
    after = following[0].word
    if after in lexicon().softened_before_than and any(token.word == "than" for token in following[1:2]):
        return True
    return after in lexicon().softened or (negator.word == "no" and (after in _AFTER_NO or after[0].isdigit()))


def _reassures(previous: str, following: Sequence[Token]) -> bool:
    """Whether a negator only opens a reply: "No problem: …", "Not to worry, …"."""
    end = next((place for place, token in enumerate(following) if token.word in _ENDS), 0)
    opens = previous == "" or previous in _ENDS
    return opens and end > 0 and all(token.word in _REASSURING for token in following[:end])


def _scope(following: Sequence[Token]) -> tuple[str, ...]:
    return stems_of(following[: _end(following)])[:_SCOPE]


def _end(following: Sequence[Token]) -> int:
    """Where the clause of a negator ends."""
    ends = (place for place, token in enumerate(following) if token.word in _ENDS and stems_of(following[:place]))
    return next(ends, len(following))


def mentions_negated(evidence: Sequence[ParsedSentence], negation: Negation) -> bool:
    """Whether what is negated stands in one of these sentences at all."""
    # "nothing to pay" speaks of paying.
    meant = (negation.scope[:1] or negation.before[-1:]) if negation.word in _EMPTY else negation.ahead
    return not meant or any(not sentence.stems.isdisjoint(meant) for sentence in evidence)


def frees_from_duty(negation: Negation, sentence: ParsedSentence) -> bool:
    """Whether it says that something is not needed, which only a sentence that requires something denies."""
    needless = negation.scope[:1] != () and negation.scope[0] in _stems_of_duties()
    return needless and _DUTIES.isdisjoint(sentence.words)


def denies_duty(negation: Negation) -> bool:
    """Whether it denies no more than a duty: "not required", "do not have to bring"."""
    return not _stems_of_duties().isdisjoint(negation.scope[:1]) or _HAVE_TO.search(negation.text) is not None


@cache
def _stems_of_duties() -> frozenset[str]:
    """The stems of words of duty."""
    return frozenset(filter(None, map(stem_of, _DUTIES)))


def costs_nothing(negation: Negation, sentences: Collection[ParsedSentence]) -> bool:
    """Whether "nothing" or "no charge" is said of what is free, by the sentence that has most of what it is about."""
    stems = {*negation.before, *negation.scope}
    if negation.word != "nothing" and stem_of("charge") not in stems:
        return False
    about = stems.difference(_stems_of_paying())
    shared = [(len(about & sentence.stems), "free" in sentence.words) for sentence in sentences]
    return max(shared, default=(0, False))[1]


@cache
def _stems_of_paying() -> frozenset[str]:
    """The stems of words for what is asked for something, which stand beside "nothing" and not beside "free"."""
    return frozenset(map(stem_of, ("cost", "pay", "paid", "charge")))


def gives_reasons(sentence: ParsedSentence) -> bool:
    """Whether a sentence draws a conclusion, or says why: "not on the fast boat, as it carries no cars"."""
    return not _REASONS.isdisjoint(sentence.words)


def negates(evidence: ParsedSentence, negation: Negation, bounds: Collection[int] = ()) -> bool:
    """Whether a context sentence negates what the sentence negates, by a negator, a prefix, or a word like "few".

    Negators that stand at `bounds` negate nothing but a bound.
    """
    reach = {*negation.before, *negation.scope}
    if negation.word in _EMPTY and negation.word in evidence.words:
        return True
    denied = [each for each in negations(evidence) if each.start not in bounds]
    if any(reach.intersection(each.reach) or not each.scope for each in denied):
        return True
    if denies_opposite(negation, evidence) or _makes_no_show(negation, evidence):
        return True
    if any(prefix + stem in evidence.stems for prefix in lexicon().prefixes for stem in negation.scope):
        return True
    if any(not evidence.stems.isdisjoint(counterparts(stem)) for stem in negation.scope):
        return True
    around = (evidence.tokens[max(0, place - _NEAR) : place + 1 + _NEAR] for place in half_negators(evidence))
    return any(reach.intersection(stems_of(tokens)) for tokens in around)


def denies_opposite(negation: Negation, sentence: ParsedSentence) -> bool:
    """Whether what is negated is the opposite of a word of a sentence: "did not refuse" says what "accepted" says."""
    return any(lexicon().are_opposites(stem, each) for stem in negation.scope[:_DENIED] for each in sentence.stems)


def _makes_no_show(negation: Negation, sentence: ParsedSentence) -> bool:
    """Whether what is negated makes the no-show of a sentence: who is absent, or does not come."""
    is_absence = negation.word == "absent" or not _COMING.isdisjoint(negation.scope[:1])
    return is_absence and not _NO_SHOW.isdisjoint(sentence.words)


def half_negators(sentence: ParsedSentence) -> list[int]:
    """Where words stand that are half a negation: few, unlikely, prevent."""
    half = lexicon().half_negators
    if half.isdisjoint(sentence.stems) and half.isdisjoint(sentence.words):
        return []
    return [place for place, token in enumerate(sentence.tokens) if (token.stem or token.word) in half]


def is_past_end(claim: ParsedSentence, evidence: ParsedSentence, negation: Negation) -> bool:
    """Whether a sentence names that until which another negates: "none until Fortran 90" allows it in Fortran 90."""
    following = [token for token in evidence.tokens if token.start > negation.start][:_REACH]
    place = next((place for place, token in enumerate(following) if token.word in UNTIL), len(following))
    after = following[place + 1 :]
    named = {token.stem or token.word for token in after[: _end(after)] if token.stem or token.word[0].isdigit()}
    known = claim.stems | set(claim.words)
    return bool(named) and named <= known and _NOT_YET.isdisjoint(claim.words)


def is_dropped(negation: Negation, claim: ParsedSentence, evidence: ParsedSentence) -> bool:
    """Whether a sentence says without a negation what the context negates, or of one of several things there."""
    if _makes_no_show(negation, claim):
        return False
    of_one = negation.alternatives and len(claim.stems) > _SUBJECT and claim.stems <= evidence.stems
    around = (*negation.before, *negation.scope[:2])
    claim_stems = claim.stems.union(*(lexicon().synonyms.get(stem, ()) for stem in claim.stems))
    shared = sum(stem in claim_stems for stem in around)
    return (
        len(around) > 1
        and negation.scope[:1] != ()
        and negation.scope[0] in claim_stems
        and (of_one or 3 * shared >= 2 * len(around))
    )
