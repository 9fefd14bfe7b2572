// The parts of a game page beside the map: head, people, card, instructions, log, buttons.

import { $, each, h, icon, pair, say, show } from "./dom.js";
import { command } from "./send.js";
import { light } from "./board.js";
import { alike, blows, eggs } from "./fight.js";
import { why } from "./ask.js";
import { linked } from "./rules.js";

export function head(page) {
  const due = page.steps.find((step) => step.state === "now");
  // Those two stand elsewhere.
  const { first, eggs, ...shown } = page.head;
  show($("#head"), [shown, due], ([now]) => [
    h("strong.round", {}, now.round || now.phase),
    h("span.phase", {}, now.ending || (now.round ? now.phase : "")),
    due ? h("strong.step", {}, icon(due.icon, 26), due.label) : "",
    now.time === null ? "" : h(`span.track${now.time <= 5 ? ".soon" : ""}`, { title: say("ui.page.time") },
      icon("time", 20), h("b", {}, String(now.time))),
    now.self_destruct === null ? "" : h("span.track.alarm", { title: say("ui.page.self_destruct") },
      icon("boom", 20), h("b", {}, String(now.self_destruct))),
    now.hibernation ? h("span.track", { title: say("ui.page.hibernation") }, icon("hibernated", 20)) : "",
    now.bag === undefined || now.bag === null ? "" : h("span.track", { title: say("ui.page.bag") }, icon("bag", 20), h("b", {}, String(now.bag))),
  ]);
  show($("#steps"), page.steps, (steps) => steps.map((step) =>
    h(`li.${step.state}`, { "aria-current": step.state === "now" ? "step" : null, title: step.label }, icon(step.icon, 20),
      h(step.state === "now" ? "b" : "span.spoken", {}, step.label))));
  const far = $("#far");
  if (far) far.textContent = [page.head.round || page.head.phase, due?.label].filter(Boolean).join(" · ");
}

/** One chip a person; `pick` makes that character the one who acts, `more` opens its sheet. */
export function seats(page, acting, people, pick, more) {
  const chips = page.seats.map((p) => [p, p.seat === acting, p.seat === page.head.first, people?.seats?.[p.seat]]);
  each($("#seats"), chips, ([p, acts, first, phone]) =>
    h(`div.chip.${p.state}${acts ? ".acting" : ""}`, { paint: p.hex, data: { seat: p.seat } },
      h("button.who", { onclick: () => pick(p.seat), "aria-pressed": String(acts), data: { keep: `w${p.seat}` } },
        h("span.dot", { paint: p.hex, data: { ink: light(p.hex) ? "dark" : "light" } }, p.letter),
        h("span.names", {}, h("b", {}, p.label), h("small", {}, h("span", {}, p.place), " ", p.name ? h("i", {}, p.name) : ""))),
      h("span.signs", {}, first ? mark("first", say("ui.page.first")) : "",
        ...p.badges.map((b) => mark(b.icon, b.label, b.value)),
        p.light || p.serious ? h("small.wounds", {}, `${"•".repeat(p.light)}${"✚".repeat(p.serious)}`) : "",
        phone === "free" ? mark("nophone", say("ui.page.no_phone")) : "",
        phone === "asleep" ? mark("asleep", say("ui.page.asleep")) : ""),
      h("button.more", { onclick: () => more(p), "aria-label": pair(p.label, say("ui.page.more")), data: { keep: `m${p.seat}` } }, "⋯")));
}

function mark(name, label, value) {
  return h("span.sign", { title: label, role: "img", "aria-label": label, data: { sign: name } }, icon(name, 18),
    value === undefined ? "" : h("b", {}, String(value)));
}

export function card(page) {
  show($("#card"), page.card, (now) => now && [drawn(now)]);
}

/** A card of our own design: its deck's emblem, large symbols, what it does in our words. */
export function drawn(now) {
  const emblem = { bag: "bag", attack: "attack", event: "event" }[now.deck] ?? now.deck;
  return h(`article.card.${now.deck}`, {},
    h("small", {}, icon(emblem, 20), now.kind, now.check ? ` · ${say("ui.page.check")}` : ""),
    h("h2", {}, now.title, why(now.rule)),
    now.icon ? h("div.token", {}, icon(now.icon, 96), h("b", {}, now.number)) : "",
    now.numbers ? h("div.numbers", {}, ...now.numbers.map((n) => h("b.corridor-number", {}, String(n))), ...movers(now)) : "",
    now.blood ? h("div.numbers", {}, drop(now.blood), ...now.blood_of.flatMap((o) => [h("span.mover", { title: o.label }, icon(o.icon, 24)), drop(o.blood)]), ...movers(now)) : "",
    now.of ? h("p.of", {}, now.of, now.verdict ? ` · ${now.verdict}` : "") : "",
    now.text ? h("p", {}, linked(now.text)) : "",
    icon(emblem, 120));
}

