"""Ratings leave a project in every form; those of every form come back as they were."""

import csv
import json

import pytest

from tests.raters.exchange import schema
from tests.raters.tasks.guided.examples import OUTPUT, TASKS, answer, made, rated, results, written
from voirdire.cognibench.formats import read_answers, read_data
from voirdire.evaluation.formats import read_paths
from voirdire.jury.worth.tables import opaque
from voirdire.raters.exchange import ExchangeError, ExportPlan, export_project, import_ratings
from voirdire.raters.progress import progress_of
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.service import RatingService
from voirdire.raters.store import Store
from voirdire.raters.tasks import task_of

ANSWERS = [
    {"id": name, "contexts": ["The room opens at nine.", "It has a =café."], "question": "When?", "answer": OUTPUT}
    for name in "abc"
]
SPAN = {"start": 26, "end": 30, "label": "unsupported"}
EVIDENCE = "evidence: true\n"


def say(kind):
    """How Ann and Ben rate a document of a project of this kind."""

    def value(document, rater):
        number = int(document.source["item"].removeprefix("q") or 0) if kind != "spans" else 0
        if number == 3:
            return {**answer(None), "status": "skipped", "reason": "=Broken"}
        if kind == "labels":
            return answer("correct" if document.source["model"] == "one" else "incorrect", reason=f"{rater}: so.")
        if kind == "score":
            return answer(4.0 if document.source["model"] == "one" else 2.0)
        if kind == "preference":
            return answer("first" if number % 2 else "tie", order=["second", "first"])
        if document.source["item"] == "c":
            return {**answer(None, spans=[SPAN]), "status": "unsure"}
        spans = [SPAN] if document.source["item"] != "b" else []
        evidence = [{"part": "passage-2", "start": 0, "end": 6}] if spans else []
        return answer("done", spans=spans, evidence=evidence)

    return value


@pytest.fixture(params=TASKS)
def project(request, tmp_path):
    kind = request.param
    source = written(tmp_path / "a.jsonl", ANSWERS) if kind == "spans" else results(tmp_path / "r.jsonl", 6)
    path = made(tmp_path, kind, source, guide=EVIDENCE if kind == "spans" else None)
    return path, rated(path, say(kind)), kind, source


@pytest.mark.parametrize("form", ["jsonl", "csv", "label-studio"])
def test_what_goes_out_comes_back(project, tmp_path, form):
    _, before, kind, source = project
    out = tmp_path / "out"
    export_project(before, ExportPlan(target=form, out=out, names=True))
    again = made(tmp_path, kind, source, name="again.voirdire", guide=EVIDENCE if kind == "spans" else None)
    assert import_ratings(again, out).added == len(before.ratings)
    assert [each.value for each in read_project(again).ratings] == [each.value for each in before.ratings]
    export_project(before, ExportPlan(target="csv", out=tmp_path / "csv", names=True))
    assert import_ratings(again, tmp_path / "csv").added == 0, "and are the same in every form"
    if form == "label-studio":
        tasks = json.loads((out / "tasks.json").read_text())
        schema.check(tasks, (out / "config.xml").read_text())
        skipped = sum(each["was_cancelled"] for task in tasks for each in task["annotations"])
        assert skipped == sum(each.value["status"] == "skipped" for each in before.ratings)
        assert (skipped > 0) == (kind != "spans")


