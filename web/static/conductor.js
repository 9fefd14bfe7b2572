// Whose character is dead, asleep or has left the ship conducts the table: what is read aloud stands
// large, then what hands have to move, then for whom to tap; the next step is the button below.

import { $, h, icon, open, pair, say, show } from "./dom.js";
import { bundles, drawn } from "./panels.js";
import { rules } from "./search.js";
import { light } from "./board.js";

const OUT = ["dead", "hibernated", "launched"];
const LINES = 4;

/** Whether the own character takes no part in the running game any more. */
export function conducts(page, own) {
  return page.status === "playing" && OUT.includes(page.seats.find((p) => p.seat === own)?.state);
}

/** Draw the box; `acting` is who is acted for, `pick(seat)` chooses somebody else. */
export function conductor(page, own, acting, pick) {
  const box = $("#conductor");
  if (!box) return;
  const on = conducts(page, own);
  box.hidden = !on;
  document.body.classList.toggle("conducting", on);
  if (!on) return;
  const me = page.seats.find((p) => p.seat === own);
  const lines = page.log.filter((l) => !l.secret && !l.undone).slice(-LINES);
  const others = page.seats.filter((p) => p.state === "aboard");
  const todo = page.phase === "event" || !page.card ? bundles(page) : [];
  show(box, [me.state, lines, page.card, page.phase, others, acting, page.instructions], () => [
    h("h2", {}, icon(me.state, 24), ` ${pair(me.label, say(`ui.page.state.${me.state}`))}`),
    h("p.hint", {}, say("ui.page.conductor")),
    h("section.aloud", {}, h("h3", {}, icon("noise", 20), ` ${say("ui.page.conductor.aloud")}`),
      page.phase === "event" && page.card ? drawn(page.card) : "",
      ...lines.map((l) => h("p", {}, l.text))),
    ...todo.slice(0, 3).map((one) => one.draw()),
    others.length ? h("section", {}, h("h3", {}, say("ui.page.conductor.for")), h("div.people", {}, ...others.map((p) =>
      h(`button.person${p.seat === acting ? ".picked" : ""}`, { paint: p.hex, onclick: () => pick(p.seat), "aria-pressed": String(p.seat === acting),
        data: { seat: p.seat, keep: `c${p.seat}`, ink: light(p.hex) ? "dark" : "light" } }, h("span.dot", { paint: p.hex }), h("span.names", {}, p.label, h("small", {}, p.place)))))) : "",
    h("div.options", {},
      h("button.option", { onclick: () => open(say("ui.page.rules"), rules()), data: { do: "rules", keep: "crules" } }, icon("eye", 22), say("ui.page.rules")),
      h("a.option.big", { href: "/story" }, icon("event", 22), say("ui.page.story"))),
  ]);
}
