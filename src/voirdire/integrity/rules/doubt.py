"""Doubt: of a stated value (denial), beside an accepted fact (caveat), of its source, of its motive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import Reading, states_nothing, violation
from voirdire.integrity.rules.passage import Sentence
from voirdire.integrity.rules.prepared import PreparedFact

_AHEAD = re.compile(r"(?i)\b(?:whether|future|next|will|how|what|who|when|why)\b")
_ANAPHOR = re.compile(r"(?i)\b(?:this|these|those|that|such|it|its|they|their|them|he|she|his|her|and|or)\b")
_BECAUSE = re.compile(r"(?i)\b(?:because|since|given|as)\b")
_PHRASE_END = re.compile(r"\sand\s|\sor\s|[,;.:)]")
_FRAGMENT = 4  # words; so short a text has no room to name what it doubts
_NEGATED = 24  # characters from a negation to what it negates
_REACH = 40  # characters from a modal verb to the flaw or comparative that it hedges
_ANY_REASON = 0.25  # share of a fact's words


def doubt_violations(reading: Reading) -> Iterator[Violation]:
    """All doubts of facts; doubt that a fact itself expresses is none."""
    for sentence in reading.sentences:
        if sentence.text.endswith("?"):
            continue
        yield from _value_in_doubt(reading, sentence)
        yield from _reserve(reading, sentence)
        yield from _flaws(reading, sentence)
        yield from _could_be_worse(reading, sentence)
        yield from _discredit(reading, sentence)
        yield from _dismissal(reading, sentence)
        yield from _invented_state(reading, sentence)


def _value_in_doubt(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    for found in sentence.find("value_in_doubt"):
        start, end = sentence.clause_at(found.start())
        if _AHEAD.search(sentence.text, start, found.end()) or states_nothing(sentence, start, end):
            continue
        leaf = _target(reading, sentence, start, end)
        if leaf is not None and not leaf.doubtful and not _echoes(found[0], leaf):
            span, reason = (start, found.end()), f"“{found[0]}” calls into question what {leaf.id} establishes."
            yield violation(sentence, span, "fact_denial", leaf, reason, 0.65)
        elif (
            leaf is None
            and not any(one.doubtful for one in reading.prepared.touched(sentence.keys))
            and phrases("source").search(sentence.text, start, end)
            and _on_topic(reading, sentence)
        ):
            reason = f"“{found[0]}” doubts a source, and no fact gives a reason."
            yield violation(sentence, found.span(), "unsupported_caveat", None, reason, 0.45)


def _echoes(doubt: str, leaf: PreparedFact) -> bool:
    """Whether "no data …" repeats what a fact negates itself."""
    return doubt.lower().startswith("no ") and bool(leaf.negated)


def _reserve(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    found = phrases("reserve").search(sentence.text)
    if found is None or _gives_reason(reading, sentence, found.end()):
        return
    start, end = sentence.clause_at(found.start())
    if _AHEAD.search(sentence.text, start, found.start()):
        return
    leaf = _target(reading, sentence, start, end)
    if leaf is not None and leaf.doubtful:
        return
    if leaf is not None or phrases("source").search(sentence.text, start, end):
        reason = f"“{found[0]}” adds doubt for which no fact gives a reason."
        yield violation(sentence, found.span(), "unsupported_caveat", leaf, reason, 0.55)


def _flaws(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    """Hedged flaws of a source are caveats, asserted ones inventions, unless a fact knows of them."""
    if any(leaf.doubtful for leaf in reading.about(sentence.keys)):
        return
    hedged = _hedged_flaw(reading, sentence)
    if hedged is not None:
        yield hedged
        return
    for found in sentence.find("asserted_flaw"):
        start, end = sentence.clause_at(found.start())
        if states_nothing(sentence, start, end) or not phrases("source").search(sentence.text, start, end):
            continue
        stop = _PHRASE_END.search(sentence.text, found.end(), end)
        span = (found.start(), stop.start() if stop else end)
        yield violation(sentence, span, "fact_invention", None, "No fact mentions this flaw.", 0.5)


def _hedged_flaw(reading: Reading, sentence: Sentence) -> Violation | None:
    for modal in sentence.find("modal"):
        start, end = sentence.clause_at(modal.start())
        flaw = phrases("flaw").search(sentence.text, modal.end(), min(end, modal.end() + _REACH))
        if flaw is None or phrases("condition").search(sentence.text, start, end):
            continue
        if (
            len(sentence.words) <= _FRAGMENT
            or phrases("source").search(sentence.text, start, end)
            or _target(reading, sentence, start, end) is not None
        ):
            span = (modal.start(), flaw.end())
            return violation(sentence, span, "unsupported_caveat", None, "No fact mentions such a flaw.", 0.6)
    return None


def _could_be_worse(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    """Find "could be lower" beside a fact that gives the figure."""
    for modal in sentence.find("modal"):
        start, end = sentence.clause_at(modal.start())
        worse = phrases("worse").search(sentence.text, modal.end(), min(end, modal.end() + _REACH // 2))
        if worse is None or phrases("condition").search(sentence.text):
            continue
        before = sentence.keys_in(start, modal.start())
        leaf = next(
            (one for one in reading.about(before) if one.main and one.measured & before and not one.doubtful), None
        )
        if leaf is not None:
            given = ", ".join(figure.text for figure in leaf.main)
            reason = f"{leaf.id} gives {given}; nothing among the facts says that it may be {worse[0]}."
            yield violation(sentence, (modal.start(), worse.end()), "unsupported_caveat", leaf, reason, 0.55)


def _discredit(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    """Find "unsubstantiated", "lack sincerity" of what a fact has established; "may be pretexts" for it."""
    for lexicon, kind, how in (
        ("discredit", "fact_denial", "denies standing to"),
        ("motive", "reframing", "imputes a motive to"),
        ("alleged", "unsupported_caveat", "puts in doubt"),
    ):
        for found in sentence.find(lexicon):
            start, end = sentence.clause_at(found.start())
            near = sentence.keys_near(found.start(), found.end(), 5, 4)
            leaf = _touching(reading, near) or _target(reading, sentence, start, end)
            if leaf is None and _ANAPHOR.search(sentence.text, start, found.start()):
                leaf = _touching(reading, sentence.keys_in(0, start) or _keys_before(reading, sentence))
            if leaf is None or leaf.doubtful or states_nothing(sentence, start, end):
                continue
            if not _negated(sentence, found.start()) and not phrases(lexicon).search(leaf.fact.text):
                reason = f"“{found[0]}” {how} what {leaf.id} establishes."
                yield violation(sentence, found.span(), kind, leaf, reason, 0.5)


def _dismissal(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    found = phrases("dismissal").search(sentence.text)
    if found is None or _negated(sentence, found.start()):
        return
    start, end = sentence.clause_at(found.start())
    leaf = _target(reading, sentence, start, end)
    if leaf is not None or not reading.prepared.leaves:
        reason = f"“{found[0]}” sets aside {leaf.id if leaf else 'a finding'} without a reason."
        yield violation(sentence, (start, end), "unsupported_caveat", leaf, reason, 0.5)


def _invented_state(reading: Reading, sentence: Sentence) -> Iterator[Violation]:
    """A state of affairs asserted of this very case that no fact is about."""
    found = phrases("states_degree").search(sentence.text)
    if found is None or states_nothing(sentence) or sentence.figures:
        return
    start, end = sentence.clause_at(found.start())
    here = phrases("this_case").search(sentence.text, start, end)
    if here is None or phrases("modal").search(sentence.text, start, end):
        return
    keys = sentence.keys_in(start, end)
    if keys and not reading.prepared.touched(keys - sentence.keys_in(*here.span())):
        reason = "This is stated of this very case, and no fact is about it."
        yield violation(sentence, (start, end), "fact_invention", None, reason, 0.45)


def _target(reading: Reading, sentence: Sentence, start: int, end: int) -> PreparedFact | None:
    """The fact that a clause doubts: whose figure it states, or that it is about; else that of a pronoun's sentence."""
    stated = reading.figures_stated_in(sentence, start, end)
    if stated:
        return reading.prepared.by_id[sorted(stated)[0]]
    keys = sentence.keys_in(start, end)
    return next(iter(reading.about(keys)), None)


