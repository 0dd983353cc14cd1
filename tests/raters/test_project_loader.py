"""What an item is taken to be: agreed, by majority, or adjudicated."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.raters._tiny import TINY, Play, tiny_store
from voirdire.raters.flow import assignments_of, queue_of
from voirdire.raters.project_loader import gold_of, is_disputed, project_of, read_project, settle_ratings
from voirdire.raters.records import RatersError, Rating, Settings


def said(*words):
    return [{"words": [word, word]} for word in words]


def settings_of(gold="majority", raters_per_item=2):
    return Settings(task="ddft", title="T", gold=gold, raters_per_item=raters_per_item)


@pytest.mark.parametrize(
    ("gold", "wanted", "first", "third", "expected"),
    [
        ("majority", 2, "a", "", None),
        ("majority", 2, "aa", "", ("a", "agreed")),
        ("adjudicated", 2, "aa", "b", ("a", "agreed")),
        ("majority", 1, "a", "", ("a", "agreed")),
        ("majority", 2, "ab", "", None),
        ("majority", 2, "ab", "a", ("a", "majority")),
        ("majority", 2, "ab", "c", None),
        ("adjudicated", 2, "ab", "", None),
        ("adjudicated", 2, "ab", "c", ("c", "adjudicated")),
        ("majority", 3, "aab", "", ("a", "majority")),
        ("majority", 3, "abc", "", None),
        ("majority", 3, "abc", "b", None),
        ("majority", 3, "ab", "a", None),
        ("adjudicated", 3, "aab", "", None),
        ("adjudicated", 3, "aab", "b", ("b", "adjudicated")),
        ("majority", 2, "aab", "", ("a", "majority")),
        ("majority", 2, "aabb", "", None),
        ("majority", 2, "", "a", None),
    ],
)
def test_how_an_item_is_settled(gold, wanted, first, third, expected):
    found = settle_ratings(TINY, settings_of(gold, wanted), said(*first), said(*third))
    assert (found and (found[0]["words"][0], found[1])) == expected


@pytest.mark.parametrize(("first", "third"), [("ab", "c"), ("ab", "a"), ("abc", "b")])
def test_a_decision_in_sight_of_the_others_settles_what_no_majority_does(first, third):
    found = settle_ratings(TINY, settings_of("majority", len(first)), said(*first), said(*third), decided=True)
    assert (found[0]["words"][0], found[1]) == (third, "adjudicated")


@pytest.mark.parametrize(
    ("gold", "wanted", "first", "disputed"),
    [
        ("majority", 2, "a", False),
        ("majority", 2, "aa", False),
        ("majority", 2, "ab", True),
        ("majority", 3, "aab", False),
        ("adjudicated", 3, "aab", True),
        ("majority", 3, "abc", True),
        ("majority", 3, "ab", False),
        ("majority", 1, "", False),
    ],
)
def test_when_a_third_person_is_needed(gold, wanted, first, disputed):
    assert is_disputed(TINY, settings_of(gold, wanted), said(*first)) is disputed


def test_only_live_items_have_a_gold_rating():
    def rating(item, rater, word, **more):
        return Rating(item=item, rater=rater, value=said(word)[0], at="", seconds=0.0, **more)

    ratings = [
        rating("p", "r1", "a", pool="practice"),
        rating("p", "r2", "a", pool="practice"),
        *(rating("i", rater, word) for rater, word in (("r1", "a"), ("r2", "b"))),
        rating("i", "r3", "b", role="adjudicator"),
    ]
    gold = gold_of(TINY, settings_of(), ratings)
    assert set(gold) == {"i"} and gold["i"].value == said("b")[0] and gold["i"].how == "majority"


PEOPLE = ("Ann", "Ben", "Cem", "Dee")
ACTS = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from(["rate", "rate", "rate", "word", "undo", "revisit", "retake", "release"]),
    st.sampled_from(["a a", "b b"]),
    st.integers(0, 5),
)
PROJECTS = st.fixed_dictionaries(
    {
        "gold": st.sampled_from(["majority", "adjudicated"]),
        "calibration": st.integers(0, 1),
        "practice": st.integers(0, 1),
        "raters_per_item": st.integers(1, 3),
    }
)


def do(play, name, act, words, number):
    """One act of one person; what does not fit how things stand is refused."""
    rater, queue = play.who(name), play.service.viewer.queue
    item = queue.order[number % len(queue.order)]
    if act == "retake":
        play.do(play.service.retake(rater))
    elif act == "release":
        play.do(play.service.release(rater.id, queue.by_id[item].document, item if name == "Dee" else ""))
    elif act == "revisit":
        play.send(name, item, word=words[0])
    elif "#" in (item := play.next(name)):
        if act == "rate":
            play.rate(name, item, words)
        else:
            play.send(name, item, "undo" if act == "undo" else "say", word=words[0])


def parts_of(store):
    reader = store.read
    return reader.settings(), list(reader.documents()), reader.items(), reader.raters(), reader.rows()


@given(project=PROJECTS, acts=st.lists(ACTS, max_size=30))
def test_whatever_is_done_the_tables_for_looking_up_follow_from_the_rows(tmp_path_factory, project, acts):
    path = tmp_path_factory.mktemp("projects") / "p.db"
    with Play(path, raters=PEOPLE[:3], adjudicators=PEOPLE[3:], **project) as play:
        before = []
        for act in acts:
            with suppress(RatersError):
                do(play, *act)
            rows = play.store.read.rows()
            assert rows[: len(before)] == before  # rows are added, never changed
            before = rows
        read = project_of(*parts_of(play.store))
        table = play.store.read._all("SELECT item, rater, seq FROM ratings")
        assert sorted(table) == sorted((each.item, each.rater, each.seq) for each in read.ratings)
        blind = {}
        for rating in read.ratings:
            assert play.store.read.values_of(rating.rater, [rating.item]) == {rating.item: rating.value}
            if rating.role == "rater" and rating.pool == "live":
                blind.setdefault(rating.item, []).append(rating.value)
        disputes = {item for (item,) in play.store.read._all("SELECT item FROM disputes")}
        assert disputes == {item for item, values in blind.items() if is_disputed(TINY, read.settings, values)}
        sql = "SELECT document, item FROM hands WHERE rater = ? AND NOT released ORDER BY seq"
        for rater in read.raters:
            assert tuple(play.store.read._all(sql, rater)) == assignments_of(read.rows).get(rater, ())
        holders = Counter(
            document for each in assignments_of(read.rows).values() for document, item in each if not item
        )
        assert dict(play.store.read._all("SELECT document, count FROM holders WHERE count > 0")) == holders
        queue = queue_of(read.items.values(), read.settings)
        for rater in (each.id for each in read.raters.values() if each.role == "rater"):
            mine = {
                item.id for document, _ in assignments_of(read.rows).get(rater, ()) for item in queue.items[document]
            }
            done = {each.item for each in read.ratings if each.rater == rater}
            assert play.store.read.in_hand(rater) == len(mine - done)


def test_a_project_is_read_while_it_is_written(tmp_path):
    with Play(tmp_path / "p.db", live=1, each=1) as play:
        play.rate_all("Ann")
        rows = play.store.read.rows()
        read = project_of(*parts_of(play.store))
        assert read.rows == tuple(rows)
        with closing(sqlite3.connect(play.path)) as other:
            assert other.execute("SELECT count(*) FROM rows").fetchone() == (len(rows),)
        assert read_project(play.path).rows == tuple(rows)  # of the task ddft, to which these rows say nothing


def test_a_rating_tells_who_when_how_long_and_whether_blind(tmp_path):
    with Play(tmp_path / "p.db", live=1, each=1, adjudicators=("Dee",), gold="adjudicated") as play:
        play.next("Ann")
        for seconds, word in ((10.0, "a"), (2.5, "b"), (4.0, "c")):
            play.send("Ann", "d0#0", seconds=seconds, word=word)
        play.send("Ann", "d0#0", "undo", seconds=1.0)
        play.rate_all("Ben", "b b")
        play.next("Dee")
        play.rate("Dee", "d0#0", "x y")
        read = project_of(*parts_of(play.store))
    ann, ben, dee = read.ratings
    assert (ann.rater, ann.value, ann.seconds, ann.blind) == ("r1", {"words": ["a", "b"]}, 17.5, True)
    assert ann.at == next(row.at for row in read.rows if row.seq == ann.seq)
    assert (ben.role, dee.role, dee.blind) == ("rater", "adjudicator", False)
    assert read.gold["d0#0"] == ("d0#0", {"words": ["x", "y"]}, "adjudicated")


def test_practice_counts_from_the_last_time_it_was_begun(tmp_path):
    with Play(tmp_path / "p.db", practice=1) as play:
        play.rate("Ann", "p0#0", "b b")
        play.do(play.service.retake(play.who("Ann")))
        assert project_of(*parts_of(play.store)).ratings == ()
        play.rate("Ann", "p0#0", "a a")
        (rating,) = project_of(*parts_of(play.store)).ratings
    assert (rating.phase, rating.value) == ("practice", {"words": ["a", "a"]})


@pytest.mark.parametrize("content", [b"", b"no data base at all, but some text that is long enough" * 20])
def test_what_is_no_project_is_named_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "p.db"
    path.write_bytes(content)
    with pytest.raises(RatersError, match="no project of raters"):
        read_project(path)
    assert path.read_bytes() == content


def test_a_damaged_project_is_named(tmp_path):
    path = tiny_store(tmp_path / "p.db", live=200)
    damaged = bytearray(path.read_bytes())
    damaged[4096 * 4 : 4096 * 12] = b"\xff" * 4096 * 8
    path.write_bytes(damaged)
    with pytest.raises(RatersError, match=r"p\.db is damaged"):
        read_project(path)


def test_a_project_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(RatersError, match="no project at"):
        read_project(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_waiting_when_all_is_closed(tmp_path):
    async def write_and_leave(play):
        rater = play.who("Ann")
        waiting = [asyncio.ensure_future(play.service.take_next(rater)) for _ in range(5)]
        await asyncio.sleep(0)
        play.store.close()
        return await asyncio.gather(*waiting)

    with Play(tmp_path / "p.db") as play:
        assert {going.item for going in asyncio.run(write_and_leave(play))} == {"d0#0"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.db"]  # the log is folded into the file
