"""What raters do by the played, and what comes of it."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.raters._tiny import Play, tiny_store
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError, Refused
from voirdire.raters.rows import IMPORTED
from voirdire.raters.service import MAX_TEXT, NotAssigned, Submission, change_links, links_of
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
    played = play(raters=("Ann", "Ben", "Cem"))
    assert played.rate_all("Ann") == played.rate_all("Ben") == ["d0#0", "d0#1", "d1#0", "d1#1"]
    assert played.next("Cem") == "finished"


def test_a_document_that_somebody_has_begun_comes_before_new_ones(play):
    played = play(raters=("Ann", "Ben"), live=3, each=1)
    assert played.next("Ann") == "d0#0"
    assert played.rate("Ann", "d0#0").going.item == "d1#0"
    assert played.next("Ben") == "d0#0"
    assert played.rate("Ben", "d0#0").going.item == "d1#0"


def test_the_next_document_is_handed_out_with_the_answer_that_completes_the_one_before(play):
    played = play(live=2, each=1)
    played.next("Ann")
    assert played.send("Ann", "d0#0", word="a").going is None
    assert played.send("Ann", "d0#0", word="a").going.item == "d1#0"
    assert played.service.next(played.who("Ann")).item == "d1#0"


SHUFFLED = {"guide": {"order": "random"}, "each": 1, "live": 8}


def test_in_a_random_order_each_rater_and_adjudicator_has_their_own_that_is_the_same_next_time(tmp_path):
    path = tmp_path / "p.db"
    people = {"raters": ("Ann", "Ben"), "adjudicators": ("Cleo",), "practice": 2, "pass_share": 0, "seed": 3}
    rated = {"Ann": [], "Ben": [], "Cleo": []}
    for _ in range(5):  # a few items each, in turn; between them the server is stopped and started
        with Play(path, **SHUFFLED, **people) as play:
            for name, word in (("Ann", "a"), ("Ben", "b")):
                for _ in range(2):
                    rated[name].append(play.next(name))
                    play.rate(name, rated[name][-1], f"{word} {word}")
    with Play(path) as play:
        assert play.next("Ann") == play.next("Ben") == "finished"
        rated["Cleo"] = play.rate_all("Cleo")
        assert [play.store.read.handed_until("r1", item) for item in rated["Ann"][2:]] == list(range(1, 9))
    given = [f"d{number}#0" for number in range(8)]
    assert rated["Ann"][:2] == rated["Ben"][:2] == ["p0#0", "p1#0"]
    orders = [rated["Ann"][2:], rated["Ben"][2:], rated["Cleo"]]
    assert all(sorted(order) == given != order for order in orders)
    assert orders[0] != orders[1] != orders[2] != orders[0]
    with Play(tmp_path / "again.db", **SHUFFLED, **people) as play:
        assert [item for item in play.rate_all("Ann") if item[0] == "d"] == orders[0]
    with Play(tmp_path / "other.db", **SHUFFLED, **people | {"seed": 4}) as play:
        assert [item for item in play.rate_all("Ann") if item[0] == "d"] != orders[0]


def test_an_undo_in_a_random_order_leads_back_to_the_rater_s_own_next_item(play):
    played = play(**SHUFFLED)
    first = played.next("Ann")
    second = played.rate("Ann", first).going.item
    assert played.send("Ann", first, action="undo").going is None
    assert played.rate("Ann", first).going.item == second


def test_calibration_comes_first_in_a_random_order_too(play):
    played = play(**SHUFFLED, raters=("Ann", "Ben", "Cem"), calibration=3, seed=1)
    orders = [played.rate_all(name) for name in ("Ann", "Ben", "Cem")]
    assert all(sorted(order[:3]) == ["d0#0", "d1#0", "d2#0"] for order in orders)
    assert len({tuple(order[:3]) for order in orders}) > 1
    assert [len(order) for order in orders] == [8, 8, 3]


def test_looking_for_the_next_item_hands_nothing_out(play):
    played = play()
    assert played.service.next(played.who("Ann")).state == "ready"
    assert played.store.read.rows() == []


def test_nothing_is_seen_or_done_that_was_not_handed_out(play):
    played = play()
    played.next("Ann")
    for name, item in (("Ben", "d0#0"), ("Ann", "d1#0"), ("Ann", "no such item")):
        with pytest.raises(NotAssigned, match="No such item is assigned to you"):
            played.item_state(name, item)
        with pytest.raises(NotAssigned):
            played.send(name, item, seen=0, word="a")
        with pytest.raises(NotAssigned):
            played.do(played.service.ask(played.who(name), item, "May I?", "token001"))


def test_raters_do_not_see_each_other(play):
    played = play()
    played.next("Ann")
    played.next("Ben")
    played.rate("Ann", "d0#0")
    assert played.item_state("Ben", "d0#0").work.others == ()
    assert played.item_state("Ben", "d0#0").work.rows == ()


def test_the_same_form_sent_twice_is_written_once_and_answered_alike(play):
    played = play(each=1)
    played.next("Ann")
    played.send("Ann", "d0#0", word="a")
    first = played.send("Ann", "d0#0", token="sent-twice-0", seen=2, word="b")
    again = played.send("Ann", "d0#0", token="sent-twice-0", seen=2, word="b")
    assert first == again
    assert [row.kind for row in played.store.read.rows(rater="r1", item="d0#0")] == ["say", "say"]


def test_a_page_made_before_the_last_change_is_refused_and_changes_nothing(play):
    played = play()
    played.next("Ann")
    old = played.item_state("Ann", "d0#0").seen
    played.send("Ann", "d0#0", word="a")
    with pytest.raises(Stale, match="another tab"):
        played.send("Ann", "d0#0", seen=old, word="b")
    assert [row.body for row in played.item_state("Ann", "d0#0").work.rows] == [{"word": "a"}]


def test_a_refused_answer_is_not_written(play):
    played = play()
    played.next("Ann")
    with pytest.raises(Refused, match="Say a word"):
        played.send("Ann", "d0#0", word="")
    assert played.item_state("Ann", "d0#0").seen == 0


def test_undo_takes_the_last_answer_back_and_the_record_keeps_both(play):
    played = play()
    played.next("Ann")
    played.rate("Ann", "d0#0", "a b")
    undone = played.send("Ann", "d0#0", "undo")
    assert undone.going is None and undone.item_state.value is None
    assert [row.kind for row in played.store.read.rows(item="d0#0")] == ["say", "say", "undo"]
    assert played.next("Ann") == "d0#0"  # it is open again
    assert played.send("Ann", "d0#0", word="c").item_state.value == {"words": ["a", "c"]}


def test_what_was_undone_is_no_longer_the_last_once_something_is_done_to_another_item(play):
    played = play()
    played.next("Ann")
    played.rate("Ann", "d0#0", "a b")
    played.rate("Ann", "d0#1", "a b")
    assert played.send("Ann", "d0#1", "undo").item_state.undone_last_of_all
    assert not played.item_state("Ann", "d0#0").undone_last_of_all
    played.send("Ann", "d0#0", word="c")
    state = played.item_state("Ann", "d0#1")
    assert state.undone is not None and not state.undone_last_of_all


def test_undo_of_a_change_brings_the_former_rating_back(play):
    played = play()
    played.next("Ann")
    played.rate("Ann", "d0#0", "a b c")
    assert played.send("Ann", "d0#0", "undo").item_state.value == {"words": ["a", "b"]}
    assert played.store.read.values("d0#0") == [{"words": ["a", "b"]}]


def test_undo_after_leaving_an_item_is_refused_once_it_was_changed_elsewhere(play):
    played = play()
    played.next("Ann")
    left = played.rate("Ann", "d0#0").item_state.seen
    played.send("Ann", "d0#0", word="c")  # in another tab
    with pytest.raises(Stale):
        played.send("Ann", "d0#0", "undo", seen=left)


def test_there_is_nothing_to_undo_before_the_first_answer(play):
    played = play()
    played.next("Ann")
    with pytest.raises(Refused, match="nothing to undo"):
        played.send("Ann", "d0#0", "undo")


def test_practice_comes_first_and_live_items_only_after_passing(play):
    played = play(practice=2, pass_share=1.0)
    assert played.rate("Ann", "p0#0", "a a").going.item == "p1#0"  # right: the next page says so
    assert played.next("Ann") == "p1#0"
    assert played.rate("Ann", "p1#0", "a b").going.state == "not passed"  # wrong: the next page says why
    assert played.next("Ann") == "not passed"
    assert played.service.practice_result(played.who("Ann"))[:4] == (1, 2, 2, 2)
    played.do(played.service.retake(played.who("Ann")))
    played.do(played.service.retake(played.who("Ann")))  # a button pressed twice
    assert played.next("Ann") == "p0#0" and played.item_state("Ann", "p0#0").value is None
    assert played.rate_all("Ann")[:2] == ["p0#0", "p1#0"]
    assert played.service.practice_result(played.who("Ann")).tries == 2
    assert played.next("Ann") == "finished"


def test_who_has_passed_can_not_begin_anew(play):
    played = play(practice=1)
    played.rate("Ann", "p0#0", "a a")
    played.do(played.service.retake(played.who("Ann")))
    assert played.next("Ann") == "d0#0"


@pytest.mark.parametrize(("project", "item"), [({"practice": 1}, "p0#0"), ({"calibration": 1}, "d0#0")])
def test_ratings_that_feedback_was_given_on_stay(play, project, item):
    played = play(**project)
    played.next("Ann")
    played.rate("Ann", item)
    assert "feedback has been shown" in played.item_state("Ann", item).locked
    for action in ("say", "undo"):
        with pytest.raises(Refused, match="feedback has been shown"):
            played.send("Ann", item, action, word="b")


def test_calibration_goes_to_everybody_and_shows_others_after_ones_own_rating(play):
    played = play(raters=("Ann", "Ben", "Cem"), calibration=1, live=1, each=1)
    for name, words in (("Ann", "a a"), ("Ben", "b b")):
        assert played.next(name) == "d0#0"
        played.rate(name, "d0#0", words)
    assert played.next("Cem") == "d0#0"
    assert played.item_state("Cem", "d0#0").work.others == ()
    shown = played.rate("Cem", "d0#0", "c c").item_state.work.others
    assert [other["words"] for other in shown] == [["a", "a"], ["b", "b"]]


def test_an_adjudicator_gets_what_raters_differ_on_and_nothing_else(play):
    played = play(adjudicators=("Dee",))
    played.rate_all("Ann", "a a")
    assert played.next("Dee") == "waiting"
    for item, words in zip(("d0#0", "d0#1", "d1#0"), ("a a", "a b", "b b"), strict=True):
        assert played.next("Ben") == item
        played.rate("Ben", item, words)
    assert played.next("Dee") == "d0#1"
    with pytest.raises(NotAssigned):
        played.item_state("Dee", "d1#0")
    assert played.rate("Dee", "d0#1", "a b").going.item == "d1#0"
    played.rate("Dee", "d1#0")
    assert played.next("Dee") == "waiting"


def test_a_rating_that_was_imported_can_not_be_undone_but_changed(play):
    played = play(live=1, each=1)
    played.next("Ann")

    def work(transaction):
        row = transaction.add("r1", "d0#0", NewRow(IMPORTED, {"value": {"words": ["a", "a"]}, "at": None}))
        transaction.settle("r1", "d0#0", {"words": ["a", "a"]}, row.seq)

    played.do(played.store.write(work))
    assert played.item_state("Ann", "d0#0").value == {"words": ["a", "a"]}
    with pytest.raises(Refused, match="nothing to undo"):
        played.send("Ann", "d0#0", "undo")
    assert played.rate("Ann", "d0#0", "b b").item_state.value == {"words": ["b", "b"]}


@pytest.mark.parametrize(("gold", "seen"), [("majority", []), ("adjudicated", [["a", "a"], ["b", "b"]])])
def test_an_adjudicator_sees_the_ratings_only_where_they_decide(play, gold, seen):
    played = play(adjudicators=("Dee",), gold=gold, live=1, each=1)
    played.rate_all("Ann", "b b")
    played.rate_all("Ben", "a a")
    played.next("Dee")
    assert [other["words"] for other in played.item_state("Dee", "d0#0").work.others] == seen


def test_where_no_rating_has_a_majority_the_adjudicator_sees_all_and_decides(play):
    played = play(adjudicators=("Dee",), live=1, each=2)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    assert played.next("Dee") == "d0#0"
    played.send("Dee", "d0#0", word="c")
    first = played.send("Dee", "d0#0", word="c", token="token-of-the-tie", seen=None)
    again = played.send("Dee", "d0#0", word="c", token="token-of-the-tie", seen=0)  # it was not acknowledged
    for outcome in (first, again):
        assert outcome.going is None and outcome.item_state.tie == "kept"
        assert [other["words"] for other in outcome.item_state.work.others] == [["a", "a"], ["b", "b"]]
    assert played.next("Dee") == "d0#0", "it waits in their hands"
    assert gold(played) == {} and ratings_by(played, "Dee") == {}, "and nothing is settled before they decide"

    decided = [played.send("Dee", "d0#0", "decide", token="token-of-decision") for _ in range(2)]
    assert [each.going.item for each in decided] == ["d0#1", "d0#1"], "pressed twice, it is done once"
    assert [row.body["how"] for row in rows_of(played, "decision")] == ["kept"]
    (kept,) = gold(played).values()
    assert (kept.value, kept.how) == ({"words": ["c", "c"]}, "adjudicated")
    vote = ratings_by(played, "Dee")["d0#0"]
    assert (vote.blind, vote.decision, vote.blind_value) == (True, "kept", None)
    assert vote.at == rows_of(played, "decision")[0].at
    with pytest.raises(Refused, match="nothing to decide"):
        played.send("Dee", "d0#0", "decide")

    changed = played.send("Dee", "d0#0", word="d")
    assert changed.going is None and changed.item_state.tie == "changed"
    assert gold(played) == {}, "taken up again, it is open again"
    played.send("Dee", "d0#0", "decide")
    vote = ratings_by(played, "Dee")["d0#0"]
    assert (vote.blind, vote.decision, vote.blind_value) == (False, "changed", {"words": ["c", "c"]})
    assert gold(played)["d0#0"][1:] == ({"words": ["c", "d"]}, "adjudicated")

    assert played.rate("Dee", "d0#1", "b b").item_state.tie is None, "two of three decide: no sight is needed"


def test_an_adjudicator_who_says_the_same_again_has_decided_and_goes_on(play):
    played = play(adjudicators=("Dee",), live=1, each=2)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    played.next("Dee")
    assert played.rate("Dee", "d0#0", "c c").item_state.tie == "kept"
    assert played.send("Dee", "d0#0", word="c").going.item == "d0#1"
    assert gold(played)["d0#0"][1:] == ({"words": ["c", "c"]}, "adjudicated")
    assert ratings_by(played, "Dee")["d0#0"].decision == "kept"
    assert played.send("Dee", "d0#0", "undo").item_state.tie == "kept", "as after the button"


def test_undoing_a_decision_takes_back_the_decision_and_then_the_rating(play):
    played = play(adjudicators=("Dee",), live=1, each=1)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    played.next("Dee")
    played.rate("Dee", "d0#0", "c c")
    played.send("Dee", "d0#0", "decide")
    undone = played.send("Dee", "d0#0", "undo")
    assert undone.item_state.tie == "kept" and undone.item_state.value == {"words": ["c", "c"]}
    assert gold(played) == {} and played.next("Dee") == "d0#0"
    assert played.send("Dee", "d0#0", "undo").item_state.value is None
    assert played.send("Dee", "d0#0", word="c").item_state.tie == "kept", "the same again, now in sight"
    played.send("Dee", "d0#0", "decide")
    assert ratings_by(played, "Dee")["d0#0"].decision == "kept"


def test_an_adjudicator_who_joins_one_side_after_a_tie_has_decided_it_and_made_no_blind_majority(play):
    played = play(raters=("Ann", "Ben", "Cem"), adjudicators=("Dee",), live=1, each=1, raters_per_item=3)
    for name, words in (("Ann", "a a"), ("Ben", "b a"), ("Cem", "c a")):
        played.next(name)
        played.rate(name, "d0#0", words)
    played.next("Dee")
    assert played.rate("Dee", "d0#0", "a b").item_state.tie == "kept"
    assert played.send("Dee", "d0#0", word="a").item_state.tie == "changed"
    assert gold(played) == {}
    played.send("Dee", "d0#0", "decide")
    assert gold(played)["d0#0"][1:] == ({"words": ["a", "a"]}, "adjudicated")


def rows_of(played, kind):
    return [row for row in read_project(played.path).rows if row.kind == kind]


def gold(played):
    return read_project(played.path).gold


def ratings_by(played, name):
    project = read_project(played.path)
    return {each.item: each for each in project.ratings if project.raters[each.rater].name == name}


def test_two_adjudicators_never_get_the_same_item(play):
    played = play(adjudicators=("Dee", "Eli"), live=1, each=2)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    assert [played.next("Dee"), played.next("Eli")] == ["d0#0", "d0#1"]
    played.rate("Dee", "d0#0")
    assert played.next("Dee") == "waiting"


def test_ratings_that_an_adjudicator_is_at_work_on_are_closed(play):
    played = play(adjudicators=("Dee",), live=1, each=1)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    played.send("Ben", "d0#0", word="c")  # may still be changed: nobody has it yet
    played.next("Dee")
    with pytest.raises(Refused, match="closed"):
        played.send("Ben", "d0#0", word="a")
    with pytest.raises(Refused, match="closed"):
        played.send("Ann", "d0#0", "undo")
    played.do(played.service.ask(played.who("Ben"), "d0#0", "Was I wrong?", "token001"))  # asking is always possible
    played.rate("Dee", "d0#0", "x x")
    assert played.rate("Dee", "d0#0", "y").item_state.value == {"words": ["x", "y"]}  # their own they may change


def test_a_rater_who_comes_round_takes_the_item_from_the_adjudicators(play):
    played = play(adjudicators=("Dee",), live=1, each=1)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "a b")
    played.send("Ben", "d0#0", word="a")
    assert played.next("Dee") == "waiting"


def test_a_released_document_goes_to_another_and_what_was_rated_of_it_stays(play):
    played = play(raters=("Ann", "Ben", "Cem"), live=1)
    for name in ("Ann", "Ben"):
        played.next(name)
    played.rate("Ann", "d0#0")
    assert played.next("Cem") == "finished"
    played.do(played.service.release("r1", "d0"))
    assert played.next("Ann") == "finished"  # not handed to the same person again
    with pytest.raises(NotAssigned):
        played.send("Ann", "d0#0", seen=0, word="b")
    assert played.store.read.values("d0#0") == [{"words": ["a", "a"]}]
    assert played.store.read.complete("r1") == []
    assert played.rate_all("Cem") == ["d0#0", "d0#1"]


def test_what_is_rated_as_a_whole_or_not_in_these_hands_can_not_be_released(play):
    played = play(live=1, each=1)
    played.rate_all("Ann")
    for rater, says in (("r1", "All of that is rated"), ("r2", "not assigned to this rater")):
        with pytest.raises(RatersError, match=says):
            played.do(played.service.release(rater, "d0"))


def test_a_dispute_that_is_released_goes_to_another_adjudicator_and_the_ratings_are_open_meanwhile(play):
    played = play(adjudicators=("Dee", "Eli"), live=1, each=1)
    played.rate_all("Ann", "a a")
    played.rate_all("Ben", "b b")
    played.next("Dee")
    played.do(played.service.release("r3", "d0", "d0#0"))
    assert played.item_state("Ann", "d0#0").locked is None
    assert [played.next("Dee"), played.next("Eli")] == ["waiting", "d0#0"]


def test_questions_count_apart_by_when_they_were_asked(play):
    played = play()
    played.next("Ann")
    ask = played.service.ask
    played.do(ask(played.who("Ann"), "d0#0", " Which one? ", "token001"))
    played.do(ask(played.who("Ann"), "d0#0", "Which one?", "token001"))  # sent twice
    played.rate("Ann", "d0#0")
    played.do(ask(played.who("Ann"), "d0#0", "Was that right?", "token002"))
    assert [(each.text, each.afterwards) for each in played.service.questions()] == [
        ("Which one?", False),
        ("Was that right?", True),
    ]
    assert played.service.questions(played.who("Ben")) == ()


def test_asking_does_not_make_an_open_page_stale(play):
    played = play()
    played.next("Ann")
    seen = played.item_state("Ann", "d0#0").seen
    played.do(played.service.ask(played.who("Ann"), "d0#0", "Which?", "token001"))
    played.send("Ann", "d0#0", seen=seen, word="a")


def test_replies_reach_who_asked_and_are_new_until_read(play):
    played = play()
    ann, ben = played.who("Ann"), played.who("Ben")
    played.next("Ann")
    played.do(played.service.ask(ann, "d0#0", "Which?", "token001"))
    asked = played.service.questions()[0].seq
    for text, token in (("This.", "token001"), ("This.", "token001"), ("That one.", "token002")):
        played.do(played.service.reply(asked, text, token))
    assert played.service.questions(ann)[0].reply == "That one."
    assert (played.store.read.new_replies(ann.id), played.store.read.new_replies(ben.id)) == (2, 0)
    played.do(played.service.mark_read(ann))
    assert played.store.read.new_replies(ann.id) == 0


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MAX_TEXT + 1)])
def test_a_question_says_something_and_is_no_book(play, text):
    played = play()
    played.next("Ann")
    with pytest.raises(RatersError, match=r"text field|at most 20,000"):
        played.do(played.service.ask(played.who("Ann"), "d0#0", text, "token001"))


def test_a_reply_needs_its_question(play):
    played = play()
    with pytest.raises(RatersError, match="no question 7"):
        played.do(played.service.reply(7, "This.", "token001"))


def test_acts_of_many_raters_at_once_are_all_written_once(play):
    names = tuple(f"R{number}" for number in range(20))
    played = play(raters=names, live=30, each=1, raters_per_item=20)

    async def work_through(name):
        rater = played.who(name)
        going = await played.service.take_next(rater)
        for _ in range(5):
            for word in "ab":
                item_state = played.service.item_state(rater, going.item)
                sent = Submission(
                    "say", {"word": word}, f"{name}{item_state.work.item.id[:-2]}{word}x", item_state.seen
                )
                outcome = await played.service.act(rater, going.item, sent)
            going = outcome.going

    async def all_at_once():
        await asyncio.gather(*map(work_through, names))

    played.do(all_at_once())
    said = [row for row in played.store.read.rows() if row.kind == "say"]
    assert len({(row.rater, row.token) for row in said}) == len(said) == 20 * 5 * 2
    assert all(len(played.store.read.complete(rater.id)) == 5 for rater in played.store.read.raters())


def test_the_order_of_others_ratings_says_nothing_of_who_gave_them(play):
    played = play(adjudicators=("Dee",), gold="adjudicated", live=1, each=2)
    for name, words in (("Ann", ["a a", "b b"]), ("Ben", ["b b", "a a"])):
        for item in ("d0#0", "d0#1"):
            played.next(name)
            played.rate(name, item, words[int(item[-1])])
    played.next("Dee")
    first = played.item_state("Dee", "d0#0").work.others
    played.rate("Dee", "d0#0")
    assert played.item_state("Dee", "d0#1").work.others == first
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
