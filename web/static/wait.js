// Pages that wait: for the program to start, or for the browser to send its cookie.

import { $ } from "./dom.js";
import { pinForm } from "./back.js";

const { wait } = document.body.dataset;
$("#back")?.replaceChildren(pinForm(Number(document.body.dataset.seat), (seat) => `/seat/${seat}`));

async function look() {
  try {
    if (wait === "start") {
      const answer = await fetch("/health", { cache: "no-store" });
      if (answer.ok && (await answer.json()).status !== "starting") location.reload();
    } else {
      const answer = await fetch("/api/me", { cache: "no-store" });
      const { seats } = await answer.json();
      if (seats.includes(Number(document.body.dataset.seat))) location.reload();
      else return;
    }
  } catch { /* not there yet */ }
  setTimeout(look, 1000);
}
look();
