// A draw as theatre: the card lies face down for a moment and is turned. On the table's screen only,
// for what the box drew of bag and decks, seldom twice in a round; any touch ends it and goes on to
// what it touched. Switched off in the menu, and by who asks their device for less motion. The lights
// and the sounds of the table wait for the turn (companion/app/curtain.py).

import { $, h, icon } from "./dom.js";
import { post } from "./send.js";
import { drawn } from "./panels.js";
import { wanted } from "./menu.js";

const BACK = 1100; // ms face down
const FACE = 1900; // ms face up, before it goes where the page keeps it
const MOST = 2; // of a round

let seen = null; // the card this page knew last; null before the first view
let round = "";
let shown = 0;
let waits = 0;
let down = false; // the card lies face down, and the lights wait

/** Take up a page: a card that is new to it is turned before everybody. Answers in how many ms. */
export function theatre(page) {
  const mark = JSON.stringify(page.card);
  const fresh = seen !== null && mark !== seen && page.card?.boxed;
  seen = mark;
  if (page.head.round !== round) [round, shown] = [page.head.round, 0];
  if (!fresh || document.hidden || !wanted()) return 0;
  down = true;
  if (shown >= MOST) {
    rise();
    return 0;
  }
  shown += 1;
  play(page.card);
  return BACK;
}

function play(card) {
  clear();
  const deck = document.getElementById(`i-${card.deck}`) ? card.deck : "event";
  const box = h("div", { id: "theatre-box", class: "theatre", "aria-hidden": "true" },
    h("div.turning", {}, h(`div.back.${deck}`, {}, icon(deck, 160)), drawn(card)));
  document.body.append(box);
  waits = setTimeout(() => {
    rise();
    box.classList.add("turned");
    waits = setTimeout(stop, FACE);
  }, BACK);
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, stop, { once: true, capture: true });
}

function rise() {
  if (down) post("/api/turned", {});
  down = false;
}

function stop() {
  rise();
  clear();
}

function clear() {
  clearTimeout(waits);
  for (const touch of ["pointerdown", "keydown"]) removeEventListener(touch, stop, { capture: true });
  $("#theatre-box")?.remove();
}
