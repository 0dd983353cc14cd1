"""The price of another band is a sure contradiction, and the reason quotes that of the own band."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

FEES = (
    "| Value of the boat | Survey | Deposit |\n|---|---|---|\n| up to £2,000 | £40 | £100 |\n"
    "| £2,001 to £8,000 | £65 | £250 |"
)


@pytest.mark.parametrize(
    ("sentence", "own"),
    [
        ("The survey of a boat worth £5,000 costs £40.", "Survey: £65"),
        ("For £2,001 to £8,000 the deposit is £100.", "Deposit: £250"),
        ("For a boat worth £1,500 the deposit is £250.", "Deposit: £100"),
    ],
)
def test_the_price_of_another_band_is_sure_and_the_own_one_is_quoted(sentence, own):
    (found,) = find_contradictions(sentence, ContextIndex.from_context(FEES))
    assert (found.sure, found.evidence) == (True, own)
