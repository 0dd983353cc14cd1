"""What the command prints, and its JSON; the project itself is made by hand."""

import json

import pytest
from typer.testing import CliRunner

from tests.raters._projects import labelled_project
from tests.raters.comparison.examples import audit_project, audit_run, label_project, label_run, turn_project, turn_run
from tests.raters.comparison.test_responses import AUDITORS, PEOPLE
from tests.raters.comparison.test_statements import FLAT, TRUTH
from tests.raters.comparison.test_turns import shifted
from voirdire.cli.rate import (
    agreement,  # registers the command
    app,
)
from voirdire.raters import project_loader


@pytest.fixture
def ask(monkeypatch):
    """Run the command on projects made by hand, which stand for files of these names."""
    monkeypatch.setenv("COLUMNS", "110")

    def run(projects, *words):
        monkeypatch.setattr(project_loader, "read_project", lambda path: projects[path.name])
        assert any(command.callback is agreement for command in app.registered_commands)
        name = [] if len(app.registered_commands) == 1 else ["agreement"]
        found = CliRunner().invoke(app, [*name, *map(str, words), "--all"], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        return found.output

    return run


def lines_with(output, *words):
    return [line for line in output.splitlines() if all(word in line for word in words)]


def test_agreement_leads_with_a_sentence_and_has_the_papers_lines_beside_its_own(ask):
    ben = ["faithful", *FLAT[1:-1], "irrelevant"]
    output = ask({"p": label_project(TRUTH, {"ann": FLAT, "ben": ben}, questions=[("ann", 3, True)])}, "p")
    assert "Two people give the same label to 23 of 24 items, 95.8 %" in output
    assert output.index("Two people give") < output.index("Fleiss")
    assert lines_with(output, "paper, sequential", "96.19 %", "13", "6", "7")
    assert lines_with(output, "here, sequential", "24", "95.8 %", "20.8")


@pytest.mark.parametrize(
    ("ben", "explained"), [(["reliable", "invented"] * 2, True), (["faithful", "invented"] * 2, False)]
)
def test_an_asterisk_is_explained_where_one_is_printed(ask, ben, explained):
    output = ask({"p": labelled_project({"ann": ["reliable", "invented"] * 2, "ben": ben})}, "p")
    assert ("tier *" in output) is ("* ordered:" in output) is explained


def test_labels_are_shown_beside_a_run(ask, tmp_path):
    run = label_run(tmp_path / "run", *TRUTH)
    ben = ["irrelevant" if n % 5 == 0 else label for n, label in enumerate(FLAT)]
    output = ask({"p": label_project(TRUTH, {"ann": FLAT, "ben": ben})}, "p", "--with", run)
    assert "People beside openai/labeller" in output
    assert "Rated items in the run: 24 of 24, of 6 groups." in output
    assert lines_with(output, "grounded", "words", "100.0 %")
    assert "Label: people down, machine across" in output


def test_scores_and_violations_are_shown_beside_auditors(ask, tmp_path):
    output = ask({"p": audit_project(PEOPLE)}, "p", "--with", audit_run(tmp_path / "run", AUDITORS))
    assert "Violation by violation" in output
    assert lines_with(output, "x3", "unsupported_caveat", "2 of 2 people", "may")
    assert lines_with(output, "x2", "fact_invention", "machine, 1 of 2")
    assert lines_with(output, "score, machine–people")
    assert lines_with(output, "A  openai/x")


def test_turns_are_shown_beside_a_jury(ask, tmp_path):
    run = turn_run(tmp_path / "run")
    project = turn_project(run, {"ann": shifted(0.2), "ben": shifted(0.1)})
    output = ask({"p": project}, "p", "--with", run)
    assert "FAR: the machine is more lenient than people" in output
    assert lines_with(output, "FAR, machine–Ann") and lines_with(output, "FAR, A–people")


def test_the_other_mode_stands_beside_whichever_is_given_first(ask):
    slips = ["irrelevant" if n % 4 == 0 else label for n, label in enumerate(FLAT)]
    projects = {
        "s": labelled_project({"ann": FLAT, "ben": [*FLAT[:-1], "irrelevant"]}),
        "i": labelled_project({"cleo": FLAT, "dan": slips}, mode="independent"),
    }
    for first, second in (("s", "i"), ("i", "s")):
        output = ask(projects, first, "--beside", second)
        assert "agreement is shown: +20.8 percentage points" in output
    data = json.loads(ask(projects, "s", "--beside", "i", "--json"))
    assert data["modes"]["differences"]["agreement"]["value"] == pytest.approx(5 / 24)
    assert data["agreement"]["mode"] == "sequential"


def test_names_and_words_are_shown_as_they_are(ask, tmp_path):
    people = {"[red]ann[/]": PEOPLE["ann"], "ben": PEOPLE["ben"]}
    output = ask({"p": audit_project(people)}, "p", "--with", audit_run(tmp_path / "run", AUDITORS))
    assert "[red]ann[/]" in output


@pytest.mark.parametrize("columns", [80, 100])
def test_names_are_folded_and_numbers_never_cut(ask, tmp_path, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ben = ["irrelevant" if n % 5 == 0 else label for n, label in enumerate(FLAT)]
    labels = label_project(TRUTH, {"ann": FLAT, "ben": ben}, questions=[("ann", 3, True)])
    turns = turn_run(tmp_path / "turns")
    shown = [
        ask({"p": labels}, "p", "--with", label_run(tmp_path / "labels", *TRUTH)),
        ask({"p": audit_project(PEOPLE)}, "p", "--with", audit_run(tmp_path / "audits", AUDITORS)),
        ask({"p": turn_project(turns, {"ann": shifted(0.2), "ben": shifted(0.1)})}, "p", "--with", turns),
    ]
    for text in shown:
        assert max(map(len, text.splitlines())) <= columns
        assert "…" not in text.replace("(… required)", "")
    assert "counts as hallucinated" in " ".join(shown[0].split())
