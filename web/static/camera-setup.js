// Setting the camera up: how good the picture is, the board's size, its look, the lens, and the board as read.

import { $, h, s, say, show, learn } from "./dom.js";
import { notice, post } from "./send.js";

const SIGNS = { good: "✓", fair: "~", poor: "✗" };
const PLAN_MS = 4000;
let now = null;

async function act(what, value) {
  const reply = await post("/api/camera", { act: what, value });
  notice(reply.ok ? null : reply);
  if (reply.state) draw(reply.state);
}

function draw(state) {
  now = state;
  show($("#fault"), [state.fault, state.hidden], ([fault, hidden]) => [fault ? h("p.waiting", {}, fault) : "", hidden ? h("p.waiting", {}, hidden) : ""]);
  show($("#figures"), [state.running, state.figures, state.looks > 0], () => state.running
    ? [state.looks ? h("ul.figures", {}, ...state.figures.map((f) => h(`li.${f.grade}`, {}, h("b", { "aria-hidden": "true" }, SIGNS[f.grade]), h("span", {}, f.text)))) : h("p", {}, say("ui.camera.wait")),
      h("button.plain", { onclick: () => act("end"), data: { keep: "end" } }, say("ui.camera.end"))]
    : [h("button.big.main", { onclick: () => act("begin"), data: { keep: "begin" } }, say("ui.camera.begin"))]);
  show($("#size"), [state.running, state.board, state.told, state.kept], () => state.running ? [
    h("p", {}, state.kept || state.board?.text || state.told),
    state.board ? h("button.big", { onclick: () => act("board", null), data: { keep: "board" } }, say("ui.camera.keep", { width: state.board.mm[0], height: state.board.mm[1] })) : "",
    ruler()] : [h("p.hint", {}, say("ui.camera.first"))]);
  show($("#lens"), [state.running, state.lens], () => !state.running ? [h("p.hint", {}, say("ui.camera.first"))]
    : state.lens ? [h("p", {}, state.lens.text),
      h("div.zones", { role: "img", "aria-label": state.lens.text }, ...state.lens.zones.flat().map((on) => h(`i${on ? ".on" : ""}`, {}))),
      h("div.pair", {}, state.lens.ready ? h("button.main", { onclick: () => act("keep_lens"), data: { keep: "kl" } }, say("ui.camera.keep_lens")) : "",
        h("button.plain", { onclick: () => act("drop_lens"), data: { keep: "dl" } }, say("ui.camera.drop_lens")))]
      : [h("button", { onclick: () => act("lens"), data: { keep: "lens" } }, say("ui.camera.begin_lens"))]);
  show($("#empty"), [state.running, state.empty, state.kept_empty], ([running, empty, kept]) => !running ? [h("p.hint", {}, say("ui.camera.first"))]
    : empty ? [h("p", {}, empty.text),
      h("div.pair", {}, empty.enough ? h("button.main", { onclick: () => act("keep_empty"), data: { keep: "ke" } }, say("ui.camera.keep_empty")) : "",
        h("button.plain", { onclick: () => act("drop_empty"), data: { keep: "de" } }, say("ui.camera.drop_lens")))]
      : [kept ? h("p", {}, kept) : "", h("button", { onclick: () => act("empty"), data: { keep: "empty" } }, say("ui.camera.begin_empty"))]);
}

function ruler() {
  const field = (name, side) => h("input", { type: "number", min: "100", max: "3000", step: "1", inputmode: "numeric", "aria-label": say(`ui.camera.${name}`), placeholder: now?.board ? String(Math.round(now.board.mm[side])) : null, data: { keep: name } });
  const [wide, high] = [field("width", 0), field("height", 1)];
  return h("div.ruler", {}, wide, h("span", {}, "×"), high, h("span", {}, "mm"),
    h("button", { onclick: () => wide.value && high.value && act("board", [Number(wide.value), Number(high.value)]), data: { keep: "told" } }, say("ui.camera.ruler")));
}

let shown = 0;

/** The board as it was read last, over our drawing of it; gone while there is none to show. */
function plan() {
  const svg = $("#plan svg");
  if (!svg) return;
  let picture = $("#plan image");
  if (!picture) {
    const box = svg.viewBox.baseVal;
    const edge = -box.x;
    picture = s("image", { x: 0, y: 0, width: box.width - 2 * edge, height: box.height - 2 * edge, preserveAspectRatio: "none",
      onerror: () => picture.removeAttribute("href") });
    svg.append(picture);
    clear();
  }
  shown += 1;
  picture.setAttribute("href", `/host/camera/board.png?n=${shown}`);
}

function clear() {
  $("#plan image")?.setAttribute("opacity", String($("#clear").value / 100));
}

async function look() {
  const answer = await fetch("/api/camera").catch(() => null);
  if (answer?.ok) draw(await answer.json());
}

learn("camera").then(() => {
  look();
  plan();
  setInterval(() => document.hidden || look(), 1500);
  setInterval(() => document.hidden || plan(), PLAN_MS);
});
$("#clear").addEventListener("input", clear);
