// What only this player may know. Covered unless held, or for eight seconds after a tap; the words
// are in the page only while they are shown. While anybody has a secret choice to make, the block
// leads every seat's page and has the same size on all, so that its place tells nothing.

import { h, say } from "./dom.js";
import { answer } from "./ask.js";

const SECONDS = 8;
// Seconds after a key in the own notes.
const TYPING = 40;
// The part for notes, once it was needed.
let notes = null;
let page = null;
let timer = 0;
let sure = "";

const box = document.getElementById("secret");
const cover = box?.querySelector(".cover");
const grip = box?.querySelector(".grip");
const second = box?.querySelector(".second");
const ask = box?.querySelector(".secret-asks");
const note = box?.querySelector(".note");
const waiting = box?.querySelector(".waiting");

export function secret(now) {
  // A look was taken.
  if (page?.me && now.me?.seen.length > page.me.seen.length) box?.scrollIntoView({ block: "center" });
  page = now;
  if (!box) return;
  const open = page.prompts.filter((p) => p.secret);
  lead(page.waiting);
  // Ids alone: what stands on the cards is in the page only while it is shown.
  const mark = JSON.stringify([open.map((p) => [p.id, p.options.length]), page.waiting > 0]) + sure;
  if (ask.dataset.mark !== mark) {
    ask.dataset.mark = mark;
    ask.replaceChildren(...(open.length || !page.waiting
      ? open.map(choose) : [h("p", {}, say("ui.page.secret.none"))]));
  }
  if (box.classList.contains("shown")) fill();
}

// A count and never a name. Whoever was looking further down is brought up to the block.
function lead(count) {
  const begins = count > 0 && !document.body.classList.contains("deciding");
  document.body.classList.toggle("deciding", count > 0);
  waiting.hidden = !count;
  waiting.textContent = count ? say("ui.page.waiting", { n: count }) : "";
  if (begins) for (const part of document.querySelectorAll("main, .side")) part.scrollTop = 0;
}

// The buttons name the cards by their place, never by what stands on them.
function choose(prompt) {
  const act = (option, n) => {
    const key = `${prompt.id}/${n}`;
    if (sure !== key) {
      sure = key;
      secret(page);
      return;
    }
    sure = "";
    answer(prompt, option.id);
  };
  return h("div.ask", { data: { prompt: prompt.id } },
    h("h3", {}, prompt.text),
    h("div.pair", {}, ...prompt.options.map((o, n) => h(`button.big${sure === `${prompt.id}/${n}` ? ".likely" : ""}`,
      { onclick: () => act(o, n), data: { place: n + 1 } },
      say(sure === `${prompt.id}/${n}` ? "ui.page.secret.sure" : "ui.page.secret.take", { n: n + 1 })))));
}

function fill() {
  const drawn = page?.prompts.find((p) => p.secret && p.options.some((o) => !o.text));
  // Cards drawn to choose from: the cover tells which place is which.
  if (drawn) {
    cover.replaceChildren(...drawn.options.map((o, n) => h("article.objective", {}, h("small", {}, String(n + 1)), h("strong", {}, o.label), h("p", {}, o.told))));
    return;
  }
  const cards = page?.me?.objectives ?? [];
  const seen = page?.me?.seen ?? [];
  const own = page?.me?.cards ?? [];
  cover.replaceChildren(...(cards.length || seen.length || own.length
    ? [...cards.map((card, n) => h("article.objective", {},
        h("small", {}, `${n + 1} · ${card.deck}`), h("strong", {}, card.title), h("p", {}, card.text))),
      ...own.map((card) => h("article.objective.own-card", {},
        h("small", {}, card.deck), h("strong", {}, card.title), h("p", {}, card.text))),
      ...(seen.length ? [h("h3", {}, say("ui.page.secret.seen"))] : []),
      ...seen.map((one) => h("article.objective.seen", {},
        h("small", {}, one.when), h("strong", {}, one.title), h("p", {}, one.text)))]
    : [h("p", {}, say("ui.page.secret.nothing"))]));
}

function reveal() {
  fill();
  box.classList.add("shown");
  second?.setAttribute("aria-expanded", "true");
  const take = (found) => {
    notes = found;
    if (shown()) found.notes(note, Number(document.body.dataset.seat), () => coverIn(TYPING), shown);
  };
  if (notes) take(notes);
  else import("./notes.js").then(take).catch(() => {});
}

function shown() {
  return box.classList.contains("shown");
}

function coverIn(seconds) {
  clearTimeout(timer);
  timer = setTimeout(hide, seconds * 1000);
}

export function hide() {
  clearTimeout(timer);
  if (!box) return;
  box.classList.remove("shown");
  second?.setAttribute("aria-expanded", "false");
  cover.replaceChildren(h("p.covered", {}, say("ui.page.secret.covered")));
  notes?.put(note);
}

if (box) {
  hide();
  const down = (event) => { event.preventDefault(); grip.setPointerCapture?.(event.pointerId); reveal(); };
  grip.addEventListener("pointerdown", down);
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) grip.addEventListener(end, hide);
  grip.addEventListener("contextmenu", (event) => event.preventDefault());
  grip.addEventListener("keydown", (event) => (event.key === " " || event.key === "Enter") && !event.repeat && reveal());
  grip.addEventListener("keyup", hide);
  second.addEventListener("click", () => {
    if (box.classList.contains("shown")) return hide();
    reveal();
    coverIn(SECONDS);
    return undefined;
  });
  addEventListener("blur", hide);
  addEventListener("pagehide", hide);
  document.addEventListener("visibilitychange", hide);
}
