// Joining, and setup in five choices.

import { $, h, say } from "./dom.js";
import { listen } from "./link.js";
import { command, id, notice, post } from "./send.js";
import { news, pinForm, tellPin } from "./back.js";

const PAUSE = 700; // ms after the last letter of a name until it is sent

const form = $("#setup");
const status = document.body.dataset.status;
let page = null;
let people = null;
let counted = 0; // how many are to play, as some page said last
const known = {}; // what else is chosen, as some page said last: field → value
let renewing = false;
let stale = false; // something changed while the seats were fetched
let sitting = false; // this phone takes a seat: where the game is can wait
let gone = false; // the reply and the stream both say where: the first is enough
let typing = 0; // a name was not sent yet
let typed = null; // its field

async function go(path) {
  if (gone) return;
  gone = true;
  if (typing) await tellName();
  location.assign(path);
}

function chairs() {
  return [...document.querySelectorAll(".chair")];
}

function players() {
  return Number(form?.elements.count.value ?? chairs().length);
}

function sync() {
  const n = players();
  for (const chair of chairs()) chair.hidden = Number(chair.dataset.seat) > n;
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

/** What is chosen stays when the page is loaded anew, as another language does. */
function keep() {
  const parts = [...form.elements].map((e) => [e.value, e.checked, e.dataset.wish]);
  if (!gone) sessionStorage.setItem("setup", JSON.stringify([form.dataset.game, parts]));
}

function restore() {
  const [game, parts] = JSON.parse(sessionStorage.getItem("setup")) ?? [];
  sessionStorage.removeItem("setup");
  if (game !== form.dataset.game || parts.length !== form.elements.length) return;
  for (const [i, [value, checked, wish]] of parts.entries()) {
    const e = form.elements[i];
    if (e.type === "radio") e.checked = checked;
    else e.value = value;
    if (wish) e.dataset.wish = wish;
  }
  form.querySelector(".together").open = form.elements.together.value !== "usual";
}

if (form) addEventListener("pagehide", keep);
form?.addEventListener("change", sync);
form?.addEventListener("change", async ({ target: { name, value, classList, dataset } }) => {
  const count = name === "count";
  const choice = { name: name || `${classList[0]}-${dataset.seat}`, value };
  const reply = count ? await post("/api/players", { players: Number(value) }) : await post("/api/choice", choice);
  if (reply.ok && count) counted = Number(value);
  else if (reply.ok) known[choice.name] = value;
  else if (reply.http !== 409) notice(reply);
});

/** What another page chose is chosen here too. */
function follow(choices) {
  const fresh = Object.entries(choices).filter(([name, value]) => known[name] !== value);
  Object.assign(known, choices);
  for (const [name, value] of fresh) {
    const [what, seat] = name.split("-");
    const part = seat ? form.querySelector(`.player .${what}[data-seat="${seat}"]`) : form.elements[what];
    if (part && part !== document.activeElement && (!part.options || [...part.options].some((o) => o.value === value))) part.value = value;
    if (what === "together") form.querySelector(".together").open ||= value !== "usual";
  }
  if (fresh[0]) sync();
}

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
  for (const person of page?.people ?? []) {
    const player = again.players[person.seat - 1];
    if (player && person.name) player.name = person.name;
    if (player?.character && person.character) player.character = person.character;
  }
  const reply = await command(again);
  if (reply.ok) go(document.body.dataset.mine ? `/seat/${document.body.dataset.mine}` : "/table");
});
for (const dot of document.querySelectorAll("[data-paint]")) dot.style.setProperty("--paint", dot.dataset.paint);

// The seats are drawn anew while the page stays, so what somebody chooses or types here stays too.
document.addEventListener("click", async (event) => {
  const { claim, back } = event.target.closest?.("[data-claim], [data-back]")?.dataset ?? {};
  const chair = event.target.closest?.(".chair");
  if (back) showCode(chair, `[data-back="${back}"]`, pinForm(Number(back), seated));
  if (event.target.closest?.(".chair .show")) showCode(chair, ".show", chair.querySelector("svg").cloneNode(true));
  if (!claim) return;
  sitting = true;
  const reply = await post("/api/claim", { token: claim, share: id() });
  if (!reply.ok) notice(reply);
  else if (status !== "lobby") return void go(`${seated(reply.seat)}#pin=${reply.pin}`);
  else {
    history.replaceState(null, "", `${seated(reply.seat)}#pin=${reply.pin}`);
    tellPin();
    await renew();
  }
  sitting = false;
  hear(); // as who holds that seat
});

