import gzip
import json

import pytest

from voirdire.ddft.published_records import LayoutError, read_source


def dialogue(**changes):
    log = []
    for number in range(1, 6):
        log.append({"role": "user", "content": f"Question {number}?"})
        evaluation = {
            "judges": {"a": {"FAR": 0.5, "SAS": 0.75}, "b": {"FAR": None, "SAS": None}},
            "consensus": {"FAR": 0.5, "SAS": 0.75},
        }
        log.append({"role": "assistant", "content": f"Answer {number}.", "evaluation": evaluation})
    return {"subject_model": "m", "concept": "recursion", "compression_level": 0.25, "conversation_log": log} | changes


def turn(**changes):
    row = {
        "model": "m",
        "concept": "ma",
        "level": 0.5,
        "turn": 1,
        "question": "Q?",
        "response": "A.",
        "judges": {},
        "consensus": {"FAR": 1, "SAS": 0},
    }
    return row | changes


def write_turns(path, *rows):
    path.write_bytes(
        gzip.compress("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows).encode())
    )
    return path


def test_a_folder_of_dialogues_is_read_with_scores_and_missing_ones(tmp_path):
    (tmp_path / "one.json").write_text(json.dumps(dialogue()))
    (read,) = read_source(tmp_path).dialogues
    assert (read.model, read.concept, read.level) == ("m", "recursion", 0.25)
    assert [each.number for each in read.turns] == [1, 2, 3, 4, 5]
    assert read.turns[0].judges == {"a": (0.5, 0.75), "b": (None, None)}
    assert read.turns[4].consensus == (0.5, 0.75)


def test_answers_without_an_evaluation_are_kept_without_scores(tmp_path):
    log = [{"role": "user", "content": "Q?"}, {"role": "assistant", "content": "A."}]
    (tmp_path / "one.json").write_text(json.dumps(dialogue(conversation_log=log)))
    (read,) = read_source(tmp_path).dialogues
    assert (read.turns[0].judges, read.turns[0].consensus) == ({}, (None, None))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "Expecting"),
        ("[]", "list indices"),
        (json.dumps({"concept": "x"}), "'conversation_log' is missing"),
        (json.dumps(dialogue(compression_level=2)), "2 is not a number in [0, 1]"),
        (json.dumps(dialogue(conversation_log=[])), "0 answered questions"),
        (json.dumps(dialogue(subject_model=None)), "NoneType where a text is expected"),
    ],
)
def test_a_bad_file_is_named_with_the_reason_and_the_others_are_read(tmp_path, content, why):
    (tmp_path / "good.json").write_text(json.dumps(dialogue()))
    (tmp_path / "bad.json").write_text(content)
    source = read_source(tmp_path)
    assert len(source.dialogues) == 1
    (said,) = source.skipped
    assert said.startswith("bad.json: ")
    assert why in said


def test_turns_of_a_file_are_put_together_to_dialogues(tmp_path):
    path = write_turns(tmp_path / "t.jsonl.gz", turn(turn=2), turn(turn=1), turn(model="other"))
    source = read_source(path)
    assert [(each.model, [t.number for t in each.turns]) for each in source.dialogues] == [
        ("m", [1, 2]),
        ("other", [1]),
    ]


def test_fields_that_mean_nothing_here_are_counted_by_name(tmp_path):
    flat = [turn(turn=number, far=0.9, consensus={"FAR": 1, "SAS": 0, "sas": 1}) for number in (1, 2)]
    source = read_source(write_turns(tmp_path / "turns.jsonl.gz", *flat))
    assert source.unread == {"far": 2, "sas": 2} and not source.skipped


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("not json", "Expecting value"),
        (turn(turn=6), "6 is not a whole number from 1 to 5"),
        (turn(consensus={"FAR": 1.5}), "1.5 is not a number in [0, 1]"),
        (turn(response=None), "NoneType where a text"),
        (turn(), "stands in the file twice"),
    ],
)
def test_a_bad_line_is_counted_and_named(tmp_path, row, why):
    source = read_source(write_turns(tmp_path / "t.jsonl.gz", turn(), row))
    (said,) = source.skipped
    assert said.startswith("line 2: ")
    assert why in said


@pytest.mark.parametrize("name", ["nowhere", "empty", "t.jsonl.gz"])
def test_a_source_without_anything_to_read_is_refused(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "t.jsonl.gz").write_bytes(b"no gzip")
    with pytest.raises(LayoutError):
        read_source(tmp_path / name)


def test_dialogues_lie_in_a_folder_or_one_below_and_deeper_ones_are_not_looked_for(tmp_path):
    for place in ("one.json", "m/two.json", "m/deep/three.json"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(json.dumps(dialogue(concept=(tmp_path / place).stem)))
    assert [each.concept for each in read_source(tmp_path).dialogues] == ["two", "one"]


def test_a_folder_without_a_dialogue_says_what_was_looked_for_and_where(tmp_path):
    (tmp_path / "deep/deeper").mkdir(parents=True)
    (tmp_path / "deep/deeper/one.json").write_text(json.dumps(dialogue()))
    with pytest.raises(LayoutError) as refused:
        read_source(tmp_path)
    assert str(refused.value) == (
        f"Nothing in {tmp_path} could be read as a published dialogue (searched: *.json and */*.json)."
    )
