from hypothesis import given
from hypothesis import strategies as st

from voirdire.cognibench.formats import Problem, Seen, TakenIds
from voirdire.detectors.records import Answer


def answer(name):
    return Answer(id=name, dialogue=name, group=name, context="", question="", text="", statements=())


@given(st.lists(st.text(max_size=3), max_size=300))
def test_a_text_is_new_once(texts):
    seen, known = Seen(), set()
    for text in texts:
        assert seen.add(text) is (text not in known)
        known.add(text)


def test_the_table_grows_and_forgets_nothing():
    seen = Seen()
    assert all(seen.add(f"id-{number}") for number in range(5_000))
    assert not any(seen.add(f"id-{number}") for number in range(5_000))


def test_an_id_that_comes_again_gets_the_next_number_that_is_free():
    told = []
    names = TakenIds(told.append)
    assert [names.own(answer(name)).id for name in ("a", "a", "a#2", "a", "b")] == ["a", "a#2", "a#2#2", "a#3", "b"]
    assert told[0] == Problem("renamed", "a", "now a#2")
    assert len(told) == 3
