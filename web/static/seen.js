// What the camera sees otherwise, as one sheet; and the break, in which nobody is asked anything.

import { $, h, icon, say, show } from "./dom.js";
import { command, notice, post } from "./send.js";
import { answer } from "./ask.js";

const SHOWN = 6000; // ms: as long as the lights point at a place
let thrown = null; // a die thrown beside the move that the camera saw: {seat, face, until}
const narrow = matchMedia("(max-width: 899px)"); // little room: of several it says how many
let folded = null; // as somebody here wished it

/** The roll that a move asks for has been told with the move. */
export function rolled(page) {
  const asked = thrown && page.prompts.find((p) => p.kind === "roll" && p.seat === thrown.seat && p.options.some((o) => o.id === thrown.face));
  if (!asked && thrown?.until > Date.now()) return;
  const { face } = thrown ?? {};
  thrown = null;
  if (asked) answer(asked, face);
}

/** A character whom hands moved: the move itself, with what follows from it, not only the place.
 *  Where nobody stands the die was thrown too: one tap on its face tells both. */
function moved(d, page) {
  const person = page.seats.find((p) => p.character === d.piece && p.state === "aboard");
  const way = [person?.room, d.to].sort().join("-");
  const near = Object.keys(page.corridors).some((c) => c === way || c.startsWith(`${way}-`));
  if (!person || !near || page.phase !== "player") return "";
  const what = { do: "move", seat: person.seat, to: d.to };
  const there = page.rooms[d.to];
  const alone = there.explored && !there.intruders.length && !page.seats.some((p) => p.room === d.to);
  if (!alone || person.combat || !page.noise_die.length) {
    return h("button.main", { onclick: () => command(what), data: { keep: `m${d.id}` } }, icon("move", 22), say("ui.page.take_move"));
  }
  const tell = async (face) => {
    thrown = { seat: person.seat, face, until: Date.now() + 5000 };
    if (!(await command(what)).ok) thrown = null;
  };
  return h("div", {}, h("p", {}, icon("move", 22), say("ui.page.take_move_roll")),
    h("div.faces-row", {}, ...page.noise_die.map((f) => h("button.face",
      { onclick: () => tell(f.id), "aria-label": f.label, data: { face: f.id, keep: `m${d.id}${f.id}` } },
      /^\d$/.test(f.id) ? h("strong", {}, f.id) : [icon(f.icon, 34), h("span", {}, f.label)]))));
}

/** Light the places of a difference, on the map of this page and on the board. */
async function point(d) {
  for (const room of [d.from, d.to]) {
    const part = room && document.getElementById(`room-${room}`);
    if (!part) continue;
    part.classList.add("shown");
    setTimeout(() => part.classList.remove("shown"), SHOWN);
    part.scrollIntoView({ block: "nearest" });
  }
  const reply = await post("/api/show", { difference: d.id });
  if (!reply.ok && reply.http !== 404) notice(reply);
}

function one(d, page) {
  return h("li", {}, h("p", {}, d.text), d.twice ? "" : moved(d, page),
    h("div.pair", {},
      h("button", { onclick: () => point(d), data: { keep: `p${d.id}` } }, icon("eye", 20), say("ui.seen.show")),
      d.twice ? "" : h("button", { onclick: () => command({ do: "take", difference: d.id }), data: { keep: `t${d.id}` } }, say("ui.page.take")),
      h("button.plain", { onclick: () => command({ do: "ignore", difference: d.id }), data: { keep: `g${d.id}` } }, say("ui.page.ignore"))));
}

/** The sheet: everything that differs, with take all; and the break. */
export function seen(page) {
  const many = page.differences.filter((d) => !d.twice).length;
  show($("#seen"), [page.differences, page.noise_die, page.phase], ([list]) => list.length ? [
    h("details.bundle.seen", { open: folded === null ? !narrow.matches || list.length === 1 : !folded },
      h("summary", { onclick: (e) => { folded = e.currentTarget.parentElement.open; }, data: { keep: "seen" } }, icon("eye", 22), h("b", {}, list.length > 1 ? say("ui.seen.many", { n: list.length }) : say("ui.seen.one"))),
      h("ul", {}, ...list.map((d) => one(d, page))),
      many > 1 ? h("button.done", { onclick: () => command({ do: "take", difference: "all" }), data: { keep: "tall" } }, say("ui.seen.all", { n: many })) : "")] : []);
  document.body.classList.toggle("resting", page.pause);
  show($("#rest"), page.pause, (pause) => pause ? [h("h2", {}, say("ui.seen.break")), h("p", {}, say("ui.seen.break.text")),
    h("button.big.main", { onclick: () => rest(false), data: { keep: "rest" } }, say("ui.seen.go_on"))] : []);
}

/** Begin a break, or end it: anybody at the table. */
export async function rest(on) {
  const reply = await post("/api/break", { on });
  if (!reply.ok) notice(reply);
}
