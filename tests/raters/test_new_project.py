"""Making a project: what is asked for, what is refused, and what the file holds."""

import asyncio
import hashlib
import json
import stat
from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.raters.new_project import NewProject, make_project, sha256_of
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Item, RatersError
from voirdire.raters.report import project_document
from voirdire.raters.store import Store
from voirdire.raters.tasks import MODULES, open_task
from voirdire.raters.tasks.base import DrawOptions, Materials
from voirdire.runs import RunFolder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("draw") / "gpt-secret"
    preset = changed_preset(load_preset("sound"), levels=(0.0, 1.0))
    asyncio.run(run_study(StudyPlan(("simulated/fading",), tuple(find_concepts(["phoneme"])), preset), path))
    return path


def wanted(run, **other):
    return NewProject(**{"task": "ddft", "source": run, "raters": ("Ana", "Ben"), **other})


def drawn(documents, items):
    """So many documents with so many items each."""
    live = [Document(id=f"d{n}", body={}, group="g", stratum="s", weight=2.0) for n in range(documents)]
    each = [Item(id=f"d{n}#{m}", document=f"d{n}", place=m) for n in range(documents) for m in range(items)]
    return Materials(tuple(live), tuple(each))


def drawing(monkeypatch, made):
    """Have every task make this, after one practice item."""
    first = Document(id="p", body={}, group="p"), Item(id="p", document="p", pool="practice", key={})
    for name in MODULES:
        monkeypatch.setattr(type(open_task(name)), "make", lambda self, path, draw: made)
        monkeypatch.setattr(type(open_task(name)), "practice", lambda self: Materials(first[:1], first[1:]))


def test_a_project_holds_what_was_drawn_and_what_was_decided(run, tmp_path):
    path = tmp_path / "p.sqlite"
    made = make_project(
        path,
        wanted(
            run,
            adjudicators=("Cleo",),
            draw=DrawOptions(sample=6, seed=3),
            gold="adjudicated",
            pass_share=0.5,
            calibration=1,
            pay_per_item=0.3,
            currency="EUR",
            title="Our turns",
        ),
    )
    there = read_project(path)
    assert there.settings == made.settings
    assert (there.settings.gold, there.settings.pass_share, there.settings.calibration) == ("adjudicated", 0.5, 1)
    assert (there.settings.pay_per_item, there.settings.currency, there.settings.seed) == (0.3, "EUR", 3)
    assert there.settings.source_sha256 == hashlib.sha256((run / "run.json").read_bytes()).hexdigest()
    assert [(rater.name, rater.role) for rater in there.raters.values()] == [
        ("Ana", "rater"),
        ("Ben", "rater"),
        ("Cleo", "adjudicator"),
    ]
    assert (made.documents, made.items, made.practice) == (6, 6, 8)
    assert len(there.documents) == len(there.items) == 14
    assert made.stands_for == 10 and sum(made.strata.values()) == 6
    assert json.loads(json.dumps(made.as_dict()))["raters"] == ["Ana", "Ben"]


def test_only_its_owner_can_read_the_file_and_each_rater_has_a_link(run, tmp_path):
    make_project(tmp_path / "p.sqlite", wanted(run))
    assert stat.S_IMODE((tmp_path / "p.sqlite").stat().st_mode) == 0o600
    with Store.open(tmp_path / "p.sqlite") as store:
        secrets = [link.secret for link in store.links()]
    assert len(set(secrets)) == 2 and all(len(secret) > 20 for secret in secrets)


def test_a_title_that_nobody_gave_does_not_tell_the_run(run, tmp_path):
    made = make_project(tmp_path / "p.sqlite", wanted(run))
    assert made.settings.title == "Rating turns of dialogues"


def test_without_names_there_are_as_many_raters_as_an_item_gets(run, tmp_path):
    assert make_project(tmp_path / "p.sqlite", wanted(run, raters=(), raters_per_item=3)).raters == (
        "Rater 1",
        "Rater 2",
        "Rater 3",
    )


def test_the_load_counts_practice_calibration_and_a_share_of_the_rest(run, tmp_path, monkeypatch):
    drawing(monkeypatch, drawn(documents=5, items=2))
    made = make_project(tmp_path / "p.sqlite", wanted(run, raters=("A", "B", "C"), calibration=2))
    assert (made.documents, made.items, made.practice, made.calibration) == (5, 10, 1, 4)
    assert made.items_per_rater == pytest.approx(1 + 4 + 6 * 2 / 3)
    assert (made.strata, made.stands_for) == ({"s": 5}, 10.0)


