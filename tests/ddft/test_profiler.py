import asyncio
import json

import pytest

from ddft import CognitiveProfiler
from voirdire.ddft.compression import LevelError
from voirdire.ddft.concepts import ConceptError

LEVELS = [0.0, 0.25, 0.5, 0.75, 1.0]
CONCEPTS = ["Natural Selection", "Recursion", "Phoneme"]


def assess(path, **changes):
    options = {"model": "simulated/fading", "jury": ["simulated/judge"], "run": path} | changes
    profiler = CognitiveProfiler(**options)
    return profiler.run_complete_assessment(concepts=CONCEPTS, compression_levels=LEVELS)


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return assess(tmp_path_factory.mktemp("runs") / "r")


def test_the_papers_quick_start_gives_score_phenotype_and_danger_zone(profile):
    assert profile.ci_score == profile.metrics["CI_raw"].value
    assert profile.paper_index.phenotype in ("Robust", "Competent", "Brittle")
    assert profile.phenotype == (profile.paper_index.phenotype if profile.paper_index.reliable else None)
    assert 0 <= profile.danger_zone_pct <= 100


def test_it_works_in_a_running_event_loop_and_gives_the_same(profile, tmp_path):
    async def notebook():
        return assess(tmp_path / "r")

    assert asyncio.run(notebook()).metrics == profile.metrics


def test_turns_is_a_table_with_questions_answers_and_scores(profile):
    assert len(profile.turns) == 3 * 5 * 5
    assert {"question", "answer", "far", "sas", "stance", "trap_item"} <= set(profile.turns.columns)
    assert profile.turns["far"].notna().any()


def test_json_can_be_read_back_and_intervals_hold_the_estimates(profile):
    read = json.loads(profile.to_json())
    assert read["metrics"]["ER"] == profile.metrics["ER"].value
    for name, interval in profile.intervals.items():
        assert interval.low <= profile.metrics[name].value <= interval.high


def test_with_no_jury_named_the_notes_say_what_the_reference_panel_is_worth(tmp_path):
    profiler = CognitiveProfiler(model="simulated/steady", run=tmp_path / "r")
    profile = profiler.run_complete_assessment(concepts=["Recursion"], compression_levels=[0.0])
    assert "reference panel" in profile.notes[0]


@pytest.mark.parametrize(
    ("concepts", "levels", "error"), [(["Nonsense"], [0.0], ConceptError), (["Recursion"], [2.0], LevelError)]
)
def test_mistakes_are_refused_before_anything_is_asked(tmp_path, concepts, levels, error):
    profiler = CognitiveProfiler(model="simulated/steady", run=tmp_path / "r")
    with pytest.raises(error):
        profiler.run_complete_assessment(concepts=concepts, compression_levels=levels)
    assert not (tmp_path / "r").exists()
