// The table's and every seat's page.

import { $, close, h, learn, open as sheet, say, show } from "./dom.js";
import { listen } from "./link.js";
import { command } from "./send.js";
import { Board } from "./board.js";
import { places, preview, questions, tappedPlace } from "./ask.js";
import { hide, secret } from "./secret.js";
import * as panels from "./panels.js";
import * as rooms from "./rooms.js";
import { checklist } from "./checklist.js";
import { cards, offers } from "./fight.js";
import { wanted } from "./menu.js";
import { hints, latest, readings } from "./news.js";

const { audience, board: drawn } = document.body.dataset;
const own = Number(document.body.dataset.seat);
let page = null;
let people = null;
// Whom this page was last told to act for; 0 at the table: nobody in particular.
let actFor = own;
let acting = own;
let careful = false;
let redraws = 0;

const board = new Board($("#board"), tapped);

/** Use a part that most pages never need; it is fetched when it is first `needed`. */
const parts = {};
function part(name, needed, use) {
  if (parts[name]) use(parts[name]);
  else if (needed) import(`./${name}.js`).then((found) => { parts[name] = found; use(found); }).catch(() => {});
}

/** What a phone needs when it comes, goes or is replaced; its words come with it. */
function back(use) {
  if (parts.back) use(parts.back);
  else learn("back").then(() => part("back", true, use));
}

/** What the camera sees, and the break; its words come with it. */
function camera(use, needed) {
  if (parts.seen) use(parts.seen);
  else if (needed) learn("seen").then(() => part("seen", true, use));
}

function open() {
  return page.prompts.filter((p) => !p.secret);
}

function tapped(kind, id, long) {
  if (!page || !page.rooms) return;
  if (long || kind === "pod") return look(kind, id);
  if (rooms.aimed(kind, id, redraw) || tappedPlace(open(), id, redraw)) return undefined;
  const person = page.seats.find((p) => p.seat === acting);
  const near = kind === "room" && person?.state === "aboard" && board.around(person.room ?? "").has(id);
  if (near && page.phase === "player" && !open().length) {
    const what = { do: "move", seat: acting, to: id, ...(careful ? { careful: true } : {}) };
    careful = false;
    return command(what);
  }
  return look(kind, id);
}

function look(kind, id) {
  part("sheets", true, (sheets) => {
    if (kind === "room") sheets.room(id, page, board, acting, redraw);
    if (kind === "corridor") sheets.corridor(id, page);
    if (kind === "space") sheets.space(id, page);
    if (kind === "pod") sheets.pod(id, page, acting);
  });
}

/** Who acts: whoever was tapped, else the own character, at the table the first player. One who is
 *  no longer aboard acts no more, and nobody takes over unasked: 0. */
function actor() {
  const aboard = page.seats.filter((p) => p.state === "aboard").map((p) => p.seat);
  const wanted = actFor || (aboard.includes(page.head.first) ? page.head.first : aboard[0]);
  return aboard.includes(wanted) ? wanted : 0;
}

/** At the table: how many secret choices are open, and the way to choose without a phone. */
function awaited(count) {
  const free = parts.lend?.lend(page, people, sheet) ?? [];
  return h("section.waiting", {}, h("p", {}, say("ui.page.waiting", { n: count })),
    free.length ? h("p.hint", {}, say("ui.page.lend")) : "", free.length ? h("div.options", {}, ...free) : "",
    free.length > 1 ? h("p.hint", {}, say("ui.page.lend.all")) : "");
}

/** The way to those of these seats that this phone holds too; a lent screen leads nowhere. */
function also(seats) {
  const mine = seats.filter((p) => $("#also") && p.seat !== own && people?.own.includes(p.seat));
  return mine.length ? h("p.others", {}, say("ui.page.also"), ...mine.map((p) => h("a.big", { href: `/seat/${p.seat}` }, p.label))) : "";
}

function more() {
  part("sheets", true, (sheets) => {
    sheets.more(page, people);
    if (own) back((found) => $("#sheet").append(found.ownPhone(own, sheet)));
  });
}

/** What only the table's screen has: it is heard, draws are theatre, time is told. */
function atTable() {
  part("theatre", true, (found) => {
    const wait = found.theatre(page);
    // Heard when the card is turned.
    part("sound", true, (ear) => setTimeout(() => ear.hear(page), wait));
  });
  part("clock", true, (found) => found.clock(page));
}

