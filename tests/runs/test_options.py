"""How a run is held is decided once, where it is asked for, and handed on whole."""

import ast
import asyncio
import inspect
from pathlib import Path

import pytest

from tests.cognibench.grounded import FERRY
from tests.runs.scripted import SPEC, ScriptedModel
from tests.support.syntax import nodes
from voirdire.cognibench.diagnosis.examples import write_reasons
from voirdire.detectors.contrastive import Contrast
from voirdire.integrity.fact_candidates import propose_split
from voirdire.integrity.records import EstablishedFact
from voirdire.runs import RunOptions, RunStopped, new_runner, open_run, session

SOURCE = Path(__file__).parents[2] / "src" / "voirdire"
EDGES = ("cli", "adapters", "ddft/cognitive_profiler.py", "runs/options.py")
"""Who is called from outside, and where the defaults are made."""


def makes_options(path):
    calls = [node.func for node in nodes(path.read_text(encoding="utf-8")) if isinstance(node, ast.Call)]
    return any(getattr(each, "id", getattr(each, "attr", "")) == "RunOptions" for each in calls)


def test_nothing_but_an_edge_makes_options():
    making = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if makes_options(path)]
    assert Path("cli/run.py") in making
    assert [each.as_posix() for each in making if not any(each.is_relative_to(edge) for edge in EDGES)] == []


@pytest.mark.parametrize("holds", [open_run, new_runner])
def test_whoever_holds_a_run_says_how(holds):
    assert inspect.signature(holds).parameters["options"].default is inspect.Parameter.empty


def reasons(path, options):
    contrast = Contrast(FERRY.text, "The ferry was red.", "faithful", "invented", "The rules' reason.", "ferry")
    return write_reasons([contrast, contrast], SPEC, path, options)


def split(path, options):
    return propose_split([EstablishedFact("F1", "It is red and 40 metres long.")], SPEC, path, options)


@pytest.mark.parametrize("ask", [reasons, split])
def test_a_limit_stops_what_a_model_writes_beside_a_run(ask, tmp_path, monkeypatch):
    scripted = ScriptedModel("", "", "")
    monkeypatch.setattr(session, "open_model", lambda *given: scripted)
    with pytest.raises(RunStopped):
        asyncio.run(ask(tmp_path / "run", RunOptions(max_calls=1)))
    assert len(scripted.calls) == 1
