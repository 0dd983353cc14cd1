"""What a report says, before anyone decides how it looks: sections of paragraphs, figures, tables, charts, readings.

Each instrument turns its runs into a `Document`; the page, Markdown, CSV and pictures are made from that alone. All
texts are plain: whoever renders them escapes them, and nothing in them is markup. They may come from a hostile model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Tone = Literal["", "good", "warn", "bad", "info", "quiet", "strong"]
"""How a text is meant; a renderer may colour it, and must never rely on colour alone."""

OF_A_COMMAND = "of-a-command"
"""Id of a section that names or sums up what is left out before --all, where it is left out itself; so on a page."""

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Hint(Text):
    """What there is more of, as a command says it; `in_python` puts what gives it there between these two."""

    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """What a reader must not miss: a banner of the jury, a failed check, an incomplete run."""

    text: str
    tone: Tone = "warn"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]
    title: str = ""
    """A list with a title is background: a page folds it under that."""


@dataclass(frozen=True, slots=True)
class Commands(Bullets):
    """What to type next, each with what it gives."""

    python: tuple[str, ...] = ()
    """The same in Python."""


@dataclass(frozen=True, slots=True)
class Link:
    """A sentence about one reading of the document."""

    text: str
    target: str
    """The reading's id."""
    exchange: int = 0
    """Which of its exchanges, from 1; 0 for all of it."""


@dataclass(frozen=True, slots=True)
class Links:
    """Sentences that each lead to what they speak of."""

    title: str
    items: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with what makes it readable."""

    label: str
    shown: str
    """The value as people read it; "–" where it is undefined."""
    interval: str = ""
    note: str = ""
    """What it says, or why it is undefined; one short sentence."""
    tone: Tone = ""
    ends: tuple[float, float] | None = None
    """Of the interval, in the unit in which the value is shown."""
    value: float | None = None
    """In that unit; `None` where it is undefined."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Key figures side by side."""

    items: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    key: str
    label: str
    numeric: bool = False
    help: str = ""
    with_ends: bool = False
    """Its cells hold intervals too; the CSV file has their ends in columns of their own, `KEY_low` and `KEY_high`."""
    says_ends: bool = False
    """It shows such an interval as a text; the CSV file leaves it out."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and how it is shown."""

    value: Scalar
    shown: str
    tone: Tone = ""
    ends: tuple[float, float] | None = None
    """Of the value's interval, in a column `with_ends`."""
    shade: int | None = None
    """From 0 to 4, the deepest: of a cell in a table of shaded ones."""
    target: str = ""
    """Id of the reading that the cell leads to."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Each row has a cell for every column's key."""

    id: str
    """Unique in the document; names the CSV file."""
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]
    title: str = ""
    caption: str = ""
    shaded: bool = False
    """A map whose cells have shades: a page shows all of it, several beside one another."""
    folded: bool = False
    """A page folds it, however short: a chart or a sentence beside it says the same."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One small chart: at most 340 units wide, so that a phone shows it whole and a desk puts several in a row."""

    title: str
    spec: Mapping[str, Any]
    """A Vega-Lite description without colours of text, axes or background: those belong to the page."""
    summary: str
    """What the chart shows, in one sentence, for those who can't see it."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Charts that belong together, on the same scales."""

    id: str
    """Unique in the document; names the picture files."""
    panels: tuple[Panel, ...]
    title: str = ""
    caption: str = ""


# --- texts to read: dialogues, labelled answers, scored responses ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text. Joined, the pieces give the text exactly."""

    text: str
    mark: str = ""
    """Id of a `Mark`; empty for what carries none."""
    note: str = ""
    """Shown with the piece: "invented · votes 4 of 5", "denial, -30: …"."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A way in which stretches of text are marked: a tier of CogniBench, a violation's severity."""

    id: str
    label: str
    tone: Tone
    help: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said about a text: a judge's verdict, an auditor's finding."""

    who: str
    figures: tuple[tuple[str, str], ...] = ()
    """Label and value: ("FAR", "0.80"), ("stance", "rejected")."""
    text: str = ""
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question, its answer, and what was said of the answer."""

    heading: str
    question: str | None
    answer: tuple[Piece, ...]
    remarks: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()
    """How the question came about, why there is no answer …"""
    flags: tuple[str, ...] = ()
    """Ids of the filters that this exchange is the reason for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One dialogue, answer or response, whole."""

    id: str
    title: str
    facets: Mapping[str, str]
    """Value by facet: {"model": "openai/gpt-5.1", "concept": "recursion", "compression": "0.5"}."""
    exchanges: tuple[Exchange, ...]
    summary: str = ""
    """One line for the list: the scores of the turns."""
    context: str = ""
    """What the answer was given, if it is shown."""
    flags: tuple[str, ...] = ()
    """Ids of the filters that it passes."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A question that a reader puts to the readings: show only those in the danger zone."""

    id: str
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class ReadingComparison:
    """How exchanges of several readings stand side by side."""

    title: str
    across: str
    """The facet in which they differ: "model"."""
    same: tuple[str, ...]
    """The facets that they share, which a reader chooses."""


