"""Logs of other tools, read as our own entries, and tables."""

import csv
import json

import pytest

from voirdire.cognibench.formats import (
    BadEntriesError,
    Entry,
    Problem,
    answers_of,
    iter_jsonl,
    read_answers,
    read_entries,
    summarise_problems,
)
from voirdire.cognibench.formats.entries import CONTEXTS
from voirdire.cognibench.formats.other_tools import named_columns
from voirdire.cognibench.records import CognibenchError

TOWER = "The tower opened in 1889."
SYSTEM = {"role": "system", "content": TOWER}
ASKED = {"role": "user", "content": "When?"}
SAID = {"role": "assistant", "content": "It opened in 1898."}
RESPONSE = [
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID["content"]}]},
]
"""`output` of OpenAI's Responses API."""
TEXT = {"type": "text", "text": SAID["content"]}
CALL = {"role": "assistant", "content": [{"type": "tool_use", "id": "u1", "name": "find", "input": {"q": "tower"}}]}
"""A call of a tool by Anthropic's Messages API."""


def returned(*blocks):
    return {"role": "user", "content": list(blocks)}


def result(content):
    return {"type": "tool_result", "tool_use_id": "u1", "content": content}


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
        {"instructions": TOWER, "input": "When?", "output": RESPONSE},
        {"request": {"instructions": TOWER, "input": [ASKED]}, "response": {"output": RESPONSE}},
        {"body": {"input": [SYSTEM, ASKED]}, "response": {"body": {"instructions": None, "output": RESPONSE}}},
        {"input": "When?", "output": [{"type": "file_search_call", "results": [{"text": TOWER}]}, *RESPONSE]},
        {"input": [ASKED, {"type": "function_call_output", "call_id": "c", "output": TOWER}], "output": RESPONSE},
        {"context": TOWER, "instructions": "Be kind.", "input": "When?", "output": RESPONSE},
        {"system": TOWER, "messages": [ASKED], "response": {"role": "assistant", "content": [TEXT]}},
        {"system": [{"type": "text", "text": TOWER}], "messages": [ASKED], "response": SAID["content"]},
        {"turns": [ASKED, {"role": "tool", "content": TOWER}, SAID], "id": "t"},
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


@pytest.mark.parametrize(
    ("returned", "passages"),
    [
        ([{"text": "Zoë's depot.\n\n| a | b |"}], ["Zoë's depot.\n\n| a | b |"]),
        ({"results": [{"content": "Zoë.", "score": 0.5}, {"content": "Köln."}]}, ["Zoë.", "Köln."]),
        ({"matches": [{"id": "7", "score": 0.5, "metadata": {"text": "Zoë."}}]}, ["Zoë."]),
        (["Zoë.", "Köln."], ["Zoë.", "Köln."]),
        ("Zoë.\nKöln.", ["Zoë.\nKöln."]),
        ([{"page_content": "Zoë.", "type": "Document"}, {"chunk": "Köln."}], ["Zoë.", "Köln."]),
        ({"snippet": "Open.", "title": "Köln", "url": None}, ["Open.", '{"title": "Köln"}']),
        ({"name": "Zoë's", "reviews": [{"body": "Good."}], "stars": 0}, ["Good.", '{"name": "Zoë\'s", "stars": 0}']),
        ({"name": "Zoë's", "tags": ["Köln"]}, ['{"name": "Zoë\'s", "tags": ["Köln"]}']),
    ],
)
def test_json_that_a_tool_returned_is_decoded_to_passages_and_records(returned, passages):
    tool = {"role": "tool", "content": json.dumps(returned)}
    for log in ({"messages": [ASKED, tool, SAID]}, {"contexts": [json.dumps(returned)], "answer": SAID["content"]}):
        (found,) = read(log)
        assert found.context == "\n\n".join(passages)


