// Joining, and setup in five choices.

import { $, h, say } from "./dom.js";
import { listen } from "./link.js";
import { command, id, notice, post } from "./send.js";
import { news, pinForm, tellPin } from "./back.js";

const form = $("#setup");
const chairs = [...document.querySelectorAll(".chair")];
const status = document.body.dataset.status;
let wishes = [];
let leaving = false; // this page is on its way elsewhere: no reload may overtake it
let gone = false; // the reply and the stream both say where: the first is enough

function go(path) {
  if (gone) return;
  gone = leaving = true;
  location.assign(path);
}

function players() {
  return Number(form?.elements.count.value ?? chairs.length);
}

function sync() {
  const n = players();
  for (const chair of chairs) chair.hidden = Number(chair.dataset.seat) > n;
  const drafted = form?.elements.characters.value === "draft";
  for (const row of form?.querySelectorAll(".player") ?? []) row.hidden = Number(row.dataset.seat) > n;
  const together = form?.querySelector(".together");
  if (together) together.hidden = n === 1;
  const played = form?.querySelector("[data-together='intruder_player']");
  if (played) {
    played.hidden = !form.querySelector("[name='species']:checked")?.matches("[data-by-player]");
    if (played.hidden && form.elements.together.value === "intruder_player") form.elements.together.value = "usual";
  }
  const taken = new Set();
  for (const select of form?.querySelectorAll("select.character") ?? []) {
    const seat = Number(select.dataset.seat);
    select.hidden = drafted;
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
  const drafted = data.get("characters") === "draft";
  const chosen = [...form.querySelectorAll("select.character")].slice(0, players()).map((select) => {
    const seat = Number(select.dataset.seat);
    const name = form.querySelector(`input.name[data-seat="${seat}"]`).value.trim();
    return { ...(drafted ? {} : { character: select.value }), ...(name ? { name } : {}) };
  });
  const together = players() > 1 ? data.get("together") : "usual";
  const reply = await command({
    do: "setup", board: data.get("board"), species: data.get("species"), preset: data.get("preset"),
    players: chosen, draft: drafted, numbers: data.get("numbers"),
    ...(together === "usual" ? {} : { [together]: true }),
    ...(data.get("dice") === "digital" ? { truth: { dice: "digital" } } : {}),
    ...(document.body.dataset.simulated ? { digital: true, truth: { dice: data.get("dice") } } : {}),
  });
  if (reply.ok) go(document.body.dataset.mine ? `/seat/${document.body.dataset.mine}` : "/table");
});

$("#again")?.addEventListener("click", async (event) => {
  if (event.target.closest(".forget")) {
    const gone = await post("/api/group/forget", {});
    if (gone.ok) $("#again").remove();
    else notice(gone);
    return;
  }
  if (!event.target.closest("button.main")) return;
  const again = JSON.parse($("#again").dataset.command);
  for (const person of wishes) {
    const player = again.players[person.seat - 1];
    if (player && person.name) player.name = person.name;
    if (player?.character && person.character) player.character = person.character;
  }
  const reply = await command(again);
  if (reply.ok) go(document.body.dataset.mine ? `/seat/${document.body.dataset.mine}` : "/table");
});
for (const dot of document.querySelectorAll("[data-paint]")) dot.style.setProperty("--paint", dot.dataset.paint);

document.addEventListener("click", async (event) => {
  const sit = event.target.closest?.("[data-claim]");
  if (!sit) return;
  leaving = true;
  const reply = await post("/api/claim", { token: sit.dataset.claim, share: id() });
  if (!reply.ok) {
    leaving = false;
    return notice(reply);
  }
  return go(`${status === "lobby" ? `/?seat=${reply.seat}` : `/seat/${reply.seat}`}#pin=${reply.pin}`);
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
      const input = form?.querySelector(`input.name[data-seat="${person.seat}"]`);
      if (input && person.name && input.dataset.wish !== person.name) {
        input.dataset.wish = person.name;
        input.value = person.name;
      }
      const select = form?.querySelector(`select[data-seat="${person.seat}"]`);
      if (select && person.character && select.dataset.wish !== person.character) {
        select.dataset.wish = person.character;
        select.value = person.character;
        sync();
      }
    }
  },
  people(people) {
    news(people);
    if (people.address !== document.body.dataset.address && !leaving) { // its codes lead nowhere now
      leaving = true;
      location.reload();
    }
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

for (const gone of document.querySelectorAll("[data-back]")) {
  gone.addEventListener("click", () => {
    const seat = Number(gone.dataset.back);
    const dialog = $("#code");
    dialog.replaceChildren(h("h2", {}, gone.closest(".chair").querySelector("h3").textContent),
      pinForm(seat, (back) => (status === "lobby" ? `/?seat=${back}` : `/seat/${back}`)),
      h("button", { onclick: () => dialog.close() }, say("ui.page.close")));
    dialog.showModal();
  });
}

tellPin();
sync();
