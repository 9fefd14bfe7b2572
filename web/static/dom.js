// Small helpers: elements, icons, words.

const SVG = "http://www.w3.org/2000/svg";
const held = JSON.parse(document.getElementById("words").textContent);

/** A message with its {placeholders} filled. */
export function say(key, params = {}) {
  const text = held[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}

/** Two things that a colon joins, as the language writes it. */
export const pair = (a, b) => say("ui.page.pair", { a, b });

/** An element: h("button.main", {onclick}, "text", child). Text is always a text node. */
export function h(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  return fill(made, props, children);
}

/** The same for drawings. */
export function s(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const made = document.createElementNS(SVG, tag);
  if (classes.length) made.setAttribute("class", classes.join(" "));
  return fill(made, props, children);
}

function fill(made, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "paint") made.style.setProperty("--paint", value);
    else if (name === "data") Object.assign(made.dataset, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((c) => c !== null && c !== undefined && c !== false));
  return made;
}

/** One of our drawn symbols; an unknown one is a plain dot. */
export function icon(name, size = 24) {
  const known = document.getElementById(`i-${name}`) ? name : "dot";
  return s(`svg.icon.m-${known}`, { viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true" },
    s("use", { href: `#i-${known}` }));
}

const shown = new WeakMap();

/** Redraw `box` only when what it shows has changed; focus stays where it was. */
export function show(box, what, draw) {
  const mark = JSON.stringify(what);
  if (!box || shown.get(box) === mark) return;
  shown.set(box, mark);
  focused(box, () => box.replaceChildren(...[draw(what)].flat(2).filter(Boolean)));
}

const drawn = new WeakMap();

/** One part of `box` for each item, in their order: what was drawn for an equal item before stays
 *  as it is. Items hold all that `draw` looks at, and no two are equal. */
export function each(box, items, draw) {
  const before = drawn.get(box) ?? new Map();
  const now = new Map(items.map((item) => {
    const mark = JSON.stringify(item);
    return [mark, before.get(mark) ?? draw(item)];
  }));
  drawn.set(box, now);
  const parts = new Set(now.values());
  focused(box, () => {
    for (const old of [...box.childNodes]) if (!parts.has(old)) old.remove();
    let next = box.firstChild;
    for (const part of parts) {
      if (part === next) next = next.nextSibling;
      else box.insertBefore(part, next);
    }
  });
}

/** Change what is in `box`; what has the focus has it afterwards. */
function focused(box, change) {
  const keep = box.contains(document.activeElement) ? document.activeElement.dataset.keep : "";
  change();
  if (keep && !box.contains(document.activeElement)) box.querySelector(`[data-keep="${CSS.escape(keep)}"]`)?.focus();
}

/** The words of a part that most pages never need: `ui.<part>.…`. */
export async function learn(part) {
  const answer = await fetch(`/api/words/${part}?lang=${document.documentElement.lang}`).catch(() => null);
  if (answer?.ok) Object.assign(held, await answer.json());
}

export const $ = (selector) => document.querySelector(selector);

/** The sheet over the page. */
export function close() {
  $("#sheet")?.close();
}

export function open(title, ...parts) {
  const sheet = $("#sheet");
  sheet.replaceChildren(
    h("header", {}, h("h2", {}, title), h("button.plain", { onclick: close, "aria-label": say("ui.page.close") }, "✕")),
    ...parts.flat().filter(Boolean));
  sheet.scrollTop = 0;
  if (!sheet.open) sheet.showModal();
}
