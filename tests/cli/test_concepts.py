"""`voirdire concepts`, and the choice of packs."""

import json

import pytest
import yaml

from tests.cli.here import voirdire, voirdire_json
from tests.ddft.concepts import examples
from tests.ddft.drafting.scripted import POLICY, Model
from voirdire.ddft.drafting import draft_concept
from voirdire.runs import RunStopped

DRAFTING = "voirdire.ddft.drafting.session.draft_concept"


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "tides.yaml"
    path.write_text(examples.text())
    return path


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "policy.md"
    path.write_text(POLICY)
    return path


@pytest.mark.parametrize("command", ["list", "check", "draft"])
def test_every_command_explains_itself_with_an_example(command):
    said = voirdire("concepts", command, "--help").stdout
    assert f"Example: voirdire concepts {command}" in " ".join(said.split())


def test_the_list_shows_packs_with_their_concepts():
    text = voirdire("concepts", "list").stdout
    assert "core: The paper's eight" in text and "newtons-second-law" in text
    packs = {pack["name"]: pack for pack in voirdire_json("concepts", "list")["packs"]}
    assert len(packs["core"]["concepts"]) == 8 and len(packs) > 1
    (law,) = voirdire_json("concepts", "list", "--pack", "law")["packs"]
    assert law["name"] == "law"


def test_a_run_and_a_plan_take_packs(tmp_path):
    planned = voirdire("plan", "-m", "simulated/steady", "--pack", "medicine,law", "--levels", "0").stdout
    several = voirdire("plan", "-m", "simulated/steady", "--pack", "medicine", "--pack", "law", "--levels", "0")
    assert several.stdout == planned
    asked = ("-m", "simulated/steady", "--levels", "0.5", "--pack", "medicine", "-o", tmp_path / "run")
    voirdire("run", *asked, "--max-calls", "1", check=False)
    held = json.loads((tmp_path / "run" / "run.json").read_text())
    listed = voirdire_json("concepts", "list", "--pack", "medicine")["packs"][0]["concepts"]
    assert list(held["concepts"]) == [each["id"] for each in listed]


def test_an_unknown_pack_is_one_sentence():
    done = voirdire("run", "-m", "simulated/steady", "--pack", "medcine", check=False)
    assert done.returncode == 1 and "did you mean 'medicine'" in done.stderr and "Traceback" not in done.stderr


def test_a_sound_file_passes(own):
    done = voirdire("concepts", "check", own)
    assert "0 errors" in done.stdout


def test_findings_have_a_line_and_end_with_100(own):
    own.write_text(examples.text(facts=examples.with_fact(0, wrong=examples.FACTS[0][1])))
    done = voirdire("concepts", "check", own, check=False)
    assert done.returncode == 100 and "the fact itself" in done.stdout
    said = json.loads(voirdire("concepts", "check", own, "--json", check=False).stdout)
    (finding,) = [each for each in said["files"][0]["findings"] if each["severity"] == "error"]
    assert "wrong:" in own.read_text().splitlines()[finding["line"] - 1]


def test_strict_holds_a_users_file_to_the_rules_of_packaged_ones(own):
    assert voirdire("concepts", "check", own, "--as-packaged", check=False).returncode == 100


def test_what_cannot_be_read_ends_with_1(tmp_path):
    done = voirdire("concepts", "check", tmp_path / "nowhere.yaml", check=False)
    assert done.returncode == 1 and "can't be read" in done.stderr


def test_a_file_that_cannot_be_read_keeps_no_findings_of_others_back(own, tmp_path):
    own.write_text(examples.text(facts=examples.with_fact(0, wrong=examples.FACTS[0][1])))
    worse = tmp_path / "worse.yaml"
    worse.write_text("{")
    asked = ("concepts", "check", worse, own, tmp_path / "nowhere.yaml")
    done = voirdire(*asked, check=False)
    assert done.returncode == 1 and "the fact itself" in done.stdout
    assert str(worse) in done.stderr and "nowhere.yaml can't be read" in done.stderr
    (file,) = json.loads(voirdire(*asked, "--json", check=False).stdout)["files"]
    assert file["file"] == str(own) and file["errors"]


def test_hostile_text_in_a_file_is_shown_as_text(own):
    own.write_text(examples.text(name="[red]Tides[/red]", colour="[bold]x"))
    shown = voirdire("concepts", "check", own).stdout
    assert "[red]Tides[/red]" in shown


