"""People's ratings in real logs: Inspect reads what was written, and finds its own scores beside them."""

import pytest
from inspect_ai import score
from inspect_ai.log import read_eval_log, recompute_metrics
from inspect_ai.scorer import includes, precomputed_scores

from tests.raters.tasks.guided.examples import answer, made, rated
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


def test_what_inspect_scores_afterwards_stands_beside_what_people_said(tmp_path):
    path = made(tmp_path, "labels", log(tmp_path / "log.eval", "maker/strong"))
    project = rated(path, lambda document, rater: answer("correct" if document.source["item"] == "1" else "incorrect"))
    export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    before = read_eval_log(str(tmp_path / "out/log-people.eval"))
    after = score(
        before,
        [includes(), precomputed_scores(str(tmp_path / "out/scores.json"))],
        action="append",
        model="mockllm/model",
        display="none",
    )
    assert [each.name for each in after.results.scores] == ["choice", "people", "includes", "precomputed_scores"]
    for sample in after.samples:
        assert sample.scores["people"].value == sample.scores["precomputed_scores"].value == float(sample.id == 1)
    recompute_metrics(after)
    assert {each.name: each for each in after.results.scores}["people"].metrics["mean"].value == pytest.approx(1 / 3)


def test_labels_without_values_have_shares_and_no_mean(tmp_path):
    guide = "question: Who is right?\nlabels: [north, south, neither]\n"
    path = made(tmp_path, "labels", log(tmp_path / "log.eval", "maker/strong", samples=4), guide=guide)
    project = rated(path, lambda document, rater: answer("north" if document.source["item"] == "1" else "south"))
    export_project(project, ExportPlan(target="inspect-scores", out=tmp_path / "out"))
    found = read_eval_log(str(tmp_path / "out/log-people.eval"))
    (people,) = (each for each in found.results.scores if each.name == "people")
    shares = {name: each.value for name, each in people.metrics.items()}
    assert shares == {"north": 0.25, "south": 0.75, "neither": 0.0}
