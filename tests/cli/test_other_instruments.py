"""A command that is for cross-examinations says of another run what it is, and which commands read it."""

import pytest

from tests.cli.here import voirdire

READERS = ("show", "report", "gate", "export", "verify")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    (folder / "facts.txt").write_text("The museum opened in 1901.\n")
    (folder / "responses.jsonl").write_text('{"id": "a", "response": "It opened in 1901."}\n')
    asked = ("--facts", folder / "facts.txt", "--responses", folder / "responses.jsonl")
    voirdire("integrity", "audit", *asked, "-o", folder / "run")
    return folder / "run"


@pytest.mark.parametrize(
    "command", ["compare", "validate", "score", "jury reliability", "jury sample", "ddft predictions"]
)
def test_a_run_of_another_instrument_is_named_with_the_commands_that_read_it(command, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = voirdire(*command.split(), run, check=False)
    assert done.returncode == 1
    assert f"{run} holds an audit of responses" in done.stderr
    assert "voirdire show, report, gate, export and verify" in done.stderr


def test_the_commands_that_are_named_read_it(run, tmp_path):
    options = {
        "gate": ("--max", "violations_per_response=9", "--allow-incomplete"),
        "export": ("--to", "csv", "-o", tmp_path / "csv"),
    }
    options["report"] = ("-o", tmp_path / "report.html")
    for command in READERS:
        done = voirdire(command, run, *options.get(command, ()), check=False)
        assert done.returncode in (0, 100), done.stderr
