// One tooltip for the whole page: what a mark of a chart stands for, what was said of a stretch of text.

const TIPPED = ".picture .role-mark[aria-label], .picture .role-mark [aria-label], [data-tip]";
const TIP_GAP = 6;

function startTips() {
  const tip = document.getElementById("page-tip");
  const live = document.getElementById("page-live");
  let pointed = null;

  const hide = () => {
    tip.hidden = true;
    pointed = null;
  };

  const show = (target) => {
    const text = target.dataset.tip ?? target.getAttribute("aria-label").replaceAll("; ", "\n");
    if (!text) return hide();
    pointed = target;
    tip.textContent = text;
    tip.hidden = false;
    place();
  };

  const place = () => {
    if (!pointed) return;
    const [at, size] = [pointed.getBoundingClientRect(), tip.getBoundingClientRect()];
    const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
    const left = Math.min(Math.max(at.left + at.width / 2 - size.width / 2, TIP_GAP), width - size.width - TIP_GAP);
    const below = at.bottom + TIP_GAP;
    const top = below + size.height < height ? below : Math.max(at.top - size.height - TIP_GAP, TIP_GAP);
    tip.style.left = `${left}px`;
    tip.style.top = `${top}px`;
  };

  document.addEventListener("pointerover", (event) => {
    const target = event.target.closest?.(TIPPED);
    if (target) show(target);
    else if (!tip.contains(event.target)) hide();
  });
  document.addEventListener("focusin", (event) => {
    const target = event.target.closest(TIPPED);
    if (target) show(target);
  });
  document.addEventListener("focusout", (event) => {
    if (pointed?.contains(event.target)) hide();
  });
  document.addEventListener("scroll", place, { passive: true, capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || tip.hidden) return;
    hide();
    event.preventDefault();
  });

  for (const picture of document.querySelectorAll(".picture")) {
    const marks = [...picture.querySelectorAll(".role-mark[aria-label], .role-mark [aria-label]")];
    if (!marks.length) continue;
    stepThrough(picture, marks, (mark) => {
      show(mark);
      live.textContent = mark.getAttribute("aria-label");
    });
    picture.addEventListener("focusout", hide);
  }
}

/** A chart's marks by keyboard: left and right tell them one after the other. */
function stepThrough(picture, marks, tell) {
  let at = -1;
  picture.tabIndex = 0;
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    at = Math.min(Math.max(at + step, 0), marks.length - 1);
    tell(marks[at]);
  });
}