def test_a_pilot_tells_the_papers_criteria(own, tmp_path):
    models = "simulated/steady,simulated/fading"
    asked = ("concepts", "check", own, "--pilot-models", models, "--jury", "simulated/judge", "-o", tmp_path / "run")
    text = voirdire(*asked).stdout
    assert "4 Discriminative power" in text and "2 models, 18 dialogues" in " ".join(text.split())
    (concept,) = voirdire_json(*asked)["pilot"]["concepts"]
    assert [each["number"] for each in concept["criteria"]] == [1, 2, 3, 4]
    assert all(each["section"] == "DDFT 4.2" and each["evidence"] for each in concept["criteria"])


def test_a_file_with_errors_is_not_piloted(own, tmp_path):
    own.write_text(examples.text(facts=examples.concept()["facts"][:2]))
    asked = ("concepts", "check", own, "--pilot-models", "simulated/steady", "-o", tmp_path / "run")
    assert voirdire(*asked, check=False).returncode == 100
    assert not (tmp_path / "run").exists()


def test_a_check_without_a_pilot_has_nothing_to_write(own, tmp_path):
    done = voirdire("concepts", "check", own, "-o", tmp_path / "run", check=False)
    assert done.returncode == 2 and "only --pilot-models makes a run folder" in " ".join(done.stderr.split())


def test_a_run_and_a_plan_refuse_a_file_with_errors(own):
    own.write_text(examples.text(id="UPPER"))
    for command in ("plan", "run"):
        done = voirdire(command, "-m", "simulated/steady", "--concepts", own, check=False)
        assert done.returncode == 1 and "line 1: The id 'UPPER'" in done.stderr
        assert f"voirdire concepts check {own}" in done.stderr


def drafting(monkeypatch, asker):
    async def scripted(document, brief, spec, runner, progress):
        return await draft_concept(document, brief, spec, asker, progress)

    monkeypatch.setattr(DRAFTING, scripted)


def test_a_draft_is_written_with_what_was_refused_and_can_be_checked(policy, tmp_path, monkeypatch):
    drafting(monkeypatch, Model())
    out = tmp_path / "loan-policy.yaml"
    asked = ("--from", policy, "--writer", "simulated/steady", "-o", out, "--run", tmp_path / "run")
    text = voirdire("concepts", "draft", *asked).stdout
    assert "This is a draft" in text and "Ada Lovelace" in text
    assert yaml.safe_load(out.read_text())["name"] == "Loan policy"
    assert voirdire("concepts", "check", out).returncode == 0
    again = voirdire("concepts", "draft", *asked, check=False)
    assert again.returncode == 1 and "somebody may have worked on it" in again.stderr


def test_a_draft_that_is_stopped_writes_nothing_and_ends_with_3(policy, tmp_path, monkeypatch):
    class Stopped(Model):
        async def ask(self, spec, request):
            raise RunStopped("The budget of 1 call is used up.")

    drafting(monkeypatch, Stopped())
    out = tmp_path / "loan-policy.yaml"
    asked = ("--from", policy, "--writer", "simulated/steady", "-o", out, "--run", tmp_path / "run")
    done = voirdire("concepts", "draft", *asked, check=False)
    assert done.returncode == 3 and "Not complete" in done.stderr and not out.exists()


def test_a_pdf_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "policy.pdf"
    path.write_bytes(b"%PDF-1.7")
    asked = ("--from", path, "--writer", "simulated/steady", "-o", tmp_path / "a.yaml")
    done = voirdire("concepts", "draft", *asked, check=False)
    assert done.returncode == 1 and "pdftotext" in done.stderr


def test_a_sample_is_checked_by_a_person_and_compared(tmp_path):
    run, sheet = tmp_path / "run", tmp_path / "check.csv"
    asked = (
        "-m",
        "simulated/fading",
        "--jury",
        "simulated/judge",
        "--concepts",
        "recursion",
        "--levels",
        "0,1",
        "-o",
        run,
    )
    voirdire("run", *asked)
    voirdire("jury", "sample", run, "--draw", "5", "-o", sheet)
    assert voirdire("jury", "sample", run, "--draw", "5", "-o", sheet, check=False).returncode == 1
    head, *rows = sheet.read_text().split("\n", 1)
    sheet.write_text("\n".join([head, *rows]).replace(",,,,,\n", ",0.5,0.5,,,[b]ok\n"))
    shown = " ".join(voirdire("jury", "crosscheck", run, sheet, "--all").stdout.split())
    assert "5 turns of" in shown and "[b]ok" in shown
    said = voirdire_json("jury", "crosscheck", run, sheet)
    assert said["rated"] == 5 and {each["scale"] for each in said["biases"]} == {"FAR", "SAS"}
