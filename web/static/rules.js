// A rule as words: its text with the rules it names, and where it stands.

import { h } from "./dom.js";

// How a rule names another.
const ID = /\b([A-Z]{2,9}-[A-Z]?\d+)\b/;

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
  const found = await import("./known.js").then(({ named }) => named(rule)).catch(() => []);
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
