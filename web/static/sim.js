// The simulated table: pieces that a finger moves on our drawing, and what the camera sees of it.

import { $, h, s, show } from "./dom.js";
import { light } from "./board.js";
import { post } from "./send.js";
import { lights } from "./lights.js";

const box = $("#board");
const sheet = $("#map-wide")?.content.firstElementChild.cloneNode(true);
const picture = $("#picture");
const colours = JSON.parse($("#colours").textContent);
const WIDTH = 1000;
let held = null;
let version = 0;
let busy = false;

if (sheet) box.append(sheet);
const height = sheet ? sheet.viewBox.baseVal.height - 52 : 0;

async function refresh() {
  if (document.hidden || busy) return;
  const answer = await fetch("/sim/pieces").catch(() => null);
  if (!answer?.ok) return;
  const { pieces } = await answer.json();
  if (JSON.stringify(pieces) === JSON.stringify(held)) return;
  held = pieces;
  version += 1;
  picture.src = `/sim/table.png?v=${version}`;
  draw();
}

function draw() {
  const placed = held.filter((p) => typeof p.x === "number");
  sheet?.querySelector(".figures").replaceChildren(...placed.map(piece));
  show($("#tray"), held.filter((p) => typeof p.x !== "number").map((p) => p.piece), (names) =>
    names.map((name) => h("button.option", { onclick: () => drop(name, 0.5, 0.5) }, name)));
}

function piece(p) {
  const hex = colours[p.piece] ?? "#8c96a6";
  const made = s("g.piece", { transform: `translate(${p.x * WIDTH} ${p.y * height})`, tabindex: 0, data: { piece: p.piece } },
    s("circle", { r: 17, fill: hex }), s("text", { y: 6, class: light(hex) ? "dark" : "" }, p.piece.slice(0, 1).toUpperCase()),
    s("title", {}, p.piece));
  made.addEventListener("pointerdown", (event) => grab(event, made));
  return made;
}

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(sheet.getScreenCTM().inverse());
  return [point.x / WIDTH, point.y / height];
}

function grab(event, made) {
  event.preventDefault();
  busy = true;
  made.setPointerCapture(event.pointerId);
  made.classList.add("held");
  post("/sim/move", { hand: true });
  const move = (e) => {
    const [x, y] = at(e);
    made.setAttribute("transform", `translate(${x * WIDTH} ${y * height})`);
  };
  const end = async (e) => {
    for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) made.removeEventListener(name, act);
    const [x, y] = at(e);
    if (x < -0.03 || x > 1.03 || y < -0.04 || y > 1.04) await post("/sim/move", { piece: made.dataset.piece, off: true });
    else await drop(made.dataset.piece, x, y);
    await post("/sim/move", { hand: false });
    busy = false;
    held = null;
    refresh();
  };
  made.addEventListener("pointermove", move);
  made.addEventListener("pointerup", end);
  made.addEventListener("pointercancel", end);
}

async function drop(name, x, y) {
  await post("/sim/move", { piece: name, x, y });
  held = null;
  refresh();
}

setInterval(refresh, 500);
refresh();
lights($("#lights"));
