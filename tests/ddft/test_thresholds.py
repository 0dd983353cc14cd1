"""A preset's own thresholds: what they change, where that is shown, and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.ddft._scores import row, simulated, table
from voirdire.ddft.analysis.comparing.shared import read_study, shared_answers
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import values
from voirdire.ddft.paper_index import phenotype
from voirdire.ddft.presets import PresetError, load_preset, parse_preset, preset_of
from voirdire.ddft.report.flags import filters, flags_of, in_danger_zone
from voirdire.ddft.results import load_run
from voirdire.ddft.stopping.interim import cells_of
from voirdire.ddft.thresholds import METRICS_BY_THRESHOLD, NAMES, PAPER, Thresholds, different_thresholds

JUDGE = "simulated/judge"
OWN = "extends: quick\nthresholds: {wrong_far: 0.85, failed_level_far: 0.85}\n"
STRICT = Thresholds(wrong_far=0.85, failed_level_far=0.85)


def measured(scores, thresholds=PAPER):
    return {name: value.value for name, value in values(cells(read_answers(checked(scores), thresholds))).items()}


def one_line(text):
    return " ".join(text.replace("│", " ").split())


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run that counts by thresholds of its preset's own, and the same by the paper's."""
    folder = tmp_path_factory.mktemp("thresholds")
    (folder / "own.yaml").write_text(OWN)
    asked = ("run", "-m", "simulated/steady", "-m", "simulated/fading", "--jury", JUDGE)
    voirdire(*asked, "-p", folder / "own.yaml", "-o", folder / "own")
    voirdire(*asked, "-p", "quick", "-o", folder / "paper")
    return folder


def test_the_papers_thresholds_are_those_of_the_paper():
    assert PAPER == Thresholds(0.70, 0.7, 0.7, 0.5, 0.2, 0.60, 0.30)


def test_each_threshold_counts_what_it_says():
    scores = table(row(far=0.75, sas=0.75), row(turn=2, far=0.15, sas=0.45))
    assert measured(scores)["danger_zone_pct"] == 0.0
    assert measured(scores, Thresholds(wrong_far=0.8))["danger_zone_pct"] == 50.0
    assert measured(scores, Thresholds(wrong_far=0.8, fluent_sas=0.8))["danger_zone_pct"] == 0.0
    assert measured(scores)["coupled_collapse"] == 0.5
    assert measured(scores, Thresholds(incoherent_sas=0.4))["coupled_collapse"] == 0.0
    assert measured(scores, Thresholds(wrong_far=0.1))["coupled_collapse"] == 0.0
    assert measured(scores)["FAR_prime"] == 0.15
    assert measured(scores, Thresholds(incoherent_sas=0.4))["FAR_prime"] is None
    assert measured(scores)["SAS_prime"] == 0.75
    assert measured(scores, Thresholds(partly_right_far=0.1))["SAS_prime"] == pytest.approx(0.6)
    assert measured(scores)["failed_at_0"] == 1.0
    assert measured(scores, Thresholds(failed_level_far=0.4))["failed_at_0"] == 0.0


@pytest.mark.parametrize(("ci", "label"), [(0.65, "Competent"), (0.75, "Robust"), (0.45, "Brittle")])
def test_the_label_goes_by_the_presets_bounds(ci, label):
    assert phenotype(ci, Thresholds(robust_index=0.7, competent_index=0.5)) == label


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS_BY_THRESHOLD[name]])
def test_the_metrics_that_rest_on_a_threshold_are_those_that_it_moves(name):
    moved = set()
    for seed in range(4):
        scores = simulated(seed=seed)
        for value in (0.1, 0.3, 0.45, 0.8):
            by_own = measured(scores, replace(PAPER, **{name: value}))
            moved |= {metric for metric, by_paper in measured(scores).items() if by_own[metric] != by_paper}
    assert moved == set(METRICS_BY_THRESHOLD[name]) - {"CI_norm"}
    assert set(replace(PAPER, **{name: 0.45}).metrics) == set(METRICS_BY_THRESHOLD[name])


def test_the_reason_for_no_value_names_the_bound_that_counts():
    scores = checked(table(row(far=0.1, sas=0.6)))
    why = values(cells(read_answers(scores, Thresholds(incoherent_sas=0.4, partly_right_far=0.3))))
    assert str(why["FAR_prime"].reason) == "no turn with a FAR has SAS below 0.4"
    assert str(why["SAS_prime"].reason) == "no turn has FAR above 0.3"
    why = values(cells(read_answers(scores)))
    assert str(why["FAR_prime"].reason) == "no turn with a FAR has SAS below 0.5"
    assert str(why["SAS_prime"].reason) == "no turn has FAR above 0.2"


