// Time on the table's screen: about how long the game may still take, from the evening's own pace, and,
// when somebody wants it, since when nobody has done anything. Wall time is shown and decides nothing.

import { $ } from "./dom.js";

const LOOK = 60000; // ms between questions about the pace
const box = $("#clock");
let last = 0; // the newest line of the log, and since when it is
let since = performance.now();
let left = null;
let playing = false; // nothing is left of a game that has ended

export function clock(page) {
  const newest = page.log.at(-1)?.n ?? 0;
  if (newest !== last) [last, since] = [newest, performance.now()];
  playing = page.status === "playing" && page.phase !== "over";
  if (left === null && playing) ask();
  draw();
}

async function ask() {
  left ??= 0;
  const answer = await fetch("/api/pace").catch(() => null);
  if (answer?.ok) left = Math.round(((await answer.json()).left_s ?? 0) / 300) * 5; // to five minutes
  draw();
}

function draw() {
  const seconds = Math.floor((performance.now() - since) / 1000);
  const timer = document.documentElement.dataset.timer === "on" ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : "";
  const text = [timer, left && playing ? box.dataset.left.replace("{n}", left) : ""].filter(Boolean).join(" · ");
  if (box.textContent !== text) box.textContent = text;
}

setInterval(() => document.hidden || !playing || ask(), LOOK);
setInterval(() => document.hidden || draw(), 1000);
