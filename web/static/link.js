// The stream down. A browser gives up on a stream after any answer but 200, hides comments, and a
// frozen phone keeps a dead one open: so this page watches the clock itself. Every way in which a
// link can fail has a name of its own, for `ui.page.link.<name>`.

import { $, say } from "./dom.js";

// Milliseconds without a word: the link is dead.
const SILENCE = 25000;
// Milliseconds between looks at the clock.
const LOOK = 1000;
// Milliseconds between two looks: the phone slept through.
const FROZEN = 5000;
// Milliseconds without any answer: perhaps the box has another address.
const AWAY = 20000;
// Milliseconds to read that the page loads itself again.
const RENEW = 1500;
// Milliseconds that a finger on the page holds back what comes.
const TAP = 3000;
// Milliseconds from its release to the click.
const UP = 50;

// What changed under a finger would be drawn anew, and the tap lost: it waits until that is up.
const waits = new Map();
let until = 0;

function touch(ms) {
  until = performance.now() + ms;
  setTimeout(heed, ms + 9);
}

function heed(use, data) {
  if (use) waits.set(use, data);
  if (performance.now() < until) return;
  for (const [each, news] of waits) {
    waits.delete(each);
    each(news);
  }
}

addEventListener("pointerdown", () => touch(TAP), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => touch(UP), true);

/** Listen as `audience`; `on.quiet`: a second stream of a page, which says nothing of its link.
 *  Answers a function that ends it. */
export function listen(audience, on) {
  const { mark } = document.body.dataset;
  const ended = new AbortController();
  let now = "";
  let source = null;
  let last = "";
  let boot = document.body.dataset.boot;
  let heard = 0;
  let again = 0;
  // Since when nothing answers.
  let gone = 0;
  let looked = Date.now();
  let stopped = false;

  function state(name) {
    now = name;
    if (on.quiet) return;
    document.body.dataset.link = name;
    const box = $("#link");
    if (box) box.textContent = name === "live" ? "" : say(`ui.page.link.${name}`);
    on.link?.(name);
  }

  function live() {
    heard = Date.now();
    gone = 0;
    if (now !== "live") state("live");
  }

  function stop(reason) {
    stopped = true;
    close();
    state(reason);
  }

  function open() {
    close();
    if (stopped || document.hidden) return;
    heard = Date.now();
    const query = new URLSearchParams({ last, lang: document.documentElement.lang, ...on.query?.() });
    source = new EventSource(`/stream/${audience}?${query}`);
    source.addEventListener("hello", (event) => {
      const box = JSON.parse(event.data);
      // The program is newer than this page.
      if (mark && box.mark && box.mark !== mark) {
        stop("older");
        setTimeout(() => location.reload(), RENEW);
        return;
      }
      if (boot && boot !== box.boot) {
        boot = box.boot;
        last = "";
      }
      live();
    });
    source.addEventListener("view", (event) => {
      last = event.lastEventId;
      live();
      heed(on.view, JSON.parse(event.data));
    });
    source.addEventListener("people", (event) => {
      heard = Date.now();
      if (on.people) heed(on.people, JSON.parse(event.data));
    });
    source.addEventListener("beat", live);
    source.addEventListener("end", (event) => {
      const { reason } = JSON.parse(event.data);
      if (reason === "restart") {
        state("lost");
        later(500);
        return;
      }
      stop(reason);
      on.end?.(reason);
    });
    source.onerror = () => {
      if (!source) return;
      lost();
      if (source.readyState === EventSource.CLOSED) later();
    };
  }

  function later(wait = 1000 + Math.random() * 2000) {
    close();
    clearTimeout(again);
    again = setTimeout(open, wait);
  }

  // A program that is starting, one that is gone, and a seat that moved while this page slept are
  // told apart by what answers.
  async function lost() {
    if (now === "live") state("stale");
    try {
      const answer = await fetch("/health", { cache: "no-store" });
      const { status } = await answer.json();
      gone = 0;
      if (stopped || now === "live") return;
      state(status === "starting" ? "starting" : "stale");
      if (status !== "starting" && audience !== "table" && !(await mine())) {
        stop("moved");
        on.end?.("moved");
      }
    } catch {
      gone ||= Date.now();
      if (!stopped && now !== "live") state(Date.now() - gone > AWAY ? "away" : "lost");
    }
  }

  async function mine() {
    const answer = await fetch("/api/me", { cache: "no-store" });
    const held = await answer.json();
    return audience === "host" ? held.host : held.seats.includes(Number(audience.slice(5)));
  }

  function close() {
    source?.close();
    source = null;
  }

  function woken() {
    if (document.hidden) {
      close();
      if (!stopped) state("asleep");
    } else if (!stopped) {
      clearTimeout(again);
      open();
    }
  }

  const { signal } = ended;
  document.addEventListener("visibilitychange", woken, { signal });
  addEventListener("pageshow", (event) => event.persisted && woken(), { signal });
  addEventListener("pagehide", close, { signal });
  for (const again of ["online", "theatre"]) addEventListener(again, () => !stopped && open(), { signal });
  const looks = setInterval(() => {
    const time = Date.now();
    const slept = time - looked > FROZEN;
    looked = time;
    if (document.hidden || stopped || !source || !(slept || time - heard > SILENCE)) return;
    state("stale");
    open();
  }, LOOK);
  state("opening");
  open();
  return () => {
    stopped = true;
    close();
    clearTimeout(again);
    clearInterval(looks);
    ended.abort();
  };
}
