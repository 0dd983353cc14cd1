"""Judges, juries of runs and other people beside the people of a guided project."""

import csv
import json

import pytest

from tests.adapters.examples import labelled
from tests.cli.here import voirdire, voirdire_json
from tests.raters.tasks.guided.examples import answer, made, rated, results, written
from tests.raters.tasks.guided.test_sources import log
from voirdire.jury.worth.records import WorthError
from voirdire.jury.worth.tables import Columns
from voirdire.raters.anchoring import anchor
from voirdire.raters.comparison import compare_with
from voirdire.raters.good_ratings import with_good_ratings
from voirdire.raters.machine_ratings import VerdictSelection
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError


def is_odd(document):
    return int(document.source["item"][1:]) % 2 == 1


def strict(document, rater):
    """Every other answer is right, whoever gave it: the judge of `results` is kind to the first model."""
    return answer("correct" if is_odd(document) else "incorrect")


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """A project of labels, rated in full, and the results that it was made of."""
    folder = tmp_path_factory.mktemp("labels")
    source = results(folder / "r.jsonl", 20)
    path = made(folder, "labels", source)
    return rated(path, strict), source, path


def test_people_who_label_are_compared_with_the_judges_scores(labels):
    project, source, _ = labels
    found = compare_with(project, source)
    assert (found.by, found.matched, found.undecided, found.groups) == ("judge", 40, 0, 20)
    (bias,) = [each for each in found.scores if not each.people]
    assert (bias.scale, bias.bias.value) == ("value", pytest.approx(0.25))
    assert any(
        sentence.startswith("Value: the machine is more lenient than people") for sentence in found.interpretation
    )
    (counts,) = found.confusions
    assert counts.categories == ("correct", "partly", "incorrect")
    assert [list(row) for row in counts.counts] == [[20, 0, 0], [0, 0, 0], [10, 0, 10]]


def test_a_metric_is_anchored_in_labels_for_each_model(labels):
    found = anchor(labels[0], labels[1])
    assert [each.model for each in found.figures] == [None, "one", "two"]
    whole, kind, fair = found.figures
    assert (whole.name, whole.plain.value, whole.people.value) == ("value", 0.75, pytest.approx(0.5))
    assert [each.plain.value for each in (kind, fair)] == [1.0, 0.5]
    assert [each.anchored.value for each in found.figures] == pytest.approx([0.5] * 3)
    assert whole.verdict == "biased" and "it scores 0.25 too high" in whole.interpretation


def test_both_commands_say_it_on_the_page_and_as_json(labels):
    _, source, path = labels
    shown = voirdire("rate", "anchor", path, "--with", source).stdout
    assert "By people alone, the mean value of the labels is 0.50" in " ".join(shown.split())
    assert "Not corrected" not in shown
    assert "People beside judge" in voirdire("rate", "agreement", path, "--with", source).stdout
    found = voirdire_json("rate", "agreement", path, "--with", source)
    assert found["comparison"]["matched"] == 40


def three_labels(folder, good=()):
    """A project of three labels, of which people give each, and the results that it was made of."""
    source = results(folder / "r.jsonl", 20)
    path = made(folder, "labels", source, guide="labels: [supported, partly supported, unsupported]")
    rated(path, lambda document, rater: answer(FAULTS[int(document.source["item"][1:]) % 4]))
    return with_good_ratings(read_project(path), good), source


FAULTS = ("partly supported", "supported", "unsupported", "supported")


def test_a_table_without_a_column_of_verdicts_is_answered_with_its_columns_and_an_option(labels, tmp_path):
    source = tmp_path / "judge.csv"
    source.write_text("item,faith\nq0,0.5\n")
    said = voirdire("rate", "agreement", labels[2], "--with", source, check=False).stderr
    assert "name it with --score-column. Its columns: item, faith." in " ".join(said.split())


ROWS = [{"nr": f"q{i}", "said": f"It is {i}. That is all.", "ok": i % 2} for i in range(12)]


