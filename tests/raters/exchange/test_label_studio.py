import json

import pytest

from tests.raters.exchange import examples, schema
from voirdire.raters.exchange import ExchangeError, import_ratings
from voirdire.raters.exchange.label_studio import read_annotations, task_form_of, tasks_of
from voirdire.raters.exchange.label_studio_form import config_text
from voirdire.raters.records import GoldRating
from voirdire.raters.tasks.cognibench.builder import documents_of, holds_tasks

LABEL = {"label": "reliable", "steps": examples.steps_to("reliable"), "reason": "Because."}
OTHER = {"label": "faithful", "steps": [], "reason": ""}


def saved(path, tasks):
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def annotated(result, data=None, **more):
    """What Label Studio exports of a statement that somebody annotated there."""
    return [{"id": 7, "data": data or {"item": "a_1#0"}, "annotations": [{"id": 1, "result": result, **more}]}]


def chosen(label, name="label"):
    return {"id": "x", "from_name": name, "to_name": "statement", "type": "choices", "value": {"choices": [label]}}


def marked(name, start, end, **value):
    kind, (payload, said) = "labels" if name == "violation" else "textarea", next(iter(value.items()))
    return {
        "id": "aB_1-",
        "from_name": name,
        "to_name": "response",
        "type": kind,
        "value": {"start": start, "end": end, payload: said},
    }


# --- out ---


def test_a_rating_is_an_annotation_with_its_rater_time_and_results():
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 12.5))
    first, second = tasks_of(project).tasks
    (annotation,) = first["annotations"]
    assert second["annotations"] == []
    assert (annotation["lead_time"], annotation["created_at"]) == (12.5, examples.AT)
    results = {each["from_name"]: each["value"] for each in annotation["result"]}
    assert results == {
        "label": {"choices": ["reliable"]},
        "reason": {"text": ["Because."]},
        "steps": {"text": ["irrelevant: no", "type: cognitive", "rational: yes", "grounded: yes", "irrefutable: no"]},
        "rater": {"text": ["r1"]},
    }
    assert first["data"]["statement"] == "It opened in 1932."
    assert first["data"]["earlier"] == "Question: Hello?\nAnswer: Hello."


def test_spans_are_labels_on_the_response_counted_in_characters():
    bare = examples.responses()
    given = {"type": "fact_denial", "sentence": 1, "span": "💩 traffic", "fact": "F1", "reason": "No."}
    value = examples.check_value({"holistic": 70, "violations": [given]}, bare, bare.items["r0"])
    ((annotation,),) = [task["annotations"] for task in tasks_of(examples.rated(bare, (0, "r0", value, 1.0))).tasks]
    response = bare.documents["r0"].body["response"]
    label, fact, reason = (each for each in annotation["result"] if each["id"] == "violation-1")
    start = response.index("💩")
    assert label["value"] == {"start": start, "end": start + 9, "labels": ["fact_denial"], "text": "💩 traffic"}
    assert (fact["value"]["text"], reason["value"]["text"]) == (["F1"], ["No."])


@pytest.mark.parametrize(
    "task, bare", [("s", examples.statements()), ("r", examples.responses()), ("t", examples.turns("X."))]
)
def test_the_configuration_shows_all_texts_and_asks_for_all_that_a_rating_holds(task, bare):
    form = task_form_of(bare).form
    texts, controls = schema.read_config(config_text(form))
    assert list(texts) == [name for name, _ in form.texts] and form.main in texts
    assert set(controls) == {control.name for control in form.controls}
    schema.check(tasks_of(bare).tasks, config_text(form))


def test_gold_is_ground_truth_and_nothing_else_is():
    gold = {"a_1#0": GoldRating("a_1#0", LABEL, "majority")}
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 1.0), gold=gold)
    tasks = tasks_of(project, gold=True).tasks
    schema.check(tasks, config_text(task_form_of(project).form))
    assert [each["ground_truth"] for each in tasks[0]["annotations"]] == [False, True]
    assert tasks[1]["annotations"] == []


def test_gold_is_passed_over_on_the_way_in(tmp_path):
    gold = {"a_1#0": GoldRating("a_1#0", LABEL, "majority")}
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 1.0), gold=gold)
    read = read_annotations(saved(tmp_path / "tasks.json", tasks_of(project, gold=True).tasks), project)
    assert [each.value for each in read.entries] == [LABEL]
    assert read.skipped == ("gold ratings (what items are settled as follows from the others): 1.",)


def test_mail_addresses_say_who_annotated_where_names_are_wanted():
    people = ["ana@example.org", "Ben at home"]
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 1.0), (1, "a_1#0", OTHER, 1.0), raters=people)
    found = tasks_of(project, names=True)
    first, second = found.tasks[0]["annotations"]
    assert first["completed_by"] == {"email": "ana@example.org"} and "completed_by" not in second
    assert any("must know the raters' mail addresses" in note for note in found.notes)
    assert not any("completed_by" in each for task in tasks_of(project).tasks for each in task["annotations"])


