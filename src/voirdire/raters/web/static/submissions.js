// Sending: one thing at a time; what meets no server is sent again as it was, until it is acknowledged, also by a page
// that is loaded in the meantime: the server knows it by its token.

import { forget, forgetItem, forgetUnsent, keepUnsent, pageOfUnsent, unsentTo } from "./drafts.js";
import { $, $$, alertWith, announce, work } from "./page.js";
import { beat, restart, spent } from "./seconds.js";

const AGAIN = 2000;
let sending = null; // { form, path, fields, said, pressed, item, again, saved }

function hold(held) {
  for (const button of $$("button", work())) button.disabled = held;
  for (const field of $$("textarea", work())) field.readOnly = held;
}

addEventListener("submit", (event) => {
  beat();
  const seconds = event.target.elements.seconds;
  if (seconds) seconds.value = spent();
}, { capture: true });

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb !== "post") return;
  if (sending?.again) { // the very same fields: the server knows them by their token
    for (const name of new Set(detail.formData.keys())) detail.formData.delete(name);
    for (const [name, value] of sending.fields) detail.formData.append(name, value);
    return;
  }
  const pressed = detail.triggeringEvent?.submitter ?? document.activeElement;
  const said = pressed?.matches?.("button") ? pressed.dataset.said ?? `Saved: ${pressed.textContent.trim()}` : "Saved";
  sending = { form: detail.elt, path: detail.path, fields: [...detail.formData.entries()], said, pressed, item: work()?.dataset.item, again: false, saved: false };
  keepUnsent(detail.path, { fields: sending.fields, said });
});

document.addEventListener("htmx:beforeSend", () => sending && hold(true));

// The server may send one to another page, and htmx goes there before it says that the request is over.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
  if (!sending) return;
  sending.saved = detail.xhr.status < 400;
  if (detail.xhr.status < 500) forgetUnsent(sending.path);
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!sending) return;
  const status = detail.xhr?.status ?? 0;
  if (status === 0 || status >= 500) return sendAgain(status === 0 ? "no connection." : saidBy(detail.xhr));
  const { form, fields, said, pressed, item } = sending;
  sending = null;
  pressed?.removeAttribute("aria-busy");
  hold(false);
  const sent = new Map(fields);
  const seconds = sent.get("seconds"); // a question to the organiser has none: the time goes on
  if (seconds !== undefined) restart(status < 400 ? 0 : Number(seconds)); // waiting is nobody's time, though it is refused then
  if (status < 400) {
    const undone = sent.get("action") === "undo";
    const leaves = detail.xhr.getResponseHeader("HX-Redirect") || work()?.dataset.item !== item;
    if (leaves && !undone) forgetItem(form);
    else forget(form);
    alertWith("");
    const news = undone ? $("#work .undone") : leaves && $("#work .after p"); // what was undone, or the item that was left
    announce(news ? news.textContent.trim() : said);
  } else if (status !== 409) { // at 409 the page itself says why
    alertWith(`Not saved: ${saidBy(detail.xhr)}`);
    pressed?.focus();
  } else {
    alertWith("");
  }
});

function sendAgain(why) {
  alertWith(`Not saved yet: ${why} Trying again…`);
  hold(true);
  sending.pressed?.setAttribute("aria-busy", "true");
  sending.again = true;
  setTimeout(sendHeld, AGAIN);
}

function sendHeld() {
  const form = { source: sending.form, target: "#work", swap: "outerHTML" };
  htmx.ajax("POST", sending.path, form).catch(() => {}); // a failure is told by htmx:afterRequest
}

export function sendUnsent() {
  const pathOf = (form) => form.getAttribute("hx-post");
  const forms = $$("#work form[hx-post]").filter((form) => unsentTo(pathOf(form)));
  if (!forms.length) return tellOfUnsent();
  const { fields, said } = unsentTo(pathOf(forms[0]));
  const form = forms.find((each) => each.elements.action?.value === new Map(fields).get("action")) ?? forms[0];
  sending = { form, path: pathOf(forms[0]), fields, said, item: work().dataset.item, again: true, saved: false };
  alertWith("Not saved yet: your last answer. Trying again…");
  sendHeld();
}

function tellOfUnsent() { // on a page of another item, or of none
  const href = pageOfUnsent(location.pathname);
  if (!href) return;
  alertWith("An answer of yours is not saved yet. ");
  $("#alert").append(Object.assign(document.createElement("a"), { href, textContent: "Open its item, and it is saved." }));
}

function saidBy(xhr) {
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  return ($("main p", page) ?? page.body).textContent.trim();
}

addEventListener("beforeunload", (event) => sending && !sending.saved && event.preventDefault());