def test_less_than_one_disagreement_is_not_foretold(run, tmp_path):
    made = make_project(tmp_path / "p.sqlite", wanted(run))
    few, more = (replace(made, disagreements=share) for share in (0.4, 3.0))
    assert "to be expected" not in str(project_document(few))
    assert "About 3 disagreements are to be expected" in str(project_document(more))


@pytest.mark.parametrize(("mode", "share"), [(None, 0.0381), ("sequential", 0.0381), ("independent", 0.0849)])
def test_disagreements_on_statements_are_expected_as_in_the_paper(tmp_path, monkeypatch, mode, share):
    drawing(monkeypatch, drawn(documents=10, items=10))
    (tmp_path / "data.jsonl").write_text("{}")
    made = make_project(tmp_path / "p.sqlite", wanted(tmp_path / "data.jsonl", task="cognibench", mode=mode))
    assert made.disagreements == pytest.approx(100 * share)
    assert made.settings.mode == (mode or "sequential")


def test_too_few_raters_are_allowed_but_said(run, tmp_path):
    made = make_project(tmp_path / "p.sqlite", wanted(run, raters=("Ana",)))
    assert "1 rater for 2 ratings per item: no item can be settled" in made.notes[0]
    assert "no adjudicator" in made.notes[1]
    alone = make_project(tmp_path / "q.sqlite", wanted(run, raters=("Ana",), raters_per_item=1))
    assert alone.notes == ("With one rating per item nothing can be said of agreement.",)
    assert alone.disagreements == 0


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"task": "poetry"}, "There is no task 'poetry'; there are cognibench, integrity, ddft"),
        ({"raters": ("Ana", " ana ")}, "The name 'ana' is given twice"),
        ({"raters": ("Ana",), "adjudicators": ("Ana",)}, "The name 'Ana' is given twice"),
        ({"raters": ("Ana", " ")}, "has an empty name"),
        ({"draw": DrawOptions(columns={"output": "said"})}, "The task ddft reads what it rates under the usual names"),
        ({"mode": "independent"}, "The task ddft can be rated in one way only: leave out the mode 'independent'"),
        ({"mode": "quick", "task": "cognibench"}, "The mode is one of sequential, independent; 'quick'"),
        ({"gold": "silver"}, "The gold rating is one of majority, adjudicated; 'silver'"),
        ({"raters_per_item": 0}, "0 raters per item"),
        ({"pass_share": 80.0}, "The share to pass is 80; give a number from 0 to 1"),
        ({"calibration": -1}, "give 0 or more"),
        ({"calibration": 11}, "11 documents for calibration were asked for, of 10"),
        ({"pay_per_item": float("nan")}, "give an amount of 0 or more"),
        ({"draw": DrawOptions(sample=11)}, "holds 10 scored turns, and a sample of 11 was asked for"),
    ],
)
def test_what_can_not_be_is_refused_in_one_sentence_and_leaves_nothing(run, tmp_path, other, says):
    with pytest.raises(RatersError, match=says):
        make_project(tmp_path / "p.sqlite", wanted(run, **other))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("task", ["labels", "cognibench", "spans"])
def test_what_is_for_flagged_sentences_alone_is_refused_of_all_else(tmp_path, task):
    source = tmp_path / "answers.jsonl"
    source.write_text(json.dumps({"context": "It opens at 9.", "answer": "It opens at 8."}) + "\n")
    for draw, option in (
        (DrawOptions(answers=source), "--answers"),
        (DrawOptions(answers=tmp_path / "nowhere"), "--answers"),
        (DrawOptions(show_flags=True), "--show-flags"),
        (DrawOptions(only_flagged=True), "--only-flagged"),
    ):
        with pytest.raises(RatersError) as refused:
            make_project(tmp_path / "p.sqlite", wanted(source, task=task, draw=draw))
        assert str(refused.value) == (
            f"{option} is for the sentences that voirdire detect -o writes, and {source} holds none: leave it out."
        )
    assert list(tmp_path.iterdir()) == [source]


