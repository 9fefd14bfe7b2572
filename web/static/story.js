// The story of the evening: the language menu and the players' colours.


for (const person of document.querySelectorAll("[data-hex]")) {
  person.style.setProperty("--paint", person.dataset.hex);
}
