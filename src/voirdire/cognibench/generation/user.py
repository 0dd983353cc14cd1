"""The user's side of a dialogue: made once per reference, before any answer, and the same for every model."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from string import Template
from typing import Any, Literal, Protocol, get_args

from voirdire.cognibench.generation.references import Reference
from voirdire.data import packaged_files
from voirdire.data.json_values import as_object
from voirdire.data.prompt_files import load_prompt
from voirdire.jury.hostile_answers import find_addresses
from voirdire.jury.structured_replies import (
    Asks,
    Missing,
    ParseFault,
    Unusable,
    ask_until_parsed,
    field_of,
    only_object,
)
from voirdire.records import Fenced, Message, Request, Settings, Slot
from voirdire.text.counting import counted
from voirdire.text.entities import find_names, name_key, same_name
from voirdire.text.numbers import find_numbers
from voirdire.text.overlap import content_words, words
from voirdire.text.sentences import split_sentences

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
    templates = packaged_files.read_yaml("prompts/dialogue_questions.yaml")
    return {kind: tuple(templates[kind]) for kind in get_args(Kind)}


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


SCRIPTED = "scripted"
MAX_WORDS = 60
REPAIRS = 2
MAX_TOKENS = 1500
_NOTE = "user side"
_MAX_QUOTED_REPLY = 4_000
_COPIED = 7
"""So many words in a row as they stand in the reference are a quotation, but for names."""
_QUOTED_SHARE = 0.8
"""A sentence that asks nothing tells the reference when one of its sentences has this share of the content words."""
_SAME = 0.9
_SPEAKS_OF_IT = re.compile(
    r"\b(?:the|this|that|your|given|provided) (?:given |provided )?(?:reference|passage|excerpt|document|text)s?\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class UserSide:
    """What a user asks about one reference, turn by turn."""

    questions: tuple[str, ...]
    source: str
    """"scripted", the spec of the model that wrote them, or "fallback": the script, after a model that could not."""
    faults: tuple[str, ...] = ()
    """Why the model's questions could not be used."""


class Notes(Protocol):
    """Where what was decided is kept: the journal, or a list in tests."""

    async def note(self, dialogue: str, turn: int, kind: str, body: Any) -> None:
        """Record what was decided."""
        ...

    def note_of(self, dialogue: str, turn: int, kind: str) -> Any:
        """What was recorded, or `None`."""
        ...


async def user_side(reference: Reference, turns: int, user: str, seed: int, asker: Asks, notes: Notes) -> UserSide:
    """The user's turns on a reference: those on record, else new ones, which are then put on record.

    A model is asked once for all turns, and again when they can't be used; then the script asks, and that is said.

    Args:
        reference: to ask about.
        turns: how many.
        user: "scripted", or the spec of a model.
        seed: of the script.
        asker: makes the calls.
        notes: where the user's side is kept.

    Raises:
        UserFailed: the model could not be called; another session may.
    """
    name = user_dialogue(reference)
    known = notes.note_of(name, 0, _NOTE)
    if known is not None:
        return user_side_of(known)
    if user == SCRIPTED:
        side = UserSide(scripted_questions(reference, turns, seed), SCRIPTED)
    else:
        side = await _write_questions(reference, turns, user, seed, asker)
    await notes.note(name, 0, _NOTE, as_object(side))
    return side


def recorded_user_side(reference: Reference, notes: Notes) -> UserSide | None:
    """The user's side of a reference as it stands on record."""
    body = notes.note_of(user_dialogue(reference), 0, _NOTE)
    return None if body is None else user_side_of(body)


class UserFailed(Exception):
    """The model that plays the user could not be called: why."""


def user_dialogue(reference: Reference) -> str:
    """Under which name the user's side of a reference stands in the journal."""
    return f"user|{reference.id}"


def user_side_of(body: Mapping[str, Any]) -> UserSide:
    """A user's side, from its note."""
    return UserSide(tuple(body["questions"]), body["source"], tuple(body["faults"]))


def user_hashes() -> dict[str, str]:
    """SHA-256 of the prompts of a model that plays the user."""
    return {name: load_prompt(name).sha256 for name in ("dialogue_user", "dialogue_repair")}


