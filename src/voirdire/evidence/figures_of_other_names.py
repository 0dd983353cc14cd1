"""Figures that the context gives of another name, row or record: "Ghent has 6 platforms", where Bruges has them.

A name here is what a row or a record is about, or a run of words with capitals that the context gives a figure of. Each
sentence, clause or field of the context is about the names in it, one with none about the name before it in its
paragraph. Whatever is not clear (two names, a figure beside no name, no pronoun) speaks for a sentence, never against.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex, evidence_pieces, plain
from voirdire.evidence.derivations import derivation_of
from voirdire.evidence.figure_table import FigureTable
from voirdire.evidence.figures import Figure, figures_of, is_difference, keeps_limits, same_value
from voirdire.evidence.listings import in_column
from voirdire.evidence.matching import Match
from voirdire.evidence.names import CALENDAR_NAMES, PRONOUNS
from voirdire.evidence.record_sentences import rows_and_prose
from voirdire.evidence.tokens import ParsedSentence, Token, parse
from voirdire.text.numbers import comparable
from voirdire.text.units import converted, family, is_rate_of

_LONGEST_NAME = 6  # words of what a row is about
_JOINED = re.compile(r"\s(?:(?:of|de|da|van|von|la)\s(?:the\s)?)?|-")
_PREPOSITIONS = frozenset("to at of for in on from with by under".split())
# A first word of a sentence with such an ending ("Admission", "Parking") is rather no name.
_NO_NAME = re.compile(r"\w{3}(?:[ts]ion|ment|ness|ing|ity|ly|[ae]nce)s?$")
_CLAUSE = re.compile(r"[,;]|\b(?:and|while|whereas|but)\b")
_NOT_BEFORE = frozenset("to for from with by under".split())
"""Words after a mark by which a sentence goes on: "built in 1952, and rebuilt by Nordverk"."""
_HEAD = 6  # first words of a clause; what it is about stands there
_COMPARES = frozenset("than too enough unlike instead compared half twice double".split())
_BACK = PRONOUNS | {"there"}
_END_BEFORE = re.compile(
    r"(?i)(?:\b(?:until|till|to)|[-–—]|\b(?:close|end|shut|finish|stop)\w*\b[^,;]{0,20}\b(?:at|by))\s?$"
)
_IS = frozenset("is are was were".split())
_REMEMBERED = 32


class Sibling(NamedTuple):
    """What the context says of the name that a sentence gives another name's figure."""

    name: str
    claim: str
    """The figure of the sentence, with what it counts."""
    evidence: str
    context_sentence: str


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    words: frozenset[str]
    own: frozenset[str]
    """Those of the words that no other name has."""


@dataclass(frozen=True, eq=False)
class _Unit:
    """A sentence, a clause or a field of the context."""

    names: tuple[int, ...]
    """Those it is about, by their number, in order; empty where that is not known."""
    is_sure: bool
    """Whether a sentence without a name has a pronoun for it."""
    key: str
    """The column or key of a field; empty for prose."""
    sentence: ParsedSentence
    figures: tuple[Figure, ...]
    all_names: Sequence[_Name]
    by_word: Mapping[str, int]
    """As in `_Table`."""
    text: str
    """The whole sentence or row."""

    @cached_property
    def is_headed(self) -> bool:
        """Whether the first name stands at its beginning."""
        mentions = [] if self.key else _mentions(self.sentence, self.by_word)
        return not mentions or sum(each.start < mentions[0][0] for each in self.sentence.tokens) <= _HEAD

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words and its key, without names and figures."""
        words = frozenset().union(*(self.all_names[each].words for each in self.names))
        return _stems(self.sentence, self.figures, words) | (_key_stems(self.key) if self.key else frozenset())


class _Claim(NamedTuple):
    stems: frozenset[str]
    """Of the words of a sentence, without names and figures."""
    words: frozenset[str]
    """All its stems."""
    own: frozenset[str]
    """Stems of all that the context says of its name, and what it is: "Express shipping"."""


class _Part(NamedTuple):
    """A clause of a sentence, and the name it is about."""

    name: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Table:
    names: Sequence[_Name]
    by_word: Mapping[str, int]
    """Words that only one name has."""
    shared: frozenset[str]
    """Words of several names."""
    units: Sequence[_Unit]
    figures: FigureTable
    """Of the units, by their number."""
    of_name: Mapping[int, Sequence[int]]
    """Units about a name, by their numbers."""
    known: frozenset[int]
    """The names of which the context gives a figure."""
    kinds: frozenset[str]
    """The stems that prose has right behind a name: of the shipping of "Standard shipping", too."""


def sibling_finder(match: Match) -> Callable[[Figure], Sibling | None]:
    """What says of a figure of a sentence whether the context gives it of other names only than the sentence's one."""
    table = _table_of(match.index)
    parts = _named_parts(match.claim, table)

    def sibling(figure: Figure) -> Sibling | None:
        part = next((each for each in parts if each.start <= figure.start < each.end), None)
        return None if part is None else _of_sibling(match, figure, part, table)

    return sibling


