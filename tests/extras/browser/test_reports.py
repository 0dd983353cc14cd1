"""Reports that the command makes of real runs, opened in a real browser."""

import fcntl
import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest
from playwright.sync_api import expect

from tests.cli import here
from tests.cognibench.made_data import write_data
from tests.support.labelling_server import start_labelling_server
from tests.support.study import write_study
from voirdire.models import simulated, weights

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_ON_WORDS = """
() => {
  const pairs = [...document.querySelectorAll(".picture")].flatMap((picture) => {
    const words = [...picture.querySelectorAll("text")].filter((each) => each.textContent.trim());
    const points = [...picture.querySelectorAll(".mark-symbol.role-mark path")];
    return points.map((point) => [point, words]);
  });
  const cover = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const box = (node) => node.getBoundingClientRect();
  const covered = pairs.flatMap(([point, words]) => words.filter((word) => cover(box(point), box(word))));
  return [pairs.length, covered.map((word) => word.textContent)];
}
"""
"""How many points there are, and the words that one of them covers."""
HOSTILE = "</script><img src=x onerror='window.attacked = 1'><script>window.attacked = 1</script>"
QUICK = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1")
FACTS = ["The bridge opened on 4 May 1907.", "It cost 310,000 pounds.", f"It is called {HOSTILE}."]
RESPONSES = [
    {"id": "good", "response": "The bridge opened on 4 May 1907 and cost 310,000 pounds."},
    {"id": "bad", "response": f"The bridge opened on 4 May 1911. {HOSTILE} It was cheap.", "holistic": 95},
]
SMALL = {"comparison": 12, "labels": 4, "audit": 2, "hostile": 6}
"""How many texts there are to read in each report."""


def voirdire(*arguments):
    """The command, in a thread: a browser that is open keeps an event loop running in this one."""
    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(here.voirdire, *arguments).result()


def study(folder):
    voirdire("ddft", "import", write_study(folder / "turns.jsonl"), "-o", folder / "study")
    return [folder / "study"]


def comparison(folder):
    for name in ("steady", "gullible"):
        voirdire("run", "-m", f"simulated/{name}", *QUICK, "-o", folder / name)
    return [folder / "steady", folder / "gullible"]


def labels(folder):
    with start_labelling_server() as base_url:
        asked = ("--labeller", "openai-api/labeller", "--base-url", base_url, "--votes", "3", "--types", "model")
        voirdire("label", write_data(folder / "data.jsonl"), *asked, "-o", folder / "labels")
    return [folder / "labels"]


def audit(folder):
    (folder / "facts.txt").write_text("\n".join(FACTS))
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, RESPONSES)))
    asked = ("--facts", folder / "facts.txt", "--responses", folder / "answers.jsonl")
    voirdire("integrity", "audit", *asked, "-o", folder / "audit")
    return [folder / "audit"]


def hostile(folder):
    """A subject that puts markup into every answer."""
    plain = simulated.subject_answer
    with patch.object(simulated, "subject_answer", lambda *given: f"{HOSTILE} {plain(*given)} {HOSTILE}"):
        voirdire("run", "-m", "simulated/subject", *QUICK, "-o", folder / "hostile")
    return [folder / "hostile"]


def smollm2(folder):
    """The smallest run of a real model that has something to report: two dialogues with short answers."""
    weights.pull("smollm2-135m")
    preset = folder / "short.yaml"
    preset.write_text("extends: quick\ndescription: Short answers.\nsubject_max_tokens: 24\n")
    asked = ("--concepts", "recursion", "--levels", "0,1", "--preset", preset)
    voirdire("run", "-m", "local/smollm2-135m", *asked, "-o", folder / "smollm2")
    return [folder / "smollm2"]


