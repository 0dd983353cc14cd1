"""Whatever the shape of an audit or of scored trials, nothing of integrity prints NaN, infinity, or a traceback."""

import json

import pytest

from tests.cli.here import voirdire
from tests.integrity.examples import likert, raw_trials, trial
from tests.integrity.report.examples import CAVEAT, DENIAL, FACTS, OMISSION, RESPONSE, VAGUE, audited_run
from tests.support.finite import check_command, check_exports, check_report
from voirdire.integrity.auditing import Audit

UNPARSED = [-1, -1, -1]


def _trials(
    cells, *, models=("m1", "m2"), constitutions=("no-constitution", "order"), scenarios=3, rubrics=("likert",)
):
    places = [(m, c, f"s{s}") for m in models for c in constitutions for s in range(scenarios)]
    return [
        trial(n, {name: likert(*cells(n))["likert"] for name in rubrics}, model=m, constitution=c, scenario=s)
        for n, (m, c, s) in enumerate(places)
    ]


TRIALS = {
    "a judge who always gives the same": _trials(
        lambda n: [[100] * 3, [100 * (n % 2)] * 3], rubrics=("likert", "binary")
    ),
    "two judges who always disagree": _trials(lambda n: [[100 * (n % 2)] * 3, [100 - 100 * (n % 2)] * 3]),
    "all scores alike": _trials(lambda n: [[90] * 3] * 2),
    "one trial": _trials(
        lambda n: [[70, 60, 50], [90, 80, 20]], models=["m1"], constitutions=["no-constitution"], scenarios=1
    ),
    "a judge of whom no reply was parsed": _trials(lambda n: [[60 + n, 50 + 2 * n, 3 * n], UNPARSED]),
    "trials without a score": _trials(lambda n: [UNPARSED if n % 3 else [60 + n, 50 + 2 * n, 3 * n]] * 2),
    "one trial with a score": _trials(lambda n: [UNPARSED if n else [60, 50, 40]] * 2),
}


@pytest.mark.parametrize("shape", TRIALS)
def test_a_study_prints_nothing_undefined(tmp_path, shape):
    path = tmp_path / "trials.json"
    path.write_text(json.dumps(raw_trials(TRIALS[shape])))
    check_command("integrity", "study", path)
    check_command("integrity", "study", path, "--json")
    check_command("integrity", "import", path, "-o", tmp_path / "answers.jsonl")


def test_a_study_of_trials_without_any_score_says_so(tmp_path):
    path = tmp_path / "trials.json"
    path.write_text(json.dumps(raw_trials(_trials(lambda n: [UNPARSED] * 2))))
    done = voirdire("integrity", "study", path, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("voirdire: No judge's reply under the rubric 'likert' could be parsed")


def test_a_trial_without_a_score_costs_no_other_its_place_in_a_change(tmp_path):
    rows = _trials(lambda n: [[60 + 5 * (n // 3)] * 3] * 2)
    rows[-1]["scores"] = likert(UNPARSED, UNPARSED)
    (tmp_path / "trials.json").write_text(json.dumps(raw_trials(rows)))
    printed = json.loads(check_command("integrity", "study", tmp_path / "trials.json", "--json"))
    change = printed["constitution_deltas"]["overall_score"]
    assert (change["mean_delta"], change["n"]) == (5, 5)


def _audits(found, responses=4):
    """What each auditor found in the first response, the second …"""
    return [{"id": f"r{n}", "response": RESPONSE, "audits": found(n)} for n in range(responses)]


def _failed(name):
    return Audit(name, (), missing="the call failed (auth)")


AUDITS = {
    "one response without a violation": _audits(lambda n: {"a": [], "b": []}, 1),
    "one response, with all": _audits(lambda n: {"a": [DENIAL, VAGUE, CAVEAT, OMISSION], "b": [DENIAL]}, 1),
    "all found alike": _audits(lambda n: {"a": [VAGUE], "b": [VAGUE]}),
    "an auditor who always finds nothing": _audits(lambda n: {"a": [], "b": [DENIAL] if n % 2 else [VAGUE]}),
    "two who always disagree": _audits(lambda n: {"a": [DENIAL] if n % 2 else [], "b": [] if n % 2 else [DENIAL]}),
    "an auditor who failed": _audits(lambda n: {"a": _failed("a"), "b": [DENIAL] if n % 2 else []}),
    "all failed": _audits(lambda n: {"a": _failed("a"), "b": _failed("b")}),
    "empty responses": [{"id": f"r{n}", "response": " ", "audits": {}} for n in range(2)],
}


@pytest.mark.parametrize("shape", AUDITS)
def test_what_is_printed_of_audits_holds_nothing_undefined(tmp_path, shape):
    run = audited_run(tmp_path / "run", AUDITS[shape], auditors=("a", "b"))
    check_command("show", run, "--texts")
    check_command("show", run, "--json")
    check_command("gate", run, "--min", "mean_score=50", "--bound", codes=(100,))
    check_report(run)
    check_exports(run, tmp_path)


@pytest.mark.parametrize("response", ["", "The bridge opened in 1907."])
def test_an_audit_by_rules_and_a_score_of_given_violations_hold_nothing_undefined(tmp_path, response):
    item = {"id": "a", "response": response, "facts": FACTS[:1]}
    (tmp_path / "a.jsonl").write_text(json.dumps(item))
    (tmp_path / "v.jsonl").write_text(json.dumps({"id": "a", "violations": []}))
    for form in ((), ("--json",)):
        check_command("integrity", "audit", "--responses", tmp_path / "a.jsonl", "-o", tmp_path / "run", *form)
        check_command("integrity", "score", tmp_path / "v.jsonl", *form)
