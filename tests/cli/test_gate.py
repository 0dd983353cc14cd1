"""`voirdire gate`, as a user calls it."""

import json
import runpy
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
import yaml

from tests.adapters.examples import GULLIBLE, STEADY, audited, examined
from tests.cli.here import voirdire, voirdire_json
from tests.integrity.report.examples import RESPONSE, audited_run
from voirdire.cli import app
from voirdire.detectors import open_detector
from voirdire.models import parse_spec

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
WORKFLOW, ANSWERS_WORKFLOW = EXAMPLES / "voirdire-gate.yml", EXAMPLES / "voirdire-answers.yml"
ANSWERS_TEST = EXAMPLES / "test_answers.py"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return examined(tmp_path_factory.mktemp("gate") / "run", STEADY, GULLIBLE, levels="0,0.25,0.5,1")


def one_line(text):
    return " ".join(text.split())


def test_a_gate_that_is_kept_ends_with_0(run):
    done = voirdire("gate", run, "--min", "ER=0.1", "--bound", "--only-model", STEADY)
    assert done.returncode == 0
    said = one_line(done.stdout)
    assert said.startswith(f"PASSED: 1 of 1 limit kept; ER of {STEADY} is 0.")
    assert " (95 % interval 0." in said and "), whose lower end must be 0.1 or more." in said


def test_a_gate_that_is_not_kept_ends_with_100_and_says_what_was_missed(run, tmp_path):
    file = tmp_path / "reports" / "gate.xml"
    file.parent.mkdir()
    file.write_text('<testsuites name="voirdire gate" of="the last time"/>')
    limits = ("--min", "ER=0.7", "--max", "selective_verifier_failure=0.99")

    done = voirdire("gate", run, *limits, "--junit", file, check=False)

    said = one_line(done.stdout)
    assert done.returncode == 100 and not done.stderr
    assert said.startswith(f"FAILED: 3 of 4 limits kept; ER of {GULLIBLE} is 0.")
    assert "), which must be 0.7 or more." in said
    assert said.endswith("Every limit with its figure: --all.") and "kept;" not in said.partition(";")[2]
    table = voirdire("gate", run, *limits, "--all", check=False).stdout
    assert table.count(" kept\n") == 4 and ": --all." not in table
    assert all(len(line) <= 100 for line in table.splitlines())
    short = next(word for word in table.split() if "…" in word)
    assert f"{short} = {GULLIBLE}" in one_line(table)  # the legend gives the whole name
    root = ElementTree.parse(file).getroot()
    assert (root.get("tests"), root.get("failures")) == ("5", "1")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--min", "Er=0.5"], "did you mean ER?"),
        (["--min", "ER"], "A limit is NAME=NUMBER, such as --min ER=0.5"),
        ([], "A gate needs a limit"),
        (["--min", "ER=0.5", "--only-model", "gpt"], "No run has a model 'gpt'"),
        (["--min", "ER=0.5", "--jury", "nobody"], "No jury 'nobody' has judged"),
        (["--limits", "nowhere.yaml"], "nowhere.yaml can't be read"),
        (["--max", "ER=2"], "ER is from 0 to 1; the limit ER <= 2 can't be meant."),
        (["--min", "ER=0.5", "--junit", "nowhere/deep/gate.xml"], "There is no folder nowhere/deep for gate.xml"),
        (["--min", "ER=0.5", "--junit", "gate.txt"], "gate.txt does not end in .xml"),
        (["--min", "ER=0.5", "--junit", "/dev/null"], "/dev/null is no regular file"),
    ],
)
def test_when_the_tool_fails_it_ends_with_1_and_one_sentence(run, options, says):
    done = voirdire("gate", run, *options, check=False)
    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr and not done.stdout
    assert not Path("nowhere").exists() and Path("/dev/null").is_char_device()


def test_a_folder_without_a_run_is_a_fault_of_the_call(tmp_path):
    done = voirdire("gate", tmp_path, "--min", "ER=0.5", check=False)
    assert done.returncode == 1 and "is an empty folder" in done.stderr


def test_limits_can_stand_in_a_file_and_json_lists_models_with_them(run, tmp_path):
    (tmp_path / "gate.yaml").write_text("min:\n  ER: 0.1\nbound: true\n")
    found = voirdire_json("gate", run, "--limits", tmp_path / "gate.yaml", "--only-model", STEADY)
    (model,) = found["models"]
    (limit,) = model["limits"]
    assert found["passed"] and found["bound"] and model["model"] == STEADY and model["passed"]
    assert (limit["metric"], limit["min"], limit["passed"]) == ("ER", 0.1, True)
    assert limit["interval"]["low"] < limit["value"] < limit["interval"]["high"]


