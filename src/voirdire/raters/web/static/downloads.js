// An export may take some seconds, in which nothing else shows that it is being made.

import { $ } from "./page.js";

document.addEventListener("submit", ({ target, submitter }) => {
  if (target.matches(".downloads")) $("output", target).textContent = `Making ${submitter.textContent}. The download starts when it is ready.`;
});
