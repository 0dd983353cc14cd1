"""Facts made ready once for any number of responses."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass
from functools import cached_property

from voirdire.evidence.context import Code, ContextIndex
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.negation import Negation, negations
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.integrity.compound_facts import parenthesised, subject_of
from voirdire.integrity.records import EstablishedFact
from voirdire.integrity.rules.arithmetic import MOST_FIGURES, Derived
from voirdire.integrity.rules.lexicon import families, phrases
from voirdire.integrity.rules.passage import Word, words_of_text
from voirdire.integrity.rules.quantities import Quantity, find_quantities, is_physical
from voirdire.text.entities import find_names

_STATISTIC = re.compile(
    r"(?<![A-Za-z])(?:[pdrn]|OR|RR|HR)\s?[<>=≤≥]\s?\d?\.?\d|(?i:effect size|statistically significant)"
)
_TINY_P = re.compile(r"(?<![A-Za-z])p\s?[<=≤]\s?0?\.0(?:0|1\b)")
_LARGE_EFFECT = re.compile(r"(?i)\blarge effect|(?<![A-Za-z])d\s?=\s?(?:0?\.[89]|[1-9])|(?<![A-Za-z])r\s?=\s?0?\.[5-9]")
_MEASURED = 4  # content words on either side of a figure that say what it measures
CHANGE = frozenset(
    "less more fewer lower higher greater smaller increase decrease reduction rise drop cut decline growth increased "
    "decreased reduced rose fell risen fallen rises falls raised dropped grew declined faster slower longer shorter "
    "gap".split()
)

# Shares of a whole from here on are called high, or low; between them any word will do.
HIGH_SHARE, LOW_SHARE = 70.0, 15.0
# The same for differences and changes in per cent, and for "times as many".
LARGE_CHANGE, SMALL_CHANGE = 40.0, 5.0
LARGE_TIMES = 2.0
MOST, FEW = 45.0, 55.0  # "most" below the first, "few" above the second says the contrary


@dataclass(frozen=True, slots=True)
class PreparedFact:
    """A fact with what the rules compare."""

    fact: EstablishedFact
    parsed: ParsedSentence
    stated: tuple[Figure, ...]
    """Its figures as they stand."""
    negations: tuple[Negation, ...]
    words: tuple[Word, ...]
    key: frozenset[str]
    """Its content words."""
    subject: frozenset[str]
    """The content words of its parent's subject."""
    figures: tuple[Quantity, ...]
    """Those in parentheses last."""
    main: tuple[Quantity, ...]
    """What the fact is about: shares and sums of money before counts, counts before dates."""
    measured: frozenset[str]
    """What its main figures measure: the content words around them."""
    names: tuple[tuple[str, ...], ...]
    codes: frozenset[Code]
    """Codes, and names with a figure: "F2", "Falcon 2"."""
    negated: frozenset[str]
    """Content words under a "no" or "not"."""
    doubtful: bool
    """Whether the fact itself speaks of doubt, limits or mixed results."""
    change: bool
    """Whether its figures are differences or changes, so that they have no complement."""
    statistic: str
    """For p-values and effect sizes "strong" or "plain"; else empty."""

    @property
    def id(self) -> str:
        """The fact's id."""
        return self.fact.id


