"""Cut a text into sentences, with exact offsets.

Punkt with its English parameters decides (Kiss & Strunk, 2006), but for a few abbreviations and units that it takes
for their opposite, and for scripts that it does not know. Cut this way, with list numbers protected and a line
break being no boundary, the text gives back the sentences that CogniBench's authors labelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.errors import a_type
from voirdire.text import punkt
from voirdire.text.units import units_of_spelling

# "1." opens a list item at the start of a line, or after the end of a sentence; "at the age of 29." ends one.
_LIST_NUMBER = re.compile(r"(^[ \t]*|[.!?:;]\s+)(\d{1,3})\.(?=\s)", re.MULTILINE)
_MARK = "\u2024"  # one character long, so that offsets stay, and no sentence end for punkt

# Words that open a sentence.
_STARTER = (
    r"(?:She|He|It|They|We|I|You|The|This|That|These|Those|An?|Its|Her|His|Their|Our|My|Your|There|Here|But|And|However"
    r"|In|On|At|When|While|After|Before|Since|If|As|For|By|What|Who|Why|How|Where|Then|So|Both|All|Some|Many|Most)"
)
_CAPITAL = "[A-ZÀ-ÖØ-ÞЀ-Я]"
# After "am 3." and "2,5 Mio." a noun goes on, an article or pronoun does not.
_NOUN = rf"(?!(?:{_STARTER}|Er|Sie|Es|Ich|Wir|Der|Die|Das|Eine?|Il|Elle|Les?)\b){_CAPITAL}"
# What ends no sentence though punkt may think so: "Fig. 2", "e.g. tea", "etc. in the shop", "“Is it late?” she asked".
# "The answer is no. 5 people left" has an end; CogniBench's authors saw one in "as the no. 36", too.
_NO_END = re.compile(
    r"(?<!\w)(?:(?:No|(?<!\bthe\s)(?<!\bis\s)(?<!\bwas\s)(?<!\bsaid\s)no|(?<=['’])art|\w{0,30}str"
    r"|(?i:nos|figs?|eqs?|sec|ch|vol|p[aá]g|núm|стр|рис)|Nr|Abb|Kap|Art|Tab|pp?|approx|ca)(?=\.\s\d)"
    r"|(?:(?i:e\.g|i\.e|cf|vs|approx|vgl)|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|bzw)(?=\.\s)"
    r"|et\sal(?=\.\s[a-z\d(])"
    r"|(?:etc|[ap]\.m|Inc|Corp|Ltd|Co|UU|[IVX]{2,9})(?=\.\s[a-z])"
    rf"|(?:Sig|Dott|Sra|Dra|Mme|(?<!\d\s)Hr|Fr|ул)(?=\.\s{_CAPITAL})|EE(?=\.\sUU\b)"
    rf"|(?:(?i:(?<!\bI\s)am|im|vom|zum|zur|beim|seit|de[rnms]|das|die)\s\d{{1,3}}|(?<=\d\s)M(?:io|rd))(?=\.\s{_NOUN})"
    r"|руб(?=\.\s\d{1,2}\sкоп)|(?:руб|коп)(?=\.\s[а-яё])"
    r"|\d{1,2}(?=\.\s(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b)"
    r"|(?<!\.)[A-Z](?=\.\s[A-Z]\.\s[A-Z]))(\.)"
    r"|([?!])(?=[\"”]\s[a-z])"
)
# Initials of two names or more: "K. He, X. Zhang and J. Sun".
_INITIALS = r"(?:[A-Z]\.[ \u00a0]){1,3}"
_SURNAME = rf"{_CAPITAL}[\w'’-]{{1,30}}"
_AUTHORS = re.compile(rf"(?<!\w){_INITIALS}{_SURNAME}(?:(?:,|,?\s(?:and|&))\s{_INITIALS}{_SURNAME}){{1,30}}")
# What ends one though punkt thinks it does not: before the start of a sentence a unit, a time of day, a company, or
# the single letter of "cellar B"; "K. He et al." is a name.
_UNIT_END = re.compile(r"(?<![\w.])\d[\d.,]{0,20}[ \u00a0]?([^\W\d_]{1,5})\.(?=\s+[A-Z\"“(])")
_LETTERED = "cellar|room|hall|greenhouse|building|gate|platform|row|block|zone|group|section|vitamin"
_END = re.compile(
    rf"(?<!\w)(?:Inc|Corp|Ltd|Co|LLC|plc|U\.S|U\.K)\.(?=\s+{_STARTER}\b)"
    rf"|(?<=\w[ \u00a0])[A-Z]\.(?=\s+{_STARTER}\s+(?!et\b|and\b)[a-z])"
    rf"|\b(?:{_LETTERED})[ \u00a0][A-Z]\.(?=\s+[A-Z][a-z]+\s)"
    r"|(?<=т\.\s)[дп]\.(?=\s+[А-ЯЁ])"
    r"|(?<=\d[ \u00a0])[ap]\.m\.(?:\*{1,3}|_{1,2})?(?=\s+[A-Z](?!\w*day\b|[A-Z]))"
    r"(?!\s+(?:Eastern|Pacific|Central|Mountain)\b)"
)
# Full stops of scripts that need no space after them; a quotation that they end goes on where its sentence does.
_OTHER_SCRIPTS = re.compile(r"(?:[。！？｡][”’」』）》]*(?![と、，。！？｡”’」』）》])|[।॥؟۔]+[”’\"»)]*)\s*")

_QUOTATION = re.compile(r"[“”„]|(?<!\d)\"")
"""Marks that open or close a quotation; after a figure the straight one may mean inches."""
_STOP_QUOTED = ('."', ".”")
_QUOTED = 200
"""Characters from which on a quotation is a text of its own."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_LINE = re.compile(r"(?:={3,}|(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_TABLE_LINE = re.compile(r"\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})$")
_LETTER = re.compile(r"[\W\d_]*([^\W\d_])")
_STOPS = tuple(".!?…,;:-–—([")
"""After them a line's end says nothing: the text does."""
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
# A subject and a verb that has one; a question or a relative clause names a topic.
_WHOLE = re.compile(
    r"(?!(?i:how|what|when|where|which|who|whom|whose|why|if|whether)\b)(?:(?!(?:that|which|who)\b)\S+ )+"
    r"(?:is|are|was|were|has|have|had|can|cannot|may|must|shall|should|will|would|does|did|\w+n['’]t)\b(?!.*\?$)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_QUOTE = re.compile(r"[ \t]*>")
_MARKDOWN = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+\S|`{3}|~{3}|\|[^\n]*\|[ \t]*$)"
    r"|^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t][^\n]*\n(?:[^\n]*\n){0,3}?[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]",
    re.MULTILINE,
)


class Sentence(NamedTuple):
    """A sentence and where it stands: `text` is the source's `[start:end]`."""

    text: str
    start: int
    end: int


def split_sentences(text: str, *, layout: bool = False) -> list[Sentence]:
    """Cut `text` into sentences; white space between them belongs to none.

    Args:
        text: any text; an empty one has no sentences.
        layout: also cut at blank lines, list items and headings, as Markdown answers need it; a code block and the row
            of a table are one piece each, and lines that only draw a rule are none.
            Off by default: the whole text is cut, and a line break is not by itself a boundary.

    Raises:
        TypeError: `text` is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"split_sentences takes a text, not {a_type(text)}; give the texts one by one.")
    blocks = _blocks(text) if layout else [_Block(0, len(text))]
    return [sentence for block in blocks for sentence in _sentences(text, block)]


def cut_answer(text: str, *, plain: bool = False) -> list[Sentence]:
    """Cut an answer into the sentences that are judged: at its layout, too, where it is Markdown.

    In plain text blank and ruled lines separate. So does a line break between an open end and a capital, unless a
    line nearby goes on in lower case, as in wrapped prose. A sentence that quotes a few others ("The sign says:
    “Closed. Use the side door.”") stays whole.
    """
    blocks = _blocks(text) if not plain and looks_like_markdown(text) else _paragraphs(text)
    if not plain:
        blocks = (line for block in blocks for line in _meant_lines(text, block))
    return [sentence for block in blocks for sentence in _with_quotations(text, _sentences(text, block))]


def looks_like_markdown(text: str) -> bool:
    """Whether a text has a heading, a code block, a table or two list items, so that its layout separates."""
    return _MARKDOWN.search(text) is not None


def is_header(text: str, start: int, end: int) -> bool:
    """Whether the sentence `text[start:end]` is a heading or a table's header row: it names things, claims nothing."""
    sentence = text[start:end]
    underlined = _UNDERLINE.match(_line_after(text, end)) is not None
    return is_heading(f"# {sentence}" if underlined else sentence) or is_header_row(text, start, end)


def is_header_row(text: str, start: int, end: int) -> bool:
    """Whether the sentence `text[start:end]` is the header row of a Markdown table: a rule of the table follows it."""
    following = _line_after(text, end)
    row = "\n" not in text[start:end] and _ROW.match(text[start:end]) is not None
    return row and "|" in following and _TABLE_LINE.match(following) is not None


def _line_after(text: str, end: int) -> str:
    return text[end:].lstrip(" \t\r").removeprefix("\n").partition("\n")[0].strip()


def is_heading(sentence: str) -> bool:
    """Whether it is a Markdown heading that names what follows: fewer than five words, no figure, no full stop.

    A heading that is a whole sentence says something: "Alcohol is reimbursed", not "What is reimbursed".
    """
    marks = _HEADING.match(sentence)
    if marks is None:
        return False
    heading = sentence[marks.end() :].strip(" \t#*_")
    plain = "\n" not in heading and not heading.endswith((".", "!")) and not any(sign.isdigit() for sign in heading)
    return plain and len(heading.split()) < 5 and not _WHOLE.match(heading.replace("*", ""))


def _with_quotations(text: str, sentences: list[Sentence]) -> Iterator[Sentence]:
    """Sentences, those joined that a short quotation within one runs through, or that go on after it."""
    place = 0
    while place < len(sentences):
        start, last = sentences[place].start, _quotation_ends(text, sentences, place)
        end = sentences[last].end
        goes_on = last + 1 < len(sentences)
        if goes_on and text.endswith(_STOP_QUOTED, start, end) and text[end : end + 2].strip(" ").islower():
            last += 1
            end = sentences[last].end
        yield Sentence(text[start:end], start, end)
        place = last + 1


def _quotation_ends(text: str, sentences: list[Sentence], place: int) -> int:
    """The sentence in which a quotation ends that a sentence opens after some words; else its own place."""
    _, start, end = sentences[place]
    marks = [match.start() for match in _QUOTATION.finditer(text, start, end)]
    if len(marks) % 2 == 0 or not any(sign.isalpha() for sign in text[start : marks[-1]]):
        return place
    for following, each in enumerate(sentences[place + 1 :], start=place + 1):
        if each.start > marks[-1] + _QUOTED:
            break
        if len(_QUOTATION.findall(text, marks[-1], each.end)) % 2 == 0:
            return following
    return place


class _Block(NamedTuple):
    """A stretch that layout separates from others."""

    start: int
    end: int
    whole: bool = False
    """It is not cut further."""


def _sentences(text: str, block: _Block) -> list[Sentence]:
    spans = [block[:2]] if block.whole else _spans(text, block.start, block.end)
    return [Sentence(text[start:end], start, end) for start, end in spans]


def _spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [(start + first, start + last) for first, last in _spans_of(text[start:end])]


@lru_cache(maxsize=256)
def _spans_of(block: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of a block stand; a text and its paragraphs have the same blocks."""
    return tuple(_cut(block))


def _cut(block: str) -> Iterator[tuple[int, int]]:
    protected = _NO_END.sub(lambda result: result[0][:-1] + _MARK, block)
    protected = _AUTHORS.sub(lambda result: result[0].replace(".", _MARK), protected)
    protected = _LIST_NUMBER.sub(lambda number: number[1] + number[2] + _MARK, protected)
    for first, last in punkt.sentence_spans(protected):
        cuts = [first, *(cut for cut in _further_cuts(protected, first, last) if first < cut < last), last]
        for left, right in pairwise(cuts):
            if (stripped := _stripped(block, left, right)) is not None:
                yield stripped


def _further_cuts(text: str, start: int, end: int) -> list[int]:
    """Where a sentence as punkt sees it ends within."""
    cuts = {match.end() for match in _END.finditer(text, start, end)}
    cuts |= {match.end() for match in _UNIT_END.finditer(text, start, end) if units_of_spelling(match[1])}
    if not text.isascii():
        cuts |= {match.end() for match in _OTHER_SCRIPTS.finditer(text, start, end)}
    return sorted(cuts)


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A stretch without the white space around it; `None` where nothing is left."""
    inner = text[start:end]
    left = start + len(inner) - len(inner.lstrip())
    return (left, left + len(inner.strip())) if inner.strip() else None


def _paragraphs(text: str) -> Iterator[_Block]:
    """What blank and ruled lines separate."""
    start: int | None = None
    place = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if not bare or _LINE.match(bare):
            yield from _closed(text, start, place)
            start = None
        elif start is None:
            start = place
        place += len(line)
    yield from _closed(text, start, len(text))


def _meant_lines(text: str, block: _Block) -> Iterator[_Block]:
    """A block, cut where a line ends openly before a capital; if one goes on in lower case, it is wrapped prose."""
    lines = text[block.start : block.end].splitlines(keepends=True)
    letters = [_LETTER.match(line) for line in lines]
    wrapped = block.whole or any(letter and letter[1].islower() for letter in letters[1:])
    start = place = block.start
    for before, letter in zip(lines, letters[1:], strict=False):
        place += len(before)
        if not wrapped and letter and letter[1].isupper() and not before.rstrip().rstrip("*_").endswith(_STOPS):
            yield from _closed(text, start, place)
            start = place
    yield from _closed(text, start, block.end, whole=block.whole)


def _blocks(text: str) -> Iterator[_Block]:
    """What layout alone separates."""
    start: int | None = None  # of the block that is open
    fence = ""  # that closes the code block that is open
    quoted = False
    place = 0
    for line in text.splitlines(keepends=True):
        end = place + len(line)
        bare = line.rstrip()
        if fence:
            if bare.strip().startswith(fence) and not bare.strip().strip(fence[0]):
                yield from _closed(text, start, end, whole=True)
                start, fence = None, ""
        elif opening := _FENCE.match(line):
            yield from _closed(text, start, place)
            start, fence = place, opening[1]
        elif not bare or _LINE.match(bare.lstrip()) or _TABLE_LINE.match(bare.lstrip()):
            yield from _closed(text, start, place)
            start = None
        elif _HEADING.match(line) or _ROW.match(bare):
            yield from _closed(text, start, place)
            yield from _closed(text, place, end, whole=not _HEADING.match(line))
            start = None
        elif start is None or _ITEM.match(line) or (_QUOTE.match(line) and not quoted):
            yield from _closed(text, start, place)
            start = place
        quoted = _QUOTE.match(line) is not None
        place = end
    yield from _closed(text, start, len(text), whole=bool(fence))


def _closed(text: str, start: int | None, end: int, *, whole: bool = False) -> Iterator[_Block]:
    if start is not None and (stripped := _stripped(text, start, end)) is not None:
        yield _Block(*stripped, whole)
