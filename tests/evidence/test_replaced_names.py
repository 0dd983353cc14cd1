"""A name that is nowhere in the context contradicts the sentence that is the same but for it, and nothing else does."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

REST = " The tank holds 2.5 litres. Shipping is free above 60 euros."


def found(context, sentence):
    return [
        (each.kind, each.claim, each.evidence)
        for each in find_contradictions(sentence, ContextIndex.from_context(context + REST))
    ]


@pytest.mark.parametrize(
    ("context", "sentence", "kind", "claim", "evidence"),
    [
        ("The archive is kept in Vienna.", "The archive is kept in Geneva.", "name", "Geneva", "Vienna"),
        (
            "Data are stored in Vienna and deleted after 90 days.",
            "Data are stored in Geneva.",
            "name",
            "Geneva",
            "Vienna",
        ),
        ("The hotline is run by Marta.", "The hotline is run by Petra.", "name", "Petra", "Marta"),
        ("Send the form to Ms Okafor.", "Send the form to Mr Lindqvist.", "name", "Lindqvist", "Okafor"),
        (
            "The filter was designed by Ana Brandl.",
            "The filter was designed by Ida Moser.",
            "name",
            "Ida Moser",
            "Ana Brandl",
        ),
        ("The app runs on Android and iOS.", "The app runs on Android and Windows.", "name", "Windows", "iOS"),
        ("The Studio plan includes support.", "The Family plan includes support.", "name", "Family", "Studio"),
        ("The update was published in March.", "The update was published in August.", "date", "August", "March"),
        ("The support desk is closed on Sunday.", "The support desk is closed on Monday.", "date", "Monday", "Sunday"),
    ],
)
def test_another_name_in_the_same_sentence_is_a_contradiction_that_names_both(context, sentence, kind, claim, evidence):
    assert found(context, sentence) == [(kind, claim, evidence)]


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("The law was signed by President Obama in 2010.", "The law was signed by Barack Obama in 2010."),
        ("The report was published by the World Health Organization.", "The report was published by WHO."),
        ("The app runs on systems such as Android.", "The app runs on systems such as Windows."),
        ("The desk is open Monday to Friday.", "The desk is open Wednesday."),
        ("The desk is closed on Sunday.", "The desk is closed on Sun."),
        ("He was born in Kiev in 1950.", "He was born in Kyiv in 1950."),
        ("The book was written by John Smith.", "The book was written by J. Smith."),
        ("Refunds are paid by the bank within two days.", "Payments are made by the bank within two days."),
        ("Die Pumpe kostet im Laden 85 Euro.", "Die Pumpe kostet im Internet 85 Euro."),
        ("Meeting Notes From Vienna Office Today", "Meeting Notes From Geneva Office Today"),
        ("The archive is kept in Vienna.", "Is the archive kept in Geneva?"),
        ("The archive is kept in Vienna. Geneva has the museum.", "The museum is kept by Ana, the archive in Vienna."),
        ("The club was founded by Ana.", "The club was founded by Ana Brandl."),
    ],
)
def test_what_may_be_the_same_name_or_another_statement_is_none(context, sentence):
    assert found(context, sentence) == []
