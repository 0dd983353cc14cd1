import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.reports.page import sample
from voirdire.documents.document import Chart, Document, Exchange, Piece, Reading, Readings, Section
from voirdire.documents.drawing import Point, named_shares
from voirdire.reports.page import render

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


_CONTRASTS = """
() => {
  const context = document.createElement("canvas").getContext("2d");
  const luminance = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const channels = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((each) => each / 255);
    const linear = (each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = channels.map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return [...document.querySelectorAll(".map td[data-shade]")].map((cell) => {
    const ground = luminance(getComputedStyle(cell).backgroundColor);
    const ink = luminance(getComputedStyle(cell.querySelector("a")).color);
    return (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
  });
}
"""
"""Of the number in each cell of a map and what is behind it (WCAG 2.2, 1.4.3)."""


def _written(tmp_path_factory, name, document) -> Path:
    path = tmp_path_factory.mktemp("pages") / f"{name}.html"
    path.write_text(render(document), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return _written(tmp_path_factory, "small", sample.small())


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return _written(tmp_path_factory, "large", sample.large())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return _written(tmp_path_factory, "hostile", sample.hostile())


@pytest.fixture
def opened(small, visit):
    """The small page, and the list of its dialogues; what must not happen is looked for at the end."""
    visited = visit(small)
    yield visited.page
    visited.assert_quiet()


def _heads(page):
    return page.locator("#readings-dialogues .head")


def _status(page):
    return page.locator("#readings-dialogues p[role=status]")


def _hash(page):
    return page.evaluate("location.hash")


def _wide(page):
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")


# --- opening ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, PHONE, {"color_scheme": "dark"}], ids=["desk", "phone", "dark"])
def test_a_page_opens_without_a_complaint_or_a_request(small, visit, options):
    visited = visit(small, **options)

    expect(_status(visited.page)).to_have_text("12 of 12 dialogues")
    visited.assert_quiet()


def test_400_dialogues_are_all_listed(large, visit):
    visited = visit(large)  # how long that takes: benchmarks/speed/report_page.py

    expect(_heads(visited.page)).to_have_count(400)
    assert large.stat().st_size > 5_000_000
    visited.assert_quiet()


def test_all_400_can_be_opened_at_once_and_searched_while_open(large, visit):
    page = visit(large).page
    page.get_by_role("button", name="Open all shown").click()
    page.get_by_label("Search").fill("marquist")

    expect(page.locator("#readings-dialogues .reading.open")).to_have_count(400, timeout=30_000)
    expect(page.locator("#readings-dialogues .open .text mark").first).to_have_text("Marquist")


def test_hostile_texts_are_shown_as_texts_and_do_nothing(hostile, visit):
    visited = visit(hostile)
    page = visited.page
    plain = page.evaluate("document.querySelectorAll('script, img, iframe, b').length")
    for name in ("dialogues", "answers"):
        page.locator(f"#readings-{name} .head").first.click()
    page.locator("#readings-dialogues .head").nth(1).click()

    text = page.evaluate("document.querySelector('main').textContent")
    for each in sample.HOSTILE[:8]:
        assert each in page.locator("#readings-answers .opened").evaluate("node => node.textContent")
        assert each in text
    assert page.evaluate("window.attacked === undefined")
    assert page.evaluate("document.querySelectorAll('script, img, iframe, b').length") == plain == 4
    visited.assert_quiet()


def test_a_hostile_text_can_be_searched_for(hostile, visit):
    visited = visit(hostile)
    visited.page.get_by_label("Search").first.fill("<script>window.attacked ${")

    expect(_status(visited.page)).to_contain_text("12 of 12")
    expect(visited.page.locator("#readings-dialogues .title mark").first).to_have_text("<script>window.attacked")
    visited.assert_quiet()


@pytest.mark.parametrize("page_of", ["small", "hostile"])
def test_nothing_reaches_beyond_a_phones_screen(page_of, visit, request):
    page = visit(request.getfixturevalue(page_of), **PHONE).page
    for name in ("dialogues", "answers"):
        page.locator(f"#readings-{name} .head").first.click()
    page.locator(".help summary").first.click()

    assert not _wide(page)


def test_without_javascript_everything_but_the_readings_is_there(small, visit):
    visited = visit(small, java_script_enabled=False)
    page = visited.page

    expect(page.locator("noscript p").first).to_contain_text("dialogues can be read here only with JavaScript")
    expect(page.locator("noscript p").first).to_be_visible()
    expect(page.get_by_role("img").first).to_be_visible()
    expect(page.get_by_role("table").first).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("link", name="Scores")).to_be_visible()
    assert (visited.errors, visited.requests) == ([], [])


