"""What a scripted user asks: templates, filled in with what a reference is about and names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from string import Template
from typing import Literal, get_args

from voirdire import data
from voirdire.cognibench.generation.references import Reference
from voirdire.text import find_names, find_numbers, name_key, same_name, split_sentences

Kind = Literal["overview", "detail", "reason", "opinion", "advice"]

PURPOSES: dict[Kind, str] = {
    "overview": "an opening question about the facts",
    "detail": "a question about a detail of the facts",
    "reason": "a question that asks why or how, so that conclusions must be drawn",
    "opinion": "a question that asks for a judgement or an opinion",
    "advice": "a question that asks for advice, or what the facts mean for the person who asks",
}
MAX_TURNS = 10
"""With more, the templates that need no name and no year would run out."""

_SUBJECT = re.compile(
    r"(?:In [^,]{2,60}, (?:[a-z][^,]{2,60}, )?)?"  # "In mathematics, particularly in topology, …"
    r"(?P<title>\S.{1,79}?)(?:\s*\([^()]*\)|,[^,]{0,80},)?\s+(?:is|was|are|were|has|had|[a-z]{2,}ed)\s"
)
_REMARK = re.compile(r"\s*\([^()]*\)?")
_NO_TITLES = frozenset("there it this that he she they the a an".split())
_LEADING_ARTICLE = re.compile(r"^(?:The|An|A)(?=\s)")


def kinds_of(turns: int, seed: str) -> tuple[Kind, ...]:
    """What each turn is for: facts in the first half, then reasons, opinions and advice in turn."""
    beyond: list[Kind] = ["opinion", "advice"]
    random.Random(seed).shuffle(beyond)  # noqa: S311 (a draw that must repeat)
    later: tuple[Kind, ...] = ("reason", *beyond)
    facts = -(-turns // 2)
    details: list[Kind] = ["detail"] * (facts - 1)
    return ("overview", *details, *(later[place % len(later)] for place in range(turns - facts)))


def scripted_questions(reference: Reference, turns: int, seed: int) -> tuple[str, ...]:
    """A user's turns on a reference, the same whenever the seed is; no two are alike.

    Args:
        reference: to ask about.
        turns: how many; at most `MAX_TURNS`.
        seed: of the draw.
    """
    draw = f"{seed}/{reference.id}"
    stock = {kind: list(_filled(kind, reference, draw)) for kind in _templates()}
    questions: list[str] = []
    for kind in kinds_of(turns, draw):
        questions.append(next(each for each in stock[kind] if each not in questions))
    return tuple(questions)


def title_of(reference: Reference) -> str:
    """What a reference is about: its title, or the subject of its first sentence, or its first name.

    A leading article is written small, as it stands within a sentence.
    """
    title = reference.title or _subject_of(reference.text)
    return _LEADING_ARTICLE.sub(lambda article: article[0].lower(), " ".join(title.split()), count=1)


def _subject_of(text: str) -> str:
    sentences = split_sentences(text)
    subject = _SUBJECT.match(sentences[0].text) if sentences else None
    title = _REMARK.sub("", subject["title"]).strip(" ,") if subject else ""
    if title and title.split()[-1].lower() not in _NO_TITLES:
        return title
    names = find_names(text)
    return names[0].text if names else "this subject"


@cache
def _templates() -> Mapping[Kind, Sequence[str]]:
    import yaml

    given = yaml.safe_load(data.read_text("prompts/dialogue_questions.yaml"))
    return {kind: tuple(given[kind]) for kind in get_args(Kind)}


def _filled(kind: Kind, reference: Reference, draw: str) -> Iterator[str]:
    """Every question of a kind that the reference fills in, in drawn order; those with its own names come first."""
    title = title_of(reference)
    names = _other_names(reference, title)
    years = list(dict.fromkeys(n.text for n in find_numbers(reference.text) if n.kind == "year" and n.text.isdigit()))
    order = random.Random(f"{draw}/{kind}")  # noqa: S311 (a draw that must repeat)
    templates = order.sample(_templates()[kind], k=len(_templates()[kind]))
    for template in sorted(templates, key=lambda each: "$name" not in each and "$year" not in each):
        values = {"title": title}
        if "$name" in template:
            if not names:
                continue
            values["name"] = names.pop(0)
        if "$year" in template:
            if not years:
                continue
            values["year"] = years.pop(0)
        yield Template(template).substitute(values)


def _other_names(reference: Reference, title: str) -> list[str]:
    """Names in a reference, but for those of its own subject and abbreviations: full ones first, then frequent ones."""
    own = name_key(title)
    counts: dict[tuple[str, ...], int] = {}
    texts: dict[tuple[str, ...], str] = {}
    for name in find_names(reference.text):
        if name.quoted or name.text.isupper() or same_name(name.key, own):
            continue
        counts[name.key] = counts.get(name.key, 0) + 1
        texts.setdefault(name.key, " ".join(name.text.split()))
    return [texts[key] for key in sorted(counts, key=lambda key: (len(key) < 2, -counts[key]))]
