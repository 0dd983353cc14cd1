// Readings by keyboard: / searches, j and k lead into the list; there they or the arrows move, Enter opens (a button's
// own doing), Escape leaves.

const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

function startKeys(lists) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = lists.find(({ root }) => root.contains(event.target)) ?? lists[0];
    const done = typing(event.target) ? leaveSearch(event, list) : read(event, list);
    if (done) event.preventDefault();
  });
}

function leaveSearch(event, list) {
  if (event.key !== "Escape" || event.target !== list.search) return false;
  list.settle();
  if (list.current) list.go(list.current);
  else event.target.blur();
  return true;
}

function read(event, list) {
  if (event.key === "/") {
    list.search.focus();
    list.search.select();
    return true;
  }
  if (!list.list.contains(event.target)) return enter(event, list);
  if (event.key === "Escape") return leaveReading(list, event.target);
  const inHead = event.target.matches(".head");
  if (event.key === "Home" && inHead) return moved(list, list.shown[0]);
  if (event.key === "End" && inHead) return moved(list, list.shown.at(-1));
  // In an opened reading the arrows scroll, as everywhere.
  if (!(event.key in STEPS) || (event.key.startsWith("Arrow") && !inHead)) return false;
  return moved(list, list.shown[list.shown.indexOf(itemAt(list, event.target)) + STEPS[event.key]]);
}

/** From anywhere else on the page j and k lead into the list; the arrows go on scrolling the page. */
function enter(event, list) {
  if (event.key !== "j" && event.key !== "k") return false;
  return moved(list, list.current ?? list.shown[0]);
}

function itemAt(list, target) {
  return list.shown.find((item) => item.node.contains(target));
}

function moved(list, item) {
  if (item) list.go(item);
  return true;
}

/** Out of an opened reading to its line, and from an open line to a closed one. */
function leaveReading(list, target) {
  const item = itemAt(list, target);
  if (!item?.open) return false;
  list.toggle(item, false);
  list.go(item);
  return true;
}
