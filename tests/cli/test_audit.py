"""`voirdire audit` as a user calls it."""

import json

import pytest

from tests.cli.here import voirdire


@pytest.fixture
def table(tmp_path):
    lines = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 2)) for item in range(200)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["item,model,score", *lines]))
    return path


def test_the_first_line_concludes(table):
    printed = voirdire("audit", table).stdout
    assert printed.splitlines()[0] == "Believe the order of all 2 models; 0 of 26 checks fail."


def test_json_has_evaluations_checks_and_the_comparison(table):
    found = json.loads(voirdire("audit", table, "--json").stdout)
    (evaluation,) = found["evaluations"]
    assert (evaluation["models"], evaluation["items"], evaluation["judges"]) == (["a", "b"], 200, [])
    assert {"value", "se", "interval", "n"} <= evaluation["headline"]["a"].keys()
    assert evaluation["headline"]["a"]["value"] == 0.9
    assert {"id", "status", "value", "evaluation", "models", "quotes"} <= found["checks"][0].keys()
    assert found["comparison"]["results"]["believed"] == 2


def test_twice_gives_the_same_bytes(table):
    assert voirdire("audit", table, "--json").stdout == voirdire("audit", table, "--json").stdout


def test_a_page_is_written(table, tmp_path):
    voirdire("audit", table, "-o", tmp_path / "audit.html")
    assert "Believe the order of all 2 models" in (tmp_path / "audit.html").read_text()


def test_strict_ends_in_100_where_a_check_fails(table, tmp_path):
    assert voirdire("audit", table, "--strict").returncode == 0
    table.write_text("item,model,score\n1,a,1\n2,a,\n3,a,0\n")
    assert voirdire("audit", table, "--strict", check=False).returncode == 100


def test_the_audit_of_responses_is_pointed_to(tmp_path):
    done = voirdire("audit", "--facts", "f.txt", "--responses", "r.jsonl", check=False)
    assert done.returncode == 1
    assert "voirdire integrity audit --facts FILE --responses FILE" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_holds_no_results_says_which_formats_are_read(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    done = voirdire("audit", tmp_path, check=False)
    assert done.returncode == 1
    assert "no results that can be read (1 files looked at; formats: " in done.stderr
