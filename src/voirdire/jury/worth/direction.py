"""Which way is good: what the labels or numbers of one side mean, by what the user says of them, else by usual words.

Verdicts and ratings are each read by themselves, and everything afterwards takes high for good. `jury worth`, `rate
anchor` and `rate agreement` all read by these rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from voirdire.errors import shown
from voirdire.jury.worth.records import WorthError
from voirdire.text.counting import as_heading

Option = Literal["--good-rating", "--good-verdict"]
HIGH, LOW = "high", "low"
UNIT = (0.0, 1.0)
"""The ends of the usual scale."""
PREFERENCES = {"first": 1.0, "second": 0.0, "tie": 0.5}
"""What is said of a pair, as our own exports call it, and what it counts as."""
_NOT = "not "

_GOOD = frozenset(
    "supported faithful correct right true yes good pass passed passes grounded accurate entailed entailment entails "
    "consistent factual acceptable valid ok safe".split()
)
_BAD = frozenset(
    "unsupported hallucinated hallucination hallucinations unfaithful incorrect wrong false no bad fail failed fails "
    "ungrounded inaccurate contradicted contradiction contradictory contradicts refuted inconsistent invented "
    "fabricated misleading nonfactual unacceptable invalid unsafe harmful error errors".split()
)
_PARTLY = frozenset({"partly", "partial", "partially"})
_NEGATIONS = frozenset({"not", "no", "non", "isn", "without", "free"})
_ANSWERS = frozenset({"yes", "no", "true", "false", *_PARTLY})
_LONGEST = 5
"""Words of a label beyond which it is a text, and not read."""
_LABELS_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """How one side was read."""

    good: tuple[str, ...] = ()
    """The labels that count as 1; empty of numbers."""
    bad: tuple[str, ...] = ()
    """Those that count as 0."""
    half: tuple[str, ...] = ()
    """Those that count as 0.5."""
    turned: bool = False
    """Of numbers: whether low ones are good."""
    by: Literal["user", "words", "file", "known", "assumed"] = "assumed"
    """What decided it: the user, usual words (labels, or the name of a column), what the file says of its scores, that
    it can be no other way, or nothing."""
    column: str = ""
    """Whose name was read."""

    def other_way(self, option: Option) -> str:
        """What the user can give to have it read the other way round; empty where it is known."""
        if self.by == "known":
            return ""
        if self.good or self.bad:
            return f"{option} {shown(self.bad[0])}" if self.bad else f"{option} {shown(_NOT + self.good[0])}"
        return f"{option} {HIGH if self.turned else LOW}"

    def says(self, ends: tuple[float, float], noun: str = "score") -> str:
        """What a value at the good end of a scale is, and how that was found."""
        if self.good or self.bad:
            one = one_of(self.good) if self.good else f"any label but {_listed(self.bad)}"
            read = as_read(self.bad, self.half) if self.good else ""
            return f"{one} ({read})" if read else one
        one = f"a {noun} of {ends[not self.turned]:g}"
        if self.by == "words":
            return f"{one} (read {shown(self.column)} as bad)"
        return f"{one}{' (low is good)' if self.turned else ''}"


def one_of(labels: Sequence[str]) -> str:
    """Several labels that mean the same, or the only one."""
    return f"the label {shown(labels[0])}" if len(labels) == 1 else f"one of {_listed(labels)}"


def as_read(bad: Sequence[str], half: Sequence[str]) -> str:
    """What labels were read as: "read 'wrong' as bad, 'partly' as half"; empty without any."""
    read = [f"{_listed(names)} as {kind}" for names, kind in ((bad, "bad"), (half, "half")) if names]
    return f"read {', '.join(read)}" if read else ""


def goodness(label: str) -> float | None:
    """1 where usual words say that a label is good, 0 where bad, 0.5 where partly; `None` where they say nothing."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label).replace("n't", " not").casefold())
    if not words or len(words) > _LONGEST:
        return None
    if words[0] in _PARTLY:
        return 0.5 if len(words) == 1 or _known(words[1:]) is not None else None
    meaningful = words if len(words) == 1 else [word for word in words if word not in _NEGATIONS]
    known = _known(meaningful)
    negated = len(words) - len(meaningful)
    return known if known is None or negated % 2 == 0 else 1 - known


def runs_down(high: Iterable[str], low: Iterable[str]) -> bool:
    """Whether usual words say of a scale that its high end is the bad one.

    Args:
        high: what its high end is called, by labels.
        low: what its low end is.
    """
    known = [value for value in map(goodness, high) if value is not None]
    known += [1 - value for value in map(goodness, low) if value is not None]
    return bool(known) and set(known) == {0.0}


def _known(words: Sequence[str]) -> float | None:
    good, bad = bool(_GOOD.intersection(words)), bool(_BAD.intersection(words))
    return None if good == bad else float(good)


