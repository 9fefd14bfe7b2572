// The map: fills the drawn board from the page and says what was tapped.

import { $, each, s, say } from "./dom.js";

const SIZES = {
  larva: 20, creeper: 24, adult: 30, breeder: 34, queen: 40,
  lurker: 24, whisperer: 28, stalker: 34, despoiler: 40, lair: 36,
  metagorger: 24, shambler: 30, fleshbeast: 34, butcher: 40,
};
// Milliseconds until a press is a long one.
const HOLD = 500;

export class Board {
  /** `tapped(kind, id, long)` is called for room, corridor, space and pod. */
  constructor(box, tapped) {
    this.box = box;
    this.tapped = tapped;
    this.wide = matchMedia("(orientation: portrait) and (max-width: 900px)");
    this.wide.addEventListener("change", () => this.choose());
    this.page = null;
    this.choose();
  }

  /** Take the drawing that fits how the device is held. */
  choose() {
    const wanted = $(`#map-${this.wide.matches ? "upright" : "wide"}`);
    if (!wanted) return;
    this.box.replaceChildren(wanted.content.firstElementChild.cloneNode(true));
    this.svg = this.box.firstElementChild;
    for (const part of this.svg.querySelectorAll(".room, .corridor, .space")) {
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
    }
    this.listen();
    this.marks = {};
    if (this.page) this.update(this.page, this.lit);
  }

