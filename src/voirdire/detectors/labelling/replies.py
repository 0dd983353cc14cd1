"""From the replies of a labeller to votes, and from votes to labels."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from voirdire.data.json_text import JsonError, parse_json
from voirdire.detectors.labelling.records import Vote
from voirdire.detectors.records import Label, Require, StatementType
from voirdire.text.alignment import align

LADDER: tuple[Label, ...] = ("misleading", "speculative", "reliable", "irrefutable")
"""Cognitive labels by the number of criteria that are met."""
_LOWEST_ALLOWED: dict[Require, int] = {"rational": 1, "grounded": 2, "irrefutable": 3}


def is_hallucinated(votes: Sequence[Vote | None], threshold: int) -> bool | None:
    """Whether a sentence is a hallucination by its votes.

    Args:
        votes: one a sample; `None` is missing, and neither side's.
        threshold: how many votes make it one.

    Returns:
        True when at least `threshold` votes say so; False when they would not even if every missing vote did; `None`
        when the missing votes could decide it either way.
    """
    against = sum(vote == "hallu" for vote in votes)
    if against >= threshold:
        return True
    return False if against + sum(vote is None for vote in votes) < threshold else None


def is_irrelevant(votes: Sequence[Vote | None]) -> bool:
    """Whether more than half of the votes that are there call a sentence irrelevant."""
    there = [vote for vote in votes if vote is not None]
    return 2 * sum(vote == "irrelevant" for vote in there) > len(there)


def first_stage(votes: Sequence[Vote | None], threshold: int) -> Vote | None:
    """What the first stage says of a sentence: hallucination before irrelevance, irrelevance before faithfulness."""
    flagged = is_hallucinated(votes, threshold)
    if flagged is None:
        return None
    if flagged:
        return "hallu"
    return "irrelevant" if is_irrelevant(votes) else "faithful"


def rung(rational: bool | None, grounded: bool | None, irrefutable: bool | None) -> Label | None:
    """The label at which the ladder's questions, asked in order, end; `None` where one that matters has no answer."""
    for met, answered in enumerate((rational, grounded, irrefutable)):
        if answered is None:
            return None
        if not answered:
            return LADDER[met]
    return LADDER[3]


