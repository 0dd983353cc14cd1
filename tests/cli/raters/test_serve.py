"""`voirdire rate links`, and what `serve` says where it can't."""

from unittest.mock import patch

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.raters._tiny import tiny_store
from tests.support.not_installed import not_installed
from voirdire.raters.web.serving import serve


@pytest.fixture
def project(tmp_path):
    return tiny_store(tmp_path / "p.db", adjudicators=("Dee",))


def test_links_are_shown_a_line_each(project):
    said = voirdire("rate", "links", project, "--url", "https://rate.example/").stdout.splitlines()
    assert [line.split(": ")[0] for line in said] == [
        "  organiser",
        "  Ann (rater)",
        "  Ben (rater)",
        "  Dee (adjudicator)",
    ]
    assert all(": https://rate.example/" in line for line in said)


def test_links_lead_to_where_the_project_is_served(project):
    def bases():
        return {each["address"].rsplit("/", 3)[0] for each in voirdire_json("rate", "links", project)}

    assert bases() == {"http://127.0.0.1:8600"}
    assumed = "Note: the project was never served, so these links assume http://127.0.0.1:8600, where voirdire rate"
    assert voirdire("rate", "links", project).stderr.startswith(assumed)
    assert not voirdire("rate", "links", project, "--url", "https://rate.example").stderr
    told = []
    with patch("voirdire.raters.web.serving.run_app", lambda app, listening, ready, ending: (ready(), ending())):
        serve(project, host="127.0.0.1", port=0, ready=lambda store, base: told.append(base))
    assert bases() == set(told) != {"http://127.0.0.1:8600"}
    assert not voirdire("rate", "links", project).stderr


def test_people_are_added_and_links_made_anew(project):
    before = {each["name"]: each["address"] for each in voirdire_json("rate", "links", project)}
    changes = ("--add", "Cem", "--add-adjudicator", "Eli", "--renew", "Ann", "--renew", "organiser")
    after = {each["name"]: each["address"] for each in voirdire_json("rate", "links", project, *changes)}
    assert set(after) - set(before) == {"Cem", "Eli"}
    assert {name for name in before if after[name] != before[name]} == {"Ann", "organiser"}


def test_a_name_that_is_taken_ends_in_a_sentence(project):
    done = voirdire("rate", "links", project, "--add", "Ann", check=False)
    assert (done.returncode, done.stderr) == (1, "voirdire: The name 'Ann' is taken; give another one.\n")


@pytest.mark.parametrize("package", ["uvicorn", "starlette"])
def test_serving_without_the_extra_says_what_to_install(project, package):
    with not_installed(package, "voirdire.raters.web", "voirdire.web"):
        done = voirdire("rate", "serve", project, "--port", "0", check=False)
    assert done.returncode == 1
    assert f"needs {package}" in done.stderr and "pip install 'voirdire[web]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_serving_what_is_no_project_ends_in_a_sentence(tmp_path):
    (tmp_path / "p.db").write_text("words")
    for path, says in ((tmp_path / "p.db", "no project of raters"), (tmp_path / "none.db", "no project at")):
        done = voirdire("rate", "links", path, check=False)
        assert done.returncode == 1 and says in done.stderr


@pytest.mark.parametrize("given", [("--host", ""), ("--host", " "), ("--server-name", "")])
def test_serving_at_an_empty_host_is_refused_in_a_sentence(project, given):
    done = voirdire("rate", "serve", project, "--port", "0", *given, check=False)
    assert done.returncode in (1, 2) and done.stdout == ""
    assert "An empty --host or --server-name was given" in done.stderr or "The value is empty." in done.stderr
    assert "Traceback" not in done.stderr
