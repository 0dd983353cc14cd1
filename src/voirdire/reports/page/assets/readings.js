// The list of readings: which are shown, which are open, and how the address of the page tells both.

const SLICE = 12; // milliseconds of drawing before the page may answer again
const LANDINGS = 4; // times that a reading is scrolled to, a frame apart
const OPENED = 10; // readings that are open from the start where some are to be read at once
const PAUSE = 150; // milliseconds without a key before a search begins

class ReadingList {
  #turn = 0;
  #pending = [];
  #typed = 0;

  constructor(root) {
    const data = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
    this.root = root;
    this.noun = data.noun;
    this.facets = data.facets;
    this.beside = data.beside;
    this.marks = new Map(data.marks.map((mark) => [mark.id, mark]));
    this.filters = new Map(data.filters.map((filter) => [filter.id, filter]));
    this.form = root.querySelector("form");
    this.list = root.querySelector(".list");
    this.search = this.form.querySelector("input");
    this.selects = [...this.form.querySelectorAll("[data-facet]")];
    this.buttons = [...this.form.querySelectorAll("[data-filter]")];
    this.items = data.readings.map((reading, index) => new Item(reading, `${root.dataset.name}-${index}`, this));
    this.version = 0;
    this.patterns = [];
    this.pressed = new Set();
    this.shown = this.items;
    this.current = null;
    this.opened = null;
    this.#fillFacets();
    this.#listen();
    this.form.hidden = data.opened;
    if (data.opened) for (const item of this.items.slice(0, OPENED)) item.open = true;
    if (data.compare && this.items.length) startCompare(this, data.compare);
    this.update();
  }

  // --- what is asked for ---

  #fillFacets() {
    for (const select of this.selects) {
      const counts = new Map();
      for (const { reading } of this.items) {
        const value = reading.facets[select.dataset.facet];
        if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      for (const [value, count] of counts) select.append(make("option", { value, dir: "auto" }, `${value} (${count})`));
    }
  }

