"""Change one thing in a faithful statement, so that its context contradicts it: one edit a kind.

An edit gives the statement changed, or `None` where it has no place for it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import yaml

from voirdire import data
from voirdire.cognibench.contradictions.grounds import Grounds, NamedPlace, place_of
from voirdire.cognibench.contradictions.numbers import change_date, change_number
from voirdire.cognibench.contradictions.records import Kind, Perturbed
from voirdire.detectors import Answer
from voirdire.text import content_words, find_numbers

_POSSESSIVE = re.compile(r"['’]s?$")


def swap_name(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Put another name of the context where a name of the context stands, upper or lower case as the original.

    The other name is one that neither the statement has, nor the context sentence that carries it best, nor that one's
    neighbours. Where there is one, it stands in the context as the name stands in the statement: after the same sort
    of word, before a noun or not, with as many words.
    """
    mentions = _mentions(statement, grounds)
    near = grounds.near(statement) | set(content_words(statement))
    for name, start, end in chance.sample(mentions, len(mentions)):
        others = [each for each in grounds.names if not near.intersection(content_words(each.text))]
        before, attributive = place_of(statement, start, end)
        alike = [each for each in others if each.attributive == attributive]
        closest = [each for each in alike if each.before == before and each.words == name.words]
        options = closest or [each for each in alike if each.before == before] or alike
        if options:
            instead = chance.choice(sorted({each.text for each in options}))
            written = instead if any(c.isupper() for c in statement[start:end]) else instead.lower()
            return statement[:start] + written + statement[end:]
    return None


def _mentions(statement: str, grounds: Grounds) -> list[tuple[NamedPlace, int, int]]:
    """Names of the context in a statement, longest first; none within another, none that is part of a longer one."""
    found: list[tuple[NamedPlace, int, int]] = []
    for name in sorted(grounds.names, key=lambda each: (-len(each.text), each.text)):
        for match in re.finditer(rf"(?i)(?<![\w'’-]){re.escape(name.text)}(?![\w-])", statement):
            free = all(match.end() <= start or match.start() >= end for _, start, end in found)
            if free and not _goes_on(statement, match.start(), match.end(), grounds):
                found.append((name, match.start(), match.end()))
    return found


def _goes_on(statement: str, start: int, end: int, grounds: Grounds) -> bool:
    """Whether the word right before or after belongs to a name too, so that only a part of a name was found."""
    beside = (re.search(r"([\w'’-]+)\s$", statement[:start]), re.match(r"\s([\w'’-]+)", statement[end:]))
    words = (_POSSESSIVE.sub("", word[1].lower()) for word in beside if word is not None)
    return any(word in grounds.name_words for word in words)


_AUXILIARY = re.compile(
    r"(?i)\b(?:is|are|was|were|can|could|will|would|may|must|should|has|have|had|does|do|did)\b"
    r"(?=\s(?!not\b|never\b|no\b|nor\b|neither\b|hardly\b|n't)[a-z\d])"
)
_BE = frozenset({"is", "are", "was", "were", "can", "could", "will", "would", "may", "must", "should"})
_OBJECT = r"(?=\s(?:the|a|an|his|her|its|their|over|about|more|many|several|\d))"
_NEGATED = re.compile(
    r"(?i)\b(?:(is|are|was|were|can|could|will|would|may|must|should|has|have|had) not|(do|does|did) not|never)\b "
)
_CANNOT = re.compile(r"(?i)\bcannot\b")


