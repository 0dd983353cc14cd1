import asyncio

from tests.runs.scripted import row
from voirdire.records import Slot, WireMessage
from voirdire.runs import Journal

LONG = "A paragraph that is long enough to be stored beside the call, by its number."


def commit(journal, key, slot, *messages, **changed):
    asyncio.run(journal.commit(row(key, slot=slot, messages=[WireMessage(*each) for each in messages], **changed)))


def test_the_journal_tells_by_dialogue_what_was_sent(tmp_path):
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        commit(journal, "1", Slot("a", 1, "subject"), ("system", f"{LONG}\n\nShort."), ("user", "What?"))
        commit(journal, "2", Slot("a", 2, "subject"), ("user", "And then?"))
        commit(journal, "3", Slot("a", 1, "judge"), ("user", "Judge."))
        commit(journal, "4", Slot("b", 1, "imported"), ("user", "Who?"))
        commit(journal, "5", Slot("c", 1, "subject"), ("user", "Lost?"), error_kind="server")
        assert journal.sent(("subject", "imported"), turn=1) == {
            "a": [{"role": "system", "content": f"{LONG}\n\nShort."}, {"role": "user", "content": "What?"}],
            "b": [{"role": "user", "content": "Who?"}],
        }
        assert journal.sent(("subject",), turn=3) == {}


def test_of_two_answered_calls_the_later_says_what_was_sent(tmp_path):
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        for key in ("first", "second"):
            commit(journal, key, Slot("a", 1, "subject"), ("user", key))
        assert journal.sent(("subject",), turn=1)["a"][0]["content"] == "second"
