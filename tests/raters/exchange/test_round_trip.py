"""What was entered comes back from every form as it was, hostile texts included."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.raters.exchange import examples, schema
from voirdire.raters.exchange import ExportPlan, export_project, import_ratings
from voirdire.raters.exchange.exporter import texts_of
from voirdire.raters.exchange.importer import read_entries

FORMS = {"jsonl": "ratings.jsonl", "csv": "ratings.csv", "label-studio": "tasks.json"}
few = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


def through(folder, project, form):
    """The ratings after a way out and back in."""
    texts, _ = texts_of(project, ExportPlan(target=form, out=folder, names=True))
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    if form == "label-studio":
        schema.check(json.loads(texts["tasks.json"]), texts["config.xml"])
    read = read_entries(folder / FORMS[form], project, form)
    return [(each.item, each.rater, each.value, each.seconds, each.at) for each in read.entries]


def entered(project):
    return [
        (each.item, project.raters[each.rater].name, each.value, each.seconds, each.at)
        for each in sorted(project.ratings, key=lambda each: (list(project.items).index(each.item), each.rater))
    ]


@pytest.mark.parametrize("form", FORMS)
@few
@given(data=st.data())
def test_labels_come_back(tmp_path, form, data):
    values = data.draw(st.lists(examples.label_values(), min_size=3, max_size=3))
    bare = examples.statements(context=data.draw(examples.texts))
    project = examples.rated(
        bare, (0, "a_1#0", values[0], 1.5), (1, "a_1#0", values[1], 0.1), (1, "a_1#1", values[2], 7)
    )
    assert through(tmp_path, project, form) == entered(project)


@pytest.mark.parametrize("form", FORMS)
@few
@given(data=st.data(), trap=st.sampled_from(["", "Dr. =Nobody"]))
def test_judgements_of_turns_come_back(tmp_path, form, data, trap):
    one, other = data.draw(examples.turn_values(bool(trap))), data.draw(examples.turn_values(bool(trap)))
    project = examples.rated(
        examples.turns(trap, data.draw(examples.texts)), (0, "k", one, 30.25), (1, "k", other, 0.0)
    )
    assert through(tmp_path, project, form) == entered(project)


@pytest.mark.parametrize("form", FORMS)
@few
@given(data=st.data())
def test_deductions_come_back(tmp_path, form, data):
    response = data.draw(st.just("The bridge opened around 1930. It may carry 💩 traffic, it may.") | examples.texts)
    bare = examples.responses(response)
    one, other = (data.draw(examples.deductions(bare, bare.items["r0"])) for _ in range(2))
    project = examples.rated(bare, (0, "r0", one, 1200.0), (1, "r0", other, 900.5))
    assert through(tmp_path, project, form) == entered(project)


@pytest.mark.parametrize("form", FORMS)
def test_a_megabyte_of_script_comes_back(tmp_path, form):
    answer = "It is so. It" + "<script>alert(1)</script>" * 40_000
    value = {"label": "invented", "steps": [], "reason": "</textarea>" * 90_000}
    project = examples.rated(examples.statements(answer), (0, "a_1#1", value, 1.0))
    assert through(tmp_path, project, form) == entered(project)


@pytest.mark.parametrize("form", FORMS)
def test_a_second_project_holds_the_same_ratings(tmp_path, form):
    bare = examples.statements()
    first = examples.stored(tmp_path / "first", bare)
    for rater, item, label in (("r1", "a_1#0", "faithful"), ("r2", "a_1#0", "invented"), ("r2", "a_1#1", "reliable")):
        value = {"label": label, "steps": examples.steps_to(label), "reason": examples.HOSTILE[5]}
        examples.entered(first, rater, item, value, seconds=12.5)
    from voirdire.raters.project_loader import read_project

    export_project(read_project(first), ExportPlan(target=form, out=tmp_path / "out", names=True))
    second = examples.stored(tmp_path / "second", bare, raters=["Carla"])
    done = import_ratings(second, tmp_path / "out")
    assert (done.added, done.known, done.raters) == (3, 0, ("Ana", "Ben"))
    assert examples.said_in(second) == examples.said_in(first)
    again = import_ratings(second, tmp_path / "out")
    assert (again.added, again.known) == (0, 3)
    assert examples.said_in(second) == examples.said_in(first)


def test_adjudicators_stay_adjudicators(tmp_path):
    bare = examples.statements(gold="adjudicated")
    value = {"label": "reliable", "steps": [], "reason": ""}
    project = examples.rated(
        bare, (0, "a_1#0", value, 1.0), (1, "a_1#0", value, 2.0), raters=["Ana"], adjudicators=["Zoe"]
    )
    for form in FORMS:
        export_project(project, ExportPlan(target=form, out=tmp_path / form, names=True))
        second = examples.stored(tmp_path / f"{form}.db", bare, raters=[])
        import_ratings(second, tmp_path / form)
        from voirdire.raters.project_loader import read_project

        found = read_project(second)
        assert {each.name: each.role for each in found.raters.values()} == {"Ana": "rater", "Zoe": "adjudicator"}
        assert [each.blind for each in found.ratings] == [True, False]
