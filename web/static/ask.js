// Open questions: one drawing for each of the seven kinds.

import { h, icon, say } from "./dom.js";
import { command } from "./send.js";
import { light } from "./board.js";

// Prompt id → Set of options, or Map piece → place.
const chosen = new Map();
// The piece that waits for a tap on the map: {prompt, piece}.
let armed = null;
// The question put aside for a look at the map below it.
let folded = "";
// The question of one face that is answered with more: they are equal.
let several = "";

export function answer(prompt, value) {
  return command({ do: "answer", prompt: prompt.id, value }, by(prompt));
}

function by(prompt) {
  return Array.isArray(prompt.to) && prompt.secret ? prompt.to[0] : document.body.dataset.audience;
}

/** Ids on the map that answer an open question, and those chosen already. */
export function places(prompts) {
  const choose = new Set();
  const picked = new Set();
  for (const prompt of prompts) {
    if (prompt.kind !== "place") continue;
    if (prompt.pieces && armed?.prompt !== prompt.id) {
      for (const p of prompt.pieces) choose.add(p.id);
      continue;
    }
    for (const option of prompt.options) choose.add(String(option.id));
    if (prompt.multiple) for (const id of selection(prompt)) picked.add(String(id));
  }
  return { choose, picked };
}

/** A tap on the map; true when it answered something. */
export function tappedPlace(prompts, id, redraw) {
  for (const prompt of prompts) {
    if (prompt.kind !== "place") continue;
    const option = prompt.options.find((o) => String(o.id) === id);
    if (prompt.pieces) {
      if (armed?.prompt === prompt.id && option) {
        placed(prompt).set(armed.piece, option.id);
        armed = null;
        redraw();
        return true;
      }
      const piece = prompt.pieces.find((p) => p.id === id);
      if (piece) {
        turn(prompt, piece.id);
        redraw();
        return true;
      }
      continue;
    }
    if (!option) continue;
    if (prompt.multiple) {
      toggle(selection(prompt), option.id);
      redraw();
    } else {
      answer(prompt, option.id);
    }
    return true;
  }
  return false;
}

/** The page as it would be with what has been put down so far, for the map. */
export function preview(page, prompts) {
  const prompt = prompts.find((p) => p.pieces && chosen.get(p.id) instanceof Map);
  if (!prompt) return page;
  const now = structuredClone(page);
  for (const [piece, place] of chosen.get(prompt.id)) {
    const label = prompt.options.find((o) => o.id === place)?.label ?? "";
    const person = now.seats.find((p) => p.character === piece);
    if (person) person.room = now.rooms[place] ? place : person.room;
    else if (now.corridors[piece]) now.corridors[piece].door = place ?? "open";
    else if (now.rooms[piece]) Object.assign(now.rooms[piece], { name: label, explored: Boolean(place) });
    else stand(now, prompt.pieces.find((p) => p.id === piece), place);
  }
  return now;
}

function stand(now, piece, place) {
  for (const room of Object.values(now.rooms)) room.intruders = room.intruders.filter((i) => i.id !== piece?.id);
  if (piece && now.rooms[place]) now.rooms[place].intruders.push({ id: piece.id, type: piece.kind, label: piece.label, injuries: 0 });
}

function selection(prompt) {
  if (!(chosen.get(prompt.id) instanceof Set)) chosen.set(prompt.id, new Set(prompt.prefill ?? []));
  return chosen.get(prompt.id);
}

function placed(prompt) {
  if (!(chosen.get(prompt.id) instanceof Map)) {
    chosen.set(prompt.id, new Map(Object.entries(prompt.prefill ?? {})));
  }
  return chosen.get(prompt.id);
}

function toggle(set, id) {
  if (!set.delete(id)) set.add(id);
}

// A piece that is itself a place (a corridor's door) steps through its options.
function turn(prompt, piece) {
  const held = placed(prompt);
  const ids = prompt.options.map((o) => o.id);
  // After the last one comes what was shown.
  held.set(piece, ids[ids.indexOf(held.get(piece) ?? ids[0]) + 1] ?? prompt.prefill?.[piece] ?? ids[0]);
}

/** The questions of a page as elements. */
export function questions(prompts, page, redraw) {
  return prompts.map((prompt) => {
    const person = page.seats.find((p) => p.seat === prompt.seat);
    const away = folded === prompt.id;
    return h(`section.ask.${prompt.kind}${away ? ".folded" : ""}`, { data: { prompt: prompt.id }, "aria-live": "polite" },
      h("h2", {}, person ? dot(person) : "", h("span", {}, prompt.text), why(prompt.rule),
        h("button.fold", { onclick: () => { folded = away ? "" : prompt.id; redraw(); }, data: { keep: "fold" },
          "aria-expanded": String(!away), "aria-label": say("ui.page.fold") }, away ? "▴" : "▾")),
      draw(prompt, page, redraw),
      prompt.by_hand
        ? h("button.plain.hand", { onclick: () => command({ do: "by_hand" }), data: { keep: "hand" } },
            icon("hand", 20), say("ui.page.by_hand"))
        : "");
  });
}

