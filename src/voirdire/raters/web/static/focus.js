// Where one looks: the question gets the focus, the text to judge comes into view, and stays where it was.

import { giveBack } from "./drafts.js";
import { dropHint, keysOn, pauseAnswers, showKeys } from "./keys.js";
import { $, $$, announce, textToMark, work } from "./page.js";

let sentFrom = ""; // what had the focus when something was sent
let before = { item: null, shows: null, top: 0, at: 0 };
const isSameItem = () => before.item === work()?.dataset.item;

function remember() {
  dropHint();
  pauseAnswers();
  const material = $("#work .material");
  before = { item: work()?.dataset.item ?? null, shows: material?.dataset.shows, top: material?.scrollTop ?? 0, at: material?.getBoundingClientRect().top };
}

function lookAt() {
  const material = $("#work .material");
  if (!material) return;
  if (isSameItem() && material.dataset.shows === before.shows) {
    material.scrollTop = before.top;
    scrollBy(0, material.getBoundingClientRect().top - before.at); // where the page scrolls as a whole
  }
  const mark = $("mark:not(.own)", material);
  if (!mark) return;
  const [box, at] = [material.getBoundingClientRect(), mark.getBoundingClientRect()];
  const seen = at.top >= box.top && at.bottom <= box.bottom;
  if (!seen || !isSameItem()) material.scrollTop += at.top - box.top - Math.max(0, (box.height - at.height) / 3);
}

function placeOf(element) { // names a text, button or field before and after a change of the page; a button with its question
  const asked = element.type === "submit" ? [$("legend", element.closest("fieldset") ?? element)?.textContent, element.textContent] : [];
  return element.dataset.part ?? [element.form?.elements.action?.value, element.name, ...asked].join("\n");
}

// Where words are marked, the text keeps the focus; after an error, whatever has it.
function stay() {
  if (!sentFrom || !isSameItem()) return false;
  const refused = $("#work .said.refused");
  const same = $$(`#work [data-part]${refused ? ", #work :is(button, input:not([type=hidden]), textarea)" : ""}`)
    .find((each) => each.checkVisibility() && placeOf(each) === sentFrom);
  same?.focus({ preventScroll: true });
  if (same) refused?.scrollIntoView({ block: "nearest" });
  return Boolean(same);
}

// Whoever marks words by keyboard begins in the text; its description says which item it is.
function beginning() {
  return keysOn() || matchMedia("(hover: hover)").matches ? textToMark() : null;
}

function focusQuestion() { // of the item at hand, the next question; of another one, its beginning
  const question = isSameItem() && $$("#work form.now legend").find((each) => each.checkVisibility());
  const target = $("#work .feedback") ?? (isSameItem() ? question || $("#focus") : beginning() ?? $("#focus"));
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  if (!isSameItem()) scrollTo(0, 0); // where texts and questions stand side by side, the first question is there
  const said = $("#work .said");
  if (isSameItem() && $("#work form.marking") && !said) return; // the text from which one marks stays in view
  (said ?? target).scrollIntoView({ block: "nearest" });
  if (!isSameItem()) $("#work :is(.said, .feedback, .after.told, .begins, .material)")?.scrollIntoView({ block: "nearest" });
}

export function arrive() {
  pauseAnswers();
  const material = $("#work .material");
  if (material) Object.assign(material, { tabIndex: 0, role: "region", ariaLabel: material.ariaLabel ?? "What is rated" });
  const back = $$("#work form").filter((form) => form.method === "post" && giveBack(form));
  for (const form of back) for (const box of openAround(form)) box.open = true;
  if (back.length) announce("What you had entered and not sent is back.");
  showKeys();
  lookAt();
  if (material) sayWhetherThereIsMore(material);
}

export function beginInText() {
  beginning()?.focus({ preventScroll: true });
}

// A text that ends at the edge of its box looks whole.
const sizes = new ResizeObserver((changed) => changed.forEach(({ target }) => showMore(target)));

function showMore(box) {
  box.classList.toggle("more", box.scrollHeight - box.clientHeight - box.scrollTop > 24);
}

function sayWhetherThereIsMore(box) {
  sizes.disconnect();
  sizes.observe(box);
  box.addEventListener("scroll", () => showMore(box), { passive: true });
}

function* openAround(element) {
  for (let box = element.closest("details"); box; box = box.parentElement.closest("details")) yield box;
}

addEventListener("submit", () => {
  const { activeElement } = document;
  sentFrom = work()?.contains(activeElement) ? placeOf(activeElement) : "";
}, { capture: true });
document.addEventListener("htmx:beforeSwap", remember);
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.elt.id !== "work" && detail.target?.id !== "work") return;
  arrive();
  if (!stay()) focusQuestion();
});
