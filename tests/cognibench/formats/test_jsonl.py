import json
from types import GeneratorType

import pytest

from voirdire.cognibench.formats import iter_jsonl, read_data
from voirdire.cognibench.records import CognibenchError


def write(folder, *entries, name="log.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def read(folder, *entries, plain=False):
    problems = []
    return list(iter_jsonl(write(folder, *entries), problems.append, plain=plain)), problems


def labels_of(answer):
    return [each.label for each in answer.statements]


ANSWER = {"context": "c", "answer": "One is one. Two is two. Three is three."}


@pytest.mark.parametrize("field", ["context", "contexts", "documents"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_context_that_is_a_record_is_the_text_of_its_json(tmp_path, field, listed):
    record = {"name": "Blue Door", "city": "Bath", "open": {"Monday": "9-17"}, "score": 0.5}
    (answer,), _ = read(tmp_path, {field: [record] if listed else record, "answer": "A."})
    assert json.loads(answer.context) == record


PAID = "Refunds are paid within 14 days of the return."
OPEN = "The shop is open until 18.00."


@pytest.mark.parametrize(
    ("passages", "key", "context"),
    [
        ([{"body": PAID, "rank": 30, "source": "refunds.md"}], "body", PAID),
        ([{"chunk": PAID, "rank": 1}, {"chunk": OPEN, "rank": 2}], "chunk", f"{PAID}\n\n{OPEN}"),
        ([{"title": "Opening hours", "snippet": OPEN, "author": "Mats Ekman"}], "snippet", OPEN),
        ([{"Absatz": PAID, "meta": {"page": 3, "by": "Mats Ekman"}}], "Absatz", PAID),
        ([{"body": OPEN, "metadata": {"summary": f"{PAID} {PAID}"}}], "body", OPEN),
    ],
)
def test_the_long_text_of_passages_is_their_evidence_and_the_rest_is_said_of_them(tmp_path, passages, key, context):
    (answer,), problems = read(tmp_path, {"id": "a7", "context": passages, "answer": "A."})
    assert answer.context == context
    assert [(each.kind, each.answer, each.says) for each in problems] == [
        ("passage text", "a7", f"--map context=context.{key}")
    ]


@pytest.mark.parametrize(
    "passages",
    [
        [{"name": "Blue Door", "city": "Bath"}, {"name": "Red Door", "city": "York"}],
        [{"address": "12 Long Street, Bath BA1 2QX, United Kingdom", "owner": "Ann Miller"}],
        [{"name": "Tent", "description": "It sleeps two people. It weighs two kilograms.", "price": 120}],
        [{"question": PAID, "reply": OPEN}],
        [{"name": "Inn", "intro": OPEN, "reviews": [{"says": PAID}, {"says": "The beds are much too soft."}]}],
        [{"body": PAID}, {"chunk": OPEN}],
        {"body": PAID, "rank": 30},
    ],
)
def test_other_objects_stay_records_of_which_every_field_is_evidence(tmp_path, passages):
    (answer,), problems = read(tmp_path, {"context": passages, "answer": "A."})
    assert not problems
    for each in passages if isinstance(passages, list) else [passages]:
        assert all(str(value) in answer.context for value in each.values() if isinstance(value, str))


def test_an_empty_object_among_passages_is_refused(tmp_path):
    with pytest.raises(CognibenchError, match="no field with a value"):
        read(tmp_path, {"context": [{}], "answer": "A."})


def test_every_turn_of_a_dialogue_becomes_an_answer_with_its_history(tmp_path):
    turns = [{"user": "a?", "assistant": "A."}, {"user": "b?", "assistant": "B. Really."}]
    entry = {"id": "d", "context": "c", "turns": turns, "topic": "t", "model": "m", "group": "g"}
    (first, second), _ = read(tmp_path, entry)
    assert (first.id, first.question, first.text, first.history, first.turn) == ("d_0", "a?", "A.", (), 0)
    assert (second.id, second.dialogue, second.turn) == ("d_1", "d", 1)
    assert second.history == (("a?", "A."),)
    assert (second.topic, second.model, second.group) == ("t", "m", "g")
    assert [each.text for each in second.statements] == ["B.", "Really."]


@pytest.mark.parametrize(
    "context",
    [
        {"context": "one\n\ntwo"},
        {"contexts": ["one", "two"]},
        {"documents": [{"page_content": "one"}, {"text": "two", "score": 3}]},
        {"context": ["one", {"content": "two"}]},
    ],
)
@pytest.mark.parametrize("question", ["question", "query", "prompt", "user"])
@pytest.mark.parametrize("answer", ["answer", "response", "output", "assistant"])
def test_the_names_that_logs_use_are_understood(tmp_path, context, question, answer):
    ((found,), _) = read(tmp_path, {**context, question: "q?", answer: "A."})
    assert (found.id, found.context, found.question, found.text) == ("1", "one\n\ntwo", "q?", "A.")


def test_messages_of_a_chat_are_turns_too(tmp_path):
    turns = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "a?"},
        {"role": "user", "content": "please"},
        {"role": "assistant", "content": "A."},
    ]
    ((found,), _) = read(tmp_path, {"id": 4, "context": "c", "turns": turns})
    assert (found.id, found.question, found.text) == ("4_0", "a?\n\nplease", "A.")
    ((found,), _) = read(tmp_path, {**ANSWER, "history": turns})
    assert (found.history, found.turn) == ((("a?\n\nplease", "A."),), 1)


def test_equal_contexts_share_their_group_and_empty_ones_share_none(tmp_path):
    entries = [{"context": context, "answer": "A."} for context in ("x", "y", "x", "", "")]
    groups = [answer.group for answer in read(tmp_path, *entries)[0]]
    assert groups[0] == groups[2]
    assert len(set(groups)) == 4


def test_an_id_that_is_there_already_gets_a_number_and_that_is_told(tmp_path):
    answers, problems = read(tmp_path, *[{"id": "x", **ANSWER}] * 3)
    assert [answer.id for answer in answers] == ["x", "x#2", "x#3"]
    assert [(each.kind, each.answer, each.says) for each in problems] == [
        ("renamed", "x", "now x#2"),
        ("renamed", "x", "now x#3"),
    ]


def test_labels_by_text_are_placed_and_booleans_say_hallucinated(tmp_path):
    entry = {**ANSWER, "labels": {"one is one": "reliable", "Two is two.": True, "Three is three.": False}}
    ((found,), problems) = read(tmp_path, entry)
    assert labels_of(found) == ["reliable", "invented", "faithful"]
    assert not problems


def test_statements_by_text_may_be_merged_and_what_belongs_nowhere_is_told(tmp_path):
    statements = [
        {"text": "Two is two. Three is three.", "label": "speculative"},
        {"text": "Nothing of this kind was said.", "label": "invented"},
        {"text": "One is one.", "label": None},
    ]
    ((found,), problems) = read(tmp_path, {**ANSWER, "statements": statements})
    assert labels_of(found) == [None, "speculative", "speculative"]
    assert [each.kind for each in problems] == ["unplaced", "no label"]


def test_a_misspelt_label_of_an_answer_is_said_where_other_answers_have_labels(tmp_path):
    entries = [{"id": f"a{number}", "context": "C.", "answer": "One.", "label": "unsuported"} for number in range(2)]

    def said(*given):
        return read_data(write(tmp_path, *given)).cautions

    (caution,) = said(*entries, {**entries[0], "id": "b", "label": "supported"})
    assert caution.startswith("Answers whose label is none that is known") and ": 2 (a0: unsuported; a1:" in caution
    assert not said(*entries)  # of something else


def test_of_two_labels_on_one_sentence_the_graver_one_is_taken_and_told(tmp_path):
    statements = [{"text": "One is one two or three.", "label": "faithful"}]
    entry = {"context": "c", "answer": "One is one, two or three, and then more comes.", "statements": statements}
    statements.append({"text": "and then more comes", "label": "speculative"})
    ((found,), problems) = read(tmp_path, entry)
    assert labels_of(found) == ["speculative"]
    assert [(each.kind, each.says) for each in problems] == [("two labels", "sentence 1 is faithful and speculative")]


def test_statements_with_offsets_are_taken_as_they_are_and_words_outside_are_told(tmp_path):
    statements = [{"start": 0, "end": 6, "label": "faithful"}, {"start": 7, "end": 23, "label": True}]
    ((found,), problems) = read(tmp_path, {**ANSWER, "statements": statements})
    assert [(each.text, each.label) for each in found.statements] == [
        ("One is", "faithful"),
        ("one. Two is two.", "invented"),
    ]
    assert [(each.kind, each.says) for each in problems] == [("outside", "3 words")]


def test_labels_stand_within_their_turn(tmp_path):
    turns = [
        {"user": "a?", "assistant": "A is so. B is not."},
        {"user": "b?", "assistant": "C.", "labels": {"C.": "faithful"}},
    ]
    first, second = read(tmp_path, {"context": "c", "turns": turns})[0]
    assert (labels_of(first), labels_of(second)) == ([None, None], ["faithful"])


@pytest.mark.parametrize("name", ["log.json", "log.jsonl", "log.ndjson", "log.csv"])
@pytest.mark.parametrize("indent", [None, 1])
def test_one_list_in_a_file_is_read_and_its_entries_are_counted(tmp_path, name, indent):
    path = tmp_path / name
    path.write_text("\ufeff" + json.dumps([ANSWER, {"context": "c"}], indent=indent), encoding="utf-8")
    answers = iter_jsonl(path)
    assert next(answers).id == "1"
    with pytest.raises(CognibenchError, match=rf"{name}, entry 2: it has no answer"):
        next(answers)


def test_a_file_is_read_as_far_as_it_is_asked_for(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(ANSWER) + "\nnot json\n", encoding="utf-8")
    answers = iter_jsonl(path)
    assert isinstance(answers, GeneratorType)
    assert next(answers).text == ANSWER["answer"]


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text("\ufeff" + json.dumps(ANSWER) + "\n\n" + json.dumps(ANSWER), encoding="utf-8")
    assert [answer.id for answer in iter_jsonl(path)] == ["1", "3"]


def test_half_a_surrogate_pair_does_not_end_the_reading_or_move_offsets(tmp_path):
    ((found,), _) = read(tmp_path, {"context": "c", "answer": "A \ud83d is. B is."})
    assert found.text == "A \ufffd is. B is."
    found.text.encode()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense", "line 2: it is no JSON"),
        ("[1]", "line 2: a JSON object is expected, not a list."),
        (
            '{"answer": "A."}',
            "line 2: it has no context (one of context, contexts, retrieved_contexts, documents, source_documents,",
        ),
        (
            '{"context": "c"}',
            "line 2: it has no answer (one of answer, response, output, assistant, result, completion), and no turns.",
        ),
        ('{"context": 5, "answer": "A."}', "line 2: context must be a text, not a number."),
        ('{"context": [{"id": 1}], "answer": "A."}', "line 2: a document in context has no text or content"),
        ('{"context": "c", "answer": ["A."]}', "line 2: answer must be a text, not a list."),
        ('{"context": "c", "turns": []}', "line 2: turns holds no assistant's turn."),
        ('{"context": "c", "turns": "x"}', "line 2: turns must be a list of"),
        ('{"context": "c", "turns": [{"user": "a?"}]}', "line 2: a turn of turns has no assistant text."),
        ('{"context": "c", "answer": "A.", "labels": {"A.": "wrong"}}', "the label 'wrong' is none of irrelevant,"),
        (
            '{"context": "c", "answer": "A.", "labels": ["A."]}',
            "a list of objects with text and label is called statements.",
        ),
        ('{"context": "c", "answer": "A.", "statements": {}}', "statements must be a list of objects."),
        ('{"context": "c", "answer": "A.", "statements": [{"label": true}]}', "the text of a statement must be a text"),
        ('{"context": "c", "answer": "A.", "statements": [{"start": 1, "end": 9}]}', "must lie in the answer"),
        (
            '{"context": "c", "answer": "A.", "statements": [{"start": 0, "end": 1, "text": "B"}]}',
            "the statement at 0 is not the text given with it",
        ),
        ('{"id": {}, "context": "c", "answer": "A."}', "id must be a text or a whole number, not a dict."),
        ('{"context": "c", "answer": "A.", "turn": -1}', "turn must be a number from 0 to 1,000,000."),
    ],
)
def test_a_line_that_cannot_be_read_is_named_in_one_sentence(tmp_path, line, sentence):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(ANSWER) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(CognibenchError) as error:
        list(iter_jsonl(path))
    assert f"{path}, line 2: " in str(error.value)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CognibenchError, match="no UTF-8 text"):
        list(iter_jsonl(path))


