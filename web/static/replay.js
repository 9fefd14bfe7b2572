// The evening run through again on the drawn board: a bar to pull, a button that lets it run in 40
// seconds. It knows what everybody saw.

import { $ } from "./dom.js";
import { Board } from "./board.js";

const WHOLE = 40000; // ms

/** Fill `box` with the evening, when there is one. */
export async function replay(box) {
  const answer = await fetch("/api/timeline").catch(() => null);
  const evening = answer?.ok ? await answer.json() : null;
  if (!evening?.moments.length) return;
  const board = new Board($("#board"), () => {});
  $("#board").inert = true;
  const [bar, told, run] = [box.querySelector("input"), box.querySelector("output"), box.querySelector("button")];
  const go = run.textContent;
  let running = 0;
  bar.max = evening.moments.length - 1;
  const draw = () => {
    const moment = evening.moments[bar.value];
    board.update(at(evening, Number(bar.value)), { reach: new Set(), choose: new Set(), chosen: new Set(), acting: 0 });
    told.textContent = `${moment.round} · ${moment.text}`;
    bar.setAttribute("aria-valuetext", told.textContent);
  };
  const stop = () => {
    clearInterval(running);
    running = 0;
    run.textContent = go;
  };
  bar.addEventListener("input", () => { stop(); draw(); });
  run.addEventListener("click", () => {
    if (running) return stop();
    if (bar.value === bar.max) bar.value = 0;
    run.textContent = run.dataset.stop;
    running = setInterval(() => {
      bar.value = Number(bar.value) + 1;
      draw();
      if (bar.value === bar.max) stop();
    }, Math.max(90, WHOLE / evening.moments.length));
    return undefined;
  });
  bar.value = bar.max;
  draw();
}

/** The board as the map draws it, after the first moments up to this one. */
function at({ moments, seats, tiles, board }, last) {
  const rooms = Object.fromEntries(board.rooms.map((r) => [r, { name: "", explored: false, fire: false, malfunction: false, intruders: [], objects: [], items: null }]));
  for (const [room, name] of Object.entries(board.fixed)) Object.assign(rooms[room], { name, explored: true });
  const corridors = Object.fromEntries(Object.entries(board.corridors).map(([c, label]) => [c, { door: "open", noise: false, label }]));
  const spaces = Object.fromEntries(Object.entries(board.spaces).map(([n, label]) => [n, { noise: false, label }]));
  const places = new Map();
  for (const { changes } of moments.slice(0, last + 1)) {
    for (const change of changes) {
      if (change.tile) Object.assign(rooms[change.room], { explored: true, name: tiles[change.tile] ?? "" });
      else if (change.door) corridors[change.door].door = change.state;
      else if (change.mark === "noise") Object.assign((corridors[change.at] ?? spaces[change.at]) || {}, { noise: change.on });
      else if (change.mark) rooms[change.at][change.mark] = change.on;
      else if (change.piece === "seats") for (const p of seats) places.set(`seat:${p.seat}`, change.to);
      else places.set(change.piece, change.to);
    }
  }
  for (const [piece, room] of places) {
    if (!room || piece.startsWith("seat:")) continue;
    const type = piece.split("#")[0];
    if (board.creatures[type]) rooms[room].intruders.push({ id: piece, type, label: board.creatures[type], injuries: 0 });
    else rooms[room].objects.push({ type, label: type });
  }
  return { rooms, corridors, spaces, pods: [], instructions: [],
    seats: seats.map((p) => ({ ...p, room: places.get(`seat:${p.seat}`) ?? null, state: "aboard", marks: [] })) };
}
