// A screen that stays on while it is looked at, where its owner wants it: the table's unless it was
// switched off, a seat's when it was switched on. Browsers lend their lock only to secure pages; on
// plain http they keep the screen on for a picture that plays: a dark one of ours, a few points large,
// without sound.

import { h } from "./dom.js";

const root = document.documentElement;
const BACK = 2; // s before its end the picture starts anew: one that is told to loop holds less
let lock = null;
let video = null;

function picture() {
  const made = h("video", { class: "awake", muted: true, playsinline: true, preload: "auto", "aria-hidden": "true", tabindex: "-1", src: root.dataset.picture });
  made.muted = true;
  made.disableRemotePlayback = true;
  made.addEventListener("timeupdate", () => { if (made.currentTime > made.duration - BACK) made.currentTime = 0; });
  made.addEventListener("ended", () => made.play().catch(() => {}));
  document.body.append(made);
  return made;
}

async function hold() {
  if (root.dataset.awake !== "on") return release();
  if (document.hidden) return undefined;
  try {
    lock = await navigator.wakeLock.request("screen"); // not there on plain http
  } catch {
    video ??= picture();
    video.play().catch(() => addEventListener("pointerdown", hold, { once: true })); // a touch may be needed first
  }
  return undefined;
}

function release() {
  lock?.release();
  lock = null;
  video?.remove();
  video = null;
}

/** Hold the screen as the menu says, now and whenever the page is looked at again. */
export function awake() {
  hold();
  document.addEventListener("visibilitychange", hold);
  new MutationObserver(hold).observe(root, { attributeFilter: ["data-awake"] });
}