# --- choosing and searching ------------------------------------------------------------------------------------------


def test_filters_show_how_many_are_left_and_can_be_taken_together(opened):
    danger = opened.get_by_role("button", name="danger zone").first
    accepted = opened.get_by_role("button", name="fabrication accepted").first
    expect(danger).to_contain_text("3")
    expect(accepted).to_contain_text("4")

    danger.click()
    expect(danger).to_have_attribute("aria-pressed", "true")
    expect(_status(opened)).to_have_text("3 of 12 dialogues")
    accepted.click()
    expect(_status(opened)).to_have_text("1 of 12 dialogues")
    danger.click()
    expect(_status(opened)).to_have_text("4 of 12 dialogues")


def test_facets_and_clearing(opened):
    opened.get_by_label("Model", exact=True).select_option("local/smollm2-135m")
    opened.locator(".controls").first.get_by_label("Compression", exact=True).select_option("0.5")
    expect(_heads(opened)).to_have_count(2)

    opened.get_by_role("button", name="Clear filters").first.click()
    expect(_heads(opened)).to_have_count(12)
    expect(opened.get_by_label("Model", exact=True)).to_have_value("")


def test_search_wants_every_word_marks_them_and_says_where_they_stand(opened):
    opened.get_by_label("Search").first.fill('smollm2 "0.5" ELENA')

    expect(_status(opened)).to_have_text("2 of 12 dialogues")
    expect(_heads(opened).first.locator("mark")).to_have_text(["smollm2", "0.5"])
    expect(opened.locator("#readings-dialogues .snippet mark").first).to_have_text("Elena")


def test_search_reaches_into_answers_and_remarks_and_a_hit_may_cross_pieces(opened):
    opened.get_by_label("Search").nth(1).fill('"four. Every"')

    expect(opened.locator("#readings-answers p[role=status]")).to_have_text("2 of 2 answers")
    opened.locator("#readings-answers .head").first.click()
    marked = opened.locator("#readings-answers .opened mark")
    expect(marked).to_have_count(2)  # the search begins a moment after the last key
    assert "".join(marked.all_text_contents()) == "four. Every"


def test_nothing_found_is_said(opened):
    opened.get_by_label("Search").first.fill("no such words")

    expect(_status(opened)).to_have_text("0 of 12 dialogues")
    expect(_heads(opened)).to_have_count(0)


# --- reading ---------------------------------------------------------------------------------------------------------


def test_an_opened_reading_shows_what_was_asked_answered_and_said(opened):
    _heads(opened).first.click()
    reading = opened.locator("#readings-dialogues .opened")

    expect(reading.get_by_role("heading", level=4)).to_have_count(5)
    expect(reading.locator(".exchange").first).to_contain_text("How does the bound shown by")
    remark = reading.locator(".remark").first
    expect(remark).to_contain_text("anthropic/claude-opus-4-1")
    expect(reading.locator(".judged").first.get_by_role("row").nth(1)).to_contain_text("0.10")
    expect(reading.locator(".notes")).to_have_text("The template asked: three questions could not be used.")
    expect(reading.locator(".exchange").nth(2).locator(".chip")).to_have_text("danger zone")
    expect(reading.locator(".chip")).to_have_count(1)


