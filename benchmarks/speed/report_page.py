"""How long a report takes to be made and to open: 400 dialogues of five turns, and a run of one's own.

python -m benchmarks.speed.report_page [RUN]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from voirdire.documents.document import Document
from voirdire.reports.page import render

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.reports.page import sample

NEEDS = "playwright and Chromium"
SMALL = ()

REPEATS = 5
LISTED = "document.querySelectorAll('.reading').length"


def main() -> None:
    """Print a line for each document."""
    documents = {"400 made-up dialogues": sample.large()}
    if len(sys.argv) > 1:
        from voirdire.ddft.report.sections import document as ddft_document

        documents[sys.argv[1]] = ddft_document([Path(sys.argv[1])])
    print(f"{'report':<32}{'MB':>6}{'made in, s':>12}{'load event, s':>15}{'all listed, s':>15}   median of {REPEATS}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, document in documents.items():
            print(_line(name, document, browser))
        browser.close()


def _line(name: str, document: Document, browser: Browser) -> str:
    begun = time.perf_counter()
    text = render(document)
    made = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        path.write_text(text, encoding="utf-8")
        opened = [_open(browser, path) for _ in range(REPEATS)]
    load, listed = (median(each) for each in zip(*opened, strict=True))
    return f"{name[-30:]:<32}{len(text.encode()) / 1e6:>6.1f}{made:>12.1f}{load:>15.2f}{listed:>15.2f}"


def _open(browser: Browser, path: Path) -> tuple[float, float]:
    """Seconds to the load event, and until every dialogue stands in the list."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(path.as_uri())
    load = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
    counts: list[int] = [-1]
    while (now := page.evaluate(LISTED)) != counts[-1]:
        counts.append(now)
        page.wait_for_timeout(50)
    assert counts[-1] > 0, "no dialogue is listed"
    listed = time.perf_counter() - begun
    context.close()
    return load, listed


if __name__ == "__main__":
    main()
