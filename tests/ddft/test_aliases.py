"""A model with an alias is shown by it everywhere, and is asked as it was without."""

import asyncio
import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import load_preset
from voirdire.ddft.results import load_run
from voirdire.ddft.session import new_run_path, score_run
from voirdire.ddft.study import StudyError, StudyPlan, parse_models
from voirdire.runs import RunFolder

SUBJECT, JUDGE = "simulated/fading", "simulated/judge"
SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1", "--jury", JUDGE)


@pytest.fixture(scope="module")
def aliased(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "aliased"
    printed = voirdire_json("run", "-m", f"{SUBJECT} as Fader 1", "-m", "simulated/steady", *SMALL, "-o", path)
    return path, printed


def keys(path):
    with RunFolder.open(path, read_only=True) as folder:
        return set(folder.journal.calls_frame(bodies=True)["key"])


def test_results_tables_and_the_report_name_the_alias(aliased, tmp_path):
    path, printed = aliased
    assert {model["model"] for model in printed["models"]} == {"Fader 1", "simulated/steady"}
    tables = load_run(path).tables
    assert all(set(frame["model"]) == {"Fader 1", "simulated/steady"} for frame in tables)
    voirdire("report", path, "-o", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Fader 1" in page
    assert f"Fader 1 ({SUBJECT})" in page  # where the report says what it is made of
    assert page.count(SUBJECT) == 1 + page.count(f'"id":"{SUBJECT}|')
    assert SUBJECT not in voirdire("show", path, "--all", "--texts").stdout


def test_the_gate_takes_the_alias(aliased):
    path, _ = aliased
    done = voirdire("gate", path, "--only-model", "Fader 1", "--min", "K=0", check=False)
    assert "Fader 1" in done.stdout
    assert done.returncode == 0


def test_run_json_has_both_names(aliased):
    manifest = json.loads((aliased[0] / "run.json").read_text())
    assert manifest["models"] == [SUBJECT, "simulated/steady"]
    assert manifest["aliases"] == {"Fader 1": SUBJECT}


def test_calls_have_the_keys_that_they_have_without_an_alias(aliased, tmp_path):
    voirdire("run", "-m", SUBJECT, "-m", "simulated/steady", *SMALL, "-o", tmp_path / "plain")
    assert keys(tmp_path / "plain") == keys(aliased[0])


def test_another_alias_for_a_run_that_is_there_is_refused_in_a_sentence(aliased):
    path, _ = aliased
    asked = ("run", "-m", "simulated/steady", *SMALL, "-o", path)
    done = voirdire("run", "-m", f"{SUBJECT} as F", *asked[1:], check=False)
    assert done.returncode == 1
    assert "aliases.F: none there" in done.stderr and 'aliases.Fader 1: "simulated/fading" there' in done.stderr


def test_a_second_jury_judges_a_run_with_an_alias_and_verify_finds_it_sound(aliased):
    path, _ = aliased
    scored = asyncio.run(score_run(path, ["reference"]))
    assert {profile.model for profile in scored.profiles} == {"Fader 1", "simulated/steady"}
    assert scored.stopped is None
    assert voirdire("verify", path).returncode == 0


def test_an_alias_names_the_folder_of_a_new_run():
    plan = StudyPlan((SUBJECT,), tuple(find_concepts(["recursion"])), load_preset("quick"), aliases={"my gpt": SUBJECT})
    assert new_run_path(plan).name.startswith("my-gpt-quick-")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (["openai/a as x", "openai/b as x"], "have the alias 'x'"),
        (["openai/a as x/y"], "can't be an alias"),
        (["openai/a as "], "can't be an alias"),
        (["openai/a as openai/b", "openai/b"], "can't be an alias"),
    ],
)
def test_an_alias_must_be_one_name_of_its_own(named, said):
    with pytest.raises(StudyError, match=said):
        specs, aliases = parse_models(named)
        StudyPlan(specs, tuple(find_concepts(["recursion"])), load_preset("quick"), aliases=aliases)


def test_before_anything_is_asked_the_plan_and_the_dry_run_name_the_alias():
    model = ("-m", f"{SUBJECT} as Fader 1")
    planned = voirdire("plan", *model, *SMALL)
    assert "Fader 1" in planned.stdout and SUBJECT not in planned.stdout
    dry = voirdire("run", *model, *SMALL, "--dry-run").stdout
    assert "subject      Fader 1" in dry and "=== Subject Fader 1, up to question 5 ===" in dry
    assert dry.count(SUBJECT) == 1  # in the name of the dialogue


@pytest.mark.parametrize("key", ["sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF", "sk-proj-" + "a1" * 40])
def test_a_key_is_no_alias_and_is_not_repeated(key):
    done = voirdire("plan", "-m", f"{SUBJECT} as {key}", check=False)
    assert done.returncode != 0
    assert "looks like a key" in done.stderr and key not in done.stderr + done.stdout
