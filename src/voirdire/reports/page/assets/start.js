// The page comes alive. Each part works without the others.

startTheme();
startContents();
startTips();
startTables();

const lists = [...document.querySelectorAll(".readings")].map((root) => new ReadingList(root));

/** Addresses look like #reading-ID?q=words&only=FILTER&by.FACET=VALUE&at=4, or have a list's id in place of the reading's. */
function followAddress() {
  const [anchor, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  return anchor !== "" && lists.some((list) => list.follow(anchor, new URLSearchParams(query)));
}

if (lists.length) {
  startKeys(lists);
  followAddress();
  window.addEventListener("hashchange", followAddress);
  // The address may name the reading still, which a second click does not change.
  document.addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) followAddress();
  });
  window.addEventListener("beforeprint", () => lists.forEach((list) => list.finish()));
}
