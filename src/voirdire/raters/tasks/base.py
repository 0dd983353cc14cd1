"""What a rating task is: how an item is rated, and all that the rest of `raters` asks about it.

A new task is a module with a `TASK`, and one line in the registry. It must say how an item is rated and how its ratings
are exchanged; the rest may be left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from voirdire.instruments import instrument_of
from voirdire.raters.records import Document, Item, Mode, Project, RatersError, Rating, Row, Settings
from voirdire.reason_codes import Reason, declare, reason
from voirdire.text.shortening import beginning

if TYPE_CHECKING:
    from voirdire.detectors.records import Answer
    from voirdire.documents.document import Section
    from voirdire.raters.anchoring.records import Classes, Estimand
    from voirdire.raters.comparison.comparison import ComparisonParts
    from voirdire.raters.comparison.rated_items import ComparisonData
    from voirdire.raters.exchange.label_studio_form import TaskForm
    from voirdire.raters.exchange.records import ExportPlan, FileRatings
    from voirdire.raters.machine_ratings import Machine, VerdictSelection
    from voirdire.raters.timing import RaterWarning

Value = Mapping[str, Any]
"""What a rating says of an item, in the form of its task."""


# --- rating an item ---


class NewRow(NamedTuple):
    """A row to be written; the store adds who, when and which item."""

    kind: str
    body: Mapping[str, Any]
    replaces: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One item, assigned to one rater."""

    settings: Settings
    document: Document
    item: Item
    rows: tuple[Row, ...]
    """This rater's on this item that stand: neither undone nor of another task; oldest first."""
    phase: str = "live"
    """"practice", "calibration" or "live"."""
    rater: str = ""
    """Id."""
    others: tuple[Value, ...] = ()
    """What other raters say of it (values of ratings), where this person may see that: adjudicators only."""


# --- making a project ---


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions:
    """How documents are drawn for a project."""

    sample: int | None = None
    """How many documents; `None` for all."""
    seed: int = 0
    jury: str | None = None
    """Id of the jury of a run by whose scores a sample is spread; `None` for the run's own."""
    plain: bool = False
    """Of statements: Markdown is read as plain text, so that lists, tables and code blocks separate nothing."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Of a table: by our name, what it calls a column."""
    answers: Path | None = None
    """Of flagged sentences: the file of the answers that they stand in."""
    show_flags: bool = False
    """Whether raters see what a detector has flagged."""
    only_flagged: bool = False
    """Of what a detector wrote: each flagged sentence is rated, instead of whole answers."""


class Materials(NamedTuple):
    """What a project is made of."""

    documents: tuple[Document, ...]
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    """What the organiser should know of the source."""
    warnings: tuple[str, ...] = ()
    """What raters would lack."""
    left_out: tuple[Reason, ...] = ()
    """What of the source nobody will rate, and why; see `left_out`."""
    guide: Mapping[str, Any] = MappingProxyType({})
    """What suits the source better than the task's usual guide; for projects without one of their own."""


_LEFT_OUT = {
    "no_answer": "{rows:count row/rows} without an answer",
    "no_other": "{rows:count answer/answers} with no other to compare it with",
    "twice": "{rows:count further answer/further answers} of the same model to the same question",
    "no_sentence": "{rows:count answer/answers} without a sentence",
    "not_flagged": "{rows:count sentence that is/sentences that are} not flagged: ratings of flagged ones tell how "
    "many flags are right, and not how many errors were missed",
    "no_score": "{rows:count turn/turns} that the jury gave no score",
}
declare({f"rate_{code}": f"{says} ({{ids:few}})" for code, says in _LEFT_OUT.items()})


def left_out(code: str, ids: Sequence[str]) -> tuple[Reason, ...]:
    """That rows of a source are left out: of which kind, how many, and which; nothing where there are none."""
    return (reason(f"rate_{code}", rows=len(ids), ids=tuple(ids)),) if ids else ()


class Nouns(NamedTuple):
    """What things are called in this task."""

    title: str
    """Of a project that its organiser has not named. A source's name may tell the model, so none is made of it."""
    document: str
    item: str
    group: str
    """What documents share; intervals are clustered by it."""
    dialogue: str
    """The narrower cluster."""


