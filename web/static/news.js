// News: what has just happened and what to do now, over the lower edge of a small screen, where nobody
// who acts on the map has to look for it (wide screens show the same in their side column); and short
// words the first time a thing happens, the newest only, until the reader has had enough.

import { $, h, icon, say, show } from "./dom.js";
import { why } from "./ask.js";
import { bundles } from "./panels.js";
import { command } from "./send.js";

// Lines of what has just happened, the newest last.
const LINES = 3;
// Milliseconds that mere news stays.
const FADE = 15000;

const own = Number(document.body.dataset.seat);
// The newest line when this page opened or was told last; -1 before the first view.
let seen = -1;
// The card that was told last.
let turned = "";
// Lines by their numbers.
let news = { lines: [], card: null };
let closed = false;
// The reader has opened what is to do by hand.
let unfolded = false;
let fading = 0;

/** Draw the strip; `again` draws the page once more. What asks for the reader's hands stays until it
 *  is put away, by this browser: a page that is loaded again, or of another seat, knows. */
export function latest(page, again) {
  const box = $("#latest");
  if (!box) return;
  const newest = page.log.at(-1)?.n ?? 0;
  const key = `put ${page.game} ${own}`;
  const put = Number(sessionStorage[key] ??= newest);
  const card = JSON.stringify(page.card);
  // A move to make is told by what is to do, and no news beside it; below a question only news stand.
  const moves = page.prompts.some((p) => !p.secret) ? [] : page.instructions.map((i) => i.line);
  const fresh = page.log.filter((l) => l.n > seen && !l.secret && !l.undone);
  if (seen >= 0 && (fresh.length || card !== turned)) {
    const before = card === turned && fresh.every((l) => moves.includes(l.n)) ? news.lines : [];
    news = { lines: [...before, ...fresh.map((l) => l.n)].slice(-RECENT), card: card !== turned ? page.card : null };
    closed = false;
    clearTimeout(fading);
    if (!news.card) fading = setTimeout(() => { news = { lines: [], card: null }; again(); }, FADE);
  }
  seen = newest;
  turned = card;
  const mine = (l) => l.n > put && l.hands && (!own || !l.hands[0] || l.hands.includes(own));
  const lines = page.log.filter((l) => !l.undone);
  const fresher = joined(lines.filter((l) => news.lines.includes(l.n) && !moves.includes(l.n))).slice(-LINES);
  const kept = lines.filter((l) => mine(l) && !fresher.some((f) => f.n === l.n));
  const all = bundles(page);
  // A packed game's list lies below, whole.
  const now = all.find((one) => !one.ones[0].group);
  const rest = all.length - !!now;
  const list = (some) => h("ul.told", {}, ...some.map((l) => h("li", { data: { tone: l.tone } }, mine(l) ? icon("hand", 18) : "", l.text)));
  show(box, [fresher, kept, news.card, all[0], all.length, closed], () => {
    // What is new or to do now comes first; lines of before are folded below it.
    const parts = closed ? [] : [
      news.card && brief(news.card),
      now?.draw(),
      fresher[0] && list(fresher),
      rest && h("a.hint", { href: "#todo" }, say("ui.page.earlier", { n: rest }))].filter(Boolean);
    if (kept[0] && !closed) {
      parts.push(kept[parts[0] ? 1 : 2] ? h("details", { open: unfolded, ontoggle: (e) => { unfolded = e.target.open; } },
        h("summary", { data: { keep: "hands" } }, icon("hand", 18), say("ui.page.hands", { n: kept.length })), list(kept)) : list(kept));
    }
    if (parts[0]) parts.splice(1, 0, h("button.plain.away", { onclick: () => { closed = true; sessionStorage[key] = seen; again(); }, "aria-label": say("ui.page.close") }, "✕"));
    return parts;
  });
}