# --- in ---


def test_an_annotation_made_in_label_studio_is_a_rating(tmp_path):
    project = examples.statements()
    for who, name in (({"id": 4, "email": "a@b.org"}, "a@b.org"), (4, "user 4"), (None, None)):
        tasks = annotated([chosen("invented")], completed_by=who, lead_time=3.25, ground_truth=True)
        ((entry,), _) = read_annotations(saved(tmp_path / "tasks.json", tasks), project)
        assert (entry.rater, entry.value["label"], entry.seconds) == (name, "invented", 3.25)


def test_a_region_without_more_is_a_violation_of_its_words(tmp_path):
    project = examples.responses()
    results = [
        {"id": "h", "from_name": "holistic", "to_name": "response", "type": "number", "value": {"number": 65}},
        marked("violation", 0, 10, labels=["fact_denial"]),
    ]
    path = saved(tmp_path / "tasks.json", annotated(results, {"item": "r0"}))
    ((entry,), _) = read_annotations(path, project)
    (violation,) = entry.value["violations"]
    assert (violation["sentence"], violation["span"], violation["penalty"]) == (0, "The bridge", 30)
    assert (entry.value["score"], entry.value["band"]) == (70, "Good")


def test_an_omission_concerns_the_whole_response_whatever_was_marked(tmp_path):
    project = examples.responses()
    results = [
        {"id": "h", "from_name": "holistic", "to_name": "response", "type": "number", "value": {"number": 65}},
        marked("violation", 0, 10, labels=["single_omission"]),
        marked("fact", 0, 10, text=[" F1 "]),
    ]
    ((entry,), _) = read_annotations(saved(tmp_path / "t.json", annotated(results, {"item": "r0"})), project)
    (violation,) = entry.value["violations"]
    assert (violation["sentence"], violation["span"], violation["fact"]) == (None, None, "F1")


def test_items_are_found_by_their_text_where_tasks_have_no_id(tmp_path):
    project = examples.responses("One is so.", "Two is so.")
    result = [{"id": "h", "from_name": "holistic", "to_name": "response", "type": "number", "value": {"number": 65}}]
    path = saved(tmp_path / "t.json", annotated(result, {"response": "Two is so.", "context": "A case."}))
    assert read_annotations(path, project).entries[0].item == "r1"


@pytest.mark.parametrize("results", [[], [{"from_name": "status", "value": "left out"}], "left out"])
def test_skipped_tasks_are_passed_over(tmp_path, results):
    read = read_annotations(saved(tmp_path / "t.json", annotated(results, was_cancelled=True)), examples.statements())
    assert read == ([], ("skipped annotations: 1.",))


@pytest.mark.parametrize(
    "result, data, says",
    [
        ([chosen("true")], None, r"result\[0\].value.choices has 'true'; there are irrelevant, faithful"),
        ([chosen("faithful", "sentiment")], None, r"from_name is 'sentiment'; the controls are label"),
        ([chosen("faithful"), chosen("invented")], None, r"result\[1\] answers label a second time"),
        ([], None, "label is None, and must be one of"),
        ("x", None, "result must be a list, not a str"),
        ([chosen("faithful")], {"item": "b_1#0"}, "data.item is 'b_1#0', and the project has no such item"),
        (
            [chosen("faithful")],
            {"item": "a_1#0", "statement": "Other."},
            "data.statement is not that of the item a_1#0",
        ),
        ([chosen("faithful")], {"statement": "It opened in 1932."}, "data.statement stands in 2 items of the project"),
        ([chosen("faithful")], {"statement": "None."}, "data.statement stands in no item"),
    ],
)
def test_what_does_not_fit_is_refused_by_task_annotation_and_field(tmp_path, result, data, says):
    path = saved(tmp_path / "tasks.json", annotated(result, data))
    with pytest.raises(ExchangeError, match=rf"tasks\.json, task 1, annotation 1: {says}"):
        read_annotations(path, examples.statements())


@pytest.mark.parametrize(
    "place, says",
    [((0, 40), "which does not lie within one sentence"), ((3, 9999), "ends at 9999"), ((9, 3), "after its end")],
)
def test_a_stretch_that_is_not_within_a_sentence_is_refused(tmp_path, place, says):
    path = saved(tmp_path / "t.json", annotated([marked("violation", *place, labels=["fact_denial"])], {"item": "r0"}))
    with pytest.raises(ExchangeError, match=says):
        read_annotations(path, examples.responses())


