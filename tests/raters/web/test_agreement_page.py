"""The organiser's page of agreement: who scores higher or lower than the others."""

from dataclasses import replace
from pathlib import Path

import jinja2
import pytest

from tests.raters._projects import deduction, scored, scored_project, turns_project
from tests.raters.tasks.guided.examples import answer, made, rated, written
from voirdire import raters
from voirdire.raters.agreement import agree
from voirdire.raters.tasks import open_task
from voirdire.text.counting import counted


@pytest.fixture(scope="module")
def template():
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(raters.__file__).parent / "web" / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    templates.filters["counted"] = counted
    templates.globals["task"] = open_task("preference")
    return templates.get_template("organiser/_agreement.html")


def lines(template, found):
    page = template.render(board={"agreement": found})
    return [" ".join(line.split()) for line in page.splitlines() if "the others on the same items" in line]


def changed(found, **values):
    """The same agreement, with other figures of how much higher the first score's first rater scores."""
    phase = found.phases[0]
    score = phase.scores[0]
    rater = next(iter(score.leniency))
    leniency = {rater: with_values(score.leniency[rater], **values)}
    scores = (with_values(score, leniency=leniency), *(with_values(each, leniency={}) for each in phase.scores[1:]))
    return with_values(found, phases=(with_values(phase, scores=scores),))


def with_values(record, **values):
    return record._replace(**values) if hasattr(record, "_replace") else replace(record, **values)


@pytest.fixture(scope="module")
def turns():
    return agree(turns_project({"ann": [scored(0.9, 0.8)] * 3, "ben": [scored(0.4, 0.5)] * 3}))


def test_the_interval_stands_beside_how_much_lower_somebody_scores(template, turns):
    (line,) = lines(template, changed(turns, value=-0.126, low=-0.3, high=0.05))
    assert "scores 0.13 lower than the others on the same items" in line
    assert "(-0.30 to +0.05)" in line


def test_what_rounds_to_nothing_is_not_said(template, turns):
    for value in (0.0, -0.004, 0.0049, None):
        assert lines(template, changed(turns, value=value, low=None, high=None)) == []


def test_scores_to_100_are_told_as_on_the_terminal(template):
    found = agree(scored_project({"ann": [deduction(85)] * 3, "ben": [deduction(80)] * 3}))
    (line,) = lines(template, changed(found, value=5.04, low=None, high=None))
    assert "scores 5.0 higher than the others on the same items." in line


def test_a_scale_that_needs_a_word_has_one(template, turns):
    assert "is no fault" in template.render(board={"agreement": turns})


def test_one_reason_why_three_figures_are_missing_is_told_once(template, tmp_path):
    source = written(tmp_path / "a.jsonl", [{"item": f"q{n}", "output": "Four weeks."} for n in range(6)])
    project = rated(made(tmp_path, "labels", source), lambda document, rater: answer("correct"))
    page = template.render(board={"agreement": agree(project)})
    assert page.count("All items rated twice are of one category") == 1 and '<td colspan="3">' in page