function seated(seat) {
  return status === "lobby" ? `/?seat=${seat}` : `/seat/${seat}`;
}

/** Something about a chair, over the page, for as long as the chair has `what` it is about. */
function showCode(chair, what, part) {
  const dialog = $("#code");
  dialog.dataset.about = `.chair[data-seat="${chair.dataset.seat}"] ${what}`;
  dialog.replaceChildren(h("h2", {}, chair.querySelector("h3").textContent), part,
    h("button", { onclick: () => dialog.close() }, say("ui.page.close")));
  dialog.showModal();
}

/** Where to join, the seats and the own wish as the box shows them now. */
async function renew() {
  stale = renewing;
  if (renewing || gone) return;
  renewing = true;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  renewing = false;
  if (!answer?.ok) return void setTimeout(renew, 2000);
  if (stale) return renew();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of ["mine", "address"]) document.body.dataset[name] = fresh.body.dataset[name];
  for (const part of [".join", ".chairs"]) $(part).replaceWith(fresh.querySelector(part));
  const wish = fresh.querySelector("#wish");
  if (!wish) $("#wish")?.remove();
  else if (!$("#wish")) $(".chairs").after(wish);
  else wishes(wish);
  if (!$($("#code").dataset.about ?? "body")) $("#code").close();
  sync();
  if (page) told();
  if (people) present(true);
}

/** One form a seat of this phone; one that is there stays, with what is being typed. */
function wishes(fresh) {
  const held = new Set([...fresh.children].map((one) => one.dataset.seat));
  for (const one of $("#wish").querySelectorAll("form")) if (!held.has(one.dataset.seat)) one.remove();
  for (const one of [...fresh.children]) {
    const here = $(`#wish form[data-seat="${one.dataset.seat}"]`);
    if (here) here.querySelector("h3").textContent = one.querySelector("h3").textContent;
    else $("#wish").append(one);
  }
}

async function tellName() {
  clearTimeout(typing);
  typing = 0;
  const seat = ofSeat(typed);
  if (seat) await command({ do: "join", seat, name: typed.value }, `seat:${seat}`);
}

function ofSeat(field) {
  return Number(field?.closest("form").dataset.seat);
}

// A name counts without being left: the table may start while its letters stand in the field.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#wish [name=name]")) return;
  clearTimeout(typing);
  typed = event.target;
  typing = setTimeout(tellName, PAUSE);
});
document.addEventListener("change", (event) => {
  if (!event.target.closest?.("#wish")) return;
  if (event.target.name === "name") {
    typed = event.target;
    tellName();
  } else {
    const seat = ofSeat(event.target);
    command({ do: "join", seat, character: event.target.value }, `seat:${seat}`);
  }
});

/** What people said of themselves. */
function told() {
  for (const person of page.people) {
    const chair = $(`.chair[data-seat="${person.seat}"]`);
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
}

/** Which phones are there. The seats are drawn anew, unless just `renewed`, when one was taken or left. */
function present(renewed) {
  let other = people.address !== document.body.dataset.address; // its codes lead nowhere now
  for (const chair of chairs()) {
    const state = people.seats[chair.dataset.seat];
    other ||= "taken" in chair.dataset !== (state !== "free");
    chair.dataset.state = state;
    chair.querySelector(".state").textContent = say(`ui.page.phone.${state}`);
  }
  if (other && !renewed) renew();
}

let deaf = () => {};
function hear() {
  deaf();
  deaf = listen("table", {
    view(now) {
      if (gone || sitting) return;
      if (now.status !== status || (form && now.board)) {
        go(now.board && document.body.dataset.mine
          ? `/seat/${document.body.dataset.mine}` : now.board ? "/table" : "/");
        return;
      }
      const more = page && page.seats.length !== now.seats.length; // somebody has a character now
      page = now;
      told();
      if (more) renew();
    },
    people(now) {
      people = now;
      news(people);
      if (form && now.players && now.players !== counted) {
        counted = now.players;
        form.elements.count.value = String(counted);
        sync();
      }
      if (form) follow(now.choices);
      present(false);
    },
  });
}

tellPin();
if (form) restore();
sync();
hear();