def negate(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Say that it was not so: "is not", "had never", "never won"; of a sentence that is negated, say that it was so."""
    taken_out = _without_negation(statement)
    if taken_out is not None:
        return taken_out
    auxiliary = _AUXILIARY.search(statement)
    if auxiliary is not None and _is_auxiliary(statement, auxiliary):
        negator = chance.choice(("not", "never")) if auxiliary[0].lower() in ("was", "were", "had") else "not"
        return f"{statement[: auxiliary.end()]} {negator}{statement[auxiliary.end() :]}"
    verb = _verbs().search(statement)
    return None if verb is None else f"{statement[: verb.start(1)]}never {statement[verb.start(1) :]}"


def _without_negation(statement: str) -> str | None:
    cannot = _CANNOT.search(statement)
    if cannot is not None:
        return f"{statement[: cannot.start()]}can{statement[cannot.end() :]}"
    negated = _NEGATED.search(statement)
    if negated is None or negated[2]:  # "did not win" without "not" is no plain sentence
        return None
    kept = f"{negated[1]} " if negated[1] else ""
    return statement[: negated.start()] + kept + statement[negated.end() :]


def _is_auxiliary(statement: str, match: re.Match[str]) -> bool:
    """Whether "has", "have", "had" and "do" help another verb here ("has won"), and are not verbs themselves."""
    following = statement[match.end() :].split()[0].strip(",.")
    return match[0].lower() in _BE or following in _participles() or following.endswith("ed") or following == "been"


@cache
def _verbs() -> re.Pattern[str]:
    """A past tense before its object, of a verb that no auxiliary or preposition comes before."""
    past = "|".join(_words("past"))
    return re.compile(rf"(?<=[a-z]{{2}} )(?<!ing )(?<!ed )(?<!\bthe )(?<!\band )(?<!\bof )({past}){_OBJECT}")


@cache
def _participles() -> frozenset[str]:
    return frozenset(_words("participles"))


def _words(listed: str) -> list[str]:
    words: list[str] = yaml.safe_load(data.read_text("lexicons/contradiction_edits.yaml"))[listed].split()
    return words


def change_unit(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Change the unit that follows a figure for another of the same quantity: miles for kilometres, weeks for days."""
    pattern, families = _units()
    ends = [number.end for number in find_numbers(statement)]
    matches = [match for end in ends if (match := pattern.match(statement, end)) is not None]
    if not matches:
        return None
    match = chance.choice(matches)
    unit, form, family = families[match[1].lower()]
    instead = chance.choice([other for other in family if other is not unit])[form].partition("|")[0]
    return statement[: match.start(1)] + instead + statement[match.end(1) :]


def change_quantifier(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Say of none, of few or never what was said of all, of most or always, and the other way round."""
    return _replace(statement, "quantifiers", chance)


def reverse_comparison(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Change a comparison, a direction or an order for its reverse: less for more, before for after."""
    return _replace(statement, "comparisons", chance)


def _replace(statement: str, listed: str, chance: random.Random) -> str | None:
    pattern, instead = _replacements(listed)
    matches = list(pattern.finditer(statement))
    if not matches:
        return None
    match = chance.choice(matches)
    new = chance.choice(instead[match[0].lower()])
    written = new.capitalize() if match[0][0].isupper() else new
    return statement[: match.start()] + written + statement[match.end() :]


@cache
def _replacements(listed: str) -> tuple[re.Pattern[str], dict[str, list[str]]]:
    given: dict[str, str] = _lists()[listed]
    instead = {phrase: options.split(" | ") for phrase, options in given.items()}
    spelled = "|".join(sorted(map(re.escape, instead), key=len, reverse=True))
    guard = r"(?<!\bthe )" if listed == "quantifiers" else ""  # "the most famous" quantifies nothing
    return re.compile(rf"(?i)(?<![\w-]){guard}(?:{spelled})(?![\w-])"), instead


_Unit = list[str]  # its forms: one, many, short; a form may have several spellings


@cache
def _units() -> tuple[re.Pattern[str], dict[str, tuple[_Unit, int, list[_Unit]]]]:
    """A pattern of units after a figure, and of each spelling its unit, its form, and the units that may replace it."""
    of: dict[str, tuple[_Unit, int, list[_Unit]]] = {}
    for listed in _lists()["units"]:
        family = [unit.split() for unit in listed]
        for unit in family:
            for form, spellings in enumerate(unit):
                of.update(dict.fromkeys(spellings.split("|"), (unit, form, family)))
    spelled = "|".join(sorted(map(re.escape, of), key=len, reverse=True))
    return re.compile(rf"(?i)[\s-]?({spelled})(?![\w-])"), of


@cache
def _lists() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(data.read_text("lexicons/contradiction_edits.yaml"))
    return loaded


Edit = Callable[[str, Grounds, random.Random], str | None]

EDITS: Mapping[Kind, Edit] = {
    "number": change_number,
    "date": change_date,
    "unit": change_unit,
    "name": swap_name,
    "negation": negate,
    "quantifier": change_quantifier,
    "comparison": reverse_comparison,
}


def perturb(answers: Sequence[Answer], seed: int = 0, limit: int | None = None) -> list[Perturbed]:
    """Every faithful statement, changed once in each kind that it has a place for.

    The same statement is changed in the same way whatever else stands in `answers`. Unlabelled answers give nothing:
    what is not known to be faithful can't be made false.

    Args:
        answers: labelled.
        seed: of what is changed, and into what.
        limit: at most so many of a kind, spread evenly over the answers; `None`: all.
    """
    found = [change for answer in answers for change in _of_answer(answer, seed)]
    return found if limit is None else _thinned(found, limit)


def _of_answer(answer: Answer, seed: int) -> list[Perturbed]:
    places = [place for place, statement in enumerate(answer.statements) if statement.label == "faithful"]
    if not places:
        return []
    grounds = Grounds.of(answer.context)
    found = []
    for place in places:
        original = answer.statements[place].text
        for kind, edit in EDITS.items():
            chance = random.Random(f"{seed}\0{answer.id}\0{place}\0{kind}")  # noqa: S311 (no secret)
            text = edit(original, grounds, chance)
            if text is not None and text != original:
                found.append(Perturbed(answer.id, place, kind, original, text))
    return found


def _thinned(found: Sequence[Perturbed], limit: int) -> list[Perturbed]:
    """Every so many-th of each kind, in order."""
    totals = Counter(each.kind for each in found)
    seen: Counter[Kind] = Counter()
    kept = []
    for each in found:
        total, place = totals[each.kind], seen[each.kind]
        seen[each.kind] += 1
        if total <= limit or place * limit // total != (place + 1) * limit // total:
            kept.append(each)
    return kept