@pytest.mark.parametrize(
    "given",
    [
        "  The tower opened in 1898.\r\n\n\n| a | b |\n|---|---|\n| 1 | 2 |  \n",
        '{"name": "Zo\\u00eb", "height_m": 300}',
        '[{"name": "Tower", "height_m": 300}, {"name": "Hut", "height_m": 20}]',
        '[{"title": "Opening", "text": "The tower opened in 1898."}]',
        '[{"rank": 1, "chunk": "The tower opened in 1898."}]',
        '["The tower.", "The hut."]',
        "['The tower.', 'The hut.']",
        '"The tower."',
        "[1] The tower.",
    ],
)
def test_a_text_is_the_same_evidence_wherever_it_stands(given):
    keys = ("text", "content", "page_content", "passage")
    forms = [
        *({name: [given]} for name in CONTEXTS),
        *({"documents": [{key: given, "metadata": {"page": 3}}]} for key in keys),
        {"context": {"text": given}},
        {"source_nodes": [{"node": {"text": given}, "score": 0.3}]},
        {"source_documents": [{"lc": 1, "kwargs": {"page_content": given}}]},
        {"documents": json.dumps([{"page_content": given}])},
        {"messages": [ASKED, {"role": "tool", "content": given}, SAID]},
    ]
    (expected,) = read({"context": given, "answer": SAID["content"]})
    for form in forms:
        (found,) = read(form if "messages" in form else {**form, "answer": SAID["content"]})
        assert (found.context, found.group) == (expected.context, expected.group)


@pytest.mark.parametrize(
    "given", ["[1] The tower.", "[1, 2]", '{"open": true}', '{\n  "open": true\n}', '"Open" says it.', "{", "[" * 500]
)
def test_a_context_without_passages_or_escapes_stays_as_it_is(given):
    assert read({"context": given, "answer": SAID["content"]})[0].context == given


def test_lines_of_json_objects_are_records_and_other_lines_of_json_are_a_text():
    one, other = {"name": "Zoë", "fee": "€0"}, {"name": "Köln", "fee": "€12"}
    lines = f"{json.dumps(one)}\n{json.dumps(other)}\n"
    parts = {"role": "tool", "content": [{"type": "text", "text": json.dumps(each)} for each in (one, other)]}
    for log in ({"context": lines, "answer": "It is free."}, {"messages": [ASKED, parts, SAID]}):
        (found,) = read(log)
        assert found.context == '{"name": "Zoë", "fee": "€0"}\n\n{"name": "Köln", "fee": "€12"}'
    assert read({"context": "{}\n[1]", "answer": "It is free."})[0].context == "{}\n[1]"


def test_a_record_keeps_its_lines_when_its_escapes_are_read():
    given = {"name": "Zoë", "tags": ["Köln"]}
    (found,) = read({"context": json.dumps(given, indent=2), "answer": SAID["content"]})
    assert found.context == json.dumps(given, indent=2, ensure_ascii=False)


def test_it_is_said_that_a_system_message_is_taken_for_the_context():
    told = []
    answers_of(Entry("log, line 1", 1, {"id": "a", "messages": [SYSTEM, ASKED, SAID]}), told.append)
    assert [(each.kind, each.answer, each.says) for each in told] == [("system context", "a", f"“{TOWER}”")]
    told.clear()
    tool = {"role": "tool", "content": TOWER}
    answers_of(Entry("log, line 1", 1, {"messages": [SYSTEM, ASKED, tool, SAID]}), told.append)
    assert not told


RULES = "You answer for the city. Use only this context.\nNever promise a refund."


@pytest.mark.parametrize(
    "text",
    [
        f"{RULES}\n\nContext:\n{TOWER}",
        f"{RULES}\n\n## Retrieved passages:\n\n{TOWER}\n",
        f"{RULES}\n\n**Context:**\n```text\n{TOWER}\n```\nAnswer in one sentence.",
        f"{RULES}\n<context>\n{TOWER}\n</context>\nAnswer in one sentence.",
        f'Answer from the <document> alone.\n<document id="1">{TOWER}</document>',
    ],
)
@pytest.mark.parametrize("before", [[], [{"role": "system", "content": "Be kind."}]])
def test_of_a_system_message_that_marks_its_passages_no_instruction_is_evidence(text, before):
    (found,), told = told_of({"messages": [*before, {"role": "system", "content": text}, ASKED, SAID]})
    assert found.context == TOWER
    assert told == [("system passages", f"“{TOWER}”")]


