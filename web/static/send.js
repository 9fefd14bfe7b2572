// Commands go up by POST with an id of our own, so that a retry is never done twice.

import { $, h, say } from "./dom.js";

const token = document.querySelector('meta[name="token"]').content;
const audience = document.body.dataset.audience;

/** 96 random bits; plain http has no ready-made ids. */
export function id() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** POST JSON; answers {ok, status, ...reply}. A lost connection is tried once more, same id. */
export async function post(path, body) {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const answer = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Companion-Token": token },
        body: JSON.stringify(body),
      });
      const reply = await answer.json().catch(() => ({}));
      if (answer.status === 429 && attempt < 2) {
        await new Promise((go) => setTimeout(go, 400));
        continue;
      }
      return { ...reply, ok: answer.ok, http: answer.status };
    } catch {
      await new Promise((go) => setTimeout(go, 300 * (attempt + 1)));
    }
  }
  return { ok: false, http: 0, text: say("ui.page.gone") };
}

/** A command of this page. Refusals become a notice, with "it happened anyway" where it may be. */
export async function command(what, by = audience) {
  document.body.classList.add("sending");
  const reply = await post("/api/command", { id: id(), by, ...what });
  document.body.classList.remove("sending");
  if (!reply.ok) notice(reply, by);
  else notice(null);
  return reply;
}

let fading = 0;
// It lies over whatever lies over the page.
let box = null;

/** Say why something was refused. */
export function notice(reply, by = audience) {
  box ??= $("#notice");
  if (!box) return;
  ($("dialog[open]") ?? document.body).append(box);
  clearTimeout(fading);
  if (!reply) {
    box.hidden = true;
    return;
  }
  // A second tap on the same answer comes too late; why the first was refused stays to be read.
  if (!box.hidden && box.dataset.offers && reply.code === "answer.nothing_open") return;
  const offers = reply.by_hand || reply.code === "undo.secret";
  box.dataset.offers = offers ? "yes" : "";
  box.replaceChildren(
    h("p", {}, reply.text || say("ui.page.failed"),
      reply.rule ? h("button.why", { data: { rule: reply.rule }, "aria-label": say("ui.page.why") }, "?") : ""),
    reply.by_hand
      ? h("button", { onclick: () => command({ do: "by_hand" }, by) }, say("ui.page.anyway"))
      : "",
    reply.code === "undo.secret" && document.body.dataset.host
      ? h("button", { onclick: () => command({ do: "undo", confirm: true }, "host") },
          say("ui.page.undo_anyway"))
      : "",
    h("button.plain", { onclick: () => notice(null) }, say("ui.page.close")),
  );
  box.hidden = false;
  // What offers something to do stays until it is answered or closed.
  if (!offers) fading = setTimeout(() => notice(null), 12000);
}
