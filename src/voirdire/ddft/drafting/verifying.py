"""What a model drafts, checked against the document: nothing stays that the document does not support."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from voirdire.ddft.concepts.checking.facts import MAX_WORDS, wrong_fault
from voirdire.ddft.concepts.checking.rules import TOPIC_WORDS, dates_written, opens_dependent
from voirdire.ddft.concepts.checking.support import telling_details
from voirdire.ddft.drafting.records import Brief, DraftFact
from voirdire.ddft.traps import giveaway_in
from voirdire.jury.hostile_answers import find_addresses
from voirdire.records import Fact, Instance
from voirdire.runs.prompt_fence import restore_control_tokens
from voirdire.text.counting import counted
from voirdire.text.numbers import Number, find_numbers
from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences

MIN_QUOTE, MAX_QUOTE = 3, 60
"""Words of a quote; the prompt asks for at most 40."""
REFERENCE_WORDS = (300, 450)
_NO_PROSE = re.compile(r"<<<|>>>|^\s*(?:[-*•#]|\d+[.)])\s", re.MULTILINE)
_SAME = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‑": "-", "\u00a0": " "})


def is_in_text(quote: str, text: str) -> bool:
    """Whether a quote stands in a text, whatever its line breaks, quotation marks, dashes and case."""
    return bool(quote.strip()) and _plain(quote) in _plain(text)


def fact_fault(fact: DraftFact, part: str, document: str, brief: Brief) -> str | None:
    """Why a drafted fact can't stand; `None` when it can."""
    words = len(fact.text.split())
    if not MIN_QUOTE <= len(fact.quote.split()) <= MAX_QUOTE:
        return f"its quote must have {MIN_QUOTE} to {MAX_QUOTE} words"
    if not is_in_text(fact.quote, part):
        return "its quote does not stand in the document"
    if find_addresses(f"{fact.text}\n{fact.quote}\n{fact.position}"):
        return "it speaks to a judge or a system"  # as a fact, it would stand in every judge's prompt
    if words > MAX_WORDS or not fact.text.endswith((".", '."')):
        return f"it must be one full sentence of at most {MAX_WORDS} words, and has {words}"
    if ";" in fact.text:
        return "it states several things; cut it"
    opener = opens_dependent(fact.text)
    if opener:
        return f"it opens with {opener!r} and can't be understood alone"
    new = new_figures(fact.text, fact.quote)
    if new:
        return f"its quote lacks the figure {new[0]}"
    names = unknown_names(fact.text, f"{document} {brief.name}")
    if names:
        return f"the document does not name {', '.join(names)}"
    if brief.kind == "contested" and not set(content_words(fact.position)) & set(content_words(fact.text)):
        return "it must say in its own words whose view it is, and position must name that party"
    return None


def reference_faults(reference: str, document: str, brief: Brief) -> list[str]:
    """What is weak about the form of a drafted reference: length, sentences that hang on others, a missing date."""
    faults = []
    least, most = reference_words(document)
    count = len(reference.split())
    if not least <= count <= most:
        faults.append(f"it has {counted(count, 'word')}, and must have {least} to {most}")
    opening = [sentence.text for sentence in split_sentences(reference) if opens_dependent(sentence.text)]
    if opening:
        faults.append(f"a sentence can't be understood alone: {opening[0][:80]}")
    if brief.kind == "current" and not any(written in reference for written in _dates(brief)):
        faults.append(f"it does not state its date, {_dates(brief)[1]}")
    return faults


def invented_in(reference: str, document: str, brief: Brief) -> list[str]:
    """What a drafted reference holds that the document does not: figures, names, or no prose at all."""
    if _NO_PROSE.search(reference):
        return ["it is a list or a copy of what was asked, and must be prose"]
    if find_addresses(reference):
        return ["it speaks to a judge or a system"]
    source = "\n".join([document, brief.name, *_dates(brief)])
    figures, names = new_figures(reference, source), unknown_names(reference, source)
    return [
        *([f"the document lacks the figure {figures[0]}"] if figures else []),
        *([f"the document does not name {', '.join(names[:5])}"] if names else []),
    ]


def reference_words(document: str) -> tuple[int, int]:
    """How many words a reference may have: of a short document, not more than it can carry."""
    least, most = REFERENCE_WORDS
    return min(least, max(60, int(0.6 * len(document.split())))), most


def false_fault(fact: Fact, facts: Sequence[Fact], reference: str) -> str | None:
    """Why a fact's wrong version can't stand; `None` when it can."""
    fault = wrong_fault(fact, {other.text for other in facts}, reference)
    return None if fault is None else f"it {fault.why}"


def verified_names(names: Sequence[str], document: str) -> list[str]:
    """Of names that a model lists, those that stand in the document and speak to nobody."""
    return [" ".join(name.split()) for name in names if is_in_text(name, document) and not find_addresses(name)]


def verified_topics(topics: Sequence[str], document: str) -> list[str]:
    """Of noun phrases that a model lists, those of the right length whose words the document has."""
    least, most = TOPIC_WORDS
    known = set(content_words(document))
    return [
        topic_form(topic)
        for topic in topics
        if least <= len(topic.split()) <= most
        and set(content_words(topic)) <= known
        and content_words(topic)
        and giveaway_in(topic) is None
        and not find_addresses(topic)
    ]


def topic_form(topic: str) -> str:
    """A noun phrase as it reads inside a sentence: without a full stop, and in lower case unless it holds a name."""
    plain = " ".join(topic.split()).rstrip(".")
    return plain[:1].lower() + plain[1:] if plain[1:].islower() else plain


def verified_instance(instance: Instance, document: str) -> Instance | None:
    """An instance with the fields that stand in a paragraph with its name; `None` where there is no such paragraph."""
    fields = {name: getattr(instance, name) for name in ("person", "date", "place", "work")}
    around = [paragraph for paragraph in document.split("\n\n") if is_in_text(instance.name, paragraph)]
    verified = {
        name: value for name, value in fields.items() if any(is_in_text(value, paragraph) for paragraph in around)
    }
    spoken = find_addresses("\n".join([instance.name, *verified.values()]))
    return Instance(instance.name, **verified) if verified and not spoken else None


def new_figures(text: str, source: str) -> list[str]:
    """The numbers of a text that its source lacks; of a date in the source, the year alone may be given."""
    known = find_numbers(source)

    def carried(number: Number) -> bool:
        return any(
            (number.low, number.high) == (each.low, each.high)
            and number.month in (None, each.month)
            and number.day in (None, each.day)
            for each in known
        )

    return [number.text for number in find_numbers(text) if not carried(number)]


def unknown_names(text: str, document: str) -> list[str]:
    """Capitalised words within sentences that a document does not have, in any case."""
    known = set(re.findall(r"\w+", _plain(document)))
    names: list[str] = []
    for sentence in split_sentences(text):
        for detail in telling_details(sentence.text):
            words = re.findall(r"\w+", _plain(detail))
            if content_words(detail) and not set(words) <= known:
                names.append(detail)
    return sorted(set(names))


def _plain(text: str) -> str:
    return " ".join(restore_control_tokens(text).translate(_SAME).casefold().split())


def _dates(brief: Brief) -> tuple[str, ...]:
    return dates_written(date.fromisoformat(brief.as_of)) if brief.as_of else ()
