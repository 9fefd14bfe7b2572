// What lies on the sheet: what may be said and put right about a room, a corridor, a character.

import { close, h, icon, open, pair, say } from "./dom.js";
import { command, post } from "./send.js";
import { actions } from "./offers.js";
import { alike, blows, cards, eggs } from "./fight.js";
import { entry } from "./rules.js";
import { lend } from "./lend.js";
import { named } from "./known.js";
import { rules } from "./search.js";
import { statistics } from "./statistics.js";
import { why } from "./ask.js";

/** A button that sends a command and closes the sheet. */
function does(sign, label, what, look = "option") {
  return h(`button.${look}`, { onclick: () => { close(); command(what); }, data: { do: what.do } }, icon(sign, 22), label);
}

/** What only this species lets a character do. */
function tool(t, what) {
  return h("button.option", { onclick: () => { close(); command(what); }, data: { do: what.do, tool: t.icon } }, icon(t.icon, 22), t.label);
}

function toggled(sign, label, on, what) {
  return h(`button.option${on ? ".picked" : ""}`,
    { onclick: () => { close(); command(what); }, "aria-pressed": String(on), data: { do: what.do } }, icon(sign, 22), label);
}

function part(title, ...parts) {
  const held = parts.flat(3).filter(Boolean);
  return held.length ? h("section", {}, title ? h("h3", {}, title) : "", h("div.options", {}, ...held)) : "";
}

export function room(id, page, board, acting, redraw) {
  const held = page.rooms[id];
  const who = page.seats.find((p) => p.seat === acting);
  const far = who && who.room !== id && board.technical(id).some((there) =>
    board.technical(who.room ?? "").some((here) => here.space === there.space));
  open(`${id} ${held.name}`,
    held.box ? h("p.box", {}, held.box) : "",
    held.airlock ? h("p.box", {}, say("ui.page.airlock")) : "",
    held.covered ? h("p.box", {}, say("ui.page.covered")) : "",
    actions(id, page, who, redraw, close),
    part("",
      who && who.room !== id && board.around(who.room ?? "").has(id) ? does("move", `${say("ui.page.go")} · ${who.label}`, { do: "move", seat: acting, to: id }) : "",
      far ? does("vent", `${say("ui.page.by_technical")} · ${who.label}`, { do: "move", seat: acting, to: id, technical: true }) : "",
      held.explored ? "" : does("eye", say("ui.page.look_inside"), { do: "reveal", room: id, ...(who ? { seat: acting } : {}) }),
      held.explored || !who ? "" : does("eye", `${say("ui.page.peek")} · ${who.label}`, { do: "peek", seat: acting, room: id })),
    part(say("ui.page.in_room"),
      ...(held.items === null ? [] : [held.items - 1, held.items + 1].filter((n) => n >= 0).map((n) =>
        does("item", `${say("ui.page.items")} → ${n}`, { do: "items", room: id, count: n }))),
      toggled("fire", say("ui.page.fire"), held.fire, held.fire ? { do: "remove", piece: "fire", at: id } : { do: "place", piece: "fire", to: id }),
      toggled("malfunction", say("ui.page.malfunction"), held.malfunction, held.malfunction ? { do: "remove", piece: "malfunction", at: id } : { do: "place", piece: "malfunction", to: id }),
      held.tile === "nest" && page.head.eggs > 0 ? does("egg", say("ui.page.egg_less"), { do: "remove", piece: "egg", at: id }) : "",
      ...held.objects.map((o) => [does(o.type, `${o.label} ✕`, { do: "remove", piece: o.type, at: id }),
        who?.room === id ? does(o.type, pair(say("ui.page.pick_up"), o.label), { do: "pick_up", seat: acting, piece: o.type }) : ""])),
    who?.room === id ? part("", eggs(who, page).map(([sign, label, what]) => does(sign, label, what))) : "",
    ...alike(held.intruders).map((i) => part(i.label + (i.injuries ? ` · ${i.injuries}` : ""),
      who?.room === id ? blows(who, i).map(([sign, label, what]) => does(sign, label, what)) : "",
      does("shoot", say("ui.page.injure"), { do: "injure", intruder: i.id, hits: 1 }),
      does("shoot", say("ui.page.roll_shot"), { do: "injure", intruder: i.id }),
      does("retreat", say("ui.page.retreat"), { do: "retreat", intruder: i.id }),
      does("dead", say("ui.page.killed"), { do: "kill", intruder: i.id }),
      does("away", say("ui.page.take_away"), { do: "remove", piece: i.id }))),
    part(say("ui.page.stands_here"),
      ...page.seats.filter((p) => p.room !== id).map((p) => h("button.option", { paint: p.hex, onclick: () => { close(); command({ do: "place", piece: p.character, to: id }); } },
        h("span.dot", { paint: p.hex }), p.label)),
      ...Object.entries(page.rooms).filter(([from]) => from !== id).flatMap(([from, other]) => alike(other.intruders).map((i) =>
        does(i.type, `${i.label} · ${from}`, { do: "place", piece: i.id, to: id }))),
      ...page.creatures.filter((c) => c.mini).map((c) => does(c.id, `+ ${c.label}`, { do: "place", piece: c.id, to: id }))));
}

