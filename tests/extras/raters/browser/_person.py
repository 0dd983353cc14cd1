"""Somebody before a browser who has only a keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Request

_MOST_TABS = 120
_REST = 800
"""Milliseconds of rest after a page has changed: more than those for which it refuses keys and clicks."""
_IS_ACTIVE = "element => element === document.activeElement"
_MARK = "() => { const work = document.querySelector('#work'); if (work) work.dataset.old = 'yes'; }"
_NEW = """() => {
  const work = document.querySelector('#work');
  return document.readyState === 'complete' && (!work || (!work.dataset.old && work.contains(document.activeElement)));
}"""


class Person:
    """A page that was opened by a secret link, with everything that happened in it which should not.

    Its clock is put forward whenever its keys rest after a change, unless it is to be the real one.
    """

    def __init__(self, context: BrowserContext, address: str, *, real_clock: bool = False) -> None:
        self.context = context
        self.address = address
        self.page = context.new_page()
        self.page.set_default_timeout(30_000)  # figures are worked out at a low priority
        self.console: list[str] = []
        """Errors and warnings, breaches of the Content-Security-Policy among them."""
        self.errors: list[str] = []
        self.strange: list[str] = []
        """Requests to anybody but the server."""
        self._real_clock = real_clock
        self._own = "/".join(address.split("/")[:3])
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._watch)
        if not real_clock:
            context.clock.install()
        self.page.goto(address)

    def assert_quiet(self) -> None:
        """Nothing complained, and nobody else was asked for anything."""
        assert (self.console, self.errors, self.strange) == ([], [], [])

    def press(self, *keys: str) -> None:
        """One after the other; a single key once the page takes it again, after a change."""
        for key in keys:
            if len(key) == 1:
                self.rest()
            self.page.keyboard.press(key)

    def rest(self) -> None:
        """Until the page takes keys and clicks again, after a change."""
        if not self._real_clock:
            self.context.clock.fast_forward(_REST)
        self.page.wait_for_function("() => document.documentElement?.classList.contains('changed') === false")

    def type(self, text: str) -> None:
        """Over whatever stands in the field."""
        self.press("Control+a")
        self.page.keyboard.type(text)

    def reach(self, wanted: str | Locator, key: str = "Tab") -> Locator:
        """Tab until what is wanted has the focus; what is folded is opened first."""
        found = self.page.locator(wanted).first if isinstance(wanted, str) else wanted.first
        found.wait_for(state="attached")
        if found.evaluate("each => Boolean(each.closest('details:not([open])')) && each.tagName !== 'SUMMARY'"):
            self.reach(found.locator("xpath=ancestor::details[1]/summary"), key)
            self.press("Enter")
        found.wait_for()
        for _ in range(_MOST_TABS):
            if found.evaluate(_IS_ACTIVE):
                return found
            self.press(key)
        raise AssertionError(f"{wanted} can't be reached with {key}")

    def choose(self, name: str, value: str) -> None:
        """Pick a radio: into its group by Tab, then by arrows."""
        group = f"#work input[type=radio][name='{name}']"
        at = "() => document.activeElement.matches({}) ? document.activeElement.value : null"
        for _ in range(_MOST_TABS):
            if self.page.evaluate(at.format(repr(group))) is not None:
                break
            self.press("Tab")
        self.press("Space")
        for _ in range(_MOST_TABS):
            if self.page.evaluate(at.format(repr(group))) == value:
                return
            self.press("ArrowRight")
        raise AssertionError(f"{name} has no {value}")

    def button(self, name: str) -> Locator:
        return self.page.locator("main").get_by_role("button", name=name, exact=True)

    def send(self, wanted: str | Locator, key: str = "Enter") -> None:
        """Reach a button, press it, and wait for what comes of it."""
        target = self.button(wanted) if isinstance(wanted, str) else wanted
        self.reach(target)
        self.answered(lambda: self.press(key))

    def answered(self, does: Callable[[], None]) -> None:
        """Do something that is saved, once the page takes it; go on once it shows what comes of it, and takes more."""
        self.rest()
        self.page.evaluate(_MARK)
        does()
        self.page.wait_for_function(_NEW)
        self.rest()

    def begin(self) -> None:
        """From the overview to the first item."""
        self.reach(self.page.get_by_role("button", name="Begin").or_(self.page.get_by_role("button", name="Go on")))
        with self.page.expect_navigation():
            self.press("Enter")
        self.rest()

    def switch_keys_on(self) -> None:
        self.reach("#keys-switch")
        self.press("Space")
        assert self.page.locator("#keys-switch").get_attribute("aria-pressed") == "true"

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.console.append(said.text)

    def _watch(self, asked: Request) -> None:
        if not asked.url.startswith((self._own, "data:")):
            self.strange.append(asked.url)
