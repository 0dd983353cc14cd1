"""The units of figures in running text, and conversion between them; pint knows them.

    find_unit(" km long", 0)                             # (("kilometer",), 3)
    with_rate("€20 a month", UnitMatch(("euro",), 3))        # (("euro/month",), 11)
    converted(5, ("kilometer",), ("meter",))             # [5000.0]

A spelling may mean several units ("pounds"): all of them are given, and whoever compares takes the one that fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.data.packaged_files import read_yaml

if TYPE_CHECKING:
    from pint import UnitRegistry

Units = tuple[str, ...]
"""What a spelling can mean, as pint names it."""
Dimensions = frozenset[tuple[str, float]]
"""What is measured, with powers: {("[length]", 1), ("[time]", -1)}; every currency is of `MONEY`."""

MONEY = "money"
_TIME = frozenset({("[time]", 1)})
_WORD = r"(?:(?![²³])[^\W\d_])+"
_PER = r"(?:/|\s(?:per|an?|(?:for\s)?(?:each|every))\s)"
_OFTEN = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year"}
_EXPONENT = r"[²³]|\^?[23](?!\w)|\s(?:squared|cubed)\b"
_BASIS = rf"(?:(?P<power>square|sq\.?|cubic)\s)?(?P<per>{_WORD})(?P<exponent>{_EXPONENT})?"
# What may stand between a figure and its unit, and the shapes of a unit; the longest that is one is taken.
_FORMS = re.compile(
    rf"""(?x)
    [ \t\u00a0\u202f-]? (?:(?:working|business|calendar|consecutive|full|whole)\s)?
    (?:(?P<customary>US|U\.S\.)\s|(?P<imperial>imperial|UK|British)\s)?
    (?:
      (?P<degrees>[°º]\s?[CFcf]\b | degrees?\s(?:celsius|fahrenheit|[cf])\b | [°º])
    | (?P<power>square|sq\.?|cubic)\s(?P<powered>{_WORD})
    | (?P<sign>[$£€¥₹])
    | (?P<one>{_WORD})(?:[\s-](?P<two>{_WORD}))?(?P<exponent>{_EXPONENT})?
    )""",
    re.IGNORECASE,
)
# What a unit, a sum of money or a count is given for; "a year later" is no rate.
_RATE = re.compile(
    rf"""(?x)
    (?: {_PER}{_BASIS}(?!\w|\s(?:later|earlier|before|after|ago)\b)
    | \s(?P<often>{"|".join(_OFTEN)})\b
    )""",
    re.IGNORECASE,
)
_RATE_APART = re.compile(rf"\b(?:per|each|every)\s(?!cents?\b){_BASIS}", re.IGNORECASE)
_COUNTED = re.compile(rf"(?:\s{_WORD}){{0,2}}?(?={_PER}|\s(?:{'|'.join(_OFTEN)})\b)", re.IGNORECASE)
_COUNT = ("count",)
_IMPERIAL = "imperial_"
_FOREIGN_TO_US = (_IMPERIAL, "metric_")
_BINARY = {
    f"{one}byte": f"{other}byte"
    for one, other in zip(("kilo", "mega", "giga", "tera"), ("kibi", "mebi", "gibi", "tebi"), strict=True)
}
_LONGEST = 60  # characters that a unit can reach
_LONGEST_WORD = 24
_SYMBOL = 3  # letters; in a longer word capitals mean nothing
_SIGN = re.compile(r"(?:([$£€¥₹])|\b(USD|EUR|GBP|JPY|INR|CNY|RMB|CHF|RUB|SEK))[ \u00a0]?$")


class UnitMatch(NamedTuple):
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
    definitions: tuple[str, ...]
    currencies: tuple[str, ...]


def find_unit(text: str, start: int) -> UnitMatch | None:
    """The unit that begins at `start`, right after a figure, with what it is given for; `None` where there is none."""
    unit = _simple(text, start) or _count(text, start)
    if unit is None:
        return None
    rate = with_rate(text, unit)
    return None if rate.units == _COUNT else rate


def is_count(units: Units) -> bool:
    """Whether a unit is the rate of a count, "requests per day", or there is none."""
    return all(unit.startswith(f"{_COUNT[0]}/") for unit in units)


def alike(one: Units, other: Units) -> bool:
    """Whether units are of one sort, as km and miles are; days a week and days a year are not."""
    return not set(one).isdisjoint(other) or bool(family(one) & family(other) - {frozenset()})


def with_rate(text: str, match: UnitMatch) -> UnitMatch:
    """A unit with what it is given for, if that follows: "km" of "km per hour", the dollars of "$5 a month"."""
    rate = _RATE.match(text, match.end, match.end + _LONGEST)
    below = _below(rate) if rate else ""
    return UnitMatch(tuple(f"{unit}/{below}" for unit in match.units), rate.end()) if rate and below else match


def rated_anywhere(text: str, units: Units) -> Units:
    """The rates of units by what a text gives apart from its figure: "per kilogram, the dose is 5 mg"."""
    return _rates(units, (each for each in _apart(text) if not _is_period(each)))


def rated_by(header: str, units: Units) -> Units:
    """The rates of units by the header of their column: "Price per month", "Monthly fee"."""
    words = (_OFTEN[word] for word in header.lower().split() if word in _OFTEN)
    return _rates(units, (*_apart(header), *words))


def _rates(units: Units, bases: Iterable[str]) -> Units:
    return tuple(f"{unit}/{each}" for each in bases for unit in units if "/" not in unit)


@lru_cache(maxsize=64)
def _apart(text: str) -> Units:
    """What a text gives rates for, apart from figures; each of its figures asks again."""
    return tuple(each for rate in _RATE_APART.finditer(text) if (each := _basis(rate)))


def _below(rate: re.Match[str]) -> str:
    """What a rate is given for; empty where the word is no unit."""
    return _OFTEN[rate["often"].lower()] if rate["often"] else _basis(rate)


def _basis(rate: re.Match[str]) -> str:
    """The same without "daily" and the like."""
    unit = next(iter(units_of_spelling(rate["per"])), "")
    exponent = rate["exponent"] or rate["power"]
    return f"{unit}**{_power(exponent)}" if unit and exponent else unit


def _simple(text: str, start: int) -> UnitMatch | None:
    """A unit alone."""
    form = _FORMS.match(text, start, start + _LONGEST)
    if form is None:
        return None
    if form["degrees"]:
        letter = re.sub(r"(?i)degrees?\s|\s", "", form["degrees"]).removeprefix("°").removeprefix("º").lower()
        units = {"c": ("degree_Celsius",), "f": ("degree_Fahrenheit",)}.get(letter[:1], _lists().spellings["°"])
        return UnitMatch(units, form.end("degrees"))
    if form["sign"]:
        return UnitMatch((_lists().signs[form["sign"]],), form.end("sign"))
    if form["power"]:
        return _powered(units_of_spelling(form["powered"]), _power(form["power"]), form.end("powered"))
    units = units_of_spelling(f"{form['one']}_{form['two']}") if form["two"] else ()
    if form["two"] and not units:  # "a 5-mile-long walk"
        return UnitMatch(units, form.end("one")) if (units := units_of_spelling(form["one"])) else None
    units = units or units_of_spelling(form["one"])
    if form["customary"]:
        units = tuple(unit for unit in units if not unit.startswith(_FOREIGN_TO_US))
    elif form["imperial"]:
        units = tuple(unit for unit in units if unit.startswith(_IMPERIAL)) or units
    if form["exponent"]:
        return _powered(units, _power(form["exponent"]), form.end("exponent"))
    return UnitMatch(units, form.end()) if units else None


def _count(text: str, start: int) -> UnitMatch | None:
    """What is counted, if a rate may follow: " requests" of " requests per day"."""
    counted = _COUNTED.match(text, start, start + _LONGEST)
    return None if counted is None else UnitMatch(_COUNT, counted.end())


def currency_before(text: str, end: int) -> tuple[str, int] | None:
    """(currency, where its sign begins) of a sign or code that ends at `end`, right before a figure."""
    sign = _SIGN.search(text, max(0, end - 5), end)
    if sign is None:
        return None
    return (_lists().signs[sign[1]] if sign[1] else units_of_spelling(sign[2])[0]), sign.start()


@lru_cache(maxsize=65_536)
def units_of_spelling(spelling: str) -> Units:
    """What a spelling of a single unit can mean; empty where it is no unit."""
    lists = _lists()
    if spelling in lists.words or len(spelling) > _LONGEST_WORD or not spelling.isprintable():
        return ()
    lower = spelling.lower()
    meanings = (
        lists.spellings.get(spelling)
        or _parsed(spelling)
        or lists.spellings.get(lower)
        or (_parsed(lower) if len(spelling) > _SYMBOL else ())
    )
    return meanings + tuple(_BINARY[unit] for unit in meanings if unit in _BINARY)


def _parsed(spelling: str) -> Units:
    """What pint takes a spelling for, of the units that our lists let pass."""
    lists = _lists()
    if not _may_be_unit(spelling):
        return ()
    return tuple(
        dict.fromkeys(
            prefix + base
            for prefix, base, _ in _registry().parse_unit_name(spelling)
            if (base in lists.prefixed and prefix in lists.prefixes) or (base in lists.names and not prefix)
        )
    )


def _may_be_unit(spelling: str) -> bool:
    """Whether a word can be one of the units: most that follow a figure can't, and pint takes long to open."""
    prefixes, names = _spellings()
    return any(
        spelling.startswith(prefix) and {spelling[len(prefix) :], spelling[len(prefix) :].removesuffix("s")} & names
        for prefix in prefixes
    )


