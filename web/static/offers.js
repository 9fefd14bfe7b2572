// Room actions: what a room offers whoever stands there, or by a card from afar, and why not now.

import { h, icon, pair, say } from "./dom.js";
import { why } from "./ask.js";
import { command } from "./send.js";
import { take } from "./rooms.js";

/** The part of a room's sheet that says what may be done there. `closing` shuts the sheet. */
export function actions(id, page, who, redraw, closing) {
  const held = page.rooms[id];
  if (who?.state !== "aboard") return "";
  const here = who.room === id;
  const send = (what) => { closing(); command(what); };
  const all = [...held.actions.flatMap((a) => offers(a, id, who, here, redraw, closing, send)),
    ...(here ? extra(held, who, id).map((e) => h("button.option", { onclick: () => send(e.what), data: { do: e.what.do } }, icon(e.sign, 22), e.label)) : [])];
  if (!all.length) return held.rule ? h("p", {}, say("ui.page.room_passive"), " ", why(held.rule)) : "";
  const list = h("div.options.room-actions", {}, ...all);
  return here
    ? h("section", {}, h("h3", {}, `${say("ui.page.room_action")} · ${who.label} `, why(held.rule)), list)
    : h("details.afar", {}, h("summary", {}, `${say("ui.page.from_afar")} · ${who.label}`), list);
}

// Beside the room's own: it is searched, an engine is repaired or broken, the Scientist studies anywhere.
function extra(held, who, id) {
  return [
    ...(held.items !== null ? [{ sign: "item", label: `${say("ui.page.search")} · ${held.items}`, what: { do: "search", seat: who.seat } }] : []),
    ...(held.tile?.match(/^engine_\d/) ? [{ sign: "malfunction", label: say("ui.page.repair"), what: { do: "repair", seat: who.seat } }] : []),
    ...(who.character === "scientist" && held.tile !== "laboratory" && (held.objects.length || who.objects.length) && who.room === id
      ? [{ sign: "eye", label: say("ui.page.study"), what: { do: "study", seat: who.seat } }] : []),
  ];
}

function offers(a, id, who, here, redraw, closing, send) {
  const what = { do: "room_action", seat: who.seat, action: a.action, ...(here ? {} : { room: id, remote: true }) };
  const reason = who.combat ? say("ui.page.not_in_combat") : a.reason;
  const one = (label, act) => h(`button.option.room-action${reason ? ".barred" : ""}`, { onclick: act, data: { do: "room_action", action: a.action } },
    h("span", {}, label), here ? h("small", {}, a.cost) : "", reason ? h("small.reason", {}, reason) : "");
  // A refused one is sent all the same: the reply says why, and offers "it happened anyway".
  if (reason) return [one(a.label, () => send(what))];
  if (a.kind === "room") {
    const start = (more, label, corridors = false) => one(label, () => {
      closing();
      take({ what: { ...what, ...more }, label, targets: a.targets, corridors });
      redraw();
    });
    return a.action === "doors"
      ? [start({}, a.label, true), start({ state: "open" }, say("ui.page.doors_open")), start({ state: "closed" }, say("ui.page.doors_closed"))]
      : [start({}, a.label)];
  }
  if (a.targets.length) return a.targets.map((t) => one(pair(a.label, t.label), () => send({ ...what, target: t.id })));
  const scans = a.scans === "hand" ? [1] : a.scans ? Array.from({ length: Math.min(who.contamination, 6) }, (_, n) => n + 1) : [];
  return [one(a.label, () => send(what)), ...scans.map((n) => one(
    `${a.label} ${say(a.scans === "hand" ? "ui.page.and_scan_hand" : "ui.page.and_scan", { n })}`, () => send({ ...what, scan: n })))];
}
