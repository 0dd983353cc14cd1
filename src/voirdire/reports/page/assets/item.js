// A reading in the list: one line of it, and all of it once it is opened.

function anchorOf(reading) {
  return `reading-${encodeURIComponent(reading.id)}`;
}

class Item {
  #said = null;
  #drawn = null;

  constructor(reading, name, block) {
    this.reading = reading;
    this.block = block;
    this.open = false;
    this.head = make("button", { type: "button", class: "head", "aria-expanded": "false", "aria-controls": name, tabindex: "-1" });
    this.hint = make("div", { class: "hint" });
    this.body = make("div", { class: "body", id: name });
    this.node = make("li", { class: "reading" }, make("h3", {}, this.head), this.hint, this.body);
    this.head.addEventListener("click", () => block.toggle(this));
  }

  /** All that can be searched: the line in the list, and what was said. */
  get text() {
    return `${this.reading.title}\n${this.reading.summary}\n${this.said}`;
  }

  get said() {
    this.#said ??= [
      this.reading.context,
      ...this.reading.exchanges.flatMap((exchange) => [
        exchange.heading,
        exchange.question ?? "",
        exchange.answer.map((piece) => piece.text).join(""),
        ...exchange.remarks.map((remark) => `${remark.who}\n${remark.text}`),
      ]),
    ].join("\n");
    return this.#said;
  }

  /** Shows the reading as it is now: marked for the search, open or not. What is up to date already is left alone. */
  draw() {
    const { reading, block } = this;
    const state = `${block.version} ${this.open}`;
    if (this.#drawn === state) return this.node;
    this.#drawn = state;
    const flags = reading.flags.filter((id) => block.filters.has(id));
    this.head.setAttribute("aria-expanded", String(this.open));
    this.head.replaceChildren(
      texted("span", "title", reading.title, block.patterns),
      texted("span", "summary", reading.summary, block.patterns),
      make("span", { class: "chips" }, ...flags.map((id) => texted("span", "chip", block.filters.get(id).label))),
    );
    const hint = this.open ? null : snippet(this.said, block.patterns);
    this.hint.replaceChildren(...(hint ? [hint] : []));
    this.node.classList.toggle("open", this.open);
    this.body.replaceChildren(...(this.open ? [openedReading(reading, block)] : []));
    return this.node;
  }
}
