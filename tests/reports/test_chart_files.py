import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pandas as pd
import pytest

from voirdire.reports.chart_files import ChartError, curves_by_model, page, save_chart


def _curves(*models):
    rows = [
        (model, level, 0.9 - level / 2, 0.1, 0.95, 0.8, float("nan"), float("nan"))
        for model in models
        for level in (0.0, 0.5, 1.0)
    ]
    columns = ["model", "level", "far", "far_low", "far_high", "sas", "sas_low", "sas_high"]
    return pd.DataFrame(rows, columns=columns)


def test_every_model_has_its_panel_and_both_curves(tmp_path):
    save_chart(curves_by_model(_curves("b", "a")), tmp_path / "chart.svg")

    texts = [node.text for node in ElementTree.parse(tmp_path / "chart.svg").iter() if node.text]
    assert [text for text in texts if text in ("a", "b")] == ["b", "a"]
    assert {"FAR", "SAS", "compression"} <= set(texts)


def test_a_png_is_a_picture(tmp_path):
    save_chart(curves_by_model(_curves("a")), tmp_path / "chart.png")

    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("suffix", [".html", ".svg", ".png"])
def test_a_chart_replaces_a_chart_alone(tmp_path, suffix):
    place = tmp_path / f"a{suffix}"
    place.write_text("mine")
    with pytest.raises(ChartError, match="is no chart of voirdire"):
        save_chart(curves_by_model(_curves("a")), place)
    assert place.read_text() == "mine"
    place.unlink()
    for _ in range(2):
        save_chart(curves_by_model(_curves("a")), place)


def test_a_page_holds_its_library_and_fetches_nothing(tmp_path):
    save_chart(curves_by_model(_curves("a")), tmp_path / "chart.html")

    text = (tmp_path / "chart.html").read_text(encoding="utf-8")
    attributes = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, given: attributes.extend(name for name, _ in given)
    parser.feed(text)
    assert "vegaEmbed" in text
    assert "id" in attributes and not {"src", "href"} & set(attributes)


def test_a_models_name_cannot_end_the_script_it_stands_in():
    hostile = "</script><script>alert(1)</script>"
    text = page(curves_by_model(_curves(hostile)).spec, hostile)

    assert hostile not in text
    data = re.search(r'id="spec">(.*?)</script>', text, re.S).group(1)
    assert hostile in json.dumps(json.loads(data))


def test_the_policy_of_a_charts_page_names_its_one_script_and_lets_nothing_be_fetched():
    text = page(curves_by_model(_curves("a")).spec, "t")
    script = re.search(r'<script type="module">(.*)</script>', text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)

    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}' 'unsafe-eval'; ")
    assert text.index("Content-Security-Policy") < text.index("<title>")


def test_a_hostile_name_in_a_saved_picture_is_text(tmp_path):
    save_chart(
        curves_by_model(_curves('"><image href="http://x.invalid"/><script>alert(1)</script>')), tmp_path / "a.svg"
    )
    found = {each.tag.rpartition("}")[2] for each in ElementTree.parse(tmp_path / "a.svg").iter()}

    assert not found & {"script", "image", "a", "foreignObject"}


def test_another_kind_of_file_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(ChartError, match=r"\.html, \.svg, \.png; 'chart\.pdf' was given"):
        save_chart(curves_by_model(_curves("a")), tmp_path / "chart.pdf")
    with pytest.raises(ChartError, match="There is no folder"):
        save_chart(curves_by_model(_curves("a")), tmp_path / "new" / "chart.svg")
