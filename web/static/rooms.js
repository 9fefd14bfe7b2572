// A room that an action is about (offers.js) is tapped on the map, or taken from the list.

import { h, pair, say } from "./dom.js";
import { command } from "./send.js";

// {what, label, targets: [{id, label}], corridors}.
let aim = null;

/** An action waits for its room. */
export function take(wanted) {
  aim = wanted;
}

/** Rooms that may be tapped now for an action; empty: none is under way. */
export function aims() {
  return aim ? aim.targets.map((t) => t.id) : [];
}

/** A tap on the map; true when it was the choice for an action. */
export function aimed(kind, id, redraw) {
  if (!aim || !(kind === "room" ? aims().includes(id) : kind === "corridor" && aim.corridors)) return false;
  const { what } = aim;
  aim = null;
  command({ ...what, target: id });
  redraw();
  return true;
}

/** The open choice as words, a list and a way back. */
export function choice(redraw) {
  if (!aim) return "";
  const stop = () => { aim = null; redraw(); };
  return h("section.ask.aim", { "aria-live": "polite" },
    h("h2", {}, pair(aim.label, ""), h("small", {}, say("ui.page.tap_map"))),
    h("details", {}, h("summary", {}, say("ui.page.list")), h("div.options.many", {}, ...aim.targets.map((t) =>
      h("button.option", { onclick: () => aimed("room", t.id, redraw), data: { value: t.id } }, t.label)))),
    h("button.plain", { onclick: stop, data: { keep: "stop" } }, say("ui.page.cancel")));
}
