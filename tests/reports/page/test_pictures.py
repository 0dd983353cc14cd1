import re
from xml.etree import ElementTree

import pytest

from tests.reports.page.sample import HOSTILE, spec
from voirdire.documents.document import Panel
from voirdire.reports.page.pictures import picture


def _drawn(given, name="p", title="Title", summary="What it shows."):
    return ElementTree.fromstring(picture(Panel(title, given, summary), name))


@pytest.fixture(scope="module")
def curves():
    return _drawn(spec())


def test_its_accessible_name_is_the_summary_or_else_the_title(curves):
    assert (curves.get("role"), curves.get("aria-label")) == ("img", "What it shows.")
    assert _drawn({"mark": "point", "data": {"values": []}}, summary="").get("aria-label") == "Title"


def test_marks_keep_their_labels(curves):
    labels = [each.get("aria-label") for each in curves.iter() if each.get("aria-label", "").startswith("compression")]

    assert "compression: 0.5; value: 0.725; score: FAR" in labels


def test_nothing_has_a_background_and_what_has_no_colour_takes_the_pages(curves):
    assert [each for each in curves.iter("rect") if each.get("fill") == "white"] == []
    marks = [each for each in curves.iter("g") if "role-mark" in each.get("class", "")]
    rules = [child for each in marks if "mark-rule" in each.get("class") for child in each]
    texts = [child for each in marks if "mark-text" in each.get("class") for child in each]
    assert {each.get("stroke") for each in rules} == {"currentColor"}
    assert {each.get("fill") for each in texts} == {"currentColor"}


def test_ids_begin_with_the_pictures_name_and_are_the_same_whenever_it_is_drawn(curves):
    again = picture(Panel("", spec(), ""), "q")
    ids = re.findall(r' id="([^"]*)"', again)

    assert ids and len(set(ids)) == len(ids)
    assert set(re.findall(r"url\(#([^)]*)\)", again)) <= set(ids)
    assert {each.rpartition("-")[0] for each in ids} == {"q"}
    assert picture(Panel("", spec(), ""), "q") == again


def test_there_are_no_links_images_or_styles():
    values = [{"to": "https://example.org/", "image": "https://example.org/x.png"}]
    encoding = {"href": {"field": "to"}, "url": {"field": "image"}, "text": {"value": "here"}}
    marks = [{"type": kind, "cursor": "pointer"} for kind in ("text", "point")]
    given = {"data": {"values": values}, "layer": [{"mark": mark, "encoding": encoding} for mark in marks]}
    drawn = _drawn(given)

    assert "here" in drawn.itertext()
    assert {each.tag for each in drawn.iter()} & {"a", "image"} == set()
    assert {key for each in drawn.iter() for key in each.attrib if "href" in key or key == "style"} == set()
    with pytest.raises(ValueError, match="'image' is not drawn here"):
        _drawn({"mark": "image", "data": {"values": values}})


def test_hostile_texts_are_texts():
    values = [{"x": text} for text in HOSTILE]
    encoding = {"text": {"field": "x"}, "y": {"field": "x", "type": "nominal", "axis": {"labelLimit": 0}}}
    drawn = _drawn({"data": {"values": values}, "mark": "text", "encoding": encoding})

    texts = list(drawn.itertext())
    assert "</script><script>window.attacked = 1</script>" in texts
    assert "null ␀ bell ␇ half � other half � none �" in texts
    assert {each.tag for each in drawn.iter()} <= {"svg", "g", "path", "line", "text", "rect"}


def test_long_texts_of_the_data_are_cut():
    drawn = _drawn({"data": {"values": [{"x": "y" * 500}]}, "mark": "text", "encoding": {"text": {"field": "x"}}})

    assert max(len(each) for each in drawn.itertext()) == 100


def test_data_from_elsewhere_are_not_read(tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('[{"x": "secret"}]')
    given = {"data": {"url": secret.as_uri()}, "mark": "text", "encoding": {"text": {"field": "x"}}}

    assert "secret" not in "".join(_drawn(given).itertext())