@pytest.mark.parametrize(
    ("name", "fields", "options"),
    [
        ("s.csv", lambda row: row, ("--map", "item=nr,output=said,score=ok")),
        ("s.csv", lambda row: row, ("--item-column", "nr", "--score-column", "ok")),
        ("s.json", lambda row: row, ("--map", "item=nr,score=ok")),
        ("s.jsonl", lambda row: {"at": {"nr": row["nr"]}, **row}, ("--map", "item=at.nr,score=ok")),
        ("s.csv", lambda row: {"said": row["said"], "ok": row["ok"]}, ("--score-column", "ok")),
    ],
    ids=["map", "columns", "JSON list", "nested", "rows without items"],
)
def test_the_very_file_that_a_project_is_of_is_read_with_the_same_columns(tmp_path, name, fields, options):
    rows, source = [fields(row) for row in ROWS], tmp_path / name
    if name.endswith(".csv"):
        with source.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    else:
        source.write_text(json.dumps(rows) if name == "s.json" else "\n".join(map(json.dumps, rows)))
    item = "at.nr" if name == "s.jsonl" else "nr"
    named = "output=said" + (f",item={item}" if "nr" in rows[0] else "")
    path = tmp_path / "p.voirdire"
    voirdire("rate", "new", path, "--task", "labels", "--from", source, "--map", named, "--no-practice")
    rated(
        path,
        lambda document, rater: answer("correct" if int(document.body["output"].split()[2][:-1]) % 2 else "incorrect"),
    )
    found = voirdire_json("rate", "agreement", path, "--with", source, *options, "--json")["comparison"]
    assert (found["matched"], found["closeness"][0]["with_machine"]["value"]) == (12, 1.0)
    assert voirdire_json("rate", "anchor", path, "--with", source, *options, "--json")["rated"] == 12


@pytest.mark.parametrize(
    ("good", "categories", "counts"),
    [
        ("supported", ("supported", "partly supported or unsupported"), [[20, 0], [10, 10]]),
        ("not unsupported", ("supported or partly supported", "unsupported"), [[25, 5], [5, 5]]),
    ],
)
def test_labels_that_count_alike_are_one_where_a_machine_gives_numbers(tmp_path, good, categories, counts):
    found = compare_with(*three_labels(tmp_path, (good,)))
    (table,) = found.confusions
    assert (table.categories, [list(row) for row in table.counts]) == (categories, counts)
    (caution,) = found.cautions
    assert (caution.code, caution["labels"]) == ("rate_merged", next(each for each in categories if " or " in each))
    assert {each.items for each in found.closeness} == {40}, "no item is left out by what the machine says of it"


def test_items_with_a_score_that_is_no_labels_are_counted(tmp_path):
    project, source = three_labels(tmp_path)
    rows = [json.loads(line) for line in source.read_text().splitlines()]
    for row in rows[:6]:
        row["score"] = 0.7
    found = compare_with(project, written(tmp_path / "s.jsonl", rows))
    said = "6 of 40 items are left out of kappa and the confusion table (label)"
    assert any(note.startswith(said) for note in found.notes)


def test_that_a_machine_never_says_what_lies_between_is_told(tmp_path):
    notes = compare_with(*three_labels(tmp_path)).notes
    assert "judge says only good or bad, never 'partly supported': where people say that, both can't agree." in notes
    assert "Of people's answers: read 'unsupported' as bad, 'partly supported' as half." in notes


def test_a_share_of_yes_and_no_is_corrected_for_the_judges_errors(tmp_path):
    source = results(tmp_path / "r.jsonl", 20)
    path = made(tmp_path, "labels", source, guide="labels: [{label: good, value: 1}, {label: bad, value: 0}]")
    project = rated(path, lambda document, rater: answer("good" if is_odd(document) else "bad"))
    whole = anchor(project, source).figures[0]
    assert whole.says == "the share of answers labelled 'good'"
    assert whole.corrected.sensitivity.value == 1 and whole.corrected.specificity.value == 0.5


