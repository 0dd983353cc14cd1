from html.parser import HTMLParser

import pytest

from tests.reports.formats.examples import made
from tests.reports.page.sample import HOSTILE
from voirdire.documents.document import Bullets, Link, Links, Section, Text, document
from voirdire.reports.formats.notebook import to_notebook


class Page(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text = [], set(), ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


def test_every_part_of_a_document_is_there():
    shown = Page(to_notebook(made())).text
    for part in ("Careful.", "all is well", "two", "0.50 to 0.70", "0.812", "Means over turns.", "FAR: It falls."):
        assert part in shown
    assert "It rained" in shown  # a text to read


def test_background_and_failures_are_lists_under_their_titles():
    blocks = (Links("Worst failures", (Link("It fell for it.", "d1"),)), Bullets(("In autumn.",), "How it was held"))
    page = Page(to_notebook(document(*blocks)))
    assert page.text == "Worst failuresIt fell for it.How it was heldIn autumn." and "a" not in page.tags


def test_details_are_left_out_as_they_are_in_the_terminal():
    shown = document(Text("first"), Section("more", "More", (Text("second"),), detail=True))
    assert Page(to_notebook(shown)).text == "first"


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_the_data_becomes_markup_and_two_outputs_share_no_id(text):
    page = Page(to_notebook(made(text=text, cell=text, model=text)))
    assert not {"script", "style", "img", "iframe", "a", "svg"} & set(page.tags)
    assert page.attributes <= {"style", "title"}
