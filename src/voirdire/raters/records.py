"""The nouns of human rating: what is shown, who rates it, and the rows that say what was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from voirdire.errors import InputError

Mode = Literal["sequential", "independent"]
Gold = Literal["majority", "adjudicated"]
Role = Literal["rater", "adjudicator"]
How = Literal["kept", "changed"]
"""What an adjudicator who saw the others' ratings did with their own."""
Pool = Literal["practice", "live"]

GOLDS: tuple[Gold, ...] = get_args(Gold)

ORGANISER = "organiser"
"""Who writes replies and settings; the id of no rater."""


class RatersError(InputError):
    """A project, an answer or data that can't be used: one sentence says what was given and what to do."""


class Refused(RatersError):
    """An answer that does not fit how things stand: it was not saved, and the rater is told why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What is read as a whole: an answer with its context, a response with its facts, one turn."""

    id: str
    body: Mapping[str, Any]
    """What raters are shown, in the form of its task. What they must not know is not in it."""
    group: str
    """What it shares with others (a context, a scenario, a concept); intervals are clustered by it."""
    source: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: what finds it again in a run. Never shown to raters."""
    stratum: str = ""
    """Of the sample it was drawn in."""
    weight: float = 1.0
    """How many documents of the source it stands for: one over the chance of being drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What gets one rating: a statement of an answer, a response, a turn."""

    id: str
    document: str
    place: int = 0
    """Within its document, from 0."""
    pool: Pool = "live"
    key: Mapping[str, Any] | None = None
    """The right answer of a practice item, and why; in the form of its task."""


@dataclass(frozen=True, slots=True)
class Rater:
    """A person at work."""

    id: str
    name: str
    role: Role = "rater"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Something that somebody did: rows are added, never changed."""

    seq: int
    """Its place in the record, from 1."""
    token: str
    """Made by the page that sent it: the same row sent twice is written once."""
    at: str
    """UTC, ISO 8601."""
    rater: str
    item: str
    """"" where it concerns no item."""
    kind: str
    """"undo", "question", "reply" and "assign" are everybody's; the rest is the task's."""
    body: Mapping[str, Any]
    replaces: int | None = None
    """`seq` of the row that it takes the place of, undoes or answers."""
    seconds: float = 0.0
    """Spent on it, as far as the page could see: idle time is left out. 0 where it was not measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an organiser has decided."""

    task: str
    title: str
    mode: Mode = "sequential"
    """Of tasks that can be rated in several ways: questions one at a time, or the result directly."""
    gold: Gold = "majority"
    """What a third person does with a disagreement: a blind rating of their own, or a decision that sees both."""
    raters_per_item: int = 2
    pass_share: float = 0.8
    """Share of the practice items to be right before live ones are handed out."""
    calibration: int = 0
    """How many of the first live documents are for calibration: all raters get them, with feedback."""
    seed: int = 0
    pay_per_item: float | None = None
    currency: str = "USD"
    source: str = ""
    """The path that the documents come from."""
    source_sha256: str = ""
    created: str = ""
    version: str = ""
    """Of voirdire."""
    guide: Mapping[str, Any] = field(default_factory=dict)
    """What raters are asked, in tasks that a guide describes; empty in others."""
    only_flagged: bool = False
    """Whether the items are the sentences that a detector flagged: no random part of all sentences."""

    @property
    def shuffled(self) -> bool:
        """Whether each rater gets the live documents in a random order of their own."""
        return self.guide.get("order") == "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a rater finally says of an item."""

    item: str
    rater: str
    value: Mapping[str, Any]
    """In the form of its task: `label` …; `score` and `violations` …; `far`, `sas`, `stance` …"""
    at: str
    seconds: float
    """Spent on it, idle time left out; 0 where it was not measured: rated without script, or imported without."""
    role: Role = "rater"
    blind: bool = True
    """Whether it was given without sight of others' ratings."""
    decision: How | None = None
    """An adjudicator's, where no rating had a majority."""
    blind_value: Mapping[str, Any] | None = None
    """What an adjudicator had said before they saw the others' ratings, where they say something else now."""
    pool: Pool = "live"
    phase: str = "live"
    """"practice", "calibration" or "live"."""
    seq: int = 0
    """Of the row that completed it: the decision, where there is one."""


class GoldRating(NamedTuple):
    """What an item is taken to be, once people have rated it."""

    item: str
    value: Mapping[str, Any]
    how: str
    """"agreed", "majority" or "adjudicated"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the organiser."""

    seq: int
    rater: str
    item: str
    text: str
    at: str
    afterwards: bool
    """Asked when the rating of its item was complete; otherwise in the moment (CogniBench, table 1)."""
    reply: str | None = None
    replied_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """All of a project, as it stands: plain data, for whoever counts, compares or exports."""

    settings: Settings
    documents: Mapping[str, Document]
    items: Mapping[str, Item]
    """In their order."""
    raters: Mapping[str, Rater]
    ratings: tuple[Rating, ...]
    """Complete ones; of a rater's several on one item, the one that stands."""
    gold: Mapping[str, GoldRating]
    """By item; those not settled are missing."""
    questions: tuple[Question, ...]
    rows: tuple[Row, ...] = ()
    unlabelled: frozenset[str] = frozenset()
    """Settled items where the adjudicator decided on no label: unsure, or left out."""

    @property
    def labelled(self) -> dict[str, GoldRating]:
        """The settled items that have a label: what stands for the truth."""
        return {item: gold for item, gold in self.gold.items() if item not in self.unlabelled}
