// A damaged file is told until somebody at the table has read it; then on no page any more.

import { notice, post } from "./send.js";

const told = document.querySelector(".damaged");

document.getElementById("damage-read").addEventListener("click", async () => {
  const reply = await post("/api/damage-read", {});
  if (reply.ok) told.remove();
  else notice(reply);
});
