"""Public functions take a path as a text or a `Path`, one or several, and refuse the rest in a sentence."""

import asyncio
import errno
from pathlib import Path

import pytest

import voirdire
from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportPlan
from voirdire.adapters.gate import assert_floor
from voirdire.adapters.redacted_files import RedactPlan
from voirdire.adapters.redaction import redact_run
from voirdire.adapters.verify import verify
from voirdire.cognibench.formats import read_answers
from voirdire.cognibench.labelling.records import LabelTask
from voirdire.data.paths import PathTypeError, why_unwritable
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concepts import find_concepts, packaged_concept
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.results import load_run
from voirdire.ddft.session import run_study, score_run
from voirdire.ddft.study import StudyPlan
from voirdire.integrity.facts import read_facts
from voirdire.integrity.plan import AuditPlan
from voirdire.reports.builder import make_report

PLAN = StudyPlan(
    models=("simulated/steady",),
    concepts=(packaged_concept("recursion"),),
    preset=changed_preset(load_preset("sound"), concepts=["recursion"], levels=[0, 0.25, 0.5, 1]),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run, as a text."""
    path = str(tmp_path_factory.mktemp("runs") / "r")
    assert asyncio.run(run_study(PLAN, path)).complete
    return path


def test_a_path_may_be_a_text_wherever_a_path_is_asked_for(run, tmp_path):
    out = str(tmp_path / "report.html")
    assert make_report([run], out=out).paths == make_report(run, out=Path(out)).paths == (Path(out),)
    assert load_run(run).path == voirdire.load(run).path == read_runs(run).results[0].path == Path(run)
    assert asyncio.run(score_run(run, ["reference"])).complete
    assert_floor(run, min={"K": 0.0}, bound=False)
    assert [found.path for found in verify([run])] == [found.path for found in verify(Path(run))] == [Path(run)]
    assert export_run(ExportPlan(runs=(run,), target="csv", out=str(tmp_path / "csv"))).files
    assert redact_run(RedactPlan(run, str(tmp_path / "copy"))).out == tmp_path / "copy"
    facts = tmp_path / "facts.txt"
    facts.write_text("Water boils at 100 degrees Celsius.\n")
    assert read_facts(str(facts)) == read_facts(facts)
    answers = tmp_path / "a.jsonl"
    answers.write_text('{"id": "a", "context": "It rains.", "turns": [{"user": "Is it dry?", "assistant": "No."}]}\n')
    assert read_answers(str(answers)) == read_answers(answers)
    assert LabelTask(data=str(answers), model="m/n").data == answers
    assert AuditPlan(str(answers), facts=str(facts)).facts == facts
    concept = tmp_path / "mine.yaml"
    with pytest.raises(ValueError, match="mine"):
        find_concepts([concept])


@pytest.mark.parametrize("call", [make_report, load_run, read_runs, verify, read_facts, read_answers])
def test_what_is_no_path_is_refused_in_a_sentence(call):
    with pytest.raises(PathTypeError, match=r"7 was given\.$"):
        call(7)


@pytest.mark.parametrize("given", [{"a": "runs/one"}, b"runs/one"])
def test_what_can_be_gone_through_and_holds_no_paths_is_refused_too(given):
    with pytest.raises(PathTypeError, match=r"^A path, or a list of paths, is expected; .+ was given\.$"):
        make_report(given)


@pytest.mark.parametrize(
    ("code", "place", "why"),
    [
        (errno.ENOENT, "{here}/.x.new", "nothing can be made in {here}"),
        (errno.ENOENT, "{here}/none/x", "there is no folder {here}/none"),
        (errno.ENOENT, None, "nothing can be made in {here}"),
        (errno.EACCES, "{here}/x", "Permission denied"),
    ],
)
def test_why_a_place_takes_no_file_is_said_of_its_folder(tmp_path, code, place, why):
    error = OSError(code, "Permission denied", place and place.format(here=tmp_path))
    assert why_unwritable(error, tmp_path / "x") == why.format(here=tmp_path)
