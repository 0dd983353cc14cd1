"""Draw the README's picture again: the first screen of the report of three simulated models.

    make pictures

It holds the run that the README shows (no key, no download, some seconds), writes its report and photographs it in
Debian's chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent.parent / "docs" / "assets" / "report.png"
MODELS = ("simulated/steady", "simulated/fading", "simulated/gullible")
WIDTH, HEIGHT = 1280, 800


def main() -> None:
    """Hold the run, write its page, photograph the first screen."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is missing: install it (on Debian: apt-get install chromium), then try again.")
    with tempfile.TemporaryDirectory() as folder:
        run, page = Path(folder) / "three", Path(folder) / "report.html"
        subjects = [argument for model in MODELS for argument in ("-m", model)]
        _voirdire("run", *subjects, "--jury", "simulated/judge,simulated/noisy", "-p", "lite", "-o", str(run))
        _voirdire("report", str(run), "-o", str(page))
        _photograph(chromium, page)
    print(f"Written: {PICTURE} ({PICTURE.stat().st_size / 1000:.0f} kB)")


def _voirdire(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "voirdire", *arguments], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our words


def _photograph(chromium: str, page: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        view.goto(page.as_uri())
        view.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