def question_faults(text: str, reference: Reference, earlier: Sequence[str] = ()) -> list[str]:
    """What keeps a text from being a user's turn on a reference; empty when nothing does.

    It must ask something, in a bounded number of words, about what the reference is about, without telling or quoting
    what it says, without speaking of a text that the user has not seen, and not what was asked before.
    """
    faults = []
    if "?" not in text:
        faults.append("it asks nothing")
    if len(text.split()) > MAX_WORDS:
        faults.append(f"it has more than {MAX_WORDS} words")
    if _SPEAKS_OF_IT.search(text):
        faults.append("it speaks of the text that it is made from")
    title = title_of(reference)
    known = set(content_words(f"{title} {reference.text}"))
    if not known & set(content_words(text)):
        faults.append("it does not say what it is about")
    if _repeats_reference(_without_names(text.replace(title, "")), reference.text):
        faults.append("it tells what the reference says")
    if find_addresses(text):
        faults.append("it speaks to a judge or a system, and must be a question to the assistant")
    if any(_are_alike(text, other) for other in earlier):
        faults.append("it asks what was asked before")
    return faults


async def _write_questions(reference: Reference, turns: int, user: str, seed: int, asker: Asks) -> UserSide:
    outcome, _ = await ask_until_parsed(
        asker,
        user,
        _request(reference, turns, seed),
        lambda reply: _read(reply, turns, reference),
        _mend,
        repairs=REPAIRS,
        who="model",
        what="turns",
    )
    if isinstance(outcome, Missing):
        if outcome.call_failed:
            raise UserFailed(f"{user}: {outcome.why}")
        return UserSide(scripted_questions(reference, turns, seed), "fallback", (outcome.why,))
    return UserSide(outcome, user)


def _request(reference: Reference, turns: int, seed: int) -> Request:
    kinds = kinds_of(turns, f"{seed}/{reference.id}")
    messages = load_prompt("dialogue_user").messages(
        reference=Fenced("reference", reference.text),
        turns=str(turns),
        words=str(MAX_WORDS),
        purposes="\n".join(f"{number}. {PURPOSES[kind]}" for number, kind in enumerate(kinds, start=1)),
    )
    schema = {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
        "required": ["questions"],
        "additionalProperties": False,
    }
    return Request(Slot(user_dialogue(reference), 1, "user"), messages, Settings(max_tokens=MAX_TOKENS), schema)


def _mend(request: Request, reply: str, problem: str, number: int) -> Request:
    quoted = Fenced("your earlier reply", reply[:_MAX_QUOTED_REPLY] or "(nothing)")
    (again,) = load_prompt("dialogue_repair").messages(problem=problem, reply=quoted)
    *before, last = request.messages
    mended = Message(last.role, (*last.parts, "\n\n", *again.parts))
    return replace(request, slot=replace(request.slot, repair=number), messages=(*before, mended))


def _read(reply: str, turns: int, reference: Reference) -> tuple[str, ...] | ParseFault:
    try:
        questions = field_of(only_object(reply), "questions")
        if not isinstance(questions, list) or not all(isinstance(each, str) for each in questions):
            raise Unusable("questions must be a list of strings")
        if len(questions) != turns:
            raise Unusable(f"{counted(turns, 'question is', 'questions are')} wanted, not {len(questions)}")
    except Unusable as fault:
        return ParseFault(str(fault))
    questions = [" ".join(each.split()) for each in questions]
    faults = [
        f"question {place + 1}: {fault}"
        for place, question in enumerate(questions)
        for fault in question_faults(question, reference, questions[:place])
    ]
    return ParseFault("; ".join(faults)) if faults else tuple(questions)


def _without_names(text: str) -> str:
    for name in reversed(find_names(text)):
        text = text[: name.start] + text[name.end :]
    return text


def _repeats_reference(text: str, reference: str) -> bool:
    """Whether the text quotes the reference, or has a sentence that states what one of the reference's states."""
    text_words, source = words(text), f" {' '.join(words(reference))} "
    if any(
        f" {' '.join(text_words[start : start + _COPIED])} " in source for start in range(len(text_words) - _COPIED + 1)
    ):
        return True
    stated = [set(content_words(each.text)) for each in split_sentences(text) if not each.text.rstrip().endswith("?")]
    sources = [set(content_words(each.text)) for each in split_sentences(reference)]
    return any(
        len(mine) >= 4 and any(len(mine & theirs) >= _QUOTED_SHARE * len(mine) for theirs in sources) for mine in stated
    )


def _are_alike(one: str, other: str) -> bool:
    mine, theirs = set(words(one)), set(words(other))
    return len(mine & theirs) >= _SAME * len(mine | theirs)
