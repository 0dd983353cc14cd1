"""That the context is silent on something: wrong where one of its sentences has it, and the answer asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure
from voirdire.evidence.lexicon import Measure, lexicon
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, parse, stems_of
from voirdire.text.entities import find_names
from voirdire.text.overlap import content_words
from voirdire.text.shortening import beginning
from voirdire.text.smalltalk import SourceDenial
from voirdire.text.units import comparable, family, is_money, units_of_spelling

_ASKED = re.compile(r"(?i)(?:(?:by|for|from|in|on|at|to|of|exactly) )*(?P<word>how \w+|how|when|where|who\w*|why)\b ?")
_ELSEWHERE = frozenset("it its they them their he his she her this that these those".split())
"""What stands for something said before: of what it is, the sentence says nothing."""
_REASONS = re.compile(r"(?i)\b(?:because|since|due to|so that|in order to|owing to|thanks to)\b")
_DOER = re.compile(r"(?i)\bby (?:the|an?|your|our|their|his|her|its) (?!end|time|date|deadline|same)")
_DAYS = re.compile(r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|weekends?|noon|midnight)\b")
_COSTS = re.compile(r"(?i)\bcosts?$")
_OPENER = re.compile(r"([A-Z][\w'’-]+) (\w+)")
"""A word that may be a name, and the verb after it."""
_IS = re.compile(
    r"\b(?:is|are|was|were|be) (?:(?:about|around|approximately|roughly|only|just|nearly|almost|over|under|up to"
    r"|at least|at most|more than|less than) )*$"
)
"""What stands right before a figure that is a measure of the subject: "the pump is about 3 kg"."""
_NEXT_WORD = re.compile(r"[\s-]*([^\W\d_]+)")
_TIMES = frozenset(("year", "date", "clock"))
_QUOTED = 120
"""Characters of a context sentence that a reason quotes."""
_SURE = 0.9


def denial_contradictions(denial: SourceDenial, index: ContextIndex) -> Iterator[Contradiction]:
    """The first sentence of the context that says what it is said to be silent on."""
    for subject in denial.subjects:
        place = _place_of(subject, index)
        if place is not None:
            text = index.sentences[place].text
            yield Contradiction("negation", denial.text, beginning(text, _QUOTED), text, _SURE)
            return


def _place_of(subject: str, index: ContextIndex) -> int | None:
    """The first sentence of the context with all content words of a subject, and the answer that it asks for."""
    asked = _ASKED.match(subject)
    word = asked["word"].lower() if asked else ""
    topic = parse(subject[asked.end() :] if asked else subject)
    if not topic.stems or word == "how" or not _ELSEWHERE.isdisjoint(topic.words):
        return None
    priced = topic.stems & _prices() if word in ("", "how much") else frozenset()
    measure = None if word else _measure_in(topic)
    return next(
        (
            place
            for place, sentence in enumerate(index.sentences)
            if (topic.stems <= sentence.stems and _answers(word, topic, place, index))
            or (priced and _gives_price(topic.stems - priced, place, index))
            or (measure is not None and topic.stems - measure.words <= sentence.stems and _gives(measure, place, index))
        ),
        None,
    )


def _measure_in(topic: ParsedSentence) -> Measure | None:
    """What the one who misses something misses the measure of: the weight, in "the weight of the pump"."""
    measures = (each for each in lexicon().measures if not each.words.isdisjoint(topic.stems))
    return next((each for each in measures if topic.stems - each.words), None)


def _gives(measure: Measure, place: int, index: ContextIndex) -> bool:
    """Whether a sentence of the context gives a measure: "weighs 3 kg", "is about 3 kg", "a noise level of 60 dB".

    In units of it, the figure must follow a form of "be", or the sentence must have a word for the measure.
    """
    sentence, figures = index.sentences[place], index.figures[place]
    named = not measure.words.isdisjoint(sentence.stems)
    if not measure.units:
        return named and bool(figures)
    wanted = [units_of_spelling(unit) for unit in measure.units]
    return any(
        any(family(figure.units) & family(each) for each in wanted)
        and (named or (_IS.search(figure.before) is not None and not _measures_otherwise(sentence, figure)))
        for figure in figures
    )


def _measures_otherwise(sentence: ParsedSentence, figure: Figure) -> bool:
    """Whether the word after a figure says of what it is a measure: "3 m wide", "3 m from the wall"."""
    follows = _NEXT_WORD.match(sentence.text, figure.end)
    return follows is not None and (
        follows[1] in ("from", "of", "away") or any(parse(follows[1]).stems & each.words for each in lexicon().measures)
    )


def _gives_price(of: frozenset[str], place: int, index: ContextIndex) -> bool:
    """Whether a sentence of the context has a sum of money for these words: "admission is 9 euros", "costs 300 euros".

    The sum must follow them or a word for a price: what a club earned is no price of it.
    """
    sentence = index.sentences[place]
    before = (
        stems_of([token for token in sentence.tokens if token.end <= figure.start])[-1:]
        for figure in index.figures[place]
        if is_money(figure.units)
    )
    return of <= sentence.stems and any(not (of | _prices()).isdisjoint(words) for words in before)


def _answers(word: str, topic: ParsedSentence, place: int, index: ContextIndex) -> bool:
    """Whether a sentence of the context has what a question word asks for, apart from what is said."""
    sentence, figures = index.sentences[place], index.figures[place]
    others = [each for each in figures if each.text.lower() not in topic.text.lower()]
    if word == "when":
        return any(map(_is_time, others)) or _DAYS.search(sentence.text) is not None
    if word == "how much":
        return any(map(_is_price if _COSTS.search(topic.text) else _is_amount, others))
    if word == "how long":
        return any(_is_time(each) or comparable(each.units, units_of_spelling("metre")) for each in others)
    if word in ("how expensive", "how cheap"):
        return any(map(_is_price, others))
    if word == "how many":
        return bool(others)
    if word.startswith("how "):
        return _says_how(word.removeprefix("how "), place, index)
    if word == "why":
        return _REASONS.search(sentence.text) is not None
    if word.startswith("who") and (_DOER.search(sentence.text) or _begins_with_doer(sentence, topic)):
        return True
    if word == "where" or word.startswith("who"):
        return any(topic.words.isdisjoint(parse(name.text).words) for name in find_names(sentence.text))
    return True


def _says_how(quality: str, place: int, index: ContextIndex) -> bool:
    """Whether a sentence of the context says how heavy, loud … something is: in figures that measure it."""
    stems = parse(quality).stems
    measures = [each for each in lexicon().measures if not each.words.isdisjoint(stems)]
    if measures:
        return any(_gives(each, place, index) for each in measures)
    return bool(stems & index.sentences[place].stems and index.figures[place])


def _is_time(figure: Figure) -> bool:
    return figure.number.kind in _TIMES or not _durations().isdisjoint(figure.units)


def _is_price(figure: Figure) -> bool:
    return is_money(figure.units) or figure.number.kind == "percent"


def _is_amount(figure: Figure) -> bool:
    return not _is_time(figure)


def _begins_with_doer(sentence: ParsedSentence, topic: ParsedSentence) -> bool:
    """Whether a sentence begins with one word, no pronoun, and the verb that is asked about: "Ann founded the club"."""
    begins = _OPENER.match(sentence.text)
    if begins is None or not topic.text.lower().startswith(begins[2].lower()):
        return False
    return bool(content_words(begins[1])) and begins[1].lower() not in _ELSEWHERE


@cache
def _prices() -> frozenset[str]:
    """The stems of words for a price."""
    return parse("price prices cost costs fee fees").stems


@cache
def _durations() -> frozenset[str]:
    words = ("second", "minute", "hour", "day", "week", "month", "year")
    return frozenset(unit for word in words for unit in units_of_spelling(word))
