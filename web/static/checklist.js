// The steps that set the table up: one's own first, ticked on any phone.

import { $, h, say, show } from "./dom.js";
import { command } from "./send.js";
import { why } from "./ask.js";

/** Draw the list; `own` is the seat of this page, 0 on the table's. */
export function checklist(page, own) {
  const box = $("#setup-list");
  if (!box) return;
  const steps = page.checklist ?? [];
  box.hidden = !steps.length;
  show(box.querySelector(".steps-of-setup"), [steps, own], () => {
    const mine = steps.filter((s) => s.seat === own);
    const others = steps.filter((s) => s.seat !== own);
    const left = steps.filter((s) => !s.done).length;
    return [
      h("div.top", {}, h("p.left", {}, say("ui.page.setup_list.left", { n: left })),
        h("button", { onclick: () => command({ do: "tick", check: "all" }), data: { keep: "close" } },
          say("ui.page.setup_list.close"))),
      mine.length ? h("h3", {}, say("ui.page.setup_list.yours")) : "",
      h("ul", {}, ...mine.map((s) => row(s, false))),
      mine.length
        ? h("details", {}, h("summary", {}, say("ui.page.setup_list.others")), h("ul", {}, ...others.map((s) => row(s, true))))
        : h("ul", {}, ...others.map((s) => row(s, true))),
    ];
  });
}

function row(step, named) {
  return h(`li${step.done ? ".done" : ""}`, {},
    h("button.check", { onclick: () => command({ do: "tick", check: step.id, done: !step.done }),
      "aria-pressed": String(step.done), data: { check: step.id, keep: `c${step.id}` } },
      h("span.tick", { "aria-hidden": "true" }, step.done ? "✓" : ""),
      h("span", {}, named ? h("b", {}, `${step.who} · `) : "", step.text)),
    why(step.rule));
}
