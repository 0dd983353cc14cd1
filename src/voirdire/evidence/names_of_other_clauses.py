"""Who does it, exchanged between clauses: "Bo leads the reef dive" of "Ana leads the reef dive, Bo the wreck dive".

A sentence must begin with a name, or end with who it is or by whom it is done, and one clause of the context must have
all the rest of another name. Where any clause that may speak of the name has what it is done to, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.names import CALENDAR_NAMES, Mention
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, Token

_CERTAINTY = 0.95
_LONGEST = 18
"""Words and marks of a sentence."""
_FEWEST = 2
"""Content words besides the name, but of "is the manager"."""
_AGENT = re.compile(r"\b(?:by|is|are|was|were) (?:[a-z]+ )?$")
"""Before who does it: "is led by Bo", "the manager is Bo"."""
_IS_THE = re.compile(r"\s(?:is|was|are|were) the\b")
_JOIN = re.compile(r"(?:\s|,|&|\band\b|\bor\b)*")
_CUT = re.compile(r"[,;:.!?]\s|\s(?:and|while|whereas|but)\s")
_NEW_CLAUSE = re.compile(r"[;.:!?]|,\s(?:and|while|whereas|but)\s*$")
_DESCRIPTION = re.compile(r",\s(?:an?|the|who|which|whose|his|her|their|its)\b")
"""After a name: "Corvo, a subsidiary of"."""
_PRONOUNS = frozenset("he she they who".split())
_ARTICLES = frozenset("the a an his her their its our".split())
_UNSURE = frozenset(
    "or both with also too like than not either neither unlike instead if when unless as may might could former"
    " formerly another other others".split()
)
_TEMPORAL = frozenset("before after until since from".split())


class _Clause(NamedTuple):
    names: tuple[Mention, ...]
    stems: frozenset[str]
    """Of its words, and of the verb that it leaves out."""
    place: int
    """Of its sentence."""
    has_pronoun: bool
    """Whether it may speak of another name, too."""


def names_of_other_clauses(match: Match) -> Iterator[Contradiction]:
    """The name of a sentence, of which the context says something else, and what the sentence says of another one."""
    claim, index = match.claim, match.index
    if len(claim.tokens) > _LONGEST or not _UNSURE.isdisjoint(claim.words) or "?" in claim.text:
        return
    for name in _actors(match):
        rest = claim.stems - name.stems
        if len(rest) < (1 if _is_role(claim, name) else _FEWEST) or any(stem not in index.postings for stem in rest):
            continue
        if any(negations(claim)) or half_negators(claim):
            return
        places = set.intersection(*(set(index.postings[stem]) for stem in rest))
        if not places or not name.words <= _known_words(index):
            continue
        clauses = [each for each in _clauses(index) if each.place in places and rest <= each.stems]
        clauses = [each for each in clauses if claim.words & _TEMPORAL <= index.sentences[each.place].words]
        if not clauses or any(each.has_pronoun or _is_of(each, name) for each in clauses):
            continue
        rival = next((other for each in clauses for other in each.names if other.stems.isdisjoint(claim.stems)), None)
        if rival is None or _may_do(match, name, rival, rest - _verb(claim, name)):
            continue
        evidence = index.sentences[clauses[0].place].text
        yield Contradiction("name", name.text, rival.text, evidence, _CERTAINTY, sure=True)
        return


def _actors(match: Match) -> Iterator[Mention]:
    """The name that a sentence begins with, or says who it is by."""
    text = match.claim.text
    for each in _names_of(match.index, match.claim):
        is_actor = each.start == 0 or (_AGENT.search(text[: each.start]) and len(text) - each.end <= 1)
        if is_actor:
            yield each


@lru_cache(maxsize=32)
def _known_words(index: ContextIndex) -> frozenset[str]:
    """Of the names of all clauses."""
    return frozenset().union(*(name.words for each in _clauses(index) for name in each.names))


def _is_role(claim: ParsedSentence, name: Mention) -> bool:
    return bool(_IS_THE.match(claim.text, name.end)) or claim.text[: name.start].endswith(("is ", "was "))


def _verb(claim: ParsedSentence, name: Mention) -> frozenset[str]:
    """The stem of what is done: the first content word after a name, or the last before "by"; none of "is the"."""
    if _is_role(claim, name):
        return frozenset()
    after = [each.stem for each in claim.tokens if each.start >= name.end and each.stem]
    before = [each.stem for each in claim.tokens if each.end <= name.start and each.stem]
    return frozenset(after[:1] or before[-1:])


def _is_of(clause: _Clause, name: Mention) -> bool:
    return any(each.words & name.words for each in clause.names)


def _may_do(match: Match, name: Mention, rival: Mention, done_to: frozenset[str]) -> bool:
    """Whether a clause of a name, or a sentence without names after it, has what a sentence says it is done to.

    A clause that has both names may say that what holds of one holds of the other: "Corvo, a subsidiary of Acme".
    """
    index = match.index
    own = [each for each in _clauses(index) if _is_of(each, name)]
    if any(done_to <= each.stems or _is_of(each, rival) for each in own):
        return True
    after = {each.place + step for each in own for step in (1, 2)} - {each.place for each in _clauses(index)}
    return any(done_to <= index.sentences[place].stems for place in after if place < len(index.sentences))


@lru_cache(maxsize=32)
def _clauses(index: ContextIndex) -> tuple[_Clause, ...]:
    """The clauses of the prose of a context that have names."""
    return tuple(
        clause
        for place, sentence in enumerate(index.sentences)
        if not index.in_cells(place) and not any(negations(sentence))
        for clause in _clauses_of(sentence, _names_of(index, sentence), place)
    )


def _names_of(index: ContextIndex, sentence: ParsedSentence) -> list[Mention]:
    """Neighbouring words with capitals that the context never writes without; the first word may be one, too."""
    runs: list[list[Token]] = []
    for token in sentence.tokens:
        if not token.stem or not sentence.text[token.start].isupper() or token.word in CALENDAR_NAMES:
            continue
        if runs and runs[-1][-1].end + 1 == token.start:
            runs[-1].append(token)
        else:
            runs.append([token])
    return [
        Mention(
            sentence.text[run[0].start : run[-1].end],
            frozenset(each.word for each in run),
            frozenset(each.stem for each in run),
            run[0].start,
            run[-1].end,
        )
        for run in runs
        if run[0].start == 0 or any(each.word in index.names.written for each in run)
    ]


def _clauses_of(sentence: ParsedSentence, names: list[Mention], place: int) -> Iterator[_Clause]:
    """A clause for each name; for several where it is unclear which of them does it."""
    verb: frozenset[str] = frozenset()
    start, group = 0, list[Mention]()
    for name, following in zip_longest(names, names[1:]):
        group.append(name)
        end = len(sentence.text) if following is None else _end_between(sentence.text, name, following)
        if end < 0:
            continue
        tokens = [each for each in sentence.tokens if start <= each.start < end]
        after = [each for each in tokens if each.start >= group[0].end]
        leaves_out = bool(after) and after[0].word in _ARTICLES
        verb = verb if leaves_out else frozenset([each.stem for each in after if each.stem][:1])
        stems = frozenset(each.stem for each in tokens if each.stem) | verb
        yield _Clause(tuple(group), stems, place, any(each.word in _PRONOUNS for each in tokens))
        start, group = end, []


def _end_between(text: str, name: Mention, following: Mention) -> int:
    """Where a clause ends between two names; -1 where they may be of one clause."""
    gap = text[name.end : following.start]
    if _JOIN.fullmatch(gap):  # "by Ana, and Bo serves": two clauses, "Ana and Bo serve" one
        is_agent = _AGENT.search(text[: name.start]) is not None and _NEW_CLAUSE.search(gap) is not None
        return name.end + len(gap) if is_agent else -1
    described = _DESCRIPTION.match(gap)
    cuts = list(_CUT.finditer(gap, described.end() if described else 0))
    return name.end + cuts[-1].end() if cuts else -1
