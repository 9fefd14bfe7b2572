// The simulated lights: their picture, looked at while it is in view and drawn when it is new.

const PACE = 500; // ms between looks while the lights move
const CALM = 1500; // ms while they stand still

/** Keep the picture in `box` fresh; one out of sight or in a closed <details> is left alone. */
export function lights(box) {
  const place = box?.querySelector(".lit");
  if (!place) return;
  let have = "";
  let seen = false;
  let waits = 0;
  let asking = false;
  let opened = false; // just now, by somebody who wants to see it
  async function look() {
    clearTimeout(waits);
    if (!seen || asking || document.hidden) return; // coming into view looks again
    asking = true;
    const answer = await fetch(`/strip.svg?have=${have}`).catch(() => null);
    const fresh = answer?.status === 200;
    if (fresh) {
      have = answer.headers.get("X-Companion-Mark") ?? "";
      const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", place.dataset.label);
      place.replaceChildren(document.adoptNode(drawn));
      if (opened) box.scrollIntoView({ block: "end" });
      opened = false;
    }
    asking = false;
    waits = setTimeout(look, fresh ? PACE : CALM);
  }
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    look();
  }).observe(place);
  document.addEventListener("visibilitychange", look);
  box.addEventListener("toggle", () => {
    opened = box.open;
    if (opened) box.scrollIntoView({ block: "end" });
  });
}
