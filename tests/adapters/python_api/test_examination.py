import asyncio
import os
import signal

import pytest

import voirdire as vd
from voirdire.data.packaged_files import read_text
from voirdire.ddft.presets import PresetError
from voirdire.ddft.study import StudyError
from voirdire.models import simulated
from voirdire.runs import Interrupted, RunFolder, RunFolderError

SMALL = {"jury": "simulated/judge", "concepts": "recursion", "levels": [0, 1], "progress": False}


@pytest.fixture
def calls(monkeypatch):
    """Every call to a simulated model."""
    made, complete = [], simulated.SimulatedModel.complete

    async def completed(self, *given, **options):
        made.append(self)
        return await complete(self, *given, **options)

    monkeypatch.setattr(simulated.SimulatedModel, "complete", completed)
    return made


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_same_call_goes_on_with_the_same_run_and_says_so(here, calls, capsys):
    first = vd.run("simulated/steady", **SMALL | {"progress": True})
    assert "is there" not in capsys.readouterr().err
    paid = len(calls)
    again = vd.run(["simulated/steady"], **SMALL | {"progress": True})

    assert paid == len(first.calls) == len(calls) == 2 * 2 * 5
    assert again.path == first.path and again.path.parent.name == "runs"
    assert f"Continuing the run in {again.path}: what was answered is not asked again." in capsys.readouterr().err


def test_without_a_preset_it_is_the_quick_one_and_the_printed_line_says_what_that_means(here):
    run = vd.run("simulated/steady", "simulated/judge", progress=False)
    assert run.manifest["preset"]["name"] == "quick"
    for shown in (str(run), run._repr_html_()):
        assert "Preset quick, 2 concepts: a first look without intervals" in shown
        assert "the preset sound has them." in shown
    assert vd.plan("simulated/steady", "simulated/judge").estimate.calls == len(run.calls)


def test_a_run_that_other_settings_refuse_is_not_said_to_go_on(here, capsys):
    vd.run("simulated/steady", **SMALL, out="runs/first")
    with pytest.raises(RunFolderError, match=r"begun with other settings \(preset\.samples: 1 there, 2 now\)"):
        vd.run("simulated/steady", **SMALL | {"progress": True}, samples=2, out="runs/first")
    assert "is there" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "changed", [{"seed": 1}, {"jury": None}, {"levels": [0]}, {"concepts": ["phoneme"]}, {"trap": "law"}]
)
def test_whatever_else_is_asked_is_another_run(here, changed):
    first, other = vd.run("simulated/steady", **SMALL), vd.run("simulated/steady", **SMALL | changed)
    assert other.path != first.path


def test_a_limit_does_not_make_another_run_and_stopped_early_is_said(here, capsys):
    part = vd.run("simulated/steady", **SMALL | {"progress": True}, max_calls=12, connections=1)
    assert "Not complete: the limit of 12 calls is reached." in capsys.readouterr().err
    assert "Not complete: 1 of 2 dialogues " in str(part)
    whole = vd.run("simulated/steady", **SMALL)
    assert whole.path == part.path and len(whole.turns) == 10
    assert "Not complete" not in str(whole)


def test_a_run_of_which_nothing_is_judged_yet_shows_itself(here):
    part = vd.run("simulated/steady", **SMALL, max_calls=1)
    assert str(part).startswith("Nothing is judged yet: ") and "\n" not in str(part)
    assert "No turn has been judged yet." in part._repr_html_()
    assert part.profiles.empty


def test_one_name_level_or_path_stands_without_a_list(here):
    (here / "mine.yaml").write_text(read_text("presets/quick.yaml"))
    run = vd.run("simulated/steady", "simulated/judge", "recursion", here / "mine.yaml", here / "r", levels=0.5)
    assert (run.path, set(run.turns["level"])) == (here / "r", {0.5})
    assert vd.run("simulated/steady", **SMALL | {"levels": "0,1"}).path == vd.run("simulated/steady", **SMALL).path


def test_it_works_where_an_event_loop_runs_already(here):
    async def cell():
        return vd.run("simulated/steady", **SMALL)

    assert len(asyncio.run(cell()).turns) == 10


def test_an_interrupt_keeps_what_was_answered_and_the_same_call_goes_on(here, monkeypatch, calls):
    complete = simulated.SimulatedModel.complete

    async def pressed(self, *given, **options):
        if len(calls) == 7:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.01)
        return await complete(self, *given, **options)

    monkeypatch.setattr(simulated.SimulatedModel, "complete", pressed)
    with pytest.raises(Interrupted, match="Every answer so far is kept in runs/steady-quick-") as stopped:
        vd.run("simulated/steady", **SMALL)
    monkeypatch.setattr(simulated.SimulatedModel, "complete", complete)
    kept = len(vd.load(stopped.value.path).calls)
    whole = vd.run("simulated/steady", **SMALL)

    assert whole.path == stopped.value.path
    assert 0 < kept < 20 == len(whole.calls) == len(calls)


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"preset": "nonsense"}, PresetError, "nonsense"),
        ({"models": []}, StudyError, "No model was named"),
        ({"models": 3}, ValueError, "A name or a list of names is expected; 3 was given"),
        ({"concepts": [3]}, ValueError, "A name or a list of names is expected"),
        ({"seed": "first"}, ValueError, "seed: 'first' is not a whole number"),
        ({"out": 3}, TypeError, "A path is a text or a pathlib.Path; 3 was given"),
    ],
)
def test_a_mistake_is_one_sentence_before_anything_is_asked(here, calls, given, error, says):
    with pytest.raises(error, match=says):
        vd.run(**{"models": "simulated/steady", **SMALL, **given})
    assert not calls and not (here / "runs").exists()


def test_runs_with_a_cache_share_replies_and_an_alias_is_shown(here):
    first = vd.run("simulated/steady", **SMALL, cache=here / "cache", out=here / "first")
    other = vd.run("simulated/steady as mine", **SMALL, cache=str(here / "cache"), out=here / "other")
    asked = first.table("turns")["answer"]
    assert list(other.table("turns")["answer"]) == list(asked)
    assert set(other.table("turns")["model"]) == {"mine"}
    with RunFolder.open(here / "other", read_only=True) as folder:
        assert folder.journal.totals().calls == 0 < folder.journal.totals().cached