def _named_parts(claim: ParsedSentence, table: _Table) -> list[_Part]:
    """The clauses of a sentence that have one name with figures, and as the first of all, whole or with a capital."""
    if len(table.known) < 2 or claim.text.endswith("?") or not _COMPARES.isdisjoint(claim.words):
        return []
    parts = []
    start = 0
    mentions = _mentions(claim, table.by_word)
    for numbers, text in _clauses(claim, mentions) if mentions else ():
        part = _Part(numbers[0], start, start + len(text))
        start = part.end
        if len(table.known.intersection(numbers)) == 1 and part.name in table.known:
            name = table.names[part.name]
            tokens = [each for each in claim.tokens if part.start <= each.start < part.end]
            capital = any(_word(each) in name.own and claim.text[each.start].isupper() for each in tokens)
            if capital or name.words <= {_word(each) for each in tokens}:
                parts.append(part)
    return parts


def _of_sibling(match: Match, figure: Figure, part: _Part, table: _Table) -> Sibling | None:
    claim, name = match.claim, part.name
    words = table.names[name].words
    beside = [each for each, _ in match.figures if part.start <= each.start < part.end]
    if figure.number.kind == "ordinal" or figure.number.text.lower() in words or is_difference(claim.text, figure):
        return None
    if not figure.units and figure.noun in words:  # "two adults", where the row is about an adult
        return None
    same = [(table.units[at], each) for at, each in table.figures.same(figure) if _may_be_alike(figure, each)]
    own = [table.units[at] for at in table.of_name.get(name, ())]
    stems = _stems(claim, [each for each, _ in match.figures], words)
    if same and all(unit.key and unit.names == (name,) for unit, _ in same):
        alone = len(beside) == 1 and bool(figure.units)
        return _of_other_column(claim, figure, own, stems, {unit.key for unit, _ in same}) if alone else None
    if not same or any(not unit.is_sure or not unit.names or name in unit.names for unit, _ in same):
        return None
    known = frozenset().union(*(unit.stems for unit in own)) | _kind_of(claim, part, table)
    about = _Claim(stems, claim.stems, known)
    rivals = [
        (unit, other)
        for unit in own
        if unit.is_headed and unit.names[0] == name and table.known.isdisjoint(unit.names[1:])
        for other in unit.figures
        if _is_same_sort(figure, other, unit, claim.stems) and not same_value(figure, other)
    ]
    theirs = [unit for unit, other in same if unit.is_headed and _is_same_sort(figure, other, unit, claim.stems)]
    keys = {their.key for their in theirs}
    if any(same_value(each, other) for unit, other in rivals if not unit.key or unit.key in keys for each in beside):
        return None  # it says both: "until 1946, and in 1949"
    if any(_keeps(figure, other, unit) for unit, other in rivals) or _adds_up(figure, own, table):
        return None
    alone = len(rivals) == 1 or (bool(figure.units) and len(keys) == 1 and "" not in keys)
    candidates = [
        (
            (
                len(stems & unit.stems),
                _is_end(claim, figure) == _is_end(unit.sentence, other),
                _word_before(claim, figure) == _word_before(unit.sentence, other),
            ),
            unit,
            other,
        )
        for unit, other in rivals
        if any(_is_parallel(about, figure, unit, their, alone) for their in theirs)
    ]
    if not candidates or _follows(
        match, figure, [unit for unit in table.units if not unit.names or name in unit.names]
    ):
        return None
    _, unit, other = max(candidates, key=lambda each: each[0])
    evidence = f"{unit.key}: {unit.sentence.text}" if unit.key else _with_noun(unit.sentence, other)
    return Sibling(table.names[name].text, _with_noun(claim, figure), evidence, unit.text)


def _is_end(sentence: ParsedSentence, figure: Figure) -> bool:
    """Whether something ends at a figure: "to 6 p.m.", "closes at"."""
    return _END_BEFORE.search(sentence.text, 0, figure.start) is not None


