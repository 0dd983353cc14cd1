import xml.etree.ElementTree as ElementTree

from tests.cognibench.dynamics.examples import four, given
from voirdire.cognibench.dynamics.report import examine
from voirdire.cognibench.dynamics.scaling import Scaling, Step
from voirdire.cognibench.report.charts import dynamics_chart, scaling_chart
from voirdire.detectors.training.splits import Curve, Point
from voirdire.reports.chart_files import save_chart


def texts(chart, folder):
    save_chart(chart, folder / "chart.svg")
    return {node.text for node in ElementTree.parse(folder / "chart.svg").iter() if node.text}


def test_all_that_the_data_have_is_drawn(tmp_path):
    answers = [*four(), given("c", "faithful", "reliable", model="other", topic="sports")]
    found = texts(dynamics_chart(examine({"one": answers, "two": [given("d", "invented", topic="music")]})), tmp_path)

    assert {"By turn", "By position in the answer", "By topic", "By model", "By data set"} <= found
    assert {"factual", "cognitive", "sports", "music", "other", "unknown"} <= found


def test_data_with_hardly_anything_in_them_can_be_drawn():
    found = examine({"one": [given("a", "irrelevant")]})

    for by in ("turn", "position", "model", "dataset"):
        assert dynamics_chart(found, by).spec["vconcat"]


def test_the_learning_curve_names_its_detector(tmp_path):
    points = [Point(0.5, 9, 100, 0.6, 0), Point(1.0, 18, 200, 0.7, 0), Point(0.1, 2, 20, None, 0)]
    steps = [Step(0.5, 100.0, 0.6, 0.6, 0.6, 1, 0), Step(0.1, 20.0, None, None, None, 1, 1)]
    found = Scaling("lexical-learned", "grounded", steps, Curve(points, None))

    assert "lexical-learned: mean and single trainings" in texts(scaling_chart(found), tmp_path)
