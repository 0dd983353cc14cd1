"""Records, and sentences about them as language models write them: right, with a changed value, or invented."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.words import (
    CITIES,
    COLOURS,
    COUNTRIES,
    DAYS,
    EVENTS,
    JOBS,
    LAST,
    MONTHS,
    STEMS,
    THINGS,
    article,
    clock,
    company,
    people,
    person,
    upper_first,
)
from voirdire.evidence.record_sentences import without_records

CUISINES = """Mexican Italian Chinese Thai Indian Japanese Greek Vietnamese French Korean Spanish Lebanese American Seafood
Barbeque Ethiopian Turkish Peruvian""".split()
PLACES = """Grill Cafe Kitchen Diner Bistro Tavern House Bakery Bar Cantina Pizzeria Steakhouse Deli Brewery Garden Corner
Express Lounge""".split()
STREETS = "Main State Oak Park Church Mill High Victoria Garden Station Hill King Queen Bridge Market Chapel Lake Canal".split()
STATES = "CA PA FL TN MO IN AZ LA NV NJ ID DE IL TX NY".split()
# A key, and what may be said where it is true, and where it is false.
FLAGS = [
    (
        "OutdoorSeating",
        [
            "outdoor seating is available",
            "guests can sit outside",
            "it has a patio where you can eat",
            "there is seating outdoors",
        ],
        ["there is no outdoor seating", "it doesn't offer outdoor seating", "guests can't sit outside"],
    ),
    (
        "RestaurantsTakeOut",
        [
            "takeout is available",
            "you can order food to go",
            "it offers take-out",
            "customers can take their food away",
        ],
        ["it doesn't offer takeout", "takeout is not available", "there is no food to go"],
    ),
    (
        "RestaurantsReservations",
        ["reservations are accepted", "you can reserve a table", "it takes reservations"],
        ["it does not take reservations", "reservations are not accepted", "you can't book a table"],
    ),
    (
        "RestaurantsDelivery",
        ["it delivers", "delivery is offered", "you can have your food delivered"],
        ["it doesn't deliver", "delivery is not available", "there is no delivery service"],
    ),
    (
        "RestaurantsGoodForGroups",
        ["it is good for groups", "it suits large parties", "it's a fine choice for group outings"],
        ["it is not suitable for groups", "it's not a good place for large parties"],
    ),
    (
        "GoodForKids",
        ["it is family-friendly", "children are welcome", "it's good for kids"],
        ["it is not suitable for children", "it is not a place for kids"],
    ),
    (
        "WheelchairAccessible",
        ["it is wheelchair accessible", "wheelchair users can get in"],
        ["it is not wheelchair accessible", "it is not accessible by wheelchair"],
    ),
    (
        "BikeParking",
        ["bike parking is provided", "there's a place to park bicycles"],
        ["there is no bike parking", "cyclists have nowhere to park their bikes"],
    ),
    ("HasTV", ["it has a TV", "guests can watch television"], ["it has no TV", "there is no television"]),
    (
        "HappyHour",
        ["there is a happy hour", "it offers happy hour specials"],
        ["it has no happy hour", "no happy hour is offered"],
    ),
    (
        "DogsAllowed",
        ["dogs are allowed", "you can bring your dog", "it is pet-friendly"],
        ["dogs are not allowed", "you can't bring your dog"],
    ),
    (
        "AcceptsCreditCards",
        ["credit cards are accepted", "you can pay by card"],
        ["it is cash only", "credit cards are not accepted"],
    ),
    (
        "LiveMusic",
        ["there is live music", "bands play there", "it features live music"],
        ["there is no live music", "it doesn't have live music"],
    ),
    ("Caters", ["it offers catering", "it caters for events"], ["it doesn't do catering", "catering is not offered"]),
    (
        "DriveThru",
        ["there is a drive-through", "it has a drive-thru"],
        ["it has no drive-through", "there's no drive-thru"],
    ),
]
PARKING = {
    "garage": "parking in a garage",
    "street": "street parking",
    "validated": "validated parking",
    "lot": "a parking lot",
    "valet": "valet parking",
}
MOODS = "romantic intimate classy hipster divey touristy trendy upscale casual".split()
REVIEWS = [
    (
        "The {d} was delicious and the staff was very friendly.",
        ["a customer praised the {d}", "reviewers found the staff friendly", "guests liked the {d}"],
        ["a customer complained about the {d}", "reviewers found the staff rude"],
    ),
    (
        "We waited {n} minutes for our {d} and it came cold.",
        [
            "a guest had to wait {n} minutes",
            "a reviewer's {d} was cold when it came",
            "one review complains of a long wait",
        ],
        ["a guest was served at once", "the reviewer was happy with the hot {d}", "service was called fast"],
    ),
    (
        "Way too expensive for what you get, and the portions are tiny.",
        [
            "a reviewer found it overpriced",
            "one customer complains of small portions",
            "some guests think the prices are too high",
        ],
        ["reviewers praise the low prices", "portions are described as generous"],
    ),
    (
        "Best {d} in {c}, I come here every week!",
        ["one customer visits weekly", "a regular calls the {d} the best in {c}"],
        ["a reviewer visited only once", "a reviewer says that the {d} is the worst in {c}"],
    ),
    (
        "The {d} was okay but nothing special.",
        ["a reviewer thought the {d} was average", "one guest was not impressed by the {d}"],
        ["a reviewer loved the {d}", "the {d} is described as outstanding"],
    ),
    (
        "Great service, our waitress {p} took good care of us.",
        ["a waitress named {p} was praised", "reviews mention great service"],
        ["a waitress named {p} was criticised", "reviews complain of bad service"],
    ),
    (
        "They got my order wrong twice and nobody apologised.",
        ["a customer received the wrong order", "one reviewer was annoyed that there was no apology"],
        ["a reviewer's order was right", "staff apologised for a mistake"],
    ),
    (
        "The place is clean, cozy and has a lovely view of the river.",
        ["reviewers like the view of the river", "one guest found it cozy", "cleanliness is mentioned by a reviewer"],
        ["a guest found it dirty", "the view is of a parking lot"],
    ),
    (
        "It was loud and crowded, so we could hardly talk.",
        ["a guest found it noisy", "one review mentions that it was crowded"],
        ["a guest liked the quiet atmosphere", "it was nearly empty, a reviewer says"],
    ),
    (
        "I had the {d} and my wife had the soup; both were fresh and tasty.",
        ["the {d} and the soup were called fresh", "a couple enjoyed the {d} and the soup"],
        ["the soup was stale, a guest says", "a couple disliked the {d}"],
    ),
]
DISHES = "tacos pizza pasta burger ramen curry steak salmon pancakes dumplings sushi lasagna falafel pho sandwich burrito brisket shrimp".split()
INVENTED = [
    "it has a rooftop terrace",
    "it was founded by a famous chef",
    "the owner is {p}",
    "it won an award in {y}",
    "it is near the railway station",
    "it offers a loyalty programme",
    "gift cards are sold",
    "it has a second branch in {c}",
    "the building dates from {y}",
    "it is known for its {d}",
    "it has been open since {y}",
    "a vegan menu is available",
    "students get a discount of {n} percent",
    "it employs {n} people",
    "it is popular with tourists",
    "it offers free refills",
    "it hosts quiz nights on {day}s",
    "its wine list is praised by experts",
    "it sponsors a local football team",
    "there is a dress code",
]
_FRAMES = [
    "{s}",
    "{s}",
    "{s}",
    "Additionally, {s}",
    "Overall, {s}",
    "However, {s}",
    "According to the data, {s}",
    "Based on the information, {s}",
    "Note that {s}",
    "Furthermore, {s}",
]
_SURFACES = "json python table pairs".split()


class Said(NamedTuple):
    """A sentence about a record."""

    text: str
    label: str
    kind: str


class Domain(NamedTuple):
    """A record, sentences about it, and what else its subject may be called."""

    record: dict[str, Any]
    said: list[Said]
    called: list[str]


def _right(*texts: str) -> list[Said]:
    return [Said(text, "supported", "right") for text in texts]


def _wrong(*texts: str) -> list[Said]:
    return [Said(text, "contradicted", "wrong") for text in texts]


def _restaurant(maker: Maker) -> Domain:
    city, cuisine = maker.pick(CITIES), maker.pick(CUISINES)
    name = f"{maker.any([maker.pick(LAST) + chr(39) + 's', maker.pick(STEMS), 'The ' + maker.pick(STEMS), cuisine])} {maker.pick(PLACES)}"
    number, street = maker.number(1, 2900), f"{maker.pick(STREETS)} {maker.any(['St', 'Ave', 'Street', 'Road'])}"
    stars = maker.any([1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0])
    hours = {
        day: f"{maker.number(6, 11)}:{maker.any(['0', '30'])}-{maker.number(18, 23)}:{maker.any(['0', '30'])}"
        for day in DAYS
    }
    record: dict[str, Any] = {
        "name": name,
        "address": f"{number} {street}",
        "city": city,
        "state": maker.any(STATES),
        "categories": f"Restaurants, {cuisine}, {maker.pick(['Bars', 'Nightlife', 'Food', 'Breakfast & Brunch', 'Event Planning'])}",
    }
    others = [each for each in maker.part(CUISINES) if each != cuisine]
    said = _right(
        f"{{s}} serves {cuisine} food",
        f"{{s}} is {article(cuisine)} restaurant in {city}",
        f"{{s}} is located at {number} {street} in {city}",
        f"you can find {{s}} on {street}",
        f"{{s}} is in {city}",
    )
    said += _wrong(
        f"{{s}} serves {maker.any(others)} food",
        f"{{s}} is in {maker.other(CITIES, city)}",
        f"{{s}} is located at {number + maker.number(1, 90)} {street}",
    )
    said += _right(
        f"{{s}} has a rating of {stars} stars",
        f"its rating is {stars} out of 5",
        f"customers rate {{s}} at {stars} stars",
        f"{{s}} is {'highly' if stars >= 4 else 'poorly' if stars < 3 else 'moderately'} rated",
    )
    wrong = maker.any([each for each in (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0) if each != stars])
    said += _wrong(
        f"{{s}} has a rating of {wrong} stars",
        f"customers rate {{s}} at {wrong} stars",
        f"{{s}} is {'poorly' if stars >= 4 else 'highly'} rated"
        if stars >= 4 or stars < 3
        else "{s} has a perfect rating",
    )
    if maker.odds(0.8):
        record["hours"] = hours
        said += _hours(hours, maker)
    attributes, more = _attributes(maker)
    record["attributes"] = attributes
    said += more
    record["business_stars" if maker.odds(0.7) else "stars"] = stars
    reviews = []
    for place, (text, good, bad) in enumerate(maker.several(REVIEWS, 3)):
        words = {"d": maker.pick(DISHES), "n": maker.number(20, 90), "c": city, "p": person(maker)}
        rating = maker.number(1, 5)
        reviews.append(
            {
                "review_stars": float(rating),
                "review_date": f"20{maker.number(15, 23)}-0{maker.number(1, 9)}-{maker.number(10, 28)} 12:00:00",
                "review_text": text.format(**words),
            }
        )
        said += _right(*(each.format(**words) for each in good)) + _wrong(*(each.format(**words) for each in bad))
        if place == 0:
            said += _right(f"one reviewer gave {{s}} {rating} stars")
    record["review_info"] = reviews
    return Domain(record, said, [name, name, "the restaurant", "it", "this establishment", "the place"])


def _hours(hours: dict[str, str], maker: Maker) -> list[Said]:
    said = []
    for day in maker.chance.sample(DAYS, 3):
        opened, closed = (tuple(map(int, part.split(":"))) for part in hours[day].split("-"))
        late = clock((closed[0] + maker.any([-2, -1, 1, 2, 3])) % 24, closed[1], maker)
        early = clock(opened[0] + maker.any([-2, -1, 1, 2]), opened[1], maker)
        start, end = clock(*opened, maker), clock(*closed, maker)
        said += _right(
            f"{{s}} is open from {start} to {end} on {day}s",
            f"on {day}, {{s}} closes at {end}",
            f"{{s}} opens at {start} on {day}s",
        )
        said += _wrong(
            f"{{s}} is open from {start} to {late} on {day}s",
            f"on {day}, {{s}} closes at {late}",
            f"{{s}} opens at {early} on {day}s",
            f"{{s}} is closed on {day}s",
        )
    if maker.odds(0.5):
        for day in DAYS:
            hours[day] = hours["Monday"]
        opened, closed = (tuple(map(int, part.split(":"))) for part in hours["Monday"].split("-"))
        said = _right(
            f"{{s}} is open from {clock(*opened, maker)} to {clock(*closed, maker)} every day",
            "{s} is open seven days a week",
            f"every day of the week {{s}} opens at {clock(*opened, maker)}",
        )
        said += _wrong(
            f"{{s}} is open every day from {clock(*opened, maker)} to {clock((closed[0] + 1) % 24, closed[1], maker)}",
            f"{{s}} is closed on {maker.any(DAYS)}s",
        )
    return said


def _attributes(maker: Maker) -> tuple[dict[str, Any], list[Said]]:
    attributes: dict[str, Any] = {}
    said: list[Said] = []
    flags = maker.shuffled(FLAGS)
    for key, yes, no in flags[:7]:
        value = maker.odds(0.5)
        attributes[key] = maker.any([value, value, str(value)])
        said += _right(*(yes if value else no)) + _wrong(*(no if value else yes))
    for key, yes, _ in flags[7:9]:
        attributes[key] = None
        said.append(Said(maker.any(yes), "unsupported", "invented"))
    if maker.odds(0.7):
        kind = maker.any(["free", "no", "paid"])
        attributes["WiFi"] = kind
        said += _right(
            {"free": "free Wi-Fi is available", "no": "it doesn't have Wi-Fi", "paid": "Wi-Fi is available for a fee"}[
                kind
            ]
        )
        said += _wrong({"free": "there is no Wi-Fi", "no": "free Wi-Fi is available", "paid": "Wi-Fi is free"}[kind])
    if maker.odds(0.7):
        there = set(maker.chance.sample(sorted(PARKING), 2))
        attributes["BusinessParking"] = {key: key in there for key in PARKING}
        for key, words in PARKING.items():
            said += (_right if key in there else _wrong)(f"{{s}} offers {words}", f"{words} is available")
            said += (_wrong if key in there else _right)(f"{{s}} doesn't offer {words}")
        first, second = (PARKING[each] for each in sorted(there))
        said += _right(f"{{s}} has {first} and {second}")
    if maker.odds(0.7):
        mood = maker.any(MOODS)
        attributes["Ambience"] = {key: key == mood for key in MOODS}
        other = maker.any([each for each in MOODS if each != mood])
        said += _right(f"the ambience is {mood}", f"{{s}} has a {mood} atmosphere") + _wrong(
            f"the ambience is {other}", f"{{s}} has a {other} atmosphere"
        )
    return attributes, said


def _product(maker: Maker) -> Domain:
    brand, thing = maker.pick(STEMS), maker.pick(THINGS)
    name = f"{brand} {thing.title()} {maker.number(2, 900)}"
    price, weight, stock, months = (
        maker.number(15, 2400),
        maker.number(2, 90) / 10,
        maker.number(0, 400),
        maker.any([6, 12, 18, 24, 36, 60]),
    )
    colour, place, rating, reviews = (
        maker.pick(COLOURS),
        maker.pick(COUNTRIES),
        maker.number(20, 50) / 10,
        maker.number(3, 4000),
    )
    length, shipping, water = maker.number(10, 200), maker.odds(0.5), maker.odds(0.5)
    record = {
        maker.any(["name", "product", "title"]): name,
        "brand": brand,
        maker.any(["price", "price_usd"]): price,
        "color": colour,
        maker.any(["weight_kg", "weightKg"]): weight,
        "length_cm": length,
        maker.any(["warranty_months", "warrantyMonths"]): months,
        "in_stock": stock,
        "rating": rating,
        "review_count": reviews,
        "free_shipping": shipping,
        "waterproof": water,
        "made_in": place,
    }
    years = f"{months // 12} year{'s' if months > 12 else ''}" if months % 12 == 0 else f"{months} months"
    said = _right(
        f"{{s}} costs ${price}",
        f"the price of {{s}} is {price} dollars",
        f"{{s}} is {colour}",
        f"{{s}} comes in {colour}",
        f"{{s}} weighs {weight} kg",
        f"{{s}} is {length} cm long",
        f"{{s}} has a warranty of {years}",
        f"the warranty lasts {years}",
        f"{{s}} is rated {rating} by {reviews} customers",
        f"{{s}} is made in {place}",
        f"{{s}} was manufactured in {place}",
        "shipping is free" if shipping else "shipping is not free",
        f"{{s}} is {'' if water else 'not '}waterproof",
        f"{stock} units are in stock" if stock else "{s} is out of stock",
        f"at ${price}, {{s}} is {'under' if price < 500 else 'over'} 500 dollars",
        f"{{s}} is sold by {brand} and costs ${price}",
        f"{{s}} is {'waterproof and' if water else 'not waterproof but'} weighs {weight} kg",
    )
    said += _wrong(
        f"{{s}} costs ${price + maker.number(1, 400)}",
        f"{{s}} costs ${max(5, price - maker.number(1, 400))}",
        f"{{s}} is {maker.other(COLOURS, colour)}",
        f"{{s}} weighs {weight + maker.number(1, 30) / 10:.1f} kg",
        f"{{s}} has a warranty of {months // 6 + 2} years",
        f"{{s}} is rated {5.3 - rating + 0.1:.1f}",
        f"{{s}} is made in {maker.other(COUNTRIES, place)}",
        "shipping is not free" if shipping else "shipping is free",
        f"{{s}} is {'not ' if water else ''}waterproof",
        "{s} is out of stock" if stock else "{s} is in stock",
        f"at ${price}, {{s}} is {'over' if price < 500 else 'under'} 500 dollars",
        f"{{s}} is {length + maker.number(3, 90)} cm long",
    )
    return Domain(record, said, [name, name, "the product", "it", f"the {thing}"])


def _member(maker: Maker) -> Domain:
    name, job, city, firm = person(maker), maker.pick(JOBS), maker.pick(CITIES), company(maker)
    born, hired, salary, team = (
        maker.number(1945, 2001),
        maker.number(2003, 2024),
        maker.number(28, 160) * 1000,
        maker.number(2, 60),
    )
    remote, married = maker.odds(0.5), maker.odds(0.5)
    languages = maker.several("English German Spanish French Italian Polish Arabic Mandarin Hindi Dutch".split(), 2)
    boss = person(maker)
    record = {
        "name": name,
        "job_title": job,
        "employer": firm,
        "city": city,
        "birth_year": born,
        "hired_in": hired,
        "salary": salary,
        "team_size": team,
        "works_remotely": remote,
        "is_married": married,
        "languages": languages,
        "manager": boss,
        "email_verified": maker.odds(0.5),
    }
    said = _right(
        f"{{s}} is {article(job)}",
        f"{{s}} works for {firm} as {article(job)}",
        f"{{s}} lives in {city}",
        f"{{s}} was born in {born}",
        f"{{s}} joined in {hired}",
        f"{{s}} earns {salary:,} a year",
        f"{{s}} was {hired - born} years old in {hired}" if maker.odds(0.3) else f"{{s}}'s salary is {salary}",
        f"{{s}} has a team of {team}",
        f"{{s}} {'works' if remote else 'does not work'} remotely",
        f"{{s}} is {'' if married else 'not '}married",
        f"{{s}} speaks {languages[0]} and {languages[1]}",
        f"{{s}} speaks {languages[1]}",
        f"{{s}} reports to {boss}",
        f"{boss} is {{s}}'s manager",
        f"{{s}}, {article(job)}, is based in {city}",
    )
    said += _wrong(
        f"{{s}} is {article(maker.other(JOBS, job))}",
        f"{{s}} works for {maker.pick(STEMS)} Partners",
        f"{{s}} lives in {maker.other(CITIES, city)}",
        f"{{s}} was born in {born + maker.any([-7, -2, 3, 6])}",
        f"{{s}} joined in {hired - maker.number(1, 9)}",
        f"{{s}} earns {salary + maker.number(3, 40) * 1000:,} a year",
        f"{{s}} has a team of {team + maker.number(1, 20)}",
        f"{{s}} {'does not work' if remote else 'works'} remotely",
        f"{{s}} is {'not ' if married else ''}married",
        f"{boss} reports to {{s}}",
        f"{{s}} is the manager of {boss}",
    )
    said += [
        Said(
            f"{{s}} speaks {maker.any([each for each in ('Japanese', 'Greek', 'Swedish') if each not in languages])}",
            "not_supported",
            "invented",
        )
    ]
    return Domain(record, said, [name, name, name.split()[-1], "the employee"])


def _event(maker: Maker) -> Domain:
    kind, city, month, day = maker.pick(EVENTS), maker.pick(CITIES), maker.any(MONTHS), maker.number(1, 28)
    name = f"{maker.pick(STEMS)} {kind.title()} {maker.number(2015, 2026)}"
    hour, price, seats, sold = maker.number(8, 21), maker.number(5, 180), maker.number(80, 9000), maker.number(10, 79)
    speakers = people(maker, 2)
    outdoor, online = maker.odds(0.5), maker.odds(0.5)
    record = {
        maker.any(["name", "event", "title"]): name,
        "venue": f"{maker.pick(STEMS)} Hall",
        "city": city,
        "date": f"{day} {month}",
        "start_time": f"{hour}:00",
        "ticket_price": f"{price} EUR",
        "capacity": seats,
        "tickets_sold": sold,
        "speakers": speakers,
        "is_outdoor": outdoor,
        "live_stream": online,
        "organizer": company(maker),
    }
    said = _right(
        f"{{s}} takes place in {city}",
        f"{{s}} will be held on {day} {month}",
        f"{{s}} is on {month} {day}",
        f"{{s}} starts at {clock(hour, 0, maker)}",
        f"tickets cost {price} euros",
        f"the venue holds {seats} people",
        f"{sold} tickets have been sold",
        f"{speakers[0]} and {speakers[1]} will speak",
        f"{speakers[0]} is one of the speakers",
        f"{{s}} is held {'outdoors' if outdoor else 'indoors'}",
        "there is a live stream" if online else "there is no live stream",
        f"{{s}} is organised by {record['organizer']}",
        "{s} is not sold out yet",
        f"{{s}} takes place in {city} in {month}",
    )
    said += _wrong(
        f"{{s}} takes place in {maker.other(CITIES, city)}",
        f"{{s}} will be held on {day % 28 + 1} {month}",
        f"{{s}} will be held on {day} {maker.any([each for each in MONTHS if each != month])}",
        f"{{s}} starts at {clock(hour - maker.number(1, 3), 0, maker)}",
        f"tickets cost {price + maker.number(2, 60)} euros",
        f"the venue holds {seats + maker.number(10, 900)} people",
        f"{{s}} is held {'indoors' if outdoor else 'outdoors'}",
        "there is no live stream" if online else "there is a live stream",
        "{s} is sold out",
        "entry is free",
    )
    said += [Said(f"{person(maker)} will speak at {{s}}", "not_supported", "invented")]
    return Domain(record, said, [name, f"the {kind}", "the event"])


def _weather(maker: Maker) -> Domain:
    city, day = maker.pick(CITIES), maker.any(DAYS)
    high, low, rain, wind = maker.number(5, 38), maker.number(-8, 4), maker.number(0, 100), maker.number(2, 90)
    sky = maker.pick(["sunny", "cloudy", "foggy", "rainy", "snowy", "windy", "stormy", "clear", "overcast", "hazy"])
    alert = maker.odds(0.4)
    record = {
        "city": city,
        "day": day,
        "condition": sky,
        "temperature": {"high": f"{high} °C", "low": f"{low} °C"},
        "chance_of_rain": f"{rain}%",
        "wind": f"{wind} km/h",
        "sunrise": f"{maker.number(5, 7)}:{maker.number(10, 59)}",
        "storm_warning": alert,
    }
    said = _right(
        f"it will be {sky} in {city} on {day}",
        f"the high will be {high} degrees",
        f"temperatures reach {high} °C",
        f"the low is {low} °C",
        f"there is a {rain} percent chance of rain",
        f"winds of {wind} km/h are expected",
        "there is a storm warning" if alert else "there is no storm warning",
        f"temperatures range from {low} to {high} °C",
        f"rain is {'likely' if rain > 50 else 'unlikely'}",
        f"the forecast for {city} is {sky}",
    )
    said += _wrong(
        f"it will be {maker.any([each for each in ('sunny', 'snowy', 'foggy') if each != sky])} in {city}",
        f"the high will be {high + maker.number(2, 9)} degrees",
        f"the low is {low - maker.number(2, 9)} °C",
        f"there is a {(rain + maker.number(15, 70)) % 100} percent chance of rain",
        f"winds of {wind + maker.number(5, 40)} km/h are expected",
        "there is no storm warning" if alert else "there is a storm warning",
        f"temperatures range from {low} to {high + maker.number(2, 9)} °C",
        f"rain is {'unlikely' if rain > 50 else 'likely'}",
    )
    return Domain(record, said, [city])


def _match(maker: Maker) -> Domain:
    home, away = maker.several(CITIES, 2)
    one, two = maker.chance.sample(range(0, 6), 2)
    scorer, other = people(maker, 2)
    minute, crowd = maker.number(2, 89), maker.number(800, 79000)
    record = {
        "home_team": home,
        "away_team": away,
        "score": {"home": one, "away": two},
        "first_goal": {"scorer": scorer, "minute": minute},
        "attendance": crowd,
        "referee": other,
        "stadium": f"{maker.pick(STEMS)} Arena",
        "extra_time": False,
    }
    winner, loser = (home, away) if one > two else (away, home)
    score = f"{max(one, two)}-{min(one, two)}"
    said = _right(
        f"{winner} won {score}",
        f"{winner} beat {loser} {score}",
        f"{loser} lost to {winner}",
        f"{loser} was defeated",
        f"{scorer} scored the first goal",
        f"the first goal came in minute {minute}",
        f"{crowd:,} people watched the match",
        f"{other} was the referee",
        f"{home} played at home",
        f"the match took place at the {record['stadium']}",
        "there was no extra time",
        f"{one + two} goals were scored in all",
        f"{winner} scored {max(one, two)} goals",
    )
    said += _wrong(
        f"{loser} won {score}",
        f"{loser} beat {winner} {score}",
        f"{winner} lost to {loser}",
        f"{winner} beat {loser} {max(one, two) + 1}-{min(one, two)}",
        f"{other} scored the first goal",
        f"the first goal came in minute {minute + maker.number(1, 20)}",
        f"{crowd + maker.number(100, 9000):,} people watched the match",
        f"{away} played at home",
        "the match went into extra time",
        f"{one + two + maker.number(1, 3)} goals were scored in all",
        "the match ended in a draw",
        f"{scorer} was the referee",
    )
    return Domain(record, said, ["it"])


def _account(maker: Maker) -> Domain:
    who, plan, city = (
        person(maker),
        maker.pick(["Basic", "Pro", "Team", "Starter", "Enterprise", "Free", "Premium", "Plus", "Gold", "Silver"]),
        maker.pick(CITIES),
    )
    number, items, total = maker.number(10000, 99999), maker.number(1, 12), maker.number(12, 900)
    status = maker.pick(
        ["shipped", "cancelled", "delivered", "pending", "returned", "refunded", "processing", "on hold"]
    )
    paid, gift = maker.odds(0.5), maker.odds(0.5)
    record = {
        "id": f"ORD-{number}",
        "customer": who,
        "status": status,
        "items": items,
        "total": f"${total}",
        "plan": plan,
        "paid": paid,
        "gift_wrapped": gift,
        "shipping": {
            "city": city,
            "method": maker.pick(["express", "standard", "courier", "pickup", "overnight", "economy"]),
            "days": maker.number(1, 14),
        },
    }
    shipping: dict[str, Any] = record["shipping"]  # type: ignore[assignment]
    said = _right(
        f"{{s}} has been {status}"
        if status in ("shipped", "cancelled", "delivered", "returned", "refunded")
        else f"{{s}} is {status}",
        f"{{s}} was placed by {who}",
        f"{{s}} has {items} items",
        f"the total is ${total}",
        f"{who} is on the {plan} plan",
        f"{{s}} {'has been' if paid else 'has not been'} paid",
        f"{{s}} {'is' if gift else 'is not'} gift wrapped",
        f"{{s}} goes to {city}",
        f"{shipping['method']} shipping was chosen",
        f"shipping takes {shipping['days']} days",
        f"the status of {{s}} is {status}",
    )
    said += _wrong(
        f"{{s}} is {maker.any([each for each in ('lost', 'delivered', 'cancelled') if each != status])}",
        f"{{s}} was placed by {person(maker)} {maker.pick(LAST)}",
        f"{{s}} has {items + maker.number(1, 5)} items",
        f"the total is ${total + maker.number(1, 90)}",
        f"{{s}} {'has not been' if paid else 'has been'} paid",
        f"{{s}} {'is not' if gift else 'is'} gift wrapped",
        f"{{s}} goes to {maker.other(CITIES, city)}",
        f"shipping takes {shipping['days'] + maker.number(1, 6)} days",
    )
    return Domain(record, said, [f"order ORD-{number}", "the order", "this order"])


DOMAINS: list[Callable[[Maker], Domain]] = [
    _restaurant,
    _restaurant,
    _restaurant,
    _product,
    _member,
    _event,
    _weather,
    _match,
    _account,
]


def records(maker: Maker, number: int) -> Iterator[Example]:
    """Pairs of a record, as text that `without_records` reads, and a sentence about it."""
    made = 0
    while made < number:
        domain = maker.any(DOMAINS)(maker)
        context = without_records(_surface(domain.record, maker))
        for said in _chosen(domain, maker):
            made += 1
            text = said.text.replace("{s}", maker.any(domain.called))
            claim = upper_first(maker.any(_FRAMES).format(s=text)) + "."
            yield selected(context, claim, said.label, f"record_{said.kind}")


def _chosen(domain: Domain, maker: Maker) -> list[Said]:
    right = [said for said in domain.said if said.kind == "right"]
    wrong = [said for said in domain.said if said.kind != "right"]
    words = {
        "p": person(maker),
        "y": maker.number(1950, 2022),
        "c": maker.pick(CITIES),
        "d": maker.pick(DISHES),
        "n": maker.number(5, 60),
        "day": maker.any(DAYS),
    }
    invented = Said(maker.pick(INVENTED).format(**words), "unsupported", "invented")
    found = [*maker.chance.sample(right, 3), *maker.chance.sample(wrong, 3), invented]
    first, second = maker.chance.sample(right, 2)
    joined = maker.any([first, first, maker.any(wrong)])
    both = Said(f"{joined.text} and {second.text}", joined.label, joined.kind)
    return [*found, both]


def _surface(record: dict[str, Any], maker: Maker) -> str:
    """The record as JSON, as Python prints it, or as a list of keys and values where it has no objects within."""
    flat = not any(isinstance(value, dict | list) for value in record.values())
    surface = maker.any(_SURFACES)
    if surface == "pairs" and flat:
        return "\n".join(f"{upper_first(key.replace('_', ' '))}: {value}" for key, value in record.items())
    if surface == "table" and flat:
        keys = list(record)
        return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (keys, ["---"] * len(keys), record.values()))
    return repr(record) if surface == "python" else json.dumps(record)