def test_the_filter_of_the_dialogues_counts_as_the_figure_does():
    strict = Thresholds(wrong_far=0.9)
    turn = {"turn": 1, "far": 0.85, "sas": 0.9, "no_claims": False, "stance": None, "unscored": None}
    assert flags_of(turn, (), None) == () and flags_of(turn, (), None, strict) == ("danger",)
    assert in_danger_zone(table(turn), strict).all() and not in_danger_zone(table(turn)).any()
    assert filters(strict)[0].help == "Fluent and wrong: SAS above 0.7 and FAR below 0.9."


def test_a_stopping_rule_and_a_comparison_count_by_them():
    rows = [row(turn=turn, far=0.8, sas=0.9) | {"model": "m"} for turn in (1, 2, 3)]
    assert cells_of(rows, STRICT).totals(np.ones((1, 1)))["danger"].item() == 3
    assert cells_of(rows).totals(np.ones((1, 1)))["danger"].item() == 0
    study = read_study(table(*rows, *(each | {"model": "n"} for each in rows)), thresholds=STRICT)
    for answers in shared_answers(study, ("m", "n")).answers:
        assert cells(answers).totals(np.ones((1, 1)))["danger"].item() == 3


def test_packaged_presets_have_the_identity_that_they_had():
    for name in ("sound", "lite", "published"):
        assert "thresholds" not in load_preset(name).identity()
    assert "thresholds" not in parse_preset("thresholds: {fluent_sas: 0.7}", "mine", "mine").identity()


def test_a_run_records_them_and_reads_them_back(runs):
    recorded = json.loads((runs / "own" / "run.json").read_text())["preset"]
    assert recorded["thresholds"] == STRICT.as_dict()
    assert preset_of(recorded).thresholds == load_run(runs / "own").thresholds == STRICT
    assert "thresholds" not in json.loads((runs / "paper" / "run.json").read_text())["preset"]


def test_a_changed_threshold_is_another_run(runs):
    (runs / "changed.yaml").write_text("extends: quick\nthresholds: {wrong_far: 0.8}\n")
    asked = ("run", "-m", "simulated/steady", "-m", "simulated/fading", "--jury", JUDGE)
    refused = voirdire(*asked, "-p", runs / "changed.yaml", "-o", runs / "own", check=False)
    assert refused.returncode == 1 and "preset" in refused.stderr


def test_the_effect_stands_beside_in_every_output(runs):
    own, paper = (voirdire_json("show", runs / name) for name in ("own", "paper"))
    assert own["thresholds"]["preset"] == STRICT.as_dict() and own["thresholds"]["paper"] == PAPER.as_dict()
    assert "thresholds" not in paper
    by_paper = {each["model"]: each["metrics"] for each in paper["models"]}
    by_own = {each["model"]: each["metrics"] for each in own["models"]}
    for each in own["thresholds"]["by_the_paper"]:
        model = each["model"]
        assert each["metrics"] == {name: by_paper[model][name] for name in each["metrics"]}
        assert each["metrics"]["danger_zone_pct"] != by_own[model]["danger_zone_pct"]
        untouched = by_own[model].keys() - each["metrics"]
        assert {name: by_own[model][name] for name in untouched} == {name: by_paper[model][name] for name in untouched}
    danger = f"{by_paper['simulated/fading']['danger_zone_pct']:.1f}"
    said = one_line(voirdire("show", runs / "own", "--all").stdout)
    assert "failed_level_far 0.85 (paper: 0.7) and wrong_far 0.85 (paper: 0.7)" in said and danger in said
    assert "SAS > 0.7, FAR < 0.85" in said
    report = one_line(voirdire("report", runs / "own", "--to", "md").stdout)
    assert "wrong_far 0.85 (paper: 0.7)" in report and danger in report and STRICT.sha256[:10] in report
    assert "FAR below 0.85" in report and "FAR below 0.7)" not in report
    gate = voirdire_json("gate", runs / "own", "--max", "danger_zone_pct=100")
    assert any(f"danger_zone_pct {danger}" in warning for warning in gate["warnings"])
    compared = voirdire_json("compare", runs / "own", "--metric", "danger_zone_pct")
    assert any(f"By the paper's thresholds danger zone is {danger}" in note for note in compared["notes"])
    plan = voirdire_json("plan", "-m", "simulated/steady", "--jury", JUDGE, "-p", runs / "own.yaml")
    assert "wrong_far" in json.dumps(plan)
    said = voirdire("plan", "-m", "simulated/steady", "--jury", JUDGE, "-p", runs / "own.yaml").stdout
    assert "wrong_far 0.85 (paper: 0.7)" in one_line(said)


