import pytest

from voirdire.documents.colours import BLUE, ORANGE
from voirdire.documents.drawing import Point, lines, named_counts, named_shares, score_counts
from voirdire.reports.vega_lite import to_svg

TYPES = {"factual": BLUE, "cognitive": ORANGE}


def rows(drawn):
    return drawn.spec["data"]["values"]


def drawable(drawn):
    """A description that can be drawn; the drawing."""
    return to_svg(drawn.spec)


def test_every_mark_says_its_value_its_interval_and_what_it_rests_on():
    drawn = lines([Point(1, "factual", 0.2, 0.1, 0.3, 1200), Point(2, "factual", None)], "turn", "t", TYPES, share=True)

    assert [row["label"] for row in rows(drawn)] == ["factual, turn 1: 20 % (10 to 30 %), n 1,200"]
    assert "factual, turn 1: 20 % (10 to 30 %), n 1,200" in drawable(drawn)


def test_series_stand_a_little_apart_and_keep_their_look_alone():
    both = lines([Point(1, "factual", 1.5), Point(1, "cognitive", 2)], "turn", "t", TYPES, share=False)
    alone = lines([Point(1, "cognitive", 2)], "turn", "t", {"cognitive": ORANGE}, share=False)

    assert [row["at"] for row in rows(both)] == pytest.approx([0.99, 1.01]) and rows(alone)[0]["at"] == 1
    for drawn in (both, alone):
        layer = drawn.spec["layer"][2]["encoding"]
        assert dict(zip(layer["shape"]["scale"]["domain"], layer["shape"]["scale"]["range"], strict=True))[
            "cognitive"
        ] == ("diamond")


def test_a_point_at_0_does_not_cover_the_end_of_a_name():
    drawn = named_shares([Point("a", "", 0.0)], ["a"], "t", {})
    assert {layer["encoding"]["y"]["axis"]["labelPadding"] for layer in drawn.spec["layer"]} == {8}


def test_a_chart_says_its_values_in_words():
    points = [Point("a", "factual", 0.25), Point("b", "factual", 0.5), Point("a", "cognitive", 1.0)]

    assert named_shares(points, ["a", "b"], "t", TYPES).summary == "factual, a: 25 %; b: 50 %. cognitive, a: 100 %."
    assert named_counts({"a": 1200, "b": 3}, "t").summary == "a: 1,200; b: 3."
    assert named_shares([Point("a", "", None)], ["a"], "t", {}).summary == "Nothing can be shown."


def test_scores_are_counted_by_stretches_and_100_belongs_to_the_last():
    drawn = score_counts([100, 95, 94, 0, 0], "t")

    assert drawn.summary == "0 to 5: 2; 90 to 95: 1; 95 to 100: 2."
    assert sum(row["value"] for row in rows(drawn)) == 5
    assert "95 to 100: 2" in drawable(drawn)


@pytest.mark.parametrize(
    "drawn",
    [
        lines([], "turn", "t", TYPES, share=True),
        named_shares([], [], "t", {}),
        named_counts({}, "t"),
        score_counts([], "t"),
    ],
)
def test_a_chart_of_nothing_can_be_drawn(drawn):
    assert drawable(drawn).startswith("<svg")
