// Becoming the host: six digits, or none on the box itself.

import { $ } from "./dom.js";
import { post } from "./send.js";

$("#key").addEventListener("submit", async (event) => {
  event.preventDefault();
  const reply = await post("/api/host", { code: $("#digits").value });
  if (reply.ok) location.replace("/host");
  else $("#why").textContent = reply.text;
});