@pytest.mark.parametrize(
    "text",
    [
        f"{RULES}\n\n{TOWER}",
        f"Context: you help visitors.\n{TOWER}",
        f"# Why it was built\n\n## Context\n\n{TOWER}",
        f"{TOWER}\n\nSources:\nthe city's archive",
        f"{RULES}\n<context></context>\n{TOWER}\nContext:\n",
    ],
)
def test_a_system_message_that_marks_no_passages_is_evidence_as_a_whole(text):
    (found,), told = told_of({"messages": [{"role": "system", "content": text}, ASKED, SAID]})
    assert found.context.strip() == text.strip()
    assert [kind for kind, _ in told] == ["system context"]


def told_of(fields, **columns):
    told = []
    answers = answers_of(Entry("log, line 1", 1, fields), told.append, columns=columns)
    return answers, [(each.kind, each.says) for each in told]


def test_instead_of_the_system_message_only_a_longer_one_of_the_user_is_suggested():
    request = {"messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": f"{TOWER} When?"}]}
    log = {"request": request, "response": {"choices": [{"message": SAID}]}}
    _, told = told_of(log)
    assert ("system context", "“Be kind.”, or --map context=request.messages.1.content") in told
    assert read(log, context="request.messages.1.content")[0].context == f"{TOWER} When?"
    _, told = told_of({"chat": [*request["messages"], SAID]}, messages="chat")
    assert ("system context", "“Be kind.”, or --map context=chat.1.content") in told


def test_it_is_said_that_a_context_is_the_question_or_taken_and_shorter_than_the_answer():
    log = {"messages": [SYSTEM, ASKED, SAID]}
    assert told_of(log, context="messages.1.content")[1] == [("question as context", "“When?”")]
    assert told_of({"docs": "In 1889.", "answer": SAID["content"]}, context="docs")[1] == [
        ("short context", "“In 1889.”")
    ]
    assert not told_of({"context": "In 1889.", "answer": SAID["content"]})[1]
    assert not told_of({"docs": TOWER, "answer": SAID["content"]}, context="docs")[1]


def test_where_a_context_is_short_it_is_said_how_earlier_turns_count():
    (note,) = summarise_problems([Problem("short context", "1", "“In 1889.”")])
    assert "--map context=FIELD" in note and "earlier turns count only with --history user or all" in note


@pytest.mark.parametrize("columns", [("item", "document", "rater", "label"), ("item", "document", "how", "label")])
def test_exported_ratings_are_not_to_be_mapped_but_their_project_given(tmp_path, columns):
    path = tmp_path / "ratings.csv"
    path.write_text(f"{','.join(columns)}\n1,a,b,c\n")
    with pytest.raises(BadEntriesError) as raised:
        read_answers(path)
    assert raised.value.with_names.endswith("ratings: give the project that holds them, a .voirdire file.")


PASTED = {"role": "user", "content": f"{TOWER} When?"}
POLITE = {"role": "system", "content": "Be kind."}


@pytest.mark.parametrize("path", ["messages.content", "messages"])
@pytest.mark.parametrize("reply", [{}, {"choices": [{"message": SAID}]}])
@pytest.mark.parametrize("kind", [None, "text", "input_text"])
def test_a_map_that_takes_all_messages_leaves_the_answer_out(path, reply, kind):
    call = {"role": "assistant", "content": None, "tool_calls": []}
    in_parts = {"role": "user", "content": [{"type": kind, "text": PASTED["content"]}, {"type": "image_url"}]}
    log = {"messages": [POLITE, PASTED if kind is None else in_parts, call, *([] if reply else [SAID])], **reply}
    assert read(log, context=path)[0].context == f"Be kind.\n\n{TOWER} When?"


def test_a_map_that_takes_all_messages_takes_what_tools_returned_within_them():
    log = {"messages": [returned(result([{"type": "text", "text": TOWER}])), SAID]}
    assert read(log, context="messages")[0].context == TOWER


TURNS = [{"user": "Is it old?", "assistant": "Yes."}, {"user": "When?", "assistant": SAID["content"]}]