# --- planning ---


class SourcedRange(NamedTuple):
    """A number, or the range that it lies in, and where it comes from."""

    low: float
    high: float
    source: str


class Phase(NamedTuple):
    """A stretch of one rater's ratings in which one takes about as long as another."""

    name: str
    ratings: int | None
    """How many of them, before the next phase begins; `None` for all that are left."""
    seconds: SourcedRange
    """For one rating."""


def known(value: float, source: str) -> SourcedRange:
    """A number without a range."""
    return SourcedRange(value, value, source)


ASSUMED = "an assumption, measured nowhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What rating takes, as the sources have it."""

    phases: tuple[Phase, ...]
    """In the order in which a rater goes through them."""
    disagreement: SourcedRange
    """The share of items on which two raters differ, so that a third is needed."""
    questions: SourcedRange | None = None
    """To the organiser, for one item; `None` where no source tells."""
    pay: SourcedRange | None = None
    """For one rating, in US dollars; `None` where no source names a pay."""
    expected: bool = False
    """Whether raters are expected to keep to the times of the phases."""


# --- agreement ---


@dataclass(frozen=True, slots=True)
class Scale:
    """A way of putting ratings into categories."""

    name: str
    categories: tuple[str, ...]
    """In their order, where they have one."""
    of: Callable[[Value], str | None]
    """The category of a rating; `None` where it has none."""
    ordered: bool = False
    note: str = ""
    """How figures on it are to be read, where its name does not tell."""

    def number(self, value: Value) -> float | None:
        """The category's number, from 0."""
        category = self.of(value)
        return None if category is None else float(self.categories.index(category))


class ScoreScale(NamedTuple):
    """A score of a rating."""

    name: str
    of: Callable[[Value], float | None]
    top: float
    bottom: float = 0.0


Finding = tuple[int | None, str | None, str]
"""Sentence, fact, family: two who agree on these have found the same."""


class Mark(NamedTuple):
    """Something that a rater or a machine has marked in an item."""

    finding: Finding
    type: str
    span: str | None


class Impression(NamedTuple):
    """A rating's scores: by impression, before any second look, and the final one."""

    holistic: float
    first: float
    final: float


class Findings(NamedTuple):
    """Of tasks in which raters mark things in an item and score it by them."""

    marks: Callable[[Value], Sequence[Mark]]
    impression: Callable[[Value], Impression]


class Spans(NamedTuple):
    """Of tasks in which raters mark words of a text."""

    labels: tuple[str, ...]
    counts: Callable[[Value], bool]
    """Whether a rating says what is marked: not where it is left out."""
    marks: Callable[[Value], Sequence[tuple[int, int, str]]]
    """Start, end and label, in characters."""
    length: Callable[[Document], int]
    """Of the text, in characters."""


class WorkloadLine(NamedTuple):
    """What a source found in one mode, per 500 items."""

    agreement: float
    """In [0, 1]."""
    questions: int
    """To the organiser."""
    in_the_moment: int
    afterwards: int


class PublishedWorkload(NamedTuple):
    """What a source found."""

    source: str
    lines: Mapping[Mode, WorkloadLine]