  #listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.settle();
    });
    this.search.addEventListener("input", () => {
      clearTimeout(this.#typed);
      this.#typed = setTimeout(() => this.settle(), PAUSE);
    });
    for (const select of this.selects) select.addEventListener("change", () => this.#changed());
    for (const button of this.buttons) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        this.#changed();
      });
    }
    const does = { open: () => this.openAll(true), close: () => this.openAll(false), clear: () => this.clear() };
    for (const button of this.form.querySelectorAll("[data-do]")) button.addEventListener("click", does[button.dataset.do]);
  }

  /** Searches for what was typed, if that is still to be done. */
  settle() {
    if (!this.#typed) return;
    clearTimeout(this.#typed);
    this.#typed = 0;
    this.#changed();
  }

  #changed() {
    this.update();
    this.tellAddress();
  }

  clear() {
    this.ask(new URLSearchParams());
    this.#changed();
  }

  /** Sets the controls: q is the search, only (repeated) a filter, by.FACET a facet's value. */
  ask(parameters) {
    this.search.value = parameters.get("q") ?? "";
    for (const select of this.selects) {
      const value = parameters.get(`by.${select.dataset.facet}`) ?? "";
      select.value = [...select.options].some((option) => option.value === value) ? value : "";
    }
    const only = parameters.getAll("only");
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(only.includes(button.dataset.filter)));
  }

  asked() {
    const parameters = new URLSearchParams();
    if (this.search.value.trim()) parameters.append("q", this.search.value.trim());
    for (const id of this.pressed) parameters.append("only", id);
    for (const select of this.selects) if (select.value) parameters.append(`by.${select.dataset.facet}`, select.value);
    return parameters;
  }

  // --- what is shown ---

  update() {
    this.version += 1;
    this.patterns = patternsOf(this.search.value);
    this.pressed = new Set(this.buttons.filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.dataset.filter));
    this.shown = this.items.filter((item) => this.#passes(item));
    for (const button of this.buttons) {
      const count = this.shown.filter(({ reading }) => reading.flags.includes(button.dataset.filter)).length;
      button.querySelector(".count").textContent = count;
    }
    this.form.querySelector("p.count").textContent = `${this.shown.length} of ${this.items.length} ${this.noun}`;
    this.form.querySelector('[data-do="clear"]').disabled = this.asked().size === 0;
    if (!this.shown.includes(this.opened)) this.opened = null;
    this.draw();
    this.point(this.shown.includes(this.current) ? this.current : this.shown[0]);
  }

  #passes(item) {
    const { facets, flags } = item.reading;
    return (
      this.selects.every((select) => !select.value || facets[select.dataset.facet] === select.value) &&
      [...this.pressed].every((id) => flags.includes(id)) &&
      (this.patterns.length === 0 || found(item.text, this.patterns))
    );
  }

  /** Puts what is shown into the list, a slice at a time, so that neither opening nor typing waits for the last of it. */
  draw() {
    this.#turn += 1;
    this.#pending = [...this.shown].reverse();
    this.list.replaceChildren();
    this.#drawSlice(this.#turn);
  }

  #drawSlice(turn, milliseconds = SLICE) {
    if (turn !== this.#turn) return;
    const end = performance.now() + milliseconds;
    const nodes = [];
    while (this.#pending.length && performance.now() < end) nodes.push(this.#pending.pop().draw());
    this.list.append(...nodes);
    if (this.#pending.length) setTimeout(() => this.#drawSlice(turn));
  }

  /** Draws the rest at once, for those who can't wait: a printer, a link to a reading. */
  finish() {
    this.#drawSlice(this.#turn, Infinity);
  }

  // --- what is open ---

  toggle(item, open = !item.open) {
    item.open = open;
    item.draw();
    this.point(item);
    if (open) this.opened = item;
    else if (this.opened === item) this.opened = null;
    this.tellAddress();
  }

  openAll(open) {
    for (const item of open ? this.shown : this.items) item.open = open;
    if (!open) this.opened = null;
    this.draw();
    this.tellAddress();
  }

  /** Makes an item the one that the tab key reaches; the arrows move on from it. */
  point(item) {
    if (this.current) this.current.head.tabIndex = -1;
    this.current = item ?? null;
    if (this.current) this.current.head.tabIndex = 0;
  }

  go(item) {
    this.finish();
    this.point(item);
    item.head.focus({ preventScroll: true });
    item.node.scrollIntoView({ block: "nearest" });
  }

  // --- the address ---

  tellAddress() {
    const asked = this.asked().toString();
    const anchor = this.opened ? anchorOf(this.opened.reading) : this.root.id;
    history.replaceState(null, "", `#${anchor}${asked && "?"}${asked}`);
  }

  /** Scrolls to a node, again while what comes into sight on the way is laid out, and moves it. */
  #land(node, times = LANDINGS) {
    const turn = this.#turn;
    node.scrollIntoView({ block: "start", behavior: "instant" });
    if (times) requestAnimationFrame(() => turn === this.#turn && this.#land(node, times - 1));
  }

  /** Follows an address that names this list or a reading of it, and an exchange with `at`; false if it names neither. */
  follow(anchor, parameters) {
    const item = this.items.find(({ reading }) => anchorOf(reading) === anchor);
    if (!item && anchor !== this.root.id) return false;
    if (!item || parameters.size) {
      this.ask(parameters);
      this.update();
    }
    if (!item) return true;
    if (!this.shown.includes(item)) this.clear();
    this.toggle(item, true);
    this.finish();
    const exchange = item.body.querySelectorAll(".exchange")[parameters.get("at") - 1];
    if (exchange) exchange.style.scrollMarginTop = `${item.head.offsetHeight + 8}px`; // below the heading, which stays
    this.#land(exchange ?? item.node);
    item.head.focus({ preventScroll: true });
    return true;
  }
}