@pytest.mark.parametrize("chat", [TURNS, json.dumps(TURNS)])
def test_turns_are_read_under_any_name_and_are_no_single_answer(chat):
    first, second = read({"docs": TOWER, "chat": chat}, context="docs", turns="chat")
    assert (first.text, second.text, second.question) == ("Yes.", SAID["content"], "When?")
    with pytest.raises(BadEntriesError, match="chat is a list of turns, and no answer: name it with --map turns=chat"):
        read({"docs": TOWER, "chat": chat}, context="docs", answer="chat")
    with pytest.raises(BadEntriesError, match=r'one of \{"user", "assistant"\} is called turns'):
        read({"docs": TOWER, "chat": chat}, context="docs", messages="chat")


@pytest.mark.parametrize(
    ("log", "columns"),
    [
        ({"context": TOWER, "answer": SAID["content"]}, {"context": "answer"}),
        ({"docs": TOWER, "reply": SAID["content"]}, {"context": "reply", "answer": "reply"}),
        ({"run": {"reply": SAID["content"], "docs": TOWER}}, {"context": "run", "answer": "run.reply"}),
        ({"messages": [PASTED, SAID]}, {"context": "messages.1.content"}),
        ({"chat": [PASTED, SAID]}, {"context": "chat.1.content", "messages": "chat"}),
        ({"messages": [PASTED], "choices": [{"message": SAID}]}, {"context": "choices.0.message.content"}),
        ({"messages": [PASTED], "response": {"choices": [{"message": SAID}]}}, {"context": "response.choices"}),
        ({"docs": TOWER, "turns": [{"user": "When?", "assistant": SAID["content"]}]}, {"context": "turns.assistant"}),
    ],
)
def test_an_answer_is_refused_as_its_own_context(log, columns):
    with pytest.raises(BadEntriesError, match=r"is or holds the answer|has no text that comes before an answer"):
        read(log, **columns)


def test_a_field_of_its_own_may_quote_the_answer():
    log = {"run": {"docs": [SAID["content"], TOWER], "reply": SAID["content"]}}
    (found,) = read(log, context="run.docs", answer="run.reply")
    assert found.context == f"{SAID['content']}\n\n{TOWER}"


def test_of_passages_pasted_into_each_turn_an_answer_rests_on_those_before_it():
    later = {"role": "user", "content": f"{FEE} And the fee?"}
    log = {"messages": [POLITE, PASTED, SAID, later, PAID]}
    _, told = told_of(log)
    assert ("system context", "“Be kind.”, or --map context=messages.content") in told
    first, second = read(log, context="messages.content")
    assert first.context == f"Be kind.\n\n{TOWER} When?"
    assert second.context == f"{first.context}\n\n{FEE} And the fee?"
    first, second = read(log, context="messages.3.content")
    assert (first.context, second.context) == ("", f"{FEE} And the fee?")


def test_where_there_is_no_context_the_message_that_may_have_it_is_named():
    log = {"messages": [PASTED], "choices": [{"message": SAID}]}
    with pytest.raises(BadEntriesError, match=r"--map context=messages\.0\.content"):
        read(log)
    assert read(log, context="messages.0.content")[0].context == PASTED["content"]


@pytest.mark.parametrize("name", ["hits", "Passages"])
def test_the_field_that_is_suggested_for_passages_can_be_read(name):
    log = {name: [{"body": TOWER, "title": "Tower"}], "answer": SAID["content"]}
    columns = {} if name == "Passages" else {"context": name}
    _, told = told_of(log, **columns)
    assert told == [("passage text", f"--map context={name}.body")]
    assert told_of(log, context=f"{name}.body")[0][0].context == TOWER


def test_names_in_other_capitals_are_read_where_none_of_the_kind_is_written_as_ours():
    (found,) = read({"Context": TOWER, "QUERY": "When?", "Answer": "In 1898."})
    assert (found.context, found.question, found.text) == (TOWER, "When?", "In 1898.")
    (found,) = read({"Context": "Something else.", "documents": [TOWER], "response": "In 1898.", "Answer": "No."})
    assert (found.context, found.text) == (TOWER, "In 1898.")
    (found,) = read({"Context": "Something else.", "docs": TOWER, "Answer": "In 1898."}, context="docs")
    assert found.context == TOWER


