// Rules at hand: a search over the rule index, by words, symbols and room numbers.

import { h, icon, say } from "./dom.js";
import { found, learn } from "./known.js";
import { entry } from "./rules.js";

/** Symbols to tap instead of typing. */
const SYMBOLS = ["fire", "malfunction", "noise", "slime", "door", "egg", "carcass", "corpse_red", "larva", "signal", "escape_pod"];

/** The search box with its list. */
export function rules() {
  const list = h("div.found", { role: "status" });
  learn();
  let last = 0;
  const find = async (text) => {
    const mine = (last += 1);
    if (text.trim().length < 2) return list.replaceChildren(h("p.hint", {}, say("ui.page.rules.hint")));
    const told = await found(text);
    if (mine !== last) return undefined; // an answer to what was typed before
    if (!told) return list.replaceChildren(h("p", {}, say("ui.page.failed")));
    return list.replaceChildren(...(told.length ? told.map(entry) : [h("p", {}, say("ui.page.rules.none", { words: text }))]));
  };
  const box = h("input.search", { type: "search", "aria-label": say("ui.page.rules.search"), placeholder: say("ui.page.rules.search"),
    autocomplete: "off", enterkeyhint: "search", oninput: () => find(box.value) });
  find("");
  return h("section.rules", {}, h("h2.spoken", {}, say("ui.page.rules.search")), box,
    h("div.symbols", {}, ...SYMBOLS.map((name) => h("button.plain", { "aria-label": say(`ui.page.symbol.${name}`), title: say(`ui.page.symbol.${name}`),
      onclick: () => { box.value = say(`ui.page.symbol.${name}`); find(box.value); } }, icon(name === "escape_pod" ? "pod" : name, 28)))),
    list);
}
