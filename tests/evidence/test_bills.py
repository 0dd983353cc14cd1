"""What lines of a bill make, as reasons show it."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

ORDER = (
    '{"order": "D-118", "lines": [{"item": "boat dive", "quantity": 1, "price": 84.5},'
    ' {"item": "tank hire", "quantity": 2, "price": 27}], "fee": 5}'
)


@pytest.mark.parametrize(
    ("sentence", "evidence", "quoted"),
    [
        (
            "The total is £111.50.",
            "84.5 + 2 × 27 = 138.50; with fee 5: 143.50",
            "item: boat dive; quantity: 1; price: 84.5; item: tank hire; quantity: 2; price: 27; fee: 5",
        ),
        ("The two tank hires cost £27 in total.", "2 × 27 = 54", "item: tank hire; quantity: 2; price: 27"),
    ],
)
def test_the_reason_shows_the_calculation(sentence, evidence, quoted):
    result, *others = find_contradictions(sentence, ContextIndex.from_context(ORDER))
    assert (result.evidence, result.context_sentence, others) == (evidence, quoted, [])


def test_a_stated_total_is_what_a_total_is_compared_with():
    context = ORDER.replace('"fee": 5', '"total": 140')
    (result,) = find_contradictions("The total is £138.50.", ContextIndex.from_context(context))
    assert result.evidence == "total: 140"


def test_the_reason_for_a_wrong_difference_shows_both_sums():
    other = ORDER.replace("D-118", "D-119").replace('"quantity": 2', '"quantity": 4')
    index = ContextIndex.from_context(f"[{ORDER}, {other}]")
    assert find_contradictions("D-119 comes to £54 more than D-118.", index) == ()
    (result,) = find_contradictions("D-119 comes to £59 more than D-118.", index)
    assert (
        result.evidence == "84.5 + 4 × 27 = 192.50; with fee 5: 197.50 less 84.5 + 2 × 27 = 138.50; with fee 5: 143.50"
    )