/** What is said of several places in a row is one line: "006–011, 008–011 · Noise". */
function joined(lines) {
  return lines.reduce((told, l) => {
    const last = told.at(-1), [at, what] = l.text.split(/( · .*)/);
    if (l.tone !== "noise" || what !== last?.what) return [...told, { ...l, at, what }];
    last.text = (last.at += ", " + at) + what;
    return told;
  }, []);
}

/** A card in one row: what it is, its number or corridors, who moves. */
function brief(card) {
  return h("p.brief", {}, h("b", {}, card.title),
    card.icon ? icon(card.icon, 24) : "",
    ...(card.numbers ?? []).map((n) => h("b.corridor-number", {}, String(n))),
    card.blood ? h("b.blood", {}, card.blood === "arrow" ? icon("arrow", 18) : String(card.blood)) : "",
    ...(card.only_number ? [] : card.movers ?? []).map((m) => h("span.mover", { title: m.label, role: "img", "aria-label": m.label }, icon(m.icon, 22))),
    ...[card.of, card.verdict].map((said) => said ? ` · ${said}` : ""));
}

// Lines of the log: an older hint would come too late.
const RECENT = 12;
// Milliseconds after which a hint draws back.
const LATE = 20000;
// What this browser has put away, by game, page and line: a page that is loaded again knows.
const read = new Set(JSON.parse(sessionStorage.read ?? "[]"));
let newest = "";
let drawsBack = 0;

// This browser has had enough, for a year.
const OFF = "companion_hints=off";

function off() {
  return document.cookie.split("; ").includes(OFF);
}

function mark(page, line) {
  return `${page.game}:${own}:${line.n}`;
}

function away(keys, again) {
  for (const k of keys) read.add(k);
  sessionStorage.read = JSON.stringify([...read]);
  again();
}

export function hints(page, again) {
  const found = off() ? [] : page.log.slice(-RECENT).filter((l) => l.hint && !l.undone && !read.has(mark(page, l)));
  fold($("#hint"), found.length ? mark(page, found.at(-1)) : "");
  show($("#hint"), found.map((l) => [mark(page, l), l.hint]), (list) => list.length ? h("section.first-time", {},
    h("p", {}, icon("eye", 20), list.at(-1)[1]),
    h("div.pair", {},
      h("button", { onclick: () => away(list.map(([k]) => k), again), data: { keep: "hint" } }, say("ui.page.hint.read")),
      h("button.plain", { onclick: () => { document.cookie = `${OFF}; path=/; max-age=31536000; samesite=strict`; again(); } }, say("ui.page.hint.off")))) : "");
}

// On a small screen a hint begins with two lines, and draws back to one in time, or when its reader
// moves on to another part of the page. A tap shows all of it.
function drawBack() {
  $("#hint").className ||= "late";
}

for (const moved of ["touchmove", "wheel"]) $("main").addEventListener(moved, drawBack, { passive: true });

function fold(box, now) {
  if (now === newest) return;
  newest = now;
  clearTimeout(drawsBack);
  box.className = "";
  box.onclick = () => { box.className = "whole"; };
  if (now) drawsBack = setTimeout(drawBack, LATE);
}

/** A rule that is read in two ways matters for the first time: how it is played here, and how else. */
export function readings(page, again) {
  const line = page.log.slice(-RECENT).reverse().find((l) => l.reading && !l.undone && !read.has(`r${mark(page, l)}`));
  show($("#reading"), line ? [`r${mark(page, line)}`, line.reading] : null, (shown) => shown && [h("details.first-time.reading", {},
    h("summary", {}, icon("eye", 20), h("span", {}, shown[1].label, " ", h("b", {}, shown[1].value))),
    why(line.rule),
    h("div.pair", {},
      h("button", { onclick: () => away([shown[0]], again), data: { keep: "reading" } }, say("ui.page.reading.keep")),
      ...shown[1].others.map((other) => h("button.plain", { onclick: () => { command({ do: "switch", name: shown[1].id, value: other.id }); away([shown[0]], again); },
        data: { keep: `reading-${other.id}`, value: other.id } }, other.label))))]);
}
