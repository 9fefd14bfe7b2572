// The language menu, on every page.

import { post } from "./send.js";

export function languages() {
  document.getElementById("language")?.addEventListener("change", async (event) => {
    const reply = await post("/api/language", { language: event.target.value });
    if (reply.ok) location.reload();
  });
}
