// Fighting, and cards that touch the table: the Intruder's own buttons, offers, the sheet of cards.

import { h, icon, say } from "./dom.js";
import { command } from "./send.js";
import { why } from "./ask.js";

function weapon(who) {
  return who.weapon === "none" ? "classic" : who.weapon;
}

/** Equal miniatures of a Room as one, with their number: what is done to one may be done to any. */
export function alike(intruders) {
  const kinds = new Map();
  for (const one of intruders) {
    const key = `${one.type}/${one.injuries}`;
    kinds.set(key, { ...one, many: (kinds.get(key)?.many ?? 0) + 1 });
  }
  return [...kinds.values()].map((one) => (one.many > 1 ? { ...one, label: `${one.label} ×${one.many}` } : one));
}

/** What the acting character may do to an Intruder of the own room: [sign, label, command]. */
export function blows(who, intruder) {
  const what = { do: "injure", seat: who.seat, intruder: intruder.id };
  const shot = { ...what, weapon: weapon(who) };
  const more = who.character === "captain" ? [["shoot", say("ui.page.shoot_on"), { ...shot, check: false }]] : [];
  return [["shoot", say("ui.page.shoot"), shot], ["hand", say("ui.page.melee"), { ...what, weapon: "melee" }], ...more];
}

/** Eggs that nobody carries, in the room of one who is not in Combat. */
export function eggs(who, page) {
  const room = who && page.rooms[who.room];
  if (!room || who.combat) return [];
  const lying = room.objects.some((o) => o.type === "egg") || (room.tile === "nest" && page.head.eggs > 0);
  const what = { do: "injure", seat: who.seat, intruder: "egg", room: who.room };
  return lying ? [["egg", say("ui.page.eggs_shoot"), { ...what, weapon: weapon(who) }], ["egg", say("ui.page.eggs_melee"), { ...what, weapon: "melee" }]] : [];
}

/** Cards that may cancel what has just happened; nobody has to answer. */
export function offers(page) {
  return page.offers.map((o) => h("section.offer", { data: { offer: o.card } },
    h("button.option", { onclick: () => command({ do: "card", seat: o.seat, card: o.card }), data: { do: "card", keep: `o${o.seat}${o.card}` } },
      icon("hand", 22), `${o.who} · ${o.label}`),
    h("small", {}, o.text, why(o.rule))));
}

/** The sheet "a card or Item": what the acting character may play now. */
export async function cards(who, open, close) {
  const answer = await fetch("/api/cards").catch(() => null);
  const known = answer?.ok ? (await answer.json()).cards : [];
  const fits = known.filter((c) => c.target && (!c.character || c.character === who.character) && (c.combat || !who.combat));
  const list = (title, some) => some.length ? h("section", {}, h("h3", {}, title), ...some.map((c) => h("div.card-line", {},
    h("button.option", { onclick: () => { close(); command({ do: "card", seat: who.seat, card: c.id }); }, data: { do: "card", card: c.id } }, icon("item", 22), c.label),
    h("small", {}, c.text, why(c.rule))))) : "";
  open(`${say("ui.page.cards")} · ${who.label}`,
    list(say("ui.page.cards_own", { seat: who.label }), fits.filter((c) => c.character)),
    list(say("ui.page.cards"), fits.filter((c) => !c.character)));
}
