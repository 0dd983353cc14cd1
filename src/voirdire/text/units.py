"""The units of figures in running text, and conversion between them; pint knows them.

    find_unit(" km long", 0)                             # (("kilometer",), 3)
    converted(5, ("kilometer",), ("meter",))             # [5000.0]

A spelling may mean several units ("pounds"): all of them are given, and whoever compares takes the one that fits.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from voirdire.data import read_text

if TYPE_CHECKING:
    from pint import UnitRegistry

Units = tuple[str, ...]
"""What a spelling can mean, as pint names it."""

MONEY = "money"
_WORD = r"(?:(?![²³])[^\W\d_])+"
# What may stand between a figure and its unit, and the shapes of a unit; the longest that is one is taken.
_FORMS = re.compile(
    rf"""(?x)
    [ \t\u00a0\u202f-]? (?:(?:working|business|calendar|consecutive|full|whole)\s)?
    (?:
      (?P<degrees>[°º]\s?[CFcf]\b | degrees?\s(?:celsius|fahrenheit|[cf])\b | [°º])
    | (?P<power>square|sq\.?|cubic)\s(?P<powered>{_WORD})
    | (?P<one>{_WORD}(?:-{_WORD})?)(?P<exponent>[²³]|\^?[23](?!\w))?
      (?:(?:/|\sper\s)(?P<per>{_WORD}))?
    )""",
    re.IGNORECASE,
)
_LONGEST = 60  # characters that a unit can reach
_LONGEST_WORD = 24
_SYMBOL = 3  # letters; in a longer word capitals mean nothing
_SIGN = re.compile(r"(?:([$£€¥₹])|\b(USD|EUR|GBP|JPY|INR|CNY|RMB|CHF|RUB|SEK))[ \u00a0]?$")


class Found(NamedTuple):
    """A unit that follows a figure."""

    units: Units
    end: int
    """Where it ends in the text."""


class _Lists(NamedTuple):
    names: frozenset[str]
    prefixed: frozenset[str]
    prefixes: frozenset[str]
    words: frozenset[str]
    spellings: dict[str, Units]
    signs: dict[str, str]
    currencies: tuple[str, ...]


def find_unit(text: str, start: int) -> Found | None:
    """The unit that begins at `start`, right after a figure; `None` where there is none."""
    form = _FORMS.match(text, start, start + _LONGEST)
    if form is None:
        return None
    if form["degrees"]:
        said = re.sub(r"(?i)degrees?\s|\s", "", form["degrees"]).removeprefix("°").removeprefix("º").lower()
        units = {"c": ("degree_Celsius",), "f": ("degree_Fahrenheit",)}.get(said[:1], _lists().spellings["°"])
        return Found(units, form.end("degrees"))
    if form["power"]:
        exponent = 3 if form["power"].lower() == "cubic" else 2
        return _powered(named(form["powered"]), exponent, form.end("powered"))
    units, end = named(form["one"].replace("-", "_")), form.end("one")
    if not units and "-" in form["one"]:  # "a 5-mile-long walk"
        first = form["one"].partition("-")[0]
        return Found(units, form.start("one") + len(first)) if (units := named(first)) else None
    if form["exponent"]:
        units, end = _raised(units, 3 if form["exponent"][-1] in "³3" else 2), form.end("exponent")
    if units and form["per"] and (below := named(form["per"])):
        units, end = tuple(f"{one}/{below[0]}" for one in units), form.end("per")
    return Found(units, end) if units else None


def currency_before(text: str, end: int) -> tuple[str, int] | None:
    """(currency, where its sign begins) of a sign or code that ends at `end`, right before a figure."""
    sign = _SIGN.search(text, max(0, end - 5), end)
    if sign is None:
        return None
    return (_lists().signs[sign[1]] if sign[1] else named(sign[2])[0]), sign.start()


@lru_cache(maxsize=65_536)
def named(spelling: str) -> Units:
    """What a spelling of a single unit can mean; empty where it is no unit."""
    lists = _lists()
    if spelling in lists.words or len(spelling) > _LONGEST_WORD or not spelling.isprintable():
        return ()
    lower = spelling.lower()
    return (
        lists.spellings.get(spelling)
        or _parsed(spelling)
        or lists.spellings.get(lower)
        or (_parsed(lower) if len(spelling) > _SYMBOL else ())
    )


def _parsed(spelling: str) -> Units:
    """What pint takes a spelling for, of the units that our lists let pass."""
    lists = _lists()
    return tuple(
        dict.fromkeys(
            prefix + base
            for prefix, base, _ in _registry().parse_unit_name(spelling)
            if (base in lists.prefixed and prefix in lists.prefixes) or (base in lists.names and not prefix)
        )
    )


def family(units: Units) -> frozenset[str]:
    """Which quantities units can be of: "[length]", or `MONEY` for every currency."""
    return frozenset(map(_family, units))


def converted(value: float, units: Units, wanted: Units) -> list[float]:
    """A value in other units, in every meaning that the two share; empty where they measure different things."""
    return [found for one in units for other in wanted if (found := _converted(value, one, other)) is not None]


def _raised(units: Units, exponent: int) -> Units:
    return tuple(f"{unit}**{exponent}" for unit in units)


def _powered(units: Units, exponent: int, end: int) -> Found | None:
    return Found(_raised(units, exponent), end) if units else None


@lru_cache(maxsize=4_096)
def _family(unit: str) -> str:
    dimensions = str(_registry().get_dimensionality(unit))
    return MONEY if dimensions.strip("[]") in _currencies() else dimensions


@lru_cache(maxsize=65_536)
def _converted(value: float, unit: str, wanted: str) -> float | None:
    if unit == wanted:
        return value
    registry = _registry()
    if registry.get_dimensionality(unit) != registry.get_dimensionality(wanted):
        return None
    return float(registry.convert(value, unit, wanted))


@cache
def _currencies() -> frozenset[str]:
    return frozenset(line.partition(" = ")[0] for line in _lists().currencies if "= [" in line)


@cache
def _lists() -> _Lists:
    lists: dict[str, Any] = yaml.safe_load(read_text("lexicons/units.yaml"))
    return _Lists(
        frozenset(lists["names"].split()),
        frozenset(lists["prefixed"].split()),
        frozenset(("", *lists["prefixes"].split())),
        frozenset(lists["words"].split()),
        {spelling: tuple(means.split()) for spelling, means in lists["spellings"].items()},
        lists["signs"],
        tuple(lists["currencies"]),
    )


@cache
def _registry() -> UnitRegistry[Any]:
    """Pint's units and the currencies; half a second, when the first figure with a word after it is met."""
    from pint import UnitRegistry

    registry: UnitRegistry[Any] = UnitRegistry(on_redefinition="ignore")
    registry.define("bit = [information]")  # pint's is a pure number, so that a hertz would be a bit per second
    for line in _lists().currencies:
        registry.define(line)
    return registry
