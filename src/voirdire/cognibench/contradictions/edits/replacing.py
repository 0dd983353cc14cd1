"""Words changed for words that say something else: units, quantifiers, comparisons."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import yaml

from voirdire import data
from voirdire.cognibench.contradictions.grounds import Grounds
from voirdire.text import find_numbers


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
