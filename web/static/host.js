// What the host may set: switches, tracking, recovery. It shows no secret.

import { $, h, pair, say, show } from "./dom.js";
import { listen } from "./link.js";
import { command, notice, post } from "./send.js";

const HELD = 600; // ms: the table's buttons for undo and break are held here too
const SURE = 5000; // ms in which a second tap is meant

const act = (what) => command(what, "host");

function choose(label, value, values, change) {
  // What was refused shows again what stands.
  const changed = async ({ target }) => { if (!(await change(target.value)).ok) target.value = value; };
  return h("label.setting", {}, h("span", {}, label), h("select", { onchange: changed, data: { keep: label } },
    ...values.map((v) => h("option", { value: v.id, selected: v.id === value }, v.label))));
}

function draw(page) {
  if (!page.settings || !$("#tracking")) return;
  const { settings } = page;
  show($("#tracking"), settings.tracking, (list) => list.map((t) => choose(t.label, t.value, settings.levels,
    (level) => act({ do: "tracking", topic: t.id, level }))));
  show($("#truth"), settings.truth, (list) => list
    .filter((t) => ["dice", "wounds", "contamination", "tiles", "exploration"].includes(t.id))
    .map((t) => choose(t.label, t.value, ["digital", "physical"].map((p) => ({ id: p, label: say(`ui.page.place.${p}`) })),
      (place) => act({ do: "truth", component: t.id, place }))));
  show($("#switches"), settings.switches, (list) => list.map((s) => choose(s.label, s.value, s.values,
    (value) => act({ do: "switch", name: s.id, value }))));
  $("#learnt").closest("section").hidden = !settings.learnt.length;
  show($("#learnt"), settings.learnt, (list) => list.map((l) => h("div.setting", {}, h("span", {}, l.label),
    h("button", { onclick: () => act({ do: "forget", entry: l.id }), data: { keep: l.id } }, say("ui.page.forget")))));
  $("#statistics").checked = Boolean(page.statistics);
  $("#statistics").onchange = async ({ target }) => { if (!(await act({ do: "statistics", on: target.checked })).ok) target.checked = !target.checked; };
  const undo = $("#undo");
  undo.disabled = !page.can.undo;
  undo.querySelector("small").textContent = page.can.undo?.label ?? "";
  undo.onclick = () => act({ do: "undo", target: page.can.undo?.target, confirm: true });
  $("#end").hidden = page.status !== "playing";
  $("#new").hidden = page.status !== "over";
}

/** Bring the host's part of a page to life. `over` another page it has a stream of its own;
 *  `again(seat)` draws it anew, with the code of a seat. Answers what ends it. */
export function host(root, over, again) {
  let asked = 0; // the seat whose phone was asked whether it gives the seat up
  const find = (selector) => root.querySelector(selector);
  const timers = [];

  function people(now) {
    for (const row of root.querySelectorAll(".phone")) {
      const seat = Number(row.dataset.seat);
      const word = now.asked?.seat === seat ? now.asked.state : "";
      if (word === "given" && asked === seat) return again(seat);
      row.querySelector(".state").textContent = say(word === "open" || word === "kept" ? `ui.page.asked.${word}` : `ui.page.phone.${now.seats[seat]}`);
      const button = row.querySelector("[data-renew]");
      button.dataset.text ??= button.textContent;
      button.textContent = word === "open" ? say("ui.page.asked.anyway") : button.dataset.text;
      if (word === "open") row.dataset.asked = "1";
      else delete row.dataset.asked;
    }
    return undefined;
  }

  async function renew(button) {
    const seat = Number(button.dataset.renew);
    const reply = await post("/api/renew", { seat, sure: Boolean(button.closest(".phone").dataset.asked) });
    if (!reply.ok) notice(reply, "host");
    else if (reply.status === "asked") asked = seat;
    else again(seat);
  }

  // A second tap frees the seat: its phone loses it at once.
  async function free(button) {
    const row = button.closest(".phone");
    if (!row.classList.contains("sure")) {
      const before = button.textContent;
      row.classList.add("sure");
      button.textContent = say("ui.page.sure");
      timers.push(setTimeout(() => { row.classList.remove("sure"); button.textContent = before; }, SURE));
      return;
    }
    const reply = await post("/api/free", { seat: Number(button.dataset.free) });
    if (reply.ok) again(0);
    else notice(reply, "host");
  }

  for (const button of root.querySelectorAll("[data-renew]")) button.addEventListener("click", () => renew(button));
  for (const button of root.querySelectorAll("[data-free]")) button.addEventListener("click", () => free(button));

  find("#new")?.addEventListener("click", async () => {
    const reply = await act({ do: "new_game" });
    if (reply.ok) location.assign("/");
  });
  hold(find("#end"), () => act({ do: "game_end", cause: "table" }));

  async function press(button) {
    const reply = await post("/api/press", { button });
    notice(reply.ok ? null : reply, "host");
    if (reply.state) aside(reply.state);
  }
  function aside(state) {
    find("#pressed").textContent = [state.break ? say("ui.page.break") : "", state.glass === null ? "" : say("ui.page.glass", { s: state.glass })].filter(Boolean).join(" · ");
    if (!state.lights || !find("#dials")) return;
    find("#brightness").textContent = say("ui.page.percent", { n: Math.round(100 * state.lights.brightness) });
    for (const name of ["night", "calm"]) {
      const button = find(`[data-press=${name}]`);
      button.setAttribute("aria-pressed", Boolean(state.lights[name]));
      button.classList.toggle("picked", Boolean(state.lights[name]));
    }
  }
  for (const button of root.querySelectorAll("[data-press]")) {
    const name = button.dataset.press;
    if (name === "undo" || name === "break") hold(button, () => press(name));
    else button.addEventListener("click", () => press(name));
  }
  if (find("#pressed")) {
    const look = () => fetch("/api/press").then((a) => (a.ok ? a.json().then(aside) : null)).catch(() => null);
    look();
    timers.push(setInterval(() => document.hidden || look(), 2000));
  }

  find("#box")?.addEventListener("change", (event) => post("/api/box", { language: event.target.value }));
  find("#look")?.addEventListener("click", async () => {
    const answer = await fetch("/api/doctor");
    const { findings } = answer.ok ? await answer.json() : { findings: [] };
    find("#doctor").replaceChildren(...findings.map((f) => h(`li.${f.status}`, {}, f.text, f.remedy ? h("small", {}, f.remedy) : "")));
  });

  async function health() {
    const answer = await fetch(`/health?lang=${document.documentElement.lang}`).catch(() => null);
    if (!answer?.ok) return;
    const { parts } = await answer.json();
    show(find("#parts"), parts, (list) => list.map((p) => h(`li.${p.status}`, {}, pair(say(`ui.page.part.${p.part}`), say(`ui.page.status.${p.status}`)), p.text ? h("small", {}, p.text) : "")));
  }
  health();
  timers.push(setInterval(() => document.hidden || health(), 5000));

  const end = listen("host", { view: draw, people, quiet: over, end: () => (over ? again(0) : location.reload()) });
  return () => {
    end();
    for (const timer of timers) clearInterval(timer);
  };
}

/** A button that is meant: held for a moment, by finger or key. */
function hold(button, done) {
  let holding = 0;
  const begin = () => { clearTimeout(holding); holding = setTimeout(done, HELD); };
  button?.addEventListener("pointerdown", begin);
  button?.addEventListener("keydown", (e) => { if (e.key === "Enter" && !e.repeat) begin(); });
  for (const stop of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) button?.addEventListener(stop, () => clearTimeout(holding));
}