function redraw() {
  redraws += 1;
  draw();
}

function draw() {
  if (page.board !== drawn) {
    location.reload();
    return;
  }
  if (people && (people.notice || people.asked || parts.back)) back((found) => found.news(people));
  // Opened before a game: there is nothing to draw on yet.
  if (!drawn) return;
  acting = actor();
  parts.seen?.rolled(page);
  document.body.dataset.phase = page.phase;
  const asked = open();
  const { choose, picked } = places(asked);
  for (const id of rooms.aims()) choose.add(id);
  const person = page.seats.find((p) => p.seat === acting);
  const may = page.phase === "player" && person?.state === "aboard" && !asked.length && !page.waiting;
  const reach = new Set(may ? [...board.around(person.room ?? "")].filter(([, ways]) =>
    ways.some((w) => page.corridors[w].door !== "closed")).map(([room]) => room) : []);
  board.update(preview(page, asked), { reach, choose, chosen: picked, acting });
  panels.head(page);
  panels.seats(page, acting, people, (seat) => { actFor = seat; redraw(); }, (p) => part("sheets", true, (sheets) => sheets.person(p, page)));
  // A seat's page says it in the secret block.
  const waiting = own ? 0 : page.waiting;
  show($("#asks"), [asked, redraws, waiting, page.offers, people?.seats, people?.own], () => [...offers(page), rooms.choice(redraw), ...questions(asked, page, redraw),
    waiting ? awaited(waiting) : "", also(page.drafting)]);
  document.body.classList.toggle("asking", asked.length > 0);
  checklist(page, own);
  part("conductor", own && ["dead", "hibernated", "launched"].includes(page.seats.find((p) => p.seat === own)?.state),
    (found) => found.conductor(page, own, acting, (seat) => { actFor = seat; redraw(); }));
  part("intruders", page.intruders?.seat, (found) => found.intruders(page, own, redraw));
  part("verdicts", page.verdicts, (found) => found.verdicts(page));
  panels.card(page);
  part("feeding", page.species.meals?.length, (found) => found.feeding(page));
  panels.instructions(page);
  latest(page, draw);
  camera((found) => found.seen(page), page.differences.length || page.pause);
  panels.log(page);
  panels.buttons(page, { redraw, careful, acting, actFor, own, set: (on) => { careful = on; redraw(); }, more, cards: (who) => cards(who, sheet, close) });
  hints(page, redraw);
  readings(page, redraw);
  if (people) show($("#also"), [page.seats, people.own], () => also(page.seats));
  secret(page);
  parts.lend?.lent(page);
  if (person?.room !== stood) {
    stood = person?.room;
    requestAnimationFrame(free);
  }
}

// What lies over the lower edge of a phone leaves the own Room free, when either changes.
const front = $(".front");
let stood = "";
function free() {
  const room = $(`#room-${stood}`)?.getBoundingClientRect();
  const { top, height } = front.getBoundingClientRect();
  const over = room?.bottom - top + 8;
  if (height && over > 0 && room.top < innerHeight && getComputedStyle(front).position === "sticky") $("main").scrollTop += over;
}
if (front) new ResizeObserver(free).observe(front);

listen(audience, {
  query: () => (own || !wanted() ? {} : { theatre: "on" }),
  view(now) { page = now; draw(); if (drawn && !own) atTable(); },
  people(now) { people = now; if (page) draw(); },
  link(state) { if (state !== "live") hide(); },
  end(reason) { hide(); back((found) => found.ended(reason)); },
});

document.addEventListener("click", (event) => {
  const asked = event.target.closest?.(".why");
  if (asked) part("sheets", true, (sheets) => sheets.rule(asked.dataset.rule));
});
$("#again")?.addEventListener("click", () => location.reload());
part("lend", !own || $("#give-back"), () => page && redraw());
part("lights", $("#lights"), (found) => found.lights($("#lights")));
part("awake", true, (found) => found.awake());
part("drag", true, (found) => found.drag(board));
// The rules come in a quiet moment, to be at hand when the Wi-Fi is not.
setTimeout(() => { part("sheets", true, () => {}); part("known", true, (found) => found.learn()); }, 15000);
if (location.hash) back((found) => found.tellPin());
