// While a page is open, what is live in it is fetched again every two seconds, or more often where a page is being made; what was chosen stays chosen.
"use strict";

const READY = 205; // there is a page to be shown in place of this one
const live = document.getElementById("live");
const lost = document.getElementById("lost");
const every = Number(live.dataset.every ?? 2000);
let shown = "";

function show(html) {
  if (html === shown) return;
  const chosen = new Set([...live.querySelectorAll("input:checked")].map((box) => box.id));
  const focused = live.contains(document.activeElement) ? document.activeElement.id : "";
  const aside = live.querySelector(".box")?.scrollLeft ?? 0;
  live.innerHTML = html;
  live.querySelectorAll("input").forEach((box) => (box.checked = chosen.has(box.id)));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  if (aside) live.querySelector(".box").scrollLeft = aside;
  shown = html;
}

async function refresh() {
  if (!document.hidden) {
    try {
      const answer = await fetch(live.dataset.source);
      if (answer.status === READY) {
        location.reload();
        return;
      }
      lost.hidden = answer.ok;
      if (answer.ok) show(await answer.text());
    } catch {
      lost.hidden = false;
    }
  }
  setTimeout(refresh, every);
}

setTimeout(refresh, every);
