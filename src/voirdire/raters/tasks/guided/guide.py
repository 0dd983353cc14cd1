"""What is asked of people: question, labels or scale, help and examples. Read from YAML, stored with the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from voirdire.data.json_values import as_object
from voirdire.errors import shown
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.guided.practice import PracticeItem, read_items
from voirdire.text.counting import as_heading

Kind = Literal["labels", "score", "preference", "spans"]
Part = Literal["context", "history", "prompt", "choices", "reference"]
Order = Literal["as given", "random"]
PARTS: tuple[Part, ...] = ("context", "history", "prompt", "choices", "reference")
"""What may be shown beside the text that is rated, in the order in which it is shown."""

HEADINGS: Mapping[str, str] = {
    "context": "Context",
    "prompt": "Question",
    "choices": "Options",
    "reference": "Reference",
}
"""What stands above them on the page."""

UNSURE, SKIP, DONE = "unsure", "skip", "done"
FIRST, SECOND, TIE = "first", "second", "tie"
_OWN_KEYS: Mapping[str, str] = {"u": "undo", "?": "list the keys", "/": "search"}
"""Keys of every page."""
_UNSURE_KEY, _SKIP_KEY, _DONE_KEY, _TIE_KEY, _EVIDENCE_KEY, _REMOVE_KEY = "n", "k", "d", "0", "v", "x"
_SPARE_KEYS = "123456789abcefghijlmopqrstwyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""For labels without a key of their own; none is ever reserved."""
MAX_BUTTONS = 11
"""Values of a scale up to which each has a button."""
_MAX_LABELS, _MAX_TEXT = 40, 20_000
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One of the labels to choose from."""

    label: str
    key: str
    text: str
    """On its button."""
    help: str = ""
    value: float | None = None
    """What it counts as, where it is a number to others: a judge's score, Inspect."""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The scale of a score."""

    low: float = 1.0
    high: float = 5.0
    step: float = 1.0
    ends: tuple[str, str] = ("", "")
    """What the lowest and the highest value mean."""
    within: float = 1.0
    """How far two scores may lie apart before a third person is asked."""

    @property
    def values(self) -> tuple[float, ...]:
        """All values."""
        count = round((self.high - self.low) / self.step) + 1
        return tuple(round(self.low + number * self.step, 9) for number in range(count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A task as its raters see it, and as agreement and exports need it."""

    kind: Kind
    title: str
    question: str
    guideline: tuple[str, ...] = ()
    """Paragraphs."""
    labels: tuple[Label, ...] = ()
    """To choose from, or to mark spans with."""
    scale: Range | None = None
    unsure: bool = True
    """Whether one may say that one does not know."""
    skip: bool = True
    """Whether one may leave an item out, with a reason."""
    tie: bool = True
    """Whether of a pair both may be equally good."""
    evidence: bool = False
    """Whether passages of the context can be marked as evidence."""
    show: tuple[Part, ...] = PARTS
    good: Literal["high", "low", ""] = ""
    """Which values of labels, or scores, are good ones; "" where their words are to tell."""
    agree_at: float = 0.5
    """Of spans: from which F1 on two people need no third, if their marks overlap one another."""
    practice: tuple[PracticeItem, ...] = ()
    """What raters learn on, before the first item."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """What stands above some of `HEADINGS` instead."""
    order: Order = "as given"
    """Of the items: the project's, or for each rater a random one of their own."""

    def label(self, name: str) -> Label:
        """The label of this name."""
        return next(each for each in self.labels if each.label == name)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the labels, in their order."""
        return tuple(each.label for each in self.labels)

    @property
    def context_name(self) -> str:
        """The context as a sentence names it."""
        heading = self.headings.get("context")
        return f"\u201c{heading}\u201d" if heading else "the context"

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys of what every item offers beside its labels."""
        return {UNSURE: _UNSURE_KEY, SKIP: _SKIP_KEY, DONE: _DONE_KEY}

    def as_dict(self) -> dict[str, Any]:
        """In the form of a file, with all that was left out."""
        return {name: value for name, value in as_object(self).items() if name != "kind" and fits(self.kind, name)}


_DECIDES = (
    "Where a context is shown, it alone decides: what you know yourself does not count. Where none is, go by the "
    "reference; where there is none either, by what you know.",
)
"""What is true, to raters whose organiser has asked no question of their own."""
_DEFAULTS: Mapping[Kind, Mapping[str, Any]] = {
    "labels": {
        "title": "Rating answers",
        "question": "Is the answer right?",
        "guideline": _DECIDES,
        "labels": [
            {"label": "correct", "value": 1, "help": "All of it is right, and it answers what was asked."},
            {"label": "partly", "value": 0.5, "help": "The main point is right, a part is not."},
            {"label": "incorrect", "value": 0, "help": "The main point is wrong, or it does not answer."},
        ],
    },
    "score": {
        "title": "Scoring answers",
        "question": "How good is the answer?",
        "guideline": _DECIDES,
        "scale": {"low": 1, "high": 5, "ends": ["useless", "as good as it can be"]},
    },
    "preference": {"title": "Comparing answers", "question": "Which answer is better?", "guideline": _DECIDES},
    "spans": {
        "title": "Marking answers",
        "question": "Mark what the context does not support.",
        "guideline": ("The context alone decides: mark what it does not say, though you know it to be true.",),
        "labels": [
            {
                "label": "unsupported",
                "help": "The words that the context does not say, or contradicts; no more of the sentence than that.",
            }
        ],
    },
}


_OF_SENTENCES: Mapping[Kind, str] = {
    "labels": "Rating sentences",
    "score": "Scoring sentences",
    "spans": "Marking sentences",
}


def of_sentences(guide: Guide) -> Guide:
    """The same for single sentences: a usual title speaks of them."""
    if guide.kind in _OF_SENTENCES and guide.title == _DEFAULTS[guide.kind]["title"]:
        return replace(guide, title=_OF_SENTENCES[guide.kind])
    return guide


def support_guide(rated: Literal["answer", "sentence"]) -> dict[str, Any]:
    """What raters are asked of answers or sentences that a detector has checked against their context."""
    fields = {
        "question": f"Does the context support the {rated}?",
        "guideline": ["The context alone decides: what you know yourself does not count."],
        "labels": [
            {"label": "supported", "value": 1, "help": "The context says all of it, or it claims nothing."},
            {"label": "unsupported", "value": 0, "help": "The context contradicts a part of it, or does not say it."},
        ],
    }
    return guide_of("labels", fields).as_dict()


_FIELDS = (
    *("title", "question", "guideline", "labels", "scale", "unsure", "skip", "tie", "evidence", "show", "agree_at"),
    *("good", "practice", "headings", "order"),
)
_OF_KIND: Mapping[str, tuple[Kind, ...]] = {
    "labels": ("labels", "spans"),
    "scale": ("score",),
    "tie": ("preference",),
    "good": ("labels", "score"),
    "agree_at": ("spans",),
}
"""Fields that only some kinds have."""


def fits(kind: Kind, name: str) -> bool:
    """Whether a guide of this kind has a field."""
    return kind in _OF_KIND.get(name, (kind,))


def read_guide(kind: Kind, path: Path) -> dict[str, Any]:
    """The fields of a YAML file, checked.

    Raises:
        RatersError: it can't be read, or is no guide for this kind of task.
    """
    from voirdire.data.untrusted import UntrustedError, read_text, yaml_of

    try:
        fields = yaml_of(read_text(path, _MAX_BYTES))
    except UntrustedError as error:
        raise RatersError(error.of(f"The guide {path}")) from error
    try:
        if not isinstance(fields, Mapping):
            raise RatersError("fields such as question and labels are expected.")
        return guide_of(kind, fields).as_dict()
    except RatersError as error:
        raise RatersError(f"The guide {path}: {error}") from None


def guide_of(kind: Kind, fields: Mapping[str, Any]) -> Guide:
    """A guide from the fields of a file; what is left out is as usual.

    Raises:
        RatersError: a field is unknown, missing, or can't be used.
    """
    for name in fields:
        if name not in _FIELDS:
            raise RatersError(f"there is no field {shown(str(name))}; the fields are {', '.join(_FIELDS)}.")
        if not fits(kind, name):
            raise RatersError(f"{name} is for the task {' or '.join(_OF_KIND[name])}, not for {kind}.")
    usual = _DEFAULTS[kind] if "question" not in fields else {**_DEFAULTS[kind], "guideline": ()}
    whole = {**usual, **fields}
    unsure, skip = _flag(whole, "unsure", usual=True), _flag(whole, "skip", usual=True)
    evidence = _flag(whole, "evidence", usual=False)
    reserved = _reserved(kind, unsure=unsure, skip=skip, evidence=evidence)
    guideline = whole.get("guideline") or ()
    return Guide(
        kind=kind,
        title=_text(whole, "title"),
        question=_text(whole, "question"),
        guideline=tuple(
            each.strip() for each in (guideline.split("\n\n") if isinstance(guideline, str) else map(str, guideline))
        ),
        labels=_labels(whole.get("labels") or (), reserved) if fits(kind, "labels") else (),
        scale=_range(whole.get("scale") or {}) if fits(kind, "scale") else None,
        unsure=unsure,
        skip=skip,
        tie=_flag(whole, "tie", usual=True),
        evidence=evidence,
        show=_parts(whole.get("show", PARTS)),
        good=_good(whole.get("good") or ""),
        agree_at=_share(whole.get("agree_at", 0.5)),
        practice=read_items(whole.get("practice") or ()),
        headings=_headings(whole.get("headings") or {}),
        order=_order(whole.get("order", "as given")),
    )


def _reserved(kind: Kind, *, unsure: bool, skip: bool, evidence: bool) -> dict[str, str]:
    """Keys that no label can have, and what they do: those of what the guide offers beside its labels."""
    marks = evidence or kind == "spans"
    offered = {
        _UNSURE_KEY: "not sure" if unsure else "",
        _SKIP_KEY: "leave out" if skip else "",
        _DONE_KEY: "done" if kind == "spans" else "",
        _EVIDENCE_KEY: "mark evidence" if evidence else "",
        _REMOVE_KEY: "remove a mark" if marks else "",
    }
    return {**_OWN_KEYS, **{key: does for key, does in offered.items() if does}}


def _labels(given: Any, reserved: Mapping[str, str]) -> tuple[Label, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or not given:
        raise RatersError("labels must be a list, such as [{label: correct, key: c}].")
    if len(given) > _MAX_LABELS:
        raise RatersError(f"{len(given)} labels are more than anybody keeps apart; give at most {_MAX_LABELS}.")
    entries = [each if isinstance(each, Mapping) else {"label": each} for each in given]
    wanted = {str(each["key"]) for each in entries if each.get("key")}
    spare = [key for key in _SPARE_KEYS if key not in wanted]
    labels: dict[str, Label] = {}
    taken: set[str] = set()
    for place, each in enumerate(entries, start=1):
        own = str(place) if str(place) in spare else ""
        label = _label(each, own or next(key for key in spare if key not in taken))
        if label.label in labels or label.label in (UNSURE, SKIP, DONE):
            raise RatersError(f"the label {shown(label.label)} stands twice, or is one that every task has.")
        if label.key in reserved:
            others = ", ".join(f"{key} ({does})" for key, does in reserved.items())
            raise RatersError(
                f"the key {shown(label.key)} of {shown(label.label)} is taken. Give it none, or one that is not "
                f"reserved: {others}."
            )
        if label.key in taken:
            raise RatersError(f"two labels have the key {shown(label.key)}; give {shown(label.label)} another one.")
        taken.add(label.key)
        labels[label.label] = label
    return tuple(labels.values())


def _label(fields: Mapping[str, Any], spare: str) -> Label:
    for name in fields:
        if name not in ("label", "key", "text", "help", "value", "examples"):
            raise RatersError(
                f"a label has no field {shown(str(name))}; it has label, key, text, help, value, examples."
                + (" Put text with a comma into quotes." if fields[name] is None else "")
            )
    name = _text(fields, "label")
    if isinstance(fields.get("key"), bool):
        raise RatersError(f"the key of {shown(name)} is read as {str(fields['key']).lower()}: put it into quotes.")
    key = str(fields.get("key", "")) or spare
    if len(key) != 1 or not key.isprintable() or key.isspace():
        raise RatersError(f"the key {shown(key)} of {shown(name)} must be one character.")
    value, examples = fields.get("value"), fields.get("examples") or ()
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise RatersError(f"the value of {shown(name)} must be a number.")
    return Label(
        label=name,
        key=key,
        text=str(fields.get("text") or as_heading(name)),
        help=str(fields.get("help") or ""),
        value=None if value is None else float(value),
        examples=(examples,) if isinstance(examples, str) else tuple(map(str, examples)),
    )


def _range(fields: Any) -> Range:
    if not isinstance(fields, Mapping) or fields.keys() - {"low", "high", "step", "ends", "within"}:
        raise RatersError("scale has the fields low, high, step, ends and within.")
    try:
        low, high, step = (float(fields.get(name, usual)) for name, usual in (("low", 1), ("high", 5), ("step", 1)))
        within = float(fields.get("within", max(step, (high - low) / 10)))
    except (TypeError, ValueError):
        raise RatersError("low, high, step and within of the scale must be numbers.") from None
    ends = fields.get("ends") or ("", "")
    count = (high - low) / step if step > 0 else 0
    if not 1 <= count <= 10_000 or abs(count - round(count)) > 1e-6:
        raise RatersError(f"a scale from {low:g} to {high:g} can't be divided into steps of {step:g}.")
    if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
        raise RatersError("ends of the scale are two texts: of the lowest value, and of the highest.")
    return Range(low=low, high=high, step=step, ends=(str(ends[0]), str(ends[1])), within=within)


def _parts(given: Any) -> tuple[Part, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str) or any(each not in PARTS for each in given):
        raise RatersError(f"show is a list of what is shown with the answer: {', '.join(PARTS)}.")
    return tuple(part for part in PARTS if part in given)


def _good(given: Any) -> Literal["high", "low", ""]:
    if given not in ("high", "low", ""):
        raise RatersError("good is high or low: which values are good ones.")
    return cast("Literal['high', 'low', '']", given)


def _headings(given: Any) -> Mapping[str, str]:
    if not isinstance(given, Mapping) or not HEADINGS.keys() >= given.keys():
        raise RatersError(f"headings has a text for some of {', '.join(HEADINGS)}, such as {{context: Policy}}.")
    return {name: _text(given, name) for name in given}


def _order(given: Any) -> Order:
    if given not in get_args(Order):
        raise RatersError(f"order is one of {', '.join(get_args(Order))}: how each rater gets the items.")
    return cast("Order", given)


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if isinstance(value, bool):  # YAML's own
        raise RatersError(f"{name} is read as {str(value).lower()}: put it into quotes.")
    text = "" if value is None else str(value).strip()
    if not text or len(text) > _MAX_TEXT:
        raise RatersError(f"{name} must be a text.")
    return text


def _flag(fields: Mapping[str, Any], name: str, *, usual: bool) -> bool:
    value = fields.get(name, usual)
    if not isinstance(value, bool):
        raise RatersError(f"{name} must be true or false.")
    return value


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RatersError("agree_at must be a number from 0 to 1.")
    return float(value)
