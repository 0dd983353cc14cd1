import json

import pytest

from voirdire.detectors.lexical import LexicalDetector
from voirdire.evidence.record_wrappers import without_wrappers

REHEARSALS = [
    {"ref": "W-11", "choir": "Harbour Voices", "hall": "lower hall", "singers": 31, "contact": "Ines Falk"},
    {"ref": "W-12", "choir": "Tanner Street Singers", "hall": "upper hall", "singers": 18, "contact": "Owen Pryce"},
]
JSON = json.dumps(REHEARSALS)
FIRST, SECOND = map(json.dumps, REHEARSALS)
BILL = "invoice: RV-2207\nchoir: Harbour Voices\nissued: 2025-03-10\ndue: 2025-04-09\ntotal: £180.00"
LATER = "invoice: RV-2208\nchoir: Tanner Street Singers\nissued: 2025-03-12\ndue: 2025-04-19\ntotal: £95.00"
WRAPPED = [
    "Context:\n{}",
    "**Documents:**\n{}",
    "## Context\n{}",
    "Here is the context:\n{}",
    "Context: {}",
    "```json\n{}\n```",
    "Documents:\n~~~\n{}\n~~~",
    "<document>\n{}\n</document>",
    "<context>{}</context>",
    '<documents>\n<document index="1">\n{}\n</document>\n</documents>',
    '<invoices>\n<item source="bills/may.json" index="2">\n{}\n</item>\n</invoices>',
    "Context information is below.\n---------------------\n{}\n---------------------",
    'Context:\n"""\n{}\n"""',
    "Rehearsals of the week:\n{}",
]


def _is_flagged(context, sentence):
    detector = LexicalDetector()
    return detector.flag(context, [sentence])[0] >= detector.threshold


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_json_is_read_as_records_behind_a_label_a_fence_or_a_tag(wrapped):
    context = wrapped.format(JSON)
    assert _is_flagged(context, "Owen Pryce is the contact for Harbour Voices.")
    assert not _is_flagged(context, "Ines Falk is the contact for Harbour Voices.")


@pytest.mark.parametrize("wrapped", [each for each in WRAPPED if each != "Context: {}"])
def test_keys_and_values_are_read_as_records_behind_a_label_a_fence_or_a_tag(wrapped):
    context = wrapped.format(BILL)
    assert _is_flagged(context, "The invoice was due on 10 March 2025.")
    assert not _is_flagged(context, "The invoice is due on 9 April 2025.")


@pytest.mark.parametrize(
    "wrapped",
    [
        "```\n{}\n```\n```\n{}\n```",
        "<documents>\n<document>\n{}\n</document>\n<document>\n{}\n</document>\n</documents>",
        "<document>{}</document><document>{}</document>",
        "Document 1:\n{}\n\nDocument 2:\n{}",
        "Document 1:\n{}\nDocument 2:\n{}",
    ],
)
def test_several_wrapped_blocks_are_several_passages(wrapped):
    context = wrapped.format(FIRST, SECOND)
    assert _is_flagged(context, "Owen Pryce is the contact for Harbour Voices.")
    assert not _is_flagged(context, "Owen Pryce is the contact for the Tanner Street Singers.")
    bills = wrapped.format(BILL, LATER)
    assert _is_flagged(bills, "Invoice RV-2208 is due on 9 April 2025.")
    assert not _is_flagged(bills, "Invoice RV-2208 is due on 19 April 2025.")


def test_a_label_of_its_own_words_stays_as_a_paragraph_and_one_of_a_prompt_goes():
    assert without_wrappers(f"Rehearsals of the week:\n{JSON}") == f"Rehearsals of the week:\n\n{JSON}"
    assert without_wrappers(f"Search results:\n{JSON}").strip() == JSON


BLANK_LINES = json.dumps(REHEARSALS, indent=2).replace("\n", "\n\n")
IN_PROSE = [
    "Here is the record we hold\n{}",
    "The halls open at nine.\nHere is what we hold (as of 3.5.):\n{}\nPlease note that the lift is slow.",
    "The halls open at nine.\n\nHere is the record we hold\n\n{}\nThe lift is slow.",
    "The halls open at nine.\n\n```json\n{}\n```\n\nThe lift is slow.",
    "Here is the record we hold\n```\n{}\n```",
]


@pytest.mark.parametrize("prose", IN_PROSE)
@pytest.mark.parametrize("record", [JSON, BLANK_LINES, str(REHEARSALS), f"{FIRST}\n{SECOND}"])
def test_json_is_read_as_records_between_lines_of_prose_and_with_blank_lines_within(prose, record):
    context = prose.format(record)
    assert _is_flagged(context, "Owen Pryce is the contact for Harbour Voices.")
    assert not _is_flagged(context, "Ines Falk is the contact for Harbour Voices.")


@pytest.mark.parametrize("prose", IN_PROSE)
def test_one_object_is_read_as_a_record_between_lines_of_prose(prose):
    context = prose.format(json.dumps(REHEARSALS[0], indent=2).replace("\n", "\n\n"))
    assert _is_flagged(context, "The choir Harbour Voices has 18 singers.")
    assert not _is_flagged(context, "The choir Harbour Voices has 31 singers.")


def test_prose_beside_a_wrapped_record_stays():
    context = f"<context>\nThe halls open at nine.\n\n{JSON}\n</context>"
    assert _is_flagged(context, "Owen Pryce is the contact for Harbour Voices.")
    assert not _is_flagged(context, "The halls open at nine.")
    assert "The halls open at nine." in without_wrappers(context)


@pytest.mark.parametrize(
    "text",
    [
        "Context:\nThe halls open at nine. Singers bring their own music.",
        "```python\nsinger = 1\nhall = 2\n```",
        "```python\nsinger = 1\n```\n\nchoir: Harbour Voices\nhall: lower hall",
        "<order>\n<item>Tuning fork</item>\n<price>12</price>\n</order>",
        "<name>Harbour Voices: a choir</name>",
        "Leith:\nseats: 31\nbays: 4\n\nPerth:\nseats: 52\nbays: 6",
        "<leith>\nseats: 31\nbays: 4\n</leith>\n<perth>\nseats: 52\nbays: 6\n</perth>",
        '<hall name="Leith">\nseats: 31\nbays: 4\n</hall>\n<hall name="Perth">\nseats: 52\nbays: 6\n</hall>',
        "choir: Harbour Voices\nhall: lower hall\ntags: [sea, brass]\nsingers: 31",
        'He wrote ["so", "it", "is"]\n[1] A footnote\n{x} marks the spot',
        'Leith\n{"seats": 31',
        'Leith branch\n{"seats": 31}\n\nPerth branch\n{"seats": 52}',
        "",
    ],
)
def test_what_wraps_no_record_stays_as_it_is(text):
    assert without_wrappers(text) == text


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_without_wrappers_twice_has_the_same_paragraphs_as_once(wrapped):
    once = without_wrappers(wrapped.format(JSON))
    assert without_wrappers(once).split() == once.split()
    assert without_wrappers(once).count("\n\n") <= once.count("\n\n")