export function corridor(id, page) {
  const held = page.corridors[id];
  open(held.label,
    part(say("ui.page.door"), ...["open", "closed", "destroyed"].map((state) =>
      toggled(state === "open" ? "door-open" : state === "closed" ? "door" : "door-destroyed", say(`ui.page.door.${state}`),
        held.door === state, { do: "door", corridor: id, state }))),
    part("", noise(id, held)));
}

/** A tap on a Pod changes nothing by itself: it is a public fact. */
export function pod(id, page, acting) {
  const held = page.pods.find((p) => p.id === id);
  const who = page.seats.find((p) => p.seat === acting && p.state === "aboard");
  open(held.label,
    part("", ...["locked", "unlocked"].map((state) => toggled("pod", say(`ui.page.pod_${state}`), held.locked === (state === "locked"),
      { do: "pod", pod: id, action: state === "locked" ? "lock" : "unlock" }))),
    who ? part("", does("pod_waiting", `${say("ui.page.board_pod")} ${id.slice(4)} · ${who.label}`, { do: "pod", action: "board", seat: who.seat, pod: id })) : "",
    ...page.seats.filter((p) => p.pod === id).map((p) => part(p.label,
      ...leaves(p.seat, id))));
}

/** What who waits in a Pod may do. */
function leaves(seat, pod) {
  return [does("launched", say("ui.page.launch_pod"), { do: "pod", action: "launch", seat, pod }),
    does("aboard", say("ui.page.step_out"), { do: "pod", action: "step_out", seat, pod })];
}

export function space(id, page) {
  open(page.spaces[id].label, part("", noise(id, page.spaces[id])));
}

function noise(id, held) {
  return toggled("noise", say("ui.page.noise"), held.noise,
    held.noise ? { do: "remove", piece: "noise", at: id } : { do: "place", piece: "noise", to: id });
}

export function person(p, page) {
  const seat = p.seat;
  const states = ["aboard", "hibernated", "launched", "dead"].filter((s) => s !== p.state);
  open(p.label + (p.name ? ` · ${p.name}` : ""),
    ...p.open.map((card) => h("p.open-objective", {}, h("strong", {}, card.title), ` · ${card.text}`)),
    part("",
      does("passed", say("ui.page.end_turn"), { do: "end_turn", seat }),
      does("passed", say("ui.page.pass"), { do: "pass", seat }),
      does("encounter", say("ui.page.encounter"), { do: "encounter", seat }),
      does("noise", say("ui.page.noise_roll"), { do: "noise_roll", seat }),
      does("first", say("ui.page.first"), { do: "first_player", seat })),
    p.state === "aboard" ? part("", h("button.option", { onclick: () => cards(p, open, close), data: { do: "cards" } }, icon("item", 22), say("ui.page.cards"))) : "",
    part(say("ui.page.body"),
      does("wound", say("ui.page.light_wound"), { do: "wound", seat, kind: "light" }),
      does("wound", say("ui.page.serious_wound"), { do: "wound", seat, kind: "serious" }),
      does("infected", say("ui.page.contamination"), { do: "contaminate", seat }),
      does("eye", say("ui.page.scan"), { do: "scan", seat }),
      page.body.slime ? toggled("slime", say("ui.page.slime"), p.slime, { do: "slime", seat, on: !p.slime }) : "",
      page.body.larva ? toggled("larva", say("ui.page.larva"), p.larva, { do: "larva", seat, on: !p.larva }) : ""),
    p.insanity ? part(pair(say("ui.page.insanity"), p.insanity),
      does("panic", say("ui.page.panic"), { do: "panic", seat }),
      p.insanity > 1 ? does("insanity", say("ui.page.calmer"), { do: "insanity", seat, level: p.insanity - 1 }) : "",
      p.insanity < 5 ? does("insanity", say("ui.page.madder"), { do: "insanity", seat, level: p.insanity + 1 }) : "") : "",
    part("", ...page.species.tools.map((t) => tool(t, { ...t.what, seat }))),
    part(say("ui.page.carries"), ...p.objects.flatMap((o) => carried(o, p, page))),
    part("",
      does("eye", say("ui.page.rest"), { do: "rest", seat }),
      does("infected", say("ui.page.alcohol"), { do: "alcohol", seat }),
      does("infected", say("ui.page.antidote"), { do: "antidote", seat }),
      toggled("signal", say("ui.page.signal"), p.signal, { do: "signal", seat, on: !p.signal }),
      does("hibernated", say("ui.page.hibernate"), { do: "hibernate", seat }),
      ...(p.state === "pod_waiting"
        ? leaves(seat, p.pod)
        : page.pods.map((pod) => does("pod_waiting", `${say("ui.page.board_pod")} ${pod.id.slice(4)}`, { do: "pod", action: "board", seat, pod: pod.id })))),
    part(say("ui.page.where"), ...states.map((s) => does(s, say(`ui.page.state.${s}`), { do: "state", seat, state: s }))));
}