@pytest.mark.parametrize("form", ["jsonl", "csv", "label-studio"])
def test_how_an_item_was_settled_comes_back(tmp_path, form):
    """An adjudicator who had no majority saw what the raters said, and joined one of them, or kept their own."""
    source = results(tmp_path / "r.jsonl", 2)
    path, lines = made(tmp_path, "labels", source), []
    unsure = {"status": "unsure", "answer": None}
    third = (
        (answer("correct"), {"blind": False, "blind_value": unsure}),
        (answer("correct"), {}),
        (unsure, {"decision": "kept"}),
        (unsure, {}),
    )
    for item, (value, how) in zip(read_project(path).items, third, strict=True):
        people = (("Ann", answer("correct")), ("Ben", answer("incorrect")))
        lines += [{"item": item, "rater": name, "role": "rater", "value": given} for name, given in people]
        lines += [{"item": item, "rater": "Cyn", "role": "adjudicator", "value": value, **how}]
    import_ratings(path, written(tmp_path / "ratings.jsonl", lines))
    before = read_project(path)
    assert [each.how for each in before.gold.values()] == ["adjudicated", "majority", "adjudicated"]
    assert [each.decision for each in before.ratings if each.role == "adjudicator"] == ["changed", None, "kept"]
    assert [len(before.gold), len(before.unlabelled), len(before.labelled)] == [3, 1, 2]
    counts = export_project(before, ExportPlan(target="csv", out=tmp_path / "counted", gold=True)).manifest["counts"]
    assert (counts["gold"], counts["unlabelled"]) == (2, 1), "as rate status counts them"
    said = [{**unsure, "reason": "", "evidence": []}, None, None]
    assert [each.blind_value for each in before.ratings if each.role == "adjudicator"] == said
    with Store.open(path) as store:
        viewer = RatingService(store).viewer
        (cyn,) = (each for each in store.read.raters() if each.name == "Cyn")
        assert viewer.next(store.read, cyn).item == list(before.items)[3], "the fourth waits for a decision"
    export_project(before, ExportPlan(target=form, out=tmp_path / "out", names=True))
    again = made(tmp_path, "labels", source, name="again.voirdire")
    import_ratings(again, tmp_path / "out")
    assert read_project(again).gold == before.gold
    if form != "label-studio":  # which has no place for what somebody had said first
        assert [each.blind_value for each in read_project(again).ratings if each.role == "adjudicator"] == said


def test_scores_of_inspect_name_sample_epoch_and_reason(tmp_path):
    project = rated(made(tmp_path, "labels", results(tmp_path / "r.jsonl", 6)), say("labels"))
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert any("holds no log of Inspect" in note for note in done.notes)
    assert any("inspect score LOG --scorer precomputed_scores -S scores=FILE" in note for note in done.notes)
    records = {each["id"]: each for each in json.loads((tmp_path / "out/scores-one.json").read_text())}
    assert records["q1"] == {
        "id": "q1",
        "value": 1.0,
        "answer": "correct",
        "explanation": "Ann: so. | Ben: so.",
        "metadata": {"how": "agreed"},
    }
    assert set(records) == {"q0", "q1", "q2", "q4", "q5"}, "what was left out has no score"


def test_a_folder_of_more_files_than_are_looked_at_gives_scores_without_logs(tmp_path, monkeypatch):
    (tmp_path / "logs").mkdir()
    results(tmp_path / "logs" / "r.jsonl", 6)
    project = rated(made(tmp_path, "labels", tmp_path / "logs"), say("labels"))
    monkeypatch.setattr("voirdire.evaluation.formats.MAX_FILES", 3)
    for number in range(3):
        (tmp_path / "logs" / f"{number}.txt").touch()
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert done.notes[0].startswith("Only files of scores were written: ") and "more than 3 files" in done.notes[0]
    assert (tmp_path / "out/scores-one.json").is_file()


def test_scores_of_a_pair_go_to_both_models(tmp_path):
    project = rated(made(tmp_path, "preference", results(tmp_path / "r.jsonl", 3)), say("preference"))
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert any("1 means that this model is preferred" in note for note in done.notes)
    values = {
        model: {each["id"]: each["value"] for each in json.loads((tmp_path / f"out/scores-{model}.json").read_text())}
        for model in ("one", "two")
    }
    assert values == {"one": {"q0": 0.5, "q1": 1.0, "q2": 0.5}, "two": {"q0": 0.5, "q1": 0.0, "q2": 0.5}}


