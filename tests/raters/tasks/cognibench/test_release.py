"""People's labels in the release's layout: read back, they are the same."""

import json

import pytest

from tests.cognibench.made_half import write_half
from tests.raters.exchange import examples
from voirdire.cognibench.formats import read_data
from voirdire.raters.exchange import ExchangeError, ExportPlan, export_project, import_ratings
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import GoldRating, Settings
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.cognibench.builder import make
from voirdire.raters.tasks.cognibench.release import labelled_answers


def value(label):
    return {"label": label, "steps": [], "reason": ""}


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """A project of labelled answers, settled as they are labelled, and those labels by item."""
    return project_of(write_half(tmp_path_factory.mktemp("half")))


def project_of(data):
    documents, items, *_ = make(data, DrawOptions())
    labels = {
        f"{answer.id}#{place}": statement.label
        for answer in read_data(data).answers
        for place, statement in enumerate(answer.statements)
        if statement.label is not None
    }
    project = examples.bare(Settings(task="cognibench", title="Real"), documents, items)
    assert len(labels) > 100 and labels.keys() <= project.items.keys()
    return project, labels


def read_back(folder):
    return {
        f"{answer.id}#{place}": statement.label
        for answer in read_data(folder, layout="released").answers
        for place, statement in enumerate(answer.statements)
        if statement.label is not None
    }


def test_gold_labels_are_read_back_as_they_were(labelled, tmp_path):
    project, labels = labelled
    gold = {item: GoldRating(item, value(label), "agreed") for item, label in labels.items()}
    done = export_project(examples.rated(project, gold=gold), ExportPlan(target="released", out=tmp_path / "gold"))
    assert read_back(tmp_path / "gold") == labels
    assert done.notes == ()
    assert done.manifest["counts"]["gold"] == len(labels)


def test_one_raters_labels_can_be_written_instead(labelled, tmp_path):
    project, labels = labelled
    some = dict(list(labels.items())[:40])
    ratings = [(1, item, value(label), 1.0) for item, label in some.items()]
    project = examples.rated(project, *ratings, (0, next(iter(labels)), value("irrelevant"), 1.0))
    for name in ("Ben", "r2"):
        export_project(project, ExportPlan(target="released", out=tmp_path / name, rater=name))
        assert read_back(tmp_path / name) == some


def test_equal_sentences_with_different_labels_are_told_of(tmp_path):
    bare = examples.statements("It is so. It is so.")
    gold = {
        item: GoldRating(item, value(label), "agreed") for item, label in (("a_1#0", "faithful"), ("a_1#1", "invented"))
    }
    done = export_project(examples.rated(bare, gold=gold), ExportPlan(target="released", out=tmp_path / "out"))
    assert done.notes == ("Answers that could not be written as they are: 1 (a_1: read back, its labels differ).",)


def test_practice_answers_are_no_part_of_it(tmp_path):
    gold = {"a_1#0": GoldRating("a_1#0", value("faithful"), "agreed")}
    export_project(
        examples.rated(examples.statements(), gold=gold), ExportPlan(target="released", out=tmp_path / "out")
    )
    (answer,) = read_data(tmp_path / "out").answers
    assert (answer.id, answer.dialogue, answer.group, answer.history) == ("a_1", "a", "g", (("Hello?", "Hello."),))


@pytest.mark.parametrize(
    "bare, rater, says",
    [
        (examples.turns(), None, "There is no form 'released' to export to; there are jsonl, csv, label-studio, log"),
        (examples.statements(), "Nobody", "There is no rater 'Nobody' in this project; there are: Ana, Ben"),
        (examples.statements(), "Ana", "Ana has rated none"),
    ],
)
def test_what_has_no_labels_is_refused(tmp_path, bare, rater, says):
    with pytest.raises(ExchangeError, match=says):
        export_project(examples.rated(bare), ExportPlan(target="released", out=tmp_path / "out", rater=rater))


# --- and back ---


def exported(folder, *given):
    """What Ana said, in the release's layout."""
    project = examples.rated(examples.statements(), *((0, item, value(label), 1.0) for item, label in given))
    export_project(project, ExportPlan(target="released", out=folder, rater="Ana"))
    return folder


