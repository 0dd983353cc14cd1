// The table of contents and the theme.

const WIDE = "(min-width: 68rem)";

function startContents() {
  const details = document.querySelector("#page-contents details");
  const wide = matchMedia(WIDE);
  const fold = () => {
    details.open = wide.matches;
  };
  wide.addEventListener("change", fold);
  fold();

  const links = new Map([...details.querySelectorAll("a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  details.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    fold();
    unfold(link.hash);
  });
  unfold(location.hash);

  const seen = new Set();
  // Of the parts in sight the one that is used, as after "/", or else the first.
  const tell = () => {
    const ids = [...links.keys()].filter((id) => seen.has(id));
    const current = ids.find((id) => document.getElementById(id).contains(document.activeElement)) ?? ids[0];
    if (current === undefined) return;
    for (const [id, link] of links) {
      if (id === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) seen[isIntersecting ? "add" : "delete"](target.id);
      tell();
    },
    { rootMargin: "-15% 0px -60% 0px" },
  );
  document.addEventListener("focusin", tell);
  for (const id of links.keys()) watch.observe(document.getElementById(id));
}

/** Opens the part that a link of the contents leads to. */
function unfold(hash) {
  const part = [...document.querySelectorAll(".part")].find(({ id }) => `#${encodeURIComponent(id)}` === hash);
  const folded = part?.querySelector(":scope > details");
  if (folded) folded.open = true;
}

function startTheme() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("page-theme");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const tell = () => button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("voirdire-theme", root.dataset.theme);
    } catch {
      // No storage: the choice holds until the page is closed.
    }
    tell();
  });
  system.addEventListener("change", tell);
  tell();
  button.hidden = false;
}