class ModesCompared(Protocol):
    """Two projects that were rated in two modes, side by side."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""

    def section(self) -> Section:
        """As a part of a document."""


# --- exchange with other tools ---

Kind = Literal["word", "text", "verbatim", "number", "whole", "flag", "json"]
"""Of a cell: a word; a text, which may be empty; a text or nothing; a number; one that is whole where it can be; yes or
no; JSON."""


class Column(NamedTuple):
    """A column of a table of ratings."""

    name: str
    kind: Kind


def _same(value: Mapping[str, Any]) -> Mapping[str, Any]:
    return value


def _body(document: Document, _: Item) -> Mapping[str, Any]:
    return document.body


def _nothing(*_: Any) -> Mapping[str, str]:
    return {}


class OwnForm(NamedTuple):
    """A form of ratings that only this task has."""

    file: str
    """Which file holds the ratings."""
    write: Callable[[Project, ExportPlan, Path], list[str]]
    """Writes files into a folder; what they can't hold, in sentences."""
    read: Callable[[Path, Project], FileRatings] | None = None
    """`None` where the form is only written."""
    says: str = ""
    """What it holds, where it is offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsExchange:
    """How ratings of a task look outside a project."""

    check: Callable[[Value, Work], dict[str, Any]]
    """The value of a rating made elsewhere, in its whole form; raises `FieldError` where it can't be taken."""
    columns: tuple[Column, ...]
    """Of a table of ratings."""
    needed: str
    """The column without which a table holds no ratings of the task."""
    lists: Mapping[str, tuple[Column, ...]] = field(default_factory=dict)
    """Fields of a value that are lists, each a table of its own: their columns."""
    flatten: Callable[[Value], Mapping[str, Any]] = _same
    """A value's fields by column, where the names differ."""
    gather: Callable[[Mapping[str, Any]], Mapping[str, Any]] = _same
    """The value of such fields."""
    rated_texts: Callable[[Document, Item], Mapping[str, Any]] = _body
    """What the rater had before them."""
    described: tuple[str, ...] = ()
    """Columns of a table that are there to be read: what was rated, and whose it is."""
    describe: Callable[[Document, Item, Value], Mapping[str, str]] = _nothing
    """Their cells, by column."""
    models: tuple[str, ...] = ()
    """Which of them name models."""
    quotes: Mapping[str, Callable[[Document, Mapping[str, Any]], str]] = field(default_factory=dict)
    """By name of a list: the words that an entry of it marks."""
    label_studio: TaskForm | None = None
    own: Mapping[str, OwnForm] = field(default_factory=dict)
    """By name."""


# --- machines ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """What machines say of the items of a task, and how that is compared with people."""

    read_run: Callable[[Project, Path, str | None], Machine]
    """What a run says of each of its units: (project, run, id of a jury)."""
    read_file: Callable[[Project, Path], Machine] | None = None
    """The same of a file; `None` where only runs can be read."""
    read_results: Callable[[Project, Path, VerdictSelection], Machine] | None = None
    """In place of `read_file`, where which verdicts are good may have to be said; it reads folders, too."""
    juries: bool = False
    """Whether several juries may have judged a run."""
    every_run: bool = False
    """Whether the runs of all instruments that the task rates can be read, and not of that of its own name alone."""
    faults: bool = False
    """Whether a high first figure of a run stands for faults."""
    check_texts: Callable[[Project, Machine, Sequence[str]], None]
    """Raises `RatersError` where a rated item has another text in the run: (project, machine, ids of items)."""
    compare: Callable[[Project, Machine, ComparisonData], ComparisonParts]
    each_judge: bool = True
    """Whether each judge is compared with people, beside the consensus."""
    unsettled: str = "the mean of their scores, and the category that more than half of their raters give, stand"
    """What stands for people where an item is not settled."""
    leading: tuple[tuple[str, ...], ...]
    """The scales that sentences are made of; of those in one tuple, the first that was compared."""
    estimands: Callable[[Machine], tuple[Estimand, ...]]
    """Figures of a run that can be anchored in people's ratings, in the order in which they are shown."""
    distributions: Callable[[Machine], tuple[Classes, ...]]
    not_anchored: Mapping[str, str]
    """Metrics of a run that are no means of what is rated, and why."""


# --- what people say, for those who use it ---


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledItem:
    """What people say of an item that is settled, and has an answer."""

    item: str
    document: Document
    value: Value
    how: str
    """"agreed", "majority", "adjudicated", or "one rater"."""
    number: float | None
    """What it counts as, for judges and other tools; `None` where it is no number."""
    reason: str
    """Of the raters who say the same."""
    seconds: tuple[float, ...]
    """That each of the raters took, where it was measured."""


class SettledRatings(NamedTuple):
    """What people say of the items of a project, to hold a judge against it."""

    items: Sequence[SettledItem]
    low: float
    """The lowest number that there can be."""
    high: float
    pairs: bool
    """Whether items are pairs of outputs, and numbers how often the first is preferred."""
    top_says: str
    """What the highest number stands for, in words."""
    bottom_says: str
    high_is_bad: bool = False
    """Whether a high number stands for faults that were found, as a detector's score does."""
    read: str = ""
    """How it was read which way is good, where a word was needed: "read 'unsupported' as bad"."""
    turn: tuple[str, ...] = ()
    """What would have ratings read the other way round; empty where it is known which way they run."""
    first: str = ""
    """Of pairs: whose output is the first."""


