import json
from math import fsum

import pytest

from tests.cli.here import voirdire
from voirdire.detectors.records import LABELS
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.cognibench.builder import make

LIVE = DrawOptions()


@pytest.fixture
def data(tmp_path):
    """Twelve labelled answers on two topics, three of four on mills, by a model that must not be told."""
    lines = [
        {
            "id": f"a{number}",
            "context": f"Mill {number} was built in 18{number:02d}.",
            "question": "When was it built?",
            "answer": f"It was built in 18{number:02d}. It must be old.",
            "statements": [
                {"text": f"It was built in 18{number:02d}.", "label": "faithful"},
                {"text": "It must be old.", "label": "reliable"},
            ],
            "history": [{"user": "Hello?", "assistant": "Hello."}],
            "model": "SECRETMODEL",
            "topic": "ships" if number % 4 == 3 else "mills",
        }
        for number in range(12)
    ]
    return written(tmp_path / "answers.jsonl", lines)


def written(path, lines):
    path.write_text("\n".join(map(json.dumps, lines)))
    return path


def test_every_sentence_becomes_an_item_of_its_answer(data):
    made = make(data, LIVE)
    assert len(made.documents) == 12 and len(made.items) == 24
    first = made.documents[0]
    own = [item for item in made.items if item.document == first.id]
    assert [(item.id, item.place, item.pool, item.key) for item in own] == [
        (f"{first.id}#0", 0, "live", None),
        (f"{first.id}#1", 1, "live", None),
    ]
    body = first.body
    assert [body["answer"][each["start"] : each["end"]] for each in body["statements"]] == [
        each["text"] for each in body["statements"]
    ]
    assert body["history"] == [["Hello?", "Hello."]]
    assert first.source["answer"] == first.id and first.source["path"] == str(data)


def test_neither_labels_nor_the_model_get_into_a_project(data):
    made = make(data, LIVE)
    shown = json.dumps([dict(document.body) for document in made.documents])
    assert "SECRETMODEL" not in json.dumps([dict(document.source) for document in made.documents]) + shown
    assert not any(label in shown for label in LABELS)
    assert all(set(document.body) == {"context", "question", "answer", "history", "statements"}
               for document in made.documents)  # fmt: skip
    assert {key for document in made.documents for each in document.body["statements"] for key in each} == {
        "text",
        "start",
        "end",
    }


def test_a_sample_is_drawn_by_topic_and_stands_for_all(data):
    documents = make(data, DrawOptions(sample=4)).documents
    assert sorted(document.stratum for document in documents) == ["mills", "mills", "mills", "ships"]
    assert all(document.weight == 3.0 for document in documents)
    assert fsum(document.weight for document in documents) == 12


def test_the_seed_settles_sample_and_order(data):
    def drawn(seed):
        return [document.id for document in make(data, DrawOptions(sample=6, seed=seed)).documents]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(8)}) > 1


def test_a_sample_too_small_for_the_topics_is_drawn_from_all(data):
    (document,) = make(data, DrawOptions(sample=1)).documents
    assert (document.stratum, document.weight) == ("", 12.0)


def test_answers_without_statements_are_cut_into_sentences(tmp_path):
    path = written(tmp_path / "log.jsonl", [{"context": "C.", "question": "Q?", "answer": "One is. Two is."}])
    (document,) = make(path, LIVE).documents
    assert [each["text"] for each in document.body["statements"]] == ["One is.", "Two is."]


@pytest.mark.parametrize(
    ("plain", "units"), [(False, ["Do:", "- one", "| a. B | b |"]), (True, ["Do:\n- one\n| a.", "B | b |"])]
)
def test_an_answer_in_markdown_is_rated_unit_by_unit_unless_it_is_plain(tmp_path, plain, units):
    path = tmp_path / "md.jsonl"
    path.write_text(json.dumps({"context": "c", "answer": "Do:\n- one\n| a. B | b |"}), encoding="utf-8")
    (document,) = make(path, DrawOptions(plain=plain)).documents
    assert [each["text"] for each in document.body["statements"]] == units


def test_the_released_layout_is_read(tmp_path):
    entry = {
        "id": "7_1",
        "reference": "The mill was built in 1802.",
        "turn_index": 1,
        "dialogue": "<user>Hello?<assistant>Hello.<user>When?<assistant>In 1802. It is old.",
        "current_turn": "<user>When?<assistant>In 1802. It is old.",
    }
    (tmp_path / "dialogues.json").write_text(json.dumps([entry]))
    made = make(tmp_path, LIVE)
    assert [item.id for item in made.items] == ["7_1#0", "7_1#1"]
    assert made.documents[0].body["history"] == [["Hello?", "Hello."]]


def test_what_detect_wrote_is_refused_with_what_to_name_instead(tmp_path):
    answers, flagged = tmp_path / "a.jsonl", tmp_path / "flagged.jsonl"
    written(answers, [{"id": "a", "context": "It opened in 1889.", "question": "When?", "answer": "In 1898."}])
    voirdire("detect", answers, "-o", flagged)
    with pytest.raises(RatersError, match=r"sentences without their contexts.* --task spans"):
        make(flagged, LIVE)


def test_empty_answers_are_left_out_and_nothing_else_is_refused(tmp_path):
    lines = [{"context": "C.", "question": "Q?", "answer": " "}, {"context": "C.", "question": "Q?", "answer": "Yes."}]
    assert len(make(written(tmp_path / "some.jsonl", lines), LIVE).documents) == 1
    with pytest.raises(RatersError, match="nothing to rate"):
        make(written(tmp_path / "none.jsonl", lines[:1]), LIVE)


def test_what_cannot_be_read_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(RatersError, match="does not exist"):
        make(tmp_path / "missing.jsonl", LIVE)
    with pytest.raises(RatersError, match="at least 1"):
        path = written(tmp_path / "one.jsonl", [{"context": "C.", "question": "Q?", "answer": "Yes."}])
        make(path, DrawOptions(sample=0))
