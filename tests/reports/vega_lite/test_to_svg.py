from xml.etree import ElementTree

import pytest

from voirdire.reports.vega_lite import to_svg, to_tree
from voirdire.reports.vega_lite.text_width import fitting, text_width

NUMBER = {"type": "quantitative", "title": None}
SQUARE = {"width": 100, "height": 100}
ONE = {"domain": [0, 1]}


def drawn(values, mark, encoding, **more):
    return to_tree({**SQUARE, "data": {"values": values}, "mark": mark, "encoding": encoding, **more})


def marks(tree, kind):
    return [each for group in tree.iter("g") if group.get("class") == f"mark-{kind} role-mark" for each in group]


def labels(tree, role):
    return [each.text for group in tree.iter("g") if f"role-{role}" in group.get("class", "") for each in group]


def test_points_lie_where_their_values_are_and_y_grows_upward():
    x, y = {**NUMBER, "field": "x", "scale": ONE}, {**NUMBER, "field": "y", "scale": ONE}
    tree = drawn([{"x": 0, "y": 0}, {"x": 0.25, "y": 1}, {"x": None, "y": 1}], "point", {"x": x, "y": y})

    assert [each.get("transform") for each in marks(tree, "symbol")] == ["translate(0,100)", "translate(25,0)"]


def test_a_line_breaks_where_a_value_is_missing_and_goes_from_left_to_right():
    x, y = {**NUMBER, "field": "x", "scale": {"domain": [0, 3]}}, {**NUMBER, "field": "y", "scale": ONE}
    values = [{"x": 3, "y": 0}, {"x": 2, "y": None}, {"x": 1, "y": 1}, {"x": 0, "y": 0}]
    (line,) = marks(drawn(values, "line", {"x": x, "y": y}), "line")

    assert line.get("d") == "M0,100L33.33,0M100,100"


def test_each_colour_has_its_line_and_stands_in_the_legend():
    x, y = {**NUMBER, "field": "x", "scale": ONE}, {**NUMBER, "field": "y", "scale": ONE}
    colour = {"field": "s", "type": "nominal", "scale": {"domain": ["b", "a"], "range": ["#111", "#222"]}}
    values = [{"x": at, "y": at, "s": name} for name in "ab" for at in (0, 1)]
    tree = drawn(values, "line", {"x": x, "y": y, "color": colour})

    assert [each.get("stroke") for each in marks(tree, "line")] == ["#222", "#111"]
    assert labels(tree, "legend-label") == ["b", "a"]
    assert labels(drawn(values, "line", {"x": x, "y": y, "color": {**colour, "legend": None}}), "legend-label") == []


def test_bars_begin_at_zero_and_take_their_share_of_a_names_room():
    y = {"field": "n", "type": "nominal", "sort": ["two", "one"], "title": None}
    x = {**NUMBER, "field": "v", "scale": {"domain": [0, 4]}}
    values = [{"n": "one", "v": 1}, {"n": "two", "v": 2}]
    tree = drawn(values, {"type": "bar", "height": {"band": 0.5}}, {"x": x, "y": y})
    places = [[each.get(key) for key in ("x", "y", "width", "height")] for each in marks(tree, "rect")]

    assert places == [["0", "62.5", "25", "25"], ["0", "12.5", "50", "25"]]
    assert labels(tree, "axis-label")[-2:] == ["two", "one"]


def test_an_interval_is_a_line_from_end_to_end():
    x = {**NUMBER, "field": "low", "scale": ONE}
    tree = drawn([{"low": 0.2, "high": 0.6}, {"low": None, "high": 1}], "rule", {"x": x, "x2": {"field": "high"}})
    (rule,) = marks(tree, "rule")

    assert [rule.get(key) for key in ("x1", "x2", "y1", "y2")] == ["20", "60", "0", "100"]


