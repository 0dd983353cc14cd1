"""A run with a rule, held from beginning to end on simulated models."""

import asyncio
import dataclasses
import json

import pytest

from voirdire.ddft.analysis.comparing.compare import CompareError, compare
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.metric_intervals import default_intervals
from voirdire.ddft.metrics import values
from voirdire.ddft.presets import load_preset
from voirdire.ddft.report.sections import document
from voirdire.ddft.results import load_run
from voirdire.ddft.session import run_study
from voirdire.ddft.stopping import StopRule
from voirdire.ddft.study import StudyError, StudyPlan, dialogue_specs
from voirdire.models import Pace
from voirdire.reports.formats.markdown import to_markdown
from voirdire.runs import NullProgress, RunFolderError, RunOptions
from voirdire.stats.sequential import nominal_level

SURE, UNSURE = "simulated/steady", "simulated/subject?accuracy=0.9..0.2&reject=0.5&concept_sd=1"
PLAN = StudyPlan(
    models=(SURE, UNSURE),
    concepts=tuple(find_concepts()),
    preset=load_preset("sound"),
    jury=("simulated/judge",),
    seed=3,
    stop_when=StopRule("ER", 0.06),
)


class Watching(NullProgress):
    def __init__(self):
        self.spared, self.said = 0, []
        self.left = {}

    def expect(self, work, **_):
        self.left = {each.queue: each.dialogues for each in work}

    def dialogue_done(self, queue="", *, failed=False):
        self.left[queue] -= 1

    def dialogues_spared(self, number, queue=""):
        self.spared += number
        self.left[queue] -= number

    def say(self, text):
        self.said.append(text)


def held(path, plan=PLAN, **options):
    return asyncio.run(run_study(plan, path, RunOptions(**options)))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path, progress = tmp_path_factory.mktemp("runs") / "ruled", Watching()
    return held(path, progress=progress), progress


def test_progress_is_told_of_every_models_own_dialogues(run):
    assert run[1].left == dict.fromkeys(PLAN.models, 0)


def profile(result, model):
    return next(each for each in result.profiles if each.model == model)


def test_a_model_whose_interval_is_narrow_enough_is_asked_no_further_while_the_others_go_on(run):
    result, progress = run
    asked = {model: frame["dialogue"].nunique() for model, frame in result.tables.turns.groupby("model")}
    assert asked == {SURE: 30, UNSURE: 40}
    assert progress.spared == 10
    assert result.stopped is None
    assert profile(result, SURE).interim_analyses.narrow
    assert not profile(result, UNSURE).interim_analyses.narrow


def test_both_are_told_with_their_numbers(run):
    result, progress = run
    sure, unsure = str(profile(result, SURE).notes[0]), str(profile(result, UNSURE).notes[0])
    assert sure.startswith("Stopped after 30 of 40 dialogues: ER has an interval 0.")
    ends = profile(result, SURE).intervals["ER"]
    assert f"ER has an interval {ends.high - ends.low:.2g} wide, and 0.12 (±0.06) is enough" in sure
    assert "no correction" in sure
    assert unsure.startswith("All 40 dialogues were held: ER has an interval 0.")
    assert "and 0.12 (±0.06) would be enough; intervals are corrected for 2 interim analyses." in unsure
    assert {f"{SURE}: {sure}", f"{UNSURE}: {unsure}"} == set(progress.said)


def test_the_dialogues_asked_are_the_first_ones_of_the_order(run):
    first = {planned.id for planned in dialogue_specs(PLAN) if planned.model == SURE}
    ordered = [planned.id for planned in dialogue_specs(PLAN) if planned.model == SURE][:30]
    asked = set(run[0].tables.turns["dialogue"])
    assert asked & first == set(ordered)


def test_every_look_is_the_interval_of_the_dialogues_before_it(run):
    result, _ = run
    for model in PLAN.models:
        order = [planned.id for planned in dialogue_specs(PLAN) if planned.model == model]
        for analysis in profile(result, model).interim_analyses.analyses:
            seen = result.scores[result.scores["dialogue"].isin(order[: analysis.dialogues])]
            cell = cells(read_answers(checked(seen)))
            level = nominal_level(analysis.dialogues, 30)
            interval = default_intervals(cell, values(cell), level=level)[0]["ER"]
            assert analysis.half_width == pytest.approx((interval.high - interval.low) / 2)