  listen() {
    let timer = 0;
    let long = false;
    // When the press began: a busy phone is late with the timer, and a long press stays one.
    let since = 0;
    const find = (event) => event.target.closest?.(".room, .corridor, .space, .pod.free, .pod.locked");
    const kind = (part) => ["room", "corridor", "space", "pod"].find((k) => part.classList.contains(k));
    this.svg.addEventListener("pointerdown", (event) => {
      const part = find(event);
      long = false;
      since = event.timeStamp;
      clearTimeout(timer);
      if (!part) return;
      timer = setTimeout(() => {
        long = true;
        this.tapped(kind(part), part.dataset.id, true);
      }, HOLD);
    });
    for (const stop of ["pointerup", "pointercancel", "pointerleave"]) {
      this.svg.addEventListener(stop, () => clearTimeout(timer));
    }
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("click", (event) => {
      const part = find(event);
      if (part && !long) this.tapped(kind(part), part.dataset.id, event.timeStamp - since >= HOLD);
      long = false;
    });
    this.svg.addEventListener("keydown", (event) => {
      const part = find(event);
      if (!part || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      this.tapped(kind(part), part.dataset.id, event.shiftKey);
    });
  }

  /** Rooms joined to a room, with the corridors between. */
  around(room) {
    const found = new Map();
    for (const part of this.svg?.querySelectorAll(".corridor") ?? []) {
      const [a, b] = part.dataset.rooms.split(" ");
      const other = a === room ? b : b === room ? a : null;
      if (other) found.set(other, [...(found.get(other) ?? []), part.dataset.id]);
    }
    return found;
  }

  /** Technical entrances of a room: [{number, space}]. */
  technical(room) {
    const held = $(`#room-${CSS.escape(room)}`)?.dataset.technical ?? "";
    return held.split(" ").filter(Boolean).map((e) => {
      const [number, space] = e.split(":");
      return { number, space };
    });
  }

  /** `lit`: {reach: Set, choose: Set, chosen: Set, acting} of ids. */
  update(page, lit) {
    this.page = page;
    this.lit = lit;
    if (!this.svg) return;
    const newest = page.instructions.filter((i) => i.batch === page.instructions.at(-1).batch);
    this.looked = new Set(newest.flatMap((i) => [i.from, i.to]));
    for (const [number, room] of Object.entries(page.rooms)) this.room(number, room, page, lit);
    for (const [id, corridor] of Object.entries(page.corridors)) this.corridor(id, corridor, lit);
    for (const [id, space] of Object.entries(page.spaces)) this.space(id, space, lit);
    this.people(page, lit.acting);
    this.pods(page.pods);
    this.arrows(newest);
  }

  /** Whether a part of the drawing shows this already; it is touched only when not. */
  same(part, what) {
    const mark = JSON.stringify(what);
    const known = this.marks[part] === mark;
    this.marks[part] = mark;
    return known;
  }

  room(number, room, page, lit) {
    const part = this.svg.querySelector(`#room-${CSS.escape(number)}`);
    const people = page.seats.filter((p) => p.room === number && p.state !== "launched");
    const state = {
      explored: room.explored, unexplored: !room.explored, fire: room.fire,
      broken: room.malfunction, look: this.looked.has(number), reach: lit.reach.has(number),
      choose: lit.choose.has(number), chosen: lit.chosen.has(number),
      here: people.some((p) => p.seat === lit.acting),
    };
    for (const [name, on] of Object.entries(state)) part.classList.toggle(name, on);
    if (this.same(number, [room, people])) return;
    part.dataset.colour = room.colour;
    this.name(part, room.name);
    part.setAttribute("aria-label", this.spoken(number, room, people));
    const r = Number(part.dataset.r);
    part.querySelector(".marks").replaceChildren(
      ...(room.fire ? [symbol("fire", -0.8 * r, -0.82 * r, 36, "fire")] : []),
      ...(room.malfunction ? [symbol("malfunction", 0.8 * r, -0.82 * r, 34, "malfunction")] : []),
      ...(room.airlock ? [symbol("airlock", 0, -0.84 * r, 30)] : []),
      ...(room.covered ? [symbol("covered", 0.82 * r, -0.5 * r, 28)] : []),
      ...(counted(room) ? [" ", count(room.items, 0.9 * r, 0.2 * r)] : []),
      ...room.objects.map((o, n) => symbol(o.type, -0.84 * r, 0.1 * r + n * Math.min(20, 0.7 * r / room.objects.length), 24, o.type)),
      ...this.intruders(room, r),
    );
  }

  /** Characters stand above everything else. */
  people(page, acting) {
    const figures = Object.keys(page.rooms).flatMap((number) => {
      const { x, y, r } = this.svg.querySelector(`#room-${CSS.escape(number)}`).dataset;
      const here = page.seats.filter((p) => p.room === number && p.state !== "launched");
      return spread(here, 28, Number(y) + 0.86 * r).map(([p, dx, top]) => [p, Number(x) + dx, top, p.seat === acting]);
    });
    each(this.svg.querySelector(".figures"), figures, (one) => figure(...one));
  }

  /** The tile's name in at most two lines that fit the room. */
  name(part, name) {
    const r = Number(part.dataset.r);
    const words = name.split(" ");
    let lines = [name];
    if (name.length > 9 && words.length > 1) {
      const cuts = words.slice(1).map((_, n) => [words.slice(0, n + 1).join(" "), words.slice(n + 1).join(" ")]);
      lines = cuts.sort((a, b) => Math.max(a[0].length, a[1].length) - Math.max(b[0].length, b[1].length))[0];
    }
    const longest = Math.max(...lines.map((l) => l.length), 1);
    const size = Math.min(16, (1.72 * r) / (longest * 0.55));
    const text = part.querySelector(".name");
    text.setAttribute("font-size", size);
    // A space between two lines: who is read the text hears two words.
    text.replaceChildren(...lines.flatMap((line, n) => [n ? " " : "", s("tspan", { x: 0, y: -0.2 * r + n * size }, line)]));
  }

  /** Miniatures between the objects and the item counter; a crowd in two rows, equal ones once. */
  intruders(room, r) {
    const list = room.intruders.length > 3 ? crowd(room.intruders) : room.intruders;
    const left = (room.objects.length ? -0.6 : -0.8) * r;
    const right = (counted(room) ? 0.66 : 0.8) * r;
    const rows = list.length > 4 ? [list.slice(0, Math.ceil(list.length / 2)), list.slice(Math.ceil(list.length / 2))] : [list];
    return rows.flatMap((row, n) => {
      const step = Math.min(34, (right - left) / row.length);
      return spread(row, step, (rows.length > 1 ? 0.16 + n * 0.42 : 0.36) * r).map(([i, x, y]) =>
        intruder(i, x + (left + right) / 2, y, Math.min(SIZES[i.type] ?? 26, step * 1.15)));
    });
  }

  spoken(number, room, people) {
    const ways = this.technical(number).map((e) => e.number).join(", ");
    // The order is that of what is written there.
    return [number, room.name || say("ui.page.unexplored"), counted(room) && say("ui.page.items_left", { n: room.items }), ways && `${say("ui.page.by_technical")} ${ways}`, ...people.flatMap((p) => [p.label, ...p.marks]),
      ...crowd(room.intruders).flatMap((i) => [i.label + (i.many > 1 ? ` ×${i.many}` : ""), i.injuries && say("ui.page.injuries", { n: i.injuries })]), room.fire ? say("ui.page.fire") : "",
      room.malfunction ? say("ui.page.malfunction") : ""].filter(Boolean).join(", ");
  }

  corridor(id, corridor, lit) {
    const part = this.svg.querySelector(`#corridor-${CSS.escape(id)}`);
    const way = this.svg.querySelector(`#way-${CSS.escape(id)}`);
    for (const node of [part, way]) {
      node.classList.toggle("noisy", corridor.noise);
      node.classList.toggle("closed", corridor.door === "closed");
      node.classList.toggle("destroyed", corridor.door === "destroyed");
      node.classList.toggle("choose", lit.choose.has(id));
      node.classList.toggle("chosen", lit.chosen.has(id));
    }
    if (this.same(id, corridor)) return;
    part.setAttribute("aria-label", [`${part.dataset.numbers.split(" ").join("·")} ${corridor.label}`, corridor.noise ? say("ui.page.noise") : "",
      corridor.door !== "open" ? say(`ui.page.door.${corridor.door}`) : ""].filter(Boolean).join(", "));
    part.querySelector(".marks").replaceChildren(
      ...(corridor.noise ? [symbol("noise", 0, -27, 30, "noise")] : []),
      ...(corridor.door === "open" ? [] : [symbol(corridor.door === "closed" ? "door" : "door-destroyed", 0, 26, 28, "door")]),
    );
  }

  space(id, space, lit) {
    const part = this.svg.querySelector(`#space-${CSS.escape(id)}`);
    part.classList.toggle("noisy", space.noise);
    part.classList.toggle("choose", lit.choose.has(id));
    part.classList.toggle("chosen", lit.chosen.has(id));
    if (this.same(id, space)) return;
    part.setAttribute("aria-label", space.label + (space.noise ? `, ${say("ui.page.noise")}` : ""));
    part.querySelector(".marks").replaceChildren(...(space.noise ? [symbol("noise", 24, -24, 30, "noise")] : []));
  }

  pods(pods) {
    if (this.same("pods", pods)) return;
    const seen = {};
    const gone = new Set(this.svg.querySelectorAll(".pod"));
    for (const pod of pods) {
      const n = (seen[pod.section] = (seen[pod.section] ?? -1) + 1);
      const part = this.svg.querySelector(`#pod-${CSS.escape(pod.section.toUpperCase())}-${n}`);
      if (!part) continue;
      gone.delete(part);
      part.setAttribute("tabindex", "0");
      part.setAttribute("role", "button");
      part.setAttribute("class", `pod ${pod.locked ? "locked" : "free"}`);
      part.dataset.id = pod.id;
      part.setAttribute("aria-label", `${pod.label}, ${say(`ui.page.pod_${pod.locked ? "locked" : "unlocked"}`)}`);
      part.querySelector("text").textContent = pod.id.slice(4);
    }
    // A place without a pod is nothing to press.
    for (const part of gone) {
      part.setAttribute("class", "pod gone");
      for (const name of ["tabindex", "role", "aria-label"]) part.removeAttribute(name);
    }
  }

  /** From where a piece stands to where it goes: a line, and the piece in its middle. */
  arrows(instructions) {
    const at = (id) => {
      const part = id && this.svg.querySelector(`#room-${CSS.escape(id)}`);
      return part ? [Number(part.dataset.x), Number(part.dataset.y), Number(part.dataset.r)] : null;
    };
    if (this.same("arrows", instructions)) return;
    const lines = instructions.slice(-8).flatMap((i) => {
      const from = at(i.from);
      const to = at(i.to);
      if (!from || !to) return [];
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = Math.hypot(dx, dy) || 1;
      const [ux, uy] = [dx / length, dy / length];
      const [x, y] = [to[0] - ux * to[2], to[1] - uy * to[2]];
      const [sx, sy] = [from[0] + ux * from[2] * 0.6, from[1] + uy * from[2] * 0.6];
      const point = `${x},${y} ${x - ux * 22 - uy * 12},${y - uy * 22 + ux * 12} ${x - ux * 22 + uy * 12},${y - uy * 22 - ux * 12}`;
      return [s("line.arrow", { x1: sx, y1: sy, x2: x - ux * 16, y2: y - uy * 16 }),
        s("polygon.arrow", { points: point }),
        s("g.moved", { transform: `translate(${(sx + x) / 2} ${(sy + y) / 2})` }, s("circle", { r: 19 }), symbol(i.icon, 0, 0, 28))];
    });
    this.svg.querySelector(".arrows").replaceChildren(...lines);
  }
}

/** Items beside each other round the middle: [item, x, y]. */
function spread(items, step, y) {
  return items.map((item, n) => [item, (n - (items.length - 1) / 2) * step, y]);
}

/** Unhurt miniatures of a kind as one with their number. */
function crowd(list) {
  const kinds = new Map();
  for (const i of list) {
    const key = i.injuries ? i.id : i.type;
    kinds.set(key, { ...i, many: (kinds.get(key)?.many ?? 0) + 1 });
  }
  return [...kinds.values()];
}

function intruder(one, x, y, size) {
  const made = s("g.intruder", { transform: `translate(${x} ${y})`, data: { piece: one.id } }, symbol(one.type, 0, 0, size));
  const badge = (kind, value, up) => made.append(s(`circle.${kind}`, { cx: size * 0.38, cy: up * size * 0.36, r: 9 }),
    s(`text.${kind}`, { x: size * 0.38, y: up * size * 0.36 + 5 }, String(value)));
  if (one.injuries) badge("hurt", one.injuries, -1);
  if (one.many > 1) badge("many", one.many, 1);
  return made;
}

/** `piece`: what of it can be dragged to another place. */
function symbol(name, x, y, size, piece) {
  const known = document.getElementById(`i-${name}`) ? name : "dot";
  return s(`use.mark.m-${known}`, { href: `#i-${known}`, x: x - size / 2, y: y - size / 2, width: size, height: size, data: piece && { piece, lies: "1" } });
}

function counted(room) {
  return Number.isInteger(room.items);
}

function count(value, x, y) {
  return s("g.items", { transform: `translate(${x} ${y})` }, s("circle", { r: 12 }), s("text", { y: 6 }, String(value)));
}

function figure(person, x, y, acting) {
  return s(`g.figure.${person.state}${acting ? ".acting" : ""}`, { transform: `translate(${x} ${y})`, data: { piece: person.character, room: person.room } },
    s("circle", { r: 15, fill: person.hex }),
    s("text", { y: 6, class: light(person.hex) ? "dark" : "", textLength: person.letter?.[1] && 21, lengthAdjust: "spacingAndGlyphs" }, person.letter),
    ...(person.level === null || person.level === undefined ? [] : [s("circle.level", { cx: 0, cy: -20, r: 10 }),
      s("text.level", { x: 0, y: -15 }, String(person.level))]));
}

/** Whether black letters read better than white ones on a colour. */
export function light(hex) {
  const [r, g, b] = [1, 3, 5].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2);
  return r * 0.21 + g * 0.72 + b * 0.07 > 0.18;
}
