// Active seconds: from showing to sending, less whatever lies over a minute after the last sign of life.

const IDLE = 60_000;
let active = 0;
let alive = performance.now();

export function beat() {
  const now = performance.now();
  if (alive !== null) active += Math.min(now - alive, IDLE);
  alive = document.hidden ? null : now;
}

export const spent = () => (active / 1000).toFixed(1);

export function restart(seconds = 0) {
  active = seconds * 1000;
  alive = document.hidden ? null : performance.now();
}

for (const sign of ["keydown", "pointerdown", "pointermove", "wheel", "input"]) {
  addEventListener(sign, beat, { capture: true, passive: true });
}
addEventListener("scroll", beat, { capture: true, passive: true });
document.addEventListener("visibilitychange", beat);