def _follows(match: Match, figure: Figure, own: Iterable[_Unit]) -> bool:
    """Whether a figure follows from others that a sentence has, or some units of the context."""
    derivation = derivation_of(match, figure, match.ranked)
    if derivation is None or (len(derivation.terms) == 1 and same_value(figure, derivation.terms[0])):
        return False
    known = {each.text for unit in own for each in unit.figures} | {each.text for each, _ in match.figures} - {
        figure.text
    }
    return known.issuperset(each.text for each in derivation.terms)


def _of_other_column(
    claim: ParsedSentence, figure: Figure, own: Sequence[_Unit], stems: frozenset[str], keys: Container[str]
) -> Sibling | None:
    """A figure that its row has in columns that a sentence does not name, beside the one column that it names."""
    columns = [unit for unit in own if unit.key and _key_stems(unit.key) and _key_stems(unit.key) <= stems]
    named = [each for each in columns if not any(_key_stems(each.key) < _key_stems(other.key) for other in columns)]
    if len(named) != 1 or named[0].key in keys or len(named[0].figures) != 1:
        return None
    unit, other = named[0], named[0].figures[0]
    if not _is_same_sort(figure, other, unit, claim.stems) or other.text in claim.text:
        return None
    return Sibling("", _with_noun(claim, figure), f"{unit.key}: {unit.sentence.text}", unit.text)


def _kind_of(claim: ParsedSentence, part: _Part, table: _Table) -> frozenset[str]:
    """The noun right behind the name of a clause, where the context has it behind another name: "Express shipping"."""
    return frozenset(
        noun.stem
        for token, noun, verb in zip(claim.tokens, claim.tokens[1:], claim.tokens[2:], strict=False)
        if part.start <= token.start < part.end and _word(token) in table.names[part.name].own
        if noun.stem in table.kinds and (verb.stem or verb.word in _IS) and verb.word.isalpha()
    )


def _may_be_alike(figure: Figure, other: Figure) -> bool:
    """Whether two equal figures may be of the same things: "six schools" are neither "6 programs" nor "6 km"."""
    if bool(figure.units) == bool(other.units):
        return bool(figure.units) or figure.noun == other.noun or not (figure.noun and other.noun)
    return not (other if figure.units else figure).noun


def _is_same_sort(figure: Figure, other: Figure, unit: _Unit, words: frozenset[str]) -> bool:
    """Whether a figure of a unit is of the same sort; `words` are the stems of the sentence."""
    if not comparable(figure.number, other.number):
        return False
    if figure.number.kind != "number":
        return (figure.number.low < figure.number.high) == (other.number.low < other.number.high)
    named = bool(unit.key) and not words.isdisjoint(_key_stems(unit.key))
    if figure.units and other.units:
        alike = bool(family(figure.units) & family(other.units))
        return alike or (named and is_rate_of(figure.units, other.units))
    if other.units:
        return False
    return named or (not figure.units and bool(figure.noun) and (figure.noun == other.noun or _counts(unit, figure)))


def _counts(unit: _Unit, figure: Figure) -> bool:
    """Whether a unit of the context counts the same without naming it after its figure: "the platforms are 4"."""
    return not any(each.noun for each in unit.figures) and figure.noun in unit.stems


def _is_parallel(claim: _Claim, figure: Figure, own: _Unit, their: _Unit, alone: bool) -> bool:
    """Whether a unit about the name, and that about another one which has the figure, say the same sort of thing.

    `alone` says whether the context has only one figure of this sort of the name, or the figure in one column only.
    """
    stems, words, own_stems = claim
    if own.key and their.key:
        return own.key == their.key and (alone or not words.isdisjoint(_key_stems(own.key)))
    if own.text == their.text:  # clauses of one sentence: "Anna since 2016, Sam since 2020"
        differing = own.stems - their.stems  # Sam, too, has what Anna has; "while Agila takes 180 days" goes on, too
        return bool(stems & (own.stems if len(differing) > bool(figure.units) else own.stems | their.stems))
    if not stems & their.stems <= own_stems:
        return False  # the context does not say this of the name
    if figure.number.kind != "number":
        return bool(stems & own.stems & their.stems)
    return bool(figure.noun and not figure.units) or bool(stems & own.stems) or bool(own.stems & their.stems)


def _keeps(figure: Figure, other: Figure, unit: _Unit) -> bool:
    """Whether a figure is within a range or limit of a unit, or a bound ("more than 3") that its figure keeps.

    Two bounds of one kind must be the same: who pays "within 30 days" does not pay "within 180 days".
    """
    if figure.bound == other.bound != 0 and figure.negator_start < 0 and other.negator_start < 0:
        return False
    if keeps_limits(figure, unit.figures, unit.sentence.text):
        return True
    direction = 0 if figure.reaches else figure.bound if figure.negator_start < 0 else -figure.bound
    values = converted(other.number.value, other.units, figure.units) or [other.number.value]
    return any(direction * (value - figure.number.value) > 0 for value in values)