@dataclass(frozen=True)
class PreparedFacts:
    """All facts of a case; build it once with `PreparedFacts.of`, then inspect any number of responses."""

    facts: tuple[EstablishedFact, ...]
    leaves: tuple[PreparedFact, ...]
    """The facts that are judged: all but those that were split into parts."""
    weights: dict[str, float]
    """How much a word tells: rare ones among the facts tell more."""
    derived: Derived
    known_figures: tuple[Quantity, ...]
    """Of facts and context."""
    known_names: frozenset[str]
    """All words of the names, and of the facts, in lower case."""
    known_codes: frozenset[Code]
    """Those of facts and context."""
    index: dict[str, tuple[int, ...]]
    """Which leaves have a word."""

    @classmethod
    def of(cls, facts: Sequence[EstablishedFact], context: str = "") -> PreparedFacts:
        """Make facts ready.

        Args:
            facts: as given, or from `expand`; the parts of a split fact stand for it.
            context: the question or scenario: its figures and names are no inventions, and need not be repeated.
        """
        texts = {fact.id: fact.text for fact in facts}
        parents = {fact.parent for fact in facts}
        subjects = {each: subject_of(texts[each]) for each in parents if each in texts}
        read = {text: parse(text) for text in (*texts.values(), context)}
        stated = {text: figures_of(parsed) for text, parsed in read.items()}
        codes = frozenset(code for text in read for code in ContextIndex.codes_of(read[text], stated[text], ()))
        named = frozenset(letters for letters, _ in codes)
        leaves = tuple(
            _prepared(fact, subjects.get(fact.parent or "", ""), named) for fact in facts if fact.id not in parents
        )
        counts = Counter(word for leaf in leaves for word in leaf.key | leaf.subject)
        weights = {word: math.log(1 + len(leaves) / count) for word, count in counts.items()}
        every = [find_quantities(fact.text, stated[fact.text], named) for fact in facts]
        in_context = find_quantities(context, stated[context], named)
        index: dict[str, list[int]] = {}
        for place, leaf in enumerate(leaves):
            for word in leaf.key | leaf.subject:
                index.setdefault(word, []).append(place)
        lowers = {word.lower for parsed in read.values() for word in words_of_text(parsed)}
        names = {part for text in read for name in find_names(text) for part in name.key}
        return cls(
            tuple(facts),
            leaves,
            weights,
            Derived.of(every),
            tuple(figure for figures in (*every, in_context) for figure in figures),
            frozenset(lowers | names),
            codes,
            {word: tuple(places) for word, places in index.items()},
        )

    @cached_property
    def by_id(self) -> dict[str, PreparedFact]:
        """The leaves by id."""
        return {leaf.id: leaf for leaf in self.leaves}

    @cached_property
    def fact_index(self) -> ContextIndex:
        """The leaves as a context."""
        return ContextIndex.from_sentences(leaf.fact.text for leaf in self.leaves)

    @cached_property
    def code_index(self) -> ContextIndex | None:
        """The leaves as a context, where some letters have several figures ("F2", "F4"); else `None`."""
        return self.fact_index if self._rivalled else None

    @cached_property
    def _rivalled(self) -> frozenset[str]:
        counts = Counter(letters for letters, _ in self.known_codes)
        return frozenset(letters for letters, count in counts.items() if count > 1)

    @cached_property
    def named(self) -> frozenset[str]:
        """The letters and names that have a figure: "f" of "F2", "falcon"."""
        return frozenset(letters for letters, _ in self.known_codes)

    def codes_of(self, sentence: ParsedSentence, figures: Collection[Figure]) -> frozenset[Code]:
        """The codes of a sentence, and its names with a figure."""
        return ContextIndex.codes_of(sentence, figures, self.named)

    def may_be_code(self, figure: Quantity) -> bool:
        """Whether a figure may be a code without its word: "404 stands for"."""
        words = self.named & lexicon().numbered
        return not figure.measure and any((word, figure.text) in self.known_codes for word in words)

    def is_of_another_code(self, leaf: PreparedFact, codes: Collection[Code]) -> bool:
        """Whether a fact is about one of several models or codes, and it is none of these."""
        own = [code for code in leaf.codes if code[0] in self._rivalled]
        return bool(own) and not any(code in codes for code in own)

    def share(self, leaf: PreparedFact, keys: frozenset[str]) -> float:
        """How much of a fact's own words `keys` has, weighted, in [0, 1]."""
        total = sum(self.weights[word] for word in leaf.key)
        return sum(self.weights[word] for word in leaf.key & keys) / total if total else 0.0

    def facts_with(self, keys: frozenset[str]) -> list[PreparedFact]:
        """The facts that share a word with `keys`, in order."""
        places = {place for key in keys for place in self.index.get(key, ())}
        return [self.leaves[place] for place in sorted(places)]

    def is_own(self, leaf: PreparedFact, key: str) -> bool:
        """Whether a word stands in no other fact (its parts' siblings, which share a label, apart)."""
        return all(self.leaves[place].id == leaf.id for place in self.index.get(key, ()))


def _prepared(fact: EstablishedFact, subject: str, named: Container[str]) -> PreparedFact:
    parsed = parse(fact.text)
    words = words_of_text(parsed)
    inner = parenthesised(fact.text)
    stated = tuple(figures_of(parsed))
    denied = negations(parsed)
    quantities = find_quantities(fact.text, stated, named)
    figures = sorted(quantities, key=lambda one: any(a <= one.start < b for a, b in inner))
    main = [one for one in figures if not any(a <= one.start < b for a, b in inner)] or [
        one
        for one in figures
        if one.unit in ("percent", "money", "times")  # volumes and pages are no findings
    ]
    main = list(_main_figures(main))
    key = frozenset(word.key for word in words if word.key)
    return PreparedFact(
        fact=fact,
        parsed=parsed,
        stated=stated,
        negations=denied,
        words=words,
        key=key,
        subject=frozenset(word.key for word in words_of_text(parse(subject)) if word.key),
        figures=tuple(figures),
        main=tuple(main),
        measured=frozenset(stem for one in main[:MOST_FIGURES] for stem in _around(words, one)) if main else key,
        names=tuple(name.key for name in find_names(fact.text)),
        codes=ContextIndex.codes_of(parsed, stated, ()),
        negated=families(stem for each in denied for stem in each.scope),
        doubtful=any(phrases(name).search(fact.text) for name in ("value_in_doubt", "reserve", "vary", "flaw")),
        change=any(word.lower in CHANGE for word in words),
        statistic=_statistic(fact.text),
    )


def _main_figures(figures: Sequence[Quantity]) -> tuple[Quantity, ...]:
    for units in (("percent", "money", "times"), ("count", "")):
        main = tuple(figure for figure in figures if figure.unit in units)
        if main:
            return tuple(one for one in figures if one in main or is_physical(one))
    return tuple(figures)


def _around(words: Sequence[Word], figure: Quantity) -> list[str]:
    after = [word.key for word in words if word.start >= figure.end and word.key][:_MEASURED]
    before = [word.key for word in words if word.end <= figure.start and word.key][-_MEASURED:]
    return after + before


def _statistic(text: str) -> str:
    if not _STATISTIC.search(text):
        return ""
    return "strong" if _TINY_P.search(text) or _LARGE_EFFECT.search(text) else "plain"


def size_of(leaf: PreparedFact) -> str:
    """Give "large", "small" or "" (neither, or there is no scale for it)."""
    if leaf.statistic:
        return "large" if leaf.statistic == "strong" else ""
    for figure in leaf.main:
        value = figure.number.value
        if figure.unit == "percent":
            high, low = (LARGE_CHANGE, SMALL_CHANGE) if leaf.change else (HIGH_SHARE, LOW_SHARE)
            return "large" if value >= high else "small" if value <= low else ""
        if figure.unit == "times":
            return "large" if value >= LARGE_TIMES else ""
    return ""


def share_of(leaf: PreparedFact) -> float | None:
    """The percentage of a whole that a fact gives; `None` if it gives none, or a change."""
    if leaf.change:
        return None
    return next((figure.number.value for figure in leaf.main if figure.unit == "percent"), None)
