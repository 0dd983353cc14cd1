"""A context, cut into sentences and parsed once for all sentences that are compared with it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import repeat

from voirdire.errors import shown
from voirdire.evidence.figure_table import FigureTable
from voirdire.evidence.figures import Figure, figures_of, is_word_of_name, name_of, single_units_of, with_elided_units
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.listings import Listing, counted_by_key, in_units_of_key, listings, markdown_headers
from voirdire.evidence.names import NameTable, SlotTable, slot_table
from voirdire.evidence.record_sentences import in_marked_cells, in_one_line, pairs_apart
from voirdire.evidence.record_wrappers import without_wrappers
from voirdire.evidence.records import EvidenceError
from voirdire.evidence.times_of_day import by_24_hours, has_24_hours, is_without_halves
from voirdire.evidence.tokens import ParsedSentence, leaves_out, parse
from voirdire.text.sentences import split_sentences

CODE = re.compile(r"(?<![\w.-])([a-z]{1,4})-?(\d{1,3})(?![\w-]|\.\d)")
"""A code, such as "V16", "A380" or "I-72", in lower case: its letters and its figure."""

Code = tuple[str, str]

Codes = dict[str, dict[str, int]]
"""Of a code's letters, or a name ("Falcon" of "Falcon 2"), the figures beside them, and in which sentence first."""

# How WikiText writes the marks within figures and words: "38 @,@ 000". Some copies broke the line at its points.
_ESCAPED = re.compile(r"\s?@(?:([,-])|[.\n])@\s?")

# A line that begins with a capital, a figure or a mark begins a sentence: titles and lists of plain texts. Not below a
# line that ends amid a phrase.
_GOES_ON = ("a", "an", "the", "of", "at", "by", "for", "from", "in", "into", "on", "to", "until", "with", "and", "or")
_LINE = re.compile(
    rf"{''.join(rf'(?<! {word})' for word in _GOES_ON)}\n+(?=\s*[A-Z0-9=|*#•(\"“-])",
)
_DATE_TIME = re.compile(r"(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)")
_KEY = re.compile(r"[\"'][\w -]+[\"']\s?:")
_YES_OR_NO = re.compile(r"(?i)[^:]+:\s*(?:yes|no|true|false)\W*")
"""A line of a key and its answer."""


@lru_cache(maxsize=32)
def plain(context: str) -> str:
    """A context without the escapes of WikiText, and with a space between date and time: "2025-03-21T09:00".

    JSON is in one line, however it was laid out; tables with commas are Markdown.
    """
    text = in_marked_cells(in_one_line(context))
    return _DATE_TIME.sub(" ", _ESCAPED.sub(lambda mark: mark[1] or ".", text))


@lru_cache(maxsize=4)
def evidence_sentences(context: str) -> tuple[str, ...]:
    """The sentences of a context as `plain` gives it, cut at layout too."""
    return tuple(sentence.text for sentence in split_sentences(plain(context), layout=True))


def evidence_pieces(context: str) -> list[str]:
    """The sentences, cut at lines that begin anew too: a record or a text without full stops is not one sentence."""
    parts = (part for sentence in evidence_sentences(context) for part in pairs_apart(sentence))
    pieces = (line.strip() for part in parts for line in (_LINE.split(part) if "\n" in part else (part,)))
    return [piece for piece in pieces if piece]