function dot(person) {
  return h("span.dot", { paint: person.hex, "aria-hidden": "true" });
}

export function why(rule) {
  return rule
    ? h("button.why", { data: { rule }, "aria-label": say("ui.page.why"), title: rule }, "?")
    : "";
}

function draw(prompt, page, redraw) {
  switch (prompt.kind) {
    case "yes_no":
      return h("div.pair", {}, ...[true, false].map((value) =>
        h(`button.big${prompt.prefill === value ? ".likely" : ""}`,
          { onclick: () => answer(prompt, value), data: { value, keep: `v${value}` } },
          say(value ? "ui.page.yes" : "ui.page.no"))));
    case "confirm":
      return h("button.big.main", { onclick: () => answer(prompt, true), data: { keep: "ok" } }, say("ui.page.done"));
    case "roll":
      return h(`div.faces-row${prompt.options.some((o) => o.id === "4" || o.id === 4) ? ".noise" : ""}`, {}, ...prompt.options.map((o) => button(prompt, o, "face")));
    case "faces":
      return people(prompt, page, redraw);
    case "place":
      return prompt.pieces ? table(prompt, redraw) : spots(prompt, redraw);
    default:
      return prompt.multiple ? list(prompt, redraw) : options(prompt);
  }
}

function button(prompt, option, look = "option") {
  const sign = option.icon ? icon(option.icon, look === "face" ? 34 : 24) : "";
  const number = look === "face" && /^\d$/.test(String(option.id));
  return h(`button.${look}${prompt.prefill === option.id ? ".likely" : ""}`,
    { onclick: () => answer(prompt, option.id), data: { value: option.id, keep: `o${option.id}` },
      "aria-label": option.label },
    number ? h("strong", {}, String(option.id)) : sign,
    number ? "" : h("span", {}, option.label),
    option.box ? h("small.box", {}, option.box) : "");
}

function options(prompt) {
  const list = h(`div.options${prompt.options.length > 8 ? ".many" : ""}`, {},
    ...prompt.options.map((o) => button(prompt, o)));
  return prompt.line ? [list, cardLine(prompt)] : list;
}

function list(prompt, redraw) {
  const held = selection(prompt);
  return [h("div.options", {}, ...prompt.options.map((o) => pick(held.has(o.id), o.label,
    () => { toggle(held, o.id); redraw(); }, `o${o.id}`))), send(prompt, () => [...held])];
}

// Somebody has to be named: one tap names the one, unless they say first that several are equal.
function people(prompt, page, redraw) {
  const one = prompt.multiple && prompt.prefill === null && several !== prompt.id;
  const held = prompt.multiple && !one ? selection(prompt) : null;
  const faces = prompt.options.map((o) => {
    const person = page.seats.find((p) => p.seat === Number(o.id));
    const act = () => {
      if (!held) return answer(prompt, one ? [o.id] : o.id);
      toggle(held, o.id);
      return redraw();
    };
    return h(`button.person${held?.has(o.id) ? ".picked" : ""}`,
      { onclick: act, paint: person?.hex, "aria-pressed": held ? String(held.has(o.id)) : null,
        data: { value: o.id, keep: `f${o.id}`, ink: person && light(person.hex) ? "dark" : "light" } },
      h("span.dot", { paint: person?.hex }), o.label);
  });
  const equal = () => { several = prompt.id; redraw(); };
  return [h("div.people", {}, ...faces), held ? send(prompt, () => [...held])
    : one ? h("button.plain", { onclick: equal, data: { keep: "equal" } }, say("ui.page.equal")) : ""];
}

function pick(on, label, act, keep) {
  return h(`button.option${on ? ".picked" : ""}`,
    { onclick: act, "aria-pressed": String(on), data: { keep } }, label);
}

function send(prompt, value) {
  const count = value().length;
  const label = count ? say("ui.page.these", { n: count }) : say("ui.page.none");
  return h("button.big.main", { onclick: () => answer(prompt, value()), data: { keep: "send" } }, label);
}

// Places are tapped on the map; the list is the equal second way.
function spots(prompt, redraw) {
  const held = prompt.multiple ? selection(prompt) : null;
  const few = prompt.options.length <= 6;
  const list = h(`div.options${few ? "" : ".many"}`, {}, ...prompt.options.map((o) => held
    ? pick(held.has(o.id), o.label, () => { toggle(held, o.id); redraw(); }, `s${o.id}`)
    : button(prompt, o)));
  return [h("p.hint", {}, say("ui.page.tap_map")),
    held ? send(prompt, () => [...held]) : "",
    few ? list : h("details", {}, h("summary", {}, say("ui.page.list")), list)];
}

