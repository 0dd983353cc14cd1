"""Who did what to whom: forms of one fact, and the same words with the roles exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.words import (
    ADJECTIVES,
    CITIES,
    COLOURS,
    COUNTRIES,
    JOBS,
    THINGS,
    article,
    company,
    money,
    people,
    upper_first,
    year,
)

# Each tuple holds forms that say the same of a, b and the thing x; none is true with a and b exchanged.
RELATIONS = [
    ("{a} sold {x} to {b}", "{b} bought {x} from {a}", "{x} was sold to {b} by {a}", "{x} was bought from {a} by {b}"),
    ("{a} gave {b} {x}", "{b} received {x} from {a}", "{b} was given {x} by {a}", "{a} gave {x} to {b}"),
    ("{a} lent {x} to {b}", "{b} borrowed {x} from {a}", "{x} was lent to {b} by {a}"),
    ("{a} taught {b}", "{b} was taught by {a}", "{b} was a student of {a}", "{a} was {b}'s teacher"),
    ("{a} hired {b}", "{b} was hired by {a}", "{b} got a job from {a}"),
    ("{a} fired {b}", "{b} was fired by {a}", "{b} lost the job because {a} fired {b}"),
    ("{a} defeated {b}", "{b} was defeated by {a}", "{b} lost to {a}", "{a} won against {b}", "{a} beat {b}"),
    ("{a} is the mother of {b}", "{b} is a child of {a}", "{b}'s mother is {a}"),
    ("{a} is the grandfather of {b}", "{b} is a grandchild of {a}", "{b}'s grandfather is {a}"),
    ("{a} is the boss of {b}", "{b} works for {a}", "{b} reports to {a}", "{a} manages {b}"),
    ("{a} is older than {b}", "{b} is younger than {a}", "{a} was born before {b}", "{b} was born after {a}"),
    ("{a} is taller than {b}", "{b} is shorter than {a}", "{b} is not as tall as {a}"),
    ("{a} earns more than {b}", "{b} earns less than {a}", "{b} has a lower salary than {a}"),
    ("{a} finished ahead of {b}", "{b} finished behind {a}", "{a} came in before {b}", "{b} arrived after {a}"),
    ("{a} replaced {b}", "{b} was replaced by {a}", "{a} succeeded {b}", "{a} took over from {b}"),
    ("{a} praised {b}", "{b} was praised by {a}", "{a} spoke highly of {b}"),
    ("{a} accused {b} of lying", "{b} was accused of lying by {a}", "{a} said that {b} had lied"),
    ("{a} invited {b}", "{b} was invited by {a}", "{b} got an invitation from {a}"),
    ("{a} wrote a letter to {b}", "{b} received a letter from {a}", "a letter to {b} was written by {a}"),
    ("{a} paid {b} for {x}", "{b} was paid for {x} by {a}", "{b} got money from {a} for {x}"),
    ("{a} stole {x} from {b}", "{x} was stolen from {b} by {a}", "{b} had {x} stolen by {a}"),
    ("{a} rescued {b}", "{b} was rescued by {a}", "{a} saved {b}"),
    ("{a} followed {b}", "{b} was followed by {a}", "{b} went first and {a} came after"),
    ("{a} interviewed {b}", "{b} was interviewed by {a}", "{b} answered the questions of {a}"),
    ("{a} influenced {b}", "{b} was influenced by {a}", "{a} had an influence on {b}"),
    ("{a} sued {b}", "{b} was sued by {a}", "{a} took {b} to court"),
    ("{a} asked {b} for help", "{b} was asked for help by {a}", "{a} wanted help from {b}"),
    ("{a} introduced {b} to the committee", "{b} was introduced to the committee by {a}"),
    ("{a} arrived earlier than {b}", "{b} arrived later than {a}", "{a} was there before {b}"),
    ("{a} owes {b} money", "{b} is owed money by {a}", "{a} is in debt to {b}"),
    ("{a} treated {b}", "{b} was treated by {a}", "{b} was a patient of {a}"),
    ("{a} nominated {b} for the prize", "{b} was nominated for the prize by {a}"),
    ("{a} painted a portrait of {b}", "{b} was painted by {a}", "a portrait of {b} was painted by {a}"),
    ("{a} trusts {b}", "{b} is trusted by {a}", "{b} has the trust of {a}"),
    ("{a} rented {x} to {b}", "{b} rented {x} from {a}", "{x} was rented out to {b} by {a}"),
    ("{a} adopted {b}", "{b} was adopted by {a}", "{a} became {b}'s adoptive parent"),
    ("{a} visited {b}", "{b} was visited by {a}", "{b} had a visit from {a}"),
    ("{a} called {b}", "{b} was called by {a}", "{b} got a phone call from {a}"),
    ("{a} convinced {b} to resign", "{b} was convinced by {a} to resign", "{b} resigned because {a} asked for it"),
    ("{a} took {x} from {b}", "{x} was taken from {b} by {a}"),
]
# The same of organisations.
COMPANY_RELATIONS = [
    ("{a} acquired {b}", "{b} was acquired by {a}", "{a} bought {b}", "{b} was taken over by {a}"),
    ("{a} supplies parts to {b}", "{b} gets parts from {a}", "{a} is a supplier of {b}", "{b} is a customer of {a}"),
    ("{a} is larger than {b}", "{b} is smaller than {a}", "{b} is not as large as {a}"),
    ("{a} is a subsidiary of {b}", "{b} owns {a}", "{b} is the parent company of {a}"),
    ("{a} sued {b}", "{b} was sued by {a}", "{a} filed a lawsuit against {b}"),
    ("{a} was founded before {b}", "{b} was founded after {a}", "{a} is older than {b}"),
    ("{a} overtook {b} in sales", "{b} was overtaken by {a} in sales", "{a} now sells more than {b}"),
    ("{a} invested in {b}", "{b} received an investment from {a}", "{a} put money into {b}"),
    ("{a} licensed its software to {b}", "{b} uses software licensed from {a}"),
    ("{a} charges more than {b}", "{b} charges less than {a}", "{b} is cheaper than {a}"),
]
# Places: p and q exchanged is another fact.
ROUTES = [
    ("{w} flew from {p} to {q}", "{w} left {p} and flew to {q}", "{w} arrived in {q} on a flight from {p}"),
    ("{w} moved from {p} to {q}", "{w} left {p} to live in {q}", "to {q} {w} moved from {p}"),
    ("the train runs from {p} to {q}", "the train leaves {p} and ends in {q}", "the train to {q} starts in {p}"),
    ("{w} was born in {p} and died in {q}", "{w} died in {q} but was born in {p}", "born in {p}, {w} died in {q}"),
    (
        "{w} lives in {p} but works in {q}",
        "{w} works in {q} but lives in {p}",
        "{w}'s home is in {p} and the job in {q}",
    ),
    ("{w} prefers {p} to {q}", "{w} likes {p} better than {q}", "{w} likes {q} less than {p}"),
    ("{w} studied in {p} before teaching in {q}", "after studying in {p}, {w} taught in {q}"),
    ("{p} is bigger than {q}", "{q} is smaller than {p}", "{q} is not as big as {p}"),
    ("{p} is north of {q}", "{q} is south of {p}", "{q} lies to the south of {p}"),
    ("{p} has more inhabitants than {q}", "{q} has fewer inhabitants than {p}", "fewer people live in {q} than in {p}"),
    ("the office moved from {p} to {q}", "the office, once in {p}, is now in {q}", "from {p} the office moved to {q}"),
    ("goods are shipped from {p} to {q}", "{q} receives goods shipped from {p}", "{p} ships goods to {q}"),
    ("{w} took a bus from {p} to {q}", "{w} went to {q} from {p} by bus", "from {p}, {w} went by bus to {q}"),
    ("{w} asked for a permit to return to {p} through {q}", "{w} wanted to go back to {p} by way of {q}"),
    ("the river flows from {p} to {q}", "the river reaches {q} after {p}", "the river passes {p} before {q}"),
    ("{w} won in {p} and lost in {q}", "{w} lost in {q} and won in {p}", "in {p} {w} won, but in {q} {w} lost"),
]
# Two properties, of two things.
SPLITS = [
    ("the {m} {x} is in {p} and the {n} {x} is in {q}", "in {p} there is the {m} {x}, and in {q} the {n} one"),
    ("{a} owns the {m} {x} and {b} owns the {n} {x}", "the {n} {x} is {b}'s, and the {m} {x} is {a}'s"),
    ("{a} wore the {m} coat while {b} wore the {n} coat", "the {n} coat was worn by {b} and the {m} coat by {a}"),
    (
        "the {m} {x} costs {s} and the {n} {x} costs {t}",
        "at {t} for the {n} {x} and {s} for the {m} {x}, both are sold",
    ),
    ("{a} is {j} and {b} is {k}", "{b} is {k}, and {a} is {j}", "{a} works as {j}, {b} as {k}"),
    (
        "{a} came in {s1} and {b} in {s2}",
        "{b} came in {s2}, and {a} came in {s1}",
        "in {s1} came {a}, and in {s2} came {b}",
    ),
    (
        "{a} lives in {p} and {b} in {q}",
        "{b} lives in {q}, and {a} lives in {p}",
        "{p} is the home of {a}, {q} that of {b}",
    ),
    (
        "{a} scored {g} goals and {b} scored {h}",
        "{b} scored {h} goals, {a} scored {g}",
        "with {g} goals from {a} and {h} from {b}, they won",
    ),
    ("{a} ordered the {m} {x} and {b} the {n} {x}", "the {n} {x} was ordered by {b}, the {m} one by {a}"),
    ("the {x} from {p} is {m}, the one from {q} is {n}", "the {n} {x} is from {q} and the {m} one is from {p}"),
]
_EXCHANGED = [("a", "b"), ("p", "q"), ("m", "n"), ("s", "t"), ("j", "k"), ("s1", "s2"), ("g", "h")]
FRAMES = [
    "{f}.",
    "In {y}, {f}.",
    "{f} in {y}.",
    "According to the report, {f}.",
    "It is known that {f}.",
    "{f}, as the records show.",
    "The minutes say that {f}.",
    "In the end, {f}.",
    "Records show that {f}.",
    "As reported in {y}, {f}.",
    "{f}, the document says.",
]
FILLERS = [
    "The weather was {c} that week.",
    "Nobody commented on it.",
    "The newspapers wrote about it in {y}.",
    "{o} was not present.",
    "{o} works as {j}.",
    "A spokesperson from {p} confirmed it later.",
    "The matter took {n} weeks.",
    "It had been planned for {n} months.",
    "{o} lives in {p}.",
    "The costs were about {m}.",
    "More details will follow.",
    "The meeting was held in {p}.",
    "There were {n} witnesses.",
    "{o} took notes.",
    "The archive is open on weekdays.",
]


def fill(maker: Maker) -> dict[str, str]:
    """Words for the places of a template, all different."""
    a, b, w, o = people(maker, 4)
    p, q = maker.several(CITIES, 2) if maker.odds(0.7) else maker.several(COUNTRIES, 2)
    m, n = maker.several(COLOURS if maker.odds(0.6) else ADJECTIVES, 2)
    j, k = (article(job) for job in maker.several(JOBS, 2))
    s1, s2 = maker.chance.sample(range(1950, 2025), 2)
    g, h = maker.chance.sample(range(2, 40), 2)
    thing = maker.pick(THINGS)
    noun = f"the {thing}" if maker.odds(0.5) else f"the {maker.pick(ADJECTIVES)} {thing}"
    values = {"a": a, "b": b, "w": w, "o": o, "p": p, "q": q, "m": m, "n": n, "j": j, "k": k, "s": money(maker)}
    values |= {"s1": str(s1), "s2": str(s2), "g": str(g), "h": str(h), "t": money(maker, 901, 5000), "thing": thing}
    return values | {"noun": noun}


def exchanged(values: dict[str, str]) -> dict[str, str]:
    """The same words, each pair the other way round."""
    new = dict(values)
    for left, right in _EXCHANGED:
        new[left], new[right] = values[right], values[left]
    return new


def one_exchanged(forms: tuple[str, ...], values: dict[str, str], maker: Maker) -> dict[str, str]:
    """The same words with one pair of a template's the other way round: two exchanged may be the fact again."""
    used = [pair for pair in _EXCHANGED if all(f"{{{each}}}" in forms[0] for each in pair)]
    left, right = maker.any(used)
    return values | {left: values[right], right: values[left]}


