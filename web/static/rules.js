// Rules at hand: a search over the rule index, by words, symbols and room numbers.

import { h, icon, say } from "./dom.js";

/** Symbols to tap instead of typing. */
const SYMBOLS = ["fire", "malfunction", "noise", "slime", "door", "egg", "carcass", "corpse_red", "larva", "signal", "escape_pod"];

const ID = /\b([A-Z]{2,9}-[A-Z]?\d+)\b/; // how a rule names another

/** A text whose names of other rules are buttons: each unfolds that rule below, or folds it again. */
export function linked(text) {
  return text.split(ID).map((part, n) => n % 2 ? h("button.ref", { "aria-expanded": "false", onclick: unfold, data: { rule: part } }, part) : part);
}

async function unfold(event) {
  const button = event.currentTarget;
  const place = button.closest("p");
  const { rule } = button.dataset;
  const open = place.parentElement.querySelector(`:scope > [data-of="${rule}"]`);
  button.setAttribute("aria-expanded", String(!open));
  if (open) return open.remove();
  const answer = await fetch(`/api/rule/${encodeURIComponent(rule)}`).catch(() => null);
  const { rules: found } = answer?.ok ? await answer.json() : { rules: [] };
  if (!found.length) return button.replaceWith(rule);
  const made = entry(found[0]);
  made.dataset.of = rule;
  return place.after(made);
}

/** One rule: what it is about, what it says, its id and how sure it is. */
export function entry(rule) {
  return h("article.rule", {}, rule.title ? h("h3", {}, rule.title) : "", h("p", {}, linked(rule.text)),
    h("small", {}, [rule.id, rule.mark, rule.source].filter(Boolean).join(" · ")));
}

/** The search box with its list. */
export function rules() {
  const list = h("div.found", { role: "status" });
  let last = 0;
  const find = async (text) => {
    const mine = (last += 1);
    if (text.trim().length < 2) return list.replaceChildren(h("p.hint", {}, say("ui.page.rules.hint")));
    const answer = await fetch(`/api/rules?q=${encodeURIComponent(text)}`).catch(() => null);
    const { rules: found } = answer?.ok ? await answer.json() : { rules: [] };
    if (mine !== last) return undefined; // an answer to what was typed before
    if (!answer?.ok) return list.replaceChildren(h("p", {}, say("ui.page.failed")));
    return list.replaceChildren(...(found.length ? found.map(entry) : [h("p", {}, say("ui.page.rules.none", { words: text }))]));
  };
  const box = h("input.search", { type: "search", "aria-label": say("ui.page.rules.search"), placeholder: say("ui.page.rules.search"),
    autocomplete: "off", enterkeyhint: "search", oninput: () => find(box.value) });
  find("");
  return h("section.rules", {}, h("h2.spoken", {}, say("ui.page.rules.search")), box,
    h("div.symbols", {}, ...SYMBOLS.map((name) => h("button.plain", { "aria-label": say(`ui.page.symbol.${name}`), title: say(`ui.page.symbol.${name}`),
      onclick: () => { box.value = say(`ui.page.symbol.${name}`); find(box.value); } }, icon(name === "escape_pod" ? "pod" : name, 28)))),
    list);
}
