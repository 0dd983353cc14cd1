import base64
import hashlib
import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from tests.reports.page import sample
from tests.reports.page.markup import Page
from voirdire.documents.document import (
    Bullets,
    Cell,
    Column,
    Document,
    Exchange,
    Figure,
    Figures,
    Link,
    Links,
    Notice,
    Piece,
    Reading,
    Readings,
    Section,
    Table,
    Text,
)
from voirdire.reports.page import PageError, render
from voirdire.reports.page.texts import showable


@pytest.fixture(scope="module")
def small():
    return Page(render(sample.small()))


@pytest.fixture(scope="module")
def hostile():
    return Page(render(sample.hostile()))


def _document(*blocks, title="t", **given):
    return Document(title, "", (Section("s", "S", blocks),), (), **given)


# --- what stands where -----------------------------------------------------------------------------------------------


def test_there_is_one_first_heading_and_no_level_is_left_out(small):
    levels = [int(each.tag[1]) for each in small.elements if re.fullmatch(r"h\d", each.tag)]

    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_ids_are_unique_and_what_refers_to_one_finds_it(small):
    ids = small.values("id")
    referred = [name for value in small.values("for", "aria-labelledby", "aria-describedby") for name in value.split()]
    targets = [value.removeprefix("#") for value in small.values("href") if not value.startswith("#reading-")]

    assert len(ids) == len(set(ids))
    assert {*referred, *targets} <= set(ids)


def test_every_control_has_a_label(small):
    labelled = set(small.values("for"))

    assert {each.attributes["id"] for tag in ("input", "select") for each in small.all(tag)} <= labelled
    assert all(each.text.strip() for each in small.all("button"))


def test_contents_name_every_section_in_order_with_their_short_titles(small):
    links = [(each.attributes["href"], each.text) for each in small.all("a") if each.text in small.all("nav")[0].text]

    assert links == [
        ("#verdict", "Verdict"),
        ("#curves", "Accuracy as the context goes"),
        ("#map", "Where it fails"),
        ("#scores", "Scores"),
        ("#method", "How it was done"),
        ("#reading", "Dialogues"),
        ("#answers", "Labelled answers"),
        ("#page-provenance", "Provenance"),
    ]


def test_without_javascript_all_but_the_readings_is_there_and_a_sentence_says_so(small):
    assert "dialogues can be read here only with JavaScript" in small.all("noscript")[0].text
    assert all("hidden" in each.attributes for each in [*small.all("form"), *small.all("button", id="page-theme")])
    main = small.all("main")[0].text
    for text in ("0.58 – 0.81", "Fluent and wrong.", "Means over turns.", "FAR and SAS", "harm principle"):
        assert text in main


def test_tones_are_told_by_a_sign_and_a_word(small):
    notice = small.all("div", **{"data-tone": "warn"})

    assert notice[0].text.split(": ")[0] == "!caution"
    assert "caution" not in small.all("p", **{"data-tone": "quiet"})[0].text


def test_numbers_are_aligned_and_carry_what_they_are_sorted_by(small):
    cells = [each for each in small.all("td", class_="number") if "data-shade" not in each.attributes]

    assert (cells[0].text, cells[0].attributes["data-value"]) == ("0.90", "0.9")
    undefined = next(each for each in cells if each.text == "–")
    assert undefined.attributes["data-value"] == ""


def test_truth_is_sorted_as_a_number_and_what_is_not_finite_as_undefined():
    cells = tuple({"a": Cell(value, "x")} for value in (True, float("nan"), "word"))
    page = Page(render(_document(Table("t", (Column("a", "A"),), cells))))

    assert page.values("data-value") == ["1", "", "word"]


def test_the_columns_help_stands_under_the_table(small):
    terms = [each.text for each in small.all("dt")]

    assert "SAS" in terms
    assert any(each.text == "Factual accuracy, mean over turns." for each in small.all("dd"))


def test_readings_that_can_be_compared_have_their_choices_with_labels_and_others_have_none(small):
    (compare,) = small.all("details", class_="compare fold")
    chosen = [value for value in small.values("data-same")]

    assert "hidden" in compare.attributes and compare.text.strip().startswith("Compare models")
    assert chosen == ["concept", "level"]
    assert [label in compare.text for label in ("Concept", "Compression", "Question")] == [True] * 3


def test_background_is_folded_under_its_title(small):
    (folded,) = [each for each in small.all("details") if "The run was held in autumn." in each.text]

    assert folded.text.strip().startswith("How it was held") and "open" not in folded.attributes


def test_a_section_of_details_is_folded_under_its_heading_and_its_tables_are_not_folded_again(small):
    (folded,) = [each for each in small.all("details") if "Five questions in a row." in each.text]

    assert folded.text.strip().startswith("How it was done") and "open" not in folded.attributes
    assert [each.text for each in small.all("summary") if "10 rows" in each.text] == []


def test_a_map_is_not_folded_and_each_cell_is_a_link_that_says_where_it_leads(small):
    (table,) = small.all("div", id="table-map")
    cells = [each for each in small.all("td") if "data-shade" in each.attributes]
    links = [each.text for each in small.all("a") if each.attributes["href"] == "#reading-d2"]

    assert "map" in table.attributes["class"] and "rows)" not in table.text
    assert [cell.attributes["data-shade"] for cell in cells] == ["0", "1", "2", "3", "4"] * 2
    assert links[0] == "0.90: concept 0 at 0"


