// What the host may set, as a drawer over any page: whoever is the host opens it and closes it, and
// the page below stays where it was. Who is not the host yet is asked for the six digits.

import { $, h, open, say } from "./dom.js";
import { post } from "./send.js";
import { host } from "./host.js";

let end = null; // ends the host's stream

export async function drawer(code = 0) {
  const answer = await fetch(`/host/drawer${code ? `?code=${code}` : ""}`, { cache: "no-store" }).catch(() => null);
  const found = answer && new DOMParser().parseFromString(await answer.text(), "text/html").body;
  const at = $("#sheet").open ? $("#sheet").scrollTop : 0;
  stop();
  open(say("ui.page.host"), ...(found ? [...found.children].map((part) => document.adoptNode(part)) : [h("p", { role: "alert" }, say("ui.page.gone"))]));
  if (!found) return;
  $("#sheet").addEventListener("close", stop, { once: true });
  if ($("#sheet [data-host]")) {
    document.body.dataset.host = "1";
    end = host($("#sheet"), true, drawer);
    const card = $("#sheet .qr-card");
    if (card) card.scrollIntoView({ block: "center" });
    else $("#sheet").scrollTop = at;
  } else $("#key")?.addEventListener("submit", key);
}

function stop() {
  end?.();
  end = null;
}

async function key(event) {
  event.preventDefault();
  const reply = await post("/api/host", { code: $("#digits").value });
  if (reply.ok) drawer();
  else $("#why").textContent = reply.text;
}
