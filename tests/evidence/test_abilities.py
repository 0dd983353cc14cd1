import pytest

from voirdire.evidence import ContextIndex, find_contradictions


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("The deposit is not refundable. The fee can be refunded.", "The fee can be refunded."),
        ("Tickets are not refundable after 30 days.", "Tickets can be refunded within 30 days."),
        ("The fee is not refundable, except for illness.", "The fee can be refunded in case of illness."),
        ("The fee may not be refundable.", "The fee can be refunded."),
        ("The seat is not fully adjustable.", "You can adjust the seat."),
        ("Students cannot renew the pass.", "The pass is renewable."),
        ("The fee is not refundable.", "Can the fee be refunded?"),
    ],
)
def test_another_thing_a_condition_and_what_is_uncertain_deny_nothing(context, sentence):
    assert find_contradictions(sentence, ContextIndex.from_context(context)) == ()


def test_the_reason_quotes_what_can_and_what_cannot_be_done():
    index = ContextIndex.from_context("Tickets are sent by post. The booking fee is not refundable.")
    (found,) = find_contradictions("The booking fee can be refunded within six months.", index)
    assert (found.kind, found.claim, found.evidence) == ("negation", "can be refunded", "is not refundable")
    assert found.context_sentence == "The booking fee is not refundable."
