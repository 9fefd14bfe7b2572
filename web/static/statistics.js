// The bag, the odds and the evening in numbers, for those whose host lets them see.

import { h, icon, s, say } from "./dom.js";

export function statistics({ bag, surprise, rounds }) {
  return [
    h("section", {}, h("h3", {}, say("ui.page.statistics.bag")),
      h("table.odds", {}, ...bag.map((kind) => h("tr", {}, h("th", { scope: "row" }, icon(kind.icon, 22), kind.label),
        h("td", {}, String(kind.count)), h("td", {}, meter(kind.percent)))))),
    h("section", {}, h("h3", {}, say("ui.page.statistics.surprise")),
      h("table.odds", {}, ...surprise.map((hand) => h("tr", {}, h("th", { scope: "row" }, hand.label), h("td", {}, meter(hand.percent)))))),
    h("section", {}, h("h3", {}, say("ui.page.statistics.rounds")), chart(rounds)),
  ];
}

function meter(percent) {
  return [h("meter", { min: 0, max: 100, value: percent, "aria-hidden": "true" }), ` ${percent} %`];
}

/** One row of bars for each thing counted, one bar a round; the numbers stand above the bars. */
function chart(rounds) {
  const names = new Map();
  for (const round of rounds) for (const one of round) names.set(one.id, one.label);
  const most = Math.max(1, ...rounds.flat().map((one) => one.count));
  const wide = Math.max(rounds.length, 6) * 34;
  return h("div.chart", {}, ...[...names].map(([id, label]) => {
    const counts = rounds.map((round) => round.find((one) => one.id === id)?.count ?? 0);
    return h("figure", {}, h("figcaption", {}, label),
      s("svg.bars", { viewBox: `0 0 ${wide} 60`, role: "img", "aria-label": `${label}: ${counts.join(", ")}` },
        ...counts.flatMap((count, round) => {
          const high = (28 * count) / most;
          return [s("rect", { x: round * 34 + 4, y: 44 - high, width: 26, height: Math.max(high, 1) }),
            s("text", { x: round * 34 + 17, y: 40 - high, "text-anchor": "middle" }, count ? String(count) : ""),
            s("text.round", { x: round * 34 + 17, y: 57, "text-anchor": "middle" }, String(round + 1))];
        })));
  }));
}
