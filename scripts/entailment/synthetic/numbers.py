"""Sums, differences, comparisons and counts that the evidence gives only together, and some that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.roles import filler
from synthetic.words import CITIES, COUNTRIES, EVENTS, MONTHS, THINGS, company, people, spelled, upper_first

UNITS = [
    ("sold {n} tickets", "tickets"),
    ("employs {n} people", "employees"),
    ("made {n} million euros", "million euros"),
    ("produced {n} tons", "tons"),
    ("counted {n} visitors", "visitors"),
    ("has {n} members", "members"),
    ("received {n} complaints", "complaints"),
    ("planted {n} trees", "trees"),
    ("delivered {n} parcels", "parcels"),
    ("has {n} branches", "branches"),
    ("recorded {n} accidents", "accidents"),
    ("built {n} houses", "houses"),
    ("published {n} books", "books"),
    ("lost {n} customers", "customers"),
    ("repaired {n} cars", "cars"),
]
Story = tuple[list[str], list[str], list[str]]
"""Sentences of evidence, what follows, what does not."""


def _two_counts(maker: Maker) -> Story:
    unit, noun = maker.pick(UNITS)
    first, second = maker.several(CITIES, 2) if maker.odds(0.5) else people(maker, 2)
    one, two = maker.chance.sample(range(3, 400), 2)
    more, less = (first, second) if one > two else (second, first)
    evidence = [f"{first} {unit.format(n=one)}.", f"{second} {unit.format(n=two)}."]
    right = [
        f"Together they have {one + two} {noun}",
        f"{more} has more {noun} than {less}",
        f"{less} has fewer {noun} than {more}",
        f"The difference is {abs(one - two)} {noun}",
        f"In total there are {one + two} {noun}",
        f"{first} {unit.format(n=one)} and {second} {unit.format(n=two)}",
    ]
    wrong = [
        f"Together they have {one + two + maker.any([-20, -11, 9, 10, 30])} {noun}",
        f"{less} has more {noun} than {more}",
        f"{more} has fewer {noun} than {less}",
        f"The difference is {abs(one - two) + maker.number(2, 30)} {noun}",
        f"{first} {unit.format(n=two)} and {second} {unit.format(n=one)}",
        f"{second} {unit.format(n=one)}",
        f"{first} and {second} have the same number of {noun}",
    ]
    return evidence, right, wrong


def _trend(maker: Maker) -> Story:
    who, (unit, noun) = company(maker), maker.pick(UNITS)
    start, length = maker.number(1995, 2018), maker.number(2, 7)
    one, two = maker.chance.sample(range(10, 900), 2)
    up = two > one
    evidence = [f"In {start}, {who} {unit.format(n=one)}.", f"In {start + length}, {who} {unit.format(n=two)}."]
    right = [
        f"The number of {noun} {'rose' if up else 'fell'} from {one} to {two}",
        f"{who} had {'more' if up else 'fewer'} {noun} in {start + length} than in {start}",
        f"Within {length} years, the number of {noun} {'grew' if up else 'shrank'}",
        f"There was {'an increase' if up else 'a decrease'} in {noun}",
        f"{who} had {abs(two - one)} {'more' if up else 'fewer'} {noun} in {start + length} than in {start}",
    ]
    wrong = [
        f"The number of {noun} {'fell' if up else 'rose'} from {one} to {two}",
        f"The number of {noun} went from {two} to {one}",
        f"{who} had {'fewer' if up else 'more'} {noun} in {start + length} than in {start}",
        f"There was {'a decrease' if up else 'an increase'} in {noun}",
        f"The number of {noun} stayed the same",
        f"In {start}, {who} {unit.format(n=two)}",
    ]
    return evidence, right, wrong


def _ages(maker: Maker) -> Story:
    who, other = people(maker, 2)
    born, years = maker.number(1880, 1960), maker.number(18, 90)
    second = born + maker.any([-9, -4, -2, 3, 5, 11])
    evidence = [f"{who} was born in {born} and died in {born + years}.", f"{other} was born in {second}."]
    elder, younger = (who, other) if born < second else (other, who)
    right = [
        f"{who} lived for about {years} years",
        f"{elder} was older than {younger}",
        f"{younger} was born after {elder}",
        f"{who} died at the age of about {years}",
        f"{who} was born {abs(born - second)} years {'before' if born < second else 'after'} {other}",
    ]
    wrong = [
        f"{who} lived for about {years + maker.any([-12, 10, 15])} years",
        f"{younger} was older than {elder}",
        f"{elder} was born after {younger}",
        f"{other} was born in {born}",
        f"{who} died in {second}",
    ]
    return evidence, right, wrong


def _listed(maker: Maker) -> Story:
    things = maker.several(THINGS, maker.number(3, 5))
    who, missing = people(maker, 1)[0], maker.pick([each for each in THINGS if each not in things])
    count = len(things)
    evidence = [f"{who} bought a {', a '.join(things[:-1])} and a {things[-1]}."]
    right = [
        f"{who} bought {spelled(count)} things",
        f"{who} bought {count} items",
        f"Among other things, {who} bought a {maker.any(things)}",
        f"{who} bought a {things[-1]} and a {things[0]}",
        f"{who} bought more than one thing",
        f"A {things[0]} was one of the things that {who} bought",
    ]
    wrong = [
        f"{who} bought {spelled(count + maker.any([-2, -1, 1, 2]))} things",
        f"{who} bought a {missing}",
        f"{who} bought only a {things[0]}",
        f"{who} did not buy a {maker.any(things)}",
        f"{who} sold a {things[0]}",
        f"{who} bought a {things[0]} and a {missing}",
    ]
    return evidence, right, wrong


def _share(maker: Maker) -> Story:
    total = maker.any([50, 100, 200, 400, 1000])
    part = total * maker.any([10, 20, 25, 30, 40, 60, 70, 75, 80, 90]) // 100
    noun, group = (
        maker.pick(
            [
                "people",
                "patients",
                "students",
                "companies",
                "voters",
                "households",
                "drivers",
                "schools",
                "farmers",
                "tourists",
            ]
        ),
        maker.pick(COUNTRIES),
    )
    did = maker.pick(
        [
            "answered yes",
            "improved",
            "passed the test",
            "agreed",
            "recovered",
            "took part",
            "voted",
            "paid in time",
            "complained",
            "returned",
        ]
    )
    evidence = [f"Of {total} {noun} in {group}, {part} {did}."]
    percent = part * 100 // total
    most = part * 2 > total
    right = [
        f"{percent} percent of the {noun} {did}",
        f"{'Most' if most else 'A minority'} of the {noun} {did}",
        f"{'More' if most else 'Less'} than half of the {noun} {did}",
        f"{part} out of {total} {noun} {did}",
        f"{total - part} of the {noun} did not do so",
        f"Not all {noun} {did}",
        f"Some of the {noun} {did}",
    ]
    wrong = [
        f"{(percent + maker.any([15, 30, 45])) % 100} percent of the {noun} {did}",
        f"{'A minority' if most else 'Most'} of the {noun} {did}",
        f"{'Less' if most else 'More'} than half of the {noun} {did}",
        f"All {noun} {did}",
        f"None of the {noun} {did}",
        f"{part} of the {noun} did not do so" if part * 2 != total else f"All of the {noun} {did}",
    ]
    return evidence, right, wrong


def _chain(maker: Maker) -> Story:
    who, other, third = people(maker, 3)
    city, wrong_city = maker.several(CITIES, 2)
    land, wrong_land = maker.several(COUNTRIES, 2)
    firm = company(maker)
    evidence = [
        f"{who} works at {firm}.",
        f"{firm} has its only office in {city}.",
        f"{other} is the manager of {who}.",
        f"{third} has never been to {land}.",
    ]
    right = [
        f"{who} works in {city}",
        f"{other} manages somebody at {firm}",
        f"{who} works at a company in {city}",
        f"{who}, whose manager is {other}, works at {firm}",
        f"The employer of {who} is based in {city}",
    ]
    wrong = [
        f"{who} works in {wrong_city}",
        f"{third} works at {firm}",
        f"{who} is the manager of {other}",
        f"{third} has been to {land}",
        f"{firm} is based in {wrong_city}",
        f"{third} manages {who}",
        f"{who} comes from {wrong_land}",
    ]
    return evidence, right, wrong


def _dates(maker: Maker) -> Story:
    event, second = maker.several(EVENTS, 2)
    month, days, day = maker.number(0, 10), maker.number(2, 9), maker.number(1, 15)
    one, two = MONTHS[month], MONTHS[month + 1]
    evidence = [
        f"The {event} begins on {day} {one} and ends on {day + days} {one}.",
        f"The {second} is on {maker.number(1, 28)} {two} of the same year.",
    ]
    right = [
        f"The {event} lasts more than one day",
        f"The {second} takes place after the {event}",
        f"The {event} is over before the {second}",
        f"The {event} starts in {one}",
        f"The {event} runs from {one} {day} to {one} {day + days}",
        f"The {event} comes before the {second}",
    ]
    wrong = [
        f"The {event} takes place after the {second}",
        f"The {second} starts in {one}",
        f"The {event} lasts a single day",
        f"The {event} ends on {day} {one}",
        f"The {event} begins on {day + days} {one}",
        f"The {second} is over before the {event} begins",
    ]
    return evidence, right, wrong


def _prices(maker: Maker) -> Story:
    one, two, three = maker.several(THINGS, 3)
    prices = maker.chance.sample(range(10, 900), 3)
    named = sorted(zip(prices, (one, two, three), strict=True))
    evidence = [f"The {thing} costs ${price}." for price, thing in zip(prices, (one, two, three), strict=True)]
    (low, cheap), (_, middle), (high, dear) = named
    right = [
        f"The {cheap} is the cheapest of the three",
        f"The {dear} is the most expensive",
        f"The {middle} costs more than the {cheap}",
        f"The {cheap} is cheaper than the {dear}",
        f"The {cheap} and the {dear} together cost ${low + high}",
        f"The {dear} costs ${high - low} more than the {cheap}",
        f"You pay less for the {middle} than for the {dear}",
    ]
    wrong = [
        f"The {dear} is the cheapest of the three",
        f"The {cheap} is the most expensive",
        f"The {cheap} costs more than the {middle}",
        f"The {dear} is cheaper than the {cheap}",
        f"The {cheap} and the {dear} together cost ${low + high + maker.number(3, 80)}",
        f"The {cheap} costs ${high}",
        f"You pay less for the {dear} than for the {middle}",
    ]
    return evidence, right, wrong


STORIES: list[Callable[[Maker], Story]] = [_two_counts, _trend, _ages, _listed, _share, _chain, _dates, _prices]


def numbers(maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of a short story and what follows from it, or does not."""
    for _ in range(number // 2):
        evidence, right, wrong = maker.any(STORIES)(maker)
        around = [filler(maker) for _ in range(maker.any([0, 0, 1, 2, 4]))]
        context = " ".join(
            [*around[:1], *evidence, *around[1:]] if maker.odds(0.5) else maker.shuffled([*evidence, *around])
        )
        for claims, label in ((right, "supported"), (wrong, "not_supported")):
            claim = maker.pick(claims)
            yield selected(context, upper_first(claim) + ".", label, "numbers")
