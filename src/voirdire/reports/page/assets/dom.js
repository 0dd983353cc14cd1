// Everything that stands on the page is made here, and texts only ever become text nodes: nothing in them is markup.

const SIGNS = { good: ["✓", "good"], warn: ["!", "caution"], bad: ["✕", "problem"], info: ["i", "note"] };

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

/** A text of which nobody knows what it holds, apart from its surroundings whichever way it is written. */
function texted(tag, className, text, patterns = []) {
  const node = make(tag, { class: className || undefined, dir: "auto" });
  node.append(...highlighted(text, hits(text, patterns)));
  return node;
}

/** How a tone is told without colour: a sign, and a word for those who listen. */
function toned(tone) {
  if (!(tone in SIGNS)) return [];
  const [sign, word] = SIGNS[tone];
  return [make("span", { class: "sign", "aria-hidden": "true" }, sign), unseen(`${word}: `)];
}

function unseen(text) {
  return make("span", { class: "unseen", dir: "auto" }, text);
}

function typing(target) {
  return target.matches?.("input, select, textarea, [contenteditable]") ?? false;
}
