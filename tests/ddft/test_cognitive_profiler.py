import asyncio
import json
import os
import signal
import sys
import traceback

import pytest

from ddft import CognitiveProfiler
from voirdire.data.paths import PathTypeError
from voirdire.ddft.compression import LevelError
from voirdire.ddft.concepts import ConceptError
from voirdire.ddft.study import IncompleteError, StudyError
from voirdire.models import ModelError, simulated
from voirdire.runs import Interrupted, progress_display

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


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": 5}, "A model is named by a text, such as 'openai/gpt-5.1'; 5 was given."),
        ({"jury": 5}, "A name or a list of names is expected; 5 was given."),
        ({"run": 5}, "A path is a text or a pathlib.Path; 5 was given."),
    ],
)
def test_what_is_no_name_and_no_path_is_refused_in_a_sentence(tmp_path, changes, said):
    with pytest.raises((StudyError, PathTypeError)) as error:
        assess(tmp_path / "r", **changes)
    assert str(error.value) == said


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
    ends = profile.er_interval
    assert f": ER {profile.er:.3f}, 95 % interval {ends.low:.3f} to {ends.high:.3f}; complete=True; " in repr(profile)
    for name, interval in profile.intervals.items():
        assert interval.low <= profile.metrics[name].value <= interval.high


def test_er_of_a_model_that_seldom_answers_says_so_beside_it(tmp_path):
    profiler = CognitiveProfiler("simulated/subject?asks=0.6&reject=1", jury="simulated/judge", run=tmp_path / "r")
    found = profiler.run_complete_assessment(concepts=["Recursion"], compression_levels=[0.0, 0.5, 1.0])
    assert "; silence can win ER, and only " in repr(found)


def test_with_no_jury_named_the_notes_say_what_the_reference_panel_is_worth(tmp_path):
    profiler = CognitiveProfiler(model="simulated/steady", run=tmp_path / "r")
    profile = profiler.run_complete_assessment(concepts=["Recursion"], compression_levels=[0.0])
    assert "reference panel" in profile.notes[0]


def test_one_text_is_a_list_of_one(tmp_path):
    profiler = CognitiveProfiler("simulated/steady", jury="simulated/judge", run=tmp_path / "r")
    found = profiler.run_complete_assessment(concepts="recursion", compression_levels=[0.0])
    assert found.result.jury.startswith("judge-")


@pytest.mark.parametrize(
    ("concepts", "levels", "error"), [(["Nonsense"], [0.0], ConceptError), (["Recursion"], [2.0], LevelError)]
)
def test_mistakes_are_refused_before_anything_is_asked(tmp_path, concepts, levels, error):
    profiler = CognitiveProfiler(model="simulated/steady", run=tmp_path / "r")
    with pytest.raises(error):
        profiler.run_complete_assessment(concepts=concepts, compression_levels=levels)
    assert not (tmp_path / "r").exists()


def one_concept(path, **options):
    profiler = CognitiveProfiler(model="simulated/steady", run=path, **options)
    return profiler.run_complete_assessment(concepts=["Recursion"], compression_levels=[0.0, 0.5])


def test_it_asks_the_quick_test_unless_told_otherwise(tmp_path):
    found = CognitiveProfiler(model="simulated/steady", run=str(tmp_path / "r")).run_complete_assessment()
    assert found.result.preset == "quick"
    assert found.complete
    assert len(found.turns) == 2 * 3 * 5


@pytest.mark.parametrize(("calls", "judged"), [(1, False), (12, True)])
def test_a_run_that_its_budget_stopped_is_an_error_in_a_sentence_and_the_same_call_goes_on(tmp_path, calls, judged):
    path = tmp_path / "r"
    jury = ["simulated/judge"]
    with pytest.raises(IncompleteError, match=f"^The run in {path} is not complete: .*with this folder as `run`") as no:
        one_concept(path, jury=jury, max_calls=calls)
    assert ("give partial=True" in str(no.value)) == judged
    if judged:
        part = one_concept(path, jury=jury, max_calls=calls, partial=True)
        assert not part.complete
        assert "complete=False, stopped='the limit of" in repr(part) and "complete=False" in repr(part.result)
    else:
        with pytest.raises(IncompleteError, match="No answer has been judged yet, so there is no profile"):
            one_concept(path, jury=jury, max_calls=calls, partial=True)
    whole = one_concept(path, jury=jury)
    assert len(whole.turns) == 10
    assert repr(whole).startswith(f"<CognitiveProfile of simulated/steady: ER {whole.er:.3f}, no interval; ")