def framed(fact: str, maker: Maker, when: int) -> str:
    """A sentence of a fact, perhaps with a year and an introduction."""
    return upper_first(maker.pick(FRAMES).format(f=fact, y=when))


def filler(maker: Maker) -> str:
    """A sentence that bears on nothing."""
    (other,) = people(maker, 1)
    words = {
        "c": maker.any(["mild", "cold", "wet", "fine"]),
        "y": year(maker),
        "o": other,
        "j": article(maker.pick(JOBS)),
    }
    return maker.pick(FILLERS).format(**words, p=maker.pick(CITIES), n=maker.number(2, 12), m=money(maker))


def roles(maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of one fact and its forms, or its roles exchanged, or a person or thing that is not in the evidence."""
    groups = [RELATIONS, RELATIONS, RELATIONS, COMPANY_RELATIONS, ROUTES, ROUTES, SPLITS]
    for _ in range(number):
        group = maker.any(groups)
        forms = maker.pick(group)
        values = fill(maker)
        if group is COMPANY_RELATIONS:
            values |= {"a": company(maker), "b": company(maker)}
            if values["a"] == values["b"]:
                continue
        values["x"] = values["thing"] if group is SPLITS else values["noun"]
        when = year(maker)
        first, second = maker.any(forms), maker.any(forms)
        kind = maker.any(["same", "same", "exchanged", "exchanged", "other"])
        claimed = dict(values)
        if kind == "exchanged":
            claimed = one_exchanged(forms, values, maker)
        elif kind == "other":
            place = maker.any([each for each in ("a", "b", "p", "q", "w") if f"{{{each}}}" in second] or ["a"])
            claimed[place] = maker.pick(CITIES) if place in "pq" else people(maker, 1)[0]
            if claimed[place] in values.values():
                continue
        dated = maker.odds(0.3)
        evidence = first.format(**values) + (f" in {when}" if dated else "")
        claim = second.format(**claimed) + (f" in {when}" if dated and maker.odds(0.5) else "")
        said = upper_first(evidence) + "." if dated else framed(evidence, maker, when)
        around = [filler(maker) for _ in range(maker.any([0, 0, 1, 2, 3]))]
        if maker.odds(0.35):
            around.append(_another(maker, group, values))
        context = " ".join(maker.shuffled([said, *around]))
        surely = "contradicted" if group in (ROUTES, SPLITS) else "not_supported"
        label = {"same": "supported", "exchanged": surely, "other": "not_supported"}[kind]
        yield selected(context, upper_first(claim) + ".", label, f"roles_{kind}")


def _another(maker: Maker, group: list[tuple[str, ...]], values: dict[str, str]) -> str:
    """A fact of the same kind about others, so that the words of a claim lie in two sentences."""
    others = fill(maker)
    forms = maker.pick(group)
    others["x"] = others["thing"] if group is SPLITS else others["noun"]
    for place in ("w", "noun", "thing"):
        if maker.odds(0.3):
            others[place] = values[place]
    return upper_first(maker.any(forms).format(**others)) + "."
