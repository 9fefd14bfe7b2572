// How this screen shows things: language, look, theatre, which way up. Each is kept on this device.

import { post } from "./send.js";

const root = document.documentElement;
const menu = document.getElementById("menu");

function keep(name, value) {
  root.dataset[name] = value;
  document.cookie = `companion_${name}=${value}; path=/; max-age=31536000; samesite=strict`;
}

function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
  button.classList.toggle("picked", on);
}

/** Whether draws are theatre on this screen. */
export function wanted() {
  return root.dataset.theatre === "on" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function shut() {
  menu.open = false;
}

// Who asks their device for more contrast has it until something else is chosen.
if (!document.cookie.includes("companion_look=") && matchMedia("(prefers-contrast: more)").matches) {
  root.dataset.look = "contrast";
  for (const one of menu?.querySelectorAll("[data-look]") ?? []) press(one, one.dataset.look === "contrast");
}

document.getElementById("language")?.addEventListener("change", async (event) => {
  const reply = await post("/api/language", { language: event.target.value });
  if (reply.ok) location.reload();
});
menu?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const { look, switch: name } = button?.dataset ?? {};
  if (look) {
    keep("look", look);
    for (const other of menu.querySelectorAll("[data-look]")) press(other, other === button);
  }
  if (name) {
    keep(name, root.dataset[name] === "on" ? "off" : "on");
    press(button, root.dataset[name] === "on");
    if (name === "theatre") dispatchEvent(new Event("theatre"));
  }
});
menu?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.open) return;
  shut();
  menu.querySelector("summary").focus();
});
document.addEventListener("pointerdown", (event) => menu?.open && !menu.contains(event.target) && shut());
