"""The page in a real Chromium, while a real run goes on."""

import os
import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.adapters.examples import labelled
from tests.extras.browser.conftest import chromium  # noqa: F401  (a fixture)
from tests.extras.view._serving import Viewer
from tests.support.fake_openai import control, start_fake_server


@pytest.fixture
def sit_down(chromium):  # noqa: F811
    """Opens an address: a page whose complaints and whose requests to elsewhere end in `wrong`."""
    contexts = []

    def open_page(base, **options):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page, wrong = context.new_page(), []
        page.set_default_timeout(60_000)
        page.on("console", lambda said: said.type in ("error", "warning") and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: asked.url.startswith((base, "data:")) or wrong.append(asked.url))
        page.goto(base)
        return page, wrong

    yield open_page
    for context in contexts:
        context.close()


def test_a_run_is_followed_from_its_first_answers_to_its_report(sit_down, tmp_path):
    labelled(tmp_path / "earlier", ("invented", "faithful"))
    with start_fake_server(latency=1.5) as base_url, Viewer(tmp_path) as viewer:
        command = f"run -m openai-api/subject --base-url {base_url} --levels 0,1 --concepts recursion,phoneme"
        run = subprocess.Popen(
            [sys.executable, "-m", "voirdire", *command.split(), "--connections", "1", "-o", tmp_path / "run"],
            env={**os.environ, "OPENAI_API_KEY": "none"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            page, wrong = sit_down(viewer.base)
            page.get_by_text("running: ").wait_for()
            page.get_by_role("checkbox", name="Choose run").check()
            page.locator('progress:not([value="0"])').wait_for()
            assert page.get_by_role("checkbox", name="Choose run").is_checked()  # though the list was renewed
            page.get_by_role("link", name="run", exact=True).click()
            page.get_by_role("heading", name="run").wait_for()
            assert page.get_by_role("link", name="Report so far").is_visible()
            control(base_url, latency=0)
            page.get_by_role("navigation", name="Contents").wait_for()  # the report, which opens by itself
            assert run.wait(60) == 0
            page.get_by_role("link", name="All runs").click()
            page.get_by_text("finished: 4 dialogues").wait_for()
            page.locator(".headline", has_text=re.compile(r"\bER\b")).wait_for()
            assert wrong == []
        finally:
            run.kill()
            run.wait()


def test_runs_are_chosen_and_compared(sit_down, tmp_path):
    for name in ("first", "second"):
        labelled(tmp_path / name, ("invented", "faithful"), ("faithful",))
    with Viewer(tmp_path) as viewer:
        page, wrong = sit_down(viewer.base)
        for name in ("first", "second"):
            page.get_by_role("checkbox", name=f"Choose {name}").check()
        page.get_by_role("button", name="Compare").click()
        page.get_by_role("heading", name="Side by side").wait_for()
        assert wrong == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_fit(sit_down, tmp_path, width, scheme):
    labelled(tmp_path / "a-run-with-a-long-name" / "and-a-long-folder" / "labels", ("invented", "faithful"))
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "run.json").write_text("{")
    with Viewer(tmp_path) as viewer:
        page, _ = sit_down(viewer.base, viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.locator(".headline").wait_for()
        for address in (viewer.base, f"{viewer.base}run/damaged"):
            page.goto(address)
            found = Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_search_and_the_list_work_without_script(sit_down, tmp_path):
    for name in ("first", "second"):
        labelled(tmp_path / name, ("invented", "faithful"))
    with Viewer(tmp_path) as viewer:
        page, _ = sit_down(viewer.base, java_script_enabled=False)
        page.get_by_role("searchbox").fill("sec")
        page.get_by_role("button", name="Search").click()
        page.get_by_text("1 run of 2.").wait_for()
        assert page.get_by_role("link", name="second").is_visible()


def test_results_are_listed_beside_runs_and_open_as_their_audit(sit_down, tmp_path):
    labelled(tmp_path / "labels", ("invented", "faithful"))
    rows = [
        f"i{item},{model},{score},Question {item}?,Answer {item % 7} of {model}"
        for item in range(30)
        for model, score in (("acme/large", float(item % 5 > 0)), ("acme/small", float(item % 2)))
    ]
    (tmp_path / "results.csv").write_text("\n".join(["item,model,score,prompt,output", *rows]) + "\n")
    with Viewer(tmp_path) as viewer:
        page, wrong = sit_down(viewer.base)
        page.get_by_text("1 run and 1 set of results.").wait_for()
        page.get_by_text("Believe the order of both models").wait_for()
        page.get_by_role("link", name="results.csv").click()
        verdict = page.get_by_text("Believe the order of both models").first
        verdict.wait_for()
        assert verdict.bounding_box()["y"] < 800  # on the first screen
        contents = page.get_by_role("navigation", name="Contents")
        contents.get_by_role("link", name="Items").click()
        item = page.get_by_text("Question 2?").first
        item.scroll_into_view_if_needed()
        page.get_by_role("link", name="All runs").click()
        page.get_by_role("link", name="labels").wait_for()
        assert wrong == []
