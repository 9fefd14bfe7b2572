// Who fed in which room, as one picture of before and after; a round's rooms are done in one tap.

import { $, h, icon, say, show } from "./dom.js";
import { command } from "./send.js";
import { why } from "./ask.js";

export function feeding(page) {
  const open = page.instructions.filter((i) => i.fed);
  const meals = open.length && page.phase !== "over" ? page.species.meals : [];
  const box = $("#feeding");
  if (!box) return;
  box.hidden = !meals.length;
  show(box, [meals, open.map((i) => i.id)], () => meals.length ? [
    h("h2", {}, say("ui.page.feeding")),
    ...meals.map(picture),
    h("button.big.done", { onclick: () => done(open), data: { keep: "fed" } }, say("ui.page.done"))] : []);
}

function done(open) {
  for (const batch of new Set(open.map((i) => i.batch))) command({ do: "tick", batch });
}

function picture(fed) {
  return h("figure.meal", { data: { room: fed.room } },
    h("figcaption", {}, fed.label),
    h("div.pair-of", {}, side(fed.before, "ui.page.before"), h("span.into", { "aria-hidden": "true" }, "→"), side(fed.after, "ui.page.after")),
    h("ul", {}, ...fed.meals.map((meal) => h("li", {}, h("span", {}, meal.text), why(meal.rule)))));
}

function side(lying, key) {
  return h("div.lying", { role: "img", "aria-label": `${say(key)}: ${lying.map(spoken).join(", ") || "–"}` },
    h("small", {}, say(key)),
    h("span.pieces-of", {}, ...lying.map((one) => h("span.piece", { title: one.label }, icon(one.icon, 34),
      one.injuries ? h("b.hurts", {}, String(one.injuries)) : "",
      one.count ? h("b.count", {}, `×${one.count}`) : ""))));
}

function spoken(one) {
  return one.label + (one.injuries ? ` (${one.injuries})` : "") + (one.count ? ` ×${one.count}` : "");
}
