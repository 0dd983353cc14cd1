"""Rules for everything in a concept but its facts: reference, names and lists, fabrications, kinds."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from voirdire.ddft.concepts.checking.findings import MIN_SENTENCES, BrokenRule, Limits, error, warning
from voirdire.ddft.concepts.loader import KEYS, REQUIRED, unknown_key
from voirdire.ddft.questions import TRAP_TURN, Ask, interview_setting, question_faults, scripted_question, situation_of
from voirdire.ddft.traps import TrapError, draw_trap, giveaway_in, trap_seed
from voirdire.records import TRAP_KINDS, Concept, Fact, Instance, Trap, TrapKind
from voirdire.text.counting import counted
from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences

SEEDS = 25
"""Draws of each kind; a study of five levels and five samples takes as many."""
MAX_REJECTED = 2.0
"""Draws rejected per trap above which the lists, or the topics, leave little room."""


def trap_findings(concept: Concept, seeds: int = SEEDS) -> Iterator[BrokenRule]:
    """What is wrong with the fabrications that can be drawn for a concept; without topics there are none to draw."""
    for kind in TRAP_KINDS if concept.topics else ():
        yield from _kind_findings(concept, kind, seeds)


def _kind_findings(concept: Concept, kind: TrapKind, seeds: int) -> Iterator[BrokenRule]:
    reference = concept.reference.casefold()
    giveaway = giveaway_in(concept.name)  # said once, of the name
    rejected = 0
    for number in range(seeds):
        seed = trap_seed(number, concept.id, 0.5, 0)
        try:
            draw = draw_trap(concept, kind, seed)
        except TrapError as failure:
            yield error("traps", "topics", f"{failure} Add topics, or take names out of real and scholars.")
            return
        rejected += len(draw.rejected)
        if draw.trap.item.casefold() in reference:
            message = f"The reference names {draw.trap.item}, a fabricated {kind}: take it out of the reference."
            yield error("traps", "reference", message)
            return
        faults = (
            [] if giveaway else question_faults(_question(concept, draw.trap, seed), _ask(concept, draw.trap, seed))
        )
        if faults:
            why = "; ".join(faults)
            message = (
                f"The question about {draw.trap.item} can't be asked, since {why}: reword the topic that it names."
            )
            yield error("traps", "topics", message)
            return
    if rejected > MAX_REJECTED * seeds:
        yield warning(
            "traps",
            "topics",
            f"For {seeds} fabrications of the kind {kind}, {rejected} others were rejected, as too like something "
            "real: add topics.",
        )


def _ask(concept: Concept, trap: Trap, seed: str) -> Ask:
    place, topic = interview_setting(concept, seed)
    return Ask(TRAP_TURN, situation_of(TRAP_TURN, trap, None), concept.name, None, trap, place, topic, seed)


def _question(concept: Concept, trap: Trap, seed: str) -> str:
    return scripted_question(_ask(concept, trap, seed))


_STEPS = re.compile(
    r"\b(?:first|second|third|then|next|before|after|once|until|finally|step|steps|begin|begins|start|starts)\b", re.I
)
_SAFETY = re.compile(
    r"\b(?:never|not|only|unless|must|danger\w*|safe\w*|unsafe|warn\w*|risk\w*|stop|stops|at most|at least|"
    r"no more than|below|above|within|emergency|poison\w*|toxic|burn\w*|shock)\b",
    re.I,
)
_MIN_STEPS = 3
_MONTHS = tuple("January February March April May June July August September October November December".split())


def kind_findings(concept: Concept, limits: Limits, today: date | None = None) -> Iterator[BrokenRule]:
    """What is wrong with a concept of its kind."""
    if concept.as_of:
        yield from _date(concept, limits, today or date.today())
    if concept.kind == "contested":
        yield from _contested(concept, limits)
    else:
        yield from _stray_positions(concept)
    if concept.kind == "practical":
        yield from _practical(concept, limits)


def dates_written(day: date) -> tuple[str, ...]:
    """The ways in which a text may state a date."""
    month = _MONTHS[day.month - 1]
    return (day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}")


def _date(concept: Concept, limits: Limits, today: date) -> Iterator[BrokenRule]:
    day = date.fromisoformat(concept.as_of)
    if day > today:
        yield error(
            "as-of", "as_of", f"as_of is {concept.as_of}, which is in the future: give the day that you checked."
        )
    if concept.kind == "current" and not any(written in concept.reference for written in dates_written(day)):
        _, second, _ = dates_written(day)
        message = f"The reference does not state its date: write {second} or {concept.as_of} into it."
        yield BrokenRule(limits.severity, "as-of", "reference", message)


def _contested(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    for place, fact in enumerate(concept.facts):
        if not fact.position:
            yield error(
                "position",
                f"facts[{place}]",
                f"Fact {fact.id} does not say whose view it is: name the holder in its position.",
            )
        elif not _names_whose(fact, concept):
            yield BrokenRule(
                limits.severity,
                "position",
                f"facts[{place}].text",
                f"The text of fact {fact.id} does not say that {fact.position} holds it: name whose view it is.",
            )
    positions = {fact.position.casefold() for fact in concept.facts if fact.position}
    if len(positions) < 2:
        yield error(
            "position",
            "facts",
            "A contested concept needs facts of at least two positions: add facts of another.",
        )


def _names_whose(fact: Fact, concept: Concept) -> bool:
    """Whether the sentence names its position, or a person or body of the field."""
    fact_words = set(content_words(fact.text))
    if fact_words & set(content_words(fact.position)):
        return True
    people = [*concept.scholars, *(instance.person for instance in concept.instances if instance.person)]
    return any(person.split()[-1].casefold() in fact.text.casefold() for person in people)


def _stray_positions(concept: Concept) -> Iterator[BrokenRule]:
    for place, fact in enumerate(concept.facts):
        if fact.position:
            yield warning(
                "position",
                f"facts[{place}].position",
                f"Fact {fact.id} has a position, which only kind: contested reads: remove it, or change the kind.",
            )


def _practical(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    if len(_STEPS.findall(concept.reference)) < _MIN_STEPS:
        message = "The reference gives no order of steps: say what to do first, then, and after that."
        yield BrokenRule(limits.severity, "steps", "reference", message)
    if not _SAFETY.search(concept.reference):
        message = "The reference gives no limit of safety: say what one must never do, or only within which bounds."
        yield BrokenRule(limits.severity, "safety", "reference", message)


PARTS = {
    "facts": frozenset({"id", "text", "source", "wrong", "position"}),
    "instances": frozenset({"name", "person", "date", "place", "work"}),
}
REAL_KINDS = ("paper", "event", "law")
TOPIC_WORDS = (2, 7)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def key_findings(raw: Mapping[str, Any], limits: Limits) -> Iterator[BrokenRule]:
    """Keys of a file that nothing reads: a slip of the pen, most often."""
    for key in raw:
        if key not in KEYS:
            yield BrokenRule(limits.severity, "keys", str(key), _unread(str(key), KEYS))
    for part, known in PARTS.items():
        for place, entry in enumerate(raw[part]):
            for key in entry:
                if key not in known:
                    yield BrokenRule(limits.severity, "keys", f"{part}[{place}].{key}", _unread(str(key), known))


def _unread(key: str, known: Collection[str]) -> str:
    return f"Nothing reads the {unknown_key(key, known)}: rename or remove it."


def name_findings(concept: Concept, stem: str | None, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with id and name. `stem` is the file's name, where there is a file."""
    if not _ID.match(concept.id):
        yield error(
            "id",
            "id",
            f"The id {concept.id!r} can't be used: write it in lower-case letters, digits and single hyphens.",
        )
    if stem is not None and stem != concept.id:
        message = f"The id {concept.id!r} is not the file's name, {stem!r}: rename one of them."
        yield BrokenRule(limits.severity, "id", "id", message)
    word = giveaway_in(concept.name)
    if word is not None:
        yield error(
            "name",
            "name",
            f"The word {word!r} in the name makes every question with a fabrication give itself away: use a name "
            "without it.",
        )