@dataclass(frozen=True, eq=False)
class ContextIndex:
    """Sentences of a context, with their words, numbers and names.

    Build one for each answer with `ContextIndex.from_context`. An index equals itself only, so looking it up is cheap.
    """

    sentences: tuple[ParsedSentence, ...]
    postings: Mapping[str, tuple[int, ...]]
    """Which sentences have a stem."""
    idf: Mapping[str, float]
    unknown: float
    """Weight of a stem that no sentence has."""
    text: str
    """From which the sentences are, with its paragraphs, tables and records."""

    @classmethod
    def from_context(cls, context: str | Sequence[str]) -> ContextIndex:
        """Parse a context: a text, or several.

        Raises:
            EvidenceError: it is neither.
        """
        texts = (context,) if isinstance(context, str) else context
        if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
            raise EvidenceError(f"A context must be a text or a list of texts, not {shown(context)}.")
        text = "\n\n".join(map(without_wrappers, texts))
        return cls._of(tuple(map(parse, evidence_pieces(text))), text)

    @classmethod
    def from_sentences(cls, texts: Iterable[str]) -> ContextIndex:
        """Parse a context that is cut into sentences already, each a paragraph of its own."""
        sentences = tuple(map(parse, texts))
        return cls._of(sentences, "\n\n".join(sentence.text for sentence in sentences))

    @classmethod
    def _of(cls, sentences: tuple[ParsedSentence, ...], text: str) -> ContextIndex:
        postings: dict[str, list[int]] = {}
        for place, sentence in enumerate(sentences):
            for stem in sentence.stems:
                postings.setdefault(stem, []).append(place)
        total = len(sentences)
        return cls(
            sentences,
            {stem: tuple(places) for stem, places in postings.items()},
            {stem: math.log(1 + total / len(places)) for stem, places in postings.items()},
            math.log(1 + total),
            text,
        )

    @cached_property
    def has_parted_groups(self) -> bool:
        """Whether a sentence speaks of a group that leaves another one out: "non-members"."""
        return any(map(leaves_out, self.postings))

    @cached_property
    def names(self) -> NameTable:
        """The names of the context."""
        return NameTable.from_sentences(self.sentences)

    @cached_property
    def codes(self) -> Codes:
        """The codes of the context."""
        codes = _codes(map(self.codes_of, self.sentences, self._figures, repeat(())))
        return _codes(map(self.codes_of, self.sentences, self._figures, repeat(codes)))

    @cached_property
    def rivalled(self) -> frozenset[str]:
        """The letters and names that several codes have: they tell things apart."""
        return frozenset(letters for letters, figures in self.codes.items() if len(figures) > 1)

    @cached_property
    def sentence_codes(self) -> tuple[frozenset[Code], ...]:
        """Of each sentence."""
        return tuple(map(self.codes_of, self.sentences, self._figures, repeat(self.codes)))

    @cached_property
    def texts(self) -> frozenset[str]:
        """The sentences as they stand."""
        return frozenset(sentence.text for sentence in self.sentences)

    @cached_property
    def figures(self) -> tuple[tuple[Figure, ...], ...]:
        """The quantities of each sentence, those of a table in the units of its header, those of JSON in its key's."""
        figures = [
            tuple(with_elided_units(self.quantities(*each))) for each in zip(self.sentences, self._figures, strict=True)
        ]
        for place, sentence in enumerate(self.sentences):
            if _KEY.search(sentence.text):
                figures[place] = tuple(in_units_of_key(sentence.text, figure) for figure in figures[place])
            figures[place] = tuple(counted_by_key(sentence.text, figure) for figure in figures[place])
        for place, listing in self.listings.items():
            figures[place] = listing.with_units(self.sentences[place].text, figures[place])
        return tuple(figures)

    @cached_property
    def listings(self) -> Mapping[int, Listing]:
        """The table or list that a sentence is a line of."""
        texts = [sentence.text for sentence in self.sentences]
        return {place: listing for listing in listings(texts, self._headers) for place in listing.places}

    def is_header(self, place: int) -> bool:
        """Whether a sentence is the header of a Markdown table: its figures name columns, and measure nothing."""
        return self.sentences[place].text in self._headers

    @cached_property
    def _headers(self) -> frozenset[str]:
        return markdown_headers(plain(self.text))

    @cached_property
    def answered(self) -> frozenset[str]:
        """The stems of the keys to which a line answers yes or no."""
        return frozenset().union(*(each.stems for each in self.sentences if _YES_OR_NO.fullmatch(each.text)))

    def in_cells(self, place: int) -> bool:
        """Whether a sentence is part of a record, a row of a table, or its header; lines with commas may be prose."""
        if _KEY.search(self.sentences[place].text):
            return True
        rows = (self.listings.get(place), self.listings.get(place + 1))
        return any(row is not None and row.separator not in ("", ",") for row in rows)

    @cached_property
    def _figures(self) -> tuple[Sequence[Figure], ...]:
        return tuple(map(figures_of, self.sentences))

    @cached_property
    def _has_24_hours(self) -> bool:
        figures = [figure for each in self._figures for figure in each]
        return has_24_hours(figures) or is_without_halves(self.text, figures)

    @cached_property
    def figure_table(self) -> FigureTable:
        """The quantities by their value."""
        return FigureTable.of((place, figure) for place, figures in enumerate(self.figures) for figure in figures)

    @cached_property
    def single_units(self) -> FigureTable:
        """Units of which there is just one."""
        return FigureTable.of(
            (place, figure) for place, sentence in enumerate(self.sentences) for figure in single_units_of(sentence)
        )

    @cached_property
    def places_of_letters(self) -> Mapping[str, frozenset[int]]:
        """Which sentences have a code with these letters, or a figure beside this name."""
        pairs = ((code[0], place) for place, codes in enumerate(self.sentence_codes) for code in codes)
        return _places_by_key(pairs)

    @cached_property
    def places_of_bare_numbers(self) -> Mapping[str, frozenset[int]]:
        """Which sentences have a number that has no unit there, so that it may be part of a name."""
        pairs = (
            (word, place)
            for place, (sentence, figures) in enumerate(zip(self.sentences, self.figures, strict=True))
            for word in Counter(token.word for token in sentence.tokens if token.word[:1].isdigit())
            - Counter(each.number.text for each in figures if each.units)
        )
        return _places_by_key(pairs)

    @cached_property
    def slots(self) -> SlotTable:
        """Names with the words around them."""
        return slot_table(self.sentences, self.names)

    @staticmethod
    def codes_of(sentence: ParsedSentence, figures: Iterable[Figure], known: Container[str]) -> frozenset[Code]:
        """The codes of a sentence, and its names with a figure."""
        text = sentence.text
        whole = (each for each in figures if not text[each.end : each.end + 1].isalpha())  # of "1K" the 1 says little
        names = ((name_of(text, each, known).lower(), each.number.text) for each in whole)
        return frozenset((*_written_codes(text), *(code for code in names if code[0])))

    def quantities(self, sentence: ParsedSentence, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """The figures of a sentence that are no part of a name, times as this context tells them."""
        text = sentence.text
        if not figures:
            return ()
        return self.with_times(
            each for each in figures if not name_of(text, each, self.codes) and not is_word_of_name(text, each)
        )

    def with_times(self, figures: Iterable[Figure]) -> tuple[Figure, ...]:
        """Figures, times as this context tells them."""
        all_figures = tuple(figures)
        return tuple(map(by_24_hours, all_figures)) if self._has_24_hours or has_24_hours(all_figures) else all_figures

    def bare_code(self, figure: Figure) -> Code | None:
        """The code of the context that a figure may be without its word: "404 stands for"; `None` for none."""
        words = sorted(self.rivalled & lexicon().numbered)
        codes = [(word, figure.number.text) for word in words if figure.number.text in self.codes[word]]
        return codes[0] if codes and not figure.units else None

    def weight(self, stem: str) -> float:
        """How much a stem counts."""
        return self.idf.get(stem, self.unknown)

    def closest(self, claim: str, number: int) -> list[int]:
        """The sentences that share most with a claim, rare words weighing more, best first; of equal ones the first."""
        weights = self.shared_weights(parse(claim).stems)
        return nsmallest(number, weights, key=lambda place: (-weights[place], place))

    def shared_weights(self, stems: Iterable[str]) -> dict[int, float]:
        """Of every sentence that has one of `stems`, the weight of those it has."""
        weights: dict[int, float] = {}
        for stem in sorted(stems):  # sums in an order of their own: a set's differs from process to process
            weight = self.idf.get(stem, 0.0)
            for place in self.postings.get(stem, ()):
                weights[place] = weights.get(place, 0.0) + weight
        return weights


@lru_cache(maxsize=4096)
def _written_codes(text: str) -> tuple[Code, ...]:
    return tuple(CODE.findall(text.lower()))


def code_spots(text: str, codes: Iterable[Code]) -> dict[tuple[int, int], Code]:
    """Where a text has these codes, as it writes them: "Falcon 2", "I-72"; of what is numbered ("error 7") "7", too."""
    return {
        match.span(): code
        for code in sorted(codes)
        for match in re.finditer(rf"(?i)(?<![\w.]){_letters(code[0])}{re.escape(code[1])}(?![\w.]*\w)", text)
    }


def _letters(letters: str) -> str:
    return rf"(?:{letters}\s)?" if letters in lexicon().numbered else rf"{re.escape(letters)}[ -]?"


def _places_by_key(pairs: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    places: dict[str, set[int]] = {}
    for key, place in pairs:
        places.setdefault(key, set()).add(place)
    return {key: frozenset(some) for key, some in places.items()}


def _codes(codes_of_sentences: Iterable[Iterable[Code]]) -> Codes:
    codes: Codes = {}
    for place, first_places in enumerate(codes_of_sentences):
        for letters, figure in sorted(first_places):
            codes.setdefault(letters, {}).setdefault(figure, place)
    return codes
