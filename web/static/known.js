// Every rule in the reader's language, fetched once: so they are at hand when the table is out of reach.

const MOST = 24; // as companion/library/search.py, whose order this keeps
let fetched = null;
let known = null;

/** Fetch them, if nobody has yet. */
export async function learn() {
  fetched ??= fetch("/api/rules/all").then((a) => a.ok ? a.json() : null).catch(() => null);
  const answer = await fetched;
  if (answer) known ??= answer.rules.map((r) => ({ ...r, named: r.named.split(" "), said: words(r.text) }));
  else fetched = null;
  return known;
}

async function asked(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? (await answer.json()).rules : null;
}

/** The rules with these ids; none when nobody can tell. */
export async function named(ids) {
  if (!known) return (await asked(`/api/rule/${encodeURIComponent(ids)}`)) ?? [];
  const held = new Map(known.map((r) => [r.id, r]));
  return ids.split(" ").map((id) => held.get(id)).filter(Boolean);
}

/** The rules that a text finds; null when neither the table nor this page can tell. A Room by its
    number is what lies there now: the table knows. */
export async function found(text) {
  const number = /^\s*\d/.test(text);
  const told = known && !number ? null : await asked(`/api/rules?q=${encodeURIComponent(text)}`);
  return told ?? (known && search(text));
}

function words(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("œ", "oe").replaceAll("æ", "ae").match(/[\p{L}\p{N}]+/gu) ?? [];
}

function search(text) {
  const wanted = words(text).slice(0, 8);
  const told = ranked(wanted, false);
  const near = told.length ? told : ranked(wanted, true);
  // As companion/library/search.py: at last a long word counts without its ending.
  return near.length ? near : ranked(wanted.map((w) => /^\p{L}{7,}$/u.test(w) ? w.slice(0, -3) : w), false);
}

/** `slips`: a long word may have a letter wrong, missing or too many, or two swapped. */
function ranked(wanted, slips) {
  const ranked = [];
  for (const rule of known) {
    const points = wanted.map((word) => worth(word, rule) || (slips && /^\p{L}{4,}$/u.test(word) ? slip(word, rule) : 0));
    if (points.every(Boolean)) {
      ranked.push([points.reduce((a, b) => a + b, 0) + (rule.room && points.some((p) => p > 4) ? 1 : 0), rule]);
    }
  }
  const late = ([, rule]) => (rule.other ? 1 : 0); // of aliens that are not in play
  return ranked.sort((a, b) => late(a) - late(b) || b[0] - a[0]).slice(0, MOST).map(([, rule]) => rule);
}

function slip(word, rule) {
  if (rule.named.some((w) => near(word, w))) return 5;
  return rule.said.some((w) => near(word, w)) ? 1 : 0;
}

function near(word, w) {
  let n = 0;
  while (n < word.length && word[n] === w[n]) n += 1;
  const rest = (other, typed) => w.slice(n + other).startsWith(word.slice(n + typed));
  return rest(1, 1) || rest(1, 0) || rest(0, 1) || (word[n] === w[n + 1] && word[n + 1] === w[n] && rest(2, 2));
}

function worth(word, rule) {
  if (rule.named.includes(word)) return 8;
  if (rule.named.some((w) => w.startsWith(word))) return 5;
  if (rule.said.slice(0, 3).some((w) => w.startsWith(word))) return 4;
  if (rule.said.includes(word)) return 2;
  return rule.said.some((w) => w.startsWith(word)) ? 1 : 0;
}
