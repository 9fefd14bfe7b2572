// First-game hints: a short word the first time a thing happens, the newest only, until the reader
// has had enough.

import { $, h, icon, say, show } from "./dom.js";

const RECENT = 12;  // lines of the log: an older hint would come too late
const read = new Set();

const OFF = "companion_hints=off";  // this browser has had enough, for a year

function off() {
  return document.cookie.split("; ").includes(OFF);
}

export function hints(page, again) {
  const key = (line) => `${page.game}:${line.n}`;
  const found = off() ? [] : page.log.slice(-RECENT).filter((l) => l.hint && !l.undone && !read.has(key(l)));
  show($("#hint"), found.map((l) => [key(l), l.hint]), (list) => list.length ? h("section.first-time", {},
    h("p", {}, icon("eye", 20), list.at(-1)[1]),
    h("div.pair", {},
      h("button", { onclick: () => { list.forEach(([k]) => read.add(k)); again(); }, data: { keep: "hint" } }, say("ui.page.hint.read")),
      h("button.plain", { onclick: () => { document.cookie = `${OFF}; path=/; max-age=31536000; samesite=strict`; again(); } }, say("ui.page.hint.off")))) : "");
}