def test_a_long_context_is_folded_and_a_missing_answer_said(opened):
    _heads(opened).nth(1).click()
    reading = opened.locator("#readings-dialogues .opened")

    expect(reading.locator("details.context")).not_to_have_attribute("open", "")
    expect(reading.locator(".exchange").nth(1)).to_contain_text("No answer.")


def test_a_marked_piece_has_a_name_and_a_note_that_pointer_and_focus_show(opened):
    opened.locator("#readings-answers .head").first.click()
    piece = opened.locator("#readings-answers .piece", has_text="factorial of five").last
    tip = opened.get_by_role("tooltip")

    expect(piece.get_by_role("button")).to_contain_text("invented")
    piece.locator(".stretch").hover()
    expect(tip).to_have_text("invented: votes 4 of 5")
    opened.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    opened.locator("#readings-answers .opened .piece button").first.focus()
    expect(tip).to_have_text("faithful: votes 4 of 5")
    style = piece.locator(".stretch").evaluate("node => getComputedStyle(node).textDecorationStyle")
    assert style == "wavy"


def test_a_tap_shows_a_note_on_a_phone(small, visit):
    page = visit(small, **PHONE).page
    page.locator("#readings-answers .head").first.tap()
    page.locator("#readings-answers .opened .piece .stretch").first.tap()

    expect(page.get_by_role("tooltip")).to_have_text("faithful: votes 4 of 5")


def test_the_pieces_give_the_answer_exactly(opened):
    opened.locator("#readings-answers .head").first.click()
    shown = opened.locator("#readings-answers .opened .text").evaluate(
        "node => [...node.children].map((each) => (each.querySelector('.stretch') ?? each).textContent).join('')"
    )

    data = json.loads(opened.locator("#readings-answers > script").text_content())
    assert shown == "".join(piece["text"] for piece in data["readings"][0]["exchanges"][0]["answer"])


# --- the address -----------------------------------------------------------------------------------------------------


def test_the_address_tells_what_is_open_and_asked_and_leads_back_there(opened, small, visit):
    opened.get_by_role("button", name="danger zone").first.click()
    opened.locator(".controls").first.get_by_label("Concept", exact=True).select_option("harm principle")
    opened.get_by_label("Search").first.fill("base case")
    expect(_heads(opened)).to_have_count(1)
    _heads(opened).first.click()
    fragment = _hash(opened)
    assert fragment == "#reading-d4?q=base+case&only=danger&by.concept=harm+principle"

    again = visit(small, fragment).page
    expect(_status(again)).to_have_text("1 of 12 dialogues")
    expect(again.get_by_label("Search").first).to_have_value("base case")
    expect(again.locator(".reading.open .head")).to_be_focused()
    expect(again.locator(".reading.open .head")).to_be_in_viewport()


def test_a_link_to_a_reading_opens_it(small, visit):
    page = visit(small, "#reading-d7").page

    expect(page.locator(".reading.open .title")).to_have_text("local/smollm2-135m · harm principle · 1")
    expect(page.locator(".reading.open .head")).to_be_in_viewport()


def _scrolled_to_its_end(page):
    places = [None, page.evaluate("scrollY")]
    while places[-1] != places[-2]:
        page.wait_for_timeout(200)
        places.append(page.evaluate("scrollY"))


def test_a_link_within_the_page_leads_to_the_head_of_a_reading_far_below(large, visit):
    page = visit(large, reduced_motion="no-preference").page

    page.evaluate("location.hash = '#reading-d200'")

    expect(page.locator(".reading.open .head")).to_be_focused()
    _scrolled_to_its_end(page)
    expect(page.locator(".reading.open .head")).to_be_in_viewport()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize(("number", "turn"), [(398, 4), (200, 2), (5, 5)])