def instance_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with the instances: turns 2 and 3 are to be answered from the reference."""
    yield from _enough("instances", "instances", [each.name for each in concept.instances], limits.instances, limits)
    for place, instance in enumerate(concept.instances):
        for message in _instance_faults(instance, concept.reference):
            yield BrokenRule(limits.severity, "instance", f"instances[{place}]", message)


def scholar_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with the list of people and bodies of the field."""
    yield from _enough("scholars", "scholars", concept.scholars, limits.scholars, limits)
    for place, name in enumerate(concept.scholars):
        if name[:1].islower() or not name.strip():
            yield warning(
                "scholars",
                f"scholars[{place}]",
                f"{name!r} does not look like a name: write it with a capital, or remove it.",
            )


def topic_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with the topics: they must read well inside a trap and not give it away."""
    yield from _enough("topics", "topics", concept.topics, limits.topics, limits)
    least, most = TOPIC_WORDS
    for place, topic in enumerate(concept.topics):
        field = f"topics[{place}]"
        if not least <= len(topic.split()) <= most:
            yield BrokenRule(
                limits.severity,
                "topics",
                field,
                f"{topic!r} has {counted(len(topic.split()), 'word')}: use {least} to {most}.",
            )
        if topic.endswith("."):
            yield BrokenRule(
                limits.severity, "topics", field, f"{topic!r} ends in a full stop: make it a noun phrase without one."
            )
        word = giveaway_in(topic)
        if word is not None:
            message = f"The word {word!r} in {topic!r} gives a fabrication away: use another word."
            yield BrokenRule(limits.severity, "topics", field, message)


def real_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with the lists of real papers, events and laws."""
    for kind in concept.real:
        if kind not in REAL_KINDS:
            yield BrokenRule(
                limits.severity,
                "real",
                f"real.{kind}",
                f"Nothing reads {kind!r} in real: rename it to {' or '.join(REAL_KINDS)}, or remove it.",
            )
    for kind in REAL_KINDS:
        yield from _enough("real", f"real.{kind}", concept.real.get(kind, ()), limits.real, limits)