@pytest.mark.parametrize(
    "text, says",
    [
        ("{}", "holds no list of tasks"),
        ('[{"id": 1}]', "holds no list of tasks"),
        ("[NaN]", "NaN is no number of JSON"),
        ("[" * 100_000, "holds no JSON"),
        ("nothing", "holds no JSON"),
    ],
)
def test_a_file_that_holds_no_tasks_is_refused(tmp_path, text, says):
    path = tmp_path / "tasks.json"
    path.write_text(text)
    with pytest.raises(ExchangeError, match=says):
        read_annotations(path, examples.statements())
    assert not holds_tasks(path)


# --- tasks as the source of a project ---


def test_answers_become_documents_and_predictions_stay_out_of_sight(tmp_path):
    guess = {"model_version": "m1", "score": 0.8, "result": [chosen("invented", "verdict")]}
    odd = {"result": [{"id": "a", "from_name": "ner", "to_name": "t", "type": "labels", "value": {"labels": ["X"]}}]}
    data = {"context": ["One.", "Two."], "question": "Q?", "answer": "It is so. It may be.", "history": [["a", "b"]]}
    path = saved(tmp_path / "t.json", [{"id": 3, "data": data, "predictions": [guess, odd]}])
    assert holds_tasks(path)
    (document,), items, *_ = documents_of(path)
    assert [item.id for item in items] == ["3#0", "3#1"]
    assert (document.body["context"], document.body["history"]) == ("One.\n\nTwo.", [["a", "b"]])
    assert [each["text"] for each in document.body["statements"]] == ["It is so.", "It may be."]
    assert "predictions" not in document.body
    assert document.source["predictions"] == [{"item": None, "prediction": guess}, {"item": None, "prediction": odd}]

    project = examples.bare(examples.statements().settings, [document], items)
    found = tasks_of(project)
    schema.check(found.tasks, config_text(task_form_of(project).form))
    (fitting,) = found.tasks[0]["predictions"]
    assert (fitting["model_version"], fitting["score"]) == ("m1", 0.8)
    assert fitting["result"][0]["from_name"] == "label"
    assert found.tasks[0]["meta"]["predictions"] == [odd]


def test_predictions_are_counted_and_are_no_ratings(tmp_path):
    path = examples.stored(tmp_path / "p", examples.statements())
    data = {"item": "a_1#0", "statement": "It opened in 1932."}
    guess = {"model_version": "m1", "result": [chosen("invented", "verdict")]}
    tasks = saved(tmp_path / "t.json", [{"data": data, "predictions": [guess, guess]}, {"data": data}])
    found = import_ratings(path, tasks)
    assert found.added == 0
    assert found.skipped == ("predictions (they are what a machine says, and no ratings): 2.",)


def test_tasks_of_single_statements_of_one_answer_become_one_document(tmp_path):
    shared = {"context": "C.", "answer": "It is so. It is so."}
    tasks = [
        {"data": {**shared, "statement": "It is so."}, "predictions": [{"result": []}]},
        {"data": {**shared, "sentence": "It is so."}},
    ]
    (document,), items, *_ = documents_of(saved(tmp_path / "t.json", tasks))
    assert [(each["start"], each["end"]) for each in document.body["statements"]] == [(0, 9), (10, 19)]
    assert len(items) == 2
    assert document.source["predictions"] == [{"item": items[0].id, "prediction": {"result": []}}]


def test_an_export_makes_the_same_project_again_and_takes_its_ratings(tmp_path):
    project = examples.rated(examples.statements(), (0, "a_1#0", LABEL, 12.5), (1, "a_1#1", OTHER, 2.0))
    path = saved(tmp_path / "tasks.json", tasks_of(project).tasks)
    documents, items, *_ = documents_of(path)
    assert [item.id for item in items] == ["a_1#0", "a_1#1"]
    assert documents[0].body == project.documents["a_1"].body
    again = examples.bare(project.settings, documents, items)
    assert [each.value for each in read_annotations(path, again).entries] == [LABEL, OTHER]


@pytest.mark.parametrize(
    "data, says",
    [
        ({"answer": "A."}, r"data\.context is missing"),
        ({"context": "C."}, r"data\.answer is missing"),
        ({"context": "C.", "answer": 3}, r"data\.answer must be a text, not an int"),
        ({"context": "C.", "answer": "A.", "statement": "B."}, r"data\.statement does not stand in the answer"),
        ({"context": "C.", "answer": "A.", "statement": ""}, r"data\.statement does not stand in the answer"),
        ({"context": "half \ud83d", "answer": "A."}, r"data\.context has half a character at 5"),
        ({"context": "C.", "answer": "A.", "history": [["a"]]}, r"data\.history\[0\] must hold"),
        ([], "data must be an object"),
    ],
)
def test_a_task_that_makes_no_document_is_refused_by_field(tmp_path, data, says):
    with pytest.raises(ExchangeError, match=rf"t\.json, task 1: {says}"):
        documents_of(saved(tmp_path / "t.json", [{"id": 1, "data": data}]))
