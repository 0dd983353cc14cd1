"""A preset's own prompts: what is sent, what run.json keeps, and what is refused."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.data.packaged_files import read_text
from voirdire.data.prompt_files import load_prompt, own_prompts
from voirdire.ddft.dry_run import dry_run
from voirdire.ddft.presets import PresetError, load_preset
from voirdire.ddft.session import score_run
from voirdire.ddft.study import plan_study
from voirdire.runs import RunFolder

JUDGE = "simulated/judge"
HARSH = read_text("prompts/judge_far.md").replace("the factual accuracy", "the HARSH accuracy")
BARE = read_text("prompts/subject_bare.md").replace("You will", "You shall")
PRESET = (
    "extends: quick\nconcepts: [recursion]\nlevels: [0, 1]\nprompts: {judge_far: harsh.md, subject_bare: bare.md}\n"
)


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "harsh.md").write_text(HARSH)
    (tmp_path / "bare.md").write_text(BARE)
    path = tmp_path / "mine.yaml"
    path.write_text(PRESET)
    return path


def sent(run: Path) -> str:
    with RunFolder.open(run, read_only=True) as folder:
        calls = folder.journal.calls_frame(bodies=True)
    return json.dumps(list(calls["messages"]))


def test_subjects_and_judges_are_sent_the_presets_own_prompts(mine, tmp_path):
    voirdire("run", "-m", "simulated/steady", "--jury", JUDGE, "-p", mine, "-o", tmp_path / "run")
    assert "HARSH" in sent(tmp_path / "run") and "You shall" in sent(tmp_path / "run")
    dry = asyncio.run(dry_run(plan_study(["simulated/steady"], load_preset(mine), jury=[JUDGE])))
    assert "HARSH" in json.dumps(dry.as_dict())
    assert "HARSH" not in load_prompt("judge_far").sections[0][1]


@pytest.mark.parametrize("jury", ["simulated/judge", "reference"])
def test_of_a_jury_that_reads_no_rubric_plan_and_run_say_so(mine, tmp_path, jury):
    asked = ("-m", "simulated/steady", "--jury", jury, "-p", mine)
    unread = f"Your judge_far changes no verdict of {jury}: simulated judges and the reference panel read no rubric."
    assert unread in " ".join(voirdire("plan", *asked).stdout.split())
    assert unread in " ".join(voirdire("run", *asked, "-o", tmp_path / "run").stderr.split())
    for command in ("show", "validate"):
        assert unread in " ".join(voirdire(command, tmp_path / "run").stdout.replace("│", " ").split())
    assert voirdire_json("show", tmp_path / "run")["rubric_unread"]["code"] == "note_rubric_unread"
    plain = ("-m", "simulated/steady", "--jury", jury, "-p", "quick")
    assert "read no rubric" not in voirdire("plan", *plain).stdout


def test_run_json_has_texts_and_hashes_and_a_changed_file_is_another_run(mine, tmp_path):
    asked = ("run", "-m", "simulated/steady", "--jury", JUDGE, "-p", mine, "-o", tmp_path / "run")
    own = voirdire_json(*asked)
    manifest = json.loads((tmp_path / "run" / "run.json").read_text())
    assert manifest["preset"]["prompts"] == {"judge_far": HARSH, "subject_bare": BARE}
    with own_prompts({"judge_far": HARSH}):
        assert manifest["prompts"]["judge_far"] == load_prompt("judge_far").sha256
    assert manifest["prompts"]["judge_far"] != load_prompt("judge_far").sha256
    plain = voirdire_json(
        *asked[:-4], "-p", "quick", "--concepts", "recursion", "--levels", "0,1", "-o", tmp_path / "2"
    )
    assert own["jury"] != plain["jury"]
    mine.with_name("harsh.md").write_text(HARSH.replace("HARSH", "MILD"))
    done = voirdire(*asked, check=False)
    assert done.returncode == 1 and "prompts.judge_far: its text has changed" in done.stderr


def test_a_run_is_judged_again_with_its_own_prompts_when_the_files_are_gone(mine, tmp_path):
    voirdire("run", "-m", "simulated/steady", "-p", mine, "-o", tmp_path / "run")
    for name in ("harsh.md", "bare.md", "mine.yaml"):
        (tmp_path / name).unlink()
    assert "HARSH" not in sent(tmp_path / "run")
    asyncio.run(score_run(tmp_path / "run", [JUDGE]))
    assert "HARSH" in sent(tmp_path / "run")


def test_two_presets_that_tell_subjects_something_else_are_different_tests(mine, tmp_path):
    for name, preset in (("own", mine), ("plain", "quick")):
        small = ("--concepts", "recursion", "--levels", "0,1", "-o", tmp_path / name)
        voirdire("run", "-m", f"simulated/steady as {name}", "--jury", JUDGE, "-p", preset, *small)
    said = voirdire("compare", tmp_path / "own", tmp_path / "plain", check=False)
    assert "prompts of the preset's own" in " ".join((said.stdout + said.stderr).split()).lower()


def test_packaged_presets_have_the_identity_that_they_had():
    assert "prompts" not in load_preset("sound").identity()


@pytest.mark.parametrize(
    ("prompts", "says"),
    [
        ("{judge_far: ../harsh.md}", "must be the name of a file in the preset's own folder"),
        ("{judge_far: /etc/passwd}", "must be the name of a file in the preset's own folder"),
        ("{judge_far: gone.md}", "gone.md"),
        ("{cognibench_label: harsh.md}", "there is no setting 'cognibench_label'"),
        ("{judge_far: bare.md}", "judge_far, bare.md: The prompt 'judge_far' must have the sections system, user"),
        ("{judge_far: bare.md}", "in this order; it has system."),
        ("{subject_reference: bare.md}", "must have the same places as the packaged one: $concept, $reference"),
        ("{subject_reference: bare.md}", "prompts.subject_reference, bare.md: "),
        ("{subject_reference: bare.md}", "; it lacks $reference."),
        ("{subject_bare: wide.md}", "$concept; it lacks $concept and $idea must go."),
        ("{judge_far: mine.yaml}", "must begin with a line 'version"),
        ("harsh.md", "a mapping from a prompt's name to a file"),
    ],
)
def test_a_prompt_that_cannot_stand_for_the_packaged_one_is_refused(mine, prompts, says):
    mine.write_text(f"extends: quick\nprompts: {prompts}\n")
    mine.with_name("wide.md").write_text(BARE.replace("$concept", "$idea"))
    with pytest.raises(PresetError) as caught:
        load_preset(mine)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_the_example_of_the_docs_works_as_it_is_copied(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "yours.md").read_text()
    preset, prompt = re.findall(r"```(?:yaml)?\n(.*?)```", page, re.DOTALL)[:2]
    (tmp_path / "mine.yaml").write_text(preset)
    (tmp_path / "harsh.md").write_text(prompt)
    assert load_preset(tmp_path / "mine.yaml").prompts == {"judge_far": prompt}


def test_a_copy_of_figures_alone_leaves_the_presets_own_prompts_out(mine, tmp_path):
    run = tmp_path / "run"
    voirdire("run", "-m", "simulated/steady", "--jury", JUDGE, "-p", mine, "-o", run)
    voirdire("redact", run, "--figures-only", "-o", tmp_path / "figures")
    voirdire("redact", run, "-o", tmp_path / "copy")
    assert "HARSH" not in (tmp_path / "figures" / "run.json").read_text()
    assert voirdire_json("show", tmp_path / "copy")["models"] == voirdire_json("show", run)["models"]