def test_runs_with_different_thresholds_are_compared_by_the_papers(runs):
    both = voirdire_json("compare", runs / "own", runs / "paper", "--metric", "danger_zone_pct")
    assert "different thresholds" in both["cautions"][0] and "counted by the paper's" in both["cautions"][0]
    values = {each["model"]: each["value"] for each in both["models"]}
    for model in ("simulated/steady", "simulated/fading"):
        assert values[f"{model} ({runs / 'own'})"] == values[f"{model} ({runs / 'paper'})"]
    assert not any("By the paper's" in note for note in both["notes"])
    alone = voirdire_json("compare", runs / "own", "--metric", "danger_zone_pct")
    assert alone["models"][0]["value"] != both["models"][0]["value"]


def test_a_gate_over_runs_with_different_thresholds_says_so(runs):
    gate = voirdire_json("gate", runs / "own", runs / "paper", "--min", "K=0.01")
    assert "a limit does not mean the same for all of them" in gate["warnings"][0]
    assert not voirdire_json("gate", runs / "paper", "--min", "K=0.01")["warnings"]


def test_a_gate_on_one_model_tells_of_that_model_alone(runs):
    asked = ("gate", runs / "own", "--max", "danger_zone_pct=99")
    both = voirdire_json(*asked)["warnings"]
    alone = voirdire_json(*asked, "--only-model", "simulated/fading")["warnings"]
    by_paper = [warning for warning in both if "by the paper's thresholds" in warning]
    assert any("simulated/fading: by" in warning for warning in by_paper) and len(by_paper) == 2
    assert alone == [warning for warning in both if "simulated/steady" not in warning]


def test_a_sentence_names_the_runs_of_each():
    said = different_thresholds({"a": PAPER, "b": STRICT, "c": PAPER})
    assert said == (
        "The runs have different thresholds: the paper's in a and c; failed_level_far 0.85 (paper: 0.7) and wrong_far "
        "0.85 (paper: 0.7) in b."
    )


@pytest.mark.parametrize(
    ("thresholds", "says"),
    [
        ("{theta: 0.8}", "thresholds: there is no 'theta'; there are competent_index, failed_level_far"),
        ("{fluent_sas: 1.2}", "thresholds.fluent_sas: 1.2 must lie in [0, 1]"),
        ("{fluent_sas: -0.1}", "must lie in [0, 1]"),
        ("{fluent_sas: high}", "thresholds.fluent_sas: 'high' is not a number"),
        ("{fluent_sas: true}", "True is not a number"),
        ("{fluent_sas: .nan}", "is not a number"),
        ("{fluent_sas: 0.4}", "incoherent_sas (0.5) must not be above fluent_sas (0.4)"),
        ("{robust_index: 0.3}", "competent_index (0.3) must be below robust_index (0.3)"),
        ("[0.7]", "a mapping of names to numbers is expected"),
    ],
)
def test_what_is_no_threshold_is_refused_in_one_sentence(thresholds, says):
    with pytest.raises(PresetError) as caught:
        parse_preset(f"extends: quick\nthresholds: {thresholds}\n", "mine.yaml", "mine")
    assert says in str(caught.value) and "\n" not in str(caught.value)
    assert str(caught.value).startswith("mine.yaml: ")


def test_where_no_figure_would_be_another_by_the_paper_that_is_said(tmp_path):
    (tmp_path / "near.yaml").write_text("extends: quick\nthresholds: {fluent_sas: 0.70001}\n")
    asked = ("run", "-m", "simulated/steady", "--jury", JUDGE, "--concepts", "recursion")
    voirdire(*asked, "-p", tmp_path / "near.yaml", "-o", tmp_path / "near")
    said = one_line(voirdire("show", tmp_path / "near", "--all").stdout)
    assert "fluent_sas 0.70001 (paper: 0.7). By the paper's, every figure is the same." in said
    assert "None." not in said.partition("The preset's own thresholds")[2][:200]