def test_a_cell_that_leads_to_no_reading_is_refused():
    table = Table("t", (Column("a", "A"),), ({"a": Cell(1, "1", target="d1")},))

    with pytest.raises(PageError, match="leads to the reading 'd1', which the report does not have"):
        render(_document(table))


def test_a_table_of_more_than_seven_rows_is_folded_under_its_title_and_a_short_one_is_not(small):
    assert [each.text for each in small.all("summary") if "rows)" in each.text] == ["Every turn (60 rows)"]
    assert "By concept" in [each.text for each in small.all("h3")]


def test_a_link_to_a_dialogue_is_its_address_as_the_page_s_script_writes_it():
    links = Links("Worst", (Link("one", "a/b|c d!(é)"),))
    page = Page(render(_document(links, Readings("r", (Reading("a/b|c d!(é)", "", {}, ()),), "dialogues"))))

    assert "#reading-a%2Fb%7Cc%20d!(%C3%A9)" in page.values("href")


def test_a_document_without_anything_is_a_page():
    page = Page(render(Document("Nothing", "", (), ())))

    assert page.all("h1")[0].text == "Nothing"
    assert not page.all("h2")


# --- nothing runs, nothing is fetched --------------------------------------------------------------------------------


def test_the_policy_allows_this_style_and_these_scripts_and_nothing_else(small):
    [policy] = [each.attributes["content"] for each in small.all("meta", **{"http-equiv": "Content-Security-Policy"})]
    run = [each.text for each in small.all("script") if "type" not in each.attributes]

    def allowed(*texts):
        digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{digest}'" for digest in digests)

    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {allowed(small.all('style')[0].text)}",
        f"script-src {allowed(*run)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_policy_stands_before_all_that_it_governs(small):
    tags = [each.tag for each in small.elements]

    assert [each.attributes.get("http-equiv") for each in small.elements[:4]][-1] == "Content-Security-Policy"
    assert tags.index("style") > 3


@pytest.mark.parametrize("name", ["small", "hostile"])
def test_no_attribute_runs_styles_or_leads_outside(name, request):
    page = request.getfixturevalue(name)
    names = {attribute for each in page.elements for attribute in each.attributes}

    assert not [each for each in names if each.startswith("on")]
    assert not names & {"style", "src", "srcset", "action", "xlink:href"}
    assert all(value.startswith("#") for value in page.values("href"))


def test_no_text_adds_takes_or_moves_an_element(small, hostile):
    def shape(page):
        return [each.tag for each in page.elements if each.tag not in ("text", "tspan")]

    assert shape(hostile) == shape(small)
    assert not hostile.left_open


def test_hostile_texts_stand_there_as_texts(hostile):
    main = hostile.all("main")[0].text

    for text in sample.HOSTILE:
        assert showable(text) in main


def test_a_page_can_be_written_as_utf_8():
    assert render(_document(Text("half \ud800"), title="\udfff")).encode("utf-8")


_anything = st.text(st.characters(exclude_categories=()), max_size=40) | st.sampled_from(sample.HOSTILE)


@given(_anything)
def test_any_text_is_shown_as_it_is_wherever_it_stands(text):
    blocks = (
        Text(text),
        Notice(text),
        Bullets((text,)),
        Bullets((text,), text),
        Links(text, (Link(text, text),)),
        Figures((Figure(text, text, text, text),)),
        Table("t", (Column(text, text, help=text),), ({text: Cell(text, text)},), text, text),
        Readings("r", (Reading(text, text, {text: text}, (Exchange(text, text, (Piece(text, text, text),)),)),), text),
    )
    page = Page(render(_document(*blocks, title=text)))

    shown = showable(text)
    assert page.all("h1")[0].text == shown
    assert page.all("li", dir="auto")[0].text == shown
    assert page.all("th", scope="row")[0].text == shown
    [data] = [each.text for each in page.all("script", type="application/json")]
    reading = json.loads(data)["readings"][0]
    assert reading["exchanges"][0]["answer"] == [{"text": shown, "mark": shown, "note": shown}]
    assert "<" not in data


# --- what a page refuses ---------------------------------------------------------------------------------------------


def test_a_row_without_a_cell_is_an_error():
    table = Table("t", (Column("a", "A"), Column("b", "B")), ({"a": Cell(1, "1")},))

    with pytest.raises(UndefinedError):
        render(_document(table))


def test_two_tables_of_one_id_are_refused_in_a_sentence():
    table = Table("t", (), ())

    with pytest.raises(PageError, match=r"A table has the id 't', which is taken"):
        render(_document(table, table))


def test_a_section_may_share_its_name_with_what_stands_in_it():
    page = Page(render(_document(Readings("s", (), "dialogues"))))

    assert {"s", "readings-s"} <= set(page.values("id"))


@pytest.mark.parametrize("name", ["", "two words", "page-main"])
def test_what_can_be_no_id_is_refused(name):
    document = sample.without_readings()

    with pytest.raises(PageError, match="an id is one word"):
        render(replace(document, sections=(replace(document.sections[0], id=name),)))


def test_a_link_to_a_reading_that_is_not_there_is_refused():
    with pytest.raises(PageError, match="leads to the reading 'd1', which the report does not have"):
        render(_document(Links("Worst", (Link("one", "d1"),))))


def test_two_readings_of_one_id_are_refused():
    reading = Reading("d1", "", {}, ())

    with pytest.raises(PageError, match="Two readings have the id 'd1'"):
        render(_document(Readings("a", (reading,), "x"), Readings("b", (reading,), "y")))