@cache
def _spellings() -> tuple[frozenset[str], frozenset[str]]:
    """How prefixes and units of our lists are spelled: pint's tables, read as texts, since opening pint takes long."""
    from importlib.metadata import distribution

    lists = _lists()
    prefixes, names = {""}, set(lists.prefixed | lists.names)
    folder = Path(str(distribution("pint").locate_file("pint")))
    tables = [(folder / f"{table}_en.txt").read_text("utf-8") for table in ("default", "constants")]
    for line in (*"\n".join(tables).splitlines(), *lists.definitions, *lists.currencies):
        name, *others = line.partition("#")[0].strip().split(" = ")
        if name in names:
            names.update(others)
        elif name.endswith("-") and name[:-1] in lists.prefixes:
            prefixes.update(each.strip().rstrip("-") for each in (name, *others))
    return frozenset(prefixes), frozenset(names)


@lru_cache(maxsize=4_096)
def family(units: Units) -> frozenset[Dimensions]:
    """Which quantities units can be of."""
    return frozenset(map(_family, units))


@lru_cache(maxsize=4_096)
def comparable(one: Units, other: Units) -> bool:
    """Whether units can be of one quantity, as those of "€5 a month" and "€5" can; a count may be of anything."""
    return _is_any_count(one + other) or bool(family(one) & family(other)) or is_rate_of(one, other)


