"""A time of day in the words of the context: "18:00" as "closing time"."""

import pytest

from voirdire.evidence import ContextIndex
from voirdire.evidence.figure_contradictions import with_context_figures
from voirdire.evidence.matching import match_of

CONTEXT = (
    "The stable is open from 9:00 to 18:00. The lamps are not switched off at closing time. Hay is brought two hours"
    " after opening time. The gate is locked at closing time."
)


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("The gate is locked at 18:00.", "The gate is locked at closing time."),
        ("Hay is brought at 11:00.", "Hay is brought at two hours after opening time."),
        ("Hay is brought at 9:00.", "Hay is brought at 9:00."),
        ("The lamps are switched off at 18:00.", "The lamps are switched off at 18:00."),
    ],
)
def test_a_right_time_is_written_as_the_context_names_it_and_no_other(sentence, written):
    assert with_context_figures(match_of(sentence, ContextIndex.from_context(CONTEXT))) == written
