// What was entered and not sent: kept by rater, item and form, given back when that form is shown again. And what was
// sent and not acknowledged: kept by rater and item.

import { $$, storage } from "./page.js";

const OWN = ["token", "seen", "seconds", "part", "start", "end"]; // they change while the form stays the same
const DAYS_KEPT = 30;
const DRAFT = "voirdire draft ";

function hash(text) { // addresses hold secrets: storage is not to name them
  let found = 5381;
  for (const letter of text) found = (found * 33 + letter.codePointAt(0)) % 4_294_967_296;
  return found.toString(36);
}

// The address names the rater, by their link, and the item. (`form.action` would be the field of that name.)
const keyStart = (form) => `${DRAFT}${hash(form.getAttribute("action"))} `;

function draftKey(form) {
  const hidden = $$("input[type=hidden]", form).filter((field) => !OWN.includes(field.name));
  return keyStart(form) + hash(hidden.map((field) => `${field.name}=${field.value}`).join("\n"));
}

const drafts = (start) => storage.keys().filter((key) => key.startsWith(start));

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.name && field.matches("textarea, select, input:not([type=hidden])"));
}

const isPicked = (field) => field.matches("[type=radio], [type=checkbox]");

export function keep(form) {
  const kept = fieldsOf(form).map((field) => [field.name, isPicked(field) ? [field.value, field.checked] : field.value]);
  storage.set(draftKey(form), JSON.stringify({ at: Date.now(), kept }));
}

export function giveBack(form) {
  const draft = JSON.parse(storage.get(draftKey(form)) ?? "null");
  if (draft === null) return false;
  let changed = false;
  for (const [name, value] of draft.kept) {
    const picked = Array.isArray(value);
    const field = fieldsOf(form).find((each) => each.name === name && (!picked || each.value === value[0]));
    if (!field || (picked ? field.checked === value[1] : field.value === value)) continue;
    if (picked) field.checked = value[1]; else field.value = value;
    changed = true;
  }
  return changed;
}

export const forget = (form) => storage.remove(draftKey(form));

export function forgetItem(form) { // of the item, all that this form's address takes
  for (const key of drafts(keyStart(form))) storage.remove(key);
}

const linkOf = (path) => path.split("/").slice(0, 3).join("/"); // /w/SECRET, a rater's own
const unsentStart = (path) => `${DRAFT}${hash(linkOf(path))} unsent `;
const unsentKey = (path) => unsentStart(path) + path.slice(linkOf(path).length);

export const keepUnsent = (path, sent) => storage.set(unsentKey(path), JSON.stringify({ at: Date.now(), ...sent }));
export const unsentTo = (path) => JSON.parse(storage.get(unsentKey(path)) ?? "null");
export const pageOfUnsent = (path) => { // of the item to which this rater's answer was not acknowledged
  const [key] = drafts(unsentStart(path));
  return key && linkOf(path) + key.slice(unsentStart(path).length).replace(/\/act$/, "");
};
export const forgetUnsent = (path) => storage.remove(unsentKey(path));

export function dropOldDrafts() {
  for (const key of drafts(DRAFT)) {
    const draft = JSON.parse(storage.get(key) ?? "null");
    if (!draft || Date.now() - draft.at > DAYS_KEPT * 86_400_000) storage.remove(key);
  }
}

document.addEventListener("input", ({ target }) => {
  if (target.form?.closest("#work")) keep(target.form);
});
