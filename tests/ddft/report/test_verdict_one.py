from tests.ddft._scores import simulated
from voirdire.ddft.profile import profiles
from voirdire.ddft.report.verdict_one import _overall


def test_er_on_few_turns_is_never_said_without_its_caution():
    (few,) = profiles(simulated(concepts=1).query("level < 0.6"))
    (enough,) = profiles(simulated(concepts=1))
    assert "ER is not reliable here: K rests on 9 turns and needs 10." in list(_overall(few))
    assert not any("not reliable" in sentence for sentence in _overall(enough))