def test_the_wrong_source_is_named_with_what_it_is(run, tmp_path):
    other = tmp_path / "audit"
    RunFolder.create(other, {"instrument": "integrity"}).close()
    drafted = tmp_path / "draft"
    RunFolder.create(drafted, {"instrument": "ddft-draft"}).close()
    (tmp_path / "data.jsonl").write_text("{}")
    cases = {
        (
            "ddft",
            other,
        ): "holds a run of 'integrity', and the task ddft is made of runs of 'ddft': give --task integrity",
        ("cognibench", run): "holds a run of 'ddft', and the task cognibench is made of .*: give --task ddft",
        ("integrity", drafted): "holds a run of 'ddft-draft', .*: give another run",
        ("ddft", tmp_path / "data.jsonl"): "is no run folder",
        ("integrity", tmp_path / "nowhere"): "There is nothing at .*nowhere; name a run folder or data",
    }
    for (task, source), says in cases.items():
        with pytest.raises(RatersError, match=says):
            make_project(tmp_path / "p.sqlite", wanted(source, task=task))
    assert not (tmp_path / "p.sqlite").exists()


def test_nothing_that_is_there_is_overwritten(run, tmp_path):
    path = tmp_path / "p.sqlite"
    path.write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for place in (path, tmp_path / "link", tmp_path):
        with pytest.raises(RatersError, match="already exists"):
            make_project(place, wanted(run))
    assert path.read_text() == "mine" and not (tmp_path / "gone").exists()
    with pytest.raises(RatersError, match="There is no folder"):
        make_project(tmp_path / "nowhere" / "p.sqlite", wanted(run))


def test_nothing_is_left_where_writing_fails_midway(run, tmp_path, monkeypatch):
    unwritable = Document(id="d", body={"x": object()}, group="g")
    drawing(monkeypatch, Materials((unwritable,), (Item(id="d", document="d"),)))
    with pytest.raises(TypeError):
        make_project(tmp_path / "p.sqlite", wanted(run))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (Materials((), ()), "holds nothing that the task ddft can have rated"),
        (Materials((Document(id="d", body={}, group="g"),), (Item(id="d", document="d"),)), "A sample of 2 .* holds 1"),
        (
            Materials(
                tuple(Document(id=n, body={}, group="g") for n in "aab"), tuple(Item(id=n, document=n) for n in "ab")
            ),
            "names the document 'a' 2 times",
        ),
    ],
)
def test_what_a_task_can_not_make_a_project_of_is_said(run, tmp_path, monkeypatch, made, says):
    drawing(monkeypatch, made)
    with pytest.raises(RatersError, match=says):
        make_project(tmp_path / "p.sqlite", wanted(run, draw=DrawOptions(sample=2)))


def test_the_hash_of_a_data_folder_knows_names_and_contents(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        (folder / "one.jsonl").write_text("1")
    assert sha256_of(first) == sha256_of(second)
    (second / "one.jsonl").rename(second / "two.jsonl")
    assert sha256_of(first) != sha256_of(second)
    assert sha256_of(first / "one.jsonl") == hashlib.sha256(b"1").hexdigest()


def test_label_studios_tasks_become_a_project_and_their_predictions_stay_out_of_sight(tmp_path):
    result = [{"from_name": "label", "to_name": "answer", "type": "choices", "value": {"choices": ["invented"]}}]
    tasks = [
        {
            "id": number,
            "data": {"context": f"Mill {number} was built in 1802.", "answer": "It was built in 1802. It is old."},
            "predictions": [{"model_version": "judge-x", "result": result}],
        }
        for number in range(1, 9)
    ]
    source = tmp_path / "tasks.json"
    source.write_text(json.dumps(tasks), encoding="utf-8")
    wanted = NewProject(task="cognibench", source=source, draw=DrawOptions(sample=4), practice=False, raters=("A", "B"))
    made = make_project(tmp_path / "p.db", wanted)
    project = read_project(tmp_path / "p.db")
    assert made.as_dict()["documents"] == 4
    assert [document.weight for document in project.documents.values()] == [2.0] * 4
    assert len(project.items) == 8
    for document in project.documents.values():
        assert "judge-x" in json.dumps(document.source)
        assert "judge-x" not in json.dumps(document.body)


def test_the_folder_of_an_export_for_label_studio_is_as_good_as_its_tasks(tmp_path):
    folder = tmp_path / "for-studio"
    folder.mkdir()
    data = {"context": "The mill was built in 1802.", "answer": "It was built in 1802. It is old."}
    (folder / "tasks.json").write_text(json.dumps([{"id": 1, "data": data}]), encoding="utf-8")
    (folder / "config.xml").write_text("<View/>")
    (folder / "manifest.json").write_text("{}")
    settings = [
        make_project(tmp_path / name, NewProject(task="cognibench", source=source)).settings
        for name, source in (("a", folder), ("b", folder / "tasks.json"))
    ]
    assert read_project(tmp_path / "a").items == read_project(tmp_path / "b").items
    assert settings[0].source == settings[1].source
    assert settings[0].source_sha256 == settings[1].source_sha256