LIST = "These two:\n- One is one.\n- Two is two."
UNITS = ["These two:", "- One is one.", "- Two is two."]
GIVEN = dict.fromkeys(UNITS, "faithful") | {UNITS[2]: "invented"}


@pytest.mark.parametrize(
    "labels",
    [{}, {"labels": GIVEN}, {"statements": [{"text": text, "label": label} for text, label in GIVEN.items()]}],
    ids=["none", "labels", "statements"],
)
def test_markdown_is_cut_at_its_layout_whether_it_has_labels_or_not(tmp_path, labels):
    ((found,), problems) = read(tmp_path, {"context": "c", "answer": LIST, **labels})
    assert [each.text for each in found.statements] == UNITS
    assert labels_of(found) == (["faithful", "faithful", "invented"] if labels else [None] * 3)
    assert not problems


def test_markdown_is_read_as_plain_text_if_asked_and_a_label_of_all_of_it_labels_each_unit_else(tmp_path):
    entry = {"context": "c", "answer": LIST, "labels": {LIST: "speculative"}}
    (((plain,), _), ((cut,), _)) = (read(tmp_path, entry, plain=each) for each in (True, False))
    assert (labels_of(plain), labels_of(cut)) == (["speculative"] * 2, ["speculative"] * 3)


def test_statements_with_offsets_are_not_cut_at_the_layout(tmp_path):
    statements = [{"start": 0, "end": len(LIST), "label": "faithful"}]
    ((found,), _) = read(tmp_path, {"context": "c", "answer": LIST, "statements": statements})
    assert [each.text for each in found.statements] == [LIST]


def test_a_sample_of_ragas_is_read_as_it_stands(tmp_path):
    (found,), _ = read(
        tmp_path, {"user_input": "When?", "retrieved_contexts": ["It opens at 7.", "It is old."], "response": "At 7."}
    )
    assert (found.question, found.context, found.text) == ("When?", "It opens at 7.\n\nIt is old.", "At 7.")


def test_the_header_row_of_a_table_needs_no_label(tmp_path):
    entry = {
        "context": "c",
        "answer": "One is one.\n\n| name | cows |\n|---|---|\n| Fay | 8 |\n",
        "labels": {"One is one.": False},
    }
    _, problems = read(tmp_path, entry)
    assert [(each.kind, each.says) for each in problems] == [("no label", "sentence 3")]