def test_scores_of_a_pair_without_models_say_whether_the_first_is_preferred(tmp_path):
    rows = [{"item": f"q{n}", "prompt": "What?", "output_1": f"One {n}.", "output_2": f"Two {n}."} for n in range(4)]
    answers = {"q0": "first", "q1": "second", "q2": "tie", "q3": "first"}
    project = rated(
        made(tmp_path, "preference", written(tmp_path / "r.jsonl", rows)),
        lambda document, rater: answer(answers[document.source["item"]]),
    )
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    values = {each["id"]: each["value"] for each in json.loads((tmp_path / "out/scores.json").read_text())}
    assert values == {"q0": 1.0, "q1": 0.0, "q2": 0.5, "q3": 1.0}
    assert any("1 means that the first of a pair is preferred" in note for note in done.notes)


def test_one_raters_scores_can_be_asked_for(tmp_path):
    path = made(tmp_path, "score", results(tmp_path / "r.jsonl", 2))
    project = rated(path, lambda document, rater: answer(5.0 if rater == "Ann" else 1.0))
    with pytest.raises(ExchangeError, match="No item is settled yet"):
        export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out", rater="Ben"))
    assert {each["value"] for each in json.loads((tmp_path / "out/scores-one.json").read_text())} == {1.0}


def test_every_eval_ever_has_people_as_the_judge(tmp_path):
    project = rated(made(tmp_path, "score", results(tmp_path / "r.jsonl", 6)), say("score"))
    export_project(project, ExportPlan(target="every-eval-ever", out=tmp_path / "out"))
    (evaluation,) = read_paths([tmp_path / "out"]).evaluations
    assert evaluation.models == ("one", "two") and evaluation.judges == ("people",)
    assert evaluation.bounds == (1.0, 5.0) and evaluation.metric == "people_score"
    by_model = evaluation.rows.groupby("model", observed=True)["score"].agg(["mean", "size"])
    assert by_model.loc["one"].tolist() == [4.0, 5.0] and by_model.loc["two"].tolist() == [2.0, 5.0]
    again = export_project(project, ExportPlan(target="every-eval-ever", out=tmp_path / "out", force=True))
    assert len(again.files) == 5


def test_an_answer_with_marked_words_is_the_worse_one_in_every_export(tmp_path):
    project = rated(made(tmp_path, "spans", written(tmp_path / "a.jsonl", ANSWERS)), say("spans"))

    export_project(project, ExportPlan(target="every-eval-ever", out=tmp_path / "eee"))
    (evaluation,) = read_paths([tmp_path / "eee"]).evaluations
    marked = dict(zip(evaluation.rows["item"], evaluation.rows["score"], strict=True))
    assert marked["a"] == 1.0 and marked["b"] == 0.0 and not evaluation.higher_is_better
    (lines,) = (tmp_path / "eee").rglob("*.jsonl")
    correct = [json.loads(line) for line in lines.read_text().splitlines()]
    assert {each["sample_id"]: each["evaluation"]["is_correct"] for each in correct}["a"] is False

    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "scores"))
    values = {each["id"]: each["value"] for each in json.loads((tmp_path / "scores/scores.json").read_text())}
    assert values["a"] == 0.0 and values["b"] == 1.0
    assert any("so these are turned: 1 is the best that people say, 0 the worst" in note for note in done.notes)


def test_marked_words_are_labels_of_sentences_for_detectors(tmp_path):
    source = written(tmp_path / "a.jsonl", [{**each, "answer": f"{OUTPUT} Come in."} for each in ANSWERS])
    project = rated(made(tmp_path, "spans", source), say("spans"))
    export_project(project, ExportPlan(target="answers", out=tmp_path / "out"))
    answers = {each.id: each for each in read_answers(tmp_path / "out/answers.jsonl")}
    assert [each.label for each in answers["a"].statements] == ["invented", "faithful"]
    assert [each.label for each in answers["b"].statements] == ["faithful", "faithful"]
    assert answers["a"].context == "The room opens at nine.\n\nIt has a =café."
    assert list(task_of(project.settings).labelled_answers(project)) == list(
        read_answers(tmp_path / "out/answers.jsonl")
    )


