"""A policy, and a model that drafts from it as a script says."""

import json

from tests.jury.scripted import ScriptedAsker, reply

POLICY = """# Loan policy of the Harbour Library

Adopted by the Library Committee on 14 March 2023. In force since 1 May 2023.

## Loans

A member may have 15 items on loan at the same time. Books are lent for 28 days, films for 7 days.
A loan may be renewed twice, unless another member has reserved the item.

## Late returns

The library charges 20 pence a day for each item, and at most 8 pounds. Persons under 12 pay no charges.
The charges were kept after the Late Fee Report of 2022 by Tomas Lindqvist. The Data Protection Act 2018 applies.
"""
FACTS = [
    ("A member of the Harbour Library may have 15 items on loan.", "A member may have 15 items on loan", "15", "95"),
    ("The Harbour Library lends books for 28 days.", "Books are lent for 28 days", "28", "90"),
    ("The Harbour Library lends films for 7 days.", "films for 7 days", "films", "newspapers"),
    ("A loan of the Harbour Library may be renewed twice.", "A loan may be renewed twice", "twice", "never"),
    ("Persons under 12 pay no charges at the Harbour Library.", "Persons under 12 pay no charges.", "no", "double"),
    ("The Harbour Library charges 20 pence a day.", "The library charges 20 pence a day", "20", "70"),
    ("The Late Fee Report of 2022 was written by Tomas Lindqvist.", "the Late Fee Report of 2022 by Tomas Lindqvist",
     "2022", "1922"),
    ("The loan policy is in force since 1 May 2023.", "In force since 1 May 2023.", "2023", "2013"),
]  # fmt: skip
NAMES = {
    "instances": [
        {"name": "Late Fee Report", "person": "Tomas Lindqvist", "date": "2022", "place": "Atlantis", "work": ""},
        {"name": "the Great Flood", "person": "", "date": "1900", "place": "", "work": ""},
    ],
    "people": ["Library Committee", "Tomas Lindqvist", "Ada Lovelace"],
    "topics": ["items on loan", "late returns", "another member", "quantum gravity", "persons under twelve", "charges"],
    "papers": ["Late Fee Report"],
    "events": [],
    "laws": ["Data Protection Act 2018"],
}
REFERENCE = " ".join(text for text, *_ in FACTS)


def fact(text, quote, **more):
    return {"fact": text, "quote": quote, **more}


def good_facts():
    return [fact(text, quote) for text, quote, *_ in FACTS]


def wrong_of(facts):
    by_text = {text: text.replace(true, false) for text, _, true, false in FACTS}
    return [{"id": number, "wrong": by_text[text]} for number, text in facts]


class Model(ScriptedAsker):
    """Answers each step with what it was given for it; steps without anything get the good reply."""

    def __init__(self, **steps):
        self.steps = {name.replace("_", "-"): list(replies) for name, replies in steps.items()}
        super().__init__(self.said)

    def said(self, spec, request):
        step = request.slot.agent
        if self.steps.get(step):
            given = self.steps[step].pop(0)
        else:
            given = self.good(step, request)
        return (
            given
            if not isinstance(given, (dict, str))
            else reply(json.dumps(given) if isinstance(given, dict) else given)
        )

    def good(self, step, request):
        if step == "facts":
            return {"facts": good_facts()}
        if step == "names":
            return NAMES
        if step == "reference":
            return {"reference": REFERENCE}
        if step == "wrong":
            listed = request.messages[-1].parts[1].text.splitlines()
            return {"wrong": wrong_of([line.split(": ", 1) for line in listed])}
        return {"facts": []} if step == "facts-again" else {"wrong": []}