def _instance_faults(instance: Instance, reference: str) -> Iterator[str]:
    fields = (instance.name, instance.person, instance.date, instance.place, instance.work)
    if not instance.name:
        yield "This instance has no name: add one, or remove the instance."
        return
    count = sum(map(bool, fields))
    if count < 3:
        yield (
            f"The instance {instance.name!r} has {counted(count, 'field')}, too few to ask for a detail: fill in at "
            "least three of name, person, date, place and work."
        )
    for year in re.findall(r"\d{4}", instance.date):
        if year not in reference:
            yield f"The reference lacks the year {year} of the instance {instance.name!r}: add or correct it."
    if instance.person and instance.person.split()[-1] not in reference:
        yield f"The reference lacks {instance.person}, of the instance {instance.name!r}: add or correct the name."


def _enough(rule: str, field: str, entries: Sequence[str], minimum: int, limits: Limits) -> Iterator[BrokenRule]:
    if len(entries) < minimum:
        severity = "error" if rule in REQUIRED and not entries else limits.severity
        message = f"{field} has {counted(len(entries), 'entry', 'entries')}, fewer than the {minimum} wanted: "
        yield BrokenRule(severity, rule, field, f"{message}add {minimum - len(entries)}.")
    folded = [entry.casefold() for entry in entries]
    for name in sorted({entry for entry in entries if folded.count(entry.casefold()) > 1}):
        yield BrokenRule(
            limits.severity, rule, field, f"{name!r} stands in {field} more than once: remove the repetition."
        )


MAX_SENTENCE = 45
"""Words; a longer sentence says several things, and compression takes them away together."""

# "It is true that …" points nowhere; "It was stated by Mill" hangs in the air once its neighbour is gone.
_OPENER = re.compile(
    r"(?:However|Therefore|Thus|Hence|Moreover|Furthermore|Consequently|Nevertheless|Nonetheless|Instead|Similarly|"
    r"Likewise|Accordingly|Besides|Conversely|Otherwise|But|And|So|Yet|He|She|They|It|His|Her|Their|Its)\b|"
    r"(?:This|That|These|Those)(?= (?:is|are|was|were|has|have|had|can|could|may|might|must|will|would|did|does|do)\b)"
)
_NO_REFERENT = re.compile(r"It (?:is|was|can be|has been) (?:\w+ )?(?:that|to|when|where|who)\b")


def reference_findings(concept: Concept, limits: Limits) -> Iterator[BrokenRule]:
    """What is wrong with a concept's reference."""
    text = concept.reference
    sentences = [sentence.text for sentence in split_sentences(text)]
    yield from _length(text, limits)
    if len(sentences) < MIN_SENTENCES:
        yield error(
            "reference-sentences",
            "reference",
            f"The reference has {counted(len(sentences), 'sentence')}, too few to take some away level by level: "
            f"write at least {MIN_SENTENCES}.",
        )
    for sentence in sentences:
        yield from _alone(sentence)
    twice = {sentence for sentence in sentences if sentences.count(sentence) > 1}
    for sentence in sorted(twice):
        message = f"The reference has this sentence twice; remove one: {_cut(sentence)}"
        yield warning("reference-repeats", "reference", message, sentence)


def opens_dependent(sentence: str) -> str | None:
    """The word at a sentence's beginning that needs the sentence before it ("It", "However"), if there is one."""
    opener = _OPENER.match(sentence)
    return opener.group(0) if opener and not _NO_REFERENT.match(sentence) else None


def _length(text: str, limits: Limits) -> Iterator[BrokenRule]:
    count, (least, most) = len(text.split()), limits.words
    if not least <= count <= most:
        yield BrokenRule(
            limits.severity,
            "reference-length",
            "reference",
            f"The reference has {counted(count, 'word')}: {'lengthen' if count < least else 'shorten'} it to between "
            f"{least} and {most}.",
        )
    paragraphs = len(text.split("\n\n"))
    if paragraphs < limits.paragraphs:
        message = f"The reference has {counted(paragraphs, 'paragraph')}: divide it into at least {limits.paragraphs}."
        yield BrokenRule(limits.severity, "reference-paragraphs", "reference", message)


def _alone(sentence: str) -> Iterator[BrokenRule]:
    opener = opens_dependent(sentence)
    if opener is not None:
        yield warning(
            "sentence-alone",
            "reference",
            f"A sentence that opens with {opener!r} can't be understood when the one before it is gone; reword it to "
            f"stand alone: {_cut(sentence)}",
            sentence,
        )
    count = len(sentence.split())
    if count > MAX_SENTENCE:
        message = f"A sentence has {count} words; divide it, or shorten it to {MAX_SENTENCE}: {_cut(sentence)}"
        yield warning("sentence-length", "reference", message, sentence)


def _cut(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:69].rstrip()}…"
