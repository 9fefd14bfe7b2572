// The steps that set the table up: one's own first, ticked on any phone.

import { $, each, h, say, show } from "./dom.js";
import { command } from "./send.js";
import { why } from "./ask.js";

/** Draw the list; `own` is the seat of this page, 0 on the table's. */
export function checklist(page, own) {
  const box = $("#setup-list");
  if (!box) return;
  const steps = page.checklist ?? [];
  box.hidden = !steps.length;
  const place = box.querySelector(".steps-of-setup");
  const mine = steps.filter((s) => s.seat === own);
  const others = steps.filter((s) => s.seat !== own);
  show(place, [mine.length > 0], ([some]) => [
    h("div.top", {}, h("p.left"),
      h("button", { onclick: () => command({ do: "tick", check: "all" }), data: { keep: "close" } }, say("ui.page.setup_list.close"))),
    some ? h("h3", {}, say("ui.page.setup_list.yours")) : "",
    some ? h("ul.mine") : "",
    some ? h("details", {}, h("summary", {}, say("ui.page.setup_list.others")), h("ul.others")) : h("ul.others"),
  ]);
  place.querySelector(".left").textContent = say("ui.page.setup_list.left", { n: steps.filter((s) => !s.done).length });
  if (mine.length) each(place.querySelector(".mine"), mine, (step) => row(step, false));
  each(place.querySelector(".others"), others, (step) => row(step, true));
}

function row(step, named) {
  return h(`li${step.done ? ".done" : ""}`, {},
    h("button.check", { onclick: () => command({ do: "tick", check: step.id, done: !step.done }),
      "aria-pressed": String(step.done), data: { check: step.id, keep: `c${step.id}` } },
      h("span.tick", { "aria-hidden": "true" }, step.done ? "✓" : ""),
      h("span", {}, named ? h("b", {}, `${step.who} · `) : "", step.text)),
    why(step.rule));
}
