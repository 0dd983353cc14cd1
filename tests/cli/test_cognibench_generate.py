import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.grounded import COURT, FERRY
from tests.support.fake_openai import control, start_fake_server


@pytest.fixture(scope="module")
def server():
    with start_fake_server() as base_url:
        yield base_url


@pytest.fixture
def references(tmp_path):
    file = tmp_path / "references.jsonl"
    file.write_text("\n".join(json.dumps(each.as_dict()) for each in (FERRY, COURT)))
    return file


def command(server, references, *more):
    models = ("-m", "openai-api/a", "-m", "openai-api/b", "--base-url", server)
    return ("cognibench", "generate", "--references", references, *models, "--turns", 2, *more)


def test_dialogues_are_held_and_counted(server, references, tmp_path):
    control(server, reset=True, plan=[])
    found = voirdire_json(*command(server, references, "--limit", 1, "-o", tmp_path / "run"))

    assert (found["references"], found["dialogues"], found["calls"]) == (1, 2, 4)
    assert [(model["model"], model["answered"]) for model in found["models"]] == [
        ("openai-api/a", 2),
        ("openai-api/b", 2),
    ]
    assert len((tmp_path / "run" / "dialogues.jsonl").read_text().splitlines()) == 4


def test_what_came_of_it_is_shown_and_what_is_missing_ends_with_code_3(server, references, tmp_path):
    control(server, reset=True, plan=["refusal"])
    done = voirdire(*command(server, references, "-o", tmp_path / "run", "--max-calls", 5), check=False)

    assert done.returncode == 3 and "Not complete: the limit of" in done.stderr
    text = " ".join(done.stdout.split())
    assert "References: 2; topics: 2, with 1 each" in text and "the script" in text
    assert "dialogues.jsonl" in text


def test_a_plan_asks_nobody_and_makes_nothing(references, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ("cognibench", "generate", "--references", references, "-m", "openai/gpt-5.1", "--dry-run")

    plan = voirdire_json(*asked)
    assert (plan["dialogues"], plan["turns"], plan["calls"]) == (2, 8, 8) and plan["usd"] > 0
    assert "2 references, 2 dialogues, 8 turns, 8 calls" in " ".join(voirdire(*asked).stdout.split())
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [(("--limit", 3), "of 2 references"), (("--turns", 99), "a dialogue has 1 to 10")],
)
def test_mistakes_are_answered_with_one_sentence(references, changes, says):
    asked = ("cognibench", "generate", "--references", references, "-m", "local/smollm2-135m")
    done = voirdire(*asked, *changes, check=False)

    assert done.returncode == 1 and says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
