"""The site is built without a warning, and its pages ask nobody outside for anything."""

import os
import re
import shutil
import subprocess
import sys
from html import unescape
from urllib.parse import unquote

import pytest

from tests.extras.browser.conftest import open_chromium
from tests.extras.docs._collect import ROOT, pages
from tests.extras.docs._running import locked
from voirdire.papers.ddft.replication import replicate

READ = ("index.html", "ddft.html", "reference/front.html", "notebooks/from-a-run-to-a-judgement.html")


@pytest.fixture(scope="module")
def site(store):
    folder = store / "site"
    with locked(folder):
        if not folder.exists():
            build(folder)
    return folder


def build(folder):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def browser():
    with open_chromium() as chromium:
        yield chromium


def test_every_page_is_built_and_stands_in_the_navigation(site):
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    written = [page.removeprefix("docs/") for page in pages() if page.startswith("docs/")]
    for page in [*written, "changelog.md", "contributing.md"]:
        assert (site / page).with_suffix(".html").exists()
        assert re.search(rf"[ :]{re.escape(page)}\n", navigation), f"{page} is in no place of the navigation"


def test_every_page_links_the_glossary():
    written = [page for page in pages() if page.startswith("docs/") and page != "docs/glossary.md"]
    assert [page for page in written if "glossary.md#" not in (ROOT / page).read_text(encoding="utf-8")] == []


def test_every_link_within_the_site_leads_somewhere(site):
    written = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html") if page.name != "404.html"}
    ids = {page: set(re.findall(r"""\sid=["']?([^"'\s>]+)""", html)) for page, html in written.items()}
    dead = []
    for page, html in written.items():
        for link in set(re.findall(r"""<a[^>]*\shref=["']?([^"'\s>]+)""", html)):
            path, _, anchor = unquote(unescape(link)).partition("#")
            target = (page.parent / path).resolve() if path else page
            if re.match(r"[a-z]+:", path) or (target.exists() and anchor in {"", *ids.get(target, {anchor})}):
                continue
            dead.append(f"{page.relative_to(site)}: {link}")
    assert dead == []


def test_links_to_notebooks_lead_to_their_pages(site):
    page = (site / "exports.html").read_text(encoding="utf-8")
    assert 'href="notebooks/from-a-run-to-a-judgement.html"' in page


def test_every_claim_of_the_published_study_stands_on_its_page(site):
    page = (site / "reference" / "published-claims.html").read_text(encoding="utf-8")
    assert [each.claim.id for each in replicate().claims if f"<code>{each.claim.id}</code>" not in page] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_ask_nobody_outside_make_no_error_and_fit(site, browser, width):
    asked, errors = [], []
    view = browser.new_page(viewport={"width": width, "height": 900})
    view.on("request", lambda request: asked.append(request.url))
    view.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    view.on("pageerror", lambda error: errors.append(str(error)))
    for page in READ:
        view.goto((site / page).as_uri())
        view.wait_for_load_state("load")
        assert view.evaluate("document.documentElement.scrollWidth") <= width, page
    view.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert [error for error in errors if "file://" not in error] == []


def test_no_page_names_an_address_that_a_browser_would_load(site):
    loads = re.compile(r"""<(?:script|img|iframe|link(?! rel="canonical"))[^>]+(?:src|href)=["']?(https?:)?//""")
    outside = [page.name for page in site.rglob("*.html") if loads.search(page.read_text(encoding="utf-8"))]
    assert outside == []


def test_a_reader_finds_a_page_by_searching(site, browser):
    served = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", site],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        port = re.search(r"port (\d+)", served.stdout.readline())[1]
        view = browser.new_page()
        view.goto(f"http://127.0.0.1:{port}/index.html")
        view.keyboard.press("/")
        view.keyboard.type("capitulation")
        view.locator(".md-search-result__link[href*='/ddft.html']").first.wait_for()
        view.close()
    finally:
        served.terminate()
        served.wait(10)
        served.stdout.close()
