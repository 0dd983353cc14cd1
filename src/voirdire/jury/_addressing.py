"""Does an answer speak to whoever judges, labels or audits it, or asks the next question?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Any, NamedTuple

from voirdire import data
from voirdire.jury._unmasking import unmasked

_NEAR = 100
"""Characters within which the two halves of an order must stand."""
_LONGEST = 600
"""Characters of a sentence; a longer stretch without an end is taken in pieces."""
_MOST = 20
"""Passages that are told of, of forms and of orders: an answer with more is no more hostile."""
_SENTENCE = re.compile(r"(?<=[.!?。！？।])\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*•#>]|\d+[.)]))")
_WORD = re.compile(r"\w+")
_BEGIN = 4
"""Letters by which hints are looked up."""
_UNSPACED = re.compile("[\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_OTHER_SCRIPT = re.compile("[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufdff]")
_AFTER = "please|kindly|must|should|shall|are to|is to|then|just|only|simply|now|always|you"
_CLAUSE = rf"(?:^|[.:;,!?\"“(—–-]\s*|\b(?:{_AFTER})\s)"


class Address(NamedTuple):
    """A passage of an answer that speaks to its judge, or imitates what only a judge, a system or a fence says."""

    kind: str
    """"fence", "role", "verdict": a form; "order": a sentence that tells its reader what to do."""
    text: str
    """The passage, without its disguise."""


def addressed(answer: str) -> tuple[Address, ...]:
    """The passages of an answer that speak to whoever judges it; none in an answer that only answers.

    By rule, in some twenty languages: forms that nobody needs who answers a question (role markers, lines of fences,
    verdicts in our fields), and sentences in which an order meets something that only a judge's task has. An answer
    that explains such attacks, and quotes one, is found too.

    Args:
        answer: as the subject wrote it; disguises are undone first (`unmasked`).
    """
    text = unmasked(answer)
    return tuple(dict.fromkeys([*islice(_forms(text), _MOST), *islice(_orders(text), _MOST)]))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text on one line each, in pieces of bounded length; by rule, and in any language."""
    for piece in _SENTENCE.split(text):
        line = " ".join(piece.split())
        for start in range(0, len(line), _LONGEST):
            yield line[start : start + _LONGEST]


def _forms(text: str) -> Iterator[Address]:
    lower = text.lower()
    for kind, (needed, pattern) in _lexicon().forms.items():
        if not any(each in lower for each in needed):
            continue
        for start, end in islice(_spans(pattern, text), _MOST // 2):
            yield Address(kind, " ".join(text[start:end].split())[:_LONGEST])


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """The lines that a pattern is found in, or what stands around it in long ones."""
    found = pattern.search(text)
    while found is not None:
        start = max(text.rfind("\n", 0, found.start() + 1) + 1, found.start() - 200)
        end = text.find("\n", found.end())
        end = min(len(text) if end < 0 else end, start + _LONGEST)
        yield start, end
        found = pattern.search(text, max(end, found.end()))


def _orders(text: str) -> Iterator[Address]:
    near = _lexicon().near(text.casefold())
    if not near:
        return
    for sentence in sentences(text):
        low = sentence.casefold()
        if any(rule.finds(sentence) for rule, hints in near if any(hint in low for hint in hints)):
            yield Address("order", sentence)


@dataclass(frozen=True)
class _Rule:
    """What an order to a judge looks like."""

    needed: Sequence[str]
    """In lower case; a sentence without any needs no closer look."""
    parts: Sequence[re.Pattern[str]]
    """What must all stand in the sentence."""
    near: bool = False
    """Whether the (two) parts must stand near each other."""

    def finds(self, sentence: str) -> bool:
        """Whether a sentence is such an order."""
        if self.near:
            return _meet(self.parts[0], self.parts[1], sentence)
        return all(part.search(sentence) for part in self.parts)


@dataclass(frozen=True)
class _Lexicon:
    forms: Mapping[str, tuple[Sequence[str], re.Pattern[str]]]
    """What a text must hold, any of it and in lower case, for the pattern to be worth trying."""
    rules: Sequence[_Rule]

    def near(self, lower: str) -> list[tuple[_Rule, list[str]]]:
        """The rules that may hold in a text, each with those of its hints that the text has.

        Most texts have few: they are looked up by the beginnings of the text's words.
        """
        latin, other = self._hints
        begin = {word[:_BEGIN] for word in _WORD.findall(lower)}
        hints = [hint for key in begin & latin.keys() for hint in latin[key] if hint in lower]
        hints += [hint for hint in other if hint in lower] if _OTHER_SCRIPT.search(lower) else []
        there = set(hints)
        found = ((rule, [hint for hint in rule.needed if hint in there]) for rule in self.rules) if there else ()
        return [(rule, hints) for rule, hints in found if hints]

    @cached_property
    def _hints(self) -> tuple[Mapping[str, Sequence[str]], Sequence[str]]:
        """Hints in Latin letters by the beginning of their first word, and the others."""
        latin: dict[str, list[str]] = {}
        other: list[str] = []
        for hint in dict.fromkeys(hint for rule in self.rules for hint in rule.needed):
            if _OTHER_SCRIPT.search(hint):
                other.append(hint)
            else:
                latin.setdefault(_WORD.findall(hint)[0][:_BEGIN], []).append(hint)
        return latin, other


def _meet(first: re.Pattern[str], second: re.Pattern[str], sentence: str) -> bool:
    """Whether the two stand near each other, in any order."""
    mine = [found.span() for found in first.finditer(sentence)]
    theirs = [found.span() for found in second.finditer(sentence)] if mine else []
    return any(max(one[0], other[0]) - min(one[1], other[1]) <= _NEAR for one in mine for other in theirs)


@cache
def _lexicon() -> _Lexicon:
    import yaml

    loaded: Mapping[str, Any] = yaml.safe_load(data.read_text("lexicons/addressing.yaml"))
    languages = dict(loaded["languages"])
    english = languages.pop("en")
    return _Lexicon(
        {kind: (each["needed"], _any(each["patterns"])) for kind, each in loaded["forms"].items()},
        [*_english(english), *(rule for rules in languages.values() for rule in _rules(rules))],
    )


def _english(parts: Mapping[str, Any]) -> Iterator[_Rule]:
    aside = [rf"\b{verb}\b.{{0,60}}?\b{rules}\b" for verb in parts["ignore"] for rules in parts["rules"]]
    bare = [rf"{_CLAUSE}{order}\b.{{0,80}}{value}" for order in parts["orders"] for value in parts["values"]]
    yield from (_Rule(each["needed"], [_any([each["pattern"]])]) for each in parts["alone"])
    yield _Rule(parts["needed_aside"], [_any(aside)])
    yield _Rule(parts["needed_bare"], [_any(bare)])
    yield _Rule(parts["hints"], [_words(parts["marks"]), _words(parts["changed"])], near=True)
    yield _Rule(parts["hints"], [_words(parts[name]) for name in ("readers", "calls", "goods", "orders")])


def _rules(rules: Mapping[str, Sequence[str]]) -> Iterator[_Rule]:
    """Those of another language: two halves of an order."""
    hints = rules["hints"]
    for first, second in (pair for name, pair in rules.items() if name != "hints"):
        yield _Rule(hints, [_words([first]), _words([second])], near=True)


def _words(patterns: Sequence[str]) -> re.Pattern[str]:
    """Any of the patterns as words of their own, in a script that sets words apart."""
    whole = "|".join(patterns)
    return _any([whole] if _UNSPACED.search(whole) else [rf"(?<!\w)(?:{whole})(?!\w)"])


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)
