// Who plays the Intruders: one card an action, used to move, to attack, or for its effect.

import { $, h, icon, say, show } from "./dom.js";
import { command } from "./send.js";

const CARDS = ["planning", "coordinated_hunt", "metamorphosis", "self_healing"];
let chosen = "";

/** Draw the box; `own` is the seat of this page, 0 on the table's. */
export function intruders(page, own, redraw) {
  const box = $("#intruders");
  if (!box) return;
  const seat = page.intruders?.seat;
  const open = Boolean(seat) && (own === seat || !own) && page.phase === "player";
  box.hidden = !open;
  if (!open) return;
  const minis = Object.entries(page.rooms).flatMap(([room, held]) => held.intruders.map((i) => ({ ...i, room })));
  if (!minis.some((m) => m.id === chosen)) chosen = minis[0]?.id ?? "";
  const act = (what) => command({ do: "intruder_action", ...what });
  show(box.querySelector(".intruder-tools"), [minis, chosen, page.seats, page.intruders], () => [
    minis.length
      ? h("label", {}, say("ui.page.intruders.which"), h("select", { onchange: (e) => { chosen = e.target.value; redraw(); }, data: { keep: "mini" } },
          ...minis.map((m) => h("option", { value: m.id, selected: m.id === chosen }, `${m.label} ${m.id.split("#")[1]} · ${m.room}`))))
      : h("p.hint", {}, say("ui.page.intruders.none")),
    minis.length ? row("ui.page.intruders.move", "move", (n) => act({ use: "move", intruder: chosen, number: n })) : "",
    minis.length ? row("ui.page.intruders.attack", "attack", (n) => act({ use: "attack", intruder: chosen, count: n })) : "",
    h("h3", {}, say("ui.page.intruders.pursuit")),
    h("div.options", {}, ...page.seats.filter((p) => p.state === "aboard" || p.state === "pod_waiting").map((p) =>
      h("button.option", { onclick: () => act({ use: "effect", card: "pursuit", seat: p.seat }), data: { pursue: p.seat, keep: `u${p.seat}` } },
        h("span.dot", { paint: p.hex }), p.label))),
    h("h3", {}, say("ui.page.intruders.effect")),
    h("div.options", {}, ...CARDS.map((card) => h("button.option",
      { onclick: () => act({ use: "effect", card }), data: { card, keep: `k${card}` } }, page.intruders.cards[card])),
      h("button.option", { onclick: () => act({ use: "pass" }), data: { keep: "ip" } }, icon("passed", 22), say("ui.page.intruders.pass"))),
  ]);
}

function row(title, name, act) {
  return [h("h3", {}, say(title)), h("div.options", {}, ...[1, 2, 3, 4].map((n) =>
    h("button.option", { onclick: () => act(n), data: { [name]: n, keep: `${name}${n}` } }, h("strong", {}, String(n)))))];
}
