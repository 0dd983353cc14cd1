"""A concept file that breaks no rule for a user's own, to be broken in one place at a time."""

SENTENCES = [
    "The Severn bore is a tidal wave that runs up the River Severn in England.",
    "Isaac Newton explained the tides by the pull of moon and sun in 1687.",
    "Newton's Principia was printed in London in 1687.",
    "Pierre-Simon Laplace published a theory of the tides as waves in 1775.",
    "William Thomson built a machine that predicts tides in 1872.",
    "The tide-predicting machine of 1872 was built in Glasgow by William Thomson.",
    "Spring tides come at new moon and at full moon.",
    "Neap tides come at the quarters of the moon.",
    "The Bay of Fundy in Canada has the highest tides of all coasts.",
    "Most coasts see two high tides on a day.",
    "High tides follow one another after about 12 hours and 25 minutes.",
    "The moon raises a bulge of water on two sides of the earth.",
    "Bernard Forest de Belamy is named in no account of the tides.",
]
FACTS = [
    ("t1", "Isaac Newton explained the tides by the pull of moon and sun in 1687.", "1687", "1787"),
    ("t2", "Newton's Principia was printed in London in 1687.", "London", "Paris"),
    ("t3", "Pierre-Simon Laplace published a theory of the tides as waves in 1775.", "1775", "1875"),
    ("t4", "William Thomson built a machine that predicts tides in 1872.", "1872", "1772"),
    ("t5", "Spring tides come at new moon and at full moon.", "Spring", "Neap"),
    ("t6", "The Bay of Fundy in Canada has the highest tides of all coasts.", "highest", "lowest"),
    ("t7", "Most coasts see two high tides on a day.", "two", "nine"),
    ("t8", "High tides follow one another after about 12 hours and 25 minutes.", "12 hours", "3 hours"),
]


def concept(**changes):
    """The concept as a mapping, with keys changed; `None` leaves a key out."""
    reference = "\n\n".join(" ".join(SENTENCES[at : at + 7]) for at in (0, 7))
    made = {
        "id": "tides",
        "name": "Tides",
        "domain": "Oceanography",
        "aliases": [],
        "reference": reference,
        "facts": [
            {"id": name, "text": text, "source": "a handbook of the tides", "wrong": text.replace(true, false)}
            for name, text, true, false in FACTS
        ],
        "instances": [
            {"name": "the Severn bore", "place": "England", "work": "River Severn"},
            {"name": "the tide-predicting machine", "person": "William Thomson", "date": "1872", "place": "Glasgow"},
        ],
        "scholars": ["Isaac Newton", "Pierre-Simon Laplace", "William Thomson", "George Darwin", "Arthur Doodson"],
        "topics": ["the height of tides", "the pull of the moon", "tidal waves", "spring tides", "the age of the tide"],
        "real": {
            "paper": ["Philosophiae Naturalis Principia Mathematica"],
            "event": ["the North Sea flood of 1953"],
            "law": ["Laplace's tidal equations"],
        },
    } | changes
    return {key: value for key, value in made.items() if value is not None}


def text(**changes):
    """The same as a file's text."""
    import yaml

    return yaml.safe_dump(concept(**changes), sort_keys=False, allow_unicode=True)


def with_fact(number, **changes):
    """The facts, one of them changed."""
    facts = concept()["facts"]
    facts[number] |= changes
    return facts


def elsewhere(count):
    """Facts of which the reference says nothing."""
    return [
        {
            "id": f"e{n}",
            "text": f"The harbour of Brest was deepened in 180{n}.",
            "source": "a book",
            "wrong": f"No {n}.",
        }
        for n in range(count)
    ]