def _adds_up(figure: Figure, own: Sequence[_Unit], table: _Table) -> bool:
    """Whether a figure is that of a row and one of prose together: "as a day ticket plus £5"."""
    more = [other for each in table.units if not each.key for other in each.figures if figure.units == other.units]
    mine = [other for each in own if each.key for other in each.figures if figure.units == other.units]
    return any(
        math.isclose(one.number.value + other.number.value, figure.number.value) for one in mine for other in more
    )


def _word_before(sentence: ParsedSentence, figure: Figure) -> str:
    return next((each.stem for each in reversed(sentence.tokens) if each.stem and each.end <= figure.start), "")


def _with_noun(sentence: ParsedSentence, figure: Figure) -> str:
    """A figure with the word that it counts."""
    if figure.units or figure.number.kind != "number" or not figure.noun:
        return figure.text
    ends = (each.end for each in sentence.tokens if each.start >= figure.end and each.stem == figure.noun)
    return sentence.text[figure.start : next(ends, figure.end)]


@lru_cache(maxsize=_REMEMBERED)
def _table_of(index: ContextIndex) -> _Table:
    rows, prose = rows_and_prose(plain(index.text))
    rows = [row for row in rows if _is_name(row.name)]
    paragraphs = [list(map(parse, evidence_pieces(each))) for each in prose]
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    names = _distinct([*((row.name, _row_words(row.name)) for row in rows), *_prose_names(sentences)])
    by_word = {word: number for number, name in enumerate(names) for word in name.own}
    shared = frozenset().union(*(name.words - name.own for name in names))

    def unit(numbers: Iterable[int], sure: bool, key: str, text: str, whole: str) -> _Unit:
        sentence = parse(text)
        figures = tuple(in_column(each, key) for each in index.quantities(sentence, figures_of(sentence)))
        return _Unit(tuple(dict.fromkeys(numbers)), sure, key, sentence, figures, names, by_word, whole)

    units = [
        unit(numbers, True, key, value, row.text)
        for row in rows
        if (numbers := [by_word[word] for word in sorted(_row_words(row.name)) if word in by_word])
        for key, value in row.fields
    ]
    heads = {each.names[0] for each in units}
    for paragraph in paragraphs:
        last: tuple[int, ...] = ()
        for sentence in paragraph:
            mentions = _mentions(sentence, by_word)
            if mentions:
                units += (unit(some, True, "", text, sentence.text) for some, text in _clauses(sentence, mentions))
                last = tuple({name for _, name in mentions})
                last = last if len(last) == 1 else ()
            elif not shared.isdisjoint(sentence.words):
                units.append(unit((), True, "", sentence.text, sentence.text))
                last = ()
            else:
                sure = not _BACK.isdisjoint(sentence.words)
                units.append(unit(last, sure, "", sentence.text, sentence.text))
    of_name: dict[int, list[int]] = {}
    for at, each in enumerate(units):
        for name in each.names:
            of_name.setdefault(name, []).append(at)
    return _Table(
        names,
        by_word,
        shared,
        units,
        FigureTable.of((at, figure) for at, each in enumerate(units) for figure in each.figures),
        of_name,
        frozenset(heads | {each.names[0] for each in units if each.names and each.figures}),
        frozenset(
            after.stem
            for each in units
            if not each.key
            for token, after in pairwise(each.sentence.tokens)
            if _word(token) in by_word
        ),
    )


def _clauses(sentence: ParsedSentence, mentions: Sequence[tuple[int, int]]) -> Iterator[tuple[list[int], str]]:
    """A sentence, cut before a name where the clause before it has a name and a figure of its own."""
    start = 0
    names: list[int] = []
    repeated: set[str] = set()  # "to Petplan within a year, to Agila within 90 days"
    tokens, figures = sentence.tokens, figures_of(sentence)
    for place, name in mentions:
        before = max((each.end for each in figures if start <= each.start and each.end <= place), default=-1)
        mark = _CLAUSE.search(sentence.text, before, place) if before >= 0 and name not in names else None
        leading = {each.word for each in tokens if mark and mark.end() <= each.start < place} & _NOT_BEFORE
        if mark and names and leading <= repeated:
            yield names, sentence.text[start : mark.start()]
            start, names = mark.start(), []
        names.append(name)
        repeated = {each.word for each in tokens if each.end == place - 1}
    yield names, sentence.text[start:]


