// The story of the evening: the language menu and the players' colours.

import { languages } from "./send.js";

for (const person of document.querySelectorAll("[data-hex]")) {
  person.style.setProperty("--paint", person.dataset.hex);
}
languages();
