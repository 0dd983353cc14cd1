// What all parts use.

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
export const work = () => $("#work");
export const textToMark = () => $("#work form.marking [data-marks=output]") && $("#work [data-part=output]");
export const announce = (text) => { $("#status").textContent = text; };

export function alertWith(text) {
  const alert = $("#alert");
  alert.textContent = text;
  alert.hidden = !text;
  document.documentElement.style.setProperty("--banner", `${alert.offsetHeight}px`);
}

export const storage = { // absent where a browser forbids it: then there is just nothing kept
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* full or forbidden */ } },
  remove(key) { try { localStorage.removeItem(key); } catch { /* forbidden */ } },
  keys() { try { return Object.keys(localStorage); } catch { return []; } },
};