def test_an_area_lies_between_its_two_ends():
    x, y = {**NUMBER, "field": "x", "scale": ONE}, {**NUMBER, "field": "a", "scale": ONE}
    values = [{"x": 0, "a": 0, "b": 0.5}, {"x": 1, "a": 0, "b": 1}]
    (area,) = marks(drawn(values, "area", {"x": x, "y": y, "y2": {"field": "b"}}), "area")

    assert area.get("d") == "M0,100L100,100L100,0L0,50Z"


def test_a_scale_without_a_domain_begins_at_zero_and_ends_at_a_round_number():
    tree = drawn([{"v": 3}, {"v": 9.3}], "point", {"x": {**NUMBER, "field": "v"}})

    assert labels(tree, "axis-label") == ["0", "5", "10"]


def test_a_logarithmic_scale_puts_equal_factors_at_equal_distances():
    x = {**NUMBER, "field": "x", "scale": {"type": "log", "domain": [1, 100]}}
    tree = drawn([{"x": 10}], "point", {"x": x})

    assert marks(tree, "symbol")[0].get("transform") == "translate(50,50)"


def test_labels_that_would_touch_are_left_out():
    x = {
        **NUMBER,
        "field": "x",
        "scale": {"domain": [0, 1]},
        "axis": {"values": [0, 0.25, 0.5, 0.75, 1], "format": ".4f"},
    }
    close = drawn([{"x": 0}], "point", {"x": x})

    assert labels(close, "axis-label") == ["0.0000", "0.5000", "1.0000"]


def test_what_a_mark_says_is_its_label():
    x = {**NUMBER, "field": "x", "scale": ONE, "title": "share"}
    described = drawn([{"x": 1, "l": "all"}], "point", {"x": x, "description": {"field": "l"}})

    assert marks(described, "symbol")[0].get("aria-label") == "all"
    assert marks(drawn([{"x": 1}], "point", {"x": x}), "symbol")[0].get("aria-label") == "share: 1"
    assert marks(drawn([{"x": 1}], {"type": "point", "aria": False}, {"x": x}), "symbol")[0].get("aria-label") is None


def test_facets_have_the_name_of_each_and_one_legend():
    colour = {"field": "s", "type": "nominal", "legend": {"title": None}}
    view = {**SQUARE, "mark": "point", "encoding": {"x": {**NUMBER, "field": "x", "scale": ONE}, "color": colour}}
    values = [{"x": 0, "m": name, "s": series} for name in ("two", "one") for series in ("p", "q")]
    tree = to_tree({"data": {"values": values}, "facet": {"field": "m", "sort": ["two", "one"]}, "spec": view})

    assert labels(tree, "title-text") == ["two", "one"] and labels(tree, "legend-label") == ["p", "q"]
    assert [len(group) for group in tree.iter("g") if group.get("class") == "mark-symbol role-mark"] == [2, 2]


def test_drawings_beside_and_below_each_other_do_not_overlap():
    one = {**SQUARE, "mark": "point", "data": {"values": []}}
    beside, below = to_tree({"hconcat": [one, one]}), to_tree({"vconcat": [one, one], "spacing": 50})

    assert (float(beside.get("width")), float(beside.get("height"))) == (230, 110)
    assert (float(below.get("width")), float(below.get("height"))) == (110, 260)


@pytest.mark.parametrize("mark", ["arc", "image"])
def test_a_mark_that_is_not_drawn_is_refused(mark):
    with pytest.raises(ValueError, match="not drawn here"):
        to_svg({"mark": mark, "data": {"values": [{}]}})


def test_texts_are_escaped_and_the_document_has_its_namespace():
    text = to_svg({"data": {"values": [{"x": "<b>&"}]}, "mark": "text", "encoding": {"text": {"field": "x"}}})

    assert "".join(ElementTree.fromstring(text).itertext()) == "<b>&" and text.startswith("<svg")
    assert 'xmlns="http://www.w3.org/2000/svg"' in text


def test_a_name_is_cut_to_its_limit():
    assert fitting("a name", 10, 0) == fitting("a name", 10, 100) == "a name"
    cut = fitting("a very long name", 10, 40)

    assert cut.endswith("…") and text_width(cut, 10) <= 40
