"""Dates of a record's fields: what a reason shows, and when a sentence says no more than a field's date."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.dates_of_other_fields import is_date_of_field
from voirdire.evidence.matching import match_of

INDEX = ContextIndex.from_context('{"order": "D-4411", "ordered": "2026-05-03", "delivery_due": "2026-05-08"}')


def test_the_reason_names_the_field_and_its_date():
    (result,) = find_contradictions("On 3 May the delivery is due.", INDEX)
    assert (result.kind, result.claim, result.evidence) == ("date", "3 May", "delivery due: 2026-05-08")


@pytest.mark.parametrize(
    ("sentence", "is_all"),
    [
        ("The delivery is due on 8 May.", True),
        ("D-4411 was ordered on 3 May.", True),
        ("The delivery is due on 3 May.", False),
        ("The delivery is due on 8 May in Leith.", False),
        ("Was it ordered on 3 May?", False),
    ],
)
def test_a_sentence_may_say_no_more_than_the_date_of_a_field(sentence, is_all):
    assert is_date_of_field(match_of(sentence, INDEX)) is is_all


def test_the_title_of_a_person_says_no_more_than_the_record_of_that_person():
    index = ContextIndex.from_context("member: Olga Brandt\njoined: 2024-02-01\nlast_lesson: 2026-01-19\ninsured: no")
    assert is_date_of_field(match_of("Ms Brandt had her last lesson on 19 January 2026.", index))
    assert not is_date_of_field(match_of("Ms Brandt had her last lesson on 1 February 2024.", index))
