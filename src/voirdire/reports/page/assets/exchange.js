// An opened reading: what was given, and exchange after exchange with what was said of each answer.

const LONG_CONTEXT = 700;

/** @param block what all readings of the block share: marks and filters by id, facets, pressed filters, search patterns */
function openedReading(reading, block) {
  const facts = block.facets.filter(([id]) => reading.facets[id] !== undefined);
  return make(
    "div",
    { class: "opened" },
    facts.length ? make("dl", { class: "facts" }, ...facts.map(([id, label]) => fact(label, reading.facets[id]))) : null,
    reading.context ? contextOf(reading.context, block) : null,
    ...exchangesOf(reading.exchanges, block),
    make("p", { class: "link" }, make("a", { href: `#${anchorOf(reading)}` }, "Link to this")),
  );
}

function exchangesOf(exchanges, block) {
  const nodes = exchanges.map((exchange) => exchangeOf(exchange, block));
  return block.beside ? [make("div", { class: "columns" }, ...nodes)] : nodes;
}

function fact(label, value) {
  return make("div", {}, texted("dt", "", label), texted("dd", "", value));
}

function contextOf(context, block) {
  const text = texted("div", "text", context, block.patterns);
  if (context.length <= LONG_CONTEXT) return make("div", { class: "context" }, said("Given", text));
  const size = `${context.length.toLocaleString("en")} characters`;
  return make("details", { class: "context" }, make("summary", {}, `Given (${size})`), text);
}

function exchangeOf(exchange, block) {
  const reasons = exchange.flags.filter((id) => block.filters.has(id));
  const pressed = reasons.some((id) => block.pressed.has(id));
  const heading = texted("h4", "", exchange.heading);
  const chips = reasons.map((id) => texted("span", "chip", block.filters.get(id).label));
  const alone = exchange.question === null;
  return make(
    "section",
    { class: "exchange", "data-pressed": pressed },
    make("div", { class: "heading" }, heading, ...(chips.length ? [unseen("the reason for:"), ...chips] : [])),
    alone ? null : said("Question", texted("div", "text asked", exchange.question, block.patterns)),
    alone ? answerOf(exchange.answer, block) : said("Answer", answerOf(exchange.answer, block)),
    exchange.notes.length ? make("ul", { class: "notes" }, ...exchange.notes.map((note) => texted("li", "", note))) : null,
    ...remarksOf(exchange.remarks, block),
  );
}

/** What was said of an answer; figures of several stand in one table, to be compared. */
function remarksOf(remarks, block) {
  const measured = remarks.filter((remark) => remark.figures.length);
  const together = measured.length > 1;
  const said = remarks.filter((remark) => !together || remark.text || !remark.figures.length);
  return [
    together ? figuresOf(measured) : null,
    said.length ? make("ul", { class: "remarks" }, ...said.map((remark) => remarkOf(remark, block, !together))) : null,
  ];
}

function figuresOf(remarks) {
  const labels = [...new Set(remarks.flatMap((remark) => remark.figures.map(([label]) => label)))];
  const head = make("tr", {}, make("td"), ...labels.map((label) => make("th", { scope: "col", dir: "auto" }, label)));
  const rows = remarks.map((remark) => {
    const values = new Map(remark.figures);
    return make("tr", {}, make("th", { scope: "row", dir: "auto" }, remark.who), ...labels.map((label) => texted("td", "", values.get(label) ?? "")));
  });
  return make("div", { class: "judged" }, make("table", { "aria-label": "Scores of this answer" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function said(who, node) {
  return make("div", {}, make("p", { class: "who" }, who), node);
}

/** The pieces in order. Hits are found in the whole answer, so that one may reach from a piece into the next. */
function answerOf(pieces, block) {
  const whole = pieces.map((piece) => piece.text).join("");
  if (!whole) return make("p", { class: "nothing" }, "No answer.");
  const found = hits(whole, block.patterns);
  const node = make("div", { class: "text", dir: "auto" });
  let from = 0;
  for (const piece of pieces) {
    node.append(pieceOf(piece, highlighted(piece.text, found, from), block));
    from += piece.text.length;
  }
  return node;
}

function pieceOf(piece, nodes, block) {
  if (!piece.mark && !piece.note) return make("bdi", {}, ...nodes);
  const mark = block.marks.get(piece.mark) ?? { label: piece.mark || "note", tone: "quiet", help: "" };
  const told = piece.note || mark.help;
  const label = make("button", { type: "button" }, texted("span", "", mark.label), told ? unseen(`: ${told}`) : null);
  const marked = make("bdi", { class: "piece", "data-tone": mark.tone, "data-tip": told ? `${mark.label}: ${told}` : mark.label });
  marked.append(make("span", { class: "stretch", dir: "auto" }, ...nodes), label);
  return marked;
}

function remarkOf(remark, block, withFigures) {
  const figures = withFigures ? remark.figures.map(([label, value]) => fact(label, value)) : [];
  return make(
    "li",
    { class: "remark", "data-tone": remark.tone },
    make("p", { class: "who" }, ...toned(remark.tone), texted("span", "", remark.who)),
    figures.length ? make("dl", { class: "facts" }, ...figures) : null,
    remark.text ? texted("p", "text", remark.text, block.patterns) : null,
  );
}