def test_a_turn_of_one_of_many_dialogues_stands_right_below_its_heading(large, visit, options, number, turn):
    page = visit(large, **options).page

    page.evaluate(f"location.hash = '#reading-d{number}?at={turn}'")

    expect(page.locator(".reading.open .head")).to_be_focused()
    _scrolled_to_its_end(page)
    head = page.locator(".reading.open > h3").bounding_box()
    bar = page.locator(".contents").bounding_box() if options else {"y": 0, "height": 0}
    heading = page.locator(".reading.open .exchange h4").nth(turn - 1).bounding_box()
    assert head["y"] == pytest.approx(bar["y"] + bar["height"], abs=3)
    assert head["y"] + head["height"] <= heading["y"] < head["y"] + head["height"] + 60


def test_a_link_to_the_last_of_many_opens_it(large, visit):
    page = visit(large, "#reading-d399").page

    expect(page.locator(".reading.open .head")).to_be_focused()
    expect(page.locator(".reading.open .head")).to_be_in_viewport()


def test_an_address_that_names_nothing_is_no_harm(small, visit):
    visited = visit(small, "#reading-%E0%A4%A?q=%&by.nothing=1")

    expect(_status(visited.page)).to_have_text("12 of 12 dialogues")
    visited.assert_quiet()


# --- by keyboard -----------------------------------------------------------------------------------------------------


def test_the_list_by_keyboard(opened):
    opened.keyboard.press("/")
    expect(opened.get_by_label("Search").first).to_be_focused()
    opened.keyboard.type("j/k")
    expect(opened.get_by_label("Search").first).to_have_value("j/k")
    opened.get_by_label("Search").first.fill("")

    opened.keyboard.press("Escape")
    expect(_heads(opened)).to_have_count(12)
    expect(_heads(opened).nth(0)).to_be_focused()
    opened.keyboard.press("j")
    opened.keyboard.press("ArrowDown")
    expect(_heads(opened).nth(2)).to_be_focused()
    opened.keyboard.press("k")
    opened.keyboard.press("Enter")
    expect(_heads(opened).nth(1)).to_have_attribute("aria-expanded", "true")
    assert _hash(opened) == "#reading-d1"

    opened.keyboard.press("Tab")
    opened.keyboard.press("Escape")
    expect(_heads(opened).nth(1)).to_be_focused()
    expect(_heads(opened).nth(1)).to_have_attribute("aria-expanded", "false")
    opened.keyboard.press("End")
    expect(_heads(opened).nth(11)).to_be_focused()
    opened.keyboard.press("j")
    expect(_heads(opened).nth(11)).to_be_focused()


def test_j_and_k_lead_into_the_list_from_anywhere_but_a_field(opened):
    expect(_heads(opened)).to_have_count(12)
    opened.evaluate("document.activeElement.blur()")
    opened.keyboard.press("ArrowDown")
    expect(_heads(opened).nth(0)).not_to_be_focused()
    opened.keyboard.press("j")
    expect(_heads(opened).nth(0)).to_be_focused()
    opened.keyboard.press("j")
    expect(_heads(opened).nth(1)).to_be_focused()

    opened.locator("select").first.focus()
    opened.keyboard.press("j")
    expect(_heads(opened).nth(1)).not_to_be_focused()
    opened.locator(".box").first.focus()
    opened.keyboard.press("k")
    expect(_heads(opened).nth(1)).to_be_focused()


def test_a_sign_in_a_table_stays_beside_its_words(opened):
    apart = opened.evaluate(
        """() => [...document.querySelectorAll("td .toned, th .toned")]
          .filter((cell) => cell.querySelector(".sign"))
          .map((cell) => {
            cell.closest("table").style.width = "1px";
            cell.closest("table").style.minWidth = "0";
            const sign = cell.querySelector(".sign").getClientRects()[0];
            const words = cell.lastElementChild.getClientRects()[0];
            return sign.top >= words.bottom || words.top >= sign.bottom || sign.right > words.left;
          })"""
    )
    assert apart and not any(apart)


def test_only_one_line_of_the_list_is_reached_by_tab(opened):
    assert opened.locator("#readings-dialogues .head[tabindex='0']").count() == 1


