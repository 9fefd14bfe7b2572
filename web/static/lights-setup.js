// Setting the lights up on a phone: one question at a time, the strip shows which light is meant.

import { $, h, say, show } from "./dom.js";
import { notice, post } from "./send.js";

let now = null;
let looking = 0;

async function act(what, value) {
  const reply = await post("/api/lights", { act: what, value });
  notice(reply.ok ? null : reply);
  if (reply.state) draw(reply.state);
}

function draw(state) {
  now = state;
  const question = state.question;
  drawLit(state.picture);
  looking = question?.kind === "pixel" ? state.looked_at[0] ?? question.usual : 0;
  show($("#ask"), [state], () => [
    state.fault ? h("p.waiting", {}, state.fault) : "",
    state.taken ? h("p.waiting", {}, state.taken) : "",
    ...(!state.mine ? [h(`button.big${state.running ? "" : ".main"}`, { onclick: () => act("begin"), data: { keep: "begin" } }, say(state.running ? "ui.strip_setup.take" : "ui.strip_setup.begin"))]
      : question ? asked(question) : finished(state)),
    state.mine ? h("div.pair", {},
      state.answered ? h("button", { onclick: () => act("back"), data: { keep: "back" } }, say("ui.strip_setup.back")) : "",
      h("button.plain", { onclick: () => act("cancel"), data: { keep: "cancel" } }, say("ui.strip_setup.cancel"))) : "",
  ]);
}

// Where no strip shows the lights, a drawing does.
function drawLit(picture) {
  const box = $("#lit");
  box.hidden = !picture;
  box.replaceChildren(...(picture ? [document.adoptNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement)] : []));
  const drawn = box.firstElementChild;
  drawn?.setAttribute("role", "img");
  drawn?.setAttribute("aria-label", say("ui.strip_setup.picture"));
}

async function lookAt(pixels) {
  const reply = await post("/api/lights", { act: "look", value: pixels });
  if (reply.ok) drawLit(reply.state.picture);
}

function asked(question) {
  const head = h("p", {}, h("strong", {}, question.text));
  if (question.kind === "choice") {
    return [head, h("div.options", {}, ...question.options.map((o) =>
      h(`button.option${o.id === question.usual ? ".picked" : ""}`, { onclick: () => act("answer", o.id), data: { keep: o.id } }, o.label)))];
  }
  if (question.kind === "pixel") {
    const number = h("output", { "aria-live": "polite" }, String(looking));
    const move = (by) => {
      looking = (looking + by + question.high + 1) % (question.high + 1);
      number.textContent = String(looking);
      lookAt([looking]);
    };
    return [head, h("div.row", {}, ...[-10, -1].map((by) => step(by, move)), number, ...[1, 10].map((by) => step(by, move))),
      h("button.big.main", { onclick: () => act("answer", looking), data: { keep: "here" } }, say("ui.strip_setup.here"))];
  }
  const field = h("input", { type: "text", inputmode: question.kind === "text" ? "text" : "numeric", value: [question.usual].flat().join(" "),
    "aria-label": question.text, data: { keep: "field" } });
  const numbers = () => field.value.split(/[\s,]+/).filter(Boolean).map(Number);
  if (question.kind === "pixels") field.addEventListener("input", () => lookAt(numbers().filter(Number.isInteger)));
  const value = () => (question.kind === "text" ? field.value.trim() : question.kind === "number" ? Number(field.value) : field.value);
  return [head, field, h("button.big.main", { onclick: () => act("answer", value()), data: { keep: "next" } }, say("ui.strip_setup.next"))];
}

function step(by, move) {
  return h("button", { onclick: () => move(by), data: { keep: `s${by}` } }, by > 0 ? `+${by}` : `−${-by}`);
}

function finished(state) {
  return [h("p", {}, say("ui.strip_setup.check")), h("pre", {}, state.section),
    h("button.big.main", { onclick: () => act("save"), data: { keep: "save" } }, say("ui.strip_setup.save"))];
}

async function look() {
  const answer = await fetch("/api/lights").catch(() => null);
  if (!answer?.ok) return;
  const state = await answer.json();
  if (!now || now.running !== state.running || now.mine !== state.mine || now.taken !== state.taken || now.answered !== state.answered || now.fault !== state.fault) draw(state);
}
look();
setInterval(() => document.hidden || look(), 3000);
