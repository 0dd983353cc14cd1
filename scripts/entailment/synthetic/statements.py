"""Rules and descriptions as documents have them: said again in other words, or with something changed in scope or force."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.roles import filler
from synthetic.words import CITIES, DAYS, EVENTS, JOBS, MONTHS, STEMS, THINGS, upper_first


class Rule(NamedTuple):
    """A sentence; what follows from it; what it rules out; what it leaves open."""

    said: str
    follows: list[str]
    against: list[str]
    leaves_open: list[str]


RULES = [
    Rule(
        "Refunds are paid within {n} days of the return",
        [
            "You get your money back within {n} days after sending the item back",
            "After a return, the refund takes at most {n} days",
        ],
        ["Refunds are never paid", "You have to wait {m} days or more for every refund"],
        ["Refunds are paid in cash", "Return shipping is free"],
    ),
    Rule(
        "Orders over ${p} ship free of charge",
        ["Shipping costs nothing if you spend more than ${p}", "You don't pay for shipping on an order above ${p}"],
        ["Shipping is always charged, even above ${p}", "Only orders under ${p} ship free"],
        ["Orders ship within {n} days", "All orders ship free of charge"],
    ),
    Rule(
        "Employees may work from home up to {n} days a week",
        [
            "Staff are allowed to work remotely for {n} days each week",
            "Working from home is permitted up to {n} days a week",
        ],
        ["Employees must come to the office every day", "Working from home is forbidden"],
        ["Employees get a home office allowance", "Employees must work from home {n} days a week"],
    ),
    Rule(
        "The password must have at least {n} characters",
        ["A password shorter than {n} characters is not accepted", "Passwords need {n} or more characters"],
        ["The password must have at most {n} characters", "Passwords of any length are accepted"],
        ["The password must contain a digit", "Passwords expire after {m} days"],
    ),
    Rule(
        "All rooms except the library are open to visitors",
        [
            "Visitors can't enter the library",
            "Apart from the library, every room can be visited",
            "The library is closed to visitors",
        ],
        ["Visitors may enter the library", "No room is open to visitors", "Every room is open to visitors"],
        ["Visitors pay ${p}", "Visitors need a guide"],
    ),
    Rule(
        "Not all members voted for the proposal",
        ["Some members did not vote for the proposal", "The proposal was not supported by every member"],
        ["Every member voted for the proposal", "The vote for the proposal was unanimous"],
        ["No member voted for the proposal", "Most members voted for the proposal"],
    ),
    Rule(
        "Only {j}s can apply for the grant",
        ["To apply for the grant you must be a {j}", "Nobody but {j}s can apply for the grant"],
        ["Anyone can apply for the grant", "{j}s can't apply for the grant"],
        ["All {j}s receive the grant", "The grant is worth ${p}"],
    ),
    Rule(
        "The museum is closed on {d}s",
        ["You can't visit the museum on {d}s", "On {d}s the museum does not open"],
        ["The museum is open every day", "The museum is open on {d}s"],
        ["The museum is closed in winter", "Admission is free on {e}s"],
    ),
    Rule(
        "The drug may cause headaches",
        ["Headaches are a possible side effect of the drug", "Some people may get headaches from the drug"],
        ["The drug never causes headaches", "Headaches are not a possible side effect of the drug"],
        ["Everyone who takes the drug gets headaches", "The drug cures headaches"],
    ),
    Rule(
        "The study found no link between {x}s and illness",
        [
            "According to the study, {x}s are not connected with illness",
            "No connection between {x}s and illness was found in the study",
        ],
        ["The study found that {x}s cause illness", "The study found a link between {x}s and illness"],
        ["The study looked at {n} hundred people", "{x}s protect from illness"],
    ),
    Rule(
        "The company plans to open a branch in {c} in {y}",
        ["A branch in {c} is planned for {y}", "The company intends to open a branch in {c}"],
        ["The company has no plans for {c}", "The company plans to close its branch in {c}"],
        ["The company opened a branch in {c}", "The branch in {c} will have {n} employees"],
    ),
    Rule(
        "The bridge was closed because of a storm",
        ["A storm was the reason why the bridge was closed", "Because of a storm, the bridge was shut"],
        ["The bridge stayed open during the storm", "The bridge was not closed"],
        ["The storm destroyed the bridge", "A storm was caused by the bridge"],
    ),
    Rule(
        "{s} denied that it had paid bribes",
        ["{s} rejected the claim that it paid bribes", "{s} said that it had not paid bribes"],
        ["{s} admitted that it had paid bribes", "{s} confirmed paying bribes"],
        ["{s} was fined for paying bribes", "{s} paid bribes"],
    ),
    Rule(
        "The offer ends on {n} {o} unless it is extended",
        ["Without an extension, the offer ends on {n} {o}", "The offer can be extended beyond {n} {o}"],
        ["The offer has no end date", "The offer can't be extended"],
        ["The offer was extended", "The offer is for new customers only"],
    ),
    Rule(
        "Children under {n} travel free when accompanied by an adult",
        [
            "A child under {n} pays nothing if an adult comes along",
            "With an adult, children younger than {n} need no paid ticket",
        ],
        ["Children under {n} always pay the full price", "Adults travel free with a child"],
        ["Children under {n} travel free when alone", "Children over {n} travel at half price"],
    ),
    Rule(
        "The warranty does not cover water damage",
        ["Water damage is excluded from the warranty", "If water damages it, the warranty doesn't apply"],
        ["The warranty covers water damage", "Water damage is included in the warranty"],
        ["The warranty covers theft", "The warranty lasts {n} years"],
    ),
    Rule(
        "You can cancel at any time before {d}",
        ["Cancellation is possible until {d}", "If you cancel before {d}, that is allowed"],
        ["You can't cancel", "Cancellation is only possible after {d}"],
        ["Cancelling costs ${p}", "You can cancel by phone"],
    ),
    Rule(
        "Most of the {x}s were sold within {n} hours",
        [
            "More than half of the {x}s were sold in {n} hours",
            "It took {n} hours or less to sell the majority of the {x}s",
        ],
        ["None of the {x}s were sold", "Few of the {x}s were sold within {n} hours"],
        ["All of the {x}s were sold within {n} hours", "The {x}s cost ${p} each"],
    ),
    Rule(
        "To reset the device, hold the button for {n} seconds",
        [
            "Holding the button for {n} seconds resets the device",
            "You reset the device by pressing the button for {n} seconds",
        ],
        ["The device can't be reset", "Holding the button for {n} seconds has no effect"],
        ["Holding the button for {m} minutes deletes the data", "The button is on the back"],
    ),
    Rule(
        "Neither the {x} nor the {z} was found",
        ["The {x} was not found", "Both the {x} and the {z} are still missing", "Nobody found the {z}"],
        ["The {x} was found", "The {z} was found but the {x} was not", "Both the {x} and the {z} were found"],
        ["The {x} was stolen", "The {z} is worth ${p}"],
    ),
    Rule(
        "Either {s} or {t} will win the contract",
        ["The contract will go to {s} or to {t}", "One of {s} and {t} will get the contract"],
        ["Neither {s} nor {t} will win the contract"],
        ["{s} will win the contract", "{t} will win the contract", "The contract is worth ${p} million"],
    ),
    Rule(
        "If it rains, the {e} will be moved indoors",
        ["In case of rain, the {e} takes place inside", "Rain would move the {e} indoors"],
        ["The {e} will be outdoors even if it rains", "If it rains, the {e} will be cancelled"],
        ["The {e} was moved indoors", "It will rain during the {e}", "Tickets for the {e} cost ${p}"],
    ),
    Rule(
        "At least {n} people were injured",
        ["{n} or more people were injured", "No fewer than {n} people were hurt"],
        ["Nobody was injured", "Fewer than {n} people were hurt"],
        ["More than a hundred people died", "Exactly {n} people were injured"],
    ),
    Rule(
        "Hardly anyone came to the {e}",
        ["The {e} had very few visitors", "Almost nobody attended the {e}"],
        ["The {e} was crowded", "Everyone came to the {e}"],
        ["The {e} cost ${p}", "The {e} took place on a {d}"],
    ),
    Rule(
        "Scientists suspect that the {x} was made in {c}",
        ["It is suspected that the {x} comes from {c}", "Scientists think that {c} may be where the {x} was made"],
        ["Scientists rule out that the {x} was made in {c}", "No scientist thinks that the {x} comes from {c}"],
        ["The {x} was made in {c}", "It is proven that the {x} comes from {c}"],
    ),
    Rule(
        "The {j} refused to sign the contract",
        ["The {j} did not sign the contract", "The contract was not signed by the {j}"],
        ["The {j} signed the contract", "The {j} agreed to sign the contract"],
        ["The {j} wrote the contract", "The {j} lost the contract"],
    ),
    Rule(
        "The {j} forgot to lock the {x}",
        ["The {j} did not lock the {x}", "The {x} was not locked by the {j}"],
        ["The {j} locked the {x}", "The {j} remembered to lock the {x}"],
        ["The {x} was stolen", "The {j} sold the {x}"],
    ),
    Rule(
        "The {j} managed to repair the {x}",
        ["The {j} repaired the {x}", "The {x} was repaired by the {j}"],
        ["The {j} failed to repair the {x}", "The {j} did not repair the {x}"],
        ["The {j} was paid ${p}", "The {x} broke again"],
    ),
    Rule(
        "{s} raised its prices by {n} percent in {o}",
        ["In {o}, prices at {s} went up by {n} percent", "{s} became {n} percent more expensive in {o}"],
        ["{s} lowered its prices in {o}", "Prices at {s} stayed the same in {o}"],
        ["{s} lost customers", "{s} raised its prices again in {y}"],
    ),
    Rule(
        "Data is kept for {n} years and then deleted",
        ["After {n} years, data is deleted", "Nothing is stored for longer than {n} years"],
        ["Data is never deleted", "Data is deleted after {m} years"],
        ["Data is kept in {c}", "Data is encrypted"],
    ),
    Rule(
        "The new {x} uses less energy than the old one",
        ["The old {x} needs more energy than the new one", "With the new {x} you save energy"],
        ["The old {x} uses less energy than the new one", "Both {x}s use the same energy"],
        ["The new {x} costs more than the old one", "The new {x} is made in {c}"],
    ),
    Rule(
        "Tickets must be bought online, not at the door",
        ["You can't buy tickets at the door", "Tickets are only available online"],
        ["Tickets must be bought at the door, not online", "Tickets are sold at the door"],
        ["Tickets cost ${p}", "Tickets can be returned"],
    ),
    Rule(
        "The {e} was postponed from {d} to the following week",
        ["The {e} did not take place on {d}", "The {e} was moved to a later date"],
        ["The {e} took place on {d}", "The {e} was brought forward"],
        ["The {e} was postponed because of rain", "The {e} was cancelled"],
    ),
    Rule(
        "Before installing the update, make a backup",
        ["A backup should be made before the update is installed", "Install the update after you have made a backup"],
        ["Make a backup after installing the update", "No backup is needed before the update"],
        ["The update takes {n} minutes", "The update is free"],
    ),
    Rule(
        "The witness claimed to have seen the {x} in {c}",
        ["A witness says that the {x} was in {c}", "According to the witness, the {x} was seen in {c}"],
        ["The witness claimed never to have seen the {x}", "Nobody claimed to have seen the {x} in {c}"],
        ["The {x} was sold in {c}", "The witness owned the {x}"],
    ),
    Rule(
        "Experts advise against eating it raw",
        ["According to experts it should not be eaten raw", "Eating it raw is not recommended by experts"],
        ["Experts recommend eating it raw", "Experts say that it should be eaten raw"],
        ["Eating it raw is illegal", "Experts eat it cooked once a week"],
    ),
    Rule(
        "The treatment reduced the risk by {n} percent",
        ["With the treatment, the risk fell by {n} percent", "The treatment made the risk {n} percent lower"],
        ["The treatment increased the risk by {n} percent", "The treatment had no effect on the risk"],
        ["The treatment costs ${p}", "The treatment cured {n} percent of the patients"],
    ),
    Rule(
        "Membership costs ${p} a year, or ${q} for students",
        [
            "Students pay ${q} a year",
            "A year's membership is ${p} for those who do not study",
            "Students pay less than others",
        ],
        ["Students pay ${p} a year", "Membership is free for students", "Members who do not study pay ${q} a year"],
        ["Pensioners pay ${q} a year", "Membership includes a magazine"],
    ),
    Rule(
        "The meeting was chaired by the {j}, and the {k} took the minutes",
        ["The {k} wrote the minutes of the meeting", "The {j} led the meeting"],
        ["The {j} took the minutes", "The {k} chaired the meeting"],
        ["The {j} is older than the {k}", "The meeting lasted {n} hours"],
    ),
    Rule(
        "Few people know that the {x} was invented in {c}",
        ["The {x} was invented in {c}", "It is little known that {c} is where the {x} was invented"],
        ["The {x} was not invented in {c}", "Everybody knows that the {x} was invented in {c}"],
        ["The {x} is popular in {c}", "The inventor of the {x} became rich"],
    ),
    Rule(
        "No {x} without a licence may be used after {d}",
        ["After {d}, a {x} needs a licence to be used", "Using a {x} without a licence is forbidden after {d}"],
        ["Any {x} may be used after {d}, with or without a licence", "After {d}, no licence is needed for a {x}"],
        ["A licence for a {x} costs ${p}", "No {x} may be used after {d}"],
    ),
    Rule(
        "The {j} earned ${p} more than expected",
        ["The {j} had expected to earn less", "Earnings of the {j} were above expectations"],
        ["The {j} earned less than expected", "The {j} earned exactly what was expected"],
        ["The {j} earned ${p}", "The {j} saved ${p}"],
    ),
    Rule(
        "{s} was founded in {c} but is now based in {g}",
        ["{s} has its base in {g}", "{c} is where {s} was founded", "{s} is no longer based in {c}"],
        ["{s} was founded in {g}", "{s} is now based in {c}"],
        ["{s} has {n} hundred employees", "{s} has offices in both {c} and {g}"],
    ),
    Rule(
        "The {x} is available in three sizes, of which the smallest costs ${p}",
        ["The smallest {x} costs ${p}", "There are three sizes of the {x}", "You can choose among three sizes"],
        ["The largest {x} costs ${p}", "The {x} comes in one size", "There are {m} sizes of the {x}"],
        ["The largest {x} costs twice as much", "The {x} is out of stock"],
    ),
    Rule(
        "The alarm rings when the door is opened, not when it is closed",
        ["Opening the door sets off the alarm", "Closing the door does not make the alarm ring"],
        ["The alarm rings when the door is closed", "Opening the door is silent"],
        ["The alarm can be switched off", "The alarm calls the police"],
    ),
]


def statements(maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of a rule among other sentences, and what it says, rules out or leaves open."""
    for _ in range(number):
        rule = maker.pick(RULES)
        c, g = maker.several(CITIES, 2)
        x, z = maker.several(THINGS, 2)
        j, k = maker.several(JOBS, 2)
        s, t = maker.several(STEMS, 2)
        small = maker.number(2, 31)
        words = {
            "n": small,
            "m": small * maker.number(2, 5),
            "p": maker.number(60, 900),
            "q": maker.number(5, 50),
            "y": maker.number(2026, 2035),
            "o": maker.any(MONTHS),
        }
        words |= {
            "c": c,
            "g": g,
            "x": x,
            "z": z,
            "j": j,
            "k": k,
            "s": s,
            "t": t,
            "d": maker.any(DAYS),
            "e": maker.pick(EVENTS),
        }
        label, claims = maker.any(
            [
                ("supported", [*rule.follows, rule.said]),
                ("supported", rule.follows),
                ("contradicted", rule.against),
                ("contradicted", rule.against),
                ("unsupported", rule.leaves_open),
            ]
        )
        around = [filler(maker) for _ in range(maker.any([0, 0, 1, 2, 3]))]
        if maker.odds(0.4):
            around.append(maker.pick([each for each in RULES if each is not rule]).said.format(**words) + ".")
        context = " ".join(map(upper_first, maker.shuffled([rule.said.format(**words) + ".", *around])))
        yield selected(context, upper_first(maker.any(claims).format(**words)) + ".", label, f"statement_{label}")
