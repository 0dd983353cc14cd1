"""Whatever people said, or left unsaid, nothing of `raters` prints NaN, infinity, or a traceback."""

import pytest

from tests.raters._projects import labelled_project, scored, violation
from tests.raters.anchoring.examples import settled
from tests.raters.comparison.examples import (
    audit_project,
    audit_run,
    detector_file,
    label_project,
    label_run,
    turn_project,
    turn_run,
)
from tests.support.finite import check_command
from voirdire.raters import project_loader

GOOD, BAD = "faithful", "invented"
TRUTH = [[GOOD, BAD]] * 4
LABELS = {
    "one person": {"ann": [GOOD] * 8},
    "nobody": {"ann": [None] * 8, "ben": [None] * 8},
    "all alike": {"ann": [GOOD] * 8, "ben": [GOOD] * 8},
    "always disagree": {"ann": [GOOD, BAD] * 4, "ben": [BAD, GOOD] * 4},
    "one always says the same": {"ann": [GOOD] * 8, "ben": [GOOD, BAD, "speculative", "reliable"] * 2},
    "never the same item": {"ann": [GOOD, None] * 4, "ben": [None, BAD] * 4},
    "one item twice": {"ann": [GOOD] * 8, "ben": [BAD] + [None] * 7},
    "nothing but small talk": {"ann": ["irrelevant"] * 8, "ben": ["irrelevant"] * 8},
}
DENIAL, VAGUE = violation("fact_denial", 0, "F1", "1930"), violation("vagueness", 1, None, "may")
VIOLATIONS = {
    "nobody": {"ann": [None] * 4, "ben": [None] * 4},
    "all alike": {"ann": [[VAGUE]] * 4, "ben": [[VAGUE]] * 4},
    "always disagree": {"ann": [[DENIAL], []] * 2, "ben": [[], [DENIAL]] * 2},
    "one always says the same": {"ann": [[]] * 4, "ben": [[DENIAL], [VAGUE]] * 2},
}
TURNS = {
    "nobody": {"ann": lambda *_: None, "ben": lambda *_: None},
    "all alike": {"ann": lambda *_: scored(1.0, 1.0), "ben": lambda *_: scored(1.0, 1.0)},
    "always disagree": {
        "ann": lambda far, sas, n: scored(n % 2, n % 2, "accepted"),
        "ben": lambda far, sas, n: scored(1 - n % 2, 1 - n % 2, "rejected"),
    },
    "no claims": {who: lambda far, sas, n: scored(None, n % 2, no_claims=True) for who in ("ann", "ben")},
    "one turn": {who: lambda far, sas, n: None if n else scored(0.5, 0.5) for who in ("ann", "ben")},
}


@pytest.fixture
def look(monkeypatch):
    """Look at what is printed of a project made by hand, alone and beside runs."""

    def check(project, *runs):
        for shown in (project, settled(project), settled(project, 2)):
            monkeypatch.setattr(project_loader, "read_project", lambda _, shown=shown: shown)
            for form in ((), ("--json",)):
                if shown is project:
                    check_command("rate", "plan", "p", *form)
                    check_command("rate", "agreement", "p", *form)
                    for run in runs:
                        check_command("rate", "agreement", "p", "--with", run, *form, codes=(0, 1))
                for run in runs:
                    check_command("rate", "anchor", "p", "--with", run, *form, codes=(0, 1))

    return check


@pytest.mark.parametrize("shape", LABELS)
def test_nothing_undefined_is_printed_of_labels(look, tmp_path, shape):
    unsure = detector_file(tmp_path / "scores.jsonl", TRUTH, [[None, None]] * 4)
    look(label_project(TRUTH, LABELS[shape]), label_run(tmp_path / "run", *TRUTH), unsure)


@pytest.mark.parametrize("shape", LABELS)
def test_nothing_undefined_is_printed_of_two_modes(monkeypatch, shape):
    projects = {
        "s": labelled_project(LABELS[shape]),
        "i": labelled_project({"cy": [GOOD] * 8, "di": [BAD] * 8}, mode="independent"),
    }
    monkeypatch.setattr(project_loader, "read_project", lambda path: projects[path.name])
    for form in ((), ("--json",)):
        check_command("rate", "agreement", "s", "--beside", "i", *form, codes=(0, 1))


@pytest.mark.parametrize("shape", VIOLATIONS)
def test_nothing_undefined_is_printed_of_violations(look, tmp_path, shape):
    run = audit_run(tmp_path / "run", {"x": [[DENIAL], []] * 2, "y": [[], [DENIAL]] * 2})
    look(audit_project(VIOLATIONS[shape]), run)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    return turn_run(tmp_path_factory.mktemp("turns") / "run")


@pytest.mark.parametrize("shape", TURNS)
def test_nothing_undefined_is_printed_of_turns(look, judged, shape):
    look(turn_project(judged, TURNS[shape]), judged)