def test_every_field_that_is_missing_is_named_at_once():
    with pytest.raises(BadEntriesError, match=r"no context \(one of .*\), no answer \(one of .*\), and no turns\."):
        read({"q": "When?"})
    with pytest.raises(BadEntriesError, match="it has no field docs and no field reply"):
        read({"q": "When?"}, context="docs", answer="reply")


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


def test_a_label_is_read_from_the_column_that_is_named():
    entry = {"context": TOWER, "answer": "It was built in 1889.", "verdict": "unsupported"}
    (found,) = read(entry, **dict(named_columns("label=verdict")))
    assert [each.label for each in found.statements] == ["invented"]
    (unnamed,) = read(entry)
    assert [each.label for each in unnamed.statements] == [None]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("written", [str, lambda name: name if name == "id" else name.title()])
def test_csv_is_read_with_lists_as_json_or_as_pandas_writes_them(tmp_path, mark, written):
    rows = [
        ["id", "contexts", "question", "answer"],
        ["a", '"[""One; is, one."", ""Two is two.""]"', "", '"One, it is;\nfirst."'],
        ["b", "\"['One; is, one.', 'Two is two.']\"", "why", "Two."],
        ["c", "Plain text [1].", "", "Three."],
    ]
    rows[0] = list(map(written, rows[0]))
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


RETURNED = "Returns are free for 14 days after the parcel came."
HOURS = "The shop is open until 6 pm on every day but Sunday."
LISTS = [
    [{"job": "R-1", "customer": "Zoë", "price": 1180}, {"job": "R-2", "customer": "Tom", "price": 640}],
    [RETURNED, HOURS],
    [{"text": RETURNED, "title": "Returns"}, {"text": HOURS}],
    [{"para": RETURNED, "rank": 1}, {"para": HOURS, "rank": 2}],
    [RETURNED, {"content": HOURS}],
]


def in_file(folder, name, columns=None, **fields):
    path = folder / name
    if name.endswith(".csv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([fields.keys(), fields.values()])
    else:
        path.write_text(json.dumps(fields))
    (found,) = iter_jsonl(path, columns=columns)
    return found.context


@pytest.mark.parametrize("passages", LISTS)
@pytest.mark.parametrize("as_text", [json.dumps, lambda passages: json.dumps(passages, indent=1), str])
def test_a_list_written_as_text_is_the_same_evidence_as_the_list_in_every_format(tmp_path, passages, as_text):
    said, written = SAID["content"], as_text(passages)
    expected = in_file(tmp_path, "list.jsonl", context=passages, answer=said)
    messages = [ASKED, {"role": "tool", "content": written}, SAID]
    assert [
        in_file(tmp_path, "text.jsonl", context=written, answer=said),
        in_file(tmp_path, "listed.jsonl", contexts=[written], answer=said),
        in_file(tmp_path, "named.jsonl", {"context": "found"}, found=written, answer=said),
        in_file(tmp_path, "text.csv", context=written, answer=said),
        in_file(tmp_path, "named.csv", {"context": "found"}, found=written, answer=said),
        in_file(tmp_path, "chat.jsonl", messages=messages),
        in_file(tmp_path, "system.jsonl", messages=[{"role": "system", "content": written}, ASKED, SAID]),
    ] == [expected] * 7


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv"])
def test_a_field_of_the_objects_in_a_list_written_as_text_can_be_named(tmp_path, name):
    written, columns = json.dumps([{"a": RETURNED, "b": HOURS}]), {"context": "found.b"}
    assert in_file(tmp_path, name, columns, found=written, answer=SAID["content"]) == HOURS


@pytest.mark.parametrize("name", ["log.jsonl", "log.csv"])
@pytest.mark.parametrize(
    ("written", "context"),
    [
        ("[1, 2]", "[1, 2]"),
        ("[{}]", ""),
        ('[{"content": 5}]', '[{"content": 5}]'),
        ("[1] The tower.", "[1] The tower."),
    ],
)
def test_a_text_whose_list_holds_no_passages_is_never_refused(tmp_path, name, written, context):
    assert in_file(tmp_path, name, context=written, answer=SAID["content"]) == context


@pytest.mark.parametrize("given", [1, True, "1", "unsupported", "Not_supported", "contradicted"])
@pytest.mark.parametrize("other", [0.0, False, "0", "supported", "entailed"])
def test_labels_of_two_kinds_are_taken_by_their_usual_names(given, other):
    labels = [{"text": "It is tall.", "label": given}, {"text": "It is old.", "label": other}]
    (found,) = read({"context": TOWER, "answer": "It is tall. It is old.", "statements": labels})
    assert [each.label for each in found.statements] == ["invented", "faithful"]


@pytest.mark.parametrize(
    "blocks",
    [
        [result(TOWER)],
        [result([{"type": "text", "text": TOWER}, {"type": "image", "source": {"type": "base64", "data": "R0"}}])],
        [
            result(
                [{"type": "search_result", "source": "t", "title": "T", "content": [{"type": "text", "text": TOWER}]}]
            )
        ],
        [{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": TOWER}}],
        [{"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": TOWER}]}}],
        [result(None), result(TOWER), {"type": "document", "source": {"type": "url", "url": "t.pdf"}}],
    ],
)
def test_what_tools_returned_within_an_anthropic_chat_is_the_evidence(blocks):
    for log in (
        {"system": "Be kind.", "messages": [ASKED, CALL, returned(*blocks), SAID]},
        {
            "request": {"messages": [ASKED, CALL, returned(*blocks)]},
            "response": {"role": "assistant", "content": [TEXT]},
        },
    ):
        (found,) = read(log)
        assert (found.context, found.question, found.text) == (TOWER, "When?", SAID["content"])