function drop(blood) {
  return h("b.blood", {}, blood === "arrow" ? icon("arrow", 30) : String(blood));
}

function movers(now) {
  return now.only_number ? [] : now.movers.map((m) => h("span.mover", {}, icon(m.icon, 44), h("small", {}, m.label)));
}

// Batches that lie open; what was told before is folded away.
const FRESH = 2;
let unfolded = false;

/** Open instructions by batch, the newest first and a batch in its own order: lists of bundles. */
function batches(page) {
  const found = new Map();
  for (const one of page.instructions.filter((i) => !i.fed)) {
    const inside = found.get(one.batch) ?? new Map();
    found.set(one.batch, inside.set(one.group, [...(inside.get(one.group) ?? []), one]));
  }
  return [...found.values()].reverse().map((inside) => [...inside.values()]);
}

/** The open bundles, those of the newest batch first: {ones, draw()}. */
export function bundles(page) {
  return batches(page).flat().map((ones) => ({ ones, draw: () => bundle(ones) }));
}

/** Open instructions in bundles, one "done" each. */
export function instructions(page) {
  show($("#todo"), page.instructions.filter((i) => !i.fed), () => {
    const all = batches(page).map((some) => some.map((ones) => bundle(ones)));
    const earlier = all.slice(FRESH).flat();
    return [all.flat().length > 1 ? h("button.done.whole", { onclick: () => command({ do: "tick", instruction: "all" }), data: { keep: "dall" } }, say("ui.page.all_done")) : "",
      ...all.slice(0, FRESH).flat(), earlier.length ? h("details.earlier", { open: unfolded, ontoggle: (e) => { unfolded = e.target.open; } },
      h("summary", { data: { keep: "earlier" } }, say("ui.page.earlier", { n: earlier.length })),
      ...earlier) : ""];
  });
}

function bundle(ones) {
  const { batch, group, group_label: title } = ones[0];
  const key = `${batch}${group}`;
  return h("section.bundle", {}, title ? h("h3", {}, title) : "",
    h("ul", {}, ...ones.map((i) => h("li", { data: { instruction: i.id } }, icon(i.icon, 26),
      h("span", {}, h("b", {}, i.piece), i.box ? h("small.box", {}, i.box) : "", " ",
        "· ", h("span.from", {}, i.from_label), " → ", h("b.to", {}, i.to_label), i.via_label ? h("small", {}, ` · ${i.via_label}`) : ""),
      group ? h("button", { onclick: () => command({ do: "tick", instruction: i.id }), "aria-label": pair(say("ui.page.done"), i.piece), data: { keep: `i${i.id}` } }, "✓") : ""))),
    h("button.done", { onclick: () => command({ do: "tick", batch, ...(group ? { group } : {}) }), data: { keep: `d${key}` } }, say("ui.page.done")));
}

// Lines drawn while the log is out of sight: each new one moves all that lie below.
const FEW = 12;
// The page whose log was drawn last.
let told = null;
let sight = false;

/** What has happened, the newest first; all of it once somebody looks there. */
export function log(page) {
  if (!told) {
    new IntersectionObserver(([box]) => {
      sight = box.isIntersecting;
      if (sight) log(told);
    }).observe($("#log"));
  }
  told = page;
  each($("#log"), page.log.slice(sight ? 0 : -FEW).reverse(), (line) =>
    h(`li${line.tone ? `.${line.tone}` : ""}${line.undone ? ".gone" : ""}${line.secret ? ".own" : ""}`, {},
      h("span", {}, line.text), why(line.rule)));
}

/** The buttons: what the acting character may do, then the course of the game.
 *  `now`: {careful, acting, actFor, own, set(careful), more()}. */
// Milliseconds after a step in which a second tap is not taken as the next step.
const SOFT = 1000;
// Milliseconds in which the way back from it stands out.
const WARM = 3000;
// What was due when the buttons were drawn last: [step, target of undo].
let step = null;
let since = 0;

/** How long ago a step began, and when to draw the buttons again: `soft`, `warm` or nothing. */
function begun(page, again) {
  const due = [page.can.next, page.can.undo?.target];
  if (step && (step[0] || due[0]) && String(due) !== String(step)) {
    since = Date.now();
    for (const wait of [SOFT, WARM]) setTimeout(again, wait + 20);
  }
  step = due;
  const ago = Date.now() - since;
  return ago < SOFT ? "soft" : ago < WARM ? "warm" : "";
}