def test_scores_of_another_range_are_brought_to_peoples(tmp_path):
    source = log(tmp_path / "log.eval", "maker/strong", samples=6)
    project = rated(made(tmp_path, "score", source), lambda document, rater: answer(3.0))
    found = compare_with(project, source)
    assert found.notes[0] == "Scores from 0 to 1 are brought to people's scale, 1 to 5."
    means = {each.machine_mean for each in found.scores if not each.people}
    assert len(means) == 1 and 1 <= means.pop() <= 5


def test_scores_of_a_table_from_0_to_1_are_brought_to_peoples_scale_and_others_refused_with_what_to_do(tmp_path):
    source = results(tmp_path / "r.jsonl", 4)
    path = made(tmp_path, "score", source)
    project = rated(path, lambda document, rater: answer(3.0))
    found = compare_with(project, source)
    assert found.notes[0] == "Scores from 0 to 1 are brought to people's scale, 1 to 5."
    assert {each.machine_mean for each in found.scores if not each.people} == {4.0}
    off = source.with_name("off.jsonl")
    off.write_text(source.read_text().replace('"score": 0', '"score": 9'))
    with pytest.raises(
        RatersError, match=r"holds scores of .* from 1 to 9, and people's scale goes from 1 to 5: bring the"
    ):
        compare_with(project, off)


def test_preferences_are_compared_with_which_score_is_higher(tmp_path):
    source = results(tmp_path / "r.jsonl", 20)
    path = made(tmp_path, "preference", source)
    project = rated(path, lambda document, rater: answer("tie" if is_odd(document) else "first"))
    found = compare_with(project, source)
    assert (found.matched, found.scores) == (20, ())
    kappa = next(each for each in found.closeness if each.coefficient == "kappa")
    assert (kappa.scale, kappa.with_machine.value) == ("preference", 1)
    figure = anchor(project, source).figures[0]
    assert (figure.name, figure.plain.value, figure.people.value) == ("first_preferred", 0.75, 0.75)


