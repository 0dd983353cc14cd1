"""Whatever holds answers becomes a project; what raters must not know stays out of sight."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.evaluation.formats.test_lm_eval import write as write_lm_eval
from tests.raters.tasks.guided.examples import a_work, answer, made, rated, results, written
from voirdire.jury.worth.planning import Batch
from voirdire.jury.worth.tables import Columns, opaque, read_verdicts
from voirdire.raters.judge_worth import WorthRequest, plan_worth
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.guided.sources import parse_columns, read_units

ANSWERS = [
    {
        "id": "room",
        "contexts": ["The room opens at 9.", "It has no café."],
        "question": "When does it open?",
        "answer": "It opens at 8.\r\nIt has a café with seventy tables.",
        "model": "secret/model",
    },
    {"id": "talk", "context": "It is nocturnal.", "turns": [{"user": "A?", "assistant": "B."}] * 2},
]


def bodies(path):
    return {each.source["item"]: each.body for each in read_project(path).documents.values()}


def sample(number, model, **fields):
    return {
        "id": number,
        "epoch": 1,
        "input": f"Question {number}?",
        "choices": ["red", "blue"],
        "target": "A",
        "output": {"model": model, "choices": [], "completion": f"Answer {number} of {model}."},
        "scores": {"choice": {"value": "C", "answer": "A", "explanation": "The judge says so."}},
        **fields,
    }


def log(path, model, samples=3, status="success", **fields):
    """A log of Inspect, as JSON or as an archive."""
    head = {
        "version": 2,
        "status": status,
        "eval": {
            "created": "2026-01-01T00:00:00+00:00",
            "task": "colours",
            "model": model,
            "dataset": {"name": "colours"},
            "config": {},
        },
        "plan": {"steps": []},
        "results": {
            "scores": [
                {"name": "choice", "scorer": "choice", "metrics": {"accuracy": {"name": "accuracy", "value": 1.0}}}
            ]
        },
    }
    items = [sample(number, model, **fields) for number in range(1, samples + 1)]
    if path.suffix == ".eval":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", json.dumps(head))
            for each in items:
                archive.writestr(f"samples/{each['id']}_epoch_1.json", json.dumps(each))
    else:
        path.write_text(json.dumps({**head, "samples": items}))
    return path


@pytest.mark.parametrize("ending", ["json", "eval"])
def test_a_log_of_inspect_is_rated_blind(tmp_path, ending):
    path = made(tmp_path, "labels", log(tmp_path / f"log.{ending}", "maker/strong"))
    found = bodies(path)
    assert found["1"]["output"] == "Answer 1 of maker/strong." and found["1"]["prompt"] == "Question 1?"
    assert found["1"]["reference"] == "red" and found["1"]["choices"] == ["red", "blue"]
    assert "judge says" not in json.dumps(found)
    (document,) = [each for each in read_project(path).documents.values() if each.source["item"] == "1"]
    assert document.source["model"] == "maker/strong" and document.source["epoch"] == 1


@pytest.mark.parametrize("samples", [0, 2])
def test_of_a_log_whose_run_failed_it_is_said_that_it_did(tmp_path, samples):
    failed = {"status": "error", "samples": samples, "scores": {}, "output": {}, "error": {"message": "boom"}}
    path = log(tmp_path / "log.eval", "m", **failed)
    because = r", because its run failed \(status error\): run it again, or name another log\.$"
    with pytest.raises(RatersError, match=f"log.eval has no sample with an answer{because}"):
        made(tmp_path, "labels", path)
    with pytest.raises(RatersError, match=f"log.eval has no scored sample{because}"):
        plan_worth(WorthRequest(results=path), Batch())


def test_two_logs_of_one_task_become_pairs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    log(folder / "one.json", "maker/strong")
    log(folder / "two.eval", "maker/weak")
    documents = read_project(made(tmp_path, "preference", folder)).documents.values()
    assert len(documents) == 3
    for each in documents:
        assert each.source["models"] == ["maker/strong", "maker/weak"]
        assert [text[-5:] for text in each.body["outputs"]] == ["rong.", "weak."]
        assert "strong" not in each.id and "weak" not in each.id


def test_what_was_compared_with_a_baseline_is_a_pair(tmp_path):
    rows = [{"item": n, "output_1": f"One {n}", "output_2": f"Two {n}", "model_1": "a", "model_2": "b"} for n in (1, 2)]
    documents = read_project(made(tmp_path, "preference", written(tmp_path / "pairs.jsonl", rows))).documents.values()
    assert {tuple(each.body["outputs"]) for each in documents} == {("One 1", "Two 1"), ("One 2", "Two 2")}
    assert {tuple(each.source["models"]) for each in documents} == {("a", "b")}


def test_samples_of_lm_eval_become_a_project_whose_ratings_find_their_scores(tmp_path):
    folder, path = tmp_path / "acme__tiny", tmp_path / "p.voirdire"
    write_lm_eval(folder)
    (samples,) = folder.glob("samples_sums_*.jsonl")
    voirdire("rate", "new", path, "--task", "labels", "--from", samples, "--rater", "Ann", "--rater", "Ben")
    found = bodies(path)
    assert {item: body["output"] for item, body in found.items()} == {"0": "It is 1.", "1": "It is 2."}
    assert (found["0"]["prompt"], found["0"]["reference"]) == ("Q: 0 + 1 =", "1")
    assert "match" not in json.dumps(found) and "tiny" not in json.dumps(found), "neither scores nor models"
    rated(path, lambda document, rater: answer("correct"))
    (judge,) = voirdire_json("jury", "worth", samples, "--human", path)["judges"]
    assert (judge["ratings"], judge["crossed"]["both_yes"], judge["crossed"]["people_only"]) == (2, 1, 1)


def test_evaluations_that_call_different_items_alike_are_rated_one_by_one(tmp_path):
    write_lm_eval(tmp_path / "acme__tiny")
    with pytest.raises(RatersError, match=r"call different items alike, such as .0. of .+: name the file of one"):
        made(tmp_path, "labels", tmp_path / "acme__tiny")


def test_one_model_makes_no_pairs(tmp_path):
    with pytest.raises(RatersError, match="holds no two answers to one question"):
        made(tmp_path, "preference", results(tmp_path / "r.jsonl", models=("one",)))


@pytest.mark.parametrize(
    ("label", "unsure", "is_told"),
    [("cannot tell", True, True), ("Can’t_tell", True, True), ("cannot tell", False, False), ("wrong", True, False)],
)
def test_of_a_label_beside_the_built_in_not_sure_it_is_said_that_this_is_there(tmp_path, label, unsure, is_told):
    guide = tmp_path / "guide.yaml"
    guide.write_text(
        f"title: T\nquestion: Is it right?\nlabels: [right, {label}]\nunsure: {str(unsure).lower()}\n", encoding="utf-8"
    )
    source = written(tmp_path / "a.jsonl", [{"item": "a", "output": "It opens at nine."}])
    path = tmp_path / "p.voirdire"
    notes = voirdire_json("rate", "new", path, "--task", "labels", "--from", source, "--guide", guide)["notes"]
    told = (
        f"Every page has a button “Not sure” already: if the label {label!r} means the same, leave it out, or turn the "
        "button off (unsure: false)."
    )
    assert (told in notes) == is_told == ("Not sure" in " ".join(notes))


def test_where_two_models_share_the_values_of_a_column_it_is_named_as_the_item(tmp_path):
    rows = [
        {"id": f"a{place}{model}", "asked": f"Question {place}?", "lang": "en", "model": model, "answer": model * 3}
        for place in range(3)
        for model in "xy"
    ]
    source = written(tmp_path / "answers.jsonl", rows)
    with pytest.raises(RatersError, match=r"holds no two answers .* --map item=asked\."):
        made(tmp_path, "preference", source)
    made(tmp_path, "preference", source, columns={"item": "asked"})


def test_answers_keep_the_borders_of_their_passages(tmp_path):
    found = bodies(made(tmp_path, "spans", written(tmp_path / "answers.jsonl", ANSWERS)))
    assert found["room"]["passages"] == ["The room opens at 9.", "It has no café."]
    assert "secret" not in json.dumps(found)
    assert found["talk_1"]["history"] == [["A?", "B."]]


def test_each_answer_of_a_chat_is_shown_with_the_passages_that_it_could_rest_on(tmp_path):
    asked, said = {"role": "user", "content": "When?"}, {"role": "assistant", "content": "At 9."}
    tools = [{"role": "tool", "content": each} for each in ("It opens at 9.", "It costs 2 euros.")]
    chat = {"id": "chat", "messages": [asked, tools[0], said, asked, tools[1], said]}
    found = bodies(made(tmp_path, "spans", written(tmp_path / "answers.jsonl", [chat])))
    assert found["chat_0"]["passages"] == ["It opens at 9."]
    assert found["chat_1"]["passages"] == ["It opens at 9.", "It costs 2 euros."]


def test_flagged_sentences_are_shown_only_if_that_is_wanted(tmp_path):
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    hidden = bodies(made(tmp_path, "spans", flagged))
    assert hidden["room"]["passages"] and hidden["room"]["flags"] == []
    shown = bodies(made(tmp_path, "spans", flagged, name="q.voirdire", show_flags=True))["room"]
    (flag,) = [each for each in shown["flags"] if "at 8" in shown["output"][each["start"] : each["end"]]]
    assert shown["output"][flag["start"] : flag["end"]] == "It opens at 8."
    assert "\r" not in shown["output"]
    cafe = shown["flags"][-1]
    assert shown["output"][cafe["start"] : cafe["end"]] == "It has a café with seventy tables."


def test_flagged_sentences_alone_keep_their_numbers_their_answers_and_their_groups(tmp_path):
    says = "The bath opens at 9. It opens at 8. It is closed on Sundays and has seventy saunas."
    answers = written(
        tmp_path / "a.jsonl",
        [{"id": "bath", "group": "g", "context": "The bath opens at 9.", "answer": says}, *ANSWERS[:1]],
    )
    flagged = tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    project = made(tmp_path, "labels", flagged, only_flagged=True)
    found = bodies(project)
    assert "bath#0" not in found and {"bath#1", "bath#2"} <= found.keys()
    assert found["bath#1"]["output"] == "It opens at 8."
    assert found["bath#1"]["whole"] == says.replace("It opens at 8.", "[[It opens at 8.]]")
    assert found["bath#1"]["passages"] == ["The bath opens at 9."] and found["bath#1"]["flags"] == []
    groups = {each.id: each.group for each in read_project(project).documents.values() if "bath" in each.id}
    assert set(groups.values()) == {"g"}
    assert task_of(read_project(project).settings).guide.question == "Does the context support the sentence?"
    (shown,) = bodies(made(tmp_path, "labels", flagged, name="q.voirdire", only_flagged=True, show_flags=True))[
        "bath#1"
    ]["flags"]
    assert (shown["start"], shown["end"]) == (0, len("It opens at 8.")) and "9" in shown["says"]


@pytest.mark.parametrize(
    ("kind", "guide", "title"),
    [
        ("labels", None, "Rating sentences"),
        ("score", None, "Scoring sentences"),
        ("spans", None, "Marking sentences"),
        ("labels", "title: My answers", "My answers"),
    ],
)
def test_a_project_of_flagged_sentences_speaks_of_sentences(tmp_path, kind, guide, title):
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    path = made(tmp_path, kind, flagged, only_flagged=True, guide=guide)
    project = read_project(path)
    task = task_of(project.settings)
    assert (project.settings.title, task.guideline(project.settings)["title"]) == (title, title)
    assert (task.nouns.document, task.nouns.item) == ("sentence", "sentence")
    work = a_work(task, doc=next(iter(project.documents.values())))
    assert [each["heading"] for each in task.view(work)["answers"]] == ["Sentence"]
    if kind == "spans":
        assert [each["text"] for each in task.choices(work)] == ["Done with this sentence"]
    told = voirdire("rate", "status", path).stdout
    assert "sentences have all their ratings" in told and "answers" not in told
    whole = task_of(read_project(made(tmp_path, kind, flagged, name="q.voirdire")).settings)
    assert whole.nouns.item == "answer"


def test_of_what_detect_has_checked_raters_are_asked_whether_the_context_supports_it(tmp_path):
    said = ("It opens at 9. It has a pool.", "It opens at 8. It is free.")
    rows = [{"id": f"a{n}", "context": f"Bath {n} opens at 9.", "answer": said[n % 2]} for n in range(4)]
    source, flagged, sheet = written(tmp_path / "a.jsonl", rows), tmp_path / "f.jsonl", tmp_path / "to-rate.csv"
    voirdire("detect", source, "-o", flagged)
    voirdire("jury", "worth", flagged, "--plan", "-o", sheet)
    guides = [
        task_of(read_project(made(tmp_path, "labels", each, name=f"{each.stem}.voirdire")).settings).guide
        for each in (flagged, sheet, source)
    ]
    assert [each.question for each in guides] == [
        "Does the context support the answer?",
        "Does the context support the sentence?",
        "Is the answer right?",
    ]
    assert guides[0].names == guides[1].names == ("supported", "unsupported")
    own = made(tmp_path, "labels", sheet, name="own.voirdire", guide="question: Is it polite?")
    assert read_project(own).settings.guide["question"] == "Is it polite?"


def test_flagged_sentences_without_their_answers_are_put_together(tmp_path):
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS[:1]), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    kept = answers.rename(tmp_path / "elsewhere.jsonl")
    alone = bodies(made(tmp_path, "spans", flagged))["room"]
    assert alone["passages"] == [] and alone["output"].startswith("It opens at 8.  It has")
    assert bodies(made(tmp_path, "spans", flagged, name="q.voirdire", answers=kept))["room"]["passages"]
    changed = written(tmp_path / "changed.jsonl", [{**ANSWERS[0], "answer": "Something else."}])
    with pytest.raises(RatersError, match="has another text"):
        made(tmp_path, "spans", flagged, name="r.voirdire", answers=changed)


def test_where_the_answers_of_flagged_sentences_are_not_found_the_option_that_names_them_is(tmp_path):
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS[:1]), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    kept = answers.rename(tmp_path / "elsewhere.jsonl")
    advice = "question and context of its sentences are unknown. Name the file of their answers with --answers FILE."
    for folder in ("again", "alone", "guided"):
        (tmp_path / folder).mkdir()
    said = left_out(tmp_path, "spans", flagged)[1]
    assert f"Warning: Beside {flagged} there is no answers.jsonl as detect read it, so that {advice}" in said
    assert "rated without one" not in said
    assert advice not in left_out(tmp_path / "again", "spans", flagged, "--answers", kept)[1]
    written(tmp_path / "alone/answers.jsonl", ANSWERS[:1])
    copy = Path(shutil.copy(flagged, tmp_path / "alone"))
    manifest = "flagged.jsonl.manifest.json, which says what detect read"
    lacking = f"Warning: Beside {copy} there is no {manifest}, so that {advice}"
    assert lacking in left_out(tmp_path / "alone", "labels", copy)[1]
    guide = tmp_path / "guide.yaml"
    guide.write_text("question: Is it right?\nshow: [context]\n")
    said = left_out(tmp_path / "guided", "labels", copy, "--guide", guide)[1]
    assert lacking in said and "The guide shows" not in said


RENAMED = {
    "trace": "room",
    "asked": "When does it open?",
    "got": {"chunks": [{"text": "The room opens at 9."}, {"text": "It has no café."}]},
    "bot": {"reply": "It opens at 8. It has a café with seventy tables."},
}
MAP = "context=got.chunks,answer=bot.reply,question=asked,id=trace"


def test_what_detect_read_by_a_mapping_is_read_by_it_again(tmp_path):
    source, flagged = written(tmp_path / "log.jsonl", [RENAMED, {"trace": "bad"}]), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "--map", MAP, "--skip-bad", "-o", flagged)
    (body,) = bodies(made(tmp_path, "spans", flagged)).values()
    assert body["passages"] == ["The room opens at 9.", "It has no café."] and body["prompt"] == RENAMED["asked"]
    moved = source.rename(tmp_path / "moved.jsonl")
    assert bodies(made(tmp_path, "spans", flagged, name="q.voirdire", answers=moved))["room"]["passages"]


@pytest.mark.parametrize("names", [MAP, MAP.replace("answer", "output").replace("question", "prompt")])
def test_answers_may_have_names_of_their_own_at_any_depth(tmp_path, names):
    source = written(tmp_path / "log.jsonl", [RENAMED])
    body = bodies(made(tmp_path, "spans", source, columns=parse_columns(names)))["room"]
    assert body["passages"] == ["The room opens at 9.", "It has no café."]
    assert (body["prompt"], body["output"]) == (RENAMED["asked"], RENAMED["bot"]["reply"])
    flat = bodies(made(tmp_path, "labels", source, name="q.voirdire", columns=parse_columns("answer=bot.reply")))
    assert flat["1"]["output"] == RENAMED["bot"]["reply"]
    with pytest.raises(RatersError, match=r"has no column 'bot\.text'"):
        made(tmp_path, "labels", source, name="s.voirdire", columns={"output": "bot.text"})


def test_a_table_is_read_by_usual_names_or_by_yours(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("nr,said,asked\n1,Blue.,Which colour?\n2,Red.,And now?\n")
    path = made(tmp_path, "score", table, columns=parse_columns("item=nr,output=said,prompt=asked"))
    assert bodies(path)["2"]["output"] == "Red." and bodies(path)["1"]["prompt"] == "Which colour?"
    with pytest.raises(RatersError, match=r"has no column of answers .* It has nr, said, asked"):
        made(tmp_path, "score", table, name="q.voirdire")
    with pytest.raises(RatersError, match="has no column 'text'"):
        made(tmp_path, "score", table, name="q.voirdire", columns={"output": "text"})
    with pytest.raises(RatersError, match="is not WHAT=COLUMN"):
        parse_columns("colour=red")


@pytest.mark.parametrize(
    "head",
    ["item,prompt,context,answer_a,answer_b", "Item ID,Question,Context,Response A,Response B"],
)
def test_a_table_of_pairs_needs_no_map(tmp_path, head):
    table = tmp_path / "pairs.csv"
    table.write_text(f"{head}\nq1,Who?,It was me.,Me.,You.\nq2,When?,It is now.,Now.,Then.\n")
    assert {item: body["outputs"] for item, body in bodies(made(tmp_path, "preference", table)).items()} == {
        "q1": ["Me.", "You."],
        "q2": ["Now.", "Then."],
    }


def test_two_models_answers_with_contexts_are_paired_by_their_item(tmp_path):
    rows = [{"item": "q1", "model": model, "context": "C.", "output": model} for model in ("a", "b")]
    assert set(bodies(made(tmp_path, "preference", written(tmp_path / "r.jsonl", rows)))) == {"q1"}


def test_which_columns_were_taken_is_said(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("Item ID,Question,Correct,Reply\na,Who?,1,Me.\nb,When?,0,\n")
    said = left_out(tmp_path, "labels", table)[1]
    assert "Columns used: Item ID, Question, Reply." in said and "Left out: 1 row without an answer (b)." in said
    (tmp_path / "of-answers").mkdir()
    answers = tmp_path / "of-answers" / "answers.csv"
    answers.write_text("id,context,answer,verdict\na,It opens at 9.,It opens at 9.,good\n")
    assert "Columns used: id, context, answer." in left_out(answers.parent, "labels", answers)[1]
    plan = " ".join(voirdire("jury", "worth", table, "--plan").stdout.split())
    assert "Columns used: Item ID, Reply, Question, Correct." in plan and "1 output is empty and left out: b" in plan
    people = tmp_path / "people.csv"
    people.write_text("item,label\na,1\nb,1\n")
    assert (
        "Columns used: Item ID, Reply, Question, Correct." in voirdire("jury", "worth", table, "--human", people).stdout
    )


def test_that_items_are_called_by_their_lines_is_said_where_a_column_may_name_them(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("Ticket,Question,Reply\nH-1,Who?,Me.\nH-2,When?,Now.\n")
    said = left_out(tmp_path, "labels", table)[1]
    assert "called by their lines" in said and "--map item=COLUMN (not read: Ticket)" in said
    (tmp_path / "named").mkdir()
    named = tmp_path / "named" / "t.csv"
    named.write_text(table.read_text().replace("Ticket", "Item"))
    assert "called by their lines" not in left_out(named.parent, "labels", named)[1]


def test_one_empty_answer_stops_no_file_of_answers(tmp_path):
    rows = [{"id": f"a{number}", "contexts": ["C."], "answer": "A." if number else None} for number in range(3)]
    told, said = left_out(tmp_path, "labels", written(tmp_path / "a.jsonl", rows))
    assert [each["ids"] for each in told] == [["row 1"]] and "2 answers" in said


def test_a_table_with_contexts_keeps_its_items_so_that_its_ratings_join(tmp_path):
    table = tmp_path / "mine.csv"
    table.write_text("item,model,prompt,output,context,score\nret,m,Q?,A.,C.,0\n7,m,Q?,B.,C.,1\n")
    documents = read_project(made(tmp_path, "labels", table)).documents.values()
    assert {each.source["item"] for each in documents} == {"ret", "7"}
    assert {each.item for each in read_verdicts(table, Columns()).keys} == {"ret", "7"}
    own = written(tmp_path / "own.jsonl", [{"item": {"a": 1}, "context": "C.", "answer": "A."}])
    assert set(bodies(made(tmp_path, "labels", own, name="q.voirdire"))) == {"1"}


def test_a_run_is_rated_by_any_task(tmp_path, rated_run):
    _, run = rated_run
    found = bodies(made(tmp_path, "labels", run, sample=4))
    assert len(found) == 4 and all(body["output"] and body["prompt"] for body in found.values())
    assert "simulated" not in json.dumps(found)


def test_a_sample_takes_its_share_of_each_model_with_weights(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl"), sample=10, seed=3)
    documents = read_project(path).documents.values()
    assert sorted(each.source["model"] for each in documents) == ["one"] * 5 + ["two"] * 5
    assert {each.weight for each in documents} == {12 / 5}
    again = read_project(made(tmp_path, "labels", results(tmp_path / "r.jsonl"), name="q.voirdire", sample=10, seed=3))
    assert list(again.documents) == [each.id for each in documents]
    with pytest.raises(RatersError, match="A sample of 30 was asked for"):
        made(tmp_path, "labels", results(tmp_path / "r.jsonl"), name="s.voirdire", sample=30)


def test_what_holds_no_answers_is_told_so(tmp_path):
    empty = written(tmp_path / "answers.jsonl", [{"id": "a", "output": ""}])
    with pytest.raises(RatersError, match="holds no answers that can be rated"):
        made(tmp_path, "labels", empty)


def left_out(tmp_path, task, source, *options):
    """What was left out of a new project: as JSON, and what is said of it."""
    as_json = voirdire_json("rate", "new", tmp_path / "j.voirdire", "--task", task, "--from", source, *options)
    said = voirdire("rate", "new", tmp_path / "t.voirdire", "--task", task, "--from", source, *options).stdout
    return as_json["left_out"], " ".join(said.split())


def test_rows_without_an_answer_are_left_out_and_named(tmp_path):
    rows = [{"item": f"q{number}", "model": "m", "question": "?", "answer": f"A{number}."} for number in range(4)]
    rows[1]["answer"], rows[3]["answer"] = "", " \n"
    told, said = left_out(tmp_path, "labels", written(tmp_path / "a.jsonl", rows))
    assert [(each["code"], each["rows"], each["ids"]) for each in told] == [
        ("rate_no_answer", 2, ["q1 of m", "q3 of m"])
    ]
    assert "Left out: 2 rows without an answer (q1 of m, q3 of m)." in said and "2 answers." in said


def test_nothing_is_said_of_rows_where_all_are_taken(tmp_path):
    told, said = left_out(tmp_path, "labels", results(tmp_path / "r.jsonl", items=2))
    assert told == [] and "eft out" not in said


def test_rows_without_the_context_that_others_have_are_named(tmp_path):
    rows = [{"item": f"q{number}", "question": "?", "passage": "P.", "answer": "A."} for number in range(4)]
    rows[2]["passage"], rows[3]["question"] = "", ""
    source = written(tmp_path / "a.jsonl", rows)
    told, said = left_out(tmp_path, "labels", source)
    assert told == [] and "4 answers." in said
    assert "1 answer has no context, and is rated without one: q2." in said
    assert "1 answer has no question, and is rated without one: q3." in said


def test_where_the_guide_asks_about_the_context_its_lack_is_told_even_if_no_row_has_one(tmp_path):
    source = written(tmp_path / "a.jsonl", [{"item": "q1", "answer": "A."}])
    assert "1 answer has no context, and is rated without one: q1." in left_out(tmp_path, "spans", source)[1]


def test_what_the_guide_shows_and_no_row_has_is_told_with_the_way_to_name_it(tmp_path):
    guide = tmp_path / "guide.yaml"
    guide.write_text("question: Is it right?\nshow: [context]\n")
    source = written(tmp_path / "a.jsonl", [{"item": "q1", "policy": "P.", "answer": "A.", "reason": ""}])
    named = (
        "The guide shows the context, and no answer has one: name its column with --map context=COLUMN (columns not "
        "read: policy), or take context out of the guide's show."
    )
    assert named in left_out(tmp_path, "labels", source, "--guide", guide)[1]
    for each in tmp_path.glob("*.voirdire"):
        each.unlink()
    assert "The guide shows" not in left_out(tmp_path, "labels", source, "--guide", guide, "--map", "context=policy")[1]


@pytest.mark.parametrize("kind", ["table", "answers", "log"])
def test_where_no_column_is_left_none_is_to_be_named(tmp_path, kind):
    guide = tmp_path / "guide.yaml"
    guide.write_text("question: Is it right?\nshow: [context, reference, prompt]\n")
    row = {"item": "q1", "answer": "A."} if kind == "table" else {"context": "C.", "answer": "A."}
    source = log(tmp_path / "log.eval", "m") if kind == "log" else written(tmp_path / "a.jsonl", [row])
    said = left_out(tmp_path, "labels", source, "--guide", guide)[1]
    assert "--map" not in said
    lacking = "question" if kind == "answers" else "context"
    assert f"The guide shows the {lacking}, and {source} has none: take " in said


def test_where_answers_are_called_otherwise_it_is_said_how_to_name_them(tmp_path):
    source = written(tmp_path / "a.jsonl", [{"ticket": "q1", "context": "C.", "reply": "A."}])
    named = r"(?s)has no answer .* say so with --map: there are ticket, context, reply\.$"
    with pytest.raises(RatersError, match=named):
        read_units(source, DrawOptions())


def test_a_pair_with_one_answer_and_an_answer_without_another_are_left_out(tmp_path):
    pairs = [{"item": "p1", "output_1": "A.", "output_2": "B."}, {"item": "p2", "output_1": "A.", "output_2": ""}]
    told, said = left_out(tmp_path, "preference", written(tmp_path / "p.jsonl", pairs))
    assert [(each["code"], each["ids"]) for each in told] == [("rate_no_answer", ["p2"])]
    alone = [
        {"item": "q1", "model": "a", "output": "A."},
        {"item": "q1", "model": "b", "output": "B."},
        {"item": "q1", "model": "b", "output": "C."},
        {"item": "q2", "model": "a", "output": "A."},
    ]
    (tmp_path / "more").mkdir()
    told, said = left_out(tmp_path / "more", "preference", written(tmp_path / "m.jsonl", alone))
    assert {each["code"]: each["ids"] for each in told} == {
        "rate_no_other": ["q2 of a"],
        "rate_twice": ["q1 of b"],
    }
    assert "Left out: 1 answer with no other to compare it with (q2 of a)." in said
    assert "Left out: 1 further answer of the same model to the same question (q1 of b)." in said


def test_answers_of_which_detect_wrote_no_sentence_are_named(tmp_path):
    answers, flagged = written(tmp_path / "answers.jsonl", ANSWERS[:1]), tmp_path / "flagged.jsonl"
    voirdire("detect", answers, "-o", flagged)
    more = written(tmp_path / "more.jsonl", [ANSWERS[0], {**ANSWERS[0], "id": "none"}])
    told, _ = left_out(tmp_path, "spans", flagged, "--answers", more)
    assert [(each["code"], each["ids"]) for each in told] == [("rate_no_sentence", ["none of secret/model"])]


def test_a_map_of_what_is_no_table_is_refused_with_what_to_do(tmp_path):
    named, folder, flagged = DrawOptions(columns={"output": "reply"}), tmp_path / "logs", tmp_path / "flagged.jsonl"
    folder.mkdir()
    voirdire("detect", written(tmp_path / "answers.jsonl", ANSWERS), "-o", flagged)
    log = written(tmp_path / "log.json", [{"results": {"results": [], "stats": {}}, "evalId": "e"}])
    told = ((folder, "a folder"), (flagged, "what voirdire detect -o wrote"), (log, "in the format promptfoo"))
    for source, says in told:
        with pytest.raises(RatersError) as refused:
            read_units(source, named)
        assert str(refused.value) == (
            f"--map names the columns of one table, and {source} is {says}: leave out --map, or give --from a table."
        )


def test_a_map_is_used_of_a_table_of_pairs(tmp_path):
    row = {"nr": "q1", "model_a": "x", "model_b": "y", "left": "Nine.", "right": "Ten.", "winner": "model_a"}
    source = written(tmp_path / "pairs.jsonl", [row])
    named = DrawOptions(columns=parse_columns("item=nr,output_a=left,output_b=right"))
    (unit,) = read_units(source, named).units
    assert (unit.item, unit.output, unit.other, unit.other_model) == ("q1", "Nine.", "Ten.", "y")


def test_every_column_that_audit_maps_may_be_named_and_what_raters_do_not_need_is_left_alone(tmp_path):
    table = tmp_path / "table.csv"
    rows = ["1,m,1,gpt,1,Blue.,a", "1,m,0,claude,1,Blue.,a", "1,m,1,gpt,2,Green.,a"]
    table.write_text("\n".join(["nr,who,points,annotator,time,reply,topic", *rows]))
    names = "item=nr,model=who,score=points,judge=annotator,epoch=time,output=reply,cluster=topic,better=higher"
    found = read_units(table, DrawOptions(columns=parse_columns(names))).units
    assert [(each.output, each.epoch, each.group) for each in found] == [("Blue.", 1, "a"), ("Green.", 2, "a")]
    pairs = "model_a=x,model_b=y,output_a=left,output_b=right,winner=w,judge=@file"
    named = {"model_1": "x", "model_2": "y", "output_1": "left", "output_2": "right"}
    assert parse_columns(pairs) == named
    with pytest.raises(RatersError, match="'once' is no whole number, as a number of repetitions is"):
        table.write_text("item,output,epoch\n1,Blue.,once\n")
        read_units(table, DrawOptions(columns=parse_columns("epoch=epoch")))


def test_models_behind_codes_are_drawn_by_numbers_in_one_order(tmp_path):
    hidden = sorted(opaque(name) for name in ("one", "two"))
    source = results(tmp_path / "r.jsonl", 3, models=tuple(reversed(hidden)))
    for task, drawn in (("labels", {"model 1": 3, "model 2": 3}), ("preference", {"model 1 and model 2": 3})):
        path = tmp_path / f"{task}.voirdire"
        told = voirdire_json("rate", "new", path, "--task", task, "--from", source, "--rater", "Ann")
        assert told["strata"] == drawn
    documents = read_project(tmp_path / "labels.voirdire").documents.values()
    assert {each.source["model"]: each.stratum for each in documents} == {hidden[0]: "model 1", hidden[1]: "model 2"}


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_the_turns_of_a_chat_are_no_single_answer(tmp_path, name):
    turns = [{"user": "A?", "assistant": "B."}, {"user": "C?", "assistant": "D."}]
    path = tmp_path / name
    if name == "a.csv":
        path.write_text('id,chat\n1,"' + json.dumps(turns).replace('"', '""') + '"\n')
    else:
        path.write_text(json.dumps({"id": "1", "chat": turns}))
    with pytest.raises(RatersError, match="chat: one answer is expected, not the turns of a chat"):
        read_units(path, DrawOptions(columns={"output": "chat"}))


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_raters_may_read_what_the_metadata_of_an_inspect_sample_holds(tmp_path, name):
    metadata = {"docs": {"text": "Grass is green."}, "passages": ["One.", "Two."]}
    source = log(tmp_path / name, "maker/strong", samples=2, metadata=metadata)
    units = read_units(source, DrawOptions(columns={"context": "metadata.docs.text"})).units
    assert [(each.item, each.passages, each.reference) for each in units] == [
        ("1", ("Grass is green.",), "red"),
        ("2", ("Grass is green.",), "red"),
    ]
    (first, _) = read_units(source, DrawOptions(columns={"context": "metadata.passages"})).units
    assert first.passages == ("One.", "Two.")
    with pytest.raises(RatersError, match=r"No sample of .* has metadata.doc; their metadata has docs, passages"):
        read_units(source, DrawOptions(columns={"context": "metadata.doc"}))
    with pytest.raises(RatersError, match=r"from its samples' metadata, such as --map context=metadata.FIELD"):
        read_units(source, DrawOptions(columns={"output": "said"}))


def test_practice_items_without_what_every_answer_shows_are_a_warning(tmp_path):
    rows = [{"id": name, "question": "When?", "reference": "At nine.", "answer": "At 8."} for name in "ab"]
    guide = tmp_path / "guide.yaml"
    guide.write_text("practice: [{prompt: 'When?', answer: At 9., right: correct, why: So it is.}]")
    source = written(tmp_path / "a.jsonl", rows)
    lacking = "1 practice item has no reference, which raters see with every answer later: give reference there in the"
    assert f"Warning: {lacking} guide." in left_out(tmp_path, "labels", source, "--guide", guide)[1]
    guide.write_text(guide.read_text().replace("answer:", "reference: At nine., answer:"))
    (tmp_path / "again").mkdir()
    assert lacking not in left_out(tmp_path / "again", "labels", source, "--guide", guide)[1]