@pytest.fixture(scope="module")
def unnamed(tmp_path_factory):
    """A run that names no concept and sets no trap: no stance is known, and validity checks fail."""
    path = tmp_path_factory.mktemp("unnamed") / "run"
    return examined(path, STEADY, preset="as-run", trap="none", concepts="recursion", levels="0,0.25,0.5,1")


def test_a_gate_on_er_fails_where_no_trap_was_set(unnamed):
    done = voirdire("gate", unnamed, "--min", "ER=0.1", "--min", "S=0", check=False)
    said = one_line(done.stdout)
    assert done.returncode == 100 and "1 of 2 limits kept" in said
    assert "ER is undefined, so it is not 0.1 or more: E has no value (no fabrication was set)" in said
    assert "! " in said and "Validity checks that fail: concept_named" in said


def test_json_gives_the_reason_of_an_undefined_metric_as_show_does(unnamed):
    gate = json.loads(voirdire("gate", unnamed, "--min", "ER=0.1", "--json", check=False).stdout)
    (shown,) = voirdire_json("show", unnamed)["models"]
    assert gate["models"][0]["limits"][0]["reason"] == shown["reasons"]["ER"]
    assert shown["reasons"]["ER"]["why"]["code"] == "no_trap"


def test_sound_makes_a_failed_check_fail_the_gate(unnamed):
    loose, strict = (voirdire("gate", unnamed, "--min", "S=0.1", *more, check=False) for more in ([], ["--sound"]))
    assert (loose.returncode, strict.returncode) == (0, 100)
    assert one_line(loose.stdout).startswith("PASSED: 1 of 1 limit kept, with 1 warning below; S of ")
    assert "the validity check concept_named fails:" in one_line(strict.stdout)
    assert one_line(strict.stdout).startswith(
        "FAILED: a validity check fails and the figures are not to be relied on (1 of 1 limit kept)."
    )


def test_a_failed_check_that_is_accepted_is_a_warning(unnamed, tmp_path):
    done = voirdire("gate", unnamed, "--min", "S=0", "--sound", "--json", check=False)
    (fails,) = ([*each["failed_checks"], *each["reservations"]] for each in json.loads(done.stdout)["runs"])
    accepted = [word for name in fails for word in ("--accept", name)]
    done = voirdire("gate", unnamed, "--min", "S=0", "--sound", *accepted)
    assert "The check concept_named fails in" in one_line(done.stdout) and "and is accepted." in one_line(done.stdout)
    assert voirdire("gate", unnamed, "--min", "S=0", "--sound", "--accept", ",".join(fails)).stdout == done.stdout
    limits = tmp_path / "limits.yaml"
    limits.write_text(f"min: {{S: 0}}\nsound: true\naccept: [{', '.join(fails)}]\n")
    assert voirdire("gate", unnamed, "--limits", limits).returncode == 0


def test_only_a_check_that_counts_can_be_accepted(unnamed):
    for more, said in (
        (["--sound", "--accept", "concept_name"], "There is no check 'concept_name' to accept; did you mean"),
        (["--accept", "concept_named"], "checks count under --sound only"),
    ):
        done = voirdire("gate", unnamed, "--min", "S=0", *more, check=False)
        assert done.returncode == 1 and said in one_line(done.stderr)


def test_an_audit_is_gated_too(tmp_path):
    path = audited(tmp_path / "audits" / "run")
    done = voirdire("gate", path, "--min", "mean_score=1", check=False)
    assert done.returncode == 100 and "there is no score and no band" in one_line(done.stdout)
    assert "mean_score is undefined, so it is not 1 or more: no response is scored." in one_line(done.stdout)


def test_an_incomplete_run_fails_the_gate_unless_it_may(tmp_path):
    items = [{"id": name, "response": RESPONSE, "audits": {"openai/a": ()}} for name in "abcd"]
    path = audited_run(tmp_path / "run", items, asked=9)
    limits = ("gate", path, "--min", "mean_score=1", "--junit", tmp_path / "gate.xml")

    strict = voirdire(*limits, check=False)
    assert strict.returncode == 100
    assert one_line(strict.stdout).startswith("FAILED: the run is not complete (1 of 1 limit kept).")
    assert "The run is not complete: openai/a gave no audit of 5 responses (the same command asks again)." in one_line(
        strict.stdout
    )
    assert ElementTree.parse(tmp_path / "gate.xml").getroot().get("failures") == "1"
    assert voirdire(*limits, "--allow-incomplete").returncode == 0


