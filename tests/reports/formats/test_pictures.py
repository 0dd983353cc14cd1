import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from tests.reports.formats.examples import made, spec
from voirdire.documents.document import Chart, Panel, Section
from voirdire.reports.formats.pictures import combined, to_pictures


def texts(svg):
    return {node.text for node in ElementTree.fromstring(svg).iter() if node.text}


def test_a_charts_panels_stand_together_on_white():
    (name, svg), *more = to_pictures(made(), "svg").items()

    assert (name, more) == ("curves.svg", [])
    assert {"Over levels", "FAR", "SAS"} <= texts(svg)
    assert 'fill="white"' in svg.decode() and "red" not in svg.decode()


def test_png_pictures_are_fine_enough_for_print():
    picture = to_pictures(made(), "png")["curves.png"]
    width, height = struct.unpack(">II", picture[16:24])

    assert picture.startswith(b"\x89PNG") and width > 1200 and height > 360


def test_panels_that_name_their_data_alike_keep_their_own():
    alike = [
        {**spec(), "datasets": {"rows": [{"x": number, "y": number}]}, "data": {"name": "rows"}} for number in range(4)
    ]
    layered = {"datasets": {"rows": [{"x": 9, "y": 9}]}, "layer": [{"data": {"name": "rows"}, "mark": "point"}]}
    chart = Chart("c", tuple(Panel("p", each, "") for each in [*alike, layered]))
    found = combined(chart)

    assert [panel["data"]["values"] for panel in found["concat"][:4]] == [[{"x": n, "y": n}] for n in range(4)]
    assert found["concat"][4]["layer"][0]["data"] == {"values": [{"x": 9, "y": 9}]}
    assert found["columns"] == 3 and not any({"datasets", "$schema", "config"} & set(each) for each in found["concat"])


def test_a_report_without_charts_has_no_pictures():
    assert to_pictures(replace(made(), sections=(Section("x", "x", ()),)), "svg") == {}


def test_a_drawing_that_would_fetch_something_is_refused():
    drawn = {**spec(), "data": {"url": "https://example.invalid/data.csv"}}
    document = replace(made(), sections=(Section("x", "x", (Chart("c", (Panel("a", drawn, ""),)),)),))

    with pytest.raises(ValueError, match="not allowed"):
        to_pictures(document, "png")
