"""`inspect view` really opens what we write: in a Chromium, with a real SmolLM2 run and the published study."""

import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.extras.browser.conftest import open_chromium
from tests.extras.inspect.conftest import hold
from tests.extras.inspect.scripted import HOSTILE, Ours
from voirdire.adapters.inspect.export import write_eval
from voirdire.ddft.presets import load_preset
from voirdire.models import register, weights

SMOL = "local/smollm2-135m"
WAIT = 20_000  # ms, of one expectation


@pytest.fixture(scope="module")
def logs(published, tmp_path_factory):
    """A folder with the logs of the published study, and of a run whose subject and judge write hostile text."""
    folder = tmp_path_factory.mktemp("viewed")
    for file in published[1]:
        shutil.copy(file, folder)
    register("hostile", lambda name, options: Ours(name, lambda *_: HOSTILE))
    run = tmp_path_factory.mktemp("runs") / "hostile"
    hold(run, ["hostile/subject"], jury=["reference"], concepts=["recursion"], levels=[0])
    write_eval(run, folder)
    return folder


@pytest.fixture(scope="module")
def viewer(logs, environment):
    """Inspect's own viewer in a process of its own; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["inspect", "view", "start", "--log-dir", str(logs), "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(address, process):
    until = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            assert process.poll() is None, process.stdout.read()
            assert time.monotonic() < until, "the viewer did not come up"
            time.sleep(0.2)


@pytest.fixture(scope="module")
def browser():
    with open_chromium() as chromium:
        yield chromium


@pytest.fixture
def page(browser, viewer):
    """A page that must not complain, ask anyone else, or run anything that stands in a log."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    page.on(
        "request",
        lambda request: complaints.extend([request.url] * (not request.url.startswith((viewer, "data:", "blob:")))),
    )
    # The viewer looks for a page of its own that a folder may hold, and gets a 404.
    page.on(
        "response",
        lambda response: complaints.extend(
            [response.url] * (response.status >= 400 and "/api/flow" not in response.url)
        ),
    )
    page.goto(viewer)
    yield page
    page.close()
    assert complaints == []


def open_log(page, model):
    """A click that comes while the viewer still fills its list is lost: then it is repeated."""
    listed = page.get_by_text(model, exact=True).first
    opened = page.get_by_text(re.compile(r"@\d")).first  # the name of a sample
    for _ in range(4):
        listed.click(timeout=WAIT)
        try:
            expect(opened).to_be_visible(timeout=WAIT / 4)
            return
        except AssertionError:
            continue
    expect(opened).to_be_visible(timeout=WAIT)


def open_sample(page, name):
    page.get_by_text(name, exact=True).first.click(timeout=WAIT)
    expect(tab(page, "Messages")).to_be_visible(timeout=WAIT)


def tab(page, name):
    """The sample's own tab: events of the transcript have tabs of the same names, further down."""
    return page.get_by_role("tab", name=name).first


def test_the_published_study_is_listed_with_its_scores(page):
    for model in ("gpt-5", "phi-4", "o4-mini"):
        expect(page.get_by_text(model, exact=True).first).to_be_visible(timeout=WAIT)
    open_log(page, "gpt-5")

    expect(page.get_by_text("40 samples").first).to_be_visible(timeout=WAIT)
    expect(page.get_by_text("K", exact=True).first).to_be_visible()
    expect(page.get_by_text("0.969").first).to_be_visible()
    expect(page.get_by_text("derivative@0.25").first).to_be_visible()


def test_a_sample_shows_its_dialogue_and_why_it_got_its_scores(page):
    open_log(page, "gpt-5")
    open_sample(page, "derivative@0.25")

    tab(page, "Messages").click()
    shown = page.get_by_text("assistant", exact=True)
    expect(shown.first).to_be_visible(timeout=WAIT)
    tab(page, "Scoring").click()
    expect(page.get_by_text(re.compile(r"Turn 4.*FAR 0\.\d\d, SAS 0\.\d\d")).first).to_be_visible(timeout=WAIT)


def test_hostile_answers_are_shown_as_text(page):
    open_log(page, "hostile/subject")
    open_sample(page, "recursion@0")

    tab(page, "Messages").click()
    expect(page.get_by_text(HOSTILE).first).to_be_visible(timeout=WAIT)
    assert page.locator("img[src='x']").count() == 0


@pytest.mark.real_model
def test_a_run_of_a_real_model_is_opened(page, logs, viewer, tmp_path):
    weights.pull("smollm2-135m")
    short = replace(load_preset("quick"), subject_max_tokens=24)
    run = hold(tmp_path / "run", [SMOL], preset=short, concepts=["recursion"], levels=[1])
    write_eval(run.path, logs)
    said = run.tables.turns.sort_values("turn")["answer"].iloc[0]

    page.goto(viewer)
    open_log(page, SMOL)
    open_sample(page, "recursion@1")

    expect(page.get_by_text(said.splitlines()[0]).first).to_be_visible(timeout=WAIT)
    tab(page, "Scoring").click()
    expect(page.get_by_text("Judged by the reference panel").first).to_be_visible(timeout=WAIT)
    page.screenshot(path=tmp_path / "scoring.png")