def test_skip_link_is_first_and_leads_to_the_report(opened):
    opened.keyboard.press("Tab")
    link = opened.get_by_role("link", name="Skip to the report")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    opened.keyboard.press("Enter")
    assert opened.evaluate("document.activeElement.id") == "page-main"


def test_what_has_focus_shows_it(opened):
    opened.keyboard.press("Tab")
    opened.keyboard.press("Tab")

    assert opened.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_tables_sort_by_keyboard_and_what_is_undefined_comes_last(opened):
    table = opened.locator("#table-scores")
    header = table.get_by_role("columnheader", name="FAR")
    values = table.locator("tbody tr td:nth-child(3) span[dir]")
    original = values.all_text_contents()
    button = header.get_by_role("button")

    button.focus()
    opened.keyboard.press("Enter")
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert values.all_text_contents() == ["0.45", "0.63", "0.72", "0.81", "0.90", "–"]
    opened.keyboard.press("Enter")
    expect(header).to_have_attribute("aria-sort", "descending")
    assert values.all_text_contents() == ["0.90", "0.81", "0.72", "0.63", "0.45", "–"]
    button.click()
    expect(header).to_have_attribute("aria-sort", "none")
    assert values.all_text_contents() == original


def test_marks_of_a_chart_are_told_by_pointer_and_by_arrow(opened):
    chart = opened.get_by_role("img").first
    tip = opened.get_by_role("tooltip")

    chart.locator(".mark-symbol.role-mark path").nth(2).hover()
    expect(tip).to_have_text("compression: 0.5\nvalue: 0.725\nscore: FAR")
    chart.focus()
    opened.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()
    expect(opened.locator("#page-live")).to_contain_text("compression: ")


# --- theme, contents, paper ------------------------------------------------------------------------------------------


