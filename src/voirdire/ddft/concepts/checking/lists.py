"""Rules for names and lists: what the file is called, instances, scholars, topics, and what is real."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from voirdire.ddft.concepts.checking.findings import Finding, Limits, error, warning
from voirdire.ddft.concepts.reading import KEYS, REQUIRED, unknown_key
from voirdire.ddft.traps import giveaway_in
from voirdire.records import Concept, Instance
from voirdire.text.counting import counted

PARTS = {
    "facts": frozenset({"id", "text", "source", "wrong", "position"}),
    "instances": frozenset({"name", "person", "date", "place", "work"}),
}
REAL_KINDS = ("paper", "event", "law")
TOPIC_WORDS = (2, 7)
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def key_findings(raw: Mapping[str, Any], limits: Limits) -> Iterator[Finding]:
    """Keys of a file that nothing reads: a slip of the pen, most often."""
    for key in raw:
        if key not in KEYS:
            yield Finding(limits.severity, "keys", str(key), f"There is an {unknown_key(str(key), KEYS)}.")
    for part, known in PARTS.items():
        for place, entry in enumerate(raw[part]):
            for key in entry:
                if key not in known:
                    message = f"There is an {unknown_key(str(key), known)}."
                    yield Finding(limits.severity, "keys", f"{part}[{place}].{key}", message)


def name_findings(concept: Concept, stem: str | None, limits: Limits) -> Iterator[Finding]:
    """What is wrong with id and name. `stem` is the file's name, where there is a file."""
    if not _ID.match(concept.id):
        yield error("id", "id", f"The id {concept.id!r} must be lower-case letters, digits and single hyphens.")
    if stem is not None and stem != concept.id:
        yield Finding(limits.severity, "id", "id", f"The id {concept.id!r} is not the file's name, {stem!r}.")
    word = giveaway_in(concept.name)
    if word is not None:
        yield error("name", "name", f"The word {word!r} in the name makes every trap question give itself away.")


def instance_findings(concept: Concept, limits: Limits) -> Iterator[Finding]:
    """What is wrong with the instances: turns 2 and 3 are to be answered from the reference."""
    yield from _enough("instances", "instances", [each.name for each in concept.instances], limits.instances, limits)
    for place, instance in enumerate(concept.instances):
        for message in _instance_faults(instance, concept.reference):
            yield Finding(limits.severity, "instance", f"instances[{place}]", message)


def scholar_findings(concept: Concept, limits: Limits) -> Iterator[Finding]:
    """What is wrong with the list of people and bodies of the field."""
    yield from _enough("scholars", "scholars", concept.scholars, limits.scholars, limits)
    for place, name in enumerate(concept.scholars):
        if name[:1].islower() or not name.strip():
            yield warning("scholars", f"scholars[{place}]", f"{name!r} does not look like a name.")


def topic_findings(concept: Concept, limits: Limits) -> Iterator[Finding]:
    """What is wrong with the topics: they must read well inside a trap and not give it away."""
    yield from _enough("topics", "topics", concept.topics, limits.topics, limits)
    least, most = TOPIC_WORDS
    for place, topic in enumerate(concept.topics):
        field = f"topics[{place}]"
        if not least <= len(topic.split()) <= most:
            yield Finding(limits.severity, "topics", field, f"{topic!r} should have {least} to {most} words.")
        if topic.endswith("."):
            yield Finding(limits.severity, "topics", field, f"{topic!r} should be a noun phrase, without a full stop.")
        word = giveaway_in(topic)
        if word is not None:
            yield Finding(limits.severity, "topics", field, f"The word {word!r} in {topic!r} gives a trap away.")


def real_findings(concept: Concept, limits: Limits) -> Iterator[Finding]:
    """What is wrong with the lists of real papers, events and laws."""
    for kind in concept.real:
        if kind not in REAL_KINDS:
            yield Finding(
                limits.severity,
                "real",
                f"real.{kind}",
                f"Nothing reads {kind!r}; there are {', '.join(REAL_KINDS)}.",
            )
    for kind in REAL_KINDS:
        yield from _enough("real", f"real.{kind}", concept.real.get(kind, ()), limits.real, limits)


def _instance_faults(instance: Instance, reference: str) -> Iterator[str]:
    fields = (instance.name, instance.person, instance.date, instance.place, instance.work)
    if not instance.name:
        yield "An instance has no name."
        return
    given = sum(map(bool, fields))
    if given < 3:
        yield f"{instance.name!r} has {counted(given, 'field')}; at least three make a detail to ask for."
    for year in re.findall(r"\d{4}", instance.date):
        if year not in reference:
            yield f"The year {year} of {instance.name!r} does not stand in the reference."
    if instance.person and instance.person.split()[-1] not in reference:
        yield f"{instance.person}, of {instance.name!r}, does not stand in the reference."


def _enough(rule: str, field: str, listed: Sequence[str], wanted: int, limits: Limits) -> Iterator[Finding]:
    if len(listed) < wanted:
        severity = "error" if rule in REQUIRED and not listed else limits.severity
        yield Finding(severity, rule, field, f"{field} holds {len(listed)} of the {wanted} entries that are wanted.")
    folded = [entry.casefold() for entry in listed]
    for name in sorted({entry for entry in listed if folded.count(entry.casefold()) > 1}):
        yield Finding(limits.severity, rule, field, f"{name!r} stands in {field} more than once.")
