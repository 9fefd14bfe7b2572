// Joining, and setup in five choices.

import { $, h, say } from "./dom.js";
import { listen } from "./link.js";
import { command, id, notice, post } from "./send.js";
import { languages } from "./language.js";

const form = $("#setup");
const chairs = [...document.querySelectorAll(".chair")];
const status = document.body.dataset.status;
let wishes = [];
let leaving = false; // this page is on its way elsewhere: no reload may overtake it

function go(path) {
  leaving = true;
  location.assign(path);
}

function players() {
  return Number(form?.elements.count.value ?? chairs.length);
}

function sync() {
  const n = players();
  for (const chair of chairs) chair.hidden = Number(chair.dataset.seat) > n;
  const taken = new Set();
  for (const select of form?.querySelectorAll("select.character") ?? []) {
    const seat = Number(select.dataset.seat);
    select.closest("label").hidden = seat > n;
    if (seat > n) continue;
    if (taken.has(select.value)) {
      select.value = [...select.options].map((o) => o.value).find((v) => !taken.has(v));
    }
    taken.add(select.value);
  }
}

form?.addEventListener("change", sync);
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const chosen = [...form.querySelectorAll("select.character")].slice(0, players()).map((select) => {
    const wish = wishes.find((p) => p.seat === Number(select.dataset.seat));
    return { character: select.value, ...(wish?.name ? { name: wish.name } : {}) };
  });
  const reply = await command({
    do: "setup", board: data.get("board"), species: data.get("species"), preset: data.get("preset"),
    players: chosen, ...(data.get("dice") === "digital" ? { truth: { dice: "digital" } } : {}),
    ...(document.body.dataset.simulated ? { digital: true, truth: { dice: data.get("dice") } } : {}),
  });
  if (reply.ok) go(document.body.dataset.mine ? `/seat/${document.body.dataset.mine}` : "/table");
});

document.addEventListener("click", async (event) => {
  const sit = event.target.closest?.("[data-claim]");
  if (!sit) return;
  leaving = true;
  const reply = await post("/api/claim", { token: sit.dataset.claim, share: id() });
  if (!reply.ok) {
    leaving = false;
    return notice(reply);
  }
  return go(status === "lobby" ? `/?seat=${reply.seat}` : `/seat/${reply.seat}`);
});

$("#wish")?.addEventListener("change", (event) => {
  const seat = Number(document.body.dataset.mine);
  const select = event.target;
  command({ do: "join", seat, [select.name]: select.value }, `seat:${seat}`);
});

listen("table", {
  view(page) {
    if (leaving) return;
    if (page.status !== status || (form && page.board)) {
      go(page.board && document.body.dataset.mine
        ? `/seat/${document.body.dataset.mine}` : page.board ? "/table" : "/");
      return;
    }
    wishes = page.people;
    for (const person of page.people) {
      const chair = chairs.find((c) => Number(c.dataset.seat) === person.seat);
      if (chair && person.name) chair.querySelector(".name").textContent = person.name;
      const select = form?.querySelector(`select[data-seat="${person.seat}"]`);
      if (select && person.character && select.dataset.wish !== person.character) {
        select.dataset.wish = person.character;
        select.value = person.character;
        sync();
      }
    }
  },
  people(people) {
    $("#news").textContent = people.notice;
    for (const chair of chairs) {
      const state = people.seats[chair.dataset.seat];
      if (chair.dataset.state && chair.dataset.state !== state && (state === "free" || chair.dataset.state === "free")) {
        if (!leaving) location.reload();
        leaving = true;
      }
      chair.dataset.state = state;
      chair.querySelector(".state").textContent = say(`ui.page.phone.${state}`);
    }
  },
});

for (const card of document.querySelectorAll(".chair .show")) {
  card.addEventListener("click", () => {
    const dialog = $("#code");
    dialog.replaceChildren(card.closest(".chair").querySelector("svg").cloneNode(true),
      h("p", {}, card.closest(".chair").querySelector("h3").textContent),
      h("button", { onclick: () => dialog.close() }, say("ui.page.close")));
    dialog.showModal();
  });
}

languages();
sync();
