// What a QR code opened: the token is behind the # and goes up only when the button is pressed.

import { $, say } from "./dom.js";
import { id, post } from "./send.js";

const token = location.hash.slice(1);
history.replaceState(null, "", "/join");
const button = $("#sit");

if (!token) {
  button.disabled = true;
  $("#why").textContent = say("ui.page.join.no_code");
}

button.addEventListener("click", async () => {
  button.disabled = true;
  const reply = await post("/api/claim", { token, share: id() });
  if (reply.ok) {
    const there = document.body.dataset.status === "lobby" ? `/?seat=${reply.seat}` : `/seat/${reply.seat}`;
    location.replace(`${there}#pin=${reply.pin}`);
    return;
  }
  $("#why").textContent = reply.text || say("ui.page.failed");
});
