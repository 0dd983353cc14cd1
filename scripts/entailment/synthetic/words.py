"""Words for templates."""

from __future__ import annotations

from synthetic.maker import Maker

FIRST = """Anna Peter Maria Thomas Elena David Sofia Robert Grace Daniel Olivia Michael Priya James Fatima William Chen
Laura Omar Emily Hassan Julia Kenji Sarah Luis Nina George Amara Patrick Ingrid Samuel Leila Victor Rosa Martin Yuki
Helen Carlos Miriam Andrew Zoe Philip Tanya Isaac Clara Hugo Naomi Edward Mei Frank Alice Ravi Judith Oscar Paula Ivan
Nadia Henry Esther Diego Marta Simon Irene Kofi Rachel Ben Louise Arthur Salma Felix Dora Jonas Ruth Marco Vera Adam
Lucy Tomas Hannah Leo Carmen Walter Aisha Erik Joan Dmitri Beth Karl Sita Neil Greta Paul Imani Stefan Molly""".split()
LAST = """Smith Okafor Müller Rossi Tanaka Novak Silva Jensen Cohen Patel Kim Dubois Garcia Lindgren Murphy Haddad Ivanov
Brown Mensah Clarke Fischer Moreau Ricci Sato Kowalski Costa Larsen Levy Sharma Park Laurent Lopez Berg Kelly Nasser
Petrov Walker Adeyemi Hughes Weber Bernard Conti Mori Horvat Alves Nielsen Katz Gupta Choi Girard Torres Dahl Byrne
Farah Sokolov Turner Owusu Bennett Wagner Lefevre Marino Ito Zeman Pinto Olsen Stein Rao Lim Roux Vega Holm Quinn
Aziz Orlov Carter Baker Foster Harding Whitlock Pearce Lambert Doyle Ashford Marsh""".split()
CITIES = """London Paris Berlin Madrid Rome Vienna Lisbon Dublin Oslo Stockholm Helsinki Warsaw Prague Budapest Athens
Cairo Nairobi Lagos Accra Tokyo Osaka Seoul Beijing Shanghai Mumbai Delhi Bangkok Jakarta Manila Sydney Melbourne
Auckland Toronto Montreal Vancouver Chicago Boston Seattle Denver Houston Dallas Atlanta Miami Portland Austin Leeds
Bristol Glasgow Cardiff Lyon Marseille Hamburg Munich Cologne Milan Turin Naples Porto Seville Valencia Zurich Geneva
Brussels Antwerp Rotterdam Utrecht Gdansk Krakow Bergen Turku Lima Bogota Santiago Quito Havana Tunis Rabat""".split()
COUNTRIES = """France Germany Spain Italy Austria Portugal Ireland Norway Sweden Finland Poland Hungary Greece Egypt Kenya
Nigeria Ghana Japan Korea China India Thailand Indonesia Australia Canada Mexico Brazil Chile Peru Colombia Cuba Morocco
Belgium Denmark Iceland Turkey Vietnam Argentina Bolivia Ukraine""".split()
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
STEMS = """North Blue Silver Green Red Iron Bright Summit Harbor River Stone Maple Cedar Falcon Orion Vertex Quantum Delta
Pioneer Atlas Nova Echo Crystal Granite Meridian Polar Solar Lunar Copper Amber Willow Sterling Beacon Apex Coral Ember
Frost Prairie Canyon Velvet""".split()
KINDS = """Systems Foods Motors Labs Energy Airlines Bank Media Software Logistics Pharma Textiles Robotics Records Press
Insurance Studios Telecom Chemicals Furniture""".split()
THINGS = """laptop|camera|bicycle|painting|car|house|guitar|boat|watch|table|farm|horse|piano|motorcycle|novel|tractor|ring|
carpet|drone|printer|telescope|vineyard|warehouse|patent|violin|sculpture|tent|sofa|lamp|phone|jacket|coat|blender|kayak|
shop|letter|map|recipe|contract|ticket""".replace("\n", "").split("|")
JOBS = """teacher|engineer|nurse|painter|lawyer|chemist|pilot|architect|baker|journalist|judge|surgeon|farmer|librarian|
composer|economist|photographer|plumber|biologist|carpenter|diplomat|editor|electrician|historian|mechanic|novelist|
programmer|singer|translator|geologist""".replace("\n", "").split("|")
COLOURS = "red blue green black white yellow grey brown purple orange silver golden".split()
ADJECTIVES = """old new large small heavy cheap expensive broken wooden modern rare famous empty narrow bright quiet famous
unusual damaged restored portable antique""".split()
EVENTS = """conference|concert|festival|exhibition|workshop|marathon|auction|wedding|seminar|fair|tournament|regatta|gala|
premiere|lecture|hackathon|parade|ceremony|summit|reunion""".replace("\n", "").split("|")
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def person(maker: Maker) -> str:
    """A name, in one word or two."""
    first = maker.pick(FIRST)
    return f"{first} {maker.pick(LAST)}" if maker.odds(0.6) else first


def people(maker: Maker, number: int) -> list[str]:
    """Different names."""
    names = zip(maker.several(FIRST, number), maker.several(LAST, number), strict=True)
    return [f"{first} {last}" if maker.odds(0.6) else first for first, last in names]


def company(maker: Maker) -> str:
    """A company's name."""
    return (
        f"{maker.pick(STEMS)} {maker.pick(KINDS)}"
        if maker.odds(0.7)
        else f"{maker.pick(STEMS)}{maker.pick(STEMS).lower()}"
    )


def money(maker: Maker, low: int = 5, high: int = 900) -> str:
    """An amount."""
    return maker.any(["${}", "€{}", "£{}", "{} dollars", "{} euros"]).format(f"{maker.number(low, high):,}")


def year(maker: Maker) -> int:
    """A year, recent ones more often."""
    return maker.number(1990, 2025) if maker.odds(0.6) else maker.number(1750, 1990)


def date(maker: Maker) -> str:
    """A day of a year, in one of three forms."""
    day, month, when = maker.number(1, 28), maker.any(MONTHS), year(maker)
    return maker.any([f"{day} {month} {when}", f"{month} {day}, {when}", f"{month} {when}"])


def clock(hour: int, minute: int, maker: Maker) -> str:
    """A time of day as people write it."""
    half = "AM" if hour < 12 else "PM"
    twelve = (hour - 1) % 12 + 1
    forms = [f"{twelve}:{minute:02d} {half}", f"{twelve}:{minute:02d} {half.lower()}"]
    if not minute:
        forms += [f"{twelve} {half}", f"{twelve} {half[0].lower()}.m."]
    return maker.any(forms)


def spelled(number: int) -> str:
    """A number up to twelve as a word."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def article(noun: str) -> str:
    """The noun with "a" or "an"."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def upper_first(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]
