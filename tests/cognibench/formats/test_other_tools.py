"""Logs of other tools, read as our own entries, and tables."""

import json

import pytest

from voirdire.cognibench.formats import BadEntriesError, Entry, answers_of, read_answers, read_entries
from voirdire.cognibench.formats.other_tools import named_columns
from voirdire.cognibench.records import CognibenchError

TOWER = "The tower opened in 1889."
SYSTEM = {"role": "system", "content": TOWER}
ASKED = {"role": "user", "content": "When?"}
SAID = {"role": "assistant", "content": "It opened in 1898."}


def read(fields, **columns):
    return answers_of(Entry("log, line 1", 1, fields), columns=columns)


@pytest.mark.parametrize(
    "log",
    [
        {"messages": [SYSTEM, ASKED, SAID]},
        {"messages": [{"role": "developer", "content": TOWER}, ASKED], "choices": [{"message": SAID}]},
        {"request": {"messages": [SYSTEM, ASKED]}, "response": {"choices": [{"message": SAID}]}},
        {"body": {"messages": [SYSTEM, ASKED]}, "response": {"body": {"choices": [{"message": SAID}]}}},
        {"context": TOWER, "messages": [{"role": "system", "content": "Be kind."}, ASKED], "response": SAID["content"]},
        {"messages": [ASKED, {"role": "tool", "content": TOWER}, SAID]},
        {"messages": [SYSTEM, {"role": "user", "content": [{"type": "text", "text": "When?"}]}, SAID]},
        {"messages": [SYSTEM, ASKED, {"role": "assistant", "content": None, "tool_calls": []}, SAID]},
        {"query": "When?", "result": SAID["content"], "source_documents": [{"page_content": TOWER, "metadata": {}}]},
        {"input": "When?", "answer": SAID["content"], "context": [{"lc": 1, "kwargs": {"page_content": TOWER}}]},
        {"query": "When?", "response": SAID["content"], "source_nodes": [{"node": {"text": TOWER}, "score": 0.3}]},
        {"user_input": "When?", "response": SAID["content"], "retrieved_contexts": [TOWER]},
        {
            "user_input": [{"content": "When?", "type": "human"}, {"content": SAID["content"], "type": "ai"}],
            "retrieved_contexts": [TOWER],
        },
    ],
)
def test_logs_of_other_tools_are_read_without_a_word_about_their_form(log):
    (found,) = read(log)
    assert (found.context, found.question, found.text) == (TOWER, "When?", "It opened in 1898.")


def test_every_answer_of_a_chat_has_what_was_said_before_and_a_batch_its_own_id():
    again = {"role": "user", "content": "Sure?"}
    first, second = read({"custom_id": "c7", "messages": [SYSTEM, ASKED, SAID, again, SAID]})
    assert (first.id, second.id) == ("c7_0", "c7_1")
    assert (second.question, second.history) == ("Sure?", (("When?", "It opened in 1898."),))


def test_a_chat_with_one_answer_keeps_its_own_id():
    assert [each.id for each in read({"id": "k1", "messages": [SYSTEM, ASKED, SAID]})] == ["k1"]
    assert [each.id for each in read({"messages": [SYSTEM, ASKED], "choices": [{"message": SAID}]})] == ["1"]


def test_a_system_message_is_no_evidence_where_tools_gave_some():
    tool = {"role": "tool", "content": TOWER}
    (found,) = read({"messages": [{"role": "system", "content": "The tower opened in 1898."}, ASKED, tool, SAID]})
    assert found.context == TOWER


def test_it_is_said_that_a_system_message_is_taken_for_the_context():
    told = []
    answers_of(Entry("log, line 1", 1, {"id": "a", "messages": [SYSTEM, ASKED, SAID]}), told.append)
    assert [(each.kind, each.answer, each.says) for each in told] == [("system context", "a", f"“{TOWER}”")]
    told.clear()
    tool = {"role": "tool", "content": TOWER}
    answers_of(Entry("log, line 1", 1, {"messages": [SYSTEM, ASKED, tool, SAID]}), told.append)
    assert not told


def test_columns_are_called_as_the_file_calls_them():
    entry = {"docs": {"text": TOWER}, "reply": "In 1889.", "answer": "In 1898.", "context": "Something else."}
    (found,) = read(entry, context="docs.text", answer="reply")
    assert (found.context, found.text) == (TOWER, "In 1889.")
    with pytest.raises(BadEntriesError, match=r"log, line 1: it has no field docs\.body"):
        read(entry, context="docs.body")


TRACE = {"run": {"id": "a"}, "steps": [{"documents": [{"text": "At 9."}]}, {"output": "It opens at 9."}]}


