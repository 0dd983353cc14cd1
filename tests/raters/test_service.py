"""What raters do by the service, and what comes of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.raters._tiny import Play, tiny_store
from voirdire.raters.records import RatersError, Refused
from voirdire.raters.rows import IMPORTED
from voirdire.raters.service import MAX_TEXT, NotYours, Sent, change_links, links_of
from voirdire.raters.store import Stale, Store
from voirdire.raters.tasks.base import NewRow


@pytest.fixture
def play(tmp_path):
    """Opens a project of the tiny task: play(raters=…, gold=…)."""
    opened = []

    def open_project(**project):
        opened.append(Play(tmp_path / "p.db", **project))
        return opened[-1]

    yield open_project
    for each in opened:
        each.store.close()


def test_two_raters_get_the_same_documents_and_a_third_gets_nothing(play):
    service = play(raters=("Ann", "Ben", "Cem"))
    assert service.rate_all("Ann") == service.rate_all("Ben") == ["d0#0", "d0#1", "d1#0", "d1#1"]
    assert service.next("Cem") == "finished"


def test_a_document_that_somebody_has_begun_comes_before_new_ones(play):
    service = play(raters=("Ann", "Ben"), live=3, each=1)
    assert service.next("Ann") == "d0#0"
    assert service.rate("Ann", "d0#0").going.item == "d1#0"
    assert service.next("Ben") == "d0#0"
    assert service.rate("Ben", "d0#0").going.item == "d1#0"


def test_the_next_document_is_handed_out_with_the_answer_that_completes_the_one_before(play):
    service = play(live=2, each=1)
    service.next("Ann")
    assert service.send("Ann", "d0#0", word="a").going is None
    assert service.send("Ann", "d0#0", word="a").going.item == "d1#0"
    assert service.service.next(service.who("Ann")).item == "d1#0"


def test_looking_for_the_next_item_hands_nothing_out(play):
    service = play()
    assert service.service.next(service.who("Ann")).state == "ready"
    assert service.store.read.rows() == []


def test_nothing_is_seen_or_done_that_was_not_handed_out(play):
    service = play()
    service.next("Ann")
    for name, item in (("Ben", "d0#0"), ("Ann", "d1#0"), ("Ann", "no such item")):
        with pytest.raises(NotYours, match="no such item in your hands"):
            service.look(name, item)
        with pytest.raises(NotYours):
            service.send(name, item, seen=0, word="a")
        with pytest.raises(NotYours):
            service.do(service.service.ask(service.who(name), item, "May I?", "token001"))


def test_raters_do_not_see_each_other(play):
    service = play()
    service.next("Ann")
    service.next("Ben")
    service.rate("Ann", "d0#0")
    assert service.look("Ben", "d0#0").work.others == ()
    assert service.look("Ben", "d0#0").work.rows == ()


def test_the_same_form_sent_twice_is_written_once_and_answered_alike(play):
    service = play(each=1)
    service.next("Ann")
    service.send("Ann", "d0#0", word="a")
    first = service.send("Ann", "d0#0", token="sent-twice-0", seen=2, word="b")
    again = service.send("Ann", "d0#0", token="sent-twice-0", seen=2, word="b")
    assert first == again
    assert [row.kind for row in service.store.read.rows(rater="r1", item="d0#0")] == ["say", "say"]


def test_a_page_made_before_the_last_change_is_refused_and_changes_nothing(play):
    service = play()
    service.next("Ann")
    old = service.look("Ann", "d0#0").seen
    service.send("Ann", "d0#0", word="a")
    with pytest.raises(Stale, match="another tab"):
        service.send("Ann", "d0#0", seen=old, word="b")
    assert [row.body for row in service.look("Ann", "d0#0").work.rows] == [{"word": "a"}]


def test_a_refused_answer_is_not_written(play):
    service = play()
    service.next("Ann")
    with pytest.raises(Refused, match="Say a word"):
        service.send("Ann", "d0#0", word="")
    assert service.look("Ann", "d0#0").seen == 0


def test_undo_takes_the_last_answer_back_and_the_record_keeps_both(play):
    service = play()
    service.next("Ann")
    service.rate("Ann", "d0#0", "a b")
    undone = service.send("Ann", "d0#0", "undo")
    assert undone.going is None and undone.look.value is None
    assert [row.kind for row in service.store.read.rows(item="d0#0")] == ["say", "say", "undo"]
    assert service.next("Ann") == "d0#0"  # it is open again
    assert service.send("Ann", "d0#0", word="c").look.value == {"words": ["a", "c"]}


def test_undo_of_a_change_brings_the_former_rating_back(play):
    service = play()
    service.next("Ann")
    service.rate("Ann", "d0#0", "a b c")
    assert service.send("Ann", "d0#0", "undo").look.value == {"words": ["a", "b"]}
    assert service.store.read.values("d0#0") == [{"words": ["a", "b"]}]


def test_undo_after_leaving_an_item_is_refused_once_it_was_changed_elsewhere(play):
    service = play()
    service.next("Ann")
    left = service.rate("Ann", "d0#0").look.seen
    service.send("Ann", "d0#0", word="c")  # in another tab
    with pytest.raises(Stale):
        service.send("Ann", "d0#0", "undo", seen=left)


def test_there_is_nothing_to_undo_before_the_first_answer(play):
    service = play()
    service.next("Ann")
    with pytest.raises(Refused, match="nothing to undo"):
        service.send("Ann", "d0#0", "undo")


def test_practice_comes_first_and_live_items_only_after_passing(play):
    service = play(practice=2, pass_share=1.0)
    assert service.rate("Ann", "p0#0", "a a").going is None  # feedback is to be read first
    assert service.next("Ann") == "p1#0"
    service.rate("Ann", "p1#0", "a b")
    assert service.next("Ann") == "not passed"
    assert service.service.qualified(service.who("Ann"))[:4] == (1, 2, 2, 2)
    service.do(service.service.retake(service.who("Ann")))
    service.do(service.service.retake(service.who("Ann")))  # a button pressed twice
    assert service.next("Ann") == "p0#0" and service.look("Ann", "p0#0").value is None
    assert service.rate_all("Ann")[:2] == ["p0#0", "p1#0"]
    assert service.service.qualified(service.who("Ann")).tries == 2
    assert service.next("Ann") == "finished"


def test_who_has_passed_can_not_begin_anew(play):
    service = play(practice=1)
    service.rate("Ann", "p0#0", "a a")
    service.do(service.service.retake(service.who("Ann")))
    assert service.next("Ann") == "d0#0"


@pytest.mark.parametrize(("project", "item"), [({"practice": 1}, "p0#0"), ({"calibration": 1}, "d0#0")])
def test_ratings_that_feedback_was_given_on_stay(play, project, item):
    service = play(**project)
    service.next("Ann")
    service.rate("Ann", item)
    assert "feedback has been shown" in service.look("Ann", item).locked
    for action in ("say", "undo"):
        with pytest.raises(Refused, match="feedback has been shown"):
            service.send("Ann", item, action, word="b")


def test_calibration_goes_to_everybody_and_shows_others_after_ones_own_rating(play):
    service = play(raters=("Ann", "Ben", "Cem"), calibration=1, live=1, each=1)
    for name, words in (("Ann", "a a"), ("Ben", "b b")):
        assert service.next(name) == "d0#0"
        service.rate(name, "d0#0", words)
    assert service.next("Cem") == "d0#0"
    assert service.look("Cem", "d0#0").work.others == ()
    shown = service.rate("Cem", "d0#0", "c c").look.work.others
    assert [other["words"] for other in shown] == [["a", "a"], ["b", "b"]]


def test_an_adjudicator_gets_what_raters_differ_on_and_nothing_else(play):
    service = play(adjudicators=("Dee",))
    service.rate_all("Ann", "a a")
    assert service.next("Dee") == "waiting"
    for item, words in zip(("d0#0", "d0#1", "d1#0"), ("a a", "a b", "b b"), strict=True):
        assert service.next("Ben") == item
        service.rate("Ben", item, words)
    assert service.next("Dee") == "d0#1"
    with pytest.raises(NotYours):
        service.look("Dee", "d1#0")
    assert service.rate("Dee", "d0#1", "b a").going.item == "d1#0"
    service.rate("Dee", "d1#0")
    assert service.next("Dee") == "waiting"


def test_a_rating_that_was_imported_can_not_be_undone_but_changed(play):
    service = play(live=1, each=1)
    service.next("Ann")

    def work(transaction):
        row = transaction.add("r1", "d0#0", NewRow(IMPORTED, {"value": {"words": ["a", "a"]}, "at": None}))
        transaction.settle("r1", "d0#0", {"words": ["a", "a"]}, row.seq)

    service.do(service.store.write(work))
    assert service.look("Ann", "d0#0").value == {"words": ["a", "a"]}
    with pytest.raises(Refused, match="nothing to undo"):
        service.send("Ann", "d0#0", "undo")
    assert service.rate("Ann", "d0#0", "b b").look.value == {"words": ["b", "b"]}


@pytest.mark.parametrize(("gold", "seen"), [("majority", []), ("adjudicated", [["a", "a"], ["b", "b"]])])
def test_an_adjudicator_sees_the_ratings_only_where_they_decide(play, gold, seen):
    service = play(adjudicators=("Dee",), gold=gold, live=1, each=1)
    service.rate_all("Ann", "b b")
    service.rate_all("Ben", "a a")
    service.next("Dee")
    assert [other["words"] for other in service.look("Dee", "d0#0").work.others] == seen


def test_two_adjudicators_never_get_the_same_item(play):
    service = play(adjudicators=("Dee", "Eli"), live=1, each=2)
    service.rate_all("Ann", "a a")
    service.rate_all("Ben", "b b")
    assert [service.next("Dee"), service.next("Eli")] == ["d0#0", "d0#1"]
    service.rate("Dee", "d0#0")
    assert service.next("Dee") == "waiting"


def test_ratings_that_an_adjudicator_is_at_work_on_are_closed(play):
    service = play(adjudicators=("Dee",), live=1, each=1)
    service.rate_all("Ann", "a a")
    service.rate_all("Ben", "b b")
    service.send("Ben", "d0#0", word="c")  # may still be changed: nobody has it yet
    service.next("Dee")
    with pytest.raises(Refused, match="closed"):
        service.send("Ben", "d0#0", word="a")
    with pytest.raises(Refused, match="closed"):
        service.send("Ann", "d0#0", "undo")
    service.do(service.service.ask(service.who("Ben"), "d0#0", "Was I wrong?", "token001"))  # asking is always possible
    service.rate("Dee", "d0#0", "x x")
    assert service.rate("Dee", "d0#0", "y").look.value == {"words": ["x", "y"]}  # their own they may change


def test_a_rater_who_comes_round_takes_the_item_from_the_adjudicators(play):
    service = play(adjudicators=("Dee",), live=1, each=1)
    service.rate_all("Ann", "a a")
    service.rate_all("Ben", "a b")
    service.send("Ben", "d0#0", word="a")
    assert service.next("Dee") == "waiting"


def test_a_released_document_goes_to_another_and_what_was_rated_of_it_stays(play):
    service = play(raters=("Ann", "Ben", "Cem"), live=1)
    for name in ("Ann", "Ben"):
        service.next(name)
    service.rate("Ann", "d0#0")
    assert service.next("Cem") == "finished"
    service.do(service.service.release("r1", "d0"))
    assert service.next("Ann") == "finished"  # not handed to the same person again
    with pytest.raises(NotYours):
        service.send("Ann", "d0#0", seen=0, word="b")
    assert service.store.read.values("d0#0") == [{"words": ["a", "a"]}]
    assert service.store.read.complete("r1") == []
    assert service.rate_all("Cem") == ["d0#0", "d0#1"]


def test_what_is_rated_as_a_whole_or_not_in_these_hands_can_not_be_released(play):
    service = play(live=1, each=1)
    service.rate_all("Ann")
    for rater, says in (("r1", "All of that is rated"), ("r2", "not in this rater's hands")):
        with pytest.raises(RatersError, match=says):
            service.do(service.service.release(rater, "d0"))


def test_a_dispute_that_is_released_goes_to_another_adjudicator_and_the_ratings_are_open_meanwhile(play):
    service = play(adjudicators=("Dee", "Eli"), live=1, each=1)
    service.rate_all("Ann", "a a")
    service.rate_all("Ben", "b b")
    service.next("Dee")
    service.do(service.service.release("r3", "d0", "d0#0"))
    assert service.look("Ann", "d0#0").locked is None
    assert [service.next("Dee"), service.next("Eli")] == ["waiting", "d0#0"]


def test_questions_count_apart_by_when_they_were_asked(play):
    service = play()
    service.next("Ann")
    ask = service.service.ask
    service.do(ask(service.who("Ann"), "d0#0", " Which one? ", "token001"))
    service.do(ask(service.who("Ann"), "d0#0", "Which one?", "token001"))  # sent twice
    service.rate("Ann", "d0#0")
    service.do(ask(service.who("Ann"), "d0#0", "Was that right?", "token002"))
    assert [(each.text, each.afterwards) for each in service.service.questions()] == [
        ("Which one?", False),
        ("Was that right?", True),
    ]
    assert service.service.questions(service.who("Ben")) == ()


def test_asking_does_not_make_an_open_page_stale(play):
    service = play()
    service.next("Ann")
    seen = service.look("Ann", "d0#0").seen
    service.do(service.service.ask(service.who("Ann"), "d0#0", "Which?", "token001"))
    service.send("Ann", "d0#0", seen=seen, word="a")


def test_replies_reach_who_asked_and_are_new_until_read(play):
    service = play()
    ann, ben = service.who("Ann"), service.who("Ben")
    service.next("Ann")
    service.do(service.service.ask(ann, "d0#0", "Which?", "token001"))
    asked = service.service.questions()[0].seq
    for text, token in (("This.", "token001"), ("This.", "token001"), ("That one.", "token002")):
        service.do(service.service.reply(asked, text, token))
    assert service.service.questions(ann)[0].reply == "That one."
    assert (service.store.read.new_replies(ann.id), service.store.read.new_replies(ben.id)) == (2, 0)
    service.do(service.service.mark_read(ann))
    assert service.store.read.new_replies(ann.id) == 0


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_TEXT + 1)])
def test_a_question_says_something_and_is_no_book(play, text):
    service = play()
    service.next("Ann")
    with pytest.raises(RatersError, match=r"text field|at most 20,000"):
        service.do(service.service.ask(service.who("Ann"), "d0#0", text, "token001"))


def test_a_reply_needs_its_question(play):
    service = play()
    with pytest.raises(RatersError, match="no question 7"):
        service.do(service.service.reply(7, "This.", "token001"))


def test_acts_of_many_raters_at_once_are_all_written_once(play):
    names = tuple(f"R{number}" for number in range(20))
    service = play(raters=names, live=30, each=1, raters_per_item=20)

    async def work_through(name):
        rater = service.who(name)
        going = await service.service.take_next(rater)
        for _ in range(5):
            for word in "ab":
                look = service.service.look(rater, going.item)
                sent = Sent("say", {"word": word}, f"{name}{look.work.item.id[:-2]}{word}x", look.seen)
                acted = await service.service.act(rater, going.item, sent)
            going = acted.going

    async def all_at_once():
        await asyncio.gather(*map(work_through, names))

    service.do(all_at_once())
    said = [row for row in service.store.read.rows() if row.kind == "say"]
    assert len({(row.rater, row.token) for row in said}) == len(said) == 20 * 5 * 2
    assert all(len(service.store.read.complete(rater.id)) == 5 for rater in service.store.read.raters())


def test_the_order_of_others_ratings_says_nothing_of_who_gave_them(play):
    service = play(adjudicators=("Dee",), gold="adjudicated", live=1, each=2)
    for name, words in (("Ann", ["a a", "b b"]), ("Ben", ["b b", "a a"])):
        for item in ("d0#0", "d0#1"):
            service.next(name)
            service.rate(name, item, words[int(item[-1])])
    service.next("Dee")
    first = service.look("Dee", "d0#0").work.others
    service.rate("Dee", "d0#0")
    assert service.look("Dee", "d0#1").work.others == first
    assert json.dumps(first[0]) < json.dumps(first[1])


BASE = "http://127.0.0.1:8600/"


@pytest.fixture
def store(tmp_path):
    with Store.open(tiny_store(tmp_path / "p.db")) as opened:
        yield opened


def addresses(store):
    return {link.name: link.address for link in links_of(store, BASE)}


def test_everybody_has_a_link_of_their_own_the_organiser_first(store):
    links = links_of(store, BASE)
    assert [(link.name, link.role) for link in links] == [
        ("organiser", "organiser"),
        ("Ann", "rater"),
        ("Ben", "rater"),
    ]
    assert links[0].address.startswith("http://127.0.0.1:8600/o/")
    assert links[1].address.startswith("http://127.0.0.1:8600/w/") and links[1].address.endswith("/")
    assert len({link.address for link in links}) == 3


def test_people_are_added_and_the_others_links_stay(store):
    before = addresses(store)
    change_links(store, raters=["Cem"], adjudicators=["Dee"])
    after = addresses(store)
    assert set(after) - set(before) == {"Cem", "Dee"}
    assert {name: after[name] for name in before} == before
    assert [rater.role for rater in store.read.raters()] == ["rater", "rater", "rater", "adjudicator"]


@pytest.mark.parametrize("name", ["Ann", "organiser"])
def test_a_link_is_made_anew_and_the_old_one_ends(store, name):
    before = addresses(store)
    change_links(store, renew=[name])
    after = addresses(store)
    assert [each for each in after if after[each] != before[each]] == [name]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"raters": ["Cem", "ann"]}, "'ann' is taken"),
        ({"raters": ["Cem"], "renew": ["Nobody"]}, "no rater 'Nobody'; there are Ann, Ben, Cem, organiser"),
        ({"adjudicators": ["Organiser"]}, "is taken"),
    ],
)
def test_all_of_it_is_done_or_nothing(store, changes, says):
    before = addresses(store)
    with pytest.raises(RatersError, match=says):
        change_links(store, **changes)
    assert addresses(store) == before