def test_blocks_within_blocks_without_end_are_no_evidence():
    content = TOWER
    for _ in range(300):
        content = [{"type": "search_result", "content": content}]
    assert read({"messages": [ASKED, returned(result(content)), SAID]})[0].context == ""


FEE = "The fee is 12 euros."
LATER = {"role": "user", "content": "And the fee?"}
PAID = {"role": "assistant", "content": FEE}


def tool(content):
    return {"role": "tool", "content": content}


@pytest.mark.parametrize(
    "log",
    [
        {"messages": [ASKED, tool(TOWER), SAID, LATER, tool(FEE), PAID]},
        {"messages": [ASKED, tool(TOWER), SAID, LATER, tool(FEE)], "choices": [{"message": PAID}]},
        {"messages": [ASKED, CALL, returned(result(TOWER)), SAID, LATER, CALL, returned(result(FEE)), PAID]},
        {
            "messages": [
                ASKED,
                {"role": "system", "content": TOWER},
                SAID,
                LATER,
                {"role": "system", "content": FEE},
                PAID,
            ]
        },
        {"turns": [ASKED, tool(TOWER), SAID, LATER, tool(FEE), PAID]},
        {"user_input": [ASKED, tool(TOWER), SAID, LATER, tool(FEE), PAID]},
        {
            "input": [ASKED, {"type": "function_call_output", "output": TOWER}, SAID, LATER],
            "output": [{"type": "file_search_call", "results": [{"text": FEE}]}, {"type": "message", **PAID}],
        },
    ],
)
def test_an_answer_rests_on_what_came_before_it_alone(log):
    first, second = read(log)
    assert (first.context, second.context) == (TOWER, f"{TOWER}\n\n{FEE}")
    assert first.group == second.group


def test_an_answer_before_any_tool_message_has_no_context():
    first, second = read({"messages": [SYSTEM, ASKED, SAID, LATER, tool(FEE), PAID]})
    assert (first.context, second.context) == ("", FEE)


@pytest.mark.parametrize("empty", ["", " ", None, [], "[]", '{"results": [], "next": null}'])
def test_an_answer_whose_passages_are_all_empty_has_no_context_whatever_the_system_message_says(empty):
    told = []
    log = {"messages": [{"role": "system", "content": "Be polite."}, ASKED, tool(empty), SAID]}
    (found,) = answers_of(Entry("log, line 1", 1, log), told.append)
    assert (found.context, told) == ("", [])


def test_labels_within_a_message_stay_with_it():
    said = {**SAID, "labels": {SAID["content"]: True}}
    for log in ({"messages": [SYSTEM, ASKED, said]}, {"context": TOWER, "turns": [ASKED, said]}):
        assert [each.label for each in read(log)[0].statements] == ["invented"]