def _paper(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_until_it_is_chosen_and_is_remembered(small, visit):
    page = visit(small, color_scheme="dark").page
    button = page.get_by_role("button", name="Dark theme")
    dark = _paper(page)
    expect(button).to_have_attribute("aria-pressed", "true")

    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    light = _paper(page)
    assert light != dark

    # What a file remembers is not always handed on by Chromium to its next opening: the test does it.
    remembered = page.evaluate("({...localStorage})")
    opened = visit(small, color_scheme="dark", stored=remembered).page
    assert _paper(opened) == light
    expect(opened.get_by_role("button", name="Dark theme")).to_have_attribute("aria-pressed", "false")


def test_the_theme_can_be_chosen_where_nothing_can_be_remembered(small, visit):
    visited = visit(small, forbid_storage=True)
    page = visited.page
    light = _paper(page)
    page.get_by_role("button", name="Dark theme").click()

    assert _paper(page) != light
    visited.assert_quiet()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_of_texts_stand_out_from_what_is_behind_them(small, visit, theme):
    page = visit(small, color_scheme=theme).page
    contrast = """([front, back]) => {
      const light = (name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(--${name})`;
        const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
        probe.remove();
        const [r, g, b] = parts.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
      };
      const [one, other] = [light(front), light(back)];
      return Math.max(one, other) / Math.min(one, other);
    }"""
    for back in ("paper", "card"):
        for front in ("ink", "soft", "accent", "good", "warn", "bad"):
            assert page.evaluate(contrast, [front, back]) >= 4.5, (front, back)
        assert page.evaluate(contrast, ["edge", back]) >= 3
    assert page.evaluate(contrast, ["ink", "hit"]) >= 4.5


def test_contents_stand_at_the_side_of_a_desk_and_fold_on_a_phone(small, visit):
    desk, phone = visit(small).page, visit(small, **PHONE).page
    expect(desk.get_by_role("link", name="Provenance")).to_be_in_viewport()
    expect(phone.get_by_role("link", name="Provenance")).to_be_hidden()

    phone.get_by_text("Contents", exact=True).tap()
    phone.get_by_role("link", name="Scores").tap()
    expect(phone.get_by_role("link", name="Scores")).to_be_hidden()
    expect(phone.get_by_role("heading", name="Scores")).to_be_in_viewport()


def test_contents_open_the_part_that_they_lead_to(opened):
    text = opened.get_by_text("Five questions in a row.")
    expect(text).to_be_hidden()
    opened.locator("nav").get_by_role("link", name="How it was done").click()

    expect(text).to_be_in_viewport()


def test_an_address_opens_the_part_that_it_names(small, visit):
    expect(visit(small, "#method").page.get_by_text("Five questions in a row.")).to_be_in_viewport()


def test_what_is_folded_opens_by_keyboard(opened):
    opened.locator("#method summary").focus()
    opened.keyboard.press("Enter")

    expect(opened.get_by_text("Five questions in a row.")).to_be_visible()


def test_what_is_folded_is_printed_open(opened):
    opened.emulate_media(media="print")

    for text in ("Five questions in a row.", "The run was held in autumn.", "Every turn"):
        expect(opened.get_by_text(text).first).to_be_visible()
    folded = opened.locator("main details:visible")
    assert folded.count() > 3
    assert all(each.evaluate("node => node.lastElementChild.clientHeight > 0") for each in folded.all())


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_a_failure_leads_to_its_dialogue_as_often_as_it_is_asked(small, visit, options):
    page = visit(small, **options).page
    for _ in range(2):
        page.get_by_role("link", name="Read the dialogue").click()
        expect(page.locator(".reading.open .title")).to_be_in_viewport()
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_numbers_of_a_map_can_be_read_on_every_shade_and_lead_to_their_dialogue(small, visit, scheme):
    page = visit(small, color_scheme=scheme).page
    contrasts = page.evaluate(_CONTRASTS)
    assert len(contrasts) == 10 and min(contrasts) >= 4.5
    assert contrasts[:5] == sorted(contrasts[:5], reverse=True)  # deeper throughout, whatever colours one sees
    page.locator(".map td a").first.click()
    expect(page.locator(".reading.open .title")).to_be_in_viewport()


def test_maps_fit_a_phone(small, visit):
    page = visit(small, **PHONE).page
    assert not _wide(page)
    assert page.locator(".map .box").evaluate("node => node.scrollWidth === node.clientWidth")


def test_models_answers_to_the_same_question_stand_side_by_side(opened):
    opened.locator(".compare summary").click()
    columns = opened.locator(".column")
    expect(columns.locator("h3")).to_have_text(["openai/gpt-5.1", "local/smollm2-135m"])
    opened.get_by_label("Question", exact=True).select_option("Turn 4: the fabrication")

    expect(columns.locator("h4")).to_have_text(["Turn 4: the fabrication"] * 2)
    left, right = (each.bounding_box() for each in columns.all())
    assert left["y"] == right["y"] and left["x"] + left["width"] <= right["x"]
    columns.last.get_by_role("link", name="All of it").click()
    expect(opened.locator(".reading.open .title")).to_contain_text("local/smollm2-135m")


def test_where_nothing_was_asked_a_comparison_says_so(tmp_path, visit):
    document = sample.small()
    section = next(each for each in document.sections if each.id == "reading")
    lead, block = section.blocks
    path = tmp_path / "two.html"
    two = replace(section, blocks=(lead, replace(block, readings=(block.readings[0], block.readings[4]))))
    path.write_text(render(Document("Two", "", (two,))), encoding="utf-8")
    page = visit(path).page
    page.locator(".compare summary").click()
    page.locator(".compare").get_by_label("Concept").select_option("harm principle")

    expect(page.locator(".columns")).to_have_text("Nothing was asked there.")


def test_compared_answers_stand_below_one_another_on_a_phone(small, visit):
    visited = visit(small, **PHONE)
    visited.page.locator(".compare summary").click()
    expect(visited.page.locator(".column")).to_have_count(2)
    upper, lower = (each.bounding_box() for each in visited.page.locator(".column").all())

    assert upper["x"] == lower["x"] and upper["y"] + upper["height"] <= lower["y"]
    assert not _wide(visited.page)
    visited.assert_quiet()


def test_judges_figures_of_an_answer_stand_in_one_table_and_their_words_below(opened):
    _heads(opened).first.click()
    exchange = opened.locator(".opened .exchange").first
    rows = exchange.locator(".judged").get_by_role("row")

    expect(rows).to_have_count(4)
    assert [text.split() for text in rows.all_inner_texts()] == [
        ["FAR", "SAS", "stance"],
        ["anthropic/claude-opus-4-1", "0.10", "0.90", "accepted"],
        ["openai/gpt-5.1", "0.30", "0.90", "rejected"],
        ["deepseek/deepseek-v3.1", "0.50", "0.90", "rejected"],
    ]
    expect(exchange.locator(".remark")).to_have_count(3)
    expect(exchange.locator(".remark dl")).to_have_count(0)


def test_contents_tell_where_the_reader_is(opened):
    opened.get_by_role("link", name="Scores").click()

    expect(opened.get_by_role("link", name="Scores")).to_have_attribute("aria-current", "true")


def test_on_paper_controls_and_closed_readings_are_away_and_colours_light(small, visit):
    page = visit(small, color_scheme="dark").page
    _heads(page).first.click()
    page.emulate_media(media="print")

    for away in (page.locator("nav"), page.locator("form").first, page.get_by_role("button", name="Dark theme")):
        expect(away).to_be_hidden()
    expect(page.locator("#readings-dialogues .reading:visible")).to_have_count(1)
    expect(page.get_by_text("Of all dialogues (12), those that were open")).to_be_visible()
    assert _paper(page) == "rgb(255, 255, 255)"
    long = page.locator("#table-turns .box")
    assert long.evaluate("node => node.scrollHeight === node.clientHeight")
    assert page.pdf().startswith(b"%PDF")


def test_on_paper_a_long_table_begins_where_it_stands_and_a_short_one_stays_whole(small, visit):
    page = visit(small).page
    page.emulate_media(media="print")

    found = page.locator(".box").evaluate_all(
        "boxes => boxes.map(box => [box.querySelectorAll('tbody > tr').length, getComputedStyle(box).breakInside])"
    )
    assert {rows > 8 for rows, _ in found} == {True, False}
    assert all(rule == ("auto" if rows > 8 else "avoid") for rows, rule in found)


def test_charts_tile_on_a_desk_and_stack_on_a_phone(small, visit):
    def tops(page):
        return [box["y"] for box in (each.bounding_box() for each in page.locator("figure").all())]

    assert len(set(tops(visit(small).page))) == 1
    assert len(set(tops(visit(small, **PHONE).page))) == 3


@pytest.mark.parametrize(("seen", "chart"), [({}, (500, 640)), (PHONE, (300, 390))])
def test_a_lone_wide_chart_fills_its_column_and_of_readings_that_are_open_ten_are(tmp_path_factory, visit, seen, chart):
    shares = named_shares([Point("one", "", 0.5)], ["one"], "Shares", {}, wide=True)
    readings = tuple(
        Reading(f"r{n}", f"Item {n}", {}, (Exchange("Said", None, (Piece(f"Text {n}."),)),)) for n in range(12)
    )
    blocks = (Chart("c", (shares.panel(),)), Readings("r", readings, "items", opened=True))
    document = Document("Worth", "", sections=(Section("s", "Part", blocks),))
    page = visit(_written(tmp_path_factory, "wide", document), **seen).page
    assert chart[0] <= page.locator("figure").bounding_box()["width"] <= chart[1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page does not scroll sideways"
    page.get_by_text("Text 9.").scroll_into_view_if_needed()
    expect(page.get_by_text("Text 10.")).to_have_count(0)
    page.get_by_text("Item 10").click()
    expect(page.get_by_text("Text 10.")).to_be_visible()