export function buttons(page, now) {
  const fresh = begun(page, now.redraw);
  const asking = page.prompts.length + page.waiting > 0;
  const { can } = page;
  const acting = page.seats.find((p) => p.seat === now.acting);
  const playing = page.status === "playing";
  const turn = playing && page.phase === "player";
  const gone = !acting && !asking && turn && page.seats.find((p) => p.seat === now.actFor);
  const foes = acting?.combat && turn && !asking ? alike(page.rooms[acting.room]?.intruders ?? []) : [];
  const near = asking ? [] : eggs(acting, page);
  const interrupt = can.interrupt ? [can.undo?.target] : null;
  const rest = acting?.state === "aboard" && playing && !asking;
  const waits = turn && !asking && page.seats.find((p) => p.seat === now.own && p.state === "pod_waiting" && !p.passed);
  const tools = interrupt || foes.length || near.length || rest;
  const parts = {
    gone: () => h("p.hint.gone", { role: "status" },
      say("ui.page.acts_not", { who: gone.label, state: say(`ui.page.state.${gone.state}`) })),
    tools: () => h("div.tools", {},
      acting && acting.seat !== now.own ? h("span.for", {}, h("span.dot", { paint: acting.hex }), acting.label) : "",
      interrupt ? h("button.interrupt", { onclick: () => command({ do: "undo", target: interrupt[0], because: "interruption" }), data: { do: "interrupt", keep: "interrupt" } },
        icon("hand"), h("span", {}, say("ui.page.interrupt"))) : "",
      ...foes.map((i) => {
        const name = `${i.label}${i.injuries ? ` (${i.injuries})` : ""}`;
        return h("span.against", {}, h("b", {}, icon(i.type, 22), name), ...blows(acting, i).map(([sign, label, what]) =>
          act(sign, [label, h("span.spoken", {}, ` ${name}`)], what, "shoot", label + i.id)));
      }),
      ...near.map(([sign, label, what]) => act(sign, label, what, "shoot", label)),
      ...(!rest ? [] : [
        ...["slime", "larva"].filter((mark) => acting[mark]).map((mark) =>
          act(mark, say(`ui.page.${mark}_off`), { do: mark, seat: acting.seat, on: false })),
        h("button", { onclick: () => now.cards(acting), data: { do: "cards", keep: "cards" } }, icon("item"), h("span", {}, say("ui.page.cards"))),
        ...(!turn ? [] : [
          h(`button${now.careful ? ".picked" : ""}`, { onclick: () => now.set(!now.careful), "aria-pressed": String(now.careful), data: { do: "careful", keep: "careful" } },
            icon("careful"), h("span", {}, say("ui.page.careful"))),
          act("encounter", say("ui.page.encounter"), { do: "encounter", seat: now.acting }),
          act("noise", say("ui.page.noise_roll"), { do: "noise_roll", seat: now.acting })]),
      ])),
    waits: () => h("div.tools.choose", {},
      act("pod_waiting", say("ui.page.stay_in_pod"), { do: "pass", seat: waits.seat }),
      act("launched", say("ui.page.launch_pod"), { do: "pod", action: "launch", seat: waits.seat, pod: waits.pod }),
      act("aboard", say("ui.page.step_out"), { do: "pod", action: "step_out", seat: waits.seat, pod: waits.pod })),
    steer: () => h("div.steer", {},
      h("button", { onclick: now.more, "aria-label": say("ui.page.more"), data: { do: "more", keep: "more" } }, icon("more"), h("span", {}, say("ui.page.more"))),
      can.redo ? act("redo", pair(say("ui.page.redo"), can.redo.label), { do: "redo" }) : "",
      h(`button.undo${fresh ? ".fresh" : ""}`, { onclick: () => command({ do: "undo", target: can.undo?.target }), disabled: !can.undo, data: { do: "undo", keep: "undo" } },
        icon("undo"), h("span", {}, say("ui.page.undo"), can.undo ? h("small", {}, can.undo.label) : "")),
      can.next ? act("next", can.next_label || say("ui.page.next"), { do: "next", step: can.next }, "main", "", fresh === "soft")
        : can.event_phase ? act("event", say("ui.page.event_phase"), { do: "event_phase" }, "main", "", fresh === "soft") : ""),
  };
  each($("#actions"), [
    gone && ["gone", gone.label, gone.state],
    waits && ["waits", waits.pod],
    tools && ["tools", acting, foes, near, interrupt, rest, turn, now.careful],
    ["steer", can, fresh],
  ].filter(Boolean), ([part]) => parts[part]());
}

function act(sign, label, what, look = "", key = "", soft = false) {
  return h(`button${look ? `.${look}` : ""}`, { onclick: () => soft || command(what), "aria-disabled": soft ? "true" : null, data: { do: what.do, keep: what.do + key } },
    icon(sign), h("span", {}, label));
}