@lru_cache(maxsize=4_096)
def alike_but_for_period(one: Units, other: Units) -> bool:
    """Whether units differ by no more than a period that may be left out: "5 mg a day" is "5 mg", no "5 mg/kg" is.

    Of money any may; of measures none under a day: 80 km/h are no 80 km.
    """
    return _is_any_count(one + other) or _are_alike(one, other, _without_period)


def is_rate_of(one: Units, other: Units) -> bool:
    """Whether either is the other for something, as "€5 a month" is of "€5"."""
    return _are_alike(one, other, _amount)


def _are_alike(one: Units, other: Units, shorten: Callable[[str], str]) -> bool:
    """Whether either is of the other's quantity when it is shortened."""
    pairs = ((tuple(map(shorten, one)), other), (one, tuple(map(shorten, other))))
    return any(family(a) & family(b) for a, b in pairs)


def _is_any_count(units: Units) -> bool:
    return any(unit.startswith(_COUNT) for unit in units)


def _amount(unit: str) -> str:
    return unit.partition("/")[0]


def _without_period(unit: str) -> str:
    amount, _, below = unit.partition("/")
    if not _is_period(below):
        return unit
    return amount if amount in _money() or (_converted(1, below, "day") or 0) >= 1 else unit


def _is_period(unit: str) -> bool:
    return unit != "" and _family(unit) == _TIME


