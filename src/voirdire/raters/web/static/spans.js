// Spans: what is selected in the text stands in the field, which can be written by hand as well.

import { keep } from "./drafts.js";
import { $$ } from "./page.js";

let spanTarget = null; // the field that was last at hand, or else the last one: that of a new span

document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[data-span-target]")) spanTarget = target;
});

document.addEventListener("selectionchange", () => {
  const selection = getSelection();
  const text = selection.toString().trim();
  const target = spanTarget?.isConnected ? spanTarget : $$("#work [data-span-target]").at(-1);
  if (!target || !text) return;
  const source = selection.anchorNode?.parentElement?.closest("[data-span-source]");
  if (!source?.contains(selection.focusNode)) return;
  target.value = text;
  keep(target.form);
});
