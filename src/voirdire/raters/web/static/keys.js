// Single keys: off until switched on, but for the question mark; never while somebody writes.

import { $, $$, announce, storage, work } from "./page.js";

const KEYS = "voirdire keys";
const PAUSE = 400; // milliseconds after a change of the page: a key or a tap so soon was meant for what stood there before
const REPEAT_PAUSE = 700; // the same key or spot once more: a slow double press
const FINGER = 48; // CSS pixels around a tap that are one spot
const HINT = 5000; // milliseconds for which one reads that it was not used
const root = document.documentElement;
let pauses = [];
let hint;
let lasting = false; // whether one reads it though the page changes
let used = null; // what did something last, { key } or { x, y, text }, unless another key came since; null on a new page
let unused = false; // whether another key came after it, of which the page says that it was not used
export const keysOn = () => storage.get(KEYS) === "on";
const keysOf = (each) => each.dataset.key.split(" ");
const writes = (element) => element.closest?.("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])");

export function pauseAnswers() {
  for (const pause of pauses) clearTimeout(pause);
  root.classList.add("just-changed", "changed");
  pauses = [["just-changed", PAUSE], ["changed", REPEAT_PAUSE]].map(([name, wait]) => setTimeout(() => root.classList.remove(name), wait));
}

const isSaving = () => Boolean($("#work button:disabled"));
const isTooSoon = (repeats) => root.classList.contains(repeats ? "changed" : "just-changed");

function repeats(now) { // on a new page anything may
  if (!used) return true;
  return now.key ? now.key === used.key : now.text === used.text || Math.hypot(now.x - used.x, now.y - used.y) < FINGER;
}

function use(now) { // who has used something has seen the page
  used = now;
  root.classList.remove("just-changed", "changed");
}

function hintAt(text, lasts = false) {
  clearTimeout(hint);
  unused = false;
  lasting = lasts;
  for (const place of $$("#too-soon, #keys-unused")) place.textContent = text; // the list of keys lies over all else
  if (text) hint = setTimeout(hintAt, HINT, "");
}

const hintTooSoon = (name) => hintAt(`“${name}” came too soon and was not used.`);
const hintNoKey = (key) => hintAt(`“${key}” is no key here. Keys: ${[...new Set(usableKeys().flatMap(keysOf)), "?"].join(", ")}.`);
const hintSaving = (key) => hintAt(`“${key}” was not used: your last answer was still being saved.`, true);

export function dropHint() { // what it says is of the page that goes
  if (!lasting) hintAt("");
}

export function goesUnused(wanted, key) { // of a key that would do something: if it does not, one is told
  const undoes = wanted?.form?.elements.action?.value === "undo"; // it means what was saved last, on whatever page
  const isSoon = undoes ? $("#work .undone") && isTooSoon(true) : isTooSoon(repeats({ key }));
  const tooSoon = isSoon || wanted?.disabled;
  const mistaken = undoes && unused; // it was meant for the key before it
  if (wanted?.disabled) hintSaving(key);
  else if (tooSoon) hintTooSoon(key);
  else if (mistaken) hintAt("Your last key was not used, so it needs no undoing. Press again to undo the answer before it.");
  else hintAt("");
  unused = Boolean(tooSoon) && !undoes && key !== used?.key; // the same key twice was meant once
  if (tooSoon || mistaken) return true;
  use({ key });
  return false;
}

export function showKeys() {
  const on = keysOn();
  root.classList.toggle("keys", on);
  $("#keys-switch")?.setAttribute("aria-pressed", String(on));
  for (const each of $$("[data-key]")) {
    each.dataset.cap = keysOf(each).join(" or ");
    if (on) each.setAttribute("aria-keyshortcuts", each.dataset.key);
    else each.removeAttribute("aria-keyshortcuts");
  }
}

function listKeys() {
  const pairs = $$("[data-key]").map((each) => [keysOf(each).join(" or "), (each.closest("label") ?? each).textContent.trim()]);
  const once = new Map(pairs.map((pair) => [pair.join("\n"), pair])); // 7 is 0.7 on every scale
  const arrows = [["Arrow keys", "Go through the text word by word"], ["Shift and arrow keys", "Select several words"]];
  const terms = [["?", "This list"], ...($("#work form.marking") ? arrows : []), ...once.values()].flatMap(([key, text]) => {
    const [term, said] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = key;
    said.textContent = text;
    return [term, said];
  });
  hintAt("");
  $("#keys-list").replaceChildren(...terms);
  $("#keys").showModal();
}