def test_labels_of_a_rater_are_those_of_another_project_after_a_way_out_and_back(labelled, tmp_path):
    project, labels = labelled
    given = [(0, item, value(label), 1.0) for item, label in labels.items()]
    export_project(examples.rated(project, *given), ExportPlan(target="released", out=tmp_path / "out", rater="Ana"))
    second = examples.stored(tmp_path / "p", project, raters=())
    found = import_ratings(second, tmp_path / "out", rater="Ana")
    back = {each.item: each.value for each in read_project(second).ratings}
    written = read_back(tmp_path / "out")
    assert back == {item: value(label) for item, label in written.items()}
    assert len(back) > 0.95 * len(labels) and found.raters == ("Ana",)


@pytest.mark.parametrize("source, named", [(None, ""), ("released", ""), ("released", "dialogues.json")])
def test_the_form_is_known_by_the_folder_or_said(tmp_path, source, named):
    out = exported(tmp_path / "out", ("a_1#0", "faithful"), ("a_1#1", "speculative"))
    path = examples.stored(tmp_path / "p", examples.statements())
    for added, known in ((2, 0), (0, 2)):
        found = import_ratings(path, out / named, source, rater="Ben")
        assert (found.added, found.known, found.skipped) == (added, known, ())
    assert examples.said_in(path) == [
        ("a_1#0", "Ben", value("faithful"), 0.0),
        ("a_1#1", "Ben", value("speculative"), 0.0),
    ]


def test_released_labels_name_nobody_so_that_it_must_be_said_whose_they_are(tmp_path):
    out = exported(tmp_path / "out", ("a_1#0", "faithful"))
    path = examples.stored(tmp_path / "p", examples.statements())
    with pytest.raises(ExchangeError, match=r"answer a_1: it is not said who has rated; say so with --rater\.$"):
        import_ratings(path, out)
    assert read_project(path).ratings == ()


def test_labels_of_answers_that_the_project_lacks_are_counted_and_passed_over(tmp_path):
    out = exported(tmp_path / "out", ("a_1#0", "faithful"))
    for file in ("dialogues.json", "labels.json"):
        (out / file).write_text((out / file).read_text().replace("a_1", "b_1"))
    (out / "manifest.json").unlink()
    path = examples.stored(tmp_path / "p", examples.statements())
    found = import_ratings(path, out, rater="Ana")
    assert found.added == 0 and found.skipped[0] == "labels of answers that the project does not have: 1."


def test_a_statement_that_the_project_does_not_have_is_refused(tmp_path):
    out = exported(tmp_path / "out", ("a_1#0", "faithful"))
    path = examples.stored(tmp_path / "p", examples.statements("It opened in 1933. It may carry traffic."))
    with pytest.raises(ExchangeError, match=r"answer a_1: 'It opened in 1932\.' is no statement of it in the project"):
        import_ratings(path, out, rater="Ana")


def test_what_holds_no_released_labels_is_refused(tmp_path):
    out = exported(tmp_path / "out", ("a_1#0", "faithful"))
    with pytest.raises(ExchangeError, match=r"can't be told by its name; say --format jsonl, csv, label-studio"):
        import_ratings(examples.stored(tmp_path / "t", examples.turns()), out, rater="Ana")
    path = examples.stored(tmp_path / "p", examples.statements())
    (out / "labels.json").write_text("[]")
    (out / "manifest.json").unlink()
    with pytest.raises(ExchangeError, match="holds a list"):
        import_ratings(path, out, rater="Ana")
    (out / "labels.json").unlink()
    with pytest.raises(ExchangeError, match=r"has no labels\.json"):
        import_ratings(path, out, "released", rater="Ana")


def test_a_project_drawn_by_topic_names_the_topics(tmp_path):
    lines = [{"id": f"a{n}", "context": "C.", "answer": "One is.", "topic": topic} for n, topic in enumerate("xyx")]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    documents, items, *_ = make(tmp_path / "log.jsonl", DrawOptions())
    project = examples.bare(Settings(task="cognibench", title="Real"), documents, items)
    gold = {item: GoldRating(item, value("faithful"), "agreed") for item in project.items}

    found = labelled_answers(examples.rated(project, gold=gold))

    assert {answer.id: answer.topic for answer in found} == {"a0": "x", "a1": "y", "a2": "x"}
