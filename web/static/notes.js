// Private notes of a seat: in the page only while the cover is off, and nowhere else but on the box.

import { h, learn, say } from "./dom.js";
import { post } from "./send.js";

const QUIET = 700; // ms after the last key

let seat = 0;
let waiting = null; // what was typed and is not kept yet
let timer = 0;

async function send() {
  clearTimeout(timer);
  if (waiting === null) return;
  const text = waiting;
  waiting = null;
  const reply = await post("/api/notes", { seat, text });
  const told = document.querySelector(".note [role=status]");
  if (told) told.textContent = reply.ok ? say("ui.notes.kept") : reply.text || say("ui.page.failed");
}

/** Put the notes of a seat into `box`; `typing()` is called at every key, `open()` says whether to. */
export async function notes(box, whose, typing, open) {
  seat = whose;
  await learn("notes");
  const answer = await fetch(`/api/notes/${seat}`, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok || !open()) return;
  const { text } = await answer.json();
  const area = h("textarea", { rows: 3, maxlength: 1500, autocomplete: "off", "aria-label": say("ui.notes.title"), placeholder: say("ui.notes.title"),
    oninput: () => { waiting = area.value; clearTimeout(timer); timer = setTimeout(send, QUIET); typing(); } });
  area.value = waiting ?? text;
  if (open()) box.replaceChildren(area, h("small", { role: "status" }));
}

/** The cover is on again: keep what was typed. */
export function put(box) {
  box.replaceChildren();
  send();
}