// Whether a person's own board answers, not the map: a tap is one step more there.
const onBoard = (prompt) => prompt.pieces[0]?.hex && !document.getElementById(`room-${prompt.options[0].id}`);

// Where every piece stands: as shown, or piece by piece.
function table(prompt, redraw) {
  const held = placed(prompt);
  const kinds = new Map();
  const rows = [];
  for (const piece of prompt.pieces) {
    if (held.has(piece.id) || prompt.pieces.length <= 6) rows.push(row(prompt, piece, held, redraw));
    else kinds.set(piece.kind, kinds.get(piece.kind) ?? piece);
  }
  const add = [...kinds.values()].map((piece) => h("button.option",
    { onclick: () => { held.set(piece.id, null); armed = { prompt: prompt.id, piece: piece.id }; redraw(); },
      data: { keep: `a${piece.kind}` } }, icon(piece.kind, 22), `+ ${piece.label}`));
  return [
    onBoard(prompt) ? "" : h("p.hint", {}, say("ui.page.tap_map")),
    h("button.big.main", { onclick: () => answer(prompt, Object.fromEntries(held)), data: { keep: "all" } },
      say("ui.page.as_shown")),
    h("div.pieces", {}, ...rows),
    add.length && add.length <= 12 ? h("div.options", {}, ...add) : "",
  ];
}

function row(prompt, piece, held, redraw) {
  const waits = armed?.piece === piece.id && armed.prompt === prompt.id;
  const change = (event) => { held.set(piece.id, event.target.value || null); redraw(); };
  return h(`div.row${waits ? ".waits" : ""}`, {},
    h("button.option", { onclick: () => {
      if (onBoard(prompt)) turn(prompt, piece.id);
      else armed = waits ? null : { prompt: prompt.id, piece: piece.id };
      redraw();
    }, data: { keep: `p${piece.id}` } }, piece.hex ? h("span.dot", { paint: piece.hex }) : icon(piece.icon, 22), piece.label),
    h("select", { onchange: change, "aria-label": piece.label, data: { keep: `s${piece.id}` } },
      h("option", { value: "", selected: !held.get(piece.id) }, "–"),
      ...prompt.options.map((o) => h("option", { value: o.id, selected: held.get(piece.id) === o.id }, o.label))));
}

// A card nobody knows yet, entered by its number and symbols; its text is read from the card. What
// is entered under a name is remembered, so that must be whole.
function cardLine(prompt) {
  const { field, numbers, apart, symbols, kinds } = prompt.line;
  const rows = apart.length ? [...apart, { id: "other", label: say("ui.page.card_others") }] : [{ id: "" }];
  const line = { effect: "none" };
  const chosen = new Set();
  const buttons = (entries, act) => h("div.options", {}, ...entries.map(([value, label]) =>
    h("button.option", { data: { value }, "aria-pressed": "false", onclick: (e) => { act(value, e.currentTarget); check(); } }, label)));
  const mark = (button, on) => {
    button.classList.toggle("picked", on);
    button.setAttribute("aria-pressed", String(on));
  };
  const number = rows.map(({ id, label }) => {
    const row = buttons(numbers.map((n) => [n, n === "retreat" ? "↩" : String(n)]), (n, button) => {
      line[field] = id ? { ...line[field], [id]: n } : field === "corridors" ? [n] : n;
      for (const other of button.parentElement.children) mark(other, other === button);
    });
    return id ? h("div", {}, h("p.hint", {}, label), row) : row;
  });
  const marks = buttons(kinds.map((k) => [k.id, k.label]), (id, button) => {
    toggle(chosen, id);
    mark(button, chosen.has(id));
    line[symbols] = [...chosen];
  });
  const name = h("input", { maxlength: 40, "aria-label": say("ui.page.card_name"), placeholder: say("ui.page.card_name"), oninput: () => check() });
  const done = h("button.big", { disabled: true, data: { keep: "line" },
    onclick: () => answer(prompt, { ...line, name: name.value.trim() }) }, say("ui.page.done"));
  function check() {
    const named = Boolean(name.value.trim());
    const read = rows.filter(({ id }) => (id ? line[field]?.[id] : line[field]) !== undefined).length;
    const numbered = !numbers.length || read >= (named ? rows.length : 1);
    const marked = symbols !== "attackers" || chosen.size > 0;
    done.disabled = !(numbers.length ? (numbered && (marked || !named)) || (symbols === "attackers" && !named && marked) : named);
  }
  return h("details.line", {}, h("summary", {}, say(numbers.length ? "ui.page.other_card" : "ui.page.card_name")), ...number, marks, name, done);
}