@pytest.mark.parametrize("asks_again", [False, True])
def test_one_unusable_verdict_is_said_beside_the_profile_and_a_failed_call_is_an_error(
    tmp_path, monkeypatch, asks_again
):
    said = simulated.SimulatedModel._reply_text

    def unusable(self, scene, schema, seed):
        if scene.answer is None or (scene.turn, scene.level) != (2, 0.5):
            return said(self, scene, schema, seed)
        if asks_again:
            raise ModelError("bad_request", "too long for me")
        return "I can't say."

    monkeypatch.setattr(simulated.SimulatedModel, "_reply_text", unusable)
    if asks_again:
        with pytest.raises(IncompleteError, match=r"1 dialogue lacks a verdict \(voirdire score asks again\)"):
            one_concept(tmp_path / "r", jury=["simulated/judge"])
        return
    found = one_concept(tmp_path / "r", jury=["simulated/judge"])
    assert found.metrics["K"].value is not None
    assert (found.complete, found.result.finished) == (False, True)
    assert "Turns that lack a judge's verdict or a score: 1 of 10 (10.0 %)." in found.notes
    assert "1 dialogue lacks a verdict that no further call brings" in repr(found)


def interrupt_at(call, monkeypatch, number=signal.SIGINT):
    """Have this process told to end at a call; the list of the calls so far."""
    complete, calls = simulated.SimulatedModel.complete, []

    async def completed(self, *given, **options):
        calls.append(number)
        if len(calls) == call:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.01)
        return await complete(self, *given, **options)

    monkeypatch.setattr(simulated.SimulatedModel, "complete", completed)
    return calls


def test_interrupted_before_anything_is_judged_a_part_that_is_asked_for_is_a_keyboard_interrupt(tmp_path, monkeypatch):
    interrupt_at(1, monkeypatch)
    with pytest.raises(Interrupted, match="Nothing is judged yet"):
        one_concept(tmp_path / "r", partial=True, jury=["simulated/judge"])
    assert one_concept(tmp_path / "r", jury=["simulated/judge"]).complete


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_script_gets_a_keyboard_interrupt_and_a_part_only_where_it_asks(tmp_path, monkeypatch, number):
    calls = interrupt_at(7, monkeypatch, number)
    monkeypatch.setattr("voirdire.ddft.study.units_at_once", lambda *_: 1)
    with pytest.raises(Interrupted) as interrupted:
        one_concept(tmp_path / "r")
    shown = "".join(traceback.format_exception(interrupted.value))
    assert shown.count("Traceback") == 1 and len(shown.splitlines()) < 15
    calls.clear()
    part = one_concept(tmp_path / "other", partial=True)
    assert not part.complete and "complete=False" in repr(part)
    assert len(part.turns) == 7
    assert not any("0 %" in note for note in part.notes)
    assert len(one_concept(tmp_path / "r").turns) == 10


@pytest.mark.parametrize(
    ("terminal", "notebook", "asked", "shown"),
    [
        (False, False, None, False),
        (False, False, True, True),
        (True, False, None, True),
        (True, False, False, False),
        (False, True, None, True),
        (False, True, False, False),
    ],
)
def test_progress_is_shown_where_somebody_watches_or_asks(
    tmp_path, monkeypatch, capsys, terminal, notebook, asked, shown
):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("voirdire.ddft.cognitive_profiler.in_notebook", lambda: notebook)
    monkeypatch.setattr(progress_display, "in_notebook", lambda: notebook)
    cell = lambda output, again: print(output["text/plain"], file=sys.stderr)  # noqa: E731
    monkeypatch.setattr(progress_display, "_publisher", lambda: cell)
    CognitiveProfiler(model="simulated/steady", run=tmp_path / "r", progress=asked).run_complete_assessment(
        concepts=["Recursion"], compression_levels=[0.0]
    )
    assert ("1 of 1 dialogues" in capsys.readouterr().err) == shown
