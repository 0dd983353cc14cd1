"""A folder that holds no whole cross-examination is refused in a sentence that names the file and what it lacks."""

import asyncio
import json
from pathlib import Path

import pytest

from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.folders import check_manifest, open_examination
from voirdire.ddft.person_check.records import read_judged
from voirdire.ddft.presets import load_preset
from voirdire.ddft.results import dialogues_in, jury_of, load_run
from voirdire.ddft.session import score_run
from voirdire.ddft.study import StudyError, StudyPlan
from voirdire.runs import JournalError, RunFolder, RunFolderError

PLAN = StudyPlan(("simulated/steady",), tuple(find_concepts(["recursion"])), load_preset("sound")).manifest()
WHOLE = json.loads(json.dumps(PLAN))


def folder(path, manifest):
    RunFolder.create(path, {}).close()
    (path / "run.json").write_text(json.dumps(manifest))
    return path


def without(key):
    return {name: value for name, value in WHOLE.items() if name != key}


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ({}, "run.json names no instrument: it is damaged"),
        ({"instrument": "cognibench"}, "holds labels of answers and no cross-examination: voirdire show, report, "),
        (
            {"instrument": "other"},
            "holds a run of 'other' and no cross-examination: voirdire export and verify read it.",
        ),
        ({"instrument": "ddft"}, "is damaged: it lacks models, interviewer, jury, seed, preset, concepts;"),
        (without("preset"), "is damaged: it lacks preset;"),
        (WHOLE | {"concepts": ["recursion"]}, "is damaged: concepts is not an object;"),
        (WHOLE | {"preset": {"name": "sound"}}, "is damaged: it lacks preset.levels, preset.samples, preset.trap;"),
        (WHOLE | {"preset": "sound", "seed": "x"}, "is damaged: seed is not a whole number, preset is not an object;"),
    ],
)
def test_a_manifest_is_checked_before_it_is_used(tmp_path, manifest, says):
    run = folder(tmp_path / "run", manifest)
    for use in (load_run, jury_of, dialogues_in, read_judged, lambda path: read_runs([path])):
        with pytest.raises(RunFolderError) as caught:
            use(run)
        assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_whole_manifest_passes():
    check_manifest(Path("run"), WHOLE)


def test_judging_again_leaves_a_foreign_folder_as_it_is(tmp_path):
    run = folder(tmp_path / "run", {"instrument": "integrity"})
    (run / "journal.sqlite").unlink()
    before = sorted(path.name for path in run.iterdir())
    with pytest.raises((RunFolderError, JournalError)):
        asyncio.run(score_run(run, ["reference"]))
    assert sorted(path.name for path in run.iterdir()) == before


def test_a_preset_of_another_version_is_told(tmp_path):
    run = folder(tmp_path / "run", WHOLE | {"preset": WHOLE["preset"] | {"colour": "blue"}})
    with pytest.raises(StudyError, match=r"The preset in .*run\.json can't be read: .*colour"):
        asyncio.run(score_run(run, ["reference"]))


def test_who_opens_a_run_to_write_holds_it(tmp_path):
    run = folder(tmp_path / "run", WHOLE)
    with open_examination(run), pytest.raises(RunFolderError, match="open in another process"):
        open_examination(run)
