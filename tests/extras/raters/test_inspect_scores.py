"""People's ratings in real logs: Inspect reads what was written, and finds its own scores beside them."""

import pytest
from inspect_ai.log import read_eval_log

from tests.raters.tasks.guided.made import answer, made, rated
from tests.raters.tasks.guided.test_sources import log
from voirdire.raters.exchange import ExportPlan, export_project


@pytest.mark.parametrize("ending", ["json", "eval"])
def test_ratings_stand_in_a_copy_of_the_log_beside_its_own_scores(tmp_path, ending):
    source = log(tmp_path / f"log.{ending}", "maker/strong", samples=4)
    path = made(tmp_path, "labels", source)

    def value(document, rater):
        number = document.source["item"]
        if number == "4":
            return {**answer(None), "status": "unsure"}
        return answer("correct" if number == "1" else "incorrect", reason="It says red.")

    done = export_project(rated(path, value), ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert done.notes[0] == f"The log log-people.{ending} has people's ratings as the score 'people'."
    found = read_eval_log(str(tmp_path / f"out/log-people.{ending}"))
    assert found.eval.model == "maker/strong", "whose log it is stays as it was"
    scores = {each.name: each for each in found.results.scores}
    assert scores["people"].metrics["mean"].value == pytest.approx(1 / 3)
    assert (scores["people"].scored_samples, scores["choice"].metrics["accuracy"].value) == (3, 1.0)
    samples = {each.id: each.scores for each in found.samples}
    assert samples[1]["people"].explanation == "It says red. | It says red."
    assert samples[1]["people"].metadata == {"how": "agreed"} and "people" not in samples[4]


def test_a_log_that_inspect_can_not_read_costs_no_scores(tmp_path):
    source = log(tmp_path / "log.json", "maker/strong")
    path = made(tmp_path, "score", source)
    project = rated(path, lambda document, rater: answer(4.0))
    source.write_text(source.read_text().replace('"created"', '"made"'))
    done = export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    assert "Inspect can't score" in done.notes[0]
    assert (tmp_path / "out/scores.json").is_file()
