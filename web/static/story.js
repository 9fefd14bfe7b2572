// The story of the evening: the players' colours, the evening run through again, a picture to share.

import { $ } from "./dom.js";
import { replay } from "./replay.js";

for (const person of document.querySelectorAll("[data-hex]")) {
  person.style.setProperty("--paint", person.dataset.hex);
}
if ($("#replay")) replay($("#replay"));

/** The picture as PNG, drawn by this browser from the box's SVG. */
async function save() {
  const drawn = new Image();
  drawn.src = "/story.svg";
  await drawn.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: drawn.naturalWidth, height: drawn.naturalHeight });
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "evening.png" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  });
}

$("#png")?.addEventListener("click", save);