def test_intervals_are_those_of_the_corrected_level_and_hold_at_95_percent(run):
    unsure = profile(run[0], UNSURE)
    cell = cells(read_answers(checked(run[0].scores[run[0].scores["model"] == UNSURE])))
    wider = default_intervals(cell, values(cell), level=nominal_level(40, 30))[0]
    plain = default_intervals(cell, values(cell))[0]
    for name, interval in unsure.intervals.items():
        assert interval.level == 0.95
        assert (interval.low, interval.high) == pytest.approx((wider[name].low, wider[name].high))
    assert unsure.intervals["ER"].low < plain["ER"].low < plain["ER"].high < unsure.intervals["ER"].high


def test_what_takes_whole_concepts_has_no_value_where_they_were_asked_about_in_part(run):
    sure, unsure = (profile(run[0], model) for model in PLAN.models)
    for name in ("HOC", "HOC_onset", "first_failing_level", "CI_raw", "CI_norm"):
        assert sure.metrics[name].value is None
        assert sure.metrics[name].reason.code == "stopped_early"
        assert name not in sure.percentile_intervals
    assert sure.paper_index.phenotype is None
    assert unsure.metrics["HOC"].value is not None
    assert unsure.paper_index.phenotype is not None


def test_json_tells_the_looks(run):
    told = json.loads(profile(run[0], UNSURE).to_json())["stopping"]
    assert [analysis["dialogues"] for analysis in told["interim_analyses"]] == [30, 40]
    assert (told["rule"], told["asked"], told["dialogues"], told["narrow"]) == ("ER±0.06", 40, 40, False)
    assert told["nominal_level"] == pytest.approx(nominal_level(40, 30))


def test_reading_it_again_and_running_it_again_say_the_same_and_call_nothing(run):
    result, _ = run
    assert load_run(result.path).as_dict() == result.as_dict()
    assert held(result.path).as_dict() == result.as_dict()


def test_a_run_that_was_interrupted_between_looks_comes_to_the_same_end(run, tmp_path):
    first = held(tmp_path / "cut", max_calls=640)
    assert "calls" in first.stopped
    assert [len(each.interim_analyses.analyses) for each in first.profiles] == [1, 1]
    assert held(tmp_path / "cut").as_dict()["models"] == run[0].as_dict()["models"]


def test_a_run_can_not_be_gone_on_with_under_another_rule(run):
    with pytest.raises(RunFolderError):
        held(run[0].path, dataclasses.replace(PLAN, stop_when=StopRule("ER", 0.05)))


def test_a_rule_and_judging_by_batch_exclude_each_other(tmp_path):
    plan = dataclasses.replace(PLAN, jury=("openai/gpt-5.1",))
    with pytest.raises(StudyError, match="leave out --batch or --stop-when"):
        held(tmp_path / "run", plan, batch=Pace())
    assert not (tmp_path / "run").exists()


def test_without_a_rule_nothing_changes(tmp_path):
    plan = dataclasses.replace(
        PLAN, models=(SURE,), preset=dataclasses.replace(PLAN.preset, levels=(0.0,)), stop_when=None
    )
    (found,) = held(tmp_path / "plain", plan).profiles
    assert found.interim_analyses is None
    assert found.as_dict()["stopping"] is None
    assert "stop_when" not in json.loads((tmp_path / "plain" / "run.json").read_text())


def test_a_comparison_corrects_the_same_intervals_and_refuses_what_the_stopped_model_does_not_tell(run):
    runs = read_runs([run[0].path])
    found = compare(runs, draws=200)
    for standing in found.models:
        assert standing.interval == profile(run[0], standing.model).intervals["ER"]
    assert "stopped 1 of 2 models early" in found.cautions[-1]
    with pytest.raises(CompareError, match=r"stopped by ER±0\.06 before every concept"):
        compare(runs, "CI_raw")


def test_a_report_says_that_a_rule_ended_the_run_and_how_much_was_asked(run):
    said = to_markdown(document([run[0].path]))
    assert "until its interval was narrow enough or nothing was left to ask (ER±0.06): 70 of 80 dialogues" in said
    assert str(profile(run[0], SURE).interim_analyses.note) in said
