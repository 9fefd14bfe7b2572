// A packed game: the button that makes the list of every piece from the box to its place.

import { $ } from "./dom.js";
import { command } from "./send.js";

$("#unpack")?.addEventListener("click", async () => {
  const reply = await command({ do: "unpack" });
  if (reply.ok) location.assign(document.body.dataset.mine ? `/seat/${document.body.dataset.mine}` : "/table");
});