def test_a_limit_copied_from_the_printed_figures_is_kept(run):
    shown = voirdire_json("gate", run, "--min", "ER=0.1", "--only-model", STEADY)["models"][0]["limits"][0]
    for option, number in (("--min", shown["value"]), ("--max", shown["value"])):
        assert voirdire("gate", run, option, f"ER={number!r}", "--only-model", STEADY).returncode == 0
    assert voirdire("gate", run, "--min", f"ER={shown['interval']['low']!r}", "--bound", "--only-model", STEADY)


def test_a_limit_on_the_odd_side_is_noted(run):
    done = voirdire("gate", run, "--min", "danger_zone_pct=0")
    assert "! danger_zone_pct >= 0 asks for high values" in done.stdout and "was --max meant?" in one_line(done.stdout)


def test_the_example_workflow_uses_commands_options_and_models_that_there_are():
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["gate"]["steps"]
    told = [shlex.split(step["run"])[1:] for step in steps if step.get("run", "").startswith("voirdire")]
    assert [words[0] for words in told] == ["run", "gate", "report"]
    for words in told:
        command = typer.main.get_command(app)
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        command.make_context(command.name, list(words), resilient_parsing=False)
        for option in ("-m", "--jury"):
            if option in words:
                assert all(parse_spec(spec) for spec in words[words.index(option) + 1].split(","))


def test_the_example_workflow_of_answers_uses_options_that_there_are():
    steps = yaml.safe_load(ANSWERS_WORKFLOW.read_text(encoding="utf-8"))["jobs"]["answers"]["steps"]
    told = [shlex.split(step["run"])[1:] for step in steps if step.get("run", "").startswith("voirdire")]
    assert [words[0] for words in told] == ["detect", "report"]
    for name, *words in told:
        command = typer.main.get_command(app).commands[name]
        command.make_context(command.name, words, resilient_parsing=False)


@pytest.mark.parametrize("field", ["context", "contexts"])
def test_the_example_test_of_answers_fails_where_more_is_flagged_or_less_is_said(tmp_path, monkeypatch, field):
    entry = {"id": "a", field: ["It opened in 1907."], "answer": "It opened in 1911. Penguins swim."}
    (tmp_path / "answers.jsonl").write_text(json.dumps(entry))
    monkeypatch.chdir(tmp_path)
    example = runpy.run_path(str(ANSWERS_TEST))["test_no_more_sentences_are_flagged_than_in_a_good_version"]
    names = example.__globals__
    names.update(MOST=2, LEAST=2, open_detector=lambda name: open_detector("lexical"))
    example()
    names.update(MOST=1)
    with pytest.raises(AssertionError, match="2 sentences are flagged:\na: It opened in 1911\\.\na: Penguins swim\\."):
        example()
    names.update(MOST=2, LEAST=3)
    with pytest.raises(AssertionError):
        example()


def test_a_gate_on_a_file_of_answers_points_to_the_command_that_takes_one(tmp_path):
    (tmp_path / "answers.jsonl").write_text('{"id": "a", "context": "It is red.", "question": "?", "answer": "Red."}')
    done = voirdire("gate", tmp_path / "answers.jsonl", "--min", "ER=0.5", check=False)
    assert done.returncode == 1
    assert "and a gate reads run folders and results of evaluations." in one_line(done.stderr)
    assert "answers.jsonl --max-flagged 5%" in one_line(done.stderr)


def test_a_limit_on_scores_of_which_lower_are_better_says_so(tmp_path):
    table = tmp_path / "wer.csv"
    table.write_text("item,model,wer\n" + "".join(f"i{item},x,0.{item}\n" for item in range(1, 9)))
    says = "Lower is better, as the name wer says"
    assert says in " ".join(voirdire("gate", table, "--max", "score=0.5").stdout.split())


def test_a_run_that_is_not_there_does_not_exist(tmp_path):
    refused = voirdire("gate", tmp_path / "nosuch.csv", "--min", "score=0.5", check=False)
    assert "nosuch.csv, which does not exist." in refused.stderr.replace("\n", "")


def test_missing_items_of_a_scale_without_ends_may_be_as_bad_as_any_that_was_seen(tmp_path):
    table = tmp_path / "ter.csv"
    rows = [(item, model, 90 if item % 5 == 0 else 20) for model in ("a", "b") for item in range(50)]
    kept = [row for row in rows if row[1] == "a" or row[0] % 5]
    table.write_text("item,model,ter\n" + "".join(f"i{item},{model},{score}\n" for item, model, score in kept))
    limit = ("--map", "better=lower", "--max", "score=30", "--only-model", "b")
    refused = voirdire("gate", table, *limit, check=False)
    assert refused.returncode not in (0, 1)
    assert "10 items have no score, and may be as low or as high as any that was seen" in " ".join(
        (refused.stdout + refused.stderr).split()
    )
