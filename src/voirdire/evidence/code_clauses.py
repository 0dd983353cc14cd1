"""What a text says of each of several codes or models: "the D12 gives 45 Nm, the D20 gives 65 Nm"."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import Code, ContextIndex, code_spots
from voirdire.evidence.figures import Figure, same_sort
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence

_DEFINES = re.compile(r"\s*[:=|—–-]\s")
_JOINT = re.compile(r"[;,:](?=\s)|\s(?:and|but|while|whereas)(?=\s)")
_MOST_OF_IT = 0.6  # share of what the context says of another code only
_LISTED = 2  # sentences of the context that speak of a code whose meaning it lists
_SURE = 0.8  # confidence
_LONGEST = 400  # words and marks; what is longer is no sentence


@dataclass(frozen=True, slots=True)
class CodeClause:
    """A stretch of a sentence with the codes that it may speak of, of those that tell things apart."""

    codes: frozenset[Code]
    text: str
    stems: frozenset[str]
    """Of its words, codes and figures apart."""
    figures: tuple[Figure, ...]
    negations: int
    defines: bool
    """Whether a mark after the code gives its meaning: "E07: low gas"."""
    place: int
    """Which sentence of the context."""

    @property
    def owner(self) -> Code | None:
        """The code that it speaks of; `None` where that is not sure."""
        return next(iter(self.codes)) if len(self.codes) == 1 else None


def swapped_codes(match: Match) -> Iterator[Contradiction]:
    """What the context says of another code, while it says something else of this one."""
    if not match.codes or match.claim.text.endswith("?") or "respectively" in match.claim.words:
        return
    known = _context_clauses(match.index)
    figures = [figure for figure, _ in match.figures]
    same = {figure.start: {(place, other.start) for place, other in others} for figure, others in match.figures}
    for clause in clauses_of(match.claim, match.codes, figures, match.index.rivalled):
        own = known.of_code.get(clause.owner, ()) if clause.owner is not None else ()
        if clause.owner is None or not own:
            continue
        described = _described(clause, own, same)
        letters, number = clause.owner
        for other in known.owned.get(letters, ()):
            if other.owner is not None and other.owner[1] != number:
                swap = _swapped_figure(described, other, same) or _swapped_words(described, other)
                if swap is not None:
                    claim, evidence, place = swap
                    yield Contradiction("number", claim, evidence, match.index.sentences[place].text, _SURE)
                    return


class _Clauses(NamedTuple):
    """The clauses of a context that speak of codes, in its order."""

    of_code: Mapping[Code, Sequence[CodeClause]]
    owned: Mapping[str, Sequence[CodeClause]]
    """Those of which it is sure which code they speak of, by its letters."""


@lru_cache(maxsize=32)
def _context_clauses(index: ContextIndex) -> _Clauses:
    of_code: dict[Code, list[CodeClause]] = {}
    owned: dict[str, list[CodeClause]] = {}
    for place, (sentence, codes) in enumerate(zip(index.sentences, index.sentence_codes, strict=True)):
        for clause in clauses_of(sentence, codes, index.figures[place], index.rivalled, place) if codes else ():
            for code in clause.codes:
                of_code.setdefault(code, []).append(clause)
            if clause.owner is not None:
                owned.setdefault(clause.owner[0], []).append(clause)
    return _Clauses(of_code, owned)


_SameFigures = Mapping[int, Container[tuple[int, int]]]
"""Of a figure of the sentence, by its start, where the context has the same: (sentence, start)."""


class _Described(NamedTuple):
    """A clause of the sentence, and what the context says of its code."""

    clause: CodeClause
    own: Sequence[CodeClause]
    own_stems: frozenset[str]
    wrong: Sequence[Figure]
    """Figures of the clause that the context does not give of its code."""
    lists: bool
    """Whether the context speaks of the code in so few sentences that it may list meanings."""


def _described(clause: CodeClause, own: Sequence[CodeClause], same: _SameFigures) -> _Described:
    return _Described(
        clause,
        own,
        frozenset(stem for each in own for stem in each.stems),
        [figure for figure in clause.figures if not any(_has(each, figure, same) for each in own)],
        len({each.place for each in own}) <= _LISTED,
    )


def _has(clause: CodeClause, figure: Figure, same: _SameFigures) -> bool:
    """Whether a clause of the context has a figure of the sentence."""
    return any((clause.place, each.start) in same[figure.start] for each in clause.figures)


def clauses_of(
    sentence: ParsedSentence,
    codes: Collection[Code],
    figures: Sequence[Figure],
    rivalled: Container[str],
    place: int = 0,
) -> Iterator[CodeClause]:
    """The clauses of a sentence, each with its code; one without a code may speak of those beside it.

    A code whose letters are not `rivalled` tells nothing apart: "runs for 70 minutes on one G2 cartridge".
    """
    if len(sentence.tokens) > _LONGEST:
        return
    spots = code_spots(sentence.text, codes)
    taken_spans = [*spots, *((figure.start, figure.end) for figure in figures)]
    words = [each for each in sentence.tokens if not any(start <= each.start < end for start, end in taken_spans)]
    stems = {each.start: each.stem for each in words if each.stem}
    negation_starts = [each.start for each in negations(sentence)]
    content_starts = [*stems, *negation_starts, *(figure.start for figure in figures)]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in (*(match.start() for match in _JOINT.finditer(sentence.text)), len(sentence.text)):
        # "the D12" of "the D12 and the D20 weigh 2 kg" is no clause.
        if any(start <= each < end for each in content_starts):
            spans.append((start, end))
            start = end
    owners = {start: code for (start, _), code in spots.items() if code[0] in rivalled}
    defining = [start for start, end in spots if _DEFINES.match(sentence.text, end)]
    span_codes = [frozenset(code for spot, code in owners.items() if one <= spot < end) for one, end in spans]
    for number, (one, end) in enumerate(spans):
        before = next((each for each in reversed(span_codes[:number]) if each), frozenset())
        after = next((each for each in span_codes[number + 1 :] if each), frozenset())
        yield CodeClause(
            span_codes[number] or before | after,
            sentence.text[one:end].strip(" ,;"),
            frozenset(stem for spot, stem in stems.items() if one <= spot < end),
            tuple(figure for figure in figures if one <= figure.start < end),
            sum(one <= each < end for each in negation_starts),
            any(one <= each < end for each in defining),
            place,
        )


def _swapped_figure(described: _Described, other: CodeClause, same: _SameFigures) -> tuple[str, str, int] | None:
    """A figure that the context gives of the other code, while it gives this one another of the same sort there."""
    for figure in described.wrong:
        for each in described.own if _has(other, figure, same) else ():
            same_topic = each.stems & other.stems or not (each.stems and other.stems)
            rival = next((known for known in each.figures if same_sort(figure, known)), None)
            if same_topic and rival is not None:
                return figure.text, rival.text, each.place
    return None


def _swapped_words(described: _Described, other: CodeClause) -> tuple[str, str, int] | None:
    """Words that the context has of the other code only, and none of those that it has of this one instead.

    A text that says much of a code lists no meanings, and a figure that is right speaks for the words beside it.
    """
    clause, own = described.clause, described.own
    is_list = described.lists and clause.negations == other.negations
    if not is_list or len(described.wrong) < len(clause.figures):
        return None
    only_other = other.stems - described.own_stems
    has_most = only_other and len(only_other & clause.stems) >= _MOST_OF_IT * len(only_other)
    if not (has_most and 2 * len(other.stems & clause.stems) >= len(clause.stems)):
        return None
    rivals = (each for each in own if each.owner is not None and _same_words_otherwise(each, clause, other))
    return next(((clause.text, each.text, each.place) for each in rivals), None)


def _same_words_otherwise(own: CodeClause, clause: CodeClause, other: CodeClause) -> bool:
    """Whether two codes are described in the same words but for what only each has: "E07 means …, E12 means …"."""
    peculiar = own.stems - other.stems
    alike = bool(own.stems & other.stems) or (own.defines and other.defines)
    return bool(peculiar) and peculiar.isdisjoint(clause.stems) and alike
