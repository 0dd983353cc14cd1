// Searching long texts: what is found is highlighted, and Enter leads to the next place.

import { $, $$ } from "./page.js";

const MOST = 1000;
let found = [];
let at = -1;

function search(text) {
  found = [];
  at = -1;
  const wanted = text.trim().toLowerCase();
  if (wanted.length < 2) return;
  for (const part of $$("#work .material .text")) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const here = node.data.toLowerCase();
      for (let place = here.indexOf(wanted); place >= 0 && found.length < MOST; place = here.indexOf(wanted, place + 1)) {
        const range = document.createRange();
        range.setStart(node, place);
        range.setEnd(node, place + wanted.length);
        found.push(range);
      }
    }
  }
}

function show(input) {
  CSS.highlights.set("found", new Highlight(...found));
  CSS.highlights.set("found-now", new Highlight(...found.slice(at, at + 1)));
  const count = found.length === MOST ? `${MOST} or more` : found.length;
  $("output", input.parentElement).value = !input.value.trim() ? "" : found.length ? `${at + 1} of ${count}` : "nothing";
  if (at < 0) return;
  const box = $("#work .material");
  const [outer, inner] = [box.getBoundingClientRect(), found[at].getBoundingClientRect()];
  box.scrollTop += inner.top - outer.top - outer.height / 3;
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "find") return;
  search(target.value);
  at = found.length ? 0 : -1;
  show(target);
});

document.addEventListener("keydown", (event) => {
  if (event.target.id !== "find" || event.key !== "Enter" || !found.length) return;
  event.preventDefault();
  at = (at + (event.shiftKey ? found.length - 1 : 1)) % found.length;
  show(event.target);
});

export function offerSearch() {
  const box = $("#work .find");
  if (box && globalThis.CSS?.highlights) box.hidden = false;
}

document.addEventListener("htmx:afterSettle", offerSearch);