def test_labels_of_sentences_are_read_by_whoever_measures_detectors(tmp_path):
    guide = "labels: [supported, partly supported, unsupported]"
    source = written(tmp_path / "a.jsonl", [{**each, "id": f"{place}#0"} for place, each in enumerate(ANSWERS)])
    given = dict(zip(("0#0", "1#0", "2#0"), ("supported", "unsupported", "partly supported"), strict=True))
    path = made(tmp_path, "labels", source, guide=guide)
    project = rated(path, lambda document, rater: answer(given[document.source["item"]]))
    labels = {each.label: one.text for one in read_data(path).answers for each in one.statements}
    assert labels == {"faithful": OUTPUT, "invented": OUTPUT}
    assert [each.context for each in task_of(project.settings).labelled_answers(project)] == [
        "The room opens at nine.\n\nIt has a =café."
    ] * 2


def test_who_measures_detectors_by_a_project_is_told_of_ratings_without_time_to_read(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 10))
    rated(path, say("labels"), seconds=1.0)
    head, *lines = next(each for each in read_data(path).cautions if "took" in each).splitlines()
    assert head == "Raters who took too little time to read:"
    assert [line.partition(":")[0] for line in lines] == ["Ann", "Ben"]
    assert all("less than 2 seconds each: too short to read an item." in line for line in lines)


def test_a_project_whose_labels_are_neither_good_nor_bad_says_what_to_give(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 2), guide="labels: [sad, glad]")
    rated(path, lambda document, rater: answer("glad"))
    with pytest.raises(RatersError, match="give them values in the guide"):
        read_data(path)
    scores = made(tmp_path, "score", results(tmp_path / "s.jsonl", 2), name="s.voirdire")
    rated(scores, say("score"))
    with pytest.raises(RatersError, match="the score task, which has none: give one with labels"):
        read_data(scores)


def test_an_answer_with_a_mark_of_one_alone_is_open_and_in_no_export_of_gold(tmp_path):
    def says(document, rater):
        alone = [{"start": 4, "end": 16, "label": "unsupported"}] if rater == "Ann" and document.id in mine else []
        return answer("done", spans=[SPAN, *alone])

    path = made(tmp_path, "spans", written(tmp_path / "a.jsonl", ANSWERS), gold="adjudicated")
    mine = list(read_project(path).documents)[:1]
    project = rated(path, says)
    progress = progress_of(project)
    assert (progress.disputes_open, progress.gold) == (1, {"agreed": 2})
    export_project(project, ExportPlan(target="answers", out=tmp_path / "out"))
    assert {each.id for each in read_answers(tmp_path / "out/answers.jsonl")}.isdisjoint(mine)


def test_labels_without_values_have_no_scores_and_that_is_told(tmp_path):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 2), guide="labels: [sad, glad]")
    project = rated(path, lambda document, rater: answer("glad"))
    with pytest.raises(ExchangeError, match="gives its labels no values"):
        export_project(project, ExportPlan(target="every-eval-ever", out=tmp_path / "out"))
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert {each["value"] for each in json.loads((tmp_path / "out/scores-one.json").read_text())} == {"glad"}
    assert any("no mean can be taken" in note for note in done.notes)


def test_a_table_says_which_of_a_pair_was_shown_first(tmp_path):
    project = rated(made(tmp_path, "preference", results(tmp_path / "r.jsonl", 2)), say("preference"))
    export_project(project, ExportPlan(target="csv", out=tmp_path / "out"))
    with (tmp_path / "out/ratings.csv").open(encoding="utf-8-sig") as file:
        assert {(row["preferred"], row["shown_first"]) for row in csv.DictReader(file)} == {
            ("first", "second"),
            ("tie", "second"),
        }


def tables(project, tmp_path, **options):
    """The rows of every table of an export, by the name of its file."""
    done = export_project(project, ExportPlan(target="csv", out=tmp_path / "csv", gold=True, **options))
    found = {}
    for path in done.files:
        if path.suffix == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as file:
                found[path.name] = list(csv.DictReader(file))
    return found, done.notes


