"""A run that two juries have judged: every command says whose figures it shows."""

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.ddft.analysis.runs import read_runs

SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1")


@pytest.fixture(scope="module")
def judged_twice(tmp_path_factory):
    """A run, what `score` printed, and the ids of its own jury and of the other."""
    path = tmp_path_factory.mktemp("runs") / "run"
    own = voirdire_json("run", "-m", "simulated/fading", "--jury", "simulated/judge", *SMALL, "-o", path)
    printed = voirdire("score", path, "--jury", "simulated/judge?leniency=0.3").stdout
    (other,) = voirdire_json("show", path)["other_juries"]
    return path, printed, own["jury"], other


def words(text):
    return " ".join(text.split())


def test_score_ends_with_the_command_that_shows_its_own_figures(judged_twice):
    path, printed, _, other = judged_twice
    assert f"voirdire show {path} --jury {other} --texts" in words(printed)


def test_the_run_s_own_jury_needs_no_name(judged_twice):
    path, _, _, _ = judged_twice
    assert f"voirdire show {path} --texts" in words(voirdire("show", path).stdout)


@pytest.mark.parametrize(
    "command",
    [
        ("show",),
        ("validate",),
        ("gate", "--min", "K=0"),
        ("report", "--to", "md"),
    ],
    ids=["show", "validate", "gate", "report"],
)
def test_every_output_says_who_else_judged_and_whose_figures_it_shows(judged_twice, command, tmp_path):
    path, _, own, other = judged_twice
    out = ("-o", tmp_path / "report.md") if command[0] == "report" else ()
    said = voirdire(*command, path, *out).stdout
    text = words(f"{said} {(tmp_path / 'report.md').read_text()}" if out else said)
    text = text.replace("\\", "")
    assert f"Also judged by {other} (simulated/judge?leniency=0.3)." in text
    assert f"These figures are of {own}; voirdire's commands show the others' with --jury ID." in text


def test_that_others_judged_it_too_is_no_warning(judged_twice):
    path, _, own, other = judged_twice
    printed = voirdire_json("gate", path, "--max", "danger_zone_pct=100", check=False)
    assert printed["notes"][0].startswith(f"{path}: Also judged by {other}")
    assert not any("Also judged" in each for each in printed["warnings"])
    runs = read_runs([path], own)
    assert "Also judged" in runs.cautions[-1] and "Also judged" not in runs.caution_in_brief


@pytest.mark.parametrize("command", ["show", "validate"])
def test_json_names_the_other_juries_with_their_judges(judged_twice, command):
    path, _, own, other = judged_twice
    assert voirdire_json(command, path)["other_juries"] == {other: ["simulated/judge?leniency=0.3"]}
    for named in (other, "simulated/judge?leniency=0.3"):
        assert voirdire_json(command, path, "--jury", named)["other_juries"] == {own: ["simulated/judge"]}


def test_a_jury_that_sat_alone_is_not_followed_by_others(judged_twice, tmp_path):
    alone = ("run", "-m", "simulated/fading", "--jury", "simulated/judge", *SMALL, "-o", tmp_path / "run")
    assert "Also judged" not in voirdire(*alone).stdout


def test_what_is_reckoned_over_runs_says_so_too(judged_twice):
    path, _, own, other = judged_twice
    cautions = voirdire_json("ddft", "predictions", path)["cautions"]
    assert any(f"{path}: Also judged by {other}" in each and f"These figures are of {own}" in each for each in cautions)