def converted(value: float, units: Units, target: Units) -> list[float]:
    """A value in other units, in every meaning that the two share; empty where they measure different things.

    Of one spelling it is the value itself, whatever the spelling means: degrees are either all of an angle or none.
    """
    if units == target:
        return [value]
    return [result for one in units for other in target if (result := _converted(value, one, other)) is not None]


def _powered(units: Units, exponent: int, end: int) -> UnitMatch | None:
    return UnitMatch(tuple(f"{unit}**{exponent}" for unit in units), end) if units else None


def _power(exponent: str) -> int:
    return 3 if exponent.lower().endswith(("³", "3", "cubed", "cubic")) else 2


@lru_cache(maxsize=4_096)
def _family(unit: str) -> Dimensions:
    dimensions: Mapping[str, Any] = _registry().get_dimensionality(unit)
    return frozenset(
        (MONEY if name.strip("[]") in _currencies() else name, power) for name, power in dimensions.items()
    )


@lru_cache(maxsize=65_536)
def _converted(value: float, unit: str, wanted: str) -> float | None:
    if unit == wanted:
        return value
    registry = _registry()
    if registry.get_dimensionality(unit) != registry.get_dimensionality(wanted):
        return None
    return float(registry.convert(value, unit, wanted))


def is_money(units: Units) -> bool:
    """Whether units can be sums of money, or of money for something."""
    return any(unit.partition("/")[0] in _money() for unit in units)


def in_main_currency(value: float, units: Units) -> tuple[float, Units]:
    """A sum of money with cents and pence as parts of a dollar, a euro or a pound."""
    parts = {unit: _money()[unit.partition("/")[0]] for unit in units if unit.partition("/")[0] in _money()}
    if not any(parts.values()):
        return value, units
    return value / 100, tuple(unit.replace(unit.partition("/")[0], parts[unit], 1) for unit in units if parts.get(unit))


@cache
def _money() -> Mapping[str, str]:
    """Of each kind of money, the currency that it is a hundredth of; empty for a currency."""
    lines = (line.partition(" = ") for line in _lists().currencies)
    return {name: value.partition("0.01 * ")[2].partition(" ")[0] for name, _, value in lines}


@cache
def _currencies() -> frozenset[str]:
    return frozenset(line.partition(" = ")[0] for line in _lists().currencies if "= [" in line)


@cache
def _lists() -> _Lists:
    lists: dict[str, Any] = read_yaml("lexicons/units.yaml")
    return _Lists(
        frozenset(lists["names"].split()),
        frozenset(lists["prefixed"].split()),
        frozenset(("", *lists["prefixes"].split())),
        frozenset(lists["words"].split()),
        {spelling: tuple(means.split()) for spelling, means in lists["spellings"].items()},
        lists["signs"],
        tuple(lists["definitions"]),
        tuple(lists["currencies"]),
    )


@cache
def _registry() -> UnitRegistry[Any]:
    """Pint's units and the currencies; half a second, when the first figure with a word after it is met."""
    from pint import UnitRegistry

    registry: UnitRegistry[Any] = UnitRegistry(on_redefinition="ignore")
    for line in (*_lists().definitions, *_lists().currencies):
        registry.define(line)
    return registry