def scale_of(values: ArrayLike, ends: tuple[float, float]) -> tuple[float, float]:
    """The ends of the scale that a judge's scores are on: 0 to 1 or people's where they lie in it, else their range.

    Args:
        values: shape (items,), its scores; NaN where there is none.
        ends: of people's scale.
    """
    scores = np.asarray(values, dtype=np.float64)
    known = scores[np.isfinite(scores)]
    if not known.size:
        return ends
    least, most = float(known.min()), float(known.max())
    scales = (ends, UNIT) if least == most else (UNIT, ends)  # one score alone may be on both, and tells nothing
    return next((each for each in scales if each[0] <= least and most <= each[1]), (least, most))


def read_labels(
    labels: Iterable[str],
    given: Sequence[str],
    option: Option,
    where: str,
    *,
    column: str = "",
    texts: Mapping[str, str] | None = None,
) -> tuple[Mapping[str, float], Direction]:
    """What each label of a side counts as, from 0 to 1.

    Args:
        labels: those that there are.
        given: by the user: labels that are good ("supported"), or that are not ("not unsupported").
        option: that gives them.
        where: they stand, for a message.
        column: their name, where it says something: "yes" is bad below "hallucinated".
        texts: by label, what people read in its place; either can be given, whatever the case.

    Raises:
        WorthError: one that is given is none of them, or usual words don't tell which are good.
    """
    names = sorted(set(labels))
    if given:
        good, bad = _given_labels(names, given, option, where, texts or {})
        values = {name: float(name in good or (not good and name not in bad)) for name in names}
        return values, _direction(values, "user")
    read = {name: goodness(name) for name in names}
    unread = [name for name, value in read.items() if value is None]
    if len(names) == 2 and len(unread) == 1:  # the other one is its opposite
        (other,) = (value for value in read.values() if value is not None)
        read[unread[0]] = 1 - other if other != 0.5 else None
    values = {name: value for name, value in read.items() if value is not None}
    if len(values) < len(names):
        raise WorthError(
            f"{where}: nothing tells which of the labels {_listed(names)} are good ones. Name one with {option} LABEL, "
            f"or a bad one with {option} 'not LABEL'; all others then count as the opposite."
        )
    if goodness(column) == 0 and {name.casefold() for name in names} <= _ANSWERS:
        values = {name: 1 - value for name, value in values.items()}
    return values, _direction(values, "words")


def known_labels(counts_as: Mapping[str, float]) -> Direction:
    """The direction of labels of which whoever wrote them has said what each counts as."""
    return _direction(counts_as, "known")


def read_numbers(
    given: Sequence[str], option: Option, where: str, *, column: str = "", ends: tuple[float, float] = (0.0, 1.0)
) -> Direction:
    """Whether high numbers of a side are good.

    Args:
        given: by the user: "high", "low", or one end of the scale, each also with "not" before it.
        option: that gives it.
        where: they stand, for a message.
        column: their name, where it says something.
        ends: of the scale.

    Raises:
        WorthError: what is given is neither an end nor a direction.
    """
    if not given:
        by_name = goodness(column) == 0
        return Direction(turned=by_name, by="words" if by_name else "assumed", column=column)
    matches = {is_low(each, ends) for each in given}
    if len(matches) > 1 or None in matches:
        raise WorthError(
            f"{where}: the values are numbers, so that {option} takes high or low, or the good end, {ends[0]:g} or "
            f"{ends[1]:g}; {shown(given[0])} was given."
        )
    return Direction(turned=bool(matches.pop()), by="user")


def is_low(text: str, ends: tuple[float, float] = (0.0, 1.0)) -> bool | None:
    """Whether what the user calls good is the low end of numbers; `None` where it is no end of them."""
    word = text.strip().casefold()
    if word.startswith(_NOT):
        other = is_low(word.removeprefix(_NOT), ends)
        return None if other is None else not other
    if word in (HIGH, LOW):
        return word == LOW
    if word in ("yes", "true", "no", "false"):
        return word in ("no", "false")
    try:
        number = float(word)
    except ValueError:
        return None
    return number == ends[0] if number in ends else None


def _given_labels(
    names: Sequence[str], given: Sequence[str], option: Option, where: str, texts: Mapping[str, str]
) -> tuple[set[str], set[str]]:
    by_word = {texts.get(name, as_heading(name)).casefold(): name for name in names}
    by_word |= {name.casefold(): name for name in names}
    good, bad = set[str](), set[str]()
    for each in given:
        word = each.strip().casefold()
        if word in by_word:
            good.add(by_word[word])
        elif word.startswith(_NOT) and word.removeprefix(_NOT) in by_word:
            bad.add(by_word[word.removeprefix(_NOT)])
        else:
            raise WorthError(
                f"{where} has no label {shown(each)}; its labels: "
                f"{_listed([texts.get(name, name) for name in names])}. Give a good one to {option}, or a "
                "bad one with not before it."
            )
    return good, bad


def _direction(values: Mapping[str, float], by: Literal["user", "words", "known"]) -> Direction:
    good, bad, half = (tuple(name for name, value in values.items() if value == end) for end in (1.0, 0.0, 0.5))
    return Direction(good=good, bad=bad, half=half, by=by)


def _listed(names: Sequence[str]) -> str:
    more = " …" if len(names) > _LABELS_SHOWN else ""
    return f"{', '.join(map(shown, names[:_LABELS_SHOWN]))}{more}"