// What hands hold is put down, or handed over to who stands in the same room.
function carried(o, p, page) {
  const kind = o.split("#")[0];
  const label = p.badges.find((b) => b.icon === kind)?.label ?? o;
  const others = page.seats.filter((q) => q.seat !== p.seat && q.room && q.room === p.room);
  return [does(kind, pair(say("ui.page.put_down"), label), { do: "put_down", seat: p.seat, piece: o }),
    ...others.map((q) => does(kind, pair(`${say("ui.page.hand_over")} · ${q.label}`, label), { do: "hand_over", seat: p.seat, piece: o, to: q.seat }))];
}

/** What is seldom done. `people`: who is connected. */
export function more(page, people) {
  const free = lend(page, people, open);
  const running = page.head.self_destruct !== null;
  open(say("ui.page.more"),
    page.unsure.length ? h("p.unsure", {}, pair(say("ui.page.unsure"), page.unsure.join(", "))) : "",
    part("",
      does("bag", say("ui.page.bag_development"), { do: "bag_development" }),
      toggled("boom", say("ui.page.self_destruct"), running, { do: "self_destruct", on: !running }),
      h("button.option", { onclick: () => { close(); post("/api/break", { on: true }); }, data: { do: "break" } }, icon("asleep", 22), say("ui.page.break.begin")),
      page.can.close_step ? does("hand", say("ui.page.by_hand"), { do: "by_hand" }) : ""),
    free.length ? part(say("ui.page.lend"), ...free) : "",
    part(say("ui.page.token_by_hand"), ...page.creatures.filter((c) => c.token).map((c) => [
      does(c.id, `+ ${c.label}`, { do: "bag", token: c.id, to: "in" }),
      does(c.id, `− ${c.label}`, { do: "bag", token: c.id, to: "out" })])),
    page.species.open.length ? h("section.open-cards", {}, h("h3", {}, say("ui.page.open_cards")),
      ...page.species.open.map((c) => h("p", {}, h("b", {}, c.title), ` · ${c.slot} `, h("small", {}, c.text), why(c.rule)))) : "",
    h("div.counts", {}, ...page.counts.map((c) => h("span", { title: c.label }, icon(c.icon, 20), ` ${c.label} `, h("b", {}, String(c.value))))),
    part("",
      h("button.option", { onclick: () => open(say("ui.page.rules"), rules()), data: { do: "rules" } }, icon("eye", 22), say("ui.page.rules")),
      page.statistics ? h("button.option", { onclick: () => open(say("ui.page.statistics"), ...statistics(page.statistics)), data: { do: "statistics" } }, icon("bag", 22), say("ui.page.statistics")) : ""),
    h("nav.links", {}, h("button.option", { onclick: () => import("./drawer.js").then((found) => found.drawer()), data: { do: "host" } }, icon("hand", 22), say("ui.page.host")),
      h("a", { href: "/story" }, say("ui.page.story")), h("a", { href: "/" }, say("ui.page.lobby")), h("a", { href: "/table" }, say("ui.page.table"))));
}

/** What a rule says: one tap on "?". */
export async function rule(ids) {
  const found = await named(ids);
  open(say("ui.page.why"), ...(found.length
    ? found.map(entry)
    : [h("p", {}, ids)]));
}
