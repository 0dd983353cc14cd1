"""A draft as a concept file: YAML that a person goes through, with what the rules found in its head."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from voirdire.ddft.drafting.records import Draft
from voirdire.records import Concept, Fact

WIDTH = 110


def draft_text(draft: Draft, document: str, sha256: str, spec: str) -> str:
    """The file of a draft."""
    head = [
        f"Draft: to be read by a person before anything is tested with it. Made by {spec} from {document} "
        f"(sha256 {sha256[:16]}…).",
        "Every fact stands in its quote as far as code can tell; whether it says what the document means, only a "
        "reader can tell. Judges will trust the reference in every sentence.",
        "scholars and real hold what the document names: add real people, bodies, papers, events and laws of the "
        "field, so that no fabrication is real.",
    ]
    for title, lines in _lists(draft):
        head += [title, *(f"  - {line}" for line in lines)]
    return "".join(f"{line}\n" for text in head for line in _comment(text)) + "\n" + _yaml(draft.concept)


def _lists(draft: Draft) -> Iterator[tuple[str, list[str]]]:
    findings = [f"{finding.severity}, {finding.field}: {finding.message}" for finding in draft.findings]
    if findings:
        yield "What concepts check found:", findings
    if draft.refused:
        yield "What the model gave and the rules refused:", list(draft.refused)


def _comment(text: str) -> list[str]:
    """The text as comment lines, whatever line breaks a model put into it."""
    indent = "#   " if text.startswith("  ") else "# "
    plain = "".join(char if char.isprintable() else " " for char in text)
    return textwrap.wrap(
        " ".join(plain.split()), WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )


def _yaml(concept: Concept) -> str:
    import yaml

    class Block(str):
        """A text that is written as it stands, line by line."""

    class Dumper(yaml.SafeDumper):
        """Writes `Block`s with a bar."""

    Dumper.add_representer(
        Block, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style="|")
    )
    paragraphs = [textwrap.fill(paragraph, WIDTH) for paragraph in concept.reference.split("\n\n")]
    body = _body(concept) | {"reference": Block("\n\n".join(paragraphs) + "\n")}
    dumped = [
        yaml.dump({key: value}, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
        for key, value in body.items()
    ]
    return "\n".join(dumped)


def _body(concept: Concept) -> dict[str, Any]:
    return {
        "id": concept.id,
        "name": concept.name,
        "domain": concept.domain,
        **({"kind": concept.kind} if concept.kind != "established" else {}),
        **({"as_of": concept.as_of} if concept.as_of else {}),
        "aliases": list(concept.aliases),
        "reference": concept.reference,
        "facts": [_fact(fact) for fact in concept.facts],
        "instances": [
            {name: value for name in _INSTANCE if (value := getattr(instance, name))} for instance in concept.instances
        ],
        "scholars": list(concept.scholars),
        "topics": list(concept.topics),
        "real": {kind: list(names) for kind, names in concept.real.items()},
    }


def _fact(fact: Fact) -> dict[str, str]:
    fields = {"id": fact.id, "text": fact.text, "source": fact.source, "wrong": fact.wrong}
    return fields | ({"position": fact.position} if fact.position else {})


_INSTANCE = ("name", "person", "date", "place", "work")
