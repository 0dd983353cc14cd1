"""What a sentence says against its context: figures, codes, names, negations, opposite words, quantifiers, bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice, repeat

from voirdire.errors import a_type
from voirdire.evidence.abilities import ability_contradictions
from voirdire.evidence.around_the_clock import closed_at_times
from voirdire.evidence.bands import band_contradictions
from voirdire.evidence.cells import cell_contradictions
from voirdire.evidence.code_clauses import swapped_codes
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.dates_of_other_fields import dates_of_other_fields
from voirdire.evidence.denied_items import denied_items
from voirdire.evidence.denied_places import denied_places
from voirdire.evidence.exclusives import broken_exclusives
from voirdire.evidence.figure_contradictions import figure_contradictions, is_rightly_excluded
from voirdire.evidence.identifiers import swapped_identifiers
from voirdire.evidence.included_items import inclusion_contradictions
from voirdire.evidence.introductions import introduction_contradictions
from voirdire.evidence.legal_forms import as_written
from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.matching import Match, match_of
from voirdire.evidence.named_times import named_time_contradictions
from voirdire.evidence.names import Mention, Slot, rivals, slots_of
from voirdire.evidence.names_of_other_clauses import names_of_other_clauses
from voirdire.evidence.negation import (
    Negation,
    costs_nothing,
    excludes_others,
    exclusive_stems,
    frees_from_duty,
    gives_reasons,
    half_negators,
    is_dropped,
    is_past_end,
    meets_exception,
    mentions_negated,
    negated_words,
    negates,
    negations,
    same_under_condition,
)
from voirdire.evidence.opening_times import is_end_of_hours, opening_time_contradictions
from voirdire.evidence.opposites import (
    bound_changes,
    bound_negations,
    exclusive_changes,
    find_opposites,
    is_about_bounds,
    quantifier_changes,
)
from voirdire.evidence.other_states import other_state
from voirdire.evidence.records import (
    SURE_NEGATION,
    SURE_WORDS,
    Contradiction,
    ContradictionKind,
    EvidenceError,
    confidence,
)
from voirdire.evidence.replaced_names import replaced_names
from voirdire.evidence.roles import exchanged_roles
from voirdire.evidence.row_records import quoted_row, row_by_cells
from voirdire.evidence.row_sums import calculation_of
from voirdire.evidence.schedules import opening_contradictions, schedule_figures
from voirdire.evidence.source_denials import denial_contradictions
from voirdire.evidence.statuses import status_contradictions
from voirdire.evidence.tokens import ParsedSentence
from voirdire.evidence.values_of_other_columns import values_of_other_columns
from voirdire.evidence.values_of_other_rows import values_of_other_rows
from voirdire.evidence.versions import is_allowed_version
from voirdire.text.smalltalk import source_denial

# Shares of a sentence's words that one context sentence must have.
_NAMED = 0.35
_NEGATED = 0.3
_LOST_NEGATION = 0.55  # where the context negates and the sentence does not
_OPPOSED = 0.4

_MARGIN = 0.35  # how much more the best sentence must have than any that can speak of the name
_ADDS = 0.15  # what any other sentence may have of the words that the best one lacks
_TOPIC = 0.2  # a name in so many of the sentences is what the text is about: it may be meant anywhere
_SHORT = range(2, 7)  # letters of an abbreviation
_REMEMBERED = 4096  # sentences compared with one context
_CLOSE = 0.6  # of the best share; a sentence that has so much may be the one that was meant


def find_contradictions(sentence: str, index: ContextIndex) -> tuple[Contradiction, ...]:
    """What a sentence says against its context, surest first; what the context is silent on is no contradiction.

    Raises:
        EvidenceError: the sentence is no text.
    """
    if not isinstance(sentence, str):
        raise EvidenceError(f"find_contradictions takes one sentence, not {a_type(sentence)}.")
    return _finder_of(index)(sentence)


def contradiction_score(sentence: str, index: ContextIndex) -> float:
    """0 where nothing was found, else the confidence of the surest contradiction, in [0.6, 1]."""
    return next((each.confidence for each in _finder_of(index)(sentence)), 0.0)


@lru_cache(maxsize=32)
def _finder_of(index: ContextIndex) -> Callable[[str], tuple[Contradiction, ...]]:
    """What finds the contradictions of a sentence, and remembers them: for the reasons, and for equal sentences."""
    return lru_cache(maxsize=_REMEMBERED)(partial(_sorted_contradictions, index))


def _sorted_contradictions(index: ContextIndex, sentence: str) -> tuple[Contradiction, ...]:
    """Surest first."""
    worded = (replace(each, claim=as_written(each.claim, sentence, index.text)) for each in _search(sentence, index))
    by_confidence = sorted(dict.fromkeys(worded), key=lambda each: -each.confidence)
    return tuple(_in_named_row(each, sentence, index) for each in by_confidence)


def _in_named_row(contradiction: Contradiction, sentence: str, index: ContextIndex) -> Contradiction:
    """What has no counterpart in JSON has none in the record that the sentence names: that is quoted."""
    if contradiction.evidence or not contradiction.context_sentence.startswith(("{", "[")):
        return contradiction
    row = quoted_row(match_of(sentence, index))
    return replace(contradiction, context_sentence=row) if row else contradiction


def _search(sentence: str, index: ContextIndex) -> Iterator[Contradiction]:
    if sentence in index.texts:
        return
    denial = source_denial(sentence)
    if denial is not None:
        yield from denial_contradictions(denial, index)
        return
    match = match_of(sentence, index)
    for decide in (
        cell_contradictions,
        band_contradictions,
        status_contradictions,
        named_time_contradictions,
        other_state,
        closed_at_times,
        inclusion_contradictions,
        introduction_contradictions,
    ):
        decided = decide(match)
        if decided is not None:
            yield from decided
            return
    comparison = calculation_of(match)
    wrong = [comparison.contradiction] if comparison and not comparison.is_right else []
    yield from wrong
    identifiers = list(swapped_identifiers(match))
    yield from identifiers
    if not match.shared:
        return
    in_codes = [each.claim for each in identifiers]
    others = (each for each in figure_contradictions(match) if not any(each.claim in code for code in in_codes))
    figures = [*wrong, *others]
    yield from figures[len(wrong) :]
    if not identifiers:
        yield from code_contradictions(match)
    if not figures:
        yield from swapped_codes(match)
    names = list(name_contradictions(match))
    yield from names
    if not (names or figures):
        yield from (
            list(values_of_other_rows(match))
            or list(values_of_other_columns(match))
            or list(dates_of_other_fields(match))
            or list(opening_time_contradictions(match))
            or list(replaced_names(match))
            or list(names_of_other_clauses(match))
            or exchanged_roles(match)
        )
    abilities = ability_contradictions(match)
    denials = list(negation_contradictions(match)) if abilities is None else abilities
    denials = denials or denied_items(match) or list(denied_places(match))
    yield from denials or list(exclusive_contradictions(match)) or broken_exclusives(match)
    # Not of "closes at 17:00", where it is "open from 9:00 to 17:00".
    if None not in schedule_figures(match).values() and not is_end_of_hours(match):
        yield from list(opening_contradictions(match)) or term_contradictions(match)


def code_contradictions(match: Match) -> Iterator[Contradiction]:
    """Codes that the context has with other figures only."""
    codes = match.index.codes
    for letters, figure in sorted(match.codes):
        if letters in codes and not any(figure in figures for figures in codes.values()):
            other, place = next(iter(codes[letters].items()))
            evidence = match.index.sentences[place]
            if excludes_others(match.claim, evidence) or is_allowed_version(match, (letters, figure)):
                continue
            claim = _code_in(match.claim.text, letters, figure)
            yield Contradiction("number", claim, _code_in(evidence.text, letters, other), evidence.text, 0.7)


def _code_in(text: str, letters: str, figure: str) -> str:
    """A code as a text writes it: "Falcon 2", "I-72"."""
    match = re.search(rf"(?i){letters}[ -]?{re.escape(figure)}", text)
    return match[0] if match else letters + figure


def name_contradictions(match: Match) -> Iterator[Contradiction]:
    """Names of the context that none of its sentences brings together with what is said of them here.

    First the words right beside a name are compared: the context has them around another one. Then the rest of the
    sentence: one context sentence has much of it, has another name and can't speak of this one, while every sentence
    that can has less of it. A sentence with several such names rather puts together what several sentences say.
    """
    mentions = match.index.names.mentions(match.claim)
    claim_words = frozenset(word for mention in mentions for word in mention.words)
    for candidates in (
        [
            each
            for slot in slots_of(match.claim, match.index.names)
            if (each := _replaced_name(match, slot)) is not None
        ],
        [each for mention in mentions if (each := _misplaced_name(match, mention, claim_words)) is not None],
    ):
        if len({each.claim for each in candidates}) == 1:
            yield candidates[0]
            return


def _misplaced_name(match: Match, mention: Mention, claim_words: frozenset[str]) -> Contradiction | None:
    shares = match.shares(mention.stems)
    best = max(shares, key=lambda place: (shares[place], -place), default=None)
    if best is None or shares[best] < _NAMED or match.index.in_cells(best):
        return None
    names = match.index.names
    named = names.sentences_of(mention)
    if len(named) > _TOPIC * len(names.of_sentence):
        return None
    linked = max((share for place, share in shares.items() if names.may_mean(place, named)), default=0.0)
    if shares[best] - linked < _MARGIN or match.added_share(best, range(len(names.of_sentence)), mention.stems) > _ADDS:
        return None
    rival = _rival_name(match, best, mention, claim_words)
    sentence = match.index.sentences[best]
    if rival is None or any(_abbreviates(mention, each) for each in (sentence, match.claim, match.index.sentences[0])):
        return None
    return Contradiction("name", mention.text, rival, sentence.text, confidence(shares[best]))


def _replaced_name(match: Match, slot: Slot) -> Contradiction | None:
    """A name between words that the context has around another one, in a passage that does not have this one."""
    candidates = rivals(slot, match.index.slots)
    named = match.index.names.sentences_of(slot.mention) if candidates else frozenset()
    for rival in candidates:
        near = range(rival.place - 1, rival.place + 2)
        if named.isdisjoint(near) and not match.index.in_cells(rival.place):
            text = match.index.sentences[rival.place].text
            certainty = confidence(match.shared.get(rival.place, 0.0) / match.total)
            return Contradiction("name", slot.mention.text, rival.mention.text, text, certainty)
    return None


def _rival_name(match: Match, best: int, mention: Mention, claim_words: frozenset[str]) -> str | None:
    """A name that the context sentence has and the sentence lacks; of one with a pronoun, its forerunners' too.

    Of several, the one of most nearly as many words as the name of the sentence, as persons' names are.
    """
    names = match.index.names
    reach = (best, best - 1, best - 2) if names.pronouns[best] else (best,)
    for place in reach:
        if place >= 0 and names.of_sentence[place] - claim_words:
            others = [each for each in names.mentions(match.index.sentences[place]) if not each.words & claim_words]
            others.sort(key=lambda each: abs(len(each.words) - len(mention.words)))
            return next((each.text for each in others), min(names.of_sentence[place] - claim_words))
    return None


def _abbreviates(mention: Mention, sentence: ParsedSentence) -> bool:
    """Whether a name is made of the first letters of words of a sentence: "RFRA", "CTGs"."""
    word = next(iter(mention.words)).removesuffix("s")
    if len(mention.words) > 1 or len(word) not in _SHORT:
        return False
    return word in "".join(token.word[0] for token in sentence.tokens if token.word[0].isalpha())


def negation_contradictions(match: Match) -> Iterator[Contradiction]:
    """A negation on one side only, of words that both sides have."""
    shares = match.shares()
    ranked = match.ranked
    if not ranked or shares[ranked[0]] < _NEGATED:
        return
    best = ranked[0]
    if match.index.in_cells(best):  # its cells say yes and no in other ways
        return
    evidence = match.index.sentences[best]
    certainty = confidence(shares[best])
    conditional = same_under_condition(match.claim, evidence)
    if conditional is not None:
        if not conditional:
            yield Contradiction(
                "negation",
                negated_words(match.claim),
                negated_words(evidence),
                evidence.text,
                certainty,
                sure=certainty >= SURE_NEGATION,
            )
        return
    only = exclusive_stems(evidence)
    if only and only == exclusive_stems(match.claim) and all(each.limit for each in negations(match.claim)):
        return
    figures, others = [figure for figure, _ in match.figures], match.index.figures[best]
    bounds = bound_negations(match.claim, figures, others)
    claim_negations = [each for each in negations(match.claim) if each.start not in bounds]
    excepted = meets_exception(match.claim, evidence)
    if excepted and bool(claim_negations) != bool(negations(evidence)):
        return
    close = [place for place in ranked if shares[place] >= _CLOSE * shares[best]]
    if any(is_rightly_excluded(match, figure, close) for figure, same in match.figures if not same):
        return
    sentences = [match.index.sentences[place] for place in close]
    # "Never below 0 °C" repeats no "never" of a sentence without figures.
    limits = [() if figures else [each.negator_start for each in match.index.figures[place]] for place in close]
    repeated = {each.start for each in claim_negations if any(map(negates, sentences, repeat(each), limits))}
    follows = gives_reasons(match.claim) and _repeats_elsewhere(match, claim_negations)
    for negation in claim_negations:
        if follows or negation.is_limited_beside(match.claim, evidence) or frees_from_duty(negation, evidence):
            continue
        if costs_nothing(negation, sentences) or not match.index.answered.isdisjoint(negation.reach):
            continue
        if mentions_negated(sentences, negation) and negation.start not in repeated:
            kind: ContradictionKind = "quantifier" if negation.word in lexicon().scarce else "negation"
            yield Contradiction(kind, negation.text, "", evidence.text, certainty, sure=certainty >= SURE_NEGATION)
            return
    if claim_negations or shares[best] < _LOST_NEGATION or half_negators(match.claim):
        return
    if _is_exempt(match, best):
        return
    bounds = bound_negations(evidence, others, figures)
    for negation in negations(evidence):
        if negation.start in bounds or costs_nothing(negation, [match.claim]):
            continue
        if is_past_end(match.claim, evidence, negation):
            continue
        if is_dropped(negation, match.claim, evidence):
            yield Contradiction(
                "negation", "", negation.text, evidence.text, certainty, sure=certainty >= SURE_NEGATION
            )
            return


def _is_exempt(match: Match, place: int) -> bool:
    """Whether a sentence beside one that negates exempts what the claim names: "Guide dogs are"."""
    own = match.claim.stems - match.index.sentences[place].stems
    beside = match.index.sentences[max(place - 1, 0) : place + 2]
    return bool(own) and any(own <= sentence.stems and not any(negations(sentence)) for sentence in beside)


def _repeats_elsewhere(match: Match, claim_negations: Sequence[Negation]) -> bool:
    """Whether any sentence of the context negates what one of several negations does."""
    sentences = [match.index.sentences[place] for place in match.shared]
    return len(claim_negations) > 1 and any(
        negates(sentence, negation) for negation in claim_negations for sentence in sentences
    )


def exclusive_contradictions(match: Match) -> Iterator[Contradiction]:
    """Denied, or allowed of all, what the context says of one thing or person only."""
    shares = match.shares()
    for place in match.ranked:
        evidence = match.index.sentences[place]
        for claim, other in exclusive_changes(match.claim, evidence):
            certainty = confidence(shares[place])
            yield Contradiction("quantifier", claim, other, evidence.text, certainty, sure=certainty >= SURE_WORDS)


def term_contradictions(match: Match) -> Iterator[Contradiction]:
    """Opposites of words of the best-matching sentence, in the same surroundings; other quantifiers; other bounds."""
    shares = match.shares()
    best = max(shares, key=lambda place: (shares[place], -place), default=None)
    if best is None or shares[best] < _OPPOSED:
        return
    evidence = match.index.sentences[best]
    certainty = confidence(shares[best])
    figures, others = [figure for figure, _ in match.figures], match.index.figures[best]
    sentences = [match.index.sentences[place] for place in shares]
    row = row_by_cells(match)  # "at 08:00 the West room" is no opposite of the row of the East room
    opposites = (
        each
        for each in find_opposites(match.claim, evidence, sentences)
        if each.contradicts and not (row and each.claim.lower() in row.all_words)
    )
    for pair in islice((each for each in opposites if not is_about_bounds(each, figures, others)), 1):
        yield Contradiction("comparison", pair.claim, pair.evidence, evidence.text, certainty)
    for claim, other in quantifier_changes(match.claim, evidence):
        yield Contradiction("quantifier", claim, other, evidence.text, certainty, sure=certainty >= SURE_WORDS)
    for claim, other in bound_changes(match.claim, figures, evidence, others):
        yield Contradiction("comparison", claim, other, evidence.text, certainty, sure=certainty >= SURE_WORDS)