RUNS = {each.__name__: each for each in (study, comparison, labels, audit, hostile, smollm2)}
TOGETHER = {"both": ("smollm2", "study")}
"""Reports of several of these: a real model's run beside the published record."""


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A folder that all processes of the tests have in common."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "reports"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def runs(shared):
    """The run folders of a name; they are made once."""

    def made(name):
        folder = shared / name
        with (shared / f"{name}.runs.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            listed = shared / f"{name}.runs.json"
            if not listed.exists():
                folder.mkdir()
                listed.write_text(json.dumps([str(path) for path in RUNS[name](folder)]))
        return json.loads(listed.read_text())

    return made


@pytest.fixture(scope="session")
def report(shared, runs):
    """The page of a report by its name; each is made once."""

    def made(name):
        page = shared / f"{name}.html"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not page.exists():
                folders = [path for part in TOGETHER.get(name, (name,)) for path in runs(part)]
                voirdire("report", *folders, "-o", page)
        return page

    return made


def status(page):
    return page.locator(".readings p[role=status]")


def check_filters(page, number):
    """Every filter leaves as many as it says, and all are back when it is lifted."""
    filters = page.locator("[data-filter]")
    for place in range(filters.count()):
        button = filters.nth(place)
        passing = re.search(r"\d+", button.locator(".count").inner_text())[0]
        button.click()
        expect(status(page)).to_contain_text(f"{passing} of {number}")
        expect(page.locator(".readings .list > li:visible")).to_have_count(int(passing))
        button.click()
        expect(status(page)).to_contain_text(f"{number} of {number}")
    return filters.count()


@pytest.mark.parametrize("options", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desk", "phone, dark"])
@pytest.mark.parametrize("name", SMALL)
def test_a_report_opens_quietly_fits_the_screen_and_its_filters_work(report, visit, name, options):
    visited = visit(report(name), **options)
    page = visited.page

    expect(status(page)).to_contain_text(f"{SMALL[name]} of {SMALL[name]}")
    assert check_filters(page, SMALL[name]) > 0
    page.locator(".readings .head").first.click()
    expect(page.locator(".opened .exchange").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visited.assert_quiet()


@pytest.mark.parametrize("options", [{}, PHONE], ids=["1280 wide", "phone"])
def test_a_table_wider_than_its_box_scrolls_by_keyboard_and_shows_that_it_goes_on(report, visit, options):
    page = visit(report("study"), **options).page

    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = [box for box in page.locator(".box").all() if box.evaluate("each => each.scrollWidth > each.clientWidth")]
    assert wide
    for box in wide:
        shades = box.evaluate("each => getComputedStyle(each).backgroundAttachment")
        assert shades.count("local") == shades.count("scroll") - 1 == 2, "two shades stay, two covers move along"
        box.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def test_the_published_study_opens_and_all_its_dialogues_can_be_filtered(report, visit):
    visited = visit(report("study"))
    page = visited.page

    expect(status(page)).to_contain_text("360 of 360")
    assert check_filters(page, 360) >= 2
    page.get_by_label("Search").fill("fictional")
    expect(status(page)).not_to_contain_text("360 of 360")
    expect(page.locator(".readings .list > li:visible").first).to_be_visible()
    visited.assert_quiet()


def test_a_real_models_run_beside_the_published_study_opens_as_two_different_tests(report, visit):
    visited = visit(report("both"))
    page = visited.page

    expect(status(page)).to_contain_text("362 of 362")
    expect(page.locator("#verdict")).to_contain_text("they are different tests")
    for name in ("local/smollm2-135m", "gpt-oss-120b"):
        expect(page.locator("#comparison")).to_contain_text(name)
    assert check_filters(page, 362) >= 2
    visited.assert_quiet()


@pytest.mark.parametrize(("name", "failures"), [("comparison", 2), ("study", 1)])
def test_the_first_screen_holds_the_verdict_the_ranked_models_and_the_worst_failures(report, visit, name, failures):
    page = visit(report(name), viewport={"width": 1280, "height": 800}).page
    links = page.locator("#verdict .links a")

    for part in (page.locator("#verdict > .prose").first, page.locator("#chart-ranking .picture"), links.last):
        box = part.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 800
    assert links.count() >= failures
    turn = int(links.first.get_attribute("href").rsplit("?at=")[1])
    links.first.click()
    expect(page.locator(".reading.open .exchange h4").nth(turn - 1)).to_be_in_viewport()


@pytest.mark.parametrize("name", ["comparison", "study", "both"])
def test_the_first_screen_of_a_phone_holds_the_verdict_and_the_ranked_models(report, visit, name):
    page = visit(report(name), **PHONE).page
    for part in (page.locator("#verdict > .prose").first, page.locator("#chart-ranking figure")):
        box = part.bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= PHONE["viewport"]["height"]


@pytest.mark.parametrize("options", [{}, PHONE], ids=["1280 wide", "phone"])
def test_a_turn_that_a_link_leads_to_stands_below_the_heading_that_says_whose_it_is(report, visit, options):
    page = visit(report("study"), **options).page
    link = page.locator("#verdict .links a").first
    turn = int(link.get_attribute("href").rsplit("?at=")[1])

    link.click()

    title = page.locator(".reading.open .title")
    expect(title).to_be_in_viewport(ratio=1)
    heading = page.locator(".reading.open .exchange h4").nth(turn - 1)
    expect(heading).to_be_in_viewport(ratio=1)
    page.wait_for_function("() => document.querySelector('.reading.open > h3').getBoundingClientRect().top < 100")
    head = page.locator(".reading.open > h3").bounding_box()
    assert head["y"] + head["height"] <= heading.bounding_box()["y"] < head["y"] + head["height"] + 60
    page.mouse.wheel(0, 300)
    expect(title).to_be_in_viewport(ratio=1)


def test_on_a_phone_no_cell_of_a_tables_row_is_out_of_sight(report, visit):
    page = visit(report("study"), **PHONE).page
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    hidden = page.evaluate(
        "[...document.querySelectorAll('.cards')].filter((box) => box.scrollWidth > box.clientWidth).length"
    )
    assert page.locator(".cards").count() > 3 and hidden == 0
    row = page.locator("#table-checks tbody tr").first
    label = "node => getComputedStyle(node, '::before').content"
    assert [cell.evaluate(label) for cell in row.locator("td").all()][:4] == [
        '"finding"',
        '"value"',
        '"counted"',
        '"from"',
    ]
    assert row.bounding_box()["height"] < 150
    assert page.get_by_role("rowheader", name="concept_named").count() == 1  # a table for those who listen, too


@pytest.mark.parametrize("name", ["comparison", "study"])
def test_no_point_of_a_chart_lies_on_a_word(report, visit, name):
    page = visit(report(name)).page
    page.emulate_media(media="print")
    points, on_words = page.evaluate(_ON_WORDS)

    assert points > 20 and on_words == []


def test_what_a_hostile_subject_says_is_shown_as_text(report, visit):
    visited = visit(report("hostile"))
    page = visited.page
    page.locator(".readings .head").first.click()

    said = page.locator(".opened .exchange").first.evaluate("node => node.textContent")
    assert said.count(HOSTILE) >= 2
    assert page.locator("img").count() == 0 and page.evaluate("window.attacked === undefined")
    visited.assert_quiet()


def test_deductions_stand_in_the_response_and_statements_wear_their_tier(report, visit):
    page = visit(report("audit")).page
    page.locator(".readings .head", has_text="bad").click()
    expect(page.locator(".opened .piece").filter(has_text="1911").first).to_be_visible()
    assert HOSTILE in page.locator(".opened .exchange").first.evaluate("node => node.textContent")

    page = visit(report("labels")).page
    page.locator(".readings .head").first.click()
    expect(page.locator(".opened .piece").filter(has_text="It ground wheat.").first).to_contain_text("invented")


def test_a_comparison_names_both_models_throughout(report, visit):
    page = visit(report("comparison")).page

    for name in ("steady", "gullible"):
        expect(page.locator("main")).to_contain_text(name)
    expect(page.locator(".readings select").first).to_be_visible()


@pytest.mark.real_model
def test_a_real_models_run_becomes_a_report(report, visit):
    visited = visit(report("smollm2"))
    page = visited.page

    expect(status(page)).to_contain_text("2 of 2")
    page.locator(".readings .head").first.click()
    expect(page.locator(".opened .exchange")).to_have_count(5)
    assert len(page.locator(".opened .exchange").last.inner_text()) > 200
    expect(page.locator("main")).to_contain_text("smollm2-135m")
    visited.assert_quiet()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_leading_chart_fills_its_box_and_what_is_said_of_it_stands_below(report, visit, width):
    page = visit(report("comparison"), viewport={"width": width, "height": 800}).page
    chart, picture = (page.locator(f"#chart-ranking {part}").bounding_box() for part in ("figure", ".picture"))
    assert picture["width"] > 0.88 * chart["width"]
    caption = page.locator("#chart-ranking .caption").bounding_box()
    assert caption["y"] >= chart["y"] + chart["height"]
    names = page.locator("#chart-ranking .role-axis-label text").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().left)"
    )
    assert min(names) >= chart["x"]
    numbers = page.locator("#chart-ranking text").filter(has_text=re.compile(r"^0\.\d{3}$"))
    assert numbers.count() == 2
    for box in (number.bounding_box() for number in numbers.all()):
        assert box["x"] + box["width"] <= chart["x"] + chart["width"]


def test_the_key_that_searches_marks_the_part_with_the_search_in_the_contents_and_no_other(report, visit):
    page = visit(report("comparison"), viewport={"width": 1280, "height": 900}).page
    page.keyboard.press("/")
    expect(page.locator("#page-contents a[aria-current]")).to_have_text(["Dialogues"])


def test_tables_beside_a_chart_or_a_sentence_that_says_the_same_are_folded(report, visit):
    page = visit(report("comparison")).page
    for table in ("trap-kinds", "trap-after", "standings", "pairs"):
        expect(page.locator(f"#table-{table} > details:not([open])")).to_have_count(1)


@pytest.mark.parametrize("name", ["comparison", "study"])
def test_on_paper_no_table_is_wider_than_a_page(report, visit, name):
    page = visit(report(name), viewport={"width": 680, "height": 980}).page  # A4 between its margins
    page.emulate_media(media="print")

    wide = page.locator(".box").evaluate_all(
        "boxes => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.parentElement.id)"
    )
    assert page.locator(".box table").count() > 5 and wide == []
