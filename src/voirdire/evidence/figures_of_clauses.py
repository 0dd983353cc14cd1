"""Figures that the context gives in another clause: "thyme costs 5", where lavender costs 5 and thyme 7.

Clauses are compared that have one figure each. One of the context must have the figure and words that the sentence's
clause lacks; another one another figure of its sort, and all its own words in that clause, which says nothing new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, same_sort, same_value
from voirdire.evidence.figures_of_other_names import Sibling
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.tokens import ParsedSentence, counterparts, leaves_out
from voirdire.text.units import is_count

_CUT = re.compile(r"[,;]\s|\b(?:and|while|whereas|but)\b")
_UNSURE = frozenset(
    "than too unlike instead both each either respectively not before until after except another also".split()
)
_WHEN = frozenset("before after until".split())
_REMEMBERED = 32
_LONGEST = 40
"""Words of a sentence whose clauses are looked at."""


class Clause(NamedTuple):
    """A clause with its one figure."""

    figure: Figure
    words: frozenset[str]
    """Stems, without the figure's, and single capitals: the A of "A costs 5"."""
    start: int
    end: int


def clauses_of(sentence: ParsedSentence, figures: Sequence[Figure]) -> list[Clause]:
    """The clauses of a sentence; none where figures share one, or it is long."""
    if not figures or len(sentence.tokens) > _LONGEST:
        return []
    cuts = [0]
    for one, other in pairwise(figures):
        cut = _CUT.search(sentence.text, one.end, other.start)
        if cut is None:
            return []
        cuts.append(cut.start())
    spans = pairwise([*cuts, len(sentence.text)])
    return [
        Clause(figure, _words(sentence, figure, start, end), start, end)
        for figure, (start, end) in zip(figures, spans, strict=True)
    ]


def figure_of_other_clause(match: Match, figure: Figure) -> Sibling | None:
    """What the context says in the words of a figure's clause, where it has the figure in other words only."""
    unsure = _UNSURE & match.claim.words
    if "?" in match.claim.text or unsure - _WHEN:
        return None
    clauses = clauses_of(match.claim, [each for each, _ in match.figures])
    own = next((each for each in clauses if each.figure is figure), None)
    same = next((same for each, same in match.figures if each is figure), ())
    if own is None or not own.words:
        return None
    if group := _of_other_group(match, own, same):
        return group
    if len(same) != 1 or unsure:
        return None
    ((place, _),) = same
    if match.index.in_cells(place):
        return None
    theirs = next((each for each in _clauses_at(match.index, place) if same_value(figure, each.figure)), None)
    if theirs is None or not _is_alike(figure, theirs.figure):
        return None
    for at, each in _near(match, place):
        if same_value(figure, each.figure) or not _is_alike(figure, each.figure):
            continue
        mine, others = each.words - theirs.words, theirs.words - each.words
        is_elliptic = at == place and each.start > theirs.start  # "children pay 3 euros and adults 8"
        if not mine or not mine <= own.words or not (others - own.words if is_elliptic else others):
            continue
        if not is_elliptic and not others.isdisjoint(own.words):
            continue
        is_parallel = at == place or not (each.words & theirs.words).isdisjoint(own.words)
        if is_parallel and own.words <= each.words | theirs.words:
            return Sibling("", figure.text, each.figure.text, match.index.sentences[at].text)
    return None


def _of_other_group(match: Match, own: Clause, same: Sequence[tuple[int, Figure]]) -> Sibling | None:
    """What the context has the figure of, where that is always the group left out: "members" for "non-members"."""
    index = match.index
    has_groups = index.has_parted_groups or any(map(leaves_out, own.words))
    for stem in own.words if has_groups else ():
        theirs = [_of_group(index, place, figure, stem) for place, figure in same]
        if theirs and all(theirs):
            claim = next(each for each in match.claim.tokens if each.stem == stem)
            text = index.sentences[same[0][0]].text
            return Sibling("", match.claim.text[claim.start : claim.end], theirs[0], text)
    return None


def _of_group(index: ContextIndex, place: int, figure: Figure, stem: str) -> str:
    """The group that leaves a group out, or that it leaves out, where a sentence has a figure of that one alone."""
    if index.in_cells(place):
        return ""
    sentence = index.sentences[place]
    clauses = [each for each in clauses_of(sentence, index.figures[place]) if each.figure.start == figure.start]
    start, end = (clauses[0].start, clauses[0].end) if clauses else (0, len(sentence.text))
    tokens = [each for each in sentence.tokens if start <= each.start < end]
    other = next((each for each in tokens if each.stem in counterparts(stem)), None)
    return "" if other is None or any(each.stem == stem for each in tokens) else sentence.text[other.start : other.end]


def _is_alike(one: Figure, other: Figure) -> bool:
    """Whether two figures measure the same, or are both numbers of nothing that is named: "0.31", "0.31 per kWh"."""
    return same_sort(one, other) or (
        one.number.kind == other.number.kind
        and is_count(one.units + other.units)
        and all(bool(each.units) or not each.noun for each in (one, other))
    )


def _near(match: Match, place: int) -> Iterator[tuple[int, Clause]]:
    """The clauses of a sentence, and those of others that share most with the sentence."""
    for at in dict.fromkeys((place, *match.ranked)):
        if not match.index.in_cells(at):
            yield from ((at, each) for each in _clauses_at(match.index, at))


@lru_cache(maxsize=_REMEMBERED)
def _clauses_at(index: ContextIndex, place: int) -> tuple[Clause, ...]:
    sentence = index.sentences[place]
    if any(negations(sentence)) or not _UNSURE.isdisjoint(sentence.words):
        return ()
    return tuple(clauses_of(sentence, index.figures[place]))


def _words(sentence: ParsedSentence, figure: Figure, start: int, end: int) -> frozenset[str]:
    return frozenset(
        token.stem or token.word
        for token in sentence.tokens
        if start <= token.start < end
        and not figure.start <= token.start < figure.end
        and (token.stem or _is_capital(sentence, token.start, token.end))
    )


def _is_capital(sentence: ParsedSentence, start: int, end: int) -> bool:
    """Whether it is a single capital, and no article: "A costs 5", not "A pot costs 5"."""
    if end - start != 1 or not sentence.text[start].isupper() or sentence.text[start] == "I":
        return False
    following = next((each for each in sentence.tokens if each.start >= end), None)
    return following is not None and (start > 0 or following.word in _VERBS)


_VERBS = frozenset("is costs has takes weighs needs holds lasts sells measures was had cost took".split())
