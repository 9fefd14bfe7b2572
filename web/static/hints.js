// First-game hints: a short word the first time a thing happens, the newest only, until the reader
// has had enough.

import { $, h, icon, say, show } from "./dom.js";
import { why } from "./ask.js";
import { command } from "./send.js";

const RECENT = 12;  // lines of the log: an older hint would come too late
const LATE = 20000;  // ms after which a hint on a small screen draws back to one line
const read = new Set();
let newest = "";
let drawsBack = 0;

const OFF = "companion_hints=off";  // this browser has had enough, for a year

function off() {
  return document.cookie.split("; ").includes(OFF);
}

export function hints(page, again) {
  const key = (line) => `${page.game}:${line.n}`;
  const found = off() ? [] : page.log.slice(-RECENT).filter((l) => l.hint && !l.undone && !read.has(key(l)));
  fold($("#hint"), found.length ? key(found.at(-1)) : "");
  show($("#hint"), found.map((l) => [key(l), l.hint]), (list) => list.length ? h("section.first-time", {},
    h("p", {}, icon("eye", 20), list.at(-1)[1]),
    h("div.pair", {},
      h("button", { onclick: () => { list.forEach(([k]) => read.add(k)); again(); }, data: { keep: "hint" } }, say("ui.page.hint.read")),
      h("button.plain", { onclick: () => { document.cookie = `${OFF}; path=/; max-age=31536000; samesite=strict`; again(); } }, say("ui.page.hint.off")))) : "");
}

// A tap brings the whole hint back.
function fold(box, now) {
  if (now === newest) return;
  newest = now;
  clearTimeout(drawsBack);
  box.classList.remove("late");
  box.onclick = () => box.classList.remove("late");
  if (now) drawsBack = setTimeout(() => box.classList.add("late"), LATE);
}

/** A rule that is read in two ways matters for the first time: how it is played here, and how else. */
export function readings(page, again) {
  const key = (line) => `${page.game}:${line.n}`;
  const line = page.log.slice(-RECENT).reverse().find((l) => l.reading && !l.undone && !read.has(`r${key(l)}`));
  show($("#reading"), line ? [key(line), line.reading] : null, (shown) => shown && [h("section.first-time.reading", {},
    h("p", {}, icon("eye", 20), shown[1].label, " ", h("b", {}, shown[1].value), why(line.rule)),
    h("div.pair", {},
      h("button", { onclick: () => { read.add(`r${shown[0]}`); again(); }, data: { keep: "reading" } }, say("ui.page.reading.keep")),
      ...shown[1].others.map((other) => h("button.plain", { onclick: () => { read.add(`r${shown[0]}`); command({ do: "switch", name: shown[1].id, value: other.id }); again(); },
        data: { keep: `reading-${other.id}`, value: other.id } }, other.label))))]);
}
