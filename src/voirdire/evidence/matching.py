"""Which sentences of the context speak of what a sentence speaks of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import nlargest, nsmallest
from math import fsum  # of a set: the same in whatever order it comes

from voirdire.evidence.context import Code, ContextIndex
from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.legal_forms import in_names_of
from voirdire.evidence.negation import negations
from voirdire.evidence.tokens import ParsedSentence, counterparts, leaves_out, parse

CANDIDATES = 3
"""Context sentences that a sentence is compared with: those that share most of it."""


@dataclass(frozen=True, eq=False)
class Match:
    """A sentence against an indexed context."""

    claim: ParsedSentence
    index: ContextIndex
    shared: dict[int, float]
    """Of every context sentence that shares a word, the weight of what it shares."""
    total: float
    """Weight of all content words of the sentence."""

    @cached_property
    def figures(self) -> tuple[tuple[Figure, tuple[tuple[int, Figure], ...]], ...]:
        """The figures of the sentence, each with those of the context that can mean the same, by their sentence."""
        return tuple(
            (
                figure,
                tuple(each for each in self.index.figure_table.same(figure) if not _lasts_and_recurs(figure, each[1])),
            )
            for figure in self.index.quantities(self.claim, figures_of(self.claim))
        )

    @cached_property
    def codes(self) -> frozenset[Code]:
        """The codes of the sentence, and its names with a figure."""
        figures = figures_of(self.claim)
        bare = (code for figure in figures if (code := self.index.bare_code(figure)) is not None)
        return self.index.codes_of(self.claim, figures, self.index.codes).union(bare)

    @cached_property
    def about_namesakes(self) -> frozenset[int]:
        """The context sentences about another thing of the same name, where some are about this one.

        They have "Falcon 2" where this sentence has "Falcon 3", or members for non-members; none if the context lacks
        the Falcon 3.
        """
        groups = self._of_other_groups
        known = [code for code in self.codes if code[1] in self.index.codes.get(code[0], {})]
        if not known:
            return groups
        named = frozenset().union(*(self.index.places_of_letters[letters] for letters, _ in known))
        numbers = self.index.places_of_bare_numbers
        return groups | named.difference(*(numbers.get(figure, ()) for _, figure in known))

    @property
    def _of_other_groups(self) -> frozenset[int]:
        """The sentences that speak of non-members only, where the sentence speaks of members and others do, too."""
        postings = self.index.postings
        if not (self.index.has_parted_groups or any(map(leaves_out, self.claim.stems))):
            return frozenset()
        others = {stem: [each for each in counterparts(stem) if each in postings] for stem in self.claim.stems}
        denied = {stem for each in negations(self.claim) for stem in each.scope}
        return frozenset(
            place
            for stem in (others.keys() & postings.keys()) - denied
            for other in others[stem]
            for place in postings[other]
            if place not in postings[stem]
        )

    def namesake_share(self, place: int, without: Collection[str]) -> float:
        """The share of the sentence's words, those of `without` left out, that a sentence about a namesake has."""
        return self._shares_without(self.claim.stems.intersection(without)).get(place, 0.0)

    def shares(self, without: Collection[str] = ()) -> dict[int, float]:
        """Of every context sentence, the share of the sentence's words that it has, those of `without` left out.

        Sentences about another thing of the same name have none.
        """
        without = self.claim.stems.intersection(without)
        if without not in self._known_shares:
            shares = self._shares_without(without) if without else self._shares
            self._known_shares[without] = (
                {place: share for place, share in shares.items() if place not in self.about_namesakes}
                if self.about_namesakes
                else shares
            )
        return self._known_shares[without]

    @cached_property
    def _known_shares(self) -> dict[frozenset[str], dict[int, float]]:
        """The shares without these stems, computed once: all stages ask for them."""
        return {}

    @cached_property
    def ranked(self) -> tuple[int, ...]:
        """The context sentences that share most, best first; of equal ones the first."""
        return tuple(self.closest_places(self.shares()))

    @cached_property
    def closest(self) -> int | None:
        """The context sentence that shares most; of equal ones the shortest. `None` where none shares a word."""
        sentences = self.index.sentences
        keys = {place: (-weight, len(sentences[place].stems), place) for place, weight in self.shared.items()}
        return min(keys, key=keys.__getitem__, default=None)

    @property
    def pooled_share(self) -> float:
        """The share of the sentence's words that all context sentences have together."""
        known = fsum(self.index.idf.get(stem, 0.0) for stem in self.claim.stems)
        return known / self.total if self.total > 0 else 0.0

    @cached_property
    def _shares(self) -> dict[int, float]:
        if self.total <= 0:
            return {}
        return {place: weight / self.total for place, weight in self.shared.items()}

    def _shares_without(self, without: frozenset[str]) -> dict[int, float]:
        total = self.total - fsum(map(self.index.weight, without))
        if total <= 0:
            return {}
        own: dict[int, list[float]] = {}
        for stem in without:
            for place in self.index.postings.get(stem, ()):
                own.setdefault(place, []).append(self.index.idf[stem])
        return {place: (weight - fsum(own.get(place, ()))) / total for place, weight in self.shared.items()}

    def closest_places(self, shares: Mapping[int, float]) -> list[int]:
        """The context sentences that share most, best first; of equal ones the first."""
        least = min(nlargest(CANDIDATES, shares.values()), default=0.0)
        better = sorted(
            (place for place, share in shares.items() if share > least), key=lambda place: (-shares[place], place)
        )
        return [*better, *nsmallest(CANDIDATES - len(better), (p for p, share in shares.items() if share == least))]

    def added_share(self, best: int, others: Iterable[int], without: Collection[str] = ()) -> float:
        """How much, of the sentence's words but those of `without`, another sentence has that the best one lacks.

        A sentence that puts together what two sentences say has such another one.
        """
        missing = self.claim.stems - self.index.sentences[best].stems.union(without)
        shared = (
            fsum(self.index.idf[stem] for stem in missing & self.index.sentences[place].stems) for place in others
        )
        return max(shared, default=0.0) / self.total


def _lasts_and_recurs(figure: Figure, other: Figure) -> bool:
    """Whether one is how long something lasts, the other how often it comes: "for two weeks", "every two weeks"."""
    return figure.before.endswith(("for ", ": ", "within ", "up to ")) and other.before.endswith("every ")


@lru_cache(maxsize=64)
def match_of(sentence: str, index: ContextIndex) -> Match:
    """Match a sentence, its names as the context has them; remembered, since it is asked for by all stages in turn."""
    claim = parse(in_names_of(sentence, index.text))
    return Match(claim, index, index.shared_weights(claim.stems), fsum(map(index.weight, claim.stems)))
