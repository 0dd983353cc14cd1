import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.cognibench.generation.references import Reference, read_references, sample_evenly
from voirdire.cognibench.records import CognibenchError

TOPICS = st.lists(st.sampled_from(["sport", "law", "art", None]), min_size=1, max_size=40)


def references(topics):
    return [Reference(f"r{number}", "Some text.", topic) for number, topic in enumerate(topics)]


@given(TOPICS, st.integers(0, 5), st.data())
def test_no_topic_is_drawn_twice_more_often_than_another_that_has_some_left(topics, seed, data):
    given_ones = references(topics)
    count = data.draw(st.integers(1, len(given_ones)))
    drawn = sample_evenly(given_ones, count, seed)

    there = Counter(topics)
    taken = Counter(reference.topic for reference in drawn)
    assert len({reference.id for reference in drawn}) == count
    assert all(taken[one] <= taken[other] + 1 for one in there for other in there if taken[other] < there[other])


@given(TOPICS, st.integers(0, 5), st.randoms(use_true_random=False))
def test_the_draw_depends_on_seed_and_ids_alone_and_a_larger_one_begins_with_the_smaller(topics, seed, random):
    given_ones = references(topics)
    shuffled = random.sample(given_ones, k=len(given_ones))

    assert sample_evenly(given_ones, None, seed) == sample_evenly(shuffled, None, seed)
    assert sample_evenly(given_ones, 1, seed) == sample_evenly(given_ones, None, seed)[:1]


def test_another_seed_draws_others():
    given_ones = references(["law"] * 30)
    assert sample_evenly(given_ones, 5, 1) != sample_evenly(given_ones, 5, 2)


@pytest.mark.parametrize("count", [0, 3, -1])
def test_more_references_than_there_are_can_not_be_drawn(count):
    with pytest.raises(CognibenchError, match="of 2 references"):
        sample_evenly(references(["law", "art"]), count)


def test_a_folder_gives_topics_by_subfolder_and_titles_by_heading(tmp_path):
    (tmp_path / "law").mkdir()
    (tmp_path / "law" / "court.md").write_text("# The court of Morvik\n\nIt sat on Mondays.\n")
    (tmp_path / "ferry.txt").write_text("The ferry crossed the Sund.")
    (tmp_path / "picture.png").write_bytes(b"\x89")

    assert read_references(tmp_path) == [
        Reference("ferry", "The ferry crossed the Sund."),
        Reference("law/court", "It sat on Mondays.", "law", "The court of Morvik"),
    ]


def test_a_folder_of_more_entries_than_can_be_meant_is_refused(tmp_path, monkeypatch):
    (tmp_path / "law").mkdir()
    (tmp_path / "law" / "court.md").write_text("It sat on Mondays.")
    monkeypatch.setattr("voirdire.cognibench.generation.references._MOST_ENTRIES", 2)
    assert len(read_references(tmp_path)) == 1
    (tmp_path / "law" / "ferry.md").write_text("It crossed the Sund.")
    with pytest.raises(CognibenchError, match=r"holds more than 2 files and folders; name the references' own\."):
        read_references(tmp_path)


def test_lines_and_tables_give_the_same(tmp_path):
    rows = [Reference("a", "One, two.", "law"), Reference("b", "Three.")]
    (tmp_path / "r.jsonl").write_text("\n".join(json.dumps(each.as_dict()) for each in rows))
    (tmp_path / "r.csv").write_text('id,topic,text\na,law,"One, two."\nb,,Three.\n')

    assert read_references(tmp_path / "r.jsonl") == read_references(tmp_path / "r.csv") == rows


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("r.jsonl", '{"id": "a"}', "line 1 has no text"),
        ("r.jsonl", '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}', "'a' appears twice"),
        ("r.jsonl", "no json", "line 1 is no JSON"),
        ("r.jsonl", "[1]", "line 1 is no object"),
        ("r.jsonl", '{"text": ["x"]}', "text must be a text"),
        ("r.jsonl", "", "holds no reference"),
        ("r.csv", "id,topic\na,law\n", "no column text"),
        ("r.csv", 'text\n"x', "it is no CSV"),
        ("r.csv", 'text\n"' + "x" * 200_000 + '"\n', "200,000 characters"),
        ("r.txt", "x" * 100_001, "100,001 characters"),
        ("none.jsonl", None, "can't be read"),
    ],
)
def test_what_is_no_reference_is_named_in_a_sentence(tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(CognibenchError, match=says):
        read_references(tmp_path / name)