def _touching(reading: Reading, keys: frozenset[str]) -> PreparedFact | None:
    touched = reading.prepared.touched(keys)
    return max(touched, key=lambda leaf: reading.prepared.share(leaf, keys), default=None)


def _keys_before(reading: Reading, sentence: Sentence) -> frozenset[str]:
    """The content words of the sentence before, which a pronoun may stand for."""
    return reading.sentences[sentence.index - 1].keys if sentence.index else frozenset()


def _on_topic(reading: Reading, sentence: Sentence) -> bool:
    return not reading.prepared.leaves or bool(reading.prepared.touched(sentence.keys))


def _gives_reason(reading: Reading, sentence: Sentence, after: int) -> bool:
    """Whether "because …" follows with the words or figures of a fact."""
    because = _BECAUSE.search(sentence.text, after)
    if because is None:
        return False
    keys = sentence.keys_in(because.end(), len(sentence.text))
    return bool(reading.figures_stated_in(sentence, because.end(), len(sentence.text))) or any(
        reading.prepared.share(leaf, keys) >= _ANY_REASON for leaf in reading.prepared.touched(keys)
    )


def _negated(sentence: Sentence, place: int) -> bool:
    start = sentence.clause_at(place)[0]
    before = range(max(start, place - _NEGATED), place)
    return any(each.start in before and not each.verb for each in sentence.negations)