def test_a_path_may_go_through_a_list():
    columns = {"context": "steps.0.documents", "answer": "steps.1.output", "id": "run.id"}
    (answer,) = answers_of(Entry("x", 1, TRACE), columns=columns)
    assert (answer.id, answer.context, answer.text) == ("a", "At 9.", "It opens at 9.")
    for name in ("steps.2.output", "steps.x", "steps.-1.output"):
        with pytest.raises(BadEntriesError, match="it has no field steps"):
            answers_of(Entry("x", 1, TRACE), columns={"answer": name})


def test_a_path_takes_a_field_of_every_object_of_a_list():
    entry = {"hits": [{"body": "At 9.", "of": [{"by": "Ann"}]}, {"body": "On Mondays.", "of": []}], "answer": "At 9."}
    (answer,) = read(entry, context="hits.body")
    assert answer.context == "At 9.\n\nOn Mondays."
    (first,) = read(entry, context="hits.0.body")
    assert first.context == "At 9."
    (within,) = read(entry, context="hits.of.by")
    assert within.context == "Ann"
    with pytest.raises(BadEntriesError, match=r"it has no field hits\.body"):
        read({"hits": [{"body": "At 9."}, {"text": "On Mondays."}], "answer": "At 9."}, context="hits.body")


def test_an_object_with_one_list_of_objects_is_read_as_that_list(tmp_path):
    path = tmp_path / "log.json"
    for whole, count in (
        ({"version": 2, "model": "m", "tags": ["a"], "traces": [TRACE, TRACE]}, 2),
        ({"traces": [TRACE], "runs": [TRACE]}, 1),
        ({"said": "It opens at 9.", "chunks": [{"text": "At 9."}]}, 1),
        ({"context": "At 9.", "turns": [{"user": "?", "assistant": "9."}] * 2}, 1),
        ([TRACE, TRACE, TRACE], 3),
    ):
        path.write_text(json.dumps(whole))
        entries = list(read_entries(path))
        assert len(entries) == count
        assert (entries[0].fields == TRACE) is (count > 1)


def test_names_for_columns_are_pairs_of_ours_and_theirs():
    assert named_columns("answer=response, context=a.b") == (("answer", "response"), ("context", "a.b"))
    for wrong in ("answer", "answer=", "reply=answer", ""):
        with pytest.raises(CognibenchError, match="Pairs such as answer=response"):
            named_columns(wrong)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_is_read_with_lists_as_json_or_as_pandas_writes_them(tmp_path, mark):
    rows = [
        ["id", "contexts", "question", "answer"],
        ["a", '"[""One; is, one."", ""Two is two.""]"', "", '"One, it is;\nfirst."'],
        ["b", "\"['One; is, one.', 'Two is two.']\"", "why", "Two."],
        ["c", "Plain text [1].", "", "Three."],
    ]
    path = tmp_path / "log.csv"
    path.write_text("".join(mark.join(row) + "\r\n" for row in rows), encoding="utf-8-sig")
    first, second, third = read_answers(path)
    assert first.context == second.context == "One; is, one.\n\nTwo is two."
    assert (first.text, first.question, second.question) == ("One, it is;\nfirst.", "", "why")
    assert (third.id, third.context) == ("c", "Plain text [1].")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("context,answer\nc,a,b\n", "row 1: it has 3 cells, and the header names 2 columns"),
        ("context,answer,answer\nc,a,b\n", "has two columns with the name answer"),
        ("", "is empty, or its first line names no columns"),
        ("question,answer\nq,a\n", "row 1: it has no context"),
    ],
)
def test_csv_that_cannot_be_used_is_refused_in_a_sentence(tmp_path, text, says):
    (tmp_path / "log.csv").write_text(text)
    with pytest.raises(CognibenchError, match=says):
        read_answers(tmp_path / "log.csv")


def test_a_table_with_another_encoding_is_refused(tmp_path):
    (tmp_path / "log.csv").write_bytes("context,answer\nOhm,Größe\n".encode("latin-1"))
    with pytest.raises(CognibenchError, match="row 1: it is no UTF-8 text; save the file as UTF-8"):
        read_answers(tmp_path / "log.csv")


def test_a_json_record_is_evidence_and_no_list_of_it(tmp_path):
    record = json.dumps({"name": "Brisa", "burners": 2})
    (tmp_path / "log.csv").write_text('context,answer\n"' + record.replace('"', '""') + '",It has two burners.\n')
    (found,) = read_answers(tmp_path / "log.csv")
    assert found.context == record


@pytest.mark.parametrize("given", [1, True, "1", "unsupported", "Not_supported", "contradicted"])
@pytest.mark.parametrize("other", [0.0, False, "0", "supported", "entailed"])
def test_labels_of_two_kinds_are_taken_by_their_usual_names(given, other):
    labels = [{"text": "It is tall.", "label": given}, {"text": "It is old.", "label": other}]
    (found,) = read({"context": TOWER, "answer": "It is tall. It is old.", "statements": labels})
    assert [each.label for each in found.statements] == ["invented", "faithful"]