def test_a_table_says_what_was_rated_and_whose_it_is(tmp_path):
    project = rated(made(tmp_path, "labels", results(tmp_path / "r.jsonl", 4)), say("labels"))
    found, _ = tables(project, tmp_path)
    for row in (*found["ratings.csv"], *found["gold.csv"]):
        settled, number = row["item"] in project.gold, row["source_item"].removeprefix("q")
        assert (row["model"] in ("one", "two")) == settled and row["group"] == row["source_item"]
        assert row["prompt"] == f"Question {number}?" and row["answer"].endswith(f" says {number}.")
    assert len(found["gold.csv"]) == 6, "what both left out waits for an adjudicator"


def test_a_table_names_no_model_of_an_item_that_is_still_rated(tmp_path):
    def differ(document, rater):
        return answer("correct" if rater == "Ann" or document.source["item"] == "q0" else "incorrect")

    project = rated(made(tmp_path, "labels", results(tmp_path / "r.jsonl", 2)), differ)
    found, notes = tables(project, tmp_path)
    models = {(row["source_item"], row["model"]) for row in found["ratings.csv"]}
    assert models == {("q0", "one"), ("q0", "two"), ("q1", opaque("one")), ("q1", opaque("two"))}
    assert any("code" in note and "settled" in note for note in notes)


def test_the_codes_of_a_plan_stay_as_its_sheet_has_them_and_how_they_are_made_is_said(tmp_path):
    codes = (opaque("one"), opaque("two"))
    project = rated(made(tmp_path, "labels", results(tmp_path / "r.jsonl", 4, models=codes)), say("labels"))
    found, notes = tables(project, tmp_path)
    assert {row["model"] for row in found["ratings.csv"]} == set(codes), "settled or not"
    assert [note for note in notes if "code" in note] == [
        "Models are codes as in the sheet of jury worth --plan: the first 8 digits of their names' SHA-256."
    ]


def test_a_table_has_both_answers_of_a_pair_and_their_models(tmp_path):
    project = rated(made(tmp_path, "preference", results(tmp_path / "r.jsonl", 2)), say("preference"))
    row = tables(project, tmp_path)[0]["gold.csv"][0]
    number = row["source_item"].removeprefix("q")
    assert (row["model_1"], row["model_2"]) == ("one", "two")
    assert (row["answer_1"], row["answer_2"]) == (f"one says {number}.", f"two says {number}.")


def test_a_table_quotes_the_words_that_were_marked(tmp_path):
    project = rated(made(tmp_path, "spans", written(tmp_path / "a.jsonl", ANSWERS), guide=EVIDENCE), say("spans"))
    found, _ = tables(project, tmp_path)
    words = OUTPUT[SPAN["start"] : SPAN["end"]]
    assert {row["quote"] for row in found["spans.csv"]} == {words}
    assert {row["spans_marked"] for row in found["gold.csv"]} == {"0", "1"}
    assert {row["quote"] for row in found["evidence.csv"]} == {"It has"}
    assert {row["marked_words"] for row in found["gold.csv"]} == {"", f"unsupported: {words}"}
    assert {row["answer"] for row in found["ratings.csv"]} == {OUTPUT}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"answer": "wrong"}, "answer"),
        ({"status": "lost"}, "status is 'lost'"),
        ({"answer": "correct", "colour": "red"}, "colour is no field"),
        ({"answer": "correct", "evidence": [{"part": "passage-9", "start": 0, "end": 1}]}, "part is 'passage-9'"),
        ({}, "answer is missing"),
    ],
)
def test_what_can_not_be_a_rating_is_refused(tmp_path, line, says):
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 1))
    (item, *_) = read_project(path).items
    bad = written(tmp_path / "bad.jsonl", [{"kind": "rating", "item": item, "rater": "Ann", "value": line}])
    with pytest.raises(ExchangeError) as error:
        import_ratings(path, bad)
    assert says in str(error.value)
