// The stream down. A browser gives up on a stream after any answer but 200, hides comments, and a
// frozen phone keeps a dead one open: so this page watches the clock itself.

import { $, say } from "./dom.js";

const SILENCE = 25000; // ms without a word: the link is dead

export function listen(audience, on) {
  let source = null;
  let last = "";
  let boot = document.body.dataset.boot;
  let heard = 0;
  let again = 0;
  let stopped = false;

  function state(name) {
    document.body.dataset.link = name;
    const box = $("#link");
    if (box) box.textContent = name === "live" ? "" : say(`ui.page.link.${name}`);
    on.link?.(name);
  }

  function open() {
    close();
    if (stopped || document.hidden) return;
    heard = Date.now();
    const query = new URLSearchParams({ last, lang: document.documentElement.lang });
    source = new EventSource(`/stream/${audience}?${query}`);
    source.addEventListener("hello", (event) => {
      heard = Date.now();
      const now = JSON.parse(event.data).boot;
      if (boot && boot !== now) {
        boot = now;
        last = "";
      }
      state("live");
    });
    source.addEventListener("view", (event) => {
      heard = Date.now();
      last = event.lastEventId;
      state("live");
      on.view(JSON.parse(event.data));
    });
    source.addEventListener("people", (event) => {
      heard = Date.now();
      on.people?.(JSON.parse(event.data));
    });
    source.addEventListener("beat", () => {
      heard = Date.now();
      state("live");
    });
    source.addEventListener("end", (event) => {
      const { reason } = JSON.parse(event.data);
      if (reason === "restart") {
        state("lost");
        later(500);
        return;
      }
      stopped = true;
      close();
      state(reason);
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

  // A program that is starting, and one that is gone, are told apart by its health page.
  async function lost() {
    if (document.body.dataset.link === "live") state("stale");
    try {
      const answer = await fetch("/health", { cache: "no-store" });
      const { status } = await answer.json();
      if (document.body.dataset.link !== "live") state(status === "starting" ? "starting" : "stale");
    } catch {
      if (document.body.dataset.link !== "live") state("lost");
    }
  }

  function close() {
    source?.close();
    source = null;
  }

  function woken() {
    if (document.hidden) {
      close();
      state("asleep");
    } else if (!stopped) {
      open();
    }
  }

  document.addEventListener("visibilitychange", woken);
  addEventListener("pageshow", (event) => event.persisted && woken());
  addEventListener("pagehide", close);
  addEventListener("online", () => !stopped && open());
  setInterval(() => {
    if (!document.hidden && !stopped && source && Date.now() - heard > SILENCE) {
      state("stale");
      open();
    }
  }, 2000);
  state("opening");
  open();

  return {
    /** Take the stream back after another page took it. */
    reopen() {
      stopped = false;
      open();
    },
  };
}
