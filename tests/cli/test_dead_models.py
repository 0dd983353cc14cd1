"""A model that never answered: whatever explains a missing figure says why, with the calls that failed."""

from unittest.mock import patch

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.models.base import ModelError
from voirdire.models.simulated import SimulatedModel

DEAD = "simulated/fading"
WHY = "the server refused the key or the account at 2 of 2 calls"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two models on two concepts at one level; the server of one refuses every call."""
    path, answers = tmp_path_factory.mktemp("runs") / "dead", SimulatedModel.complete

    async def complete(self, *arguments, **options):
        if self.identity.spec == DEAD:
            raise ModelError("auth", f"{DEAD}: refused.")
        return await answers(self, *arguments, **options)

    with patch.object(SimulatedModel, "complete", complete):
        models = ("-m", "simulated/steady", "-m", DEAD, "--jury", "simulated/judge", "-p", "quick", "--levels", "0")
        voirdire("run", *models, "-o", path, check=False)
    return path


@pytest.mark.parametrize("command", ["show", "validate", "compare", "gate", "report"])
def test_every_command_says_why_it_has_no_figures(run, tmp_path, command):
    page = tmp_path / "page.md"
    more = {"gate": ("--min", "ER=0.5"), "report": ("-o", page)}.get(command, ())
    done = voirdire(command, run, *more, check=False, env={"COLUMNS": "200"})
    said = " ".join((page.read_text() if command == "report" else done.stdout).replace("│", " ").split())
    assert WHY in said
    if command == "report":
        assert f"{DEAD} gave no answer, as every call to it failed (2 questions asked): {WHY}." in said
        assert f"Not drawn, since no answer has a score: {DEAD}." in said
    if command == "compare":
        assert f"{DEAD} has no answer at turn 4 ({WHY})" in said
    if command == "gate":
        assert "The server refused" in said and "ER is undefined" in said


def test_json_has_the_cause_as_a_code_beside_each_missing_figure(run):
    dead = next(each for each in voirdire_json("show", run)["models"] if each["model"] == DEAD)
    assert {why["code"] for why in dead["reasons"].values()} == {"key_refused"}
    assert {(why["hits"], why["of"]) for why in dead["reasons"].values()} == {(2, 2)}