def median_rung(tiers: Sequence[Label | None]) -> Label | None:
    """The middle of several gradings, the stricter one of two; `None` unless more than half of them are there."""
    there = sorted(LADDER.index(tier) for tier in tiers if tier is not None)
    return LADDER[there[(len(there) - 1) // 2]] if 2 * len(there) > len(tiers) else None


def border_rung(hallucinated: bool, require: Require) -> Label:
    """The cognitive label on either side of a requirement: what is known without a second stage."""
    lowest = _LOWEST_ALLOWED[require]
    return LADDER[lowest - 1] if hallucinated else LADDER[lowest]


def final_label(
    first: Vote | None, kind: StatementType | None, tier: Label | None, *, tiers: bool, require: Require
) -> tuple[Label | None, str]:
    """The label of a sentence after both stages, and why there is none.

    Args:
        first: what the first stage says.
        kind: factual or cognitive; `None` where that is not known.
        tier: what the second stage says.
        tiers: whether there is a second stage; it settles cognitive statements, whatever the first said.
        require: of the first stage.
    """
    if first == "irrelevant":
        return "irrelevant", ""
    if kind is None:
        return None, "its type is not known"
    if kind == "cognitive" and tiers:
        return tier, "" if tier else "not graded"
    if first is None:
        return None, "too many votes are missing"
    if kind == "cognitive":
        return border_rung(first == "hallu", require), ""
    return ("invented" if first == "hallu" else "faithful"), ""


T = TypeVar("T")

MAX_REPLY = 100_000
"""Characters that are read; no answer is that long."""

_TAG = re.compile(r"<\s*(/?)\s*(?:(faithful|hallu|irrelevant)\w*\b[^<>]{0,200})?>", re.IGNORECASE)
_GIVEN_BACK = re.compile(r"<\s*(?:faithful|hallu|irrelevant)\w*\b[^<>]{0,200}>[^<]*<\s*/[^<>]{0,200}>", re.IGNORECASE)
_CODE_FENCE = re.compile(r"\A\s*```\w*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
_NUMBER = re.compile(r"^[^\w\n]*(?:(?:sentence|statement|no)\.?\s*)?(\d{1,3})\b", re.MULTILINE | re.IGNORECASE)
_QUESTIONS = ("rational", "grounded", "irrefutable")
_ANSWER = re.compile(r"\b(rational|grounded|irrefutable)\b\W{0,5}(?:is\W+)?(yes|no)\b", re.IGNORECASE)
_BARE = re.compile(r"\W*((?:yes|no)\b(?:\W+(?:yes|no)\b)*)(?=\s*(?:[^\w\s]|\Z))", re.IGNORECASE)  # not "no grade"
_WORD = re.compile(r"\b(faithful|hallu|irrelevant)\w*", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not?|isn't|never)\W+(?:\w+\W+)?(?:faithful|hallu|irrelevant)", re.IGNORECASE)
_TYPE = re.compile(r"\b(factual|cognitive)\b", re.IGNORECASE)
_VOTES: Mapping[str, Vote] = {"faithful": "faithful", "hallu": "hallu", "irrelevant": "irrelevant"}


class Tagged(NamedTuple):
    """A stretch of a reply and the vote that it was tagged with."""

    text: str
    vote: Vote | None
    """`None`: its two tags contradict each other."""


def read_votes(reply: str, sentences: Sequence[str], wanted: Collection[int]) -> dict[int, Vote]:
    """What a reply says of the sentences that it was asked about.

    A sentence that was left out, or was given different tags, is not in the result.
    """
    tagged = list(tagged_stretches(reply[:MAX_REPLY]))
    order = sorted(range(len(sentences)), key=lambda place: place not in wanted)  # of equal sentences, the wanted first
    asked_sentences = [sentences[place] for place in order]
    bare = [vote for text, vote in tagged if vote is not None]
    if tagged and len(bare) == len(tagged) == len(wanted) and not any(text for text, _ in tagged):
        return dict(zip(sorted(wanted), bare, strict=True))
    votes: dict[int, set[Vote | None]] = {}
    for (_, vote), places in zip(tagged, _places_of(asked_sentences, [text for text, _ in tagged]), strict=True):
        for place in places:
            votes.setdefault(order[place], set()).add(vote)
    return {place: vote for place in wanted if (vote := _single_vote(votes.get(place, ()))) is not None}


def read_numbered_votes(reply: str, wanted: Collection[int]) -> dict[int, Vote]:
    """The votes that a reply of numbered lines ("3. hallu") gives to sentences, by place."""
    return _numbered(reply, wanted, _read_vote)


def tagged_stretches(reply: str) -> Iterator[Tagged]:
    """The tagged stretches of a reply, in order; a missing closing or opening tag is bridged, JSON is taken too."""
    fenced = _CODE_FENCE.match(reply)
    body = fenced.group(1) if fenced else reply
    parsed = _as_json(body)
    yield from _tags_in_text(body) if parsed is None else _tags_in_json(parsed)


def remarks_in(reply: str, sentences: Sequence[str]) -> str:
    """What a reply holds beside votes and the sentences that it gives back: remarks, which nobody asked for."""
    rest = _GIVEN_BACK.sub(" ", reply[:MAX_REPLY])
    for sentence in sentences:
        rest = rest.replace(sentence, " ")
    return _TAG.sub(" ", rest)


def read_tiers(reply: str, wanted: Collection[int]) -> dict[int, Label]:
    """The rungs that a reply of numbered lines ("3. rational yes, grounded no") gives to statements, by place."""
    return _numbered(reply, wanted, _read_rung)


def read_types(reply: str, wanted: Collection[int]) -> dict[int, bool]:
    """Whether statements are cognitive, by place, from numbered lines ("3. cognitive")."""
    return _numbered(reply, wanted, _read_type)


def _tags_in_text(body: str) -> Iterator[Tagged]:
    """Walk from tag to tag: what stands between two of them belongs to the one that names a vote."""
    tags = list(_TAG.finditer(body))
    if _tags_follow(body, tags):
        for before, tag in zip([None, *tags], tags, strict=False):
            if tag[2]:
                yield Tagged(_plain(body[before.end() if before else 0 : tag.start()]), _vote(tag[2]))
        return
    for tag, following in zip_longest(tags, tags[1:]):
        text = _plain(body[tag.end() : following.start() if following else len(body)])
        opens = not tag[1]
        closed_by = following[2] if following and following[1] else None
        if not opens:
            # After a closing tag: text whose opening tag was forgotten, if a closing tag with a name ends it.
            if text and closed_by:
                yield Tagged(text, _vote(closed_by))
            continue
        names = {_vote(name) for name in (tag[2], closed_by) if name}
        if names:
            yield Tagged(text, names.pop() if len(names) == 1 else None)
    if tags and tags[0][1] and tags[0][2] and (text := _plain(body[: tags[0].start()])):
        yield Tagged(text, _vote(tags[0][2]))


def _tags_follow(body: str, tags: Sequence[re.Match[str]]) -> bool:
    """Whether tags stand behind their sentences: none closes, and there is text before the first, none after the last.

    Read as opening tags, they would give each vote to the sentence that comes next.
    """
    if not tags or any(tag[1] for tag in tags):
        return False
    return bool(_plain(body[: tags[0].start()])) and not _plain(body[tags[-1].end() :])


def _plain(text: str) -> str:
    return html.unescape(text).strip()


def _vote(name: str) -> Vote:
    return _VOTES[name.lower()]


def _as_json(body: str) -> Any:
    """A list or an object, where the reply is one; else `None`."""
    if not body.lstrip().startswith(("[", "{")):
        return None
    try:
        return parse_json(body, halves="replace")
    except JsonError:
        return None


def _tags_in_json(parsed: Any) -> Iterator[Tagged]:
    """Sentences and votes in JSON: `[{"sentence": …, "tag": …}]`, or `{sentence: tag}`."""
    for entry in parsed if isinstance(parsed, list) else [parsed]:
        if not isinstance(entry, dict):
            continue
        votes = [(name, vote) for name, value in entry.items() if (vote := _vote_word(value)) is not None]
        others = [value for value in entry.values() if isinstance(value, str) and _vote_word(value) is None]
        if len(votes) == 1 and others:
            yield Tagged(max(others, key=len), votes[0][1])
        else:
            yield from (Tagged(name, vote) for name, vote in votes)
            for value in entry.values():
                if isinstance(value, list):
                    yield from _tags_in_json(value)


def _vote_word(value: Any) -> Vote | None:
    if not isinstance(value, str):
        return None
    match = re.fullmatch(r"\W*(faithful|hallu|irrelevant)\w*\W*", value, re.IGNORECASE)
    return _vote(match[1]) if match else None


def _places_of(sentences: Sequence[str], returned: Sequence[str]) -> list[tuple[int, ...]]:
    """Places of the returned texts; one that repeats a sentence already placed belongs to that sentence too."""
    alignment = align(sentences, returned)
    places = list(alignment.places)
    for which in alignment.unplaced:
        (places[which],) = align(sentences, [returned[which]]).places
    return places


def _single_vote(votes: Collection[Vote | None]) -> Vote | None:
    """The one vote that was said; `None` for none, and for a contradiction."""
    return next(iter(votes)) if len(votes) == 1 else None


def _numbered(reply: str, wanted: Collection[int], read: Callable[[str], T | None]) -> dict[int, T]:
    """What each numbered chunk of a reply says; a number with two different readings has none."""
    body = reply[:MAX_REPLY]
    starts = list(_NUMBER.finditer(body))
    readings: dict[int, set[T | None]] = {}
    for start, following in zip_longest(starts, starts[1:]):
        chunk = body[start.end() : following.start() if following else len(body)]
        readings.setdefault(int(start[1]) - 1, set()).add(read(chunk))
    single = {place: next(iter(readings[place])) for place in wanted if len(readings.get(place, ())) == 1}
    return {place: value for place, value in single.items() if value is not None}


def _read_rung(chunk: str) -> Label | None:
    named: dict[str, bool] = {}
    for question, answered in _ANSWER.findall(chunk):
        named.setdefault(question.lower(), answered.lower() == "yes")
    if not named:
        bare = _BARE.match(chunk)
        words = re.findall(r"\w+", bare[1].lower()) if bare else []
        named = {question: word == "yes" for question, word in zip(_QUESTIONS, words, strict=False)}
    return rung(*(named.get(question) for question in _QUESTIONS))


def _read_vote(chunk: str) -> Vote | None:
    votes = {_vote(name) for name in _WORD.findall(chunk)}
    return votes.pop() if len(votes) == 1 and not _DENIED.search(chunk) else None


def _read_type(chunk: str) -> bool | None:
    kinds = {kind.lower() for kind in _TYPE.findall(chunk)}
    return "cognitive" in kinds if len(kinds) == 1 else None
