// The host's page: switches, tracking, recovery. It shows no secret.

import { $, h, say, show } from "./dom.js";
import { listen } from "./link.js";
import { command, notice, post } from "./send.js";

function choose(label, value, values, act) {
  return h("label.setting", {}, h("span", {}, label), h("select", { onchange: (e) => act(e.target.value), data: { keep: label } },
    ...values.map((v) => h("option", { value: v.id, selected: v.id === value }, v.label))));
}

function draw(page) {
  if (!page.settings) return;
  const { settings } = page;
  show($("#tracking"), settings.tracking, (list) => list.map((t) => choose(t.label, t.value, settings.levels,
    (level) => command({ do: "tracking", topic: t.id, level }))));
  show($("#truth"), settings.truth, (list) => list
    .filter((t) => ["dice", "wounds", "contamination", "tiles", "exploration"].includes(t.id))
    .map((t) => choose(t.label, t.value, ["digital", "physical"].map((p) => ({ id: p, label: say(`ui.page.place.${p}`) })),
      (place) => command({ do: "truth", component: t.id, place }))));
  show($("#switches"), settings.switches, (list) => list.map((s) => choose(s.label, s.value, s.values,
    (value) => command({ do: "switch", name: s.id, value }))));
  $("#learnt").closest("section").hidden = !settings.learnt.length;
  show($("#learnt"), settings.learnt, (list) => list.map((l) => h("div.setting", {}, h("span", {}, l.label),
    h("button", { onclick: () => command({ do: "forget", entry: l.id }), data: { keep: l.id } }, say("ui.page.forget")))));
  $("#statistics").checked = Boolean(page.statistics);
  $("#statistics").onchange = (e) => command({ do: "statistics", on: e.target.checked });
  const undo = $("#undo");
  undo.disabled = !page.can.undo;
  undo.querySelector("small").textContent = page.can.undo?.label ?? "";
  undo.onclick = () => command({ do: "undo", target: page.can.undo?.target, confirm: true });
  $("#end").hidden = page.status !== "playing";
  $("#new").hidden = page.status !== "over";
}

listen("host", {
  view: draw,
  people(people) {
    for (const row of document.querySelectorAll(".phone")) {
      row.querySelector(".state").textContent = say(`ui.page.phone.${people.seats[row.dataset.seat]}`);
    }
  },
  end: () => location.reload(),
});

document.addEventListener("click", async (event) => {
  const renew = event.target.closest?.("[data-renew]");
  if (renew) {
    const reply = await post("/api/renew", { seat: Number(renew.dataset.renew) });
    if (reply.ok) location.assign(`/host?code=${reply.seat}#seat-${reply.seat}`);
    else notice(reply);
  }
  const free = event.target.closest?.("[data-free]");
  if (free) {
    const reply = await post("/api/free", { seat: Number(free.dataset.free) });
    if (reply.ok) location.reload();
    else notice(reply);
  }
});

$("#new")?.addEventListener("click", async () => {
  const reply = await command({ do: "new_game" });
  if (reply.ok) location.assign("/");
});

let sure = 0;
$("#end")?.addEventListener("pointerdown", () => { sure = setTimeout(() => command({ do: "game_end", cause: "table" }), 600); });
for (const stop of ["pointerup", "pointerleave", "pointercancel"]) $("#end")?.addEventListener(stop, () => clearTimeout(sure));

// The table's buttons: undo and break are held here too.
const HELD = 600; // ms
let holding = 0;
async function press(button) {
  const reply = await post("/api/press", { button });
  notice(reply.ok ? null : reply, "host");
  if (reply.state) aside(reply.state);
}
function aside(state) {
  $("#pressed").textContent = [state.break ? say("ui.page.break") : "", state.glass === null ? "" : say("ui.page.glass", { s: state.glass })].filter(Boolean).join(" · ");
}
for (const button of document.querySelectorAll("[data-press]")) {
  const name = button.dataset.press;
  if (name === "undo" || name === "break") {
    const begin = () => { clearTimeout(holding); holding = setTimeout(() => press(name), HELD); };
    const stop = () => clearTimeout(holding);
    button.addEventListener("pointerdown", begin);
    button.addEventListener("keydown", (e) => { if (e.key === "Enter" && !e.repeat) begin(); });
    for (const event of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) button.addEventListener(event, stop);
  } else button.addEventListener("click", () => press(name));
}
if ($("#pressed")) {
  const look = () => fetch("/api/press").then((a) => (a.ok ? a.json().then(aside) : null)).catch(() => null);
  look();
  setInterval(() => document.hidden || look(), 2000);
}

$("#box")?.addEventListener("change", (event) => post("/api/box", { language: event.target.value }));
$("#look")?.addEventListener("click", async () => {
  const answer = await fetch("/api/doctor");
  const { findings } = answer.ok ? await answer.json() : { findings: [] };
  $("#doctor").replaceChildren(...findings.map((f) => h(`li.${f.status}`, {}, f.text, f.remedy ? h("small", {}, f.remedy) : "")));
});

async function parts() {
  const answer = await fetch(`/health?lang=${document.documentElement.lang}`).catch(() => null);
  if (!answer?.ok) return;
  const health = await answer.json();
  show($("#parts"), health.parts, (list) => list.map((p) => h(`li.${p.status}`, {}, `${say(`ui.page.part.${p.part}`)}: ${say(`ui.page.status.${p.status}`)}`, p.text ? h("small", {}, p.text) : "")));
}
parts();
setInterval(() => document.hidden || parts(), 5000);
