// A player without a phone: this screen is handed over, shows that seat's page with everything
// covered, and takes the seat back when the choice is made.

import { $, h, say } from "./dom.js";
import { notice, post } from "./send.js";

const { from, seat } = document.body.dataset;
const back = $("#give-back");
// A secret choice was open on this page.
let chose = false;

/** Buttons for every player who has no phone, whoever has to choose: they tell nothing. */
export function lend(page, people, open) {
  const free = page.seats.filter((p) => people?.seats?.[p.seat] === "free" && !["dead", "launched"].includes(p.state));
  return free.map((p) => h("button.option", { onclick: () => ask(p, open), data: { lend: p.seat, keep: `l${p.seat}` } },
    h("span.dot", { paint: p.hex }), p.label));
}

function ask(person, open) {
  open(say("ui.page.lend.title", { who: person.label }),
    h("p", {}, say("ui.page.lend.text", { who: person.label })),
    h("button.big.main", { onclick: () => take(person.seat), data: { do: "lend" } }, say("ui.page.lend.go", { who: person.label })));
}

async function take(wanted) {
  const reply = await post("/api/lend", { seat: wanted });
  if (reply.ok) location.replace(`/seat/${wanted}?from=${seat}`);
  else notice(reply);
}

async function give() {
  back.disabled = true;
  const reply = await post("/api/free", { seat: Number(seat) });
  if (reply.ok) location.replace(from === "0" ? "/table" : `/seat/${from}`);
  else notice(reply);
  back.disabled = false;
}

/** On a lent screen: as soon as the choice is made, it goes back by itself. */
export function lent(page) {
  if (!back) return;
  const open = page.prompts.some((p) => p.secret);
  if (chose && !open) setTimeout(give, 800);
  chose = open;
}

back?.addEventListener("click", give);
