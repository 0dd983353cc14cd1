// Marking words: what is selected in a text, by mouse or by arrow keys, stands in the form that marks it.

import { goesUnused, keysOn } from "./keys.js";
import { $, $$, alertWith, announce, textToMark, work } from "./page.js";

const WORD = /(?<=(?:^|\s)["'\u201c\u2018(\[{«]*)[^\s"'\u201c\u2018(\[{«]\S*?(?=[.,;:!?…"'\u201d\u2019)\]}»]*(?:\s|$))/gu; // without the punctuation around it
const form = () => $("#work form.marking");
const partOf = (node) => (node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement)?.closest("#work [data-part]");
const unmarked = (words) => `Not finished yet: “${words}” is selected and not marked. Press a label to mark it, or Done again to finish without.`;
let told = ""; // the selected words of which that was said
let back = null; // { item, part, at }: where one was when a mark was sent

function nodesOf(part) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node);
  return found;
}

function offsetIn(part, node, offset) { // in UTF-16 units of the whole text
  const range = document.createRange();
  range.selectNodeContents(part);
  range.setEnd(node, offset);
  return range.toString().length;
}

function pointAt(part, offset) {
  let left = offset;
  const nodes = nodesOf(part);
  for (const node of nodes) {
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  return [nodes.at(-1) ?? part, nodes.at(-1)?.length ?? 0];
}

function select(part, anchor, focus) {
  getSelection().setBaseAndExtent(...pointAt(part, anchor), ...pointAt(part, focus));
  const [node, at] = pointAt(part, focus);
  const range = document.createRange();
  range.setStart(node, Math.max(0, Math.min(at, node.length) - 1));
  range.setEnd(node, Math.min(node.length, Math.max(at, 1)));
  const box = part.closest(".material") ?? part;
  const [outer, inner] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 40;
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 40;
}

const characters = (text) => [...text].length; // as Python counts them

document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  const [part, wanted] = [partOf(selection.anchorNode), form()];
  if (!wanted || !part || part !== partOf(selection.focusNode) || selection.isCollapsed) return;
  const text = part.textContent;
  const ends = [[selection.anchorNode, selection.anchorOffset], [selection.focusNode, selection.focusOffset]];
  const [start, end] = ends.map(([node, offset]) => offsetIn(part, node, offset)).sort((one, other) => one - other);
  if (!text.slice(start, end).trim()) return;
  const folded = wanted.closest("details");
  if (folded) folded.open = true;
  wanted.classList.add("chosen");
  wanted.elements.part.value = part.dataset.part;
  wanted.elements.start.value = characters(text.slice(0, start));
  wanted.elements.end.value = characters(text.slice(0, end));
  wanted.elements.quote.value = text.slice(start, end).trim().replaceAll("\n", " ");
});

function wordsOf(part) {
  const words = [...part.textContent.matchAll(WORD)].filter(([word]) => !/^\p{Pd}+$/u.test(word)); // a dash is none
  return words.map((found) => [found.index, found.index + found[0].length]);
}

function selectedWords(part, words) { // [anchor, focus] as places of words; null where nothing is selected
  const selection = getSelection();
  if (partOf(selection.anchorNode) !== part || partOf(selection.focusNode) !== part || selection.isCollapsed) return null;
  const anchor = offsetIn(part, selection.anchorNode, selection.anchorOffset);
  const focus = offsetIn(part, selection.focusNode, selection.focusOffset);
  const at = (offset, last) => {
    const place = last ? words.findLastIndex(([start]) => start < offset) : words.findIndex(([, end]) => end > offset);
    return Math.max(0, place);
  };
  return anchor <= focus ? [at(anchor, false), at(focus, true)] : [at(anchor, true), at(focus, false)];
}

function lineStep(part, words, from, down) { // the nearest word of the next line
  const box = ([start, end]) => {
    const range = document.createRange();
    range.setStart(...pointAt(part, start));
    range.setEnd(...pointAt(part, end));
    return range.getBoundingClientRect();
  };
  const here = box(words[from]);
  let best = null;
  for (let place = from + (down ? 1 : -1); place >= 0 && place < words.length; place += down ? 1 : -1) {
    const there = box(words[place]);
    if (down ? there.top < here.bottom - 2 : there.bottom > here.top + 2) continue;
    if (best && Math.abs(there.top - best.top) > 2) break;
    const far = Math.abs(there.left - here.left);
    if (!best || far < best.far) best = { place, far, top: there.top };
  }
  return best ? best.place : down ? words.length - 1 : 0;
}

function move(part, event) {
  const words = wordsOf(part);
  if (!words.length) return;
  const last = words.length - 1;
  const now = selectedWords(part, words);
  const start = back?.part === part.dataset.part && back.item === work().dataset.item ? back.at : -1;
  const from = now ? now[1] : start;
  const next = {
    ArrowRight: Math.min(last, from + 1),
    ArrowLeft: Math.max(0, from - 1),
    ArrowDown: from < 0 ? 0 : lineStep(part, words, from, true),
    ArrowUp: from < 0 ? 0 : lineStep(part, words, from, false),
    Home: 0,
    End: last,
  }[event.key];
  event.preventDefault();
  const anchor = event.shiftKey && now ? now[0] : next;
  if (anchor <= next) select(part, words[anchor][0], words[next][1]);
  else select(part, words[anchor][1], words[next][0]);
  document.dispatchEvent(new Event("selectionchange")); // the browser's own comes later, perhaps after the next key
  announce(getSelection().toString());
}

// With single keys on, arrow keys go to the text from wherever nothing else has a use for them.
function partFor({ target }) {
  const part = target.closest?.("#work [data-part]");
  return part || !keysOn() || $("dialog[open]") || target.closest("a, button, summary, label, input, textarea, select, .material") ? part : textToMark();
}

document.addEventListener("keydown", (event) => {
  const part = partFor(event);
  if (!part || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
    part.focus({ preventScroll: true });
    return move(part, event);
  }
  if (event.repeat) return;
  // Here a label's key works without single keys: it is of what has the focus.
  const label = $$("#work form.marking [data-marks][data-key]").find((each) => each.dataset.key === event.key);
  if (!label || getSelection().isCollapsed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!goesUnused(label, event.key)) label.click();
}, { capture: true });

document.addEventListener("submit", ({ target }) => {
  if (target !== form()) return;
  const part = $(`#work [data-part="${target.elements.part.value}"]`);
  if (!part || !part.contains(document.activeElement) && !part.contains(getSelection().anchorNode)) return;
  const words = wordsOf(part);
  const chosen = selectedWords(part, words);
  if (chosen) back = { item: work().dataset.item, part: part.dataset.part, at: Math.max(...chosen) };
}, { capture: true });

document.addEventListener("submit", (event) => {
  const fields = form()?.elements;
  if (!fields || !event.target.matches("#work form.now") || event.submitter?.value === "unsure") return;
  if (fields.part.value !== "output" || !$("[data-marks=output]", form()) || !fields.quote.value.trim()) return;
  const words = [work().dataset.item, fields.start.value, fields.end.value, fields.quote.value].join();
  if (words === told) return;
  told = words;
  event.preventDefault();
  event.stopImmediatePropagation();
  alertWith(unmarked(fields.quote.value.trim()));
}, { capture: true });