@dataclass(frozen=True, slots=True)
class Readings:
    """Everything there is to read, to be filtered and searched."""

    id: str
    readings: tuple[Reading, ...]
    noun: str
    """What they are, in the plural: "dialogues", "answers", "responses"."""
    facets: tuple[tuple[str, str], ...] = ()
    """Facets to choose from: id and label, in order."""
    filters: tuple[Filter, ...] = ()
    marks: tuple[Mark, ...] = ()
    compare: ReadingComparison | None = None
    beside: bool = False
    """The exchanges of a reading stand side by side: answers of several to one question."""
    opened: bool = False
    """A few that are to be read at once: a page has the first ten open, without a search."""


Block = Text | Notice | Bullets | Links | Figures | Table | Chart | Readings


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a place in its contents."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    short: str = ""
    """For the table of contents, where the title is long."""
    detail: bool = False
    """For those who ask for more: a terminal may leave it out, a page folds it."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a report says, or a command."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    provenance: tuple[tuple[str, str], ...] = ()
    """Label and value, for the end of the report: versions, hashes, seed, preset, jury, date of the run."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What `--to json` gives: strict JSON, `None` for what is undefined."""


def without_details(document: Document) -> Document:
    """The document without the sections that only those read who ask for more."""
    return replace(document, sections=tuple(section for section in document.sections if not section.detail))


def with_details(document: Document) -> Document:
    """The whole document, without the line that says how to get it."""
    return replace(document, sections=tuple(each for each in document.sections if each.id != OF_A_COMMAND))


def first_text(document: Document) -> str:
    """The conclusion: the first sentence of a document."""
    texts = (block.text for section in document.sections for block in section.blocks if isinstance(block, Text))
    return next(texts, "")


def in_python(document: Document, how: str) -> Document:
    """The document as Python shows it.

    Args:
        document: as a command prints it.
        how: to get more than is shown.
    """

    def as_python(block: Block) -> Block:
        if isinstance(block, Hint):
            return Text(f"{block.before}{how}{block.after}", block.tone)
        return Bullets(block.python, block.title) if isinstance(block, Commands) else block

    return replace(
        document, sections=tuple(replace(each, blocks=tuple(map(as_python, each.blocks))) for each in document.sections)
    )


def more(what: str, *summary: Block) -> Section:
    """Sum up what a command adds to its first figures, and say how to get it."""
    return brief(*summary, hint(f"{what}: "))


def hint(before: str, after: str = ".", tone: Tone = "quiet") -> Hint:
    """A sentence that names the option `--all` between these two."""
    return Hint(f"{before}--all{after}", tone, before, after)


def brief(*blocks: Block) -> Section:
    """What stands in for the details where they are left out."""
    return Section(OF_A_COMMAND, "", blocks)


def folded(sections: Iterable[Section]) -> Iterator[Section]:
    """The same for those who ask for more."""
    return (replace(section, detail=True) for section in sections)


def detail(id: str, *blocks: Block, title: str = "") -> Section:
    """A part for those who ask for more."""
    return Section(id, title, blocks, detail=True)


def document(*parts: Block | Section, title: str = "", subtitle: str = "") -> Document:
    """A document of sections and of blocks without one."""
    sections: list[Section] = []
    for part in parts:
        if isinstance(part, Section):
            sections.append(part)
        elif sections and not (sections[-1].title or sections[-1].detail or sections[-1].id == OF_A_COMMAND):
            sections[-1] = replace(sections[-1], blocks=(*sections[-1].blocks, part))
        else:
            sections.append(Section(f"part-{len(sections) + 1}", "", (part,)))
    return Document(title, subtitle, tuple(sections))
