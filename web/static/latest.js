// What has just happened and what to do now, over the lower edge of a small screen: nobody who acts
// on the map has to look for the answer below it. Wide screens show the same in their side column.

import { $, h, icon, say, show } from "./dom.js";
import { bundles } from "./panels.js";

const LINES = 3; // of what has just happened, the newest last
const FADE = 15000; // ms that mere news stays

let seen = -1; // the newest line when this page opened or was told last; -1 before the first view
let turned = ""; // the card that was told last
let news = { lines: [], card: null };
let closed = false;
let fading = 0;

/** Draw the strip; `again` draws the page once more. */
export function latest(page, again) {
  const box = $("#latest");
  if (!box) return;
  const newest = page.log.at(-1)?.n ?? 0;
  const card = JSON.stringify(page.card);
  const fresh = page.log.filter((l) => l.n > seen && !l.secret && !l.undone);
  if (seen >= 0 && (fresh.length || card !== turned)) {
    news = { lines: fresh.slice(-LINES), card: card !== turned ? page.card : null };
    closed = false;
    clearTimeout(fading);
    if (!news.card) fading = setTimeout(() => { news = { lines: [], card: null }; again(); }, FADE);
  }
  seen = newest;
  turned = card;
  const lines = news.lines.filter((l) => !page.log.some((now) => now.n === l.n && now.undone));
  const all = bundles(page);
  show(box, [lines, news.card, all[0], all.length, closed], () => closed || !(lines.length || news.card || all.length) ? [] : [
    h("div.told", {},
      news.card ? brief(news.card) : "",
      h("ul", {}, ...lines.map((l) => h("li", { data: { tone: l.tone } }, l.text)))),
    h("button.plain.away", { onclick: () => { closed = true; again(); }, "aria-label": say("ui.page.close") }, "✕"),
    all.length ? all[0].draw() : "",
    all.length > 1 ? h("p.hint", {}, say("ui.page.earlier", { n: all.length - 1 })) : "",
  ]);
}

/** A card in one row: what it is, its number or corridors, who moves. */
function brief(card) {
  return h("p.brief", {}, h("b", {}, card.title),
    card.icon ? icon(card.icon, 24) : "",
    ...(card.numbers ?? []).map((n) => h("b.corridor-number", {}, String(n))),
    card.blood ? h("b.blood", {}, card.blood === "arrow" ? icon("arrow", 18) : String(card.blood)) : "",
    ...(card.only_number ? [] : card.movers ?? []).map((m) => h("span.mover", { title: m.label, role: "img", "aria-label": m.label }, icon(m.icon, 22))),
    card.verdict ? ` · ${card.verdict}` : "");
}
