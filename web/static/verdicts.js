// The end of the game: one verdict after the other, who has won, the opened seal.

import { $, h, say, show } from "./dom.js";
import { command } from "./send.js";
import { why } from "./ask.js";

let told = 0; // verdicts that were brought into sight

export function verdicts(page) {
  const box = $("#verdicts");
  if (!box) return;
  box.hidden = !page.verdicts;
  show(box, [page.verdicts], () => page.verdicts ? [
    h("h2", {}, say("ui.page.verdicts")),
    h("ol", {}, ...page.verdicts.lines.map((line, n) => row(line, n === page.verdicts.lines.length - 1))),
    page.verdicts.done ? h("a.big", { href: "/story" }, say("ui.page.story")) : "",
    page.verdicts.seal ? h("details.seal", {}, h("summary", {}, page.verdicts.seal.text),
      h("code", {}, page.verdicts.seal.secret)) : "",
  ] : []);
  const lines = page.verdicts?.lines.length ?? 0;
  if (lines !== told) box.querySelector(".newest")?.scrollIntoView({ block: "nearest" });
  told = lines;
}

function row(line, newest) {
  return h(`li${line.tone ? `.${line.tone}` : ""}${newest ? ".newest" : ""}`, {},
    h("div", {}, h("b", {}, line.text), line.more ? h("small", {}, line.more) : ""),
    why(line.rule),
    line.judged === null ? "" : h("button.plain.otherwise", {
      onclick: () => command({ do: "judge", seat: line.seat, fulfilled: !line.judged }),
      data: { do: "judge", keep: `j${line.seat}` },
    }, say(line.judged ? "ui.page.judge.not" : "ui.page.judge.yes")));
}