def _mentions(sentence: ParsedSentence, by_word: Mapping[str, int]) -> list[tuple[int, int]]:
    """Where a sentence names something, and what; a single sign only as a capital, in a code, or in "e-bike"."""
    return [
        (token.start, by_word[word])
        for token in sentence.tokens
        if (word := _word(token)) in by_word
        and (
            len(word) > 1
            or sentence.text[token.start].isupper()
            or sentence.text[token.end : token.end + 1] == "-"
            or _is_in_code(sentence, token)
        )
    ]


def _is_in_code(sentence: ParsedSentence, token: Token) -> bool:
    """Whether it is the figure of a code: the 7 of "K7"."""
    return token.word.isdigit() and sentence.text[: token.start][-1:].isupper()


def _distinct(named: Iterable[tuple[str, frozenset[str]]]) -> list[_Name]:
    """Each name once; "Keller" is "Anna Keller"."""
    longest: dict[frozenset[str], str] = {}
    for text, words in named:
        if words and len(text) > len(longest.get(words, "")):
            longest[words] = text
    having: dict[str, list[frozenset[str]]] = {}
    for words in longest:
        for word in words:
            having.setdefault(word, []).append(words)
    whole = [words for words in longest if not any(words < other for other in having[min(words)])]
    wholes = set(whole)
    counts = {word: sum(other in wholes for other in some) for word, some in having.items()}
    return [_Name(longest[words], words, frozenset(word for word in words if counts[word] == 1)) for words in whole]


def _is_name(text: str) -> bool:
    """Whether a row may be about it: no sentence, and no small number."""
    words = _row_words(text)
    return 0 < len(words) <= _LONGEST_NAME and not all(word.isdigit() and len(word) < 4 for word in words)


def _row_words(name: str) -> frozenset[str]:
    """The words of a row's name, without what it adds in parentheses: "Nail clip (nurse)"."""
    plain_name = name.partition(" (")[0]
    return frozenset(
        _word(each) for each in parse(plain_name).tokens if each.word[0].isalnum() and _says(each, plain_name)
    )


def _says(token: Token, text: str) -> bool:
    return bool(token.stem) or (len(token.word) == 1 and text[token.start].isupper())


def _prose_names(sentences: Sequence[ParsedSentence]) -> Iterator[tuple[str, frozenset[str]]]:
    """The names of prose, with those of their words that it does not have in lower case, too."""
    common = {token.stem for sentence in sentences for token in sentence.tokens if sentence.text[token.start].islower()}
    runs = [(sentence, run, first) for sentence in sentences for run, first in _runs(sentence)]
    within = {_word(run[0]) for _, run, first in runs if first > 0 and len(run) == 1}
    for sentence, run, first in runs:
        proper = [token for token in run if not token.stem or token.stem not in common]
        if first == 0 and len(run) == 1 and proper and _word(run[0]) not in within:
            following = sentence.tokens[1].word if len(sentence.tokens) > 1 else ""
            if _NO_NAME.search(run[0].word) or following in _PREPOSITIONS:
                continue
        if proper:
            text = sentence.text[run[0].start : run[-1].end].removesuffix("'s").removesuffix("’s")
            yield text, frozenset(map(_word, proper))


def _runs(sentence: ParsedSentence) -> Iterator[tuple[list[Token], int]]:
    """Neighbouring words with capitals, and which token of the sentence is the first."""
    run: list[Token] = []
    first = 0
    for place, token in enumerate(sentence.tokens):
        is_name = (
            sentence.text[token.start].isupper()
            and _word(token).isalpha()
            and _says(token, sentence.text)
            and token.word not in CALENDAR_NAMES
            and not sentence.text[max(0, token.start - 2) : token.start].strip(" -/").isdigit()  # a unit
        )
        if is_name and run and _JOINED.fullmatch(sentence.text, run[-1].end, token.start):
            run.append(token)
        elif is_name and token.stem:  # "Group A", not "A group"
            if run:
                yield run, first
            run, first = [token], place
    if run:
        yield run, first


def _stems(sentence: ParsedSentence, figures: Sequence[Figure], names: frozenset[str]) -> frozenset[str]:
    """The stems of a sentence, without names and figures with their units."""
    return frozenset(
        token.stem
        for token in sentence.tokens
        if token.stem
        and _word(token) not in names
        and not any(each.start <= token.start < each.end for each in figures)
    )


@lru_cache(maxsize=1024)
def _key_stems(key: str) -> frozenset[str]:
    return parse(key).stems


def _word(token: Token) -> str:
    """A word as it is compared: "nails" is "nail"."""
    return token.stem or token.word.removesuffix("'s")
