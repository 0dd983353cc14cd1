import json

import pytest

from voirdire.cognibench.formats import iter_ragtruth, read_answers
from voirdire.cognibench.records import CognibenchError

SAID = "The shop opens at 9. It sells bread and wine. It is in Bath."


def lines(*entries):
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def response(number=1, source=10, labels=(), **fields):
    spans = [{"label_type": "Evident Conflict", **label} for label in labels]
    return {
        "id": str(number),
        "source_id": str(source),
        "model": "m",
        "labels": spans,
        "split": "train",
        "response": SAID,
        **fields,
    }


def summary(number=10, **fields):
    return {"source_id": str(number), "task_type": "Summary", "source_info": "A shop.", "prompt": "Sum up:\nA shop.\n"}


def folder(path, responses, sources=None):
    (path / "response.jsonl").write_text(lines(*responses), encoding="utf-8")
    (path / "source_info.jsonl").write_text(lines(*(sources or [summary()])), encoding="utf-8")
    return path


def test_a_sentence_that_a_span_touches_is_invented_and_any_other_faithful(tmp_path):
    spans = [{"start": 18, "end": 30, "text": SAID[18:30]}]
    (answer,) = iter_ragtruth(folder(tmp_path, [response(labels=spans)]))
    assert [each.label for each in answer.statements] == ["invented", "invented", "faithful"]
    assert (answer.id, answer.group, answer.model, answer.topic) == ("1", "10", "m", "Summary")
    assert (answer.context, answer.question) == ("A shop.", "Sum up:")


def test_a_span_whose_offsets_point_elsewhere_is_found_by_its_text(tmp_path):
    spans = [{"start": 0, "end": 4, "text": "bread and wine"}]
    (answer,) = iter_ragtruth(folder(tmp_path, [response(labels=spans)]))
    assert [each.label for each in answer.statements] == ["faithful", "invented", "faithful"]


def test_a_span_that_stands_nowhere_is_told(tmp_path):
    problems = []
    spans = [{"start": 0, "end": 4, "text": "cheese from Gloucester"}]
    (answer,) = iter_ragtruth(folder(tmp_path, [response(labels=spans)]), problems.append)
    assert all(each.label == "faithful" for each in answer.statements)
    assert [(each.kind, each.answer) for each in problems] == [("unplaced", "1")]


def test_questions_and_structured_sources_become_context_and_question(tmp_path):
    data = {"name": "Shop", "hours": {"Monday": "9-17"}}
    sources = [
        {"source_id": "1", "task_type": "QA", "source_info": {"question": "when?", "passages": "At 9."}, "prompt": "…"},
        {"source_id": "2", "task_type": "Data2txt", "source_info": data, "prompt": f"Describe:\n{data}\n"},
    ]
    qa, table = iter_ragtruth(folder(tmp_path, [response(1, 1), response(2, 2)], sources))
    assert (qa.context, qa.question) == ("At 9.", "when?")
    assert json.loads(table.context) == data
    assert table.question == "Describe:"


def test_one_split_can_be_read(tmp_path):
    path = folder(tmp_path, [response(1), response(2, split="test")])
    assert [answer.id for answer in read_answers(path)] == ["1", "2"]
    assert [answer.id for answer in read_answers(path, layout="ragtruth-test")] == ["2"]


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (response(source=11), "response.jsonl, line 1: source_info.jsonl has no source '11'."),
        (response(response=None), "response.jsonl, line 1: response must be a text"),
        ({"id": "1"}, "response.jsonl, line 1: it has no source_id."),
        (response() | {"labels": "none"}, "response.jsonl, line 1: labels must be a list of spans."),
        (response(labels=[{"start": 0, "end": 3, "text": 7}]), "the text of a span must be a text"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, broken, sentence):
    with pytest.raises(CognibenchError) as error:
        list(iter_ragtruth(folder(tmp_path, [broken])))
    assert sentence in str(error.value)


def test_markdown_is_cut_at_its_layout_unless_it_is_to_be_read_as_plain_text(tmp_path):
    said = "| day | opens |\n|---|---|\n| Monday | 9 |\n| Sunday | 11 |"
    path = folder(tmp_path, [response(response=said, labels=[{"start": 52, "end": 54, "text": "11"}])])
    (answer,) = iter_ragtruth(path)
    assert [(each.text, each.label) for each in answer.statements] == [
        ("| day | opens |", "faithful"),
        ("| Monday | 9 |", "faithful"),
        ("| Sunday | 11 |", "invented"),
    ]
    (plain,) = iter_ragtruth(path, plain=True)
    assert [each.label for each in plain.statements] == ["invented"]