class Task(ABC):
    """A kind of rating. How an item is rated is pure: no I/O, no clock."""

    name: str
    nouns: Nouns
    modes: tuple[Mode, ...] = ()
    """The ways of rating, the first by default; none where there is one way only."""
    only_runs: str = ""
    """Of tasks that can be made of runs only: which commands write one."""
    beside: Mapping[str, str] = MappingProxyType({})
    """What a rating rests on beside what is rated: parts of a document's body, by what they are called."""
    names_columns: bool = False
    """Whether an organiser may say what a table calls its columns."""
    workload: PublishedWorkload | None = None
    """What a source found; where there is one, a project's agreement and questions are shown beside it."""

    @property
    def template(self) -> str:
        """Of the work page."""
        return f"{self.name}/rating_page.html"

    def rates(self, instrument: str) -> bool:
        """Whether a project can be made of an instrument's runs: its description names the task."""
        return instrument_of(instrument).rating_task == self.name

    def guided(self, guide: Mapping[str, Any]) -> Task:
        """The same with a project's own guide; tasks with one guideline for all have none."""
        return self

    def of_sentences(self) -> Task:
        """The same where each item is one sentence of what it otherwise rates; only of guided tasks."""
        return self

    def read_guide(self, path: Path) -> Mapping[str, Any]:
        """The guide of a file, checked.

        Raises:
            RatersError: the task has a guideline of its own, or the file holds none that it can use.
        """
        raise RatersError(f"The task {self.name} has a guideline of its own: leave out --guide {path}.")

    # --- rating an item ---

    @abstractmethod
    def take(self, work: Work, action: str, form: Mapping[str, str]) -> NewRow:
        """The row that an action makes.

        Args:
            work: how things stand.
            action: which button: the task's own word.
            form: the fields sent with it.

        Raises:
            Refused: it does not fit how things stand, or a field is missing or out of range.
        """

    @abstractmethod
    def value(self, work: Work) -> Value | None:
        """The rating, once it is complete."""

    @abstractmethod
    def view(self, work: Work) -> Mapping[str, Any]:
        """What the template needs, as plain data; nothing of `Document.source`."""

    @abstractmethod
    def feedback(self, work: Work) -> Mapping[str, Any] | None:
        """In practice and calibration, when complete: whether it was right, and why. `None` elsewhere."""

    def may_undo(self, work: Work, row: Row) -> str | None:
        """Why a row can't be undone; `None` if it can."""
        return None

    @abstractmethod
    def differ(self, one: Value, other: Value) -> bool:
        """Whether two ratings of an item need a third person."""

    def gap(self, one: Value, other: Value) -> float:
        """How far apart two ratings that differ are, in [0, 1]: by their scores where they have them, else 1."""
        scored = [(scale, scale.of(one), scale.of(other)) for scale in self.scores()]
        gaps = [abs(a - b) / (scale.top - scale.bottom) for scale, a, b in scored if a is not None and b is not None]
        return max(gaps) if gaps and len(gaps) == len(scored) else 1.0

    @abstractmethod
    def settle(self, values: Sequence[Value]) -> Value | None:
        """What three or more blind ratings come to; `None` without a majority."""

    @abstractmethod
    def guideline(self, settings: Settings) -> Mapping[str, Any]:
        """The guideline panel as data: `title`, `intro`, `classes` of `name`, `definition`, `positive`, `negative`."""

    @abstractmethod
    def item_in_words(self, document: Document, item: Item) -> str:
        """What is rated, for a list."""

    def rated_text(self, document: Document, item: Item) -> str:
        """What is rated, whole; by default `item_in_words`."""
        return self.item_in_words(document, item)

    def read_beside(self, document: Document) -> dict[str, str]:
        """The texts of `beside`, by what they are called."""
        texts = {name: document.body.get(part) or "" for name, part in self.beside.items()}
        return {name: text if isinstance(text, str) else "\n\n".join(text) for name, text in texts.items() if text}

    def item_in_line(self, document: Document, item: Item, limit: int = 140) -> str:
        """The same in one line of so many characters."""
        return beginning(self.item_in_words(document, item), limit)

    @abstractmethod
    def rating_in_words(self, value: Value) -> str:
        """What a rating says, for a list."""

    def quoted_in_words(self, document: Document, value: Value) -> str:
        """The same, with the words of the document that are marked, where any are."""
        return self.rating_in_words(value)

    def undone_in_words(self, work: Work, undone: Row) -> str:
        """What a rater has just undone, to themselves."""
        return "your last answer"

    def vote_in_words(self, document: Document, value: Value) -> str:
        """The same, for the organiser, who has not seen the rater's page."""
        return self.quoted_in_words(document, value)

    def details_in_words(self, value: Value) -> tuple[str, ...]:
        """How a rating came about and what was written beside it, each in a line; by default the reason alone."""
        return tuple(str(value[name]) for name in ("reason", "comment") if value.get(name))

    # --- a project ---

    @abstractmethod
    def make(self, path: Path, options: DrawOptions) -> Materials:
        """Read data or a run folder, and draw documents and items.

        Raises:
            RatersError: nothing there that this task can use.
        """

    def practice(self) -> Materials:
        """The practice items, packaged or of the guide, each with its key."""
        return Materials((), ())

    def source(self, path: Path) -> Path:
        """The path that documents are read from, where a folder was named that holds such a file."""
        return path

    @abstractmethod
    def effort(self, mode: Mode) -> Effort:
        """What rating takes, as the sources have it."""

    def warnings(self, rater: str, ratings: Sequence[Rating]) -> Iterator[RaterWarning]:
        """What clusters in a rater's live ratings; see `timing.clustering`."""
        return iter(())

    # --- agreement ---

    def scales(self) -> tuple[Scale, ...]:
        """By what categories ratings are compared; the first leads."""
        return ()

    def scores(self) -> tuple[ScoreScale, ...]:
        """By what scores they are compared."""
        return ()

    def findings(self) -> Findings | None:
        """How marks in an item are compared; `None` where raters mark nothing."""
        return None

    def spans(self) -> Spans | None:
        """How marked words are compared; `None` where raters mark none."""
        return None

    def compare_modes(self, project: Project, other: Project) -> ModesCompared:
        """Two projects that were rated in two modes, side by side.

        Raises:
            RatersError: the task has no modes, or one of the projects does not fit.
        """
        raise RatersError(f"The task {self.name} has no modes to compare.")

    # --- other tools ---

    @abstractmethod
    def exchange(self) -> RatingsExchange:
        """How ratings are written and read."""

    def no_answer(self, value: Value) -> str:
        """What a rating says in place of an answer: that the rater is not sure, say; mostly empty."""
        return ""

    def settled_ratings(self, project: Project) -> SettledRatings | None:
        """What people say of each item by itself; `None` of tasks whose ratings are held against a run's judges.

        Raises:
            RatersError: nothing is settled.
        """
        return None

    def guide_with_good(self, good: Sequence[str]) -> Mapping[str, Any]:
        """The guide of a project, where what counts as good of its ratings is said afterwards, as in `direction`.

        Raises:
            RatersError: it is none of the labels, or which way these ratings run is known.
        """
        raise RatersError(f"Which ratings of a project of {self.name} are good is known: leave out --good-rating.")

    def labelled_answers(self, project: Project) -> Sequence[Answer]:
        """The project's answers with labels of their statements, for whoever measures detectors on them.

        Raises:
            RatersError: the task has none, or nothing is settled.
        """
        raise RatersError(
            f"Labels of statements are wanted; this is a project of the {self.name} task, which has none: give one "
            "with labels or marked words, or a table with a column of labels."
        )

    def judgements(self) -> Judgements:
        """What machines say of the items.

        Raises:
            RatersError: there are no machines that judge them.
        """
        raise RatersError(f"No run or file holds judgements of the task {self.name}.")