function press(event) {
  const { key, target } = event;
  if (!$("#keys") || event.repeat || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (key === "Enter" && isSaving() && !$("dialog[open]") && !target.closest("textarea, summary, a, #find")) return hintSaving(key);
  if (keysOn() && writes(target) && key === "Escape") target.blur(); // keys act again
  if (writes(target)) return;
  if ($("dialog[open]")) return isDigit(key) && (findKey(key) ? hintAt(`“${key}” was not used: close this list first.`) : hintNoKey(key));
  if (key === "?") return listKeys();
  if (["Enter", " "].includes(key) && target.closest("a, button, summary, label, input")) return; // its own
  const wanted = findKey(key);
  if (key === "Enter" && !wanted) return isTooSoon(true) && hintTooSoon(key); // what it was meant for is gone
  if (!keysOn() && (key !== "Enter" || work())) return wanted && hintAt("Keys is off, so that key did nothing. Press ? to switch it on.");
  if (!wanted) return isDigit(key) && (numberField() ? writeNumber(event) : hintNoKey(key));
  event.preventDefault();
  if (goesUnused(wanted, key)) return;
  if (!wanted.matches("button")) wanted.focus(); // else the focus stays where it is
  wanted.click();
  if (wanted.matches("summary")) {
    $("input:not([type=hidden]), textarea", wanted.parentElement)?.focus();
    wanted.parentElement.scrollIntoView({ block: "nearest" });
  }
  if (wanted.control?.form?.matches(".by-key")) goOn(wanted.control.form);
}

const isDigit = (key) => /^\d$/.test(key);
const isFoldedMarking = (each) => each.matches("#work details:not([open]) > form.marking [data-key]"); // it answers that words are to be selected
const usableKeys = () => $$("[data-key]").filter((each) => isFoldedMarking(each) || each.checkVisibility() && isOpen(each));
const findKey = (key) => usableKeys().find((each) => keysOf(each).includes(key));
const numberField = () => $$("#work form.now input[type=number]").find((each) => each.checkVisibility());

// A digit begins the number that is asked for: the field gets the focus, and the key is its first character.
function writeNumber(event) {
  const field = numberField();
  if (goesUnused(field, event.key)) return event.preventDefault();
  field.focus();
  field.select();
}

// Of several questions in one form a key answers the first that is not answered yet; the last answer sends the form.

const groups = (form) => [...new Set($$("input[type=radio][required]", form).map((radio) => radio.name))];
const isAnswered = (form, name) => Boolean($(`input[type=radio][name="${CSS.escape(name)}"]:checked`, form));
const isOpen = ({ control }) => !control || !isAnswered(control.form, control.name);

function goOn(form) {
  const next = groups(form).find((name) => !isAnswered(form, name));
  if (next) $(`input[name="${CSS.escape(next)}"]`, form).closest("fieldset, [role=radiogroup]").scrollIntoView({ block: "nearest" });
  else form.requestSubmit($("button.primary", form));
}

document.addEventListener("keydown", press);
document.addEventListener("keydown", ({ key }) => {
  if (used && used.key !== key) used = {};
}, { capture: true });

// A tap or click so soon, or another one of the same run, would answer what nobody has seen yet.
document.addEventListener("click", (event) => {
  const { detail, target, clientX: x, clientY: y } = event;
  const control = target.closest("#work :is(button, label)");
  if (!control || writes(target)) return;
  if (!detail) return hintAt(""); // pressed by a key
  const now = { x, y, text: control.textContent.trim().replaceAll(/\s+/g, " ") };
  if (!isTooSoon(repeats(now))) {
    hintAt("");
    return use(now);
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  pauseAnswers();
  hintTooSoon(now.text);
}, { capture: true });

// Enter would press again what was clicked: after a mouse or a finger the focus goes where keys act on the page.
// Who marks words stays in the text.
const leave = ({ detail }) => {
  if (detail > 0 && !document.activeElement.matches("#work [data-part]")) $("#main").focus({ preventScroll: true });
};

export function offerKeys() {
  if (!$(".tools")) return;
  $(".tools").hidden = false;
  $(".tools").addEventListener("mousedown", (event) => event.preventDefault()); // it takes the focus from nothing
  const switchTo = (state) => {
    storage.set(KEYS, state);
    showKeys();
    hintAt("");
    announce(keysOn() ? "Single keys are on. Press the question mark for a list." : "Single keys are off.");
  };
  $("#keys-switch").addEventListener("click", (event) => {
    leave(event);
    switchTo(keysOn() ? "off" : "on");
  });
  $("#keys-on").addEventListener("click", () => switchTo("on")); // its form closes the list
  $("#keys").addEventListener("close", () => hintAt(""));
  $("#keys-show").addEventListener("click", (event) => {
    leave(event); // the dialog gives the focus back to where it was
    listKeys();
  });
}