def test_ties_that_a_machine_never_calls_do_not_make_it_farther_from_people(tmp_path):
    source = results(tmp_path / "r.jsonl", 40)
    rows = [json.loads(line) for line in source.read_text().splitlines()]
    for place, row in enumerate(rows):  # one is better than two where the item is even, and never the same
        row["score"] = 0.5 + (0.1 if (row["model"] == "one") == (place // 2 % 2 == 0) else -0.1) + place / 1000
    judged = written(tmp_path / "judged.jsonl", rows)
    path = made(tmp_path, "preference", source)

    def says(document, rater):
        number = int(document.source["item"][1:])
        return answer("tie" if number % 3 == 0 else "first" if number % 2 == 0 else "second")

    project = rated(path, says)
    found = compare_with(project, judged)
    kappas = {each.scale: each for each in found.closeness if each.coefficient == "kappa"}
    with_ties, without = kappas["preference"], kappas["preference, ties left out"]
    assert (with_ties.items, with_ties.people.value) == (40, 1) and with_ties.difference.high < 0
    assert (without.items, without.people.value, without.with_machine.value) == (26, 1, 1)
    (caution,) = found.cautions
    assert (caution.code, caution["items"], caution["people"], caution["machine_ties"]) == ("rate_ties", 40, 14, 0)
    first, second = found.interpretation
    assert first.startswith("Preference: people agree") and "nothing is concluded from this" in first
    assert (
        second.startswith("Preference, ties left out: people agree")
        and "the same 26 items of 40; the others lack" in second
    )
    assert not any("is farther" in each for each in found.interpretation)
    shown = " ".join(voirdire("rate", "agreement", path, "--with", judged).stdout.split())
    assert caution.sentence in shown and second in shown
    ties_too = [{**row, "score": 0.5 if int(row["item"][1:]) % 3 == 0 else row["score"]} for row in rows]
    other = compare_with(project, written(tmp_path / "ties.jsonl", ties_too))
    assert (other.cautions, len(other.interpretation)) == ((), 1), "where the machine calls ties, nothing is set apart"
    nothing_else = rated(
        made(tmp_path, "preference", source, name="ties.voirdire"), lambda document, rater: answer("tie")
    )
    assert (
        compare_with(nothing_else, judged)
        .interpretation[-1]
        .endswith("can't be told: no item that the machine has judged was rated on this scale by two people.")
    )


def test_each_score_column_is_a_judge_of_its_own(tmp_path):
    source = results(tmp_path / "r.jsonl", 20, models=("one",))
    path = made(tmp_path, "labels", source, guide="labels: [{label: good, value: 1}, {label: bad, value: 0}]")
    rated(path, lambda document, rater: answer("good" if is_odd(document) else "bad"))
    judges = tmp_path / "judges.csv"
    rows = [f"q{number},one,{number % 2},{int(number % 4 < 2)}" for number in range(20)]
    judges.write_text("\n".join(["item,model,right,coin", *rows]))
    options = ("--with", judges, "--score-column", "right", "--score-column", "coin")
    comparison = voirdire_json("rate", "agreement", path, *options, "--json")["comparison"]
    kappa = {
        each["machine"]: each["with_machine"]["value"]
        for each in comparison["closeness"]
        if each["coefficient"] == "kappa"
    }
    assert kappa == {"right": 1.0, "coin": 0.0}
    shown = voirdire("rate", "agreement", path, *options).stdout
    assert "with right at 1.00" in " ".join(shown.split()) and "A  right" not in shown
    everything = voirdire("rate", "agreement", path, *options, "--all").stdout
    assert "A  right" in everything and "label, kappa A alone" in everything
    assert "people down, coin across" in everything
    choice = [Columns(scores=names) for names in (("right", "coin"), ("right",))]
    with pytest.raises(RatersError, match=r"one is anchored at a time: right, coin\. Name one with --score-column"):
        anchor(read_project(path), judges, selection=VerdictSelection(columns=choice[0]))
    figure = anchor(read_project(path), judges, selection=VerdictSelection(columns=choice[1])).figures[0]
    assert (figure.plain.value, figure.people.value) == (0.5, 0.5)


@pytest.mark.parametrize("kind", ["spans", "labels"])
def test_a_detector_is_compared_with_what_people_find(tmp_path, kind):
    said = ("It opens at 9.", "It opens at 8.")
    rows = [
        {"id": f"a{n}", "context": f"Room {n} opens at 9.", "question": "When?", "answer": said[n % 2]}
        for n in range(12)
    ]
    source, flagged = written(tmp_path / "a.jsonl", rows), tmp_path / "flagged.jsonl"
    voirdire("detect", source, "-o", flagged)
    path = made(tmp_path, kind, flagged if kind == "spans" else source)

    def rate(document, rater):
        wrong = "8" in document.body["output"]
        if kind == "labels":
            return answer("incorrect" if wrong else "correct")
        return answer("done", spans=[{"start": 12, "end": 13, "label": "unsupported"}] if wrong else [])

    found = compare_with(rated(path, rate), flagged)
    kappa = next(each for each in found.closeness if each.coefficient == "kappa")
    assert (found.matched, kappa.with_machine.value) == (12, 1)
    assert kappa.scale == ("verdict (anything marked)" if kind == "spans" else "label")


def flagged_only(folder):
    """A project in which people rated flagged sentences alone, nine in ten of them wrong; and what `detect` wrote."""
    rows = [
        {"id": f"a{n}", "context": f"Room {50 + n} opens at 9.", "answer": f"Room {50 + n} opens at {8 + n % 2}."}
        for n in range(40)
    ]
    flagged = folder / "flagged.jsonl"
    voirdire("detect", written(folder / "a.jsonl", rows), "-o", flagged)
    sheet = written(
        folder / "to-rate.jsonl", [{"item": f"a{n}#0", "output": rows[n]["answer"]} for n in range(0, 40, 2)]
    )
    path = made(folder, "labels", sheet)
    rated(path, lambda document, rater: answer("correct" if document.source["item"] in "a0#0 a2#0" else "incorrect"))
    return path, flagged


def test_people_who_rated_flagged_sentences_only_are_warned_before_any_figure(tmp_path):
    path, flagged = flagged_only(tmp_path)
    said = " ".join(voirdire("rate", "anchor", path, "--with", flagged).stdout.replace("│", " ").split())
    assert 0 < said.index("if they were picked by hand, figures may not hold for the others") < said.index("0.10")
    found = voirdire_json("rate", "anchor", path, "--with", flagged)["figures"][0]["not_random"]
    assert (found["rated"], found["others"]) == (0, 1)


def test_people_s_labels_of_flagged_sentences_give_the_share_of_right_flags(tmp_path):
    path, flagged = flagged_only(tmp_path)
    said = " ".join(voirdire("jury", "worth", flagged, "--human", path).stdout.split())
    assert "Of 20 flagged sentences that people rated, 18 are rightly flagged: 90 % (" in said
    judges = {each["judge"]: each for each in voirdire_json("jury", "worth", flagged, "--human", path)["judges"]}
    right = judges["flagged"]["right_zeros"]
    assert right["value"] == 0.9 and 0.6 < right["interval"]["low"] < 0.8 and judges["score"]["right_zeros"] is None


@pytest.mark.parametrize("said", [("verdict", "correct", "incorrect"), ("score", 1, 0)])
def test_a_table_of_verdicts_is_compared_with_whether_people_marked_anything(tmp_path, said):
    column, good, bad = said
    rows = [{"id": f"a{n}", "context": "At 9.", "question": "?", "answer": f"At {8 + n % 2}."} for n in range(12)]
    verdicts = [{"item": f"a{n}", column: good if n % 2 else bad} for n in range(12)]
    mark = {"start": 3, "end": 4, "label": "unsupported"}
    project = rated(
        made(tmp_path, "spans", written(tmp_path / "a.jsonl", rows)),
        lambda document, rater: answer("done", spans=[mark] if "8" in document.body["output"] else []),
    )
    found = compare_with(project, written(tmp_path / "v.jsonl", verdicts))
    kappa = next(each for each in found.closeness if each.coefficient == "kappa")
    assert (kappa.scale, found.matched, kappa.with_machine.value) == ("verdict (anything marked)", 12, 1)


@pytest.mark.parametrize("more", [{}, {"label": "unsupported"}])
def test_a_table_of_spans_is_refused_with_what_to_name_instead(tmp_path, more):
    source = written(tmp_path / "a.jsonl", [{"id": "a", "context": "At 9.", "question": "?", "answer": "At 8."}])
    project = rated(made(tmp_path, "spans", source), lambda document, rater: answer("done", spans=[]))
    with pytest.raises(RatersError, match=r"v\.jsonl has a row for each span, .* or another project of spans"):
        compare_with(project, written(tmp_path / "v.jsonl", [{"id": "a", "start": 3, "end": 4, **more}]))


def test_what_does_not_fit_is_refused_in_a_sentence(tmp_path, labels):
    source = written(tmp_path / "a.jsonl", [{"id": "a", "context": "At 9.", "question": "?", "answer": "At 8."}])
    project = rated(made(tmp_path, "spans", source), lambda document, rater: answer("done", spans=[]))
    with pytest.raises(RatersError, match="None of 1 item that people rated is in"):
        compare_with(project, labels[1])
    with pytest.raises(RatersError, match="There is nothing at"):
        compare_with(project, tmp_path / "nowhere")
    with pytest.raises(RatersError, match="asks for other answers than this project: name one of spans"):
        compare_with(project, labels[2])
    sad = rated(
        made(tmp_path, "labels", labels[1], name="s.voirdire", guide="labels: [sad, glad]"),
        lambda document, rater: answer("glad"),
    )
    with pytest.raises(
        RatersError, match=r"have no values, and their words do not tell which are good.*--good-rating LABEL"
    ):
        compare_with(sad, labels[1])


@pytest.mark.parametrize("good", ["wrong_detail", "Wrong detail", "x7", "a wrong number"])
def test_a_good_label_is_named_by_its_key_or_by_its_text_on_the_page(tmp_path, good):
    guide = "labels: [wrong_detail, made_up, {label: x7, text: A wrong number}]"
    path = made(tmp_path, "labels", results(tmp_path / "r.jsonl", 4), guide=guide)
    project = with_good_ratings(read_project(path), (good,))
    is_first = good.casefold().startswith("wrong")
    assert [each["value"] for each in project.settings.guide["labels"]] == [is_first, 0, not is_first]
    with pytest.raises(WorthError, match="no label 'nice'; its labels: 'Made up', 'Wrong detail', 'A wrong number'"):
        with_good_ratings(read_project(path), ("nice",))


def test_an_answer_that_has_changed_is_told(tmp_path, labels):
    rows = [json.loads(line) for line in labels[1].read_text().splitlines()]
    changed = written(tmp_path / "r.jsonl", [{**row, "output": "Something else."} for row in rows])
    with pytest.raises(RatersError, match="has another text in"):
        compare_with(labels[0], changed)


def test_a_folder_is_read_and_several_evaluations_of_the_items_are_named(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    log(folder / "log.eval", "maker/strong", samples=6)
    project = rated(made(tmp_path, "labels", folder), lambda document, rater: answer("correct"))
    assert compare_with(project, folder).matched == 6
    with (folder / "other.csv").open("w") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "model", "score"])
        writer.writerows([document.source["item"], "maker/strong", 1] for document in project.documents.values())
    with pytest.raises(RatersError, match=r"holds 2 evaluations of the rated items: .*. Name the file of one"):
        compare_with(project, folder)


def test_other_people_can_stand_for_the_judge(tmp_path, labels):
    path = made(tmp_path, "labels", labels[1], name="experts.voirdire")
    rated(path, lambda document, rater: answer("correct" if rater == "Ann" or is_odd(document) else "incorrect"))
    found = compare_with(labels[0], path)
    assert (found.by, found.judges, found.matched) == ("the raters of experts.voirdire", ("Ann", "Ben"), 40)
    assert found.undecided == 20, "what these raters have not settled on"
    kappa = {each.machine: each.with_machine.value for each in found.closeness if each.coefficient == "kappa"}
    assert kappa["Ben"] == 1 and kappa["Ann"] == 0


def test_a_runs_jury_is_held_against_what_people_say_of_its_answers(tmp_path, rated_run):
    run = rated_run[1]
    path = made(tmp_path, "labels", run, sample=30)
    project = rated(path, lambda document, rater: answer("partly"))
    found = compare_with(project, run)
    assert (found.matched, found.by) == (30, compare_with(read_project(rated_run[0]), run).by)
    assert found.notes[0] == (
        "The jury was asked for accuracy (FAR) of answers that claim something, people: Is the answer right?"
    )
    figures = {each.model: each for each in anchor(project, run).figures}
    assert set(figures) == {None, "simulated/fading", "simulated/steady"}
    native = {each.model: each for each in anchor(read_project(rated_run[0]), run).figures if each.name == "FAR"}
    assert figures[None].plain.value == pytest.approx(native[None].plain.value)
    assert figures[None].people.value == 0.5


def test_sentences_that_a_run_has_labelled_count_as_their_answer(tmp_path):
    run = labelled(tmp_path / "run", *[["faithful", "invented" if n % 2 else "faithful"] for n in range(6)])
    project = rated(
        made(tmp_path, "spans", run),
        lambda document, rater: answer("done", spans=[{"start": 0, "end": 3, "label": "unsupported"}]),
    )
    figure = anchor(project, run).figures[0]
    assert (figure.name, figure.plain.value, figure.people.value) == ("answers_marked", 0.5, 1)
    score = rated(made(tmp_path, "score", run, name="s.voirdire"), lambda document, rater: answer(5.0))
    assert anchor(score, run).figures[0].plain.value == pytest.approx(1 + 4 * 0.75), "three in four are faithful"
